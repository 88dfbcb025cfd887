"""English draughts as a Game: moves and positions as text, and what learning and records use."""

import re
from dataclasses import replace

import numpy as np

from draughts_game.kernels import rules as k
from draughts_game.kernels import values as v
from gotools.base.errors import GotoolsError, quoted
from gotools.game.game import Game
from gotools.game.learning import FeatureSet, Heuristic, Learning
from gotools.game.traits import Complexity, Picture, Repetition, Starts
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

SIGN = ["-" if over < 0 else "x" for over in k.OVER]
TEXTS = [sign.join(str(square + 1) for square in path) for sign, path in zip(SIGN, k.PATHS, strict=True)]
MOVE_OF = {text: move for move, text in enumerate(TEXTS) if move >= k.COUNT}
SIGNS = ".XOKk"
"""What stands on a square, as signs: men of Black and White, kings of Black and White."""
PIECE = re.compile("(K?)([1-9][0-9]?)")


def parse_move(text, size):
    """Read a move by all squares that the piece visits. Raises ValueError."""
    if text.lower() not in MOVE_OF:
        raise ValueError(f"{text!r} is not a move of draughts; write 11-15, 15x22, or all squares of 9x18x25")
    return MOVE_OF[text.lower()]


def why_illegal(state, move):
    """Say which rule forbids a move; "" where none does."""
    return "a capture is forced, and goes on while it can" if k.OVER[DRAUGHTS.moves_of(state)[0]] >= 0 else ""


# positions ------------------------------------------------------------------------------------------------------------


def draw(state):
    """Return the board as lines of text, with the number of the first square of each row."""
    lines = []
    for row in range(k.ROWS):
        signs = "   ".join(SIGNS[piece] for piece in state[k.SQUARES + 4 * row :][:4])
        lines.append(f"{4 * row + 1:2}  {'  ' * (row % 2 == 0)}{signs}")
    return "\n".join([*lines, f"moves without a capture or a man's move: {state[k.QUIET]}"])


def write_fen(state):
    """Return a position as PDN has it: the side to play, then the squares of each side's pieces."""
    pieces: dict[str, list[str]] = {"W": [], "B": []}
    for number, piece in enumerate(state[k.SQUARES :].tolist(), 1):
        if piece:
            pieces["WB"[piece % 2]].append("K" * (piece > k.KING) + str(number))
    sides = (f":{side}{','.join(squares)}" for side, squares in pieces.items())
    return "BW"[state[TO_PLAY] - 1] + "".join(sides)


def with_setting(setting):
    """Return the game from another position, in FEN. Raises GotoolsError."""
    side, *parts = setting.replace(" ", "").upper().rstrip(".").split(":")
    pieces = {part[:1]: [PIECE.fullmatch(text) for text in part[1:].split(",")] for part in parts}
    numbers = [int(one[2]) for found in pieces.values() for one in found if one]
    known = side in ("B", "W") and pieces.keys() == {"B", "W"} and all(map(all, pieces.values()))
    if not known or len(set(numbers)) < len(numbers) or max(numbers) > k.COUNT:
        raise GotoolsError(f"draughts: {quoted(setting)} is not a FEN such as B:W21,K30:B3,12")
    position = DRAUGHTS.position()
    position[k.SQUARES :], position[TO_PLAY] = 0, "BW".index(side) + 1
    for colour, found in pieces.items():
        for king, number in (one.groups() for one in found if one):
            position[k.SQUARES + int(number) - 1] = "BW".index(colour) + 1 + k.KING * (king == "K")
    if k.outcome(position) != ONGOING:
        raise GotoolsError(f"draughts: {quoted(setting)} is a finished game")
    return replace(DRAUGHTS, setting=setting, start=lambda state, size: np.copyto(state, position))


PICTURE = Picture(
    places=lambda size: [(float(column), float(row)) for row, column in k.PLACES],
    ground="squares",
    names=lambda size: [(-0.7, row, str(4 * row + 1)) for row in range(k.ROWS)],
    signs=lambda state: [SIGNS[piece] for piece in state[k.SQUARES :]],
)

# learning -------------------------------------------------------------------------------------------------------------

RAW = FeatureSet("raw", lambda size: tuple(map(str, range(1, 33))), lambda size: np.ones(k.COUNT), v.raw, v.raw_value)
TERM_SCALES = 1.0 / np.array([12.0, 12.0, 8.0, 1.0, 8.0, 8.0, 24.0, 1.0, 4.0])
SAMUEL = FeatureSet("samuel", lambda size: v.TERMS, lambda size: TERM_SCALES, v.samuel, v.samuel_value)
_CORNERS = [(n, row, column) for n in range(3, 9) for row in range(9 - n) for column in range(9 - n)]
WINDOWS = FeatureSet(
    name="windows",
    labels=lambda size: tuple(f"{n}x{n} from row {row + 1}, column {column + 1}" for n, row, column in _CORNERS),
    scales=lambda size: 1.0 / np.array([min(n * n // 2, k.SIDE_MEN) for n, _, _ in _CORNERS], float),
    inputs=v.windows,
    evaluate=v.windows_value,
)
_WORTH = np.array([1.0, v.KING_WORTH, 0.02, 0.1, 0.05, 0.1, 0.02, 0.1, -0.02]) / 6
"""Weights of Samuel's terms: six men ahead are worth tanh 1. His own were learned, and changed with the game."""
_NUMBERS = np.array([1.0, 0.0, len(v.TERMS), 1.0, *np.ones(len(v.TERMS)), *_WORTH])
POLYNOMIAL = Heuristic("Samuel's terms", v.samuel_value, _NUMBERS)

DRAUGHTS = Game(
    name="draughts", cells=k.STATE, moves=k.MOVES, longest=k.LONGEST, sizes=(k.ROWS,), start=k.start, legal=k.legal,
    worthy=k.legal, after=k.after, outcome=k.outcome, key=k.key, noisy=k.captures, playout=k.playout,
    move_text=lambda move, size: TEXTS[move], parse_move=parse_move, draw=draw, counter=k.QUIET,
    why_illegal=why_illegal,
    traits={
        "Records": "draughts_game.pdn:RECORDS",
        "Starts": Starts(write_fen, with_setting),
        "Repetition": Repetition(3),
        "Picture": PICTURE,
        "Complexity": Complexity(lambda size: (20.70, "counted by Schaeffer")),
        "Learning": Learning(
            features={name: f"draughts_game.draughts:{name.upper()}" for name in ("raw", "samuel", "windows")},
            heuristic="draughts_game.draughts:POLYNOMIAL",
        ),
        "Vocabulary": "draughts_game.vocabulary:VOCABULARY",
    },
)  # fmt: skip
