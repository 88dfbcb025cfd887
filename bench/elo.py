"""Ratings: seconds of the solution with its full covariance and of the whole command, coverage, agreement with choix.

The solution is timed on one core (BLAS too), the command as it runs.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from _table import ROOT, command_seconds, heading, row

sys.path.insert(0, str(ROOT / "tests"))

SIZES = ((20, 10_000, None), (1_000, 100_000, None), (1_000, 1_000_000, 0.8))
"""Players, games, seconds that the solution may take."""
COMMAND = 3.0  # seconds for a million games
REPETITIONS = 1_000


def main() -> None:
    heading("elo: solution with the full covariance, one core (CPU seconds, best of 3)")
    solve()
    heading("elo: agreement with choix (1,000,000 games of 1,000 players, no first-move advantage)")
    agree()
    heading(f"elo: intervals of 95 %, round robin of 8 players, 20 games a pair, {REPETITIONS:,} times")
    cover()
    heading("elo: the whole command, 1,000,000 games of 1,000 players")
    command()


def solve() -> None:
    from support.tallies import simulated

    from gotools.ratings.bradley_terry import rate

    for players, games, target in SIZES:
        tally, _ = simulated(players, games, seed=1)
        rate(tally)  # loads scipy
        seconds = min(cpu(lambda tally=tally: rate(tally)) for _ in range(3))
        met = None if target is None else seconds <= target
        what = f"{games:,} games, {players:,} players ({len(tally.black):,} rows)"
        row(what, f"{seconds:.3f} s", "" if target is None else f"<= {target} s", met)


def agree() -> None:
    import choix
    from support.tallies import simulated

    from gotools.ratings.bradley_terry import ELO, rate
    from gotools.ratings.settings import RatingSettings

    tally, _ = simulated(1_000, 1_000_000, seed=2, advantage=0.0)
    ours = rate(tally, RatingSettings(prior=0.0, advantage=False)).elo
    won = np.zeros((1_000, 1_000))
    np.add.at(won, (tally.black, tally.white), tally.wins)
    np.add.at(won, (tally.white, tally.black), tally.losses)
    began = time.process_time()
    theirs = choix.ilsr_pairwise_dense(won, tol=1e-10) * ELO
    took = time.process_time() - began
    off = float(np.abs(ours - (theirs - theirs.mean())).max())
    row("largest difference", f"{off:.1e} Elo", "<= 1e-4 Elo", off <= 1e-4, f"choix.ilsr_pairwise_dense: {took:.1f} s")


def cover() -> None:
    from ratings.test_bradley_terry import covered

    from gotools.ratings.settings import RatingSettings

    for prior in (0.0, 1.0):
        of_ratings, of_differences, wrong = covered(8, 20, REPETITIONS, RatingSettings(prior=prior), seed=12)
        for what, share in (("ratings", of_ratings), ("differences", of_differences)):
            row(f"{what}, prior {prior:g}", f"{100 * share:.1f} %", "94 to 96 %", 0.94 <= share <= 0.96)
        row(f"differences by both ratings' own widths, prior {prior:g}", f"{100 * wrong:.1f} %", "(the wrong way)")


def command() -> None:
    names, black, white, won = games_of(1_000, 1_000_000)
    program = Path(sys.executable).with_name("gotools")
    start = [str(program)] if program.exists() else [sys.executable, "-m", "gotools"]
    with tempfile.TemporaryDirectory() as folder:
        for ending, line, head in (("csv", csv_line, "black,white,result\n"), ("jsonl", json_line, "")):
            path = Path(folder, f"results.{ending}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(head)
                file.writelines(
                    line(n, names[b], names[w], x) for n, (b, w, x) in enumerate(zip(black, white, won, strict=True), 1)
                )
            asked = [*start, "elo", str(path), "-q", "-o", str(Path(folder, "ratings.tsv"))]
            command_seconds(asked)
            began = time.perf_counter()
            seconds = min(command_seconds(asked) for _ in range(2))
            wall = (time.perf_counter() - began) / 2
            size = path.stat().st_size / 1e6
            row(f"{ending}, {size:.0f} MB, CPU seconds", f"{seconds:.2f} s", f"<= {COMMAND} s", seconds <= COMMAND,
                f"gotools elo results.{ending}; {wall:.2f} s by the clock")  # fmt: skip


def games_of(players: int, games: int) -> tuple[list[str], list[int], list[int], list[bool]]:
    rng = np.random.default_rng(1)
    elo = rng.normal(0, 300, players)
    black = rng.integers(0, players, games)
    white = (black + rng.integers(1, players, games)) % players
    won = rng.random(games) < 1 / (1 + 10 ** (-(elo[black] - elo[white] + 30) / 400))
    return [f"engine-{i:04}" for i in range(players)], black.tolist(), white.tolist(), won.tolist()


def csv_line(_: int, black: str, white: str, won: bool) -> str:
    return f"{black},{white},{'B+R' if won else 'W+R'}\n"


def json_line(number: int, black: str, white: str, won: bool) -> str:
    fields = {
        "game": number,
        "black": black,
        "white": white,
        "result": "B+R" if won else "W+R",
        "size": 19,
        "komi": 7.5,
    }
    return json.dumps(fields, separators=(",", ":")) + "\n"


def cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    main()
