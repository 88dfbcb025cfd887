"""The GTP server in one process: the protocol, every command, and that what is refused leaves the game as it was."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.gtp_player import Controller, QuickPlayer, Script, board_of, session_of

from gotools import __version__
from gotools.engines.gtp import server as gtp
from gotools.engines.gtp.commands import commands_of
from gotools.games.go.board import Board
from gotools.games.go.go import GO
from gotools.games.go.rule_sets import rule_set

ROOT = Path(__file__).parents[2]


@pytest.fixture
def table() -> Controller:
    return Controller()


# the protocol ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"protocol_version", b"= 2\n\n"),
        (b"7 protocol_version", b"=7 2\n\n"),
        (b"  0007\tprotocol_version  \r", b"=7 2\n\n"),
        (b"2147483647 name", b"=2147483647 quick\n\n"),
        (b"2147483648 name", b"? unknown command\n\n"),
        (b"-1 name", b"? unknown command\n\n"),
        (b"version # which one?", b"= " + __version__.encode() + b"\n\n"),
        (b"na\x07me\x00\x7f", b"= quick\n\n"),
        (b"clear_board", b"=\n\n"),
        (b"12 clear_board", b"=12\n\n"),
        (b"12", b"?12 unknown command\n\n"),
        (b"12 # nothing", b"?12 unknown command\n\n"),
        (b"NAME", b"? unknown command\n\n"),
        (b"\xff\xfe\xfa", b"? unknown command\n\n"),
        (b"3 play b \xff", b"?3 syntax error: "),
        ("Größe 9".encode(), b"? unknown command\n\n"),
        (b"", b""),
        (b"   \t \r", b""),
        (b"# name", b""),
        (b"\x01\x02", b""),
        (b"5 name " + b"x" * 70_000, b"?5 line too long\n\n"),
        (b"#" + b"x" * 70_000, b""),
        (b" \t# " + b"x # " * 70_000, b""),
        (b"5 name # " + b"x" * 70_000, b"=5 quick\n\n"),
        (b"known_command play", b"= true\n\n"),
        (b"known_command quitt", b"= false\n\n"),
        (b"known_command", b"? syntax error: expected NAME, not 0 words\n\n"),
    ],
)
def test_a_line_and_its_answer(table: Controller, line: bytes, answer: bytes) -> None:
    got = table.send(line)
    assert got.startswith(answer) and (got == answer or answer.endswith(b" ")), got


def test_the_commands_are_listed_sorted_and_known_and_documented(table: Controller) -> None:
    names = table.ask("list_commands").split("\n")
    assert names == sorted(set(names)) and set(names) == set(commands_of(GO))
    assert all(table.ask(f"known_command {name}") == "true" for name in names)
    page = (ROOT / "docs/gtp.md").read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}" not in page] == []
    required = (
        "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove "
        "fixed_handicap place_free_handicap set_free_handicap undo time_settings time_left final_score "
        "final_status_list loadsgf reg_genmove showboard"
    )
    assert set(required.split()) <= set(names)


def test_quit_is_answered_and_nothing_after_it_is_obeyed() -> None:
    sent = bytearray()
    session = session_of(QuickPlayer())
    gtp.GtpServer(session, commands_of(GO), Script([b"1 name", b"", b"2 quit", b"3 name"]), sent.extend).serve()
    assert sent == b"=1 quick\n\n=2\n\n"


def test_the_end_of_input_ends_the_session() -> None:
    sent = bytearray()
    gtp.GtpServer(session_of(QuickPlayer()), commands_of(GO), Script([b"1 name"]), sent.extend).serve()
    assert sent == b"=1 quick\n\n"


@pytest.mark.parametrize("error", [ZeroDivisionError("by\nzero"), RecursionError("deep")])
def test_a_bug_is_an_error_of_one_command(capsys: pytest.CaptureFixture[str], error: Exception) -> None:
    table = Controller()
    table.ask("play b D4")
    table.player.error = error
    for command in ("genmove w", "reg_genmove w", "kgs-genmove_cleanup w", "gotools-priors"):
        assert table.refuses(command).startswith(f"internal error: {type(error).__name__}")
    assert table.send(b"4 kata-analyze 10") == b"=4\n\n"  # it had begun well
    assert "Traceback" in capsys.readouterr().err
    table.player.error = None
    assert table.ask("move_history") == "black D4"
    assert table.ask("genmove w") not in ("", "D4")


def test_without_memory_a_command_is_refused_in_a_word_and_the_session_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = Controller()
    table.ask("play b D4")
    table.player.error = MemoryError()
    assert table.refuses("genmove w") == "out of memory"
    table.player.error = None
    assert table.ask("move_history") == "black D4"
    assert "Traceback" not in capsys.readouterr().err


def test_an_illegal_choice_of_the_player_is_not_played(capsys: pytest.CaptureFixture[str]) -> None:
    table = Controller()
    table.ask("play b D4")
    table.player.point = 3 * 9 + 3
    assert table.refuses("genmove w").startswith("internal error: RuntimeError")
    assert "Traceback" in capsys.readouterr().err


# the lines of a stream ------------------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=60), max_size=8), st.integers(1, 50))
def test_a_stream_is_cut_into_lines_and_long_ones_are_cut_short(parts: list[bytes], longest: int) -> None:
    came = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gtp, "LONGEST_LINE", longest)
        patch.setattr(gtp, "WAITING", 100)
        out, into = os.pipe()
        stream = gtp.StreamLines(out, lambda: came.append(1), lambda: came.append(0))
        lines: list[bytes] = []
        for part in parts:
            os.write(into, part)
        os.close(into)
        while (line := stream.next()) is not None:
            lines.append(line)
        stream.wait(10)
        os.close(out)
    *whole, rest = b"".join(parts).split(b"\n")
    wanted = [*whole, rest] if rest else whole
    assert lines == [line[: longest + 1] for line in wanted]
    assert stream.news()


# fuzz -----------------------------------------------------------------------------------------------------------------

ARGUMENTS = """
    b w black WHITE pass resign A1 b2 C3 D4 J9 T19 i5 Z1 - -1 0 1 2 3 5 9 19 20 1e9 -0.0 nan inf 1e999 0x10
    dead alive seki none absolute byoyomi canadian fischer fischer-capped interval maxmoves allow avoid
    ownership true false chinese japanese /dev/null /dev/zero / . 99999999999999999999 # ## ' " \\ %s é
"""
WORDS = [*(name for name in commands_of(GO) if name != "quit"), *ARGUMENTS.split()]
SEPARATORS = [" ", "  ", "\t", "\r", "\0", "\x0b", "\x85", ","]
command_lines = st.builds(
    lambda words, gaps: "".join(word + gap for word, gap in zip(words, gaps, strict=True)).encode(),
    *(st.lists(choices, min_size=6, max_size=6) for choices in (st.sampled_from(WORDS), st.sampled_from(SEPARATORS))),
)
short_lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(lambda words: " ".join(words).encode())


@settings(max_examples=80)
@given(st.lists(st.one_of(st.binary(max_size=80), command_lines, short_lines), max_size=12))
def test_any_bytes_are_answered_and_the_session_goes_on(lines: list[bytes]) -> None:
    table = Controller()
    for line in lines:
        before = table.session.state
        for single in line.split(b"\n"):
            before = table.session.state
            answer = table.send(single)
            if answer:
                assert re.fullmatch(rb"[=?]\d*( [^\n]+)?\n([^\n]+\n)*\n", answer), (single, answer)
                assert not answer.startswith(b"?") or table.session.state is before
                assert b"internal error" not in answer, (single, answer)
    assert table.send(b"99 protocol_version") == b"=99 2\n\n"
    history = table.session.state.history
    board = Board.of_state(history.positions[0])
    for colour, point in history.moves:
        board.play_point(point, colour)
    assert (board.cells == board_of(table.session).cells).all()


def test_rules_are_written_as_by_katago(table: Controller) -> None:
    """The values of names are those of KataGo's documentation, the handicap bonus apart."""
    rules = json.loads(table.ask("kata-get-rules"))
    assert (rules["scoring"], rules["ko"], rules["suicide"], rules["friendlyPassOk"]) == (
        "AREA",
        "POSITIONAL",
        False,
        True,
    )
    named = {
        "kata-set-rules chinese": ("AREA", "SIMPLE", False, True),
        "kata-set-rules Tromp-Taylor": ("AREA", "POSITIONAL", True, False),
        "kgs-rules chinese": ("AREA", "SIMPLE", False, True),
        "kgs-rules new_zealand": ("AREA", "SITUATIONAL", True, True),
        "kata-set-rules aga": ("AREA", "SITUATIONAL", False, True),
        "kgs-rules japanese": ("TERRITORY", "SIMPLE", False, True),
        'kata-set-rules {"scoringRule":"TERRITORY","taxRule":"SEKI"}': ("TERRITORY", "POSITIONAL", False, True),
    }
    for command, wanted in named.items():
        assert table.ask(command) == ""
        rules = json.loads(table.ask("kata-get-rules"))
        assert tuple(rules[key] for key in ("scoring", "ko", "suicide", "friendlyPassOk")) == wanted
    for command in ("kata-set-rules stones", "kgs-rules"):
        table.refuses(command)
    table.ask("clear_board")
    assert json.loads(table.ask("kata-get-rules")) == rules


@pytest.mark.parametrize(
    ("rules", "taken"), [("chinese", False), ("tromp-taylor", True), ("new-zealand", True), ("aga", False)]
)
def test_the_opponent_may_commit_suicide_where_the_rules_allow_it(table: Controller, rules: str, taken: bool) -> None:
    """Black's A1 and B1 have no liberty after B1."""
    table.ask("boardsize 5")
    assert table.ask(f"kata-set-rules {rules}") == ""
    for move in ("b A1", "w A2", "b E5", "w B2", "b E4", "w C1"):
        table.ask(f"play {move}")
    if not taken:
        assert "illegal move" in table.refuses("play b B1")
        return
    table.ask("play b B1")
    assert set(table.ask("list_stones b").split()) == {"E4", "E5"}


@pytest.mark.parametrize(("ko", "taken"), [("SIMPLE", True), ("POSITIONAL", False), ("SITUATIONAL", False)])
def test_repetitions_are_judged_by_the_ko_rule(table: Controller, ko: str, taken: bool) -> None:
    """Sending two, returning one: B1 takes C1; that C1 takes A1 and B1 repeats the position before."""
    table.ask("boardsize 5")
    assert table.ask(f'kata-set-rules {{"ko":"{ko}","scoring":"AREA","suicide":false}}') == ""
    for move in ("b A2", "w C2", "b B2", "w D1", "b C1", "w B1", "b pass", "w A1"):
        table.ask(f"play {move}")
    if taken:
        table.ask("play b C1")
    else:
        assert "illegal move" in table.refuses("play b C1")


def test_rules_come_as_json_too(table: Controller) -> None:
    assert table.ask(f"kata-set-rules {table.ask('kata-get-rules')}") == ""
    for rules in (
        '{"koRule":"SIMPLE", "scoringRule":"AREA", "taxRule":"NONE", "multiStoneSuicideLegal":false}',
        '{"ko":"situational","scoring":"area","suicide":true,"whiteHandicapBonus":"N-1","friendlyPassOk":true}',
        "{}",
    ):
        assert table.ask(f"kata-set-rules {rules}") == "", rules
    for rules, why in (
        ('{"scoring":"STONES"}', 'scoring "STONES" is not played here; AREA, TERRITORY is'),
        ('{"scoringRule":"TERRITORY","tax":"NONE"}', "tax NONE with scoring TERRITORY is not played here; SEKI is"),
        ('{"tax":"SEKI"}', "tax SEKI with scoring AREA is not played here; NONE is"),
        ('{"hasButton":true}', "hasButton true is not played here; false is"),
        ('{"suicide":1}', "suicide 1 is not played here; false, true is"),
        ('{"tax":["NONE"]}', 'tax ["NONE"] is not played here; NONE, SEKI is'),
        ('{"scorin":"AREA"}', "syntax error: there is no rule 'scorin'; did you mean 'scoring'?"),
        ('{"ko":', "syntax error: the rules are not JSON: "),
        ('{"ko":' + "[" * 30_000, "syntax error: the rules are not JSON: "),
    ):
        assert table.refuses(f"kata-set-rules {rules}").startswith(why), rules


@pytest.mark.parametrize("name", ["chinese", "chinese-kgs", "japanese", "tromp-taylor", "aga"])
@pytest.mark.parametrize("handicap", [0, 4])
def test_what_our_tournaments_send_is_taken(table: Controller, name: str, handicap: int) -> None:
    assert table.ask(f"kata-set-rules {rule_set(name).text(handicap)}") == ""
