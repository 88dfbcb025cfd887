"""Tic-tac-toe as a Game."""

from __future__ import annotations

from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.goals import ending
from gotools.game.learning import Learning
from gotools.game.starts import cells_of, with_stones
from gotools.game.traits import Complexity, Picture, Starts, Symmetry, in_rows
from gotools.games.tictactoe.kernels import rules as t

_COLUMNS: Final = "abc"
_ROWS: Final = "123"


def _move_text(move: int, size: int) -> str:
    return _COLUMNS[move % 3] + _ROWS[move // 3]


def _parse_move(text: str, size: int) -> int:
    """Read a column's letter and a row's number, counted from the bottom: a1 to c3, in any case."""
    x, y = _COLUMNS.find(text[:1].lower()), _ROWS.find(text[1:])
    if len(text) != 2 or x < 0 or y < 0:
        raise ValueError(f"{text!r} is not a point of tic-tac-toe (a1 to c3)")
    return 3 * y + x


def _images(move: int, size: int) -> list[int]:
    """Return the images of a cell under the symmetries of the square."""
    x, y = move % 3, move // 3
    return [3 * v + u for a, b in ((x, y), (y, x)) for u in (a, 2 - a) for v in (b, 2 - b)]


def _rows(state: NDArray[np.int32]) -> list[str]:
    """Return the rows from the top, as . X O."""
    cells = "".join(".XO"[cell] for cell in state[t.CELLS :])
    return [cells[3 * y : 3 * y + 3] for y in (2, 1, 0)]


def _draw(state: NDArray[np.int32]) -> str:
    rows = [f" {number}  {' '.join(row)}" for number, row in zip(reversed(_ROWS), _rows(state), strict=True)]
    return "\n".join([*rows, f"    {' '.join(_COLUMNS)}"])


def _with_setting(setting: str) -> Game:
    """Return tic-tac-toe from another position, its rows as `Starts.write` writes them."""
    return with_stones(TICTACTOE, setting, cells_of(TICTACTOE, setting, 3, 3), lambda cell: cell)


TICTACTOE: Final = Game(
    name="tictactoe",
    cells=t.STATE,
    moves=t.POINTS,
    longest=t.POINTS,
    sizes=(3,),
    start=t.start,
    legal=t.legal,
    worthy=t.legal,
    after=t.after,
    outcome=t.outcome,
    key=t.key,
    noisy=t.noisy,
    playout=t.playout,
    move_text=_move_text,
    parse_move=_parse_move,
    draw=_draw,
    traits={
        "Starts": Starts(lambda state: "/".join(_rows(state)), _with_setting),
        "Symmetry": Symmetry(_images),
        "Picture": Picture(
            lambda size: in_rows(3, 3),
            "squares",
            lambda size: [(x, 2.85, _COLUMNS[x]) for x in range(3)] + [(-0.7, 2 - y, _ROWS[y]) for y in range(3)],
            lambda state: "".join(_rows(state)),
        ),
        "Complexity": Complexity(lambda size: (log10(5478), "counted")),
        "Learning": Learning(
            features={"raw": "gotools.games.inputs:TICTACTOE_RAW", "lines": "gotools.games.inputs:TICTACTOE_LINES"},
            heuristic="gotools.games.inputs:TICTACTOE_HEURISTIC",
        ),
        "Goal": ending(t.tries),
        "TupleBoard": "gotools.games.inputs:TICTACTOE_TUPLES",
        "Planes": "gotools.games.inputs:TICTACTOE_PLANES",
        "Pieces": "gotools.games.inputs:TICTACTOE_PIECES",
        "Vocabulary": "gotools.games.tictactoe.vocabulary:VOCABULARY",
        "MoveFeatures": "gotools.games.move_features:TICTACTOE_MOVES",
    },
)
