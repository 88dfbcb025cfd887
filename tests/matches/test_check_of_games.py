"""`tournament check --game`: each misbehaviour fails the check that is about it."""

from __future__ import annotations

import re

import pytest
from nim_game import NIM
from support.small_game_engine import command

from gotools import cli
from gotools.base.errors import ConfigError, GotoolsError
from gotools.game.table import GAMES, Place
from gotools.matches.check.engine import CHECKS_OF_GAMES, STARTS, Finding, check_engine

NAMES = [STARTS, *(name for name, _ in CHECKS_OF_GAMES)]
WARNS_ALWAYS = {"time commands", "a second a move", "resign"}
"""The scripted engine takes no clock and does not resign unless told to."""
FAILS = {
    "dies": ("own moves", "exit code 3"),
    "refuses": ("own moves", "no idea"),
    "full": ("own moves", "'[a-z0-9]+'"),
    "rejects": ("legal moves", "illegal move"),
    "takes-all": ("illegal move", "takes `play . .`, which is not legal there"),
    "keeps-board": ("clear_board", "leaves moves on the board"),
    "wrong-score": ("final_score", "final_score is '[BW]\\+' where the result is"),
    "wrong-list": ("list of moves", "lacks [1-7] after"),
    "no-size": ("board size", "unacceptable size"),
}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", Place("nim_game:NIM", 1000))


def findings_of(line: str, game: str = "connect4") -> dict[str, Finding]:
    found = check_engine(line, timeout=5, game=game)
    assert [finding.name for finding in found] == NAMES
    return {finding.name: finding for finding in found}


@pytest.mark.parametrize("game", ["connect4", "tictactoe", NIM.name])
def test_a_healthy_engine_passes_all(game: str) -> None:
    found = findings_of(command(game=game, seed=3), game)
    assert {name for name, finding in found.items() if finding.passed is not True} == WARNS_ALWAYS


@pytest.mark.parametrize("how", FAILS)
@pytest.mark.system
def test_a_misbehaviour_fails_the_check_about_it(how: str) -> None:
    name, words = FAILS[how]
    finding = findings_of(command(how, seed=3))[name]
    assert finding.passed is False and re.search(words, finding.text), finding


@pytest.mark.parametrize(("how", "name"), [("no-undo", "undo"), ("no-id", "game")])
def test_what_an_engine_need_not_know_is_no_failure(how: str, name: str) -> None:
    found = findings_of(command(how, seed=3))
    assert {check for check, finding in found.items() if finding.passed is not True} == {*WARNS_ALWAYS, name}


def test_an_engine_of_another_game_fails_that_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["tournament", "check", "--game", "connect4", command(plays_game="tictactoe", seed=3)]) == 1
    out = capsys.readouterr().out
    assert re.search(r"^FAIL game +plays tictactoe, not connect4$", out, re.MULTILINE)
    assert ", 1 failed," in out


def test_games_and_sizes_that_are_not_there() -> None:
    with pytest.raises(GotoolsError, match=r"no game 'conect4'; did you mean 'connect4'\?"):
        check_engine("x", game="conect4")
    with pytest.raises(ConfigError, match="connect4 has size 7, not 9"):
        check_engine("x", size=9, game="connect4")
