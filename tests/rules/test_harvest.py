"""The harvest of shapes against a slow count, and the blocks with shapes against the shapes around each point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from support.examples import load_decisions
from support.induce_runs import GAMES

from gotools.game.examples.packed import PackedExamples, pack
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.shapes import LARGEST, SMALLEST, Shape, shape_at
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.boosting.boost import Boosting, BoostSettings
from gotools.rules.boosting.drawing import Drawn
from gotools.rules.boosting.harvest import harvest

LEAST = 3


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


@cache
def data() -> PackedExamples[GoExamples]:
    rows = load_decisions([*map(str, GAMES[:6])], Selection(), print, lambda: None)
    return pack([rows.take(np.flatnonzero(rows.move >= 0))])


@cache
def played() -> list[list[Shape]]:
    """The shapes in which each move was played, smallest first."""
    rows = data().take(np.arange(len(data())))
    return [
        [shape_at(board, 9, me, move, size).least() for size in range(SMALLEST, LARGEST + 1)]
        for board, me, move in zip(rows.board, rows.to_play.tolist(), rows.move.tolist(), strict=True)
    ]


def test_shapes_are_counted_by_the_moves_played_in_them(pool: Executor) -> None:
    """Those in which the same moves are played count once: the largest stands for them."""
    counts = Counter(shape for shapes in played() for shape in shapes)
    moves_of = {
        shape: frozenset(k for k, shapes in enumerate(played()) if shape in shapes)
        for shape, count in counts.items()
        if count >= LEAST
    }
    expected = {
        shape
        for shape, moves in moves_of.items()
        if not any(other.size == shape.size + 1 and moves_of[other] == moves for other in moves_of)
    }
    found = harvest(data(), LEAST, pool)
    assert {found.shape(data(), k) for k in range(len(found))} == expected
    assert len(found) == len(expected) > 20


def test_a_block_with_shapes_has_the_rows_where_they_stand(pool: Executor) -> None:
    found = harvest(data(), LEAST, pool)
    boosting = Boosting(data(), None, BoostSettings(), 0, pool)
    drawn: list[Drawn] = list(boosting.sampler(6.0).draw(data(), np.arange(0, len(data()), 9), [1], pool))
    blocks = found.blocks([(one.block, one.points) for one in drawn], pool)
    known = {found.shape(data(), k): k for k in range(len(found))}
    for one, block in zip(drawn, blocks, strict=True):
        of, rows = one.points, dict[int, list[int]]()
        for row, (position, point) in enumerate(zip(of.position.tolist(), of.point.tolist(), strict=True)):
            for size in range(SMALLEST, LARGEST + 1):
                shape = shape_at(of.board[position], 9, int(of.to_play[position]), point, size).least()
                if shape in known:
                    rows.setdefault(known[shape], []).append(row)
        assert len(block.start) == len(found) + 1
        for k in range(len(found)):
            assert block.row[block.start[k] : block.start[k + 1]].tolist() == rows.get(k, [])


def test_no_shape_is_harvested_where_none_is_frequent(pool: Executor) -> None:
    found = harvest(data(), len(data()) + 1, pool)
    assert len(found) == 0


def test_rules_and_shapes_compete_for_their_number(pool: Executor) -> None:
    """Of twelve rules searched and many shapes the twelve worth most are left."""
    settings = BoostSettings(predicates=VOCABULARIES["full"], rules=12, least=5, beam=4, seeds=4, l2=4.0)
    boosting = Boosting(data(), None, settings, 0, pool)
    last = list(boosting.rounds())[-1]
    shapes = [some for some in boosting.sets if boosting.conditions[some[0]][-1].predicate == "shape"]
    assert last.rules == len(boosting.sets) == len(boosting.weight) == 12
    assert 0 < len(shapes) < 12 and all(len(some) == 1 for some in shapes)
