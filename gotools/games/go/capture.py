"""The goal of proof-number search in Go: to capture a marked chain, within a marked region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.goals import Goal, Question
from gotools.games.go.kernels import capture as k
from gotools.games.go.kernels.rules import COLOUR, HEAD, SIZE, liberties_of, pad

TARGETS: Final = ("TR", "MA")
"""Marks of the chain, a triangle or a cross."""
REGION: Final = "SQ"
"""The mark of a point where both sides play."""


def _ask(state: NDArray[np.int32], marks: Sequence[tuple[str, int]]) -> tuple[Question, ...]:
    """Return whether the chain is captured whatever its ko threats, and whether with a threat for every ko."""
    size = int(state[SIZE])
    stones = [int(pad(place, size)) for mark, place in marks if mark in TARGETS]
    if not stones:
        raise ValueError("no stone is marked: TR or MA marks a chain, SQ the points where both sides play")
    if not all(state[COLOUR + p] in (1, 2) for p in stones):
        raise ValueError("TR or MA marks a point without a stone")
    if len({int(state[HEAD + p]) for p in stones}) > 1:
        raise ValueError("TR or MA marks stones of several chains; mark one that lives or dies with the others")
    region = [int(pad(place, size)) for mark, place in marks if mark == REGION]
    goal = np.zeros(k.GOAL, np.int32)
    owner = int(state[COLOUR + stones[0]])
    goal[0], goal[k.TARGET], goal[k.THREATS] = 3 - owner, stones[0], owner
    goal[k.REGION :] = 0 if region else 1
    goal[[k.REGION + p for p in (*region, *_liberties(state, stones[0]))]] = 1
    by_ko = goal.copy()
    by_ko[k.THREATS] = 3 - owner
    return Question("captured", goal), Question("ko", by_ko)


def _liberties(state: NDArray[np.int32], stone: int) -> list[int]:
    """Return the liberties of a chain, padded: those outside are filled too, whether they are marked or not."""
    size, found = int(state[SIZE]), np.empty(361, np.int16)
    return [int(pad(int(place), size)) for place in found[: liberties_of(state, stone, found)]]


CAPTURE: Final = Goal(k.capture_tries, _ask, "safe")
