"""Connect-4 as a Game: 7 columns, 6 rows."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.goals import Solvable, ending
from gotools.game.learning import Learning
from gotools.game.starts import cells_of, with_stones
from gotools.game.traits import Complexity, Picture, Starts, Symmetry, in_rows
from gotools.games.connect4.kernels import rules as c
from gotools.games.connect4.kernels.solver import solve

_COLUMNS: Final = "1234567"


def _move_text(move: int, size: int) -> str:
    return _COLUMNS[move]


def _parse_move(text: str, size: int) -> int:
    """Read the number of a column, 1 to 7."""
    move = _COLUMNS.find(text)
    if len(text) != 1 or move < 0:
        raise ValueError(f"{text!r} is not a column of Connect-4 (1 to 7)")
    return move


def _rows(state: NDArray[np.int32]) -> list[str]:
    """Return the rows from the top, as . X O."""
    first, second = int(c.stones_of(state, 1)), int(c.stones_of(state, 2))
    rows = []
    for y in range(c.ROWS - 1, -1, -1):
        bits = range(y, y + (c.ROWS + 1) * c.COLUMNS, c.ROWS + 1)
        rows.append("".join(".XO"[(first >> bit & 1) + 2 * (second >> bit & 1)] for bit in bits))
    return rows


def _draw(state: NDArray[np.int32]) -> str:
    return "\n".join(" ".join(row) for row in [*_rows(state), _COLUMNS])


def _worth(score: int) -> float:
    """Return the value of a score as the outcome of a game has it."""
    return 0.0 if score == 0 else (score + (c.WORTH if score > 0 else -c.WORTH)) / (2 * c.WORTH)


@cache
def _openings() -> dict[int, tuple[int, int]]:
    """Read openings.txt: the best move and its result, for positions and their mirror images."""
    found = {}
    for line in (files(__package__) / "openings.txt").read_text("ascii").splitlines():
        if line[0] != "#":
            columns, best, result = line.split(",")
            for mirrored in (False, True):
                moves = [c.COLUMNS - 1 - move if mirrored else move for move in map(_COLUMNS.index, columns + best)]
                state = CONNECT4.position()
                for move in moves[:-1]:
                    state = CONNECT4.play(state, move)
                found[CONNECT4.key(state)] = moves[-1], int(result)
    return found


def _with_setting(setting: str) -> Game:
    """Return Connect-4 from another position, its rows as `Starts.write` writes them."""
    cells = cells_of(CONNECT4, setting, c.ROWS, c.COLUMNS)
    return with_stones(CONNECT4, setting, cells, lambda cell: cell % c.COLUMNS)


CONNECT4: Final = Game(
    name="connect4",
    cells=c.STATE,
    moves=c.COLUMNS,
    longest=c.COLUMNS,
    sizes=(c.COLUMNS,),
    start=c.start,
    legal=c.legal,
    worthy=c.legal,
    after=c.after,
    outcome=c.outcome,
    key=c.key,
    noisy=c.noisy,
    playout=c.playout,
    move_text=_move_text,
    parse_move=_parse_move,
    draw=_draw,
    decided=c.DECIDED,
    traits={
        "Starts": Starts(lambda state: "/".join(_rows(state)), _with_setting),
        "Symmetry": Symmetry(lambda move, size: (move, c.COLUMNS - 1 - move)),
        "Picture": Picture(
            lambda size: in_rows(c.ROWS, c.COLUMNS),
            "holes",
            lambda size: [(x, c.ROWS - 0.15, name) for x, name in enumerate(_COLUMNS)],
            lambda state: "".join(_rows(state)),
        ),
        "Complexity": Complexity(lambda size: (log10(4_531_985_219_092), "counted by Edelkamp and Kissmann")),
        "Learning": Learning(
            features={"raw": "gotools.games.inputs:CONNECT4_RAW", "lines": "gotools.games.inputs:CONNECT4_LINES"},
            heuristic="gotools.games.inputs:CONNECT4_HEURISTIC",
            orders={"centre": "gotools.games.connect4.kernels.rules:centre_first"},
        ),
        "Goal": ending(c.tries),
        "Solvable": Solvable(solve, c.WORTH - 4, _worth, _openings),
        "TupleBoard": "gotools.games.inputs:CONNECT4_TUPLES",
        "Planes": "gotools.games.inputs:CONNECT4_PLANES",
        "Pieces": "gotools.games.inputs:CONNECT4_PIECES",
        "MoveFeatures": "gotools.games.move_features:CONNECT4_MOVES",
        "Vocabulary": "gotools.games.connect4.vocabulary:VOCABULARY",
    },
)
