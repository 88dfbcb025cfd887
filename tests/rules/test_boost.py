"""Boosted induction: conditions and their masks against slow clauses, the search against all subsets, its course."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples_of
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.examples import load_decisions, random_moves
from support.induce_runs import GAMES
from support.slow_induction import FRAMES, covers, example_of

from gotools.game.examples.negatives import relabel
from gotools.game.examples.packed import PackedExamples, pack
from gotools.game.records.selection import Selection
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.boosting.boost import Boosting, BoostingState, BoostSettings
from gotools.rules.boosting.candidates import body_of, conditions_of, masks_of
from gotools.rules.boosting.kernels import boost as _boost
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of, holds
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Rule, Var
from gotools.rules.weigh.accuracy import Choices, choices_of
from gotools.rules.weigh.firing import FiringTable, firing_of
from gotools.rules.weigh.weights import Block, log_likelihood, observations, probabilities

FULL = conditions_of(VOCABULARIES["full"])


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


@cache
def decisions(games: int = 3) -> GoExamples:
    """The decisions of some games of examples/."""
    return load_decisions([*map(str, GAMES[:games])], Selection(), print, lambda: None, False)


@cache
def random_decisions(size: int = 5, count: int = 60) -> GoExamples:
    return relabel(random_moves(count, size, seed=size), PLAYED)


@cache
def all_choices(games: int = 3) -> Choices:
    return choices_of(decisions(games))


def some_points(seed: int, count: int) -> Points:
    """Legal moves of both kinds of games, drawn at random."""
    rng, parts = np.random.default_rng(seed), [all_choices(), choices_of(random_decisions())]
    chosen = parts[seed % 2].points
    return chosen.take(rng.choice(len(chosen), count, replace=False))


# ---- conditions ----


def test_conditions_say_only_what_the_language_has() -> None:
    for name, predicates in VOCABULARIES.items():
        found = conditions_of(predicates)
        assert len(set(found)) == len(found) > 900, name
        said = {literal.predicate for condition in found for literal in condition}
        assert said <= set(predicates)
        assert set(predicates) - said <= {"liberty", "stone_cnt", "range", "shape"}  # needless; harvested
    without = conditions_of([p for p in VOCABULARIES["full"] if p != "range"])
    assert set(without) == {c for c in FULL if all(literal.predicate != "range" for literal in c)}


def test_edges_are_named_as_far_as_wanted() -> None:
    for lines in (1, 9):
        edges = [c[-1].args[-2] for c in conditions_of(VOCABULARIES["basic"], lines) if c[-1].predicate == "edge_ver"]
        assert edges == [-line for line in range(1, lines + 1)]


def test_a_body_says_each_literal_once_and_names_variables_in_order() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        some = [FULL[c] for c in rng.choice(len(FULL), 5, replace=False)]
        body = body_of(some)
        assert len(set(body)) == len(body) == len({literal for condition in some for literal in condition})
        names = list(dict.fromkeys(t.name for n in body for t in n.args if isinstance(t, Var)))
        assert [n for n in names if n not in "ABCD"] == sorted((n for n in names if n not in "ABCD"), key=_place)
        shared = [n.predicate for n in body if n.predicate in ("pos_gen", "opposite")]
        assert len(set(shared)) == len(shared) and [n.predicate for n in body[: len(shared)]] == shared


def _place(name: str) -> tuple[int, str]:
    return (int(name[1:] or 0), name[0])


def test_every_condition_holds_in_the_frames_in_which_its_slow_clause_holds() -> None:
    for seed in (0, 1):
        points = some_points(seed, 2)
        table = masks_of(points, FULL)
        assert table.shape == (len(FULL), 2)
        for row in range(2):
            example = example_of(points, row)
            for bit, frame in enumerate(FRAMES):
                example.tuples["pos_gen"] = [(frame,)]
                example._chosen.clear()
                expected = [covers(body_of([condition]), example) for condition in FULL]
                assert (table[:, row] >> bit & 1).astype(bool).tolist() == expected


def test_a_condition_holds_where_its_clause_does() -> None:
    points = some_points(2, 20)
    found = masks_of(points, FULL)
    table = facts_of(points, Intervals.start(), predicates=VOCABULARIES["groups"])
    active = table.masks(np.arange(20, dtype=np.int32))
    for condition, row in list(zip(FULL, found, strict=True))[::17]:
        assert (row != 0).tolist() == holds(table, active, body_of([condition])).tolist()


# ---- sets of conditions ----


def sets_of_seeds(points: Points, table: NDArray[np.uint8], seed: int, count: int) -> list[tuple[int, ...]]:
    """Sets of up to seven conditions that all hold of some point in its first frame, as the search forms them."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        held = np.flatnonzero(table[:, rng.integers(len(points))] & 1)
        found.append(tuple(sorted(rng.choice(held, rng.integers(1, 8), replace=False).tolist())))
    return found


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_set_covers_the_points_of_its_clause(seed: int) -> None:
    """By masks, by the kernels that give clauses their meaning, and by the slow twin."""
    points = some_points(seed, 60)
    table = masks_of(points, FULL)
    sets = sets_of_seeds(points, table, seed, 80)
    rules = [Rule(f"r{k}", body_of(FULL[c] for c in some), 0, 0, 0.0) for k, some in enumerate(sets)]
    firing = firing_of(rules, points)
    anded = [np.bitwise_and.reduce(table[list(some)], axis=0) != 0 for some in sets]
    assert np.bincount(firing.rule, minlength=80).tolist() == [int(rows.sum()) for rows in anded]
    for row in range(0, 60, 12):
        example = example_of(points, row)
        fired = set(firing.rule[firing.at[row] : firing.at[row + 1]].tolist())
        assert fired == {k for k, rule in enumerate(rules) if covers(rule.body, example)}
    assert min(int(rows.sum()) for rows in anded) >= 1  # the seed


# ---- the search of one seed ----

Found = tuple[float, frozenset[int]]


def table_of(seed: int, conditions: int, rows: int, frames: int) -> _boost.SampledMoves:
    """Random masks; gradients of both signs, most of them positive where three of the conditions hold together."""
    rng = np.random.default_rng(seed)
    bits = (rng.random((frames, conditions, rows)) < 0.7 / frames**0.5) << np.arange(frames)[:, None, None]
    table = np.bitwise_or.reduce(bits.astype(np.uint8), axis=0)
    table[:, 0] |= 1  # the seed
    curvature = rng.uniform(0.01, 0.25, rows).astype(np.float32)
    together = np.bitwise_and.reduce(table[[1, 3, 6]], axis=0) != 0
    gradient = rng.normal(np.where(together, 0.5, -0.12), 0.2)
    return _boost.SampledMoves(table, gradient.astype(np.float32), curvature)


def searched(moves: _boost.SampledMoves, limits: _boost.BeamLimits, choose: list[int]) -> tuple[list[int], int]:
    sums, count = np.zeros((len(moves.masks), 2)), np.zeros(len(moves.masks), np.int64)
    _boost.single_sums(*moves, sums, count)
    keys = np.random.default_rng(1).integers(1, 2**62, len(moves.masks))
    best, tried = _boost.search(moves, sums, count, keys, np.array(choose, np.int32), limits)
    return best.tolist(), int(tried)


def gain_of(moves: _boost.SampledMoves, some: frozenset[int], limits: _boost.BeamLimits) -> tuple[float, int]:
    """The gain of a set by its definition, 0 for one that moves weights the wrong way; and the rows covered."""
    rows = [r for r in range(moves.masks.shape[1]) if np.bitwise_and.reduce(moves.masks[sorted(some), r])]
    g = limits.sign * sum(float(moves.gradient[r]) for r in rows)
    h = sum(float(moves.curvature[r]) for r in rows)
    return (g * g / (2 * (h + limits.l2)) if g > 0 else 0.0), len(rows)


def all_sets(
    moves: _boost.SampledMoves, limits: _boost.BeamLimits, choose: list[int]
) -> list[tuple[float, int, frozenset[int]]]:
    sizes = range(1, limits.longest + 1)
    sets = [frozenset(some) for n in sizes for some in itertools.combinations(choose, n)]
    return [(*gain_of(moves, some, limits), some) for some in sets]


def reachable(moves: _boost.SampledMoves, limits: _boost.BeamLimits, choose: list[int]) -> Iterator[Found]:
    """Sets that grow condition by condition, each of which leaves fewer rows and a gain."""
    known = {some: (gain, rows) for gain, rows, some in all_sets(moves, limits, choose)}
    reached: set[frozenset[int]] = set()
    for some, (gain, rows) in sorted(known.items(), key=lambda item: len(item[0])):
        parents = [some - {c} for c in some]
        grown = len(some) == 1 or any(p in reached and known[p][1] > rows for p in parents)
        if grown and gain > 0 and rows >= limits.least:
            reached.add(some)
            yield gain, some


@examples_of(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([1.0, -1.0]), st.sampled_from([1, 8]), st.integers(1, 34))
def test_a_beam_with_room_for_all_finds_the_set_of_the_largest_gain(
    seed: int, sign: float, frames: int, least: int
) -> None:
    moves, limits = table_of(seed, 10, 40, frames), _boost.BeamLimits(sign, 1000, 3, least, 3.0)
    choose = [0, 1, 3, 4, 6, 8, 9]
    best, _ = searched(moves, limits, choose)
    known = sorted(reachable(moves, limits, choose), key=lambda found: found[0])
    if not known:
        assert best == []
        return
    assert len(set(best)) == len(best) <= 3 and set(best) <= set(choose)
    gain, rows = gain_of(moves, frozenset(best), limits)
    assert gain == pytest.approx(known[-1][0], rel=1e-5) and rows >= least


@examples_of(max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 15))
def test_where_every_step_gains_it_is_the_best_of_all_subsets(seed: int, least: int) -> None:
    """Gradients of one sign, one frame: no good set hides behind a bad one."""
    moves = table_of(seed, 8, 40, 1)
    moves = moves._replace(gradient=np.abs(moves.gradient))
    limits = _boost.BeamLimits(1.0, 1000, 3, least, 0.05)
    best, _ = searched(moves, limits, [*range(8)])
    allowed = [gain for gain, rows, _ in all_sets(moves, limits, [*range(8)]) if rows >= least]
    assert gain_of(moves, frozenset(best), limits)[0] == pytest.approx(max(allowed), rel=1e-5)


@examples_of(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 5), st.integers(1, 60))
def test_a_narrow_beam_keeps_the_limits(seed: int, beam: int, longest: int, least: int) -> None:
    moves, limits = table_of(seed, 30, 150, 8), _boost.BeamLimits(1.0, beam, longest, least, 2.0)
    best, tried = searched(moves, limits, [*range(2, 30)])
    singles = [(gain, rows) for gain, rows, _ in all_sets(moves, limits._replace(longest=1), [*range(2, 30)])]
    enough = [gain for gain, rows in singles if rows >= least and gain > 0]
    assert 28 <= tried <= 28 + (longest - 1) * beam * 28
    if not enough:
        assert best == []
        return
    gain, rows = gain_of(moves, frozenset(best), limits)
    assert len(set(best)) == len(best) <= longest and rows >= least and gain >= max(enough) * (1 - 1e-5)


def test_the_gain_is_what_a_small_step_of_the_weight_gains(pool: Executor) -> None:
    """For a rule that fires on one move of a position, the curvature is exact."""
    rng = np.random.default_rng(5)
    first = np.arange(0, 9 * 200 + 1, 9)
    played = first[:-1] + rng.integers(0, 4, 200)
    offset = rng.normal(size=9 * 200).astype(np.float32)
    rows = first[:-1][rng.random(200) < 0.7] + 1
    sight = [Block(first, played, offset, np.array([0, len(rows)]), rows.astype(np.uint16))]
    p = probabilities(sight[0], np.zeros(1))
    gradient = -p
    gradient[played] += 1
    moves = _boost.SampledMoves(
        np.zeros((1, 1800), np.uint8), gradient.astype(np.float32), (p * (1 - p)).astype(np.float32)
    )
    moves.masks[0, rows] = 1
    for l2 in (100.0, 1000.0):
        limits = _boost.BeamLimits(float(np.sign(gradient[rows].sum())), 4, 2, 1, l2)
        gain, _ = gain_of(moves, frozenset([0]), limits)
        weight = np.array([gradient[rows].sum() / (float((p * (1 - p))[rows].sum()) + l2)])
        gained = (
            200 * (log_likelihood(sight, weight, pool) - log_likelihood(sight, np.zeros(1), pool))
            - l2 / 2 * weight[0] ** 2
        )
        assert gain == pytest.approx(gained, rel=0.05) and gain > 0.01


# ---- the whole search ----

SMALL = BoostSettings(rules=30, seeds=8, beam=4, longest=4, least=25, l2=4.0, fresh=12, moves=1e9)
"""With `moves` beyond all bounds, a sample is all legal moves."""


def course(
    pool: Executor,
    settings: BoostSettings = SMALL,
    seed: int = 0,
    held: PackedExamples[GoExamples] | None = None,
    games: int = 2,
) -> tuple[Boosting, list[BoostingState]]:
    boosting = Boosting(pack([decisions(games)]), held, settings, seed, pool)
    return boosting, list(boosting.rounds())


def rules_of(boosting: Boosting) -> list[Rule]:
    bodies = [body_of(boosting.conditions[c] for c in some) for some in boosting.sets]
    return [
        Rule(f"r{k}", body, 0, 0, float(w)) for k, (body, w) in enumerate(zip(bodies, boosting.weight, strict=True))
    ]


def covered(boosting: Boosting, choices: Choices) -> list[NDArray[np.int64]]:
    firing = firing_of(rules_of(boosting), choices.points)
    row = np.repeat(np.arange(len(firing)), np.diff(firing.at))
    return [row[firing.rule == k] for k in range(len(boosting.sets))]


@pytest.mark.parametrize(("longest", "least"), [(1, 25), (2, 60), (4, 25), (6, 5)])
def test_rules_keep_the_limits_and_are_all_different(longest: int, least: int, pool: Executor) -> None:
    boosting, _ = course(pool, replace(SMALL, longest=longest, least=least))
    rows = covered(boosting, all_choices(2))
    assert len(rows) == 30 and len({some.tobytes() for some in rows}) == 30
    assert min(map(len, rows)) >= least
    assert all(list(some) == sorted(set(some)) and 1 <= len(some) <= longest for some in boosting.sets)
    assert max(map(len, boosting.sets)) == longest or longest > 4
    assert len(boosting.weight) == 30 and np.isfinite(boosting.weight).all()


def test_every_rule_holds_of_a_move_in_its_first_frame(pool: Executor) -> None:
    boosting, _ = course(pool, replace(SMALL, predicates=VOCABULARIES["full"]))
    choices = all_choices(2)
    table = masks_of(choices.points, boosting.conditions)
    for number, some in enumerate(boosting.sets):
        (rows,) = np.nonzero(np.bitwise_and.reduce(table[list(some)], axis=0) & 1)
        assert len(rows)
        if number % 5 == 0:
            example = example_of(choices.points, int(rows[0]))
            assert all(covers(body_of([boosting.conditions[c]]), example) for c in some)
            assert covers(body_of(boosting.conditions[c] for c in some), example)


def test_rounds_count_and_the_fit_never_gets_worse(pool: Executor) -> None:
    """On all moves, each fit begins where the last one ended, with nothing for the new rules."""
    choices = all_choices(2)
    boosting = Boosting(pack([decisions(2)]), None, SMALL, 0, pool)
    before, last = None, -np.inf
    for found in boosting.rounds():
        seen = observations(choices, firing_of(rules_of(boosting), choices.points), len(boosting.sets))
        value = len(choices) * log_likelihood(seen, boosting.weight, pool)
        value -= SMALL.l2 / 2 * float(boosting.weight @ boosting.weight)
        assert value >= last - 1e-6
        assert found.rules == len(boosting.sets) == found.new + (before.rules if before else 0)
        assert found.seeds == (before.seeds if before else 0) + SMALL.seeds
        assert found.tried > (before.tried if before else 0)
        assert np.isnan(found.log_likelihood) and str(found).endswith("seeds")
        before, last = found, value
    assert before is not None and before.rules == 30
    assert last > -0.85 * float(np.log(np.diff(choices.first)).sum())  # far better than chance


def test_a_seed_gives_one_course_whatever_the_threads() -> None:
    held, found = pack([decisions(3).take(np.flatnonzero(decisions(3).game == 2))]), []
    settings = replace(SMALL, moves=8.0)  # a sample of the moves
    for threads in (1, 2, 5):
        with ThreadPoolExecutor(threads) as some:
            boosting, rounds = course(some, settings, 3, held)
            found.append((boosting.sets, boosting.weight.tobytes(), list(map(str, rounds))))
    assert found[0] == found[1] == found[2]
    with ThreadPoolExecutor(2) as some:
        assert course(some, settings, 4, held)[0].sets != found[0][0]


@pytest.mark.parametrize("rules", [1, 7, 13])
def test_there_are_no_more_rules_than_wanted(rules: int, pool: Executor) -> None:
    boosting, rounds = course(pool, replace(SMALL, rules=rules))
    assert len(boosting.sets) == rules == rounds[-1].rules


def test_a_search_that_finds_nothing_ends(pool: Executor) -> None:
    for held in (None, pack([decisions(1)])):
        boosting, rounds = course(pool, replace(SMALL, least=10**6), held=held)
        assert not boosting.sets and not len(boosting.weight) and len(rounds) <= SMALL.patience


def test_samples_without_gain_on_held_out_games_end_it(pool: Executor) -> None:
    """What is learned from good players says less and less of random ones: the rules of the best sample stay."""
    held = pack([random_decisions(9, 60)])
    settings = replace(SMALL, rules=400, fresh=10, patience=3, least=5, l2=0.5)
    boosting, rounds = course(pool, settings, held=held)
    values = dict.fromkeys((found.log_likelihood for found in rounds), 0)
    assert rounds[-1].rules < 400
    at_draw: dict[float, int] = {}  # rules at the time of each sample, by its value
    for before, found in itertools.pairwise([None, *rounds]):
        at_draw.setdefault(found.log_likelihood, before.rules if before else 0)  # type: ignore[union-attr]
    best = max(values)
    order = list(values)
    assert len(order) - 1 - order.index(best) == settings.patience - 1  # the last sample ended it
    assert len(boosting.sets) == len(boosting.weight) == at_draw[best]


def test_held_out_games_are_reported(pool: Executor) -> None:
    held = pack([decisions(3).take(np.flatnonzero(decisions(3).game == 2))])
    _, rounds = course(pool, held=held)
    assert rounds[0].log_likelihood == -np.inf and "held-out" not in str(rounds[0])
    assert -4.1 < rounds[-1].log_likelihood < 0
    assert f"log-likelihood on held-out games {rounds[-1].log_likelihood:.3f}" in str(rounds[-1])


def test_few_rules_outlive_the_first_sample(pool: Executor) -> None:
    """Where there are rules enough before a second sample is drawn, nothing speaks against them."""
    held = pack([decisions(3).take(np.flatnonzero(decisions(3).game == 2))])
    boosting, _ = course(pool, replace(SMALL, rules=10, fresh=96), held=held)
    assert len(boosting.sets) == 10


def test_a_search_can_be_left_in_the_middle(pool: Executor) -> None:
    """What was found until then, and its weights, is there."""
    whole, rounds = course(pool)
    boosting = Boosting(pack([decisions(2)]), None, SMALL, 0, pool)
    course_of = boosting.rounds()
    first = next(course_of), next(course_of)
    assert list(map(str, first)) == list(map(str, rounds[:2]))
    assert boosting.sets == whole.sets[: len(boosting.sets)] and len(boosting.weight) == len(boosting.sets) > 5


# ---- the table of what fires ----


def test_more_rules_than_sixteen_bits_number_are_distinguished() -> None:
    rows = [np.array([k % 3]) for k in range(40_000)]
    firing, weights = FiringTable.of(rows, 3), [1.0] * 32_768 + [0.5] * 7232
    fired = [firing.rule[firing.at[r] : firing.at[r + 1]].tolist() for r in range(3)]
    assert fired == [list(range(r, 40_000, 3)) for r in range(3)]
    assert firing.scores(weights).tolist() == [sum(weights[r::3]) for r in range(3)]
    twice = FiringTable.concat([firing, firing])
    assert twice.rule.tolist() == 2 * firing.rule.tolist()


def test_a_search_goes_on_from_every_state_that_it_kept(pool: Executor) -> None:
    settings = replace(SMALL, predicates=VOCABULARIES["full"], moves=6.0, positions=300, rules=24, fresh=8)
    data, held = pack([decisions(2)]), pack([decisions(3).take(np.arange(-60, 0))])
    whole, states = Boosting(data, held, settings, 1, pool), list[str]()
    course = list(whole.rounds(lambda state: states.append(json.dumps(state))))
    assert len(states) > 1 and course[-1].rules == len(whole.sets)
    for state in states:
        again = Boosting(data, held, settings, 1, pool)
        again.restore(json.loads(state))
        assert list(again.rounds())[-1] == replace(course[-1], new=0)
        assert again.key() == whole.key() and again.conditions == whole.conditions
        assert again.sets == whole.sets and again.weight.tolist() == whole.weight.tolist()


def test_cover_and_ridge_grow_with_the_positions_up_to_those_of_a_sample() -> None:
    settings = BoostSettings(least=40, l2=40.0, most_positions=60_000)
    found = [settings.of_positions(count, apart=True) for count in (500, 2000, 4000, 16_000, 60_000, 2_000_000)]
    assert [one.least for one in found] == [10, 40, 40, 80, 124, 124]
    assert [one.l2 for one in found] == pytest.approx([10.0, 40.0, 40.0, 80.0, 124.4, 124.4])


def test_the_key_differs_for_other_games_settings_and_seeds(pool: Executor) -> None:
    def key(games: int, settings: BoostSettings, seed: int) -> str:
        return Boosting(pack([decisions(games)]), None, settings, seed, pool).key()

    assert len({key(2, SMALL, 0), key(3, SMALL, 0), key(2, replace(SMALL, beam=5), 0), key(2, SMALL, 1)}) == 4
    assert key(2, SMALL, 0) == key(2, SMALL, 0)


def test_what_is_no_state_of_the_search_is_refused(pool: Executor) -> None:
    boosting = Boosting(pack([decisions(2)]), None, SMALL, 0, pool)
    good = json.loads(json.dumps(boosting.state()))
    damaged: list[dict[str, object]] = [
        {"sets": [[10**9]], "weight": [1.0]},
        {"sets": [[0]]},
        {"chance": {}},
        {"counts": [1]},
    ]
    for wrong in damaged:
        with pytest.raises((ValueError, KeyError, TypeError)):
            boosting.restore(good | wrong)
