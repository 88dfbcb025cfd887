"""Saturate a seed example to its most specific clause (bottom clause), literal by literal in Aleph's order.

Source: Muggleton 1995 (inverse entailment); the order of literals and variables is that of Aleph's saturation, so that
a search that stops at a number of nodes stops at the same clause.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.game.vocabulary import Measure
from gotools.games.go.vocabulary import BEYOND_ADVANCED, CHAIN_RELATIONS, INTERVALS, MEASURES, STAGES
from gotools.rules.clauses.clauses import MEASURE_ROWS
from gotools.rules.clauses.facts import FactTable
from gotools.rules.clauses.kernels import clauses as op
from gotools.rules.clauses.rules import Literal, Term, Var
from gotools.rules.cover.kernels import tree as kind

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background
    from gotools.rules.cover.modes import Modes

BOARD, COLOR, X, Y, POS, OTHER, OPPOSED = range(7)
"""Variables that every bottom clause has: the head's, the frame, the opponent's colour.

OPPOSED is in no literal: `opposite` binds it, and a user's predicate about OTHER needs it, for its rows distinguish
only the own and the opponent's colour, and OTHER may also be bound by block_color, to the colour of any chain.
"""
FIRST_FREE = 7

_KINDS = {
    "opposite": kind.OPPOSITE,
    "liberty_cnt": kind.LIBERTY_CNT,
    "stone_cnt": kind.STONE_CNT,
    "block_on_pos": kind.BLOCK_ON_POS,
    "block_color": kind.BLOCK_COLOR,
}
_CONSTRAINED = {
    "opposite": "opposite_once",
    "liberty_cnt": "counts_once",
    "stone_cnt": "counts_once",
    "block_on_pos": "coloured_blocks",
}


class BottomLiteral(NamedTuple):
    """A literal of the bottom clause: variables as ("v", number), and its operation (see kernels/clauses.py)."""

    predicate: str
    args: tuple[int | str | tuple[str, int], ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    op: tuple[int, int, int, int]
    block: int = -1
    anchors: bool = False


@dataclass(slots=True)
class Bottom:
    """A bottom clause: its literals (the head first) and the number of its variables."""

    literals: list[BottomLiteral] = field(default_factory=list)
    variables: int = FIRST_FREE

    def new_variable(self) -> int:
        self.variables += 1
        return self.variables - 1


Argument = int | str | tuple[str, int]
"""Of a literal: a constant, or a variable (`var`)."""


_BY_ROW = sorted(MEASURES, key=lambda m: (MEASURE_ROWS[m.name], not m.is_number))
"""The measures in the order of the bottom clause: that of the kernels, a number before conditions on it."""


def var(variable: int) -> tuple[str, int]:
    return ("v", variable)


class Saturation:
    """The state of one saturation: the variables of blocks, numbers and liberties, and their depths."""

    def __init__(
        self, table: FactTable, seed: int, predicates: frozenset[str], depth: int, modes: "Modes | None"
    ) -> None:
        self.modes = modes
        self.answers: dict[tuple[str, int, tuple[int, ...]], int] = {}
        """Literals so far of a mode and its inputs."""
        self.table = table
        self.seed = seed
        self.predicates = predicates
        self.depth = depth
        self.bottom = Bottom()
        facts = table.facts
        self.start = int(facts.start[seed])
        blocks = int(facts.start[seed + 1]) - self.start
        self.numbers = facts.number[:, self.start : self.start + blocks].tolist()
        self.relations = facts.relation[self.start : self.start + blocks].tolist()
        self.block_variable: dict[int, int] = {}
        self.block_depth: dict[int, int] = {}
        self.number_variable: dict[int, int] = {}
        self.number_depth: dict[int, int] = {}
        self.liberty_variable: dict[int, int] = {}
        self.other_used = 2 if "opposite" in predicates else 0
        """The step that may first use the opponent's colour; 0 while only block_color could bind it."""
        self.measured_before: list[tuple[int, int, int, int]] = []
        """Numbers of the point since the step before: variable, measure, colour's variable or -1, value."""

    def run(self) -> Bottom:
        self.add("move", (var(BOARD), var(COLOR), var(X), var(Y)), (), (BOARD, COLOR, X, Y), (op.IS_NOTHING, 0, 0, 0))
        for step in range(1, self.depth + 1):
            before = len(self.bottom.literals)
            self.step(step)
            if len(self.bottom.literals) == before:
                break
        return self.bottom

    def step(self, step: int) -> None:
        """Add the literals whose input variables are complete since the step before."""
        if step == 1 and self.admits("pos_gen", ()):
            self.add("pos_gen", (var(POS),), (), (POS,), (op.IS_NOTHING, 0, 0, 0))
        if step == 2 and "pos_gen" in self.predicates:
            self.edges()
        if step == 1:
            self.stage()
        if step == 2 and "pos_gen" in self.predicates:
            self.window(step)
        fresh = [b for b in reversed(self.block_variable) if self.block_depth[b] == step - 1]
        for b in fresh:
            colour = COLOR if self.numbers[2][b - 1] == 1 else OTHER
            v = self.block_variable[b]
            if self.admits("block_color", (BOARD, v)):
                what = (op.IS_COLOUR, v, colour, 0)
                self.add("block_color", (var(BOARD), var(v), var(colour)), (BOARD, v), (colour,), what, block=v)
            if colour == OTHER and not self.other_used and "block_color" in self.predicates:
                self.other_used = step + 1
        if step <= 2:
            first, second = (COLOR, OTHER) if step == 1 else (OTHER, COLOR)
            if self.admits("opposite", (first,)):
                what = (op.IS_OPPOSITE, first, second, 0)
                self.add("opposite", (var(first), var(second)), (first,), (second, OPPOSED), what)
        self.counts(step, fresh)
        self.liberties(fresh)
        if step == 1:
            self.chain_relations(step, COLOR, 0)
        elif step == self.other_used:
            self.chain_relations(step, OTHER, 4)
        self.surroundings(step)
        if self.table.background is not None:
            self.own_predicates(self.table.background, step, fresh)

    def admits(self, predicate: str, inputs: tuple[int, ...], constants: tuple[int | str, ...] = ()) -> bool:
        """Return whether a literal may be used, and count it as an answer to the call of a mode with these inputs."""
        if predicate not in self.predicates:
            return False
        if self.modes is None or predicate not in self.modes.of:
            return True
        found = False
        for number, mode in enumerate(self.modes.of[predicate]):
            if mode.fits(constants):
                call = (predicate, number, inputs)
                self.answers[call] = self.answers.get(call, 0) + 1
                found |= mode.recall is None or self.answers[call] <= mode.recall
        return found

    def add(
        self,
        predicate: str,
        args: tuple[Argument, ...],
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        what: tuple[int, int, int, int],
        block: int = -1,
        anchors: bool = False,
    ) -> None:
        """Add a literal that is admitted."""
        self.bottom.literals.append(
            BottomLiteral(
                predicate=predicate,
                args=args,
                inputs=inputs,
                outputs=outputs,
                op=what,
                block=block,
                anchors=anchors,
            )
        )

    def variable_of(self, block: int, step: int) -> int:
        """Return the variable of a block, a new one at its first appearance."""
        if block not in self.block_variable:
            self.block_variable[block] = self.bottom.new_variable()
            self.block_depth[block] = step
        return self.block_variable[block]

    def stage(self) -> None:
        number = int(self.table.facts.stage[self.seed])
        name = STAGES[number]
        if self.admits("stage", (BOARD,), (name,)):
            self.add("stage", (var(BOARD), name), (BOARD,), (), (op.IS_STAGE, number, 0, 0), anchors=number == 0)

    def edges(self) -> None:
        for which, name in enumerate(("edge_ver", "edge_hor")):
            distance = int(self.table.facts.edge[which, self.seed, 0])
            if self.admits(name, (X, Y, POS), (distance,)):
                args = (var(X), var(Y), distance, var(POS))
                self.add(name, args, (X, Y, POS), (), (op.IS_EDGE, which, distance, 0), anchors=False)

    def window(self, step: int) -> None:
        """The blocks that the first frame shows, offset by offset."""
        shown = self.table.facts.window[:, self.seed, 0].tolist()
        for offset, block in enumerate(shown):
            dx, dy = self.table.offsets[offset]
            if block and self.admits("block_on_pos", (BOARD, X, Y, POS), (dx, dy)):
                v = self.variable_of(block, step)
                args = (var(BOARD), var(X), var(Y), var(v), dx, dy, var(POS))
                what = (op.IS_AT, v, offset, 0)
                self.add("block_on_pos", args, (BOARD, X, Y, POS), (v,), what, block=v, anchors=True)

    def counts(self, step: int, fresh: list[int]) -> None:
        """Liberties and stones of the new blocks, as constants and as variables, and the ranges of the new numbers."""
        for quantity, name in enumerate(("liberty_cnt", "stone_cnt")):
            if name not in self.predicates:
                continue
            for b in fresh:
                v, n = self.block_variable[b], self.numbers[quantity][b - 1]
                if self.admits(name, (BOARD, v), (n,)):
                    what = (op.IS_NUMBER, v, quantity, self.table.interval(n, n))
                    self.add(name, (var(BOARD), var(v), n), (BOARD, v), (), what, block=v)
            for b in fresh:
                v, n = self.block_variable[b], self.numbers[quantity][b - 1]
                if not self.admits(name, (BOARD, v)):
                    continue
                if n not in self.number_variable:
                    self.number_variable[n] = self.bottom.new_variable()
                    self.number_depth[n] = step
                number = self.number_variable[n]
                what = (op.IS_QUANTITY, v, quantity, number)
                self.add(name, (var(BOARD), var(v), var(number)), (BOARD, v), (number,), what, block=v)
        for n in reversed(self.number_variable):
            if self.number_depth[n] == step - 1:
                for low, high in INTERVALS:
                    number = self.number_variable[n]
                    if low <= n <= high and self.admits("range", (number,), (low, high)):
                        what = (op.IS_RANGE, number, self.table.interval(low, high), 0)
                        self.add("range", (var(number), low, high), (number,), (), what)

    def liberties(self, fresh: list[int]) -> None:
        if "liberty" not in self.predicates:
            return
        for b in fresh:
            v = self.block_variable[b]
            for point in self.table.liberties(self.start + b - 1):
                if not self.admits("liberty", (BOARD, v)):
                    continue
                if point not in self.liberty_variable:
                    self.liberty_variable[point] = self.bottom.new_variable()
                liberty = self.liberty_variable[point]
                what = (op.IS_LIBERTY, v, liberty, 0)
                self.add("liberty", (var(BOARD), var(v), var(liberty)), (BOARD, v), (liberty,), what)

    def chain_relations(self, step: int, colour: int, shift: int) -> None:
        """Add the effects on chains of a colour playing at the point; shift -- of its bits in `relation`."""
        for bit, name in enumerate(CHAIN_RELATIONS):
            if name not in self.predicates:
                continue
            for b, relation in enumerate(self.relations, 1):
                if relation >> (bit + shift) & 1 and self.admits(name, (BOARD, X, Y, colour)):
                    v = self.variable_of(b, step)
                    args = (var(BOARD), var(v), var(X), var(Y), var(colour))
                    what = (op.IS_RELATION, bit, v, colour)
                    self.add(name, args, (BOARD, X, Y, colour), (v,), what, anchors=True)

    def surroundings(self, step: int) -> None:
        """Add what the full vocabulary says: points of the window, measures of the point, ranges of their numbers."""
        if self.predicates.isdisjoint(BEYOND_ADVANCED):
            return
        if step == 2 and "pos_gen" in self.predicates:
            self.points_around()
        for number, which, colour, value in self.measured_before:
            for low, high in INTERVALS:
                if low <= value <= high and self.admits("range", (number,), (low, high)):
                    what = (op.IS_MEASURE_RANGE, which, colour, self.table.interval(low, high))
                    self.add("range", (var(number), low, high), (number,), (), what)
        self.measured_before = []
        if step == 1:
            for measure in _BY_ROW:
                if not measure.coloured:
                    self.number(measure, -1, 0)
        if step in (1, self.other_used):
            self.colour_measures(*((COLOR, 0) if step == 1 else (OTHER, 1)))

    def points_around(self) -> None:
        """Add what the first frame shows besides stones: empty points, points off the board, the last moves."""
        facts, seed = self.table.facts, self.seed
        for k, (dx, dy) in enumerate(self.table.offsets):
            outside = bool(facts.outside[k, seed] & 1)
            seen = {
                "empty_on_pos": (not outside and not facts.window[k, seed, 0], (op.IS_EMPTY, k, 0, 0)),
                "outside_on_pos": (outside, (op.IS_OUTSIDE, k, 0, 0)),
                "last_on_pos": (facts.last_at[0, seed, 0] == k, (op.IS_LAST, 0, k, 0)),
                "last2_on_pos": (facts.last_at[1, seed, 0] == k, (op.IS_LAST, 1, k, 0)),
            }
            for name, (holds, what) in seen.items():
                if holds and self.admits(name, (BOARD, X, Y, POS), (dx, dy)):
                    args = (var(BOARD), var(X), var(Y), dx, dy, var(POS))
                    self.add(name, args, (BOARD, X, Y, POS), (), what, anchors=True)

    def colour_measures(self, colour: int, side: int) -> None:
        """Add the measures of a stone of a colour at the point; side -- 0 for the player's, 1 for the other's."""
        for measure in [m for m in _BY_ROW if m.coloured]:
            which = MEASURE_ROWS[measure.name]
            value = int(self.table.facts.measure[which + side, self.seed])
            if measure.is_number:
                self.number(measure, colour, side)
            elif value == 1 or (value and measure.words):
                word = measure.words[value - 1 : value]
                if not self.admits(measure.name, (BOARD, X, Y, colour), word):
                    continue
                args: tuple[Argument, ...] = (var(BOARD), var(X), var(Y), var(colour), *word)
                what = (op.IS_MEASURE, which, colour, self.table.interval(value, value))
                self.add(measure.name, args, (BOARD, X, Y, colour), (), what, anchors=True)

    def number(self, measure: Measure, colour: int, side: int) -> None:
        """Add a number of the point, as a constant and as a variable; colour -- its variable, or -1."""
        name, which = measure.name, MEASURE_ROWS[measure.name]
        value = int(self.table.facts.measure[which + side, self.seed])
        if value < 0 or name not in self.predicates:
            return
        inputs = (BOARD, X, Y) if colour < 0 else (BOARD, X, Y, colour)
        args = tuple(var(k) for k in inputs)
        if self.admits(name, inputs, (value,)):
            what = (op.IS_MEASURE, which, colour, self.table.interval(value, value))
            self.add(name, (*args, value), inputs, (), what, anchors=True)
        if not self.admits(name, inputs):
            return
        variable = self.bottom.new_variable()
        self.add(name, (*args, var(variable)), inputs, (variable,), (op.IS_MEASURED, which, colour, 0), anchors=True)
        self.measured_before.append((variable, which, colour, value))

    def own_predicates(self, background: "Background", step: int, fresh: list[int]) -> None:
        """Add literals over a user's predicates, after all others of the step."""
        blocks = range(1, len(self.relations) + 1)
        for held in background.holding(self.table.facts, self.seed, step, fresh, blocks):
            block = -1 if held.block is None else self.variable_of(held.block, step)
            colour = COLOR if held.colour == 1 else OTHER
            names = {"board": BOARD, "coord_x": X, "coord_y": Y, "move": X, "pos": POS, "color": colour, "block": block}
            args: list[int | str | tuple[str, int]] = []
            constants = iter(held.constants)
            for mode in held.predicate.modes:
                args.append(next(constants) if mode[0] == "#" else var(names[mode[1:]]))
            inputs = tuple(names[m[1:]] for m in held.predicate.modes if m[0] == "+")
            if "+color" in held.predicate.modes and held.colour == 2:
                inputs += (OPPOSED,)
            outputs = tuple(names[m[1:]] for m in held.predicate.modes if m[0] == "-")
            what = (op.IS_GIVEN, held.row, 0, 0) if block < 0 else (op.IS_PROPERTY, 8 + held.row, block, 0)
            if self.admits(held.predicate.name, inputs):
                self.add(held.predicate.name, tuple(args), inputs, outputs, what, anchors=True)


def encode(bottom: Bottom, after_opening: str = "chain", off: Set[str] = frozenset()) -> op.Literals:
    """Return the bottom clause as the arrays that the kernels read.

    after_opening -- what a clause must have without `stage(A,open)`: `chain`, a literal of a chain or of what stands
    around the point; `stone`, a block_on_pos, as the thesis has it; `free`, nothing
    off -- constraints that do not hold, of modes.CONSTRAINTS
    """
    literals = bottom.literals
    m = len(literals)
    out = op.Literals(
        op=np.array([b.op for b in literals], np.int32).reshape(m, 4),
        inputs=_padded([tuple(dict.fromkeys(b.inputs)) for b in literals], 8),
        outputs=_padded([b.outputs for b in literals], 4),
        variables=_padded([() if "variables_twice" in off else _variables(b) for b in literals], 8),
        dependent_at=np.zeros(m + 1, np.int64),
        dependent=np.zeros(0, np.int32),
        anchors=np.array([_anchors(b, after_opening) for b in literals], np.bool_),
        kind=np.array([_kind(b.predicate, off) for b in literals], np.int32),
        block=np.array([b.block for b in literals], np.int32),
    )
    users: dict[int, list[int]] = {}
    for k, literal in enumerate(literals):
        for v in set(literal.inputs):
            users.setdefault(v, []).append(k)
    dependents = [sorted({k for v in b.outputs for k in users.get(v, ())}) for b in literals]
    # Aleph expands the head with its first literal first; pos_gen has no input that the head could give it
    if m > 1 and literals[1].predicate == "pos_gen":
        dependents[0] = [1] + [k for k in dependents[0] if k != 1]
    out.dependent_at[1:] = np.cumsum([len(d) for d in dependents])
    return out._replace(dependent=np.array([k for d in dependents for k in d], np.int32))


def _kind(predicate: str, off: Set[str]) -> int:
    """Return the kind by which constraints know a literal; 0 where the one on it is switched off."""
    return 0 if _CONSTRAINED.get(predicate) in off else _KINDS.get(predicate, 0)


def _anchors(literal: BottomLiteral, after_opening: str) -> bool:
    placed = after_opening == "chain" or literal.predicate in ("block_on_pos", "stage")
    return after_opening == "free" or (literal.anchors and placed)


def _variables(literal: BottomLiteral) -> tuple[int, ...]:
    return tuple(dict.fromkeys(a[1] for a in literal.args if isinstance(a, tuple)))


def _padded(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.int32]:
    out = np.full((len(rows), width), -1, np.int32)
    for k, row in enumerate(rows):
        out[k, : len(row)] = row
    return out


def body_of(bottom: Bottom, chosen: Sequence[int], game: str = USUAL) -> tuple[Literal, ...]:
    """Return the literals with these indices as a clause body; variables are named in the order of appearance."""
    names = dict(zip((BOARD, COLOR, X, Y), "ABCD"[: len(vocabulary_of(game).head)], strict=False))
    body: list[Literal] = []
    for k in chosen:
        literal = bottom.literals[k]
        args: list[Term] = []
        for a in literal.args:
            if isinstance(a, tuple):
                names.setdefault(a[1], variable_name(len(names)))
                args.append(Var(names[a[1]]))
            else:
                args.append(a)
        body.append(Literal(literal.predicate, tuple(args)))
    return tuple(body)


def variable_name(number: int) -> str:
    """Return A, B, ... Z, A1, B1, ... as Prolog writes variables."""
    letter, round_ = chr(65 + number % 26), number // 26
    return letter + (str(round_) if round_ else "")
