"""A teacher: analyses that an empty line ends, what is read of them, the samples made of it, and what is learned."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Container
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from sgfmill import boards
from support.needs import ROOT
from support.scripted_engine import command as scripted
from support.teaching_engine import command

from gotools import cli
from gotools.base.errors import EngineError, MissingTool
from gotools.files.tables import read_header
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.go import GO, point_of
from gotools.games.go.kernels.game import KOMI2
from gotools.games.go.points import PASS, parse_vertex, vertex
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure
from gotools.jit.kernels.seams import ONGOING
from gotools.values.network.search_games import OF_SAMPLES, PlayedGames, SearchGames, SearchGameSettings, none_played
from gotools.values.network.teaching import Advice, taught
from gotools.values.training.gtp_programs import GtpTeacher, gtp_teacher
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import load_weights

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")

SIZE, KOMI = 5, 0.5
CORNERS = {"A1", "A5", "E1", "E5"}
OURS = [sys.executable, "-m", "gotools", "gtp", "--quiet", "--eval", "none"]
NUMBERED = "info move D4 visits {n} winrate 0.5 order 0 pv D4 C3"


def visits_in(line: str) -> int:
    return sum(int(found) for found in re.findall(r" visits (\d+)", line))


def never(line: str) -> bool:
    return False


# analyses that something ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [(), ("no-id",)])
def test_an_empty_line_ends_an_analysis_once_there_is_enough(how: tuple[str, ...]) -> None:
    with GtpEngine(command(*how, line=NUMBERED)) as engine:
        for times in (1, 2):
            seen: list[str] = []

            def enough(line: str, seen: list[str] = seen) -> bool:
                seen.append(line)
                return visits_in(line) >= 20

            last = engine.ask_until("kata-analyze b 2", enough)
            assert set(seen) <= {NUMBERED.format(n=n) for n in range(1, visits_in(last) + 1)}
            assert [visits_in(line) >= 20 for line in seen] == [False] * (len(seen) - 1) + [True]
            assert last == NUMBERED.format(n=visits_in(last)) and visits_in(last) >= visits_in(seen[-1])
            assert engine.ask("name") == "scripted"  # and not what is left of the analysis
            assert engine.ask("empty_lines") == str(times)
        assert bool(engine.notes) == bool(how)


def test_an_analysis_that_ends_by_itself_is_an_answer() -> None:
    with GtpEngine(command("ends-analysis", line=NUMBERED, reports=3)) as engine:
        assert engine.ask_until("kata-analyze b 2", never) == NUMBERED.format(n=3)
        assert engine.ask("list_commands").count("\n") > 5  # other answers have all their lines
        assert engine.ask("empty_lines") == "0"
        assert engine.ask_until("name", never) == "scripted"
        assert engine.notes == []


@pytest.mark.parametrize(
    ("options", "visits"),
    [({"reports": 4}, range(4, 5)), ({}, range(5, 10**6)), ({"reports": 1, "delay": 0.7}, range(1, 2))],
    ids=["too little", "never enough", "late"],
)
@pytest.mark.system
def test_what_there_is_at_half_of_the_time_is_the_answer(options: dict[str, float], visits: range) -> None:
    with GtpEngine(command(line=NUMBERED, **options)) as engine:
        assert engine.ask("name") == "scripted"
        for times in (1, 2):
            seen: list[str] = []

            def enough(line: str, seen: list[str] = seen) -> bool:
                seen.append(line)
                return False

            began = time.monotonic()
            last = engine.ask_until("kata-analyze b 2", enough, timeout=1)
            assert time.monotonic() - began >= 0.5
            assert last == NUMBERED.format(n=visits_in(last)) and visits_in(last) in visits
            assert visits_in(last) >= max(map(visits_in, seen), default=0) and bool(seen) == ("delay" not in options)
            assert engine.ask("empty_lines") == str(times)
        assert engine.alive and engine.notes == []


@pytest.mark.parametrize(
    ("how", "options", "ends"),
    [
        ((), {"reports": 0}, False),
        (("deaf-in-analysis",), {}, True),
        (("deaf-in-analysis",), {}, False),
    ],
    ids=["nothing", "deaf", "deaf, never enough"],
)
@pytest.mark.system
def test_an_analysis_without_an_end_is_a_stall(how: tuple[str, ...], options: dict[str, int], ends: bool) -> None:
    seen: list[str] = []

    def enough(line: str) -> bool:
        seen.append(line)
        return ends

    with GtpEngine(command(*how, line=NUMBERED, **options)) as engine:
        assert engine.ask("name") == "scripted"
        with pytest.raises(
            GtpFailure, match=r"did not finish its answer to `kata-analyze b 2` within 0\.5 s"
        ) as failure:
            engine.ask_until("kata-analyze b 2", enough, timeout=0.5)
        assert failure.value.kind is FailureKind.stall and not engine.alive
        with pytest.raises(GtpFailure, match="no longer running"):
            engine.ask_until("kata-analyze b 2", enough)
    assert bool(seen) == (options != {"reports": 0})
    assert not ends or len(seen) == 1


def test_a_report_without_an_end_is_a_flood() -> None:
    with GtpEngine(command("floods-in-analysis", line=NUMBERED, at=3)) as engine:
        with pytest.raises(GtpFailure, match="wrote an answer longer than 1 MiB at `kata-analyze b 2`") as failure:
            engine.ask_until("kata-analyze b 2", never)
        assert failure.value.kind is FailureKind.flood and not engine.alive


def test_an_analysis_that_is_refused_leaves_the_engine_alive() -> None:
    with GtpEngine(command("refuses-analysis")) as engine:
        with pytest.raises(GtpFailure, match="refuses `kata-analyze b 2`: not now") as failure:
            engine.ask_until("kata-analyze b 2", lambda line: pytest.fail(line))
        assert failure.value.kind is FailureKind.refused and failure.value.answer == "not now"
        with pytest.raises(ValueError, match="one line"):
            engine.ask_until("kata-analyze b 2\nquit", never)
        assert engine.ask("name") == "scripted" and engine.ask("empty_lines") == "0"


@pytest.mark.parametrize("how", ["dies-in-analysis", "dies-at-empty"])
def test_an_engine_that_dies_in_an_analysis_says_how(how: str) -> None:
    with GtpEngine(command(how, line=NUMBERED, at=4)) as engine:
        died = r"died at `kata-analyze b 2` \(exit code 3\); it last said: out of stones"
        with pytest.raises(GtpFailure, match=died) as failure:
            engine.ask_until("kata-analyze b 2", lambda line: how == "dies-at-empty" and visits_in(line) >= 2)
        assert failure.value.kind is FailureKind.crash and not engine.alive


# what is read of them -------------------------------------------------------------------------------------------------

KATAGO = (
    "info move D4 visits 30 edgeVisits 29 utility 0.2 winrate 0.6 scoreMean 1.5 scoreStdev 8.9 scoreLead 1.5 "
    "scoreSelfplay 2 prior 0.25 lcb 0.57 utilityLcb 0.1 weight 44.5 order 0 pv D4 C3 pvVisits 30 12 "
    "info move pass visits 10 edgeVisits 10 utility -0.9 winrate 0.2 scoreLead -9 prior 0.01 lcb 0.1 isSymmetryOf D4 "
    "order 1 pv pass rootInfo visits 41 utility 0.1 winrate 0.9 scoreLead 1.2 ownership 0.1 -0.2 0.3"
)
LEELA = (
    "info move D4 visits 30 winrate 6000 prior 2500 lcb 5700 order 0 pv D4 C3 "
    "info move pass visits 10 winrate 2000 prior 100 lcb 1000 order 1 pv pass"
)


@pytest.mark.parametrize(
    ("analyses", "line"),
    [("kata", KATAGO), ("both", KATAGO), ("lz", LEELA)],
)
def test_both_analyses_are_read(analyses: str, line: str) -> None:
    """The winrate is the mean over the visits: 30 of 40 at 0.6, 10 at 0.2."""
    with GtpEngine(command(analyses=analyses, line=line)) as engine:
        advice = GtpTeacher(engine).advise(BLACK, 40)
    assert (advice.moves, advice.visits) == (("D4", "pass"), (30, 10))
    assert advice.winrate == pytest.approx(0.5)


RAW = """symmetry 0
whiteWin 0.25
whiteLoss 0.75
noResult 0
policy
{rows}
policyPass {passing}
whiteOwnership
0.1 0.2 0.3
"""
ROWS = "0.5 NAN 0.0625\n0 0 0.125 \n0.25 1e-05 0"  # the upper left corner first, as a board is drawn


def test_of_one_visit_the_policy_of_a_network_is_asked(tmp_path: Path) -> None:
    (tmp_path / "raw").write_text(RAW.format(rows=ROWS, passing=0.0625))
    with GtpEngine(command(policy=tmp_path / "raw", line="info move B2 visits 3 winrate 1")) as engine:
        teacher = GtpTeacher(engine)
        teacher.begin(3, 0.5)
        assert teacher.advise(BLACK, 2) == Advice(("B2",), (3,), 1.0)
        advice = teacher.advise(BLACK, 1)
        assert dict(zip(advice.moves, advice.visits, strict=True)) == {
            "A3": 5000, "C3": 625, "A2": 0, "B2": 0, "C2": 1250, "A1": 2500, "B1": 0, "C1": 0, "pass": 625,
        }  # fmt: skip
        assert (advice.winrate, teacher.advise(WHITE, 1).winrate) == (0.75, 0.25)


@pytest.mark.parametrize(
    ("rows", "passing"),
    [("0.5 0.5", "0"), (ROWS + " 0.5", "0"), (ROWS, "half"), (ROWS.replace("0.25", "1.25"), "0"), (ROWS, "-0.5"),
     (ROWS.replace("0.25", "inf"), "0")],
)  # fmt: skip
def test_what_is_no_policy_is_an_error(rows: str, passing: str, tmp_path: Path) -> None:
    (tmp_path / "raw").write_text(RAW.format(rows=rows, passing=passing))
    with GtpEngine(command(policy=tmp_path / "raw")) as engine:
        teacher = GtpTeacher(engine)
        teacher.begin(3, 0.5)
        with pytest.raises(EngineError, match="answers kata-raw-nn by what cannot be read"):
            teacher.advise(BLACK, 1)
        assert engine.ask("name") == "scripted"


@pytest.mark.parametrize(
    ("analyses", "numbers", "winrate"),
    [
        ("kata", "visits 3 winrate 1", 1.0),
        ("kata", "visits 3 winrate 0.000000", 0.0),
        ("kata", "visits 3 winrate 1e-1", 0.1),
        ("lz", "visits 3 winrate 10000", 1.0),
        ("lz", "visits 3 winrate 1", 0.0001),
        ("lz", "winrate 0 order 0 visits 3", 0.0),
    ],
)
def test_the_ends_of_the_scales(analyses: str, numbers: str, winrate: float) -> None:
    with GtpEngine(command(analyses=analyses, line=f"info move c3 {numbers} pv c3")) as engine:
        advice = GtpTeacher(engine).advise(WHITE, 3)
    assert (advice.moves, advice.visits) == (("c3",), (3,)) and advice.winrate == pytest.approx(winrate)


def test_the_last_report_counts_and_has_as_many_visits_as_asked_for() -> None:
    line = "info move A1 visits {n} winrate 1 order 0 info move B1 visits 0 winrate 1 info move C1 visits {n} winrate 0"
    with GtpEngine(command(line=line)) as engine:
        teacher = GtpTeacher(engine)
        for wanted in (1, 40, 7):
            advice = teacher.advise(BLACK, wanted)
            assert advice.moves == ("A1", "B1", "C1") and advice.visits[0] == advice.visits[2] >= wanted / 2
            assert advice.winrate == pytest.approx(0.5)
    with GtpEngine(command("ends-analysis", line=line, reports=6)) as engine:  # fewer, where it has no more
        assert GtpTeacher(engine).advise(BLACK, 1000).visits == (6, 0, 6)


def test_a_teacher_follows_the_game_and_sees_it_as_the_side_to_play() -> None:
    with GtpEngine(command()) as engine:
        teacher = GtpTeacher(engine)
        assert teacher.name == engine.name
        for size, komi, score in ((7, 3.5, "B+45.5"), (5, -2, "B+27")):
            teacher.begin(size, komi)
            assert set(teacher.advise(BLACK, 4).moves) == {
                "A1",
                vertex(size - 1, size),
                f"A{size}",
                f"{'EG'[size > 5]}{size}",
            }
            assert teacher.play(BLACK, "A1") is True
            assert teacher.play(WHITE, "pass") is True
            assert teacher.play(BLACK, "C4") is True
            assert engine.ask("list_stones black") == "A1 C4" and engine.ask("final_score") == score
            assert "A1" not in teacher.advise(WHITE, 4).moves
            assert teacher.advise(WHITE, 4).winrate == pytest.approx(0.1)
            assert teacher.advise(BLACK, 4).winrate == pytest.approx(0.9)
            assert teacher.play(WHITE, "A1") is False
            assert engine.ask("list_stones black") == "A1 C4" and engine.ask("list_stones white") == ""
        with pytest.raises(GtpFailure, match="refuses `boardsize 99`"):
            teacher.begin(99, 0.5)


@pytest.mark.parametrize(
    ("how", "kind"), [("dies-at-play", FailureKind.crash), ("hangs-at-play", FailureKind.stall)], ids=["dies", "hangs"]
)
@pytest.mark.system
def test_a_program_that_fails_at_a_move_has_not_refused_it(how: str, kind: FailureKind) -> None:
    with gtp_teacher(command(how, at=2), timeout=0.5) as teacher:
        teacher.begin(5, 0.5)
        assert teacher.play(BLACK, "A1")
        with pytest.raises(GtpFailure, match="`play w B1`") as failure:
            teacher.play(WHITE, "B1")
        assert failure.value.kind is kind


@pytest.mark.system
def test_a_teacher_of_few_visits_says_what_it_has() -> None:
    line = "info move A1 visits {n} winrate 1 info move B1 visits 0 winrate 0"
    with gtp_teacher(command(line=line, reports=3), timeout=1) as teacher:
        for side in (BLACK, WHITE):
            assert teacher.advise(side, 1000) == Advice(("A1", "B1"), (3, 0), 1.0)
    with gtp_teacher(command(line="thinking hard"), timeout=1) as teacher:
        with pytest.raises(EngineError, match="analysed nothing") as failure:
            teacher.advise(BLACK, 1000)
        assert not isinstance(failure.value, GtpFailure)
        assert teacher.play(BLACK, "A1")


@pytest.mark.parametrize(
    ("analyses", "line", "message"),
    [
        ("kata", "info", "analysed nothing"),
        ("kata", "thinking hard", "analysed nothing"),
        ("kata", "info hello", "an unreadable analysis line: 'hello'"),
        ("kata", "info move", "an unreadable analysis line: 'move'"),
        ("kata", "info move D4 visits", "an unreadable analysis line"),
        ("kata", "info move D4 winrate 0.5", "an unreadable analysis line"),
        ("kata", "info move D4 visits 4", "an unreadable analysis line"),
        ("kata", "info visits 4 winrate 0.5", "an unreadable analysis line"),
        ("kata", "info move D4 visits many winrate 0.5", "an unreadable analysis line"),
        ("kata", "info move D4 visits 4.5 winrate 0.5", "an unreadable analysis line"),
        ("kata", f"info move D4 visits 1{'0' * 9999} winrate 0.5", "an unreadable analysis line"),
        ("kata", "info move D4 visits 4 winrate half", "an unreadable analysis line"),
        (
            "kata",
            "info move D4 visits 4 winrate 0.5 info move C3 visits 9",
            "an unreadable analysis line: 'move C3 visits 9'",
        ),
        (
            "kata",
            "info move D4 visits -4 winrate 0.5",
            "an analysis line with invalid numbers: 'move D4 visits -4 winrate 0.5'",
        ),
        ("kata", "info move D4 visits 9 winrate 0.5 info move C3 visits -1 winrate 0.5", "invalid numbers"),
        ("kata", "info move D4 visits 4 winrate 1.01", "invalid numbers"),
        ("kata", "info move D4 visits 4 winrate -0.01", "invalid numbers"),
        ("kata", "info move D4 visits 4 winrate nan", "invalid numbers"),
        ("kata", "info move D4 visits 4 winrate inf", "invalid numbers"),
        ("kata", "info move D4 visits 4 winrate 4650", "invalid numbers"),
        ("lz", "info move D4 visits 4 winrate 10001", "invalid numbers"),
        ("lz", "info move D4 visits 4 winrate -1", "invalid numbers"),
        ("kata", "info \u202emove \u009b31m " + "x" * 5000, "an unreadable analysis line"),
    ],
)
def test_what_is_no_analysis_is_one_line_and_the_engine_goes_on(analyses: str, line: str, message: str) -> None:
    how = ["ends-analysis"] if message == "analysed nothing" else []
    with GtpEngine(command(*how, analyses=analyses, line=line, reports=2 if how else 10**9)) as engine:
        teacher = GtpTeacher(engine)
        with pytest.raises(EngineError) as failure:
            teacher.advise(BLACK, 4)
        assert not isinstance(failure.value, GtpFailure)
        assert failure.value.engine == engine.name and message in failure.value.what
        assert failure.value.what.isprintable() and len(failure.value.what) < 200
        teacher.begin(5, 0.5)
        teacher.play(BLACK, "C3")
        assert engine.ask("list_stones b") == "C3"


@pytest.mark.parametrize("visits", [10**12 + 1, 10**400, -(10**400)])
def test_more_visits_than_there_can_be_are_an_error(visits: int) -> None:
    with GtpEngine(command(line=f"info move D4 visits {visits} winrate 0.5")) as engine:
        with pytest.raises(EngineError, match="an analysis line with invalid numbers: 'move D4 visits") as failure:
            GtpTeacher(engine).advise(BLACK, 4)
        assert not isinstance(failure.value, GtpFailure) and len(failure.value.what) < 200
    with GtpEngine(command(line=f"info move D4 visits {10**12} winrate 0.5")) as engine:
        assert GtpTeacher(engine).advise(BLACK, 4) == Advice(("D4",), (10**12,), 0.5)


def test_an_analysis_may_take_long() -> None:
    """A second of reports as KataGo writes them, of 30 moves: 100 lines of 12 KB."""
    part = "info move D4 visits {n} winrate 0.5 " + "x" * 350 + " "
    with GtpEngine(command(line=part * 30)) as engine:
        assert GtpTeacher(engine).advise(BLACK, 30 * 100).visits[0] >= 100


def test_an_engine_that_analyses_nothing_cannot_teach() -> None:
    for line in (command(analyses="none"), scripted("unknown")):
        with (
            pytest.raises(EngineError, match="knows neither kata-analyze nor lz-analyze") as failure,
            gtp_teacher(line),
        ):
            pytest.fail("it began")
        assert str(failure.value).startswith("engine `") and "\n" not in str(failure.value)


def test_a_teacher_is_started_and_ended(tmp_path: Path) -> None:
    with gtp_teacher(command(pid=tmp_path / "pid")) as teacher:
        process = int((tmp_path / "pid").read_text())
        os.kill(process, 0)
        assert set(teacher.advise(BLACK, 4).moves) == {"A1", "A9", "J1", "J9"}
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(MissingTool, match="no-such-program"), gtp_teacher("no-such-program --gtp"):
        pytest.fail("it began")
    with gtp_teacher(command(reports=0), timeout=0.5) as teacher:
        teacher.begin(5, 0.5)
        with pytest.raises(GtpFailure, match=r"did not finish its answer to `kata-analyze w \d+` within 0.5 s"):
            teacher.advise(WHITE, 4)


def test_our_own_player_teaches() -> None:
    """A board that no komi can turn round is won for one side, whichever is to play."""
    with GtpEngine(OURS) as engine:
        engine.ask("boardsize 5")
        for name, sure in (("lz-analyze", 10_000), ("kata-analyze", 1)):
            seen: list[str] = []

            def enough(line: str, seen: list[str] = seen) -> bool:
                seen.append(line)
                return visits_in(line) >= 100

            last = engine.ask_until(f"{name} b 2", enough)
            assert visits_in(last) >= visits_in(seen[-1]) >= 100 and "\n" not in last
            for line in [*seen, last]:
                assert all(0 <= float(found) <= sure for found in re.findall(r" winrate (\S+)", line))
            assert engine.ask("protocol_version") == "2"
        teacher = GtpTeacher(engine)
        for komi, winner in ((-40.5, BLACK), (40.5, WHITE)):
            teacher.begin(5, komi)
            assert teacher.play(BLACK, "C3")
            for side in (BLACK, WHITE):
                advice = teacher.advise(side, 200)
                assert sum(advice.visits) >= 200 and abs(advice.winrate - (side == winner)) < 0.05
                board = Board(5)
                board.play_point(parse_vertex("C3", 5), BLACK)
                assert all(board.is_legal(parse_vertex(move, 5), side) for move in advice.moves)
        assert engine.notes == []


# samples that are made of it ------------------------------------------------------------------------------------------

Opinion = Callable[[Board, int], Advice]


class ScriptedTeacher:
    """A program in this process: keeps a board of its own, and says of it what `opinion` says.

    refuses -- moves that it refuses: the number of the game, and of moves sent to it before
    """

    name = "a teacher of ours"

    def __init__(self, opinion: Opinion, refuses: Container[tuple[int, int]] = ()) -> None:
        self._opinion, self._refuses = opinion, refuses
        self.begun: list[tuple[int, float]] = []
        self.sent: list[list[str]] = []
        """The moves of each game begun, those that it refused included."""
        self.asked: list[tuple[int, list[int], int, int]] = []
        """Of each analysis: which of the games begun, the stones, the side to play, the visits wanted."""
        self.given: list[Advice] = []

    def begin(self, size: int, komi: float) -> None:
        self._board, self._refused = Board(size), False
        self.begun.append((size, komi))
        self.sent.append([])

    def play(self, side: int, move: str) -> bool:
        assert not self._refused
        point = parse_vertex(move, self._board.side)
        assert self._board.to_play == side and self._board.is_legal(point, side)
        self._refused = (len(self.begun) - 1, len(self.sent[-1])) in self._refuses
        self.sent[-1].append(move)
        if not self._refused:
            self._board.play_point(point, side)
        return not self._refused

    def advise(self, side: int, visits: int) -> Advice:
        assert self._board.to_play == side and not self._refused
        self.asked.append((len(self.begun) - 1, self._board.cells.tolist(), side, visits))
        self.given.append(self._opinion(self._board, side))
        return self.given[-1]


def is_eye(cells: list[int], point: int, side: int) -> bool:
    """Return whether all around a point is a side's, but one of four diagonal points."""
    row, column = divmod(point, SIZE)

    def seen(steps: list[tuple[int, int]]) -> list[int]:
        near = [(row + y, column + x) for y, x in steps]
        return [cells[y * SIZE + x] for y, x in near if 0 <= y < SIZE and 0 <= x < SIZE]

    diagonals = seen([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    beside = seen([(-1, 0), (0, -1), (0, 1), (1, 0)])
    return set(beside) == {side} and diagonals.count(3 - side) <= (len(diagonals) == 4)


def kept_of(teacher: ScriptedTeacher) -> list[list[tuple[int, str]]]:
    """Return the visits and moves of each analysis, most visited first, without own eyes and what has no visits."""
    return [
        sorted(
            (
                (n, move)
                for n, move in zip(advice.visits, advice.moves, strict=True)
                if n and (move == "pass" or not is_eye(cells, parse_vertex(move, SIZE), side))
            ),
            reverse=True,
        )
        for advice, (_, cells, side, _) in zip(teacher.given, teacher.asked, strict=True)
    ]


def some_of_all(board: Board, side: int) -> Advice:
    """Visit many moves, each another number of times."""
    chance = np.random.default_rng([board.hash % 2**32, side])
    points = [*board.legal_points(side), PASS]
    points = [points[i] for i in chance.permutation(len(points))[: 1 + chance.integers(24)]]
    visits = tuple((3 + chance.permutation(len(points))).tolist())
    return Advice(tuple(vertex(point, board.side) for point in points), visits, float(chance.random()))


def game_of(number: int, texts: list[str], plies: list[int], komi2: int = 1) -> PlayedGames:
    """Return a game of these moves with samples at these plies, and something in all the rest."""
    found, chance = none_played(SIZE * SIZE), np.random.default_rng(number)
    n = len(plies)
    return PlayedGames(
        game=np.array([number], np.int64),
        start=np.array([-1], np.int32),
        komi2=np.array([komi2], np.int16),
        result=np.array([chance.choice([-1, 1])], np.int8),
        lead=chance.normal(size=1).astype(np.float32),
        owned=chance.integers(-1, 2, (1, SIZE * SIZE), np.int8),
        length=np.array([len(texts)], np.int32),
        moves=np.array([GO.parse_move(text, SIZE) for text in texts], np.int16),
        of=np.zeros(n, np.int32),
        ply=np.array(plies, np.int32),
        tried=np.ones((n, found.tried.shape[1]), np.int16),
        shares=np.full((n, found.shares.shape[1]), 16, np.uint8),
        worth=np.full(n, np.nan, np.float32),
    )


def random_game(seed: int) -> list[str]:
    """Return a game of random legal moves, passes included."""
    chance, state, texts = np.random.default_rng(seed), GO.position(SIZE), list[str]()
    while GO.outcome(state) == ONGOING and len(texts) < 40:
        move = int(chance.choice(GO.moves_of(state)))
        texts.append(GO.move_text(move, SIZE))
        state = GO.play(state, move)
    return texts


@cache
def games() -> PlayedGames:
    """Return games with samples everywhere, nowhere, at the beginning, at the end, at some places; of several komi."""
    texts = [random_game(seed) for seed in range(6)]
    plies = [list(range(len(texts[0]))), [], [0], [len(texts[3]) - 1], list(range(3, len(texts[4]), 3)), []]
    found = none_played(SIZE * SIZE)
    for number in range(6):
        found = found.joined(game_of(7 + number, texts[number], plies[number], (1, 3, -4, 15, 0, 1)[number]))
    return found


def some_of_some(board: Board, side: int) -> Advice:
    """Visit many moves, or none, or own eyes only where there are some."""
    chance, said = np.random.default_rng([board.hash % 2**32, side, 1]), some_of_all(board, side)
    if chance.random() < 0.3:
        return Advice((), (), 0.5)
    if chance.random() < 0.3:
        return replace(said, visits=(0,) * len(said.visits))
    cells = board.cells.tolist()
    eyes = [point for point in board.legal_points(side) if is_eye(cells, point, side)]
    return Advice(tuple(vertex(point, SIZE) for point in eyes), (7,) * len(eyes), 0.25) if eyes else said


def after(texts: list[str]) -> np.ndarray:
    state = GO.position(SIZE)
    for text in texts:
        state = GO.play(state, GO.parse_move(text, SIZE))
    return state


def start(komi2: int) -> np.ndarray:
    state = GO.position(SIZE)
    state[KOMI2] = komi2
    return state


def taught_by(teacher: ScriptedTeacher, found: PlayedGames, visits: int = 50) -> PlayedGames:
    return taught(found, GO, SIZE, teacher, visits, [start(komi2) for komi2 in found.komi2.tolist()])


def cells_on_sgfmill(moves: list[int]) -> list[int]:
    """Return the stones after some moves, black's the first, on sgfmill's board."""
    board = boards.Board(SIZE)
    for ply, move in enumerate(moves):
        if (point := point_of(move, SIZE)) != PASS:
            board.play(*divmod(point, SIZE), "bw"[ply % 2])
    return [{None: 0, "b": 1, "w": 2}[board.get(*divmod(point, SIZE))] for point in range(SIZE * SIZE)]


def test_a_teacher_sees_the_positions_of_the_samples() -> None:
    found, teacher = games(), ScriptedTeacher(some_of_all)
    taught_by(teacher, found, 77)
    ends = np.cumsum(found.length).tolist()
    with_samples = sorted(set(found.of.tolist()))
    assert with_samples == [0, 2, 3, 4]
    assert teacher.begun == [(SIZE, found.komi2[of] / 2) for of in with_samples]  # the others are skipped
    wanted = []
    for of, ply in zip(found.of.tolist(), found.ply.tolist(), strict=True):
        before = found.moves[ends[of] - found.length[of] :][:ply].tolist()
        wanted.append((with_samples.index(of), cells_on_sgfmill(before), 1 + ply % 2, 77))
    assert teacher.asked == wanted and len(wanted) > 30
    for sent, of in zip(teacher.sent, with_samples, strict=True):  # and nothing of what comes after the last sample
        last = int(found.ply[found.of == of].max())
        moves = found.moves[ends[of] - found.length[of] :][:last].tolist()
        assert sent == [GO.move_text(move, SIZE) for move in moves]
    assert any(
        sum(cells > 0 for cells in stones) < ply for (_, stones, _, _), ply in zip(wanted, found.ply, strict=True)
    )


@pytest.mark.parametrize("opinion", [some_of_all, some_of_some])
def test_samples_are_the_most_visited_moves_and_the_winrate(opinion: Opinion) -> None:
    """Own eyes left out, and samples of which nothing is left."""
    found, teacher = games(), ScriptedTeacher(opinion)
    made, all_kept = taught_by(teacher, found), 0
    told = kept_of(teacher)
    rows = [row for row, kept in enumerate(told) if kept]
    assert np.array_equal(made.of, found.of[rows]) and np.array_equal(made.ply, found.ply[rows])
    for row, place in enumerate(rows):
        total, order = sum(visits for visits, _ in told[place]), told[place][:16]
        kept = made.shares[row] > 0
        assert [GO.move_text(int(move), SIZE) for move in made.tried[row, kept]] == [move for _, move in order]
        exact = [255 * visits / total for visits, _ in order]
        assert np.abs(made.shares[row, kept] - exact).max() <= 0.5
        if len(told[place]) <= 16:
            assert abs(int(made.shares[row].sum()) - 255) <= len(order) / 2
            all_kept += 1
        assert made.worth[row] == pytest.approx(2 * teacher.given[place].winrate - 1, abs=1e-6)
    assert 0 < all_kept < len(made) and len(teacher.given) == len(found)
    assert any(len(kept) < len(advice.moves) for kept, advice in zip(told, teacher.given, strict=True))
    assert opinion is some_of_all or len(made) < len(found) - 10
    assert opinion is some_of_all or any(advice.moves and advice.winrate == 0.25 for advice in teacher.given)


@pytest.mark.parametrize("opinion", [some_of_all, some_of_some])
def test_all_else_stays_as_it_was(opinion: Opinion) -> None:
    found, teacher = games(), ScriptedTeacher(opinion)
    before = {name: array.copy() for name, array in found.arrays.items()}
    made = taught_by(teacher, found)
    rows = [row for row, kept in enumerate(kept_of(teacher)) if kept]
    for name, array in before.items():
        assert np.array_equal(found.arrays[name], array, equal_nan=name == "worth")
        wanted = array[rows] if name in OF_SAMPLES else array
        assert made.arrays[name].dtype == wanted.dtype and made.arrays[name].shape == wanted.shape
        assert np.array_equal(made.arrays[name], wanted) == (name not in ("tried", "shares", "worth"))
    assert not np.isnan(made.worth).any()


@pytest.mark.parametrize(
    ("refused", "of", "last"),
    [
        ([(0, 0)], 0, 0),
        ([(0, 5)], 0, 5),
        ([(0, 5), (0, 7)], 0, 5),
        ([(3, 2)], 4, -1),
        ([(3, 3)], 4, 3),
        ([(3, 4)], 4, 3),
        ([(1, 0)], 2, 0),  # the move after the last sample, of which it hears nothing
    ],
)
def test_a_refused_move_ends_what_is_learned_of_a_game(refused: list[tuple[int, int]], of: int, last: int) -> None:
    """Samples up to the move stay, as do all those of other games."""
    found, plain = games(), ScriptedTeacher(some_of_all)
    whole, teacher = taught_by(plain, found), ScriptedTeacher(some_of_all, refused)
    made = taught_by(teacher, found)
    rows = (whole.of != of) | (whole.ply <= last)
    assert rows.all() == (of == 2) and (of == 2 or (whole.of[~rows] == of).all())
    for name, array in whole.arrays.items():
        assert np.array_equal(made.arrays[name], array[rows] if name in OF_SAMPLES else array)
    assert teacher.begun == plain.begun
    assert len(teacher.asked) == ((found.of != of) | (found.ply <= last)).sum()
    for number, (sent, wanted) in enumerate(zip(teacher.sent, plain.sent, strict=True)):
        assert sent == (wanted[: refused[0][1] + 1] if number == refused[0][0] else wanted)


def test_games_of_which_nothing_is_said_stay_without_samples() -> None:
    found = games()
    made = taught_by(ScriptedTeacher(lambda *_: Advice((), (), 0.5)), found)
    for name, array in found.arrays.items():
        assert made.arrays[name].dtype == array.dtype
        assert np.array_equal(made.arrays[name], array[:0] if name in OF_SAMPLES else array)
    assert len(found.joined(made).joined(found).of) == 2 * len(found)


def test_shares_of_few_visits_and_of_many() -> None:
    """A move without visits is none; one in two million is too little for a share."""
    advice = Advice(("PASS", "a1", "E5", "C3"), (1, 0, 1_999_999, 1), 1.0)
    made = taught_by(ScriptedTeacher(lambda *_: advice), game_of(0, ["D4", "D3"], [1]))
    assert (made.tried[0, 0], made.shares[0].tolist()) == (GO.parse_move("E5", SIZE), [255] + [0] * 15)
    advice = Advice(("Pass",), (1,), 0.0)
    made = taught_by(ScriptedTeacher(lambda *_: advice), game_of(0, ["D4", "D3"], [1]))
    assert (made.tried[0, 0], made.shares[0].tolist()) == (GO.pass_move, [255] + [0] * 15)
    assert made.worth.tolist() == [-1.0]


KO = ["B3", "D4", "C4", "D2", "C2", "E3", "A5", "C3", "D3"]
"""Black took a stone at C3 last."""
EYE = ["A2", "E5", "B1"]
"""White may not play A1."""


@pytest.mark.parametrize(
    ("texts", "move"),
    [
        (KO, "D3"),
        (KO, "C3"),
        (EYE, "A1"),
        ([], "F1"),
        ([], "A6"),
        ([], "Z9"),
        ([], "resign"),
        ([], ""),
        ([], "-"),
        ([], "3 3"),
        ([], "\x1b]0;mine\x07\u202e"),
    ],
)
@pytest.mark.parametrize("visits", [(9, 3), (9, 0), (0, 0)])
def test_a_move_that_is_not_legal_is_an_error(texts: list[str], move: str, visits: tuple[int, int]) -> None:
    teacher = ScriptedTeacher(lambda *_: Advice(("E1", move), visits, 0.5))
    with pytest.raises(EngineError, match="which is not a legal move") as failure:
        taught_by(teacher, game_of(0, [*texts, "pass"], [len(texts)]))
    assert failure.value.engine == teacher.name and str(failure.value).isprintable()
    legal = ScriptedTeacher(lambda *_: Advice(("E1", "pass"), (9, 3), 0.5))
    assert taught_by(legal, game_of(0, [*texts, "pass"], [len(texts)])).shares[0, :2].tolist() == [191, 64]


OWN_EYES = ["A2", "E5", "B1", "E4", "B2", "C5", "A4", "pass", "B5", "pass", "B4", "pass"]
"""Black may play A1 and A5, own eyes both."""


@pytest.mark.parametrize(
    ("moves", "visits", "kept"),
    [
        ((), (), {}),
        (("C3", "D3"), (0, 0), {}),
        (("A1",), (9,), {}),
        (("A1", "C3", "A5"), (9, 0, 40), {}),
        (("A1", "C3"), (10**12, 1), {"C3": 255}),
        (("C3", "A5", "pass"), (3, 12, 9), {"pass": 191, "C3": 64}),
    ],
)
def test_what_a_teacher_has_nothing_to_say_of_is_no_sample(
    moves: tuple[str, ...], visits: tuple[int, ...], kept: dict[str, int]
) -> None:
    assert {GO.parse_move(eye, SIZE) for eye in ("A1", "A5")} <= set(GO.moves_of(after(OWN_EYES)))
    last = len(OWN_EYES)
    found = game_of(0, [*OWN_EYES, "D3", "pass"], [0, last, last + 1])
    told = [Advice(("E1",), (5,), 0.75), Advice(moves, visits, 0.5), Advice(("E2",), (5,), 0.25)]
    opinions = iter(told)
    made = taught_by(ScriptedTeacher(lambda *_: next(opinions)), found)
    texts = [
        {GO.move_text(int(move), SIZE): int(share) for move, share in zip(tried, shares, strict=True) if share}
        for tried, shares in zip(made.tried, made.shares, strict=True)
    ]
    assert texts == [{"E1": 255}, *([kept] if kept else []), {"E2": 255}]
    assert made.ply.tolist() == [0, *([last] if kept else []), last + 1] and not made.of.any()
    assert made.worth.tolist() == [0.5, *([0.0] if kept else []), -0.5]


def test_a_batch_has_the_teachers_value_or_else_the_result() -> None:
    table = SearchGames(GO, SIZE, KOMI, SearchGameSettings(), 0.5, 3)
    plain = games()
    made = taught_by(ScriptedTeacher(some_of_all), plain)
    assert len(made) == len(plain)
    made.worth[::3] = np.nan
    rows = np.arange(len(made))
    for turned in (False, True):
        batch = table.batch(made, rows, turned)
        for row in rows.tolist():
            won = float(made.result[made.of[row]]) * (1, -1)[made.ply[row] % 2]
            assert batch.result[row] == pytest.approx(won if row % 3 == 0 else made.worth[row])
        assert (table.batch(plain, rows, turned).result[::3] == batch.result[::3]).all()
    batch = table.batch(made, rows, turned=False)
    for row in rows.tolist():
        wanted = np.zeros(SIZE * SIZE + 1)
        for move, share in zip(made.tried[row].tolist(), made.shares[row].tolist(), strict=True):
            if share:
                point = point_of(move, SIZE)
                wanted[SIZE * SIZE if point == PASS else point] = share / made.shares[row].sum()
        assert batch.policy[row].tolist() == pytest.approx(wanted.tolist(), abs=1e-6)


# what is learned ------------------------------------------------------------------------------------------------------

TRAIN = ["--features", "planes", "--network", "conv:1x16", "--size", "5", "--komi", "0.5", "--batch", "32"]
TRAIN += ["--playouts", "10", "--jobs", "1", "-q"]


def train(folder: Path, teacher: str, *arguments: object) -> int:
    folder.mkdir(exist_ok=True)
    files = ["-o", str(folder / "eval.npz"), "--log", str(folder / "log.tsv")]
    return cli.run(["train-eval", *TRAIN, *files, "--teacher", teacher, *map(str, arguments)])


def said(capfd: pytest.CaptureFixture[str]) -> str:
    """Return the one line that a command said."""
    shown = capfd.readouterr()
    assert shown.out == "" and shown.err.startswith("gotools train-eval: ") and shown.err.count("\n") == 1
    return shown.err


def table(path: Path) -> list[dict[str, float]]:
    rows = path.read_text(encoding="utf-8").splitlines()
    _, columns, first = read_header(rows, "training-log", 2)
    return [dict(zip(columns, map(float, row.split("\t")), strict=True)) for row in rows[first:]]


@needs_torch
@pytest.mark.system
def test_a_network_learns_what_a_teacher_says(tmp_path: Path) -> None:
    """Which says: into the corners, and whoever is to play wins, as no results of games can be."""
    teacher = command(winner="mover")
    assert train(tmp_path, teacher, "--games", 96, "--checkpoint", 16, "--reuse", 8, "--alpha", 0.01) == 0
    rows = table(tmp_path / "log.tsv")
    assert [row["games"] for row in rows] == [16, 32, 48, 64, 80, 96]
    assert rows[-1]["policy_loss"] < rows[0]["policy_loss"] - 0.5
    assert rows[-1]["value_loss"] < rows[0]["value_loss"]
    weights = load_weights(tmp_path / "eval.npz")
    assert (weights.settings["teacher"], weights.settings["playouts"]) == (teacher, 10)
    memory = weights.memory
    assert {GO.move_text(int(move), 5) for move in memory["played_tried"][memory["played_shares"] > 0]} <= CORNERS | {
        "pass"
    }
    assert memory["played_worth"].tolist() == pytest.approx([0.8] * len(memory["played_worth"]))
    evaluator = load_evaluator(tmp_path / "eval.npz", "go")
    state = GO.position(5, 0.5)
    for text in ("C3", "B4", "D2"):
        legal = GO.moves_of(state)
        odds = np.exp(evaluator.policy(state, np.array(legal, np.int32)))
        named = np.array([GO.move_text(move, 5) in CORNERS for move in legal])
        assert odds[named].sum() > 0.5 * odds.sum() and named.sum() == 4
        assert evaluator.value(state) > 0.3
        state = GO.play(state, GO.parse_move(text, 5))


@needs_torch
@pytest.mark.system
def test_what_was_learned_is_kept_when_a_teacher_dies(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """And training goes on from there as if nothing had been."""
    mortal, passes = tmp_path / "mortal", "info move pass visits 9 winrate 0.7 info move PASS visits 4 winrate 0.3"
    teacher = command(mortal=mortal, line=passes)
    assert train(tmp_path / "whole", teacher, "--games", 32) == 0
    mortal.touch()
    assert train(tmp_path / "parts", teacher, "--games", 32) == 1
    line = said(capfd)
    assert "after 16 games: engine `" in line and "died at `clear_board` (exit code 3)" in line
    assert f"{tmp_path / 'parts' / 'eval.npz'} holds the checkpoint of 16 games" in line
    weights = load_weights(tmp_path / "parts" / "eval.npz")
    assert weights.games == 16 and weights.settings["teacher"] == teacher
    assert weights.memory["played_game"].tolist() == list(range(16))
    assert train(tmp_path / "parts", command(), "--games", 32, "--resume") == 1
    assert "this run has teacher " in said(capfd)
    mortal.unlink()
    assert train(tmp_path / "parts", teacher, "--games", 32, "--resume") == 0
    for name in ("eval.npz", "log.tsv"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


@needs_torch
@pytest.mark.smoke
@pytest.mark.system
def test_training_goes_on_whatever_legal_moves_a_teacher_named(tmp_path: Path) -> None:
    """Such as a point that fills an eye of its own."""
    for games in (16, 32):
        more = ["--resume"] if games > 16 else []
        assert train(tmp_path, command(points="all"), "--games", games, "--anneal", 32, *more) == 0


@needs_torch
@pytest.mark.parametrize(
    ("teacher", "plies"),
    [
        (command("rejects", at=1), {0}),
        (command("rejects", at=3), {0, 1, 2}),
        (command("ends-analysis", reports=1, line="info move pass visits 0 winrate 0.5"), set()),
    ],
    ids=["refuses all moves", "refuses the third", "says nothing"],
)
@pytest.mark.system
def test_training_goes_on_without_what_a_teacher_refuses(tmp_path: Path, teacher: str, plies: set[int]) -> None:
    for games in (16, 32):
        more = ["--resume"] if games > 16 else []
        assert train(tmp_path, teacher, "--games", games, "--anneal", 32, *more) == 0
        memory = load_weights(tmp_path / "eval.npz").memory
        assert memory["played_game"].tolist() == list(range(games))
        found = set(memory["played_ply"].tolist())
        assert found <= plies and bool(found) == bool(plies)
        assert (memory["played_shares"].sum(axis=1) > 0).all()
    assert 2 not in plies or 2 in found


@needs_torch
@pytest.mark.parametrize(
    ("teacher", "message"),
    [
        (command("dies-in-analysis", at=2, line=NUMBERED.replace("D4", "pass")), "died at `kata-analyze"),
        (command("refuses-analysis"), "refuses `kata-analyze"),
        (command("no-boardsize"), "refuses `boardsize 5`"),
        (command("no-komi"), "refuses `komi"),
        (command("dies-at-play", at=3), "died at `play"),
        (command(line="info move Z9 visits 99 winrate 0.5"), "analyses 'Z9', which is not a legal move"),
        (command(line="info move A1 visits 99"), "sent an unreadable analysis line"),
        (command(analyses="none"), "knows neither kata-analyze nor lz-analyze"),
        (command("wont-start"), "cannot find its network"),
        ("no-such-program --gtp", "no-such-program"),
        ("'", "cannot be split into words"),
    ],
)
@pytest.mark.system
def test_a_teacher_that_fails_in_the_first_games_leaves_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], teacher: str, message: str
) -> None:
    assert train(tmp_path, teacher, "--games", 16) == 1
    assert message in said(capfd) and os.listdir(tmp_path) == []


@needs_torch
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--features", "planes", "--records", ROOT / "examples" / "games"], "--teacher goes with --self-play"),
        (["--features", "raw"], "--teacher means nothing to"),
        ([], "--teacher means nothing to"),
    ],
)
def test_what_a_teacher_is_not_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: list[object], message: str
) -> None:
    """It is not even started."""
    started, output = tmp_path / "pid", tmp_path / "eval.npz"
    options = ["--games", 16, "--teacher", command(pid=started), "-o", output, "-q", *arguments]
    assert cli.run(["train-eval", *map(str, options)]) == 1
    assert message in said(capfd) and not started.exists() and not output.exists()


@needs_torch
@pytest.mark.system
def test_our_own_player_teaches_other_games(tmp_path: Path) -> None:
    """Tic-tac-toe: of forced moves nothing is asked, of all others the shares of the visits are learned."""
    output = str(tmp_path / "eval.npz")
    options = ["--game", "tictactoe", "--features", "planes", "--network", "conv:1x16", "--playouts", "16", "-q"]
    teacher = ["--teacher", "gotools:search=mcts", "--games", "16", "--referee-games", "0", "-o", output]
    assert cli.run(["train-eval", *options, *teacher]) == 0
    assert load_weights(output).games == 16
