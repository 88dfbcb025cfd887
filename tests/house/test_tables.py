"""Tables in the hands of data people: the recipes of docs/formats.md run, nothing is lost, old files are read."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pytest
from support.examples import read_examples
from support.random_clusters import random_clusters
from support.written_json import read_json

from gotools.base.errors import FileFormatError
from gotools.cli import run
from gotools.files.cells import cell, cells
from gotools.files.tables import read_table
from gotools.games.go.go import GO
from gotools.values.clusters.clusters_file import load_clusters, write_clusters
from gotools.values.training.training_log import Log, LogRow, Share

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
RECIPE = re.compile(r"<!-- recipe: (.*?) -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPES = RECIPE.findall(PAGE)


def of_kind(kind: str) -> list[tuple[str, str, str]]:
    return [recipe for recipe in RECIPES if recipe[1] == kind]


NAMES = ["Bot #1", "NA", "#", '"quoted', "it's", "plain"]
PLAYED = (
    (0, 1, "B+R"),
    (1, 0, "B+R"),
    (2, 3, "W+R"),
    (3, 1, "W+R"),
    (4, 2, "B+1"),
    (5, 4, "W+T"),
    (5, 0, "B+2"),
    (2, 5, "0"),
)
GAMES = "".join(json.dumps({"black": NAMES[b], "white": NAMES[w], "result": r}) + "\n" for b, w, r in PLAYED)


@pytest.fixture
def ratings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """ratings.tsv, and the same as more.tsv, in the working folder; returns the ratings as JSON has them."""
    monkeypatch.chdir(tmp_path)
    Path("r.jsonl").write_text(GAMES)
    for name in ("ratings.tsv", "more.tsv", "ratings.json"):
        assert run(["elo", "-q", "r.jsonl", "-o", name]) == 0
    found = {row["name"]: round(row["elo"], 2) for row in read_json(Path("ratings.json").read_text())["ratings"]}
    assert sorted(found) == sorted(NAMES)
    return found


def test_there_is_a_recipe_for_each_program() -> None:
    text = " ".join(recipe[2] for recipe in RECIPES)
    assert all(name in text for name in ("pandas", "polars", "duckdb", "awk", "cut"))


@pytest.mark.parametrize("recipe", of_kind("python"), ids=lambda recipe: recipe[2][7:13])
def test_a_recipe_in_python_loses_nothing(ratings: dict[str, float], recipe: tuple[str, str, str]) -> None:
    found: dict[str, object] = {}
    exec(recipe[2], found)
    table = found["table"]
    if isinstance(table, duckdb.DuckDBPyRelation):
        table = table.df()
    if isinstance(table, pandas.DataFrame):
        table = polars.DataFrame({name: table[name].tolist() for name in table.columns}, strict=False)
    assert isinstance(table, polars.DataFrame)
    assert dict(zip(table["name"].to_list(), table["elo"].to_list(), strict=True)) == ratings
    assert table["superiority"].dtype.is_float() and table["rank"].to_list() == [1, 2, 3, 4, 5, 6]
    last = table["superiority"].to_list()[-1]
    assert last is None or np.isnan(last)


@pytest.mark.parametrize("recipe", of_kind("sh"), ids=lambda recipe: recipe[2][:12])
def test_a_recipe_of_the_shell_loses_nothing(ratings: dict[str, float], recipe: tuple[str, str, str]) -> None:
    done = subprocess.run(["sh", "-c", recipe[2]], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    if recipe[0] == "joined":
        whole = [line for line in Path("ratings.tsv").read_text().splitlines() if not line.startswith("##")]
        assert done.stdout.splitlines() == whole + whole[1:]
    else:
        assert rows[0] == ["name", "elo"]
        assert {cells(name)[0]: float(elo) for name, elo in rows[1:]} == ratings


def test_all_tables_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind, of games with awkward names: as many rows and columns as gotools wrote, numbers where numbers are."""
    monkeypatch.chdir(tmp_path)
    Path("d#1 'x\" y.sgf").write_text("(;SZ[5];B[cc];W[bb];B[dd])(;SZ[5];B[cc];W[aa];B[ee])")
    Path("r.pl").write_text("%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- stage(A,end).\n")
    Path("r.csv").write_text("black,white,result\na,b,B+R\nb,a,B+R\n")
    Path("c#.tsv").write_bytes(clusters_bytes())
    commands = ["sgf-to-examples . -o e.tsv", "rank-moves e.tsv --rules r.pl -o ranking.tsv"]
    commands += ["elo r.csv -o ratings.tsv --matrix los.tsv"]
    Path("ranked.sgf").write_text("(;SZ[5]BR[9k]WR[1d];B[cc];W[bb];B[dd];W[bd])")
    Path("o.pl").write_text("%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- stage(A,open).\n")
    commands += ["lessons ranked.sgf --rules o.pl --bands 9k,1d -o lessons.tsv"]
    commands += ["order-bench e.tsv --depth 1 --order c#.tsv -o orders.tsv"]
    for command in commands:
        assert run([*command.split(), "-q"]) == 0, command
    log = Log(("games", "error"), ("random",))
    log.rows.append(LogRow(256, {"error": 0.1}, (Share(0.5, 0.4, 0.6),)))
    log.write("log.tsv", {"opponent": "a#b\nc"})
    numbers = {
        "e.tsv": ["label"],
        "ranking.tsv": ["rank", "score", "probability", "played"],
        "orders.tsv": ["nodes", "ratio", "value"],
        "lessons.tsv": ["difference", "9k", "1d_high"],
        "ratings.tsv": ["elo", "superiority"],
        "los.tsv": ["a", "b"],
        "log.tsv": ["games", "error", "random_high"],
        "c#.tsv": ["good", "bad", "saved"],
    }
    for name, columns in numbers.items():
        lines = [line for line in Path(name).read_text().split("\n") if line and not line.startswith("##")]
        expected = [cells(line) for line in lines]
        of_pandas = pandas.read_csv(name, sep="\t", comment="#", keep_default_na=False, na_values=[""])
        of_polars = polars.read_csv(name, separator="\t", comment_prefix="##", infer_schema_length=None)
        of_duckdb = duckdb.sql(
            f"SELECT * FROM read_csv('{name}', delim='\t', comment='#', header=true, quote='\"', escape='\"')"
        )
        assert of_duckdb is not None
        for found in (of_pandas.columns.tolist(), of_polars.columns, of_duckdb.columns):
            assert found == expected[0], name
        assert len(of_pandas) == len(of_polars) == len(of_duckdb.fetchall()) == len(expected) - 1, name
        assert of_pandas.iloc[:, 0].astype(str).tolist() == [row[0] for row in expected[1:]]
        for column in columns:
            assert pandas.api.types.is_numeric_dtype(of_pandas[column]), (name, column)
            assert of_polars[column].dtype.is_numeric(), (name, column)
    assert read_examples(["e.tsv"]).games()[0] == "d@1_'x'_y"


def clusters_bytes() -> bytes:
    out = io.BytesIO()
    write_clusters(out, random_clusters("manhattan"))
    return out.getvalue()


# ---- cells ----


@pytest.mark.parametrize("text", ["", "plain", "a b", "#", '"', 'a"b#c', '"quoted"', '""', "it's", "é碁"])
def test_a_cell_reads_back(text: str) -> None:
    assert cells(f"x\t{cell(text)}\ty") == ["x", text, "y"]
    assert "#" not in cell(text).strip('"') or cell(text)[0] == '"'


# ---- old files ----


OLD = {
    "e.tsv": "##gotools examples 1\n##game=go\n#id\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\tsource\n"
    "g#2:1\tb\t.../.X./..O\t-\tpass\tC1\tA3\t1\tplayed\n",
    "log.tsv": "##gotools training-log 1\n##a=1\n#games\terror\trandom\trandom_low\trandom_high\n"
    "256\t0.1\t0.5\t0.4\t0.6\n",
}


def test_old_tables_are_read(tmp_path: Path) -> None:
    for name, text in OLD.items():
        (tmp_path / name).write_text(text)
    assert read_examples([tmp_path / "e.tsv"]).id == ["g#2:1"]
    log = Log(("games", "error"), ("random",))
    log.read(str(tmp_path / "log.tsv"), 1000, {"a": 1})
    assert log.rows == [LogRow(256, {"error": 0.1}, (Share(0.5, 0.4, 0.6),))]
    new = clusters_bytes().decode()
    old = (
        new.replace("clusters 2", "clusters 1")
        .replace("\nstage\t", "\n#stage\t")
        .replace("all\tmean\t\t\t", "all\tmean\t-\t-\t")
    )
    old = old.replace("all\tdeviation\t\t\t", "all\tdeviation\t-\t-\t")
    for name, text in (("old.tsv", old), ("new.tsv", new)):
        (tmp_path / name).write_text(text)
    assert old.count("-\t-\t-") == 2 and old != new
    one, other = (load_clusters(tmp_path / name, GO) for name in ("old.tsv", "new.tsv"))
    assert np.array_equal(one.mean, other.mean) and len(one.centres) == len(other.centres)
    assert all(np.array_equal(a.point, b.point) for a, b in zip(one.centres, other.centres, strict=True))


def test_logs_of_the_project_from_before_are_read() -> None:
    for name in ("shapes.tsv", "net-a.tsv"):
        values, columns, _, rows = read_table(ROOT / "docs/training" / name, "training-log", 2)
        assert values and columns[0] == "games" and len(list(rows)) > 0


# ---- joined by cat ----


def test_joined_tables_are_one(tmp_path: Path) -> None:
    old, row = OLD["e.tsv"], OLD["e.tsv"].splitlines()[-1] + "\n"
    new = old.replace("examples 1", "examples 2").replace("\n#id", "\nid")
    names = new.splitlines()[2] + "\n"
    for text, rows in (
        (new + new, 2),
        (new + old + new, 3),
        (old + old, 2),
        (new + names + row, 2),
        (names + row + names + row, 2),
    ):
        (tmp_path / "e.tsv").write_text(text)
        assert len(read_examples([tmp_path / "e.tsv"])) == rows
    log = "##gotools training-log 2\n##a=1\ngames\trandom\n1\t0.5\n"
    for text in (log + log, log + "games\trandom\n1\t0.5\n"):
        (tmp_path / "log.tsv").write_text(text)
        assert next(read_table(tmp_path / "log.tsv", "training-log", 2).rows)[0] == 4
        assert len(list(read_table(tmp_path / "log.tsv", "training-log", 2).rows)) == 2
    (tmp_path / "log.tsv").write_text(log + log.replace("a=1", "a=2"))
    with pytest.raises(FileFormatError, match=r"log\.tsv:5: a second header that differs from the first"):
        list(read_table(tmp_path / "log.tsv", "training-log", 2).rows)
    assert os.listdir(tmp_path)
