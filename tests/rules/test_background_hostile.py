"""A stranger's file for --background wastes at most the limits it was given, and the process behind them holds.

The files stand in hostile_background.py. The tests of the process go around the checks of the file: what the checks
should keep out does nothing there either.
"""

import gzip
import json
import os
import platform
import signal
import subprocess
import sys
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from rules.test_background import played_points
from support import forked
from support.hostile_background import CASES, GOOD, LEGAL, MODE, TABLES, body, forged, text_of
from support.needs import needs_swipl

from gotools.base.errors import FileFormatError
from gotools.game.game import meaning_of
from gotools.rules.clauses import background, prolog
from gotools.rules.clauses.background import load_background
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.prolog import Prolog, PrologStopped
from gotools.rules.clauses.prolog_worker import CALLS, MEMORY_LIMIT

pytestmark = [needs_swipl, pytest.mark.system]

ROOT = Path(__file__).parents[2]
VOCABULARY = str(meaning_of("go"))
LINUX = sys.platform == "linux" and platform.machine() in CALLS
IN_FULL_TIME = ("a power cubed", "factorials", "a literal of 900 KB", "a hexadecimal literal of 900 KB")
"""Files that are stopped by the clock alone: the clock is set forward for them."""

CUBE = body("Y is 2 ** 100000000, Z is Y * Y * Y, q(Z, 40)") + "q(_, 0).\nq(Z, N) :- M is N - 1, _ is Z * Z, q(Z, M).\n"
"""Is deaf to everything for minutes."""


def evaluated(path: Path) -> list[bytes]:
    own = load_background(path)
    facts = facts_of(played_points(5, 2, 9), Intervals.start(), own).facts
    return [facts.given.tobytes(), facts.properties.tobytes()]


# ---- files ----


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with files that goals of the table name."""
    here = tmp_path / "here"
    here.mkdir()
    for name in ("b", "f"):
        (here / name).write_text(":- open(mark, write, _).\nhalt.\n")
    monkeypatch.chdir(here)
    return here


ATTACKS = [list(table)[at : at + 10] for table in TABLES.values() for at in range(0, len(table), 10)]
"""Names of files that one process reads, one after the other."""


@pytest.mark.parametrize(
    "cases", [pytest.param(c, id=c[0], marks=pytest.mark.smoke if k % 12 == 0 else ()) for k, c in enumerate(ATTACKS)]
)
def test_a_strangers_file_is_refused_in_one_line_or_harmless(
    cases: list[str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.pl"
    found = {}
    for case in cases:
        path.write_text(text_of(case), encoding="utf-8", newline="")
        with monkeypatch.context() as clock:
            if case in IN_FULL_TIME:
                clock.setattr(prolog, "SECONDS", 1)
            found[case] = trouble(case, path)
        if sorted(os.listdir(folder)) != ["b", "f"] or descendants(prolog.running_prolog(VOCABULARY)):
            found[case] += ", and it has left files or processes"
    assert not {case: what for case, what in found.items() if what}


def trouble(case: str, path: Path) -> str:
    """Return what is wrong with the way a file is read; "" if it is refused, or harmless, as it should be."""
    wanted = CASES[case][1]
    try:
        values = evaluated(path)
    except FileFormatError as error:
        lines = text_of(case).count("\n") + 1
        in_file = error.path == str(path) and (error.line is None or 1 <= error.line <= lines)
        one_line = error.what.isprintable() and len(error.what) < 450
        return "" if wanted and wanted in error.what and in_file and one_line else f"refused: {error}"
    if wanted:
        return f"not refused; wanted: {wanted}"
    return "" if evaluated(path) == values else "differs from one reading to the next"


def test_a_file_that_unpacks_without_end_is_read_no_further(tmp_path: Path) -> None:
    path = tmp_path / "own.pl"
    path.write_bytes(gzip.compress(b"% " + b"a" * (100 << 20), 1))
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match="larger than 1048576 bytes"):
            load_background(path)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_there_are_hundreds_of_them() -> None:
    assert len(CASES) > 300
    assert {wanted for _, wanted in CASES.values()} > {LEGAL}


# ---- the process ----


def descendants(process: Prolog) -> list[int]:
    """Processes that the worker started: none, ever."""
    if sys.platform != "linux":
        return []
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    return [pid for pid, parent in parents.items() if parent == process.pid]


BEHIND_THE_WALL = {
    "write a file": "open('{folder}/new', write, _)",
    "read a file": "open('{folder}/b', read, _)",
    "read a device": "open('/dev/zero', read, _)",
    "change a file": "open('{folder}/b', append, _)",
    "load a file": "load_files('{folder}/b', [])",
    "delete a file": "delete_file('{folder}/b')",
    "rename a file": "rename_file('{folder}/b', '{folder}/new')",
    "make a folder": "make_directory('{folder}/new')",
    "list a folder": "directory_files('{folder}', _)",
    "go elsewhere": "working_directory(_, '{folder}')",
    "run a program": "( shell('touch {folder}/new', 0) -> true ; throw(no) )",
    "start a thread": "thread_create(true, _, [])",
    "see the environment": "getenv('PATH', _)",
    "see the home": "( expand_file_name('~', [F]), exists_directory(F), directory_files(F, _) )",
    "make a file here": "open(new, write, _)",
}


@pytest.mark.skipif(not LINUX, reason="the kernel refuses system calls on Linux only")
def test_what_a_hole_in_the_checks_would_let_through_does_nothing(folder: Path) -> None:
    for case, text in BEHIND_THE_WALL.items():
        process = prolog.running_prolog(VOCABULARY)
        goal = text.format(folder=folder)
        with suppress(PrologStopped):  # what SWI-Prolog prints as it fails ends the process, which is as well
            assert process.ask(f'(catch({goal},_,fail)->Answer="1";Answer="0")') == 0, case
        assert sorted(os.listdir(folder)) == ["b", "f"], case
        assert (folder / "b").read_text().startswith(":- open"), case
        assert not descendants(process), case


@pytest.mark.skipif(not LINUX, reason="reads /proc")
def test_the_process_has_no_environment_no_folder_and_a_session_of_its_own() -> None:
    process = prolog.running_prolog(VOCABULARY)
    assert os.readlink(f"/proc/{process.pid}/cwd").endswith(" (deleted)")
    assert os.getsid(process.pid) == process.pid
    status = Path(f"/proc/{process.pid}/status").read_text()
    assert "Seccomp:\t2" in status
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    wanted = {"Max address space": MEMORY_LIMIT, "Max core file size": 0, "Max processes": 0, "Max open files": 0}
    for name, value in wanted.items():
        (line,) = (line for line in limits.splitlines() if line.startswith(name))
        assert line.removeprefix(name).split()[:2] == [str(value)] * 2


@pytest.mark.smoke
def test_an_answer_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prolog, "MOST_BYTES", 1 << 16)
    with pytest.raises(PrologStopped, match="MiB of answers"):
        Prolog(VOCABULARY).ask("lists:numlist(1,100000,L),with_output_to(string(Answer),print(L))")


def test_an_answer_that_is_no_json_is_refused() -> None:
    for answer in ("", "[1", "1 2", "nul", "[" * 100_000):
        process = Prolog(VOCABULARY)
        with pytest.raises(PrologStopped, match="cannot be read"):
            process.ask(f'Answer="{answer}"')
        assert not process.alive


ANSWERS = {
    "nothing": "{}",
    "a number": "3",
    "no questions done": '{"answers": [[]], "done": 0}',
    "too many questions": '{"answers": [[]], "done": 100000}',
    "no first list": '{"answers": [], "done": 1}',
    "a question that was not put": '{"answers": [[], [9000, 0, 0, 1]], "done": 4}',
    "a negative question": '{"answers": [[], [-1, 0, 0, 1]], "done": 4}',
    "a frame beyond the last": '{"answers": [[], [0, 8, 0, 1]], "done": 4}',
    "a block beyond the last": '{"answers": [[], [0, 0, 1000, 1]], "done": 4}',
    "a float": '{"answers": [[], [0.0, 0, 0, 1]], "done": 4}',
    "a truth value": '{"answers": [[], [true, 0, 0, 1]], "done": 4}',
    "half an answer": '{"answers": [[], [0, 0]], "done": 4}',
    "a text for an answer": '{"answers": [[], "abc"], "done": 4}',
    "a constant with a newline": '{"answers": [[], [0, 0, 0, "a\\nb"]], "done": 4}',
    "a large constant": '{"answers": [[], [0, 0, 0, 10000]], "done": 4}',
    "a list for a constant": '{"answers": [[], [0, 0, 0, [1]]], "done": 4}',
    "a failure of no predicate": '{"failed": [2, "what"]}',
    "a failure without words": '{"failed": [1, 2]}',
}


def test_answers_of_a_process_that_lies_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.pl"
    path.write_text(MODE + GOOD)
    for case, answer in ANSWERS.items():
        own = load_background(path)
        with monkeypatch.context() as lying, pytest.raises(FileFormatError, match="an impossible answer"):
            lying.setattr(Prolog, "ask", lambda self, goal, answer=answer: json.loads(answer))
            facts_of(played_points(5, 2, 9), Intervals.start(), own)
            pytest.fail(f"not refused: {case}")


@pytest.mark.parametrize("limit", ["MOST_ANSWERS", "MOST_BYTES"])
def test_what_a_file_takes_of_gotools_own_memory_is_bounded(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.pl"
    path.write_text(MODE + body("between(1, 100, N)", "N"))
    monkeypatch.setattr(background, limit, 300)
    with pytest.raises(FileFormatError, match="learn from fewer moves"):
        evaluated(path)


@pytest.mark.smoke
def test_the_next_file_gets_a_new_process(tmp_path: Path) -> None:
    path = tmp_path / "own.pl"
    path.write_text(MODE + GOOD)
    own = load_background(path)
    os.kill(own.prolog.pid, signal.SIGKILL)
    with pytest.raises(FileFormatError, match=r"own\.pl: SWI-Prolog broke"):
        facts_of(played_points(5, 2, 9), Intervals.start(), own)
    assert load_background(path).prolog.pid != own.prolog.pid


# ---- the command ----


def command(path: Path, folder: Path) -> subprocess.Popen[str]:
    limits = ("--positives", "40", "--negatives", "unplayed=40", "--nodes", "100", "--noise", "8", "-q")
    words = [sys.executable, "-m", "gotools", "induce-patterns", str(ROOT / "examples/games"), *limits]
    words += ["--background", str(path)]
    return forked.Popen(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


SAID = {
    "forged": (forged("consult").replace("'(A)", "'(_)"), ""),
    "newline": ("modeb(*, 'a\\nb'(+board)).\n'a\\nb'(_).\n", "own.pl:1: 'a\\nb' is not a name"),
    "atoms": (CASES["atom_concat doubling"][0], "own.pl:2: p: SWI-Prolog broke: not enough memory"),
}


@pytest.mark.parametrize("case", SAID)
def test_the_command_ends_in_one_line(case: str, folder: Path, tmp_path: Path) -> None:
    text, said = SAID[case]
    path = tmp_path / "own.pl"
    path.write_text(text if text.startswith("modeb") else MODE + text)
    with command(path, folder) as run:
        out, err = run.communicate(timeout=300)
    assert sorted(os.listdir(folder)) == ["b", "f"]
    if not said:
        assert run.returncode == 0
        return
    assert (run.returncode, out) == (1, "")
    (line,) = err.splitlines()
    assert line.startswith("gotools induce-patterns: ")
    assert said in line


def worker_of(run: subprocess.Popen[str], seconds: float) -> int:
    """Wait until the command's SWI-Prolog has computed for some seconds; return its process id."""
    tick = os.sysconf("SC_CLK_TCK")
    for _ in range(3000):
        for entry in Path("/proc").iterdir():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (OSError, NotADirectoryError):
                continue
            if int(fields[1]) == run.pid and int(fields[11]) > seconds * tick:
                return int(entry.name)
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    raise AssertionError("no worker")


def gone(pid: int) -> bool:
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)], ids=str)
def test_the_process_dies_with_the_command_even_inside_a_large_number(
    number: signal.Signals, code: int, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "own.pl"
    path.write_text(MODE + CUBE)
    with command(path, folder) as run:
        worker = worker_of(run, 1.5)
        run.send_signal(number)
        _, err = run.communicate(timeout=60)
    assert run.returncode == code
    assert gone(worker)
    assert "Traceback" not in err
