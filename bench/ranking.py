"""Positions that `gotools rank-moves --top 1` ranks in a second of one core, on 9x9 and 19x19, with compiled rules.

python bench/ranking.py                  learns up to 500 rules for each size first (some minutes)
python bench/ranking.py RULES9 RULES19   takes the rules of two files

The CPU time, user and system, of the command on a table of many positions, less that of the command on some 500: the
start does not count. The figure beside it is the share of that time which the compiled rules take, measured in the same
run: all else reads the table, finds probabilities and writes rows.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from _table import SHARED, command_seconds, cpu_seconds, heading, medians, row, skipped
from numpy.typing import NDArray

from gotools.game.examples.examples import write_examples
from gotools.game.examples.table import read_examples
from gotools.games.go.examples.examples import GoExamples
from gotools.rules.compiled.native import load_native
from gotools.rules.rule_ranking import POSITIONS

FEW, MANY = POSITIONS, 60_000
ROUNDS = 3
GAMES = {9: SHARED / "data/go9-pro/train", 19: SHARED / "data/go19-tom/train/tom-000.sgf"}
RANKED = {9: [GAMES[9], SHARED / "data/go9-dan/train"], 19: [SHARED / "data/go19-tom/valid"]}
TARGETS = {9: 40_000, 19: 8_000}


def main(files: list[str]) -> None:
    heading("rank-moves with compiled rules, one core")
    for size, given in zip(TARGETS, files or [None, None], strict=True):
        if not all(path.exists() for path in (GAMES[size], *RANKED[size])):
            skipped(f"rank-moves on {size}x{size}", f"../shared/data/{GAMES[size].parent.name}")
            continue
        with tempfile.TemporaryDirectory() as name:
            measure(size, given, Path(name))


def measure(size: int, given: str | None, folder: Path) -> None:
    """Print the rows of a size; given -- the file of rules, if any."""
    rules, library = given or str(folder / "rules.pl"), str(folder / "rules.so")
    if given is None:
        chosen = ["--objective", "rank", "--positives", "6000", "--max-rules", "500"]
        gotools("induce-patterns", str(GAMES[size]), *chosen, "-o", rules)
    gotools("compile-patterns", rules, "-o", library)
    native = load_native(library)
    gotools("sgf-to-examples", *map(str, RANKED[size]), "-o", str(folder / "all.tsv"))
    every = read_examples([folder / "all.tsv"])
    every = every.take((every.size == size) & (every.label == 1))
    tables = {count: folder / f"{count}.tsv" for count in (FEW, min(MANY, len(every)))}
    for count, path in tables.items():
        with open(path, "wb") as out:
            write_examples(out, every.take(spread(every, count)))
    more = max(tables) - FEW
    parts = [every.take(rows) for rows in np.array_split(spread(every, more), more // POSITIONS)]
    works = [partial(ranking_seconds, path, library) for path in tables.values()]
    few, many, alone = medians([*works, lambda: cpu_seconds(lambda: [native.rank(part, 1) for part in parts])], ROUNDS)
    rate, share = more / (many - few), alone / (many - few)
    target = TARGETS[size]
    what = f"{size}x{size}: {len(native.rules.rules)} rules, {more:,} positions of a table"
    row(
        what,
        f"{rate:,.0f} a second",
        f">= {target:,}",
        rate >= target,
        "gotools rank-moves TABLE --rules rules.so --top 1",
    )
    row(f"{size}x{size}: of that the compiled rules", f"{share:.0%}, {1e6 * alone / more:.1f} us a position")


def spread(rows: GoExamples, count: int) -> NDArray[np.int64]:
    """Return the numbers of some of the rows, evenly."""
    return np.linspace(0, len(rows) - 1, count).astype(np.int64)


def ranking_seconds(table: Path, library: str) -> float:
    out = str(table.with_suffix(".out.tsv"))
    command = ["rank-moves", str(table), "--rules", library, "--top", "1", "-q", "-o", out]
    return command_seconds([sys.executable, "-m", "gotools", *command])


def gotools(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "gotools", *arguments, "-q"], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
