"""Nim with seven heaps, a game of a package of its own (docs/games.md): whoever takes the last counter wins."""

import re

import numpy as np

from gotools.game.game import Game
from gotools.game.learning import FeatureSet, Learning
from nim_game.kernels import rules as k


def parse_move(text, size):
    if not re.fullmatch("[a-g][1-7]", text):
        raise ValueError(f"{text!r} is not a heap and a number (a1 to g7)")
    return 8 * "abcdefg".index(text[0]) + int(text[1])


RAW = FeatureSet("raw", lambda size: ("nim-sum",), lambda size: np.ones(1), k.nim_sum, k.value)
NIM = Game(
    name="nim", cells=9, moves=56, longest=49, sizes=(7,), start=k.start,
    legal=k.legal, worthy=k.legal, after=k.after, outcome=k.outcome, key=k.key, noisy=k.noisy, playout=k.playout,
    move_text=lambda move, size: f"{'abcdefg'[move // 8]}{move % 8}", parse_move=parse_move,
    draw=lambda state: " ".join(map(str, state[2:])), traits={"Learning": Learning({"raw": "nim_game:RAW"})},
)  # fmt: skip
