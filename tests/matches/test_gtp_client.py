"""The GTP client against engines that are silent, slow, dead, babbling or wrong, and the random player against them."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import random_moves
from support.needs import needs_gnugo
from support.scripted_engine import command

from gotools.base.errors import EngineError, MissingTool
from gotools.game.records.sources import RANDOM, SOURCES
from gotools.games.go.examples.examples import GoExamples
from gotools.gtp_client.answers import LONGEST_ANSWER, MOST_NOISE, AnswerReader, Notes
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure

DESCRIPTORS = Path("/proc/self/fd")


def gone(process: int) -> bool:
    """Wait until a process is dead, whether or not its parent has reaped it; a second at most."""
    for _ in range(100):
        try:
            os.kill(process, 0)
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


Scripted = Callable[..., str]
"""Of misbehaviours and options to a command line."""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Scripted]:
    """Give a function from misbehaviours to a command line; no process, child or descriptor may be left in the end."""
    pid_file = tmp_path / "a pid"
    before = len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.is_dir() else 0

    def line(*how: str, **options: object) -> str:
        return command(*how, pid=pid_file, **options)

    yield line
    for file in tmp_path.glob("a pid*"):
        assert gone(int(file.read_text()))
    if pid_file.exists():
        with pytest.raises(ChildProcessError):  # reaped, not only dead
            os.waitpid(int(pid_file.read_text()), os.WNOHANG)
    if before:
        assert len(list(DESCRIPTORS.iterdir())) == before


def other_engine(tmp_path: Path, program: str) -> str:
    """Return the command line of a Python program."""
    file = tmp_path / "engine with space.py"
    file.write_text("import os, sys, time\n" + program)
    return shlex.join([sys.executable, "-S", "-E", str(file)])


# ---- answers ----


def read(*parts: bytes, sent: int = 7) -> tuple[str | None, list[str]]:
    """Return the answer to the command with the id `sent` in an engine's output, and the kinds of oddities."""
    notes = Notes()
    reader = AnswerReader(notes)
    reader.expect(sent)
    answers = [answer for part in parts if (answer := reader.feed(part))]
    sign = "?" if answers and answers[0].refused else "="
    return sign + answers[0].text if answers else None, [text.partition(":")[0] for text in notes.texts()]


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        (b"=7 pass\n\n", "=pass"),
        (b"=7\n\n", "="),
        (b"=7 \n\n", "="),
        (b"?7 not today\n\n", "?not today"),
        (b"=7 pass\r\n\r\n", "=pass"),
        (b"=7\tD4\x07 \x1b\n\n", "=D4"),
        (b"=7 one\n\ttwo\n   \nthree\n\n", "=one\n two\n   \nthree"),  # a line of blanks does not end an answer
        (b"=7\n  A B\n1 . .\n\n", "=  A B\n1 . ."),
        (b"\n\r\n\n=7 pass\n\n", "=pass"),
        ("=7 café\n\n".encode(), "=café"),
    ],
)
def test_answers_of_many_forms(written: bytes, answer: str) -> None:
    assert read(written) == (answer, [])
    assert read(*(bytes([byte]) for byte in written)) == (answer, [])


@pytest.mark.parametrize(
    ("written", "answer", "noted"),
    [
        (b"= pass\n\n", "=pass", "answered without the command's id"),
        (b"=pass\n\n", "=pass", "answered without the command's id"),
        (b"=99 pass\n\n", "=pass", "answered with an id that no command had"),
        (b"=" + b"9" * 5000 + b" pass\n\n", "=pass", "answered with an id that no command had"),
        (b"=0 pass\n\n", "=pass", "answered with an id that no command had"),
        (b"=6 A1\nB2\n\n=7 pass\n\n", "=pass", "answered with the id of an earlier command, skipped"),
        (b"hello\n\nA1\n=7 pass\n\n", "=pass", "lines on stdout outside an answer"),
        (b"=7 \xff\n\n", "=�", "answers that are not UTF-8"),
        (b"=6 pass\n\n", None, "answered with the id of an earlier command, skipped"),
    ],
)
def test_odd_answers_are_noted(written: bytes, answer: str | None, noted: str) -> None:
    assert read(written) == (answer, [noted])


def test_notes_count_and_keep_the_first() -> None:
    notes = Notes()
    reader = AnswerReader(notes)
    reader.expect(1)
    reader.feed(b"weights: 20b\nvisits 1\nvisits 2\n=1\n\n")
    assert notes.texts() == ["lines on stdout outside an answer: 3, the first: weights: 20b"]


def reader_of_ids() -> tuple[AnswerReader, Notes]:
    """Return a reader that waits for the answer to command 2 of an engine that gave the id of command 1."""
    notes = Notes()
    reader = AnswerReader(notes)
    reader.expect(1)
    assert reader.feed(b"=1\n\n")
    reader.expect(2)
    return reader, notes


@pytest.mark.parametrize("line", [b"= late", b"=9 late", b"?", b"=0"])
def test_an_engine_that_gave_ids_may_still_give_the_right_one(line: bytes) -> None:
    reader, notes = reader_of_ids()
    assert reader.feed(line + b"\n\n") is None and reader.candidate is not None
    answer = reader.feed(b"=2 pass\n\n")
    assert answer and answer.text == "pass" and reader.settle() is None
    assert [text.partition(",")[0] for text in notes.texts()] == ["wrote an answer without the command's id"]


@pytest.mark.parametrize(
    ("written", "noted"),
    [
        (b"= D4", "answered without the command's id: 1, the first: = D4"),
        (b"=9 D4", "answered with an id that no command had: 1, the first: =9 D4"),
    ],
)
def test_an_answer_without_the_right_id_is_taken_where_no_other_comes(written: bytes, noted: str) -> None:
    reader, notes = reader_of_ids()
    assert reader.feed(written + b"\n\n") is None and not notes.texts()
    answer = reader.settle()
    assert answer and (answer.text, answer.refused) == ("D4", False) and notes.texts() == [noted]


@pytest.mark.parametrize("written", [b"=1 D4", b"==> thinking", b"=== 800 visits", b"=D4"])
def test_what_cannot_be_the_answer_is_never_taken(written: bytes) -> None:
    reader, _ = reader_of_ids()
    assert reader.feed(written + b"\n\n") is None and reader.settle() is None
    assert reader.stale == (written == b"=1 D4")


@pytest.mark.system
def test_an_id_left_out_once_costs_neither_the_move_nor_the_clock(scripted: Scripted) -> None:
    with GtpEngine(scripted("drops-id", at=2, times=1), timeout=30) as engine:
        assert engine.ask("genmove b") == "A1"
        answer, seconds = engine.ask_timed("genmove w")
        assert answer == "B1" and seconds < 0.4  # the half second that it waited for another is not the engine's
        assert engine.ask("genmove b") == "C1"
        assert engine.take_notes() == ("answered without the command's id: 1, the first: = B1",)


@pytest.mark.system
def test_the_id_of_another_command_is_given_as_the_reason(scripted: Scripted) -> None:
    with GtpEngine(scripted("id-before", at=2), timeout=0.5) as engine:
        engine.ask("genmove b")
        with pytest.raises(GtpFailure, match="it answered with the id of an earlier command") as failure:
            engine.ask("genmove w")
        assert failure.value.kind is FailureKind.stall


def test_an_engine_that_gives_one_id_always_is_understood() -> None:
    reader = AnswerReader(Notes())
    for number in range(1, 12):
        reader.expect(number)
        answer = reader.feed(b"=7 %d\n\n" % number)
        assert answer and answer.text == str(number)


def test_what_follows_an_answer_is_no_answer_to_the_next_command() -> None:
    notes = Notes()
    reader = AnswerReader(notes)
    reader.expect(1)
    assert reader.feed(b"= D4\n\nthat was easy\n\n= twice\n\n")
    reader.feed(b"")
    reader.expect(2)
    answer = reader.feed(b"= E5\n\n")
    assert answer and answer.text == "E5"
    assert any(text.startswith("output after the end of an answer: 2") for text in notes.texts())


@pytest.mark.parametrize(
    ("written", "flooded"),
    [
        (b"=1 " + b"x" * LONGEST_ANSWER, True),
        (b"=1 \n" + b"x\n" * (LONGEST_ANSWER // 2), True),
        (b"=1 " + b"x" * (LONGEST_ANSWER - 10), False),
        (b"x" * (MOST_NOISE + 1), True),
        (b"xxxxxxx\n" * (MOST_NOISE // 8 + 1), True),
        (b"=0 x\n\n" * (MOST_NOISE // 6 + 1), False),  # taken at once
        (b"x" * (MOST_NOISE - 1), False),
    ],
)
def test_output_without_bounds_is_seen(written: bytes, flooded: bool) -> None:
    reader = AnswerReader(Notes())
    reader.expect(1)
    for start in range(0, len(written), 1 << 16):
        if reader.feed(written[start : start + (1 << 16)]):
            break
    assert bool(reader.flooded) == flooded


LINES = st.lists(st.sampled_from([b"", b"x", b"=3 a", b"=4 b", b"= c", b"?4 no", b"=9 d", b"\r", b"\xff"]), max_size=8)


@given(LINES, st.lists(st.integers(0, 40), max_size=6))
def test_cuts_between_reads_change_nothing(lines: list[bytes], cuts: list[int]) -> None:
    written = b"\n".join(lines) + b"\n"
    places = [0, *sorted(min(cut, len(written)) for cut in cuts), len(written)]
    parts = [written[a:b] for a, b in pairwise(places)]
    assert read(*parts, sent=4)[0] == read(written, sent=4)[0]


@given(LINES, st.sampled_from([b"=4 z\n\n", b"=4 z\r\n\r\n"]))
def test_an_answer_after_an_empty_line_is_found_whatever_comes_before(lines: list[bytes], last: bytes) -> None:
    earlier = [line for line in lines if not line.startswith((b"=4", b"=9", b"?4", b"= "))]
    assert read(b"\n".join([*earlier, b"", b""]) + last, sent=4)[0] == "=z"


# ---- engines that work ----


def test_a_healthy_engine_leaves_no_notes(scripted: Scripted) -> None:
    with GtpEngine(scripted()) as engine:
        assert engine.ask("boardsize 9") == "" and engine.ask("protocol_version") == "2"
        answer, seconds = engine.ask_timed("genmove b")
        assert answer == "A1" and 0 <= seconds < 60
        assert engine.ask("list_stones black") == "A1"
        assert engine.alive and engine.take_notes() == ()
    assert not engine.alive and engine.take_notes() == ()
    with pytest.raises(GtpFailure, match="no longer running"):
        engine.ask("name")


def test_a_refusal_leaves_the_engine_alive(scripted: Scripted) -> None:
    with GtpEngine(scripted()) as engine:
        with pytest.raises(GtpFailure, match="refuses `play b Z9`") as caught:
            engine.ask("play b Z9")
        assert caught.value.kind == FailureKind.refused and caught.value.answer == "syntax error"
        assert engine.ask("play b E5") == ""
        with pytest.raises(ValueError, match="one line"):
            engine.ask("name\nquit")


@pytest.mark.parametrize(
    ("how", "known", "unknown"),
    [
        ([], "undo", "estimate_score"),
        (["no-list"], "undo", "estimate_score"),
        (["lies"], "estimate_score", "undone"),
        (["unknown"], None, "undo"),
    ],
)
def test_which_commands_an_engine_knows(scripted: Scripted, how: list[str], known: str | None, unknown: str) -> None:
    with GtpEngine(scripted(*how)) as engine:
        assert not engine.knows(unknown) and not engine.knows(unknown)
        assert known is None or engine.knows(known)


@pytest.mark.system
def test_seconds_are_those_of_the_engine(scripted: Scripted) -> None:
    with GtpEngine(scripted(delay=0.3)) as engine:
        assert engine.ask_timed("genmove b")[1] >= 0.29


def test_folder_environment_and_session(tmp_path: Path) -> None:
    program = (
        "for line in sys.stdin:\n    number, word = line.split()\n    if word == 'quit':\n        break\n"
        "    answer = os.getcwd(), os.environ['STONES'], os.environ['HOME'], os.getsid(0) == os.getpid()\n"
        "    print(f'={number} {answer}\\n', flush=True)\n"
    )
    line = other_engine(tmp_path, program)
    with GtpEngine(line, folder=str(tmp_path), environment={"STONES": "180"}) as engine:
        assert engine.ask("where") == str((str(tmp_path.resolve()), "180", os.environ["HOME"], True))


# ---- engines that misbehave, and play on ----


@pytest.mark.parametrize(
    ("how", "note"),
    [
        ("banner", "lines on stdout outside an answer: 3, the first: Scripted Engine 1.0"),
        ("logs", "lines on stdout outside an answer: 6, the first: thinking"),
        ("no-id", "answered without the command's id: 8"),
        ("constant-id", "answered with an id that no command had: 7"),  # the 7th of 8 has the right one by chance
        ("strange-id", "answered with an id that no command had: 3"),
        ("stale-id", "answered with the id of an earlier command, skipped: 3"),
        ("invalid-utf8", "answers that are not UTF-8: 3"),
        ("tab-cr", ""),
        ("stderr", ""),
    ],
)
def test_oddities_are_noted_and_the_game_goes_on(scripted: Scripted, how: str, note: str) -> None:
    with GtpEngine(scripted(how, at=1), timeout=30) as engine:
        engine.ask("boardsize 9")
        answers = [engine.ask(f"genmove {colour}").split()[0] for colour in "bwb"]
        assert answers == ["A1", "B1", "C1"]
        assert engine.ask("list_stones b") == "A1 C1"
        engine.ask("known_command undo")
        engine.ask("komi 7")
        assert engine.ask("name") == "scripted"
        if how == "stderr":
            assert len(engine.last_words()) <= 8192 and engine.last_words().endswith("warming up\n")
        assert [text[: len(note)] for text in engine.take_notes()] == ([note] if note else [])
        assert engine.notes == []


@pytest.mark.parametrize("ids", [(), ("no-id",)])
def test_an_empty_line_inside_an_answer_spoils_no_later_one(scripted: Scripted, ids: tuple[str, ...]) -> None:
    with GtpEngine(scripted("blank-line", *ids, at=1)) as engine:
        for colour, point in zip("bwb", ("A1", "B1", "C1"), strict=True):
            assert engine.ask(f"genmove {colour}") == point
            assert engine.ask("name") == "scripted"
        assert any("that was easy" in note for note in engine.notes)


# ---- engines that do not ----


@pytest.mark.parametrize(
    ("how", "kind", "what"),
    [
        ("hangs", FailureKind.stall, "gave no answer to `genmove b` within 0.3 s"),
        ("unended", FailureKind.stall, "did not finish its answer to `genmove b`"),
        ("drips", FailureKind.stall, "did not finish its answer to `genmove b`"),
        ("deaf", FailureKind.stall, "gave no answer"),
    ],
)
@pytest.mark.system
def test_an_engine_that_does_not_finish_is_ended_in_time(
    scripted: Scripted, how: str, kind: FailureKind, what: str
) -> None:
    with GtpEngine(scripted(how, at=1)) as engine:
        if how != "deaf":
            assert engine.ask("boardsize 9") == ""
        with pytest.raises(GtpFailure, match=what) as caught:
            engine.ask("genmove b", timeout=0.3)
        assert caught.value.kind == kind and not engine.alive
        with pytest.raises(GtpFailure, match="no longer running") as caught:
            engine.ask("genmove b")
        assert caught.value.kind == FailureKind.crash


@pytest.mark.parametrize("how", ["long-line", "floods", "floods-answer"])
@pytest.mark.smoke
@pytest.mark.system
def test_an_engine_that_writes_without_bounds_is_ended(scripted: Scripted, how: str) -> None:
    with GtpEngine(scripted(how, at=1)) as engine, pytest.raises(GtpFailure, match="genmove b") as caught:
        engine.ask("genmove b", timeout=30)
    assert caught.value.kind == FailureKind.flood


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("dies", r"died at `genmove b` \(exit code 3\).*out of stones"),
        ("killed", "signal 9"),
        ("leaves-child", "exit code 4"),
        ("closes-stdout", "closed its stdout"),
        ("wont-start", "exit code 1.*cannot find its network"),
    ],
)
def test_a_dead_engine_says_how_it_died(scripted: Scripted, how: str, what: str) -> None:
    with GtpEngine(scripted(how, at=1)) as engine, pytest.raises(GtpFailure, match=what) as caught:
        engine.ask("genmove b", timeout=300)  # a child that holds the pipes open must not make us wait for it
    assert caught.value.kind == FailureKind.crash and not engine.alive


@pytest.mark.system
def test_a_command_that_nobody_reads_has_a_deadline(scripted: Scripted) -> None:
    with GtpEngine(scripted("deaf")) as engine, pytest.raises(GtpFailure, match="did not read") as caught:
        engine.ask("play " + "x" * 500_000, timeout=0.3)
    assert caught.value.kind == FailureKind.stall


def test_a_long_command_is_written_whole(scripted: Scripted) -> None:
    with GtpEngine(scripted()) as engine:
        with pytest.raises(GtpFailure, match="unknown command"):
            engine.ask("x" * 500_000)
        assert engine.ask("name") == "scripted"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an interval timer")
@pytest.mark.system
def test_an_answer_that_waits_when_we_are_late_is_no_stall(scripted: Scripted) -> None:
    def be_late(number: int, frame: object) -> None:
        time.sleep(0.8)  # as on a machine that gives us no time; the engine has long answered

    before = signal.signal(signal.SIGALRM, be_late)
    try:
        with GtpEngine(scripted(delay=0.25)) as engine:
            engine.ask("name")
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            answer, seconds = engine.ask_timed("genmove b", timeout=0.5)
            assert answer == "A1" and seconds > 0.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_kill_from_another_thread_ends_a_question(scripted: Scripted) -> None:
    with GtpEngine(scripted("hangs", at=1)) as engine:
        engine.ask("name")
        threading.Timer(0.1, engine.kill).start()
        with pytest.raises(GtpFailure, match="was killed at `genmove b`") as caught:
            engine.ask("genmove b", timeout=300)
        assert caught.value.kind == FailureKind.crash
        engine.kill()
        assert not engine.alive


def test_close_from_another_thread_does_not_wait_for_the_answer(scripted: Scripted) -> None:
    engine = GtpEngine(scripted("hangs", at=1))
    engine.ask("name")
    threading.Timer(0.1, engine.close).start()
    with pytest.raises(GtpFailure, match="was killed"):
        engine.ask("genmove b", timeout=300)


def test_a_killed_engine_is_reaped_at_once(scripted: Scripted) -> None:
    engine = GtpEngine(scripted())
    engine.ask("name")
    engine.kill()
    with pytest.raises(GtpFailure, match="no longer running"):
        engine.ask("name")
    engine.close()


@pytest.mark.parametrize(("how", "noted"), [("never-quits", True), ("deaf", True), ("slow-quit", False)])
@pytest.mark.system
def test_an_engine_deaf_to_quit_is_ended_and_noted(scripted: Scripted, how: str, noted: bool) -> None:
    with GtpEngine(scripted(how)) as engine:
        if how != "deaf":
            engine.ask("name")
    assert (engine.notes != []) == noted


@pytest.mark.system
def test_many_engines_in_threads(scripted: Scripted) -> None:
    wrong: list[object] = []

    def slot(seed: int) -> None:
        try:
            with GtpEngine(command(seed=seed)) as black, GtpEngine(command(seed=seed + 1)) as white:
                for _ in range(10):
                    white.ask(f"play b {black.ask('genmove b')}")
                    black.ask(f"play w {white.ask('genmove w')}")
                assert black.ask("list_stones b") == white.ask("list_stones b")
                wrong.extend((*black.notes, *white.notes))
        except BaseException as error:
            wrong.append(error)

    slots = [threading.Thread(target=slot, args=(seed,)) for seed in range(12)]
    for thread in slots:
        thread.start()
    for thread in slots:
        thread.join()
    assert not wrong


# ---- programs that are none ----


def test_no_such_program_no_shell(tmp_path: Path) -> None:
    with pytest.raises(MissingTool, match="no-such-engine"):
        GtpEngine("no-such-engine --level 6")
    for wrong in ("", "a 'b", [], ["true", "a\0b"]):
        with pytest.raises(EngineError):
            GtpEngine(wrong)
    with pytest.raises(EngineError), GtpEngine(f"true ; touch {tmp_path}/shell") as engine:
        engine.ask("name")
    assert not (tmp_path / "shell").exists()


def test_why_an_engine_cannot_be_started(tmp_path: Path) -> None:
    plain, script = tmp_path / "plain", tmp_path / "script"
    plain.write_text("no program")
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    for line, what in ((tmp_path, "may not be executed"), (plain, "may not be executed"), (script, "interpreter")):
        with pytest.raises(EngineError, match=what):
            GtpEngine([str(line)])
    with pytest.raises(EngineError, match="there is no folder"):
        GtpEngine("true", folder=str(tmp_path / "missing"))


# ---- the random player ----


@pytest.mark.parametrize(
    ("how", "options", "what"),
    [
        ("off-board", {}, "without a move"),
        ("hangs", {"answer": "-"}, "gave no answer"),
        ("no-id", {"answer": "-"}, "without a move"),
        ("dies", {}, "died"),
        ("occupied", {}, "occupied"),
    ],
)
@pytest.mark.system
def test_wrong_moves_of_an_engine_are_errors(scripted: Scripted, how: str, options: dict[str, str], what: str) -> None:
    with pytest.raises(EngineError, match=what):
        random_moves(100, 9, 0, scripted(how, at=2, **options), timeout=1)


def test_an_engine_that_gives_up_at_once_is_an_error(scripted: Scripted) -> None:
    moves = random_moves(20, 5, 0, scripted(resign_after=1))
    assert len(moves) == 20 and not moves.board[moves.to_play == 1].any()
    moves = random_moves(20, 5, 0, scripted(moves="pass"))
    assert len(moves) == 20


def check_random_moves(moves: GoExamples, count: int, size: int) -> None:
    from gotools.games.go.board import legal_mask

    assert len(moves) == count and len(set(moves.id)) == count
    assert set(moves.size.tolist()) == {size} and not moves.label.any() and set(moves.source.tolist()) == {RANDOM}
    legal = legal_mask(moves.board, moves.size, moves.to_play, moves.ko)
    assert legal[np.arange(count), moves.move].all()


def test_random_against_random_is_legal_and_repeatable() -> None:
    moves = random_moves(150, 7, 3)
    check_random_moves(moves, 150, 7)
    again, other = random_moves(150, 7, 3), random_moves(150, 7, 4)
    assert (again.board == moves.board).all() and (again.move == moves.move).all()
    assert (other.move != moves.move).any()
    assert len(random_moves(0, 7, 3)) == 0
    assert SOURCES[RANDOM] == "random"


@needs_gnugo
@pytest.mark.system
def test_random_against_gnugo_is_repeatable() -> None:
    command = "gnugo --mode gtp --level 1"
    moves = random_moves(30, 5, 1, command)
    check_random_moves(moves, 30, 5)
    again = random_moves(30, 5, 1, command)
    assert (again.board == moves.board).all() and (again.move == moves.move).all()
