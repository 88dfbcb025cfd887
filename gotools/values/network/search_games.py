"""Games that a search with the network plays against itself; the latest are kept to learn from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game, find_game
from gotools.game.learning import Planes
from gotools.jit import as_value
from gotools.jit.kernels.seams import SIZE
from gotools.search.kernels.mcts import new_tree, new_work
from gotools.search.knowledge import NO_ORDERING, Judgement
from gotools.search.mcts import USUAL_PUCT
from gotools.values.checkpoint import PLAYED, Arrays, check_memory
from gotools.values.games.kernels import search_games as k
from gotools.values.games.selfplay import HELD_OUT, longest_game
from gotools.values.methods import PlanesSettings
from gotools.values.network.samples import SampleBatch
from gotools.values.network.symmetries import turned_planes, turned_points
from gotools.work.workers import Task, Workers, threads

SHORT: Final = 24
"""Playouts of such a search where a teacher analyses the positions."""
SHORTER: Final = 5
"""Searches that are not learned from have this many times fewer playouts."""
MOST_GAMES: Final = 30_000
"""The largest window: of 19x19 some 200 MiB, which a weights file may hold."""
OTHER_KOMI: Final = 4
"""One game in OTHER_KOMI has another komi, up to MOST_KOMI points away, so that the value learns the effect of komi."""
MOST_KOMI: Final = 4
_MOST_POINTS: Final = 1000
"""The largest komi."""
_POINTS_A_DRAWN_MOVE: Final = 8
USUAL: Final = -1
"""The number of the usual start position; others are numbered from 0."""
Start = Callable[[int], NDArray[np.int32]]


@dataclass(frozen=True, slots=True)
class SearchGameSettings:
    """How games are played.

    playouts -- of a search that is learned from; short -- of the others; long -- share of the former
    trust    -- weight of the network's value beside a playout's
    """

    playouts: int = PlanesSettings.playouts
    short: int = SHORT
    long: float = 0.25
    trust: float = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class PlayedGames:
    """Games one after the other, and the samples that are learned from.

    game   -- int64[games]: its number; start -- int32[games]: the number of its start position, or USUAL
    komi2  -- int16[games]; result -- int8[games], of side 1; lead -- float32[games]; owned -- int8[games, points]
    length -- int32[games]; moves -- int16[sum of lengths]
    of     -- int32[samples]: index of the game; ply -- int32[samples]: number of moves before the position
    tried  -- int16[samples, TRIED]; shares -- uint8[samples, TRIED]: see SearchRow
    worth  -- float32[samples]: a teacher's value of the position for the side to play; nan without a teacher
    """

    game: NDArray[np.int64]
    start: NDArray[np.int32]
    komi2: NDArray[np.int16]
    result: NDArray[np.int8]
    lead: NDArray[np.float32]
    owned: NDArray[np.int8]
    length: NDArray[np.int32]
    moves: NDArray[np.int16]
    of: NDArray[np.int32]
    ply: NDArray[np.int32]
    tried: NDArray[np.int16]
    shares: NDArray[np.uint8]
    worth: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.of)

    @property
    def arrays(self) -> Arrays:
        """Return the arrays by their names."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """Return a mask of the samples of games that are not learned from."""
        found: NDArray[np.bool_] = (self.game % HELD_OUT == HELD_OUT - 1)[self.of]
        return found

    def last(self, games: int) -> PlayedGames:
        """Return the latest games only."""
        return self if len(self.game) <= games else self.only(np.arange(len(self.game)) >= len(self.game) - games)

    def only(self, games: NDArray[np.bool_]) -> PlayedGames:
        """Return some of the games."""
        samples = games[self.of]
        of_games = {name: self.arrays[name][games] for name in OF_GAMES}
        of_samples = {name: self.arrays[name][samples] for name in OF_SAMPLES}
        of_samples["of"] = (np.cumsum(games) - 1)[of_samples["of"]].astype(np.int32)
        return PlayedGames(**of_games, **of_samples, moves=self.moves[np.repeat(games, self.length)])

    def joined(self, later: PlayedGames) -> PlayedGames:
        """Return these games and later ones."""
        later = replace(later, of=later.of + np.int32(len(self.game)))
        return PlayedGames(**{name: np.concatenate([a, later.arrays[name]]) for name, a in self.arrays.items()})


OF_GAMES: Final = ("game", "start", "komi2", "result", "lead", "owned", "length")
OF_SAMPLES: Final = ("of", "ply", "tried", "shares", "worth")


def none_played(points: int) -> PlayedGames:
    """Return no games."""
    kinds = {
        "game": np.int64, "start": np.int32, "komi2": np.int16, "result": np.int8, "lead": np.float32,
        "length": np.int32, "moves": np.int16, "of": np.int32, "ply": np.int32, "worth": np.float32,
    }  # fmt: skip
    arrays: Arrays = {name: np.zeros(0, kind) for name, kind in kinds.items()}
    tried, shares = np.zeros((0, k.TRIED), np.int16), np.zeros((0, k.TRIED), np.uint8)
    return PlayedGames(**arrays, owned=np.zeros((0, points), np.int8), tried=tried, shares=shares)


class SearchGames:
    """Play games on boards of one size, and make samples of them.

    strength -- that the network plays with
    starts, start -- number of other start positions, and the function that returns one by its number: half of the
                games begin there
    """

    def __init__(
        self, game: Game, size: int, komi: float, settings: SearchGameSettings, strength: float, seed: int,
        starts: int = 0, start: Start | None = None,
    ) -> None:  # fmt: skip
        self._game, self._size, self._komi, self._settings, self._seed = game, size, komi, settings, seed
        game.check_komi(komi)
        self._planes = game.need(Planes)
        self.strength, self._starts, self._start = strength, starts, start
        self.points = self._planes.points(size)

    def play(
        self, numbers: NDArray[np.float64], first: int, count: int, jobs: int, workers: Workers | None = None
    ) -> PlayedGames:
        """Play games number first to first + count - 1 by a network.

        jobs -- threads, used without workers; neither they nor the workers change the games
        """
        given = self._settings, self._seed, self.points, numbers
        pieces = [self._piece(number) for number in range(first, first + count)]
        if workers is None:
            parts = _in_threads(partial(SelfPlayWorker, self._game, *given), pieces, jobs)
        else:
            parts = list(workers.each(Task(SelfPlayWorker.play, begin_player, (self._game.full_name, *given)), pieces))
        found = none_played(self.points)
        for part in parts:
            found = found.joined(part)
        return found

    def batch(self, played: PlayedGames, rows: NDArray[np.int64], turned: bool = True) -> SampleBatch:
        """Return some samples; turned -- by the symmetries of the board in turn."""
        planes, n, of = self._planes, len(rows), played.of[rows]
        height, width = planes.shape(self._size)
        states = np.empty((n, self._game.cells), np.int32)
        for i, game in enumerate(of.tolist()):
            states[i] = self.begin(int(played.start[game]), int(played.komi2[game]))
        begins = np.concatenate([[0], np.cumsum(played.length, dtype=np.int64)])[of]
        x = np.empty((n, (height + 2) * (width + 2) * len(planes.names)), np.float32)
        policy, sides = np.empty((n, self.points + 1), np.float32), np.empty(n, np.int8)
        k.fill_samples(
            self._game.rules, planes.board, states, played.moves, begins, played.ply[rows],
            np.ascontiguousarray(played.tried[rows]), np.ascontiguousarray(played.shares[rows]),
            np.float32(self.strength), x, policy, sides,
        )  # fmt: skip
        sign = (3 - 2 * sides).astype(np.float32)
        owned = played.owned[of] * sign[:, None]
        board = x.reshape(n, height + 2, width + 2, -1)[:, 1:-1, 1:-1].copy()
        if turned:
            images = turned_points(height, width, planes.symmetries)
            for number, points in enumerate(images):
                part = slice(number, None, len(images))
                board[part] = turned_planes(board[part], points)
                for array in (policy, owned):
                    array[part, points] = array[part, : self.points].copy()
        worth = played.worth[rows]
        result = np.where(np.isnan(worth), played.result[of] * sign, worth)
        return SampleBatch(board, policy, result.astype(np.float32), owned, played.lead[of] * sign)

    def restored(self, memory: Arrays, prefix: str = PLAYED, usual: bool = False) -> PlayedGames:
        """Return the games of a checkpoint; usual -- only those that began at the usual position.

        prefix -- of the names of their arrays

        Raises GotoolsError for arrays that do not fit together, and for games that cannot have been played here.
        """
        check_memory(memory, {prefix + name: a for name, a in none_played(self.points).arrays.items()}, free=True)
        played = PlayedGames(**{name: memory[prefix + name] for name in PlayedGames.__slots__})
        fits = (
            all(len(played.arrays[name]) == len(played.game) for name in OF_GAMES)
            and all(len(played.arrays[name]) == len(played.of) for name in OF_SAMPLES)
            and (played.length >= 0).all()
            and played.length.sum() == len(played.moves)
            and ((played.of >= 0) & (played.of < len(played.game))).all()
        )
        if fits and usual:
            played = played.only(played.start == USUAL)
        if not (fits and self._could_be_played(played)):
            raise GotoolsError("cannot resume: the games in the checkpoint are damaged")
        return played

    def _could_be_played(self, played: PlayedGames) -> bool:
        """Return whether all moves are legal here, the samples stand in their order, and no number is out of range."""
        samples = np.concatenate([[0], np.cumsum(np.bincount(played.of, minlength=len(played.game)))])
        inside = bool(
            (played.game >= 0).all()
            and ((played.start >= USUAL) & (played.start < self._starts)).all()
            and (np.abs(played.result) <= 1).all()
            and (np.abs(played.owned) <= 1).all()
            and (np.abs(played.lead) <= self.points + _MOST_POINTS).all()
            and not (np.abs(played.worth) > 1).any()
            and (np.diff(played.of) >= 0).all()
        )
        end = 0
        for number in range(len(played.game) if inside else 0):
            begin, end = end, end + int(played.length[number])
            some = slice(int(samples[number]), int(samples[number + 1]))
            state = self.begin(int(played.start[number]), int(played.komi2[number]))
            inside = inside and k.could_be_played(
                self._game.rules, state, played.moves[begin:end], played.ply[some], played.tried[some],
                played.shares[some],
            )  # fmt: skip
        return inside

    def batches(self, played: PlayedGames, rows: NDArray[np.int64], size: int) -> Iterator[SampleBatch]:
        """Yield samples in batches, not turned."""
        for begin in range(0, len(rows), size):
            yield self.batch(played, rows[begin : begin + size], turned=False)

    def begin(self, start: int, komi2: int) -> NDArray[np.int32]:
        """Return the position where a game begins."""
        if start >= 0:
            assert self._start is not None
            state = self._start(start)
        else:
            state = self._game.position(self._size, 0.0)
        if self._game.komi >= 0:
            state[self._game.komi] = komi2
        return state

    def _piece(self, number: int) -> GameStart:
        """Draw the start position and the komi of a game."""
        chance = np.random.default_rng([self._seed, 6, number])
        start = int(chance.integers(self._starts)) if self._starts and number % 2 else USUAL
        komi2 = round(2 * self._komi)
        if self._game.komi >= 0 and chance.integers(OTHER_KOMI) == 0:
            komi2 += int(chance.integers(-2 * MOST_KOMI, 2 * MOST_KOMI + 1))
        return GameStart(number, start, komi2, self.begin(start, komi2))


class GameStart(NamedTuple):
    """A game to be played: its number, the number of its start position, and that position."""

    number: int
    start: int
    komi2: int
    state: NDArray[np.int32]


class SelfPlayWorker:
    """Play games by a network, one at a time, in a thread or on a worker.

    points -- of the board; for the others see SearchGames
    """

    def __init__(
        self, game: Game, settings: SearchGameSettings, seed: int, points: int, numbers: NDArray[np.float64]
    ) -> None:
        planes = game.need(Planes)
        self._game, self._planes, self._settings, self._seed, self._points = game, planes, settings, seed, points
        self._judgement = Judgement("", planes.judge, numbers, settings.trust)
        self._tree = new_tree((settings.playouts + 2) * game.longest)
        self._work = new_work(game.moves, game.longest)

    def play(self, piece: GameStart) -> PlayedGames:
        """Play a game."""
        game, settings = self._game, self._settings
        row = k.new_row(longest_game(game, int(piece.state[SIZE])), self._points)
        plan = k.SearchPlan(
            settings.playouts, settings.short, settings.long, self._points // _POINTS_A_DRAWN_MOVE, self._seed
        )
        how = USUAL_PUCT._replace(trust=settings.trust, mix=0.0)
        length = k.play_game(
            plan, piece.number, row, piece.state.copy(), self._tree, self._work, how, game.rules,
            as_value(game.playout), self._judgement.record, NO_ORDERING.scorer, self._planes.board,
        )  # fmt: skip
        plies = np.flatnonzero(row.searched[:length]).astype(np.int32)
        return PlayedGames(
            game=np.array([piece.number], np.int64),
            start=np.array([piece.start], np.int32),
            komi2=np.array([piece.komi2], np.int16),
            result=np.array([row.result[0]], np.int8),
            lead=np.array([row.result[1]], np.float32),
            owned=row.owned[None].copy(),
            length=np.array([length], np.int32),
            moves=row.moves[:length].copy(),
            of=np.zeros(len(plies), np.int32),
            ply=plies,
            tried=row.tried[plies],
            shares=row.shares[plies],
            worth=np.full(len(plies), np.nan, np.float32),
        )


def begin_player(
    game: str, settings: SearchGameSettings, seed: int, points: int, numbers: NDArray[np.float64]
) -> SelfPlayWorker:
    """Return a player of the game of a name, on a worker."""
    return SelfPlayWorker(find_game(game), settings, seed, points, numbers)


def _in_threads(begin: Callable[[], SelfPlayWorker], pieces: list[GameStart], jobs: int) -> list[PlayedGames]:
    """Play games in threads of this process, each with its own player."""
    here = threading.local()

    def play(piece: GameStart) -> PlayedGames:
        if not hasattr(here, "player"):
            here.player = begin()
        player: SelfPlayWorker = here.player
        return player.play(piece)

    with threads(jobs) as pool:
        return list(pool.map(play, pieces))
