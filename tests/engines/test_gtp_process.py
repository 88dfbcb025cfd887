"""The GTP server as a program with pipes: a whole game as a graphical board plays it, and every way a session ends."""

from __future__ import annotations

import os
import random
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from sgfmill import sgf, sgf_moves
from support import forked

from gotools.games.go.points import parse_vertex

pytestmark = pytest.mark.system

SERVER = [sys.executable, str(Path(__file__).parents[1] / "support/gtp_player.py")]
GAME = Path(__file__).parents[2] / "examples/games/gnugo-0001.sgf"
SOON = 60.0
"""Seconds in which what happens at once has happened, on a busy machine too."""


class Program:
    """A server and its pipes, byte by byte."""

    def __init__(self, *options: str, server: Sequence[str] = SERVER, grace: float | None = None) -> None:
        start = forked.Popen if server[0] == sys.executable else subprocess.Popen
        self.process = start(
            [*server, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ if grace is None else {**os.environ, "GRACE": str(grace)},
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr

    def send(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def line(self, seconds: float = 20.0) -> bytes:
        """Wait for a line."""
        line = bytearray()
        until = time.monotonic() + seconds
        while not line.endswith(b"\n"):
            assert select.select([self.stdout], [], [], max(until - time.monotonic(), 0))[0], bytes(line)
            byte = os.read(self.stdout.fileno(), 1)
            assert byte, (bytes(line), self.stderr.read())
            line += byte
        return bytes(line[:-1])

    def answer(self, seconds: float = 20.0) -> list[str]:
        """Wait for an answer, to its empty line."""
        lines = [self.line(seconds).decode()]
        while lines[-1]:
            lines.append(self.line(seconds).decode())
        return lines[:-1]

    def ask(self, command: str) -> str:
        """Send a command that is not refused; returns the answer without its sign."""
        self.send(command.encode() + b"\n")
        answer = "\n".join(self.answer())
        assert answer.startswith("="), (command, answer)
        return answer[1:].strip()

    def is_busy(self) -> bool:
        """Return whether nothing comes for a moment."""
        return not select.select([self.stdout], [], [], 0.3)[0]

    def end(self, seconds: float = SOON) -> tuple[int, bytes, bytes]:
        """Wait for the end; returns the exit code and what was left on stdout and stderr."""
        self.process.wait(seconds)
        return self.process.returncode, self.stdout.read(), self.stderr.read()


@pytest.fixture
def start() -> Iterator[type[Program]]:
    """Start servers, and leave none behind."""
    programs: list[Program] = []

    class Kept(Program):
        def __init__(self, *options: str, server: Sequence[str] = SERVER, grace: float | None = None) -> None:
            super().__init__(*options, server=server, grace=grace)
            programs.append(self)

    yield Kept
    for program in programs:
        program.process.kill()
        program.process.wait()
        for pipe in (program.stdin, program.stdout, program.stderr):
            with suppress(BrokenPipeError):
                pipe.close()


# a game ---------------------------------------------------------------------------------------------------------------


def analyse(program: Program, command: str) -> None:
    """Ask for live analysis, wait for some lines, and end it by the next command."""
    program.send(command.encode() + b"\n")
    assert program.line() == b"="
    for _ in range(3):
        assert program.line().startswith(b"info move ")
    program.send(b"12 protocol_version\n")
    while line := program.line():
        assert line.startswith(b"info move ")
    assert program.answer() == ["=12 2"]


def play_as_a_board_would(program: Program, size: int, period: float) -> None:
    """Set up a game, play it with undo and analysis, score it, look at another one from a file, and leave.

    period -- seconds for a move
    """
    ask = program.ask
    assert ask("protocol_version") == "2" and ask("name") and ask("version")
    assert all(ask(f"known_command {command}") == "true" for command in ask("list_commands").split())
    for line in (f"boardsize {size}", "clear_board", "komi 6.5", f"time_settings 0 {period} 1"):
        assert ask(line) == ""
    passes, moves = 0, 0
    while passes < 2 and moves < 3 * size * size:
        colour = "bw"[moves % 2]
        if moves % 7 == 3:  # the person at the board: a move, taken back, another one
            ask(f"play {colour} {ask(f'reg_genmove {colour}')}")
            ask("undo")
            move = ask(f"kata-genmove_analyze {colour} 10").splitlines()[-1].removeprefix("play ")
        else:
            ask(f"time_left {colour} {period} 1")
            move = ask(f"genmove {colour}")
        assert parse_vertex(move, size) != -1
        passes = passes + 1 if move == "pass" else 0
        moves += 1
        if moves % 16 == 1:
            analyse(program, f"kata-analyze {'bw'[moves % 2]} 1 ownership true")
    assert passes == 2
    assert ask("gotools-explain") and ask("showboard")
    assert ask("final_score")[:2] in ("B+", "W+", "0")
    listed = " ".join(ask(f"final_status_list {status}") for status in ("alive", "seki", "dead"))
    assert sorted(listed.split()) == sorted(ask("list_stones b").split() + ask("list_stones w").split())
    look_at_a_file(program)
    assert ask("quit") == ""


def look_at_a_file(program: Program) -> None:
    """Load a game up to a move, compare it with sgfmill's board, and go on from there."""
    assert program.ask(f"loadsgf {GAME} 21") == ""
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(GAME.read_bytes()))
    for colour, move in plays[:20]:
        board.play(*move, colour)
    stones = {
        colour: {parse_vertex(word, 9) for word in program.ask(f"list_stones {colour}").split()} for colour in "bw"
    }
    for colour in "bw":
        assert stones[colour] == {row * 9 + column for c, (row, column) in board.list_occupied_points() if c == colour}
    analyse(program, "lz-analyze 1")
    assert parse_vertex(program.ask(f"genmove {plays[20][0]}"), 9) not in (-1, *stones["b"], *stones["w"])


REAL = [sys.executable, "-m", "gotools", "gtp", "-q"]


@pytest.mark.parametrize(
    ("server", "size", "period"),
    [
        (SERVER, 5, 0.3),
        ([*REAL, "--nodes", "100"], 9, 3.0),
        pytest.param([*REAL, "--search", "alphabeta", "--depth", "2"], 7, 5.0, marks=pytest.mark.slow),
    ],
    ids=["quick", "mcts", "alphabeta"],
)
def test_a_whole_game_as_a_board_plays_it(start: type[Program], server: list[str], size: int, period: float) -> None:
    program = start(server=server)
    play_as_a_board_would(program, size, period)
    assert program.end() == (0, b"", b"")


# the ends of a session ------------------------------------------------------------------------------------------------

LONG = b"kata-time_settings byoyomi 0 1000 1\n"


@pytest.mark.smoke
def test_commands_that_came_before_the_end_of_input_are_answered(start: type[Program]) -> None:
    program = start("--time", "0")
    program.send(b"1 name\n2 genmove b\n3 kata-analyze 1\n4 play b D4\n\n5 play b D4\n6 name")
    program.stdin.close()
    code, out, err = program.end(20)
    answers = [answer for answer in out.decode().split("\n\n") if answer]
    assert [answer[:2] for answer in answers] == ["=1", "=2", "=3", "=4", "?5", "=6"]
    assert (code, err) == (0, b"")


def test_quit_ends_the_session_though_input_goes_on(start: type[Program]) -> None:
    program = start()
    program.send(b"quit\nname\n")
    assert program.end(20) == (0, b"=\n\n", b"")


@pytest.mark.parametrize("stop", [b"name\n", b"\n", b"# go on\n"])
def test_analysis_ends_at_once_with_any_line(start: type[Program], stop: bytes) -> None:
    program = start()
    program.send(b"kata-analyze 1\n")
    assert program.line() == b"=" and program.line().startswith(b"info")
    program.send(stop)
    while program.line():
        pass
    assert program.ask("name") == "quick"


def test_the_end_of_input_ends_an_analysis(start: type[Program]) -> None:
    program = start()
    program.send(b"8 lz-analyze 1\n")
    assert program.line() == b"=8" and program.line().startswith(b"info")
    program.stdin.close()
    code, out, err = program.end()
    assert (code, err) == (0, b"") and (b"\n" + out).endswith(b"\n\n")


def test_a_move_goes_on_for_a_grace_after_the_end_of_input(start: type[Program]) -> None:
    program = start(grace=1.0)
    program.ask("name")
    program.send(LONG + b"2 genmove b\n3 name\n")
    assert program.answer() == ["="] and program.is_busy()
    started = time.monotonic()
    program.stdin.close()
    code, out, err = program.end(20)
    assert time.monotonic() - started > 0.8
    assert (code, err) == (0, b"") and out.startswith(b"=2 ") and out.endswith(b"=3 quick\n\n")


def test_a_move_that_nobody_waits_for_is_given_up(start: type[Program]) -> None:
    program = start()
    program.ask("name")
    program.send(LONG + b"genmove b\n")
    assert program.answer() == ["="] and program.is_busy()
    program.stdout.close()
    program.stdin.close()
    program.process.wait(SOON)
    assert program.process.returncode == 0 and program.stderr.read() == b""


def test_a_closed_stdout_ends_the_session_quietly(start: type[Program]) -> None:
    program = start()
    program.ask("name")
    program.stdout.close()
    program.send(b"name\n")
    program.process.wait(SOON)
    assert program.process.returncode == 0 and program.stderr.read() == b""


def test_an_analysis_that_nobody_reads_ends_quietly(start: type[Program]) -> None:
    program = start()
    program.send(b"kata-analyze 1\n")
    assert program.line() == b"=" and program.line()
    program.stdout.close()
    program.process.wait(SOON)
    assert program.process.returncode == 0 and program.stderr.read() == b""


@pytest.mark.parametrize("streams", ["0<&- 2>&-", "0</dev/null >/dev/null"])
def test_a_closed_stdin_ends_the_session(start: type[Program], streams: str) -> None:
    program = start(server=["sh", "-c", f"exec {shlex.join(SERVER)} {streams}"])
    program.process.wait(20)
    assert program.process.returncode == 0 and program.stderr.read() == b""


@pytest.mark.parametrize("what", [b"name\n", LONG + b"genmove b\n", b"kata-analyze 100000\n"])
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_at_once(start: type[Program], what: bytes, sign: signal.Signals) -> None:
    program = start()
    program.ask("name")
    program.send(what)
    program.line()
    time.sleep(0.1)
    program.process.send_signal(sign)
    code, _, err = program.end()
    if sign == signal.SIGTERM:
        assert (code, err) == (-signal.SIGTERM, b"")
    else:
        assert (code, err) == (130, b"gotools gtp: interrupted\n")


# any bytes ------------------------------------------------------------------------------------------------------------

SCRAPS = [
    b"play b D4", b"genmove w", b"undo", b"boardsize 5", b"kata-analyze 1", b"12 ", b"#", b"\n", b"\n", b"\r\n", b"\t",
    b"\0", b"\xff\xfe", b"loadsgf /dev/zero", b"time_settings nan -1 1e999", b"komi ", b"final_score",
    b"final_status_list dead", b"lz-genmove_analyze b", b"=1 ok\n\n", b"? \n\n", b"set_free_handicap A1",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_any_bytes_leave_it_alive(start: type[Program], seed: int) -> None:
    chance = random.Random(seed)
    program = start("--time", "0")
    program.ask("name")
    sent = b"".join(chance.choice([chance.choice(SCRAPS), chance.randbytes(chance.randrange(40))]) for _ in range(2000))
    pieces = [sent[i : i + 997] for i in range(0, len(sent), 997)]
    for piece in pieces:
        program.send(piece)
        while select.select([program.stdout], [], [], 0)[0]:
            assert os.read(program.stdout.fileno(), 1 << 16)
    program.send(b"\n987654321 protocol_version\n987654322 play b pass\n987654323 quit\n")
    code, out, err = program.end(60)
    assert out.endswith(b"=987654321 2\n\n=987654322\n\n=987654323\n\n")
    assert code == 0 and b"Traceback" not in err and b"internal error" not in out


def test_a_line_without_end_takes_no_memory(start: type[Program]) -> None:
    program = start()
    program.ask("boardsize 9")
    before = memory(program)
    for _ in range(40):
        program.send(b"x" * (1 << 20))
    assert program.answer() == ["? line too long"]
    assert memory(program) - before < 16 << 20
    program.send(b" still the same line\n5 name\n")
    assert program.answer() == ["=5 quick"]


def test_lines_that_wait_for_their_turn_take_little_memory(start: type[Program]) -> None:
    program = start("--time", "1.5")
    program.ask("boardsize 9")
    before = memory(program)
    program.send(b"genmove b\n")
    os.set_blocking(program.stdin.fileno(), False)
    written, until = 0, time.monotonic() + 1
    while time.monotonic() < until:
        with suppress(BlockingIOError):
            written += os.write(program.stdin.fileno(), b"name\n" * 10_000)
    assert written < 4 << 20 and memory(program) - before < 32 << 20


def memory(program: Program) -> int:
    """Return the memory that a program holds now, in bytes."""
    status = Path(f"/proc/{program.process.pid}/status")
    if not status.exists():
        pytest.skip("this system does not tell in /proc what memory a program holds")
    (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) * 1024
