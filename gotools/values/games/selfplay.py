"""Batches of games to learn from, and matches against fixed referees."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game
from gotools.game.learning import Heuristic
from gotools.jit import as_value
from gotools.jit.kernels.seams import Valuer
from gotools.search.kernels import plain
from gotools.search.knowledge import Ordering
from gotools.values.games.kernels import selfplay as k

SEEDS: Final = 2**63 - 1
"""The bits of a seed that kernels take."""
_CELLS_A_RANDOM_MOVE = 20
_MOST_RANDOM_MOVES = 4
_LONGEST: Final = 3
"""Moves of a game without a limit in its rules at most, for each point of a square board of its size."""

HELD_OUT: Final = 20
"""Of games of a search one in HELD_OUT is not learned from but measured on."""

ValueFunction = tuple[Any, NDArray[np.float64]]
"""A function compiled with the signature EVALUATE (kernels/seams.py), and its numbers."""


def longest_game(game: Game, size: int) -> int:
    """Return the moves after which a game is cut off, if its rules have not ended it."""
    return game.plies or _LONGEST * size * size


def new_scratch(game: Game, depth: int, limit: float = 1.0, quiescence: int = 0) -> plain.Scratch:
    """Make what one thread needs to search so deep.

    limit      -- the largest value of a position that is not decided
    quiescence -- plies of noisy moves beyond the depth
    """
    scratch: plain.Scratch = plain.new_scratch(game.cells, game.longest, depth, limit, quiescence, as_value(game.noisy))
    return scratch


class Policy(NamedTuple):
    """How games are played to learn from.

    epsilon     -- share of the learner's moves drawn uniformly at random, or chosen by the explorer
    temperature -- draw moves by exp(value / temperature); 0: the best one
    shares      -- of games against itself, a random player, the heuristic; they sum to 1
    dilution    -- share of the opponent's moves drawn at random; against itself, that makes one side the opponent
    depth       -- plies of the search that chooses a move (TD-Leaf)
    opening     -- number of random moves at the start of a game, of both sides together
    other_depth -- plies that the heuristic looks ahead
    quiescence  -- plies by which every search extends noisy moves beyond its depth
    """

    epsilon: float = 0.1
    temperature: float = 0.0
    shares: tuple[float, float, float] = (1.0, 0.0, 0.0)
    dilution: float = 0.0
    depth: int = 1
    opening: int = 0
    other_depth: int = 1
    quiescence: int = 0

    @property
    def plies(self) -> int:
        """Return the largest depth of a search; from 2 on, leaves are recorded."""
        return self.depth + self.quiescence

    @property
    def alone(self) -> bool:
        """Return whether the learner chooses all moves of all games itself, one ply deep."""
        return self._replace(epsilon=0.0, temperature=0.0) == Policy(0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Guide:
    """A restriction of the moves in self-play, as rules restrict a search.

    name     -- the digest of the rules
    ordering -- scores the moves
    width    -- number of moves that are considered, 0 for all
    penalty  -- value that a move costs for each unit that its score is below the best one's
    """

    name: str
    ordering: Ordering
    width: int
    penalty: float


GameBatch: TypeAlias = k.GameRows
"""A batch of games.

moves    -- int16[n, longest], -1 after the end
lengths  -- int64[n]
outcomes -- float64[n]: 1 if side 1 won, -1 if it lost, 0 for a draw; a game that is too long is passed out if the game
            has a pass, else it is a draw
explored -- uint8[n, longest]: 1 for a move of the learner that was not its best, and for random opening moves
learner  -- int8[n]: the side that learns; 0 where the evaluation played both sides
leaves   -- int16[n, longest, plies - 1]: moves from the position after move t to the leaf that its value came from,
            -1 fills; for moves that were not searched, the leaf of what the search makes of them
"""


def some_of(games: GameBatch, begin: int, end: int) -> GameBatch:
    """Return games begin to end - 1, as views."""
    return GameBatch(*(array[begin:end] for array in games))


def play_games(
    game: Game,
    evaluation: ValueFunction,
    opponent: Heuristic | None,
    policy: Policy,
    first_game: int,
    count: int,
    seed: int,
    size: int,
    jobs: int = 1,
    komi: float = 0.0,
    explorer: ValueFunction | None = None,
) -> GameBatch:
    """Play games number first_game to first_game + count - 1 of a run; the number of jobs (threads) changes nothing.

    opponent -- needed where policy.shares has games against the heuristic
    explorer -- an evaluation whose best move is played in place of each random one of policy.epsilon

    The learner's side alternates with the number of the game. A move is a pass only where no other is worthy.
    Raises GotoolsError for a policy, size or komi that cannot be played.
    """
    if size not in game.sizes:
        raise GotoolsError(f"{game.name} is not played on a board of size {size}")
    _check(policy, opponent)
    games, root = empty_games(game, count, size, policy.plies), game.position(size, komi)
    plan = k.BatchPlan(
        epsilon=float(policy.epsilon),
        temperature=float(policy.temperature),
        random=float(policy.shares[1]),
        heuristic=float(policy.shares[2]),
        dilution=float(policy.dilution),
        depth=int(policy.depth),
        opening=int(policy.opening),
        seed=int(seed) & SEEDS,
        other_depth=int(policy.other_depth),
        directed=int(explorer is not None),
    )
    valuer = Valuer(as_value(evaluation[0]), evaluation[1])
    other = valuer if opponent is None else Valuer(as_value(opponent.evaluate), opponent.numbers)
    guide = valuer if explorer is None else Valuer(as_value(explorer[0]), explorer[1])

    def play(begin: int, end: int) -> None:
        scratch = new_scratch(game, max(policy.depth, policy.other_depth), quiescence=policy.quiescence)
        k.play(plan, first_game + begin, some_of(games, begin, end), scratch, root, game.rules, valuer, other, guide)

    in_parts(count, jobs, play)
    return games


def empty_games(game: Game, count: int, size: int, plies: int) -> GameBatch:
    """Return room for games whose moves are searched up to `plies` deep."""
    games: GameBatch = k.new_rows(count, longest_game(game, size), plies)
    return games


def in_parts(count: int, jobs: int, play: Callable[[int, int], None]) -> None:
    """Play games 0 to count - 1 in threads, a few parts for each because games differ in length.

    play -- plays the games from one number up to, but not including, another
    """
    if jobs <= 1:
        play(0, count)
        return
    step = max(1, -(-count // (4 * jobs)))
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda begin: play(begin, min(begin + step, count)), range(0, count, step)))


def play_against(
    game: Game,
    evaluation: ValueFunction,
    opponent: Heuristic | None,
    count: int,
    seed: int,
    size: int,
    jobs: int = 1,
    depth: int = 1,
    komi: float = 0.0,
) -> tuple[int, int, int]:
    """Count an evaluation's victories, draws and losses in games against a referee, sides alternating.

    opponent -- a heuristic that looks one ply ahead; None: random worthy moves
    depth    -- plies that the evaluation looks ahead

    Both always play their best move (equal ones drawn at random). So that games against a heuristic differ, each begins
    with random moves: one for each 20 cells of the board, at most four.
    """
    opening = 0 if opponent is None else random_moves(size)
    shares = (0.0, 1.0, 0.0) if opponent is None else (0.0, 0.0, 1.0)
    policy = Policy(epsilon=0.0, shares=shares, depth=depth, opening=opening)
    games = play_games(game, evaluation, opponent, policy, 0, count, seed, size, jobs, komi)
    ours = games.outcomes * np.where(games.learner == 1, 1.0, -1.0)
    return int((ours > 0).sum()), int((ours == 0).sum()), int((ours < 0).sum())


def random_moves(size: int) -> int:
    """Return the number of random moves that begin a game between deterministic players."""
    return min(_MOST_RANDOM_MOVES, size * size // _CELLS_A_RANDOM_MOVE)


def _check(policy: Policy, opponent: Heuristic | None) -> None:
    """Raise GotoolsError for a policy that cannot be played."""
    shares = policy.shares
    if len(shares) != 3 or not all(0 <= share <= 1 for share in shares) or abs(sum(shares) - 1) > 1e-9:
        raise GotoolsError(f"shares of opponents (self, random, heuristic) must sum to 1, not {shares}")
    if shares[2] > 0 and opponent is None:
        raise GotoolsError("games against a heuristic need one: this game has none")
    for name in ("epsilon", "dilution"):
        if not 0 <= getattr(policy, name) <= 1:
            raise GotoolsError(f"{name} is a share from 0 to 1, not {getattr(policy, name)}")
    if not policy.temperature >= 0:
        raise GotoolsError(f"the temperature is at least 0, not {policy.temperature}")
    for depth in (policy.depth, policy.other_depth):
        if not 1 <= depth <= 8:
            raise GotoolsError(f"games are played 1 to 8 plies deep, not {depth}")
    if not 0 <= policy.quiescence <= 8:
        raise GotoolsError(f"games are played with 0 to 8 plies of quiescence, not {policy.quiescence}")
    if policy.opening < 0:
        raise GotoolsError(f"an opening has at least 0 moves, not {policy.opening}")
