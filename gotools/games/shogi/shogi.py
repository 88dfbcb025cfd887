"""Shogi as a Game: moves as text, start positions, handicaps, limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.learning import Learning
from gotools.game.starts import read_setting
from gotools.game.traits import Complexity, Repetition, Selective, Starts
from gotools.games.shogi import board as b
from gotools.games.shogi.kernels import attacks
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as k
from gotools.jit.kernels.seams import TO_PLAY

REPETITION: Final = 4
"""A position that comes so often ends a game, unless its setting says otherwise."""
DECLARATION: Final = "win"
"""The text of the declaration of victory, as in USI."""
_MOVE: Final = re.compile(r"(?:([1-9][a-i])|([plnsgbr])\*)([1-9][a-i])(\+?)")


# moves ----------------------------------------------------------------------------------------------------------------


def _move_text(move: int, size: int) -> str:
    """Return a move as USI writes it."""
    if move == p.DECLARE:
        return DECLARATION
    squares, promotes = divmod(move, 2)
    origin, to = divmod(squares, p.SQUARES)
    first = b.NAMES[origin] if origin < p.SQUARES else f"{b.LETTERS[origin - p.SQUARES]}*"
    return first + b.NAMES[to] + "+" * promotes


def _parse_move(text: str, size: int) -> int:
    """Read a move of USI, in any case."""
    if text.lower() == DECLARATION:
        return p.DECLARE
    found = _MOVE.fullmatch(text.lower())
    if found is None or (found[2] and found[4]):
        raise ValueError(f"{text!r} is not a move of shogi; write 7g7f, 8h2b+ to promote, P*5e to drop, or win")
    origin = b.SQUARE_OF[found[1]] if found[1] else p.SQUARES + b.LETTERS.index(found[2].upper())
    return 2 * (p.SQUARES * origin + b.SQUARE_OF[found[3]]) + bool(found[4])


def _why_illegal(state: NDArray[np.int32], move: int) -> str:
    """Say which rule forbids a move; "" where none does."""
    side = int(state[TO_PLAY])
    mine = p.OTHER * (side - 1)
    if move == p.DECLARE:
        return "the king has not entered with enough pieces and points, or is in check"
    squares, promotes = divmod(move, 2)
    origin, to = divmod(squares, p.SQUARES)
    row = to // 9 if side == 1 else 8 - to // 9
    taken = b.piece_at(state, to)
    kind = origin - p.SQUARES + 1
    # asked for every move, so that a rehearsal with any move compiles these kernels
    mates = bool(attacks.is_pawn_mate(state.copy(), side, int(p.CELL_OF[to])))
    fits = bool(attacks.moves_like(state, min(origin, p.SQUARES - 1), to))
    checked = bool(attacks.in_check(state))
    if origin < p.SQUARES:
        piece = b.piece_at(state, origin)
        kind = piece - mine
        if not 0 < kind < p.OTHER:
            what = "holds a piece of the other side" if piece else "is empty"
            return f"{b.NAMES[origin]} {what}"
        if taken and taken // p.OTHER == side - 1:
            return f"{b.NAMES[to]} holds a piece of one's own"
        if promotes and (kind >= p.KING or kind == p.GOLD):
            return f"{b.piece_text(kind)} does not promote"
        if promotes and min(row, origin // 9 if side == 1 else 8 - origin // 9) > 2:
            return "pieces promote in the last three rows only"
    else:
        if not state[p.HANDS + p.HAND * (side - 1) + kind - 1]:
            return f"there is no {b.LETTERS[kind - 1]} in hand"
        if taken:
            return f"{b.NAMES[to]} is not empty"
        file = range(to % 9, p.SQUARES, 9)
        if kind == p.PAWN and any(b.piece_at(state, square) == mine + p.PAWN for square in file):
            return f"there is a pawn of one's own on file {9 - to % 9}"
    if not promotes and row < {p.PAWN: 1, p.LANCE: 1, p.KNIGHT: 2}.get(kind, 0):
        return f"{b.LETTERS[kind - 1]} could never move again"
    if origin >= p.SQUARES and kind == p.PAWN and mates:
        return "a pawn may not be dropped to mate"
    if origin < p.SQUARES and not fits:
        return f"{b.piece_text(kind)} does not move from {b.NAMES[origin]} to {b.NAMES[to]}"
    return "it leaves the king in check" if checked else "it puts one's own king in check"


# start positions ------------------------------------------------------------------------------------------------------


def _starter(position: NDArray[np.int32], plies: int) -> Callable[[NDArray[np.int32], int], None]:
    """Return the function that writes a start position."""

    def start(state: NDArray[np.int32], size: int) -> None:
        state[:] = position
        state[p.LIMIT] = plies + position[p.PLIES]

    return start


def with_setting(setting: str) -> Game:
    """Return shogi from another start position (a handicap, or an SFEN), or with other limits; see `read_setting`."""
    start, game = read_setting(SHOGI, setting, b.HANDICAPS, b.USUAL, "handicap")
    return replace(game, start=_starter(b.read_sfen(start), game.plies))


SHOGI: Final = Game(
    name="shogi",
    cells=p.STATE,
    moves=p.MOVES,
    longest=p.LONGEST,
    sizes=(p.ROWS,),
    start=k.start,
    legal=k.legal,
    worthy=k.worthy,
    after=k.after,
    outcome=k.outcome,
    key=k.key,
    noisy=k.noisy,
    playout=k.playout,
    move_text=_move_text,
    parse_move=_parse_move,
    draw=b.draw,
    plies=p.LONGEST_GAME,
    counter=p.PLIES,
    threatened=attacks.in_check,
    why_illegal=_why_illegal,
    traits={
        "Records": "gotools.games.shogi.records.notations:RECORDS",
        "Starts": Starts(b.write_sfen, with_setting),
        "Repetition": Repetition(REPETITION, perpetual=True),
        "Selective": Selective(skip=p.SKIP, margin=0.05, extensions=6),
        "Picture": b.PICTURE,
        "Complexity": Complexity(lambda size: (log10(6.55e68), "estimated by Ishii and Tanaka")),
        "Learning": Learning(
            features={
                "raw": "gotools.games.shogi.inputs:RAW",
                "kings": "gotools.games.shogi.inputs:KINGS",
                "material": "gotools.games.shogi.inputs:MATERIAL",
            },
            heuristic="gotools.games.shogi.inputs:MATERIAL_HEURISTIC",
            orders={"captures": "gotools.games.shogi.kernels.values:captures_first"},
        ),
        "Pieces": "gotools.games.shogi.inputs:PIECES",
        "Goal": "gotools.games.shogi.mate:MATE",
        "MoveFeatures": "gotools.games.shogi.move_features:MOVE_FEATURES",
        "Vocabulary": "gotools.games.shogi.vocabulary:VOCABULARY",
    },
)
