"""`gotools usi`: whole dialogues with the server, in this process and as a program."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import forked

from gotools import cli
from gotools.base.errors import GotoolsError
from gotools.engines.gtp.server import LONGEST_LINE
from gotools.engines.players import new_player
from gotools.engines.settings import PlayerSettings
from gotools.engines.usi.limits import read_go, seconds_of
from gotools.engines.usi.options import UsiOptions, read_setting
from gotools.engines.usi.server import obey
from gotools.engines.usi.session import UsiSession
from gotools.game.game import find_game
from gotools.games.shogi.kernels import pieces as p

LONG = 60.0
"""Seconds within which everything has happened, on a busy machine too."""
NODES = PlayerSettings(nodes=300)
MATE = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
ENTERED = "position sfen 2SGKGS2/1+P+P+P+P+P+P2/9/9/9/9/9/7k1/9 b 2R2B 101"
HARD = "position sfen 9/9/9/9/4k4/9/9/9/8K b 2B2G 1"
REPEATS = "2h3h 8b7b 3h2h 7b8b"


class Board:
    """A session without a process around it, and all that it says."""

    def __init__(self, settings: PlayerSettings = NODES) -> None:
        self.said: list[str] = []
        self._change = threading.Condition()
        player = new_player("shogi", settings=settings)
        self.session = UsiSession(player, UsiOptions(settings), self._hear, prepare=lambda _: None)

    def _hear(self, line: str) -> None:
        with self._change:
            self.said.append(line)
            self._change.notify_all()

    def tell(self, *lines: str | bytes) -> None:
        for line in lines:
            obey(self.session, line if isinstance(line, bytes) else line.encode())

    def until(self, beginning: str) -> list[str]:
        """Wait for a line that begins so; return all lines up to it, and forget them."""

        def found() -> int | None:
            return next((i for i, line in enumerate(self.said) if line.startswith(beginning)), None)

        with self._change:
            assert self._change.wait_for(lambda: found() is not None, LONG), self.said
            end = (found() or 0) + 1
            lines, self.said[:end] = self.said[:end], []
            return lines

    def best(self, *lines: str) -> list[str]:
        """Return the words after bestmove."""
        self.tell(*lines)
        return self.until("bestmove")[-1].split()[1:]

    def is_silent(self, seconds: float = 0.2) -> bool:
        time.sleep(seconds)
        return not [line for line in self.said if not line.startswith("info ")]


@pytest.fixture
def boards() -> Iterator[Callable[..., Board]]:
    made: list[Board] = []

    def new(settings: PlayerSettings = NODES) -> Board:
        made.append(Board(settings))
        return made[-1]

    yield new
    for board in made:
        board.session.end_thought()


def legal_after(moves: str) -> set[str]:
    game = find_game("shogi")
    state = game.position()
    for text in moves.split():
        state = game.play(state, game.parse_move(text, 9))
    return {game.move_text(move, 9) for move in game.moves_of(state)}


# dialogues ------------------------------------------------------------------------------------------------------------


def test_who_it_is_and_which_options_it_has(boards: Callable[..., Board]) -> None:
    board = boards(PlayerSettings(nodes=300, order="captures"))
    board.tell("usi")
    lines = board.until("usiok")
    assert lines[0].startswith("id name gotools ") and lines[1].startswith("id author ")
    names = [re.fullmatch(r"option name (\S+) type (spin|check|string) default \S+( min \d+ max \d+)?", line)
             for line in lines[2:-1]]  # fmt: skip
    assert all(names) and {found[1] for found in names if found} == {
        "USI_Ponder",
        "EvalFile",
        "OrderFile",
        "Threads",
        "NetworkDelay",
    }  # what boards set beside these has no effect
    assert "option name OrderFile type string default captures" in lines
    board.tell("isready")
    assert board.until("readyok") == ["readyok"]


def test_a_game_move_by_move(boards: Callable[..., Board]) -> None:
    board = boards()
    board.tell("isready", "usinewgame")
    moves: list[str] = []
    for _ in range(12):
        best = board.best(f"position startpos moves {' '.join(moves)}", "go btime 0 wtime 0 byoyomi 1000")
        assert best[0] in legal_after(" ".join(moves))
        if best[1:]:
            assert best[1] == "ponder" and best[2] in legal_after(" ".join([*moves, best[0]]))
        moves.append(best[0])
    board.tell("gameover draw")


def test_what_it_says_while_it_thinks(boards: Callable[..., Board]) -> None:
    board = boards()
    board.tell("position startpos moves 7g7f", "go nodes 2000")
    *lines, best = board.until("bestmove")
    form = r"info depth \d+ time \d+ nodes \d+( nps \d+)? score (cp -?\d+|mate (-?\d+|[+-])) pv( \S+)+"
    assert lines and all(re.fullmatch(form, line) for line in lines)
    depths = [int(line.split()[2]) for line in lines]
    assert depths == sorted(depths) and lines[-1].split(" pv ")[1].split()[0] == best.split()[1]


def test_a_mate_is_found_and_counted_in_plies(boards: Callable[..., Board]) -> None:
    board = boards()
    for limit in ("depth 3", "nodes 1000", "movetime 1000"):  # by alpha-beta, by the search for a mate before it
        board.tell(MATE, f"go {limit}")
        lines = board.until("bestmove")
        assert lines[-1] == "bestmove G*5b" and " score mate 1 pv G*5b" in lines[-2]
    board.tell("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1", "go depth 4")
    lines = board.until("bestmove")
    assert re.search(r" score (mate -|cp -)", lines[-2])


def test_mates_are_solved(boards: Callable[..., Board]) -> None:
    board = boards()

    def solved(*lines: str) -> str:
        board.tell(*lines)
        return board.until("checkmate")[-1]

    assert solved(MATE, "go mate infinite") == "checkmate G*5b"
    assert solved("go mate 60000") == solved("go mate") == "checkmate G*5b"
    assert solved("position sfen 7nl/5k3/5p2p/9/9/9/9/9/K8 b RG 1", "go mate infinite") == "checkmate nomate"
    assert solved(MATED, "go mate infinite") == "checkmate nomate"  # the side to play is mated, and mates nobody
    assert solved("position startpos", "go mate infinite") == "checkmate nomate"
    assert solved(HARD, "go mate 0") == "checkmate timeout"
    assert solved("position startpos moves 7g7a", "go mate infinite") == "checkmate timeout"


def test_a_search_for_a_mate_is_stopped(boards: Callable[..., Board]) -> None:
    board = boards()
    board.tell(HARD, "go mate infinite", "stop")
    assert board.until("checkmate")[-1] == "checkmate timeout"
    assert board.best(MATE, "go depth 1") == ["G*5b"]


def test_who_is_mated_resigns(boards: Callable[..., Board]) -> None:
    assert boards().best(MATED, "go btime 1000 wtime 1000") == ["resign"]


def test_who_may_declare_does(boards: Callable[..., Board]) -> None:
    assert boards().best(ENTERED, "go byoyomi 1000") == ["win"]
    board = boards()
    board.tell(ENTERED, "go infinite")
    assert board.is_silent()
    assert board.best("stop") == ["win"]


def test_stop_in_the_middle(boards: Callable[..., Board]) -> None:
    board = boards(PlayerSettings(time=1e6))
    for _ in range(3):  # also at the very beginning
        board.tell("position startpos", "go infinite")
        assert board.best("stop")[0] in legal_after("")
    board.tell("go infinite")
    board.until("info depth 2 ")
    board.tell("isready")
    board.until("readyok")
    assert board.best("stop")[0] in legal_after("")
    board.tell("stop", "ponderhit")
    assert board.is_silent()


def test_an_infinite_search_waits_for_stop_when_it_is_done(boards: Callable[..., Board]) -> None:
    board = boards()
    board.tell("position startpos", "go infinite depth 1")
    board.until("info depth 1 ")
    assert board.is_silent()
    assert board.best("stop")[0] in legal_after("")


def test_pondering(boards: Callable[..., Board]) -> None:
    board = boards(PlayerSettings(time=1e6))
    board.tell("position startpos moves 7g7f 3c3d", "go ponder btime 0 wtime 0 byoyomi 500")
    board.until("info depth 1 ")
    assert board.is_silent(0.7)  # the clock does not run
    assert board.best("ponderhit")[0] in legal_after("7g7f 3c3d")
    board.tell("position startpos moves 7g7f 3c3d", "go ponder btime 0 wtime 0 byoyomi 500")
    assert board.best("stop")[0] in legal_after("7g7f 3c3d")
    board.tell("position startpos moves 7g7f 3c3d", "go ponder depth 1")
    assert board.is_silent()
    assert board.best("ponderhit")[0] in legal_after("7g7f 3c3d")


def test_a_new_command_ends_a_search_with_its_answer(boards: Callable[..., Board]) -> None:
    board = boards(PlayerSettings(time=1e6))
    for line in ("position startpos moves 7g7f", "usinewgame", "gameover lose", "go nodes 100"):
        board.tell("position startpos", "go infinite", line)
        assert board.until("bestmove")[-1].split()[1] in legal_after("")
    board.until("bestmove")


def test_a_position_of_which_the_game_has_many_is_avoided(boards: Callable[..., Board]) -> None:
    board = boards(PlayerSettings(depth=1))
    moves = " ".join([REPEATS] * 3 + REPEATS.split()[:3])
    assert board.best(f"position startpos moves {moves}", "go depth 1")[0] != "7b8b"
    moves = " ".join([REPEATS] * 4)  # the game is over, but the board asks
    assert board.best(f"position startpos moves {moves}", "go depth 1")[0] in legal_after("")


def test_a_long_game_goes_on(boards: Callable[..., Board]) -> None:
    moves = " ".join([REPEATS] * 130)
    assert boards().best(f"position startpos moves {moves}", "go nodes 50")[0] in legal_after("")


def test_options_make_another_player(boards: Callable[..., Board], tmp_path: Path) -> None:
    board = boards()
    board.tell("setoption name OrderFile value captures", "setoption name USI_Hash value 256")
    board.tell("setoption name USI_Ponder value true", "isready")
    assert board.until("readyok") == ["readyok"]
    board.tell("position startpos moves 7g7f", f"setoption name EvalFile value {tmp_path}/not here.npz", "isready")
    said = board.until("readyok")
    assert len(said) == 2 and "not here.npz" in said[0] and said[0].startswith("info string ")
    assert board.best("go nodes 100")[0] in legal_after("7g7f")
    board.tell("setoption name EvalFile value <empty>", "isready")
    assert board.until("readyok") == ["readyok"]
    assert board.best("go nodes 100")[0] in legal_after("7g7f")  # the position stays


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position startpos moves 7g7f 7g7f", "move 2, '7g7f', is illegal"),
        ("position startpos moves e2e4", "move 1, 'e2e4': not a move of USI"),
        ("position startpos moves win", "illegal: the king has not entered"),
        ("position sfen 9/9/9 b - 1", "3 rows, not 9"),
        ("position sfen lance", "position startpos, or"),
        ("position", "position startpos, or"),
        ("position startpos " + "x" * LONGEST_LINE, "line too long"),
    ],
)
def test_a_position_that_cannot_be_is_said_and_nobody_waits(
    line: str, words: str, boards: Callable[..., Board]
) -> None:
    board = boards()
    board.tell(line)
    assert words in board.until("info string ")[-1]
    assert board.best("go btime 1000 wtime 1000") == ["resign"]
    assert board.best("position startpos", "go nodes 10")[0] in legal_after("")


def test_what_is_unknown_is_passed_over(boards: Callable[..., Board]) -> None:
    board = boards()
    board.tell("", "  ", "hello", "GO", "stop", "ponderhit", b"\xff\xfe")
    assert board.said == []
    assert board.best("position\tstartpos", "go searchmoves 7g7f nodes x depth 1 zzz")[0] in legal_after("")
    board.tell("setoption name Style value wild", "setoption", "setoption name Threads value -3")
    assert len([line for line in board.said if line.startswith("info string ")]) == 3


WORDS = """
usi isready setoption name value USI_Hash Threads EvalFile usinewgame position startpos sfen moves 7g7f 3c3d 8h2b+ P*5e
win lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL b w - 1 go btime wtime byoyomi binc winc movetime nodes depth infinite ponder mate
stop ponderhit gameover lose 0 10 -5 99999999999999999999 x é
"""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.lists(st.sampled_from([*WORDS.split(), "\0"]), max_size=8).map(" ".join), max_size=12))
def test_no_lines_crash_it(lines: list[str], hypothesis_board: Board, capfd: pytest.CaptureFixture[str]) -> None:
    board = hypothesis_board
    board.said.clear()
    board.tell(*lines, "stop")
    board.session.end_thought()
    gone = sum(1 for line in lines if line.split()[:1] == ["go"] and "mate" not in line.split())
    assert sum(1 for line in board.said if line.startswith("bestmove ")) == gone
    assert not [line for line in board.said if "internal error" in line]
    assert "Traceback" not in capfd.readouterr().err
    board.tell("usinewgame")


@pytest.fixture(scope="module")
def hypothesis_board() -> Board:
    return Board(PlayerSettings(time=0.0, nodes=20))


# time -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [0, 10, 60, 200])
@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("btime 0 wtime 0 byoyomi 10000", 10.0),
        ("btime 0 wtime 0 byoyomi 300", 0.3),
        ("btime 5000 wtime 0 byoyomi 1000", 6.0),
        ("btime 60000 wtime 100", 60.0),
        ("btime 60000 wtime 60000 binc 5000 winc 5000", 60.0),
        ("btime 0 wtime 0 binc 5000 winc 5000", 5.0),
        ("movetime 700", 0.7),
        ("btime 0 wtime 99999", 0.0),
        ("btime -100 wtime 5 byoyomi 0", 0.0),
    ],
)
def test_a_move_never_takes_what_the_clock_has_not(words: str, most: float, made: int) -> None:
    for delay in (0.0, 0.2):
        seconds = seconds_of(read_go(words.split()), 1, made, delay)
        assert seconds is not None and 0 <= seconds <= max(most - delay - 0.05, 0.0)


def test_byoyomi_is_used_and_main_time_is_shared_out() -> None:
    def seconds(words: str, made: int = 0) -> float:
        found = seconds_of(read_go(words.split()), 2, made, 0.0)
        assert found is not None
        return found

    assert seconds("btime 0 wtime 0 byoyomi 10000") > 9
    assert seconds("btime 0 wtime 0 winc 10000 binc 0") > 5
    assert 10 < seconds("btime 0 wtime 900000") < 60
    assert seconds("wtime 900000", 60) > seconds("wtime 900000")
    assert seconds_of(read_go(["infinite"]), 1, 0, 0.0) is None


@pytest.mark.system
def test_a_whole_game_on_a_short_clock_is_never_lost_on_time() -> None:
    left = 60.0
    for made in range(200):
        seconds = seconds_of(read_go(["btime", str(int(1000 * left))]), 1, made, 0.0)
        assert seconds is not None
        left -= seconds + 0.05
        assert left > 0


def test_settings_of_the_protocol() -> None:
    assert read_setting(["name", "Skill", "Level", "value", "a", "b"]) == ("Skill Level", "a b")
    assert read_setting(["name", "Clear"]) == ("Clear", "")
    with pytest.raises(GotoolsError):
        read_setting(["value", "3"])
    assert read_go(["infinite", "ponder", "nodes", "0"]).nodes == 1


# the program ----------------------------------------------------------------------------------------------------------


def run(text: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gotools", "usi", "-q", *words]
    return forked.run(command, input=text, capture_output=True, text=True, timeout=120)


@pytest.mark.smoke
@pytest.mark.system
def test_the_program_from_beginning_to_end() -> None:
    done = run("usi\nisready\nusinewgame\nposition startpos\ngo\nisready\nnonsense\n", "--nodes", "200")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name gotools") and "readyok" in lines
    assert lines[-1].startswith("bestmove ") or lines[-2].startswith("bestmove ")


@pytest.mark.system
def test_quit_and_the_end_of_input_end_a_search() -> None:
    for text in ("isready\nposition startpos\ngo infinite\nquit\n", "position startpos\ngo infinite\n"):
        done = run(text)
        assert done.returncode == 0 and re.search(r"^bestmove \S+", done.stdout, re.MULTILINE)


def test_wrong_options_are_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    wrong = (
        (["--eval", "no-such.npz"], 1),
        (["--threads", "4", "--search", "mcts"], 1),
        (["--search", "best"], 2),
        (["--order", "no.tsv"], 1),
    )
    for words, code in wrong:
        assert cli.run(["usi", *words]) == code
        said = capfd.readouterr()
        assert said.out == "" and re.fullmatch(r"gotools usi: .*\n", said.err), said.err


def test_entering_kings_are_those_of_the_rules() -> None:
    game = find_game("shogi").started_from(ENTERED.removeprefix("position sfen "))
    assert p.DECLARE in game.moves_of(game.position())
