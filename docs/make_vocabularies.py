#!/usr/bin/env python3
"""Write a page for the vocabulary of each game, docs/vocabulary-GAME.md, and links to them into docs/vocabulary.md.

usage: python docs/make_vocabularies.py

Go has a page of its own, docs/vocabulary.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from textwrap import fill

from make_tables import table

from gotools.game.game import find_game, vocabulary_of
from gotools.game.table import GAMES
from gotools.game.vocabulary import Measure, Predicate, Vocabulary, Window
from gotools.rules.clauses.rules import Rule, parse_body
from gotools.rules.explain.diagrams import diagram
from gotools.rules.explain.sentences import sentence
from gotools.rules.explain.telling import Said, key_of

DOCS = Path(__file__).parent
PAGE = DOCS / "vocabulary.md"
BEGIN, END = "<!-- games: docs/make_vocabularies.py -->\n", "<!-- end of games -->\n"
NAMES = [name for name in GAMES if "Vocabulary" in find_game(name).traits and not vocabulary_of(name).points]
ARGUMENTS = {"board": "Board", "color": "Color", "move": "Move", "pos": "Frame", "class": "Class", "stage": "Stage"}
SAID = {"own": "own: ", "opponent": "other: ", "": ""}
"""What stands before the phrases of a side, by the variable of the colour."""
MOST, MOST_OF_MANY = 4, 2
"""Words whose phrases are all listed; phrases that stand for more words than these."""
SHARED = {
    "opposite": "they are the two sides; Color is `B`, which is to move",
    "pos_gen": "always. Frame is one of {frames}; a rule holds if all its conditions hold in one frame, the same for "
    "all",
    "cell": "what stands at the offset DX, DY from the place that the move comes to, seen in the frame, is of the "
    "[class](#places)",
    "stage": "the game is in this stage: {stages}",
    "range": "Low ≤ N ≤ High",
}


def page(name: str) -> str:
    """Return the page of a game's vocabulary."""
    vocabulary = vocabulary_of(name)
    parts = [
        f"# The vocabulary of rules of {name}",
        wrapped(
            f"A rule proposes a move if its conditions hold there (or, with a negative weight, advises against it). "
            f"`docs/make_vocabularies.py` writes this page from the vocabulary of the game; what a condition means is "
            f"defined in Prolog in [{vocabulary.background}](../gotools/games/{name}/{vocabulary.background}). "
            f"[Predicates of your own](background.md#other-games) may call what is in that file. "
            f"[vocabulary.md](vocabulary.md) is that of Go."
        ),
        wrapped(
            f"The head of all rules is `{vocabulary.head_text}`: `A` the board, `B` the side to move, `C` the move. "
            f"Color is `B`, or the variable that `opposite(B,D)` binds: then the condition says what the other side "
            f"would do by this move, which the move prevents. N is a number, or a variable for one that `range` "
            f"limits. Two rules, as gotools writes, tells and draws them:"
        ),
        *("\n\n".join(shown(clause, name)) for clause in examples(vocabulary)),
        f"`{key_of(vocabulary, map(partial(rule_of, name), examples(vocabulary)))}`",
        "## Conditions",
        table(["predicate", "holds if"], [*shared_rows(vocabulary)]),
        "## Measures",
        wrapped(
            "The last column is what a sentence says, with two in the place of N; other: of the other side. "
            "`--objective rank` tries the numbers and intervals that are listed; others may stand in rules too."
        ),
        table(["predicate", "meaning", "values", "in a sentence"], [measure_row(m) for m in vocabulary.measures]),
    ]
    return "\n\n".join(part.rstrip("\n") for part in [*parts, *places(vocabulary.window)]) + "\n"


def wrapped(text: str) -> str:
    """Return a paragraph in lines of 100 columns."""
    return fill(text, 100, break_long_words=False, break_on_hyphens=False)


def examples(vocabulary: Vocabulary) -> Iterator[str]:
    """Yield two clauses: one of measures, one of places."""
    measures = vocabulary.measures
    first = next((m for m in measures if not m.coloured and not m.is_number), measures[0])
    second = next((m for m in measures if m.coloured and m is not first), measures[-1])
    stage = [f"stage(A,{next(iter(vocabulary.stages))})"] if vocabulary.stages else []
    colour = ["opposite(B,D)"] if second.coloured else []
    yield clause_of(vocabulary, [*stage, *colour, *literals(first, "B", "E"), *literals(second, "D", "F")])
    window = vocabulary.window
    if window is not None:
        near = sorted(window.offsets, key=lambda at: (max(map(abs, at)), -at[1], at[0]))
        cells = zip(near[1::2], window.tried[:3], strict=False)
        yield clause_of(vocabulary, ["pos_gen(D)", *(f"cell(A,C,{x},{y},{held},D)" for (x, y), held in cells)])


def literals(measure: Measure, colour: str, number: str) -> list[str]:
    """Return the condition that a measure is the first of its words, or in an interval, for a side."""
    arguments = ["A", "C", *([colour] if measure.coloured else [])]
    if not measure.is_number:
        return [f"{measure.name}({','.join([*arguments, *measure.words[:1]])})"]
    low, high = measure.intervals[0] if measure.intervals else (measure.least, measure.least + 1)
    return [f"{measure.name}({','.join([*arguments, number])})", f"range({number},{low},{high})"]


def clause_of(vocabulary: Vocabulary, body: list[str]) -> str:
    """Return a clause as Prolog."""
    return f"{vocabulary.head_text} :- {', '.join(body)}."


def rule_of(name: str, clause: str) -> Rule:
    """Return a clause as a rule of a game."""
    return Rule("r1", parse_body(clause, "vocabulary", 1, name), 0, 0, 1.0, name)


def shown(clause: str, name: str) -> Iterator[str]:
    """Yield a clause, and its sentence and drawing."""
    rule = rule_of(name, clause)
    drawn = "\n".join(line.rstrip() for line in diagram(rule))
    yield f"```prolog\n{clause}\n```"
    yield f"```text\n{sentence(rule)}\n\n{drawn}\n```"


def shared_rows(vocabulary: Vocabulary) -> Iterator[list[str]]:
    """Yield the predicates that are no measures."""
    frames = {1: "one frame", 2: "two: the board, and its mirror image", 8: "the eight symmetries of a square"}
    many = vocabulary.window.frames if vocabulary.window else 1
    stages = ", ".join(f"`{name}` ({words})" for name, words in vocabulary.stages.items())
    for predicate in vocabulary.predicates:
        if predicate.name in SHARED:
            said = SHARED[predicate.name].format(frames=frames.get(many, f"{many} frames"), stages=stages)
            yield [f"`{signature(predicate)}`", said]


def signature(predicate: Predicate) -> str:
    """Return a predicate with names for its arguments."""
    modes = [mode[1:] for mode in predicate.modes]
    numbers = {"range": ["N", "Low", "High"], "cell": ["DX", "DY"]}.get(predicate.name, ["N"])
    given = iter(numbers)
    names = [next(given) if mode in ("nat", "disp") else ARGUMENTS.get(mode, mode.capitalize()) for mode in modes]
    if predicate.name == "opposite":
        names = ["Color", "Other"]
    return f"{predicate.name}({', '.join(names)})"


def measure_row(measure: Measure) -> list[str]:
    """Return a measure with its meaning, its values, and what sentences say."""
    tried = ", ".join([*map(str, measure.tried), *(f"{low}-{high}" for low, high in measure.intervals)])
    words = ", ".join(f"`{word}`" for word in measure.words)
    said = (f"{SAID[side]}{'; '.join(phrases(measure, side))}" for side in measure.phrases)
    return [f"`{signature(measure.predicate)}`", measure.meaning, words or tried or "-", "<br>".join(said)]


def phrases(measure: Measure, side: str) -> list[str]:
    """Return what sentences say of a measure for a side, for each of its words; of many for the first of them."""
    two = 2 if measure.is_number else 0
    found = [Said(measure, side, two, two, word).text for word in measure.words or ("",)]
    return found if len(found) <= MOST else [*found[:MOST_OF_MANY], "..."]


def places(window: Window | None) -> Iterator[str]:
    """Yield the section of what stands around a move."""
    if window is None:
        return
    yield "## Places"
    ahead = ", DY half steps: 0, 2 is the next place ahead" if window.hexagonal else ", DY ahead"
    yield wrapped(
        f"DX counts places to the right as the side to move sees the board{ahead}, from the place that the move comes "
        f"to. What may stand there, with its sign in drawings; `--objective rank` tries those with a star:"
    )
    rows = [
        [f"`{name}`{' *' if name in window.tried else ''}", f"`{window.signs[name]}`", words]
        for name, words in window.classes.items()
    ]
    yield table(["class", "sign", "in a sentence"], rows)
    by_words = sorted(window.offsets, key=lambda at: (window.words(*at), at))
    groups = groupby(by_words, key=lambda at: window.words(*at))
    listed = [[words, ", ".join(f"({x}, {y})" for x, y in offsets)] for words, offsets in groups]
    yield table(["in a sentence", "DX, DY"], sorted(listed, key=lambda row: len(row[1])))


def with_links(text: str) -> str:
    """Return docs/vocabulary.md with its links to the pages of other games made anew."""
    links = [f"[{name}](vocabulary-{name}.md)" for name in NAMES]
    said = wrapped(f"This is the vocabulary of Go. Other games have one of their own: {', '.join(links)}.")
    return re.sub(f"(?s){BEGIN}.*{END}", lambda _: f"{BEGIN}\n{said}\n\n{END}", text)


if __name__ == "__main__":
    for game in NAMES:
        (DOCS / f"vocabulary-{game}.md").write_text(page(game), encoding="utf-8")
    PAGE.write_text(with_links(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
