"""No process that an engine started outlives it, however it fled and however we end; others are left alone."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from support import forked
from support.scripted_engine import command

from gotools import cli
from gotools.gtp_client.client import GtpEngine
from gotools.matches.check.engine import check_engine
from gotools.matches.config import load_config
from gotools.matches.schedule import Shard
from gotools.matches.tournament import run_tournament

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere only the group is ended"),
    pytest.mark.system,
]

GAME = "(;SZ[5]KM[0.5];B[cc];W[bb])"


def runs(number: int) -> bool:
    """Return whether a process lives; a dead one that nobody has reaped does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def evil(folder: Path) -> str:
    """Return the command of an engine that leaves a process behind at its first move."""
    return command("daemon", pid=folder / "sick", at=1, times=1, seed=2)


def fled(folder: Path) -> int:
    """Return the number of that process; 0: not yet known."""
    return int((folder / "sick.daemon").read_text() or 0)


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError


@pytest.mark.smoke
def test_what_fled_from_an_engine_ends_with_it(tmp_path: Path) -> None:
    with GtpEngine(evil(tmp_path)) as engine:
        engine.ask("genmove b")
        assert runs(fled(tmp_path))
    assert not runs(fled(tmp_path))


def test_what_fled_is_gone_after_a_tournament_and_processes_of_others_are_not(tmp_path: Path) -> None:
    words = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"]
    with subprocess.Popen(words, start_new_session=True) as other:
        given = {"engine": [f"a={command(seed=1)}", f"b={evil(tmp_path)}"], "games": 2, "size": 5}
        report = run_tournament(load_config(None, given), tmp_path / "run", Shard(), lambda line: None, quiet=True)
        assert report.complete and not report.troubles
        assert not runs(fled(tmp_path)) and other.poll() is None
        other.kill()


def test_what_fled_is_gone_after_a_check(tmp_path: Path) -> None:
    check_engine(evil(tmp_path), size=5)
    assert not runs(fled(tmp_path))


@pytest.mark.parametrize(
    "line",
    [
        "sgf-to-examples game.sgf --size 5 --negatives random=20 -o rows.tsv -q --engine",
        "play --size 5 --side w -q --engine",
        "train-eval -o eval.npz --size 5 --games 4 --batch 4 --checkpoint 4 --referee-games 0 -q --opponent",
    ],
)
def test_what_fled_is_gone_after_a_command(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    Path("game.sgf").write_text(GAME)
    assert cli.run([*line.split(), ("gtp:" if "train-eval" in line else "") + evil(tmp_path)]) == 0
    assert not runs(fled(tmp_path))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=str)
def test_engines_and_what_fled_from_them_end_when_we_are_killed(number: int, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(GAME)
    words = [sys.executable, "-m", "gotools", "sgf-to-examples", "game.sgf", "-q", "-o", "rows.tsv"]
    words += ["--negatives", "random=100000", "--engine", evil(tmp_path)]
    with forked.Popen(words, cwd=tmp_path) as process:
        wait_until(lambda: (tmp_path / "sick.daemon").exists() and fled(tmp_path) > 0)
        process.send_signal(number)
    wait_until(lambda: not runs(fled(tmp_path)) and not runs(int((tmp_path / "sick").read_text())))


def test_ctrl_c_leaves_nothing_of_an_engine_that_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = os.read

    def interrupted(file: int, size: int) -> bytes:
        if size == 16:  # news of the program that was started
            wait_until(lambda: (tmp_path / "sick").exists() and (tmp_path / "sick").read_text() != "")
            raise KeyboardInterrupt
        return read(file, size)

    monkeypatch.setattr(os, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        GtpEngine(command(pid=tmp_path / "sick"))
    gc.collect()  # what is not closed is an error here
    assert not runs(int((tmp_path / "sick").read_text()))


def test_an_engine_ends_as_its_program_does(tmp_path: Path) -> None:
    for how, said in (("exit 3", "exit code 3"), ("kill -SEGV $$", "signal 11"), ("kill -KILL $$", "signal 9")):
        with pytest.raises(Exception, match=said), GtpEngine(["sh", "-c", how]) as engine:
            engine.ask("name")
