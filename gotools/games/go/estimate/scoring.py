"""The score of a finished game by area and by territory, when it is known which stones are dead."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.points import EMPTY, vertex


def whole_chains(board: Board, points: Iterable[int]) -> list[int]:
    """Complete stones to the chains that they belong to, and list all of these in order.

    Raises ValueError for an empty point, IndexError for one off the board.
    """
    stones: set[int] = set()
    for point in points:
        if point not in stones:
            chain = board.chain(point)
            if not chain:
                raise ValueError(f"{vertex(point, board.side)} is empty")
            stones.update(chain)
    return sorted(stones)


def area_score(board: Board, dead: Collection[int], komi: float) -> float:
    """Return black's area less white's and less komi: living stones, and the empty regions that touch one colour.

    dead -- stones that are taken off before, whole chains

    Raises ValueError if `dead` holds part of a chain or an empty point.
    """
    return _after(board, dead).area_score() - komi


def territory_score(
    board: Board, dead: Collection[int], captures: tuple[int, int], komi: float, seki: Collection[int] = ()
) -> float:
    """Return black's territory and prisoners less white's and less komi.

    dead     -- stones that are taken off before, whole chains; they are prisoners too
    captures -- stones that black and white took in the game
    seki     -- stones that live in seki: empty regions that touch one of them count nothing

    Territory is every other empty region that touches stones of one colour only. Without `seki` the eyes of groups in
    seki count, although the Japanese rules give nothing for them.

    Raises ValueError if `dead` holds part of a chain or an empty point.
    """
    after = _after(board, dead)
    taken = board.cells[list(dead)]
    territory = after.area_score() - _lead(after.cells, BLACK)  # the area without its stones
    territory -= _lead_beside(after, set(seki)) if seki else 0
    prisoners = captures[0] - captures[1] + _lead(taken, WHITE)
    return territory + prisoners - komi


def _lead(cells: NDArray[np.uint8], colour: int) -> int:
    """Return how many more stones of a colour there are than of the other."""
    return int(np.count_nonzero(cells == colour)) - int(np.count_nonzero(cells == BLACK + WHITE - colour))


def _lead_beside(board: Board, stones: set[int]) -> int:
    """Return by how many points black leads in the empty regions that touch one colour only, and one of some stones."""
    cells, size, lead = board.cells, board.side, 0
    left = set(np.flatnonzero(cells == EMPTY).tolist())
    while left:
        edge, found, around = {left.pop()}, 0, set[int]()
        while edge:
            found += len(edge)
            beside = {p + step for p in edge for step in (-size, size) if 0 <= p + step < size * size}
            beside |= {p - 1 for p in edge if p % size} | {p + 1 for p in edge if (p + 1) % size}
            around |= {p for p in beside if cells[p] != EMPTY}
            edge = beside & left
            left -= edge
        colours = {int(cells[p]) for p in around}
        if len(colours) == 1 and around & stones:
            lead += found if colours == {BLACK} else -found
    return lead


def _after(board: Board, dead: Collection[int]) -> Board:
    """Return the position with the dead stones taken off."""
    listed = whole_chains(board, dead)
    if len(listed) != len(dead) or set(listed) != set(dead):
        missing = min(set(listed) - set(dead), default=listed[0])
        raise ValueError(f"dead stones are whole chains, each stone once: see {vertex(missing, board.side)}")
    cells = board.cells
    cells[listed] = EMPTY
    return Board.from_cells(cells, board.side)
