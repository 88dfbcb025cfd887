"""The contested part of a game, and the seconds of its moves: before the first pass and the filling before it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from support.scripted_engine import Position, command
from support.tournament_runs import lines
from support.written_json import read_json

from gotools import cli
from gotools.game.game import find_game
from gotools.games.go.rule_sets import rule_set
from gotools.matches.game.referee import Referee
from gotools.matches.journal import parse_journal, result_line

BLACK_WALL, WHITE_WALL = "C1 C2 C3 C4 C5", "D1 D2 D3 D4 D5"
"""Ten moves that divide a board of 5x5."""


def play(folder: Path, black: str, white: str, *more: str) -> dict[str, Any]:
    """Play one game on 5x5 by the command; returns its line of the journal."""
    engines = ["--engine", f"b={black}", "--engine", f"w={white}", "--games", "1", "--openings", "none"]
    assert cli.run(["tournament", *engines, "--size", "5", "-o", str(folder), "-q", *more]) == 0
    return lines(folder)[-1]


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("seed", range(6))
def test_it_ends_with_the_last_move_before_the_first_pass_that_changes_the_area(seed: int, rules: str) -> None:
    """Random games, in which passes are rare, against the area that a scripted engine counts."""
    chance = random.Random(seed)
    referee, twin, areas = Referee(find_game("go"), 4, rule_set(rules)), Position(4), [0]
    texts: list[str] = []
    for _ in range(60):
        legal = [move for move in referee.history.legal_moves() if referee.text(move) != "pass"]
        side, text = referee.to_play, "pass"
        if legal and chance.random() < 0.97:
            text = referee.text(chance.choice(legal))
            twin.put(("ABCD".index(text[0]) + 1, int(text[1])), side)
        referee.play(side, referee.history.parse(text))
        areas.append(twin.area())
        texts.append(text)
        before = texts.index("pass") if "pass" in texts else len(texts)
        while "pass" in texts and before and areas[before] == areas[before - 1]:
            before -= 1
        assert referee.contested == before
    assert 0 < referee.contested < 60


@pytest.mark.system
def test_filling_and_passing_are_no_part_of_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Both fill a point of their own, then black passes while white goes on."""
    black, white = command(moves=f"{BLACK_WALL} B3"), command(moves=f"{WHITE_WALL} E3 E2 A1")
    game = play(tmp_path, black, white)
    assert len(game["moves"].split()) == 18
    assert game["contested_moves"] == [5, 5]
    for part, whole in zip(game["contested_seconds"], game["seconds"], strict=True):
        assert 0 < part < whole
    capfd.readouterr()
    assert cli.run(["tournament", "status", str(tmp_path), "--json"]) == 0
    for engine in read_json(capfd.readouterr().out)["engines"]:
        assert (engine["moves"], engine["contested_moves"]) == (9, 5)
        assert engine["seconds_per_contested_move"] > 0
    assert cli.run(["tournament", "status", str(tmp_path)]) == 0
    shown = capfd.readouterr().out
    assert len(re.findall(r"[\d-]/[\d-]+  0\.\d+ 0\.\d+ *$", shown, re.M)) == 2 and "of the contested part" in shown


@pytest.mark.system
def test_a_resignation_is_part_of_it_unless_a_side_has_passed_before(tmp_path: Path) -> None:
    resigns = command(moves=BLACK_WALL, resign_after=3)
    game = play(tmp_path / "fight", resigns, command(moves=WHITE_WALL))
    assert (game["end"], game["contested_moves"]) == ("resign", [3, 2])
    assert game["contested_seconds"] == game["seconds"]
    game = play(tmp_path / "passed", resigns, command(moves="D1 pass"))
    assert (game["end"], game["contested_moves"]) == ("resign", [2, 1])


@pytest.mark.system
def test_in_a_game_that_is_not_counted_all_moves_are(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    engines = ["--engine", "a=gotools:depth=2", "--engine", "b=gotools:depth=1"]
    words = ["--game", "tictactoe", *engines, "--games", "2", "-o", str(tmp_path), "-q"]
    assert cli.run(["tournament", *words]) == 0
    for game in lines(tmp_path)[1:]:
        assert sum(game["contested_moves"]) == len(game["moves"].split()) - game["opening"]
        assert game["contested_seconds"] == game["seconds"]
    capfd.readouterr()
    assert cli.run(["tournament", "status", str(tmp_path)]) == 0
    assert "contested" not in capfd.readouterr().out


@pytest.mark.system
def test_lines_of_earlier_versions_are_read_and_kept_without_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, command(moves=BLACK_WALL), command(moves=WHITE_WALL))
    journal = tmp_path / "results.jsonl"
    head, line = journal.read_bytes().splitlines()
    cut = line[: line.index(b',"contested_moves"')] + line[line.index(b',"notes"') :]
    journal.write_bytes(head + b"\n" + cut + b"\n")
    (game,) = parse_journal(journal.read_bytes(), journal, pytest.fail).results.values()
    assert result_line(game) == cut
    capfd.readouterr()
    table = tmp_path / "games.tsv"
    assert cli.run(["tournament", "status", str(tmp_path), "--json", "--results", str(table)]) == 0
    for engine in read_json(capfd.readouterr().out)["engines"]:
        assert (engine["contested_moves"], engine["seconds_per_contested_move"]) == (0, None)
    assert table.read_text().splitlines()[-1].endswith("\t-\tgo\t-" + 4 * "\t")
