"""The display of a running tournament: lines without a terminal, a table on one, nothing when quiet."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from support.tournament_results import fault, game, tournament

from gotools.game.outcome import End
from gotools.matches.report import live as module
from gotools.matches.report.live import Live, time_text
from gotools.ratings.sprt import Sprt


class Terminal(StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name, value in (("TERM", "xterm"), ("COLUMNS", "80"), ("LINES", "24")):
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    return Terminal()


def test_without_a_terminal_each_game_is_a_line() -> None:
    out = StringIO()
    before = [game(1, "a", "b", "B+R"), game(2, "b", "a", "0")]
    with Live(["a", "b"], 40, before, Sprt(0, 50), stream=out) as live:
        live.game_started(0, "a - b")
        live.moved(0, 3)
        live.game_over(game(3, "b", "a", "W+3.5", moves=" ".join(["E5"] * 61)))
        live.say("a [bold]warning")
        live.game_over(fault(4, "a", "b", "b", End.crash, "died", moves="E5"))
        live.tick()
    assert out.getvalue().splitlines() == [
        "3/40  b (B) - a (W)  W+3.5  score  61 moves  a 2.5 - b 0.5  LLR " + llr((0, 0, 0, 1, 0)),
        "a [bold]warning",
        "4/40  a (B) - b (W)  W+F  crash by a  1 move  a 2.5 - b 1.5  LLR " + llr((0, 0, 1, 1, 0)),
    ]


def llr(counts: tuple[int, int, int, int, int]) -> str:
    return f"{Sprt(0, 50).llr(counts):.2f}"


def test_a_line_shows_the_score_of_the_two_who_played() -> None:
    out = StringIO()
    with Live(["a", "b", "c"], 6, stream=out) as live:
        live.game_over(game(1, "b", "a", "B+R"))
        live.game_over(game(2, "c", "b", "B+R"))
    assert [line.split("  ")[-1] for line in out.getvalue().splitlines()] == ["a 0 - b 1", "b 0 - c 1"]


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with Live(["a", "b"], 2, stream=terminal) as live:
        live.game_over(game(1, "a", "b"))
    assert terminal.getvalue().startswith("1/2  a (B) - b (W)  B+3.5") and "\x1b" not in terminal.getvalue()


def test_quiet_shows_nothing_but_what_is_said(terminal: Terminal) -> None:
    with Live(["a", "b"], 2, quiet=True, stream=terminal) as live:
        live.game_started(0, "a - b")
        live.moved(0, 1)
        live.game_over(game(1, "a", "b"))
        live.tick()
        live.say("a warning")
    assert terminal.getvalue() == "a warning\n"


def last_frame(terminal: Terminal) -> str:
    return terminal.getvalue().rpartition("engine")[2]


def test_the_table_shows_games_running_and_done(terminal: Terminal) -> None:
    clock = Clock()
    with Live(["new", "old"], 40, sprt=Sprt(0, 50), budget=600, stream=terminal, now=clock) as live:
        live.game_started(0, "new - old")
        live.game_started(1, "old - new")
        live.game_started(2, "gone")
        live.game_ended(2)
        live.moved(1, 77)
        for result in tournament({"new": 100, "old": 0}, 5):
            clock.seconds += 6
            live.game_over(result)
        live.say("[a warning]")
        frame = last_frame(terminal)
    assert "old - new move 77" in frame and "new - old  move 0" in frame and "gone" not in frame
    assert "10/40 games" in frame and "about 3:00 left" in frame and "budget 9:00" in frame
    assert "10.0/min" in frame
    assert re.search(r"new: +nElo [+-]\d+ \[[+-]\d+, [+-]\d+\] +LOS [\d.]+ % +pairs( \d){5}", frame), frame
    assert "LLR" in frame and "95 %" in frame and "[a warning]" in terminal.getvalue()


def test_time_left_is_not_estimated_from_games_of_an_earlier_run(terminal: Terminal) -> None:
    clock = Clock()
    before = list(tournament({"new": 100, "old": 0}, 5))
    with Live(["new", "old"], 40, before, stream=terminal, now=clock) as live:
        live.tick()
        assert "10/40 games" in last_frame(terminal) and "left" not in last_frame(terminal)
        clock.seconds += 12
        live.game_over(game(11, "new", "old"))
        assert "about 5:48 left" in last_frame(terminal)


def test_many_running_games_leave_room_for_the_rest(terminal: Terminal) -> None:
    clock = Clock()
    with Live(["new", "old"], 400, stream=terminal, now=clock) as live:
        for slot in range(64):
            live.game_started(slot, f"game of slot {slot}")
        live.tick()
        frame = last_frame(terminal)
    assert "more games" in frame and "0/400 games" in frame
    assert frame.count("game of slot") + int(frame.partition("and ")[2].split()[0]) == 64
    assert len(frame.splitlines()) < 24


def test_it_is_drawn_four_times_a_second_and_rated_once(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    rated: list[int] = []
    rate: Callable[[Any], Any] = getattr(module, "elo_table")  # noqa: B009

    def noted(table: Any) -> Any:
        rated.append(table.played)
        return rate(table)

    monkeypatch.setattr(module, "elo_table", noted)
    clock = Clock()
    with Live(["new", "old"], 500, stream=terminal, now=clock) as live:
        for result in tournament({"new": 100, "old": 0}, 200):
            clock.seconds += 0.01
            live.game_over(result)
        for _ in range(40):  # nothing new: drawn again, but not rated
            clock.seconds += 0.1
            live.tick()
    drawn = terminal.getvalue().count("B/W %") - 1  # once more at the end
    assert 16 + 13 <= drawn <= 8 * 4
    assert rated == sorted(set(rated)) and 4 <= len(rated) <= 6 and rated[-1] == 400


def test_threads_may_call_it_at_once(terminal: Terminal) -> None:
    results = list(tournament({"new": 100, "old": 0}, 200))
    with Live(["new", "old"], 400, stream=terminal) as live:

        def play(slot: int) -> None:
            for result in results[slot::8]:
                live.game_started(slot, "new - old")
                live.moved(slot, 5)
                live.game_over(result)
                live.tick()
            live.game_ended(slot)

        threads = [threading.Thread(target=play, args=(slot,)) for slot in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        live._drawn = 0.0
        live.tick()
        assert "400/400 games" in last_frame(terminal)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (61, "1:01"), (3661, "1:01:01")])
def test_time_text(seconds: float, text: str) -> None:
    assert time_text(seconds) == text
