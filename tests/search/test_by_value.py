"""The best order, the worst and minimax: counts against closed forms and slow twins, values that no order changes."""

import threading

import pytest
from support.even_tree import EVEN_TREE, VALUES
from support.searching import BUILT_IN, any_evaluation, assert_line_is_legal, positions_at, value_of, worthy
from support.slow_search import minimax

from gotools.engines.orders.by_value import BY_VALUE, ByValue
from gotools.game.choice import Limits
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.go import GO
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_ORDERING


def by_value(game, order, evaluation, quiescence=0):
    settings = AlphaBetaSettings(quiescence=quiescence, scale=game.decided, table_bits=16)
    return ByValue(game, order, evaluation, settings)


def critical(moves, plies):
    """Return the least leaves that alpha-beta looks at (Knuth and Moore 1975)."""
    return moves ** ((plies + 1) // 2) + moves ** (plies // 2) - 1


@pytest.mark.parametrize(("moves", "deepest"), [(2, 8), (3, 6), (4, 5), (5, 4)])
def test_the_best_order_looks_at_the_minimal_tree(moves, deepest):
    state = EVEN_TREE.position(moves)
    for depth in range(1, deepest + 1):
        found = {
            order: by_value(EVEN_TREE, order, VALUES).choose(state, range(moves), Limits(depth=depth))
            for order in BY_VALUE
        }
        twin = minimax(EVEN_TREE, state, depth, lambda at: VALUES.evaluate(at, VALUES.numbers))
        assert {value_of(choice) for choice in found.values()} == {twin.value}
        assert found["perfect"].nodes == sum(critical(moves, ply) for ply in range(depth + 1))
        assert found["minimax"].nodes == twin.nodes == sum(moves**ply for ply in range(depth + 1))


def test_the_worst_order_takes_most():
    """At two plies nothing is cut off but the windows of no width, which are searched again: all lines, and more."""
    state = EVEN_TREE.position(5)
    nodes = {}
    for depth in (2, 4):
        limits = Limits(depth=depth)
        nodes = {order: by_value(EVEN_TREE, order, VALUES).choose(state, range(5), limits).nodes for order in BY_VALUE}
        plain = AlphaBeta(EVEN_TREE, NO_ORDERING, VALUES, AlphaBetaSettings(deepening=0, table_bits=16))
        assert nodes["perfect"] < plain.choose(state, range(5), limits).nodes < nodes["worst"]
        assert depth > 2 or nodes["worst"] > nodes["minimax"]


@pytest.mark.parametrize("quiescence", [0, 3])
@pytest.mark.parametrize("game", [GO, CONNECT4], ids=lambda game: game.name)
def test_values_are_those_of_minimax(game, quiescence):
    evaluation = BUILT_IN if game is GO else any_evaluation(CONNECT4, 3, 9)
    states = positions_at(game, 4 if game is GO else 7, (6, 11), 3)
    searches = {order: by_value(game, order, evaluation, quiescence) for order in BY_VALUE}
    history = AlphaBeta(
        game,
        NO_ORDERING,
        evaluation,
        AlphaBetaSettings(quiescence=quiescence, scale=game.decided, deepening=0, table_bits=16),
    )
    nodes = dict.fromkeys([*BY_VALUE, "history"], 0)
    for state in states:
        moves, limits = worthy(game, state), Limits(depth=3)
        twin = minimax(
            game, state, 3, lambda at: game.decided * evaluation.evaluate(at, evaluation.numbers), quiescence
        )
        for order, search in [*searches.items(), ("history", history)]:
            search.forget()
            choice = search.choose(state, moves, limits)
            assert value_of(choice) == pytest.approx(twin.value, abs=1), order
            assert choice.depth == 3
            assert_line_is_legal(game, state, choice)
            nodes[order] += choice.nodes
            assert order != "minimax" or quiescence or choice.nodes == twin.nodes
    assert nodes["perfect"] < nodes["history"] < nodes["worst"]


def test_fewer_moves_at_the_root_are_searched_alone():
    state = GO.position(4, 0.5)
    for order in BY_VALUE:
        choice = by_value(GO, order, BUILT_IN).choose(state, [GO.parse_move("A1", 4)], Limits(depth=2))
        assert GO.move_text(choice.move, 4) == "A1"


@pytest.mark.parametrize("order", BY_VALUE)
def test_it_ends_when_it_is_told_to(order):
    state = GO.position(9, 7.5)
    search = by_value(GO, order, BUILT_IN).twin()
    choice = search.choose(state, worthy(GO, state), Limits(nodes=1))
    assert (choice.nodes, choice.depth) == (1, 0) and choice.move in GO.moves_of(state)
    timer = threading.Timer(0.2, search.stop)
    timer.start()
    choice = search.choose(state, worthy(GO, state), Limits(depth=12))
    assert choice.depth == 0
    timer.join()
