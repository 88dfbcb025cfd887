"""A process forked from a warm one (support/forked.py) is one that Python starts: the same world, streams and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import forked

from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure

pytestmark = pytest.mark.system

GOTOOLS = [sys.executable, "-m", "gotools"]
WORLD = """
import os, random, signal, sys, threading
import gotools.__main__
from gotools.jit import compiling
print(__name__, sys.argv, sys.path[0], os.getcwd(), os.environ.get("COLUMNS"), len(os.environ), os.getpgid(0))
for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream.name, stream.mode, stream.encoding, stream.errors, stream.line_buffering, stream.write_through)
print([signal.getsignal(n) for n in range(1, 32) if n not in (9, 19, 2)], signal.getsignal(2).__name__)
print(threading.active_count(), os.umask(0), compiling.notified, sorted(os.listdir("/dev/fd"))[:-1])
print(sys.stdin.read(), end="")
print("warning", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""


def both(command: list[str], **options: Any) -> list[tuple[int, Any, Any]]:
    """Run a command by Python itself and by the fork server."""
    ran = [start(command, capture_output=True, timeout=60, **options) for start in (subprocess.run, forked.run)]
    return [(done.returncode, done.stdout, done.stderr) for done in ran]


@pytest.mark.smoke
def test_a_program_finds_the_same_world(tmp_path: Path) -> None:
    program = tmp_path / "world.py"
    program.write_text(WORLD)
    environment = {**os.environ, "COLUMNS": "33"}
    for code in ("0", "7"):
        fresh, warm = both([sys.executable, str(program), code], input=b"a\r\nb", cwd=tmp_path, env=environment)
        assert fresh == warm and fresh[0] == int(code) and b" 33 " in fresh[1]


@pytest.mark.parametrize(
    "line", ["--version", "nonsense", "elo --help", "gtp --size 9 --nodes 4 -q", "sgf-to-examples nowhere", "elo -"]
)
def test_a_command_prints_and_ends_the_same(line: str) -> None:
    fresh, *warm = both([*GOTOOLS, *line.split()], input=b"boardsize 9\ngenmove b\nquit\n")
    warm += both([*GOTOOLS, *line.split()], input=b"boardsize 9\ngenmove b\nquit\n")[1:]
    assert warm == [fresh, fresh]


def test_a_signal_ends_it_and_its_group_is_its_own() -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)):
        with forked.Popen([*GOTOOLS, "gtp", "-q"], start_new_session=True, **pipes) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(b"name\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(b"= gotools") and process.poll() is None
            assert os.getpgid(process.pid) == os.getsid(process.pid) == process.pid
            os.killpg(process.pid, number)
            assert process.wait(20) == code == process.poll()


def test_an_engine_that_is_gotools_is_forked_and_ends_as_any_other() -> None:
    with GtpEngine([*GOTOOLS, "gtp", "-q"]) as engine:
        process: Any = engine._process
        assert isinstance(process._process, forked.Popen)
        assert engine.ask("name").startswith("gotools") and not process.exited()
    assert process.exited() and engine.notes == []
    with GtpEngine([*GOTOOLS, "gtp", "-q"]) as engine, pytest.raises(GtpFailure, match="signal 9") as failure:
        process = engine._process
        os.kill(process._process.pid, signal.SIGKILL)
        engine.ask("name")
    assert failure.value.kind is FailureKind.crash


def test_a_shell_finds_a_program_that_is_forked() -> None:
    line = "echo name | gotools gtp -q; gotools nonsense; echo $?; gotools elo - 2>&- </dev/null; echo $?"
    line += "; command -v gotools"
    path = os.pathsep.join([forked.on_path(), os.environ["PATH"]])
    done = subprocess.run(["bash", "-c", line], env={**os.environ, "PATH": path}, capture_output=True, text=True)
    name, _, *codes, program = done.stdout.splitlines()
    assert name.startswith("= gotools") and codes == ["2", "1"] and program == f"{forked.on_path()}/gotools"
    assert done.stderr == "gotools: No such command 'nonsense'.\n"


def test_a_signal_to_the_program_of_a_shell_reaches_the_command() -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, -15)):
        with forked.Fresh([f"{forked.on_path()}/gotools", "gtp", "-q"], **pipes) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(b"name\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(b"= gotools")
            process.send_signal(number)
            assert process.wait(20) == code


def test_time_runs_out_and_errors_are_raised() -> None:
    ours, theirs = os.pipe()
    with open(ours, "rb") as stdin, open(theirs, "wb"), pytest.raises(subprocess.TimeoutExpired):
        forked.run([*GOTOOLS, "gtp", "-q"], stdin=stdin, timeout=0.5)
    with pytest.raises(subprocess.CalledProcessError):
        forked.run([*GOTOOLS, "nonsense"], check=True, capture_output=True)


@pytest.mark.parametrize("start", [forked.Popen, forked.Fresh])
def test_a_block_that_fails_kills_what_it_started_and_closes_its_pipes(start: type[forked.Fresh]) -> None:
    """Else they are an error of the test, any later one, in which garbage is collected."""
    with pytest.raises(ZeroDivisionError), start([*GOTOOLS, "gtp", "-q"], stdout=subprocess.PIPE) as process:
        print(1 // 0)
    assert process.returncode == -signal.SIGKILL and process.stdout is not None and process.stdout.closed


def test_what_python_reads_at_its_start_needs_a_true_start() -> None:
    with pytest.raises(AssertionError, match="PYTHONHASHSEED"):
        forked.run([*GOTOOLS, "--version"], env={**os.environ, "PYTHONHASHSEED": "1234"})
