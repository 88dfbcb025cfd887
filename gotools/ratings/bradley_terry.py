"""Rate players by the Bradley-Terry model with first-move advantages, and estimate how certain the ratings are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.ratings.components import Disconnected, groups_of_names, joined_by_games, joined_by_wins, reach
from gotools.ratings.estimates import ELO, Bound, Ratings, Spread, find_player
from gotools.ratings.games import ITSELF
from gotools.ratings.information import DENSE_UP_TO, MOST_CLASSES, Floats, NoMaximum, elimination_order
from gotools.ratings.intervals import FARTHEST, Profiles
from gotools.ratings.likelihood import Likelihood
from gotools.ratings.newton import Fit, is_determined, maximise
from gotools.ratings.settings import DEFAULT, RatingSettings

if TYPE_CHECKING:
    from gotools.ratings.games import GameTally

__all__ = ["ELO", "Ratings", "apart", "nothing_to_rate", "rate"]

VANISHING = 1e-4
"""A negligible prior (virtual draws), with which the likelihood for one-sided bounds has a maximum."""
MOST_DENSE = 15_000
"""Most players and classes of games with dense information: 15,000 parameters take some 6 GB."""
MOST_SPARSE = 200_000
"""Most players with sparse information."""


def rate(tally: GameTally, options: RatingSettings = DEFAULT, advance: Callable[[], object] = lambda: None) -> Ratings:
    """Rate the players of a tally.

    advance -- called at each step; with a thousand players a step takes some hundredths of a second

    Newton's method on the dense information; the covariance is the inverse of all of it (ratings, advantages, draw
    parameter, prior included), so that differences have the right width. Counting a draw as half a win makes intervals
    a little too wide if there are many draws.

    Bradley, Terry (1952); Hunter (2004) for the maximum; Davidson (1970) for draws.

    Raises GotoolsError for no games, one player, too many players or classes, unknown anchors, a likelihood without a
    maximum (advantages that the games cannot separate from the ratings); Disconnected (one of them) for groups of
    players without games between them.
    """
    games = _CountedGames(tally, options)
    labels = joined_by_games(games.n, games.black, games.white, list(games.anchors))
    if labels.any():
        raise Disconnected(groups_of_names(labels, games.players, games.played()))
    games.check_size(options.advantage)
    rating = _Rating(games, options, advance)
    try:
        fit = maximise(*rating.problem(rating.rows, options), advance=advance)
        variance = fit.inverse.variances[fit.likelihood.advantages] * ELO**2
    except NoMaximum:
        raise GotoolsError(rating.why_no_maximum(options)) from None
    return rating.result(fit, variance)


def apart(tally: GameTally) -> list[GameTally]:
    """Divide a tally into groups without games between them, the largest first."""
    games = _CountedGames(tally, DEFAULT)
    names = groups_of_names(joined_by_games(games.n, games.black, games.white), games.players, games.played())
    at = {name: i for i, name in enumerate(tally.players)}
    group = np.full(len(tally.players), -1)
    for number, members in enumerate(names):
        group[[at[name] for name in members]] = number
    parts = []
    for number in range(len(names)):
        rows = group[tally.black] == number
        columns = {name: getattr(tally, name)[rows] for name in ("black", "white", "kind", "wins", "draws", "losses")}
        parts.append(replace(tally, **columns, excluded=tally.excluded if number == 0 else {}))
    return parts


class _CountedGames:
    """The rows of a tally that count, with the players who have such games."""

    def __init__(self, tally: GameTally, options: RatingSettings) -> None:
        games = tally.wins + tally.draws + tally.losses
        rows = games > 0
        self.excluded = dict(tally.excluded)
        black, white = tally.black[rows], tally.white[rows]
        plays = np.bincount(black, minlength=len(tally.players)) + np.bincount(white, minlength=len(tally.players)) > 0
        self.players = [name for name, here in zip(tally.players, plays.tolist(), strict=True) if here]
        self.n = len(self.players)
        if not rows.any():
            raise GotoolsError(nothing_to_rate(self.excluded))
        numbers = np.cumsum(plays) - 1
        self.black, self.white = numbers[black], numbers[white]
        # without advantages the classes are alike, and each would make the information wider
        classes, kind = np.unique(tally.kind[rows] if options.advantage else 0 * tally.kind[rows], return_inverse=True)
        self.classes = [tally.classes[i] for i in classes]
        self.kind = kind.astype(np.intp)
        self.wins, self.draws, self.losses = (x[rows] for x in (tally.wins, tally.draws, tally.losses))
        self.anchors = {find_player(self.players, name): elo / ELO for name, elo in options.anchors.items()}

    def check_size(self, advantage: bool) -> None:
        """Raise GotoolsError for more players and classes than can be rated together."""
        if self.n <= MOST_SPARSE and self.order is not None:
            return
        if self.n > MOST_DENSE:
            raise GotoolsError(
                f"{self.n:,} players, and at most {MOST_DENSE:,} can be rated at once ({MOST_SPARSE:,} if most met "
                "few others)"
            )
        if advantage and self.n + len(self.classes) > MOST_DENSE:
            raise GotoolsError(
                f"{self.n:,} players and {len(self.classes):,} classes of games (komi, handicap, size), and at most "
                f"{MOST_DENSE:,} of both can be rated at once; rate without first-move advantage (--no-advantage)"
            )

    def by_player(self, black: NDArray[np.int64], white: NDArray[np.int64]) -> NDArray[np.int64]:
        total = np.bincount(self.black, black, self.n) + np.bincount(self.white, white, self.n)
        return total.astype(np.int64)

    def played(self) -> NDArray[np.int64]:
        games = self.wins + self.draws + self.losses
        return self.by_player(games, games)

    @property
    def points(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Twice the points of black and of white, by row."""
        return 2 * self.wins + self.draws, 2 * self.losses + self.draws

    def perfect(self) -> NDArray[np.bool_]:
        """The players who scored nothing, or everything."""
        black, white = self.points
        score, lost = self.by_player(black, white), self.by_player(white, black)
        return np.asarray((score == 0) | (lost == 0))

    def likelihood(self, rows: NDArray[np.bool_], prior: float, options: RatingSettings) -> Likelihood:
        wins, draws, losses = (x[rows].astype(np.float64) for x in (self.wins, self.draws, self.losses))
        learns_draws = options.draws == "davidson" and bool(self.draws[rows].any())
        places = self.black[rows], self.white[rows], self.kind[rows]
        return Likelihood(self.n, len(self.classes), *places, wins, draws, losses, prior, learns_draws, self.order)

    @cached_property
    def order(self) -> NDArray[np.intp] | None:
        """An order in which many players can be eliminated from the equations; None if these are dense."""
        if self.n <= DENSE_UP_TO or len(self.classes) > MOST_CLASSES:
            return None
        return elimination_order(self.n, self.black, self.white)


def nothing_to_rate(excluded: Mapping[str, int]) -> str:
    """Return a message that no game counts, and why; excluded -- games left out, by reason."""
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(excluded.items()) if count)
    if not reasons:
        return "no game to rate"
    if set(excluded) == {ITSELF}:
        return f"one player only, in {excluded[ITSELF]:,} games against itself: a rating compares players"
    return f"no game to rate; left out: {reasons}"


class _Rating:
    """The steps of `rate`: the informative games, the maximum, the covariance, the gauge."""

    def __init__(self, games: _CountedGames, options: RatingSettings, advance: Callable[[], object]) -> None:
        self.games = games
        self.options = options
        self.advance = advance
        n = games.n
        self.rows = np.ones(len(games.black), bool)
        self.labels = np.zeros(n, np.intp)
        self.open_classes = np.zeros(len(games.classes), bool)
        if options.prior == 0:
            self._leave_out_what_has_no_maximum()
        self.core = self._core()
        self.bound = self._bounds()
        rated = np.flatnonzero(self.core)
        self.mean = np.zeros(n)
        if not games.anchors:
            self.mean[rated] = 1.0 / len(rated)

    def result(self, fit: Fit, variance: Floats) -> Ratings:
        games, options, n = self.games, self.options, self.games.n
        ratings = fit.parameters[:n] - self.mean @ fit.parameters[:n]
        own = fit.likelihood.advantages
        advantage = fit.parameters[own] * ELO
        advantage[self.open_classes] = variance[self.open_classes] = math.nan
        profiles = Profiles(self._profiled(fit), self.mean)
        played = games.wins + games.draws + games.losses
        found = Ratings(
            players=games.players,
            elo=ratings * ELO,
            bound=self.bound,
            spread=Spread(fit.inverse, self.mean, self.core),
            classes=games.classes if options.advantage else [],
            class_games=np.bincount(games.kind, played, len(games.classes)).astype(np.int64),
            advantage=advantage if options.advantage else np.zeros(0),
            advantage_sd=np.sqrt(variance) if options.advantage else np.zeros(0),
            draw_parameter=math.exp(fit.parameters[-1]) if fit.likelihood.davidson else None,
            games=games.played(),
            wins=games.by_player(games.wins, games.losses),
            draws=games.by_player(games.draws, games.draws),
            losses=games.by_player(games.losses, games.wins),
            excluded=games.excluded,
            options=options,
            profiles=profiles,
            unusual=sum(map(bool, self.bound)) + int(games.perfect().sum()),
        )
        self._state_bounds(found)
        return found

    def _leave_out_what_has_no_maximum(self) -> None:
        """Keep the rows between players of one group, in classes that both colours scored in.

        Elsewhere the maximum lies at infinity, where the games left out are predicted with certainty: they carry no
        information about the rest. Leaving out rows of one kind may make rows of the other.
        """
        games = self.games
        black, white = games.points
        anchors = list(games.anchors)
        while True:
            before = int(self.rows.sum())
            if self.options.advantage:
                c, kind = len(games.classes), games.kind
                scored = np.bincount(kind, black * self.rows, c) > 0, np.bincount(kind, white * self.rows, c) > 0
                self.open_classes = ~(scored[0] & scored[1])
                self.rows &= ~self.open_classes[kind]
            x, y = games.black[self.rows], games.white[self.rows]
            self.labels = joined_by_wins(games.n, x, y, (black[self.rows], white[self.rows]), anchors)
            self.rows &= self.labels[games.black] == self.labels[games.white]
            if int(self.rows.sum()) == before:
                return

    def _core(self) -> NDArray[np.bool_]:
        """The players to rate: the group of the anchors, or the one of most players, then of most games."""
        games = self.games
        if games.anchors:
            return np.asarray(self.labels == self.labels[next(iter(games.anchors))])
        size = np.bincount(self.labels)
        played = np.bincount(self.labels, games.played())
        return np.asarray(self.labels == np.lexsort((-played, -size))[0])

    def _bounds(self) -> list[Bound]:
        games, n = self.games, self.games.n
        if self.core.all():
            return [""] * n
        above, below = reach(n, games.black, games.white, games.points, self.core, list(games.anchors))
        marks: dict[tuple[bool, bool], Bound] = {(True, False): ">", (False, True): "<", (False, False): "?"}
        return [
            "" if core else marks.get((bool(a), bool(b)), "?")
            for core, a, b in zip(self.core, above, below, strict=True)
        ]

    def problem(self, rows: NDArray[np.bool_], options: RatingSettings) -> tuple[Likelihood, Floats, NDArray[np.bool_]]:
        """Return what `maximise` takes: the likelihood, the start, and which parameters are held."""
        games, prior = self.games, options.prior
        likelihood = games.likelihood(rows, prior, options)
        fixed = np.zeros(likelihood.size, bool)
        fixed[likelihood.advantages] = self.open_classes if options.advantage and prior == 0 else not options.advantage
        fixed[-1] = not likelihood.davidson
        fixed[list(games.anchors)] = True
        if prior == 0:
            fixed[likelihood.average] = True
            fixed[self._grounds()] = True
        elif not games.anchors:
            fixed[likelihood.average] = True
        return likelihood, self._start(likelihood.size), fixed

    def _start(self, size: int) -> Floats:
        """Return the start: estimates from the scores alone, or the anchors."""
        games, n = self.games, self.games.n
        start = np.zeros(size)
        black, white = games.points
        start[:n] = np.log((games.by_player(black, white) + 1.0) / (games.by_player(white, black) + 1.0))
        if games.anchors:
            start[: n + 1] += np.mean(list(games.anchors.values()))
            start[list(games.anchors)] = list(games.anchors.values())
        return start

    def _grounds(self) -> list[int]:
        """The first player of each group without an anchor: the parameters are differences from that player."""
        anchored = {int(self.labels[i]) for i in self.games.anchors}
        groups, firsts = np.unique(self.labels, return_index=True)
        return [int(first) for group, first in zip(groups, firsts, strict=True) if int(group) not in anchored]

    def _profiled(self, fit: Fit) -> Fit:
        """Return the fit that profiles start from: with prior 0 and players at infinity, one of a vanishing prior."""
        if self.core.all():
            return fit
        vanishing = replace(self.options, prior=VANISHING)
        try:
            return maximise(*self.problem(np.ones_like(self.rows), vanishing), advance=self.advance)
        except NoMaximum:
            raise GotoolsError(self.why_no_maximum(vanishing)) from None

    def _state_bounds(self, found: Ratings) -> None:
        for i, mark in enumerate(self.bound):
            if mark:
                low, high = found.interval(i)
                found.elo[i] = next((end for end in (low, high) if end is not None), math.nan)

    def why_no_maximum(self, options: RatingSettings) -> str:
        """Return why the likelihood has no maximum, and what to do."""
        rows = self.rows if options.prior == 0 else np.ones_like(self.rows)
        span = float(np.ptp(list(self.games.anchors.values()))) if self.games.anchors else 0.0
        if span > FARTHEST:
            return f"the anchors lie {span * ELO:,.0f} Elo apart, too far for games to place a player between them"
        if options.draws == "davidson":
            if not (self.games.wins + self.games.losses)[rows].any():
                return "no decided game to learn the draw parameter from; rate with --draws half"
            if self._has_maximum(rows, replace(options, draws="half")):
                return (
                    "strength and the draw parameter grow together without end, as where a player drew games and lost "
                    "none; rate with --draws half, or with a prior (--prior 1)"
                )
        if options.prior > 0:
            weak = f"a prior of {options.prior:g} does not hold the ratings that these games drive apart"
            return f"{weak}; use a larger one (--prior 1)" if options.prior < 1 else weak
        if not options.advantage:
            return "the games do not determine the ratings; use a prior (--prior 1)"
        way_out = "rate without the advantage (--no-advantage), or with a prior (--prior 1)"
        likelihood, _, fixed = self.problem(rows, options)
        if is_determined(likelihood, fixed):
            return (
                "first-move advantage and strength grow together without end, as where a player won everything with "
                f"one colour; {way_out}"
            )
        return f"the games cannot separate first-move advantage and strength (is a player always black?); {way_out}"

    def _has_maximum(self, rows: NDArray[np.bool_], options: RatingSettings) -> bool:
        try:
            fit = maximise(*self.problem(rows, options), advance=self.advance)
            return bool(np.isfinite(fit.inverse.variances).all())
        except NoMaximum:
            return False
