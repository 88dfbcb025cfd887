"""Games to learn from: legal, the same however they are shared out, and each move chosen as the policy says."""

import functools
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.values.games.selfplay import Policy, play_against, play_games
from gotools.values.td.perceptrons import new_numbers, parse_architecture, weights_of

SIZES = {"tictactoe": 3, "connect4": 7, "go": 5}
RARE = 1e-4
"""Chance that a right program fails one of the tests of shares; the seeds are fixed, so it fails always or never."""
FIELDS = ("moves", "lengths", "outcomes", "explored", "learner", "leaves")
each_game = pytest.mark.parametrize("name", SIZES)


@functools.cache
def player(name, spread=1.0, seed=1):
    """Return a game and an evaluation by a network of random weights."""
    game = find_game(name)
    features = game.find_features("raw")
    numbers = new_numbers(parse_architecture("mlp:3+bias"), features.scales(SIZES[name]), seed, spread)
    return game, (features.evaluate, numbers)


def heuristic_of(game):
    module, attribute = game.learning.heuristic.split(":")
    return getattr(import_module(module), attribute)


def play(name, policy, count=20, seed=1, first=0, jobs=1, spread=1.0):
    game, evaluation = player(name, spread)
    return play_games(game, evaluation, heuristic_of(game), policy, first, count, seed, SIZES[name], jobs)


def playable(game, state):
    """List the moves that self-play considers."""
    moves = np.zeros(game.longest, np.int32)
    worthy = [int(move) for move in moves[: game.worthy(state, moves)]]
    return [move for move in worthy if move != game.pass_move] or worthy


def positions(name, games, g):
    """Yield each position of a game with its ply and the move made in it."""
    game = player(name)[0]
    state = game.position(SIZES[name])
    for t in range(games.lengths[g]):
        move = int(games.moves[g, t])
        yield t, state, move
        state = game.play(state, move)


def last_position(name, games, g):
    *_, (_, state, move) = positions(name, games, g)
    return player(name)[0].play(state, move)


def value_of(game, evaluation, state, depth):
    """Plain minimax for the side to play: decided positions by the sign of their outcome."""
    if game.outcome(state) != ONGOING:
        return np.sign(game.outcome(state))
    if depth == 0:
        return evaluation[0](state, evaluation[1])
    return max(-value_of(game, evaluation, game.play(state, move), depth - 1) for move in playable(game, state))


def values_of_moves(game, evaluation, state, depth):
    moves = playable(game, state)
    return {move: -value_of(game, evaluation, game.play(state, move), depth - 1) for move in moves}


POLICIES = {
    "usual": Policy(),
    "greedy": Policy(epsilon=0.0),
    "random": Policy(epsilon=1.0),
    "softmax": Policy(epsilon=0.1, temperature=0.3),
    "mixed": Policy(epsilon=0.1, shares=(0.4, 0.3, 0.3), dilution=0.2, opening=2),
    "deep": Policy(epsilon=0.2, shares=(0.5, 0.2, 0.3), depth=2),
    "deep softmax": Policy(epsilon=0.2, temperature=0.2, depth=2),
}
each_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)


@each_game
@each_policy
def test_games_are_legal_and_end_as_the_game_says(name, policy):
    game = player(name)[0]
    games = play(name, policy)
    for g in range(20):
        for _, state, move in positions(name, games, g):
            assert game.outcome(state) == ONGOING
            assert move in playable(game, state)
        assert (games.moves[g, games.lengths[g] :] == -1).all()
        assert not games.explored[g, games.lengths[g] :].any()
        end = last_position(name, games, g)
        if game.outcome(end) == ONGOING:
            assert games.lengths[g] == games.moves.shape[1] and game.pass_move >= 0
            end = game.play(end, game.pass_move)
            if game.outcome(end) == ONGOING:
                end = game.play(end, game.pass_move)
        assert games.outcomes[g] == np.sign(game.outcome(end)) * (1 if end[TO_PLAY] == 1 else -1)
    assert len({tuple(row) for row in games.moves}) > 4 or policy.epsilon == 0.0


def test_a_game_that_does_not_end_is_passed_out():
    """On 3x3 random games capture on and on; three moves a point are soon over."""
    game = find_game("go")
    features = game.find_features("raw")
    numbers = new_numbers(parse_architecture("linear"), features.scales(3), 1)
    games = play_games(game, (features.evaluate, numbers), None, Policy(epsilon=1.0), 0, 500, 1, 3)
    cut = 0
    for g in range(500):
        state = game.position(3)
        for move in games.moves[g, : games.lengths[g]]:
            state = game.play(state, int(move))
        if game.outcome(state) == ONGOING:
            cut += 1
            while game.outcome(state) == ONGOING:
                state = game.play(state, game.pass_move)
            assert games.lengths[g] == 27
            assert games.outcomes[g] == np.sign(game.outcome(state)) * (1 if state[TO_PLAY] == 1 else -1)
    assert cut > 5


def test_komi_decides_games():
    game, evaluation = player("go")
    even, given = (play_games(game, evaluation, None, Policy(), 0, 30, 1, 5, 1, komi) for komi in (0.0, 25.5))
    assert (given.outcomes == -1).all() and (even.outcomes == 1).any()
    with pytest.raises(GotoolsError, match="komi"):
        game, evaluation = player("connect4")
        play_games(game, evaluation, None, Policy(), 0, 1, 1, 7, komi=0.5)


@each_game
@each_policy
def test_neither_jobs_nor_batches_change_the_games(name, policy):
    whole, shared = play(name, policy), play(name, policy, jobs=3)
    first, rest = play(name, policy, count=7), play(name, policy, count=13, first=7)
    for field in FIELDS:
        assert (getattr(whole, field) == getattr(shared, field)).all(), field
        assert (getattr(whole, field) == np.concatenate([getattr(first, field), getattr(rest, field)])).all(), field
    if policy.epsilon > 0:
        assert (whole.moves != play(name, policy, seed=2).moves).any()


@pytest.mark.parametrize(("name", "depth"), [(name, depth) for name in SIZES for depth in (1, 2, 3)])
def test_moves_are_the_best_of_plain_minimax(name, depth):
    game, evaluation = player(name)
    games = play(name, Policy(epsilon=0.2, depth=depth), count=3 if name == "tictactoe" else 1)
    seen = 0
    for g in range(len(games.lengths)):
        for t, state, move in positions(name, games, g):
            if depth == 3 and t % 5 != 1:
                continue
            seen += 1
            values = values_of_moves(game, evaluation, state, depth)
            if not games.explored[g, t]:
                assert values[move] == max(values.values())
            assert value_of_leaf(game, evaluation, games, g, t, state, move) == values[move]
    assert seen > 2


def value_of_leaf(game, evaluation, games, g, t, state, move):
    """Value a move by its recorded leaf, for the side that made it."""
    mover, depth = state[TO_PLAY], games.leaves.shape[2] + 1
    leaf, n = game.play(state, move), 1
    for further in games.leaves[g, t]:
        if further < 0:
            break
        assert further in playable(game, leaf)
        leaf = game.play(leaf, int(further))
        n += 1
    assert n == depth or game.outcome(leaf) != ONGOING
    value = value_of(game, evaluation, leaf, 0)
    return value if leaf[TO_PLAY] == mover else -value


def quiet_value_of(game, evaluation, state, left):
    """Value a position by what noisy moves make of it; a side may decline them."""
    value = value_of(game, evaluation, state, 0)
    if left == 0 or game.outcome(state) != ONGOING:
        return value
    moves = np.zeros(game.longest, np.int32)
    noisy = [int(move) for move in moves[: game.noisy(state, moves)]]
    return max([value, *(-quiet_value_of(game, evaluation, game.play(state, move), left - 1) for move in noisy)])


def test_with_quiescence_captures_are_played_out_before_a_position_is_valued():
    """Of shogi, a position where both sides have pieces to take and pieces in hand."""
    game = find_game("shogi:3gk4/4s4/4p1b2/2R6/4P4/4S4/2B6/4G4/4K4 b Pp 1")
    features = game.find_features("material")
    numbers = new_numbers(parse_architecture("linear"), features.scales(9), 3, 0.0)
    weights_of(numbers)[:] = np.linspace(0.1, 0.9, len(features.scales(9)))
    evaluation, policy = (features.evaluate, numbers), Policy(epsilon=0.5, quiescence=3)
    games = play_games(game, evaluation, None, policy, 0, 12, 1, 9)
    assert games.leaves.shape[2] == 3
    further_plies = 0
    for g in range(12):
        state = game.position(9)
        for t in range(min(5, games.lengths[g])):
            move, mover = int(games.moves[g, t]), state[TO_PLAY]
            values = {m: -quiet_value_of(game, evaluation, game.play(state, m), 3) for m in playable(game, state)}
            if not games.explored[g, t]:
                assert values[move] == max(values.values())
            state = leaf = game.play(state, move)
            way = [int(further) for further in games.leaves[g, t] if further >= 0]
            for further in way:
                leaf = game.play(leaf, further)
            further_plies += len(way)
            assert value_of(game, evaluation, leaf, 0) * (1 if leaf[TO_PLAY] == mover else -1) == values[move]
    assert further_plies > 2


def test_leaves_are_known_for_moves_that_were_not_searched():
    """Moves of opponents, explored and drawn ones: their leaf is what the search makes of them."""
    game, evaluation = player("connect4")
    policy = Policy(epsilon=0.5, temperature=0.5, shares=(0.2, 0.4, 0.4), depth=2, opening=2)
    games = play("connect4", policy, count=20)
    for g in range(20):
        for t, state, move in positions("connect4", games, g):
            wanted = values_of_moves(game, evaluation, state, 2)[move]
            assert value_of_leaf(game, evaluation, games, g, t, state, move) == wanted


def test_the_heuristic_opponent_plays_its_best_moves():
    game, evaluation = player("connect4")
    heuristic = heuristic_of(game)
    games = play("connect4", Policy(epsilon=0.1, shares=(0.0, 0.0, 1.0)), count=10)
    assert set(games.learner) == {1, 2}
    for g in range(10):
        for t, state, move in positions("connect4", games, g):
            theirs = state[TO_PLAY] != games.learner[g]
            used = (heuristic.evaluate, heuristic.numbers) if theirs else evaluation
            values = values_of_moves(game, used, state, 1)
            assert games.explored[g, t] or values[move] == max(values.values())
            assert not (theirs and games.explored[g, t])


def assert_share(count, of, share):
    """Check a number of events against the probability of each."""
    low, high = binom.ppf(RARE / 2, of, share), binom.ppf(1 - RARE / 2, of, share)
    assert low <= count <= high, (count, of, share)


def test_shares_of_opponents_are_those_given():
    games = play("tictactoe", Policy(epsilon=0.0, shares=(0.5, 0.2, 0.3)), count=2000)
    assert_share((games.learner == 0).sum(), 2000, 0.5)
    assert_share((games.learner == 1).sum(), 2000, 0.25)
    game, evaluation = player("tictactoe")
    random = sum(
        any(
            move not in best_moves(game, (heuristic_of(game).evaluate, heuristic_of(game).numbers), state)
            for _, state, move in positions("tictactoe", games, g)
            if state[TO_PLAY] != games.learner[g]
        )
        for g in np.flatnonzero(games.learner)[:500]
    )
    assert 100 < random <= 240  # of 200: a random player may happen to play as the heuristic does
    for g in np.flatnonzero(games.learner == 0)[:20]:
        assert all(move in best_moves(game, evaluation, state) for _, state, move in positions("tictactoe", games, g))


def best_moves(game, evaluation, state):
    values = values_of_moves(game, evaluation, state, 1)
    return [move for move, value in values.items() if value == max(values.values())]


def test_the_share_of_explored_moves_is_epsilon():
    games = play("tictactoe", Policy(epsilon=0.25), count=2000)
    assert_share(games.explored.sum(), games.lengths.sum(), 0.25)
    games = play("tictactoe", Policy(epsilon=0.25, opening=1), count=2000)
    assert games.explored[:, 0].all()
    assert_share(games.explored.sum() - 2000, games.lengths.sum() - 2000, 0.25)


def test_a_diluted_opponent_plays_random_moves_that_are_not_the_learners_exploration():
    game, evaluation = player("tictactoe")
    games = play("tictactoe", Policy(epsilon=0.0, dilution=0.4), count=500)
    assert (games.learner == 1 + np.arange(500) % 2).all()
    assert not games.explored.any()
    first = games.moves[games.learner == 2, 0]
    best = best_moves(game, evaluation, game.position())
    assert len(best) == 1
    assert_share((first == best[0]).sum(), len(first), 0.6 + 0.4 / 9)


@pytest.mark.parametrize(
    "policy", [Policy(epsilon=1.0), Policy(epsilon=0.0, opening=9), Policy(epsilon=0.0, temperature=1e9)]
)
def test_random_games_are_those_of_random_players(policy):
    """Of random games of tic-tac-toe the first side wins 0.58492, the second 0.28810 (the sum over the game tree)."""
    games = play("tictactoe", policy, count=5000)
    assert_share((games.outcomes == 1).sum(), 5000, 0.58492)
    assert_share((games.outcomes == -1).sum(), 5000, 0.28810)
    for t in (0, 1):
        assert chisquare(np.bincount(games.moves[:, t], minlength=9)).pvalue > RARE


def test_equal_moves_are_drawn_alike():
    for depth in (1, 2):
        games = play("tictactoe", Policy(epsilon=0.0, depth=depth), count=3000, spread=0.0)
        assert not games.explored.any()
        assert chisquare(np.bincount(games.moves[:, 0], minlength=9)).pvalue > RARE


@pytest.mark.parametrize("depth", [1, 2])
def test_softmax_draws_by_the_exponentials_of_values(depth):
    temperature = 0.15
    game, evaluation = player("tictactoe")
    games = play("tictactoe", Policy(epsilon=0.0, temperature=temperature, depth=depth), count=4000)
    values = values_of_moves(game, evaluation, game.position(), depth)
    shares = np.exp(np.array([values[move] for move in range(9)]) / temperature)
    wanted = 4000 * shares / shares.sum()
    found = np.bincount(games.moves[:, 0], minlength=9)
    likely = wanted >= 5
    assert likely.sum() > 3
    assert (
        chisquare([*found[likely], found[~likely].sum() + 5], [*wanted[likely], wanted[~likely].sum() + 5]).pvalue
        > RARE
    )
    best = max(values, key=values.__getitem__)
    assert (games.explored[:, 0] == (games.moves[:, 0] != best)).all()


class TestMatches:
    def test_results_are_those_of_the_games_with_alternating_sides(self):
        game, evaluation = player("connect4")
        for jobs in (1, 3):
            wins, draws, losses = play_against(game, evaluation, None, 101, 4, 7, jobs)
            policy = Policy(epsilon=0.0, shares=(0.0, 1.0, 0.0))
            games = play_games(game, evaluation, None, policy, 0, 101, 4, 7)
            assert (games.learner == 1 + np.arange(101) % 2).all()
            signs = np.where(games.learner == 1, 1, -1) * games.outcomes
            assert (wins, draws, losses) == ((signs == 1).sum(), (signs == 0).sum(), (signs == -1).sum())

    def test_a_constant_evaluation_is_as_good_as_chance_but_for_victories_it_sees(self):
        """In random tic-tac-toe both sides together win equally often; seeing one's own last move is an advantage."""
        game, evaluation = player("tictactoe", 0.0)
        wins, draws, losses = play_against(game, evaluation, None, 4000, 1, 3)
        assert wins + draws + losses == 4000
        assert wins > losses + 400

    def test_the_heuristic_beats_random_moves_and_deeper_search_more(self):
        game, _ = player("connect4")
        heuristic = heuristic_of(game)
        own = (heuristic.evaluate, heuristic.numbers)
        assert play_against(game, own, None, 200, 1, 7)[0] > 180
        wins, _, losses = play_against(game, own, heuristic, 200, 1, 7, depth=4)
        assert wins > losses + 60

    def test_games_between_fixed_players_differ(self):
        game, evaluation = player("connect4")
        results = {play_against(game, evaluation, heuristic_of(game), 40, seed, 7) for seed in range(6)}
        assert len(results) > 1


def test_no_games_are_no_games():
    games = play("tictactoe", Policy(), count=0, jobs=2)
    assert games.moves.shape == (0, 27) and games.leaves.shape == (0, 27, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": -0.1}, {"epsilon": 1.5}, {"epsilon": float("nan")}, {"temperature": -1.0}, {"dilution": 2.0},
        {"shares": (0.5, 0.5, 0.5)}, {"shares": (1.5, -0.5, 0.0)}, {"depth": 0}, {"depth": 9}, {"opening": -1},
    ],
)  # fmt: skip
def test_policies_that_make_no_sense_are_refused(change):
    with pytest.raises(GotoolsError):
        play("tictactoe", Policy()._replace(**change))


def test_sizes_that_a_game_does_not_have_are_refused():
    game, evaluation = player("connect4")
    with pytest.raises(GotoolsError, match="size"):
        play_games(game, evaluation, None, Policy(), 0, 1, 1, 8)


@pytest.mark.parametrize("policy", [Policy(), Policy(temperature=0.5), Policy(depth=2)])
def test_weights_that_are_no_numbers_still_play_legal_games(policy):
    game, (evaluate, numbers) = player("connect4")
    spoilt = numbers.copy()
    spoilt[-3:] = np.nan
    games = play_games(game, (evaluate, spoilt), None, policy, 0, 20, 1, 7)
    for g in range(20):
        assert all(move in game.moves_of(state) for _, state, move in positions("connect4", games, g))


def test_games_against_a_heuristic_need_one():
    game, evaluation = player("tictactoe")
    with pytest.raises(GotoolsError, match="heuristic"):
        play_games(game, evaluation, None, Policy(shares=(0.0, 0.0, 1.0)), 0, 1, 1, 3)
