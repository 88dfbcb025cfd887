"""A teacher: another program that analyses positions of self-play: its moves, and the chance to win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import EngineError, quoted
from gotools.game.game import Game
from gotools.jit.kernels.seams import TO_PLAY
from gotools.values.games.kernels.search_games import SHARES, TRIED
from gotools.values.network.search_games import PlayedGames


@dataclass(frozen=True, slots=True)
class Advice:
    """A teacher's analysis of a position: moves as texts, visits of each, the winrate of the side to play."""

    moves: tuple[str, ...]
    visits: tuple[int, ...]
    winrate: float


class Teacher(Protocol):
    """A program that analyses positions. Each method raises EngineError where the program fails."""

    @property
    def name(self) -> str:
        """Return the name for messages."""

    def begin(self, size: int, komi: float) -> None:
        """Begin a game."""

    def play(self, side: int, move: str) -> bool:
        """Make a move; return whether the program accepts it: it may know a superko rule."""

    def advise(self, side: int, visits: int) -> Advice:
        """Analyse the position with a number of visits."""


def taught(
    played: PlayedGames, game: Game, size: int, teacher: Teacher, visits: int, starts: Sequence[NDArray[np.int32]]
) -> PlayedGames:
    """Return games with a teacher's visits in place of the search's, and its winrates.

    Samples without an analysis are left out, those of a forced move, and all after a move that the teacher refuses.

    starts -- the position at the start of each game, on an empty board

    Raises EngineError if the teacher fails, or names a move that is not legal.
    """
    tried, shares = np.zeros_like(played.tried), np.zeros_like(played.shares)
    worth = np.zeros_like(played.worth)
    ends = np.cumsum(played.length, dtype=np.int64)
    for number, end in enumerate(ends.tolist()):
        moves = played.moves[end - int(played.length[number]) : end].tolist()
        samples = {int(played.ply[i]): i for i in np.flatnonzero(played.of == number).tolist()}
        if not samples:
            continue
        state = starts[number]
        teacher.begin(size, played.komi2[number] / 2)
        for ply in range(max(samples) + 1):
            side = int(state[TO_PLAY])
            if ply in samples and not _is_forced(game, state):
                row = samples[ply]
                advice = teacher.advise(side, visits)
                _note(advice, game, size, state, teacher.name, tried[row], shares[row])
                worth[row] = 2.0 * advice.winrate - 1.0
            if ply == max(samples) or not teacher.play(side, game.move_text(moves[ply], size)):
                break
            state = game.play(state, moves[ply])
    known = shares.any(axis=1)
    return replace(
        played, of=played.of[known], ply=played.ply[known], tried=tried[known], shares=shares[known], worth=worth[known]
    )


def _is_forced(game: Game, state: NDArray[np.int32]) -> bool:
    """Return whether there is one move, not a pass: programs of ours then answer without an analysis."""
    moves = game.moves_of(state)
    return len(moves) == 1 and moves != [game.pass_move]


def _note(
    advice: Advice, game: Game, size: int, state: NDArray[np.int32], name: str, tried: NDArray[np.int16],
    shares: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Write the most visited moves and their shares; leave out moves not worth searching, such as own eyes."""
    legal, worthy = set(game.moves_of(state)), set(game.worthy_moves_of(state))
    found = []
    for visits, text in zip(advice.visits, advice.moves, strict=True):
        try:
            move = game.parse_move(text.lower() if text.lower() == "pass" else text, size)
        except ValueError:
            move = -1
        if move not in legal:
            raise EngineError(name, f"analyses {quoted(text)}, which is not a legal move")
        if move in worthy and visits:
            found.append((visits, move))
    total, place = sum(visits for visits, _ in found), 0
    for visits, move in sorted(found, reverse=True)[:TRIED]:
        share = round(visits * SHARES / total)
        if share:
            tried[place], shares[place] = move, share
            place += 1
