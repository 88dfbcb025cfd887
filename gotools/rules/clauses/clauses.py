"""Clauses of a rules file compiled for the kernels, which find where they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from gotools.base.errors import GotoolsError
from gotools.games.go.points import MAX_SIZE
from gotools.games.go.vocabulary import CHAIN_RELATIONS, INTERVALS, MEASURE_OF, MEASURES, RADIUS, STAGES
from gotools.rules.clauses.facts import FactTable
from gotools.rules.clauses.kernels import clauses as op
from gotools.rules.clauses.kernels import measures as _measures
from gotools.rules.clauses.rules import MAX_INTEGER, Literal, Term, Var

HEAD_NUMBERS = {"A": 0, "B": 1, "C": 2, "D": 3}
_EDGES, _COUNTS = ("edge_ver", "edge_hor"), ("liberty_cnt", "stone_cnt")
_SEEN, _LAST = {"empty_on_pos": op.IS_EMPTY, "outside_on_pos": op.IS_OUTSIDE}, ("last_on_pos", "last2_on_pos")
MOST_SHARING = 16
"""Literals that may name one liberty: the size of `shares` in fresh_bindings of kernels/clauses.py."""
MEASURE_ROWS: Mapping[str, int] = {m.name: getattr(_measures, m.row) for m in MEASURES}
"""Rows of the measures by their predicates; of a pair that of the own colour (see kernels/measures.py)."""
MOST_CHOICES = 8
"""Blocks that relations may bind: each multiplies the rows by its candidates, up to four."""


class Compiler:
    """Turns the literals of one clause into operations, left to right, and checks the bindings.

    Raises GotoolsError for a variable used before it is bound, a constant if a variable belongs and the other way
    round, a second pos_gen, and other arguments where those of the head belong.
    """

    places: ClassVar[Mapping[str, str]] = {"board": "A", "color": "B", "coord_x": "C", "coord_y": "D"}
    """The head's variables, by their types."""

    def __init__(self, table: FactTable) -> None:
        self.table = table
        self.number = dict(HEAD_NUMBERS)
        self.opposed: set[int] = set()
        self.kind = {name: kind for kind, name in self.places.items()}
        self.uses: Counter[str] = Counter()
        self.measured: dict[str, tuple[int, int]] = {}
        """Numbers that a measure of the point has bound: the measure, and the colour's variable or -1."""

    def variable(self, literal: Literal, term: Term, kind: str, bind: bool = False) -> int:
        """Return the number of a variable of type `kind`; bind -- it may be new here."""
        if not isinstance(term, Var):
            raise GotoolsError(f"{literal}: {term} stands where a variable belongs")
        if term.name not in self.number:
            if not bind:
                raise GotoolsError(f"{literal}: {term.name} is used before it is bound")
            self.number[term.name] = len(self.number)
            self.kind[term.name] = kind
        if self.kind[term.name] != kind:
            raise GotoolsError(f"{literal}: {term.name} is a {self.kind[term.name]}, not a {kind}")
        return self.number[term.name]

    def constant(self, literal: Literal, term: Term, low: int, high: int) -> int:
        if not isinstance(term, int) or not low <= term <= high:
            raise GotoolsError(f"{literal}: expected a number from {low} to {high}, found {term}")
        return term

    def fixed(self, literal: Literal, *places: tuple[int, str]) -> None:
        """Check that arguments are the head's variables."""
        for at, kind in places:
            if literal.args[at] != Var(self.places[kind]):
                raise GotoolsError(f"{literal}: argument {at + 1} must be {self.places[kind]}")

    def use(self, literal: Literal, what: str, most: int) -> None:
        """Count literals of a kind; raise GotoolsError beyond the most that a clause may have."""
        self.uses[what] += 1
        if self.uses[what] > most:
            raise GotoolsError(f"{literal}: more than {most} literals {what}")

    def operation(self, literal: Literal) -> tuple[int, int, int, int]:
        """Return the operation of a literal, and bind its output."""
        name, args = literal.predicate, literal.args
        if name in CHAIN_RELATIONS:
            return self.relation(literal)
        if name in MEASURE_OF:
            return self.measure(literal)
        if name in _EDGES:
            return self.edge(literal, _EDGES.index(name))
        if name in _COUNTS:
            return self.count(literal, _COUNTS.index(name))
        if name in _SEEN:
            return _SEEN[name], self.offset(literal), 0, 0
        if name in _LAST:
            return op.IS_LAST, _LAST.index(name), self.offset(literal), 0
        known = getattr(self, f"of_{name}", None)
        if known is None:
            return self.of_user(literal)
        done: tuple[int, int, int, int] = known(literal, args)
        return done

    def of_pos_gen(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        if "pos" in self.kind.values():
            raise GotoolsError(f"{literal}: a clause has one pos_gen")
        self.variable(literal, args[0], "pos", bind=True)
        return op.IS_NOTHING, 0, 0, 0

    def edge(self, literal: Literal, which: int) -> tuple[int, int, int, int]:
        x, y, distance, frame = literal.args
        if (x, y) != (Var("C"), Var("D")):
            raise GotoolsError(f"{literal}: the point must be C,D")
        self.variable(literal, frame, "pos")
        return op.IS_EDGE, which, self.constant(literal, distance, -19, -1), 0

    def of_stage(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"))
        if args[1] not in STAGES:
            raise GotoolsError(f"{literal}: a stage is one of {', '.join(STAGES)}")
        return op.IS_STAGE, STAGES.index(str(args[1])), 0, 0

    def of_block_on_pos(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"), (1, "coord_x"), (2, "coord_y"))
        offset = tuple(self.constant(literal, d, -RADIUS, RADIUS) for d in args[4:6])
        if offset not in self.table.offsets:
            raise GotoolsError(f"{literal}: the offset 0,0 is the point itself")
        self.variable(literal, args[6], "pos")
        return op.IS_AT, self.variable(literal, args[3], "block", bind=True), self.table.offsets.index(offset), 0

    def of_block_color(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"))
        block = self.variable(literal, args[1], "block")
        return op.IS_COLOUR, block, self.variable(literal, args[2], "color", bind=True), 0

    def of_opposite(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        first, second = (self.variable(literal, a, "color", bind=k == 1) for k, a in enumerate(args))
        if HEAD_NUMBERS["B"] not in (first, second):
            raise GotoolsError(f"{literal}: one of the two colours must be B")
        self.opposed |= {first, second}
        return op.IS_OPPOSITE, first, second, 0

    def count(self, literal: Literal, quantity: int) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"))
        block, number = self.variable(literal, literal.args[1], "block"), literal.args[2]
        if isinstance(number, Var):
            if number.name in self.measured:
                raise GotoolsError(f"{literal}: {number} is a measure of the point; only range may follow it")
            return op.IS_QUANTITY, block, quantity, self.variable(literal, number, "nat", bind=True)
        n = self.constant(literal, number, 0, MAX_SIZE**2)
        return op.IS_NUMBER, block, quantity, self.table.interval(n, n)

    def of_range(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        interval, number = self.interval_of(literal), self.variable(literal, args[0], "nat")
        if isinstance(args[0], Var) and args[0].name in self.measured:
            return op.IS_MEASURE_RANGE, *self.measured[args[0].name], interval
        return op.IS_RANGE, number, interval, 0

    def interval_of(self, literal: Literal) -> int:
        """Return the number of the interval that range/3 names."""
        low, high = (self.constant(literal, a, 0, MAX_INTEGER) for a in literal.args[1:])
        if (low, high) not in INTERVALS:  # as in background.pl, where range/3 knows no others
            raise GotoolsError(f"{literal}: an interval is one of {', '.join(f'{a}-{b}' for a, b in INTERVALS)}")
        return self.table.interval(low, high)

    def offset(self, literal: Literal) -> int:
        """Return the number of the offset that a condition on a point of the window names."""
        self.fixed(literal, (0, "board"), (1, "coord_x"), (2, "coord_y"))
        dx, dy = (self.constant(literal, d, -RADIUS, RADIUS) for d in literal.args[-3:-1])
        if (dx, dy) not in self.table.offsets:
            raise GotoolsError(f"{literal}: the offset 0,0 is the point itself")
        self.variable(literal, literal.args[-1], "pos")
        return self.table.offsets.index((dx, dy))

    def measure(self, literal: Literal) -> tuple[int, int, int, int]:
        """A measure of the point, or of a stone of some colour on it."""
        self.fixed(literal, (0, "board"), (1, "coord_x"), (2, "coord_y"))
        measure, which = MEASURE_OF[literal.predicate], MEASURE_ROWS[literal.predicate]
        colour = self.variable(literal, literal.args[3], "color") if measure.coloured else -1
        if measure.is_number:
            return self.number_of_point(literal, which, colour)
        value, words = 1, measure.words
        if words:
            if literal.args[4] not in words:
                raise GotoolsError(f"{literal}: expected {' or '.join(words)}, found {literal.args[4]}")
            value = 1 + words.index(str(literal.args[4]))
        return op.IS_MEASURE, which, colour, self.table.interval(value, value)

    def number_of_point(self, literal: Literal, which: int, colour: int) -> tuple[int, int, int, int]:
        """A number of the point, a constant or a new variable; its last argument."""
        number = literal.args[-1]
        if not isinstance(number, Var):
            n = self.constant(literal, number, 0, MAX_SIZE**2)
            return op.IS_MEASURE, which, colour, self.table.interval(n, n)
        if number.name in self.number:
            raise GotoolsError(f"{literal}: {number} is bound already; a measure of the point needs a new variable")
        self.variable(literal, number, "nat", bind=True)
        self.measured[number.name] = which, colour
        return op.IS_MEASURED, which, colour, 0

    def of_shape(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"), (1, "coord_x"), (2, "coord_y"), (3, "color"))
        row = self.table.shapes.get(str(args[4]))
        if row is None:
            raise GotoolsError(f"{literal}: {args[4]} stands where a shape belongs")
        return op.IS_GIVEN, row, 0, 0

    def of_liberty(self, literal: Literal, args: Sequence[Term]) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"))
        block = self.variable(literal, args[1], "block")
        liberty = self.variable(literal, args[2], "liberty", bind=True)
        self.use(literal, f"name the liberty {args[2]}", MOST_SHARING)
        return op.IS_LIBERTY, block, liberty, 0

    def relation(self, literal: Literal) -> tuple[int, int, int, int]:
        self.fixed(literal, (0, "board"), (2, "coord_x"), (3, "coord_y"))
        colour = self.variable(literal, literal.args[4], "color")
        known = len(self.number)
        block = self.variable(literal, literal.args[1], "block", bind=True)
        if len(self.number) > known:
            self.use(literal, "bind a block by what the move does to it", MOST_CHOICES)
        return op.IS_RELATION, CHAIN_RELATIONS.index(literal.predicate), block, colour

    def colour(self, literal: Literal, term: Term) -> int:
        """Return 1 for the colour to play and 2 for the one that `opposite` binds to the other."""
        number = self.variable(literal, term, "color")
        if number != HEAD_NUMBERS["B"] and number not in self.opposed:
            raise GotoolsError(f"{literal}: {term} must be B, or made the other colour by opposite before")
        return 1 if number == HEAD_NUMBERS["B"] else 2

    def of_user(self, literal: Literal) -> tuple[int, int, int, int]:
        """A user's predicate: the row of its truth values, or a condition that never holds if it was never true."""
        background = self.table.background
        if background is None or literal.predicate not in background.arities:
            raise GotoolsError(f"{literal}: unknown predicate; name its file with --background")
        predicate = next(p for p in background.predicates if p.name == literal.predicate)
        constants: list[int | str] = []
        colour, block = 1, -1
        for at, (term, mode) in enumerate(zip(literal.args, predicate.modes, strict=True)):
            if mode[0] == "#":
                if isinstance(term, Var):
                    raise GotoolsError(f"{literal}: {term.name} stands where a constant belongs")
                constants.append(term)
            elif mode == "+color":
                colour = self.colour(literal, term)
            elif mode[1:] == "block":
                block = self.variable(literal, term, "block", bind=mode[0] == "-")
            elif mode == "+pos":
                self.variable(literal, term, "pos")
            else:
                self.fixed(literal, (at, mode[1:]))
        row = background.row_of(literal.predicate, colour, tuple(constants))
        facts = self.table.facts
        if row is None or row >= (self.table.users if block < 0 else len(facts.properties)):
            return op.IS_OPPOSITE, HEAD_NUMBERS["B"], HEAD_NUMBERS["B"], 0  # never holds
        return (op.IS_GIVEN, row, 0, 0) if block < 0 else (op.IS_PROPERTY, 8 + row, block, 0)
