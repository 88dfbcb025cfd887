"""Shogi on dicts, by the words of its rules: the slow twin of gotools/games/shogi/kernels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

Square = tuple[int, int]
"""File and rank, from 1 to 9: (1, 1) is 1a."""
RANKS = " abcdefghi"
_GOLD = "ooo", "o o", " o "
MOVES = {
    "P": (" o ", "   ", "   "),
    "L": (" * ", "   ", "   "),
    "S": ("ooo", "   ", "o o"),
    "G": _GOLD,
    "B": ("* *", "   ", "* *"),
    "R": (" * ", "* *", " * "),
    "K": ("ooo", "o o", "ooo"),
    "+P": _GOLD,
    "+L": _GOLD,
    "+N": _GOLD,
    "+S": _GOLD,
    "+B": ("*o*", "o o", "*o*"),
    "+R": ("o*o", "* *", "o*o"),
}
"""What a piece does in each direction, side 1's forward first: o one step, * any number of steps."""
WORTH = {"P": 1, "L": 1, "N": 1, "S": 1, "G": 1, "B": 5, "R": 5}


@dataclass
class Plain:
    """A position: (side, piece) on squares, pieces in hand of sides 1 and 2, the side to play."""

    board: dict[Square, tuple[int, str]] = field(default_factory=dict)
    hands: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    side: int = 1

    def copy(self) -> Plain:
        return Plain(dict(self.board), (Counter(self.hands[0]), Counter(self.hands[1])), self.side)


def name(square: Square) -> str:
    return f"{square[0]}{RANKS[square[1]]}"


def square_of(text: str) -> Square:
    return int(text[0]), RANKS.index(text[1])


def read(sfen: str) -> Plain:
    """Read SFEN."""
    rows, side, hands, *_ = sfen.split()
    found = Plain(side=" bw".index(side))
    for rank, row in enumerate(rows.split("/"), 1):
        file = 9
        for part in re.findall(r"\+?[A-Za-z]|\d", row):
            if part.isdigit():
                file -= int(part)
            else:
                found.board[file, rank] = (1 if part.isupper() else 2), part.upper()
                file -= 1
    for count, letter in re.findall(r"(\d*)([A-Za-z])", hands):
        found.hands[letter.islower()][letter.upper()] += int(count or 1)
    return found


def ahead(side: int, square: Square) -> int:
    """Return how many ranks lie ahead."""
    return square[1] - 1 if side == 1 else 9 - square[1]


def reach(board: dict[Square, tuple[int, str]], origin: Square) -> Iterator[Square]:
    """Yield the squares that a piece attacks, whatever stands there."""
    side, piece = board[origin]
    forward = -1 if side == 1 else 1
    if piece == "N":
        squares = [(origin[0] + x, origin[1] + 2 * forward) for x in (-1, 1)]
        yield from (square for square in squares if 1 <= square[0] <= 9 and 1 <= square[1] <= 9)
        return
    for y, row in enumerate(MOVES[piece], -1):
        for x, how in enumerate(row, -1):
            square = origin
            for _ in range({" ": 0, "o": 1, "*": 8}[how]):
                square = square[0] + x * forward, square[1] - y * forward
                if not (1 <= square[0] <= 9 and 1 <= square[1] <= 9):
                    break
                yield square
                if square in board:
                    break


def in_check(position: Plain, side: int) -> bool:
    """Return whether the king of a side, if it has one, is attacked."""
    kings = [square for square, piece in position.board.items() if piece == (side, "K")]
    other = [square for square, piece in position.board.items() if piece[0] != side]
    return bool(kings) and any(kings[0] in reach(position.board, square) for square in other)


def after(position: Plain, text: str) -> Plain:
    """Return the position after a move."""
    found = position.copy()
    to, hand = square_of(text[2:4]), found.hands[found.side - 1]
    if text[1] == "*":
        hand[text[0]] -= 1
        found.board[to] = found.side, text[0]
    else:
        side, piece = found.board.pop(square_of(text))
        if to in found.board:
            hand[found.board[to][1][-1]] += 1
        found.board[to] = side, "+" * (text[-1] == "+") + piece
    found.side = 3 - found.side
    return found


def pseudo_legal(position: Plain) -> Iterator[str]:
    """Yield the moves by the rules of the pieces, those that leave the own king attacked too, and pawns that mate."""
    side, board = position.side, position.board
    for origin, (owner, piece) in board.items():
        if owner != side:
            continue
        for to in reach(board, origin):
            if board.get(to, (0, ""))[0] == side:
                continue
            if piece in "PLNSBR" and min(ahead(side, origin), ahead(side, to)) <= 2:
                yield f"{name(origin)}{name(to)}+"
            if ahead(side, to) >= {"P": 1, "L": 1, "N": 2}.get(piece, 0):
                yield f"{name(origin)}{name(to)}"
    for piece, count in position.hands[side - 1].items():
        if not count:
            continue
        for to in ((file, rank) for file in range(1, 10) for rank in range(1, 10)):
            pawns = piece == "P" and any(board.get((to[0], rank)) == (side, "P") for rank in range(1, 10))
            if to not in board and not pawns and ahead(side, to) >= {"P": 1, "L": 1, "N": 2}.get(piece, 0):
                yield f"{piece}*{name(to)}"


def legal(position: Plain, mates: bool = False) -> Iterator[str]:
    """Yield the legal moves without a declaration; mates -- pawns dropped to mate too."""
    for text in pseudo_legal(position):
        then = after(position, text)
        if in_check(then, position.side):
            continue
        if mates or text[:2] != "P*" or not in_check(then, then.side) or any(True for _ in legal(then, True)):
            yield text


def can_declare(position: Plain) -> bool:
    """Return whether the side to play may declare victory by the 27-point rule."""
    side = position.side
    entered = [piece for square, (owner, piece) in position.board.items() if owner == side and ahead(side, square) <= 2]
    pieces = [piece[-1] for piece in entered if piece != "K"]
    points = sum(WORTH[piece] for piece in [*pieces, *position.hands[side - 1].elements()])
    return "K" in entered and len(pieces) >= 10 and points >= 29 - side and not in_check(position, side)


def turned(sfen: str) -> str:
    """Return the position with the board turned and the sides exchanged."""
    rows, side, hands, number = sfen.split()
    parts = re.findall(r"\+?[A-Za-z]|\d|/", rows)
    return f"{''.join(reversed(parts)).swapcase()} {'wb'['bw'.index(side)]} {hands.swapcase()} {number}"


def turned_move(text: str) -> str:
    """Return the same move on the board turned."""

    def turn(found: re.Match[str]) -> str:
        return f"{10 - int(found[1])}{'ihgfedcba'['abcdefghi'.index(found[2])]}"

    return re.sub("([1-9])([a-i])", turn, text)
