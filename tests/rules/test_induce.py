"""Induction: Aleph's answers, a recorded theory, a slow twin, Prolog's counts, symmetries, constraints.

Theories of tests/theories are what the package induced from games of examples/games. After a change that is meant to
change them, write them anew with `.venv/bin/python tests/rules/test_induce.py` and read the difference.
"""

import csv
import io
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.examples import gathering, read_examples
from support.needs import REFERENCE, needs_shared, needs_swipl
from support.slow_induction import (
    Example,
    Induction,
    acceptable,
    covers,
    example_of,
    points_of,
    pruned,
    random_examples,
    saturate,
)

from gotools.game.records.selection import Selection
from gotools.games.go.board import legal_mask
from gotools.games.go.examples.examples import GoExamples, of_go
from gotools.games.go.points import symmetry_tables
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.clauses import facts
from gotools.rules.clauses.facts import FactTable, Intervals
from gotools.rules.clauses.meaning import facts_of, holds
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Literal, Rule, RuleSet, Var, write_rules
from gotools.rules.cover import induce
from gotools.rules.cover.induce import SCORES, SEARCHES, CoverSettings, SeedResult, language

ROOT = Path(__file__).parents[2]
THEORIES = ROOT / "tests/theories"
BACKGROUND = ROOT / "gotools/games/go/background.pl"
RECORDED = {
    "breadth_coverage": CoverSettings(noise=30),
    "best_laplace": CoverSettings(noise=5, nodes=500, score="laplace", search="best"),
    "beam_compression": CoverSettings(
        noise=20, nodes=2000, score="compression", search="beam", beam_width=20, max_body=6
    ),
}


def points_from(rows: GoExamples) -> Points:
    order = np.arange(len(rows), dtype=np.int32)
    return Points(rows.board, rows.size, rows.to_play, rows.ko, rows.last, rows.last2, order, rows.move)


def induced(table: FactTable, positives: int, settings: CoverSettings) -> list[SeedResult]:
    """Run the induction on a table whose first rows are the positives."""
    split = np.arange(len(table), dtype=np.int32)
    return list(induce.induce(table, split[:positives], split[positives:], settings))


def coverage(table: FactTable, body: tuple[Literal, ...]) -> np.ndarray:
    return holds(table, table.masks(np.arange(len(table), dtype=np.int32)), body)


# ---- Aleph's answers ----


def reference_rows() -> list[dict[str, str]]:
    path = REFERENCE / "rows.tsv"
    return list(csv.DictReader(io.StringIO(path.read_text()), delimiter="\t")) if path.exists() else []


@cache
def reference_examples() -> tuple[GoExamples, GoExamples]:
    rows = read_examples([REFERENCE / "examples.tsv"])
    return rows.take(rows.label == 1), rows.take(rows.label == 0)


def ground_facts(points: Points) -> list[str]:
    """Every example as Aleph's examples name it: positions numbered by first appearance."""
    names: dict[bytes, int] = {}
    facts = []
    for row in range(len(points)):
        board = names.setdefault(points.board[row].tobytes(), len(names) + 1)
        y, x = divmod(int(points.point[row]), 9)
        facts.append(f"move(g{board},{'bw'[points.to_play[row] - 1]},{x + 1},{y + 1}).")
    return facts


@needs_shared
@pytest.mark.parametrize("row", reference_rows(), ids=lambda row: row["#row"])
def test_theory_is_the_one_that_aleph_induced(row: dict[str, str]) -> None:
    positives, negatives = (r.take(np.arange(int(row[k]))) for r, k in zip(reference_examples(), KINDS, strict=True))
    table = facts_of(points_from(GoExamples.concat([positives, negatives])), Intervals.start())
    settings = CoverSettings(VOCABULARIES[row["vocabulary"]], nodes=int(row["nodes"]), noise=int(row["noise"]))
    found = induced(table, len(positives), settings)
    names = ground_facts(table.points)
    theory = [f"move(A,B,C,D):-{','.join(map(str, f.body))}." if f.body else names[f.seed] for f in found]
    assert theory == (REFERENCE / f"{row['#row']}.pl").read_text().split()
    assert sum(f.searched for f in found) == int(row["clauses_searched"])
    assert sum(1 for f in found if f.body) == int(row["rules"])
    held = np.any([coverage(table, f.body) for f in found if f.body], axis=0)
    held[[f.seed for f in found if not f.body]] = True
    sides = held[: len(positives)], held[len(positives) :]
    summary = [int(side.sum()) for side in sides] + [int((~side).sum()) for side in sides]
    assert ",".join(map(str, summary)) == row["training_summary"]


KINDS = ("positives", "negatives")


# ---- recorded theories, on games made here ----


@cache
def recorded_examples() -> GoExamples:
    """Every seventh move of the games as examples, and as many legal points that were not played: 300 and 300."""
    batches = map(of_go, gathering([ROOT / "examples/games"], Selection(sizes=frozenset([9]))).batches())
    rows = GoExamples.concat(list(batches))
    positives = rows.take(np.arange(0, len(rows), 7)[:300])
    legal = legal_mask(positives.board, positives.size, positives.to_play, positives.ko)
    rng = random.Random(300)
    others = [np.flatnonzero(row) for row in legal]
    others = [points[points != move] for points, move in zip(others, positives.move, strict=True)]
    unplayed = np.array([points[int(rng.random() * len(points))] for points in others], np.int16)
    return GoExamples.concat([positives, replace(positives, move=unplayed, label=positives.label * 0)])


@cache
def recorded_table() -> FactTable:
    return facts_of(points_from(recorded_examples()), Intervals.start())


@cache
def recorded_run(name: str) -> list[SeedResult]:
    return induced(recorded_table(), len(recorded_table()) // 2, RECORDED[name])


def theory_text(name: str) -> str:
    """What stands in tests/theories: the rules, and in the header what shows that the search went the same way."""
    found, settings = recorded_run(name), RECORDED[name]
    rules = enumerate((f for f in found if f.body), 1)
    header = {key: str(getattr(settings, key)) for key in ("score", "search", "noise", "nodes", "max_body")}
    header |= {"seeds": str(len(found)), "clauses_searched": str(sum(f.searched for f in found))}
    out = io.StringIO()
    numbered = (Rule(f"r{k}", f.body, f.positives, f.negatives, f.positives - f.negatives) for k, f in rules)
    write_rules(out, RuleSet(tuple(numbered), header))
    return out.getvalue()


@pytest.mark.parametrize("name", RECORDED)
def test_theory_of_games_made_here_is_the_recorded_one(name: str) -> None:
    assert theory_text(name) == (THEORIES / f"{name}.pl").read_text()


@pytest.mark.parametrize("name", RECORDED)
def test_every_clause_obeys_the_constraints_and_covers_its_seed(name: str) -> None:
    settings, table = RECORDED[name], recorded_table()
    found = recorded_run(name)
    assert any(f.body for f in found)
    assert [f.left for f in found] == sorted((f.left for f in found), reverse=True)
    assert found[-1].left == 0
    for f in found:
        assert 1 <= f.searched <= settings.nodes
        if f.body:
            assert acceptable(f.body, settings.min_body)
            assert not pruned(f.body)
            assert len(f.body) <= settings.max_body
            assert f.negatives <= settings.noise
            assert f.positives > 1
            assert covers(f.body, example_of(table.points, f.seed))


@pytest.mark.parametrize("name", RECORDED)
def test_counts_are_those_of_the_rules_evaluated_anew(name: str) -> None:
    table, found = recorded_table(), recorded_run(name)
    check_counts(found, {k: coverage(table, f.body) for k, f in enumerate(found) if f.body}, len(table) // 2)


def check_counts(found: list[SeedResult], held: dict[int, np.ndarray], positives: int) -> None:
    """Check P (of the positives that no earlier clause covers), N and what is left, given who is covered by whom."""
    left = np.ones(positives, bool)
    for k, f in enumerate(found):
        assert left[f.seed]
        assert not left[: f.seed].any(), "the seed is the first positive that is left"
        left[f.seed] = False
        if f.body:
            left[f.seed] = True
            assert int((held[k][:positives] & left).sum()) == f.positives
            assert int(held[k][positives:].sum()) == f.negatives
            left &= ~held[k][:positives]
        assert int(left.sum()) == f.left


# ---- Prolog's counts ----


def prolog_program(points: Points, bodies: list[tuple[Literal, ...]]) -> Iterator[str]:
    """Facts, clauses and a query that prints, for each clause, the numbers of the examples that it covers."""
    yield f":- consult('{BACKGROUND}')."
    yield ":- discontiguous example/5, position/3."
    yield ":- style_check(-singleton)."
    cells = "ebw"
    for row in range(len(points)):
        at, size = points.position[row], int(points.size[points.position[row]])
        board = ",".join(cells[c] for c in points.board[at, : size * size])
        y, x = divmod(int(points.point[row]), size)
        yield f"position(g{row}, {size}, cells({board}))."
        yield f"example({row}, g{row}, {cells[points.to_play[at]]}, {x + 1}, {y + 1})."
    for k, body in enumerate(bodies):
        yield f"rule({k}, A, B, C, D) :- {', '.join(map(str, body))}."
    yield "covered(R, E) :- example(E, A, B, C, D), once(rule(R, A, B, C, D))."
    yield f"main :- forall(between(0, {len(bodies) - 1}, R), (findall(E, covered(R, E), L), print(L), nl))."


def ask_prolog(folder: Path, points: Points, bodies: list[tuple[Literal, ...]]) -> list[np.ndarray]:
    program = folder / "program.pl"
    program.write_text("\n".join(prolog_program(points, bodies)) + "\n")
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (answer.returncode, answer.stderr) == (0, "")
    covered = []
    for line in answer.stdout.splitlines():
        held = np.zeros(len(points), bool)
        held[[int(e) for e in line.strip("[]").split(",") if e]] = True
        covered.append(held)
    return covered


@needs_swipl
def test_counts_are_those_of_prolog(tmp_path: Path) -> None:
    table = recorded_table()
    ways = {name: [f for f in recorded_run(name) if f.body] for name in RECORDED}
    answers = iter(ask_prolog(tmp_path, table.points, [f.body for found in ways.values() for f in found]))
    for name in RECORDED:
        found = recorded_run(name)
        check_counts(found, {k: next(answers) for k, f in enumerate(found) if f.body}, len(table) // 2)


# ---- the slow twin ----


def compare_with_twin(positives: list[Example], negatives: list[Example], settings: CoverSettings) -> Induction:
    """Check that the package finds what the slow twin finds, seed by seed."""
    twin = Induction(positives, negatives, settings)
    expected = list(twin.run())
    table = facts_of(points_of(positives + negatives), Intervals.start())
    fields = ("seed", "body", "positives", "negatives", "searched", "left")
    found = [tuple(getattr(f, field) for field in fields) for f in induced(table, len(positives), settings)]
    assert found == [tuple(f) for f in expected]
    return twin


def random_settings(rng: random.Random, score: str, search: str) -> CoverSettings:
    return CoverSettings(
        predicates=language(rng.choice(["basic", "advanced", "advanced"]), rng.choice(["", "opposite", "liberty"])),
        nodes=rng.choice([20, 100, 300]),
        noise=rng.choice([0, 1, 3]),
        min_body=rng.choice([1, 2, 3]),
        max_body=rng.choice([1, 3, 4, 5, 15]),
        depth=rng.choice([1, 2, 3, 10, 10]),
        score=score,
        search=search,
        beam_width=rng.choice([1, 5, 20]),
        seed=rng.choice([0, 1, 2**40]),
    )


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("score", SCORES)
def test_induction_is_that_of_the_slow_twin(score: str, search: str) -> None:
    rng = random.Random(f"{score} {search}")
    plenty = CoverSettings(nodes=100, noise=2, min_body=2, score=score, search=search, beam_width=10)
    positives, negatives = random_examples(rng, 4, 12, 14), random_examples(rng, 4, 4, 14)
    assert compare_with_twin(positives, negatives, plenty).rules > 0, "a comparison without rules says little"
    size = rng.choice([3, 5, 5, 7])
    positives = random_examples(rng, size, rng.randrange(1, 14), size * size)
    negatives = random_examples(rng, size, rng.randrange(10), size * size)
    compare_with_twin(positives, negatives + positives[:1], random_settings(rng, score, search))


@pytest.mark.parametrize("after_opening", ["chain", "stone", "free"])
def test_the_constraint_after_the_opening_is_that_of_the_slow_twin(after_opening: str) -> None:
    rng = random.Random(7)
    positives, negatives = random_examples(rng, 5, 30, 24), random_examples(rng, 5, 6, 24)
    settings = CoverSettings(nodes=150, noise=2, min_body=2, after_opening=after_opening)
    assert compare_with_twin(positives, negatives, settings).rules > 0, "a comparison without rules says little"
    table = facts_of(points_of(positives + negatives), Intervals.start())
    for body in (found.body for found in induced(table, len(positives), settings)):
        placed = any(n.predicate == "block_on_pos" for n in body)
        opening = Literal("stage", (Var("A"), "open")) in body
        assert after_opening != "stone" or not body or placed or opening


def has_three_way_liberty(body: tuple[Literal, ...]) -> bool:
    liberties = [n.args[2] for n in body if n.predicate == "liberty"]
    return any(liberties.count(v) > 2 for v in liberties)


def has_coupled_slots(body: tuple[Literal, ...]) -> bool:
    """Return whether two blocks found by relations (not by offsets) share a number."""
    placed = {n.args[3] for n in body if n.predicate == "block_on_pos"}
    free = {n.args[1] for n in body if n.predicate.startswith(("connects", "atari"))} - placed
    pairs = {(n.args[2], n.args[1]) for n in body if n.predicate.endswith("_cnt") and isinstance(n.args[2], Var)}
    blocks: dict[Var, set[object]] = {}
    for number, block in pairs:
        blocks.setdefault(number, set()).add(block)
    return any(len(some & free) > 1 for some in blocks.values())


def acts_by_colour_of_block(body: tuple[Literal, ...]) -> bool:
    """Return whether a relation's colour is a block's, whatever that is."""
    coloured = {n.args[2] for n in body if n.predicate == "block_color"} - {Var("B")}
    opposed = {a for n in body if n.predicate == "opposite" for a in n.args}
    return any(n.args[4] in coloured - opposed for n in body if n.predicate.startswith(("connects", "atari", "capt")))


SPECIAL = [
    (has_three_way_liberty, ("opposite", "connects_direct", "liberty")),
    (has_coupled_slots, ("opposite", "connects_direct", "connects_indirect", "atari", "liberty_cnt", "stone_cnt")),
    (acts_by_colour_of_block, ("pos_gen", "opposite", "block_on_pos", "block_color", "connects_direct", "atari")),
]


@pytest.mark.parametrize(("kind", "predicates"), SPECIAL, ids=lambda value: getattr(value, "__name__", ""))
def test_kinds_of_clauses_that_kernels_treat_apart(kind: Any, predicates: tuple[str, ...]) -> None:
    rng = random.Random(kind.__name__)
    tried = 0
    for _ in range(5):
        positives, negatives = (random_examples(rng, 5, count, 24) for count in (6, 5))
        settings = CoverSettings(predicates, nodes=1000, noise=1, min_body=1, search=rng.choice(["breadth", "best"]))
        twin = compare_with_twin(positives, negatives, settings)
        tried += sum(1 for body, (held, _) in twin.covered.items() if held and kind(body))
    assert tried > 2, "too few such clauses were searched"


def numbered(literals: list[tuple[str, tuple[object, ...]]]) -> list[tuple[str, tuple[object, ...]]]:
    """Name variables by the order of their first appearance."""
    names: dict[object, str] = {}
    is_variable = (tuple, Var)
    return [
        (name, tuple(names.setdefault(a, f"V{len(names)}") if isinstance(a, is_variable) else a for a in args))
        for name, args in literals
    ]


@pytest.mark.parametrize("without", ["", "opposite", "pos_gen", "block_color", "opposite pos_gen liberty"])
@pytest.mark.parametrize("size", [5, 7])
def test_bottom_clause_is_that_of_the_slow_twin(size: int, without: str) -> None:
    predicates = language("advanced", without.replace(" ", ","))
    examples = random_examples(random.Random(size), size, 12, size * size)
    table = facts_of(points_of(examples), Intervals.start())
    for row, example in enumerate(examples):
        for depth in (1, 2, 3, 10):
            slow = saturate(example, predicates, depth)
            quick = induce.saturate(table, row, predicates, depth)
            ours = numbered([(b.predicate, b.args) for b in quick.literals])
            assert ours == numbered([(b.literal.predicate, b.literal.args) for b in slow])


# ---- what is only there for speed changes nothing ----


NEVER_REPACKED = {"induce.REPACK_BELOW": 0.0}
ALWAYS_REPACKED = {"induce.REPACK_BELOW": 1.0}
FORGETFUL = {"induce.FEW_MEMO_ROWS": 4}
NO_ROOM = {"facts.MASK_BYTES": 1}
SPEEDS = [NEVER_REPACKED, ALWAYS_REPACKED, FORGETFUL, NO_ROOM, {**ALWAYS_REPACKED, **FORGETFUL, **NO_ROOM}]
MODULES = {"induce": induce, "facts": facts}


@pytest.mark.parametrize("speeds", SPEEDS, ids=lambda speeds: " ".join(f"{k}={v}" for k, v in speeds.items()))
@pytest.mark.parametrize("name", RECORDED)
def test_memory_and_repacking_change_no_result(
    name: str, speeds: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, value in speeds.items():
        module, constant = place.split(".")
        monkeypatch.setattr(MODULES[module], constant, value)
    table = facts_of(points_from(recorded_examples()), Intervals.start())
    assert induced(table, len(table) // 2, RECORDED[name]) == recorded_run(name)


@pytest.mark.parametrize("speeds", SPEEDS, ids=lambda speeds: " ".join(f"{k}={v}" for k, v in speeds.items()))
def test_examples_that_run_out_just_as_the_room_does(speeds: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    for place, value in speeds.items():
        module, constant = place.split(".")
        monkeypatch.setattr(MODULES[module], constant, value)
    rng = random.Random(5)
    for _ in range(2):
        positives, negatives = (random_examples(rng, 5, count, 24) for count in (8, 4))
        compare_with_twin(positives, negatives, CoverSettings(nodes=300, noise=2))


# ---- symmetries ----


def turned(points: Points, symmetry: int, swap: bool) -> Points:
    """The same points with every board turned, and all colours exchanged."""
    tables = symmetry_tables(9)[symmetry]
    board = np.empty_like(points.board)
    board[:, tables] = points.board
    point = tables[points.point]
    if not swap:
        return points.__class__(board, points.size, points.to_play, *(points.ko,) * 3, points.position, point)
    other = np.array([0, 2, 1], np.uint8)
    return Points(other[board], points.size, other[points.to_play], *(points.ko,) * 3, points.position, point)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("symmetry", range(8))
def test_rules_hold_however_the_board_is_turned(symmetry: int, swap: bool) -> None:
    table = recorded_table()
    other = facts_of(turned(table.points, symmetry, swap), Intervals.start())
    bodies = {f.body for name in RECORDED for f in recorded_run(name) if f.body}
    for body in bodies:
        assert np.array_equal(coverage(table, body), coverage(other, body)), ", ".join(map(str, body))


if __name__ == "__main__":
    THEORIES.mkdir(exist_ok=True)
    for recorded in RECORDED:
        (THEORIES / f"{recorded}.pl").write_text(theory_text(recorded))
        print(f"tests/theories/{recorded}.pl", file=sys.stderr)
