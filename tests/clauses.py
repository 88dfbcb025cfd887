"""Random clauses of the rules' grammar, and rules from text, for the tests of patterns."""

from hypothesis import strategies as st

from gotools.go.vocabulary import CHAIN_RELATIONS, EYES, INTERVALS, OUTCOMES, STAGES
from gotools.patterns.rules import ARITIES, Literal, Rule, Var, parse_body

A, B, C, D, E = map(Var, "ABCDE")


def rule_of(body: str, **extra: int) -> Rule:
    """Parse the body of a clause, "pos_gen(E), ..."; `extra` names foreign predicates with their arity."""
    return Rule("r1", parse_body(f"move(A,B,C,D) :- {body}.", {**ARITIES, **extra}, "test", 1), 12, 3, 0.0)


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

    def numbered(name: str, *args: object) -> st.SearchStrategy[Literal]:
        return literal(name, *args, st.one_of(st.integers(0, 6), st.just(Var(f"N_{name}"))))

    return st.one_of(
        st.sampled_from(["empty_on_pos", "outside_on_pos", "last_on_pos", "last2_on_pos"])
        .flatmap(lambda name: literal(name, A, C, D, steps, steps, E))
        .filter(lambda n: n.args[3:5] != (0, 0)),
        st.sampled_from(["line", "last_distance", "last2_distance"]).flatmap(lambda name: numbered(name, A, C, D)),
        st.sampled_from(["liberties_after", "adjacent_chains"]).flatmap(lambda name: numbered(name, A, C, D, colours)),
        st.tuples(
            st.sampled_from(["N_line", "N_last_distance", "N_liberties_after", "N_adjacent_chains"]),
            st.sampled_from(INTERVALS),
        ).map(lambda r: Literal("range", (Var(r[0]), *r[1]))),
        st.sampled_from(["escapes", "ladder"]).flatmap(
            lambda name: literal(name, A, C, D, colours, st.sampled_from(OUTCOMES))
        ),
        literal("fills_eye", A, C, D, colours, st.sampled_from(EYES)),
        st.sampled_from(["self_atari", "rescues", "joins"]).flatmap(lambda name: literal(name, A, C, D, colours)),
    )


def rules(size: int = 9, most: int = 15, full: bool = False) -> st.SearchStrategy[Rule]:
    """Rules of up to `most` literals whose variables have one type each; many contradict themselves."""
    literals = st.one_of(_literals(size), _full_literals(), _full_literals()) if full else _literals(size)
    bodies = st.lists(literals, min_size=1, max_size=most)
    return bodies.map(lambda body: Rule("r1", (Literal("pos_gen", (E,)), *body), 12, 3, 0.0))
