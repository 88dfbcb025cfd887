"""JSON that gotools writes fits its schemas, and what does not fit is named with its place."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest
from support.every_kind import OURS
from support.needs import ROOT
from support.written_json import read_json

from gotools.cli import run
from gotools.files import validating
from gotools.files.json_text import json_text
from gotools.files.kinds import KINDS
from gotools.files.validating import FOLDER, schema_of

jsonschema = pytest.importorskip("jsonschema")

WRITTEN = {
    "run/results.jsonl": "journal-1",
    "summary.json": "summary-1",
    "metrics.json": "metrics-1",
    "orders.json": "orders-1",
    "lessons.json": "lessons-1",
    "ratings.json": "ratings-1",
    "shown.json": "contents-1",
    "moves.jsonl": "moves-1",
}
VALIDATE = ["show", "--validate"]


def test_every_schema_belongs_to_a_kind_of_files() -> None:
    names = {path.stem for path in FOLDER.iterdir()}
    assert names == {kind.schema for kind in KINDS} - {""} == set(WRITTEN.values())
    for name in names:
        jsonschema.Draft202012Validator.check_schema(schema_of(name))
        assert schema_of(name)["$id"] == f"urn:gotools:{name}"


def test_files_fit_the_schemas_of_their_kinds(every_kind: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {str(every_kind / name): schema for name, schema in WRITTEN.items()}
    assert run([*VALIDATE, *paths]) == 0
    assert capsys.readouterr().out == "".join(f"{path}: fits {schema}\n" for path, schema in paths.items())


def test_what_is_shown_of_every_kind_fits(every_kind: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [[str(every_kind / name)] for name in [*OURS, "e.csv"]]
    words += [["games"], [str(every_kind / "g.sgf"), "--game", "go"]]
    files = [tmp_path / f"{number}.json" for number in range(len(words))]
    kinds = set()
    for found, path in zip(words, files, strict=True):
        assert run(["show", *found, "--json", "-q", "-o", str(path)]) == 0
        kinds.add(json.loads(path.read_bytes())["kind"])
    (tmp_path / "doctor.json").write_bytes(doctor(capfd))
    assert run([*VALIDATE, *map(str, files), str(tmp_path / "doctor.json")]) == 0
    assert {*kinds, "an installation"} == set(schema_of("contents-1")["properties"]["kind"]["enum"])


def doctor(capfd: pytest.CaptureFixture[str]) -> bytes:
    capfd.readouterr()
    run(["doctor", "--json"])
    return capfd.readouterr().out.encode()


def test_examples_of_the_page_fit() -> None:
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    for line in text.split("```jsonl\n")[1].split("```")[0].splitlines():
        read_json(line)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("summary.json", '"complete": true', '"complete": 1', "complete: 1 is not of type 'boolean'"),
        ("run/results.jsonl", '"result":"B+"', '"result":"black"', ":2: result: 'black' does not match"),
        ("metrics.json", '"rules": 2', '"rules": 2, "more": 1', "the whole: Additional properties are not allowed"),
        ("summary.json", '"gates": {}', '"gates": {"most": 1}', "config.gates: Additional properties are not allowed"),
        ("shown.json", '"kind": "a file of rules"', '"kind": "rules"', "kind: 'rules' is not one of"),
        ("shown.json", '"total": 3', '"count": 3', "rules: 'total' is a required property"),
        ("shown.json", '"digest"', '"hash"', "the whole: 'digest' is a required property"),
        ("moves.jsonl", '"rank": 1', '"rank": 0', ":1: moves[0].rank: 0 is less than the minimum of 1"),
        ("lessons.json", "}", "", "not whole JSON"),
        ("orders.json", '"depth": 1', '"depth": NaN', "not whole JSON: NaN is no number of JSON"),
        ("rules.pl", "", "", "a file of rules; expected JSON that gotools writes"),
    ],
)
def test_a_fault_is_one_line_with_its_place(
    every_kind: Path, tmp_path: Path, name: str, old: str, new: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (every_kind / name).read_text(encoding="utf-8")
    path = tmp_path / Path(name).name
    assert old in text
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    assert run([*VALIDATE, str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"gotools show: {path}") and what in error and error.count("\n") == 1


def test_of_several_files_each_misfit_is_a_line(
    every_kind: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(every_kind)
    (tmp_path / "m.json").write_text('{"rules": 2, "more": NaN}')
    assert run([*VALIDATE, "rules.pl", "summary.json", str(tmp_path / "m.json"), "absent.json"]) == 1
    said = capsys.readouterr()
    assert said.out == "summary.json: fits summary-1\n"
    assert [line.split(": ")[1] for line in said.err.splitlines()] == [
        "rules.pl",
        str(tmp_path / "m.json"),
        "absent.json",
    ]
    assert run(["show", "rules.pl", "summary.json"]) == 2


def test_without_jsonschema_the_error_names_it(
    every_kind: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    validating._validator.cache_clear()
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert run([*VALIDATE, str(every_kind / "summary.json")]) == 1
    wanted = "gotools show: jsonschema, which --validate needs, is not installed; `pip install jsonschema`\n"
    assert capsys.readouterr().err == wanted


def test_a_number_that_json_does_not_have_is_null() -> None:
    value = {"a": [1.5, math.nan], "b": (math.inf, {"c": -math.inf}), "d": "nan"}
    assert json.loads(json_text(value)) == {"a": [1.5, None], "b": [None, {"c": None}], "d": "nan"}
