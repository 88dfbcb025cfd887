"""Train networks under each condition of a table, several seeds each, and measure them: a row for each checkpoint.

    python nets.py conditions.tsv --games 1000 --seeds 5 --into FOLDER -o table.tsv

A condition is a name and the settings of `gotools train-eval` in which it differs from the first one, KEY=VALUE with
spaces between, `_` for `-`, quoted as in a shell. Weights and logs stay in a folder; those that are there are not made
again. The columns of the result are explained in its first lines.
"""

from __future__ import annotations

import argparse
import itertools
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from draws import with_interval
from numpy.typing import NDArray

import gotools
from gotools.games.go.examples.examples import GoExamples

COLUMNS = (
    *("condition", "referee", "games", "seeds", "share", "low", "high", "least", "most"),
    *("above", "above_low", "above_high", "alike"),
)
LEGEND = """\
share  of games won against a referee in percent, draws half, both one ply deep: mean of the seeds; low, high: 95 %
       interval of this mean by Student's t; least, most: of the seeds
above  share less that of the first condition after as many games with the same seed: mean, with its 95 % interval
alike  correlation between two seeds of the values of positions of some games, mean of the pairs of seeds"""

Shares = dict[tuple[str, int], list[float]]
"""By referee and number of games: a share for each seed."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How each network is trained and measured: games, their seeds, and games against referees at a checkpoint."""

    games: int
    seeds: range
    every: int
    referees: tuple[str, ...]
    referee_games: int
    jobs: int
    into: Path

    def path(self, name: str, seed: int) -> Path:
        """Return where the weights of a condition and seed are."""
        return self.into / f"{name.replace(' ', '-')}-{seed}.npz"

    def train(self, name: str, settings: dict[str, Any], seed: int) -> None:
        """Train a network unless it is there."""
        path = self.path(name, seed)
        gotools.train(
            path, log=path.with_suffix(".tsv"), seed=seed, checkpoint=self.every, keep=self.every, jobs=self.jobs,
            referee=self.referees, referee_games=self.referee_games, resume=path.exists(),
            **{"games": self.games, **settings},
        )  # fmt: skip

    def shares(self, name: str) -> Shares:
        """Read the shares of all seeds from their logs."""
        found: Shares = {}
        for seed in self.seeds:
            text = self.path(name, seed).with_suffix(".tsv").read_text(encoding="utf-8")
            header, *rows = [line.split("\t") for line in text.splitlines() if not line.startswith("##")]
            for row in rows:
                cells = dict(zip(header, row, strict=True))
                for referee in self.referees:
                    found.setdefault((referee, int(cells["games"])), []).append(100 * float(cells[referee]))
        return found

    def alike(self, name: str, games: int, examples: GoExamples) -> float:
        """Return how alike the seeds value the positions of some examples after so many games."""
        paths = [self.path(name, seed) for seed in self.seeds]
        copies = [path.with_name(f"{path.stem}-{games:09d}.npz") for path in paths]
        found = [
            gotools.load_evaluation(copy if copy.exists() else path) for path, copy in zip(paths, copies, strict=True)
        ]
        pairs = list(itertools.combinations([each.values(examples) for each in found], 2))
        return float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in pairs])) if pairs else np.nan


def read_conditions(path: Path) -> dict[str, dict[str, Any]]:
    """Return the settings of the conditions of a file by their names."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, words = line.partition("\t")
            found[name] = dict(_pair(word) for word in shlex.split(words))
    return found


def _pair(word: str) -> tuple[str, Any]:
    """Read KEY=VALUE; a value is a number where it can be one."""
    key, _, value = word.partition("=")
    for kind in (int, float):
        try:
            return key, kind(value)
        except ValueError:
            continue
    return key, value


def row_of(name: str, key: tuple[str, int], shares: Shares, base: Shares, alike: float) -> str:
    """Return a row of the table."""
    values = np.array(shares[key])
    above: NDArray[np.float64] | None = None
    if base is not shares and key in base:
        above = values - np.array(base[key])
    mean, *ends = with_interval(values)
    numbers = [mean, *np.clip(ends, 0, 100), values.min(), values.max()]
    numbers += [np.nan] * 3 if above is None else with_interval(above)
    cells = ["-" if np.isnan(number) else f"{round(number, 1) + 0:.1f}" for number in numbers]
    like = "-" if np.isnan(alike) else f"{alike:.3f}"
    return "\t".join((name, key[0], str(key[1]), str(len(values)), *cells, like))


def main() -> None:
    parser = argparse.ArgumentParser(description="Train networks under conditions, several seeds each.")
    parser.add_argument("conditions", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="the first of them")
    parser.add_argument("--every", type=int, help="games between checkpoints; without it there is one, at the end")
    parser.add_argument("--referee", action="append", default=[])
    parser.add_argument("--referee-games", type=int, default=200)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--positions", help="games whose positions show how alike the seeds are")
    parser.add_argument("--step", type=int, default=5, help="every so many of these positions")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    words.into.mkdir(parents=True, exist_ok=True)
    referees = tuple(words.referee) or ("heuristic",)
    every = words.every or words.games
    seeds = range(words.seed, words.seed + words.seeds)
    runs = Runs(words.games, seeds, every, referees, words.referee_games, words.jobs, words.into)
    examples = gotools.read_examples(words.positions) if words.positions else None
    if examples is not None:
        examples = examples.take(np.flatnonzero(examples.size == words.size)[:: words.step])
    lines = [f"# {line}" for line in LEGEND.splitlines()] + ["# " + "\t".join(COLUMNS)]
    base: Shares | None = None
    for name, settings in read_conditions(words.conditions).items():
        for seed in seeds:
            runs.train(name, {"features": "thesis8", "size": words.size, **settings}, seed)
        shares = runs.shares(name)
        base = shares if base is None else base
        for key in shares:
            alike = np.nan if examples is None else runs.alike(name, key[1], examples)
            lines.append(row_of(name, key, shares, base, alike))
        print(lines[-1], file=sys.stderr, flush=True)
        words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
