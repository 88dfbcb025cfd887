"""`--width`, `--penalty` and `--reductions`: what alpha-beta searches, in the player, the library and the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.two_rules import TWO_RULES

import gotools
from gotools.cli import run
from gotools.errors import GotoolsError
from gotools.go.board import Board
from gotools.player.players import Pruning, new_game_player, new_player

PLAYED = (6, 8, 16, 18, 12)
"""Points of 5x5."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "rules.pl"
    path.write_text(TWO_RULES)
    return path


@pytest.fixture(scope="module")
def board() -> Board:
    made = Board(5)
    for point in PLAYED:
        made.play_point(point, made.to_play)
    return made


def test_all_moves_without_penalty_are_worth_what_they_are_without_rules(rules: Path, board: Board) -> None:
    plain = gotools.Player(search="alphabeta").choose(board, depth=2)
    whole = gotools.Player(rules=rules, search="alphabeta", widths=[0], penalty=0.0).choose(board, depth=2)
    assert whole.winrate == plain.winrate


def test_the_fewer_moves_the_fewer_positions(rules: Path, board: Board) -> None:
    counts = [
        gotools.Player(rules=rules, search="alphabeta", widths=widths, penalty=0.0).choose(board, depth=3).nodes
        for widths in ([1], [3], [0])
    ]
    usual = gotools.Player(rules=rules, search="alphabeta", penalty=0.0).choose(board, depth=3).nodes
    assert counts[0] < counts[1] < usual < counts[2]


def test_a_list_of_widths_begins_before_the_leaves(rules: Path, board: Board) -> None:
    """At depth 2 the root's moves are all searched, and one ply before the leaves is the first number."""
    narrow, wide = (
        gotools.Player(rules=rules, search="alphabeta", widths=widths, penalty=0.0).choose(board, depth=2)
        for widths in ([1, 0], [0, 1])
    )
    only = gotools.Player(rules=rules, search="alphabeta", widths=[1], penalty=0.0).choose(board, depth=2)
    assert narrow.nodes == only.nodes < wide.nodes


def test_a_penalty_keeps_the_search_to_what_rules_propose(rules: Path, board: Board) -> None:
    """The rules like points near the last move; a large penalty leaves nothing else."""
    move = gotools.Player(rules=rules, search="alphabeta", penalty=1.0).choose(board, depth=1)
    last = PLAYED[-1]
    assert max(abs(move.point % 5 - last % 5), abs(move.point // 5 - last // 5)) <= 3


def test_reductions_save_positions(board: Board) -> None:
    whole, reduced = (
        gotools.Player(search="alphabeta", reductions=reductions).choose(board, depth=4).nodes
        for reductions in (False, True)
    )
    assert reduced < whole


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--width", "6"], 1, "--width, --penalty and --reductions are of --search alphabeta, not of mcts"),
        (["--search", "alphabeta", "--width", "6"], 1, "--width and --penalty need what scores moves: rules, or"),
        (["--game", "connect4", "--penalty", "0.1"], 1, "--width and --penalty need what scores moves: rules, or"),
        (["--search", "alphabeta", "--width", "6,"], 2, "numbers of moves with commas between: 8 or 12,8,6"),
        (["--search", "alphabeta", "--width", "-1"], 2, "numbers of moves with commas between: 8 or 12,8,6"),
        (["--search", "alphabeta", "--penalty", "2"], 2, "--penalty: '2' is not a number from 0 to 1"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    words: list[str], code: int, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["gtp", "-q", *words]) == code
    assert line in capfd.readouterr().err


def test_the_library_refuses_numbers_that_are_none(rules: Path) -> None:
    for pruning in (Pruning(widths=()), Pruning(widths=(-1,)), Pruning(penalty=-0.1), Pruning(penalty=float("nan"))):
        with pytest.raises(GotoolsError, match=r"widths are numbers|a penalty is 0 to 1"):
            new_player("alphabeta", str(rules), pruning=pruning)
    with pytest.raises(GotoolsError, match="of --search alphabeta"):
        new_game_player("connect4", "mcts", pruning=Pruning(reductions=True))
