"""Two workers of a cluster against two processes of this machine, in turn: the same tournament, rules and ranking.

python bench/cluster.py                  all three
python bench/cluster.py learning RULES   learning so many rules alone

The scheduler and its workers stand before the clock starts, and so does what they have compiled; processes of --jobs
are started by each command, as they always are.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from _table import ROOT, SHARED, heading, medians, row, skipped
from distributed import LocalCluster
from tournament import words

from gotools.cli import run
from gotools.matches.config import load_config
from gotools.matches.schedule import Shard
from gotools.matches.tournament import run_tournament

ROUNDS = 3
GAMES, PLIES, THINKING = 120, 28, 0.02
RULES = "300"
TARGET = 1.10


def main() -> None:
    os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / "gotools-bench"))
    warnings.simplefilter("ignore")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        where = cluster.scheduler_address
        if sys.argv[1:2] == ["learning"]:
            learning(where, sys.argv[2])
            return
        heading(f"cluster: two workers / two at once here; {GAMES} games of engines that think {THINKING} s a move")
        compare(lambda: tournament(None), lambda: tournament(where))
        learning(where, RULES)
        for size, games in (("9x9", "go9-pro/train"), ("19x19", "go19-tom/valid")):
            heading(f"cluster: two workers / --jobs 2; moves of {games} ranked by 100 rules, --top 3, {size}")
            rankings(SHARED / "data" / games, where)


def learning(cluster: str, rules: str) -> None:
    """Learn rules here with two threads, and with the workers beside them."""
    games = SHARED / "data/go19-tom/train/tom-000.sgf"
    if not games.exists():
        skipped("learning rules", "../shared/data/go19-tom")
        return
    heading(f"cluster: two workers beside two threads / two threads; {rules} rules for ranking of 500 games of 19x19")
    how = "rules.pl", "induce-patterns", str(games), "--objective", "rank", "--max-rules", rules
    compare(lambda: timed(*how), lambda: timed(*how, "--cluster", cluster), 1)


def rankings(games: Path, cluster: str) -> None:
    if not games.exists():
        skipped("ranking", f"../shared/data/{games.parent.name}/{games.name}")
        return
    with tempfile.TemporaryDirectory() as folder:
        rules = learned(Path(folder))
        compare(lambda: ranking(games, rules, "--jobs", "2"), lambda: ranking(games, rules, "--cluster", cluster))


def compare(here: Callable[[], float], there: Callable[[], float], rounds: int = ROUNDS) -> None:
    there()  # what is compiled once
    ours, theirs = medians([here, there], rounds)
    ratio = theirs / ours
    row(
        "seconds here, on the cluster; their ratio",
        f"{ours:.1f}, {theirs:.1f}; {ratio:.2f}",
        f"<= {TARGET}",
        ratio <= TARGET,
    )


def tournament(cluster: str | None) -> float:
    engines = [{"name": name, "command": words(PLIES, THINKING)} for name in "ab"]
    config = load_config(None, {"engine": engines, "openings": "none", "dead": "none", "games": GAMES, "jobs": 2})
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        report = run_tournament(config, folder, Shard(), lambda _: None, quiet=True, cluster=cluster)
        assert report.complete and not report.troubles, report.troubles[:2]
        return time.perf_counter() - began


def learned(folder: Path) -> str:
    games = [str(path) for path in sorted((ROOT / "examples/games").glob("*.sgf"))[:12]]
    done("induce-patterns", *games, "--objective", "rank", "--max-rules", "100", "-o", str(folder / "rules.pl"))
    done("compile-patterns", str(folder / "rules.pl"), "-o", str(folder / "rules.so"))
    return str(folder / "rules.so")


def ranking(games: Path, rules: str, *how: str) -> float:
    return timed("ranking.tsv", "rank-moves", str(games), "--rules", rules, "--top", "3", *how)


def timed(output: str, *arguments: str) -> float:
    """Return the seconds that a command takes."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        done(*arguments, "-o", f"{folder}/{output}")
        return time.perf_counter() - began


def done(*arguments: str) -> None:
    if code := run([*arguments, "-q"]):
        sys.exit(code)


if __name__ == "__main__":
    main()
