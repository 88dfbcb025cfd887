"""Players that search some plies ahead with an evaluation, games between them, and all the ways to lose."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game
from gotools.jit import as_value
from gotools.jit.kernels.seams import ONGOING, Valuer
from gotools.search.kernels.knowledge import no_value
from gotools.values.games.kernels import match as m
from gotools.values.games.selfplay import in_parts, longest_game, new_scratch


@dataclass(frozen=True, slots=True, eq=False)
class Searcher:
    """A player that chooses the best move after `depth` plies of plain alpha-beta, one of equals at random.

    evaluate -- compiled with the signature EVALUATE of kernels/seams.py; by default all positions are worth 0 that are
                not decided within the depth
    numbers  -- the numbers of the evaluation

    Raises GotoolsError for a depth below 1.
    """

    depth: int
    evaluate: Any = no_value
    numbers: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise GotoolsError(f"a player has to look at least 1 ply ahead, not {self.depth}")

    @property
    def player(self) -> m.SearchPlayer:
        """Return the record that kernels take."""
        return m.SearchPlayer(self.depth, 0.0, Valuer(as_value(self.evaluate), self.numbers))


class Score(NamedTuple):
    """Games counted."""

    won: int
    drawn: int
    lost: int


class Played(NamedTuple):
    """A finished game.

    result   -- +1 where the first player won, -1 where the second one did, else 0
    position -- the final position
    """

    result: float
    position: NDArray[np.int32]


def play_match(
    game: Game,
    first: Searcher,
    second: Searcher,
    seed: int,
    size: int | None = None,
    komi: float = 0.0,
    opening: int = 0,
) -> Played:
    """Play a game; opening -- number of random moves at the start.

    A game that reaches `longest_game` is passed out if there is a pass, else a draw.
    """
    size = size or game.sizes[0]
    scratch = new_scratch(game, max(first.depth, second.depth), m.OPEN)
    result = m.play(
        game.position(size, komi),
        longest_game(game, size),
        first.player,
        second.player,
        opening,
        np.uint64(seed),
        scratch,
        game.rules,
    )
    return Played(float(result), scratch.states[0].copy())


def play_series(
    game: Game,
    player: Searcher,
    other: Searcher,
    games: int,
    seed: int,
    size: int | None = None,
    jobs: int = 1,
    komi: float = 0.0,
    opening: int = 0,
) -> tuple[Score, Score]:
    """Play `games` games as first and as many as second player; return the player's scores in both parts.

    jobs -- threads; their number changes nothing; opening -- number of random moves at the start
    """
    seeds = game_seeds(2 * games, seed)

    def one(i: int) -> float:
        if i < games:
            return play_match(game, player, other, int(seeds[i]), size, komi, opening).result
        return -play_match(game, other, player, int(seeds[i]), size, komi, opening).result

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        results = list(pool.map(one, range(2 * games)))
    return _score(results[:games]), _score(results[games:])


def _score(results: Sequence[float]) -> Score:
    return Score(sum(r > 0 for r in results), sum(r == 0 for r in results), sum(r < 0 for r in results))


def best_moves(game: Game, player: Searcher, state: NDArray[np.int32]) -> list[int]:
    """List the equally good moves that a player draws from in an unfinished position."""
    scratch, tied = new_scratch(game, player.depth, m.OPEN), np.empty(game.longest, np.int32)
    scratch.states[0] = state
    count = m.best_moves(player.depth, scratch, tied, game.rules, player.player.valuer)
    return [int(move) for move in tied[:count]]


def ways_to_lose(game: Game, player: Searcher, size: int | None = None, limit: int = 1_000_000) -> list[list[int]]:
    """List the lines of play in which the player may lose, as first and as second player.

    All legal moves of the opponent and all tied moves of the player are walked; of lines that meet in one position only
    the first goes on. An empty list is a proof that the player never loses. For small games only.

    Raises GotoolsError if there are more than `limit` positions.
    """
    losses: list[list[int]] = []
    for players_turn in (True, False):
        seen: set[tuple[int, bool]] = set()
        waiting = [(game.position(size), players_turn, list[int]())]
        while waiting:
            state, own, line = waiting.pop()
            value = game.outcome(state)
            if value != ONGOING:
                if value < 0 if own else value > 0:
                    losses.append(line)
                continue
            for move in best_moves(game, player, state) if own else game.moves_of(state):
                target = game.play(state, move)
                mark = (int(game.key(target)), own)
                if mark not in seen:
                    seen.add(mark)
                    waiting.append((target, not own, [*line, move]))
            if len(seen) > limit:
                raise GotoolsError(f"{game.name} has too many positions to walk them all")
    return losses


def game_seeds(count: int, *key: int) -> NDArray[np.uint64]:
    """Return `count` seeds of games; key -- numbers of 0 or more that identify the batch."""
    return np.random.SeedSequence(key).generate_state(count, np.uint64).astype(np.uint64)


def play_pairs(
    game: Game,
    evaluate: Any,
    pool: NDArray[np.float64],
    pairs: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    jobs: int,
    depth: int,
    *,
    epsilon: float = 0.0,
    dilution: float = 0.0,
    opening: int = 0,
    size: int | None = None,
    komi: float = 0.0,
) -> NDArray[np.float64]:
    """Play games of individuals; return +1 for each that the individual whose game it is wins, -1 if it loses, else 0.

    pool  -- float64[individuals, numbers]
    pairs -- int64[games, 3]: the individual whose game it is, its opponent, 1 if the opponent plays first
    seeds -- uint64[games], of each game's own generator, so that the number of threads (jobs) changes nothing
    depth -- plies of search
    epsilon, dilution -- chance of a random move of the individual whose game it is, and of its opponent
    opening -- number of random plies at the start
    """
    results = np.empty(len(pairs))
    pool, pairs = np.ascontiguousarray(pool), np.ascontiguousarray(pairs)  # of one weight, the pool is in columns
    root = game.position(size, komi)
    plan = m.MatchPlan(longest_game(game, size or game.sizes[0]), depth, float(epsilon), float(dilution), opening)

    def part(begin: int, end: int) -> None:
        rows, scratch = slice(begin, end), new_scratch(game, depth, m.OPEN)
        m.play_pairs(pairs[rows], seeds[rows], results[rows], pool, root, plan, scratch, game.rules, as_value(evaluate))

    in_parts(len(pairs), jobs, part)
    return results
