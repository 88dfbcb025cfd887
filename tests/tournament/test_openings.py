"""Openings: how many there are by Burnside's lemma, which points they use, and what is taken from game records."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.needs import ROOT

from gotools.errors import FileFormatError, GotoolsError
from gotools.go.points import PASS, parse_vertex
from gotools.tournament.game.openings import generated_openings, moves_text, openings_of_games

Point = tuple[int, int]
SYMMETRIES: tuple[Callable[[int, int, int], Point], ...] = (
    lambda x, y, m: (x, y), lambda x, y, m: (m - x, y), lambda x, y, m: (x, m - y), lambda x, y, m: (m - x, m - y),
    lambda x, y, m: (y, x), lambda x, y, m: (m - y, x), lambda x, y, m: (y, m - x), lambda x, y, m: (m - y, m - x),
)  # fmt: skip
"""The symmetries of a square of side m, by coordinates: nothing of the package is used."""


def turned(points: list[int], size: int) -> list[tuple[int, ...]]:
    """A list of points in its eight turns."""
    return [
        tuple(v * size + u for u, v in (turn(point % size, point // size, size - 1) for point in points))
        for turn in SYMMETRIES
    ]


def sensible(size: int) -> set[Point]:
    """The points of openings, as the documentation names them."""
    points = {(x, y) for x in range(size) for y in range(size)}
    if size < 5:
        return points
    if size < 8:
        return {(x, y) for x, y in points if 0 < x < size - 1 and 0 < y < size - 1}
    if size < 13:
        return {(x, y) for x, y in points if 2 <= x < size - 2 and 2 <= y < size - 2}
    corner = {*range(2, 5), *range(size - 5, size - 2)}
    return {(x, y) for x, y in points if x in corner and y in corner}


@pytest.mark.parametrize("size", range(2, 20))
def test_as_many_as_burnside_counts(size: int) -> None:
    points = sensible(size)
    fixed = [sum(turn(x, y, size - 1) == (x, y) for x, y in points) for turn in SYMMETRIES]
    orbits, rest = divmod(sum(count * (count - 1) for count in fixed), 8)
    assert rest == 0
    openings = generated_openings(size, 1)
    assert len(openings) == orbits
    used = {(point % size, point // size) for opening in openings for both in turned(opening, size) for point in both}
    assert used == points
    assert len({min(turned(opening, size)) for opening in openings}) == orbits  # no two are turns of each other
    assert all(len(opening) == 2 and opening[0] != opening[1] for opening in openings)


@pytest.mark.parametrize(("size", "count"), [(2, 2), (3, 12), (5, 12), (7, 85), (9, 85), (13, 165), (19, 165)])
def test_the_numbers_that_users_see(size: int, count: int) -> None:
    assert len(generated_openings(size, 0)) == count


def test_the_smallest_board_by_hand() -> None:
    """On 2x2 the second stone is beside the first, or across."""
    across = [set(opening) in ({0, 3}, {1, 2}) for opening in generated_openings(2, 5)]
    assert sorted(across) == [False, True]


def test_the_seed_gives_the_order_the_same_everywhere() -> None:
    first, again, other = (generated_openings(9, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert sorted(first) == sorted(other)
    assert moves_text([point for opening in first[:3] for point in opening], 9) == "C3 E5 E5 E4 D3 G3"


@pytest.mark.parametrize("size", [0, 1, 20])
def test_boards_that_cannot_be(size: int) -> None:
    with pytest.raises(ValueError, match="2 to 19"):
        generated_openings(size, 0)


# texts ----------------------------------------------------------------------------------------------------------------


@given(st.integers(2, 19).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n * n - 1) | st.just(PASS)))))
def test_moves_as_text_and_back(game: tuple[int, list[int]]) -> None:
    size, points = game
    text = moves_text(points, size)
    assert [parse_vertex(word, size) for word in text.split()] == points


def test_a_text_of_moves() -> None:
    assert moves_text([40, 20, PASS, 80], 9) == "E5 C3 pass J9"


# of games -------------------------------------------------------------------------------------------------------------


def sgf(moves: str, size: int = 9, root: str = "", first: str = "B") -> str:
    """A game from a text such as "E5 C3 pass", colours in turn."""
    colours = (first, "BW".replace(first, ""))
    nodes = []
    for ply, word in enumerate(moves.split()):
        point = parse_vertex(word, size)
        place = (
            ""
            if point == PASS
            else "abcdefghijklmnopqrs"[point % size] + "abcdefghijklmnopqrs"[size - 1 - point // size]
        )
        nodes.append(f";{colours[ply % 2]}[{place}]")
    return f"(;GM[1]FF[4]SZ[{size}]{root}{''.join(nodes)})"


def test_first_moves_in_the_order_of_the_games(tmp_path: Path) -> None:
    (tmp_path / "b.sgf").write_text(sgf("E5 C3 G7") + sgf("C4 E5 A1"))
    (tmp_path / "a.sgf").write_text(sgf("D4 F6 C3"))
    said: list[str] = []
    openings = openings_of_games([tmp_path / "b.sgf", str(tmp_path)], 9, 2, said.append)
    assert [moves_text(opening, 9) for opening in openings] == ["E5 C3", "C4 E5", "D4 F6"]
    assert said == []


def test_an_opening_comes_once_in_all_its_turns_and_orders_of_moves(tmp_path: Path) -> None:
    rng = random.Random(4)
    path, games = tmp_path / "games.sgf", []
    kept = [[40, 20, 24, 60], [40, 20, 24, 61], [20, 40, 24, 60]]
    for opening in kept:
        games += [sgf(moves_text(list(points), 9)) for points in turned(opening, 9)]
        games.append(sgf(moves_text([opening[i] for i in (2, 1, 0, 3)], 9)))
    games.sort(key=lambda _: rng.random())
    path.write_text("\n".join(games))
    said: list[str] = []
    openings = openings_of_games([path], 9, 4, said.append)
    keys = [{min(turned([o[i] for i in order], 9)) for order in ((0, 1, 2, 3), (2, 1, 0, 3))} for o in openings]
    assert len(openings) == len(kept) and len({frozenset(key) for key in keys}) == len(kept)
    assert said == ["3 openings from 27 games; left out: 24 the same opening again"]


def test_what_is_no_opening_is_left_out_and_counted(tmp_path: Path) -> None:
    games = [
        sgf("E5 C3 G7"),
        sgf("E5 C3"),
        sgf("E5 pass G7"),
        sgf("pass pass"),
        sgf("E5 C3 G7", 13),
        sgf("E5 C3 G7", 13),
        sgf("E5 C3 D4", first="W"),
        sgf("E5 C3 D4", root="AB[aa]"),
        sgf("E5 C3 E5"),
        "(;SZ[9];B[ee];B[cc];W[gg])",
        "(;SZ[9];B[ee];W[cc];AB[aa];B[gg])",
        "(;SZ[9];B[ee];W[cd];B[gg];AB[aa])",  # stones put later do not matter
    ]
    (tmp_path / "games.sgf").write_text("".join(games))
    (tmp_path / "broken.sgf").write_text("(;SZ[9];B[ee]")
    said: list[str] = []
    openings = openings_of_games([tmp_path], 9, 3, said.append)
    assert [moves_text(opening, 9) for opening in openings] == ["E5 C3 G7", "E5 C6 G3"]
    assert len(said) == 2 and said[0].startswith(f"{tmp_path / 'broken.sgf'}:") and "cut short" in said[0]
    counts, _, reasons = said[1].partition("; left out: ")
    assert counts == "2 openings from 12 games"
    assert sorted(reasons.split(", ")) == sorted(
        [
            "2 too short",
            "1 with a pass",
            "2 of size 13",
            "2 in which the players do not alternate from black on",
            "2 with set-up stones",
            "1 with an illegal move",
        ]
    )


def test_where_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(sgf("E5 C3", 13) + sgf("E5 C3", 13) + sgf("E5"))
    with pytest.raises(
        GotoolsError, match=r"2 moves on 9x9 in .*games.sgf: 3 games read; left out: 2 of size 13, 1 too"
    ):
        openings_of_games([path], 9, 2)
    path.write_text("")
    with pytest.raises(GotoolsError, match=r"0 games read$"):
        openings_of_games([path], 9, 2)
    with pytest.raises(FileFormatError, match="no such file"):
        openings_of_games([tmp_path / "none.sgf"], 9, 2)
    with pytest.raises(ValueError, match="at least one"):
        openings_of_games([path], 9, 0)


def test_openings_of_the_example_games() -> None:
    """The records begin with stones put by hand, so nothing can be taken from them; reported, not silently."""
    with pytest.raises(GotoolsError, match="64 with set-up stones"):
        openings_of_games([ROOT / "examples/games"], 9, 4)
