"""Random clauses of the rules' grammar, and rules from text, for the tests of patterns."""

from __future__ import annotations

import os
import pickle
import random
from functools import cache
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.once import once
from support.slow_induction import points_of, random_examples

from gotools.base.errors import GotoolsError
from gotools.game.vocabulary import Measure
from gotools.games.go.shapes import SIGNS, Shape
from gotools.games.go.vocabulary import CHAIN_RELATIONS, INTERVALS, MEASURES, STAGES, VOCABULARIES
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.rules import Literal, Rule, RuleSet, Var, parse_body
from gotools.rules.compiled.build import build_library
from gotools.rules.compiled.c_source import c_source
from gotools.rules.compiled.plan import plan_of
from gotools.rules.cover.induce import saturate
from gotools.rules.cover.saturation import Bottom, body_of

A, B, C, D, E = map(Var, "ABCDE")

AT = "pos_gen(E), block_on_pos(A,C,D,F,{},{},E)"
CLAUSES = [
    "connects_direct(A,E,C,D,B), connects_direct(A,F,C,D,B), liberty_cnt(A,E,G), stone_cnt(A,F,G)",
    "opposite(B,E), connects_direct(A,F,C,D,E), atari(A,G,C,D,B), liberty(A,F,L), liberty(A,G,L), stone_cnt(A,F,1)",
    "connects_direct(A,E,C,D,B), connects_direct(A,F,C,D,B), liberty(A,E,L), liberty(A,F,L), stone_cnt(A,F,2)",
    f"{AT.format(1, 0)}, block_color(A,F,G), connects_direct(A,H,C,D,G), liberty_cnt(A,H,N), range(N,1,2)",
    f"{AT.format(0, 1)}, block_color(A,F,G), captures(A,H,C,D,G), block_on_pos(A,C,D,H,1,0,E)",
    f"{AT.format(-1, 1)}, connects_indirect(A,F,C,D,B), liberty_cnt(A,F,N), range(N,2,4)",
    f"{AT.format(1, 0)}, block_on_pos(A,C,D,G,0,1,E), block_on_pos(A,C,D,H,-1,1,E), "
    "liberty(A,F,L), liberty(A,G,L), liberty(A,H,L), block_color(A,F,I), block_color(A,G,I)",
    f"{AT.format(1, 1)}, edge_hor(C,D,-1,E), stage(A,open), block_color(A,F,G), opposite(G,B)",
    "opposite(B,E), opposite(E,B), stage(A,end)",
]
"""Bodies of hand-made clauses of the advanced vocabulary."""

FULL = [
    "pos_gen(E), last_on_pos(A,C,D,1,0,E), empty_on_pos(A,C,D,0,1,E), empty_on_pos(A,C,D,1,1,E)",
    "pos_gen(E), outside_on_pos(A,C,D,2,0,E), empty_on_pos(A,C,D,1,0,E), last_distance(A,C,D,F), range(F,2,4)",
    "pos_gen(E), last2_on_pos(A,C,D,1,1,E), adjacent_chains(A,C,D,B,0), line(A,C,D,F), range(F,1,2)",
    "liberties_after(A,C,D,B,2), last2_distance(A,C,D,F), range(F,5,99)",
    "opposite(B,E), self_atari(A,C,D,E), adjacent_chains(A,C,D,B,F), range(F,1,3)",
    f"{AT.format(1, 0)}, block_color(A,F,G), liberties_after(A,C,D,G,H), range(H,3,5), ladder(A,C,D,G,fails)",
    "connects_direct(A,F,C,D,B), escapes(A,C,D,B,works)",
    "opposite(B,E), ladder(A,C,D,B,works), joins(A,C,D,E)",
    f"{AT.format(0, 1)}, block_color(A,F,G), joins(A,C,D,G), line(A,C,D,1)",
    "linked_sets(A,C,D,B,1), adjacent_chains(A,C,D,B,2)",
    "opposite(B,E), linked_liberties(A,C,D,E,F), range(F,2,4)",
    "near_groups(A,C,D,B,2), group_liberties(A,C,D,B,F), range(F,4,8)",
    f"opposite(B,I), near_groups(A,C,D,I,0), {AT.format(2, 0)}, block_color(A,F,G), group_liberties(A,C,D,G,5)",
    "shape(A,C,D,B,'.../.*./...')",
    "shape(A,C,D,B,'./..x/..*../.../.')",
    "shape(A,C,D,B,'.x./.*./...'), line(A,C,D,2)",
    "pos_gen(E), last_on_pos(A,C,D,1,0,E), shape(A,C,D,B,'.o./.*./...')",
    "shape(A,C,D,B,'###/.*./...'), stage(A,open)",
]
"""And of the full vocabulary."""


def rule_of(body: str, **extra: int) -> Rule:
    """Parse the body of a clause, "pos_gen(E), ..."; `extra` names foreign predicates with their arity."""
    return Rule("r1", parse_body(f"move(A,B,C,D) :- {body}.", "test", 1, extra=extra), 12, 3, 0.0)


def _literals(size: int) -> st.SearchStrategy[Literal]:
    chains = st.sampled_from([Var("F"), Var("G"), Var("H")])
    colours = st.sampled_from([B, B, Var("I"), Var("J")])
    numbers = st.sampled_from([Var("N"), Var("M")])
    steps = st.integers(-3, 3)

    def literal(name: str, *args: object) -> st.SearchStrategy[Literal]:
        given = [arg if isinstance(arg, st.SearchStrategy) else st.just(arg) for arg in args]
        return st.tuples(*given).map(lambda values: Literal(name, values))

    placed = literal("block_on_pos", A, C, D, chains, steps, steps, E).filter(lambda n: n.args[4:6] != (0, 0))
    ranges = st.tuples(numbers, st.sampled_from(INTERVALS)).map(lambda r: Literal("range", (r[0], *r[1])))
    return st.one_of(
        placed,
        placed,
        literal("block_color", A, chains, colours),
        literal("opposite", colours, colours),
        literal("edge_ver", C, D, st.integers(-size, -1), E),
        literal("edge_hor", C, D, st.integers(-size, -1), E),
        literal("stage", A, st.sampled_from(STAGES)),
        literal("liberty_cnt", A, chains, st.one_of(numbers, st.integers(1, 6))),
        literal("stone_cnt", A, chains, st.one_of(numbers, st.integers(1, 4))),
        ranges,
        literal("liberty", A, chains, Var("L")),
        st.sampled_from(CHAIN_RELATIONS).flatmap(lambda name: literal(name, A, chains, C, D, colours)),
    )


def _full_literals() -> st.SearchStrategy[Literal]:
    """Literals of the full vocabulary; their numbers are variables of their own."""
    colours = st.sampled_from([B, B, Var("I"), Var("J")])
    steps = st.integers(-3, 3)

    def literal(name: str, *args: object) -> st.SearchStrategy[Literal]:
        given = [arg if isinstance(arg, st.SearchStrategy) else st.just(arg) for arg in args]
        return st.tuples(*given).map(lambda values: Literal(name, values))

    def measured(m: Measure) -> st.SearchStrategy[Literal]:
        last = st.one_of(st.integers(0, 6), st.just(Var(f"N_{m.name}"))) if m.is_number else st.sampled_from(m.words)
        return literal(m.name, A, C, D, *([colours] if m.coloured else []), *([last] if m.last else []))

    shapes = st.tuples(*[st.sampled_from("...xo#")] * 8).map(
        lambda cells: Shape(3, tuple(map(SIGNS.index, cells))).text
    )
    numbers = st.sampled_from([Var(f"N_{m.name}") for m in MEASURES if m.is_number])
    measures = st.sampled_from(MEASURES).flatmap(measured)
    return st.one_of(
        st.sampled_from(["empty_on_pos", "outside_on_pos", "last_on_pos", "last2_on_pos"])
        .flatmap(lambda name: literal(name, A, C, D, steps, steps, E))
        .filter(lambda n: n.args[3:5] != (0, 0)),
        st.tuples(numbers, st.sampled_from(INTERVALS)).map(lambda r: Literal("range", (r[0], *r[1]))),
        measures,
        measures,
        measures,
        literal("shape", A, C, D, B, shapes),
    )


def rules(size: int = 9, most: int = 15, full: bool = False) -> st.SearchStrategy[Rule]:
    """Rules of up to `most` literals whose variables have one type each; many contradict themselves."""
    literals = st.one_of(_literals(size), _full_literals(), _full_literals()) if full else _literals(size)
    bodies = st.lists(literals, min_size=1, max_size=most)
    return bodies.map(lambda body: Rule("r1", (Literal("pos_gen", (E,)), *body), 12, 3, 0.0))


# ---- a set of many rules ----


@cache
def every_kind() -> RuleSet:
    """Return some 300 rules that have a meaning, by hand, of positions and by chance, with weights of six digits."""
    path = once("every-kind", lambda folder: (folder / "rules").write_bytes(pickle.dumps(_every_kind()))) / "rules"
    found: RuleSet = pickle.loads(path.read_bytes())
    return found


def every_kind_compiled() -> Path:
    """Return a library of these rules, compiled as users compile it."""

    def build(folder: Path) -> None:
        with mock.patch.dict(os.environ, CFLAGS=""):
            build_library(c_source(every_kind(), "rules.pl"), folder / "rules.so")

    return once("every-kind-compiled", build) / "rules.so"


def _every_kind() -> RuleSet:
    rng = random.Random(7)
    hand = [parse_body(f"move(A,B,C,D) :- {clause}.", "test", 1) for clause in CLAUSES + FULL]
    rules: list[Rule] = []
    for body in dict.fromkeys([*hand, *_bodies_that_hold(rng, 240), *_bodies_drawn(60)]):
        weight = rng.choice([-1, 1]) * rng.choice([0.01, 1, 1000, 1e6]) * rng.uniform(0.1, 1)
        rule = Rule(f"r{len(rules) + 1}", body, 0, 0, float(f"{weight:.6g}"))
        try:
            plan_of([rule], "test")
        except GotoolsError:  # used before it is bound
            continue
        rules.append(rule)
    return RuleSet(tuple(rules))


SATURATED = tuple(name for name in VOCABULARIES["full"] if name != "shape")
"""Predicates of the bottom clause."""


def _bodies_that_hold(rng: random.Random, count: int) -> list[tuple[Literal, ...]]:
    """Return clauses that hold of a random point each; every predicate has its turn."""
    table = facts_of(points_of(random_examples(rng, 9, 120, 80)), Intervals.start(), predicates=VOCABULARIES["groups"])
    bottoms = [saturate(table, row, VOCABULARIES["full"], 4) for row in range(len(table))]
    bodies = []
    for k in range(count):
        wanted = SATURATED[k % len(SATURATED)]
        bottom = rng.choice([b for b in bottoms if any(literal.predicate == wanted for literal in b.literals)])
        bodies.append(_some_of(bottom, wanted, rng))
    return bodies


def _some_of(bottom: Bottom, wanted: str, rng: random.Random) -> tuple[Literal, ...]:
    """Return literals of a bottom clause, one of a predicate and some that share variables, and what binds these."""
    literals = bottom.literals
    predicates = sorted({literal.predicate for literal in literals[1:]})
    chosen: set[int] = set()
    for _ in range(rng.randint(1, 5)):
        bound = {v for k in chosen for v in literals[k].outputs if literals[k].predicate != "pos_gen"}
        tied = [k for k, b in enumerate(literals) if k and k not in chosen and bound & {*b.inputs, *b.outputs}]
        predicate = rng.choice(predicates) if chosen else wanted
        free = [k for k, b in enumerate(literals) if b.predicate == predicate]
        waiting = [rng.choice(tied if tied and rng.random() < 0.7 else free)]
        while waiting:
            k = waiting.pop()
            chosen.add(k)
            for variable in literals[k].inputs:
                binding = [j for j in range(k) if variable in literals[j].outputs]
                if 0 not in binding and chosen.isdisjoint(binding):
                    waiting.append(rng.choice(binding))
    return body_of(bottom, sorted(chosen))


def _bodies_drawn(count: int) -> list[tuple[Literal, ...]]:
    """Return random bodies of the grammar; many contradict themselves."""
    found: list[tuple[Literal, ...]] = []

    @settings(
        max_examples=count,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(rules(most=8, full=True))
    def collect(rule: Rule) -> None:
        found.append(rule.body)

    collect()
    return found
