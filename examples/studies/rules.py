"""Induce rules under each condition of a table, from several draws of games, and measure them: a row for each measure.

    python rules.py conditions.tsv --train FOLDER --test FOLDER --draws 6 --games 125 -o table.tsv

A condition is a name and the parameters of `gotools.induce_rules`, KEY=VALUE with spaces between. What stands before
the comma of a name is the condition that it is compared with. No two draws share a game.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from draws import with_interval
from nets import read_conditions

import gotools

MEASURES = ("top1", "top5", "top20", "log_likelihood")
COLUMNS = (
    "condition",
    "measure",
    "draws",
    "rules",
    "mean",
    "low",
    "high",
    "above",
    "above_low",
    "above_high",
    "seconds",
)
LEGEND = """\
mean   top1, top5, top20: percentage of the moves played that are among the best 1, 5 and 20; log_likelihood: mean
       logarithm of the probability of the move played. Means of the draws; low, high: 95 % interval by Student's t
above  mean less that of the condition it is compared with on the same draws, with its 95 % interval
rules, seconds  of an induction, mean"""


def main() -> None:
    """Write the table, after each condition anew."""
    parser = argparse.ArgumentParser(description="Induce rules under conditions, several draws each.")
    parser.add_argument("conditions", type=Path)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--games", type=int, default=125)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    order = np.random.default_rng(words.seed).permutation(games := sorted(words.train.iterdir()))
    if len(games) < words.draws * words.games:
        parser.error(f"{words.draws} draws of {words.games} games are more than the {len(games)} of {words.train}")
    drawn = [
        gotools.read_examples(list(some)) for some in np.array_split(order[: words.draws * words.games], words.draws)
    ]
    test = gotools.read_examples(words.test)
    found: dict[str, np.ndarray] = {}
    lines = [f"# {line}" for line in LEGEND.splitlines()] + ["# " + "\t".join(COLUMNS)]
    for name, settings in read_conditions(words.conditions).items():
        rows = []
        for seed, train in enumerate(drawn):
            study = gotools.induce_rules(train, test=test, seed=seed, jobs=words.jobs, report=print_nothing, **settings)
            metrics = study.metrics["test"]
            rows.append(
                [
                    *(100 * metrics[key] for key in MEASURES[:3]),
                    metrics[MEASURES[3]],
                    len(study.rules.rules),
                    study.seconds,
                ]
            )
            print(name, seed, *(f"{x:.3f}" for x in rows[-1]), file=sys.stderr, flush=True)
        found[name] = np.array(rows)
        base = found[name.split(",")[0]]
        for column, measure in enumerate(MEASURES):
            values = found[name][:, column]
            numbers = [*with_interval(values), *with_interval(values - base[:, column])]
            digits = 2 if column < 3 else 3
            cells = [f"{x:.{digits}f}" for x in numbers[: 3 if found[name] is base else 6]] + ["-"] * 3
            rules, seconds = found[name][:, -2:].mean(axis=0)
            lines.append("\t".join((name, measure, str(words.draws), f"{rules:.0f}", *cells[:6], f"{seconds:.1f}")))
        words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def print_nothing(text: str) -> None:
    """Leave out what the induction says."""


if __name__ == "__main__":
    main()
