"""Abalone on sets of (letter, number), by the words of its rules: the slow twin of its kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.games.abalone.board import NAMES, marbles
from gotools.jit.kernels.seams import TO_PLAY

Cell = tuple[int, int]
"""Row and diagonal, from 1 to 9: (1, 1) is A1."""
BOARD = frozenset((row, number) for row in range(1, 10) for number in range(1, 10) if -5 < row - number < 5)
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))


class Plain(NamedTuple):
    """A position: the marbles of the side to play and of the other side."""

    mine: frozenset[Cell]
    other: frozenset[Cell]


def name(cell: Cell) -> str:
    return f"{'ABCDEFGHI'[cell[0] - 1]}{cell[1]}"


def cell_of(text: str) -> Cell:
    return "ABCDEFGHI".index(text[0]) + 1, int(text[1])


def plain(state: NDArray[np.int32]) -> Plain:
    """Return the twin of a state."""
    sides = [frozenset(cell_of(NAMES[cell]) for cell in marbles(state, side)) for side in (1, 2)]
    return Plain(*sides) if state[TO_PLAY] == 1 else Plain(sides[1], sides[0])


def step(cell: Cell, direction: Cell, times: int = 1) -> Cell:
    return cell[0] + times * direction[0], cell[1] + times * direction[1]


def lines(mine: frozenset[Cell]) -> Iterator[list[Cell]]:
    """Yield all lines of one, two and three marbles, each once."""
    for cell in mine:
        yield [cell]
        for axis in DIRECTIONS[:3]:
            for length in (2, 3):
                line = [step(cell, axis, i) for i in range(length)]
                if mine.issuperset(line):
                    yield line


def successors(position: Plain) -> dict[str, Plain]:
    """Return the positions after all legal moves, by the texts of the moves."""
    found = {}
    for line in lines(position.mine):
        for direction in DIRECTIONS:
            along = len(line) > 1 and step(line[0], direction) == line[1]
            against = len(line) > 1 and step(line[1], direction) == line[0]
            in_line = along or against or len(line) == 1
            ordered = line[::-1] if against else line  # in line the last marble first
            after = (pushed if in_line else moved)(position, ordered, direction)
            if after is not None:
                cells = [ordered[0], *([] if in_line else [ordered[-1]]), step(ordered[0], direction)]
                text = "".join(map(name, cells))
                assert text not in found
                found[text] = after
    return found


def moved(position: Plain, line: list[Cell], direction: Cell) -> Plain | None:
    """Move marbles broadside: to empty cells only."""
    targets = {step(cell, direction) for cell in line}
    if not targets <= BOARD - position.mine - position.other:
        return None
    return Plain(position.other, position.mine.difference(line) | targets)


def pushed(position: Plain, line: list[Cell], direction: Cell) -> Plain | None:
    """Move marbles in line: to an empty cell, or against fewer marbles behind which nothing stands."""
    pushes, at = [], step(line[-1], direction)
    while at in position.other:
        pushes.append(at)
        at = step(at, direction)
    if at in position.mine or len(pushes) >= len(line) or (not pushes and at not in BOARD):
        return None
    mine = position.mine - {line[0]} | {step(line[-1], direction)}
    other = position.other.difference(pushes) | {step(cell, direction) for cell in pushes}
    return Plain(other & BOARD, mine)


def perft(position: Plain, depth: int) -> int:
    """Count the sequences of legal moves."""
    layer = Counter({position: 1})
    for _ in range(depth - 1):
        after: Counter[Plain] = Counter()
        for one, count in layer.items():
            for next_one in successors(one).values():
                after[next_one] += count
        layer = after
    return sum(count * len(successors(one)) for one, count in layer.items())
