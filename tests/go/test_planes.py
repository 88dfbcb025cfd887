"""Planes of a position: against lists on sets and boards, against diagrams of ladders, and turned with the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.position_text import parse_position
from support.random_boards import Position, games, some_positions, table
from support.slow import SlowGo
from support.slow_measures import Reader
from support.turned import transform_cells, transform_point

from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.examples.examples import of_go
from gotools.games.go.go import GO
from gotools.games.go.inputs.kernels.planes import fill_planes, planes_of_rows
from gotools.games.go.inputs.positions import PLANES
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.game import KOMI2
from gotools.games.go.points import NONE, PASS, parse_vertex, vertex
from gotools.jit.kernels.residual import residual_network
from gotools.library.records import read_examples
from gotools.values.network.shape import NetworkShape, numbers_of

SIZES = (5, 9, 13, 19)
GAMES = Path(__file__).parents[2] / "examples" / "games"
NAMES = {name: number for number, name in enumerate(PLANES.names)}
LADDER, KOMI, LEGAL, KO = (NAMES[name] for name in ("chains in a ladder", "komi", "legal points", "ko"))
Array = NDArray[np.float32]


def state_of(position: Position, komi2: int = 0) -> NDArray[np.int32]:
    cells, size, to_play, ko, last, last2 = position
    state = Board.from_cells(cells, size, to_play, ko).state
    state[k.LAST], state[k.LAST2], state[KOMI2] = k.pad(last, size), k.pad(last2, size), komi2
    return state


def planes_of(position: Position, komi2: int = 0, strength: float = 0.0) -> Array:
    """Return float32[rows + 2, columns + 2, planes], filled over numbers that must not shine through."""
    side = position.size + 2
    x = np.full(side * side * len(NAMES), 77.0, np.float32)
    fill_planes(state_of(position, komi2), strength, x)
    return x.reshape(side, side, -1)


@cache
def recorded(step: int = 41) -> list[Position]:
    """Return some positions of real games."""
    rows = of_go(read_examples(GAMES, report=lambda _: None))
    columns = zip(rows.size, rows.to_play, rows.ko, rows.last, rows.last2, strict=True)
    every = [Position(cells, *map(int, others)) for cells, others in zip(rows.board, columns, strict=True)]
    kos = [position for position in every if position.ko != NONE]
    passed = [position for position in every if PASS in (position.last, position.last2)]
    return [*every[::step], *kos[:10], *passed[:10]]


# a slow, obvious twin -------------------------------------------------------------------------------------------------


def slow_planes(position: Position, komi2: int, strength: float) -> dict[str, Any]:
    """Return what each plane holds: a number for the whole board, or the points where it is 1."""
    cells, size, to_play, ko, last, last2 = position
    board = Board.from_cells(cells, size, to_play, ko)
    points = range(size * size)
    kinds = ("1 liberty", "2 liberties", "3 liberties", "4 or more liberties")
    found: dict[str, Any] = {
        "board": 1.0,
        "legal points": [p for p in points if board.is_legal(p, to_play)],
        "ko": [ko] if ko != NONE else [],
        "last move": [last] if last >= 0 else [],
        "move before the last": [last2] if last2 >= 0 else [],
        "the opponent passed": float(last == PASS),
        "chains in a ladder": slow_ladders(position),
        "komi": (komi2 / 2 if to_play == WHITE else -komi2 / 2) / 20,
        "strength": strength,
    }
    for side, colour in (("own", to_play), ("opponent's", 3 - to_play)):
        stones = [p for p in points if cells[p] == colour]
        found[f"{side} stones"] = stones
        for count, kind in enumerate(kinds, 1):
            found[f"{side} chains of {kind}"] = [p for p in stones if min(len(board.liberties(p)), 4) == count]
    return found


def slow_ladders(position: Position) -> list[int]:
    """List the stones that are caught: in atari though their owner moves, with two liberties if the other side does."""
    size = position.size
    stones = {(p % size, p // size): int(position.cells[p]) for p in range(size * size) if position.cells[p]}
    go, found = SlowGo(size, stones), []
    for x, y in stones:
        count = len(go.liberties((x, y)))
        if (count == 1 and Reader().trapped(go, (x, y))) or (count == 2 and Reader().caught(go, (x, y))):
            found.append(y * size + x)
    return sorted(found)


def listed(planes: Array, name: str) -> list[int]:
    """List the points where a plane is 1; it must be 0 elsewhere."""
    inner = planes[1:-1, 1:-1, NAMES[name]].ravel()
    assert set(inner.tolist()) <= {0.0, 1.0}
    return np.flatnonzero(inner).tolist()


def assert_same(position: Position, komi2: int = 13, strength: float = 0.5) -> None:
    planes = planes_of(position, komi2, strength)
    border = planes.copy()
    border[1:-1, 1:-1] = 0
    assert not border.any()
    wanted = slow_planes(position, komi2, strength)
    assert set(wanted) == set(NAMES)
    for name, what in wanted.items():
        if isinstance(what, float):
            assert (planes[1:-1, 1:-1, NAMES[name]] == np.float32(what)).all(), name
        else:
            assert listed(planes, name) == sorted(what), (name, position)


def test_positions_of_real_games() -> None:
    assert len(recorded()) > 50
    for position in recorded():
        assert_same(position)


@pytest.mark.parametrize("size", SIZES)
def test_positions_of_random_games(size: int) -> None:
    for position in some_positions(size, 20 if size < 13 else 5):
        assert_same(position, komi2=-3, strength=-1.25)


def test_random_positions_show_all_there_is_to_see() -> None:
    """Or the tests above would compare nothing with nothing."""
    some = [planes_of(position, 1, 1.0) for position in some_positions(9, 60)]
    seen = np.array([planes.any((0, 1)) for planes in some]).sum(0)
    assert (seen > 3).all()
    assert (seen[[KO, LADDER]] < len(some)).all()


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_komi_counts_for_white_and_strength_for_who_plays(colour: int) -> None:
    empty = Position(np.zeros(25, np.uint8), 5, colour, NONE, NONE, NONE)
    for komi2, wanted in ((0, 0.0), (15, 0.375), (-20, -0.5), (400, 10.0)):
        inner = planes_of(empty, komi2, 1.5)[1:-1, 1:-1]
        assert (inner[:, :, KOMI] == (wanted if colour == WHITE else -wanted)).all()
        assert (inner[:, :, NAMES["strength"]] == 1.5).all()
        assert listed(planes_of(empty, komi2, 1.5), "legal points") == list(range(25))


def test_a_ko_is_shown_to_the_side_that_may_not_take_back() -> None:
    cells, size = parse_position(".XO../XO.O./.XO../...../.....")
    board = Board.from_cells(cells, size, BLACK)
    board.play_point(parse_vertex("C4", size), BLACK)  # takes B4
    x = np.empty((size + 2) ** 2 * len(NAMES), np.float32)
    fill_planes(board.state, 0.0, x)
    planes = x.reshape(size + 2, size + 2, -1)
    assert board.ko == parse_vertex("B4", size)
    assert listed(planes, "ko") == [board.ko]
    assert board.ko not in listed(planes, "legal points")
    board.play_point(PASS, WHITE)
    fill_planes(board.state, 0.0, x)
    assert listed(planes, "ko") == []
    assert (planes[1:-1, 1:-1, NAMES["the opponent passed"]] == 1).all()
    assert listed(planes, "move before the last") == [parse_vertex("C4", size)]


# ladders by hand ------------------------------------------------------------------------------------------------------

WORKS = """
    .........
    .........
    .........
    .........
    .........
    ..OX.....
    ...OO....
    .........
    .........
"""
"""White D5 drives the stone up and right into the corner."""
BROKEN = """
    .........
    ......X..
    .........
    .........
    .........
    ..OX.....
    ...OO....
    .........
    .........
"""
"""The stone at G8 waits for it."""
TWO_LIBERTIES_AND_TAKES = """
    .........
    .........
    .........
    .........
    .........
    .XOX.....
    ..XOO....
    .........
    .........
"""
"""C4 is in atari: after white D5 black takes it."""
ESCAPES = """
    .........
    .........
    .........
    .........
    ...O.....
    ..OX.....
    ...O.....
    .........
    .........
"""
"""E4 has three liberties then."""
CAUGHT_IN_ATARI = """
    .........
    .........
    .........
    .........
    ...O.....
    ..OX.....
    ...OO....
    .........
    .........
"""
"""E4 has two, and the ladder goes on to the corner."""
TAKES = """
    .........
    .........
    .........
    .........
    ...O.....
    .XOX.....
    ..XOO....
    .........
    .........
"""
"""C4 has one liberty, C5: black takes it."""
ON_THE_EDGE = """
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    ...OO....
    ..OX.....
"""
"""E1 has one liberty."""
NET = """
    .........
    .........
    .........
    .........
    .....O...
    ..OX.....
    ..OXO....
    ...O.....
    .........
"""
"""Two stones with two liberties, D5 and E4: an atari on either side catches them."""


def ladders(rows: str, colour: int) -> str:
    cells, size = parse_position("/".join(rows.split()))
    planes = planes_of(Position(cells, size, colour, NONE, NONE, NONE))
    return " ".join(vertex(point, size) for point in listed(planes, "chains in a ladder"))


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize(
    ("rows", "caught"),
    [
        (WORKS, "D4"),
        (BROKEN, ""),
        (TWO_LIBERTIES_AND_TAKES, ""),
        (ESCAPES, ""),
        (CAUGHT_IN_ATARI, "D4"),
        (TAKES, ""),
        (ON_THE_EDGE, "D1"),
        (NET, "D3 D4"),
    ],
)
def test_ladders_of_diagrams(rows: str, caught: str, exchanged: bool, colour: int) -> None:
    """Whoever is to play, and whichever colour is hunted."""
    if exchanged:
        rows = rows.translate(str.maketrans("XO", "OX"))
    assert ladders(rows, colour) == caught


# symmetry -------------------------------------------------------------------------------------------------------------


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions of random games, with kos and passes, and boards with few stones, where ladders are long."""
    size = draw(st.sampled_from(SIZES))
    if draw(st.booleans()):
        return draw(st.sampled_from(games(size)))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    share = chance.uniform(0.0, 0.4)
    cells = chance.choice(3, size * size, p=[1 - share, share / 2, share / 2]).astype(np.uint8)
    for p in range(size * size):  # a random board may have chains without liberties
        if cells[p] and not dead_free(cells, size, p):
            cells[p] = 0
    return Position(cells, size, draw(st.sampled_from([BLACK, WHITE])), NONE, NONE, PASS)


def dead_free(cells: NDArray[np.uint8], size: int, point: int) -> bool:
    go = SlowGo(size, {(p % size, p // size): int(cells[p]) for p in range(size * size) if cells[p]})
    return bool(go.liberties((point % size, point // size)))


def turned(position: Position, symmetry: int) -> Position:
    cells, size, to_play, *points = position
    ko, last, last2 = (transform_point(point, size, symmetry) for point in points)
    return Position(transform_cells(cells, size, symmetry), size, to_play, ko, last, last2)


def turned_planes(planes: Array, symmetry: int) -> Array:
    """Return planes with each point where a symmetry brings it."""
    size, found = len(planes) - 2, np.zeros_like(planes)
    for p in range(size * size):
        q = transform_point(p, size, symmetry)
        found[q // size + 1, q % size + 1] = planes[p // size + 1, p % size + 1]
    return found


LONGEST_READ = 9
"""Boards up to this size are too small for ladders that take 200 defences to read."""


@given(positions(), st.integers(0, 7))
def test_a_position_turned_has_its_planes_turned(position: Position, symmetry: int) -> None:
    found, wanted = (
        planes_of(turned(position, symmetry), 11, 0.5),
        turned_planes(planes_of(position, 11, 0.5), symmetry),
    )
    if position.size > LONGEST_READ:
        found[:, :, LADDER] = wanted[:, :, LADDER] = 0
    assert (found == wanted).all()


def test_a_ladder_too_long_to_read_is_seen_from_one_side_only() -> None:
    """Why the test above leaves ladders of large boards out: reading ends after 200 defences, in whichever line."""
    cells = np.zeros(169, np.uint8)
    for text, colour in (("A1", BLACK), ("J2", BLACK), ("D11", WHITE)):
        cells[parse_vertex(text, 13)] = colour
    position = Position(cells, 13, WHITE, NONE, NONE, NONE)
    seen = {len(listed(planes_of(turned(position, symmetry)), "chains in a ladder")) for symmetry in range(8)}
    assert seen == {0, 1}


@given(positions(), st.integers(-30, 30))
def test_colours_exchanged_with_the_komi_negated_are_the_same_planes(position: Position, komi2: int) -> None:
    cells = np.array([0, 2, 1], np.uint8)[position.cells]
    other = position._replace(cells=cells, to_play=3 - position.to_play)
    assert (planes_of(other, -komi2, 0.25) == planes_of(position, komi2, 0.25)).all()


# many at once ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_rows_have_the_planes_of_their_positions(size: int) -> None:
    assert_rows(some_positions(size, 30))


def test_rows_of_records_have_the_planes_of_their_positions() -> None:
    assert_rows(recorded())


def assert_rows(some: Sequence[Position]) -> None:
    """Each with a komi and a strength of its own."""
    board, sizes, to_play, ko, last, last2 = table(list(some))
    side, chance = int(sizes[0]), np.random.default_rng(len(some))
    komi2, strength = chance.integers(-40, 40, len(some)).astype(np.int16), chance.normal(size=len(some))
    x = np.full((len(some), (side + 2) ** 2 * len(NAMES)), 77.0, np.float32)
    planes_of_rows(board, side, to_play, ko, last, last2, komi2, strength.astype(np.float32), x)
    for row, position in enumerate(some):
        wanted = planes_of(position, int(komi2[row]), float(np.float32(strength[row])))
        assert (x[row] == wanted.ravel()).all(), position


# networks over planes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 9, 19])
def test_a_judge_gives_moves_the_policy_of_their_points_and_positions_the_value(size: int) -> None:
    shape = NetworkShape(1, 16)
    weights = np.random.default_rng(2).normal(0.0, 0.1, shape.weights(len(NAMES))).astype(np.float32)
    numbers, seen = numbers_of(shape, len(NAMES), weights, 0.75), set()
    for position in some_positions(size, 9):
        state, wanted, out = state_of(position, 11), np.empty(size * size + 1, np.float32), np.empty(2)
        x = planes_of(position, 11, 0.75).ravel()
        residual_network(x, numbers, size, size, wanted, np.empty(0, np.float32), out)
        moves = np.array(GO.moves_of(state), np.int32)
        scores, again = np.full(len(moves), 77.0), np.full(len(moves), 77.0)
        assert PLANES.judge(state, moves, len(moves), scores, numbers) == out[0]
        PLANES.order(state, moves, len(moves), again, numbers.view(np.int64))
        assert PLANES.evaluate(state, numbers) == out[0]
        assert (scores == again).all()
        places = [size * size if move == GO.pass_move else int(k.unpad(move, size)) for move in moves]
        assert (scores == wanted[places]).all()
        seen.add(float(out[0]))
    assert len(seen) > 5
