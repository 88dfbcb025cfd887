"""The positions in which `tournament check` tries engines are what they are said to be, by the rules of a referee."""

from __future__ import annotations

import numpy as np
import pytest

from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.estimate.counting import SCORING
from gotools.games.go.go import GO
from gotools.games.go.trials import TRIALS
from gotools.matches.game.referee import Referee


def played(size, moves, rules="chinese"):
    referee = Referee(GO, size, SCORING.rules[rules])
    for side, point in moves:
        assert not referee.history.why_illegal(side, point)
        referee.play(side, point)
    return referee


@pytest.mark.parametrize("name", TRIALS.positions)
def test_a_move_is_legal_or_illegal_as_a_position_says(name):
    made = TRIALS.positions[name]
    for size in range(made.smallest, 20):
        why = played(size, made.moves(size)).history.why_illegal(*made.move)
        if made.legal is None:
            assert why == "suicide" and not played(size, made.moves(size), "new-zealand").history.why_illegal(
                *made.move
            )
        else:
            assert made.legal == (not why), (size, why)


@pytest.mark.parametrize("size", range(TRIALS.smallest, 20))
def test_the_settled_position_is_legal_and_leaves_two_eyes_each(size):
    board, moves = Board(size), TRIALS.settled(size)
    for side, point in moves:
        assert board.is_legal(point, side)
        board.play_point(point, side)
    assert np.count_nonzero(board.cells) == len(moves) == size * size - 4
    assert all(len(board.liberties(point)) == 2 for _, point in moves)
    assert all(len(board.legal_points(side)) == 2 for side in (BLACK, WHITE))


@pytest.mark.parametrize("size", [4, 9, 19])
def test_the_other_moves_are_legal_and_each_game_needs_a_clear_board(size):
    assert len(played(size, TRIALS.legal(size)).moves) == 6
    for one, two in zip(TRIALS.cleared(size), TRIALS.cleared(size)[1:], strict=False):
        played(size, two)
        assert played(size, one).history.why_illegal(*two[0])
    referee = played(size, TRIALS.corners(size))
    assert referee.history.why_illegal(WHITE, 0) == referee.history.why_illegal(BLACK, size * size - 1) == "suicide"
