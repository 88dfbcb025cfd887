"""What separates players: the habits of bands of ranks compared, and one player compared with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, quoted
from gotools.base.phases import UNWATCHED, Watch
from gotools.game.game import find_game
from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.explain.sentences import sentence
from gotools.views.lessons.bands import RANKS, RATINGS, Band, Scale, band_of
from gotools.views.lessons.habits import Sides
from gotools.views.lessons.rank_model import Measured, learn_ranks
from gotools.views.lessons.shares import HabitDifferences, HabitShares, habit_differences, habit_shares

USUAL_SIZE: Final = 9
NEAR: Final = 3
"""Names that are offered where a player's is unknown."""
_SURELY: Final = 1e-4
"""Distance that shares keep from 0 and 1 before their logarithms are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class BandHabits:
    """A band of ranks: its sides (players in games), players, decisions, and the shares of its habits."""

    name: str
    sides: int
    players: int
    decisions: int
    shares: HabitShares


@dataclass(frozen=True, slots=True, eq=False)
class PlayerHabits:
    """One player among the bands.

    written  -- mean of the ranks in the records, in steps; None without
    estimate -- rank by the habits, in steps, with the ends of its 95 % interval; None where ranks could not be learned
    shares   -- of the habits
    like     -- int64[rules]: the band that plays most like the player, -1 if unknown
    evidence -- float64[rules]: logarithm of how many times likelier the player's moves are under the shares of that
        band than under those of the band least like it
    """

    name: str
    games: int
    decisions: int
    written: float | None
    estimate: tuple[float, float, float] | None
    shares: HabitShares
    like: NDArray[np.int64]
    evidence: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Habits of bands, the weakest first. order -- rules, those that separate the strong from the weak best first.

    game -- by its name; scale -- of the strength of players
    """

    game: str
    scale: Scale
    rules: RuleSet
    games: int
    bands: list[BandHabits]
    differences: HabitDifferences
    order: list[int]
    measured: list[Measured]
    player: PlayerHabits | None

    @property
    def size(self) -> int:
        """The board that sentences and drawings are for."""
        known = find_game(self.game).sizes
        return self.rules.sizes[1] if self.rules.sizes else USUAL_SIZE if USUAL_SIZE in known else known[0]

    def __repr__(self) -> str:
        return f"Lessons({self.rules!r}, games={self.games}, bands={[band.name for band in self.bands]})"

    def rule(self, number: int) -> Rule:
        """Return a rule by its number."""
        return self.rules.rules[number]

    def words(self, number: int) -> str:
        """Return a rule as a sentence."""
        return sentence(self.rule(number), self.size)


def lessons_of(
    sides: Sides,
    game: str,
    rules: RuleSet,
    bands: Sequence[Band],
    player: str | None,
    where: str,
    watch: Watch = UNWATCHED,
) -> Lessons:
    """Compare the bands of ranks, and a player with them, whose own games are then left out of the bands.

    where -- the games, in errors

    Raises GotoolsError as `bands_of` does.
    """
    number = bands_of(sides.players, sides.ranks, bands, player, where)
    is_mine = np.array([name == player for name in sides.players], np.bool_)
    mine, others = (None if player is None else sides.take(is_mine)), sides.take(~is_mine)
    watch.phase("comparing bands")
    found = [_band_habits(band.name, sides.take(number == at)) for at, band in enumerate(bands)]
    differences = habit_differences(found[-1].shares, found[0].shares)
    watch.phase("learning ranks")
    model = learn_ranks(others)
    estimate = None
    if model is not None and mine is not None:
        rank, half = model.estimate(mine)
        estimate = (rank, rank - half, rank + half)
    return Lessons(
        game=game,
        scale=bands[0].scale,
        rules=rules,
        games=len(np.unique(sides.game)),
        bands=found,
        differences=differences,
        order=differences.order().tolist(),
        measured=[] if model is None else model.measured,
        player=None if mine is None else _player_habits(mine, found, estimate),
    )


def bands_of(
    players: Sequence[str], ranks: NDArray[np.float64], bands: Sequence[Band], player: str | None, where: str
) -> NDArray[np.int64]:
    """Return the number of each side's band; -1 outside all bands, and for the player who is compared.

    players, ranks -- of the sides; where -- the games, in errors

    Raises GotoolsError where no game is of that player, no other player has a rank, or a band is empty.
    """
    mine = np.array([name == player for name in players], np.bool_)
    if player is not None and not mine.any():
        names = sorted({name for name in players if name})
        raise GotoolsError(f"{where}: no game of a player {quoted(player)}{nearest(player, names, '', NEAR)}")
    known, scale = ranks[~mine & ~np.isnan(ranks)], bands[0].scale
    if not len(known):
        what = {RANKS: "a rank (BR, WR)", RATINGS: "a rating (a number in BR, WR)"}[scale]
        raise GotoolsError(f"{where}: no player has {what}, by which players are compared")
    number = np.where(mine, -1, band_of(ranks, bands))
    for at, band in enumerate(bands):
        if not (number == at).any():
            there = f"{scale.text(known.min())} to {scale.text(known.max())}"
            raise GotoolsError(
                f"{where}: no player of the band {band.name}; {scale.what} there are {there}: see --bands"
            )
    return number


def _band_habits(name: str, sides: Sides) -> BandHabits:
    players = sides.player_numbers()
    return BandHabits(
        name, len(sides), int(players.max()) + 1, int(sides.decisions.sum()), habit_shares(sides, players)
    )


def _player_habits(
    mine: Sides, bands: Sequence[BandHabits], estimate: tuple[float, float, float] | None
) -> PlayerHabits:
    shares = habit_shares(mine, mine.game)
    share = np.nan_to_num(shares.share)
    likely = []
    for band in bands:
        theirs = np.clip(band.shares.share, _SURELY, 1 - _SURELY)
        likely.append(shares.effective * (share * np.log(theirs) + (1 - share) * np.log(1 - theirs)))
    table = np.stack(likely)
    known = (shares.opportunities > 0) & ~np.isnan(table).any(axis=0)
    table = np.where(known, table, 0.0)
    ranks = mine.ranks[~np.isnan(mine.ranks)]
    return PlayerHabits(
        name=mine.players[0],
        games=len(mine),
        decisions=int(mine.decisions.sum()),
        written=float(ranks.mean()) if len(ranks) else None,
        estimate=estimate,
        shares=shares,
        like=np.where(known, table.argmax(axis=0), -1),
        evidence=np.ptp(table, axis=0),
    )
