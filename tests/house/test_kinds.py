"""A file of the wrong kind is named for what it is: each kind of file, given to each input of each command."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest
from support import every_kind as files
from support import forked
from support.every_kind import GAME

from gotools.cli import run
from gotools.files.kinds import OURS, FileKind, Kind, kind_of
from gotools.files.opening import FIRST_BYTES, head_of

KINDS = {**files.OURS, **files.OTHERS}
GAMES_OR_ROWS, WEIGHTS = "examples or game records", "weights (eval.npz of train-eval)"
DECISIONS, RULE_FILES = {Kind.games, Kind.examples, Kind.zip}, {Kind.rules, Kind.library}
RESULTS = {Kind.games, Kind.results, Kind.results_table, Kind.journal, Kind.zip, Kind.json, Kind.packed}
CSV = {Kind.csv, Kind.results}
INPUTS: dict[str, tuple[str, str, set[FileKind]]] = {
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
    "rank-moves PATH": ("rank-moves FILE --rules plain.pl", GAMES_OR_ROWS, DECISIONS),
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
    "solve PATH": ("solve FILE", "game records", {Kind.games, Kind.zip}),
    "lessons PATH": ("lessons FILE --rules plain.pl", "game records", {Kind.games, Kind.zip}),
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
def folder(every_kind: Path) -> Path:
    return every_kind


def test_there_is_a_file_of_every_kind_that_gotools_writes() -> None:
    assert set(files.OURS.values()) == OURS


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_known_whatever_its_name_packed_or_not(folder: Path, tmp_path: Path, name: str) -> None:
    assert kind_of(head_of(folder / name)) is KINDS[name]
    if KINDS[name] is not Kind.empty:
        (tmp_path / "x").write_bytes(gzip.compress((folder / name).read_bytes()))
        packed = Kind.parquet if name.endswith(".parquet") else KINDS[name]
        expected = Kind.packed if name.endswith(".gz") else packed
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
    ("compile-patterns -", "rules", "examples.parquet"),
    ("rank-moves --rules plain.pl", GAMES_OR_ROWS, "ranking.tsv"),
    ("rank-moves g.sgf --rules -", "rules", "g.sgf"),
    ("rank-moves g.sgf --eval -", WEIGHTS, "rules.pl"),
    ("cluster-moves -", GAMES_OR_ROWS, "page.html"),
    ("order-bench g.sgf --order -", "clusters, rules or a policy (eval.npz)", "ratings.tsv"),
    ("elo -", "results of games", "examples.tsv.gz"),
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
    (tmp_path / "g.sgf").write_text(GAME)
    command = ["order-bench", str(tmp_path / "nine.sgf"), str(tmp_path / "g.sgf"), "--depth", "1", "--eval"]
    assert run([*command, str(folder / "eval.npz"), "-q", "--format", "tsv"]) == 0
    done = capfd.readouterr()
    assert "weights for 5x5; left out 4 positions of 9x9" in done.err
    assert [line.split("\t")[0] for line in done.out.splitlines() if line[0] == "g"] == [f"g:{n}" for n in range(1, 5)]
