"""Standings: games won, drawn and lost, by engine, by pairing and by colour; pairs of games; faults; time used.

Void and disputed games are counted separately: they do not enter the score, but their faults and time count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field

from gotools.game.outcome import End
from gotools.matches.game.game_result import CRASHES, ILLEGAL, TIME_LOSSES, GameResult
from gotools.ratings.sprt import PairCounts

NO_PAIRS: PairCounts = (0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class GameScore:
    """Games that count, from one side's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for a win, a half for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float | None:
        """Points as a share of the games; None without games."""
        return self.points / self.games if self.games else None

    @property
    def reversed(self) -> GameScore:
        """The same games from the other side's view."""
        return GameScore(self.losses, self.draws, self.wins)

    def __add__(self, other: GameScore) -> GameScore:
        return GameScore(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True, slots=True)
class EngineStanding:
    """The games, faults and time of an engine.

    black, white -- its games by its own colour
    void         -- its games that do not count
    crashes, illegal, time_losses -- games that ended so by its fault, void ones included
    moves, seconds -- moves it was asked for (no opening moves; resigning is one), and their total time
    slowest      -- seconds of its longest move
    contested_moves, contested_seconds -- the same of the contested parts of its games, as far as they are known
    """

    name: str
    black: GameScore
    white: GameScore
    void: int
    crashes: int
    illegal: int
    time_losses: int
    moves: int
    seconds: float
    slowest: float
    contested_moves: int
    contested_seconds: float

    @property
    def score(self) -> GameScore:
        """Its games with both colours."""
        return self.black + self.white

    @property
    def faults(self) -> int:
        """Games that ended by its fault."""
        return self.crashes + self.illegal + self.time_losses

    @property
    def seconds_per_move(self) -> float | None:
        """The mean; None without moves."""
        return self.seconds / self.moves if self.moves else None

    @property
    def seconds_per_contested_move(self) -> float | None:
        """The mean of the contested parts; None without moves."""
        return self.contested_seconds / self.contested_moves if self.contested_moves else None


@dataclass(frozen=True, slots=True)
class Pairing:
    """The games of two engines.

    black, white -- those in which `first` has that colour, from its view
    pairs -- pairs of games in which `first` scored 0, 0.5, 1, 1.5, 2; only if both games count
    void  -- games that do not count
    """

    first: str
    second: str
    black: GameScore
    white: GameScore
    pairs: PairCounts
    void: int

    @property
    def score(self) -> GameScore:
        """The games with both colours, from the view of `first`."""
        return self.black + self.white


@dataclass(frozen=True, slots=True)
class Standings:
    """All engines in the order of their names as given, and the pairings that have games, in that order too.

    played -- games, void ones included
    """

    engines: tuple[EngineStanding, ...]
    pairings: tuple[Pairing, ...]
    played: int

    @property
    def void(self) -> int:
        """Games that do not count."""
        return sum(pairing.void for pairing in self.pairings)

    def engine(self, name: str) -> EngineStanding:
        """Return an engine by its name."""
        return next(engine for engine in self.engines if engine.name == name)

    def pairing(self, one: str, other: str) -> Pairing:
        """Return the games of two engines, from the view of `one`; without games if they did not meet."""
        for pairing in self.pairings:
            if (pairing.first, pairing.second) == (one, other):
                return pairing
            if (pairing.second, pairing.first) == (one, other):
                black, white = pairing.white.reversed, pairing.black.reversed
                return Pairing(one, other, black, white, pairing.pairs[::-1], pairing.void)
        return Pairing(one, other, GameScore(), GameScore(), NO_PAIRS, 0)


def standings(results: Sequence[GameResult], names: Sequence[str]) -> Standings:
    """Return the standings after some games, in any order.

    names -- all engines; the order of the result
    """
    count = StandingsCount(names)
    for result in results:
        count.add(result)
    return count.standings()


@dataclass(slots=True)
class _SideRecord:
    """Games of one engine as black against one other: those it won, drew, lost, and those that do not count."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0


@dataclass(slots=True)
class _Conduct:
    """Faults and time of an engine: fields of its EngineStanding."""

    crashes: int = 0
    illegal: int = 0
    time_losses: int = 0
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    contested_moves: int = 0
    contested_seconds: float = 0.0


@dataclass(slots=True)
class StandingsCount:
    """Standings to which games are added one by one, in time that does not grow with their number."""

    names: Sequence[str]
    played: int = 0
    _games: dict[tuple[str, str], _SideRecord] = field(default_factory=dict)
    _conduct: dict[str, _Conduct] = field(default_factory=dict)
    _pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    _half_pairs: dict[int, float | None] = field(default_factory=dict)
    _place: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._place = {name: place for place, name in enumerate(self.names)}
        self._conduct = {name: _Conduct() for name in self.names}

    def add(self, result: GameResult) -> None:
        """Add a game."""
        self.played += 1
        games = self._games.setdefault((result.black, result.white), _SideRecord())
        games.wins += result.score == 1.0
        games.draws += result.score == 0.5
        games.losses += result.score == 0.0
        games.void += result.score is None
        self._add_to_pair(result)
        self._add_conduct(result)

    def _add_to_pair(self, result: GameResult) -> None:
        first, second = self._in_order(result.black, result.white)
        black = result.score
        points = black if black is None or first == result.black else 1.0 - black
        if result.pair not in self._half_pairs:
            self._half_pairs[result.pair] = points
            return
        other = self._half_pairs.pop(result.pair)
        if points is not None and other is not None:
            self._pairs.setdefault((first, second), [0] * 5)[round(2 * (points + other))] += 1

    def _add_conduct(self, result: GameResult) -> None:
        if result.culprit:
            culprit = self._conduct[result.culprit]
            culprit.crashes += result.end in CRASHES
            culprit.illegal += result.end in ILLEGAL
            culprit.time_losses += result.end in TIME_LOSSES
        sides = zip((result.black, result.white), moves_thought_about(result), strict=True)
        for (name, moves), seconds, slowest in zip(sides, result.seconds, result.slowest, strict=True):
            conduct = self._conduct[name]
            conduct.moves += moves
            conduct.seconds += seconds
            conduct.slowest = max(conduct.slowest, slowest)
        contested = zip(result.contested_moves or (0, 0), result.contested_seconds or (0.0, 0.0), strict=True)
        for name, (moves, seconds) in zip((result.black, result.white), contested, strict=True):
            self._conduct[name].contested_moves += moves
            self._conduct[name].contested_seconds += seconds

    def _in_order(self, one: str, other: str) -> tuple[str, str]:
        return (one, other) if self._place[one] < self._place[other] else (other, one)

    def pairing(self, first: str, second: str) -> Pairing:
        """Return the games of two engines so far, from the first one's view."""
        black = self._games.get((first, second), _SideRecord())
        white = self._games.get((second, first), _SideRecord())
        in_order = self._in_order(first, second)
        lost, half, even, more, won = self._pairs.get(in_order, NO_PAIRS)
        return Pairing(
            first,
            second,
            GameScore(black.wins, black.draws, black.losses),
            GameScore(white.losses, white.draws, white.wins),
            (lost, half, even, more, won) if in_order == (first, second) else (won, more, even, half, lost),
            black.void + white.void,
        )

    def pair_counts(self, name: str) -> PairCounts:
        """Return the pairs of an engine against all others so far, by its score in them."""
        return _sum_of_pairs(self.pairing(name, other) for other in self.names if other != name)

    def standings(self) -> Standings:
        """Return the standings so far."""
        found = {self._in_order(*sides) for sides in self._games}
        in_order = sorted(found, key=lambda sides: (self._place[sides[0]], self._place[sides[1]]))
        pairings = tuple(self.pairing(*sides) for sides in in_order)
        black = dict.fromkeys(self.names, GameScore())
        white = dict.fromkeys(self.names, GameScore())
        void = dict.fromkeys(self.names, 0)
        for pairing in pairings:
            first, second = pairing.first, pairing.second
            black[first] += pairing.black
            white[first] += pairing.white
            black[second] += pairing.white.reversed
            white[second] += pairing.black.reversed
            for name in (first, second):
                void[name] += pairing.void
        engines = (
            EngineStanding(name, black[name], white[name], void[name], **asdict(conduct))
            for name, conduct in self._conduct.items()
        )
        return Standings(tuple(engines), pairings, self.played)


def _sum_of_pairs(pairings: Iterable[Pairing]) -> PairCounts:
    counts = (pairing.pairs for pairing in pairings)
    lost, half, even, more, won = (sum(column) for column in zip(NO_PAIRS, *counts, strict=True))
    return lost, half, even, more, won


def moves_thought_about(result: GameResult) -> tuple[int, int]:
    """Return the number of moves that black and white were asked for and answered, in time or late.

    Opening moves do not count. Resigning, overstepping the time and an illegal move are answers that are not among
    the moves of the game.
    """
    made = len(result.moves.split())
    first_moves = (made + 1) // 2 - (result.opening + 1) // 2
    second_moves = made // 2 - result.opening // 2
    black, white = (second_moves, first_moves) if result.handicap > 1 else (first_moves, second_moves)
    if result.end is End.resign:
        loser = "b" if result.score == 0.0 else "w"
    elif result.end in (End.time, End.illegal):
        loser = result.fault
    else:
        loser = ""
    return black + (loser == "b"), white + (loser == "w")
