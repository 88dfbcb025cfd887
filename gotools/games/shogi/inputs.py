"""Inputs of networks for shogi: pieces on their squares, by their distance to the kings, or how many there are.

And the fixed evaluation: what pieces are worth.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.learning import FeatureSet, Heuristic, Pieces
from gotools.games.shogi import board as b
from gotools.games.shogi.kernels import inputs as i
from gotools.games.shogi.kernels import piece_inputs as q
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import values as v

_IN_HAND: Final = tuple(f"{letter} in hand" for letter in b.LETTERS[: p.HAND])


_KINDS_COUNTED: Final = np.concatenate([np.repeat([*range(i.ON_BOARD), -1], p.SQUARES), i.ON_BOARD + np.arange(p.HAND)])
"""The input of `material` in which each input of `raw` is counted: kings are in none."""

RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: (*(f"{b.piece_text(kind)} {square}" for kind in i.KINDS for square in b.NAMES), *_IN_HAND),
    scales=lambda size: np.ones(i.RAW),
    inputs=i.raw,
    evaluate=i.raw_value,
    coarser="material",
    counted=lambda size: _KINDS_COUNTED,
)
_COUNTED_BY_KINGS: Final = np.concatenate(
    [
        np.repeat(np.arange(i.ON_BOARD), i.FARTHEST),
        np.full(i.ON_BOARD * i.FARTHEST, -1),
        i.ON_BOARD + np.arange(p.HAND),
    ]
)
"""The input of `material` in which each input of `kings` is counted: those from the other king are in none."""

KINGS: Final = FeatureSet(
    name="kings",
    labels=lambda size: (
        *(
            f"{b.piece_text(kind)} {away} from the {king} king"
            for king in ("own", "other")
            for kind in i.KINDS[: i.ON_BOARD]
            for away in range(1, i.FARTHEST + 1)
        ),
        *_IN_HAND,
    ),
    scales=lambda size: np.ones(i.KINGS),
    inputs=i.kings,
    evaluate=i.kings_value,
    coarser="material",
    counted=lambda size: _COUNTED_BY_KINGS,
)
_LETTERS: Final = (*(b.piece_text(kind)[-1] for kind in i.KINDS[: i.ON_BOARD]), *b.LETTERS[: p.HAND])
"""Of the inputs: differences that material hardly comes near to are half of the pieces of a kind."""

MATERIAL: Final = FeatureSet(
    name="material",
    labels=lambda size: (*map(b.piece_text, i.KINDS[: i.ON_BOARD]), *_IN_HAND),
    scales=lambda size: 2.0 / np.array([b.MOST[letter] for letter in _LETTERS]),
    inputs=i.material,
    evaluate=i.material_value,
)


_WORTH_IN_HAND: Final = (1, 3, 4, 5, 6, 9, 11)
"""Of P L N S G B R."""
_HALF: Final = 20.0


def _worths() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    numbers = np.zeros(v.HALF + 1)
    numbers[: p.OTHER] = v.WORTH
    numbers[v.HANDS + 1 : v.HALF] = _WORTH_IN_HAND
    numbers[p.KING] = 0.0
    numbers[v.HALF] = _HALF
    return numbers


MATERIAL_HEURISTIC: Final = Heuristic("material", v.material, _worths())

_APART: Final = 2 * p.ROWS - 1
"""Rows, and columns, by which a piece may be away from a king: 8 on either side."""
_KINDS: Final = q.SIDES * len(i.KINDS)
_ON_SQUARES: Final = _KINDS * p.SQUARES
_FROM_KING: Final = _KINDS * _APART**2


def _parts() -> NDArray[np.int32]:
    """Return the weights of each input: of the kind on its square, and as far from the own king as it is."""
    squares, kinds = np.arange(p.SQUARES), np.arange(_KINDS)
    rows, columns = np.divmod(squares, p.ROWS)
    away = (rows - rows[:, None] + p.ROWS - 1) * _APART + columns - columns[:, None] + p.ROWS - 1  # by king, square
    parts = np.full((q.INPUTS, 2), -1, np.int32)
    on_board = parts[: q.BOARD_INPUTS].reshape(p.SQUARES, _KINDS, p.SQUARES, 2)
    on_board[..., 0] = kinds[:, None] * p.SQUARES + squares
    on_board[..., 1] = _ON_SQUARES + kinds[:, None] * _APART**2 + away[:, None]
    on_board[:, q.OWN_KING, :, 1] = -1
    parts[q.BOARD_INPUTS :, 0] = _ON_SQUARES + _FROM_KING + np.arange(q.INPUTS - q.BOARD_INPUTS)
    return parts


def _piece_labels() -> tuple[str, ...]:
    whose, steps = ("own", "other's"), range(1 - p.ROWS, p.ROWS)
    pieces = [f"{side} {b.piece_text(kind)}" for side in whose for kind in i.KINDS]
    apart = [f"{-row:+d} ahead, {column:+d} right of the own king" for row in steps for column in steps]
    hands = [f"{count} {letter} in hand" for letter in b.LETTERS[: p.HAND] for count in range(q.COUNTS)]
    return (
        *(f"{piece} on {square}" for piece in pieces for square in b.NAMES),
        *(f"{piece} {away}" for piece in pieces for away in apart),
        *(f"{side} {held}" for side in whose for held in hands),
    )


PIECES: Final = Pieces(
    most=q.MOST,
    parts=lambda size: _parts(),
    labels=lambda size: _piece_labels(),
    inputs=q.piece_inputs,
    evaluate=q.piece_value,
)
