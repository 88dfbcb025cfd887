"""The candidate conditions of rules for ranking: what can hold at a point or at an offset from it.

A condition is a few literals that belong together (a chain's place, colour and liberties), so that every step of the
search adds a meaningful requirement. Conditions of one clause share its frame, the opponent's colour, and the chain at
an offset, and nothing else. So a clause covers a point where, in one of the frames, all its conditions hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.game.vocabulary import Measure, Window
from gotools.games.go.vocabulary import CHAIN_RELATIONS, INTERVALS, MEASURES, STAGES, window_offsets
from gotools.rules.boosting.kernels import boost as _boost
from gotools.rules.clauses.clauses import MEASURE_ROWS
from gotools.rules.clauses.facts import Intervals, shapes_named
from gotools.rules.clauses.meaning import facts_of, operations_of
from gotools.rules.clauses.points import Moves, game_of
from gotools.rules.clauses.rules import Literal, Term, Var
from gotools.rules.cover.saturation import variable_name

Condition = tuple[Literal, ...]

A, B, C, D = (Var(name) for name in "ABCD")
FRAME, OTHER = Var("Frame"), Var("Other")
_ANY, _NUMBER = Var("Chain"), Var("Number")
POINT = (A, C, D)
OPPOSED = Literal("opposite", (B, OTHER))
FRAMED = Literal("pos_gen", (FRAME,))
OFFSETS = window_offsets()
LINES = 5
"""Largest distance from an edge of the frame that conditions name."""


def conditions_of(predicates: Sequence[str], lines: int = LINES, game: str = USUAL) -> list[Condition]:
    """Return the conditions that a language can express.

    predicates -- the allowed names; a condition that needs another one is left out
    lines -- distances from the edges of the frame that edge_ver and edge_hor may name
    """
    allowed, vocabulary = frozenset(predicates), vocabulary_of(game)
    if vocabulary.points:
        found = (*_window(), *_edges(lines), *_stages(STAGES), *_chains(), *_points())
    else:
        found = (*_stages(tuple(vocabulary.stages)), *_measures(vocabulary.measures), *_cells(vocabulary.window))
    return [c for c in found if all(literal.predicate in allowed for literal in c)]


def _window() -> Iterator[Condition]:
    """Yield what can stand at an offset."""
    for dx, dy in OFFSETS:
        place = (*POINT, dx, dy, FRAME)
        for name in ("empty_on_pos", "outside_on_pos", "last_on_pos", "last2_on_pos"):
            yield FRAMED, Literal(name, place)
        chain, number = Var(f"Chain{dx},{dy}"), Var(f"Liberties{dx},{dy}")
        there = (FRAMED, Literal("block_on_pos", (A, C, D, chain, dx, dy, FRAME)))
        for colour in (B, OTHER):
            mine = (*there, *_given(colour), Literal("block_color", (A, chain, colour)))
            yield mine
            for count in _counts("liberty_cnt", (A, chain), number, (1, 2)):
                yield mine + count


def _given(colour: Var) -> Condition:
    return () if colour == B else (OPPOSED,)


def _counts(
    name: str,
    inputs: tuple[Term, ...],
    number: Var,
    constants: Iterable[int],
    intervals: Iterable[tuple[int, int]] = INTERVALS,
) -> Iterator[Condition]:
    """Yield a number as a constant, or within one of the intervals."""
    for n in constants:
        yield (Literal(name, (*inputs, n)),)
    for low, high in intervals:
        yield Literal(name, (*inputs, number)), Literal("range", (number, low, high))


def _edges(lines: int) -> Iterator[Condition]:
    for name in ("edge_ver", "edge_hor"):
        for line in range(1, lines + 1):
            yield FRAMED, Literal(name, (C, D, -line, FRAME))


def _stages(stages: Sequence[str]) -> Iterator[Condition]:
    for stage in stages:
        yield (Literal("stage", (A, stage)),)


def _chains() -> Iterator[Condition]:
    """Yield chains that the move affects, with their stones and liberties.

    Such a chain is any chain, so every condition has one of its own.
    """
    kinds = {"captures": "stone_cnt", "atari": "stone_cnt", "connects_direct": "liberty_cnt"}
    for colour in (B, OTHER):
        for name in CHAIN_RELATIONS:
            counts = _counts(kinds.get(name, "liberty_cnt"), (A, _ANY), _NUMBER, range(1, 4))
            for said, count in enumerate(((), *counts)):
                own: dict[Term, Term] = {
                    _ANY: Var(f"{name}{colour.name}{said}"),
                    _NUMBER: Var(f"{name}{colour.name}Number{said}"),
                }
                there = Literal(name, (A, _ANY, C, D, colour))
                yield (*_given(colour), *(_renamed(literal, own) for literal in (there, *count)))


def _renamed(literal: Literal, names: Mapping[Term, Term]) -> Literal:
    return Literal(literal.predicate, tuple(names.get(term, term) for term in literal.args))


_NUMBER_ROWS = {m.row for m in MEASURES if m.is_number}


def _order(measure: Measure) -> tuple[int, ...]:
    """Return the key by which measures are ordered: numbers, then words, then conditions that hold or not.

    A condition on a number (self_atari) comes before the number; measures of one kind are in the vocabulary's order.
    """
    if measure.row in _NUMBER_ROWS:
        return 0, MEASURE_ROWS[measure.name], measure.is_number
    return 1 if measure.words else 2, 0, 0


_PLAIN, _COLOURED = (sorted((m for m in MEASURES if m.coloured == c), key=_order) for c in (False, True))


def _points() -> Iterator[Condition]:
    """Yield the measures of the point, and those of a stone there, for either colour."""
    for measure in _PLAIN:
        yield from _counts(measure.name, POINT, Var(measure.name), measure.tried)
    for colour in (B, OTHER):
        given, inputs = _given(colour), (*POINT, colour)
        for words, alike in groupby(_COLOURED, lambda m: m.words):
            for word, measure in product(words or ("",), alike):
                if measure.is_number:
                    for count in _counts(measure.name, inputs, Var(measure.name + colour.name), measure.tried):
                        yield given + count
                else:
                    yield (*given, Literal(measure.name, (*inputs, word) if word else inputs))


def _measures(measures: Iterable[Measure]) -> Iterator[Condition]:
    """Yield the measures of a move, for either side where they have one."""
    for measure in measures:
        for colour in (B, OTHER) if measure.coloured else (None,):
            given, inputs = ((), (A, C)) if colour is None else (_given(colour), (A, C, colour))
            if measure.is_number:
                number = Var(measure.name + ("" if colour is None else colour.name))
                for count in _counts(measure.name, inputs, number, measure.tried, measure.intervals):
                    yield given + count
            for word in measure.words:
                yield (*given, Literal(measure.name, (*inputs, word)))
            if not measure.last:
                yield (*given, Literal(measure.name, inputs))


def _cells(window: Window | None) -> Iterator[Condition]:
    """Yield what stands at the offsets of a window."""
    if window is not None:
        for (dx, dy), held in product(window.offsets, window.tried):
            yield FRAMED, Literal("cell", (A, C, dx, dy, held, FRAME))


def shape_condition(text: str) -> Condition:
    """Return the condition that the points around are a shape."""
    return (Literal("shape", (*POINT, B, text)),)


def body_of(conditions: Iterable[Condition], game: str = USUAL) -> tuple[Literal, ...]:
    """Return the clause body of all the conditions, each literal once; variables are named in order behind the head's.

    The frame and the opponent's colour come first, then each literal after those that bind its variables.
    """
    said = dict.fromkeys(literal for condition in conditions for literal in condition)
    literals = [x for x in (FRAMED, OPPOSED) if x in said] + [x for x in said if x not in (FRAMED, OPPOSED)]
    names = {name: name for name in "ABCD"[: len(vocabulary_of(game).head)]}
    body = []
    for literal in literals:
        for term in literal.args:
            if isinstance(term, Var):
                names.setdefault(term.name, variable_name(len(names)))
        args = tuple(Var(names[t.name]) if isinstance(t, Var) else t for t in literal.args)
        body.append(Literal(literal.predicate, args))
    return tuple(body)


def masks_of(moves: Moves, conditions: Sequence[Condition]) -> NDArray[np.uint8]:
    """Return uint8[conditions, moves]: the frames in which a condition holds of a move, a bit each.

    Takes some 2 KB a move of Go.
    """
    out, game = np.empty((len(conditions), len(moves)), np.uint8), game_of(moves)
    literals = [literal for condition in conditions for literal in condition]
    predicates, shapes = {literal.predicate for literal in literals}, shapes_named(literals)
    table = facts_of(moves, Intervals.start(), predicates=predicates, shapes=shapes)
    masks = table.masks(np.arange(len(moves), dtype=np.int32))
    for row, condition in enumerate(conditions):
        ops, variables = operations_of(table, body_of([condition], game))
        low, high = table.intervals.low, table.intervals.high
        out[row] = _boost.frames(table.facts, masks, low, high, ops, variables)
    return out
