"""`gotools doctor`: what is there, what is missing, and the extras that a user can ask for."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import tomllib
from typing import Any

import pytest
from support.needs import ROOT
from support.written_json import read_json

from gotools.cli import run
from gotools.views.installation import EXTRAS

FOR_US = {"dev", "measure"}
"""Extras of pyproject.toml for those who work on gotools."""


def found(capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert run(["doctor", "--json"]) == code
    value: dict[str, Any] = read_json(capsys.readouterr().out)
    return value


def test_versions_are_those_of_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    core = {row["part"]: row["state"] for row in found(capsys)["core"]["rows"]}
    assert core["numba"] == importlib.metadata.version("numba") and "kernels" in core["cache of kernels"]
    assert "torch" not in core


def test_what_is_missing_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.delenv("CC", raising=False)
    rows = {row["part"]: row for row in found(capsys)["optional"]["rows"]}
    assert rows["torch"]["state"] == 'missing (torch): pip install "gotools-games[torch]"'
    assert rows["SWI-Prolog"]["state"].startswith("missing") and rows["C compiler"]["state"].startswith("missing")


def test_without_a_package_that_all_commands_need_the_exit_code_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version = importlib.metadata.version

    def without(name: str) -> str:
        if name == "sgfmill":
            raise importlib.metadata.PackageNotFoundError
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", without)
    assert "missing" in found(capsys, code=1)["state"]


def test_extras_are_those_of_the_package_and_of_the_page() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert EXTRAS.keys() == declared.keys() - FOR_US
    for name, extra in EXTRAS.items():
        packages = {re.split(r"[^\w-]", one)[0].replace("-", "_") for one in declared[name]}
        assert set(extra.modules) == packages
    rows = re.findall(r"^\| `(.*)` \| (.*) \|$", (ROOT / "docs/install.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(name, extra.purpose) for name, extra in EXTRAS.items()]
