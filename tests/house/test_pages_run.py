"""What a reader of README and docs/ gets: every marked block runs, prints what the page says, leaves no clutter."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.needs import ROOT
from support.pages import PAGES, blocks, listings, run, run_marked
from support.written_json import read_json

pytestmark = pytest.mark.system

COMPARED = ("README.md", "walk.md", "elo.md", "library.md", "play.md", "show.md", "small-games.md")
"""Pages whose listings stand right behind the block that prints them; test_compiled_page.py sees to the other one."""
CONTINUES = {ROOT / "docs/walk.md": ROOT / "README.md"}
"""Pages that begin with the files that another page has left."""
EXAMPLES = ("pipeline.sh", "Makefile")
SECONDS = re.compile(r"\b\d+\.\d+ s\b")
SPEED_COLUMNS = re.compile(r"(?<= )\d+\.\d+ +\d+\.\d+(?= +\d+/\d+$)")
"""Seconds and their ratio in the table of order-bench."""
COMPILING = re.compile(r"^gotools.*compiling.*\n", re.MULTILINE)
"""Said where kernels are not in the cache yet."""


@dataclass(frozen=True)
class Followed:
    """A page that was followed to its end in a clone: the shell, what each block printed, and the folder."""

    page: Path
    done: subprocess.CompletedProcess[str]
    printed: list[str]
    clone: Path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[Path, Followed]]]:
    """Hold the folder for clones, and the pages that were followed."""
    folder = tmp_path_factory.mktemp("clones")
    yield folder, {}
    shutil.rmtree(folder)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(page, id=page.name, marks=pytest.mark.smoke if page.name == "show.md" else ())
        for page in PAGES
        if any(mark for *_, mark in blocks(page))
    ],
)
def followed(request: pytest.FixtureRequest, pages: tuple[Path, dict[Path, Followed]]) -> Followed:
    """Run the marked blocks of a page, once."""
    return follow(request.param, *pages)


def follow(page: Path, folder: Path, known: dict[Path, Followed]) -> Followed:
    """Run the marked blocks of a page in a clone of its own, or in that of the page that it continues."""
    if page not in known:
        before = CONTINUES.get(page)
        clone = follow(before, folder, known).clone if before else new_clone(folder / page.stem)
        known[page] = Followed(page, *run_marked(page, clone), clone)
    return known[page]


def new_clone(folder: Path) -> Path:
    """Make a repository of the files that pages read, and of what git ignores."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".gitignore", folder)
    for command in ("init -q", "add ."):
        subprocess.run(["git", *command.split()], cwd=folder, check=True)
    return folder


def settled(text: str) -> str:
    """Return what is printed without what may differ from run to run: seconds, speeds, and the width they ask for."""
    text = SECONDS.sub("TIME s", COMPILING.sub("", text))
    lines = (SPEED_COLUMNS.sub("TIME", line.rstrip()) for line in text.split("\n"))
    return "\n".join(re.sub("─+", "─", re.sub(" {2,}", "  ", line)) for line in lines).strip()


def test_every_marked_block_of_a_page_runs(followed: Followed) -> None:
    marked = sum(mark for *_, mark in blocks(followed.page))
    assert followed.done.returncode == 0 and len(followed.printed) == marked, followed.done.stdout


def test_the_listings_of_a_page_are_what_its_blocks_print(followed: Followed) -> None:
    if followed.page.name not in COMPARED:
        pytest.skip("its listings stand elsewhere")
    shown = listings(followed.page)
    assert sum(bool(listing) for _, listing in shown) >= 2
    for (block, listing), printed in zip(shown, followed.printed, strict=True):
        if listing:
            assert settled(printed) == settled(listing), block


def test_rules_win_the_match_that_shows_what_they_are_worth(pages: tuple[Path, dict[Path, Followed]]) -> None:
    walk = ROOT / "docs/walk.md"
    texts = [walk.read_text(encoding="utf-8"), *((ROOT / "examples" / name).read_text() for name in EXAMPLES)]
    opponents = {match[1] for text in texts for match in re.finditer(r"--engine plain=(\S+)", text)}
    assert opponents == {"gotools:rules=none,eval=none,nodes=200"}
    block = next(text for _, text, _ in blocks(walk) if "out/match" in text and "tournament" in text)
    clone = follow(walk, *pages).clone
    done = run("bash", "-euc", block.replace("--games 8", "--games 4"), folder=clone)
    assert "rules: gotools" in done.stderr and "no rules, no network" in done.stderr, done.stderr
    lines = [read_json(line) for line in (clone / "out/match/results.jsonl").read_text().splitlines()]
    winners = [line["black" if line["result"][0] == "B" else "white"] for line in lines if "result" in line]
    assert len(winners) == 4 and winners.count("rules") >= 3
    record = (clone / "out/match/games/0001.sgf").read_text()
    assert re.search(r"(black|white): gotools \S+ mcts: rules rules.so, no network", record)


def test_a_page_leaves_nothing_in_the_clone_that_git_sees(followed: Followed) -> None:
    command = ["git", "ls-files", "--others", "--modified", "--exclude-standard"]
    found = subprocess.run(command, cwd=followed.clone, capture_output=True, text=True, check=True)
    assert found.stdout == ""
