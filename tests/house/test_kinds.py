"""A file of the wrong kind is named for what it is: each kind of file, given to each input of each command."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from support import forked
from support.random_clusters import random_clusters
from support.tournament_results import game

from gotools.cli import run
from gotools.files.kinds import OURS, Kind, kind_of
from gotools.files.opening import FIRST_BYTES, head_of, open_output
from gotools.go.as_game import GO
from gotools.learn.clusters.clusters_file import write_clusters
from gotools.learn.shapes.shapes import shapes_of
from gotools.learn.weights.weights_file import Weights, save_weights
from gotools.tournament.report.games_table import games_table

GAME = "(;GM[1]SZ[5]RE[B+R]PB[a]PW[b];B[cc];W[bb];B[dd];W[bd])"
RANKED = "(;SZ[5]BR[9k]WR[1d];B[cc];W[bb];B[dd];W[bd])"
RULES = "%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- stage(A,open).\n"
JOURNAL = '{"gotools":"journal","version":1,"plays":{"engines":[{"name":"a"},{"name":"b"}]},"wishes":{}}\n'
RESULT = '{"game":1,"pair":1,"black":"a","white":"b","result":"B+R"}\n'
KINDS = {
    "g.sgf": Kind.games,
    "e.tsv": Kind.examples,
    "e.parquet": Kind.examples,
    "rules.pl": Kind.rules,
    "rules.c": Kind.c_source,
    "rules.so": Kind.library,
    "eval.npz": Kind.weights,
    "clusters.tsv": Kind.clusters,
    "orders.tsv": Kind.orders,
    "orders.parquet": Kind.orders,
    "orders.json": Kind.orders,
    "lessons.tsv": Kind.lessons,
    "lessons.parquet": Kind.lessons,
    "lessons.json": Kind.lessons,
    "ranking.tsv": Kind.ranking,
    "ranking.parquet": Kind.ranking,
    "metrics.json": Kind.metrics,
    "results.jsonl": Kind.journal,
    "games.parquet": Kind.results_table,
    "ratings.tsv": Kind.ratings,
    "ratings.parquet": Kind.ratings,
    "ratings.json": Kind.ratings,
    "los.tsv": Kind.superiorities,
    "log.tsv": Kind.log,
    "summary.json": Kind.summary,
    "r.csv": Kind.results,
    "e.csv": Kind.csv,
    "export.pl": Kind.prolog,
    "match.toml": Kind.settings,
    "page.html": Kind.page,
    "a.pdf": Kind.office,
    "empty": Kind.empty,
    "blank.txt": Kind.empty,
    "noise": Kind.binary,
    "twice.gz": Kind.packed,
    "e.parquet.gz": Kind.parquet,
    "a.zip": Kind.zip,
    "a.png": Kind.picture,
    "a.npy": Kind.data,
    "words.txt": Kind.text,
}
GAMES_OR_ROWS, WEIGHTS = "examples or game records", "weights (eval.npz of train-eval)"
DECISIONS, RULE_FILES = {Kind.games, Kind.examples, Kind.zip}, {Kind.rules, Kind.library}
RESULTS = {Kind.games, Kind.results, Kind.results_table, Kind.journal, Kind.zip, Kind.json, Kind.packed}
CSV = {Kind.csv, Kind.results}
INPUTS: dict[str, tuple[str, str, set[Kind]]] = {
    "sgf-to-examples PATH": ("sgf-to-examples FILE", "game records", {Kind.games, Kind.zip}),
    "induce-patterns PATH": ("induce-patterns FILE", GAMES_OR_ROWS, DECISIONS),
    "induce-patterns --test": ("induce-patterns g.sgf --test FILE", GAMES_OR_ROWS, DECISIONS),
    "induce-patterns --background": (
        "induce-patterns g.sgf --background FILE",
        "predicates in Prolog",
        {Kind.prolog},
    ),
    "induce-patterns --modes": ("induce-patterns g.sgf --modes FILE", "modes in Prolog", {Kind.prolog}),
    "compile-patterns RULES": ("compile-patterns FILE", "rules", {Kind.rules}),
    "rank-moves PATH": ("rank-moves FILE --rules rules.pl", GAMES_OR_ROWS, DECISIONS),
    "rank-moves --rules": ("rank-moves g.sgf --rules FILE", "rules", RULE_FILES),
    "rank-moves --eval": ("rank-moves g.sgf --eval FILE", WEIGHTS, {Kind.weights}),
    "cluster-moves PATH": ("cluster-moves FILE", GAMES_OR_ROWS, DECISIONS),
    "order-bench PATH": ("order-bench FILE", GAMES_OR_ROWS, DECISIONS),
    "order-bench --order": (
        "order-bench g.sgf --order FILE",
        "clusters, rules or a policy (eval.npz)",
        {Kind.clusters, Kind.weights, *RULE_FILES},
    ),
    "order-bench --eval": ("order-bench g.sgf --eval FILE", WEIGHTS, {Kind.weights}),
    "gtp --rules": ("gtp --rules FILE", "rules", RULE_FILES),
    "gtp --eval": ("gtp --eval FILE", WEIGHTS, {Kind.weights}),
    "gtp --order": ("gtp --order FILE", "clusters or a policy (eval.npz)", {Kind.clusters, Kind.weights}),
    "lessons PATH": ("lessons FILE --rules rules.pl", "game records", {Kind.games, Kind.zip}),
    "lessons --rules": ("lessons g.sgf --rules FILE", "rules", RULE_FILES),
    "elo PATH": ("elo FILE", "results of games", RESULTS),
    "train-eval --start": ("train-eval --start FILE -o new.npz", WEIGHTS, {Kind.weights}),
    "train-eval --rules": ("train-eval --rules FILE -o new.npz", "rules", RULE_FILES),
    "tournament --config": ("tournament --config FILE -o run", "settings in TOML", {Kind.settings}),
    "show FILE": ("show FILE", "a file that gotools writes", {*OURS, *CSV}),
    "report FILE": ("report FILE -o new.html", "a file that gotools writes", {*OURS, *CSV, Kind.games, Kind.zip}),
    "train-eval --log": ("train-eval --resume --log FILE -o new", "rows of a training log", {Kind.log}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file of each kind, made by gotools where it makes such files."""
    folder = tmp_path_factory.mktemp("kinds")
    before = os.getcwd()
    os.chdir(folder)
    try:
        texts = {
            "g.sgf": GAME,
            "ranked.sgf": RANKED,
            "rules.pl": RULES,
            "results.jsonl": JOURNAL + RESULT,
            "page.html": "\n<!DOCTYPE html><p>",
            "empty": "",
        }
        texts |= {"r.csv": "black,white,result\na,b,B+R\nb,a,B+R\n", "words.txt": "hello world\n", "blank.txt": " \n\n"}
        texts |= {"match.toml": "[[engine]]\nname = 'a'\n", "a.pdf": "%PDF-1.4\n", "a.png": "\x89PNG\r\n"}
        texts |= {"log.tsv": "##gotools training-log 2\n##game=go\ngames\trandom\n1\t0.5\n"}
        texts |= {"summary.json": '{\n "gotools": "summary",\n "version": 1\n}\n'}
        for name, text in texts.items():
            Path(name).write_text(text, encoding="latin-1")
        Path("noise").write_bytes(bytes(range(256)) * 20)
        Path("twice.gz").write_bytes(gzip.compress(gzip.compress(b"x")))
        Path("a.zip").write_bytes(b"PK\x05\x06" + bytes(18))
        np.save("a.npy", np.zeros(3))
        weights = np.zeros(shapes_of(GO, 5).weights)
        save_weights("eval.npz", Weights("go", 5, 7.5, "shapes", "linear", 1, weights))
        with open("clusters.tsv", "wb") as out:
            write_clusters(out, random_clusters("manhattan"))
        bench = "order-bench g.sgf --depth 1 --positions 1"
        commands = [
            "sgf-to-examples g.sgf -o e.tsv",
            "sgf-to-examples g.sgf -o e.parquet",
            "sgf-to-examples g.sgf -o e.csv",
            "sgf-to-examples g.sgf --format prolog -o export.pl",
        ]
        commands += ["compile-patterns rules.pl -o rules.c", "compile-patterns rules.pl -o rules.so"]
        commands += ["rank-moves g.sgf --rules rules.pl -o ranking.tsv --metrics metrics.json"]
        commands += ["rank-moves g.sgf --rules rules.pl -o ranking.parquet"]
        commands += [f"{bench} -o orders.{ending}" for ending in ("tsv", "parquet", "json")]
        compare = "lessons ranked.sgf --rules rules.pl --bands 9k,1d"
        commands += [f"{compare} -o lessons.{ending}" for ending in ("tsv", "parquet", "json")]
        commands += ["elo r.csv -o ratings.tsv --matrix los.tsv", "elo r.csv -o ratings.json"]
        commands += ["elo r.csv -o ratings.parquet"]
        for command in commands:
            assert run([*command.split(), "-q"]) == 0, command
        Path("e.parquet.gz").write_bytes(gzip.compress(Path("e.parquet").read_bytes()))
        with open_output("games.parquet") as out:
            out.write(games_table({1: game(1, "a", "b")}, "go"))
    finally:
        os.chdir(before)
    return folder


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_known_whatever_its_name_packed_or_not(folder: Path, tmp_path: Path, name: str) -> None:
    assert kind_of(head_of(folder / name)) is KINDS[name]
    if KINDS[name] is not Kind.empty:
        (tmp_path / "x").write_bytes(gzip.compress((folder / name).read_bytes()))
        packed = {"twice.gz": Kind.packed, "e.parquet.gz": Kind.packed}
        expected = packed.get(name, Kind.parquet if name.endswith(".parquet") else KINDS[name])
        assert kind_of(head_of(tmp_path / "x")) is expected


def test_metrics_of_an_induction_are_known(folder: Path, tmp_path: Path) -> None:
    command = ["induce-patterns", "-q", str(folder / "g.sgf"), "--nodes", "1", "-o", os.devnull]
    assert run([*command, "--metrics", str(tmp_path / "m")]) == 0
    assert kind_of(head_of(tmp_path / "m")) is Kind.metrics


def test_records_in_other_encodings_and_behind_other_text_are_game_records() -> None:
    for data in (GAME.encode("utf-16"), GAME.encode("utf-8-sig"), b"From: x\n\n" + GAME.encode(), b"( ;GM[1]"):
        assert kind_of(data[:FIRST_BYTES]) is Kind.games
    for data in (b"#id\tto_play\tposition\tmove\n", b"to_play\tposition\n", b"##made=by\n#position\tx\tto_play\n"):
        assert kind_of(data) is Kind.examples


@pytest.mark.parametrize("name", INPUTS)
def test_each_kind_at_each_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    command, wanted, taken = INPUTS[name]
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    before = sorted(os.listdir())
    for file, kind in KINDS.items():
        if kind in taken:
            continue
        code = run([*command.replace("FILE", file).split(), "-q"])
        error = capfd.readouterr().err
        if "--log" in command and code == 2:  # the log is written too, and its name is another's
            assert "name another file for --log" in error
            continue
        assert code == (2 if "tournament" in command else 1), file
        assert "Traceback" not in error and error.startswith(("gotools", file)), file
        if (
            kind is Kind.text or (kind is Kind.empty and "TOML" in wanted) or (kind is Kind.csv and name == "elo PATH")
        ):  # what is wrong there is reported by its reader
            assert file in error
        elif kind is Kind.packed and wanted == GAMES_OR_ROWS:  # on stdin no more than the head may be there
            assert f"{file}: a packed file; expected examples" in error
        elif kind is Kind.binary and wanted == GAMES_OR_ROWS:  # the reader of game records knows UTF-16
            assert f"{file}: a binary file; expected game records" in error
        else:
            assert f"{file}: {kind}; expected {wanted}" in error, (file, error)
    assert sorted(os.listdir()) == before


def test_a_page_holds_a_section_for_every_kind_of_ours(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    wanted = {*OURS, Kind.csv, Kind.games} - {Kind.journal}  # there without engines; test_report.py has whole runs
    names = [name for name, kind in KINDS.items() if kind in wanted]
    assert run(["report", *names, "-q", "-o", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text()
    assert [name for name in names if f" <small>{name}</small></h2>" not in text] == []


STDIN = [
    ("sgf-to-examples -", "game records", "rules.pl"),
    ("induce-patterns", GAMES_OR_ROWS, "clusters.tsv"),
    ("compile-patterns -", "rules", "e.tsv"),
    ("rank-moves --rules rules.pl", GAMES_OR_ROWS, "ranking.tsv"),
    ("rank-moves g.sgf --rules -", "rules", "g.sgf"),
    ("rank-moves g.sgf --eval -", WEIGHTS, "rules.pl"),
    ("cluster-moves -", GAMES_OR_ROWS, "page.html"),
    ("order-bench g.sgf --order -", "clusters, rules or a policy (eval.npz)", "ratings.tsv"),
    ("elo -", "results of games", "e.tsv"),
    ("report - -o new.html", "a file that gotools writes", "page.html"),
]


@pytest.mark.system
@pytest.mark.parametrize(("command", "wanted", "file"), STDIN)
def test_stdin_too(folder: Path, command: str, wanted: str, file: str) -> None:
    line = [sys.executable, "-m", "gotools", *command.split(), "-q"]
    done = forked.run(line, cwd=folder, input=(folder / file).read_bytes(), capture_output=True, timeout=60)
    assert done.returncode == 1 and done.stdout == b""
    assert f"stdin: {KINDS[file]}; expected {wanted}" in done.stderr.decode()


@pytest.mark.parametrize(
    "command",
    ["rank-moves nine.sgf --eval eval.npz", "order-bench nine.sgf --eval eval.npz", "gtp --eval eval.npz --size 9"],
)
def test_weights_of_another_board_size_say_both(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "nine.sgf").write_text(GAME.replace("SZ[5]", "SZ[9]"))
    (tmp_path / "eval.npz").write_bytes((folder / "eval.npz").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert run([*command.split(), "-q"]) == 1
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and "weights for 5x5" in error and "9x9" in error


def test_positions_of_another_size_are_left_out_of_a_bench_with_a_word(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nine.sgf").write_text(GAME.replace("SZ[5]", "SZ[9]"))
    command = ["order-bench", str(tmp_path / "nine.sgf"), str(folder / "g.sgf"), "--depth", "1", "--eval"]
    assert run([*command, str(folder / "eval.npz"), "-q", "--format", "tsv"]) == 0
    done = capfd.readouterr()
    assert "weights for 5x5; left out 4 positions of 9x9" in done.err
    assert [line.split("\t")[0] for line in done.out.splitlines() if line[0] == "g"] == [f"g:{n}" for n in range(1, 5)]
