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


# what the vocabulary says of moves ------------------------------------------------------------------------------------


def captured(board: Board, side: str, after: Board) -> int:
    """Return how many pieces of a side are gone."""
    return sum(piece.lower() == side for piece in board.values()) - sum(p.lower() == side for p in after.values())


def captures(side: str, board: Board) -> list[Board]:
    """Return the boards after the captures of a side."""
    other = "w" if side == "b" else "b"
    return [after for after in successors(side, board).values() if captured(board, other, after)]


def own_row(place: Place, side: str) -> int:
    """Return the row as a side counts, 1 to 8 from its back row on."""
    return place[0] + 1 if side == "b" else 8 - place[0]


def exposed(board: Board, side: str) -> int:
    """Count the pieces of a side that another could jump over."""
    found = set()
    for (row, column), piece in board.items():
        for down, right in ways(piece):
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if piece.lower() != side == board.get(over, "").lower() and to in NAMES and to not in board:
                found.add(over)
    return len(found)


def said_of(side: str, board: Board, text: str) -> dict[str, object]:
    """Return what the measures of draughts say of a move: words, numbers or None, conditions; of sides a pair."""
    other, after = "w" if side == "b" else "b", successors(side, board)[text]
    start, *_, to = [PLACES[name] for name in text.replace("x", "-").split("-")]
    gone = [board[place] for place in board if board[place].lower() == other and place not in after]
    answers = captures(other, after)
    have = [sum(piece.lower() == one for piece in board.values()) for one in (side, other)]
    bridge = [PLACES[name] for name in (("1", "3") if side == "b" else ("32", "30"))]
    sides = (side, other)
    mine = {one: {place for place, piece in after.items() if piece.lower() == one} for one in sides}
    around = {(to[0] + down, to[1] + right) for down in (1, -1) for right in (1, -1)}
    distance = max(abs(to[0] - 3.5), abs(to[1] - 3.5))
    return {
        "piece": "man" if board[start].islower() else "king",
        "captures": len(gone),
        "captured_kings": sum(map(str.isupper, gone)),
        "crowned": board[start].islower() and after[to].isupper(),
        "to_go": 8 - own_row(to, side) if after[to].islower() else None,
        "place": "centre" if distance < 2 else "edge" if distance > 3 else "between",
        "leaves_back": own_row(start, side) == 1 < own_row(to, side),
        "breaks_bridge": all(board.get(at, "").lower() == side for at in bridge) and not mine[side].issuperset(bridge),
        "loses": max((captured(after, side, one) for one in answers), default=0),
        "regains": min(
            (max((captured(one, other, end) for end in captures(side, one)), default=0) for one in answers),
            default=None,
        ),
        "lead": "ahead" if have[0] > have[1] else "behind" if have[0] < have[1] else "even",
        "back_row": [sum(own_row(place, one) == 1 for place in mine[one]) for one in sides],
        "exposed": [exposed(after, one) for one in sides],
        "steps": [
            sum((at[0] + d, at[1] + r) in NAMES.keys() - after.keys() for at in mine[one] for d, r in ways(after[at]))
            for one in sides
        ],
        "touches": [len(mine[one] & around) for one in sides],
    }
