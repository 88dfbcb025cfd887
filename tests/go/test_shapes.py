"""Shapes: their text, their images, and what the kernels recognise against drawings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotools.base.errors import GotoolsError
from gotools.games.go.kernels.shapes import SIZES, names_of_images, shapes_around
from gotools.games.go.shapes import (
    LARGEST,
    SMALLEST,
    Shape,
    image_names,
    offsets_of,
    parse_shape,
    shape_at,
    shape_table,
)


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    size = draw(st.integers(SMALLEST, LARGEST))
    many = len(offsets_of(size))
    return Shape(size, tuple(draw(st.lists(st.integers(0, 3), min_size=many, max_size=many))))


def drawing(shape: Shape) -> list[str]:
    """The rows of a shape in a square, with blanks beyond its distance."""
    rows = shape.text.split("/")
    return [row.center(len(rows)) for row in rows]


def turned(rows: list[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows[::-1], strict=True)]


@given(shapes())
def test_a_shape_is_read_as_it_was_written(shape: Shape) -> None:
    assert parse_shape(shape.text) == shape


@given(shapes())
def test_the_images_are_the_drawing_turned_and_mirrored(shape: Shape) -> None:
    expected, rows = [], drawing(shape)
    for _ in range(4):
        rows = turned(rows)
        expected += [rows, [row[::-1] for row in rows]]
    assert sorted(map(drawing, shape.images())) == sorted(expected)


@given(shapes())
def test_all_images_have_one_least(shape: Shape) -> None:
    assert {image.least() for image in shape.images()} == {min(shape.images(), key=lambda image: image.text)}


@pytest.mark.parametrize("size", range(SMALLEST, LARGEST + 1))
def test_a_size_has_all_points_within_its_distance(size: int) -> None:
    near = {
        (dx, dy)
        for dx in range(-size, size + 1)
        for dy in range(-size, size + 1)
        if 0 < abs(dx) + abs(dy) + max(abs(dx), abs(dy)) <= size
    }
    assert set(offsets_of(size)) == near and len(offsets_of(size)) == len(near)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        ".../.../...",
        ".../.*./..",
        ".../*../...",
        ".../.*./..a",
        "..*/.*./...",
        "....",
        ".../.*./.../.",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(GotoolsError, match="is not a shape"):
        parse_shape(text)


def random_positions(count: int, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(side)
    boards = chance.choice(3, (count, side * side), p=[0.7, 0.15, 0.15]).astype(np.uint8)
    to_play, point = chance.integers(1, 3, count), chance.integers(0, side * side, count)
    boards[np.arange(count), point] = 0
    return boards, np.full(count, side, np.uint8), to_play.astype(np.uint8), point.astype(np.int16)


@pytest.mark.parametrize("side", [2, 5, 9, 19])
def test_the_shape_at_a_point_is_what_stands_there(side: int) -> None:
    boards, _, to_play, point = random_positions(20, side)
    for k, size in ((k, SMALLEST + k % SIZES) for k in range(20)):
        shape = shape_at(boards[k], side, int(to_play[k]), int(point[k]), size)
        for (dx, dy), sign in shape.points().items():
            x, y = point[k] % side + dx, point[k] // side + dy
            stone = boards[k][y * side + x] if 0 <= x < side and 0 <= y < side else None
            assert sign == ("#" if stone is None else "." if stone == 0 else "x" if stone == to_play[k] else "o")


@pytest.mark.parametrize("side", [2, 5, 9, 13, 19])
def test_the_kernels_find_the_shapes_that_stand_around_points(side: int) -> None:
    boards, sides, to_play, point = random_positions(50, side)
    rows = np.arange(50)

    def at(k: int, size: int) -> Shape:
        return shape_at(boards[k], side, int(to_play[k]), int(point[k]), size).least()

    known = list(dict.fromkeys(at(k, SMALLEST + k % 4) for k in range(25)))
    found = np.empty((50, SIZES), np.int32)
    shapes_around(boards, sides, to_play, rows.astype(np.int32), point, shape_table(known, range(len(known))), found)
    for k in rows.tolist():
        for number in range(SIZES):
            shape = at(k, SMALLEST + number)
            assert found[k, number] == (known.index(shape) if shape in known else -1)


def test_images_have_the_names_of_the_board_turned() -> None:
    boards, sides, to_play, point = random_positions(40, 9)
    names = np.empty((8, SIZES, 40), np.uint64)
    names_of_images(boards, sides, to_play, point, names)
    for k in range(40):
        for number in range(SIZES):
            shape = shape_at(boards[k], 9, int(to_play[k]), int(point[k]), SMALLEST + number)
            assert names[:, number, k].tolist() == image_names(shape).tolist()
