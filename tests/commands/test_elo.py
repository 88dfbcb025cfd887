"""`gotools elo`: what it writes, in every format, and how it refuses."""

from __future__ import annotations

import csv
import io
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.written_json import read_json

from gotools import cli
from gotools.files.tables import read_header

GAMES = "black,white,result\n" + "strong,weak,B+R\n" * 12 + "weak,strong,W+5.5\n" * 10 + "weak,strong,B+0.5\n" * 4
GAMES += (
    "middle,weak,B+R\nweak,middle,W+R\n" * 5 + "weak,middle,B+R\n" * 4 + "middle,strong,0\nstrong,middle,B+1.5\n" * 3
)
COLUMNS = ["rank", "name", "elo", "low", "high", "games", "wins", "draws", "losses", "score", "superiority"]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(GAMES, encoding="utf-8")
    return path


def elo(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.run(["elo", *map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def players(text: str) -> list[dict[str, str]]:
    lines = text.splitlines()
    _, columns, first = read_header(lines, "ratings", 2)
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[first:]]


def test_a_pipe_gets_a_table_with_its_header(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = elo(capsys, games)
    assert code == 0
    values, columns, _ = read_header(out.splitlines(), "ratings", 2)
    assert columns == COLUMNS
    assert (values["games"], values["players"], values["prior"], values["level"]) == ("46", "3", "1", "0.95")
    rows = players(out)
    assert [row["name"] for row in rows] == ["strong", "middle", "weak"]
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert all(float(row["low"]) < float(row["elo"]) < float(row["high"]) for row in rows)
    assert sum(float(row["elo"]) for row in rows) == pytest.approx(0, abs=0.02)
    assert (rows[0]["games"], rows[0]["wins"], rows[0]["draws"], rows[0]["losses"]) == ("32", "25", "3", "4")
    assert rows[0]["score"] == f"{26.5 / 32:.4f}"
    assert rows[-1]["superiority"] == ""
    assert "46 games of 3 players" in err


def test_the_formats_say_the_same(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_name = {}
    for ending in ("tsv", "csv", "json"):
        path = tmp_path / f"ratings.{ending}"
        assert elo(capsys, games, "-o", path, "-q") == (0, "", "")
        by_name[ending] = path.read_text(encoding="utf-8")
        assert elo(capsys, games, "--format", ending, "-q")[1] == by_name[ending]
    rows = players(by_name["tsv"])
    of_csv = list(csv.DictReader(io.StringIO(by_name["csv"])))
    assert of_csv == rows
    report = read_json(by_name["json"])
    for row, record in zip(rows, report["ratings"], strict=True):
        assert (row["name"], int(row["games"])) == (record["name"], record["games"])
        assert float(row["elo"]) == pytest.approx(record["elo"], abs=0.006)
    assert report["advantages"][0]["games"] == 46


def test_the_same_games_in_another_order_give_the_same_bytes(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = elo(capsys, games, "-q")[1]
    head, *rest = GAMES.splitlines()
    games.write_text("\n".join([head, *rest[::-1]]) + "\n", encoding="utf-8")
    assert elo(capsys, games, "-q")[1] == first


def test_a_table_for_people_names_players_advantage_and_prior(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = elo(capsys, games, "--format", "table", "--compare", "strong", "weak")
    assert code == 0
    for words in ("strong", "middle", "weak", "stronger %", "wins of equals", "prior 1", "strong minus weak: +"):
        assert words in out
    assert "\x1b" not in out


def test_the_difference_of_two_players(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forth = read_json(elo(capsys, games, "--format", "json", "--compare", "strong", "weak")[1])["difference"]
    back = read_json(elo(capsys, games, "--format", "json", "--compare", "weak", "strong")[1])["difference"]
    assert forth["elo"] == pytest.approx(-back["elo"], abs=1e-3)
    assert forth["low"] == pytest.approx(-back["high"], abs=1e-3)
    assert forth["superiority"] == pytest.approx(1 - back["superiority"], abs=1e-3)
    code, _, err = elo(capsys, games, "--compare", "strng", "weak")
    assert (code, err.count("\n")) == (1, 1)
    assert "strng" in err and "nearest name is strong" in err


def test_a_matrix_of_who_is_stronger(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert elo(capsys, games, "--matrix", tmp_path / "los.tsv", "-o", tmp_path / "r.tsv", "-q")[0] == 0
    lines = (tmp_path / "los.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1].split("\t") == ["name", "strong", "middle", "weak"]
    cells = [line.split("\t") for line in lines[2:]]
    for i in range(3):
        assert float(cells[i][1 + i]) == 0.5
        for j in range(3):
            assert float(cells[i][1 + j]) + float(cells[j][1 + i]) == pytest.approx(1, abs=2e-4)
    assert players((tmp_path / "r.tsv").read_text())[0]["superiority"] == cells[0][2]


def test_anchors_set_the_scale(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    free = {row["name"]: float(row["elo"]) for row in players(elo(capsys, games)[1])}
    rows = {row["name"]: row for row in players(elo(capsys, games, "--anchor", "weak=1800")[1])}
    assert (rows["weak"]["elo"], rows["weak"]["low"], rows["weak"]["high"]) == ("1800.00", "1800.00", "1800.00")
    assert float(rows["strong"]["elo"]) == pytest.approx(1800 + free["strong"] - free["weak"], abs=0.02)
    code, _, err = elo(capsys, games, "--anchor", "weka=1800")
    assert (code, err.count("\n")) == (1, 1)
    assert "weka" in err and "nearest name is weak" in err


def test_a_winner_of_all_games_has_a_bound_without_a_prior(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.csv"
    path.write_text(GAMES + "champion,strong,B+R\nstrong,champion,W+R\n" * 4, encoding="utf-8")
    first = players(elo(capsys, path, "--prior", "0")[1])[0]
    assert first["name"] == "champion"
    assert first["elo"] == first["low"] and first["high"] == ""
    assert float(first["superiority"]) > 0.95
    report = read_json(elo(capsys, path, "--prior", "0", "--format", "json")[1])["ratings"][0]
    assert (report["bound"], report["high"]) == (">", None)
    shown = elo(capsys, path, "--prior", "0", "--format", "table")[1]
    assert f"> {float(first['elo']):.1f}" in shown
    with_prior = players(elo(capsys, path)[1])[0]
    assert float(with_prior["low"]) < float(with_prior["elo"]) < float(with_prior["high"]) < math.inf


def test_bounds_stand_on_their_side_of_the_rated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One game lost is a bound far above the winner's rating, and yet the loser does not come first."""
    path = tmp_path / "games.csv"
    path.write_text("black,white,result\nA,B,B+\n", encoding="utf-8")
    options = [path, "--prior", "0", "--no-advantage"]
    rows = players(elo(capsys, *options)[1])
    assert [row["name"] for row in rows] == ["A", "B"]
    first, second = read_json(elo(capsys, *options, "--format", "json")[1])["ratings"]
    assert (first["bound"], second["bound"]) in (("", "<"), (">", ""))
    assert first["superiority"] > 0.5
    path.write_text(GAMES + "weak,novice,B+\nnew,strong,B+\nnew,stranger,B+\n" * 2, encoding="utf-8")
    report = read_json(elo(capsys, *options, "--format", "json")[1])["ratings"]
    order = [(row["name"], row["bound"]) for row in report]
    assert (order[0], order[4:]) == (("new", ">"), [("novice", "<"), ("stranger", "?")])
    assert [bound for _, bound in order[1:4]] == ["", "", ""]


def test_a_difference_that_is_a_bound_is_not_printed_as_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.csv"
    path.write_text("black,white,result\n" + "A,B,B+\n" * 10, encoding="utf-8")
    options = [path, "--prior", "0", "--no-advantage"]
    assert "=A minus B: more than +182.7 Elo; A is the stronger" in elo(capsys, *options, "--compare", "A", "B")[1]
    assert "=B minus A: less than -182.7 Elo; B is the stronger" in elo(capsys, *options, "--compare", "B", "A")[1]
    report = read_json(elo(capsys, *options, "--compare", "A", "B", "--format", "json")[1])["difference"]
    assert (report["elo"], report["high"]) == (None, None)
    assert report["low"] == pytest.approx(182.7, abs=0.1)


def test_groups_without_games_between_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.csv"
    path.write_text(GAMES + "x,y,B+R\ny,x,B+R\n", encoding="utf-8")
    code, out, err = elo(capsys, path)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "no games join these 2 groups" in err and "weak - x" in err
    code, out, _ = elo(capsys, path, "--groups")
    assert code == 0
    assert [(row["name"], row["group"]) for row in players(out)][-2:] == [("x", "2"), ("y", "2")]


def test_min_games_hides_but_counts(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = {row["name"]: row["elo"] for row in players(elo(capsys, games)[1])}
    shown = players(elo(capsys, games, "--min-games", "25")[1])
    assert [row["name"] for row in shown] == ["strong", "weak"]
    assert all(row["elo"] == every[row["name"]] for row in shown)
    assert elo(capsys, games, "--min-games", "1000")[0] == 1


def test_methods_that_go_game_by_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.csv"
    path.write_text("black,white,result\na,b,B+R\na,b,B+R\nb,a,0\n", encoding="utf-8")
    rows = players(elo(capsys, path, "--method", "elo", "--k", "20", "--start", "1500")[1])
    assert [(row["name"], row["low"]) for row in rows] == [("a", ""), ("b", "")]
    gap = 20 + 40 * (1 - 1 / (1 + 10 ** (-20 / 400)))
    after = 1500 + gap / 2 - 20 * (0.5 - 1 / (1 + 10 ** (gap / 400)))
    assert rows[0]["elo"] == f"{after:.2f}"
    code, out, _ = elo(capsys, path, "--method", "abalone")
    assert code == 0 and players(out)[0]["name"] == "a"
    assert elo(capsys, path, "--method", "elo", "--anchor", "a=1")[0] == 2


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("", "no game could be read"),
        ("a,b,Void\nb,a,?\n", "left out: 1 unknown result, 1 void"),
        ("a,a,B+R\n", "one player only"),
    ],
    ids=["empty", "void", "one player"],
)
@pytest.mark.parametrize("method", ["bradley-terry", "elo", "abalone"])
def test_nothing_to_rate_is_an_error_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, words: str, method: str
) -> None:
    path = tmp_path / "games.csv"
    path.write_text("black,white,result\n" + rows, encoding="utf-8")
    code, out, err = elo(capsys, path, "--method", method)
    assert (code, out) == (1, "")
    assert words in err and err.startswith("gotools elo: ")


@pytest.mark.parametrize(
    "options",
    [["--anchor", "1800"], ["--anchor", "a=nan"], ["--prior", "-1"], ["--prior", "nan"], ["--level", "1.5"],
     ["--groups", "--compare", "a", "b"], ["--format", "csv", "--compare", "a", "b"]],
)  # fmt: skip
def test_options_that_cannot_be_meant_are_wrong_usage(
    games: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert elo(capsys, games, *options)[0] == 2


@pytest.mark.parametrize(
    ("anchors", "words"),
    [(["weak=20001"], "-20,000 and 20,000"), (["weak=-1e300"], "-20,000 and 20,000"), (["weak=1", "weak=2"], "twice")],
)
def test_anchors_that_cannot_be_meant_are_refused_in_words(
    games: Path, capsys: pytest.CaptureFixture[str], anchors: list[str], words: str
) -> None:
    code, out, err = elo(capsys, games, *(word for anchor in anchors for word in ("--anchor", anchor)))
    assert (code, out) == (2, "")
    assert "--anchor" in err and words in " ".join(err.split())


def test_anchors_too_far_apart_are_named_as_the_reason(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = elo(capsys, games, "--anchor", "weak=20000", "--anchor", "strong=-20000")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "the anchors lie 40,000 Elo apart" in err
    rows = players(elo(capsys, games, "--anchor", "weak=20000")[1])
    free = {row["name"]: float(row["elo"]) for row in players(elo(capsys, games)[1])}
    assert float(rows[0]["elo"]) == pytest.approx(20_000 + free["strong"] - free["weak"], abs=0.02)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("elo", ["--prior", "1"]), ("elo", ["--draws", "half"]), ("elo", ["--level", "0.9"]),
        ("abalone", ["--no-advantage"]), ("abalone", ["--k", "20"]), ("bradley-terry", ["--k", "20"]),
        ("bradley-terry", ["--start", "1500"]),
    ],
)  # fmt: skip
def test_options_that_a_method_has_no_use_for_are_refused(
    games: Path, capsys: pytest.CaptureFixture[str], method: str, options: list[str]
) -> None:
    code, out, err = elo(capsys, games, "--method", method, *options)
    assert (code, out) == (2, "")
    assert options[0] in err and "goes with --method" in err


def test_it_loads_neither_numba_nor_scikit_learn_nor_sgfmill(games: Path) -> None:
    code = (
        f"import sys, gotools.cli; code = gotools.cli.run(['elo', {str(games)!r}, '--format', 'table']); "
        "print(code, [name for name in ('numba', 'sklearn', 'sgfmill') if name in sys.modules])"
    )
    environment = {**os.environ, "COLUMNS": "100"}
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert shown.stdout.splitlines()[-1] == "0 []", shown.stdout + shown.stderr


@pytest.mark.parametrize("method", ["bradley-terry", "elo", "abalone"])
def test_games_that_do_not_count_are_named_by_every_method(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    path = tmp_path / "games.csv"
    path.write_text("black,white,result\na,b,B+3\nb,a,B+R\na,b,Void\na,a,B+1\nb,,W+2\na,b,?\n", encoding="utf-8")
    code, out, _ = elo(capsys, "--method", method, "--format", "json", path)
    assert code == 0
    assert read_json(out)["excluded"] == {"against itself": 1, "no player name": 1, "unknown result": 1, "void": 1}
