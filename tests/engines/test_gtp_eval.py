"""`gotools gtp --eval`: learned values at play, what they are refused for, and what is said about them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sgfmill import boards
from support.gtp_player import Script
from support.short_match import assert_played_without_fault

from gotools import cli
from gotools.base.errors import GotoolsError
from gotools.engines.gtp.commands import commands_of, warm_up
from gotools.engines.gtp.server import GtpServer
from gotools.engines.gtp.session import Session
from gotools.engines.players import new_player
from gotools.engines.settings import PlayerSettings
from gotools.games.go.go import GO
from gotools.games.go.points import parse_vertex
from gotools.gtp_client.client import GtpEngine
from gotools.values.td.shapes import shapes_of
from gotools.values.weights.weights_file import Weights, save_weights

SIZE = 5
RULES = """%% gotools rules 1
%% vocabulary=full

rule(near, 40, 3, 1.25).
move(A,B,C,D) :- last_distance(A,C,D,N), range(N,1,3).
"""


def random_shapes(size: int = SIZE) -> Weights:
    many = shapes_of(GO, size).weights
    weights = np.random.default_rng(1).normal(0.0, 0.02, many)
    return Weights("go", size, 0.5, "shapes", "linear", 0, weights)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    save_weights(folder / "eval.npz", random_shapes())
    save_weights(folder / "ttt.npz", Weights("tictactoe", 3, 0.0, "raw", "linear", 0, np.zeros(9), np.ones(9)))
    (folder / "rules.pl").write_text(RULES)
    (folder / "nine.sgf").write_text("(;SZ[9];B[cc])")
    (folder / "five.sgf").write_text("(;SZ[5];B[cc];W[bb])")
    return folder


class Table:
    """A session of a player with learned values, without any process around it."""

    def __init__(self, path: Path, settings: PlayerSettings | None = None, rules: str | None = None) -> None:
        self.session = Session.begin(
            new_player(rules=rules, seed=3, evaluation=str(path)), settings or PlayerSettings(nodes=60), SIZE, 0.5
        )
        self._sent = bytearray()
        self._server = GtpServer(self.session, commands_of(GO), Script(), self._sent.extend)

    def ask(self, line: str, sign: str = "=") -> str:
        self._sent.clear()
        self._server.obey(line.encode())
        answer = self._sent.decode()
        assert answer.startswith(sign), (line, answer)
        return answer[1:].strip()


# ---- what it is refused for ----


def test_boards_of_another_size_are_refused_and_the_game_goes_on(made: Path) -> None:
    table = Table(made / "eval.npz")
    table.ask("play b C3")
    for size in (2, 4, 6, 9, 19):
        assert table.ask(f"boardsize {size}", "?") == "unacceptable size"
    assert "on 9x9, and --eval has weights for 5x5" in table.ask(f"loadsgf {made / 'nine.sgf'}", "?")
    assert table.ask("query_boardsize") == "5" and table.ask("list_stones b") == "C3"
    table.ask("boardsize 5")
    assert table.ask("list_stones b") == ""
    table.ask(f"loadsgf {made / 'five.sgf'}")
    assert (table.ask("list_stones b"), table.ask("list_stones w")) == ("C3", "B4")
    table.ask("clear_board")
    assert parse_vertex(table.ask("genmove b"), SIZE) >= 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--eval", "eval.npz", "--size", "9"], "--eval: weights for 5x5, not for 9x9"),
        (["--eval", "ttt.npz"], "ttt.npz: weights for the game tictactoe, not for go"),
        (["--eval", "none.npz"], "none.npz: No such file or directory"),
        (["--eval", "rules.pl"], "rules.pl: a file of rules; expected weights"),
        (["--eval", "eval.npz", "--search", "mcts"], "learned values without a policy are for --search alphabeta"),
        (["--eval", "eval.npz", "--rules", "none.pl"], "none.pl: No such file or directory"),
    ],
)
def test_what_cannot_be_played_with_is_reported_in_a_line(
    made: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    monkeypatch.chdir(made)
    assert cli.run(["gtp", "-q", "--nodes", "2", *options]) == 1
    done = capfd.readouterr()
    assert done.out == "" and done.err.startswith("gotools gtp: ") and message in done.err
    assert done.err.count("\n") == 1


# ---- at play ----


def test_the_search_is_alpha_beta_where_there_are_weights_and_only_there(made: Path) -> None:
    assert new_player().name.partition(":")[0].endswith("mcts")
    assert new_player(evaluation=str(made / "eval.npz")).name.partition(":")[0].endswith("alphabeta")
    assert new_player(search="alphabeta", evaluation=str(made / "eval.npz")).size == SIZE
    assert new_player(search="alphabeta").size is None
    with pytest.raises(GotoolsError, match="alphabeta"):
        new_player(search="mcts", evaluation=str(made / "eval.npz"))


@pytest.mark.parametrize("point", ["C3", "A1", "D2"])
@pytest.mark.parametrize("colour", ["b", "w"])
def test_the_weights_steer(tmp_path: Path, point: str, colour: str) -> None:
    """A stone on a point, or on one that a symmetry turns it into, is worth much more than all else."""
    shapes = shapes_of(GO, SIZE)
    entry = int(shapes.layout.placed[3 * parse_vertex(point, SIZE) + 1])
    weights = np.zeros(shapes.weights)
    weights[entry >> 1] = -0.5 if entry & 1 else 0.5
    save_weights(tmp_path / "one.npz", Weights("go", SIZE, 0.5, "shapes", "linear", 0, weights))
    played = Table(tmp_path / "one.npz", PlayerSettings(depth=1)).ask(f"genmove {colour}")
    assert _from_centre(played) == _from_centre(point)


def _from_centre(text: str) -> list[int]:
    """Return how far a point is from the two middle lines: the same for those that symmetries turn into each other."""
    return sorted((abs("ABCDE".index(text[0]) - 2), abs(int(text[1]) - 3)))


@pytest.mark.parametrize("rules", [False, True])
def test_a_game_against_itself_is_legal_to_its_end(made: Path, rules: bool) -> None:
    table = Table(made / "eval.npz", rules=str(made / "rules.pl") if rules else None)
    board, passes, moves, ko = boards.Board(SIZE), 0, 0, None
    while passes < 2 and moves < 200:
        colour = "bw"[moves % 2]
        point = table.ask(f"genmove {colour}").upper()
        moves += 1
        if point == "PASS":
            passes, ko = passes + 1, None
            continue
        passes = 0
        row, column = int(point[1:]) - 1, "ABCDE".index(point[0])
        assert board.get(row, column) is None and (row, column) != ko
        ko = board.play(row, column, colour)
        assert board.get(row, column) == colour  # no suicide
        stones = {
            c: sorted(f"{'ABCDE'[x]}{y + 1}" for (d, (y, x)) in board.list_occupied_points() if d == c) for c in "bw"
        }
        assert {c: sorted(table.ask(f"list_stones {c}").split()) for c in "bw"} == stones
    assert passes == 2 and 10 < moves < 200


def test_warming_up_stays_on_the_board_of_the_weights(made: Path) -> None:
    """A player that was warmed up plays as one that was not."""
    answers = []
    for warmed in (False, True):
        table = Table(made / "eval.npz")
        if warmed:
            warm_up(table.session.player)
        answers.append([table.ask(f"genmove {colour}") for colour in "bwbwbw"])
    assert answers[0] == answers[1]


# ---- what is said ----


def test_explain_lists_the_patterns_and_their_shares(made: Path) -> None:
    table = Table(made / "eval.npz")
    for line in ("play b C3", "play w B2", "play b D2", "genmove w"):
        table.ask(line)
    text = table.ask("gotools-explain")
    assert re.search(r"^shapes without search: chance +\d+\.\d %$", text, re.MULTILINE)
    found = re.findall(r"^ +([+-]\d\.\d{3})  ([123])x\2 at ([A-E][1-5]): ([.XO /]+)$", text, re.MULTILINE)
    assert len(found) >= 5
    shares = [abs(float(share)) for share, *_ in found]
    assert shares == sorted(shares, reverse=True)
    cells = {"C3": "X", "B2": "O", "D2": "X"}  # before the move
    for _, size, corner, picture in found:
        x, y = "ABCDE".index(corner[0]), int(corner[1])
        rows = [
            "".join(cells.get(f"{'ABCDE'[column]}{row}", ".") for column in range(x, x + int(size)))
            for row in range(y + int(size) - 1, y - 1, -1)
        ]
        assert picture == " / ".join(rows)


# ---- as a program, and in tournaments ----


@pytest.mark.system
def test_the_program_has_the_size_of_the_weights(made: Path) -> None:
    words = [sys.executable, "-m", "gotools", "gtp", "-q", "--eval", str(made / "eval.npz"), "--nodes", "20"]
    with GtpEngine(words, 120) as engine:
        assert engine.ask("query_boardsize") == "5"
        assert parse_vertex(engine.ask("genmove b"), SIZE) >= 0
        assert "shapes without search" in engine.ask("gotools-explain")


def test_a_tournament_with_weights_is_played_without_a_fault(made: Path, tmp_path: Path) -> None:
    assert_played_without_fault(f"gotools:eval={made / 'eval.npz'},rules={made / 'rules.pl'},nodes=20", tmp_path)
