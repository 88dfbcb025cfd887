"""What a stone on a point would be: hand-made positions, and random ones against a slow twin."""

import random

import numpy as np
import pytest
from support import slow_measures as twin
from support.slow import SlowGo

from gotools.game.vocabulary import Measure
from gotools.games.go.vocabulary import EYES, MEASURE_OF, MEASURES, OUTCOMES, VOCABULARIES
from gotools.rules.clauses.clauses import MEASURE_ROWS
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.kernels import measures as m
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.points import Points


def measured(size: int, stones: dict[tuple[int, int], int], colour: int, points: list[tuple[int, int]]) -> np.ndarray:
    """int16[measures, points] for a position without last moves."""
    board = np.zeros((1, size * size), np.uint8)
    for (x, y), c in stones.items():
        board[0, y * size + x] = c
    none = np.full(1, -1, np.int16)
    sides = np.full(1, size, np.uint8), np.full(1, colour, np.uint8)
    at = np.array([y * size + x for x, y in points], np.int16)
    table = facts_of(
        Points(board, *sides, none, none, none, np.zeros(len(at), np.int32), at),
        Intervals.start(),
        predicates=VOCABULARIES["groups"],
    )
    return table.facts.measure


def drawn(diagram: str) -> tuple[int, dict[tuple[int, int], int], tuple[int, int]]:
    """Size, stones and the point marked `*` of a diagram, top row first."""
    rows = [line.split() for line in diagram.split("\n") if line.strip()]
    cells = {(x, len(rows) - 1 - y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    point = next(p for p, sign in cells.items() if sign == "*")
    return len(rows), {p: " XO".index(sign) for p, sign in cells.items() if sign in "XO"}, point


def outcome(diagram: str, which: int, colour: int = 1) -> int:
    size, stones, point = drawn(diagram)
    return int(measured(size, stones, colour, [point])[which, 0])


@pytest.mark.parametrize(
    ("diagram", "says"),
    [
        (". . . . .\n. . . . .\n. . . . .\nX * . . .\nX O . . .", "works"),  # it crawls along the edge, in vain
        (". . . . .\n. . . . .\n. . . . .\nX * . O .\nX O . . .", "fails"),  # and meets a friend
        (". . . . .\n. . . . .\n. . . . .\n. * . . .\nX O . . .", "fails"),  # it takes the stone that holds it
        (". . . . .\n. . . . .\n. . . . .\nX X . . .\nO O * . .", ""),  # captured at once: no atari
    ],
)
def test_ataris_at_the_edge(diagram: str, says: str) -> None:
    assert ("", *OUTCOMES)[outcome(diagram, m.LADDER)] == says


def test_a_stone_far_away_breaks_a_ladder() -> None:
    """The same corner on 19x19, with and without a friend of the chain on its way."""
    stones = {(3, 3): 2, (2, 3): 1, (3, 2): 1, (4, 2): 1}
    free = measured(19, stones, 1, [(3, 4)])[m.LADDER, 0]
    broken = measured(19, {**stones, (12, 12): 2}, 1, [(3, 4)])[m.LADDER, 0]
    assert (OUTCOMES[free - 1], OUTCOMES[broken - 1]) == ("works", "fails")


def test_captured_stones_become_liberties() -> None:
    size, stones, point = drawn("X O *\nX O X\nO X .")
    assert measured(size, stones, 1, [point])[m.LIBERTIES_AFTER, 0] == 3  # the two points taken, and the corner


@pytest.mark.parametrize(
    ("diagram", "kind"),
    [
        (". X .\nX * X\n. X .", "real"),
        ("O X .\nX * X\n. X .", "real"),
        ("O X O\nX * X\n. X .", "false"),
        (". . .\nX . .\n* X .", "real"),
        (". . .\nX O .\n* X .", "false"),
    ],
)
def test_eyes(diagram: str, kind: str) -> None:
    assert EYES[outcome(diagram, m.EYE) - 1] == kind


SIX_BLOCKS = """
. . . . . . .
. . X . X . .
. X . * . . .
. . O . X X .
. X . . . . .
X . . O . . X
. . . . . . ."""
"""Like figure 2.8: diagonals and one-point jumps, of which only the diagonals share two liberties."""


@pytest.mark.parametrize(
    ("which", "value"),
    [
        (m.LINKED_SETS, 0),  # the move touches no stone
        (m.NEAR_GROUPS, 1),  # all of black is within two empty points, from chain to chain
        (m.NEAR_GROUPS + 1, 1),
        (m.GROUP_LIBERTIES + 1, 8),  # of white's two stones, a knight's move apart
    ],
)
def test_groups_of_a_drawing(which: int, value: int) -> None:
    assert outcome(SIX_BLOCKS, which) == value


def test_a_cut_between_linked_chains_touches_one_set() -> None:
    """Two diagonal stones are linked until the other side holds one of the two points between them."""
    free, cut = ". . . .\n. . X .\n. X * .\n. . . .", ". . . .\n. O X .\n. X * .\n. . . ."
    assert [outcome(board, m.LINKED_SETS, colour=2) for board in (free, cut)] == [0, 0]
    assert [outcome(board, m.LINKED_SETS + 1, colour=2) for board in (free, cut)] == [1, 2]
    assert [outcome(board, m.LINKED_LIBERTIES, colour=1) for board in (free, cut)] == [6, 3]


def random_position(rng: random.Random, size: int) -> SlowGo:
    go, colour = SlowGo(size), 1
    for _ in range(rng.randrange(size * size)):
        points = [(x, y) for x in range(size) for y in range(size)]
        rng.shuffle(points)
        any(not go.play(p, colour) for p in points)
        colour = 3 - colour
    return go


COLOURED = [measure.name for measure in MEASURES if measure.coloured]


def value_of(measure: Measure, value: int) -> int | str:
    """Return what a value of the kernels says: a number, a word, or whether a condition holds."""
    if measure.words:
        return ("", *measure.words)[value]
    return value if measure.is_number else value == 1


def test_the_kernels_fill_a_row_for_every_measure_of_the_vocabulary_and_no_other() -> None:
    rows = [MEASURE_ROWS[x.name] + side for x in MEASURES for side in range(1 + x.coloured)]
    assert set(rows) == set(range(m.MEASURES))


def test_every_measure_has_a_slow_twin() -> None:
    assert {measure.name for measure in MEASURES} == twin.TWINS.keys() | twin.PLAIN_TWINS.keys()


@pytest.mark.parametrize(("size", "games"), [(2, 10), (3, 20), (5, 20), (7, 10), (9, 4)])
def test_every_measure_is_what_the_slow_twin_says(size: int, games: int) -> None:
    rng = random.Random(size)
    for _ in range(games):
        go, colour = random_position(rng, size), rng.choice((1, 2))
        points = [(x, y) for y in range(size) for x in range(size) if (x, y) not in go.stones]
        if not points:
            continue
        found = measured(size, go.stones, colour, points)
        for k, point in enumerate(points):
            for side, c in enumerate((colour, 3 - colour)):
                expected = {name: twin.TWINS[name](go, point, c) for name in COLOURED}
                said = {name: value_of(MEASURE_OF[name], int(found[MEASURE_ROWS[name] + side, k])) for name in COLOURED}
                assert said == expected, (point, c, go.stones)
