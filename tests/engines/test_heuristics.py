"""Alpha-beta of Go by an evaluation named on the command line."""

from __future__ import annotations

import pytest
from support.positions import board_of

import gotools
from gotools.cli import run
from gotools.game.sides import BLACK
from gotools.games.go.points import EMPTY, PASS

ATARI = """
.XX..
XOOX.
.....
...O.
....."""
"""Both sides may play on; black takes nothing in one move."""


def test_one_ply_by_area_is_the_move_after_which_area_is_largest() -> None:
    board = board_of(ATARI)
    lead = {}
    for point in range(25):
        if board.colour(point) == EMPTY and not board.why_illegal(point, BLACK):
            after = board.copy()
            after.play_point(point, BLACK)
            lead[point] = after.area_score()
    player = gotools.Player(heuristic="area")
    assert player.name.partition(":")[0].endswith("alphabeta")
    chosen = player.choose(board, colour=BLACK, komi=0.5, depth=1)
    assert chosen.point != PASS and lead[chosen.point] == max(lead.values())


def test_evaluations_differ_at_the_leaves() -> None:
    """By area the only stone owns the board, held explicitly are only stones: 24 points between them."""
    board = gotools.Board(5)
    values = {
        name: gotools.Player(heuristic=name).choose(board, komi=0.5, depth=1).winrate for name in ("area", "explicit")
    }
    won = {"area": 25 - 0.5, "explicit": 1 - 0.5}
    for name, points in won.items():
        assert 2 * values[name] - 1 == pytest.approx(points / (points + 10), abs=1e-6)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--heuristic", "aria"], "go has no heuristic 'aria'; did you mean 'area'?"),
        (["--heuristic", "area", "--search", "mcts"], "a heuristic is for --search alphabeta"),
    ],
)
def test_what_makes_no_sense_is_one_line(words: list[str], line: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["gtp", "-q", *words]) == 1
    assert capfd.readouterr().err == f"gotools gtp: {line}\n"


def test_a_heuristic_goes_without_learned_values(tmp_path: object, capfd: pytest.CaptureFixture[str]) -> None:
    path = f"{tmp_path}/eval.npz"
    gotools.train(path, games=16, features="thesis8", size=5, referee_games=0)
    with pytest.raises(gotools.GotoolsError, match="goes without --eval"):
        gotools.Player(heuristic="area", evaluation=path)
