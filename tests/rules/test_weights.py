"""Weights of rules: the likelihood and its slope by hand, fits against a dense optimiser and closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize
from support.examples import random_moves, read_examples

from gotools.game.examples.examples import write_examples
from gotools.game.examples.negatives import relabel
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples
from gotools.rules.task.sampling import HELD_MOST, held_apart
from gotools.rules.weigh import weights
from gotools.rules.weigh.firing import FiringTable
from gotools.rules.weigh.kernels import softmax as _softmax
from gotools.rules.weigh.weights import (
    L2S,
    MOST_STEPS,
    Block,
    Observations,
    Weights,
    fit,
    log_likelihood,
    observations,
    probabilities,
    regress,
    worth,
)


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


# ---- the same problem as a dense matrix ----


@dataclass(frozen=True)
class Problem:
    """Positions as matrices: fires[k][move, rule], the move played in each, and what is added to each score."""

    fires: list[NDArray[np.bool_]]
    played: list[int]
    offset: list[NDArray[np.float64]]

    def block(self) -> Block:
        """All positions in one block."""
        first = np.cumsum([0, *map(len, self.fires)])
        covered = [np.flatnonzero(column).astype(np.uint16) for column in np.concatenate(self.fires).T]
        start = np.cumsum([0, *map(len, covered)])
        offset = np.concatenate(self.offset).astype(np.float32)
        row = np.concatenate([*covered, np.zeros(0, np.uint16)])
        return Block(first, first[:-1] + np.array(self.played), offset, start, row)

    def sight(self, positions: int = 9) -> Observations:
        """Blocks of so many positions."""
        cuts = [slice(at, at + positions) for at in range(0, len(self.played), positions)]
        return [Problem(self.fires[c], self.played[c], self.offset[c]).block() for c in cuts]

    def logs(self, weight: Weights) -> list[Weights]:
        """The log-probability of every move."""
        scores = [f @ weight + o for f, o in zip(self.fires, self.offset, strict=True)]
        return [s - math.log(math.fsum(map(math.exp, s))) for s in scores]

    def value(self, weight: Weights) -> float:
        return math.fsum(log[at] for log, at in zip(self.logs(weight), self.played, strict=True))

    def slope(self, weight: Weights) -> Weights:
        """What fired where was played, less what fires on the average of the probabilities."""
        each = zip(self.fires, self.played, self.logs(weight), strict=True)
        found: Weights = np.sum([f[at] - np.exp(log) @ f for f, at, log in each], axis=0)
        return found

    def best(self, l2: float) -> Weights:
        def loss(w: Weights) -> float:
            return l2 / 2 * float(w @ w) - self.value(w)

        options = {"gtol": 1e-8}
        rules = self.fires[0].shape[1]
        found: Weights = minimize(loss, np.zeros(rules), jac=lambda w: l2 * w - self.slope(w), options=options).x
        return found


@dataclass(frozen=True)
class Moves:
    """The moves of positions, as `observations` takes them."""

    first: NDArray[np.int64]
    played: NDArray[np.int64]
    also: NDArray[np.int64]


def problem(seed: int, positions: int = 30, rules: int = 4, spread: float = 1.5, sampled: bool = False) -> Problem:
    """Moves that were drawn from a softmax over rules of random weights, of a standard deviation `spread`."""
    rng = np.random.default_rng(seed)
    truth, fires, played, offset = rng.normal(0, spread, rules), [], [], []
    for _ in range(positions):
        some = rng.random((rng.integers(1, 10), rules)) < 0.35
        fires.append(some)
        offset.append((rng.random(len(some)) if sampled else np.zeros(len(some))).astype(np.float32).astype(float))
        played.append(int((some @ truth + rng.gumbel(size=len(some))).argmax()))
    return Problem(fires, played, offset)


def summed(block: Block, weight: Weights) -> tuple[float, Weights]:
    slope = np.zeros(len(weight))
    share = block.offset.astype(np.float64)
    right = block.played, block.also
    return _softmax.likelihood(block.first, *right, block.start, block.row, weight, share, slope), slope


# ---- likelihood and slope ----


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 6), st.booleans(), st.floats(0, 4))
def test_likelihood_and_slope_are_those_of_the_dense_formula(
    seed: int, positions: int, rules: int, sampled: bool, scale: float
) -> None:
    drawn = problem(seed, positions, rules, sampled=sampled)
    block, weight = drawn.block(), scale * np.random.default_rng(seed).normal(size=rules)
    value, slope = summed(block, weight)
    assert value == pytest.approx(drawn.value(weight), abs=1e-9)
    assert slope == pytest.approx(drawn.slope(weight), abs=1e-6)
    with ThreadPoolExecutor(1) as pool:
        found = log_likelihood(drawn.sight(3), weight, pool)
    assert found == pytest.approx(drawn.value(weight) / positions, abs=1e-9)
    assert probabilities(block, weight) == pytest.approx(np.exp(np.concatenate(drawn.logs(weight))), abs=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_the_slope_is_the_change_of_the_value(seed: int, rules: int) -> None:
    block, weight = problem(seed, 8, rules, sampled=True).block(), np.random.default_rng(seed).normal(size=rules)
    _, slope = summed(block, weight)
    for k in range(rules):
        step = 1e-5 * np.eye(rules)[k]
        change = summed(block, weight + step)[0] - summed(block, weight - step)[0]
        assert change / 2e-5 == pytest.approx(slope[k], abs=1e-6)


def test_blocks_add_up() -> None:
    drawn, weight = problem(1, 20), np.array([0.3, -2.0, 0.0, 1.0])
    whole, slope = summed(drawn.block(), weight)
    parts = [summed(block, weight) for block in drawn.sight(7)]
    assert math.fsum(value for value, _ in parts) == pytest.approx(whole)
    assert np.sum([some for _, some in parts], axis=0) == pytest.approx(slope)


def test_huge_weights_do_not_overflow() -> None:
    fires = np.array([[1, 0], [0, 1], [0, 0]], bool)
    block = Problem([fires], [1], [np.zeros(3)]).block()
    value, slope = summed(block, np.array([1e5, -1e5]))
    assert value == -2e5 and slope.tolist() == [-1, 1]
    assert probabilities(block, np.array([1e5, -1e5])).tolist() == [1, 0, 0]


# ---- fits ----


@pytest.mark.parametrize("l2", [0.3, 5.0, 40.0])
@pytest.mark.parametrize("sampled", [False, True])
def test_a_fit_is_the_optimum_of_the_penalised_likelihood(l2: float, sampled: bool, pool: Executor) -> None:
    for seed in range(3):
        drawn = problem(seed, 60, 5, sampled=sampled)
        best = drawn.best(l2)
        for start in (np.zeros(5), np.full(5, 2.0)):
            weight = fit(drawn.sight(), start, l2, MOST_STEPS, pool)
            assert weight == pytest.approx(best, abs=2e-3)
            assert drawn.value(weight) - l2 / 2 * weight @ weight == pytest.approx(
                drawn.value(best) - l2 / 2 * best @ best, abs=1e-5
            )


def duel(wins: int, losses: int) -> Observations:
    """A rule fires on one of two moves, which is played so many times and so many times not."""
    fires = np.array([[1], [0]], bool)
    return Problem([fires] * (wins + losses), [0] * wins + [1] * losses, [np.zeros(2)] * (wins + losses)).sight()


@pytest.mark.parametrize(("wins", "losses"), [(30, 10), (7, 7), (2, 50)])
def test_one_rule_on_one_of_two_moves_has_a_closed_form(wins: int, losses: int, pool: Executor) -> None:
    sight = duel(wins, losses)
    (weight,) = fit(sight, np.zeros(1), 0.0, MOST_STEPS, pool)
    assert weight == pytest.approx(math.log(wins / losses), abs=1e-3)
    for l2 in (0.5, 10.0, 300.0):
        (weight,) = fit(sight, np.zeros(1), l2, MOST_STEPS, pool)
        assert wins - (wins + losses) / (1 + math.exp(-weight)) == pytest.approx(l2 * weight, abs=2e-3)


def test_a_rule_played_always_stays_finite_under_a_ridge(pool: Executor) -> None:
    (weight,) = fit(duel(500, 0), np.zeros(1), 5.0, MOST_STEPS, pool)
    assert 500 / (1 + math.exp(weight)) == pytest.approx(5 * weight, abs=1e-2)


@pytest.mark.parametrize("start", [0.0, 1.5])
def test_rules_that_do_not_distinguish_moves_weigh_nothing(start: float, pool: Executor) -> None:
    """One fires nowhere, one at every move: the ridge brings them to zero."""
    drawn = problem(3, 50, 2)
    fires = [np.concatenate([f, np.zeros((len(f), 1), bool), np.ones((len(f), 1), bool)], axis=1) for f in drawn.fires]
    weight = fit(Problem(fires, drawn.played, drawn.offset).sight(), np.full(4, start), 5.0, MOST_STEPS, pool)
    assert weight[2:] == pytest.approx([0, 0], abs=1e-3)
    assert weight[:2] == pytest.approx(drawn.best(5.0), abs=2e-3) and abs(weight[:2]).min() > 0.01


def test_a_stronger_ridge_shrinks(pool: Executor) -> None:
    sight = problem(4, 80, 6).sight()
    lengths = [float(np.linalg.norm(fit(sight, np.zeros(6), l2, MOST_STEPS, pool))) for l2 in (0.5, *sorted(L2S), 1e6)]
    assert lengths == sorted(lengths, reverse=True) and len(set(lengths)) == len(lengths) and lengths[-1] < 1e-3


def test_equal_rules_share_a_weight(pool: Executor) -> None:
    drawn = problem(5, 60, 2)
    twice = Problem([f[:, [0, 1, 1]] for f in drawn.fires], drawn.played, drawn.offset)
    weight = fit(twice.sight(), np.zeros(3), 4.0, MOST_STEPS, pool)
    assert weight[1] == pytest.approx(weight[2], abs=1e-3) and abs(weight[1]) > 0.05


def test_the_number_of_threads_changes_no_digit() -> None:
    for positions in (3, 9, 301):
        sight, found = problem(6, positions, 5).sight(), []
        for threads in (1, 2, 5):
            with ThreadPoolExecutor(threads) as some:
                found.append(fit(sight, np.zeros(5), 3.0, MOST_STEPS, some).tobytes())
        assert len(set(found)) == 1


def test_an_order_of_rules_is_only_an_order(pool: Executor) -> None:
    sight = problem(7, 60, 5).sight()
    order = np.array([3, 0, 4, 2, 1])
    weight = fit(sight, np.zeros(5), 2.0, MOST_STEPS, pool)
    assert fit([block.only(order) for block in sight], np.zeros(5), 2.0, MOST_STEPS, pool) == pytest.approx(
        weight[order], abs=1e-3
    )


# ---- what is seen of positions ----


def test_positions_seen_one_after_the_other_are_one_sight(pool: Executor) -> None:
    parts = [problem(seed, 10 + seed, 3, sampled=True) for seed in (1, 2, 3)]
    fires, played, offset = ([x for p in parts for x in getattr(p, name)] for name in ("fires", "played", "offset"))
    whole, weight = Problem(fires, played, offset).block(), np.array([0.4, -1.0, 2.0])
    joined = [block for part in parts for block in part.sight()]
    assert np.concatenate([probabilities(block, weight) for block in joined]).tobytes() == (
        probabilities(whole, weight).tobytes()
    )
    assert sum(map(len, joined)) == len(whole) == 36


@given(st.integers(0, 10**6), st.lists(st.integers(0, 5), unique=True, max_size=6))
def test_some_of_the_rules_fire_where_they_fired(seed: int, kept: list[int]) -> None:
    drawn = problem(seed, 5, 6)
    fewer = Problem([f[:, kept] for f in drawn.fires], drawn.played, drawn.offset).block()
    some = drawn.block().only(np.array(kept, np.int64))
    assert some.start.tolist() == fewer.start.tolist() and some.row.tolist() == fewer.row.tolist()


@given(st.integers(0, 10**6), st.integers(0, 6))
def test_rules_are_added_to_a_block(seed: int, begin: int) -> None:
    drawn = problem(seed, 5, 6)
    whole = drawn.block()
    rows = [whole.row[whole.start[k] : whole.start[k + 1]] for k in range(begin, 6)]
    grown = whole.only(np.arange(begin)).with_rules(rows)
    assert grown.start.tolist() == whole.start.tolist() and grown.row.tolist() == whole.row.tolist()


@pytest.mark.parametrize("most", [1, 40, 10**6])
def test_a_table_of_firing_rules_becomes_blocks(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "BLOCK_ROWS", most)
    drawn = problem(11, 30, 5)
    whole = drawn.block()
    covered = [np.flatnonzero(column) for column in np.concatenate(drawn.fires).T]
    moves = Moves(whole.first, whole.played, whole.also)
    blocks = observations(moves, FiringTable.of(covered, int(whole.first[-1])), 5)
    weight = np.array([0.3, -2.0, 0.0, 1.0, 0.5])
    assert np.concatenate([probabilities(block, weight) for block in blocks]).tobytes() == (
        probabilities(whole, weight).tobytes()
    )
    assert all(len(block) == 1 or len(block.offset) <= most for block in blocks) and sum(map(len, blocks)) == 30


# ---- the ridge ----


def ridges(learned: Problem, held: Problem) -> list[float]:
    """The mean log-likelihood of the held-out games for every ridge, by the dense optimiser."""
    return [held.value(learned.best(l2)) / len(held.played) for l2 in L2S]


def test_the_held_out_games_choose_the_ridge(pool: Executor) -> None:
    """Down from the strongest, as long as they are foretold better."""
    chosen = set()
    for seed, spread in enumerate((1.5, 0.6, 0.3, 0.2, 0.1, 0.05, 0.3, 0.0)):
        both = problem(seed, 120, 6, spread)
        learned, held = (Problem(both.fires[a:b], both.played[a:b], both.offset[a:b]) for a, b in ((0, 70), (70, 120)))
        values = ridges(learned, held)
        drop = next((k for k in range(1, len(L2S)) if values[k] < values[k - 1]), len(L2S))
        weight, l2, found = regress(learned.sight(), held.sight(), np.zeros(6), 1.0, pool)
        assert l2 == L2S[drop - 1]
        assert weight == pytest.approx(both.best(l2), abs=2e-3)  # in the end all positions count
        assert found == f"chosen on 50 moves of held-out games; log-likelihood there {values[drop - 1]:.3f}"
        chosen.add(l2)
    assert min(chosen) == L2S[-1] and max(chosen) == L2S[0] and len(chosen) > 2


def test_without_games_to_choose_on_the_ridge_is_the_given_one(pool: Executor) -> None:
    drawn = problem(2, 30, 3)
    weight, l2, found = regress(drawn.sight(), [], np.zeros(3), 7.0, pool)
    assert l2 == 7 and found == "not chosen, for want of games to keep apart"
    assert weight == pytest.approx(drawn.best(7.0), abs=2e-3)


# ---- held-out games ----

MOVES = relabel(random_moves(400, 5, seed=3), PLAYED)


def games(count: int) -> GoExamples:
    """Moves of so many games; the rows of different games alternate."""
    rows = MOVES.take(np.arange(len(MOVES)))
    rows.game[:] = np.arange(len(rows)) % count
    return replace(rows, names=[f"game{k}" for k in range(count)])


@pytest.mark.parametrize(("count", "apart"), [(2, 1), (9, 1), (16, 2), (64, 6), (400, 40)])
def test_whole_games_are_held_out(count: int, apart: int) -> None:
    drawn = set()
    for seed in range(5):
        rows = games(count)
        held = held_apart(rows, seed)
        assert held is not None
        sides = set(rows.game[held].tolist()), set(rows.game[~held].tolist())
        assert not sides[0] & sides[1] and len(sides[0]) == apart and len(sides[1]) == count - apart
        again = held_apart(rows, seed)
        assert again is not None and np.array_equal(held, again)
        drawn.add(held.tobytes())
    assert len(drawn) > 1  # other seeds keep other games apart


def test_a_game_whose_rows_lie_apart_in_a_table_is_one_game(tmp_path: Path) -> None:
    with open(tmp_path / "mixed.tsv", "wb") as out:
        write_examples(out, games(16))
    rows = read_examples([tmp_path / "mixed.tsv"])
    held = held_apart(rows, 0)
    assert held is not None
    names = np.array(rows.games())
    assert len(set(names[held])) == 2 and not set(names[held]) & set(names[~held])


def test_a_single_game_is_not_held_out() -> None:
    assert held_apart(games(1), 0) is None
    many = replace(games(1).take(np.arange(4000) % 400), names=[f"game{k}" for k in range(1000)])
    many.game[:] = np.arange(4000) % 1000
    held = held_apart(many, 0)
    assert held is not None and len(set(many.game[held].tolist())) == HELD_MOST


# ---- what a rule is worth ----


def test_worth_is_half_the_square_of_the_weight_times_the_curvature(pool: Executor) -> None:
    drawn, weight = problem(9, 25, 4), np.array([0.5, -1.0, 0.0, 2.0])
    expected = np.zeros(4)
    for fires, logs in zip(drawn.fires, drawn.logs(weight), strict=True):
        for row, log in zip(fires, logs, strict=True):
            expected[row] += np.exp(log) * (1 - np.exp(log)) / 2 * weight[row] ** 2
    assert worth(drawn.sight(), weight, pool) == pytest.approx(expected)


@pytest.mark.parametrize(("wins", "losses"), [(60, 40), (35, 65), (50, 50)])
def test_worth_is_about_what_is_lost_without_the_rule(wins: int, losses: int, pool: Executor) -> None:
    sight = duel(wins, losses)
    weight = fit(sight, np.zeros(1), 0.0, MOST_STEPS, pool)
    lost = (wins + losses) * (log_likelihood(sight, weight, pool) - log_likelihood(sight, np.zeros(1), pool))
    assert worth(sight, weight, pool)[0] == pytest.approx(lost, rel=0.1, abs=1e-4)
