"""Clauses about the moves of a game whose vocabulary is measures and a window: their facts, their meaning.

The facts are those of `FactTable` without chains: measures, the stage, and, after a user's predicates, a row of `given`
for each class at each offset of the window, so that the kernels of clauses know nothing of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, shown
from gotools.game.game import vocabulary_of
from gotools.game.vocabulary import UNDEFINED, Measure, Vocabulary
from gotools.rules.clauses.clauses import HEAD_NUMBERS, Compiler
from gotools.rules.clauses.facts import MEASURABLE, FactTable, Intervals
from gotools.rules.clauses.kernels import clauses as op
from gotools.rules.clauses.kernels.conditions import Facts
from gotools.rules.clauses.kernels.places import frames_of_classes
from gotools.rules.clauses.points import StateMoves
from gotools.rules.clauses.rules import MAX_INTEGER, Literal, Var

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background

Operation = tuple[int, int, int, int]


@dataclass(slots=True)
class MoveFacts(FactTable):
    """Facts of n moves of a game, by its vocabulary."""

    vocabulary: Vocabulary | None = None


def facts_of_moves(
    moves: StateMoves, intervals: Intervals, background: Background | None = None, predicates: Collection[str] = ()
) -> MoveFacts:
    """Return the facts of moves; predicates -- that clauses name: the window is looked at for `cell` alone."""
    vocabulary, n = vocabulary_of(moves.game.name), len(moves)
    window = vocabulary.window if "cell" in predicates else None
    measured = np.zeros((n, vocabulary.columns), np.int32)
    stage, seen = np.zeros(n, np.uint8), np.zeros((n, 0, 0), np.int32)
    if window is not None:
        seen = np.zeros((n, window.frames, len(window.offsets)), np.int32)
    chosen = moves.move
    ends = np.flatnonzero(np.diff(moves.position, append=-1)) + 1
    begin = 0
    for end in ends.tolist():
        state, some = moves.state[moves.position[begin]].astype(np.int32), chosen[begin:end]
        stage[begin:end] = vocabulary.measure(state, some, end - begin, measured[begin:end])
        if window is not None:
            vocabulary.look(state, some, end - begin, seen[begin:end])
        begin = end
    intervals.low[MEASURABLE] = UNDEFINED + 1  # numbers may be negative, as they are not in Go
    facts = _facts(n, np.ascontiguousarray(measured.T.astype(np.int16)), stage, _given(vocabulary, seen))
    users = 0
    if background is not None:
        own = background.evaluate(moves, facts).given
        users, facts = len(own), facts._replace(given=np.concatenate([own, facts.given]))
    return MoveFacts(moves, facts, (), intervals, background, users=users, vocabulary=vocabulary)


def _given(vocabulary: Vocabulary, seen: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return uint8[offsets * classes, n]: the frames in which a place is of a class, a bit each."""
    classes = 0 if vocabulary.window is None else len(vocabulary.window.classes)
    given = np.empty((seen.shape[2] * classes, len(seen)), np.uint8)
    frames_of_classes(np.ascontiguousarray(seen.transpose(1, 2, 0)), classes, given)
    return given


def _facts(n: int, measured: NDArray[np.int16], stage: NDArray[np.uint8], given: NDArray[np.uint8]) -> Facts:
    """Return facts without chains and points."""
    no_blocks = np.zeros(0, np.uint8)
    return Facts(
        start=np.zeros(n + 1, np.int64),
        window=np.zeros((0, n, 8), np.uint8),
        edge=np.zeros((2, n, 8), np.int8),
        stage=stage,
        number=np.zeros((4, 0), np.int16),
        relation=no_blocks,
        liberty_bits=np.zeros((0, 1), np.uint64),
        given=given,
        properties=np.zeros((0, 0), np.uint8),
        measure=measured,
        outside=np.zeros((0, n), np.uint8),
        last_at=np.zeros((2, n, 8), np.uint8),
    )


class MoveCompiler(Compiler):
    """Turns the literals of a clause about moves into operations."""

    places: ClassVar[Mapping[str, str]] = {"board": "A", "color": "B", "move": "C"}

    def __init__(self, table: MoveFacts) -> None:
        assert table.vocabulary is not None
        super().__init__(table)
        self.vocabulary = table.vocabulary
        self.number = {name: HEAD_NUMBERS[name] for name in "ABC"}
        self.kind = {name: kind for kind, name in self.places.items()}
        self._measures = {m.name: m for m in self.vocabulary.measures}

    def operation(self, literal: Literal) -> Operation:
        name, args = literal.predicate, literal.args
        if name in self._measures:
            return self._measured(literal, self._measures[name])
        if name not in ("pos_gen", "opposite", "stage", "cell", "range"):
            return self.of_user(literal)
        done: Operation = getattr(self, f"of_{name}")(literal, args)
        return done

    def of_stage(self, literal: Literal, args: object) -> Operation:
        self.fixed(literal, (0, "board"))
        return op.IS_STAGE, self._word(literal, literal.args[1], tuple(self.vocabulary.stages)), 0, 0

    def of_cell(self, literal: Literal, args: object) -> Operation:
        window = self.vocabulary.window
        assert window is not None
        self.fixed(literal, (0, "board"), (1, "move"))
        dx, dy = (self.constant(literal, d, -MAX_INTEGER, MAX_INTEGER) for d in literal.args[2:4])
        if (dx, dy) not in window.offsets:
            raise GotoolsError(f"{literal}: the offset {dx},{dy} is outside the window")
        held = self._word(literal, literal.args[4], tuple(window.classes))
        self.variable(literal, literal.args[5], "pos")
        row = self.table.users + window.offsets.index((dx, dy)) * len(window.classes) + held
        return op.IS_GIVEN, row, 0, 0

    def _measured(self, literal: Literal, measure: Measure) -> Operation:
        self.fixed(literal, (0, "board"), (1, "move"))
        which = self.vocabulary.column_of[measure.name]
        colour = self.variable(literal, literal.args[2], "color") if measure.coloured else -1
        if not measure.is_number:
            value = 1 + self._word(literal, literal.args[-1], measure.words) if measure.words else 1
            return op.IS_MEASURE, which, colour, self.table.interval(value, value)
        if isinstance(literal.args[-1], Var):
            return self.number_of_point(literal, which, colour)
        value = self.constant(literal, literal.args[-1], -MAX_INTEGER, MAX_INTEGER)
        return op.IS_MEASURE, which, colour, self.table.interval(value, value)

    def interval_of(self, literal: Literal) -> int:
        low, high = (self.constant(literal, a, -MAX_INTEGER, MAX_INTEGER) for a in literal.args[1:])
        if low > high:
            raise GotoolsError(f"{literal}: an interval goes from a number to a larger one")
        return self.table.interval(low, high)

    def _word(self, literal: Literal, word: object, known: tuple[str, ...]) -> int:
        if word not in known:
            near = nearest(str(word), known)
            raise GotoolsError(f"{literal}: {shown(str(word))} is not one of {', '.join(known)}{near}")
        return known.index(str(word))
