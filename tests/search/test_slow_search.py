"""The slow twin of the search against what is known of small games, and a position valued by hand."""

import pytest
from support.connect4_scores import position_of, score_of, scored_positions
from support.needs import needs_shared
from support.position_text import parse_position
from support.slow_search import UNIT, minimax

from gotools.game.game import find_game
from gotools.game.sides import WHITE
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.board import Board

TICTACTOE = find_game("tictactoe")


def unknown(state):
    """Evaluate nothing."""
    return 0.0


def test_the_whole_tree_of_tictactoe_is_a_draw_of_549946_positions():
    assert minimax(TICTACTOE, TICTACTOE.position(), 9, unknown) == (0, 549_946)


@pytest.mark.parametrize(
    ("first", "reply", "winner"),
    [
        *(("a1", reply, 1) for reply in ("a2", "a3", "b1", "b3", "c1", "c2", "c3")),
        ("a1", "b2", 0),  # the centre alone holds against a corner
        *(("b2", reply, 1) for reply in ("a2", "b1", "b3", "c2")),
        *(("b2", reply, 0) for reply in ("a1", "a3", "c1", "c3")),  # a corner alone against the centre
    ],
)
def test_openings_of_tictactoe(first, reply, winner):
    state = TICTACTOE.position()
    for move in (first, reply):
        state = TICTACTOE.play(state, TICTACTOE.parse_move(move, 3))
    assert minimax(TICTACTOE, state, 9, unknown).value == winner * UNIT


@needs_shared
def test_ends_of_connect4_games_have_their_known_scores():
    ends = [(moves, score) for moves, score in scored_positions("test_l3_r1") if len(moves) >= 33]
    assert len(ends) > 300
    for moves, score in ends:
        assert score_of(minimax(CONNECT4, position_of(moves), 42, unknown).value / UNIT) == score, moves


@pytest.mark.parametrize(
    ("quiescence_depth", "stones_ahead", "nodes"),
    [
        (0, 4 - 6, 1),
        (1, 5 - 5, 2),  # A1 takes a stone
        (2, 4 - 6, 3),  # then B1 takes five: better to leave it
        (3, 4 - 6, 3),  # and nothing more is to be taken
    ],
)
def test_noisy_moves_are_followed_to_the_given_depth_and_may_be_declined(quiescence_depth, stones_ahead, nodes):
    cells, size = parse_position("...../...../XXX../OOOX./.XOX.")
    go = find_game("go")
    state = Board.from_cells(cells, size, to_play=WHITE).state

    def stones(state):
        diagram = go.draw(state)
        ahead = diagram.count("X") - diagram.count("O")
        return (ahead if state[1] == 1 else -ahead) / 25

    assert minimax(go, state, 0, stones, quiescence_depth) == (stones_ahead * UNIT // 25, nodes)
