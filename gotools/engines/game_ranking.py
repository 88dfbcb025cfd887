"""Positions of a game other than Go, ranked by learned values: for `gotools rank-moves --game NAME --eval`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.engines.knowledge import find_evaluator
from gotools.engines.ranked import Ranked, Ranker, Wanted
from gotools.files.opening import STDIN, SameFile, same_file
from gotools.game.game import find_game
from gotools.game.records.replay import Decision
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.ranking import Ranking, RankingTally, Words, order_of, scores_of_values, softmax, value_lines
from gotools.rules.weigh.accuracy import NO_ROW

POSITIONS = 500
"""Positions ranked together."""

State = NDArray[np.int32]


class GameValues:
    """Learned values of the positions after moves, for the side that makes them.

    path -- of the weights; game, size -- for which they are; about -- a line that says which weights these are

    Raises FileFormatError for a file that is not the weights of a value for this game.
    """

    def __init__(self, path: str, game: str) -> None:
        self._evaluator = find_evaluator(path, game)
        self.path, self.game = path, find_game(game)
        self.size, self.about = self._evaluator.weights.size, self._evaluator.weights.about

    def value(self, state: State, move: int) -> float:
        """Return the value of a move: 1, 0 or -1 where it ends the game."""
        after = self.game.play(state, move)
        outcome = float(self.game.outcome(after))
        if outcome != ONGOING:
            return float((outcome < 0) - (outcome > 0))
        return -self._evaluator.value(after)

    def why(self, state: State, move: int) -> list[tuple[float, str]]:
        """List what speaks for a move and against it, the weightiest first: shares and words."""
        after = self.game.play(state, move)
        if self.game.outcome(after) != ONGOING:
            return []
        return [(reason.share, reason.what) for reason in self._evaluator.why(after, mover=True)]


@dataclass(frozen=True, slots=True, eq=False)
class GameRanking(Ranking):
    """A ranking of positions of a game, with the decisions."""

    decisions: Sequence[Decision]


def rank_decisions(some: Sequence[Decision], values: GameValues) -> GameRanking:
    """Return the legal moves of some decisions in order; the score of a move is the inverse tanh of its value."""
    legal = [values.game.moves_of(one.state) for one in some]
    first = np.cumsum([0, *map(len, legal)])
    worth = np.array(
        [values.value(one.state, move) for one, moves in zip(some, legal, strict=True) for move in moves], np.float64
    )
    scores = scores_of_values(worth)
    played = [
        begin + moves.index(one.move) if one.move in moves else NO_ROW
        for one, moves, begin in zip(some, legal, first.tolist(), strict=False)
    ]
    return GameRanking(
        ids=[one.id for one in some],
        first=first,
        played=np.array(played, np.int64),
        scores=scores,
        probability=softmax(scores, first),
        order=order_of(scores, first),
        value=worth,
        sizes=np.array([one.size for one in some]),
        moves=np.array([move for moves in legal for move in moves], np.int64),
        decisions=some,
    )


def measured(ranking: GameRanking) -> RankingTally:
    """Return how well a ranking predicts the moves played, beside chance."""
    tally = RankingTally()
    tally.add(ranking.scores, ranking, {"chance": np.zeros(len(ranking.scores))}, len(ranking.ids))
    return tally


class GameWords:
    """Writes the moves of a ranking with the reasons of the values."""

    def __init__(self, ranking: GameRanking, values: GameValues) -> None:
        self._ranking, self._values = ranking, values

    def side(self, position: int) -> int:
        """Return the side to play."""
        return int(self._ranking.decisions[position].state[TO_PLAY])

    def move(self, row: int) -> str:
        """Return a move as the game writes it."""
        return self._values.game.move_text(int(self._ranking.moves[row]), self._values.size)

    def fired(self, row: int) -> Sequence[str]:
        """Return nothing: rules are of Go."""
        return ()

    def drawing(self, position: int, first: list[int]) -> list[str]:
        """Draw the board as the game has it."""
        return self._values.game.draw(self._ranking.decisions[position].state).splitlines()

    def reasons(self, row: int) -> list[str]:
        """Return the value after a move, and what it is made of."""
        ranking = self._ranking
        assert ranking.value is not None
        state = ranking.decisions[int(np.searchsorted(ranking.first, row, "right")) - 1].state
        return value_lines(ranking.value[row], self._values.why(state, int(ranking.moves[row])))


class GameRanker(Ranker):
    """Ranks decisions on boards of the size of learned values."""

    def __init__(self, values: GameValues, wanted: Wanted) -> None:
        self.rules, self.about, self.wanted, self._values = RuleSet(()), values.about, wanted, values

    def stretches(self, found: Iterable[Decision]) -> Iterator[list[Decision]]:
        rest = iter(found)
        while some := list(islice(rest, POSITIONS)):
            yield some

    def ranking(self, some: list[Decision]) -> tuple[GameRanking, Words]:
        ranking = rank_decisions(some, self._values)
        return ranking, GameWords(ranking, self._values)

    def __call__(self, some: list[Decision]) -> Ranked:
        ranking, words = self.ranking(some)
        tally = measured(ranking) if self.wanted.measured else RankingTally()
        return Ranked(self.wanted.text(ranking, words), len(some), frozenset({self._values.size}), tally)

    def local_option(self) -> str | None:
        return "--eval -" if self._values.path == STDIN else None

    def loading(self) -> tuple[Callable[..., Ranker], tuple[Any, ...]]:
        return _load, (same_file(self._values.path), self._values.game.full_name, self.wanted)


def _load(weights: SameFile, game: str, wanted: Wanted) -> GameRanker:
    return GameRanker(GameValues(weights.checked(), game), wanted)
