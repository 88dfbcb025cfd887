"""The features of shogi's moves, against a slow twin on pieces with coordinates, and what does not change them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from gotools.game.game import find_game
from gotools.game.learning import MoveFeatures
from gotools.games.shogi import board as b
from gotools.games.shogi.kernels import pieces as p
from gotools.jit.kernels.seams import TO_PLAY

SHOGI = find_game("shogi")
FEATURES: MoveFeatures = SHOGI.need(MoveFeatures)
WORTH = {
    "P": 1, "L": 3, "N": 4, "S": 5, "G": 6, "B": 8, "R": 10, "K": 15,
    "+P": 7, "+L": 6, "+N": 6, "+S": 6, "+B": 10, "+R": 12,
}  # fmt: skip
GOLDEN = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
STRAIGHT, SLANTING = [(0, -1), (0, 1), (1, 0), (-1, 0)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = {
    "P": [(0, -1)], "N": [(-1, -2), (1, -2)], "S": [(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)], "G": GOLDEN,
    "K": STRAIGHT + SLANTING, "+P": GOLDEN, "+L": GOLDEN, "+N": GOLDEN, "+S": GOLDEN, "+B": STRAIGHT, "+R": SLANTING,
}  # fmt: skip
SLIDES = {"L": [(0, -1)], "B": SLANTING, "R": STRAIGHT, "+B": SLANTING, "+R": STRAIGHT}

Pieces = dict[tuple[int, int], tuple[int, str]]
State = NDArray[np.int32]


def pieces_of(state: State) -> Pieces:
    """Return the side and the letter of each piece, by column and row."""
    found: Pieces = {}
    for square in range(81):
        text = b.piece_text(b.piece_at(state, square))
        if text:
            found[square % 9, square // 9] = (1 if text[-1].isupper() else 2), text.upper()
    return found


def reached(pieces: Pieces, at: tuple[int, int], side: int, letter: str) -> set[tuple[int, int]]:
    """Return the squares that a piece attacks."""
    sign, found = (1 if side == 1 else -1), set()
    for dx, dy in STEPS.get(letter, []):
        found.add((at[0] + sign * dx, at[1] + sign * dy))
    for dx, dy in SLIDES.get(letter, []):
        x, y = at[0] + sign * dx, at[1] + sign * dy
        while 0 <= x < 9 and 0 <= y < 9:
            found.add((x, y))
            if (x, y) in pieces:
                break
            x, y = x + sign * dx, y + sign * dy
    return {(x, y) for x, y in found if 0 <= x < 9 and 0 <= y < 9}


def attackers(pieces: Pieces, at: tuple[int, int], side: int) -> list[int]:
    """Return the worth of the pieces of a side that attack a square."""
    return [
        WORTH[letter]
        for where, (of, letter) in pieces.items()
        if of == side and at in reached(pieces, where, of, letter)
    ]


def four(worths: list[int]) -> list[int]:
    if not worths:
        return [0, 0, 0, 0]
    return [min(sum(worths), 40), max(worths), int(sum(worths) / len(worths) + 0.5), min(worths)]


def slow_features(state: State, text: str) -> list[int]:
    """Return the features of a move, from its text."""
    side, pieces = int(state[TO_PLAY]), pieces_of(state)
    drops, promotes = text[1] == "*", text.endswith("+")
    to = (9 - int(text[2]), "abcdefghi".index(text[3]))
    origin = to if drops else (9 - int(text[0]), "abcdefghi".index(text[1]))
    letter = text[0] if drops else pieces[origin][1]
    captured = WORTH[pieces[to][1]] if to in pieces else 0
    kings = {of: at for at, (of, name) in pieces.items() if name == "K"}

    def own_view(at: tuple[int, int]) -> list[int]:
        return [8 - at[1], at[0]] if side == 1 else [at[1], 8 - at[0]]

    lifted = {at: piece for at, piece in pieces.items() if drops or at != origin}
    arrived = ("+" if promotes else "") + letter
    seen = [lifted[at] for at in reached(lifted, to, side, arrived) if at in lifted]
    attacked = [WORTH[name] for of, name in seen if of != side]
    protected = [WORTH[name] for of, name in seen if of == side]
    old = [] if drops else [pieces[at] for at in reached(pieces, origin, side, letter) if at in pieces]
    left = [WORTH[name] for of, name in old if of == side]
    to_attackers, to_defenders = attackers(lifted, to, 3 - side), attackers(lifted, to, side)
    home = lifted if drops else pieces
    steps = [8 if of not in kings else abs(kings[of][axis] - to[axis]) for of in (3 - side, side) for axis in (0, 1)]
    return [
        WORTH[letter], captured, *own_view(origin), *own_view(to), int(promotes),
        *four(attacked), *four(attackers(home, origin, 3 - side)), *four(to_attackers), min(len(to_attackers), 8),
        *four(attackers(home, origin, side)), *four(to_defenders), min(len(to_defenders), 8),
        *steps, min(int(state[p.PLIES]) // 10, 20), min(sum(protected), 40), min(len(protected), 8),
        min(sum(left), 40), min(len(left), 8),
    ]  # fmt: skip


def measured(state: State) -> tuple[list[str], NDArray[np.int32], int]:
    """Return the legal moves as texts, their features, and the situation."""
    moves = np.array(SHOGI.moves_of(state), np.int32)
    features = np.full((len(moves), len(FEATURES.names)), -1, np.int32)
    stage = FEATURES.measure(state, moves, len(moves), features)
    return [SHOGI.move_text(int(move), 9) for move in moves], features, stage


def random_positions(seed: int, games: int, step: int) -> list[State]:
    chance, found = random.Random(seed), []
    for _ in range(games):
        state = SHOGI.position()
        for ply in range(160):
            moves = SHOGI.moves_of(state)
            if not moves:
                break
            if ply % step == seed % step:
                found.append(state)
            state = SHOGI.play(state, chance.choice(moves))
    return found


def plus_before(text: str) -> str:
    """Put each + before its letter again, after a board was reversed."""
    out = ""
    for sign in text:
        out = out[:-1] + "+" + out[-1] if sign == "+" else out + sign
    return out


def test_features_are_those_of_the_slow_twin() -> None:
    compared = 0
    for state in random_positions(3, 14, 23):
        before = state.copy()
        texts, features, _ = measured(state)
        assert (state == before).all()
        for text, row in zip(texts, features.tolist(), strict=True):
            if text != "win":
                assert row == slow_features(state, text), (b.write_sfen(state), text)
                compared += 1
    assert compared > 3000


def test_features_keep_within_their_bounds() -> None:
    for state in random_positions(5, 10, 11):
        _, features, stage = measured(state)
        assert (features >= 0).all() and (features <= FEATURES.most).all()
        assert 0 <= stage < len(FEATURES.stages)


def test_features_do_not_depend_on_the_colour() -> None:
    for state in random_positions(7, 4, 17):
        board, side, hands, number = b.write_sfen(state).split()
        other = b.read_sfen(
            f"{plus_before(board[::-1]).swapcase()} {'w' if side == 'b' else 'b'} {hands.swapcase()} {number}"
        )
        (_, features, stage), (_, again, stage_again) = measured(state), measured(other)
        assert sorted(map(tuple, features.tolist())) == sorted(map(tuple, again.tolist()))
        assert stage == stage_again


@pytest.mark.parametrize(
    ("sfen", "situation"),
    [
        (b.USUAL, "opening"),
        ("4k4/9/3PG+P3/9/9/9/9/9/4K4 b - 1", "attack"),
        ("4k4/9/3PG+P3/9/9/9/9/9/4K4 w - 1", "defence"),
        ("4k4/9/9/9/4+P4/9/9/9/4K4 b - 1", "even"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 4P 1", "even"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 3P 1", "opening"),
    ],
)
def test_situations(sfen: str, situation: str) -> None:
    _, _, stage = measured(b.read_sfen(sfen))
    assert FEATURES.stages[stage] == situation
