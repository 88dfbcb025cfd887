"""ARCHITECTURE.md names the parts that there are, and counts the walks as they are."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from support.needs import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "gotools"
FOLDERS = re.search(r"^\| folder .*?\n\n", PAGE, re.MULTILINE | re.DOTALL)


def rows(table: str) -> list[list[str]]:
    """Return the cells of a table below its head."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_every_part_of_the_package_stands_in_the_table_of_folders() -> None:
    assert FOLDERS
    named = {name.rstrip("/") for row in rows(FOLDERS[0]) for name in re.findall(r"`([^`]+)`", row[0])}
    there = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert named == there - {"__init__.py", "__main__.py", "__pycache__"}


def test_the_files_of_the_table_of_folders_are_there() -> None:
    assert FOLDERS
    for first, *others in rows(FOLDERS[0]):
        folder = PACKAGE / re.findall(r"`([^`]+)`", first)[0]
        inside = folder if folder.is_dir() else PACKAGE
        for name in re.findall(r"`([\w/]+(?:/|\.py))`", " ".join(others)):
            assert (inside / name).exists() or (PACKAGE / name).exists(), name


def test_every_other_file_that_the_page_names_is_there() -> None:
    rest = PAGE.replace(FOLDERS[0] if FOLDERS else "", "")
    named = set(re.findall(r"`([\w/]+\.(?:py|h))`", rest))
    missing = {name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists()}
    assert {name for name in missing if not any(PACKAGE.rglob(name))} == set()


@pytest.mark.slow
def test_the_walks_are_as_long_as_the_page_says() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/walks"], capture_output=True, text=True, check=True)
    counted = re.findall(r"^(\S.*): (\d+)$", done.stdout, re.MULTILINE)
    table = PAGE[PAGE.index("| walk |") :]
    assert [(row[0], row[1].strip(" |")) for row in rows(table)] == counted
