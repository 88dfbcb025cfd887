"""The games of examples/ are what the script that made them says."""

import sys
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.go.board import replay
from gotools.games.go.go import GO

FOLDER = Path(__file__).parents[2] / "examples"


def load_script() -> ModuleType:
    spec = util.spec_from_file_location("make_games", FOLDER / "make_games.py")
    assert spec and spec.loader
    sys.modules["make_games"] = module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE_GAMES = load_script()
PLAN = list(MAKE_GAMES.plan())


def read(name: Path) -> Record:
    (game,) = read_games((FOLDER / name).read_bytes(), str(name), GO)
    assert isinstance(game, Record), game
    return game


def test_the_folders_hold_the_planned_games_and_no_others() -> None:
    folders = (FOLDER / name for name in ("games", "test-games"))
    found = {path.relative_to(FOLDER) for folder in folders for path in folder.rglob("*.sgf")}
    assert found == {planned.file for planned in PLAN}
    assert sum((FOLDER / path).stat().st_size for path in found) < 300_000


def test_no_game_or_opening_comes_twice() -> None:
    assert len({planned.opening for planned in PLAN}) == len({planned.seed for planned in PLAN}) == len(PLAN)
    games = [read(planned.file) for planned in PLAN]
    assert len({(game.setup, game.moves.tobytes()) for game in games}) == len(PLAN)


@pytest.mark.parametrize("planned", PLAN, ids=lambda planned: planned.file.stem)
def test_a_game_is_legal_and_names_its_players(planned: "MAKE_GAMES.Plan") -> None:  # type: ignore[name-defined]
    game = read(planned.file)
    assert replay(game).illegal == [""]
    assert game.players == (f"GNU Go level {planned.black}", f"GNU Go level {planned.white}")
    assert game.result[:2] in ("B+", "W+")
    assert 20 <= len(game.moves) < MAKE_GAMES.MAX_MOVES


def test_gnugo_plays_a_game_again_as_it_stands() -> None:
    quickest = min(PLAN, key=lambda planned: (planned.black + planned.white, (FOLDER / planned.file).stat().st_size))
    assert MAKE_GAMES.play(MAKE_GAMES.find_gnugo(), quickest) == (FOLDER / quickest.file).read_text(encoding="utf-8")
