"""Samples of the legal moves of positions, with the sets of conditions that hold there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.examples.examples import GoExamples, PackedGo
from gotools.jit.kernels import exact
from gotools.rules.boosting.boards import BoardConditions, board_conditions, positions_of
from gotools.rules.boosting.candidates import conditions_of, shape_condition
from gotools.rules.boosting.kernels import sets as _sets
from gotools.rules.clauses.points import Points
from gotools.rules.weigh.accuracy import choices_of, log_likelihood
from gotools.rules.weigh.weights import BLOCK_ROWS, Block, Weights
from gotools.work.workers import in_order

UNIFORM = 0.4
"""Share of the uniform distribution in that by which moves are drawn; the rest is the predicted probability."""

PAIRS_A_ROW = 64
"""Sets that hold of a row for which there is room at first."""

LOOKED_AT = 500
"""Positions whose moves are scored together: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Moves drawn from some positions: those played, and others.

    block -- with the rows where each set holds
    points -- of the rows
    fires, plays -- int64[sets]: legal moves, and moves played, of which a set holds, drawn or not
    """

    block: Block
    points: Points
    fires: NDArray[np.int64]
    plays: NDArray[np.int64]


Piece = tuple[PackedGo, list[int]]
"""Positions to draw moves from, and the seed: what is sent to workers."""


class MoveSampler:
    """Draws moves of positions by what rules predict.

    sets, weight -- the rules so far; moves -- how many of a position are drawn on average, beside the one played
    """

    def __init__(
        self, conditions: BoardConditions, sets: Sequence[Sequence[int]], weight: Weights, moves: float
    ) -> None:
        self._table, self._sets = conditions.sets(sets)
        self._weight, self._moves = weight, moves

    def draw(self, data: PackedGo, rows: NDArray[np.int64], seed: list[int], pool: Executor) -> Iterator[Drawn]:
        """Yield the moves drawn from positions, block by block.

        seed -- of the random numbers; those of a block do not depend on the others
        """
        return in_order(pool, lambda work: self.drawn(data.take(work[0]), work[1]), self._works(data, rows, seed), 4)

    def pieces(self, data: PackedGo, rows: NDArray[np.int64], seed: list[int]) -> Iterator[Piece]:
        """Yield the same work as data: for workers on other machines."""
        return ((data.only(some).without_names(), given) for some, given in self._works(data, rows, seed))

    def _works(
        self, data: PackedGo, rows: NDArray[np.int64], seed: list[int]
    ) -> Iterator[tuple[NDArray[np.int64], list[int]]]:
        """Yield rows whose moves fill about half a block, and the seed of each."""
        step = max(1, int(BLOCK_ROWS / (2 * (1 + min(self._moves, data.cells)))))
        return ((rows[begin : begin + step], [*seed, begin]) for begin in range(0, len(rows), step))

    def drawn(self, rows: GoExamples, seed: list[int]) -> Drawn:
        """Return the moves drawn from some positions."""
        choices = choices_of(rows)
        legal, sets = len(choices.points), len(self._weight)
        chance = np.random.default_rng(seed).random(legal)
        drawn, share = np.zeros(legal, np.uint8), np.zeros(legal)
        counts = np.zeros((2, sets), np.int64)
        moves = min(self._moves, 1e9)
        room = max(1, int(PAIRS_A_ROW * min(legal, len(choices) * (1 + moves))))
        given = positions_of(choices), self._table, self._sets, self._weight, choices.played, chance
        while True:
            pairs = np.empty((room, 2), np.uint16)
            found = _sets.draw(*given, moves, UNIFORM, drawn, share, counts, pairs)
            if found <= room:
                break
            room = found
        kept = np.flatnonzero(drawn)
        before = np.concatenate([[0], np.cumsum(drawn, dtype=np.int64)])
        rule, row = pairs[:found, 0], pairs[:found, 1]
        start = np.concatenate([[0], np.cumsum(np.bincount(rule, minlength=sets))]).astype(np.int64)
        block = Block(
            first=before[choices.first],
            played=before[choices.played],
            offset=-exact.log(share[kept]).astype(np.float32),
            start=start,
            row=row[np.lexsort((row, rule))],
        )
        return Drawn(block, choices.points.take(kept), counts[0], counts[1])

    def log_likelihood(self, data: PackedGo, pool: Executor) -> float:
        """Return the mean log-probability of the moves played, among all legal moves."""

        def one(begin: int) -> tuple[float, int]:
            choices = choices_of(data.take(np.arange(begin, min(begin + LOOKED_AT, len(data)))))
            if not len(choices):
                return 0.0, 0
            scores, fired = np.zeros(len(choices.points)), np.zeros(len(choices.points), np.bool_)
            _sets.scores(positions_of(choices), self._table, self._sets, self._weight, scores, fired)
            return log_likelihood(scores, choices) * len(choices), len(choices)

        found = list(pool.map(one, range(0, len(data), LOOKED_AT)))
        return sum(value for value, _ in found) / max(1, sum(count for _, count in found))


def begin_sampler(
    predicates: Sequence[str],
    lines: int,
    shapes: Sequence[str],
    sets: Sequence[Sequence[int]],
    weight: Weights,
    moves: float,
) -> MoveSampler:
    """Return a sampler of sets of conditions, which are those of a language with some shapes behind them."""
    conditions = [*conditions_of(predicates, lines), *map(shape_condition, shapes)]
    return MoveSampler(board_conditions(conditions), sets, weight, moves)


def draw_piece(sampler: MoveSampler, piece: Piece) -> Drawn:
    """Return the moves drawn from a piece."""
    packed, seed = piece
    return sampler.drawn(packed.take(np.arange(len(packed))), seed)
