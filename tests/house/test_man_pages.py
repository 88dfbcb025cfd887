"""Man pages say what --help says, and roff takes their text for nothing but text."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.needs import ROOT
from support.training_recipes import load

from gotools.cli import run


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    load("make_man", ROOT / "docs").main(str(folder))
    return folder


def test_a_page_has_the_options_of_the_help(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tournament", "check", "--help"]) == 0
    options = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE))
    text = (pages / "gotools-tournament-check.1").read_text(encoding="utf-8").replace(r"\-", "-")
    assert len(options) >= 5
    assert options == set(re.findall(r"^\.TP\n\\fB(?:-\w, )?(--[\w-]+)", text, re.MULTILINE))


def test_pages_name_pages_that_are_there(pages: Path) -> None:
    names = {path.stem for path in pages.iterdir()}
    assert {"gotools", "gotools-gtp", "gotools-tournament-merge"} <= names
    for path in pages.iterdir():
        also = path.read_text(encoding="utf-8").replace(r"\-", "-").rpartition(".SH SEE ALSO")[2]
        assert set(re.findall(r"\\fB([\w-]+)\\fR", also)) <= names


def test_text_is_no_request() -> None:
    roff = load("make_man", ROOT / "docs").roff
    assert roff(".so /etc/passwd\n'x\\fB -1") == "\\&.so /etc/passwd\n\\&'x\\efB \\-1"


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_groff_has_nothing_to_say(pages: Path) -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", *map(str, pages.iterdir())], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
