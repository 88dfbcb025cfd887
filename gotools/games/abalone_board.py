"""The board of Abalone as text: coordinates, symmetries, positions as FEN and as a drawing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError, quoted
from gotools.games.kernels import abalone as k
from gotools.kernels.seams import TO_PLAY

_ROWS: Final = "ABCDEFGHI"
_FEN_ROWS: Final = "IHGFEDCBA"
_SIDES: Final = " Ss"
"""Marbles in FEN: S of side 1, which is black and moves first; s of side 2."""

NAMES: Final = tuple(f"{_ROWS[y]}{x + 1}" for _, x, y in k.PLACES)
"""The coordinates of each cell (kernels/abalone.py numbers them)."""
CELL_OF: Final = {name: cell for cell, name in enumerate(NAMES)}

State = NDArray[np.int32]


def distance(cell: int) -> int:
    """Return the steps from a cell to the centre, E5: 0 to 4."""
    _, x, y = k.PLACES[cell]
    return max(abs(x - 4), abs(y - 4), abs(x - y))


def _symmetries() -> list[list[int]]:
    """Return the images of all cells under six rotations, without and with a reflection; the identity is the first."""
    found = []
    places = {(x - 4, y - 4): cell for cell, x, y in k.PLACES}
    for mirrored in (False, True):
        image = {cell: (y, x) if mirrored else (x, y) for (x, y), cell in places.items()}
        for _ in range(6):
            found.append([places[image[cell]] for cell in range(k.CELLS)])
            image = {cell: (x - y, x) for cell, (x, y) in image.items()}
    return found


SYMMETRIES: Final = _symmetries()
"""The images of the 61 cells under each of the 12 symmetries of the board."""


def bits_of(cells: Sequence[int]) -> int:
    """Return cells as bits."""
    return sum(1 << cell for cell in cells)


def marbles(state: State, side: int) -> list[int]:
    """Return the cells of a side's marbles, in ascending order."""
    bits = int(k.marbles_of(state, side))
    return [cell for cell in range(k.CELLS) if bits >> cell & 1]


def lost(state: State, side: int) -> int:
    """Return how many marbles a side has lost."""
    return k.EACH - len(marbles(state, side))


def rows(state: State) -> list[tuple[str, list[int]]]:
    """Return the letter of each row, from I down to A, and what its cells hold from the left: 0, or a side."""
    sides = dict.fromkeys(range(k.CELLS), 0)
    for side in (1, 2):
        sides.update(dict.fromkeys(marbles(state, side), side))
    return [(letter, [sides[cell] for cell, name in enumerate(NAMES) if name[0] == letter]) for letter in _FEN_ROWS]


def draw(state: State) -> str:
    """Draw the board: X side 1, O side 2; below, the numbers of the diagonals and the marbles lost."""
    lines = []
    for at, (letter, sides) in enumerate(rows(state)):
        number = f" {14 - at}" if at > 4 else ""
        lines.append(" " * (9 - len(sides)) + f"{letter} " + " ".join(".XO"[side] for side in sides) + number)
    lines.append(" " * 7 + "1 2 3 4 5")
    return "\n".join([*lines, f"marbles lost: X {lost(state, 1)}, O {lost(state, 2)}"])


# FEN ------------------------------------------------------------------------------------------------------------------


def write_fen(state: State) -> str:
    """Write a position: rows I to A, two zeros, the side to play, the marbles lost by white and by black."""
    texts = []
    for _, sides in rows(state):
        text = "".join("1Ss"[side] for side in sides)
        texts.append(re.sub("1+", lambda found: str(len(found[0])), text))
    side = "bw"[int(state[TO_PLAY]) - 1]
    return f"{'/'.join(texts)} 0 0 {side} {lost(state, 2)} {lost(state, 1)}"


def read_fen(text: str) -> tuple[tuple[int, int], int]:
    """Read a position; returns the marbles of sides 1 and 2 as bits, and the side to play.

    After the board the side may stand alone, b or w; or between two pairs of numbers, one of which says how many
    marbles each side has lost, in either order: programs differ in which pair that is.

    Raises GotoolsError for anything else, and for a side with fewer than 9 marbles (it has lost) or more than 14.
    """
    words = text.split()
    if len(words) not in (2, 6):
        raise GotoolsError(
            f"not a FEN of Abalone: {quoted(text)}; expected nine rows, b or w, and two pairs of numbers"
        )
    numbers = [*words[1:3], *words[4:]] if len(words) == 6 else []
    side = words[3 if numbers else 1].lower()
    if side not in ("b", "w"):
        raise GotoolsError(f"FEN: the side to play is b or w, not {quoted(side)}")
    for number in numbers:
        if not re.fullmatch("[0-9]{1,5}", number):
            raise GotoolsError(f"FEN: {quoted(number)} is not a number")
    black, white = _read_rows(words[0])
    for name, cells in (("black", black), ("white", white)):
        if not k.EACH - k.LOST < len(cells) <= k.EACH:
            least = k.EACH - k.LOST + 1
            raise GotoolsError(
                f"FEN: {name} has {len(cells)} marbles; a side has {least} to {k.EACH} while the game goes on"
            )
    missing = sorted(k.EACH - len(cells) for cells in (black, white))
    if numbers and missing not in (sorted(map(int, numbers[:2])), sorted(map(int, numbers[2:]))):
        counts = f"{len(black)} black and {len(white)} white marbles"
        raise GotoolsError(
            f"FEN: {counts} on the board, but no pair of numbers says {missing[0]} and {missing[1]} lost"
        )
    return (bits_of(black), bits_of(white)), "bw".index(side) + 1


def _read_rows(text: str) -> tuple[list[int], list[int]]:
    """Return the cells of black and white. Raises GotoolsError."""
    parts = text.split("/")
    if len(parts) != k.ROWS:
        raise GotoolsError(f"FEN: {len(parts)} rows, not {k.ROWS}: {quoted(text)}")
    found: tuple[list[int], list[int]] = ([], [])
    for letter, part in zip(_FEN_ROWS, parts, strict=True):
        cells = [cell for cell, name in enumerate(NAMES) if name[0] == letter]
        at = 0
        for character in part:
            if character in "Ss":
                if at < len(cells):
                    found["Ss".index(character)].append(cells[at])
                at += 1
            elif character in "123456789":
                at += int(character)
            else:
                raise GotoolsError(f"FEN: {quoted(character)} in row {letter}; expected S, s or 1 to 9")
        if at != len(cells):
            raise GotoolsError(f"FEN: row {letter} has {at} cells, not {len(cells)}: {quoted(part)}")
    return found
