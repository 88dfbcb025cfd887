"""Time controls: what users write, what engines are sent, and who loses on time.

The verdicts are compared with the referee of test_clock.py, who counts in exact fractions; what engines are sent is
read by the engine side of this package, and by GNU Go.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from engines.test_clock import Referee
from hypothesis import given, settings
from hypothesis import strategies as st
from support.needs import needs_gnugo

from gotools.base.clock import TimeControl, TimeLeft, clock_after, full_clock
from gotools.base.errors import GotoolsError
from gotools.engines.gtp import clocks as gtp_clocks
from gotools.game.sides import BLACK, WHITE
from gotools.gtp_client.client import GtpEngine
from gotools.matches.game.time_control import (
    clock_commands,
    longest_wait,
    parse_time,
    sgf_time,
    time_left_command,
    time_text,
    used_up,
)

KATA = {"kata-time_settings", "kgs-time_settings", "time_settings"}
KGS = {"kgs-time_settings", "time_settings"}
STANDARD = {"time_settings"}


# texts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "control", "again"),
    [
        ("none", TimeControl(), "none"),
        ("0.5s/move", TimeControl("canadian", 0, 0.5, 1), "0.5s/move"),
        ("2/move", TimeControl("canadian", 0, 2, 1), "2s/move"),
        ("5m", TimeControl("absolute", 300), "5m"),
        ("90", TimeControl("absolute", 90), "1m30s"),
        ("1h30m", TimeControl("absolute", 5400), "1h30m"),
        ("1h0m1s500ms", TimeControl("absolute", 3601.5), "3601.5s"),
        ("250ms", TimeControl("absolute", 0.25), "0.25s"),
        ("1m0.1s", TimeControl("absolute", 60.1), "60.1s"),
        ("5m+10s", TimeControl("fischer", 300, increment=10), "5m+10s"),
        ("5m+25", TimeControl("fischer", 300, increment=25), "5m+25s"),
        ("5m+5x30s", TimeControl("byoyomi", 300, 30, 5), "5m+5x30s"),
        ("0+1x10s", TimeControl("byoyomi", 0, 10, 1), "0+1x10s"),
        ("5m+25/10m", TimeControl("canadian", 300, 600, 25), "5m+25/10m"),
        ("0+25/10m", TimeControl("canadian", 0, 600, 25), "0+25/10m"),
        (" 5M + 5 x 30S ", TimeControl("byoyomi", 300, 30, 5), "5m+5x30s"),
        ("720h", TimeControl("absolute", 30 * 24 * 3600), "720h"),
        ("1ms/move", TimeControl("canadian", 0, 0.001, 1), "0.001s/move"),
    ],
)
def test_what_users_write(text: str, control: TimeControl, again: str) -> None:
    assert parse_time(text) == control
    assert time_text(control) == again


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "no", "nonesuch", "0", "0s", "-5m", "5 minutes", "nan", "inf", "infs", "1e3", "1_000", "5m+", "+10s",
        "5m+0s", "0+10s", "5m+-1s", "5m+0x30s", "5m+5x0s", "5m+5x", "5m+x30s", "5m+25/", "5m+/10m", "5m+1001x30s",
        "5m+5x30s+1s", "0s/move", "/move", "5m+1s/move", "s", "m5", "30s1m", "1m1m", "5.m", ".5s", "0,5s", "0.5ms",
        "0.0001s/move", "721h", "99999999999s", "9" * 400, "1" + "0" * 5000 + "s", "5m+999999x30s", "5m\x00",
        "\uff15m", "\u0665s", "5m+5.5x30s",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(GotoolsError) as caught:
        parse_time(text)
    message = str(caught.value)
    assert len(message) < 500 and "\n" not in message
    for form in ("none", "0.5s/move", "5m", "5m+10s", "5m+5x30s", "5m+25/10m"):
        assert form in message


@given(st.text(max_size=12) | st.text("0123456789.+x/hms ", max_size=12))
def test_a_text_is_read_or_refused(text: str) -> None:
    try:
        control = parse_time(text)
    except GotoolsError:
        return
    assert parse_time(time_text(control)) == control


times = st.integers(1, 30 * 24 * 3600).map(float) | st.floats(0.001, 30 * 24 * 3600)
mains = st.just(0.0) | times
counts = st.integers(1, 1000)
written = st.one_of(
    st.just(TimeControl()),
    st.builds(TimeControl, st.just("absolute"), times),
    st.builds(TimeControl, st.sampled_from(["canadian", "byoyomi"]), mains, times, counts),
    st.builds(lambda main, increment: TimeControl("fischer", main, increment=increment), times, times),
)


@settings(max_examples=500)
@given(written)
def test_every_control_has_a_text(control: TimeControl) -> None:
    text = time_text(control)
    assert parse_time(text) == control
    assert text == text.lower().strip() and "e-" not in text


def test_a_capped_clock_has_no_text() -> None:
    with pytest.raises(ValueError, match="cap"):
        time_text(TimeControl("fischer", 10, increment=1, cap=20))


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("none", {}),
        ("5m", {"TM": "300"}),
        ("0.5s/move", {"TM": "0", "OT": "1/0.5 Canadian"}),
        ("5m+25/10m", {"TM": "300", "OT": "25/600 Canadian"}),
        ("90.5s+5x30s", {"TM": "90.5", "OT": "5x30 byo-yomi"}),
        ("1m+10s", {"TM": "60", "OT": "10 fischer"}),
    ],
)
def test_what_game_records_say(text: str, properties: dict[str, str]) -> None:
    assert sgf_time(parse_time(text)) == properties


# engines --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "known", "commands"),
    [
        ("none", KATA, ["kata-time_settings none"]),
        ("none", KGS, ["kgs-time_settings none"]),
        ("none", STANDARD, []),
        ("none", set(), []),
        ("5m", KATA, ["kata-time_settings absolute 300"]),
        ("5m", KGS, ["kgs-time_settings absolute 300"]),
        ("5m", STANDARD, ["time_settings 300 0 0"]),
        ("5m", set(), None),
        ("5m+25/10m", KATA, ["kata-time_settings canadian 300 600 25"]),
        ("5m+25/10m", KGS, ["kgs-time_settings canadian 300 600 25"]),
        ("5m+25/10m", STANDARD, ["time_settings 300 600 25"]),
        ("5m+5x30s", KATA, ["kata-time_settings byoyomi 300 30 5"]),
        ("5m+5x30s", KGS, ["kgs-time_settings byoyomi 300 30 5"]),
        ("5m+5x30s", STANDARD, ["time_settings 300 30 1"]),
        ("5m+2.5s", KATA, ["kata-time_settings fischer 300 2.5"]),
        ("5m+2.5s", KGS, ["kgs-time_settings absolute 300"]),
        ("5m+2.5s", STANDARD, ["time_settings 300 0 0"]),
        ("0.5s/move", KATA, ["kata-time_settings canadian 0 0.5 1"]),
        ("0.5s/move", KGS, None),
        ("0.5s/move", STANDARD, None),
        ("1.5s/move", STANDARD, None),
        ("10.9s/move", STANDARD, ["time_settings 0 10 1"]),
        ("1.11s", STANDARD, ["time_settings 1 0 0"]),
        ("1.12s", STANDARD, None),
        ("2s/move", STANDARD, ["time_settings 0 2 1"]),
        ("0.9s", KGS, None),
        ("10.5s+1x0.5s", KGS, None),
        ("1ms/move", KATA, ["kata-time_settings canadian 0 0.001 1"]),
    ],
)
def test_what_engines_are_sent(text: str, known: set[str], commands: list[str] | None) -> None:
    assert clock_commands(parse_time(text), known.__contains__) == commands


def test_no_limit_is_not_sent_by_mistake() -> None:
    """By the standard a period for 0 stones takes the limit away, so none may be sent where there are no stones."""
    odd = TimeControl("absolute", 300, period=30)
    assert clock_commands(odd, STANDARD.__contains__) == ["time_settings 300 0 0"]


class SentClock:
    """What the engine side of this package understands: it calls `set_clock` of its session."""

    def __init__(self) -> None:
        self.control = TimeControl("unset")

    def set_clock(self, control: TimeControl) -> None:
        self.control = control


capped = st.builds(
    lambda main, increment, more, longest: TimeControl(
        "fischer", main, increment=increment, cap=main + more, longest=longest
    ),
    times, times, mains, st.just(math.inf) | times,
)  # fmt: skip


@given(written | capped, st.sampled_from([KATA, KGS, STANDARD]))
def test_an_engine_that_believes_what_it_is_sent_stays_within_its_clock(control: TimeControl, known: set[str]) -> None:
    """Whatever it then takes for move after move, as much as the clock sent allows, the real clock allows too."""
    commands = clock_commands(control, known.__contains__)
    if not commands:
        assert known is not KATA
        return
    found = SentClock()
    for command in commands:
        words = command.split()
        gtp_clocks.COMMANDS[words[0]].obey(found, words[1:])
    if known is KATA:
        assert found.control == control
        return
    sent_left, left = full_clock(found.control), full_clock(control)
    assert (found.control.kind == "none") == (control.kind == "none")
    if control.kind == "none":
        return
    assert sent_left.seconds > 0 or control.kind == "canadian"
    for share in (0.0, 0.3, 0.9, 0.0, 0.7, 0.99, 0.5, 0.99) * 3:
        used = longest_wait(found.control, sent_left) * share
        assert not used_up(control, left, used, 1e-6)
        sent_left, left = clock_after(found.control, sent_left, used), clock_after(control, left, used)


@needs_gnugo
def test_gnugo_takes_its_commands() -> None:
    with GtpEngine("gnugo --mode gtp") as engine:
        for text in ("5m", "2s/move", "5m+25/10m", "5m+5x30s", "5m+10s"):
            control = parse_time(text)
            commands = clock_commands(control, engine.knows)
            assert commands
            left = full_clock(control)
            for command in [*commands, time_left_command(BLACK, left, control, False)]:
                assert engine.ask(command) == ""


@pytest.mark.parametrize(
    ("text", "left", "fractions", "periods", "command"),
    [
        ("5m", TimeLeft(12.9999), False, True, "time_left b 12 0"),
        ("5m", TimeLeft(12.9999), True, True, "time_left b 12.999 0"),
        ("5m", TimeLeft(0.1 + 0.2), True, True, "time_left b 0.3 0"),
        ("5m", TimeLeft(0.7), False, True, "time_left b 0 0"),
        ("5m", TimeLeft(100), True, True, "time_left b 100 0"),
        ("5m+25/10m", TimeLeft(30.5, 3), False, True, "time_left b 30 3"),
        ("5m+5x30s", TimeLeft(30, 4), False, True, "time_left b 30 4"),
        ("5m+5x30s", TimeLeft(30, 4), False, False, "time_left b 30 1"),
        ("5m+5x30s", TimeLeft(8), False, False, "time_left b 8 0"),
        ("5m+10s", TimeLeft(310), True, True, "time_left b 310 0"),
    ],
)
def test_what_engines_are_sent_before_a_move(
    text: str, left: TimeLeft, fractions: bool, periods: bool, command: str
) -> None:
    control = parse_time(text)
    assert time_left_command(BLACK, left, control, fractions, periods=periods) == command
    assert time_left_command(WHITE, left, control, fractions, periods=periods) == command.replace(" b ", " w ")


@given(st.floats(0, 1e7), st.booleans())
def test_the_time_sent_is_never_more_than_there_is_and_little_less(seconds: float, fractions: bool) -> None:
    words = time_left_command(WHITE, TimeLeft(seconds), TimeControl("absolute", 1e7), fractions).split()
    found = float(words[2])
    assert found <= seconds < found + (0.001000001 if fractions else 1)
    assert fractions or words[2].isdigit()


# verdicts -------------------------------------------------------------------------------------------------------------

STEP = 1 / 64
"""Seconds: sums of its multiples are exact, in floats as in fractions."""
steps = st.integers(1, 64 * 60).map(lambda count: count * STEP)
judged = st.one_of(
    st.builds(TimeControl, st.just("absolute"), steps),
    st.builds(TimeControl, st.sampled_from(["canadian", "byoyomi"]), st.just(0.0) | steps, steps, st.integers(1, 5)),
    st.builds(lambda main, increment: TimeControl("fischer", main, increment=increment), steps, steps),
    st.builds(
        lambda main, increment, more, longest: TimeControl(
            "fischer", main, increment=increment, cap=main + more, longest=longest
        ),
        steps, steps, steps, steps,
    ),
)  # fmt: skip


@settings(max_examples=150)
@given(judged, st.data())
def test_who_loses_on_time(control: TimeControl, data: st.DataObject) -> None:
    referee = Referee(control)
    for _ in range(30):
        left = referee.shown("exact")
        assert left is not None
        wait = longest_wait(control, left)
        used = data.draw(
            st.integers(0, int(wait / STEP) + 2).map(lambda count: count * STEP)
            | st.sampled_from([wait, wait + STEP, control.period, left.seconds, left.seconds + STEP])
        )
        lost = used_up(control, left, used)
        referee.move(Fraction(used))
        assert lost == referee.lost
        if lost:
            return


@given(judged, st.data())
def test_a_clock_kept_move_by_move_gives_the_same_verdict(control: TimeControl, data: st.DataObject) -> None:
    """As the runner does it: what the clock shows after a move is what the next verdict starts from.

    A move takes a little more than whole steps, so that none ends together with its period.
    """
    referee, left = Referee(control), full_clock(control)
    for _ in range(30):
        wait = longest_wait(control, left)
        used = data.draw(st.integers(0, int(wait / STEP) + 2)) * STEP + STEP / 1024
        lost = used_up(control, left, used)
        referee.move(Fraction(used))
        assert lost == referee.lost
        if lost:
            return
        left = clock_after(control, left, used)


@given(judged, steps, steps)
def test_the_margin_is_forgiven_and_no_more(control: TimeControl, used: float, margin: float) -> None:
    left = full_clock(control)
    assert used_up(control, left, used + margin, margin) == used_up(control, left, used)
    assert used_up(control, left, longest_wait(control, left) + margin + STEP, margin)
    assert not used_up(control, left, longest_wait(control, left) + margin, margin)


def test_nobody_loses_without_a_clock() -> None:
    assert longest_wait(TimeControl(), TimeLeft(0)) == math.inf
    assert not used_up(TimeControl(), TimeLeft(0), 1e9)
