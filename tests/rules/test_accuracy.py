"""Accuracy against closed forms and against counting one by one; rules' scores against the slow meaning of clauses."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.clauses import rule_of
from support.examples import random_moves
from support.slow import SlowGo
from support.slow_induction import Example, covers

from gotools.game.examples.negatives import relabel
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.points import NONE, PASS
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.weigh import firing
from gotools.rules.weigh.accuracy import (
    TOPS,
    Choices,
    centre_first,
    chance,
    choices_of,
    fitted_scale,
    log_likelihood,
    measure,
    near_last_move,
    rule_scores,
)


def decisions() -> GoExamples:
    """Moves of random players on 4x4, 5x5 and 7x7 (passes, kos and captures among them), a third of each."""
    parts = [random_moves(60, size, seed=size).take(np.arange(0, 60, 3)) for size in (4, 5, 7)]
    return relabel(GoExamples.concat(parts), PLAYED)


DECISIONS = decisions()
CHOICES = choices_of(DECISIONS)


def bare(counts: list[int], played: list[int]) -> Choices:
    """Choices of which only the arrangement is known: how many moves a position has, and which was played."""
    none = np.zeros(0, np.int16)
    points = Points(none, none, none, none, none, none, none, np.zeros(sum(counts), np.int16))  # type: ignore[arg-type]
    first = np.cumsum([0, *counts])
    return Choices(points, first, first[:-1] + np.array(played), np.arange(len(played)))


@st.composite
def positions(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """Scores of the moves of some positions, with many ties, and the move played in each."""
    scores = draw(st.lists(st.lists(st.integers(-2, 3), min_size=1, max_size=30), min_size=1, max_size=6))
    return scores, [draw(st.integers(0, len(row) - 1)) for row in scores]


# ---- measures ----


@given(positions())
def test_measures_are_what_counting_gives(drawn: tuple[list[list[int]], list[int]]) -> None:
    rows, played = drawn
    found = measure(np.concatenate(rows).astype(float), bare([*map(len, rows)], played))
    for k in TOPS:
        shares = []
        for row, at in zip(rows, played, strict=True):
            before, alike = sum(s > row[at] for s in row), row.count(row[at])
            shares.append(sum(place <= k for place in range(before + 1, before + alike + 1)) / alike)
        assert found[f"top{k}"] == pytest.approx(sum(shares) / len(shares))
    logs = [math.log(math.exp(row[at]) / sum(map(math.exp, row))) for row, at in zip(rows, played, strict=True)]
    assert found["log_likelihood"] == pytest.approx(sum(logs) / len(logs))


def test_ties_are_shared() -> None:
    scores = np.array([5.0, 1, 1, 1, 1, 0])
    found = measure(scores, bare([6], [2]))  # one better move; places 2 to 5 are shared by four
    assert [found[f"top{k}"] for k in TOPS] == [0, 0.5, 1, 1, 1]


def test_huge_scores_do_not_overflow() -> None:
    assert log_likelihood(np.array([1e5, 0.0, -1e5]), bare([3], [0])) == 0
    assert log_likelihood(np.array([1e5, 0.0, -1e5]), bare([3], [2])) == -2e5


def test_chance_has_a_closed_form() -> None:
    legal = np.diff(CHOICES.first)
    found = measure(chance(CHOICES), CHOICES)
    for k in TOPS:
        assert found[f"top{k}"] == pytest.approx(np.minimum(1, k / legal).mean())
    assert found["log_likelihood"] == pytest.approx(-np.log(legal).mean())


# ---- the legal moves ----


def game_of(rows: GoExamples, row: int) -> tuple[SlowGo, int]:
    size, colour, ko = int(rows.size[row]), int(rows.to_play[row]), int(rows.ko[row])
    cells = rows.board[row, : size * size].tolist()
    go = SlowGo(size, {(at % size, at // size): cell for at, cell in enumerate(cells) if cell})
    go.ko = (colour, (ko % size, ko // size)) if ko >= 0 else None
    return go, colour


def legal_points(rows: GoExamples, row: int) -> list[int]:
    go, colour = game_of(rows, row)
    return [at for at in range(go.size**2) if go.is_legal((at % go.size, at // go.size), colour)]


def test_choices_are_the_legal_moves() -> None:
    assert len(CHOICES) == len(DECISIONS) == 60
    for row in range(len(DECISIONS)):
        some = slice(CHOICES.first[row], CHOICES.first[row + 1])
        assert CHOICES.points.point[some].tolist() == legal_points(DECISIONS, row)
        assert set(CHOICES.points.position[some].tolist()) == {row}
        assert CHOICES.points.point[CHOICES.played[row]] == DECISIONS.move[row]


def test_passes_and_illegal_moves_are_no_decisions() -> None:
    rows = DECISIONS.take(np.arange(8))
    legal = [legal_points(rows, row) for row in range(8)]
    ko = rows.take(np.arange(1))
    ko.ko[0] = ko.move[0]
    rows.move[2] = PASS
    rows.move[3] = NONE
    occupied = next(row for row in range(4, 8) if len(legal[row]) < 16)
    rows.move[occupied] = next(at for at in range(16) if at not in legal[occupied])
    found = choices_of(GoExamples.concat([rows, ko]))
    assert len(found) == 5
    assert np.diff(found.first).tolist() == [len(legal[row]) for row in range(8) if row not in (2, 3, occupied)]
    assert len(choices_of(ko)) == 0


# ---- baselines ----


def test_baselines_are_ordered_by_distance() -> None:
    rows = DECISIONS.take(np.arange(len(DECISIONS)))
    rows.last[5], rows.last[6] = NONE, PASS
    choices = choices_of(rows)
    centre, near = centre_first(choices), near_last_move(choices)
    for row in range(len(rows)):
        size, last = int(rows.size[row]), int(rows.last[row])
        for k in range(choices.first[row], choices.first[row + 1]):
            y, x = divmod(int(choices.points.point[k]), size)
            assert centre[k] == pytest.approx(-math.dist((x, y), ((size - 1) / 2, (size - 1) / 2)))
            expected = -math.dist((x, y), (last % size, last // size)) if last >= 0 else 0
            assert near[k] == pytest.approx(expected)


def test_equal_distances_are_ties() -> None:
    board = np.zeros((1, 361), np.uint8)
    one, none = np.ones(1, np.uint8), np.array([NONE], np.int16)
    points = np.array([180 + 19 * 3 + 4, 180 + 5, 180 - 19 * 5, 180 - 19 * 4 - 3], np.int16)  # all 5 from the centre
    given = Points(board, 19 * one, one, none, none + 181, none, np.zeros(4, np.int32), points)
    choices = Choices(given, np.array([0, 4]), np.array([0]), np.array([0]))
    assert centre_first(choices).tolist() == near_last_move(choices).tolist() == [-5.0] * 4


# ---- the scale ----


@given(st.integers(0, 999), st.floats(0.01, 100))
def test_the_scale_is_the_best_of_a_grid(seed: int, stretch: float) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 40, 25)
    first = np.cumsum([0, *counts])
    truth = rng.normal(size=first[-1])
    noisy = truth + rng.gumbel(size=first[-1])
    played = [int(noisy[a:b].argmax()) for a, b in itertools.pairwise(first)]
    choices, scores = bare(counts.tolist(), played), truth * stretch
    scale = fitted_scale(scores, choices)
    best = log_likelihood(scores * scale, choices)
    grid = [log_likelihood(scores * (x / stretch), choices) for x in np.linspace(0, 5, 101)]
    assert best >= max(grid) - 1e-6
    assert best >= log_likelihood(0 * scores, choices)


def test_a_misleading_order_is_scaled_away_and_a_flat_one_is_left() -> None:
    scores = np.array([0.0, 1, 2, 3] * 5)
    wrong = bare([4] * 5, [0] * 5)
    assert 0 <= fitted_scale(scores, wrong) < 1e-3
    assert log_likelihood(scores * fitted_scale(scores, wrong), wrong) == pytest.approx(-math.log(4), abs=1e-3)
    assert fitted_scale(0 * scores, wrong) == 1
    assert 1 < fitted_scale(scores, bare([4] * 5, [3] * 5)) < 1e3  # there is no best one: the search ends somewhere


# ---- scores of rules ----

BODIES = (
    "connects_direct(A,E,C,D,B), liberty_cnt(A,E,F), range(F,1,3)",
    "opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,2)",
    "pos_gen(E), block_on_pos(A,C,D,F,1,1,E), block_color(A,F,B), edge_ver(C,D,-2,E)",
    "pos_gen(E), edge_hor(C,D,-3,E), stage(A,open)",
)
RULES = RuleSet(tuple(Rule(f"r{k}", rule_of(body).body, 9, 1, 0.1 * k) for k, body in enumerate(BODIES, 1)))


@pytest.mark.parametrize("chunk", [1, 7, 200])
def test_scores_are_the_weights_of_the_rules_that_hold(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firing, "CHUNK", chunk)
    rows = random.Random(chunk).sample(range(len(DECISIONS)), 12)
    choices = choices_of(DECISIONS.take(np.array(rows)))
    scores, fired = rule_scores(RULES, choices)
    seen = set()
    for at, row in enumerate(rows):
        go, colour = game_of(DECISIONS, row)
        for k in range(choices.first[at], choices.first[at + 1]):
            y, x = divmod(int(choices.points.point[k]), go.size)
            example = Example(go.size, go.stones, colour, (x, y))
            held = tuple(rule for rule in RULES.rules if covers(rule.body, example))
            seen |= {rule.id for rule in held}
            assert scores[k] == pytest.approx(sum(rule.weight for rule in held)) and fired[k] == bool(held)
    assert len(seen) >= 3


def test_equal_sums_of_weights_are_ties() -> None:
    """0.1 + 0.2 and 0.3 differ as doubles; as sums of weights they are one."""
    weights = (0.1, 0.2, 0.3, 0.1)
    rules = RuleSet(tuple(Rule(r.id, r.body, 9, 1, w) for r, w in zip(RULES.rules, weights, strict=True)))
    scores, _ = rule_scores(rules, CHOICES)
    assert len(np.unique(np.round(scores, 6))) == len(np.unique(scores)) > 3


def test_no_rules_score_nothing() -> None:
    scores, fired = rule_scores(RuleSet(()), CHOICES)
    assert not scores.any() and not fired.any()
    assert len(rule_scores(RULES, choices_of(DECISIONS.take(np.arange(0))))[0]) == 0
