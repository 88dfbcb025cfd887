"""Every game over GTP, and shogi over USI, answer as they did when the dialogues were recorded, byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.recorded import replayed

from gotools.game.table import GAMES

ROOT = Path(__file__).parents[2]
DIALOGUES = sorted((ROOT / "tests/golden/dialogues").glob("*.txt"))


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_a_dialogue_is_answered_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    recorded = path.read_text(encoding="utf-8")
    assert replayed(recorded) == recorded


@pytest.mark.parametrize("game", GAMES)
def test_the_dialogue_of_a_game_has_every_command(game: str) -> None:
    text = (ROOT / f"tests/golden/dialogues/{game}.txt").read_text(encoding="utf-8")
    listed = re.search(r"^> list_commands\n= (.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    assert listed and {*listed[1].split()} <= {*re.findall(r"^> ([\w-]+)", text, re.MULTILINE)}
