"""Values by local patterns and networks, play and learning with local patterns: against slow, plain twins."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from gotools.engines.knowledge import default_weights
from gotools.games.go.board import Board
from gotools.games.go.go import GO, move_of, point_of
from gotools.games.go.inputs.positions import GRID
from gotools.games.go.kernels import game as g
from gotools.values.games.selfplay import GameBatch, Policy, play_games
from gotools.values.settings import Rates
from gotools.values.td.perceptrons import parse_architecture
from gotools.values.td.shapes import Shapes, shapes_of
from gotools.values.td.tables import ShapeLearner
from gotools.values.weights.evaluator import Evaluator, load_evaluator
from gotools.values.weights.weights_file import Weights

SIZES = (1, 2, 3)
TURNED = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
"""The symmetries of the square: mirror left and right, mirror up and down, then swap rows and columns."""
Cells = np.ndarray
"""Colours in rows, the lowest first: 0 empty, 1 black, 2 white."""


def turn(y: int, x: int, side: int, symmetry: tuple[int, int, int]) -> tuple[int, int]:
    x = side - 1 - x if symmetry[0] else x
    y = side - 1 - y if symmetry[1] else y
    return (x, y) if symmetry[2] else (y, x)


def random_positions(size: int, count: int, seed: int = 0) -> list[np.ndarray]:
    """Positions of games of random moves, with captures, at all stages; komi 5.5."""
    games = play_games(GO, (GRID.evaluate, np.zeros(8)), None, Policy(1.0), 0, 8, seed, size, komi=5.5)
    random, found = np.random.default_rng(seed), []
    for row in random.integers(8, size=count):
        state = GO.position(size, 5.5)
        for move in games.moves[row, : random.integers(games.lengths[row])]:
            state = GO.play(state, int(move))
        found.append(state)
    return found


def cells_of(state: np.ndarray) -> Cells:
    size = int(state[0])
    board = np.empty(size * size, np.uint8)
    GRID.cells(state, board)
    return board.reshape(size, size)


def state_of(cells: Cells, to_play: int, komi2: int) -> np.ndarray:
    state = Board.from_cells(np.ascontiguousarray(cells.reshape(-1)), len(cells), to_play).state
    state[g.KOMI2] = komi2
    return state


def shape_weights(size: int, seed: int = 0) -> Weights:
    many = shapes_of(GO, size).weights
    weights = np.random.default_rng(seed).normal(0.0, 0.02, many)
    weights[0] = 0.0
    return Weights("go", size, 5.5, "shapes", "linear", 0, weights)


# ---- the value of local patterns ----

Key = tuple[tuple[tuple[int, int], int], ...]


@cache
def shared(key: Key, side: int) -> tuple[Key, int]:
    """Return the pattern that stands for all its images, and the sign; 0 where it is its own image colours swapped."""
    images = [
        (tuple(sorted((turn(y, x, side, s), (3 - colour) % 3 if swap else colour) for (y, x), colour in key)), swap)
        for s in TURNED
        for swap in (False, True)
    ]
    least = min(image for image, _ in images)
    swaps = {swap for image, swap in images if image == least}
    return least, 0 if len(swaps) == 2 else (-1 if swaps == {True} else 1)


def windows(cells: Cells) -> list[tuple[int, int, int, Key]]:
    """List size, row, column and contents of each window, sizes first, then rows, then columns."""
    side = len(cells)
    return [
        (size, y, x, tuple(((v, u), int(cells[v, u])) for v in range(y, y + size) for u in range(x, x + size)))
        for size in SIZES
        for y in range(side - size + 1)
        for x in range(side - size + 1)
    ]


def entry(shapes: Shapes, key: Key, by_place: bool) -> int:
    """Return the entry of a pattern in the layout, found by the definition of its code."""
    size = int(len(key) ** 0.5)
    (y, x), _ = min(key)
    code = sum(colour * 3 ** ((v - y) * size + u - x) for (v, u), colour in key)
    if not by_place:
        return int(shapes.layout.free[sum(3 ** (s * s) for s in SIZES if s < size) + code])
    wide = shapes.rows
    before = sum((wide - s + 1) ** 2 * 3 ** (s * s) for s in SIZES if s < size)
    return int(shapes.layout.placed[before + (y * (wide - size + 1) + x) * 3 ** (size * size) + code])


def slow_sum(shapes: Shapes, weights: np.ndarray, state: np.ndarray, seen: dict[Any, int]) -> float:
    """Return the sum for black; each pattern is looked up as the one that stands for all its images."""
    cells = cells_of(state)
    total = 0.0
    for size, y, x, key in windows(cells):
        at_origin = tuple(((v - y, u - x), colour) for (v, u), colour in key)
        for pattern, side, by_place in ((key, len(cells), True), (at_origin, size, False)):
            least, sign = shared(pattern, side)
            found = entry(shapes, least, by_place)
            assert seen.setdefault((least, side, by_place), found >> 1) == found >> 1
            total += sign * (-1 if found & 1 else 1) * weights[found >> 1]
            assert (sign == 0) == (found >> 1 == 0)
    return total


@pytest.mark.parametrize("size", [3, 5, 9])
def test_the_value_is_the_sum_over_windows_of_shared_weights(size: int) -> None:
    weights = shape_weights(size)
    evaluator, shapes = Evaluator(weights), shapes_of(GO, size)
    seen: dict[Any, int] = {}
    for state in random_positions(size, 8):
        black = state[1] == 1
        total = slow_sum(shapes, weights.weights, state, seen)
        total += weights.weights[-2] * (1 if black else -1) + weights.weights[-1] * -0.55
        assert evaluator.value(state) == pytest.approx(np.tanh(total if black else -total), abs=2e-6)
    numbers = [number for number in seen.values() if number]
    assert len(set(numbers)) == len(numbers) > 30  # other patterns have other weights


@pytest.mark.parametrize("size", [5, 9])
def test_swapped_colours_are_worth_the_same_to_the_bit(size: int) -> None:
    evaluator = Evaluator(shape_weights(size))
    for state in random_positions(size, 20, 1):
        cells, to_play = cells_of(state), int(state[1])
        value = evaluator.value(state_of(cells, to_play, 0))
        assert value == evaluator.value(state_of((3 - cells) % 3, 3 - to_play, 0)) != 0
        assert evaluator.value(state_of(cells, to_play, 11)) == evaluator.value(
            state_of((3 - cells) % 3, 3 - to_play, -11)
        )


@pytest.mark.parametrize("size", [2, 5, 9])
def test_turned_boards_are_worth_the_same(size: int) -> None:
    evaluator = Evaluator(shape_weights(size))
    for state in random_positions(size, 10, 2):
        cells = cells_of(state)
        value = evaluator.value(state)
        for symmetry in TURNED:
            turned = np.empty_like(cells)
            for y, x in product(range(size), repeat=2):
                turned[turn(y, x, size, symmetry)] = cells[y, x]
            assert abs(evaluator.value(state_of(turned, int(state[1]), 11)) - value) <= 1e-12


def odd_dimension(side: int, size: int) -> int:
    """Count the functions of (window, pattern) that symmetries leave alone and swapped colours turn to their negative.

    That is 1/16 of the sum, over the symmetries, of the patterns that each leaves alone less those that it leaves alone
    together with the swap: a cycle of cells may hold anything, or, if it is odd and colours are swapped, nothing.
    """
    total = 0
    for symmetry in TURNED:
        for y, x in product(range(side - size + 1), repeat=2):
            cells = [(v, u) for v in range(y, y + size) for u in range(x, x + size)]
            image = {cell: turn(*cell, side, symmetry) for cell in cells}
            if set(image.values()) != set(cells):
                continue
            cycles, left = [], set(cells)
            while left:
                at, length = left.pop(), 1
                while (at := image[at]) in left:
                    left.remove(at)
                    length += 1
                cycles.append(length)
            total += 3 ** len(cycles) - 3 ** sum(length % 2 == 0 for length in cycles)
    assert total % 16 == 0
    return total // 16


@pytest.mark.parametrize("side", [2, 3, 5, 9])
def test_the_number_of_weights_is_what_group_theory_says(side: int) -> None:
    """For 9x9, 63,303 are shared: RLGO's count (Silver, Sutton and Mueller 2012); none, turn and tilt come besides."""
    expected = sum(odd_dimension(side, size) + odd_dimension(size, size) for size in SIZES)
    assert shapes_of(GO, side).weights == expected + 3
    assert side != 9 or expected == 63_303
    used = np.unique(np.concatenate([shapes_of(GO, side).layout.placed, shapes_of(GO, side).layout.free]) >> 1)
    assert used.tolist() == list(range(expected + 1))


# ---- reasons ----


@pytest.mark.parametrize("size", [5, 9])
def test_the_reasons_sum_to_what_the_value_is_the_tanh_of(size: int) -> None:
    evaluator = Evaluator(shape_weights(size))
    for state in random_positions(size, 10, 3):
        every = evaluator.why(state, 10**6)
        assert sum(reason.share for reason in every) == pytest.approx(np.arctanh(evaluator.value(state)), abs=1e-9)
        first = evaluator.why(state)
        assert first == every[:8]
        assert [abs(reason.share) for reason in every] == sorted((abs(r.share) for r in every), reverse=True)
        seen = evaluator.why(state, 10**6, mover=True)
        assert [reason.share for reason in seen] == [-reason.share for reason in every]
        assert [reason.what for reason in seen] == [reason.what for reason in every]


def test_a_reason_shows_the_pattern_as_it_stands() -> None:
    evaluator = Evaluator(shape_weights(5))
    cells = np.zeros((5, 5), np.uint8)
    cells[1, 2], cells[2, 3] = 1, 2  # C2 black, D3 white
    found = {reason.what: reason.share for reason in evaluator.why(state_of(cells, 1, 0), 10**6)}
    assert {"1x1 at C2: X", "1x1 at D3: O", "2x2 at B1: .X / ..", "3x3 at B1: ..O / .X. / ..."} <= set(found)
    assert found["1x1 at C2: X"] == -{r.what: r.share for r in evaluator.why(state_of(cells, 2, 0), 99)}["1x1 at C2: X"]


def dense(weights: Weights, x: np.ndarray) -> float:
    """The value of a network without biases, as in a book."""
    layers = parse_architecture(weights.network)
    counts = [len(x), *layers.hidden, 1]
    rest, activity = weights.weights, x * weights.scales
    for before, after in pairwise(counts):
        activity = np.tanh(rest[: before * after].reshape(after, before) @ activity)
        rest = rest[before * after :]
    assert not len(rest)
    return float(activity[0])


@pytest.mark.parametrize("features", ["thesis8", "raw"])
@pytest.mark.parametrize("network", ["linear", "mlp:5", "mlp:6,3"])
def test_networks_have_the_value_of_the_book_and_reasons(features: str, network: str) -> None:
    found = GO.find_features(features)
    scales = found.scales(5)
    many = sum(parse_architecture(network).layers(len(scales)))
    weights = Weights("go", 5, 5.5, features, network, 0, np.random.default_rng(4).normal(0, 0.4, many), scales)
    evaluator = Evaluator(weights)
    for state in random_positions(5, 6, 4):
        x = np.zeros(len(scales))
        found.inputs(state, x)
        assert evaluator.value(state) == pytest.approx(dense(weights, x), abs=1e-9)
        every = evaluator.why(state, 10**6)
        shown = {reason.what: reason.share for reason in every}
        if network == "linear":
            assert sum(shown.values()) == pytest.approx(np.arctanh(evaluator.value(state)), abs=1e-9)
        for i, label in enumerate(found.labels(5)):
            without = x.copy()
            without[i] = 0.0
            fall = dense(weights, x) - dense(weights, without)
            if x[i] and network != "linear":
                assert shown[f"{label} {x[i]:+g}"] == pytest.approx(fall, abs=1e-9)
        seen = {reason.what: reason.share for reason in evaluator.why(state, 10**6, mover=True)}
        for i, label in enumerate(found.labels(5)):
            if f"{label} {x[i]:+g}" in shown:
                assert seen[f"{label} {-x[i]:+g}"] == -shown[f"{label} {x[i]:+g}"]


# ---- play by local patterns ----


def learner_of(size: int, rates: Rates, seed: int = 0) -> ShapeLearner:
    learner = ShapeLearner(GO, size, 5.5, rates)
    learner.restore(shape_weights(size, seed).arrays)
    return learner


@pytest.mark.parametrize(("size", "count"), [(3, 20), (5, 10), (9, 3)])
def test_self_play_chooses_what_brute_force_over_successors_does(size: int, count: int) -> None:
    learner = learner_of(size, Rates())
    evaluate, numbers = learner.evaluation
    games = learner.play(None, Policy(0.15), 0, count, 5, 1)
    found, captures, looked = np.empty(GO.longest, np.int32), 0, 0
    for row in range(count):
        state = GO.position(size, 5.5)
        for ply in range(int(games.lengths[row])):
            move = int(games.moves[row, ply])
            worthy = [int(m) for m in found[: GO.worthy(state, found)] if m != g.PASS_MOVE] or [g.PASS_MOVE]
            assert move in worthy
            if not games.explored[row, ply]:
                values = {m: -np.arctanh(evaluate(GO.play(state, m), numbers)) for m in worthy}
                assert values[move] >= max(values.values()) - 1e-5  # sums of float32
                looked += len(worthy) > 1
            before = (cells_of(state) > 0).sum()
            state = GO.play(state, move)
            captures += int((cells_of(state) > 0).sum() <= before and move != g.PASS_MOVE)
        assert games.outcomes[row] == np.sign(GO.outcome(state)) * (1 if state[1] == 1 else -1)
    assert captures > 5 and looked > 50
    assert 0.1 < games.explored.sum() / games.lengths.sum() < 0.2


# ---- learning by local patterns ----


def features_of(shapes: Shapes, state: np.ndarray) -> np.ndarray:
    """The dense vector of features for black."""
    vector = np.zeros(shapes.weights)
    for _, y, x, key in windows(cells_of(state)):
        at_origin = tuple(((v - y, u - x), colour) for (v, u), colour in key)
        for pattern, by_place in ((key, True), (at_origin, False)):
            found = entry(shapes, pattern, by_place)
            vector[found >> 1] += -1.0 if found & 1 else 1.0
    vector[0] = 0.0
    vector[-2] = 1.0 if state[1] == 1 else -1.0
    vector[-1] = -0.55  # 5.5 points of komi for white; 10 points are 1
    return vector


def chi(delta: float, kappa: float) -> float:
    return (1 - kappa) * delta if delta > 0 else (1 + kappa) * delta


def slow_errors(
    rates: Rates, values: list[float], prisoners: list[float], outcome: float, explored: list[bool], learner: int
) -> tuple[np.ndarray, list[float]]:
    """What each position learns, in black's view, and all temporal differences: sums over k of (gamma lambda)^(k-i)."""
    n = len(values)
    errors, deltas = np.zeros(n), []
    for start in range(rates.step):
        chain = list(range(start, n, rates.step))
        view = 1.0 if rates.step == 1 or start == 0 else -1.0
        if not chain or (rates.step == 2 and learner not in (0, start + 1)):
            continue
        found = []
        for i, t in enumerate(chain):
            last = i + 1 == len(chain)
            target = outcome if last else rates.gamma * values[chain[i + 1]]
            events = (prisoners[-1] if last else prisoners[chain[i + 1]]) - prisoners[t]
            found.append(view * (target - values[t] + rates.reward * events))
        deltas += found
        for i, t in enumerate(chain):
            for k in range(i, len(chain)):
                if rates.cut and k + 1 < len(chain) and explored[chain[k + 1]]:
                    break
                errors[t] += view * (rates.gamma * rates.lam) ** (k - i) * chi(found[k], rates.kappa)
    return errors, deltas


def slow_learn(learner: ShapeLearner, games: GameBatch, weights: np.ndarray) -> tuple[np.ndarray, list[float]]:
    """The weights after the games, and all temporal differences."""
    rates, shapes = learner.rates, shapes_of(GO, learner.size)
    count = len(shapes.layout.begins)
    net, gross = np.zeros(len(weights)), np.zeros(len(weights))
    every = []
    for row in range(len(games.lengths)):
        states, prisoners = [GO.position(learner.size, 5.5)], [0.0]
        for ply in range(int(games.lengths[row])):
            states.append(GO.play(states[-1], int(games.moves[row, ply])))
            lost = [int((cells_of(states[-2]) == c).sum() - (cells_of(states[-1]) == c).sum()) for c in (1, 2)]
            prisoners.append(prisoners[-1] + max(lost[1], 0) - max(lost[0], 0))
        vectors = [features_of(shapes, state) for state in states[1:]]
        values = [float(np.tanh(vector @ weights)) for vector in vectors]
        explored = [bool(mark) for mark in games.explored[row, : len(values)]]
        errors, deltas = slow_errors(
            rates, values, prisoners, float(games.outcomes[row]), explored, int(games.learner[row])
        )
        every += deltas
        alpha = rates.alpha[0] / count
        if rates.schedule == "decay":
            alpha *= rates.t0 / (rates.t0 + int(learner.memory["games"][0]))
        if rates.schedule != "coherence":
            weights = weights + alpha * sum(e * vector for e, vector in zip(errors, vectors, strict=True))
            continue
        weights = weights.copy()
        for number, error in stays(shapes, states, errors):
            rate = abs(net[number]) / gross[number] if gross[number] else 1.0
            weights[number] += alpha * rate * error
            net[number] += error
            gross[number] += abs(error)
        assert np.allclose(net[1:], learner.memory["net"][1:]) or row + 1 < len(games.lengths)
    return weights, every


def stays(shapes: Shapes, states: list[np.ndarray], errors: np.ndarray) -> list[tuple[int, float]]:
    """List weight and error of each time that a pattern stands, by its end; within a move as the stones change."""
    keys = [[key for *_, key in windows(cells_of(state))] for state in states]
    since = dict.fromkeys(range(len(keys[0])), 1)
    found = []

    def end(window: int, last: int) -> None:
        """The pattern of a window stood in states since .. last."""
        key = keys[last][window]
        error = float(errors[since[window] - 1 : last].sum())
        if last >= since[window]:
            (y, x), _ = min(key)
            at_origin = tuple(((v - y, u - x), colour) for (v, u), colour in key)
            for pattern, by_place in ((key, True), (at_origin, False)):
                one = entry(shapes, pattern, by_place)
                if one >> 1:
                    found.append((one >> 1, -error if one & 1 else error))
        since[window] = last + 1

    for t in range(1, len(states)):
        side, before, after = int(states[t - 1][1]), cells_of(states[t - 1]), cells_of(states[t])
        changed = np.argwhere(before != after).tolist()
        stone = [cell for cell in changed if after[tuple(cell)] == side]
        for cell in stone + [cell for cell in taken_in_order(states[t - 1], states[t]) if cell not in stone]:
            for window, key in enumerate(keys[t]):
                if any([v, u] == cell for (v, u), _ in key) and since[window] <= t and keys[t - 1][window] != key:
                    end(window, t - 1)
    for window in range(len(keys[0])):
        end(window, len(states) - 1)
    turns = sum(e * (1 if state[1] == 1 else -1) for e, state in zip(errors, states[1:], strict=True))
    return [*found, (shapes.weights - 2, turns), (shapes.weights - 1, -0.55 * float(errors.sum()))]


def taken_in_order(before: np.ndarray, after: np.ndarray) -> list[list[int]]:
    """List the cells that a move changed as the game lists them; the sums of coherence depend on the order."""
    size = int(before[0])
    where, found = np.empty(size * size + 1, np.int32), np.empty(GO.longest, np.int32)
    for move in found[: GO.legal(before, found)]:
        if (cells_of(GO.play(before, int(move))) == cells_of(after)).all() and move != g.PASS_MOVE:
            count = GRID.changes(before, int(move), where)
            return [list(divmod(int(cell), size)) for cell in where[:count]]
    return []


RATES = [
    Rates((0.5,), lam=0.0),
    Rates((0.5,), lam=0.8, gamma=0.95),
    Rates((0.5,), lam=0.6, step=1),
    Rates((0.5,), lam=1.0, kappa=0.5),
    Rates((0.5,), lam=0.4, kappa=-0.7, reward=0.02, gamma=0.9),
    Rates((0.5,), lam=0.9, cut=True, reward=-0.01, step=1),
    Rates((0.5,), lam=0.9, cut=True),
    Rates((0.5,), lam=0.7, schedule="decay", t0=3.0),
    Rates((0.5,), lam=0.5, schedule="coherence"),
    Rates((0.5,), lam=0.0, schedule="coherence", step=1),
]


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("shares", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
def test_learning_is_that_of_dense_vectors(rates: Rates, shares: tuple[float, float, float]) -> None:
    learner = learner_of(4, rates)
    for batch in range(2):
        games = learner.play(None, Policy(0.3, shares=shares), 3 * batch, 3, 1, 1)
        assert games.explored.any() and games.learner.any() == (shares[1] == 1)
        before = learner.weights.copy()
        if rates.schedule == "coherence":
            learner.memory["net"][:], learner.memory["gross"][:] = 0.0, 0.0
        twin = learner_of(4, rates)
        twin.memory = {**twin.memory, "games": learner.memory["games"].copy()}
        errors = learner.learn(games)
        if rates.schedule == "coherence":
            twin.memory["net"] = learner.memory["net"]
        expected, deltas = slow_learn(twin, games, before)
        assert np.abs(learner.weights - before).max() > 1e-4
        assert learner.weights == pytest.approx(expected, abs=1e-11)
        assert errors.count == len(deltas) and errors.finite
        assert errors.mean_squared == pytest.approx(np.mean(np.square(deltas)))
        assert errors.mean_absolute == pytest.approx(np.mean(np.abs(deltas)))
        assert int(learner.memory["games"][0]) == 3 * (batch + 1)


# the mean of a network over the symmetries ----------------------------------------------------------------------------


def test_scores_over_the_symmetries_are_the_mean_of_games_turned() -> None:
    """Twin: the same game is played eight times, turned and mirrored, and the policy asked after each."""
    network, random = load_evaluator(default_weights("go"), "go"), np.random.default_rng(5)
    for size, plies in ((9, 0), (9, 25), (7, 40), (11, 3)):
        state, played = GO.position(size, 7.0), []
        for _ in range(plies):
            move = int(random.choice(GO.moves_of(state)[:-1]))
            played.append(move)
            state = GO.play(state, move)
        moves = np.array(GO.moves_of(state), np.int32)
        shares, value = np.zeros(len(moves)), 0.0
        for symmetry in TURNED:
            turned = GO.position(size, 7.0)
            for move in played:
                turned = GO.play(turned, image_of(move, size, symmetry))
            scores = network.policy(turned, np.array([image_of(int(move), size, symmetry) for move in moves], np.int32))
            shares += np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum() / 8
            value += network.value(turned) / 8
        found, found_value = network.judge_images(state, moves)
        assert np.allclose(np.exp(found), shares, atol=1e-6)
        assert np.isclose(found_value, value, atol=1e-6)
        assert np.array_equal(network.policy(state, moves, symmetries=True), found)


def image_of(move: int, size: int, symmetry: tuple[int, int, int]) -> int:
    point = point_of(move, size)
    if point < 0:
        return move
    y, x = turn(point // size, point % size, size, symmetry)
    return move_of(y * size + x, size)
