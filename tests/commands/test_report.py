"""`gotools report`: the figures of the page are those of the readers of its files, and bad input leaves no page."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from support.tournament_results import fault, game, tournament
from support.written_runs import write_run

import gotools
from gotools.cli import run
from gotools.game.outcome import End
from gotools.games.go.board import Board
from gotools.matches.game.game_result import GameResult
from gotools.matches.report.table import los_text
from gotools.ratings.bradley_terry import rate
from gotools.ratings.games import GameClass, GameTally
from gotools.ratings.sprt import Sprt
from gotools.views.charts import ticks
from gotools.views.of_run_games import move_words

HOSTILE = "<script>alert(1)</script>"
WORDS = "<img src=x onerror=alert(1)>"
SAID = "0.250 s\nE5: 300 playouts; chance to win {at}.0 %"


class Page(HTMLParser):
    """The tables of a page by their titles, its scripts, and its elements by name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.tables: dict[str, list[list[str]]] = {}
        self.scripts: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._title = self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag
        if tag == "h3":
            self._title = ""
        elif tag == "table":
            self.tables[self._title] = []
        elif tag == "tr":
            self.tables[self._title].append([])
        elif tag in ("td", "th"):
            self.tables[self._title][-1].append("")
        elif tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = "" if tag in ("h3", "script", "td", "th") else self._open

    def handle_data(self, data: str) -> None:
        if self._open == "h3":
            self._title += data
        elif self._open == "script":
            self.scripts[-1] += data
        elif self._open in ("td", "th", "a") and self._title in self.tables and self.tables[self._title]:
            self.tables[self._title][-1][-1] += data

    @property
    def data(self) -> Any:
        """What the first script of data holds."""
        return json.loads(next(text for text in self.scripts if text.startswith("{")))


def page_of(*arguments: object) -> Page:
    """Return the page of some files, which the last argument's folder gets."""
    *paths, folder = map(str, arguments)
    target = Path(folder) / "page.html"
    assert run(["report", *paths, "-q", "-o", str(target)]) == 0
    return Page(target.read_text(encoding="utf-8"))


def points_of(name: str, result: GameResult) -> float:
    """Return what a player has scored in a game that counts."""
    assert result.score is not None
    return result.score if result.black == name else 1 - result.score


# ---- a tournament ----


def test_a_match_of_several_engines_shows_the_likelihoods_of_the_model_of_ratings(tmp_path: Path) -> None:
    results = list(tournament({"weak": 0, "middle": 120, "strong": 260}, pairs=12))
    page = page_of(write_run(tmp_path / "run", results), tmp_path)
    kind = GameClass()
    rows = [(x.black, x.white, kind, int(x.score == 1), int(x.score == 0.5), int(x.score == 0)) for x in results]
    ratings = rate(GameTally.from_rows(rows))
    head, *matrix = page.tables["Which engine is stronger"]
    names = [cell.partition(" ")[2] for cell in head[1:]]
    assert sorted(names) == ["middle", "strong", "weak"] and [row[0] for row in matrix] == head[1:]
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            expected = los_text(ratings.superiority(ratings.index(one), ratings.index(other))) if i != j else "-"
            assert matrix[i][j + 1] == expected


def test_the_cross_table_counts_the_games(tmp_path: Path) -> None:
    results = list(tournament({"a": 0, "b": 50, "c": 100}, pairs=8, draws=0.2))
    page = page_of(write_run(tmp_path / "run", results), tmp_path)
    head, *rows = page.tables["Cross table"]
    names = [cell.partition(" ")[2] for cell in head[1:]]
    for row in rows:
        one = row[0].partition(" ")[2]
        for other, cell in zip(names, row[1:], strict=True):
            points = [points_of(one, x) for x in results if {x.black, x.white} == {one, other}]
            counts = "+{} ={} -{}".format(*(points.count(value) for value in (1.0, 0.5, 0.0)))
            assert cell == ("-" if one == other else counts)


def test_the_path_of_the_test_ends_where_the_test_does(tmp_path: Path) -> None:
    results = list(tournament({"new": 300, "old": 0}, pairs=60, seed=3))
    page = page_of(write_run(tmp_path / "run", results, sprt={"elo0": 0, "elo1": 100}), tmp_path)
    pairs = [results[at : at + 2] for at in range(0, len(results), 2)]
    counts: Any = [0] * 5
    test, ratios = Sprt(0, 100), []
    for two in pairs:
        counts[round(2 * sum(points_of("new", x) for x in two))] += 1
        ratios.append(test.llr(tuple(counts)))
        if test.verdict(tuple(counts)):
            break
    assert len(ratios) < len(pairs)
    assert f"LLR {ratios[-1]:.2f}" in page.text and f"{len(ratios)} pairs" in page.text
    (curve,) = re.findall(r'path of the sequential test.*?class="curve c0"', page.text, re.DOTALL)
    assert re.findall(r' d="([^"]+)"', curve)[-1].count("L") == len(ratios)


def test_every_game_is_there_to_replay_with_what_the_engines_said(tmp_path: Path) -> None:
    results = [game(1, "a", "b", moves="E5 C3 pass J9"), game(2, "b", "a", "W+R", moves="A1 B1 C1")]
    page = page_of(write_run(tmp_path / "run", results, comment=SAID), tmp_path)
    first, second = page.data["games"]
    assert first["m"] == "eeCGttIA" and second["m"] == "aiBIci"
    assert first["v"] == [1, 98, 3, 96], "the chances of black, of whom the odd moves are"
    assert first["n"] == ["a", "b"] and first["c"][1] == "E5: 300 playouts; chance to win 2.0 %"
    links = [values for tag, values in page.elements if tag == "a" and "data-game" in values]
    assert [(link["data-game"], link["href"]) for link in links] == [
        ("0", "run/games/0001.sgf"),
        ("1", "run/games/0002.sgf"),
    ]
    assert (tmp_path / str(links[1]["href"])).is_file()


@pytest.mark.parametrize(
    ("comment", "seconds", "chance"),
    [
        ("0.042 s\nD4: 300 playouts; chance to\n    win 51.3 %", 0.042, 51.3),
        ("0.042 s\nD4: 300 playouts; chance to win\n    51.3 %", 0.042, 51.3),
        ("winrate: 61.5%", None, 61.5),
        ("Winrate 0.25 visits 10", None, 25.0),
        ("chance to win 400 %", None, None),
        ("no words", None, None),
        ("", None, None),
    ],
)
def test_what_is_read_of_a_comment(comment: str, seconds: float | None, chance: float | None) -> None:
    found = move_words(comment)
    assert (found.seconds, found.chance) == (seconds, chance)


def test_games_that_do_not_fit_are_linked_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gotools.views.report.FOR_GAMES", 12_000)
    results = list(tournament({"a": 0, "b": 50}, pairs=15))
    page = page_of(write_run(tmp_path / "run", results, comment=SAID), tmp_path)
    held = len(page.data["games"])
    assert 0 < held < 30 and f"holds the first {held} of 30 games" in page.text
    assert not any("c" in one for one in page.data["games"]), "comments go first"
    links = [values for tag, values in page.elements if tag == "a" and str(values.get("href")).endswith(".sgf")]
    assert len(links) == 30 and sum("data-game" in link for link in links) == held


@pytest.mark.slow
def test_a_thousand_games_are_all_on_a_page_below_its_limit(tmp_path: Path) -> None:
    moves = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 8)]  # 63 of each game
    results = [
        game(at, *("ab" if at % 2 else "ba"), moves=" ".join(moves[at % 60 :] + moves[: at % 60]))
        for at in range(1, 1001)
    ]
    folder = write_run(tmp_path / "run", results, comment=f"{SAID}\n{'words ' * 40}")
    page = page_of(folder, tmp_path)
    assert len(page.data["games"]) == 1000 and (tmp_path / "page.html").stat().st_size < 2_000_000


def test_a_page_above_the_limit_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gotools.views.report.LARGEST_PAGE", 20_000)
    page_of(write_run(tmp_path / "run", [game(1, "a", "b")]), tmp_path)
    assert "the page has 0.0 MB" in capfd.readouterr().err


def test_failures_come_with_the_lines_of_the_log(tmp_path: Path) -> None:
    log = f"ended with exit code 1\nSegmentation fault\n{WORDS}"
    results = [game(1, "a", "b"), fault(2, "b", "a", "w", End.crash, log)]
    page = page_of(write_run(tmp_path / "run", results), tmp_path)
    assert page.tables["Failures"][1] == ["2", "a", "crash", log]


def test_nothing_that_an_engine_is_called_or_says_becomes_an_element(tmp_path: Path) -> None:
    quotes = "&amp;</script><img/onerror>"
    results = [game(1, HOSTILE, quotes, moves="E5 C3"), game(2, quotes, HOSTILE, moves="E5 C3")]
    page = page_of(write_run(tmp_path / "run", results, comment=f"0.1 s\n\"'>{quotes} chance to win 5 %"), tmp_path)
    assert not any(tag == "img" or "onerror" in values for tag, values in page.elements)
    assert len(page.scripts) == 2 and "alert" not in page.scripts[1]
    assert page.data["games"][0]["n"] == [HOSTILE, quotes]
    assert html.escape(HOSTILE, quote=False) in page.text


def test_a_run_without_games_and_one_of_another_game_are_sections_too(tmp_path: Path) -> None:
    assert "No game has been played yet" in page_of(write_run(tmp_path / "empty", []), tmp_path).text
    line = {"size": 3, "game_name": "tictactoe", "komi": 0, "opening": 0, "moves": "b2 a1 a3 c1 b1 b3 c3 a2 c2"}
    results = [game(1, "a", "b", "0", **line), game(2, "b", "a", "0", **line)]
    settings: Any = {"game": "tictactoe", "opening_moves": 1}
    page = page_of(write_run(tmp_path / "small", results, **settings), tmp_path)
    boards = page.data["games"][0]["b"]
    assert len(boards) == 10 and boards[0].count("X") == 0 and boards[-1].count("X") == 5


@pytest.mark.parametrize(
    ("more", "what"),
    [({"moves": "zz b2"}, "zz"), ({"moves": "b2", "setting": "nonsense here"}, "is not a position")],
)
def test_games_that_cannot_be_are_named_with_the_journal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], more: dict[str, str], what: str
) -> None:
    line: Any = {"size": 3, "game_name": "tictactoe", "komi": 0, "opening": 0, **more}
    settings: Any = {"game": "tictactoe", "opening_moves": 1}
    folder = write_run(tmp_path / "run", [game(1, "a", "b", **line)], **settings)
    assert run(["report", str(folder), "-q", "-o", str(tmp_path / "page.html")]) == 1
    error = capfd.readouterr().err
    assert error.startswith(f"gotools report: {folder}/results.jsonl: ") and what in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "more",
    [
        {"moves": "E5 E5 E5 C3"},
        {"moves": "B2 C3", "size": 5, "handicap": 9},
        {"moves": "A1 B2", "size": 2},
        {"moves": ""},
    ],
)
def test_strange_games_of_go_are_on_the_page(tmp_path: Path, more: dict[str, Any]) -> None:
    results = [game(1, "a", "b", **more), game(2, "b", "a", **more)]
    assert len(page_of(write_run(tmp_path / "run", results), tmp_path).data["games"]) == 2


# ---- the page ----


def test_a_page_loads_nothing_and_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", list(tournament({"a": 0, "b": 50}, pairs=5)), comment=SAID)
    page = page_of(folder, tmp_path)
    again = tmp_path / "page.html"
    before = again.read_bytes()
    page_of(folder, tmp_path)
    assert again.read_bytes() == before
    places = [values.get(name) for _, values in page.elements for name in ("src", "href", "action", "data")]
    assert {place.split("/")[0] for place in places if place} <= {"#content", "data:,", "run", "#"}
    assert "url(" not in page.text and "@import" not in page.text and str(tmp_path) not in page.text


@pytest.mark.parametrize("name", ["photo.png", "nothing.tsv", "folder", "torn.tsv"])
def test_bad_input_is_one_line_and_no_page(tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "torn.tsv").write_text("##gotools ratings 2\nrank\tname\n1\n")
    good = write_run(tmp_path / "run", [game(1, "a", "b")])
    target = tmp_path / "page.html"
    assert run(["report", str(good), str(tmp_path / name), "-o", str(target)]) == 1
    done = capfd.readouterr()
    assert done.err.startswith(f"gotools report: {tmp_path / name}") and done.err.count("\n") == 1
    assert done.out == "" and not target.exists()


def test_an_output_that_is_an_input_or_no_page_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "e.tsv"
    path.write_text("##gotools ratings 2\nrank\tname\n")
    for target in (path, tmp_path / "page.sgf"):
        assert run(["report", str(path), "-o", str(target)]) == 2
        assert "name another file for -o" in capfd.readouterr().err
    assert path.read_text().startswith("##gotools")


def test_a_program_gets_what_the_page_says(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", list(tournament({"a": 0, "b": 50}, pairs=5)))
    found = gotools.write_report([folder], tmp_path / "page.html", title="Ours & theirs")
    assert [section.title for section in found.sections] == ["run"]
    assert "<title>Ours &amp; theirs</title>" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 10, [0, 2, 4, 6, 8, 10]), (-0.31, 0.29, [-0.2, 0, 0.2]), (0, 1234, [0, 500, 1000]), (5, 5, [5])],
)
def test_ticks_are_round_numbers_within_the_interval(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def final_board(moves: str, size: int) -> str:
    """Play moves of a replay's data on our own board."""
    board = Board(size)
    for at in range(0, len(moves), 2):
        pair = moves[at : at + 2]
        x, y = (ord(letter) - ord("a") for letter in pair.lower())
        if x < size:
            board.play_point((size - 1 - y) * size + x, 1 if pair.islower() else 2)
    return board.diagram()
