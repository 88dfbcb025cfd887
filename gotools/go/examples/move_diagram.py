"""Draw the points around a move of a table, as seen by the player who moves.

. . O X . . .    `*` the move; `X` own stones, `O` the opponent's, `L` the opponent's last move
. . O * . . .    `.` empty, `#` off the board
. . . L X . .
# # # # # # #
"""

from __future__ import annotations

from typing import Final

from gotools.go.examples.table import Examples

REACH: Final = 3
"""Points drawn each way from the move."""
KEY: Final = "* the move  X own  O the opponent's  L the opponent's last move  . empty  # off the board"
_EMPTY, _OWN, _OTHER, _OUTSIDE, _MOVE, _LAST = ".XO#*L"


def move_diagram(rows: Examples, row: int, reach: int = REACH) -> list[str]:
    """Return a line for each row of points within `reach` of the move, from the top; the move is a point."""
    size, side, move = int(rows.size[row]), int(rows.to_play[row]), int(rows.move[row])
    signs = [_EMPTY, *(_OWN if colour == side else _OTHER for colour in (1, 2))]
    points = [signs[cell] for cell in rows.board[row, : size * size].tolist()]
    if rows.last[row] >= 0 and points[rows.last[row]] == _OTHER:
        points[rows.last[row]] = _LAST
    points[move] = _MOVE
    y, x = divmod(move, size)
    return [
        " ".join(_sign(points, size, across, up) for across in range(x - reach, x + reach + 1))
        for up in range(y + reach, y - reach - 1, -1)
    ]


def _sign(points: list[str], size: int, x: int, y: int) -> str:
    return points[y * size + x] if 0 <= x < size and 0 <= y < size else _OUTSIDE
