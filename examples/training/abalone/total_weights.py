"""List what three of the nine attributes add to the value, after figures 6.4 to 6.7 of the Abalearn thesis.

    python total_weights.py out/training/abalone/attributes-kappa_*.part

A row for each file: the lead in marbles, protected marbles, and the mean steps from the centre. The weight of an input
is the sum over the hidden units of its weight times the unit's own: a unit with a negative weight turns signs around.
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

from gotools.errors import GotoolsError
from gotools.games.kernels.abalone_inputs import ATTRIBUTES
from gotools.learn.weights.weights_file import load_weights

COLUMNS: Final = {"lead": 0, "protected": 6, "distance": 7}
"""Their places in ATTRIBUTES."""
_NAME: Final = re.compile(r"(?P<run>.+?)[-_]seed_(?P<seed>[0-9]+)")


def total_weights(weights: NDArray[np.float64]) -> list[float]:
    """Return the weight of each column; `weights` are those of 9-n-1 units without bias."""
    units = len(weights) // (len(ATTRIBUTES) + 1)
    hidden, output = weights[:-units].reshape(units, -1), weights[-units:]
    return [float(output @ hidden[:, place]) for place in COLUMNS.values()]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="RUN_seed_N.npz of train-eval --features attributes")
    runs: dict[tuple[str, int], list[list[float]]] = defaultdict(list)
    print("#" + "\t".join(("run", "seed", "games", *COLUMNS)))
    try:
        for path in parser.parse_args(arguments).files:
            weights = load_weights(path)
            if weights.features != "attributes":
                raise GotoolsError(f"{path}: weights of {weights.features}")
            name = _NAME.match(Path(path).name)
            run, seed = (name["run"], name["seed"]) if name else (Path(path).stem, "-")
            found = total_weights(weights.weights)
            runs[run, weights.games].append(found)
            print("\t".join([run, seed, str(weights.games), *(f"{weight:.4f}" for weight in found)]))
    except GotoolsError as error:
        parser.error(str(error))
    order = list(dict.fromkeys(run for run, _ in runs))
    for (run, games), seeds in sorted(runs.items(), key=lambda one: (order.index(one[0][0]), one[0][1])):
        print("\t".join([run, "all", str(games), *(f"{mean:.4f}" for mean in np.mean(seeds, axis=0))]))


if __name__ == "__main__":
    main()
