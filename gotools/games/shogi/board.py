"""The board of shogi as text: squares, pieces, positions as SFEN and as a drawing, handicaps."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, quoted
from gotools.game.traits import Picture, in_rows
from gotools.games.shogi.kernels import attacks
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as k
from gotools.jit.kernels.seams import TO_PLAY

LETTERS: Final = "PLNSGBRK"
"""Letters of the kinds 1 to 8: capitals for side 1, small for side 2; a + before one means promoted."""
HELD: Final = "RBGSNLP"
"""The order of pieces in hand."""
MOST: Final = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2, "K": 2}
"""The number of pieces of each kind."""
_RANKS: Final = "abcdefghi"
_SIDES: Final = {"b": 1, "w": 2}
_SQUARES: Final = re.compile(r"\+?[A-Za-z]|[1-9]|.")
_SOME_HELD: Final = re.compile(r"([1-9][0-9]?)?([A-Za-z])")

NAMES: Final = tuple(f"{9 - square % 9}{_RANKS[square // 9]}" for square in range(p.SQUARES))
"""The name of each square, 9a to 1i: file and rank."""
SQUARE_OF: Final = {name: square for square, name in enumerate(NAMES)}

USUAL: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
_HANDICAP: Final = "{}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HANDICAPS: Final = {
    name: _HANDICAP.format(rows)
    for name, rows in {
        "lance": "lnsgkgsn1/1r5b1",
        "right-lance": "1nsgkgsnl/1r5b1",
        "bishop": "lnsgkgsnl/1r7",
        "rook": "lnsgkgsnl/7b1",
        "rook-lance": "lnsgkgsn1/7b1",
        "two-piece": "lnsgkgsnl/9",
        "three-piece": "lnsgkgsn1/9",
        "four-piece": "1nsgkgsn1/9",
        "five-piece": "2sgkgsn1/9",
        "five-piece-left": "1nsgkgs2/9",
        "six-piece": "2sgkgs2/9",
        "seven-piece": "2sgkg3/9",
        "seven-piece-left": "3gkgs2/9",
        "eight-piece": "3gkg3/9",
        "ten-piece": "4k4/9",
    }.items()
}
"""What side 2, which then moves first, plays without."""
State = NDArray[np.int32]


def piece_text(piece: int) -> str:
    """Return a piece as SFEN writes it, such as p or +R; "" for an empty cell."""
    if piece == 0:
        return ""
    kind = piece % p.OTHER
    letter = LETTERS[(kind - 1) % p.PROMOTED]
    return "+" * (kind > p.PROMOTED) + (letter if piece < p.OTHER else letter.lower())


_PIECES: Final = {
    piece_text(side + kind): side + kind
    for side in (0, p.OTHER)
    for kind in range(1, p.PROMOTED + p.ROOK + 1)
    if kind != p.PROMOTED + p.GOLD
}


_LETTERS_AT: Final = [piece_text(piece) or "1" for piece in range(2 * p.OTHER)]
"""The text of each number of a piece, 1 for an empty cell."""
_CELLS: Final = p.BOARD + p.CELL_OF
_EMPTY: Final = re.compile("1+")


def piece_at(state: State, square: int) -> int:
    """Return what stands on a square, as kernels/pieces.py numbers it."""
    return int(state[p.BOARD + p.CELL_OF[square]])


def held(state: State, side: int) -> dict[str, int]:
    """Return how many pieces of each letter a side has in hand, the largest first."""
    hand = p.HANDS + p.HAND * (side - 1)
    counts = state[hand : hand + p.HAND].tolist()
    return {letter: n for letter in HELD if (n := counts[LETTERS.index(letter)])} if any(counts) else {}


def write_sfen(state: State) -> str:
    """Return a position as SFEN."""
    pieces = [_LETTERS_AT[piece] for piece in state[_CELLS].tolist()]
    rows = "/".join("".join(pieces[at : at + 9]) for at in range(0, p.SQUARES, 9))
    rows = _EMPTY.sub(lambda found: str(len(found[0])), rows)
    hands = "".join(
        f"{n if n > 1 else ''}{letter if side == 1 else letter.lower()}"
        for side in (1, 2)
        for letter, n in held(state, side).items()
    )
    side = "b" if state[TO_PLAY] == 1 else "w"
    return f"{rows} {side} {hands or '-'} {int(state[p.PLIES]) + 1}"


def read_sfen(text: str) -> State:
    """Read a position; the number of the move may be missing.

    Raises GotoolsError for text that is not SFEN, and for impossible positions: a piece that could never move
    again, two pawns of a side on a file, too many pieces of a kind, the side that has moved in check.
    """
    words = text.split()
    if len(words) not in (3, 4) or words[1] not in _SIDES or not re.fullmatch("[1-9][0-9]{0,4}", (*words, "1")[3]):
        raise GotoolsError(f"{quoted(text)} is no SFEN: board, side to play (b or w), hands, number of the move")
    state = np.zeros(p.STATE, np.int32)
    k.start(state, p.ROWS)
    state[TO_PLAY] = _SIDES[words[1]]
    state[p.PLIES] = int((*words, "1")[3]) - 1
    state[p.KINGS : p.KINGS + 2] = 0
    state[p.BOARD + p.CELL_OF] = 0
    counts = dict.fromkeys(LETTERS, 0)
    _put(state, words[0], counts)
    if words[2] != "-":
        _hold(state, words[2], counts)
    _check(state, counts)
    return state


def _put(state: State, text: str, counts: dict[str, int]) -> None:
    rows = text.split("/")
    if len(rows) != p.ROWS:
        raise GotoolsError(f"SFEN {quoted(text)}: {len(rows)} rows, not 9")
    for number, row in enumerate(rows):
        column = 0
        for part in _SQUARES.findall(row):
            if part in "123456789":
                column += int(part)
                continue
            if part not in _PIECES:
                raise GotoolsError(f"SFEN {quoted(text)}: there is no piece {quoted(part)}")
            if column < p.ROWS:
                _place(state, 9 * number + column, _PIECES[part])
            counts[part[-1].upper()] += 1
            column += 1
        if column != p.ROWS:
            raise GotoolsError(f"SFEN {quoted(text)}: row {quoted(row)} has {column} squares, not 9")


def _place(state: State, square: int, piece: int) -> None:
    cell = int(p.CELL_OF[square])
    state[p.BOARD + cell] = piece
    if piece % p.OTHER == p.KING:
        side = piece // p.OTHER
        if state[p.KINGS + side]:
            raise GotoolsError("SFEN: two kings of a side")
        state[p.KINGS + side] = cell


def _hold(state: State, text: str, counts: dict[str, int]) -> None:
    at = 0
    for found in _SOME_HELD.finditer(text):
        letter = found[2].upper()
        if found.start() != at or letter not in HELD:
            break
        at = found.end()
        side = 1 if found[2] == letter else 2
        count = int(found[1] or 1)
        state[p.HANDS + p.HAND * (side - 1) + LETTERS.index(letter)] += count
        counts[letter] += count
    if at != len(text):
        raise GotoolsError(f"SFEN: {quoted(text)} are no pieces in hand, such as 2P or Rb3p; - for none")


def _check(state: State, counts: dict[str, int]) -> None:
    for letter, count in counts.items():
        if count > MOST[letter]:
            raise GotoolsError(f"SFEN: {count} pieces of kind {letter}, at most {MOST[letter]}")
    for side in (1, 2):
        files: set[int] = set()
        for square in range(p.SQUARES):
            kind = piece_at(state, square) - p.OTHER * (side - 1)
            row = square // 9 if side == 1 else 8 - square // 9
            needed = {p.PAWN: 1, p.LANCE: 1, p.KNIGHT: 2}.get(kind, 0)
            if row < needed:
                raise GotoolsError(f"SFEN: the {LETTERS[kind - 1]} on {NAMES[square]} could never move")
            if kind == p.PAWN and square % 9 in files:
                raise GotoolsError(f"SFEN: two pawns of a side on file {9 - square % 9}")
            if kind == p.PAWN:
                files.add(square % 9)
    turned = state.copy()
    turned[TO_PLAY] = 3 - state[TO_PLAY]
    if attacks.in_check(turned):
        raise GotoolsError("SFEN: the king of the side that has moved is in check")


def draw(state: State) -> str:
    """Return a position as lines of text: capitals are side 1's, + marks promoted pieces."""

    black, white = _hands(state)
    lines = [white, "  " + "".join(f"{9 - column:>3}" for column in range(9))]
    for row in range(p.ROWS):
        cells = (piece_text(piece_at(state, 9 * row + column)) or "." for column in range(9))
        lines.append("  " + "".join(f"{cell:>3}" for cell in cells) + f"  {_RANKS[row]}")
    return "\n".join([*lines, black])


def _hands(state: State) -> tuple[str, str]:
    """Return what black and what white has in hand, a line each."""

    def hand(side: int) -> str:
        pieces = (f"{letter}{n if n > 1 else ''}" for letter, n in held(state, side).items())
        return " ".join(pieces) or "-"

    return f"black (capitals) in hand: {hand(1)}", f"white (small) in hand: {hand(2).lower()}"


def _names(size: int) -> list[tuple[float, float, str]]:
    """Return the files above the board, and the ranks to its right."""
    files = [(float(column), -0.85, str(9 - column)) for column in range(9)]
    return [*files, *((8.8, float(row), _RANKS[row]) for row in range(p.ROWS))]


PICTURE: Final = Picture(
    lambda size: in_rows(p.ROWS, 9),
    "squares",
    _names,
    lambda state: [piece_text(piece) or "." for piece in state[_CELLS].tolist()],
    below=_hands,
)
