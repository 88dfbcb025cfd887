"""English draughts on a dict of (row, column), by the words of its rules: the slow twin of examples/draughts."""

from __future__ import annotations

from collections.abc import Iterator

Place = tuple[int, int]
"""Row and column from 0; Black's men begin in row 0."""
Board = dict[Place, str]
"""What stands on a place: b and w men, B and W kings."""
DARK = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
NAMES = {place: str(number) for number, place in enumerate(DARK, 1)}
PLACES = {name: place for place, name in NAMES.items()}


def board_of(fen: str) -> tuple[str, Board]:
    """Return the side to play, b or w, and the board, of a position as PDN writes it."""
    side, *parts = fen.split(":")
    board = {}
    for part in parts:
        for square in filter(None, part[1:].split(",")):
            letter = part[0] if square.startswith("K") else part[0].lower()
            board[PLACES[square.removeprefix("K")]] = letter
    return side.lower(), board


def ways(piece: str) -> list[tuple[int, int]]:
    """List the steps of a piece."""
    rows = {"b": (1,), "w": (-1,)}.get(piece, (1, -1))
    return [(row, column) for row in rows for column in (1, -1)]


def jumps(board: Board, place: Place, piece: str) -> Iterator[tuple[list[Place], Board]]:
    """Yield the ways in which a piece, taken off the board, may go on to jump: the places it visits, and the board."""
    row, column = place
    found = False
    for down, right in ways(piece):
        over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
        other = board.get(over, piece).lower() != piece.lower()
        if other and to in NAMES and to not in board:
            found = True
            rest = {where: what for where, what in board.items() if where != over}
            crowned = piece.islower() and to[0] == (7 if piece == "b" else 0)
            yield from ((([place, *path], end) for path, end in jumps(rest, to, piece)) if not crowned else
                        [([place, to], rest | {to: piece.upper()})])  # fmt: skip
    if not found:
        yield [place], board | {place: piece}


def successors(side: str, board: Board) -> dict[str, Board]:
    """Return the boards after all legal moves, by the texts of the moves."""
    captures, steps = dict[str, Board](), dict[str, Board]()
    for place, piece in board.items():
        if piece.lower() != side:
            continue
        rest = {where: what for where, what in board.items() if where != place}
        captures |= {
            "x".join(NAMES[one] for one in path): end for path, end in jumps(rest, place, piece) if len(path) > 1
        }
        for down, right in ways(piece):
            to = (place[0] + down, place[1] + right)
            if to in NAMES and to not in board:
                crowned = piece.upper() if to[0] == (7 if side == "b" else 0) else piece
                steps[f"{NAMES[place]}-{NAMES[to]}"] = rest | {to: crowned}
    return captures or steps
