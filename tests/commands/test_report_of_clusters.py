"""`gotools report` of clusters beside the games: the typical move of each centre on its board, against sgfmill."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands.test_report import page_of
from sgfmill import sgf
from sgfmill.common import format_vertex
from sgfmill.sgf_moves import get_setup_and_moves
from support.needs import ROOT

from gotools.cli import run
from gotools.games.go.picture import PICTURE
from gotools.games.go.points import vertex
from gotools.views.boards import places_of

GAMES = [ROOT / f"examples/test-games/gnugo-100{number}.sgf" for number in (1, 2, 3)]
PATHS = [str(path) for path in GAMES]


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("clusters") / "clusters.tsv"
    assert run(["cluster-moves", *PATHS, "--k", "3", "--starts", "1", "-q", "-o", str(path)]) == 0
    return str(path)


def position(game: Path, moves: int) -> dict[str, set[str]]:
    """Return the points of the stones of either side before a move, as sgfmill plays the game."""
    board, plays = get_setup_and_moves(sgf.Sgf_game.from_bytes(game.read_bytes()))
    for colour, point in plays[:moves]:
        if point is not None:
            board.play(*point, colour)
    found: dict[str, set[str]] = {"black": set(), "white": set()}
    for colour, point in board.list_occupied_points():
        found["black" if colour == "b" else "white"].add(format_vertex(point))
    return found


def drawn(svg: str) -> dict[str, set[str]]:
    """Return the points of the circles of a drawn board by their class."""
    points = {place: vertex(point, 9) for point, place in enumerate(places_of(PICTURE, 9))}
    found: dict[str, set[str]] = {"black": set(), "white": set(), "move": set()}
    for element in ElementTree.fromstring(svg).iter():
        for circle in [element, *element] if element.get("class") in found else []:
            if circle.tag.endswith("circle"):
                at = (float(circle.attrib["cx"]), float(circle.attrib["cy"]))
                found[str(element.get("class"))].add(points[at])
    return found


def test_a_centre_is_shown_by_the_position_of_its_typical_move(clusters: str, tmp_path: Path) -> None:
    assert run(["report", clusters, *PATHS, "-q", "--svg", str(tmp_path), "-o", str(tmp_path / "page.html")]) == 0
    rows = [line.split("\t") for line in Path(clusters).read_text().splitlines() if not line.startswith("#")]
    centres = [dict(zip(rows[0], row, strict=True)) for row in rows[1:] if row[1] in ("good", "bad")]
    assert len(centres) == 6
    for centre in centres:
        game, number, move = re.fullmatch(r"(\S+):(\d+) (\S+)", centre["typical"]).groups()  # type: ignore[union-attr]
        path = tmp_path / f"clusters.tsv-centre-{centre['kind']}-{game}-{number}-{move}.svg"
        expected = position(ROOT / f"examples/test-games/{game}.sgf", int(number) - 1)
        assert drawn(path.read_text()) == {**expected, "move": {move}}


@pytest.mark.parametrize("beside", [[], [str(ROOT / "examples/test-games/gnugo-1005.sgf")]])
def test_without_the_games_a_line_says_what_to_name(clusters: str, beside: list[str], tmp_path: Path) -> None:
    page = page_of(clusters, *beside, tmp_path)
    assert "Name the records that the clusters were learned from" in page.text
    assert "<svg" not in page.text or beside


def test_a_typical_move_that_its_game_does_not_have_is_not_drawn(clusters: str, tmp_path: Path) -> None:
    text = re.sub(r"(gnugo-100\d):\d+ ", r"\1:999 ", Path(clusters).read_text())
    (tmp_path / "other.tsv").write_text(text)
    page = page_of(str(tmp_path / "other.tsv"), *PATHS, tmp_path)
    assert "Name the records" in page.text
