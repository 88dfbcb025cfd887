"""The referee of games other than Go, with a second set of rules on lists as its twin."""

from __future__ import annotations

import random
from typing import Any

import pytest
from nim_game import NIM
from support.small_game_engine import GAMES as TWINS

from gotools.game.game import find_game
from gotools.game.outcome import End
from gotools.game.table import GAMES, Place
from gotools.games.go.rule_sets import rule_set
from gotools.matches.game.referee import LONGEST, Referee


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", Place("nim_game:NIM", 1000))


def referee_of(name: str, setting: str = "") -> Referee:
    return Referee(find_game(name).started_from(setting), find_game(name).sizes[0])


@pytest.mark.parametrize("name", ["connect4", "tictactoe", "nim"])
def test_random_games_end_as_the_twin_says(name: str) -> None:
    chance, results = random.Random(5), set()
    for _ in range(40):
        referee, winner, side = referee_of(name), None, 1
        twin: Any = TWINS[name]()
        while winner is None:
            assert referee.verdict is None and referee.to_play == side
            legal = twin.legal()
            for text in twin.moves:
                assert (referee.why_illegal(side, text)[1] == "") == (text in legal), text
            text = chance.choice(legal)
            move, _ = referee.why_illegal(side, text)
            assert referee.text(move) == text
            referee.play(side, move)
            twin.play(text, side)
            winner, side = twin.winner(side), 3 - side
        verdict = referee.verdict
        assert verdict is not None and verdict.result == ("0", "B+", "W+")[winner] and verdict.end is End.score
        assert referee.why_illegal(side, text)[1] == "the game is over"
        results.add(verdict.result)
    assert {"B+", "W+"} <= results


@pytest.mark.parametrize(
    ("played", "colour", "answer", "why"),
    [
        ("444444", 1, "4", "not a legal move here"),
        ("", 1, "8", "'8' is not a column of Connect-4 (1 to 7)"),
        ("", 1, "pass", "'pass' is not a column of Connect-4 (1 to 7)"),
        ("", 1, "D4", "'D4' is not a column of Connect-4 (1 to 7)"),
        ("", 1, "", "an empty answer"),
        ("4", 1, "3", "it is the turn of w"),
        ("1212121", 2, "3", "the game is over"),
    ],
)
def test_what_is_illegal_and_why(played: str, colour: int, answer: str, why: str) -> None:
    referee = referee_of("connect4")
    for ply, text in enumerate(played):
        referee.play(1 + ply % 2, referee.why_illegal(1 + ply % 2, text)[0])
    assert referee.why_illegal(colour, answer)[1] == why


def test_a_long_answer_is_quoted_in_part() -> None:
    why = referee_of("tictactoe").why_illegal(1, "x" * 100_000)[1]
    assert len(why) < 300 and "xxx" in why


def test_the_longest_game_is_that_of_the_rules_or_the_same_for_all_but_go() -> None:
    assert referee_of("connect4").longest == referee_of("nim").longest == LONGEST
    assert (referee_of("shogi").longest, referee_of("abalone").longest) == (512, 400)
    assert referee_of("shogi:moves=700").longest == 700
    assert Referee(find_game("go"), 9, rule_set()).longest == 243
    assert NIM.position()[2:].sum() < LONGEST


CHASE = "4h5h 5a4a 5h4h 4a5a"
CHECKED = "4k4/9/9/9/9/9/9/5R3/K8 b - 1"
SAME = "the same position 4 times"


@pytest.mark.parametrize(
    ("start", "cycle", "result", "margin"),
    [
        ("", "2h3h 8b7b 3h2h 7b8b", "0", SAME),
        (CHECKED, CHASE, "W+", f"{SAME} by perpetual threats"),
        (CHECKED.replace("5R3/K8 b", "4R4/K8 w"), "5a4a 5h4h 4a5a 4h5h", "W+", f"{SAME} by perpetual threats"),
        ("8k/3r5/9/9/9/9/9/9/4K4 w - 1", "6b5b 5i6i 5b6b 6i5i", "B+", f"{SAME} by perpetual threats"),
        (CHECKED, "4h5h 5a4a 5h3h 4a5a 3h2h 5a6a 2h4h 6a5a", "0", SAME),
    ],
)
def test_repetition_in_shogi(start: str, cycle: str, result: str, margin: str) -> None:
    """The fourth time is a draw; who checked with every move from the first to the fourth time has lost."""
    referee = referee_of("shogi", start)
    for text in cycle.split() * 3:
        assert referee.verdict is None
        move, why = referee.why_illegal(referee.to_play, text)
        assert why == ""
        referee.play(referee.to_play, move)
    verdict = referee.verdict
    assert verdict is not None
    assert (verdict.result, verdict.end, verdict.how) == (result, End.cycle, margin)
    assert referee.why_illegal(referee.to_play, text)[1] == "the game is over"


@pytest.mark.parametrize(
    ("setting", "played", "result"),
    [
        ("moves=2", "7g7f 3c3d", "0"),
        ("7nk/9/8G/9/9/9/9/9/4K4 b G 1,moves=1", "G*1b", "B+"),  # a mate with the last move counts
        ("RBGGKGGSS/SS7/9/9/9/9/9/9/4k4 b RB 1", "win", "B+"),
        ("4K4/9/9/9/9/9/9/7ss/ssggkggbr w b4p 1", "win", "W+"),  # 27 points are enough
    ],
)
def test_ends_of_games_of_shogi(setting: str, played: str, result: str) -> None:
    referee = referee_of("shogi", setting)
    for text in played.split():
        move, why = referee.why_illegal(referee.to_play, text)
        assert why == "" and referee.verdict is None
        referee.play(referee.to_play, move)
    assert referee.verdict is not None and (referee.verdict.result, referee.verdict.end) == (result, End.score)


def test_an_illegal_move_of_shogi_is_refused_with_its_reason() -> None:
    referee = referee_of("shogi")
    assert referee.why_illegal(1, "5g5e")[1] == "P does not move from 5g to 5e"
    assert referee.why_illegal(1, "win")[1].startswith("the king has not entered")
    assert referee.why_illegal(2, "3c3d")[1] == "it is the turn of b"
