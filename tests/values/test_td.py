"""Temporal differences: against a slow twin, the theses' rules and closed forms, and what is learned with them."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from support.slow_td import offline, online

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.jit.kernels.basics import below, seed_random
from gotools.values.games.selfplay import GameBatch, Policy, play_against, play_games, some_of
from gotools.values.settings import NetworkRates
from gotools.values.td.kernels import td as k
from gotools.values.td.perceptrons import layer_of, new_numbers, parse_architecture, scales_of, weights_of
from gotools.values.td.td import Learner

SIZES = {"tictactoe": 3, "connect4": 7, "go": 5}
MIXED = Policy(epsilon=0.3, shares=(0.4, 0.3, 0.3), dilution=0.0)


def make(name, text="mlp:3", seed=1, spread=0.5, features="raw"):
    """Return a game, its features, and numbers of a network over them."""
    game = find_game(name)
    found = game.find_features(features)
    return game, found, new_numbers(parse_architecture(text), found.scales(SIZES[name]), seed, spread)


def heuristic_of(game):
    module, attribute = game.learning.heuristic.split(":")
    return getattr(import_module(module), attribute)


def some_games(name, policy=MIXED, count=12, seed=3, **made):
    game, features, numbers = make(name, **made)
    return play_games(game, (features.evaluate, numbers), heuristic_of(game), policy, 0, count, seed, SIZES[name])


def learned(name, games, rates, **made):
    """Return the numbers before and after learning from games."""
    game, features, numbers = make(name, **made)
    learner = Learner(game, features, numbers.copy(), rates, SIZES[name])
    errors = learner.learn(games)
    assert errors.finite and errors.count > 0
    return numbers, learner.numbers


def alphas_of(numbers, rates):
    return np.array([rates.alpha[min(layer, len(rates.alpha) - 1)] for layer in layer_of(numbers)])


WAYS = {
    "plain": (NetworkRates((0.1,), lam=0.7), MIXED),
    "one ply": (NetworkRates((0.1,), lam=0.4, step=1), MIXED),
    "no traces": (NetworkRates((0.1,), lam=0.0), MIXED),
    "seeking risk": (NetworkRates((0.1,), gamma=0.9, lam=0.7, kappa=-0.8), MIXED),
    "only gains": (NetworkRates((0.1,), gamma=0.9, lam=0.7, kappa=-1.0), MIXED),
    "shunning risk": (NetworkRates((0.1,), kappa=0.3), MIXED),
    "risk by and by": (NetworkRates((0.1,), kappa=0.6, kappa_end=-0.9, kappa_games=4), MIXED),
    "risk to the last game": (NetworkRates((0.1,), kappa_end=-1.0, kappa_games=100), MIXED),
    "logcosh": (NetworkRates((0.1,), gamma=0.9, kappa=-0.8, chi="logcosh"), MIXED),
    "logcosh by and by": (NetworkRates((0.1,), kappa=-0.4, kappa_end=0.9, kappa_games=7, chi="logcosh"), MIXED),
    "cut": (NetworkRates((0.1,), lam=0.8, cut=True), MIXED),
    "cut, one ply": (NetworkRates((0.1,), lam=0.8, cut=True, step=1), MIXED),
    "layers": (NetworkRates((0.02, 0.3), lam=0.7), MIXED),
    "decay": (NetworkRates((0.1,), schedule="decay", t0=3.0), MIXED),
    "coherence": (NetworkRates((0.1,), schedule="coherence"), MIXED),
    "leaves": (NetworkRates((0.1,), gamma=0.9, lam=0.7), MIXED._replace(depth=2)),
    "deep leaves": (NetworkRates((0.1,), lam=0.7, step=1), Policy(epsilon=0.2, depth=3)),
}
each_way = pytest.mark.parametrize("way", WAYS)


@each_way
@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_learning_is_that_of_the_slow_twin(name, way):
    rates, policy = WAYS[way]
    games = some_games(name, policy)
    made = {"text": "mlp:3,2+bias"} if way == "layers" else {}
    before, after = learned(name, games, rates, **made)
    features = make(name)[1]
    twin = online(name, features, SIZES[name], games, before, rates, alphas_of(before, rates))
    assert np.abs(after - before).max() > 1e-3
    np.testing.assert_allclose(after, twin, rtol=1e-10, atol=1e-13)


@each_way
def test_tiny_rates_learn_the_sum_of_discounted_differences(way):
    rates, policy = WAYS[way]
    rates = replace(rates, alpha=tuple(1e-8 * alpha for alpha in rates.alpha))
    if rates.schedule != "fixed":
        rates = replace(rates, schedule="fixed", t0=NetworkRates.t0)
    games = some_games("tictactoe", policy, count=6)
    before, after = learned("tictactoe", games, rates)
    features = make("tictactoe")[1]
    wanted = offline("tictactoe", features, 3, games, before, rates, alphas_of(before, rates))
    moved = weights_of(after) - weights_of(before)
    np.testing.assert_allclose(moved, wanted, rtol=1e-4, atol=1e-6 * np.abs(wanted).max())


@pytest.mark.parametrize("reward_at", ["move", "end"])
@pytest.mark.parametrize("step", [1, 2])
def test_captures_are_rewarded_as_by_the_twin(step, reward_at):
    game, features, _ = make("go", "linear")
    tally = game_tally(game)
    games = some_games("go", MIXED._replace(shares=(1.0, 0.0, 0.0)), count=4, text="linear")
    kappa = 0.0 if step == 1 else -0.5
    rates = NetworkRates((0.05,), gamma=0.9, reward=0.2, reward_at=reward_at, step=step, kappa=kappa)
    before, after = learned("go", games, rates, text="linear")
    twin = online("go", features, 5, games, before, rates, alphas_of(before, rates), tally)
    np.testing.assert_allclose(after, twin, rtol=1e-10, atol=1e-13)
    unrewarded = learned("go", games, replace(rates, reward=0.0), text="linear")[1]
    assert np.abs(unrewarded - after).max() > 1e-3


def game_tally(game):
    module, attribute = game.learning.tally.split(":")
    return getattr(import_module(module), attribute)


def test_lambda_one_is_the_delta_rule_of_the_go_thesis():
    """Over the positions of a game dw_i = eta (d - f(X)) (1 - f(X)^2) x_i: net A, lambda 1 (section 4.3)."""
    eta = 1e-8
    game, features, _ = make("go", "linear")
    games = some_games("go", Policy(epsilon=0.2), count=3, text="linear")
    before, after = learned("go", games, NetworkRates((eta,), lam=1.0, step=1), text="linear")
    weights, scales = weights_of(before), scales_of(before)
    wanted = np.zeros(len(weights))
    for g in range(3):
        state = game.position(5)
        for t in range(games.lengths[g] - 1):  # the second of two passes ends the game
            state = game.play(state, int(games.moves[g, t]))
            x = np.zeros(len(weights))
            features.inputs(state, x)
            x = x * scales * (1.0 if state[1] == 1 else -1.0)  # black's view
            f = np.tanh(weights @ x)
            wanted += eta * (games.outcomes[g] - f) * (1.0 - f * f) * x
    np.testing.assert_allclose(weights_of(after) - weights, wanted, rtol=1e-4, atol=1e-6 * np.abs(wanted).max())


class TestTwoStates:
    """The decision process of the Abalone thesis, section 6.2 (figure 6.1; Mihatsch and Neuneier 2002).

        state 0:  stay, reward 0    |    move to state 1, reward 0
        state 1:  reward 1, with probability 1 - theta    |    reward -rho and back to state 0, with theta

    Values v0 = gamma v1, and of state 1, where the weighed differences have mean 0:
        (1 - theta)(1 - kappa)(1 + gamma v1 - v1) + theta (1 + kappa)(-rho + gamma v0 - v1) = 0
    """

    GAMMA = 0.8
    KAPPAS = (-0.8, -0.3, 0.0, 0.3, 0.8)
    each = pytest.mark.parametrize(("kappa", "theta"), [(kappa, theta) for kappa in KAPPAS for theta in (0.1, 0.4)])

    @classmethod
    def value_of_moving(cls, kappa, theta, rho):
        """Return the thesis' closed form of the value of state 0 for who moves."""
        gains, losses = (1 - theta) * (1 - kappa), theta * (1 + kappa)
        return cls.GAMMA / (1 - cls.GAMMA) * (gains - rho * losses) / (gains + (1 + cls.GAMMA) * losses)

    @staticmethod
    def threshold(kappa, theta):
        return (1 - theta) / theta * (1 - kappa) / (1 + kappa)

    @classmethod
    def iterate(cls, kappa, theta, rho, policy):
        """Return the values of staying, moving and state 1 where expected steps end; `policy` values state 0."""
        stay = move = one = 0.0
        for _ in range(20_000):
            zero = policy(stay, move)
            stay, move, one = (
                stay + 0.2 * k.chi(cls.GAMMA * zero - stay, kappa),
                move + 0.2 * k.chi(cls.GAMMA * one - move, kappa),
                one
                + 0.2 * (1 - theta) * k.chi(1 + cls.GAMMA * one - one, kappa)
                + 0.2 * theta * k.chi(-rho + cls.GAMMA * zero - one, kappa),
            )
        return stay, move, one

    @each
    def test_the_value_of_moving_is_the_closed_form(self, kappa, theta):
        for rho in (0.0, 0.5, 3.0, 20.0):
            _, move, _ = self.iterate(kappa, theta, rho, lambda stay, move: move)
            assert move == pytest.approx(self.value_of_moving(kappa, theta, rho), abs=1e-9)

    @each
    def test_the_threshold_of_the_cost_decides_which_action_is_learned(self, kappa, theta):
        for share in (0.5, 0.99, 1.01, 2.0):
            rho = share * self.threshold(kappa, theta)
            stay, move, _ = self.iterate(kappa, theta, rho, max)
            assert (move > stay) == (share < 1.0)
            assert self.value_of_moving(kappa, theta, rho) > 0 or share > 1.0

    @pytest.mark.parametrize("kappa", KAPPAS)
    def test_sampled_steps_come_near_the_closed_form(self, kappa):
        theta, rho = 0.3, 1.5
        random = np.zeros(1, np.uint64)
        seed_random(random, 11)
        zero = one = mean = 0.0
        steps, state = 200_000, 0
        for i in range(steps):
            rate = 20.0 / (400.0 + i)
            if state == 0:
                zero += rate * k.chi(self.GAMMA * one - zero, kappa)
                state = 1
            elif below(random, 1000) < 1000 * theta:
                one += rate * k.chi(-rho + self.GAMMA * zero - one, kappa)
                state = 0
            else:
                one += rate * k.chi(1 + self.GAMMA * one - one, kappa)
            mean += zero * (i >= steps // 2)
        wanted = self.value_of_moving(kappa, theta, rho)
        assert mean / (steps // 2) == pytest.approx(wanted, abs=0.05 * max(1.0, abs(wanted)))


class TestLogcosh:
    KAPPAS = (-1.0, -0.6, 0.0, 0.4, 1.0)
    each = pytest.mark.parametrize("kappa", KAPPAS)
    DELTAS = np.linspace(-2.0, 2.0, 4001)

    @each
    def test_the_slope_goes_from_that_of_losses_through_1_to_that_of_gains(self, kappa):
        values = np.array([k.chi_logcosh(delta, kappa) for delta in self.DELTAS])
        slopes = np.diff(values) / np.diff(self.DELTAS)
        middles = (self.DELTAS[1:] + self.DELTAS[:-1]) / 2
        np.testing.assert_allclose(slopes, 1 - kappa * np.tanh(middles / 0.1), atol=1e-4)
        assert (slopes > -1e-9).all()
        assert k.chi_logcosh(0.0, kappa) == 0.0
        assert k.chi_logcosh(1e-7, kappa) == pytest.approx(1e-7, rel=1e-5)

    @each
    def test_large_differences_weigh_as_in_linear_chi_but_for_a_constant(self, kappa):
        for delta in (-2.0, -1.0, 1.0, 2.0):
            gap = k.chi_logcosh(delta, kappa) - k.chi(delta, kappa)
            assert gap == pytest.approx(kappa * 0.1 * np.log(2), abs=1e-9)

    @each
    def test_gains_of_one_kappa_are_losses_of_the_opposite_one(self, kappa):
        for delta in (0.003, 0.1, 0.7):
            assert k.chi_logcosh(-delta, -kappa) == -k.chi_logcosh(delta, kappa)


def test_kappa_is_that_of_the_number_of_the_game():
    """Whatever the batches: a learner that has seen 30 games goes on at game 30, and stays at the end."""
    rates = NetworkRates((0.1,), kappa=0.0, kappa_end=-0.8, kappa_games=40)
    games = some_games("tictactoe", count=1)
    for seen, kappa in ((0, 0.0), (10, -0.2), (30, -0.6), (39, -0.78), (40, -0.8), (1000, -0.8)):
        found = []
        for of in (rates, NetworkRates((0.1,), kappa=kappa)):
            game, features, numbers = make("tictactoe")
            learner = Learner(game, features, numbers, of, 3)
            learner.memory["games"][0] = seen
            learner.learn(games)
            found.append(learner.numbers)
        np.testing.assert_allclose(found[0], found[1], rtol=1e-12)
        assert kappa == 0.0 or (found[0] != learned("tictactoe", games, NetworkRates((0.1,)))[1]).any()


def test_the_learners_step_is_chi_along_the_trace():
    weights, trace = np.array([1.0, 2.0]), np.array([0.5, -1.0])
    k.step_along(weights, trace, k.chi(-0.5, 0.3), np.array([0.1, 0.2]), 0.5, np.zeros(0), np.zeros(0), 0)
    np.testing.assert_allclose(weights, [1.0 - 0.05 * 0.65 * 0.5, 2.0 + 0.1 * 0.65 * 1.0])


def test_risk_tilts_values_the_way_of_its_sign():
    """Of games with given outcomes, who seeks risk thinks more of every position than who shuns it."""
    games = some_games("tictactoe", Policy(epsilon=1.0), count=400, text="linear")
    game, features, _ = make("tictactoe")
    means = []
    for kappa in (-0.8, 0.0, 0.8):
        numbers = learned("tictactoe", games, NetworkRates((0.02,), kappa=kappa), text="mlp:8+bias")[1]
        own = [-features.evaluate(game.play(game.position(), move), numbers) for move in range(9)]
        means.append(np.mean(own))
    assert means[0] > means[1] + 0.1 and means[1] > means[2] + 0.1


def test_a_batch_may_be_learned_in_parts_and_continued():
    risk = NetworkRates((0.1,), kappa=-0.5, kappa_end=0.5, kappa_games=15, chi="logcosh")
    for rates in (NetworkRates((0.1,), schedule="coherence"), NetworkRates((0.1,), schedule="decay", t0=5.0), risk):
        games = some_games("tictactoe", count=20)
        whole = learned("tictactoe", games, rates)[1]
        game, features, numbers = make("tictactoe")
        first = Learner(game, features, numbers, rates, 3)
        first.learn(some_of(games, 0, 7))
        second = Learner(game, features, first.numbers.copy(), rates, 3)
        second.memory = {name: array.copy() for name, array in first.memory.items()}
        second.learn(some_of(games, 7, 20))
        assert (second.numbers == whole).all()


def test_errors_are_those_of_the_differences():
    games = some_games("tictactoe", Policy(epsilon=1.0), count=500)
    game, features, numbers = make("tictactoe", spread=0.0)
    errors = Learner(game, features, numbers, NetworkRates((0.0,)), 3).learn(
        games
    )  # every value is 0: only outcomes differ
    decided = (games.outcomes != 0).sum()
    assert errors.count == (games.lengths - 1).sum()
    assert errors.mean_squared == pytest.approx(2 * decided / errors.count)
    assert errors.mean_absolute == pytest.approx(2 * decided / errors.count)


def test_each_layer_has_its_rate():
    games = some_games("tictactoe")
    for alpha, still in (((0.0, 0.1), 0), ((0.1, 0.0), 1)):
        before, after = learned("tictactoe", games, NetworkRates(alpha))
        moved = weights_of(after) != weights_of(before)
        layers = layer_of(before)
        assert not moved[layers == still].any() and moved[layers != still].all()


@pytest.mark.parametrize("weight", [np.nan, np.inf, -1e7])
def test_weights_that_diverged_are_reported(weight):
    game, features, numbers = make("tictactoe")
    games = some_games("tictactoe", count=1)
    weights_of(numbers)[2] = weight
    assert not Learner(game, features, numbers, NetworkRates(), 3).learn(games).finite


def test_no_games_teach_nothing():
    game, features, numbers = make("tictactoe")
    errors = Learner(game, features, numbers.copy(), NetworkRates(), 3).learn(some_of(some_games("tictactoe"), 0, 0))
    assert (errors.count, errors.mean_squared, errors.mean_absolute, errors.finite) == (0, 0.0, 0.0, True)


def won_against_random(features, text, rates, policy, games, spread=0.1):
    """Learn tic-tac-toe by playing; return the results of 1,000 games against random moves, before and after."""
    game, found, numbers = make("tictactoe", text, spread=spread, features=features)
    learner = Learner(game, found, numbers.copy(), rates, 3)
    for first in range(0, games, 100):
        learner.learn(play_games(game, (found.evaluate, learner.numbers), None, policy, first, 100, 2, 3))
    evaluations = ((found.evaluate, numbers), (found.evaluate, learner.numbers))
    return [play_against(game, one, None, 1000, 5, 3, depth=policy.depth) for one in evaluations]


@pytest.mark.parametrize(
    ("rates", "policy"),
    [
        (NetworkRates((0.05,), lam=0.7), Policy(epsilon=0.1)),
        (NetworkRates((0.05,), lam=0.7, schedule="coherence"), Policy(epsilon=0.1)),
        (NetworkRates((0.1,), lam=0.7, schedule="decay", t0=1000.0), Policy(epsilon=0.1)),
        (NetworkRates((0.05,), lam=0.7, cut=True), Policy(epsilon=0.3)),
        (NetworkRates((0.05,), lam=0.7, step=1), Policy(epsilon=0.1)),
        (NetworkRates((0.05,), lam=0.7, kappa=-0.5), Policy(epsilon=0.1)),
        (NetworkRates((0.05,), lam=0.7), Policy(epsilon=0.0, temperature=0.2)),
        (NetworkRates((0.05,), lam=0.7), Policy(epsilon=0.0, shares=(0.5, 0.5, 0.0))),
        (NetworkRates((0.05,), lam=0.7), Policy(epsilon=0.1, depth=2)),
    ],
)
def test_tictactoe_is_learned_from_its_open_lines(rates, policy):
    before, after = won_against_random("lines", "mlp:6+bias", rates, policy, 3000)
    assert sum(after) == 1000
    assert after[0] > 880 and after[2] < 50
    assert before[2] > 2 * after[2]


@pytest.mark.slow
def test_tictactoe_is_learned_from_its_stones():
    rates = NetworkRates((0.03,), lam=0.3, schedule="decay", t0=10_000.0)
    _, after = won_against_random("raw", "mlp:40+bias", rates, Policy(epsilon=0.3), 40_000, spread=0.5)
    assert after[0] > 860 and after[2] < 70


def test_rates_that_make_no_sense_are_refused():
    for wrong in (
        {"alpha": ()}, {"alpha": (-0.1,)}, {"alpha": (np.nan,)}, {"gamma": 1.1}, {"lam": -0.1}, {"kappa": 1.5},
        {"schedule": "sometimes"}, {"step": 3}, {"step": 1, "kappa": 0.1}, {"reward": np.inf}, {"t0": 0.0},
        {"reward_at": "start"},
        {"kappa_end": 1.5, "kappa_games": 9}, {"kappa_end": np.nan, "kappa_games": 9}, {"kappa_games": -1},
        {"kappa_games": 9}, {"kappa_end": 0.5}, {"kappa": 0.5, "kappa_end": 0.5, "kappa_games": 9},
        {"step": 1, "kappa_end": 0.5, "kappa_games": 9}, {"chi": "tanh"},
    ):  # fmt: skip
        with pytest.raises(GotoolsError):
            NetworkRates(**wrong)


def test_a_learner_of_other_inputs_or_without_events_is_refused():
    game, features, numbers = make("tictactoe")
    with pytest.raises(GotoolsError, match="inputs"):
        Learner(game, game.find_features("lines"), numbers, NetworkRates(), 3)
    with pytest.raises(GotoolsError, match="reward"):
        Learner(game, features, numbers, NetworkRates(reward=1.0), 3)
    with pytest.raises(GotoolsError, match="numbers"):
        Learner(game, features, numbers[:-1], NetworkRates(), 3)


def test_any_record_teaches():
    """A game by hand, not by play_games: the fastest victory of side 1."""
    game, features, numbers = make("tictactoe", "mlp:20", spread=0.1)
    moves = np.array([[0, 3, 1, 4, 2]], np.int16)
    games = GameBatch(
        moves, np.array([5]), np.array([1.0]), np.zeros((1, 5), np.uint8), np.zeros(1, np.int8),
        np.zeros((1, 5, 0), np.int16),
    )  # fmt: skip
    learner = Learner(game, features, numbers, NetworkRates((0.05,), lam=0.7), 3)
    for _ in range(300):
        errors = learner.learn(games)
    assert errors.count == 4 and errors.mean_absolute < 0.1
    state = game.position()
    for move in (0, 3, 1, 4):
        state = game.play(state, move)
        value = features.evaluate(state, learner.numbers)
        assert value > 0.8 if state[1] == 1 else value < -0.8
