"""Abalone as a Game: moves as text, start positions, limits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.learning import Learning
from gotools.game.starts import read_setting
from gotools.game.traits import Complexity, Repetition, Selective, Starts, Symmetry
from gotools.games.abalone import board as b
from gotools.games.abalone.board import CLASSICAL, STARTS
from gotools.games.abalone.kernels import rules as k
from gotools.jit.kernels.seams import TO_PLAY

REPETITION: Final = 3
"""A position that comes so often makes a game a draw, unless its setting says otherwise."""
_MOST_IN_LINE: Final = 3
_MOVE: Final = re.compile("([A-Z][0-9])([A-Z][0-9])([A-Z][0-9])?")
_HOW: Final = "write A1B2 in line, the last marble and the cell it enters, or A1C3B1 broadside"


# moves ----------------------------------------------------------------------------------------------------------------


def _move_text(move: int, size: int) -> str:
    cell, kind = divmod(move, k.KINDS)
    if kind < k.IN_LINE:
        return b.NAMES[cell] + b.NAMES[int(k.NEXT[cell, kind])]
    found = k.cells_of(move)
    assert found is not None
    leaves, enters = found
    return "".join(b.NAMES[cell] for cell in (leaves[0], leaves[-1], enters[0]))


@cache
def _moves_by_text() -> dict[str, int]:
    """Return all moves by their texts; broadside moves by both orders of their marbles."""
    found = {}
    for move in range(k.MOVES):
        cell, kind = divmod(move, k.KINDS)
        if kind < k.IN_LINE:
            if k.NEXT[cell, kind] >= 0:
                found[_move_text(move, k.ROWS)] = move
        elif (cells := k.cells_of(move)) is not None:
            (first, *_, last), (target, *_, other) = cells
            found[b.NAMES[first] + b.NAMES[last] + b.NAMES[target]] = move
            found[b.NAMES[last] + b.NAMES[first] + b.NAMES[other]] = move
    return found


def _parse_move(text: str, size: int) -> int:
    """Read a move in Aba-Pro's notation, in any case."""
    move = _moves_by_text().get(text.upper() if text.isascii() else "")
    if move is not None:
        return move
    found = _MOVE.fullmatch(text.upper()) if text.isascii() else None
    cells = [cell for cell in found.groups() if cell] if found else []
    for cell in cells:
        if cell not in b.CELL_OF:
            raise ValueError(f"{text!r}: the board has no cell {cell}")
    what = "not a step of a line of marbles" if cells else "not a move of Abalone"
    raise ValueError(f"{text!r} is {what}; {_HOW}")


@cache
def _images_of_moves() -> NDArray[np.int64]:
    """Return int64[12, moves]: the images of moves under the symmetries of the board, -1 for none off the board."""
    texts, found = _moves_by_text(), np.full((len(b.SYMMETRIES), k.MOVES), -1, np.int64)
    for number, image in enumerate(b.SYMMETRIES):
        names = {name: b.NAMES[image[cell]] for name, cell in b.CELL_OF.items()}
        for text, move in texts.items():
            found[number, move] = texts["".join(names[text[i : i + 2]] for i in range(0, len(text), 2))]
    return found


def _why_illegal(state: NDArray[np.int32], move: int) -> str:
    """Say which rule forbids a move; "" where none does."""
    side = int(state[TO_PLAY])
    mine, other = set(b.marbles(state, side)), set(b.marbles(state, 3 - side))
    cell, kind = divmod(move, k.KINDS)
    leaves, enters = k.cells_of(move) if kind >= k.IN_LINE else ([cell], [])
    for one in leaves:
        if one not in mine:
            what = "a marble of the other side" if one in other else "no marble"
            return f"{b.NAMES[one]} holds {what}"
    for one in enters:
        if one in mine | other:
            return f"{b.NAMES[one]} is taken, and only moves in line push"
    return "" if enters else _why_stuck(mine, other, cell, kind)


def _why_stuck(mine: set[int], other: set[int], cell: int, direction: int) -> str:
    """Say why a line of marbles, whose last stands on a cell, cannot move on."""
    line = [cell]
    while (ahead := int(k.NEXT[line[-1], direction])) in mine | other:
        line.append(ahead)
    pushing = next((i for i, one in enumerate(line) if one in other), len(line))
    pushed = next((i for i, one in enumerate(line[pushing:]) if one in mine), len(line) - pushing)
    if pushing > _MOST_IN_LINE:
        return f"{pushing} marbles in line; at most {_MOST_IN_LINE} move"
    if pushing + pushed < len(line):
        return f"{b.NAMES[line[pushing + pushed]]}, behind what would be pushed, is one's own"
    if pushed >= pushing:
        return f"{pushing} of one's own cannot push {pushed}"
    return "" if pushed or ahead >= 0 else "it would leave the board"


# start positions ------------------------------------------------------------------------------------------------------


def _keeping(marbles: tuple[int, int]) -> list[int]:
    """Return the numbers of the symmetries that leave the marbles of both sides as they are; the identity is first."""
    kept = []
    for number, image in enumerate(b.SYMMETRIES):
        if all(b.bits_of([image[cell] for cell in range(k.CELLS) if bits >> cell & 1]) == bits for bits in marbles):
            kept.append(number)
    return kept


def _positions(size: int) -> tuple[float, str]:
    """Count the ways to lay the marbles, of which at most one side has lost six."""
    pairs = [(own, other) for own in range(8, 15) for other in range(8, 15) if own + other > 16]
    most = sum(math.comb(k.CELLS, own) * math.comb(k.CELLS - own, other) for own, other in pairs)
    return math.log10(most), "at most those of 8 to 14 marbles a side"


def _images(marbles: tuple[int, int]) -> Callable[[int, int], Sequence[int]]:
    """Return the function that finds the images of a move under the symmetries of a start position."""
    kept = _keeping(marbles)
    return lambda move, size: [int(_images_of_moves()[number, move]) for number in kept]


def _starter(marbles: tuple[int, int], to_play: int, plies: int) -> Callable[[NDArray[np.int32], int], None]:
    """Return the function that writes a start position."""

    def start(state: NDArray[np.int32], size: int) -> None:
        k.start(state, size)
        state[TO_PLAY], state[k.LIMIT] = to_play, plies
        k.set_marbles(state, 1, marbles[0])
        k.set_marbles(state, 2, marbles[1])

    return start


def with_setting(setting: str) -> Game:
    """Return Abalone from another start position (a name, or a FEN), or with other limits; see `read_setting`."""
    start, game = read_setting(ABALONE, setting, STARTS, CLASSICAL, "start position")
    marbles, to_play = b.read_fen(start)
    traits = {**game.traits, "Symmetry": Symmetry(_images(marbles))}
    return replace(game, start=_starter(marbles, to_play, game.plies), traits=traits)


ABALONE: Final = Game(
    name="abalone",
    cells=k.STATE,
    moves=k.MOVES,
    longest=k.LONGEST,
    sizes=(k.ROWS,),
    start=k.start,
    legal=k.legal,
    worthy=k.legal,
    after=k.after,
    outcome=k.outcome,
    key=k.key,
    noisy=k.noisy,
    playout=k.playout,
    move_text=_move_text,
    parse_move=_parse_move,
    draw=b.draw,
    plies=k.LONGEST_GAME,
    counter=k.PLIES,
    why_illegal=_why_illegal,
    traits={
        "Starts": Starts(b.write_fen, with_setting),
        "Repetition": Repetition(REPETITION),
        "Selective": Selective(margin=0.003),
        "Picture": b.PICTURE,
        "Complexity": Complexity(_positions),
        "Symmetry": Symmetry(_images(b.read_fen(STARTS[CLASSICAL])[0])),
        "MoveFeatures": "gotools.games.abalone.move_features:MOVE_FEATURES",
        "Vocabulary": "gotools.games.abalone.vocabulary:VOCABULARY",
        "Pieces": "gotools.games.abalone.inputs:PIECES",
        "Learning": Learning(
            features={
                "raw": "gotools.games.abalone.inputs:RAW",
                "direct": "gotools.games.abalone.inputs:DIRECT",
                "spatial": "gotools.games.abalone.inputs:SPATIAL",
                "attributes": "gotools.games.abalone.inputs:ATTRIBUTES",
                "oriented": "gotools.games.abalone.inputs:ORIENTED",
                "formation": "gotools.games.abalone.inputs:FORMATION",
                "patterns": "gotools.games.abalone.inputs:PATTERNS",
            },
            tally="gotools.games.abalone.kernels.inputs:lead",
            orders={
                "centre": "gotools.games.abalone.kernels.values:centre_first",
                "pushes": "gotools.games.abalone.kernels.values:pushes_first",
            },
            heuristic="gotools.games.abalone.inputs:CENTRE",
            heuristics={
                "terminator": "gotools.games.abalone.inputs:TERMINATOR",
                "thesis": "gotools.games.abalone.inputs:THESIS",
            },
        ),
    },
)
