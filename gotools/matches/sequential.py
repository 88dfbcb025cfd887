"""The sequential test over a tournament's pairs, taken in the order of the schedule.

Games finish in any order when several are played at once; the test counts a pair only when all pairs before it are
done. So its verdict depends neither on how many are played at once nor on interruptions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gotools.matches.game.game_result import GameResult
from gotools.matches.report.standings import NO_PAIRS
from gotools.matches.schedule import ScheduledGame
from gotools.ratings.sprt import PairCounts, Sprt


class SequentialTest:
    """Count the pairs of the first engine.

    counts  -- of the pairs counted; verdict -- "h0", "h1" or None; last_pair -- the pair that decided, or was last
    """

    def __init__(self, sprt: Sprt, first: str, games: Sequence[ScheduledGame] | Sequence[GameResult]) -> None:
        self.sprt, self._first = sprt, first
        self._pairs = _pairs(games)
        self._next = 0
        self.counts: PairCounts = NO_PAIRS
        self.verdict: str | None = None
        self.last_pair = 0

    def look(self, results: Mapping[int, GameResult]) -> str | None:
        """Count the pairs that are complete, up to the deciding one; returns the verdict."""
        while self.verdict is None and self._next < len(self._pairs):
            pair, numbers = self._pairs[self._next]
            if not all(number in results for number in numbers):
                break
            self._next += 1
            self.last_pair = pair
            points = [_points(results[number], self._first) for number in numbers]
            if len(points) == 2 and None not in points:
                self._add(sum(filter(None, points)))
        return self.verdict

    def _add(self, points: float) -> None:
        counts = list(self.counts)
        counts[round(2 * points)] += 1
        self.counts = (counts[0], counts[1], counts[2], counts[3], counts[4])
        self.verdict = self.sprt.verdict(self.counts)


def ratio_path(sprt: Sprt, first: str, games: Sequence[GameResult], counts: PairCounts) -> list[float]:
    """Return the log-likelihood ratio after each pair that a test has counted, from 0 before the first.

    games -- in the order of the schedule; counts -- where the test ended, or is now
    """
    test = SequentialTest(sprt, first, games)
    path, known = [0.0], dict[int, GameResult]()
    for game in games:
        known[game.game] = game
        before = sum(test.counts)
        test.look(known)
        if sum(test.counts) > before:
            path.append(sprt.llr(test.counts))
        if sum(test.counts) >= sum(counts):
            break
    return path


def _pairs(games: Sequence[ScheduledGame] | Sequence[GameResult]) -> list[tuple[int, list[int]]]:
    pairs: dict[int, list[int]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).append(game.game)
    return list(pairs.items())


def _points(result: GameResult, engine: str) -> float | None:
    """Return the score of an engine in a game; None if the game does not count."""
    if result.score is None:
        return None
    return result.score if result.black == engine else 1.0 - result.score
