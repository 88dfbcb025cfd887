"""Go as a Game: the functions that searches and learners need."""

from __future__ import annotations

from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.learning import Learning
from gotools.game.table import GAMES
from gotools.game.traits import Complexity, Usual
from gotools.games.go.board import draw
from gotools.games.go.kernels import game as g
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.playouts import playout
from gotools.games.go.points import EMPTY, MAX_SIZE, MIN_SIZE, PASS, place_of_text, vertex


def move_of(point: int, size: int) -> int:
    """Return the move of a point (points.py), PASS included."""
    return g.PASS_MOVE if point == PASS else int(k.pad(point, size))


def point_of(move: int, size: int) -> int:
    """Return the point of a move, PASS for a pass."""
    return PASS if move == g.PASS_MOVE else int(k.unpad(move, size))


def _positions(size: int) -> tuple[float, str]:
    """Estimate the number of legal positions: wrong by 2 % on 2x2, by 1 in 100,000 from 9x9 on."""
    a, b, c = 0.850639925845714538, 0.96553505933837387, 2.97573419204335724938
    power = log10(a) + 2 * size * log10(b) + size * size * log10(c)
    return power, "by Tromp and Farnebäck's formula"


def _cells(state: NDArray[np.int32]) -> NDArray[np.uint8]:
    cells = np.empty(int(state[k.SIZE]) ** 2, np.uint8)
    k.cells_of(state, cells)
    return cells


GO: Final = Game(
    name="go",
    cells=k.STATE,
    moves=k.PLANE,
    longest=MAX_SIZE**2 + 1,
    sizes=(9, *(size for size in range(MIN_SIZE, MAX_SIZE + 1) if size != 9)),
    start=g.start_game,
    legal=g.legal,
    worthy=g.worthy,
    after=g.after,
    outcome=g.outcome,
    key=g.key,
    noisy=g.noisy,
    threatened=g.threatened,
    playout=playout,
    move_text=lambda move, size: vertex(point_of(move, size), size),
    parse_move=lambda text, size: move_of(place_of_text(text, size), size),
    draw=lambda state: draw(_cells(state), int(state[k.SIZE])),
    room=lambda state: int((_cells(state) == EMPTY).sum()),
    place_of=point_of,
    move_at=move_of,
    komi=g.KOMI2,
    pass_move=g.PASS_MOVE,
    traits={
        **GAMES["go"].traits,
        "Learning": Learning(
            features={
                "thesis8": "gotools.games.go.inputs.positions:THESIS8",
                "raw": "gotools.games.go.inputs.positions:RAW",
            },
            mixed="gotools.games.go.inputs.mixed:mixed",
            heuristic="gotools.games.go.estimate.evaluation:HEURISTIC",
            heuristics={
                "area": "gotools.games.go.estimate.evaluation:AREA",
                "explicit": "gotools.games.go.estimate.evaluation:EXPLICIT",
            },
            tally="gotools.games.go.inputs.kernels.thesis8:tally",
            orders={"captures": "gotools.games.go.kernels.game:captures_first"},
        ),
        "Rows": "gotools.games.go.examples.examples:ROWS",
        "Picture": "gotools.games.go.picture:PICTURE",
        "Records": "gotools.games.go.records.sgf:RECORDS",
        "Passing": "gotools.games.go.estimate.passing:PASSING",
        "Usual": Usual(search="mcts", any_size=True, shown=5, move_word="VERTEX", board="{0}x{0}"),
        "Vocabulary": "gotools.games.go.vocabulary:VOCABULARY",
        "Complexity": Complexity(_positions),
        "Openings": "gotools.games.go.openings:OPENINGS",
        "Repetition": "gotools.games.go.history:REPETITION",
        "Levels": "gotools.games.go.levels:LEVELS",
        "Goal": "gotools.games.go.capture:CAPTURE",
        "Grid": "gotools.games.go.inputs.positions:GRID",
        "Planes": "gotools.games.go.inputs.positions:PLANES",
        "MoveFeatures": "gotools.games.go.inputs.move_features:MOVE_FEATURES",
    },
)
