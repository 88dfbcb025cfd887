"""The first moves of positions with the rules that fire there, and of Go as rows of a table; a kernel writes the text.

Compiled rules find scores, first moves and their rules in one call for many positions. For rules that the kernels
evaluate, the same rows are taken from their ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.files.cells import cell
from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import are_right, heads_of, right_moves
from gotools.games.go.examples.examples import GoExamples
from gotools.rules.clauses.points import Points
from gotools.rules.compiled.native import NativeRules
from gotools.rules.ranking import RankingTally
from gotools.rules.rule_ranking import RuleRanking, tally_of
from gotools.rules.weigh.accuracy import Choices, softmax
from gotools.rules.weigh.firing import FiringTable

EVERY = 19 * 19
"""More moves than a position has."""
_UNITS = 10_000
_NEARLY_A_TIE = 1e-4
_LARGE = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class FirstMoves:
    """The first moves of m positions, b in all, the best first.

    examples    -- the positions
    first       -- int64[m + 1]: the moves of position k are first[k] .. first[k+1]-1
    point       -- int16[b]
    score       -- float64[b]
    probability -- float64[b]: among all legal moves of the position
    played      -- bool[b]
    firing      -- which rules fire at each
    """

    examples: Examples
    first: NDArray[np.int64]
    point: NDArray[np.int16]
    score: NDArray[np.float64]
    probability: NDArray[np.float64]
    played: NDArray[np.bool_]
    firing: FiringTable


def first_moves(some: Examples, ranking: RuleRanking, top: int | None) -> FirstMoves:
    """Return the first moves of a ranking of some decisions, or all."""
    counts = np.diff(ranking.first)
    first = _ends(counts if top is None else np.minimum(counts, top))
    place = np.arange(first[-1]) + np.repeat(ranking.first[:-1] - first[:-1], np.diff(first))
    rows = ranking.order[place]
    return FirstMoves(
        examples=some.take(ranking.choices.decision),
        first=first,
        point=ranking.choices.points.place[rows],
        score=ranking.scores[rows],
        probability=ranking.probability[rows],
        played=ranking.legal.right[rows],
        firing=ranking.firing.take(rows),
    )


def ranked_by_library(
    some: GoExamples, native: NativeRules, top: int | None, measured: bool
) -> tuple[FirstMoves, RankingTally]:
    """Return the first moves of some decisions, or all, and if wanted how well they predict the moves played."""
    every = some
    some, begins = heads_of(every)
    found = native.rank(some, top or EVERY)
    decision = np.flatnonzero(np.diff(found.first))  # positions without a legal move are left out
    if len(decision) < len(some):
        some = some.take(decision)
    rows = np.append(found.first[decision], found.first[-1])
    first = _ends(np.minimum(np.diff(rows), top or EVERY))
    played, also = right_moves(every, begins, decision, rows, found.point)
    moves = FirstMoves(
        examples=some,
        first=first,
        point=found.point[found.best],
        score=found.score[found.best],
        probability=softmax(found.score, rows)[found.best],
        played=are_right(len(found.point), played, also)[found.best],
        firing=FiringTable(found.at, found.rule),
    )
    if not measured:
        return moves, RankingTally()
    position = np.repeat(np.arange(len(some), dtype=np.int32), np.diff(rows))
    points = Points(some.board, some.size, some.to_play, some.ko, some.last, some.last2, position, found.point)
    return moves, tally_of(found.score, Choices(points, rows, played, decision, also), found.fired[decision], some.of)


def _ends(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)])


# ---- the text ----


def rows_of(moves: FirstMoves, names: Sequence[str]) -> bytes:
    """Return a line for every move of Go, as `ranking.table_rows` writes it; names -- ids of the rules."""
    from gotools.rules.kernels.ranking_rows import write_rows

    examples = moves.examples
    if not len(examples):
        return b""
    titles, game, ply = _titles(examples)
    letters, ends = _joined(titles)
    ids, id_ends = _joined(names)
    rule = moves.firing.rule.astype(np.int64)
    head = np.diff(ends)[game] + 70  # the other fields: 11 + 4 + 5 + 20 + 8 + 2 and the tabs
    room = int(head @ np.diff(moves.first)) + int((np.diff(id_ends) + 1)[rule].sum())
    text = np.empty(room, np.uint8)
    length: int = write_rows(
        text,
        letters,
        ends,
        game.astype(np.int64),
        ply.astype(np.int64),
        examples.size.astype(np.int64),
        moves.first,
        moves.point.astype(np.int64),
        ten_thousandths(moves.score),
        ten_thousandths(moves.probability),
        moves.played.view(np.uint8),
        moves.firing.at,
        rule,
        ids,
        id_ends,
    )
    return text[:length].tobytes()


def _titles(examples: Examples) -> tuple[Sequence[str], NDArray[np.int32], NDArray[np.int32]]:
    """Return the ids of positions as names, and by position the number of the name and a ply to add; 0 for none."""
    used = np.unique(examples.game).tolist()
    if all(cell(examples.names[game]) == examples.names[game] for game in used):
        return examples.names, examples.game, examples.ply
    each = np.arange(len(examples), dtype=np.int32)
    return [cell(name) for name in examples.id], each, np.zeros(len(examples), np.int32)


def _joined(names: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return names as one array of bytes, and where each begins and the last ends."""
    parts = [name.encode("utf-8", "replace") for name in names]
    return np.frombuffer(b"".join(parts) + b"\n", np.uint8), np.cumsum([0, *map(len, parts)], dtype=np.int64)


def ten_thousandths(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return numbers in units of 0.0001, rounded as Python does: by their exact value, ties to even."""
    scaled = values * _UNITS
    units = np.rint(scaled).astype(np.int64)
    unsure = (np.abs(np.abs(scaled - units) - 0.5) < _NEARLY_A_TIE) | (np.abs(values) > _LARGE)
    for row in np.flatnonzero(unsure).tolist():
        units[row] = int(f"{values[row]:.4f}".replace(".", ""))
    return units
