"""What rules may say of a move in Connect-4; the meaning in Prolog is in vocabulary.pl."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.vocabulary import Measure, Vocabulary, Window
from gotools.games.connect4.kernels import rules as c
from gotools.games.connect4.kernels import vocabulary as k
from gotools.jit.kernels.seams import TO_PLAY

COLUMN_NAMES: Final = ("edge", "second", "third", "middle")
OFFSETS: Final = tuple((dx, dy) for dy in range(-2, 3) for dx in range(-3, 4) if (dx, dy) != (0, 0))


def _count(name: str, meaning: str, topic: str, own: str, opponent: str, most: int) -> Measure:
    """Return a number of each side, from 0 on; rules speak of what there is, not of what there is not."""
    return Measure(
        name, meaning, topic, {"own": (own,), "opponent": (opponent,)}, coloured=True, last="nat",
        tried=range(1, min(most, 3) + 1), intervals=tuple((low, 99) for low in range(1, most + 1)),
    )  # fmt: skip


MEASURES: Final = (
    Measure(
        "column", "how far from the edge the column is", "columns",
        {"": (
            "plays in an edge column", "plays in the column next to the edge", "plays in a column next to the middle",
            "plays in the middle column",
        )},
        last="column", words=COLUMN_NAMES,
    ),
    Measure(
        "row", "the row, from below", "rows",
        {"": ("plays in row {n}",)},
        last="nat", least=1, tried=range(1, 7), intervals=((1, 2), (2, 3), (3, 4), (3, 6), (4, 6)),
    ),
    Measure(
        "parity", "whether the row is odd or even", "rows",
        {"": ("plays in an odd row", "plays in an even row")}, last="parity", words=("odd", "even"),
    ),
    Measure(
        "mover", "whether the player began the game", "who began",
        {"": ("is by the first player", "is by the second player")}, last="mover", words=("first", "second"),
    ),
    Measure(
        "wins", "four in a line", "four in a line",
        {"own": ("makes four in a line",), "opponent": ("blocks four in a line",)}, coloured=True,
    ),
    Measure(
        "gives", "the cell above then completes four of a side", "the cell above",
        {
            "own": ("lets the opponent block a four just above it",),
            "opponent": ("lets the opponent make four just above it",),
        },
        coloured=True,
    ),
    _count(
        "threats", "cells where the side could then make four at once", "threats",
        "makes {threat|threats}", "plays where the opponent would make {threat|threats}", 2,
    ),
    Measure(
        "leaves", "cells where the other side can then make four at once", "threats",
        {"": ("leaves the opponent {threat|threats}",)},
        last="nat", tried=(0, 1, 2), intervals=((1, 99), (2, 99)),
    ),
    _count(
        "odd_fours", "new cells in odd rows that complete four once what is below them is filled", "waiting fours",
        "prepares {four in an odd row|fours in odd rows}",
        "plays where the opponent would prepare {four in an odd row|fours in odd rows}", 2,
    ),
    _count(
        "even_fours", "new cells in even rows that complete four once what is below them is filled", "waiting fours",
        "prepares {four in an even row|fours in even rows}",
        "plays where the opponent would prepare {four in an even row|fours in even rows}", 2,
    ),
    _count(
        "has_odd", "cells in odd rows that then complete four, not yet to be played", "waiting fours",
        "keeps {four waiting in an odd row|fours waiting in odd rows}",
        "leaves the opponent {four waiting in an odd row|fours waiting in odd rows}", 2,
    ),
    _count(
        "has_even", "cells in even rows that then complete four, not yet to be played", "waiting fours",
        "keeps {four waiting in an even row|fours waiting in even rows}",
        "leaves the opponent {four waiting in an even row|fours waiting in even rows}", 2,
    ),
    Measure(
        "stacks", "two cells one above the other then complete four", "waiting fours",
        {
            "own": ("prepares two fours one above the other",),
            "opponent": ("plays where the opponent would prepare two fours one above the other",),
        },
        coloured=True,
    ),
    _count(
        "open_lines", "lines of four through the cell without a stone of the other side", "open lines",
        "has {open line|open lines}", "takes {open line|open lines} from the opponent", 9,
    ),
    _count(
        "twos", "open lines through the cell with one stone of the side", "open lines",
        "makes {open two|open twos}", "blocks {open line|open lines} of a single stone", 5,
    ),
    _count(
        "threes", "open lines through the cell with two stones of the side", "open lines",
        "makes {open three|open threes}", "blocks {open two|open twos}", 3,
    ),
    _count(
        "lines_above", "open lines of the side through the cell above", "the cell above",
        "has {own open line|own open lines} above it",
        "has {open line|open lines} of the opponent's above it", 9,
    ),
    _count(
        "twos_above", "open lines through the cell above with one stone of the side", "the cell above",
        "leaves {own open two|own open twos} to be made above it",
        "lets the opponent make {open two|open twos} above it", 5,
    ),
    _count(
        "threes_above", "open lines through the cell above with two stones of the side", "the cell above",
        "leaves {own open three|own open threes} to be made above it",
        "lets the opponent make {open three|open threes} above it", 3,
    ),
)  # fmt: skip


def _words(dx: int, dy: int) -> str:
    """Say where a cell is, without left and right."""
    across = ("", "in the next column", "two columns away", "three columns away")[abs(dx)]
    if dy == 0:
        return f"{across} in the same row" if abs(dx) > 1 else "beside it"
    up = f"{'one row' if abs(dy) == 1 else 'two rows'} {'up' if dy > 0 else 'down'}"
    if dx == 0:
        return f"{up.replace('one row', 'just')} in the same column"
    return f"{across}, {up}"


def _facts(state: NDArray[np.int32], board: str) -> list[str]:
    """Say what stands where, whose turn it is, and to which cell the stone of each move falls."""
    facts = [f"to_play({board},{'bw'[int(state[TO_PLAY]) - 1]})."]
    sides = [int(c.stones_of(state, side)) for side in (1, 2)]
    for x in range(c.COLUMNS):
        column = [stones >> (c.ROWS + 1) * x for stones in sides]
        for y in range(c.ROWS):
            held = [side for side, stones in zip("bw", column, strict=True) if stones >> y & 1]
            if not held:
                facts.append(f"move({board},{x},{x},{y + 1}).")
                break
            facts.append(f"stone({board},{x},{y + 1},{held[0]}).")
    return facts


VOCABULARY: Final = Vocabulary(
    "vocabulary.pl",
    measures=MEASURES,
    stages={"opening": "in the opening", "middle": "in the middle of the game", "end": "late in the game"},
    window=Window(
        offsets=OFFSETS,
        frames=2,
        classes={
            "own": "an own stone",
            "other": "an opponent's stone",
            "playable": "a playable cell",
            "waiting": "a cell not yet playable",
            "outside": "no cell",
        },
        tried=("own", "other", "playable", "waiting"),
        words=_words,
        signs={"own": "X", "other": "O", "playable": "+", "waiting": "_", "outside": "#"},
    ),
    measure=k.measure,
    look=k.look,
    order=k.order_by_rules,
    facts=_facts,
)
