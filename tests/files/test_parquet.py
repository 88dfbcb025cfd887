"""Tables as Parquet: other programs read what gotools writes, gotools reads what they write, damage is one line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import forked
from support.random_clusters import random_clusters
from support.small_game_engine import command as small_engine
from support.written_json import read_json

import gotools
from gotools.base.errors import FileFormatError, GotoolsError, MissingTool, OutputError
from gotools.cli import run
from gotools.files import converting
from gotools.files.cells import cells
from gotools.files.kinds import TABLES
from gotools.files.opening import head_of, open_output, read_bytes, read_parts
from gotools.files.parquet import parquet_of_text, text_of_parquet
from gotools.files.tables import header, read_table, row
from gotools.games.go.examples.examples import of_go
from gotools.values.clusters.clusters_file import write_clusters

ROOT = Path(__file__).parents[2]
QUERY = re.compile(r"<!-- query -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAMES = "(;GM[1]SZ[5]RE[B+R];B[cc];W[bb];B[dd];W[bd])(;GM[1]SZ[5]RE[W+R];B[cc];W[dd];B[];W[cd])"
RULES = "%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- line(A,C,D,2).\n"
RESULTS = 'black,white,result\n"Bot #1",-,B+R\n-,"Bot #1",B+R\n"a ""b""",-,W+R\n"Bot #1","a ""b""",0\n'
MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n4k4/9/9/9/9/9/9/9/4K4 b - 1\n"
RANKED = """(;SZ[5]PB[a]PW[b]BR[9k]WR[1d];B[bb];W[dd];B[cc];W[cd])
(;SZ[5]PB[c]PW[b]WR[1d];B[cb];W[cc];B[dc];W[cd])
"""
COMMANDS = {
    "examples": "sgf-to-examples g.sgf --negatives unplayed=3 -o FILE",
    "ranking": "rank-moves g.sgf --rules r.pl -o FILE",
    "order-bench": "order-bench g.sgf --depth 1 -o FILE",
    "lessons": "lessons ranked.sgf --rules r.pl --bands 9k,1d --player c -o FILE",
    "ratings": "elo r.csv -o FILE",
    "superiorities": "elo r.csv --matrix FILE -o ratings.csv",
    "training-log": "train-eval --game tictactoe --features lines --games 600 --referee-games 0 -o FILE.npz --log FILE",
    "solved": "solve --game shogi p.sfen -o FILE",
    "results": "tournament status run --results FILE",
}
WORDS = {"ko", "last", "last2", "line", "rules", "fault", "what", "notes", "setting", "like"}
"""Columns in which `-` is a missing text; in all others it is a name, or cannot be."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of each kind, as TSV and as Parquet."""
    folder = tmp_path_factory.mktemp("parquet")
    before = os.getcwd()
    os.chdir(folder)
    try:
        for name, text in {"g.sgf": GAMES, "ranked.sgf": RANKED, "r.pl": RULES, "r.csv": RESULTS}.items():
            Path(name).write_text(text)
        Path("p.sfen").write_text(MATE)
        engines = ["--engine", f"a={small_engine(wins=True)}", "--engine", f"b={small_engine(seed=7)}"]
        run(["tournament", "--game", "connect4", *engines, "--games", "4", "-q", "-o", "run"])
        for kind, command in COMMANDS.items():
            for ending in ("tsv", "parquet", "csv"):
                assert run(command.replace("FILE", f"{kind}.{ending}").split() + ["-q"] * ("run" not in command)) == 0
        for ending in ("tsv", "parquet", "csv"):
            with open_output(f"clusters.{ending}") as out:
                write_clusters(out, random_clusters("manhattan"))
    finally:
        os.chdir(before)
    return folder


KIND_NAMES = [*COMMANDS, "clusters"]


def lines_of(path: Path) -> tuple[list[str], list[str], list[list[str]]]:
    """Return the `##` lines, the names and the rows of a TSV."""
    lines = path.read_text(encoding="utf-8").splitlines()
    about = [line for line in lines if line.startswith("##")]
    rows = [cells(line) for line in lines[len(about) :]]
    return about, rows[0], rows[1:]


def expected_value(text: str, column: str, kind: type) -> object:
    """Return what a cell of text is as a value: the obvious way."""
    if kind in (int, float):
        return kind(text) if text else None
    missing = column in WORDS or (column, text) == ("typical", "-")
    return None if text == "-" and missing else text


# what is written ------------------------------------------------------------------------------------------------------


def test_every_kind_of_table_is_tried() -> None:
    assert set(KIND_NAMES) == set(TABLES)


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_parquet_holds_what_the_text_holds(folder: Path, kind: str) -> None:
    about, names, rows = lines_of(folder / f"{kind}.tsv")
    table = pq.read_table(folder / f"{kind}.parquet")
    assert table.column_names == names and len(table) == len(rows) > 0
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    header = [
        f"##gotools {metadata.pop('gotools')}",
        *(f"##{key.removeprefix('gotools.')}={v}" for key, v in metadata.items()),
    ]
    assert header == about
    for at, name in enumerate(names):
        found = table.column(at).to_pylist()
        (type_,) = {type(value) for value in found if value is not None} or {str}
        if name == "seconds" or (kind == "order-bench" and name == "move"):
            continue  # measured anew; checked below
        assert found == [expected_value(line[at], name, type_) for line in rows], name
    numbers = [str(one.type) for one in table.schema if str(one.type) != "string"]
    assert set(numbers) <= {"int64", "double"} and numbers


def test_the_missing_move_of_a_sum_is_null(folder: Path) -> None:
    table = pandas.read_parquet(folder / "order-bench.parquet")
    assert table[table.id == "all"].move.isna().all() and table[table.id != "all"].move.notna().all()


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_csv_opens_as_it_is_and_holds_what_the_text_holds(folder: Path, kind: str) -> None:
    _, names, rows = lines_of(folder / f"{kind}.tsv")
    with (folder / f"{kind}.csv").open(encoding="utf-8", newline="") as lines:
        found = list(csv.reader(lines, strict=True))
    assert found[0] == names and len(found) == len(rows) + 1
    for line, expected in zip(found[1:], rows, strict=True):
        for name, text, whole in zip(names, line, expected, strict=True):
            if name != "seconds" and (kind, name) != ("order-bench", "move"):  # those are measured anew
                assert text == (expected_value(whole, name, str) or ""), name
    table = pandas.read_csv(folder / f"{kind}.csv")  # without a word on its form
    of_parquet = pandas.read_parquet(folder / f"{kind}.parquet")
    assert table.columns.tolist() == names and len(table) == len(rows)
    numbers = [name for name in names if pandas.api.types.is_numeric_dtype(of_parquet[name])]
    assert all(pandas.api.types.is_numeric_dtype(table[name]) for name in numbers)


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_our_csv_is_shown_and_refused_as_input_in_one_line(
    folder: Path, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = folder / f"{kind}.csv"
    assert run(["show", str(path), "--json"]) == 0
    shown = read_json(capfd.readouterr().out)
    _, names, rows = lines_of(folder / f"{kind}.tsv")
    assert shown["rows"] == len(rows) and f'"{names[0]}"' in json.dumps(shown)
    assert run(["rank-moves", str(path), "--rules", str(folder / "r.pl"), "-o", str(tmp_path / "new.tsv")]) == 1
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and str(path) in error and not (tmp_path / "new.tsv").exists()
    if kind != "results":  # which elo reads
        assert run(["elo", str(path)]) == 1
        assert f"{path}: not a format that can be read: SGF" in capfd.readouterr().err


def test_csv_is_packed_and_replaces_itself_in_a_folder_that_is_read(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "r.csv", tmp_path)
    for _ in range(2):
        assert run(["elo", str(tmp_path), "-q", "-o", str(tmp_path / "ratings.csv.gz")]) == 0
    assert gzip.decompress((tmp_path / "ratings.csv.gz").read_bytes()) == (folder / "ratings.csv").read_bytes()
    assert run(["elo", str(folder / "r.csv"), "-q", "--format", "csv", "-o", str(tmp_path / "stated.csv")]) == 0
    assert (tmp_path / "stated.csv").read_bytes() == (folder / "ratings.csv").read_bytes()


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_duckdb_pandas_and_polars_open_it(folder: Path, kind: str) -> None:
    path = folder / f"{kind}.parquet"
    _, names, rows = lines_of(folder / f"{kind}.tsv")
    of_duckdb = duckdb.sql(f"SELECT * FROM '{path}'")
    assert of_duckdb is not None
    assert of_duckdb.columns == pandas.read_parquet(path).columns.tolist() == polars.read_parquet(path).columns == names
    assert len(of_duckdb.fetchall()) == len(pandas.read_parquet(path)) == len(polars.read_parquet(path)) == len(rows)


def test_the_queries_of_the_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    monkeypatch.chdir(folder)
    queries = QUERY.findall(page)
    assert [re.findall("duckdb|pandas|polars", query)[0] for query in queries] == ["duckdb", "pandas", "polars"]
    found: dict[str, object] = {}
    for query in queries:
        exec(query, found)
    _, names, rows = lines_of(folder / "examples.tsv")
    played = [row[names.index("move")] for row in rows if row[names.index("label")] == "1"]
    moves = sorted({(-played.count(move), move) for move in played})
    assert found["moves"] == [(move, -count) for count, move in moves[:5]]
    _, names, rows = lines_of(folder / "ranking.tsv")
    ranks = [int(row[names.index("rank")]) for row in rows if row[names.index("played")] == "1"]
    assert found["top5"] == pytest.approx(sum(rank <= 5 for rank in ranks) / len(ranks))
    _, names, rows = lines_of(folder / "results.tsv")
    black, result = names.index("black"), names.index("result")
    wins = {name: sum(row[result][:2] == "B+" for row in rows if row[black] == name) for name in "ab"}
    table = found["wins"]
    assert isinstance(table, polars.DataFrame)
    assert dict(table.select("black", "wins").iter_rows()) == wins


@pytest.mark.parametrize(("kind", "size"), [("examples", 200), ("ratings", 60), ("ratings", 1)])
def test_the_same_text_gives_the_same_bytes_in_whatever_pieces(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str, size: int
) -> None:
    """A group of rows ends with the line that reaches its size, so that memory is bounded."""
    monkeypatch.setattr(converting, "GROUP", size)
    text = (folder / f"{kind}.tsv").read_bytes()
    found = {written(text, piece) for piece in (1, 7, size - 1 or 2, size, size + 1, 100_000)}
    assert len(found) == 1
    about = pq.ParquetFile(io.BytesIO(found.pop())).metadata
    expected = [0]
    filled = 0
    for line in [line for line in text.splitlines(keepends=True) if not line.startswith(b"##")][1:]:
        if filled >= size:
            expected.append(0)
            filled = 0
        expected[-1] += 1
        filled += len(line)
    assert [about.row_group(number).num_rows for number in range(about.num_row_groups)] == expected
    assert len(expected) > 1


def written(text: bytes, size: int) -> bytes:
    out = io.BytesIO()
    with parquet_of_text(out) as stream:
        for at in range(0, len(text), size):
            stream.write(text[at : at + size])
    return out.getvalue()


ODD = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(ODD, st.none() | st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=8))
def test_odd_names_and_numbers_come_back(pairs: list[tuple[str, float | None]]) -> None:
    """Text to Parquet is what pyarrow reads; and back to text, what the reader of tables reads."""
    values = {"made by": 'a "b" # c', "anchor é": "1"}
    lines = [row([at, name, "" if elo is None else repr(elo)]) for at, (name, elo) in enumerate(pairs)]
    text = header("ratings", 2, values, ("rank", "name", "elo")) + "".join(lines).encode()
    expected = [cells(line.rstrip("\n"))[1] for line in lines]  # without line ends, which no cell holds
    data = written(text, 50)
    table = pq.read_table(io.BytesIO(data))
    assert table.column("name").to_pylist() == expected
    assert table.column("elo").to_pylist() == [elo for _, elo in pairs]
    back = b"".join(text_of_parquet(io.BytesIO(data), "x")).decode().splitlines()
    assert back[: len(values) + 2] == text.decode().splitlines()[: len(values) + 2]
    found = [cells(line) for line in back[len(values) + 2 :]]
    assert [name for _, name, _ in found] == expected
    assert [float(elo) if elo else None for *_, elo in found] == [elo for _, elo in pairs]


def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_text("old")
    with pytest.raises(ValueError, match="stop"), open_output(path) as out:
        out.write(header("ratings", 2, {}, ("rank", "name")) + b"1\ta\n" * 100)
        raise ValueError("stop")
    with pytest.raises(GotoolsError, match="Parquet holds tables"), open_output(path) as out:
        out.write(b"%% gotools rules 1\n")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["x.parquet"]
    assert run(["sgf-to-examples", os.devnull, "-q", "-o", str(path)]) == 1
    assert path.read_text() == "old"


def test_packed_parquet_is_neither_written_nor_read(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["sgf-to-examples", str(folder / "g.sgf"), "-q", "-o", str(tmp_path / "e.parquet.gz")]) == 2
    assert "Parquet is compressed already, so leave out .gz" in capfd.readouterr().err
    assert os.listdir(tmp_path) == []


# what is read ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_show_says_the_same_of_both(folder: Path, capfd: pytest.CaptureFixture[str], kind: str) -> None:
    numbers = []
    for ending in ("tsv", "parquet"):
        assert run(["show", str(folder / f"{kind}.{ending}"), "--json"]) == 0
        numbers.append(read_json(capfd.readouterr().out.replace(f".{ending}", "")))
    if kind != "order-bench":  # which has seconds
        assert numbers[0] == numbers[1]


COMMANDS_THAT_READ = [
    "rank-moves FILE --rules r.pl",
    "induce-patterns FILE --nodes 10",
    "cluster-moves FILE --k 2 --starts 1 --seed 1",
]


@pytest.mark.parametrize("command", COMMANDS_THAT_READ)
def test_commands_read_examples_in_both_forms_alike(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.chdir(folder)
    found = []
    for ending in ("tsv", "parquet"):
        assert run([*command.replace("FILE", f"examples.{ending}").split(), "-q"]) == 0
        found.append(capfd.readouterr().out)
    assert found[0] == found[1] != ""


@pytest.mark.system
def test_stdin_and_pipes_and_any_name(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gotools", "rank-moves", "--rules", "r.pl", "-q"]
    expected = forked.run([*command, "examples.tsv"], cwd=folder, capture_output=True, check=True).stdout
    data = (folder / "examples.parquet").read_bytes()
    with open(folder / "examples.parquet", "rb") as stdin:
        assert forked.run([*command, "-"], cwd=folder, stdin=stdin, capture_output=True).stdout == expected
    assert forked.run(command, cwd=folder, input=data, capture_output=True).stdout == expected
    (tmp_path / "x.txt").write_bytes(data)
    assert forked.run([*command, str(tmp_path / "x.txt")], cwd=folder, capture_output=True).stdout == expected
    (tmp_path / "in").mkdir()
    (tmp_path / "in/x.parquet").write_bytes(data)
    assert forked.run([*command, str(tmp_path / "in")], cwd=folder, capture_output=True).stdout == expected


@pytest.mark.parametrize("program", ["pandas", "polars", "duckdb", "categories", "dictionary"])
def test_what_other_programs_write_is_read(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], program: str
) -> None:
    """Without metadata, with types of their own (large strings, categories) and their own encodings."""
    path, source = tmp_path / "x", folder / "examples.parquet"
    if program == "pandas":
        pandas.read_parquet(source).to_parquet(path)
    elif program == "categories":
        pandas.read_parquet(source).astype({"source": "category", "to_play": "category"}).to_parquet(path)
    elif program == "polars":
        polars.read_parquet(source).write_parquet(path)
    elif program == "dictionary":
        pq.write_table(pq.read_table(source), path, use_dictionary=True, row_group_size=5, compression="snappy")
    else:
        duckdb.sql(f"COPY (SELECT * FROM '{source}') TO '{path}' (FORMAT parquet)")
    rules = str(folder / "r.pl")
    assert run(["rank-moves", str(folder / "examples.tsv"), "--rules", rules, "-q"]) == 0
    expected = capfd.readouterr().out
    assert run(["rank-moves", str(path), "--rules", rules, "-q"]) == 0
    assert capfd.readouterr().out == expected


def test_ratings_of_a_table_of_results_are_those_of_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    found = []
    for name in ("run", "results.tsv", "results.parquet"):
        assert run(["elo", name, "-q", "--format", "tsv"]) == 0
        found.append(capfd.readouterr().out)
    assert found[0] == found[1] == found[2] != ""


# files of strangers ---------------------------------------------------------------------------------------------------


def test_damaged_files_are_one_line_with_the_path(folder: Path, tmp_path: Path) -> None:
    data = (folder / "examples.parquet").read_bytes()
    rng = np.random.default_rng(3)
    path, failed = tmp_path / "x.parquet", 0
    cases = [data[:size] for size in (4, 8, 100, len(data) // 2, len(data) - 1, len(data) - 9)]
    for _ in range(150):
        spoiled = bytearray(data)
        for at in rng.integers(4, len(data), int(rng.integers(1, 4))):
            spoiled[at] = int(rng.integers(256))
        cases.append(bytes(spoiled))
    whole = b"".join(read_parts(folder / "examples.parquet"))
    for number, case in enumerate(cases):
        path.write_bytes(case)
        try:
            found = b"".join(read_parts(path))
        except FileFormatError as error:
            assert str(error).startswith(f"{path}: ") and "\n" not in str(error)
            failed += 1
        else:
            assert number >= 6 and (found == whole or found.count(b"\n") > 1)
    assert failed > 80


def test_other_versions_kinds_and_types_are_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = pq.read_table(folder / "examples.parquet")
    cases = {
        "get a newer gotools": table.replace_schema_metadata({"gotools": "examples 9"}),
        "should read": table.replace_schema_metadata({"gotools": "examples two"}),
        "rating": table.replace_schema_metadata({"gotools": "ratings 2"}),
        "no column position": table.drop_columns(["position"]),
        "column label is of type": table.set_column(7, "label", pyarrow.array([[1]] * len(table))),
        "a tab or the end of a line": table.set_column(0, "id", pyarrow.array(["a\nb"] * len(table))),
        "a text longer than a line": table.set_column(0, "id", pyarrow.array(["x" * (1 << 20) + "y"] * len(table))),
    }
    for what, found in cases.items():
        pq.write_table(found, "x.parquet")
        assert run(["rank-moves", "x.parquet", "--rules", str(folder / "r.pl"), "-q"]) == 1, what
        said = capfd.readouterr()
        assert said.out == "" and said.err.count("\n") == 1
        assert "x.parquet" in said.err and what in said.err, said.err


def test_a_value_stored_once_and_repeated_a_million_times_takes_bounded_memory(tmp_path: Path) -> None:
    """A file of some kB that stands for 500 GB of text: the first parts come at once, each of a few MB."""
    indices = pyarrow.array(np.zeros(1_000_000, np.int32))
    column = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["x" * 500_000]))
    pq.write_table(pyarrow.table({"name": column}), tmp_path / "x.parquet")
    assert (tmp_path / "x.parquet").stat().st_size < 1_000_000
    parts = read_parts(tmp_path / "x.parquet")
    sizes = [len(next(parts)) for _ in range(10)]
    assert 1_000_000 < max(sizes) < 16 << 20
    with pytest.raises(FileFormatError, match="more than 32 MiB"):
        read_bytes(tmp_path / "x.parquet", 1 << 25)
    assert len(head_of(tmp_path / "x.parquet")) == 4096


# without pyarrow ------------------------------------------------------------------------------------------------------


def test_without_pyarrow_one_line_names_the_extra(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    game, rows = str(folder / "g.sgf"), str(folder / "examples.parquet")
    commands = [["sgf-to-examples", game, "-o", str(tmp_path / "e.parquet")]]
    commands += [["rank-moves", rows, "--rules", str(folder / "r.pl")], ["show", rows], ["induce-patterns", rows]]
    for command in commands:
        assert run([*command, "-q"]) == 1
        done = capfd.readouterr()
        assert done.out == "" and done.err.count("\n") == 1 and "pip install pyarrow" in done.err
    assert os.listdir(tmp_path) == []
    with pytest.raises(MissingTool):
        b"".join(read_parts(rows))


@pytest.mark.system
def test_pyarrow_is_loaded_for_parquet_alone(folder: Path) -> None:
    show = "run(['show', sys.argv[{}], '-q']); print('loaded:', 'pyarrow' in sys.modules); "
    code = "import sys; from gotools.cli import run; " + show.format(1) + show.format(2)
    command = [sys.executable, "-c", code, "examples.tsv", "examples.parquet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert re.findall("^loaded: (.*)$", done.stdout, re.MULTILINE) == ["False", "True"]


def test_a_table_read_whole(folder: Path) -> None:
    text, other = (read_table(folder / f"clusters.{ending}", "clusters", 2) for ending in ("tsv", "parquet"))
    assert (text.values, text.columns) == (other.values, other.columns)
    pairs = zip(text.rows, other.rows, strict=True)
    assert all(_same(one, two) for (_, first), (_, second) in pairs for one, two in zip(first, second, strict=True))


def _same(one: str, two: str) -> bool:
    return one == two or float(one) == float(two)


def test_the_library_saves_and_reads_parquet(folder: Path, tmp_path: Path) -> None:
    examples = of_go(gotools.read_examples(folder / "g.sgf"))
    gotools.save(examples, tmp_path / "e.parquet")
    found = of_go(gotools.read_examples(tmp_path / "e.parquet"))
    assert found.id == examples.id and (found.board == examples.board).all() and (found.move == examples.move).all()
    with pytest.raises(OutputError, match=r"leave out \.gz"):
        gotools.save(examples, tmp_path / "e.parquet.gz")
