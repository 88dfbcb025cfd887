import numpy as np
import pytest
from support.position_text import parse_position, position_text
from support.turned import inverse_symmetry, transform_cells, transform_point

from gotools.games.go import points
from gotools.games.go.points import NONE, PASS


@pytest.mark.parametrize(
    ("text", "point", "size"),
    [
        ("A1", 0, 9),
        ("J9", 80, 9),
        ("D4", 3 * 9 + 3, 9),
        ("H1", 7, 19),
        ("J1", 8, 19),
        ("T19", 360, 19),
        ("pass", PASS, 9),
        ("-", NONE, 9),
    ],
)
def test_vertices(text, point, size):
    assert points.vertex(point, size) == text
    assert points.parse_vertex(text.lower(), size) == point


@pytest.mark.parametrize("text", ["", "I5", "A0", "A10", "K1", "4D", "D", "D4x", "D-1", "D٤", "resign", "D+4", "D 4"])
def test_what_is_no_vertex(text):
    with pytest.raises(ValueError, match="is not a point of a board of size 9"):
        points.parse_vertex(text, 9)


def test_all_vertices_read_back():
    for size in (2, 9, 19):
        texts = [points.vertex(p, size) for p in range(size * size)]
        assert [points.parse_vertex(t, size) for t in texts] == list(range(size * size))


def test_position_text():
    text = "..O/.X./XX."
    cells, size = parse_position(text)
    assert size == 3
    assert cells.tolist() == [1, 1, 0, 0, 1, 0, 0, 0, 2]  # from the bottom left
    assert position_text(cells, 3) == text
    assert position_text(np.append(cells, 7).astype(np.uint8), 3) == text  # longer rows are cut


@pytest.mark.parametrize("text", ["", "X", "../...", ".../...", "..x/.../...", "/".join(["." * 20] * 20), "..\n/../.."])
def test_what_is_no_position(text):
    with pytest.raises(ValueError, match="a position"):
        parse_position(text)


@pytest.mark.parametrize(
    ("symmetry", "turned"),
    [  # of the offset (1, 2)
        (0, (1, 2)),
        (1, (-2, 1)),
        (2, (-1, -2)),
        (3, (2, -1)),
        (4, (-1, 2)),
        (5, (-2, -1)),
        (6, (1, -2)),
        (7, (2, 1)),
    ],
)
def test_symmetries_of_an_offset(symmetry, turned):
    assert points.transform_offset(1, 2, symmetry) == turned
    assert points.transform_offset(turned[0], turned[1], inverse_symmetry(symmetry)) == (1, 2)


@pytest.mark.parametrize("size", [2, 3, 9, 19])
def test_symmetries_of_the_board(size):
    tables = points.symmetry_tables(size)
    assert all(sorted(row) == list(range(size * size)) for row in tables.tolist())
    assert len({tuple(row) for row in tables.tolist()}) == 8
    for symmetry in range(8):
        back = tables[inverse_symmetry(symmetry)]
        assert (back[tables[symmetry]] == np.arange(size * size)).all()
    middle = size // 2 * size + size // 2
    if size % 2:
        assert (tables[:, middle] == middle).all()


def test_turning_a_position_turns_its_points():
    cells, size = parse_position("..O/.X./XX.")
    for symmetry in range(8):
        turned = transform_cells(cells, size, symmetry)
        for point in range(9):
            assert turned[transform_point(point, size, symmetry)] == cells[point]
    assert transform_point(PASS, 3, 5) == PASS
    assert position_text(transform_cells(cells, size, 1), 3) == "O../.XX/..X"  # a quarter turn to the left
