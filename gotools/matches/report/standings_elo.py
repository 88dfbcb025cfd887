"""Elo of the engines of a tournament from their standings, with intervals, and the state of its sequential test.

Two engines: from their pairs of games (an opening played with both colours is one observation, so that the opening's
effect is not noise); their Elo is the difference to the other. More: Bradley-Terry over all games; 0 is the mean of
the engines, as in `gotools elo`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gotools.matches.report.standings import Pairing, Standings
from gotools.ratings.sprt import WIDEST, PairCounts, Sprt

if TYPE_CHECKING:
    from gotools.ratings.games import GameTally

LEVEL: Final = 0.95
"""Confidence of all intervals of a tournament."""


@dataclass(frozen=True, slots=True)
class EngineElo:
    """An estimate and its 95 % interval."""

    elo: float
    low: float
    high: float

    @property
    def open_below(self) -> bool:
        """Return whether the interval has no lower end."""
        return self.low < 1.0 - WIDEST  # the ends are found to a fraction of an Elo

    @property
    def open_above(self) -> bool:
        """Return whether the interval has no upper end."""
        return self.high > WIDEST - 1.0

    @property
    def negated(self) -> EngineElo:
        """The same from the other side's view."""
        return EngineElo(-self.elo, -self.high, -self.low)

    def times(self, factor: float) -> EngineElo:
        """Return the estimate and interval of a positive multiple."""
        return EngineElo(self.elo * factor, self.low * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class EloTable:
    """Elo by name of the engine; engines without games are missing.

    of -- with two engines the difference to the other, with more from the mean of all
    against_others -- the difference to the mean of the other engines
    groups -- of engines without games between them; each group has its own zero and cannot be compared with others
    """

    of: Mapping[str, EngineElo] = field(default_factory=dict)
    against_others: Mapping[str, EngineElo] = field(default_factory=dict)
    groups: int = 1


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Figures of the first of two engines, from their pairs of games.

    elo -- logistic, less the second one's; normalized -- in deviations (nElo), None if all pairs score alike
    los -- likelihood of superiority: how likely the first is the stronger, 0 to 1
    """

    elo: EngineElo
    normalized: EngineElo | None
    los: float


@dataclass(frozen=True, slots=True)
class SprtState:
    """A test and the pairs it has counted."""

    sprt: Sprt
    counts: PairCounts

    @property
    def verdict(self) -> str | None:
        """The hypothesis accepted, "h0" or "h1"; None: not decided."""
        return self.sprt.verdict(self.counts)

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        return self.sprt.llr(self.counts)

    @property
    def pairs(self) -> int:
        """Pairs of games counted."""
        return sum(self.counts)

    @property
    def estimate(self) -> EngineElo | None:
        """The first engine's Elo against its opponents; corrected for the stop once the test has its verdict.

        None without pairs.
        """
        from gotools.ratings.sprt import elo_after_stop, elo_of_pairs

        if not self.pairs:
            return None
        stopped = self.verdict is not None
        found = elo_after_stop(self.sprt, self.counts, LEVEL) if stopped else elo_of_pairs(self.counts, LEVEL)
        return EngineElo(found.elo, found.low, found.high)

    @property
    def text(self) -> str:
        """The verdict in words, with its figures."""
        low, high = self.sprt.bounds
        where = f"LLR {self.llr:.2f} [{low:.2f}, {high:.2f}], {self.pairs} pair{'s' * (self.pairs != 1)}"
        h0, h1 = f"H0 (Elo {self.sprt.elo0:g})", f"H1 (Elo {self.sprt.elo1:g})"
        if self.verdict is None:
            return f"undecided between {h0} and {h1}: {where}"
        accepted, other = (h1, h0) if self.verdict == "h1" else (h0, h1)
        return f"accepts {accepted} over {other}: {where}"


def elo_table(standings: Standings) -> EloTable:
    """Return the Elo of every engine that has games. Takes some milliseconds; loads numpy and scipy."""
    players = [engine.name for engine in standings.engines if engine.score.games]
    if not players:
        return EloTable()
    if len(standings.engines) == 2:
        one, other = players
        difference = pairing_elo(standings.pairing(one, other))
        if difference is not None:
            both = {one: difference, other: difference.negated}
            return EloTable(both, both)
    return _from_all_games(standings)


def pairing_elo(pairing: Pairing) -> EngineElo | None:
    """Return the Elo of a pairing's first engine less that of its second; None without a complete pair of games."""
    figures = pair_figures(pairing)
    return None if figures is None else figures.elo


def pair_figures(pairing: Pairing) -> PairFigures | None:
    """Return the figures of a pairing; None without a complete pair of games."""
    from gotools.ratings.sprt import elo_of_pairs, normalized_elo

    if not any(pairing.pairs):
        return None
    found, normalized = elo_of_pairs(pairing.pairs, LEVEL), normalized_elo(pairing.pairs, LEVEL)
    elo = EngineElo(found.elo, found.low, found.high)
    return PairFigures(elo, None if normalized is None else EngineElo(*normalized), found.superiority)


def superiorities(standings: Standings) -> dict[tuple[str, str], float]:
    """Return how likely the one of two engines is the stronger, for all pairs that games connect.

    Two engines: from their pairs of games, as `pair_figures` has it. More: by Bradley-Terry over all games, so for
    engines that did not meet too.
    """
    from gotools.ratings.bradley_terry import apart, rate

    if len(standings.engines) == 2:
        one, other = (engine.name for engine in standings.engines)
        figures = pair_figures(standings.pairing(one, other))
        return {} if figures is None else {(one, other): figures.los, (other, one): 1.0 - figures.los}
    found: dict[tuple[str, str], float] = {}
    if any(engine.score.games for engine in standings.engines):
        for ratings in map(rate, apart(_tally(standings))):
            shares = ratings.superiorities().tolist()
            for one, row in zip(ratings.players, shares, strict=True):
                found |= {
                    (one, other): share for other, share in zip(ratings.players, row, strict=True) if one != other
                }
    return found


def _from_all_games(standings: Standings) -> EloTable:
    """Rate all engines together; groups without games between them separately."""
    from gotools.ratings.bradley_terry import apart, rate

    tally = _tally(standings)
    groups = apart(tally)
    of: dict[str, EngineElo] = {}
    against: dict[str, EngineElo] = {}
    for group in groups:
        ratings = rate(group)
        n = len(ratings.players)
        for i, name in enumerate(ratings.players):
            elo = float(ratings.elo[i])
            low, high = (elo if end is None else end for end in ratings.interval(i, LEVEL))  # the prior bounds both
            against[name] = EngineElo(elo, low, high).times(n / (n - 1))  # the others' mean is -elo / (n - 1)
            of[name] = against[name] if len(standings.engines) == 2 else EngineElo(elo, low, high)
    return EloTable(of, against, len(groups))


def _tally(standings: Standings) -> GameTally:
    """Count the games; those of a tournament share komi, handicap and size, so they are one class."""
    from gotools.ratings.games import GameClass, GameTally

    kind = GameClass()
    rows = []
    for pairing in standings.pairings:
        rows.append((pairing.first, pairing.second, pairing.black))
        rows.append((pairing.second, pairing.first, pairing.white.reversed))
    return GameTally.from_rows((b, w, kind, s.wins, s.draws, s.losses) for b, w, s in rows if s.games)
