"""The information of all parameters (the negative Hessian of the likelihood), its factor and its inverse.

    players   border        players: a weighted Laplacian of the graph of games, with a diagonal of its own
    border^T  corner        border: what players share with the average, the advantages and the draw parameter

Dense, by Cholesky: n^3 / 3 operations and n^2 numbers for n players. Bordered, where the players can be eliminated one
by one without joining many others (`elimination_order`): a sparse factor of the players, and Schur's complement of the
border. Time and room are then about linear: a star of 14,000 players takes 1 s, not 300.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indexes = NDArray[np.intp]

DENSE_UP_TO: Final = 2000
"""Players up to which the dense information is used in any case: it takes some seconds."""
MOST_JOINED: Final = 12
"""Most players that the elimination of one may join."""
LARGEST_CORE: Final = 500
"""Most players left over by elimination; their part of the factor is dense."""
MOST_CLASSES: Final = 100
_VAGUE: Final = 1e4
"""A deviation (log-odds) beyond which a parameter is undetermined up to rounding."""


class NoMaximum(Exception):
    """The likelihood grows for ever in some direction, or is level in it."""


@dataclass
class Blocks:
    """The information in blocks, see above.

    black, white -- intp[k], the players of each row; weight -- float64[k], its information
    diagonal -- float64[n], of the players, the share of the rows included
    border   -- float64[n, b]; corner -- float64[b, b]
    """

    black: Indexes
    white: Indexes
    weight: Floats
    diagonal: Floats
    border: Floats
    corner: Floats


# dense ----------------------------------------------------------------------------------------------------------------


class Dense:
    """The information as one matrix, float64[N, N]."""

    def __init__(self, blocks: Blocks) -> None:
        n, size = len(blocks.diagonal), len(blocks.diagonal) + len(blocks.corner)
        self.whole = np.zeros((size, size))
        met = np.bincount(blocks.black * n + blocks.white, blocks.weight, n * n).reshape(n, n)
        players = self.whole[:n, :n]
        players -= met
        players -= met.T
        players[np.diag_indices(n)] += blocks.diagonal
        self.whole[:n, n:], self.whole[n:, :n], self.whole[n:, n:] = blocks.border, blocks.border.T, blocks.corner

    def hold(self, fixed: NDArray[np.bool_]) -> None:
        """Remove fixed parameters from the equations, by rows of the unit matrix."""
        self.whole[fixed, :] = 0.0
        self.whole[:, fixed] = 0.0
        self.whole[fixed, fixed] = 1.0
        self._fixed = fixed

    def inverse(self) -> DenseInverse:
        """Factor the matrix, which is used up. Raises NoMaximum if it is not positive definite."""
        from scipy.linalg import LinAlgError, cho_factor

        try:
            factor = cho_factor(self.whole.T, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError:
            raise NoMaximum from None
        return DenseInverse(factor, self._fixed)


@dataclass
class DenseInverse:
    """The inverse of the information: the covariance of the parameters; zero for fixed ones."""

    factor: Any
    fixed: NDArray[np.bool_]

    def solve(self, vector: Floats) -> Floats:
        """Return the inverse times float64[N]; zero for fixed parameters."""
        from scipy.linalg import cho_solve

        found: Floats = cho_solve(self.factor, np.where(self.fixed, 0.0, vector), check_finite=False)
        return found

    @property
    def variances(self) -> Floats:
        """Return the diagonal, float64[N]. Raises NoMaximum if the information is singular up to rounding."""
        return self.matrix.diagonal()

    def between(self, one: Indexes, other: Indexes) -> Floats:
        """Return the covariances of pairs of players."""
        return self.matrix[one, other]

    @cached_property
    def matrix(self) -> Floats:
        """Return all of it, float64[N, N]. Raises NoMaximum as `variances` does."""
        from scipy.linalg.lapack import dpotri

        inverse, failed = dpotri(self.factor[0], lower=1)
        if failed:
            raise NoMaximum
        covariance: Floats = np.tril(inverse) + np.tril(inverse, -1).T
        covariance[self.fixed, :] = 0.0
        covariance[:, self.fixed] = 0.0
        _check_variances(covariance.diagonal())
        return covariance


def _check_variances(variances: Floats) -> None:
    deviation = np.sqrt(np.maximum(variances, 0.0))
    if not np.isfinite(deviation).all() or (deviation > _VAGUE).any():
        raise NoMaximum


# bordered -------------------------------------------------------------------------------------------------------------


@dataclass
class Bordered:
    """The information with its players apart; order -- in which these are eliminated."""

    blocks: Blocks
    order: Indexes

    def hold(self, fixed: NDArray[np.bool_]) -> None:
        """See `Dense`."""
        parts, n = self.blocks, len(self.order)
        players, others = fixed[:n], fixed[n:]
        parts.weight = np.where(players[parts.black] | players[parts.white], 0.0, parts.weight)
        parts.diagonal = np.where(players, 1.0, parts.diagonal)
        parts.border[players, :] = 0.0
        parts.border[:, others] = 0.0
        parts.corner[others, :] = parts.corner[:, others] = 0.0
        parts.corner[others, others] = 1.0
        self._fixed = fixed

    def inverse(self) -> BorderedInverse:
        """See `Dense`."""
        from scipy.linalg import LinAlgError, cho_factor
        from scipy.sparse.linalg import splu

        try:
            factor = splu(self._players(), "NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        except RuntimeError:
            raise NoMaximum from None
        pivots = factor.U.diagonal()
        if not (np.isfinite(pivots).all() and (pivots > 0).all()):
            raise NoMaximum
        solved = np.empty_like(self.blocks.border)
        solved[self.order] = factor.solve(self.blocks.border[self.order])
        try:
            corner = cho_factor(self.blocks.corner - self.blocks.border.T @ solved, lower=True)
        except LinAlgError:
            raise NoMaximum from None
        return BorderedInverse(self.order, factor, solved, corner, self._fixed)

    def _players(self) -> Any:
        """Return the players' block in the order of elimination, as scipy's sparse columns."""
        from scipy.sparse import csc_matrix

        parts, n = self.blocks, len(self.order)
        place = np.empty(n, np.intp)
        place[self.order] = np.arange(n)
        one, other, every = place[parts.black], place[parts.white], np.arange(n)
        values = np.concatenate([-parts.weight, -parts.weight, parts.diagonal[self.order]])
        rows, columns = np.concatenate([one, other, every]), np.concatenate([other, one, every])
        return csc_matrix((values, (rows, columns)), shape=(n, n))


@dataclass
class BorderedInverse:
    """As `DenseInverse`.

    solved -- float64[n, b], border over players' block; corner -- factor of the Schur complement
    """

    order: Indexes
    factor: Any
    solved: Floats
    corner: Any
    fixed: NDArray[np.bool_]

    def solve(self, vector: Floats) -> Floats:
        """See `DenseInverse`."""
        from scipy.linalg import cho_solve

        n, vector = len(self.order), np.where(self.fixed, 0.0, vector)
        players = np.empty(n)
        players[self.order] = self.factor.solve(vector[:n][self.order])
        # the border times `players` is `solved` times what these were solved from
        others = cho_solve(self.corner, vector[n:] - self.solved.T @ vector[:n])
        return np.concatenate([players - self.solved @ others, others])

    @cached_property
    def variances(self) -> Floats:
        """See `DenseInverse`."""
        every = np.arange(len(self.order))
        found = np.concatenate([self.between(every, every), self._corner.diagonal()])
        found[self.fixed] = 0.0
        _check_variances(found)
        return found

    def between(self, one: Indexes, other: Indexes) -> Floats:
        """See `DenseInverse`."""
        place = np.empty(len(self.order), np.intp)
        place[self.order] = np.arange(len(self.order))
        first, second = self._roots[:, place[one]], self._roots[:, place[other]]
        inner = np.asarray(first.multiply(second).sum(axis=0)).ravel()
        through = np.einsum("ij,jk,ik->i", self.solved[one], self._corner, self.solved[other])
        found: Floats = np.where(self.fixed[one] | self.fixed[other], 0.0, inner + through)
        return found

    @cached_property
    def matrix(self) -> Floats:
        """See `DenseInverse`. For few players: it takes n^2 numbers."""
        return np.stack([self.solve(unit) for unit in np.eye(len(self.fixed))])

    @cached_property
    def _corner(self) -> Floats:
        from scipy.linalg import cho_solve

        return np.asarray(cho_solve(self.corner, np.eye(self.solved.shape[1])))

    @cached_property
    def _roots(self) -> Any:
        """R with R^T R the inverse of the players' block: the inverse of the unit factor, by the roots of the pivots.

        The factor is I + N with N^h = 0, h the height of the elimination tree, so its inverse is the product of
        I - N, I + N^2, I + N^4 and so on: a few sparse products. A column has entries on its path to the root only.
        """
        from scipy.sparse import diags, identity

        n = len(self.order)
        one = identity(n, format="csc")
        power = self.factor.L.tocsc() - one
        power.eliminate_zeros()
        found = one - power
        while power.nnz:
            power = power @ power
            found = found @ (one + power)
        return (diags(1.0 / np.sqrt(self.factor.U.diagonal())) @ found).tocsc()


Information = Dense | Bordered
Inverse = DenseInverse | BorderedInverse


def elimination_order(players: int, black: Indexes, white: Indexes) -> Indexes | None:
    """Return an order in which the players can be eliminated at little cost, intp[n]; None if there is no such order.

    Those with the fewest neighbours first, as long as these are few; the rest (LARGEST_CORE at most) come last. Of
    those with one neighbour or two, the one with the lowest elimination tree below goes first: a chain is not
    eliminated from its ends. This works for stars, trees, chains, and all graphs with few cycles.
    """
    if len(black) > (MOST_JOINED + 1) * players + LARGEST_CORE**2:
        return None
    neighbours: list[set[int]] = [set() for _ in range(players)]
    for one, other in zip(black.tolist(), white.tolist(), strict=True):
        neighbours[one].add(other)
        neighbours[other].add(one)
    height = [0] * players

    def key(player: int) -> tuple[int, int, int]:
        return max(len(neighbours[player]), 2), height[player], player

    waiting = [key(player) for player in range(players)]
    heapq.heapify(waiting)
    order: list[int] = []
    gone = [False] * players
    while waiting and waiting[0][0] <= MOST_JOINED:
        entry = heapq.heappop(waiting)
        player = entry[2]
        if gone[player] or entry != key(player):
            continue  # an outdated entry
        gone[player] = True
        order.append(player)
        others = neighbours[player]
        for other in others:
            neighbours[other] |= others
            neighbours[other] -= {player, other}
            height[other] = max(height[other], height[player] + 1)
            heapq.heappush(waiting, key(other))
    rest = [player for player in range(players) if not gone[player]]
    return None if len(rest) > LARGEST_CORE else np.array(order + rest, np.intp)
