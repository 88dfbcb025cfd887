"""Players who look some plies ahead, and their games, against plain minimax and exact chances."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.jit.kernels.seams import ONGOING
from gotools.values.games.match import Searcher, best_moves, play_match, play_pairs, play_series, ways_to_lose
from gotools.values.td.perceptrons import new_numbers, parse_architecture, weights_of

TICTACTOE, CONNECT4, GO = find_game("tictactoe"), find_game("connect4"), find_game("go")
RAW = TICTACTOE.find_features("raw")
SMALL = parse_architecture("mlp:4+bias")


def network(seed, spread=1.0):
    return new_numbers(SMALL, RAW.scales(3), seed, spread)


# a player's moves -----------------------------------------------------------------------------------------------------


def plain_value(game, player, state, depth):
    """Minimax without pruning: decided positions by their sign, else the evaluation."""
    value = game.outcome(state)
    if value != ONGOING:
        return float(np.sign(value))
    if depth == 0:
        return player.evaluate(state, player.numbers)
    return max(-plain_value(game, player, game.play(state, move), depth - 1) for move in game.moves_of(state))


def plain_best(game, player, state):
    values = {m: -plain_value(game, player, game.play(state, m), player.depth - 1) for m in game.moves_of(state)}
    return [move for move, value in values.items() if value == max(values.values())]


def position_after(game, plies, rng):
    """Play at random, but not to the end."""
    state = game.position()
    for _ in range(plies):
        targets = [game.play(state, move) for move in game.moves_of(state)]
        targets = [target for target in targets if game.outcome(target) == ONGOING]
        if not targets:
            break
        state = rng.choice(targets)
    return state


@given(st.integers(0, 10_000), st.integers(3, 8), st.integers(1, 4), st.booleans())
@settings(max_examples=60)
def test_a_players_moves_are_those_of_plain_minimax(seed, plies, depth, knowing):
    player = Searcher(depth, RAW.evaluate, network(seed)) if knowing else Searcher(depth)
    state = position_after(TICTACTOE, plies, random.Random(seed))
    assert best_moves(TICTACTOE, player, state) == plain_best(TICTACTOE, player, state)


@given(st.integers(0, 10_000), st.integers(0, 30), st.integers(1, 3))
@settings(max_examples=20)
def test_so_they_are_in_connect4(seed, plies, depth):
    features = CONNECT4.find_features("raw")
    player = Searcher(depth, features.evaluate, new_numbers(SMALL, features.scales(7), seed, 1.0))
    state = position_after(CONNECT4, plies, random.Random(seed))
    assert best_moves(CONNECT4, player, state) == plain_best(CONNECT4, player, state)


def test_a_saturated_network_does_not_take_an_open_position_for_a_decided_one():
    numbers = network(0)
    weights_of(numbers)[:] = 1e6
    player = Searcher(2, RAW.evaluate, numbers)
    state = TICTACTOE.position()
    for move in (0, 3, 1, 6):  # side 1 has a1 and b1: c1 wins at once, whatever the network thinks of the rest
        state = TICTACTOE.play(state, move)
    assert best_moves(TICTACTOE, player, state) == [2]


def test_a_pass_is_played_only_where_nothing_else_is_worth_playing():
    state = GO.position(9)
    assert GO.pass_move not in best_moves(GO, Searcher(1), state)
    moves = np.zeros(GO.longest, np.int32)
    rng = random.Random(1)
    while (n := GO.worthy(state, moves)) > 1:
        state = GO.play(state, int(rng.choice(moves[: n - 1])))
    assert best_moves(GO, Searcher(1), state) == [GO.pass_move]


@pytest.mark.parametrize("komi", [30.0, -30.0])
def test_games_of_go_come_to_an_end_and_count_komi(komi):
    """On a board of 25 points a komi of 30 decides: the second player wins, below 0 the first one."""
    assert {play_match(GO, Searcher(1), Searcher(1), seed, 5, komi).result for seed in range(5)} == {-np.sign(komi)}


# games ----------------------------------------------------------------------------------------------------------------


def exact_chances(first, second):
    """Return the chances that the first player wins, draws, loses a game of tic-tac-toe, where ties are drawn alike."""

    known = {}

    def chances(state, to_play):
        value = TICTACTOE.outcome(state)
        if value == 0:
            return np.array([Fraction(0), Fraction(1), Fraction(0)])
        if value != ONGOING:  # whoever is to play has lost
            return np.array([Fraction(to_play == 1), Fraction(0), Fraction(to_play == 0)])
        if (key := int(TICTACTOE.key(state))) not in known:
            tied = plain_best(TICTACTOE, (first, second)[to_play], state)
            parts = [chances(TICTACTOE.play(state, move), 1 - to_play) for move in tied]
            known[key] = sum(parts) * Fraction(1, len(tied))
        return known[key]

    return chances(TICTACTOE.position(), 0)


@pytest.mark.parametrize(("depth", "seed"), [(1, 3), (2, 4)])
def test_games_have_the_outcomes_that_ties_drawn_alike_lead_to(depth, seed):
    player, other = Searcher(1), Searcher(depth, RAW.evaluate, network(seed))
    for first, second in ((player, other), (other, player)):
        chances = [float(chance) for chance in exact_chances(first, second)]
        results = [play_match(TICTACTOE, first, second, s).result for s in range(1000)]
        for chance, result in zip(chances, (1.0, 0.0, -1.0), strict=True):
            error = 4.5 * (1000 * chance * (1 - chance)) ** 0.5
            assert results.count(result) == pytest.approx(1000 * chance, abs=error + 1e-9)


def test_whoever_sees_to_the_end_never_loses_and_whoever_sees_one_ply_may():
    assert ways_to_lose(TICTACTOE, Searcher(9)) == []
    lines = ways_to_lose(TICTACTOE, Searcher(1))
    assert lines
    for line in lines:
        state = TICTACTOE.position()
        for i, move in enumerate(line):
            if i % 2 == len(line) % 2:  # the last move is the winner's, so these are the player's
                assert move in plain_best(TICTACTOE, Searcher(1), state)
            state = TICTACTOE.play(state, move)
        assert TICTACTOE.outcome(state) == -1.0
    as_first, as_second = play_series(TICTACTOE, Searcher(9), Searcher(2), 10, 5)
    assert as_first.lost == as_second.lost == 0
    assert any(len(line) % 2 == 0 for line in lines) and any(len(line) % 2 == 1 for line in lines)


def test_results_are_those_of_the_individual_whose_game_it_is():
    """Games of pairs equal those of the two players, whichever way the pair is written and whoever plays first."""
    pool = np.stack((network(0), network(1)))
    players = [Searcher(1, RAW.evaluate, numbers) for numbers in pool]
    seeds = np.arange(200, dtype=np.uint64)
    totals = []
    for own, other in ((0, 1), (1, 0)):
        for second in (0, 1):
            pairs = np.tile(np.array([[own, other, second]]), (200, 1))
            results = play_pairs(TICTACTOE, RAW.evaluate, pool, pairs, seeds, 1, 1).tolist()
            if second:
                plain = [-play_match(TICTACTOE, players[other], players[own], seed).result for seed in range(200)]
            else:
                plain = [play_match(TICTACTOE, players[own], players[other], seed).result for seed in range(200)]
            assert results == plain
            totals.append(sum(results))
    assert totals[0] == -totals[3] and totals[1] == -totals[2] and any(totals)


def test_random_moves_are_those_of_the_player_who_is_to_make_them():
    """Whoever sees to the end and never errs draws or wins; with random moves it loses sometimes."""
    pool = np.zeros((2, len(network(0))))
    pool[:] = network(0)
    pairs = np.array([[0, 1, i % 2] for i in range(40)])
    seeds = np.arange(40, dtype=np.uint64)

    def results(**rules):
        return play_pairs(TICTACTOE, RAW.evaluate, pool, pairs, seeds, 1, 9, **rules)

    assert set(results()) == {0.0}
    assert set(results(dilution=1.0)) <= {0.0, 1.0} and results(dilution=1.0).sum() > 20
    assert set(results(epsilon=1.0)) <= {0.0, -1.0} and results(epsilon=1.0).sum() < -20
    assert set(results(opening=3)) == {-1.0, 0.0, 1.0}


def test_a_player_looks_ahead():
    with pytest.raises(GotoolsError, match="at least 1 ply"):
        Searcher(0)
