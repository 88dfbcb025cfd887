"""Games that alpha-beta plays against itself, and what their positions turn out to be worth.

    a game:   moves | m0 m1 m2 ... |   targets | nan nan 0.53 nan 0.41 ... | one for each position before a move

The first moves are random; the others are those of a search of some positions each. A target is the chance to win of
the side to play: the mean of what later searches of the game say and of the result, each later one counting lambda
times as much (Sutton 1988). No target have positions of random moves, under a threat, and before a noisy move, whose
value the evaluation need not know: the search goes on there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.choice import Limits
from gotools.game.game import Game
from gotools.game.traits import Repetition
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_ORDERING, Evaluation
from gotools.values.checkpoint import PLAYED, Arrays, check_memory
from gotools.values.games.kernels.search_games import could_be_played
from gotools.values.games.selfplay import HELD_OUT, longest_game
from gotools.work.workers import threads

_LONGEST: Final = 256
"""Moves after which a game counts as drawn."""
_TABLE_BITS: Final = 16


@dataclass(frozen=True, slots=True)
class PieceGameSettings:
    """How games are played.

    nodes   -- positions of a search; opening -- most random moves at the start of a game, and at least half of them
    lam     -- lambda: what a later search counts beside the one a move before it
    sure    -- a game ends when the searches of both sides value it above this number for the same side
    """

    nodes: int
    opening: int
    lam: float
    sure: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class PieceGames:
    """Games one after the other.

    number -- int64[games]; length -- int32[games]; result -- int8[games], of side 1
    moves  -- int16[sum of lengths]; targets -- float32[sum of lengths], nan for none
    """

    number: NDArray[np.int64]
    length: NDArray[np.int32]
    result: NDArray[np.int8]
    moves: NDArray[np.int16]
    targets: NDArray[np.float32]

    @property
    def arrays(self) -> Arrays:
        """Return the arrays by their names."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def begins(self) -> NDArray[np.int64]:
        """Return the index of the first move of each game."""
        return np.cumsum(self.length, dtype=np.int64) - self.length

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """Return a mask of the games that are not learned from."""
        found: NDArray[np.bool_] = self.number % HELD_OUT == HELD_OUT - 1
        return found

    def joined(self, others: Iterable[PieceGames], most: int) -> PieceGames:
        """Return the latest of these games and later ones."""
        all_of = [self, *others]
        arrays = {name: np.concatenate([one.arrays[name] for one in all_of]) for name in self.__slots__}
        kept = len(arrays["number"]) - max(0, len(arrays["number"]) - most)
        moves = int(arrays["length"][-kept:].sum()) if kept else 0
        of_moves = ("moves", "targets")
        return PieceGames(**{name: a[len(a) - (moves if name in of_moves else kept) :] for name, a in arrays.items()})


def none_played() -> PieceGames:
    """Return no games."""
    kinds = {"number": np.int64, "length": np.int32, "result": np.int8, "moves": np.int16, "targets": np.float32}
    return PieceGames(**{name: np.zeros(0, kind) for name, kind in kinds.items()})


class PiecePlayer:
    """Play games of a search against itself, one at a time."""

    def __init__(self, game: Game, size: int, settings: PieceGameSettings, evaluation: Evaluation) -> None:
        self._game, self._size, self._settings = game, size, settings
        self._search = AlphaBeta(game, NO_ORDERING, evaluation, AlphaBetaSettings.of(game, table_bits=_TABLE_BITS))
        self._moves = np.empty(game.longest, np.int32)
        self._repeats = game.has(Repetition)

    def play(self, number: int) -> PieceGames:
        """Play a game; the same number and evaluation, the same game."""
        game, rng = self._game, np.random.default_rng([self._settings.seed, 7, number])
        state, longest = game.position(self._size), min(longest_game(game, self._size), _LONGEST)
        most = self._settings.opening
        opening, seen = int(rng.integers(most // 2, most + 1)), set[int]()
        moves: list[int] = []
        values: list[float] = []  # of each position for side 1; nan where no search was made
        quiet: list[int] = []  # the side to play in a position that is learned from, else 0
        self._search.forget()
        result = 0.0
        while len(moves) < longest:
            ended, side = float(game.outcome(state)), 3 - 2 * int(state[TO_PLAY])
            if ended != ONGOING:
                result = ended * side
                break
            seen.add(int(game.key(state)))
            legal = self._moves[: game.worthy(state, self._moves)].tolist()
            if len(moves) < opening or len(legal) == 1:
                move, value = legal[int(rng.integers(len(legal)))], np.nan
                quiet.append(0)
            else:
                move, value = self._choose(state, legal, seen)
                value *= side
                quiet.append(side if self._is_quiet(state, move) else 0)
            moves.append(move)
            values.append(value)
            if self._is_decided(values):
                result = 1.0 if value > 0 else -1.0
                break
            state = game.play(state, move)
        return self._played(number, moves, values, quiet, result)

    def _choose(self, state: NDArray[np.int32], legal: list[int], seen: set[int]) -> tuple[int, float]:
        """Return a move that repeats no position, if there is one, and the value of the position."""
        while True:
            choice = self._search.choose(state, legal, Limits(nodes=self._settings.nodes))
            repeats = self._repeats and int(self._game.key(self._game.play(state, choice.move))) in seen
            if not repeats or len(legal) == 1:
                return choice.move, choice.value / self._game.decided
            legal = [move for move in legal if move != choice.move]

    def _is_quiet(self, state: NDArray[np.int32], move: int) -> bool:
        game = self._game
        if game.threatened is not None and game.threatened(state):
            return False
        return move not in self._moves[: game.noisy(state, self._moves)].tolist()

    def _is_decided(self, values: list[float]) -> bool:
        last, sure = values[-2:], self._settings.sure
        return len(last) == 2 and (min(last) > sure or max(last) < -sure)

    def _played(
        self, number: int, moves: list[int], values: list[float], quiet: list[int], result: float
    ) -> PieceGames:
        lam, worth = self._settings.lam, result
        targets = np.full(len(moves), np.nan, np.float32)
        for i in range(len(moves) - 1, -1, -1):
            if not np.isnan(values[i]):
                worth = (1 - lam) * min(max(values[i], -1.0), 1.0) + lam * worth
            if quiet[i]:
                targets[i] = 0.5 + 0.5 * quiet[i] * worth
        return PieceGames(
            number=np.array([number], np.int64),
            length=np.array([len(moves)], np.int32),
            result=np.array([np.sign(result)], np.int8),
            moves=np.array(moves, np.int16),
            targets=targets,
        )


def play_games(
    game: Game, size: int, settings: PieceGameSettings, evaluation: Evaluation, first: int, count: int, jobs: int
) -> list[PieceGames]:
    """Play games number first to first + count - 1; the number of jobs (threads) changes nothing."""
    here = threading.local()

    def play(number: int) -> PieceGames:
        if not hasattr(here, "player"):
            here.player = PiecePlayer(game, size, settings, evaluation)
        player: PiecePlayer = here.player
        return player.play(number)

    with threads(jobs) as pool:
        return list(pool.map(play, range(first, first + count)))


def restored(memory: Arrays, game: Game, size: int) -> PieceGames:
    """Return the games of a checkpoint.

    Raises GotoolsError for arrays that do not fit together, and for games that cannot have been played here.
    """
    none: Any = none_played()
    check_memory(memory, {PLAYED + name: array for name, array in none.arrays.items()}, free=True)
    played = PieceGames(**{name: memory[PLAYED + name] for name in PieceGames.__slots__})
    games, total = len(played.number), len(played.moves)
    fits = (
        len(played.length) == len(played.result) == games
        and len(played.targets) == total == played.length.sum()
        and not (played.length < 0).any()
        and not ((played.targets < 0) | (played.targets > 1)).any()
    )
    nothing = np.zeros(0, np.int32), np.zeros((0, 1), np.int16), np.zeros((0, 1), np.uint8)
    for begin, length in zip(played.begins.tolist(), played.length.tolist(), strict=False) if fits else ():
        moves = np.ascontiguousarray(played.moves[begin : begin + length])
        fits = fits and could_be_played(game.rules, game.position(size), moves, *nothing)
    if not fits:
        raise GotoolsError("cannot resume: the games in the checkpoint are damaged")
    return played
