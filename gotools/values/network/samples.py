"""Positions of game records to train the network on, in batches of one board size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.base.phases import Watch
from gotools.game.examples.examples import Examples
from gotools.game.examples.gather import Gathering
from gotools.game.examples.packed import PackedExamples, pack
from gotools.game.game import Game
from gotools.game.learning import Planes
from gotools.game.records.ranks import PROFESSIONAL, rank_value
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection
from gotools.values.network.symmetries import turned_planes, turned_points

USUAL_KOMI: Final = 7.0
"""Komi of records that name none."""
UNKNOWN_STRENGTH: Final = 0.0
_RANKS: Final = 10.0
"""Ranks for a unit of strength."""
_EVEN: Final = 1.5 / _RANKS
"""Strengths that differ by less are of players at most a rank apart."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Decisions in games, and facts about the games; arrays have one entry per decision.

    komi2    -- int16: twice the komi
    strength -- float32: of the side to play, see `strength_of`
    result   -- int8: 1 if the side to play won, -1 if it lost, 0 if that is not known
    game     -- int32: the number of the game
    """

    rows: PackedExamples[Examples]
    komi2: NDArray[np.int16]
    strength: NDArray[np.float32]
    result: NDArray[np.int8]
    game: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def games(self) -> int:
        """Return the number of games."""
        return len(np.unique(self.game))

    def only(self, which: NDArray[np.integer]) -> Samples:
        """Return some of them."""
        rows = self.rows.only(which)
        return Samples(rows, self.komi2[which], self.strength[which], self.result[which], self.game[which])

    def state(self, row: int) -> NDArray[np.int32]:
        """Return the position of a decision, for the functions of the game."""
        return self.rows.take(np.array([row])).state(0, float(self.komi2[row]) / 2)


@dataclass(frozen=True, slots=True)
class SampleBatch:
    """Samples of one board size, as a network takes them.

    planes -- float32[n, rows, columns, planes]
    policy -- int64[n]: the point that was played; or float32[n, points + 1]: the share of each point, and of a pass
    result -- float32[n]: 1, -1; 0 if it is not known
    owned  -- float32[n, points]: 1 for points that the side to play owns at the end, -1 for those of the other side
    lead   -- float32[n]: points by which the side to play is ahead at the end; both None if not known
    """

    planes: NDArray[np.float32]
    policy: NDArray[np.int64] | NDArray[np.float32]
    result: NDArray[np.float32]
    owned: NDArray[np.float32] | None = None
    lead: NDArray[np.float32] | None = None


def strength_of(rank: str) -> float:
    """Return a rank as a number of about -3 (30k) to 1.5 (9p); 1k and 1d are about 0."""
    value = rank_value(rank)
    if value is None:
        return UNKNOWN_STRENGTH
    ranks = 9.0 + (value - PROFESSIONAL) / 2 if value > PROFESSIONAL else min(value, 9.0)
    return max(ranks, -30.0) / _RANKS


def read_samples(
    paths: Sequence[str], game: Game, sizes: frozenset[int], report: Callable[[str], None], watch: Watch
) -> Samples:
    """Read the decisions in records; passes are left out where the game is counted.

    sizes -- board sizes; empty: all

    Raises GotoolsError if there are no decisions.
    """
    gathering = Gathering(paths, game, Selection(sizes=sizes), report, watch.advance)
    watch.phase("reading records", len(gathering.files))
    facts: list[tuple[NDArray[Any], ...]] = []
    games = 0

    def batches() -> Iterator[Examples]:
        nonlocal games
        for records, rows in gathering.played():
            komi2, strength, result = _known(records, USUAL_KOMI if game.komi >= 0 else 0.0)
            side = rows.to_play.astype(np.int64) - 1
            of_game = rows.game + np.int32(games)
            facts.append((komi2[rows.game], strength[rows.game, side], result[rows.game, side], of_game))
            games += len(records)
            yield rows

    packed = pack(batches())
    if not len(packed):
        raise GotoolsError(gathering.why_nothing())
    return Samples(packed, *map(np.concatenate, zip(*facts, strict=True)))


def _known(
    records: Sequence[Record], usual_komi: float
) -> tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.int8]]:
    """Return twice the komi of games, and the strength and the result of black and of white in each.

    The result counts as unknown where the strengths differ by more than a rank: the network sees only the strength of
    the side to play, and would learn that strong players win from any position.
    """
    komi = [usual_komi if record.komi is None else record.komi for record in records]
    strength = [[strength_of(rank) for rank in record.ranks] for record in records]
    sign = {0: 0, 1: 1, 2: -1}
    even = [abs(a - b) < _EVEN for a, b in strength]
    won = [sign[record.winner] if alike else 0 for record, alike in zip(records, even, strict=True)]
    return (
        np.clip(np.round(2 * np.array(komi)), -1000, 1000).astype(np.int16),
        np.array(strength, np.float32).reshape(-1, 2),
        np.array([[one, -one] for one in won], np.int8).reshape(-1, 2),
    )


def apart(samples: Samples, share: float, most: int, seed: int) -> tuple[Samples, Samples]:
    """Split samples by game: return the larger part, and a share of the games drawn at random, `most` at most."""
    games = np.unique(samples.game)
    count = min(int(share * len(games)), most)
    held = np.isin(samples.game, np.random.default_rng([seed, 2]).permutation(games)[:count])
    return samples.only(np.flatnonzero(~held)), samples.only(np.flatnonzero(held))


def epoch(samples: Samples, number: int, size_of_batch: int, seed: int) -> list[NDArray[np.int64]]:
    """Return the rows of each batch of a pass through all samples; a batch has one board size."""
    chance = np.random.default_rng([seed, 3, number])
    order = chance.permutation(len(samples))
    batches = []
    for size in np.unique(samples.rows.size):
        rows = order[samples.rows.size[order] == size]
        batches += [rows[begin : begin + size_of_batch] for begin in range(0, len(rows), size_of_batch)]
    return [batches[i] for i in chance.permutation(len(batches))]


def batch_of(samples: Samples, rows: NDArray[np.int64], turned: bool = True) -> SampleBatch:
    """Return samples of one board size; turned -- in equal parts by the symmetries of the board."""
    some, komi2, strength = samples.rows.take(rows), samples.komi2[rows], samples.strength[rows]
    kind, size = some.of.need(Planes), int(some.size[0])
    height, width = kind.shape(size)
    x, policy = _filled(kind, some, komi2, strength)
    planes = x.reshape(len(rows), height + 2, width + 2, len(kind.names))[:, 1:-1, 1:-1]
    if turned:
        planes = planes.copy()
        for number, points in enumerate(turned_points(height, width, kind.symmetries)):
            part = slice(number, None, kind.symmetries)
            planes[part] = turned_planes(planes[part], points)
            policy[part] = points[policy[part]]
    return SampleBatch(np.ascontiguousarray(planes), policy, samples.result[rows].astype(np.float32))


def _filled(
    kind: Planes, some: Examples, komi2: NDArray[np.int16], strength: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the planes of positions of one board size, with a border, float32[n, numbers]; and the points played."""
    if kind.fill_rows is not None:
        return kind.fill_rows(some, komi2, strength), some.move.astype(np.int64)
    size, game, policy = int(some.size[0]), some.of, np.empty(len(some), np.int64)
    height, width = kind.shape(size)
    x = np.empty((len(some), (height + 2) * (width + 2) * len(kind.names)), np.float32)
    for row, (move, komi, level) in enumerate(zip(some.move.tolist(), komi2.tolist(), strength, strict=True)):
        state = some.state(row, komi / 2)
        kind.fill(state, level, x[row])
        policy[row] = kind.place(state, game.move_at(move, size))
    return x, policy
