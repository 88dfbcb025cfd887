"""Positions of Go as text, for tests: rows from the top to the bottom joined by "/"."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.points import CELLS, MAX_SIZE, MIN_SIZE

_TO_TEXT: Final = bytes.maketrans(b"\0\1\2", b".XO")
_FROM_TEXT: Final = bytes.maketrans(b".XO", b"\0\1\2")


def position_text(cells: NDArray[np.uint8], size: int) -> str:
    """Return a position as rows from the top to the bottom joined by "/", with ".", "X", "O".

    cells -- uint8[c], the first size*size are used
    """
    text = cells[: size * size].tobytes().translate(_TO_TEXT).decode("ascii")
    return "/".join(text[row : row + size] for row in range(size * (size - 1), -1, -size))


def parse_position(text: str) -> tuple[NDArray[np.uint8], int]:
    """Read what `position_text` writes.

    Returns uint8[size*size] and the size.
    Raises ValueError with a message for the user. Chains without liberties are not looked for.
    """
    rows = text.split("/")
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE or any(len(row) != size for row in rows):
        raise ValueError(f"a position has 2 to 19 rows of as many cells, not {'/'.join(str(len(r)) for r in rows)}")
    joined = "".join(reversed(rows))
    if joined.strip(CELLS):
        raise ValueError(f"a position is written with {' '.join(CELLS)} only, not {joined.strip(CELLS)[0]!r}")
    return np.frombuffer(joined.encode("ascii").translate(_FROM_TEXT), np.uint8).copy(), size
