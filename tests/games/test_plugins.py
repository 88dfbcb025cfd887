"""A game of another package is known to every command by its name; one that is broken is an error of one line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.declared import declared
from support.needs import ROOT
from support.written_json import read_json

import gotools
from gotools.cli import run
from gotools.game.known import number_of

PACKAGE = ROOT / "tests/support/nim_package"
BROKEN = {
    "absent:NIM": "ModuleNotFoundError: No module named 'absent'",
    "empty:NIM": "AttributeError: module 'empty' has no attribute 'NIM'",
    "raising:NIM": "ZeroDivisionError: division by zero",
    "another:NIM": "it is of type int, not Game",
    "renamed:NIM": "it calls itself nim",
    "unsigned:NIM": "its function legal is not a seam of the signature LEGAL",
    "not a place": "not a place is not MODULE:ATTRIBUTE",
}
SOURCES = {
    "empty": "",
    "raising": "1 / 0",
    "another": "NIM = 1",
    "renamed": "from nim_game import NIM",
    "unsigned": "from dataclasses import replace\nfrom nim_game import NIM\n"
    "NIM = replace(NIM, name='nam', legal=NIM.key)",
}


@pytest.fixture
def nim(tmp_path: Path) -> Iterator[Path]:
    """Let nim be installed, beside modules that supply no game."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for name, source in SOURCES.items():
        (folder / f"{name}.py").write_text(source)
    with declared(folder, nim="nim_game:NIM"):
        yield tmp_path


def last_line(capfd: pytest.CaptureFixture[str]) -> str:
    return capfd.readouterr().err.splitlines()[-1]


def test_it_is_played_learned_and_rated(nim: Path, capfd: pytest.CaptureFixture[str]) -> None:
    weights, folder, table = str(nim / "eval.npz"), str(nim / "run"), nim / "nim.tsv"
    assert run(["train-eval", "--game", "nim", "--games", "64", "--referee-games", "4", "-q", "-o", weights]) == 0
    engines = [f"--engine={name}=gotools:eval={weights},depth={depth}" for name, depth in (("one", 1), ("two", 2))]
    assert (
        run(["tournament", "--game", "nim", *engines, "--games", "4", "--opening-moves", "2", "-q", "-o", folder]) == 0
    )
    assert run(["elo", folder, "-q"]) == 0
    assert run(["sgf-to-examples", "--game", "nim", f"{folder}/games", "-q", "-o", str(table)]) == 0
    assert run(["rank-moves", str(table), "--eval", weights, "-q", "-o", str(nim / "ranking.tsv")]) == 0
    assert run(["show", weights]) == 0
    capfd.readouterr()
    record = (nim / "run/games/0001.sgf").read_text()
    assert f"GM[{number_of('nim')}]" in record and 100_000 <= number_of("nim") < 1_000_000
    assert table.read_text().splitlines()[1] == "##game=nim"


def test_it_stands_in_the_list_of_games(nim: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "games", "--json"]) == 0
    rows = read_json(capfd.readouterr().out)["games"]["rows"]
    assert [row["game"] for row in rows] == ["go", "tictactoe", "connect4", "abalone", "shogi", "nim"]
    assert rows[-1] == {
        "game": "nim", "package": "nim-game", "version": "0.1", "sizes": "7", "traits": "Learning", "state": "ready",
    }  # fmt: skip


def test_a_similar_name_is_proposed(nim: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["gtp", "--game", "nmi"]) == 2
    assert "there is no game 'nmi'; did you mean 'nim'?" in " ".join(capfd.readouterr().err.split())


@pytest.mark.parametrize("place", BROKEN)
def test_a_broken_one_is_an_error_of_one_line(nim: Path, place: str, capfd: pytest.CaptureFixture[str]) -> None:
    with declared(nim, "broken", nam=place):
        with pytest.raises(gotools.GotoolsError) as caught:
            gotools.train(game="nam", games=1, output=str(nim / "eval.npz"))
        _, start, why = str(caught.value).partition("the game 'nam' of the package broken 0.1 cannot be used: ")
        assert start and why == BROKEN[place]
        assert run(["show", "games", "--json"]) == 0
        states = {row["game"]: row["state"] for row in read_json(capfd.readouterr().out)["games"]["rows"]}
        assert states["nim"] == states["go"] == "ready"
        assert states["nam"] == why


def test_our_names_win_and_two_packages_with_one_name_are_both_named(
    nim: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with declared(nim, "second", nim="nim_game:NIM", go="nim_game:NIM"):
        with pytest.raises(gotools.GotoolsError, match="more than one package has it: nim-game, second"):
            gotools.train(game="nim", games=1, output=str(nim / "eval.npz"))
        assert run(["show", "games", "--json"]) == 0
        rows = read_json(capfd.readouterr().out)["games"]["rows"]
        assert [row["state"] for row in rows if row["game"] == "go"] == [
            "ready", "gotools has a game of this name, which is used",
        ]  # fmt: skip


def test_a_file_of_a_game_that_nobody_supplies_is_refused_by_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    weights = str(tmp_path / "eval.npz")
    (tmp_path / "packages").mkdir()
    with declared(tmp_path / "packages", nim="nim_game:NIM"):
        assert run(["train-eval", "--game", "nim", "--games", "16", "--referee-games", "2", "-q", "-o", weights]) == 0
    assert run(["show", weights]) == 1
    assert last_line(capfd) == (
        f"gotools show: {weights}: weights of the game 'nim', which no installed package supplies"
    )


def test_help_asks_for_no_packages() -> None:
    """It would cost 30 ms; nor does a command that names a game of ours."""
    code = (
        "import sys; from gotools.cli import run; run(sys.argv[1:]); "
        "from gotools.game.known import installed; print(installed.cache_info().misses)"
    )
    for words in (["--help"], ["gtp", "--help"], ["elo", str(ROOT / "tests/support/none.sgf")]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "0", words


@pytest.mark.system
@pytest.mark.parametrize(
    ("package", "name", "move", "answer"),
    [
        (PACKAGE, "nim", "a7", "[a-g][1-7]"),
        (ROOT / "examples/draughts", "draughts", "11-15", "2[0-9]-1[0-9]"),
    ],
)
def test_a_wheel_of_it_is_all_that_is_needed(package: Path, name: str, move: str, answer: str, tmp_path: Path) -> None:
    """Built and installed without a network, nothing of ours changed."""
    source, target = tmp_path / "source", str(tmp_path / "target")
    subprocess.run(["cp", "-r", package, source], check=True)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, source], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", target, wheel], check=True)
    world = os.environ | {"PYTHONPATH": target}
    command = [sys.executable, "-m", "gotools", "gtp", "--game", name, "--depth", "4", "-q"]
    done = subprocess.run(
        command, env=world, cwd=ROOT, input=f"play b {move}\ngenmove w\nquit\n", capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert re.fullmatch(rf"= = {answer} =", " ".join(done.stdout.split()))
