"""What rules may say of a move in tic-tac-toe; the meaning in Prolog is in vocabulary.pl."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.vocabulary import Measure, Vocabulary, Window
from gotools.games.tictactoe.kernels import vocabulary as k
from gotools.games.tictactoe.kernels.rules import CELLS
from gotools.jit.kernels.seams import TO_PLAY

PLACES: Final = ("corner", "edge", "centre")
OFFSETS: Final = tuple((dx, dy) for dy in range(-2, 3) for dx in range(-2, 3) if (dx, dy) != (0, 0))

MEASURES: Final = (
    Measure(
        "place", "what kind of cell it is", "kind of cell",
        {"": ("takes a corner", "takes an edge", "takes the centre")}, last="place", words=PLACES,
    ),
    Measure(
        "wins", "three in a line", "three in a line",
        {"own": ("completes three in a line",), "opponent": ("blocks three in a line",)}, coloured=True,
    ),
    Measure(
        "threats", "lines in which a second stone stands then, the third cell empty", "two in a line",
        {
            "own": ("makes {threat|threats}",),
            "opponent": ("plays where the opponent would make {threat|threats}",),
        },
        coloured=True, last="nat", tried=(0, 1, 2, 3), intervals=((1, 3), (2, 3)),
    ),
    Measure(
        "open_lines", "lines through the cell without a stone of the other side", "open lines",
        {
            "own": ("has {open line|open lines}",),
            "opponent": ("plays where the opponent has {open line|open lines}",),
        },
        coloured=True, last="nat", tried=(0, 1, 2, 3, 4), intervals=((1, 4), (2, 4)),
    ),
    Measure(
        "opposite_corner", "a corner, the one across it the other side's", "opposite corners",
        {"": ("takes the corner opposite the opponent's",)},
    ),
)  # fmt: skip


def _words(dx: int, dy: int) -> str:
    across, up = sorted((abs(dx), abs(dy)))
    if across == 0:
        return "next to it" if up == 1 else "two cells away in a line"
    if across == up:
        return "diagonally next to it" if up == 1 else "two cells away diagonally"
    return "a knight's move away"


def _facts(state: NDArray[np.int32], board: str) -> list[str]:
    """Say what stands where, whose turn it is, and which cell each move takes."""
    cells = state[CELLS:].tolist()
    stones = [f"stone({board},{at % 3},{at // 3},{'bw'[side - 1]})." for at, side in enumerate(cells) if side]
    moves = [f"move({board},{at},{at % 3},{at // 3})." for at, side in enumerate(cells) if not side]
    return [*stones, *moves, f"to_play({board},{'bw'[int(state[TO_PLAY]) - 1]})."]


VOCABULARY: Final = Vocabulary(
    "vocabulary.pl",
    measures=MEASURES,
    stages={"opening": "in the opening", "middle": "in the middle of the game", "end": "at the end"},
    window=Window(
        offsets=OFFSETS,
        frames=8,
        classes={"own": "an own stone", "other": "an opponent's stone", "empty": "an empty cell", "outside": "no cell"},
        tried=("own", "other", "empty", "outside"),
        words=_words,
        signs={"own": "X", "other": "O", "empty": "_", "outside": "#"},
    ),
    measure=k.measure,
    look=k.look,
    order=k.order_by_rules,
    facts=_facts,
)
