"""The facts that clauses test are what sets of points say: window, edges, stage, chains, relations."""

import random

import numpy as np
import pytest
from support.position_text import parse_position
from support.slow_induction import FRAMES, RELATIONS, Example, points_of, random_examples

from gotools.games.go.points import parse_vertex
from gotools.games.go.vocabulary import STAGES
from gotools.rules.clauses.facts import FactTable, Intervals, facts_of_points
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.points import Points

LIBERTIES, STONES, COLOUR, SMALLEST = range(4)


def table_of(examples: list[Example], radius: int = 3) -> FactTable:
    return facts_of_points(points_of(examples), Intervals.start(), radius=radius)


def names_of(table: FactTable, row: int) -> list[int]:
    """The chains that the table knows of an example, by their smallest points, counted from 1 as in Prolog."""
    start, end = table.facts.start[row : row + 2]
    return [int(smallest) + 1 for smallest in table.facts.number[SMALLEST, start:end]]


def expected_window(example: Example, radius: int) -> dict[tuple[str, int, int], int]:
    """(frame, dx, dy) -> chain, for all offsets of the window at which a stone is."""
    x, y = example.point
    shown = {}
    for frame, turn in FRAMES.items():
        for dx in range(-radius, radius + 1):
            for dy in range(-radius, radius + 1):
                across, up = turn(dx, dy)
                chain = example.chain_at.get((x + across, y + up))
                if chain is not None and (dx, dy) != (0, 0):
                    shown[frame, dx, dy] = chain
    return shown


CASES = [(size, 3) for size in (2, 3, 4, 5, 6, 7, 9, 13, 19)] + [(7, 1), (9, 2), (9, 4), (19, 5)]


@pytest.mark.parametrize(("size", "radius"), CASES)
def test_facts_are_what_sets_of_points_say(size: int, radius: int) -> None:
    examples = random_examples(random.Random(size), size, 12 if size < 13 else 4, min(2 * size * size, 300))
    table = table_of(examples, radius)
    for row, example in enumerate(examples):
        check_window(table, row, example, radius)
        check_edges_and_stage(table, row, example)
        check_chains(table, row, example)


def check_window(table: FactTable, row: int, example: Example, radius: int) -> None:
    names, shown = names_of(table, row), expected_window(example, radius)
    assert names == sorted(set(shown.values())), "chains in sight, smallest point first"
    window = table.facts.window[:, row]
    found = {
        (frame, *table.offsets[offset]): names[window[offset, s] - 1]
        for s, frame in enumerate(FRAMES)
        for offset in range(len(table.offsets))
        if window[offset, s]
    }
    assert found == shown


def check_edges_and_stage(table: FactTable, row: int, example: Example) -> None:
    for which, predicate in enumerate(("edge_ver", "edge_hor")):
        distances = [d for _, _, d, _ in example.tuples[predicate]]
        assert table.facts.edge[which, row].tolist() == distances
    assert example.tuples["stage"] == [("board", STAGES[table.facts.stage[row]])]


def check_chains(table: FactTable, row: int, example: Example) -> None:
    start = int(table.facts.start[row])
    for at, name in enumerate(names_of(table, row), start):
        chain = example.chains[name]
        number = table.facts.number[:, at]
        assert (number[LIBERTIES], number[STONES]) == (len(chain.liberties), len(chain.stones))
        assert number[COLOUR] == (1 if chain.colour == "bw"[example.to_play - 1] else 2)
        assert {p + 1 for p in table.liberties(at)} == {example.name(p) for p in chain.liberties}
        for shift, colour in ((0, "bw"[example.to_play - 1]), (4, "wb"[example.to_play - 1])):
            held = [("board", name, *example.head[2:], colour) in example.tuples[relation] for relation in RELATIONS]
            assert [table.facts.relation[at] >> (bit + shift) & 1 for bit in range(4)] == held


def test_examples_of_several_sizes_stand_in_one_table() -> None:
    rng = random.Random(8)
    examples = [example for size in (5, 9, 4, 13) for example in random_examples(rng, size, 3, 60)]
    table = table_of(examples)
    for row, example in enumerate(examples):
        check_window(table, row, example, 3)
        check_edges_and_stage(table, row, example)
        check_chains(table, row, example)


def test_many_points_may_share_a_position() -> None:
    one = random_examples(random.Random(2), 9, 1, 40)[0]
    free = [(x, y) for x in range(9) for y in range(9) if (x, y) not in one.stones]
    examples = [Example(9, one.stones, one.to_play, point) for point in free]
    apart = points_of(examples)
    position = np.zeros(len(examples), np.int32)
    together = Points(apart.board[:1], apart.size[:1], apart.to_play[:1], *(apart.ko[:1],) * 3, position, apart.point)
    tables = table_of(examples).facts, facts_of(together, Intervals.start()).facts
    assert all(np.array_equal(a, b) for a, b in zip(*tables, strict=True))


DRAWN = """
. . . X .   5
. X X O X   4   Black to play at D2: White's D3 has two liberties (atari), E2 is touched,
. X . O X   3   C1 is not, but its liberties C2 and D1 are beside the point
. . . . X   2
. . X . .   1
"""


def test_relations_in_a_drawn_position() -> None:
    """What the picture says, spelled out by hand: twins may be wrong together."""
    board, size = parse_position("/".join(line[:9].replace(" ", "") for line in DRAWN.strip().splitlines()))
    none = np.full(1, -1, np.int16)
    one, black = np.array([size], np.uint8), np.array([1], np.uint8)
    point = np.array([parse_vertex("D2", size)], np.int16)
    table = facts_of(Points(board[None], one, black, none, none, none, np.zeros(1, np.int32), point), Intervals.start())
    c1, e2, b3, d3, d5 = [3, 1, 1, 2], [3, 3, 1, 9], [6, 3, 1, 11], [2, 2, 2, 13], [2, 1, 1, 23]
    assert table.facts.number.T.tolist() == [c1, e2, b3, d3, d5]
    atari, direct, indirect, by_white = 1, 4, 8, 4
    assert table.facts.relation.tolist() == [indirect, direct, 0, atari | direct << by_white, 0]
    left, below = table.facts.edge[:, 0].tolist()
    assert (left[:3], below[:3]) == ([-4, -2, -2], [-2, -2, -4])


def test_no_examples_give_an_empty_table() -> None:
    table = table_of([])
    assert len(table) == 0
    assert table.facts.window.shape[1:] == (0, 8)


def test_intervals_have_one_number_each() -> None:
    intervals = Intervals.start()
    first = intervals.number(4, 8)
    assert intervals.number(5, 8) == first + 1
    assert intervals.number(4, 8) == first
    assert (intervals.low[first], intervals.high[first]) == (4, 8)
