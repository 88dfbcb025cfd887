"""What is said of a search: `info depth 3 time 40 nodes 2100 nps 52500 score cp 35 pv 7g7f 3c3d`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice
from gotools.game.game import Game
from gotools.game.history import History
from gotools.games.shogi.kernels import pieces as p
from gotools.jit.kernels.seams import ONGOING
from gotools.search.proof import Proof

POINTS: Final = 600
"""Centipawns that turn an even game into one won e times as often as lost."""
MOST: Final = 30_000
"""Centipawns of the largest score that is no mate."""


def info_line(game: Game, state: NDArray[np.int32], choice: Choice, seconds: float) -> str:
    """Return the line of a choice in a position, `seconds` after the search began."""
    milliseconds = round(1000 * seconds)
    speed = f" nps {round(choice.nodes / seconds)}" if seconds >= 0.001 else ""
    counts = f"time {milliseconds} nodes {choice.nodes}{speed}"
    line = " ".join(game.move_text(move, p.ROWS) for move in takewhile(lambda move: move != p.DECLARE, choice.line))
    pv = f" pv {line}" if line else ""
    return f"info depth {max(choice.depth, 1)} {counts} score {score_text(game, state, choice)}{pv}"


def mate_text(history: History, proof: Proof | None) -> str:
    """Return what `checkmate` says of a search for a mate; None: it failed."""
    if proof is None or proof.reached is None:
        return "timeout"
    return " ".join(history.game.move_text(move, p.ROWS) for move in proof.line) if proof.reached else "nomate"


def score_text(game: Game, state: NDArray[np.int32], choice: Choice) -> str:
    """Return `cp N`, or where the game is decided `mate N`: in N plies, `+` or `-` where that is not known."""
    if abs(choice.value) < game.decided:
        return f"cp {centipawns(choice.value / game.decided)}"
    sign = "-" if choice.value < 0 else ""
    return f"mate {sign}{len(choice.line)}" if _ends(game, state, choice.line) else f"mate {sign or '+'}"


def centipawns(value: float) -> int:
    """Return a value between -1 and 1 as centipawns."""
    inside = min(max(value, -1 + 1e-9), 1 - 1e-9)
    return max(-MOST, min(MOST, round(2 * POINTS * math.atanh(inside))))


def value_of(points: int) -> float:
    """Return centipawns as a value between -1 and 1."""
    return math.tanh(points / (2 * POINTS))


def _ends(game: Game, state: NDArray[np.int32], line: Sequence[int]) -> bool:
    """Return whether a line of legal moves ends the game."""
    for move in line:
        state = game.play(state, move)
    return bool(game.outcome(state) != ONGOING)
