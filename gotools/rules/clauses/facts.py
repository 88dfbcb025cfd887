"""The facts about examples that clauses test, as arrays: built once, searched many times."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.games.go.kernels.shapes import SIZES, shapes_around
from gotools.games.go.shapes import parse_shape, shape_table
from gotools.games.go.vocabulary import BEYOND_ADVANCED, OF_SETS, RADIUS, window_offsets
from gotools.rules.clauses.kernels import conditions as _tests
from gotools.rules.clauses.kernels import facts as _facts
from gotools.rules.clauses.kernels import measures as _measures
from gotools.rules.clauses.kernels.conditions import Facts, Masks, key_count
from gotools.rules.clauses.kernels.measures import MEASURES
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Literal

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background

MEASURABLE = 4
"""Number of the interval of all numbers that a measure may have."""

INTERVAL_CAPACITY = 512
"""Distinct closed intervals of numbers that one run may name: constants of liberty_cnt and stone_cnt, ranges."""

MASK_BYTES = 400 * 2**20
"""Memory for the cached conditions of one side; beyond it conditions are decided anew each time."""


@dataclass(slots=True)
class Intervals:
    """Closed intervals of numbers, each with an index that conditions refer to."""

    index: dict[tuple[int, int], int]
    low: NDArray[np.int32]
    high: NDArray[np.int32]

    @staticmethod
    def start() -> Intervals:
        """Return the table with the intervals that kernels/clauses.py refers to by number."""
        out = Intervals({}, np.zeros(INTERVAL_CAPACITY, np.int32), np.full(INTERVAL_CAPACITY, -1, np.int32))
        for low, high in ((1, 255), (1, 32767), (1, 1), (2, 2), (0, 32767)):  # the last is that of MEASURABLE
            out.number(low, high)
        return out

    def number(self, low: int, high: int) -> int:
        """Return the index of an interval, a new one at its first use; raises GotoolsError when there is no room."""
        k = self.index.setdefault((low, high), len(self.index))
        if k >= INTERVAL_CAPACITY:
            raise GotoolsError(f"more than {INTERVAL_CAPACITY} distinct numbers in the rules")
        self.low[k], self.high[k] = low, high
        return k


@dataclass(slots=True)
class FactTable:
    """Facts of n examples, the offsets of their window, and the intervals and user's predicates of the whole run."""

    points: Any  # Moves of the game
    facts: Facts
    offsets: tuple[tuple[int, int], ...]
    intervals: Intervals
    background: Background | None = None
    shapes: Mapping[str, int] = field(default_factory=dict)
    """The rows of `given` with the shapes that clauses name: behind those of the user's predicates, `users` of them."""
    users: int = 0

    def __len__(self) -> int:
        return len(self.points)

    def interval(self, low: int, high: int) -> int:
        return self.intervals.number(low, high)

    def liberties(self, row: int) -> list[int]:
        """Return the liberties of the block in row `row` of the arrays, as point numbers in order."""
        words = self.facts.liberty_bits[row].tolist()
        return [64 * w + b for w, bits in enumerate(words) for b in range(64) if bits >> b & 1]

    def masks(self, active: NDArray[np.int32]) -> Masks:
        """Return room for the masks of these examples."""
        n = max(1, len(active))
        offsets, properties = len(self.offsets), self.facts.properties.shape[0]
        measures, given = len(self.facts.measure), len(self.facts.given)
        keys = key_count(offsets, INTERVAL_CAPACITY, given, properties, measures)
        capacity = max(64, min(65536, MASK_BYTES // n))
        rows = np.empty((capacity, len(active)), np.uint8)  # untouched pages cost nothing
        choice_at = np.zeros((8 + properties, len(active) + 1), np.int64)
        _tests.list_choices(self.facts, active, choice_at, np.empty(0, np.uint8))
        choices = np.empty(int(choice_at[-1, -1]), np.uint8)
        _tests.list_choices(self.facts, active, choice_at, choices)
        counts = np.full(len(active), 255, np.uint8)
        return Masks(
            active=active,
            base=counts,
            rows=rows,
            row_of=np.full(keys, -1, np.int32),
            used=np.zeros(1, np.int64),
            choice_at=choice_at,
            choices=choices,
        )


def facts_of_points(
    points: Points,
    intervals: Intervals,
    background: Background | None = None,
    radius: int = RADIUS,
    predicates: Collection[str] = (),
    shapes: Sequence[str] = (),
) -> FactTable:
    """Return the facts of points of Go; arguments as for `facts_of`."""
    n = len(points)
    surroundings = not BEYOND_ADVANCED.isdisjoint(predicates)
    offsets = window_offsets(radius)
    words = max(1, (points.board.shape[1] + 63) // 64)
    everywhere = background is not None and background.names_blocks
    start = np.zeros(n + 1, np.int64)
    to_play = points.to_play[points.position]
    given = (points.board, points.size, points.position, points.point, to_play, radius, everywhere, start)

    def arrays(offsets: int, examples: int, blocks: int) -> Any:
        return (
            np.zeros((offsets, examples, 8), np.uint8),
            np.zeros((2, examples, 8), np.int8),
            np.zeros(examples, np.uint8),
            np.zeros((4, blocks), np.int16),
            np.zeros(blocks, np.uint8),
            np.zeros((blocks, words), np.uint64),
        )

    _facts.gather(*given, *arrays(0, 0, 0))
    filled = arrays(len(offsets), n, int(start[n]))
    _facts.gather(*given, *filled)
    nothing = np.zeros((0, n), np.uint8), np.zeros((0, int(start[n])), np.uint8)
    seen = (
        np.zeros((MEASURES if surroundings else 0, n), np.int16),
        np.zeros((len(offsets), n if surroundings else 0), np.uint8),
        np.zeros((2, n if surroundings else 0, 8), np.uint8),
    )
    if surroundings:
        boards = points.board, points.size, points.last, points.last2
        of_sets = not OF_SETS.isdisjoint(predicates)
        _measures.measure_points(*boards, points.position, points.point, to_play, radius, of_sets, *seen)
    table = FactTable(points, Facts._make((start, *filled, *nothing, *seen)), offsets, intervals, background)
    if background is not None:
        table.facts = background.evaluate(points, table.facts)
    table.users = len(table.facts.given)
    if shapes:
        _add_shapes(table, shapes)
    return table


def shapes_named(literals: Iterable[Literal]) -> tuple[str, ...]:
    """Return the shapes that literals name, each once."""
    return tuple(dict.fromkeys(str(literal.args[-1]) for literal in literals if literal.predicate == "shape"))


def _add_shapes(table: FactTable, texts: Sequence[str]) -> None:
    """Add to `given` a row for each shape: all frames where it stands around an example's point."""
    least = {text: parse_shape(text).least() for text in texts}
    known = list(dict.fromkeys(least.values()))
    points = table.points
    assert isinstance(points, Points)
    around = np.empty((len(points), SIZES), np.int32)
    named = shape_table(known, range(len(known)))
    shapes_around(points.board, points.size, points.to_play, points.position, points.point, named, around)
    rows = np.zeros((len(known), len(points)), np.uint8)
    for of_size in around.T:
        found = np.flatnonzero(of_size >= 0)
        rows[of_size[found], found] = 255
    table.facts = table.facts._replace(given=np.concatenate([table.facts.given, rows]))
    number = {shape: table.users + k for k, shape in enumerate(known)}
    table.shapes = {text: number[shape] for text, shape in least.items()}
