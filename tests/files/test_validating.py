"""JSON that gotools writes fits its schemas, and what does not fit is named with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.every_kind import write_files
from support.needs import ROOT

from gotools.cli import run
from gotools.files.validating import FOLDER, SCHEMAS, faults, schema_of

jsonschema = pytest.importorskip("jsonschema")

WRITTEN = {
    "run/results.jsonl": "journal-1",
    "summary.json": "summary-1",
    "metrics.json": "metrics-1",
    "orders.json": "orders-1",
    "lessons.json": "lessons-1",
    "ratings.json": "ratings-1",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kinds")
    write_files(folder)
    return folder


def test_schemas_are_schemas() -> None:
    names = {path.stem for path in FOLDER.iterdir()}
    assert names == {*SCHEMAS.values(), "contents-1", "moves-1"}
    for name in names:
        jsonschema.Draft202012Validator.check_schema(schema_of(name))
        assert schema_of(name)["$id"] == f"urn:gotools:{name}"


@pytest.mark.parametrize(("name", "schema"), WRITTEN.items())
def test_a_file_fits_the_schema_of_its_kind(
    files: Path, name: str, schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "--validate", str(files / name)]) == 0
    assert capsys.readouterr().out == f"{files / name}: fits {schema}\n"


@pytest.mark.parametrize(
    ("words", "schema"),
    [
        (["show", "--json", "rules.pl"], "contents-1"),
        (["show", "--json", "summary.json"], "contents-1"),
        (["doctor", "--json"], "contents-1"),
        (["rank-moves", "examples.tsv.gz", "--rules", "plain.pl", "-q", "--explain", "--format", "json"], "moves-1"),
    ],
)
def test_what_goes_to_stdout_fits_its_schema(
    files: Path, words: list[str], schema: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(files)
    assert run(words) == 0
    out = capfd.readouterr().out
    found = list(map(json.loads, out.splitlines())) if schema == "moves-1" else [json.loads(out)]
    assert found and [fault for value in found for fault in faults(value, schema)] == []


def test_examples_of_the_page_fit() -> None:
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    for line in text.split("```jsonl\n")[1].split("```")[0].splitlines():
        assert list(faults(json.loads(line), "journal-1")) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("summary.json", '"complete": true', '"complete": 1', "complete: 1 is not of type 'boolean'"),
        ("run/results.jsonl", '"result":"B+"', '"result":"black"', ":2: result: 'black' does not match"),
        ("metrics.json", '"rules": 2', '"rules": 2, "more": 1', "the whole: Additional properties are not allowed"),
        ("lessons.json", "}", "", "not whole JSON"),
        ("rules.pl", "", "", "a file of rules; expected JSON that gotools writes"),
    ],
)
def test_a_fault_is_one_line_with_its_place(
    files: Path, tmp_path: Path, name: str, old: str, new: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (files / name).read_text(encoding="utf-8")
    path = tmp_path / Path(name).name
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    assert run(["show", "--validate", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"gotools show: {path}") and what in error and error.count("\n") == 1
