"""Ctrl-C at random moments of every command: exit code 130, no traceback, nothing half-written, nothing left behind."""

from __future__ import annotations

import random
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support import forked
from support.scripted_engine import command as engine

from gotools.cli import NAMES, run
from gotools.commands.warm_up import write_files

INTERRUPTED = str(Path(__file__).parents[1] / "support/interrupted.py")
EACH = 13
"""Interrupts of a command in the long test: 200 and more of all."""
NEVER = 1 << 40
PLAYERS = f"--engine a={shlex.quote(engine(seed=1))} --engine b={shlex.quote(engine(seed=2))}"
COMMANDS = {
    "sgf-to-examples": "sgf-to-examples games -o new.tsv --negatives random=40 --engine " + shlex.quote(engine(seed=1)),
    "induce-patterns": "induce-patterns games --objective rank --max-rules 3 -o new.pl",
    "induce-patterns --objective cover": "induce-patterns games --positives 10 -o new.pl",
    "compile-patterns": "compile-patterns rules.pl -o new.so",
    "rank-moves": "rank-moves games --rules rules.pl --explain -o new.txt",
    "train-eval": "train-eval --size 5 --games 32 --batch 8 --checkpoint 16 --referee-games 0 -o new.npz --log new.tsv",
    "cluster-moves": "cluster-moves games --k 2 --starts 1 -o new.tsv",
    "order-bench": "order-bench games --positions 2 --depth 2 --order captures -o new.tsv",
    "gtp": "gtp --size 5 --nodes 4 --rules none --eval none",
    "usi": "usi --nodes 10",
    "play": "play --size 5 -o new.sgf --engine " + shlex.quote(engine(seed=1)),
    "tournament": f"tournament {PLAYERS} --size 5 --games 4 -o new",
    "elo": "elo games -o new.tsv",
    "lessons": "lessons games --rules rules.pl -o new.tsv",
    "solve": "solve --game shogi -o new.tsv",
    "show": "show rules.pl -o new.txt",
    "report": "report games rules.pl -o new.html",
    "warm-up": "warm-up",
    "doctor": "doctor",
}
TYPED = {
    "gtp": "boardsize 5\ngenmove b\ngenmove w\nfinal_score\nquit\n",
    "usi": "usi\nisready\nposition startpos\ngo nodes 10\nquit\n",
    "play": "C3\nB2\nquit\n",
    "solve": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n",
}


def interrupted(folder: Path, name: str, at: int) -> tuple[int, str]:
    """Run a command, interrupted at a call, in a folder; returns its exit code and stderr."""
    words = [sys.executable, INTERRUPTED, str(at), *shlex.split(COMMANDS[name])]
    done = forked.run(words, cwd=folder, input=TYPED.get(name, ""), capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fresh(folder: Path) -> Path:
    folder.mkdir()
    write_files(folder)
    return folder


def check(name: str, tmp_path: Path, times: int, chance: random.Random) -> None:
    """Interrupt a command so many times, each time from the beginning."""
    given = contents(fresh(tmp_path / "given"))
    _, said = interrupted(fresh(tmp_path / "whole"), name, NEVER)
    calls = int(said.splitlines()[-1])
    whole = contents(tmp_path / "whole")
    for number in range(times):
        folder, at = fresh(tmp_path / str(number)), chance.randint(1, calls * 9 // 10)
        code, said = interrupted(folder, name, at)
        if code == 0:  # the first run compiled kernels, too
            calls = int(said.splitlines()[-1])
            continue
        assert code == 130 and "Traceback" not in said and "Exception ignored" not in said, (at, code, said)
        for path, data in contents(folder).items():
            ours = path.endswith((".pl", ".tsv", ".npz")) and run(["show", str(folder / path), "-q"]) == 0
            assert data == given.get(path, whole.get(path)) or ours or path.startswith("new/"), (at, path)


def test_every_command_is_interrupted() -> None:
    assert {name.partition(" ")[0] for name in COMMANDS} == set(NAMES)


@pytest.mark.system
@pytest.mark.parametrize("name", ["sgf-to-examples", "rank-moves", "elo"])
def test_ctrl_c_leaves_nothing_half_done(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, 2, random.Random(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_leaves_nothing_half_done_at_many_moments(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, EACH, random.Random(name))


HELD_UP = """
import os, subprocess, sys, time
from gotools.base import interrupts
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
interrupts.leave_on_interrupt()
interrupts.raise_on_interrupt()
subprocess.Popen([sys.executable, "-S", "-c", sys.argv[2], str(os.getpid())])
try:
    if sys.argv[1] == "computes":
        for number in range(30_000_000):
            pass
    else:
        time.sleep(30)
    print("went on", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
"""
HOLDS_UP = """
import os, signal, sys, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
time.sleep(0.2)
os.kill(int(sys.argv[1]), signal.SIGINT)
for _ in range(20):
    time.sleep(0.0003)
    end = time.perf_counter() + 0.02
    while time.perf_counter() < end:
        pass
"""
"""Sends Ctrl-C, and takes the processor but for moments."""


def may_take_the_processor() -> bool:
    """Return whether this user may run a process before all others."""
    program = "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))"
    return subprocess.run([sys.executable, "-S", "-c", program], capture_output=True).returncode == 0


@pytest.mark.system
@pytest.mark.parametrize(("does", "found"), [("computes", "went on"), ("waits", "interrupted")])
def test_a_function_that_is_not_ours_is_interrupted_where_it_waits_and_not_where_it_is_held_up(
    does: str, found: str
) -> None:
    """On a busy machine a function that computes may get no processor for a while; that is no wait."""
    if not may_take_the_processor():
        pytest.skip("needs the right to run before all other processes (root)")
    done = subprocess.run([sys.executable, "-c", HELD_UP, does, HOLDS_UP], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"{found}\n", "")


DROPPED = """
import os, signal, time
from gotools.base import interrupts
interrupts.leave_on_interrupt()
interrupts.raise_on_interrupt()
class Closes:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
try:
    Closes()
    time.sleep(30)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.system
def test_an_interrupt_that_python_drops_is_raised_again() -> None:
    """Python prints and drops what is raised while it frees an object."""
    done = subprocess.run([sys.executable, "-c", DROPPED], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\n", "", 0)


HELD = """
import os, signal, sys, threading
from contextlib import contextmanager
from gotools.base import interrupts
interrupts._OURS, interrupts._FIRST = os.path.dirname(__file__), (__file__,)
lock, freed = threading.Lock(), []
exec(compile("def library():\\n import os, signal\\n os.kill(os.getpid(), signal.SIGINT)", "library.py", "exec"))
class Held:
    def __enter__(self):
        pass
    def __exit__(self, *error):
        library()
        freed.append("by exit")
@contextmanager
def held():
    try:
        library()
        yield
    finally:
        freed.append("by finally")
def with_lock():
    with lock:
        library()
    return "late"
def with_exit():
    with Held():
        pass
    return "late"
def with_generator():
    with held():
        pass
    return "late"
interrupts.leave_on_interrupt()
interrupts.raise_on_interrupt()
for command in with_lock, with_exit, with_generator:
    try:
        print(command())
    except KeyboardInterrupt:
        print("interrupted")
print(lock.locked(), *freed)
"""


@pytest.mark.smoke
@pytest.mark.system
def test_an_interrupt_leaves_nothing_held(tmp_path: Path) -> None:
    """Python does not free what a `with` block holds if a trace raises where the block ends."""
    script = tmp_path / "held.py"
    script.write_text(HELD)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("interrupted\n" * 3 + "False by exit by finally\n", "")
