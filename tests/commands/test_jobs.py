"""--jobs: the same bytes from one core and from two, and nothing left behind by Ctrl-C or a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support import forked
from support.induce_runs import GAMES, TEST_GAME, convert, induce
from support.written_json import read_json

from gotools.cli import run
from gotools.rules.ranking import POSITIONS
from gotools.work.workers import in_order, processes

pytestmark = pytest.mark.system

COMMAND = [sys.executable, "-m", "gotools"]


def gotools(*arguments: str | Path) -> None:
    assert run([*map(str, arguments), "-q"]) == 0


def without_seconds(path: Path) -> Any:
    """Return a file of numbers without the time that they took."""
    return {key: value for key, value in read_json(path.read_text()).items() if key != "seconds"}


@pytest.mark.parametrize(
    "how",
    [
        ("--objective", "rank", "--max-rules", "12"),
        ("--objective", "cover", "--positives", "60", "--nodes", "300"),
        ("--objective", "cover", "--positives", "60", "--nodes", "300", "--weights", "regression"),
    ],
)
def test_rules_are_the_same(how: tuple[str, ...], tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        files = "-o", tmp_path / f"{jobs}.pl", "--metrics", tmp_path / f"{jobs}.json", "--test", TEST_GAME
        assert induce(*GAMES[:8], *how, "-q", "--jobs", jobs, *files) == 0
    assert (tmp_path / "1.pl").read_bytes() == (tmp_path / "2.pl").read_bytes()
    assert without_seconds(tmp_path / "1.json") == without_seconds(tmp_path / "2.json")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rules, the same compiled, learned values, and more positions than are ranked together."""
    folder = tmp_path_factory.mktemp("made")
    assert induce(*GAMES[:4], "--objective", "rank", "--max-rules", "8", "-q", "-o", folder / "rules.pl") == 0
    gotools("compile-patterns", folder / "rules.pl", "-o", folder / "rules.so")
    gotools("train-eval", "--games", "64", "--referee-games", "0", "-o", folder / "eval.npz")
    convert(*GAMES[:14], "-o", folder / "games.tsv")
    assert len((folder / "games.tsv").read_text().splitlines()) > POSITIONS + 20
    return folder


@pytest.mark.parametrize(
    "how",
    [
        ("--rules", "rules.pl"),
        ("--rules", "rules.so", "--top", "3"),
        ("--rules", "rules.so", "--eval", "eval.npz", "--explain"),
    ],
    ids=["text", "library", "explained"],
)
def test_rankings_are_the_same(how: tuple[str, ...], made: Path, tmp_path: Path) -> None:
    settings = [made / word if "." in word else word for word in how]
    for jobs in ("1", "2"):
        files = "-o", tmp_path / f"{jobs}.txt", "--metrics", tmp_path / f"{jobs}.json"
        gotools("rank-moves", made / "games.tsv", *settings, "--jobs", jobs, *files)
    assert (tmp_path / "1.txt").read_bytes() == (tmp_path / "2.txt").read_bytes()
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()


@pytest.mark.smoke
def test_clusters_are_the_same(tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        gotools(
            "cluster-moves",
            *GAMES[:16],
            "--k",
            "6",
            "--stages",
            "--last",
            "1",
            "--jobs",
            jobs,
            "-o",
            tmp_path / f"{jobs}.tsv",
        )
    assert (tmp_path / "1.tsv").read_bytes() == (tmp_path / "2.tsv").read_bytes()


def test_searches_are_the_same_but_for_their_seconds(made: Path, tmp_path: Path) -> None:
    orders = "--order", made / "rules.so", "--order", made / "rules.pl"
    rows = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.tsv"
        gotools("order-bench", TEST_GAME, "--positions", "6", "--depth", "2", *orders, "--jobs", jobs, "-o", out)
        lines = out.read_text().splitlines()
        names = next(line for line in lines if line.lstrip("#").startswith("id\t")).lstrip("#").split("\t")
        kept = [number for number, name in enumerate(names) if name != "seconds"]
        cells = [line.split("\t") for line in lines if line.startswith("gnugo")]
        rows.append([[row[number] for number in kept] for row in cells])
    assert rows[0] == rows[1] and len(rows[0]) == 18


def family(parent: int) -> set[int]:
    """Return the processes that a process has begun, and those that these have."""
    found: set[int] = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, parent_of = int(status.parent.name), int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended meanwhile
            continue
        if parent_of == parent:
            found |= {pid} | family(pid)
    return found


def gone(processes: set[int], seconds: float = 30.0) -> bool:
    until = time.monotonic() + seconds
    while any(Path(f"/proc/{pid}").exists() for pid in processes):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_the_end_of_a_ranking(number: signal.Signals, made: Path, tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of a terminal's job; a kill to the first alone."""
    many = [str(made / "games.tsv")] * 1 + [str(path) for path in GAMES]
    command = [*COMMAND, "rank-moves", *many, "--rules", str(made / "rules.pl"), "--jobs", "2", "-o", "x.tsv"]
    until = time.monotonic() + 60
    pipe = subprocess.PIPE
    with forked.Popen(command, cwd=tmp_path, stderr=pipe, start_new_session=True, text=True) as running:
        while len(family(running.pid)) < 3 and running.poll() is None and time.monotonic() < until:
            time.sleep(0.02)  # two that work, and the one that Python's multiprocessing keeps its books with
        workers = family(running.pid)
        assert len(workers) >= 3 and running.poll() is None
        if number == signal.SIGINT:
            os.killpg(running.pid, number)
            shown = running.communicate(timeout=60)[1]
            assert (running.returncode, shown) == (130, "gotools rank-moves: interrupted; nothing is written\n")
        else:
            running.kill()
    assert gone(workers)
    assert number != signal.SIGINT or not list(tmp_path.iterdir())


@pytest.mark.smoke
def test_no_thread_outlives_a_pool_that_an_exception_ends() -> None:
    """Else the interpreter's end writes to the pipe of that thread, which closes it at the same time."""
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt), processes(2, time.sleep, 0.0) as pool:
        for _ in in_order(pool, time.sleep, [0.1] * 10, 4):
            raise KeyboardInterrupt
    assert set(threading.enumerate()) <= before
