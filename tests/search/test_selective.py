"""The selective search against a slow twin, and the parts that it consists of."""

import random

import numpy as np
import pytest
from support.searching import CENTRE_FIRST, any_evaluation, any_ordering, positions_at, value_of, worthy
from support.slow_search import UNIT, minimax
from support.slow_selective import SlowSelective, plies_reduced

from gotools.engines.knowledge import find_evaluator
from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.game.table import GAMES
from gotools.game.traits import Selective
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.go import GO
from gotools.jit import kernel
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.kernels import selective, tables, transpositions
from gotools.search.knowledge import NO_EVALUATION

GAMES_HERE = {"connect4": (CONNECT4, 7, range(0, 30, 4), 5), "go": (GO, 5, range(2, 40, 5), 4)}


@pytest.mark.parametrize("game", GAMES_HERE)
@pytest.mark.parametrize(
    ("skips", "margin", "extensions"), [(False, 0, 0), (True, 0, 0), (True, 0.1, 0), (True, 0.3, 2)]
)
def test_value_and_positions_are_those_of_the_slow_twin(game, skips, margin, extensions):
    """With a width that leaves nothing out, moves stand by the ordering; a table of one entry is soon forgotten."""
    game, size, plies, depth = GAMES_HERE[game]
    if game.threatened is None and (skips or extensions):
        pytest.skip("no null moves, no threats")
    left_out: dict[str, int] = {}
    for state in positions_at(game, size, plies, 2):
        evaluation, ordering = any_evaluation(game, 3, 41), any_ordering(game, 5, 1001)
        settings = AlphaBetaSettings(
            widths=(999,),
            quiescence=0,
            deepening=0,
            table_bits=0,
            selective=True,
            skip=game.pass_move if skips else -1,
            margin=margin,
            extensions=extensions,
        )

        def worth(at, by=evaluation):
            return by.evaluate(at, by.numbers)

        twin = SlowSelective(
            game,
            worth,
            ordering,
            settings.skip,
            round(margin * UNIT),
            extensions,
        )
        value = twin.value(state, depth)
        search = AlphaBeta(game, ordering, evaluation, settings)
        choice = search.choose(state, worthy(game, state), Limits(depth=depth))
        assert (value_of(choice), choice.nodes) == (value, twin.visited), game.draw(state)
        left_out = {reason: left_out.get(reason, 0) + n for reason, n in {**left_out, **twin.left_out}.items()}
    assert "again" in left_out
    assert ("skip" in left_out) == skips
    assert ({"beyond", "hopeless"} <= set(left_out)) == (margin > 0)


def test_reductions_grow_with_depth_and_number():
    amounts = selective.reductions(tables.DEEPEST)
    for depth in range(tables.DEEPEST + 1):
        for number in range(selective.LATE):
            assert min(amounts[depth, number], max(depth - 1, 0)) == plies_reduced(depth, number, aside=True)
    assert (np.diff(amounts, axis=0) >= 0).all() and (np.diff(amounts, axis=1) >= 0).all()


def test_nothing_changes_where_the_depth_suffices():
    """A move that is searched a ply less deep at each of 9 plies still comes to the end of the game."""
    settings = AlphaBetaSettings(quiescence=0, table_bits=16, selective=True)
    alphabeta = AlphaBeta(CONNECT4, CENTRE_FIRST, NO_EVALUATION, settings)
    for state in positions_at(CONNECT4, 7, (33, 35, 37), 12):
        exact = minimax(CONNECT4, state, 42, lambda _: 0.0).value
        assert value_of(alphabeta.choose(state, worthy(CONNECT4, state), Limits(depth=20))) == exact


# what a selective search asks of games --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_null_move_changes_the_side_to_play_alone(name):
    """Played twice it gives the position back, but for the number of moves."""
    game = find_game(name)
    found = game.find(Selective)
    if found is None or found.skip < 0:
        return
    for state in positions_at(game, game.sizes[0], range(0, 60, 7), 2):
        if game.threatened(state):
            continue
        skipped = game.play(state, found.skip)
        assert sorted(worthy(game, game.play(skipped, found.skip))) == sorted(worthy(game, state))
        changed = np.flatnonzero(skipped != state).tolist()
        assert changed == [1, game.counter]


def test_players_search_so_where_the_game_says_it_is_worth_it_and_orders_are_compared_exactly():
    for name in GAMES:
        game = find_game(name)
        usual, plain = (
            new_player(name, search="alphabeta", evaluation="none", selective=selective, depth=4)
            for selective in (None, False)
        )
        state = positions_at(game, game.sizes[0], (4,), 1)[0]
        nodes = [one._search.choose(state, worthy(game, state), Limits(depth=4)).nodes for one in (usual, plain)]
        assert (nodes[0] < nodes[1]) == game.has(Selective), name


# the table ------------------------------------------------------------------------------------------------------------


@kernel
def _stored(tables, word, depth, value):
    transpositions.store(tables, word, depth, -tables.counters[0], tables.counters[0], value, word & 0xFF)


@kernel
def _probed(tables, word, depth, deeper):
    return transpositions.probe(tables, word, depth, -10, 10, deeper)


def test_the_table_answers_with_what_it_holds_of_the_wanted_depth_or_of_more_where_it_may():
    """Against a twin: the newest position of each place."""
    board, kept, rng, found = tables.new_tables(1, 1, 256, 4), {}, random.Random(1), 0
    board.counters[0] = tables.INFINITE
    for _ in range(6000):
        word, depth, value = rng.randrange(1, 200), rng.randrange(20), rng.randrange(-9, 9)
        if rng.random() < 0.3:
            _stored(board, word, depth, value)
            kept[word & 15] = word, depth, value
            continue
        held, searched, value = kept.get(word & 15, (0, 0, 0))
        move = word & 0xFF if held == word else tables.NO_MOVE
        for deeper in (False, True):
            settles = held == word and (searched == depth or (deeper and searched > depth))
            assert _probed(board, word, depth, deeper) == (move, value if settles else tables.INFINITE)
            found += settles
    assert found > 100


def test_large_leads_that_were_learned_stay_apart():
    """Fourteen marbles in the centre against nine at the edge: the values of moves differ in the sixth digit."""
    game = find_game("abalone").started_from("s1sss/6/s5s/2SSSS2/2SSSSS2/2SSSS2/2S4/6/s1s1s b")
    state, evaluator = game.position(), find_evaluator("default", "abalone")
    best = max(-evaluator.value(game.play(state, move)) for move in game.moves_of(state))
    found = {}
    for selective_search in (True, False):
        player = new_player("abalone", selective=selective_search)
        found[selective_search] = player.choose(History(game, 9, (state,)), Limits(depth=1)).value
    assert 0.99999 < found[True] == pytest.approx(best, abs=1e-9)
    assert found[False] == pytest.approx(best, abs=1e-6)
