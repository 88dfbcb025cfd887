"""What rules may say of a move in Connect-4, by examples to be read; all of it against Prolog: test_vocabularies.py."""

from __future__ import annotations

import numpy as np
import pytest

from gotools.game.game import find_game, vocabulary_of
from gotools.games.connect4.kernels.rules import COLUMNS, ROWS, STONES, STONES_OF
from gotools.rules.clauses.rules import Rule, parse_body
from gotools.rules.explain.sentences import sentence

GAME, VOCABULARY = find_game("connect4"), vocabulary_of("connect4")


def measured(rows: list[str], column: int) -> dict[str, int]:
    """The measures of a move of X: the other side's as other_...; those that are 0 left out."""
    state = GAME.position()
    for x in range(COLUMNS):
        for y, row in enumerate(reversed(rows)):
            if row[x] != ".":
                bit = x * (ROWS + 1) + y
                state[STONES_OF + 2 * "XO".index(row[x]) + bit // 28] |= 1 << bit % 28
                state[STONES] += 1
    out = np.zeros((1, VOCABULARY.columns), np.int32)
    VOCABULARY.measure(state, np.array([column - 1], np.int32), 1, out)
    names = [prefix + m.name for m in VOCABULARY.measures for prefix in ("", "other_")[: m.columns]]
    return {name: value for name, value in zip(names, out[0].tolist(), strict=True) if value}


def test_the_first_move() -> None:
    found = measured(["......."], 4)
    assert found == {
        "column": 4, "row": 1, "parity": 1, "mover": 1, "open_lines": 7, "other_open_lines": 7,
        "lines_above": 10, "other_lines_above": 9, "twos_above": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "column", "expected"),
    [
        (["OOO....", "XXX...."], 4, {"wins": 1, "other_gives": 1, "leaves": 1}),
        (["XX.....", "OOO..X."], 4, {"other_wins": 1}),
        (["..XX...", "..OOX.."], 5, {"threats": 0, "threes": 2, "even_fours": 2, "has_even": 2}),
        (["..XX...", ".XOOXO."], 5, {"threats": 2, "threes": 2, "even_fours": 0}),
        (["XXX....", "OXO...."], 4, {"gives": 1, "threats": 1, "other_gives": 0}),
        (["XX.....", "XXX....", "OXO...."], 3, {"stacks": 1, "odd_fours": 1, "even_fours": 0, "has_even": 1}),
        (["OO.....", "XX.X..."], 3, {"wins": 1, "other_threes": 0, "other_gives": 0}),
    ],
)
def test_what_moves_do(rows: list[str], column: int, expected: dict[str, int]) -> None:
    found = measured(rows, column)
    assert {name: found.get(name, 0) for name in expected} == expected


def test_a_rule_in_words() -> None:
    body = "opposite(B,D), leaves(A,C,0), threes(A,C,B,E), range(E,1,99), gives(A,C,D)"
    clause = f"move(A,B,C) :- {body}."
    rule = Rule("r1", parse_body(clause, "r.pl", 1, "connect4"), 1, 0, 1.0, "connect4")
    assert sentence(rule, 7) == (
        "Leaves the opponent no threats, makes one or more open threes and lets the opponent make four just above it."
    )
