"""Classes of moves against slow boards and Prolog; why moves have no rule against searches made apart."""

from __future__ import annotations

import random
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.needs import needs_swipl
from support.slow_induction import Example, points_of, random_examples

from gotools.base.errors import GotoolsError
from gotools.rules.clauses.facts import FactTable, Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.cover.induce import SEEDS, CoverSettings, induce, remedies
from gotools.rules.task.sampling import CLASSES, OTHER, classes_of, parse_classes

BACKGROUND = Path(__file__).parents[2] / "gotools/games/go/background.pl"
WORDS = tuple(CLASSES)


def examples(seed: int, count: int = 60) -> list[Example]:
    rng = random.Random(seed)
    return random_examples(rng, 5, count, 30)


def table_of(some: list[Example]) -> FactTable:
    return facts_of(points_of(some), Intervals.start())


def chain_at(example: Example, start: tuple[int, int]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the stones of a chain and its liberties, by flood fill."""
    colour, chain, liberties, todo = example.stones[start], {start}, set(), [start]
    while todo:
        x, y = todo.pop()
        for p in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if not (0 <= p[0] < example.size and 0 <= p[1] < example.size):
                continue
            if p not in example.stones:
                liberties.add(p)
            elif example.stones[p] == colour and p not in chain:
                chain.add(p)
                todo.append(p)
    return chain, liberties


def slow_class(example: Example) -> str:
    """Return the class of a move, from the words of docs/vocabulary.md alone."""
    x, y = example.point
    beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
    chains = [(example.stones[p], *chain_at(example, p)) for p in example.stones]
    theirs = [len(libs) for colour, _, libs in chains if colour != example.to_play and example.point in libs]
    if 1 in theirs:
        return "capture"
    if 2 in theirs:
        return "atari"
    ours = [libs for colour, _, libs in chains if colour == example.to_play]
    if any(example.point in libs for libs in ours):
        return "connect"
    if any(example.point not in libs and len(libs & beside) >= 2 for libs in ours):
        return "connect"
    share = len(example.stones) / example.size**2
    return "open" if share <= 10 / 81 else "middle" if share <= 30 / 81 else "end"


def names_of(found: dict[str, np.ndarray], count: int) -> list[str]:
    names = [""] * count
    for name, rows in found.items():
        for row in rows.tolist():
            assert not names[row], "a move is of one class"
            names[row] = name
    return names


def test_classes_are_those_of_slow_boards() -> None:
    some = examples(1, 200)
    found = classes_of(table_of(some), np.arange(len(some), dtype=np.int32), WORDS)
    expected = [slow_class(example) for example in some]
    assert names_of(found, len(some)) == expected
    assert set(expected) == {"capture", "atari", "connect", "open", "middle", "end"}


def test_without_stages_the_rest_is_other() -> None:
    some = examples(2)
    expected = [slow_class(e) if slow_class(e) in ("capture", "atari") else OTHER for e in some]
    rows = np.arange(len(some), dtype=np.int32)
    assert names_of(classes_of(table_of(some), rows, ("capture", "atari")), len(some)) == expected


@needs_swipl
def test_the_clauses_of_classes_are_clauses_of_the_background(tmp_path: Path) -> None:
    bodies = [body for kinds in CLASSES.values() for texts in kinds.values() for body in texts]
    program = [":- style_check(-singleton).", f":- consult('{BACKGROUND}').", ":- initialization(main)."]
    names = sorted({(body.split("(")[0], body.count(",") + 1) for body in bodies})
    program += ["main :- forall(member(N/A, [" + ",".join(f"{n}/{a}" for n, a in names) + "]),"]
    program += ["  (functor(T, N, A), predicate_property(T, defined) -> true ; writeln(N/A))), halt."]
    path = tmp_path / "ask.pl"
    path.write_text("\n".join(program) + "\n")
    said = subprocess.run(["swipl", "-q", str(path)], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


@pytest.mark.parametrize("text", ["captures", "stage,stage"])
def test_words_that_are_no_classes(text: str) -> None:
    with pytest.raises(GotoolsError):
        parse_classes(text)


# ---- why moves have no rule ----


def test_a_remedy_is_what_a_search_with_that_setting_finds() -> None:
    some = examples(3, 24)
    table = table_of(some)
    rows = np.arange(len(some), dtype=np.int32)
    positives, negatives = rows[:12], rows[12:]
    settings = CoverSettings(nodes=150, noise=0, min_body=4)
    found = {one.option: one for one in remedies(table, positives, negatives, settings)}
    changes = {
        "as it is": settings,
        "--after-opening free": replace(settings, after_opening="free"),
        "--min-body 1": replace(settings, min_body=1),
        "--score laplace": replace(settings, score="laplace"),
        "--nodes 1500": replace(settings, nodes=1500),
    }
    noise = next(option for option in found if option.startswith("--noise"))
    changes[noise] = replace(settings, noise=int(noise.split()[1]))
    assert set(found) == set(changes)
    for option, changed in changes.items():
        seeds = list(induce(table, positives, negatives, changed))[:SEEDS]
        assert (found[option].rules, found[option].without) == (
            sum(bool(one.body) for one in seeds),
            sum(not one.body for one in seeds),
        )


def test_the_noise_named_is_the_least_that_gives_a_rule() -> None:
    some = examples(4, 24)
    table = table_of(some + some[6:])
    positives, negatives = np.arange(24, dtype=np.int32), np.arange(24, 42, dtype=np.int32)
    settings = CoverSettings(predicates=("connects_direct", "liberty_cnt", "stage"), nodes=100, noise=0, min_body=2)

    def finds(noise: int) -> bool:
        return any(one.body for one in induce(table, positives, negatives, replace(settings, noise=noise)))

    assert not finds(0), "the first search must find nothing"
    option = next(one.option for one in remedies(table, positives, negatives, settings) if "noise" in one.option)
    named = int(option.split()[1])
    assert named == next((noise for noise in range(len(negatives)) if finds(noise)), len(negatives))
