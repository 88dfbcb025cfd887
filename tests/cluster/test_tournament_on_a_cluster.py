"""Games on the workers of a cluster are those of one machine, and the journal stays here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import forked
from support.local_cluster import local_cluster, one_killed_when_busy, pids, wait_for_workers
from support.scripted_engine import command
from support.tournament_runs import A, B, arguments, games, lines, run, table, wait_for_file, wait_for_games

pytestmark = pytest.mark.system

SLOW_A, SLOW_B = (f"{name}={command(seed=seed, delay=0.02)}" for name, seed in (("a", 1), ("b", 2)))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


@pytest.fixture
def where(cluster: Any) -> str:
    wait_for_workers(cluster)
    return str(cluster.scheduler_address)


def children(process: int) -> list[str]:
    """Return the command lines of what a process has begun."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(stat.with_name("cmdline").read_text())
        except OSError:  # ended meanwhile
            continue
    return found


def no_engines(cluster: Any, seconds: float = 20.0) -> bool:
    """Return whether the engines of all workers have ended, after some seconds at most."""
    until = time.monotonic() + seconds
    while any("scripted_engine" in line for pid in pids(cluster) for line in children(pid)):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def records(folder: Path) -> dict[str, str]:
    """Return the game records by name, without the seconds of the moves."""
    return {path.name: path.read_text().partition("(;")[0] for path in (folder / "games").iterdir()}


def test_games_are_those_of_one_machine(cluster: Any, where: str, tmp_path: Path) -> None:
    one = run(tmp_path / "one", "--games", "20")
    two = run(tmp_path / "two", "--games", "20", "--cluster", where)
    assert (one.returncode, two.returncode) == (0, 0), two.stderr
    assert games(tmp_path / "one") == games(tmp_path / "two") and len(games(tmp_path / "two")) == 20
    assert lines(tmp_path / "one")[0] == lines(tmp_path / "two")[0]
    assert records(tmp_path / "one") == records(tmp_path / "two")
    assert table(tmp_path / "one") == table(tmp_path / "two")
    assert no_engines(cluster)


def test_a_worker_killed_in_the_middle_loses_no_game(cluster: Any, where: str, tmp_path: Path) -> None:
    slow = (SLOW_A, SLOW_B)
    assert run(tmp_path / "one", "--games", "8", "--jobs", "2", engines=slow).returncode == 0
    with one_killed_when_busy(cluster, "_play") as killed:
        done = run(tmp_path / "two", "--games", "8", "--cluster", where, engines=slow)
    assert killed and done.returncode == 0, done.stderr
    assert games(tmp_path / "one") == games(tmp_path / "two")


def test_an_engine_that_a_worker_has_not_is_one_line_before_the_first_game(where: str, tmp_path: Path) -> None:
    done = run(tmp_path / "run", "--games", "2", "--cluster", where, "-q", engines=(A, "b=no-such-engine --mode gtp"))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("gotools tournament: worker tcp://127.0.0.1:")
    assert "engine b fails before the first game: the engine `no-such-engine` is not installed" in done.stderr
    assert not list((tmp_path / "run" / "games").iterdir())


def test_an_engine_that_is_another_program_on_one_worker_is_one_line(where: str, tmp_path: Path) -> None:
    """As two versions of it would be: this one is named by its process."""
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\nexec {command(seed=1)} --name $PPID\n")
    program.chmod(0o755)
    done = run(tmp_path / "run", "--games", "2", "--cluster", where, "-q", engines=(f"a={program}", B))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "engine a is '" in done.stderr and "on other workers '" in done.stderr


def test_engines_find_their_folder_and_a_place_of_their_own(where: str, tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\ntouch slot.$GOTOOLS_SLOT\nexec {command(seed=1)}\n")
    program.chmod(0o755)
    words = arguments(tmp_path / "run", "--games", "8", "--cluster", where, engines=("a=./engine", B))
    done = forked.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("slot.*"))) == 2


def test_ctrl_c_keeps_the_games_and_the_same_command_goes_on(cluster: Any, where: str, tmp_path: Path) -> None:
    slow = (SLOW_A, SLOW_B)
    words = arguments(tmp_path / "two", "--games", "8", "--cluster", where, engines=slow)
    shown = tmp_path / "shown"
    with shown.open("w") as stderr, forked.Popen(words, stderr=stderr, start_new_session=True) as process:
        wait_for_games(tmp_path / "two", 3, process)
        assert process.poll() is None, shown.read_text()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 130
    assert 1 <= len(games(tmp_path / "two")) < 8
    assert no_engines(cluster)
    assert run(tmp_path / "two", "--games", "8", engines=slow).returncode == 0  # here, for a change
    assert run(tmp_path / "one", "--games", "8", engines=slow).returncode == 0
    assert games(tmp_path / "one") == games(tmp_path / "two")


def test_sigterm_lets_the_games_in_progress_end(cluster: Any, where: str, tmp_path: Path) -> None:
    words = arguments(tmp_path / "run", "--games", "40", "--cluster", where, engines=(SLOW_A, SLOW_B))
    with forked.Popen(words, stderr=subprocess.DEVNULL) as process:
        wait_for_games(tmp_path / "run", 3, process)
        process.terminate()
        assert process.wait(60) != 4
    summary = json.loads(table(tmp_path / "run"))
    assert 1 <= summary["played"] < 40 if "played" in summary else 1 <= len(games(tmp_path / "run")) < 40


def test_a_test_that_is_decided_ends_the_games(where: str, tmp_path: Path) -> None:
    losing = f"b={command(how='resign', at=1)}"
    how = "--games", "400", "--sprt", "elo0=0,elo1=200"
    assert run(tmp_path / "one", *how, engines=(A, losing)).returncode == 0
    assert run(tmp_path / "two", *how, "--cluster", where, engines=(A, losing)).returncode == 0
    shown = [json.loads(table(tmp_path / name)) for name in ("one", "two")]
    assert shown[0]["sprt"] == shown[1]["sprt"] and len(games(tmp_path / "two")) < 400


@pytest.mark.slow  # starts a scheduler and a worker as people do
def test_a_scheduler_killed_in_the_middle_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    start = [sys.executable, "-m", "distributed.cli.dask_"]
    commands = [["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"], ["worker", "--nthreads", "1"]]
    words = [[*start[:2], start[2] + what, *more, "--scheduler-file", str(file)] for what, *more in commands]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler, worker = (subprocess.Popen(one, **silent) for one in words)  # type: ignore[call-overload]
    try:
        wait_for_file(file)
        how = "--games", "40", "-q", "--cluster", str(file)
        slow = arguments(tmp_path / "run", *how, engines=(SLOW_A, SLOW_B))
        with (tmp_path / "shown").open("w") as shown, forked.Popen(slow, stderr=shown) as run_:
            wait_for_games(tmp_path / "run", 3, run_)
            scheduler.kill()
            assert run_.wait(60) == 2
        last = [line for line in (tmp_path / "shown").read_text().splitlines() if "knows no command" not in line]
        assert last == [f"gotools tournament: cluster {file}: the scheduler is gone, and the work in progress with it"]
        assert 1 <= len(games(tmp_path / "run")) < 40
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()


def test_a_crew_cannot_be_both_here_and_there(where: str, tmp_path: Path) -> None:
    done = run(tmp_path / "run", "--jobs", "2", "--cluster", where)
    assert done.returncode == 2 and "--jobs" in done.stderr and done.stderr.count("\n") == 1
