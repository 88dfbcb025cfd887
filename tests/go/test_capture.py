"""Captures by proof-number search: classical shapes with the answers of books, ladders, ko, what a diagram marks."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from support.needs import ROOT

from gotools.base.errors import GotoolsError
from gotools.game.records.reading import read_records
from gotools.game.records.sgf import read_games
from gotools.games.go.board import Board
from gotools.games.go.go import GO
from gotools.games.go.points import parse_vertex
from gotools.library.solving import solve

PROBLEMS = ROOT / "examples/problems.sgf"
LADDER = "(;GM[1]SZ[{0}]PL[W]AB[dd]{1}AW[dc][cd][ce]TR[dd])"


def solved(text: str, folder: Path, **settings: object) -> tuple[str, tuple[str, ...]]:
    """Return the answer and the line of a problem."""
    (folder / "g.sgf").write_text(text)
    (found,) = solve(folder / "g.sgf", **settings).solved
    return found.answer, found.line


def test_classical_shapes_have_the_answers_of_books() -> None:
    """Davies 1975 and older: straight three to rabbity six, the rectangular six in the corner by its liberties."""
    expected = re.findall(r"C\[.*: (\w+)\]", PROBLEMS.read_text())
    found = solve(PROBLEMS).solved
    assert len(expected) == 16 and [one.answer for one in found] == expected
    assert all(one.nodes < 10_000 for one in found)


def test_lines_capture_the_marked_chain() -> None:
    records = {record.id: record for _, record in read_records([PROBLEMS], GO, print)}
    for one in solve(PROBLEMS).solved:
        record = records[one.id]
        target = next(place for mark, place in record.marks if mark == "TR")
        cells = np.zeros(record.size**2, np.uint8)
        for stone in record.setup:
            cells[stone.point] = stone.colour
        board = Board.from_cells(cells, record.size, dict(record.marks)["PL"])
        owner = board.cells[target]
        if one.answer == "captured":
            for text in one.line:
                point, side = parse_vertex(text, record.size), board.to_play
                assert board.cells[target] == owner
                assert board.why_illegal(point, side) in (("", "ko") if side == owner else ("",))
                board.play_point(point, side)
            assert board.cells[target] == 0


@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_ladders_over_the_whole_board(size: int, tmp_path: Path) -> None:
    answer, line = solved(LADDER.format(size, ""), tmp_path, nodes=50_000)
    assert answer == "captured" and len(line) > 2 * size - 4


def test_a_ladder_that_meets_a_stone_is_broken(tmp_path: Path) -> None:
    """The board is too large to say that it is safe."""
    assert solved(LADDER.format(7, "[ff]"), tmp_path, nodes=50_000)[0] == "unknown"


def test_a_stone_that_a_ko_takes_is_captured(tmp_path: Path) -> None:
    ko = "(;GM[1]SZ[5]PL[{}]AB[bc][cb][cd]AW[db][dd][ec][cc]TR[cc]SQ[dc])"
    assert solved(ko.format("B"), tmp_path) == ("captured", ("D3",))
    assert solved(ko.format("W"), tmp_path) == ("safe", ("D3",))


@pytest.mark.parametrize(
    ("marks", "what"),
    [
        ("", "no stone is marked: TR or MA marks a chain, SQ the points where both sides play"),
        ("SQ[aa]", "no stone is marked"),
        ("TR[aa]", "TR or MA marks a point without a stone"),
        ("TR[dd][dc]", "TR or MA marks stones of several chains"),
        ("TR[zz]", "no stone is marked"),
    ],
)
def test_what_asks_nothing_is_said(marks: str, what: str, tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "g.sgf").write_text(f"(;GM[1]SZ[7]AB[dd]AW[dc]{marks})")
    with pytest.raises(GotoolsError, match="no position to solve"):
        solve(tmp_path / "g.sgf", report=said.append)
    (line,) = said
    assert line.startswith(f"{tmp_path / 'g.sgf'}: {what}")


def test_marks_of_a_diagram() -> None:
    text = b"(;GM[1]SZ[9]AB[aa]TR[aa]MA[bb]SQ[ca:db][zz][]PL[white];B[cc]TR[cc];W[dd]PL[B])"
    (record,) = read_games(text, "g.sgf", GO)
    assert record.marks == (  # type: ignore[union-attr]
        ("TR", 72), ("MA", 64), ("SQ", 65), ("SQ", 66), ("SQ", 74), ("SQ", 75), ("PL", 2),
    )  # fmt: skip
