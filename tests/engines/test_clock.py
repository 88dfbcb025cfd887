"""Clocks: no game is lost on time, whatever the numbers, and time is not left lying about either.

A referee of its own counts the time, in exact fractions; the engine sees what a controller would send it.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gotools.base.clock import TimeControl, TimeLeft, clock_after, full_clock
from gotools.engines.time_for_move import OVERHEAD, longest_game, seconds_for_move


class Referee:
    """A player's clock as rules of tournaments have it. Negative time is a loss; `lost` says so."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = Fraction(control.main)
        self.overtime = False
        self.rest = Fraction(control.period)
        self.stones = control.stones
        self.lost = False
        self.fewest_periods = control.stones
        if control.main == 0 and control.stones:
            self.overtime = True

    def move(self, used: Fraction) -> None:
        control = self.control
        if control.kind == "none":
            return
        if control.kind == "fischer":
            self.lost |= used > self.main or (control.longest < math.inf and used > Fraction(control.longest))
            self.main += Fraction(control.increment) - used
            if control.cap < math.inf:
                self.main = min(self.main, Fraction(control.cap))
            return
        if not self.overtime:
            self.main -= used
            if self.main > 0:
                return
            used, self.main, self.overtime = -self.main, Fraction(0), True
            if not control.stones:
                self.lost |= used > 0
                return
        if control.kind == "byoyomi":
            while used > self.rest and self.stones:
                used -= self.rest
                self.stones -= 1
            self.lost |= self.stones == 0
            self.fewest_periods = min(self.fewest_periods, self.stones)
            return
        self.rest -= used
        self.lost |= self.rest < 0
        self.stones -= 1
        if self.stones == 0:
            self.rest, self.stones = Fraction(control.period), control.stones

    def shown(self, how: str) -> TimeLeft | None:
        """What the controller says before a move: nothing, the exact time, or whole seconds."""
        if how == "silent" or self.control.kind == "none":
            return None
        seconds = self.rest if self.overtime else self.main
        whole = {"exact": seconds, "floor": Fraction(math.floor(seconds)), "ceil": Fraction(math.ceil(seconds))}[how]
        return TimeLeft(float(whole), self.stones if self.overtime else 0)


def leaves_the_overhead(control: TimeControl, moves: int) -> bool:
    """Return whether answering at once, with the stated overhead, stays within the clock for so many own moves."""
    need = OVERHEAD * (1 + 1e-9)
    if control.kind in ("canadian", "byoyomi") and control.stones:
        a_move = control.period / (control.stones if control.kind == "canadian" else 1)
        return a_move >= need or control.main >= need * moves
    if control.kind == "fischer":
        ample = control.increment >= need or control.main >= (need - control.increment) * moves
        return ample and control.main >= need and min(control.longest, control.cap) >= need
    return control.main >= need * moves


def play(control: TimeControl, size: int, moves: int, how: str, capture_at: int = 1000) -> tuple[Referee, list[float]]:
    """Let the engine play a game of its own moves; returns the referee and what the engine allowed itself."""
    referee, left, allowed = Referee(control), full_clock(control), []
    for made in range(moves):
        empty = max(size * size - 2 * (made % capture_at), 0)
        left = referee.shown(how) or left
        seconds = seconds_for_move(control, left, size, empty, made)
        if seconds is None:
            assert control.kind == "none"
            seconds = 1.0
        assert 0 <= seconds < math.inf
        used = Fraction(seconds) + Fraction(OVERHEAD)
        referee.move(used)
        left = clock_after(control, left, float(used))
        assert left.seconds >= 0 and left.stones >= 0
        allowed.append(seconds)
    return referee, allowed


times = st.one_of(
    st.floats(0, 5, allow_subnormal=True), st.floats(0, 1000), st.floats(0, 2.0**31), st.integers(0, 900).map(float)
)
some = times.filter(lambda seconds: seconds > 0)


@st.composite
def fischer(draw: st.DrawFn) -> TimeControl:
    main = draw(times)
    cap = draw(st.one_of(st.just(math.inf), times.map(lambda more: main + more)))
    longest = draw(st.one_of(st.just(math.inf), times))
    return TimeControl("fischer", main, increment=draw(times), cap=cap, longest=longest)


clocks = st.one_of(
    st.builds(TimeControl, st.just("absolute"), times),
    st.builds(TimeControl, st.sampled_from(["canadian", "byoyomi"]), times, some, st.integers(1, 400)),
    st.builds(TimeControl, st.sampled_from(["canadian", "byoyomi"]), times, some, st.integers(1, 5)),
    fischer(),
)


@settings(max_examples=120)
@given(clocks, st.integers(2, 19), st.sampled_from(["silent", "exact", "floor", "ceil"]), st.integers(5, 200))
@example(TimeControl("absolute", 10.5), 19, "silent", 200)
@example(TimeControl("absolute", 1e-300), 19, "exact", 200)
@example(TimeControl("byoyomi", 0, 5e-324, 3), 9, "silent", 200)
@example(TimeControl("canadian", 1, 1.25 * OVERHEAD, 1), 9, "silent", 200)
@example(TimeControl("canadian", 600, 300, 25), 19, "silent", 200)
@example(TimeControl("byoyomi", 1, 30, 1), 19, "ceil", 200)
@example(TimeControl("fischer", 0.3, increment=0.05), 19, "silent", 200)
@example(TimeControl("fischer", 9, increment=0.02), 19, "ceil", 200)
@example(TimeControl("fischer", 60, increment=30, cap=60, longest=5), 19, "silent", 200)
def test_no_game_of_up_to_400_moves_is_lost_on_time(control: TimeControl, size: int, how: str, capture_at: int) -> None:
    moves = longest_game(size)
    referee, allowed = play(control, size, moves, how, capture_at)
    if leaves_the_overhead(control, moves):
        assert not referee.lost
        if control.kind == "byoyomi":
            assert referee.fewest_periods == control.stones or control.period < 0.1
    elif control.kind == "absolute":
        assert allowed[0] == 0


def test_time_is_kept_back_for_games_of_400_moves_on_19x19_and_for_three_moves_a_point_on_small_boards() -> None:
    assert longest_game(19) == longest_game(13) == 200
    assert 2 * longest_game(9) == 3 * 81 - 1


@given(times, st.integers(2, 19), st.integers(0, 361))
def test_a_clock_without_limit_allows_any_time(seconds: float, size: int, empty: int) -> None:
    assert seconds_for_move(TimeControl(), TimeLeft(seconds), size, empty, 3) is None


@pytest.mark.parametrize(
    ("control", "size", "moves", "least", "most"),
    [
        (TimeControl("absolute", 60), 9, 28, 42, 50),
        (TimeControl("absolute", 300), 9, 28, 230, 270),
        (TimeControl("absolute", 1800), 19, 120, 1350, 1600),
        (TimeControl("canadian", 0, 300, 25), 19, 120, 1300, 1440),
        (TimeControl("byoyomi", 0, 10, 3), 19, 120, 1000, 1200),
        (TimeControl("byoyomi", 60, 30, 5), 9, 28, 800, 900),
        (TimeControl("fischer", 60, increment=5), 9, 28, 150, 200),
    ],
)
def test_a_usual_game_uses_a_fair_share_of_its_time(
    control: TimeControl, size: int, moves: int, least: float, most: float
) -> None:
    for how in ("silent", "exact"):
        referee, allowed = play(control, size, moves, how)
        assert least <= sum(allowed) <= most, (how, sum(allowed))
        assert not referee.lost


def test_the_last_byo_yomi_period_is_used_but_not_to_its_end() -> None:
    control = TimeControl("byoyomi", 0, 10, 1)
    seconds = seconds_for_move(control, TimeLeft(10, 1), 9, 40, 20)
    assert seconds is not None and 9 < seconds < 9.9
    assert seconds_for_move(control, TimeLeft(3, 1), 9, 40, 20) == pytest.approx(2.69)  # given in its middle
    assert seconds_for_move(control, TimeLeft(0, 1), 9, 40, 20) == 0


def test_a_fischer_clock_uses_what_its_cap_would_cut_off_and_no_more_than_its_longest_move() -> None:
    capped = TimeControl("fischer", 100, increment=20, cap=100)
    seconds = seconds_for_move(capped, TimeLeft(100), 19, 361, 0)
    assert seconds is not None and seconds >= 20
    short = TimeControl("fischer", 100, increment=20, longest=2)
    assert seconds_for_move(short, TimeLeft(100), 19, 361, 0) == pytest.approx(2 - 0.05 - 0.2 - 0.04)


@pytest.mark.parametrize(
    ("control", "left", "used", "after"),
    [
        (TimeControl("absolute", 60), TimeLeft(60), 12.5, TimeLeft(47.5)),
        (TimeControl("absolute", 60), TimeLeft(5), 9, TimeLeft(0)),
        (TimeControl("canadian", 60, 30, 5), TimeLeft(10), 4, TimeLeft(6)),
        (TimeControl("canadian", 60, 30, 5), TimeLeft(10), 14, TimeLeft(26, 4)),
        (TimeControl("canadian", 60, 30, 5), TimeLeft(26, 2), 5, TimeLeft(21, 1)),
        (TimeControl("canadian", 60, 30, 5), TimeLeft(21, 1), 5, TimeLeft(30, 5)),
        (TimeControl("byoyomi", 60, 30, 5), TimeLeft(10), 35, TimeLeft(30, 5)),
        (TimeControl("byoyomi", 60, 30, 5), TimeLeft(10), 105, TimeLeft(30, 2)),
        (TimeControl("byoyomi", 60, 30, 5), TimeLeft(30, 2), 29, TimeLeft(30, 2)),
        (TimeControl("byoyomi", 60, 30, 5), TimeLeft(30, 2), 31, TimeLeft(30, 1)),
        (TimeControl("byoyomi", 60, 30, 5), TimeLeft(30, 1), 500, TimeLeft(30, 1)),
        (TimeControl("fischer", 60, increment=5), TimeLeft(60), 3, TimeLeft(62)),
        (TimeControl("fischer", 60, increment=5, cap=61), TimeLeft(60), 3, TimeLeft(61)),
    ],
)
def test_the_engine_keeps_its_own_clock(control: TimeControl, left: TimeLeft, used: float, after: TimeLeft) -> None:
    assert clock_after(control, left, used) == after


def test_a_full_clock_begins_in_main_time_where_there_is_any() -> None:
    assert full_clock(TimeControl("canadian", 60, 30, 5)) == TimeLeft(60)
    assert full_clock(TimeControl("canadian", 0, 30, 5)) == TimeLeft(30, 5)
    assert full_clock(TimeControl("absolute", 0)) == TimeLeft(0)
