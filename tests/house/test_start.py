"""The start of the program: Ctrl-C while it loads, and too little memory to load anything."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from gotools.base import memory
from gotools.base.interrupts import leave_on_interrupt, raise_on_interrupt
from gotools.cli import run

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "examples/games"
AT_IMPORT = """
import os, signal, sys

class Interrupter:
    left = int(sys.argv[1])

    def find_spec(self, name, path=None, target=None):
        Interrupter.left -= 1
        if not Interrupter.left:
            os.kill(os.getpid(), signal.SIGINT)

import gotools.__main__
sys.meta_path.insert(0, Interrupter())
sys.argv = ["gotools", *sys.argv[2:]]
gotools.__main__.main()
"""


def start(*command: str, mebibytes: int | None = None, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run gotools (or some code), under a limit of address space."""

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if mebibytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20,) * 2)

    head = ["-c", code] if code else ["-m", "gotools"]
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    return subprocess.run(
        [sys.executable, *head, *command],
        preexec_fn=prepare,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.system
@pytest.mark.parametrize("imports", [1, 2, 10, 40, 90])
def test_ctrl_c_while_the_program_loads_is_one_line(imports: int) -> None:
    done = start(str(imports), "elo", "--help", code=AT_IMPORT)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gotools: interrupted\n")


@pytest.mark.system
def test_who_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        leave_on_interrupt()
        raise_on_interrupt()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_once_a_command_runs_ctrl_c_is_an_exception_again() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        leave_on_interrupt()
        assert run(["elo", str(ROOT / "there-is-no-such-file")]) == 1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
            time.sleep(10)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Handle Ctrl-C as a running command does."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGALRM)]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    leave_on_interrupt()
    raise_on_interrupt()
    yield
    for number, handler in before:
        signal.signal(number, handler)


def test_ctrl_c_inside_an_import_is_raised_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interruptible: None
) -> None:
    (tmp_path / "interrupted_library.py").write_text(
        "import signal\nlost = True\nsignal.raise_signal(signal.SIGINT)\nlost = False\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        import interrupted_library  # type: ignore[import-not-found]  # noqa: F401

        time.sleep(10)
    assert not sys.modules.pop("interrupted_library").lost


def test_ctrl_c_waits_for_the_end_of_a_lock_however_long_it_takes(tmp_path: Path, interruptible: None) -> None:
    """Not only the first of its attempts looks where it would be raised."""
    code = (
        "import signal, time\ndef locked(done):\n    signal.raise_signal(signal.SIGINT)\n"
        "    until = time.monotonic() + 0.1\n    while time.monotonic() < until: pass\n    done.append(1)\n"
    )
    names: dict[str, Any] = {}
    exec(compile(code, "threading.py", "exec"), names)
    done: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        names["locked"](done)
        time.sleep(10)
    assert done


def test_ctrl_c_leaves_no_lock_locked(interruptible: None) -> None:
    condition = threading.Condition()

    def interrupt(frame: FrameType, event: str, argument: object) -> Any:
        if event == "return" and frame.f_code is threading.Condition.__enter__.__code__:
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)  # the lock is taken, and nobody holds it in a `with` block yet
        return interrupt

    with pytest.raises(KeyboardInterrupt):
        sys.settrace(interrupt)
        with condition:
            pass
        time.sleep(10)
    assert condition.acquire(blocking=False)


def test_ctrl_c_is_not_lost_where_numpy_calls_back(interruptible: None) -> None:
    one = np.zeros(3, [("a", np.int16), ("b", np.int16)])

    def interrupt(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename.endswith("numpy/_core/_internal.py"):
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)  # from here numpy would make a TypeError of it
        return interrupt

    with pytest.raises(KeyboardInterrupt):
        sys.settrace(interrupt)
        assert (one == one).all()
        time.sleep(10)


def test_ctrl_c_while_a_thread_is_waited_for_comes_at_once(interruptible: None) -> None:
    go_on = threading.Event()
    thread = threading.Thread(target=go_on.wait, daemon=True)
    thread.start()
    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        thread.join(60)
    go_on.set()


@pytest.mark.parametrize("link", ["__cause__", "__context__"])
def test_an_error_that_ctrl_c_has_brought_about_is_no_bug(
    link: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    error, between = RuntimeError("cannot join thread before it is started"), ValueError()
    setattr(error, link, between)
    between.__context__ = KeyboardInterrupt()

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("gotools.ratings.reading.results.read_results", fails)
    assert run(["elo", str(ROOT / "none.csv")]) == 130
    assert capfd.readouterr().err == "gotools elo: interrupted\n"


@pytest.mark.system
@pytest.mark.parametrize("mebibytes", [30, 40, 100, 150, 280])
@pytest.mark.parametrize(
    "command", ["elo", "rank-moves --rules none.pl", "train-eval -o none.npz", "gtp", "tournament"]
)
def test_a_limit_too_low_to_load_anything_is_one_line(command: str, mebibytes: int) -> None:
    words = command.split() + ([str(GAMES)] if command in ("elo", "rank-moves --rules none.pl") else [])
    done = start(*words, mebibytes=mebibytes)
    assert done.returncode == (2 if command == "tournament" else 1)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"gotools {words[0]}: out of memory; the limit (ulimit -v) is {mebibytes} MiB, and")


@pytest.mark.smoke
@pytest.mark.system
def test_help_needs_next_to_no_memory() -> None:
    done = start("train-eval", "--help", mebibytes=60)
    assert done.returncode == 0 and "Usage" in done.stdout


@pytest.mark.system
def test_arrays_that_do_not_fit_are_one_line() -> None:
    games = [str(GAMES)] * 4
    done = start("induce-patterns", *games, "--objective", "rank", "--max-rules", "2", "-q", mebibytes=1030)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == ["gotools induce-patterns: out of memory; the limit (ulimit -v) is 1,030 MiB"]


def chained(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "ran_out"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), True),
        (ImportError("libllvmlite.so: failed to map segment from shared object"), True),
        (RuntimeError("can't start new thread"), True),
        (chained(RuntimeError("in nopython mode"), MemoryError()), True),
        (OSError(errno.ENOENT, "No such file"), False),
        (chained(ValueError("x"), KeyError("y")), False),
    ],
)
def test_what_means_that_memory_ran_out(
    error: Exception, ran_out: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert memory.ran_out(error) == ran_out

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("gotools.ratings.reading.results.read_results", fails)
    code = run(["elo", str(ROOT / "none.csv")])
    err = capfd.readouterr().err
    assert (code == 1 and err.splitlines() == ["gotools elo: out of memory"]) == ran_out
    assert ("Traceback" in err) != ran_out


def test_without_a_limit_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    memory.check_limit("train-eval")


@pytest.mark.system
@pytest.mark.parametrize("quiet", [False, True])
def test_gtp_on_a_terminal_says_what_it_waits_for(quiet: bool) -> None:
    keyboard, terminal = os.openpty()
    try:
        os.write(keyboard, b"quit\n")
        done = subprocess.run(
            [sys.executable, "-m", "gotools", "gtp", *(["-q"] if quiet else [])],
            stdin=terminal,
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        os.close(keyboard)
        os.close(terminal)
    assert (done.returncode, done.stdout) == (0, "=\n\n")
    assert ("list_commands" in done.stderr and "Sabaki" in done.stderr) != quiet
    assert max(map(len, done.stderr.splitlines()), default=0) <= 110


@pytest.mark.smoke
@pytest.mark.system
def test_gtp_in_a_pipe_says_nothing_but_answers() -> None:
    done = start("gtp", "-q")  # stdin is at its end
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
