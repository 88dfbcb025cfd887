"""List what each input adds to the value, after figures 5.9 to 5.11 and 6.4 to 6.7 of the Abalearn thesis.

    python total_weights.py out/training/abalone/attributes-kappa_*.part

A row for each file, all of one set of inputs. The weight of an input is the sum over the hidden units of its weight
times the unit's own: a unit with a negative weight turns signs around.
Files whose names differ in `seed_N` alone are one run; its row, seed "all", has the means over its seeds.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.values.weights.weights_file import load_weights

_NAME: Final = re.compile(r"(?P<run>.+?)[-_]seed_(?P<seed>[0-9]+)")


def total_weights(weights: NDArray[np.float64], inputs: int) -> list[float]:
    """Return the weight of each input; `weights` are those of inputs-n-1 units without bias."""
    units = len(weights) // (inputs + 1)
    hidden, output = weights[:-units].reshape(units, -1), weights[-units:]
    return [float(total) for total in output @ hidden]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="RUN_seed_N.npz of train-eval")
    runs: dict[tuple[str, int], list[list[float]]] = defaultdict(list)
    features = ""
    try:
        for path in parser.parse_args(arguments).files:
            weights = load_weights(path)
            if not features:
                features = weights.features
                labels = find_game(weights.game).find_features(features).labels(weights.size)
                print("#" + "\t".join(("run", "seed", "games", *labels)))
            if weights.features != features:
                raise GotoolsError(f"{path}: weights of {weights.features}, the first file's of {features}")
            name = _NAME.match(Path(path).name)
            run, seed = (name["run"], name["seed"]) if name else (Path(path).stem, "-")
            found = total_weights(weights.weights, len(labels))
            runs[run, weights.games].append(found)
            print("\t".join([run, seed, str(weights.games), *(f"{weight:.4f}" for weight in found)]))
    except GotoolsError as error:
        parser.error(str(error))
    order = list(dict.fromkeys(run for run, _ in runs))
    for (run, games), seeds in sorted(runs.items(), key=lambda one: (order.index(one[0][0]), one[0][1])):
        print("\t".join([run, "all", str(games), *(f"{mean:.4f}" for mean in np.mean(seeds, axis=0))]))


if __name__ == "__main__":
    main()
