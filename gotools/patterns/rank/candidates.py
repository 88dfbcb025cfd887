"""The candidate conditions of rules for ranking: what can hold at a point or at an offset from it.

A condition is a few literals that belong together (a chain's place, colour and liberties), so that every step of the
search adds a meaningful requirement. Conditions of one clause share its frame, the opponent's colour, and the chain at
an offset, and nothing else. So a clause covers a point where, in one of the frames, all its conditions hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gotools.go.vocabulary import CHAIN_RELATIONS, EYES, INTERVALS, OUTCOMES, STAGES, window_offsets
from gotools.patterns.clauses.rules import Literal, Term, Var
from gotools.patterns.cover.saturation import variable_name

Condition = tuple[Literal, ...]

A, B, C, D = (Var(name) for name in "ABCD")
FRAME, OTHER = Var("Frame"), Var("Other")
_ANY, _NUMBER = Var("Chain"), Var("Number")
POINT = (A, C, D)
OPPOSED = Literal("opposite", (B, OTHER))
FRAMED = Literal("pos_gen", (FRAME,))
OFFSETS = window_offsets()
MOST_LIBERTIES, MOST_CHAINS, LINES, FAR = 5, 4, 5, 12
"""Largest constants of conditions: liberties, touching chains, lines, distances."""


def conditions_of(predicates: Sequence[str], lines: int = LINES) -> list[Condition]:
    """Return the conditions that a language can express.

    predicates -- the allowed names; a condition that needs another one is left out
    lines -- distances from the edges of the frame that edge_ver and edge_hor may name
    """
    allowed = frozenset(predicates)
    found = (*_window(), *_edges(lines), *_stages(), *_chains(), *_points())
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


def _counts(name: str, inputs: tuple[Term, ...], number: Var, constants: Iterable[int]) -> Iterator[Condition]:
    """Yield a number as a constant, or within one of the intervals."""
    for n in constants:
        yield (Literal(name, (*inputs, n)),)
    for low, high in INTERVALS:
        yield Literal(name, (*inputs, number)), Literal("range", (number, low, high))


def _edges(lines: int) -> Iterator[Condition]:
    for name in ("edge_ver", "edge_hor"):
        for line in range(1, lines + 1):
            yield FRAMED, Literal(name, (C, D, -line, FRAME))


def _stages() -> Iterator[Condition]:
    for stage in STAGES:
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


def _points() -> Iterator[Condition]:
    """Yield the measures of a stone at the point, for either colour."""
    yield from _counts("line", POINT, Var("Line"), range(1, LINES + 1))
    yield from _counts("last_distance", POINT, Var("Distance"), range(2, FAR + 1))
    yield from _counts("last2_distance", POINT, Var("Distance2"), range(2, FAR + 1))
    for colour in (B, OTHER):
        given, inputs, side = _given(colour), (*POINT, colour), "Own" if colour == B else "Other"
        yield (*given, Literal("self_atari", inputs))
        for count in _counts("liberties_after", inputs, Var(f"After{side}"), range(2, MOST_LIBERTIES + 1)):
            yield given + count
        for count in _counts("adjacent_chains", inputs, Var(f"Touched{side}"), range(MOST_CHAINS)):
            yield given + count
        for outcome in OUTCOMES:
            yield (*given, Literal("escapes", (*inputs, outcome)))
            yield (*given, Literal("ladder", (*inputs, outcome)))
        for eye in EYES:
            yield (*given, Literal("fills_eye", (*inputs, eye)))
        for name in ("rescues", "joins"):
            yield (*given, Literal(name, inputs))


def body_of(conditions: Iterable[Condition]) -> tuple[Literal, ...]:
    """Return the clause body of all the conditions, each literal once; variables are named in order.

    The frame and the opponent's colour come first, then each literal after those that bind its variables.
    """
    said = dict.fromkeys(literal for condition in conditions for literal in condition)
    literals = [x for x in (FRAMED, OPPOSED) if x in said] + [x for x in said if x not in (FRAMED, OPPOSED)]
    names = {name: name for name in "ABCD"}
    body = []
    for literal in literals:
        for term in literal.args:
            if isinstance(term, Var):
                names.setdefault(term.name, variable_name(len(names)))
        args = tuple(Var(names[t.name]) if isinstance(t, Var) else t for t in literal.args)
        body.append(Literal(literal.predicate, args))
    return tuple(body)
