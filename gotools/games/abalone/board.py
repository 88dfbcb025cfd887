"""The board of Abalone as text: coordinates, symmetries, positions as FEN and as a drawing; start positions by name.

Marbles in FEN: S of side 1, which is black and moves first; s of side 2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, quoted
from gotools.game.sides import side_letter
from gotools.game.traits import Picture
from gotools.games.abalone.kernels import rules as k
from gotools.jit.kernels.seams import TO_PLAY

_ROWS: Final = "ABCDEFGHI"
_FEN_ROWS: Final = "IHGFEDCBA"
NAMES: Final = tuple(f"{_ROWS[y]}{x + 1}" for _, x, y in k.PLACES)
"""The coordinates of each cell (kernels/abalone.py numbers them)."""
CELL_OF: Final = {name: cell for cell, name in enumerate(NAMES)}

State = NDArray[np.int32]


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


def _drawn(x: float, y: float) -> tuple[float, float]:
    """Return where a column and a row, counted from the lower left, are in a drawing: each row half a step aside."""
    return x - y / 2 + 2, 0.87 * (8 - y)


def _names(size: int) -> list[tuple[float, float, str]]:
    """Return the letters to the left of the rows, and the numbers at the lower ends of the diagonals."""
    letters = [(*_drawn(max(0, y - 4) - 0.65, y), letter) for y, letter in enumerate(_ROWS)]
    return [*letters, *((*_drawn(x, max(0, x - 4) - 1), str(x + 1)) for x in range(k.ROWS))]


def _signs(state: State) -> str:
    mine, other = set(marbles(state, 1)), set(marbles(state, 2))
    return "".join("X" if cell in mine else "O" if cell in other else "." for cell in range(k.CELLS))


PICTURE: Final = Picture(
    lambda size: [_drawn(x, y) for _, x, y in k.PLACES],
    "holes",
    _names,
    _signs,
    below=lambda state: (f"marbles lost: black {lost(state, 1)}, white {lost(state, 2)}",),
)


# FEN ------------------------------------------------------------------------------------------------------------------


def write_fen(state: State) -> str:
    """Write a position: rows I to A, two zeros, the side to play, the marbles lost by white and by black."""
    texts = []
    for _, sides in rows(state):
        text = "".join("1Ss"[side] for side in sides)
        texts.append(re.sub("1+", lambda found: str(len(found[0])), text))
    side = side_letter(int(state[TO_PLAY]))
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


CLASSICAL: Final = "classical"
STARTS: Final = {
    CLASSICAL: "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS b",
    "6-9": "5/ssssss/sSs3s/1ss2ss1/9/1SS2SS1/S3SsS/SSSSSS/5 b",
    "alien-attack": "S1S1S/1SssS1/1SsSsS1/3SS3/9/3ss3/1sSsSs1/1sSSs1/s1s1s b",
    "aliening": "2s2/1SSSS1/1S1s1S1/SsS2SsS/9/sSs2sSs/1s1S1s1/1ssss1/2S2 b",
    "alitration": "1sSs1/2SS2/s1SsS1s/1sS2Ss1/9/1Ss2sS1/S1sSs1S/2ss2/1SsS1 b",
    "anglattack": "ss1SS/sS2sS/2S1s2/8/sSSs1SssS/8/2S1s2/sS2sS/ss1SS b",
    "april-fish": "s1sss/1sssSs/1s1sss1/4s3/9/3S4/1SSS1S1/SsSSS1/SSS1S b",
    "atomouche": "Ss3/s2SsS/2S4/S1s4s/s2S1s2S/S4S1s/4s2/sSs2S/3Ss b",
    "belgian-daisy": "SS1ss/SSSsss/1SS1ss1/8/9/8/1ss1SS1/sssSSS/ss1SS b",
    "domination": "5/s4S/ss3SS/ssss1SSS/3S1S3/SSS1ssss/SS3ss/S4s/5 b",
    "dutch-daisy": "ss1SS/sSsSsS/1ss1SS1/8/9/8/1SS1ss1/SsSsSs/SS1ss b",
    "face-2-face": "5/6/ss3SS/sss2SSS/ssss1SSSS/sss2SSS/ss3SS/6/5 b",
    "french-daisy": "5/2SS2/2SSS2/1ssSSss1/1sss1sss1/1ssSSss1/2SSS2/2SS2/5 b",
    "german-daisy": "5/ss2SS/sss1SSS/1ss2SS1/9/1SS2ss1/SSS1sss/SS2ss/5 b",
    "infiltration": "1SsS1/1SSSS1/1SsSsS1/1S4S1/9/1s4s1/1sSsSs1/1ssss1/1sSs1 b",
    "pyramid": "s4/ss4/sss4/ssss4/ssss1SSSS/4SSSS/4SSS/4SS/4S b",
    "snakes": "SSSSS/S5/S6/S2SSss1/1S1S1s1s1/1SSss2s/6s/5s/sssss b",
    "star": "S3s/1s2S1/s1S1s1S/3sS3/sSsS1sSsS/3sS3/s1S1s1S/1s2S1/S3s b",
    "swiss-daisy": "5/ss2SS/sSs1SsS/1ss2SS1/9/1SS2ss1/SsS1sSs/SS2ss/5 b",
    "the-wall": "2s2/6/1sssss1/ssssssss/9/SSSSSSSS/1SSSSS1/6/2S2 b",
}
"""FEN of each (`read_fen`), the box's position first, then those of tournaments; black begins."""
