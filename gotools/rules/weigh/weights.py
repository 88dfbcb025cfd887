"""Weigh rules by conditional logistic regression over the moves of each position.

The probability of a move is the softmax of its score over the position's legal moves, its score the sum of the weights
of the rules that fire there. Where several moves of a position are right, what counts is the sum of their
probabilities. Source: Coulom 2007, whose Bradley-Terry teams are the rules that fire together; McFadden
1978 for fitting on a sample of the moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gotools.jit.kernels import exact
from gotools.rules.weigh.accuracy import Alternatives
from gotools.rules.weigh.firing import FiringTable
from gotools.rules.weigh.kernels import softmax as _softmax

Weights = NDArray[np.float64]

TOLERANCE = 1e-6
"""Slope of the mean log-likelihood at which a fit ends."""

DEFAULT_L2 = 40.0
"""Ridge if there are no games to choose one."""

MOST_STEPS = 80
"""Most steps of L-BFGS; the slope is nearly 0 by then."""

DIGITS = 3
"""Decimals of a weight: a thousandth of a log-odd is far below what games can resolve."""

L2S = (300.0, 150.0, 80.0, 40.0, 20.0, 10.0, 5.0, 2.5, 1.0)
"""Ridges to choose from, strongest first: each fit begins at the weights of the one before."""

ENOUGH_ENTRIES = 60_000_000
"""Entries of the blocks on which a ridge is chosen."""

BLOCK_ROWS = 32_768
"""Most rows of a block: the number of a row takes two bytes, and the scores stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some positions with their moves, and the rows where each rule fires.

    first  -- int64[positions+1]: rows of position k: first[k] .. first[k+1]-1
    played -- int64[positions]
    offset -- float32[rows]: minus the logarithm of a move's share in a sample of the legal moves; zeros for all moves
    start  -- int64[rules+1]: rows of rule k: row[start[k]:start[k+1]], in ascending order
    row    -- uint16[...]
    also   -- int64[...]: rows of further right moves, in ascending order
    """

    first: NDArray[np.int64]
    played: NDArray[np.int64]
    offset: NDArray[np.float32]
    start: NDArray[np.int64]
    row: NDArray[np.uint16]
    also: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.played)

    def with_rules(self, rows: Sequence[NDArray[np.uint16]]) -> Block:
        """Return the block with further rules, each by its rows."""
        start = np.cumsum([self.start[-1], *map(len, rows)])[1:]
        return replace(self, start=np.concatenate([self.start, start]), row=np.concatenate([self.row, *rows]))

    def only(self, kept: NDArray[np.int64]) -> Block:
        """Return the block with some of the rules, in the order of `kept`."""
        rows = [self.row[self.start[k] : self.start[k + 1]] for k in kept.tolist()]
        start = np.concatenate([[0], np.cumsum(np.diff(self.start)[kept])]).astype(np.int64)
        return replace(self, start=start, row=np.concatenate([self.row[:0], *rows]))


Observations = Sequence[Block]
"""Positions with their moves and the rules that fire: what weights are fitted on, block by block."""


def observations(moves: Alternatives, firing: FiringTable, rules: int) -> list[Block]:
    """Return positions with all their legal moves."""
    blocks = []
    for begin, end in block_bounds(moves.first):
        rows = slice(int(moves.first[begin]), int(moves.first[end]))
        at = firing.at[rows.start : rows.stop + 1]
        rule = firing.rule[at[0] : at[-1]]
        row = np.repeat(np.arange(len(at) - 1, dtype=np.uint16), np.diff(at))
        blocks.append(
            Block(
                first=moves.first[begin : end + 1] - rows.start,
                played=moves.played[begin:end] - rows.start,
                offset=np.zeros(len(at) - 1, np.float32),
                start=np.concatenate([[0], np.cumsum(np.bincount(rule, minlength=rules))]).astype(np.int64),
                row=row[np.argsort(rule, kind="stable")],
                also=moves.also[slice(*np.searchsorted(moves.also, (rows.start, rows.stop)))] - rows.start,
            )
        )
    return blocks


def block_bounds(first: NDArray[np.int64]) -> Iterable[tuple[int, int]]:
    """Cut positions into blocks of at most BLOCK_ROWS rows."""
    begin = 0
    while begin < len(first) - 1:
        end = max(begin + 1, int(np.searchsorted(first, first[begin] + BLOCK_ROWS, "right")) - 1)
        yield begin, end
        begin = end


def probabilities(block: Block, weight: Weights) -> NDArray[np.float64]:
    """Return the probability of every move."""
    out = block.offset.astype(np.float64)
    _softmax.probabilities(block.first, block.start, block.row, weight, out)
    return out


def log_likelihood(data: Observations, weight: Weights, pool: Executor) -> float:
    """Return the mean log-probability of the moves played."""
    return float(sum(_summed(data, weight, pool)[0])) / max(1, sum(map(len, data)))


def fit(data: Observations, start: Weights, l2: float, steps: int, pool: Executor) -> Weights:
    """Return the weights of the largest log-likelihood less l2 / 2 times the sum of their squares.

    start -- weights to begin at; steps -- of L-BFGS at most; pool -- of threads
    """
    from scipy.optimize import minimize

    def loss(weight: Weights) -> tuple[float, Weights]:
        values, slopes = _summed(data, weight, pool)
        slope: Weights = l2 * weight - np.sum(slopes, axis=0)
        return float(l2 / 2 * exact.dot(weight, weight) - sum(values)), slope

    options = {"maxiter": steps, "maxcor": 20, "ftol": 1e-9, "gtol": TOLERANCE * sum(map(len, data))}
    found: Weights = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return found


def _summed(data: Observations, weight: Weights, pool: Executor) -> tuple[list[float], list[Weights]]:
    """Return for each block the sum of the log-probabilities of its moves played, and its slope."""

    def one(block: Block) -> tuple[float, Weights]:
        slope = np.zeros(len(weight))
        share = block.offset.astype(np.float64)
        right = block.played, block.also
        value = _softmax.likelihood(block.first, *right, block.start, block.row, weight, share, slope)
        return float(value), slope

    found = list(pool.map(one, data))
    return [value for value, _ in found], [slope for _, slope in found]


def regress(
    learned: Observations, held: Observations, start: Weights, l2: float, pool: Executor
) -> tuple[Weights, float, str]:
    """Return the weights that predict the moves of all positions best, their ridge, and the origin of the ridge.

    held -- of held-out games: they choose the ridge, then count like the others; none: l2 is the ridge
    start, l2 -- weights to begin at; the ridge if there are no games to choose it

    The ridge is chosen on some of the blocks where there are many: it says how large weights are, which does not depend
    on the number of positions.
    """
    if not held:
        return fit(learned, start, l2, MOST_STEPS, pool), l2, "not chosen, for want of games to keep apart"
    weight, best = start, -np.inf
    some = learned[:: max(1, sum(len(block.row) for block in learned) // ENOUGH_ENTRIES)]
    for ridge in L2S:
        weight = fit(some, weight, ridge, MOST_STEPS, pool)
        value = log_likelihood(held, weight, pool)
        if value < best:
            break
        best, start, l2 = value, weight, ridge
    origin = f"chosen on {sum(map(len, held)):,} moves of held-out games; log-likelihood there {best:.3f}"
    return fit([*learned, *held], start, l2, MOST_STEPS, pool), l2, origin


def worth(data: Observations, weight: Weights, pool: Executor) -> NDArray[np.float64]:
    """Return about how much log-likelihood each rule is worth: w * w / 2 times its curvature."""

    def one(block: Block) -> NDArray[np.float64]:
        p = probabilities(block, weight)
        return sums(block, p * (1 - p))

    return np.asarray(weight * weight / 2 * np.sum(list(pool.map(one, data)), axis=0), np.float64)


def sums(block: Block, of_row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each rule the sum of `of_row` over the rows where it fires."""
    out = np.zeros(len(block.start) - 1)
    _softmax.sums(block.start, block.row, of_row, out)
    return out
