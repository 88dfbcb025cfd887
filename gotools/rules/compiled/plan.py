"""Clauses as conditions that can be decided for all points of a board at once.

A clause becomes a list of conditions; it fires where, in some frame, all of them hold. The meaning is that of the
kernels: the same operations (clauses.Compiler), resolved to the same tests over the same places (clauses.py and
conditions.py of clauses/kernels).

    Seen       something of a class stands at an offset         depends on the frame
    Edge       the point is on a line, counted from an edge     depends on the frame
    Measured   a measure of the point lies in an interval       the same in all frames
    Staged     the stage of the game
    Shaped     the points around are a shape
    Touched    the move does something to a chain of a class
    Tied       chains at several places, tied together by tests; depends on the frame if one stands at an offset
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from gotools.base.errors import FileFormatError, GotoolsError, shown
from gotools.games.go.shapes import Shape, parse_shape
from gotools.rules.clauses.facts import FactTable, Intervals, shapes_named
from gotools.rules.clauses.kernels import clauses as op
from gotools.rules.clauses.kernels import conditions as t
from gotools.rules.clauses.kernels.facts import COLOUR, LIBERTIES, STONES
from gotools.rules.clauses.meaning import facts_of, operations_of
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Rule

NO_LIMIT = 32767
"""No chain has more liberties or stones: the open end of an interval."""

EMPTY, OUTSIDE, LAST, LAST2 = "empty", "outside", "last", "last2"


@dataclass(frozen=True, slots=True, order=True)
class ChainClass:
    """Chains of a colour (0 either, 1 own, 2 the other's) with a number of liberties and of stones."""

    colour: int = 0
    least_liberties: int = 0
    most_liberties: int = NO_LIMIT
    least_stones: int = 0
    most_stones: int = NO_LIMIT

    @property
    def empty(self) -> bool:
        """True if no chain is like this."""
        backwards = self.least_liberties > self.most_liberties or self.least_stones > self.most_stones
        return self.colour == 3 or backwards

    def within(self, quantity: int, low: int, high: int) -> ChainClass:
        """Return the chains of this class with a quantity (of kernels/facts.py) in a closed interval."""
        if quantity == LIBERTIES:
            low, high = max(low, self.least_liberties), min(high, self.most_liberties)
            return replace(self, least_liberties=low, most_liberties=high)
        if quantity == STONES:
            return replace(self, least_stones=max(low, self.least_stones), most_stones=min(high, self.most_stones))
        if quantity == COLOUR:
            return replace(self, colour=low if self.colour in (0, low) else 3)
        return self


@dataclass(frozen=True, slots=True)
class Seen:
    """A chain of a class, or EMPTY, OUTSIDE, LAST, LAST2, at an offset (its index)."""

    what: ChainClass | str
    offset: int


@dataclass(frozen=True, slots=True)
class Edge:
    """The point is `line` lines from the frame's left (which 0) or bottom (1) edge, from 1."""

    which: int
    line: int


@dataclass(frozen=True, slots=True)
class Measured:
    """low <= measure (of kernels/measures.py) <= high."""

    measure: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Staged:
    """The stage of the game: 0 open, 1 middle, 2 end."""

    stage: int


@dataclass(frozen=True, slots=True)
class Shaped:
    """The points around are a shape, in some image; the image with the least text stands for all."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class Touched:
    """A move does what `property` says (a relation, 4 more where the other colour acts) to a chain of a class."""

    property: int
    chain: ChainClass


@dataclass(frozen=True, slots=True)
class Tie:
    """A test over places of a Tied: `kind` of EQUAL, SAME, RELATES, RELATES_BY, MEASURE_BY, SHARES; see c_source."""

    kind: str
    places: tuple[int, ...]
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tied:
    """Some chains, each of a class and perhaps at an offset (-1: anywhere), for which the tests hold."""

    chains: tuple[ChainClass, ...]
    offsets: tuple[int, ...]
    ties: tuple[Tie, ...]

    @property
    def framed(self) -> bool:
        return any(offset >= 0 for offset in self.offsets)


Condition = Seen | Edge | Measured | Staged | Shaped | Touched | Tied


@dataclass(frozen=True, slots=True)
class PlannedRule:
    """The conditions of a rule, each once; None if they exclude each other."""

    rule: Rule
    conditions: tuple[Condition, ...] | None


@dataclass(frozen=True, slots=True)
class RulePlan:
    """All rules of a set, and the offsets that their conditions name by index."""

    rules: tuple[PlannedRule, ...]
    offsets: tuple[tuple[int, int], ...]


def plan_of(rules: Sequence[Rule], path: str) -> RulePlan:
    """Return the conditions of the rules.

    path -- of the rules, for errors

    Raises FileFormatError with the line of the first clause that has no meaning.
    """
    shapes: dict[str, Shape] = {}
    for rule in rules:
        with at_line(rule, path):
            shapes |= {text: parse_shape(text).least() for text in shapes_named(rule.body) if text not in shapes}
    table = facts_of(_no_points(), Intervals.start(), shapes=tuple(shapes))
    shape_of = {table.shapes[text]: shape for text, shape in shapes.items()}
    planned = []
    for rule in rules:
        with at_line(rule, path):
            planned.append(PlannedRule(rule, _conditions(tests_of(rule, table), table, shape_of)))
    return RulePlan(tuple(planned), table.offsets)


@contextmanager
def at_line(rule: Rule, path: str) -> Iterator[None]:
    """Add the line of a rule to errors."""
    try:
        yield
    except GotoolsError as error:
        raise FileFormatError(path, rule.line or None, shown(error, 300)) from error


def _no_points() -> Points:
    none, far = np.zeros(0, np.uint8), np.zeros(0, np.int16)
    return Points(
        board=np.zeros((0, 4), np.uint8),
        size=none,
        to_play=none,
        ko=far,
        last=far,
        last2=far,
        position=np.zeros(0, np.int32),
        point=far,
    )


def tests_of(rule: Rule, table: FactTable) -> list[list[int]]:
    """Return the tests of a clause, in order, each with its operands (rules/clauses/kernels/conditions.py)."""
    ops, variables = operations_of(table, rule.body)
    where, shares = op.fresh_bindings(max(1, variables))
    test = np.zeros(t.CONDITION_WIDTH, np.int32)
    axes, out = 0, []
    for what in ops:
        op.resolve(what, where, shares, axes, len(table.offsets), test)
        out.append(test.tolist())
        axes = op.bind(what, where, shares, axes, len(table.offsets))
    return out


class _Clause:
    """Collects the tests of a clause by place (offset, or number of offsets + slot)."""

    def __init__(self, table: FactTable, shapes: Mapping[int, Shape]) -> None:
        self.offsets = len(table.offsets)
        self.shapes = shapes
        self.low, self.high = table.intervals.low.tolist(), table.intervals.high.tolist()
        self.chains: dict[int, ChainClass] = {}
        self.ties: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = []
        self.others: list[Condition] = []
        self.never = False
        self.slots = 0

    def place(self, number: int) -> int:
        self.chains.setdefault(number, ChainClass())
        return number

    def tie(self, kind: str, places: Iterable[int], values: tuple[int, ...] = ()) -> None:
        self.ties.append((kind, tuple(self.place(p) for p in places), values))

    def read(self, test: list[int]) -> None:
        kind, x, y, z, v = test[:5]
        if kind == t.NEVER:
            self.never = True
        elif kind == t.EDGE:
            self.others.append(Edge(x, -y))
        elif kind == t.STAGE:
            self.others.append(Staged(x))
        elif kind == t.GIVEN:
            self.others.append(Shaped(self.shapes[x]))
        elif kind == t.MEASURE:
            self.others.append(Measured(x, self.low[y], self.high[y]))
        elif kind in (t.EMPTY_AT, t.OUTSIDE_AT):
            self.others.append(Seen(EMPTY if kind == t.EMPTY_AT else OUTSIDE, x))
        elif kind == t.LAST_AT:
            self.others.append(Seen(LAST2 if x else LAST, y))
        elif kind == t.WITHIN:
            self.chains[x] = self.chains[self.place(x)].within(y, self.low[z], self.high[z])
        elif kind != t.NOTHING:
            self.read_tie(kind, x, y, z, v, test)

    def read_tie(self, kind: int, x: int, y: int, z: int, v: int, test: list[int]) -> None:
        if kind == t.EQUAL:
            if y == t.BLOCK:
                self.tie("SAME", (x, z))
            else:
                self.tie("EQUAL", (x, z), (y, v))
        elif kind == t.RELATES:
            self.tie("RELATES", (x,), (y,))
        elif kind == t.RELATES_BY:
            self.tie("RELATES_BY", (x, z), (y,))
        elif kind == t.SHARES:
            self.tie("SHARES", test[2 : 2 + x])
        elif kind == t.MEASURE_BY:
            self.tie("MEASURE_BY", (z,), (x, self.low[y], self.high[y]))
        else:  # CHOOSE, CHOOSE_BY: a new slot
            slot = self.offsets + self.slots
            self.slots += 1
            places = (slot,) if kind == t.CHOOSE else (slot, y)
            self.tie("RELATES" if kind == t.CHOOSE else "RELATES_BY", places, (x,))


def _conditions(
    tests: Iterable[list[int]], table: FactTable, shapes: Mapping[int, Shape]
) -> tuple[Condition, ...] | None:
    clause = _Clause(table, shapes)
    for test in tests:
        clause.read(test)
    found = list(clause.others)
    for group in _groups(clause):
        ties = [tie for tie in clause.ties if tie[1][0] in group]
        found.append(_joined(clause, group, ties))
    impossible = clause.never or any(c.empty for c in clause.chains.values())
    impossible |= any(isinstance(c, Measured) and c.low > c.high for c in found)
    return None if impossible else tuple(dict.fromkeys(found))


def _groups(clause: _Clause) -> list[list[int]]:
    """Return the places, those together that a test ties together, in the order of mention."""
    groups: list[list[int]] = []
    for place in clause.chains:
        groups.append([place])
    for _, places, _ in clause.ties:
        mine = [g for g in groups if any(p in g for p in places)]
        if len(mine) > 1:
            groups = [g for g in groups if g not in mine] + [[p for g in mine for p in g]]
    order = list(clause.chains)
    return [sorted(g, key=order.index) for g in groups]


def _joined(clause: _Clause, group: list[int], ties: list[tuple[str, tuple[int, ...], tuple[int, ...]]]) -> Condition:
    """Return the condition that some places and their tests make."""
    first = group[0]
    if not ties:
        return Seen(clause.chains[first], first)
    kind, _, values = ties[0]
    if len(group) == 1 and len(ties) == 1 and kind == "RELATES" and first >= clause.offsets:
        return Touched(values[0], clause.chains[first])
    index = {place: k for k, place in enumerate(group)}
    return Tied(
        tuple(clause.chains[place] for place in group),
        tuple(place if place < clause.offsets else -1 for place in group),
        tuple(Tie(kind, tuple(index[p] for p in places), values) for kind, places, values in ties),
    )
