"""Directed exploration: the trace against a slow twin, and the moves that it chooses against a search by hand."""

import numpy as np
import pytest

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.values.games.selfplay import Policy, play_games, some_of
from gotools.values.td.perceptrons import new_numbers, parse_architecture
from gotools.values.td.td import ExplorationCounter, Learner
from gotools.values.training.recipe import find_recipe, settings_of
from gotools.values.training.trainers import TemporalDifferences

RATE = 0.0001
PLACES = {"tictactoe": ("lines", 3), "connect4": ("raw", 7), "abalone": ("attributes", 9), "go": ("thesis8", 5)}
each_game = pytest.mark.parametrize("name", PLACES)


def setting(name):
    """Return a game, features with scales other than 1, their evaluation by a random network, and the board size."""
    game = find_game(name)
    features = game.find_features(PLACES[name][0])
    size = PLACES[name][1]
    numbers = new_numbers(parse_architecture("mlp:3"), features.scales(size), 1, 1.0)
    return game, features, (features.evaluate, numbers), size


def games_of(name, policy, count, first=0, explorer=None, jobs=1):
    game, _, evaluation, size = setting(name)
    return play_games(game, evaluation, None, policy, first, count, 5, size, jobs, explorer=explorer)


def phi(name, state):
    """Return the scaled inputs of a network for a position."""
    _, features, _, size = setting(name)
    x = np.zeros(len(features.labels(size)))
    features.inputs(state, x)
    return x * features.scales(size)


def slow_trace(name, games, trace):
    """Return what a trace becomes by games."""
    game, _, _, size = setting(name)
    for g in range(len(games.lengths)):
        state = game.position(size)
        for move in games.moves[g, : games.lengths[g]]:
            mover = state[TO_PLAY]
            state = game.play(state, int(move))
            if game.outcome(state) == ONGOING and games.learner[g] in (0, mover):
                trace = (1 - RATE) * trace + RATE * phi(name, state)
    return trace


def counted(name, *batches):
    game, features, _, size = setting(name)
    counter = ExplorationCounter(game, features, size)
    for games in batches:
        counter.add(games)
    return counter


@each_game
@pytest.mark.parametrize("shares", [(1.0, 0.0, 0.0), (0.5, 0.5, 0.0)])
def test_the_trace_is_that_of_the_slow_twin(name, shares):
    games = games_of(name, Policy(epsilon=0.3, shares=shares), 6)
    assert shares[0] == 1.0 or {0, 1, 2} <= set(games.learner)
    counter = counted(name, games)
    np.testing.assert_allclose(counter.trace, slow_trace(name, games, np.zeros(len(counter.trace))), rtol=1e-12)
    assert (counter.trace != 0).any()


def test_games_may_be_counted_in_parts_but_in_order():
    games = games_of("connect4", Policy(epsilon=0.3), 8)
    whole = counted("connect4", games).trace
    assert (counted("connect4", some_of(games, 0, 3), some_of(games, 3, 8)).trace == whole).all()
    assert (counted("connect4", some_of(games, 3, 8), some_of(games, 0, 3)).trace != whole).any()


def test_the_trace_stays_within_the_inputs_however_many_games_it_counts():
    """The rule of the thesis, c + rho c Phi, stays at 0 or grows without a bound."""
    games = games_of("tictactoe", Policy(epsilon=1.0), 4000)
    trace = counted("tictactoe", games).trace
    assert 0 < np.abs(trace).max() <= 1.0


def worth(name, trace, state, move):
    """Value a move by the trace for who makes it: by the result where the game ends."""
    after = find_game(name).play(state, move)
    outcome = find_game(name).outcome(after)
    return -np.sign(outcome) if outcome != ONGOING else -np.tanh(trace @ phi(name, after))


def playable(game, state):
    moves = np.zeros(game.longest, np.int32)
    worthy = [int(move) for move in moves[: game.worthy(state, moves)]]
    return [move for move in worthy if move != game.pass_move] or worthy


@pytest.mark.parametrize(("name", "depth"), [*((name, 1) for name in PLACES), ("tictactoe", 2), ("connect4", 2)])
def test_an_explored_move_is_the_one_with_the_least_product(name, depth):
    game, _, evaluation, size = setting(name)
    counter = counted(name, games_of(name, Policy(epsilon=0.5), 5))
    games = games_of(name, Policy(epsilon=0.3, depth=depth), 3, 100, counter.evaluation)
    explored = told_apart = 0
    for g in range(3):
        state = game.position(size)
        for t in range(int(games.lengths[g])):
            move = int(games.moves[g, t])
            if games.explored[g, t] and explored < 40:
                values = {other: worth(name, counter.trace, state, other) for other in playable(game, state)}
                assert values[move] >= max(values.values()) - 1e-12
                explored += 1
                told_apart += max(values.values()) > np.median(list(values.values())) + 1e-9
                assert depth == 1 or reached(game, evaluation, games.leaves[g, t], state, move)
            state = game.play(state, move)
    assert told_apart > 2


def reached(game, evaluation, leaf, state, move):
    """Return whether the leaf of a move of two plies is that of the best reply by the network."""
    after = game.play(state, move)
    if game.outcome(after) != ONGOING:
        return (leaf < 0).all()

    def of_reply(reply):
        end = game.play(after, int(reply))
        outcome = game.outcome(end)
        return np.sign(outcome) if outcome != ONGOING else evaluation[0](end, evaluation[1])

    return of_reply(leaf[0]) == min(map(of_reply, playable(game, after)))


def test_before_anything_was_counted_all_moves_are_alike():
    games = games_of("tictactoe", Policy(epsilon=1.0), 300, explorer=counted("tictactoe").evaluation)
    assert games.explored.sum() == games.lengths.sum()
    assert (np.bincount(games.moves[:, 0], minlength=9) > 10).all()


def test_moves_that_are_not_explored_are_those_of_the_network():
    counter = counted("connect4", games_of("connect4", Policy(epsilon=0.5), 5))
    plain, directed = (games_of("connect4", Policy(epsilon=0.0), 5, explorer=e) for e in (None, counter.evaluation))
    assert (plain.moves == directed.moves).all()


def test_the_number_of_jobs_changes_nothing():
    counter = counted("connect4", games_of("connect4", Policy(epsilon=0.5), 5))
    one, three = (games_of("connect4", Policy(), 20, explorer=counter.evaluation, jobs=jobs) for jobs in (1, 3))
    assert (one.moves == three.moves).all() and (one.explored == three.explored).all()


def test_a_trainer_explores_by_the_games_of_the_batches_before(monkeypatch):
    options = {"seed": 1, "game": "connect4", "explore": "counter", "epsilon": 0.5, "batch": 4}
    trainer = find_recipe(settings_of(options)).trainer
    assert isinstance(trainer, TemporalDifferences)
    played, learn = [], Learner.learn

    def learn_noted(self, games):
        played.append(games)
        return learn(self, games)

    monkeypatch.setattr(Learner, "learn", learn_noted)
    trace = np.zeros(42)
    for _ in range(3):
        trainer.advance(1)
        trace = slow_trace("connect4", played[-1], trace)
        np.testing.assert_allclose(trainer.memory["counter"], trace, rtol=1e-12)


def test_exploration_of_another_name_is_refused():
    with pytest.raises(GotoolsError, match="explore: there is no 'count'"):
        settings_of({"seed": 1, "game": "connect4", "explore": "count"})
