"""Measure how well scores predict the moves that were played: top-k shares and log-likelihood.

Equal scores count as expectation: a move that shares places 3 to 7 with four others is among the first five with
probability 3/5. Probabilities are the softmax of scores over the legal moves of a position; every ordering gets one
scale for its scores, fitted on training positions, so that rules and baselines can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.base.phases import UNWATCHED, Watch
from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import NO_ROW, are_right, right_moves
from gotools.game.examples.states import States
from gotools.game.game import Game, vocabulary_of
from gotools.games.go.board import legal_mask
from gotools.games.go.points import NONE
from gotools.jit.kernels import exact
from gotools.rules.clauses.points import Moves, Points, StateMoves
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.weigh.firing import firings

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background

TOPS = (1, 3, 5, 10, 20)
_NO_NUMBERS = np.zeros(1, np.int64)
Scores = NDArray[np.float64]


class Alternatives(Protocol):
    """The moves of positions of any game, one position after the other, and the moves played; see Choices."""

    @property
    def first(self) -> NDArray[np.int64]:
        """int64[positions + 1]"""

    @property
    def played(self) -> NDArray[np.int64]:
        """int64[positions]"""

    @property
    def also(self) -> NDArray[np.int64]:
        """int64[...]"""


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal moves of m positions, one position after the other, and the moves played.

    Those of position k are first[k] .. first[k+1]-1; played[k] is the index of the one played. Where several are right,
    it is one of them, and the others are in `also`.
    """

    points: Any  # Moves of the game
    first: NDArray[np.int64]  # int64[m+1]
    played: NDArray[np.int64]  # int64[m]
    decision: NDArray[np.int64]  # int64[m]: row of the examples that they come from
    also: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # int64[...]: in ascending order

    def __len__(self) -> int:
        return len(self.played)

    def take(self, positions: NDArray[np.int64]) -> Choices:
        """Return some of the positions, with all their moves."""
        lengths = np.diff(self.first)[positions]
        first = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.arange(first[-1]) + np.repeat(self.first[positions] - first[:-1], lengths)
        number = np.repeat(np.arange(len(positions), dtype=np.int32), lengths)
        points = self.points.on(self.points.position[self.first[positions]], number, rows)
        old = self.played[positions]
        played = np.where(old == NO_ROW, NO_ROW, old - self.first[positions] + first[:-1])
        also = np.flatnonzero(np.isin(rows, self.also)) if len(self.also) else self.also
        return Choices(points, first, played, self.decision[positions], also)


def choices_of(examples: Examples, legal_only: bool = True) -> Choices:
    """Return the legal moves of every decision.

    legal_only -- leave out decisions whose move is not legal (or a pass); else they stay, with NO_ROW in `played`,
        and only positions without any legal move are left out
    """
    begins = examples.begins()
    if begins.all():
        return _choices_of(examples, legal_only)
    heads = np.flatnonzero(begins)
    found = _choices_of(examples.take(heads), legal_only=False)
    played, also = right_moves(examples, begins, found.decision, found.first, found.points.place)
    found = replace(found, played=played, also=also, decision=heads[found.decision])
    kept = played != NO_ROW
    return found if kept.all() or not legal_only else found.take(np.flatnonzero(kept))


def _choices_of(examples: Examples, legal_only: bool) -> Choices:
    """Return the legal moves of every row."""
    if not isinstance(examples, States):
        return _choices_of_points(examples, legal_only)
    listed = examples.legal()
    position = listed.row.astype(np.int32)
    played, rows = np.full(len(examples), NO_ROW), np.flatnonzero(listed.place == examples.move[position])
    played[position[rows]] = rows
    moves = StateMoves(examples.of, examples.positions, examples.size, position, listed.place)
    found = Choices(moves, listed.first, played, np.arange(len(examples)))
    kept = played != NO_ROW if legal_only else np.diff(listed.first) > 0
    return found if kept.all() else found.take(np.flatnonzero(kept))


def _choices_of_points(examples: Any, legal_only: bool) -> Choices:
    legal = legal_mask(examples.board, examples.size, examples.to_play, examples.ko)
    rows = np.arange(len(examples))
    on_board = examples.move >= 0
    may = on_board & legal[rows, np.where(on_board, examples.move, 0)]
    keep = may if legal_only else legal.any(axis=1)
    legal, kept, may = legal[keep], examples.take(np.flatnonzero(keep)), may[keep]
    position, point = np.nonzero(legal)
    first = np.concatenate([[0], np.cumsum(legal.sum(axis=1))])
    before = np.cumsum(legal, axis=1)[np.arange(len(kept)), np.where(may, kept.move, 0)] - 1
    points = Points(
        board=kept.board,
        size=kept.size,
        to_play=kept.to_play,
        ko=kept.ko,
        last=kept.last,
        last2=kept.last2,
        position=position.astype(np.int32),
        point=point.astype(np.int16),
    )
    played = np.where(may, first[:-1] + before, NO_ROW)
    return Choices(points, first, played, np.flatnonzero(keep))


def one_choice(
    cells: NDArray[np.uint8], size: int, to_play: int, last: tuple[int, int, int], asked: NDArray[np.int16]
) -> Choices:
    """Return some points of one position as its choices; last -- ko, the last move, the one before."""
    ko, one, two = (np.array([value], np.int16) for value in last)
    position, side = np.zeros(len(asked), np.int32), np.array([to_play], np.uint8)
    points = Points(
        board=cells.reshape(1, -1),
        size=np.array([size], np.uint8),
        to_play=side,
        ko=ko,
        last=one,
        last2=two,
        position=position,
        point=asked,
    )
    return one_position(points)


def one_position(moves: Moves) -> Choices:
    """Return some moves of one position as its choices."""
    return Choices(moves, np.array([0, len(moves)], np.int64), np.array([NO_ROW]), np.zeros(1, np.int64))


def rule_scores(
    rules: RuleSet,
    choices: Choices,
    background: Background | None = None,
    pool: Executor | None = None,
    watch: Watch = UNWATCHED,
) -> tuple[Scores, NDArray[np.bool_]]:
    """Return every legal move's score, the sum of the weights of the rules that fire there, and whether one fires.

    pool -- of threads, see `firings`; watch -- advanced by each move
    """
    weights = [rule.weight for rule in rules.rules]
    scores, fired, done = np.empty(len(choices.points)), np.empty(len(choices.points), np.bool_), 0
    for part in firings(rules.rules, choices.points, background, pool):
        rows = slice(done, done + len(part))
        scores[rows], fired[rows] = part.scores(weights), np.diff(part.at) > 0
        done += len(part)
        watch.advance(len(part))
    return scores, fired


def chance(choices: Choices) -> Scores:
    """Score every legal move alike."""
    return np.zeros(len(choices.points))


def centre_first(choices: Choices) -> Scores:
    """Score moves by their nearness to the centre of the board (Euclid)."""
    points = choices.points
    assert isinstance(points, Points)
    size = points.size[points.position].astype(np.float64)
    middle = (size - 1) / 2
    return -_distance(points.point % size - middle, points.point // size - middle)


def _distance(across: NDArray[Any], up: NDArray[Any]) -> Scores:
    """Return Euclid's distances; the squares are exact, so equal distances come out equal on every machine."""
    out: Scores = np.sqrt(np.asarray(across * across + up * up, np.float64))
    return out


def near_last_move(choices: Choices) -> Scores:
    """Score moves by their nearness to the last move (Euclid); all alike if there was none or a pass."""
    points = choices.points
    assert isinstance(points, Points)
    size, last = points.size[points.position].astype(np.int64), points.last[points.position].astype(np.int64)
    distance = _distance(points.point % size - last % size, points.point // size - last // size)
    return np.where(last > NONE, -distance, 0.0)


Order = Callable[[Choices], Scores]
BASELINES: dict[str, Order] = {"chance": chance, "centre_first": centre_first, "near_last_move": near_last_move}


def baselines_of(game: Game) -> dict[str, Order]:
    """Return the orders that rules of a game are compared with: chance, and in Go those of points, else the game's."""
    if vocabulary_of(game.name).points:
        return BASELINES
    return {"chance": chance, **{name: partial(ordered, game.find_order(name)) for name in game.learning.orders}}


def ordered(order: Any, choices: Choices, numbers: NDArray[np.int64] = _NO_NUMBERS) -> Scores:
    """Score moves by a function of the signature ORDER, on its numbers; in any game but Go."""
    points, first = choices.points, choices.first
    assert isinstance(points, StateMoves)
    scores, moves = np.zeros(len(points)), points.move
    for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        state = points.state[points.position[begin]].astype(np.int32)
        order(state, moves[begin:end], end - begin, scores[begin:end], numbers)
    return scores


def softmax(scores: NDArray[np.float64], first: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability of each move among those of its position."""
    if len(first) < 2:
        return scores
    counts = np.diff(first)
    power = exact.exp(scores - np.repeat(np.maximum.reduceat(scores, first[:-1]), counts))
    share: NDArray[np.float64] = power / np.repeat(np.add.reduceat(power, first[:-1]), counts)
    return share


def log_likelihood(scores: Scores, choices: Alternatives) -> float:
    """Return the mean logarithm of the probability that the softmax of scores gives to the played moves."""
    top = np.maximum.reduceat(scores, choices.first[:-1])
    spread = np.repeat(top, np.diff(choices.first))
    total = exact.log(np.add.reduceat(exact.exp(scores - spread), choices.first[:-1]))
    if not len(choices.also):
        return float(np.mean(scores[choices.played] - top - total))
    best = _best(scores, choices)
    right = are_right(len(scores), choices.played, choices.also)
    power = np.where(right, exact.exp(np.minimum(scores - np.repeat(best, np.diff(choices.first)), 0.0)), 0.0)
    return float(np.mean(best + exact.log(np.add.reduceat(power, choices.first[:-1])) - top - total))


def _best(scores: Scores, choices: Alternatives) -> Scores:
    """Return the highest score of the right moves of each position."""
    found = scores[choices.played]
    if len(choices.also):
        np.maximum.at(found, np.searchsorted(choices.first, choices.also, "right") - 1, scores[choices.also])
    return found


def fitted_scale(scores: Scores, choices: Choices) -> float:
    """Return the factor for scores that makes the log-likelihood of these positions largest."""
    from scipy.optimize import minimize_scalar

    spread = float(scores.std()) if len(scores) else 0.0
    if spread == 0.0:
        return 1.0
    best = minimize_scalar(lambda x: -log_likelihood(scores * (x / spread), choices), bounds=(0, 20), method="bounded")
    return float(best.x) / spread


def measure(scores: Scores, choices: Alternatives) -> dict[str, float]:
    """Return top1 .. top20 (shares of positions, ties as expectation) and log_likelihood; scores are log-odds.

    Of several right moves the one that is ranked best counts.
    """
    mine = np.repeat(_best(scores, choices), np.diff(choices.first))
    better = np.add.reduceat((scores > mine).astype(np.float64), choices.first[:-1])
    equal = np.add.reduceat((scores == mine).astype(np.float64), choices.first[:-1])
    if len(choices.also):
        right = are_right(len(scores), choices.played, choices.also)
        wrong = equal - np.add.reduceat((right & (scores == mine)).astype(np.float64), choices.first[:-1])
        out = {f"top{k}": float(1 - _missed(k - better, wrong, equal).mean()) for k in TOPS}
    else:
        out = {f"top{k}": float(np.clip((k - better) / equal, 0, 1).mean()) for k in TOPS}
    return {**out, "log_likelihood": log_likelihood(scores, choices)}


def _missed(places: Scores, wrong: Scores, equal: Scores) -> Scores:
    """Return the chance that `wrong` ones of `equal` moves, in random order, take all of the first `places`."""
    found = np.ones(len(places))
    for k in range(max(TOPS)):
        found *= np.where(k < places, np.maximum(wrong - k, 0) / np.maximum(equal - k, 1), 1.0)
    return found
