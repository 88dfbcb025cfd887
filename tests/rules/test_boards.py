"""Conditions on whole boards against masks and clauses; samples of moves against what their shares promise."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from support.examples import load_decisions, random_moves
from support.induce_runs import GAMES

from gotools.game.examples.negatives import relabel
from gotools.game.examples.packed import pack
from gotools.game.records.selection import Selection
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.boosting.boards import board_conditions, board_rules
from gotools.rules.boosting.candidates import body_of, conditions_of, masks_of
from gotools.rules.boosting.drawing import UNIFORM, BoardSampler, Drawn
from gotools.rules.boosting.kernels import boost as _boost
from gotools.rules.clauses.rules import Literal, Rule, RuleSet, parse_body
from gotools.rules.study import scorer_of
from gotools.rules.weigh.accuracy import choices_of, log_likelihood, rule_scores
from gotools.rules.weigh.firing import firing_of

FULL = conditions_of(VOCABULARIES["groups"], 9)
BOARDS = board_conditions(FULL)


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


@cache
def decisions(size: int) -> GoExamples:
    """Positions of games of examples/ for 9x9, of random games for other sizes."""
    if size == 9:
        rows = load_decisions([str(GAMES[0])], Selection(), print, lambda: None)
        return rows.take(np.arange(0, len(rows), 3))
    return relabel(random_moves(6, size, seed=size), PLAYED)


def drawn_sets(size: int, count: int) -> list[tuple[int, ...]]:
    """Sets of up to six conditions that all hold of some move in its first frame, as the search forms them."""
    rng, found = np.random.default_rng(size), list[tuple[int, ...]]()
    table = masks_of(choices_of(decisions(size)).points, FULL)
    while len(found) < count:
        held = np.flatnonzero(table[:, rng.integers(table.shape[1])] & 1)
        found.append(tuple(sorted(rng.choice(held, rng.integers(1, 7), replace=False).tolist())))
    return found


def all_drawn(sets: list[tuple[int, ...]], rows: GoExamples, pool: Executor) -> Drawn:
    data = pack([rows])
    (drawn,) = BoardSampler(BOARDS, sets, np.zeros(len(sets)), float("inf")).draw(data, np.arange(len(data)), [0], pool)
    return drawn


def covered(drawn: Drawn, number: int) -> list[int]:
    block = drawn.block
    return [int(row) for row in block.row[block.start[number] : block.start[number + 1]]]


@pytest.mark.parametrize("size", [2, 3, 5, 9, 13, 19])
def test_every_condition_holds_on_boards_where_its_mask_holds(size: int, pool: Executor) -> None:
    rows = decisions(size)
    table = masks_of(choices_of(rows).points, FULL)
    drawn = all_drawn([(c,) for c in range(len(FULL))], rows, pool)
    for number in range(len(FULL)):
        assert covered(drawn, number) == np.flatnonzero(table[number]).tolist(), FULL[number]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_sets_hold_on_boards_where_all_conditions_hold_in_one_frame(size: int, pool: Executor) -> None:
    rows, sets = decisions(size), drawn_sets(size, 300)
    choices = choices_of(rows)
    table = masks_of(choices.points, FULL)
    drawn = all_drawn(sets, rows, pool)
    for number, some in enumerate(sets):
        expected = _boost.rows_covered(table, np.array(some, np.int32))
        assert covered(drawn, number) == expected.tolist()
        assert drawn.fires[number] == len(expected)
        assert drawn.plays[number] == np.isin(choices.played, expected).sum()


# ---- samples ----


def prediction(sets: list[tuple[int, ...]], weight: NDArray[np.float64], rows: GoExamples) -> list[NDArray[np.float64]]:
    """The probabilities of the legal moves of each position, by the kernels of clauses."""
    choices = choices_of(rows)
    rules = [Rule(f"r{k}", body_of(FULL[c] for c in some), 0, 0, 0.0) for k, some in enumerate(sets)]
    firing = firing_of(rules, choices.points)
    scores = np.array([weight[firing.rule[a:b]].sum() for a, b in zip(firing.at, firing.at[1:], strict=False)])
    parts = np.split(scores, choices.first[1:-1])
    return [np.exp(part - part.max()) / np.exp(part - part.max()).sum() for part in parts]


def test_moves_are_drawn_by_their_shares(pool: Executor) -> None:
    """Each share is a mixture of the uniform distribution and the predicted one; the move played is always there."""
    rows, sets = decisions(9), drawn_sets(9, 40)
    weight = np.random.default_rng(1).normal(0, 1, 40)
    data, moves = pack([rows]), 6.0
    choices = choices_of(rows)
    shares = np.concatenate(
        [np.minimum(1, moves * (UNIFORM / len(p) + (1 - UNIFORM) * p)) for p in prediction(sets, weight, rows)]
    )
    shares[choices.played] = 1
    times, counts = 100, np.zeros(len(choices.points))
    for seed in range(times):
        (one,) = BoardSampler(BOARDS, sets, weight, moves).draw(data, np.arange(len(data)), [seed], pool)
        at = choices.first[one.points.position] + _place(choices.points.point, choices.first, one)
        counts[at] += 1
        assert np.array_equal(at[one.block.played], choices.played)
        assert np.exp(-one.block.offset) == pytest.approx(shares[at], rel=1e-5)
    spread = np.sqrt(shares * (1 - shares) / times)
    assert (np.abs(counts / times - shares) <= 5 * spread + 1e-9).all()


def _place(point: NDArray[np.int16], first: NDArray[np.int64], one: Drawn) -> NDArray[np.int64]:
    """The place of each drawn move among the legal ones of its position."""
    mine = [point[first[k] : first[k + 1]] for k in one.points.position]
    return np.array([int(np.flatnonzero(some == p)[0]) for some, p in zip(mine, one.points.point, strict=True)])


def test_blocks_and_threads_change_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, sets = decisions(9), drawn_sets(9, 20)
    data, found = pack([rows]), []
    for threads in (1, 3):
        with ThreadPoolExecutor(threads) as some:
            drawn = list(BoardSampler(BOARDS, sets, np.ones(20), 5.0).draw(data, np.arange(len(data)), [3], some))
            found.append([(one.block.row.tobytes(), one.block.offset.tobytes()) for one in drawn])
    assert found[0] == found[1]


def test_held_out_games_are_measured_on_all_legal_moves(pool: Executor) -> None:
    rows, sets = decisions(9), drawn_sets(9, 30)
    weight = np.random.default_rng(2).normal(0, 1, 30)
    value = BoardSampler(BOARDS, sets, weight, 0).log_likelihood(pack([rows]), pool)
    choices = choices_of(rows)
    scores = np.log(np.concatenate(prediction(sets, weight, rows)))
    assert value == pytest.approx(log_likelihood(scores, choices), abs=1e-9)


# ---- rules of a file ----


def rule_set(size: int) -> RuleSet:
    rng = np.random.default_rng(size)
    bodies = [body_of(FULL[c] for c in some) for some in drawn_sets(size, 60)]
    weights = rng.normal(0, 1, 60).round(3).tolist()
    return RuleSet(tuple(Rule(f"r{k}", body, 0, 0, w) for k, (body, w) in enumerate(zip(bodies, weights, strict=True))))


def parsed(body: str) -> tuple[Literal, ...]:
    return parse_body(f"move(A,B,C,D) :- {body}.", "here", 1)


@pytest.mark.parametrize("size", [5, 9, 19])
def test_scores_on_boards_are_those_of_the_clauses_to_the_last_bit(size: int) -> None:
    rules, choices = rule_set(size), choices_of(decisions(size))
    assert board_rules(rules) is not None
    scores, fired = scorer_of(rules)(choices)
    expected, expected_fired = rule_scores(rules, choices)
    assert scores.tobytes() == expected.tobytes() and fired.tolist() == expected_fired.tolist()


def test_rules_that_tie_chains_together_are_scored_by_their_clauses() -> None:
    """Whether two chains share a liberty cannot be seen on boards of single conditions."""
    body = parsed("connects_direct(A,E,C,D,B), liberty(A,E,F), pos_gen(G), block_on_pos(A,C,D,H,1,1,G), liberty(A,H,F)")
    rules, choices = RuleSet((Rule("r1", body, 0, 0, 0.5),)), choices_of(decisions(9))
    assert board_rules(rules) is None
    scores, fired = scorer_of(rules)(choices)
    assert fired.any() and scores.tolist() == rule_scores(rules, choices)[0].tolist()


def test_rules_without_a_condition_that_can_hold_score_nothing() -> None:
    body = parsed("stage(A,open), stage(A,end)")
    never = parsed("line(A,C,D,E), range(E,1,2), line(A,C,D,5)")
    rules = RuleSet((Rule("r1", body, 0, 0, 0.5), Rule("r2", never, 0, 0, 1.0)))
    choices = choices_of(decisions(9))
    scores, fired = scorer_of(rules)(choices)
    expected, expected_fired = rule_scores(rules, choices)
    assert scores.tolist() == expected.tolist() and fired.tolist() == expected_fired.tolist()


def test_large_numbers_are_told_apart() -> None:
    """Distances on 19x19 reach 54, and a number beyond 31 is not like 31."""
    bodies = [f"last_distance(A,C,D,{n})" for n in (30, 31, 32, 40, 47)]
    bodies += ["last_distance(A,C,D,E), range(E,5,99)", "liberties_after(A,C,D,B,E), range(E,4,8)"]
    rules = RuleSet(tuple(Rule(f"r{k}", parsed(body), 0, 0, 2.0**k) for k, body in enumerate(bodies)))
    choices = choices_of(decisions(19))
    scores, fired = scorer_of(rules)(choices)
    expected, expected_fired = rule_scores(rules, choices)
    assert scores.tobytes() == expected.tobytes() and fired.tolist() == expected_fired.tolist()
    assert all(np.isin(expected.astype(int) >> k & 1, [1]).any() for k in range(4))
