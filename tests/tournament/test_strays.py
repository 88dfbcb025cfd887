"""No process that an engine started outlives it, however it fled; nobody else's process is touched."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.scripted_engine import command

from gotools.gtp_client.client import GtpEngine
from gotools.gtp_client.strays import MARK
from gotools.tournament.check.engine import check_engine
from gotools.tournament.config import load_config
from gotools.tournament.schedule import Shard
from gotools.tournament.tournament import run_tournament

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not tell")


def runs(number: int) -> bool:
    """Return whether a process lives; a dead one that nobody has reaped does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_child(number: int) -> bool:
    """Return whether a process is ours to reap."""
    try:
        os.waitpid(number, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


@pytest.mark.parametrize("how", ["daemon", "unmarked-daemon"])
def test_what_fled_from_an_engine_is_gone_after_the_tournament(tmp_path: Path, how: str) -> None:
    sick = command(how, pid=tmp_path / "sick", at=1, times=1, seed=2)
    given = {"engine": [f"a={command(seed=1)}", f"b={sick}"], "games": 2, "size": 5}
    report = run_tournament(load_config(None, given), tmp_path / "run", Shard(), lambda line: None, quiet=True)
    assert report.complete and not report.troubles
    number = int((tmp_path / "sick.daemon").read_text())
    assert not runs(number) and not is_child(number)


def test_what_fled_from_an_engine_ends_with_it(tmp_path: Path) -> None:
    with GtpEngine(command("daemon", pid=tmp_path / "sick", at=1, times=1)) as engine:
        engine.ask("genmove b")
        number = int((tmp_path / "sick.daemon").read_text())
        assert runs(number)
    for _ in range(100):  # killed, but init, not we, has to see it die
        if not runs(number):
            break
        time.sleep(0.01)
    assert not runs(number)


def test_what_fled_from_an_engine_is_gone_after_a_check(tmp_path: Path) -> None:
    check_engine(command("unmarked-daemon", pid=tmp_path / "sick", at=1, times=1), size=5)
    assert not runs(int((tmp_path / "sick.daemon").read_text()))


def test_processes_of_others_are_left_alone(tmp_path: Path) -> None:
    words = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"]
    other = subprocess.Popen(words, start_new_session=True, env={**os.environ, MARK: "another"})
    try:
        given = {"engine": [f"a={command(seed=1)}", f"b={command(seed=2)}"], "games": 2, "size": 5}
        run_tournament(load_config(None, given), tmp_path / "run", Shard(), lambda line: None, quiet=True)
        assert other.poll() is None and runs(other.pid)
    finally:
        other.kill()
        other.wait()


def test_a_tournament_within_an_engine_is_known_by_the_marks_of_both(tmp_path: Path) -> None:
    words = "import os; input(); print('=1', os.environ['GOTOOLS_ENGINE']); print(flush=True); input()"
    with GtpEngine([sys.executable, "-S", "-E", "-c", words], environment={MARK: "theirs"}) as engine:
        own = engine.ask("name").split()
    assert len(own) == 1 and own != ["theirs"]  # settings of an engine do not take its mark off
    os.environ[MARK] = "above"
    try:
        with GtpEngine([sys.executable, "-S", "-E", "-c", words]) as engine:
            assert engine.ask("name").split()[0] == "above"
    finally:
        del os.environ[MARK]
