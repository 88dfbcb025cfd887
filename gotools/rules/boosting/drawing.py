"""Samples of the legal moves of positions, with the sets of conditions that hold there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import are_right
from gotools.game.examples.packed import PackedExamples
from gotools.game.game import vocabulary_of
from gotools.jit.kernels import exact
from gotools.rules.boosting.boards import BoardConditions, board_conditions, positions_of
from gotools.rules.boosting.candidates import Condition, conditions_of, masks_of, shape_condition
from gotools.rules.boosting.kernels import boost as _boost
from gotools.rules.boosting.kernels import sets as _sets
from gotools.rules.clauses.points import chunks
from gotools.rules.weigh.accuracy import Choices, choices_of, log_likelihood, softmax
from gotools.rules.weigh.firing import CHUNK
from gotools.rules.weigh.weights import BLOCK_ROWS, Block, Weights
from gotools.work.workers import in_order

Packed = PackedExamples[Any]

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
    points: Any  # Moves of the game
    fires: NDArray[np.int64]
    plays: NDArray[np.int64]


Piece = tuple[Packed, list[int]]
"""Positions to draw moves from, and the seed: what is sent to workers."""


class MoveSampler(ABC):
    """Draws moves of positions by what rules predict.

    weight -- of the rules so far; moves -- how many of a position are drawn on average, beside the one played
    """

    def __init__(self, weight: Weights, moves: float) -> None:
        self._weight, self._moves = weight, moves

    @abstractmethod
    def drawn(self, rows: Examples, seed: list[int]) -> Drawn:
        """Return the moves drawn from some positions."""

    @abstractmethod
    def scores(self, choices: Choices) -> NDArray[np.float64]:
        """Return the score of each legal move."""

    def draw(self, data: Packed, rows: NDArray[np.int64], seed: list[int], pool: Executor) -> Iterator[Drawn]:
        """Yield the moves drawn from positions, block by block.

        seed -- of the random numbers; those of a block do not depend on the others
        """
        return in_order(pool, lambda work: self.drawn(data.take(work[0]), work[1]), self._works(data, rows, seed), 4)

    def pieces(self, data: Packed, rows: NDArray[np.int64], seed: list[int]) -> Iterator[Piece]:
        """Yield the same work as data: for workers on other machines."""
        return ((data.only(some).without_names(), given) for some, given in self._works(data, rows, seed))

    def _works(
        self, data: Packed, rows: NDArray[np.int64], seed: list[int]
    ) -> Iterator[tuple[NDArray[np.int64], list[int]]]:
        """Yield rows whose moves fill about half a block, and the seed of each."""
        step = max(1, int(BLOCK_ROWS / (2 * (1 + min(self._moves, data.cells)))))
        return ((rows[begin : begin + step], [*seed, begin]) for begin in range(0, len(rows), step))

    def log_likelihood(self, data: Packed, pool: Executor) -> float:
        """Return the mean log-probability of the moves played, among all legal moves."""

        def one(begin: int) -> tuple[float, int]:
            choices = choices_of(data.take(np.arange(begin, min(begin + LOOKED_AT, len(data)))))
            if not len(choices):
                return 0.0, 0
            return log_likelihood(self.scores(choices), choices) * len(choices), len(choices)

        found = list(pool.map(one, range(0, len(data), LOOKED_AT)))
        return sum(value for value, _ in found) / max(1, sum(count for _, count in found))


class BoardSampler(MoveSampler):
    """Draws moves of Go: conditions are decided on whole boards."""

    def __init__(
        self, conditions: BoardConditions, sets: Sequence[Sequence[int]], weight: Weights, moves: float
    ) -> None:
        super().__init__(weight, moves)
        self._table, self._sets = conditions.sets(sets)

    def drawn(self, rows: Examples, seed: list[int]) -> Drawn:
        choices = choices_of(rows)
        legal, sets = len(choices.points), len(self._weight)
        chance = np.random.default_rng(seed).random(legal)
        chance[choices.also] = -1.0  # every right move is drawn
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
        rule, row = pairs[:found, 0], pairs[:found, 1]
        if len(choices.also):
            share[choices.also] = 1.0
            number = np.cumsum(drawn, dtype=np.int64)[choices.also] - 1
            counts[1] += np.bincount(rule[np.isin(row, number)], minlength=sets)
        start = np.concatenate([[0], np.cumsum(np.bincount(rule, minlength=sets))]).astype(np.int64)
        return _drawn(choices, drawn, share, start, row[np.lexsort((row, rule))], counts)

    def scores(self, choices: Choices) -> NDArray[np.float64]:
        scores, fired = np.zeros(len(choices.points)), np.zeros(len(choices.points), np.bool_)
        _sets.scores(positions_of(choices), self._table, self._sets, self._weight, scores, fired)
        return scores


class MaskSampler(MoveSampler):
    """Draws moves of any game: conditions are decided on each legal move."""

    def __init__(
        self, conditions: Sequence[Condition], sets: Sequence[Sequence[int]], weight: Weights, moves: float
    ) -> None:
        super().__init__(weight, moves)
        number = {c: k for k, c in enumerate(dict.fromkeys(c for some in sets for c in some))}
        self._conditions = [conditions[c] for c in number]
        self._sets = [np.array([number[c] for c in some], np.int32) for some in sets]

    def _rows(self, choices: Choices) -> list[NDArray[np.int32]]:
        """Return the legal moves of which each set holds."""
        rows: list[list[NDArray[np.int32]]] = [[np.zeros(0, np.int32)] for _ in self._sets]
        for some in chunks(choices.points, CHUNK) if rows else ():
            masks = masks_of(choices.points.take(some), self._conditions)
            for found, conditions in zip(rows, self._sets, strict=True):
                found.append((_boost.rows_covered(masks, conditions) + some.start).astype(np.int32))
        return list(map(np.concatenate, rows))

    def _sums(self, rows: Sequence[NDArray[np.int32]], moves: int) -> NDArray[np.float64]:
        scores = np.zeros(moves)
        for weight, some in zip(self._weight.tolist(), rows, strict=True):
            scores[some] += weight
        return scores

    def drawn(self, rows: Examples, seed: list[int]) -> Drawn:
        choices = choices_of(rows)
        first, legal = choices.first, len(choices.points)
        chance = np.random.default_rng(seed).random(legal)
        held = self._rows(choices)
        likely = softmax(self._sums(held, legal), first)
        counts = np.repeat(np.diff(first), np.diff(first))
        share = np.minimum(1.0, min(self._moves, 1e9) * (UNIFORM / counts + (1.0 - UNIFORM) * likely))
        share[choices.played] = share[choices.also] = 1.0
        drawn = (chance < share).astype(np.uint8)
        number = np.cumsum(drawn, dtype=np.int64) - 1
        kept = [number[some[drawn[some] > 0]] for some in held]
        start = np.cumsum([0, *map(len, kept)]).astype(np.int64)
        row = np.concatenate([*kept, np.zeros(0, np.int64)]).astype(np.uint16)
        played = are_right(legal, choices.played, choices.also)
        fires = np.array([[len(some), np.count_nonzero(played[some])] for some in held], np.int64).reshape(-1, 2).T
        return _drawn(choices, drawn, share, start, row, fires)

    def scores(self, choices: Choices) -> NDArray[np.float64]:
        return self._sums(self._rows(choices), len(choices.points))


def _drawn(
    choices: Choices,
    drawn: NDArray[np.uint8],
    share: NDArray[np.float64],
    start: NDArray[np.int64],
    row: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> Drawn:
    """Return the moves drawn; share -- with what chance each was; counts -- int64[2, sets]: `fires` and `plays`."""
    kept = np.flatnonzero(drawn)
    before = np.concatenate([[0], np.cumsum(drawn, dtype=np.int64)])
    block = Block(
        first=before[choices.first],
        played=before[choices.played],
        offset=-exact.log(share[kept]).astype(np.float32),
        start=start,
        row=row,
        also=before[choices.also],
    )
    return Drawn(block, choices.points.take(kept), counts[0], counts[1])


Decided = BoardConditions | Sequence[Condition]
"""Conditions in the form in which a sampler decides them."""


def decided(conditions: Sequence[Condition], game: str) -> Decided:
    """Return conditions as `sampler_of` takes them."""
    return board_conditions(conditions) if vocabulary_of(game).points else list(conditions)


def sampler_of(conditions: Decided, sets: Sequence[Sequence[int]], weight: Weights, moves: float) -> MoveSampler:
    """Return a sampler of sets of conditions."""
    kind = BoardSampler if isinstance(conditions, BoardConditions) else MaskSampler
    return kind(conditions, sets, weight, moves)  # type: ignore[arg-type]


def begin_sampler(
    game: str,
    predicates: Sequence[str],
    lines: int,
    shapes: Sequence[str],
    sets: Sequence[Sequence[int]],
    weight: Weights,
    moves: float,
) -> MoveSampler:
    """Return a sampler of sets of conditions, which are those of a language with some shapes behind them."""
    conditions = [*conditions_of(predicates, lines, game), *map(shape_condition, shapes)]
    return sampler_of(decided(conditions, game), sets, weight, moves)


def draw_piece(sampler: MoveSampler, piece: Piece) -> Drawn:
    """Return the moves drawn from a piece."""
    packed, seed = piece
    return sampler.drawn(packed.take(np.arange(len(packed))), seed)
