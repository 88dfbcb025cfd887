"""The commands of the GTP server: what they do to the game, and what they ask of the player."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf, sgf_moves
from support.gtp_player import Controller, QuickPlayer, board_of
from support.slow import SlowGo

from gotools.base.clock import TimeControl, TimeLeft
from gotools.engines.gtp.session import HOPELESS_MOVES
from gotools.engines.settings import PlayerSettings
from gotools.game.choice import Choice, Limits
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.points import most_fixed, parse_vertex, vertex

GAMES = sorted((Path(__file__).parents[2] / "examples/games").glob("*.sgf"))
BOTH = ("b", "w")


@pytest.fixture
def table() -> Controller:
    return Controller()


def stones(table: Controller) -> tuple[set[str], set[str]]:
    black, white = (set(table.ask(f"list_stones {colour}").split()) for colour in BOTH)
    return black, white


# setting up and playing -----------------------------------------------------------------------------------------------


def test_boards_of_2_to_19_are_made_and_others_refused(table: Controller) -> None:
    for size in range(2, 20):
        table.ask("play b A1")
        table.ask(f"boardsize {size}")
        assert table.ask("query_boardsize") == str(size) and stones(table) == (set(), set())
        assert len(table.ask("showboard").splitlines()) == size + 3
    for text in ("1", "0", "-9", "20", "25", "9999999999"):
        assert table.refuses(f"boardsize {text}") == "unacceptable size"
    for text in ("", "nine", "9.0", "9 9", "9e0", "99999999999"):
        assert table.refuses(f"boardsize {text}").startswith("syntax error")


def test_a_transcript_of_a_short_game(table: Controller) -> None:
    table.ask("boardsize 5")
    table.ask("komi 0.5")
    for move in ("b C3", "W c4", "black D4", "white PASS", "B b4", "w E1", "b c5"):
        table.ask(f"play {move}")
    assert stones(table) == ({"B4", "C3", "C5", "D4"}, {"E1"})
    drawing = [
        " 5  . . X . .",
        " 4  . X . X .",
        " 3  . . X . .",
        " 2  . . . . .",
        " 1  . . . . O",
        "    A B C D E",
        "move 8, w to play; last move b C5",
        "komi 0.5; stones taken: by b 1, by w 0",
    ]
    assert table.send(b"showboard").decode() == "=\n" + "\n".join(drawing) + "\n\n"
    assert table.refuses("play w C4") == "illegal move"  # suicide
    assert table.refuses("play w E1") == "illegal move"
    assert table.ask("move_history").split("\n")[:2] == ["black C5", "white E1"]
    table.ask("undo")
    assert stones(table) == ({"B4", "C3", "D4"}, {"C4", "E1"})
    table.ask("gg-undo 5")
    assert stones(table) == ({"C3"}, set())
    assert table.refuses("gg-undo 2") == table.refuses("gg-undo 0") == "cannot undo"
    table.ask("undo")
    assert table.refuses("undo") == "cannot undo"
    table.ask("play b A1")
    table.ask("clear_board")
    assert table.refuses("undo") == "cannot undo" and table.ask("get_komi") == "0.5"


@settings(max_examples=40)
@given(
    st.integers(2, 4), st.integers(0, 10**9), st.sampled_from(("simple", "positional", "situational")), st.booleans()
)
def test_moves_and_undo_keep_to_the_rules_that_are_set(size: int, seed: int, ko: str, suicide: bool) -> None:
    chance, table = random.Random(seed), Controller()
    table.ask(f"boardsize {size}")
    table.ask(f'kata-set-rules {{"ko":"{ko}","suicide":{str(suicide).lower()}}}')
    games, movers = [SlowGo(size)], [WHITE]  # the position after each move, and whose move that was
    for _ in range(40):
        now = games[-1]
        if chance.random() < 0.15:
            if len(games) > 1:
                table.ask("undo")
                games.pop()
                movers.pop()
            else:
                assert table.refuses("undo") == "cannot undo"
            continue
        colour, at = chance.choice((BLACK, WHITE)), (chance.randrange(size), chance.randrange(size))
        after = SlowGo(size, now.stones)
        after.ko = now.ko
        line = f"play {BOTH[colour - 1]} {vertex(at[1] * size + at[0], size)}"
        wrong = after.play(at, colour, suicide)
        came = [mover for game, mover in zip(games, movers, strict=True) if game.stones == after.stones]
        if wrong or (came if ko == "positional" else ko == "situational" and colour in came):
            assert table.refuses(line) == "illegal move"
        else:
            table.ask(line)
            games.append(after)
            movers.append(colour)
        assert board_of(table.session).cells.tolist() == games[-1].cells()


@pytest.mark.parametrize(
    "line",
    [
        "play b", "play b A1 A2", "play x A1", "play b Z1", "play b A10", "play b I5", "play b -", "play b resign",
        "play b 44", "play b A", "komi", "komi x", "komi nan", "komi inf", "komi 1e999", "komi 1001", "komi 1_0",
        "genmove", "genmove x", "genmove b w", "reg_genmove", "kgs-genmove_cleanup", "undo 1", "clear_board 9",
        "list_stones", "list_stones g", "showboard 1", "final_score b", "final_status_list", "final_status_list half",
        "gg-undo x", "gg-undo -1", "gotools-priors g", "protocol_version 2", "list_commands all", "quit now",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_syntax_error(table: Controller, line: str) -> None:
    table.ask("play b D4")
    assert table.refuses(line).startswith("syntax error: ")


# handicap -------------------------------------------------------------------------------------------------------------

FIXED = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}
"""The table of the GTP standard, section 4.1.1, on 19x19."""


@pytest.mark.parametrize("count", FIXED)
@pytest.mark.parametrize("command", ["fixed_handicap", "place_free_handicap"])
def test_handicap_stones_on_19x19_stand_as_the_standard_says(table: Controller, count: int, command: str) -> None:
    table.ask("boardsize 19")
    assert table.ask(f"{command} {count}") == FIXED[count]
    assert stones(table) == (set(FIXED[count].split()), set())
    assert "w to play" in table.ask("showboard")
    assert table.refuses("undo") == "cannot undo"
    assert table.refuses(f"{command} {count}") == "board not empty"


@pytest.mark.parametrize(
    ("size", "count", "points"),
    [
        (7, 4, "C3 E5 C5 E3"), (8, 4, "C3 F6 C6 F3"), (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
        (11, 5, "C3 J9 C9 J3 F6"), (12, 4, "C3 K10 C10 K3"), (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
        (14, 2, "D4 L11"), (15, 6, "D4 M12 D12 M4 D8 M8"), (18, 4, "D4 P15 D15 P4"),
    ],
)  # fmt: skip
def test_handicap_stones_on_other_boards(table: Controller, size: int, count: int, points: str) -> None:
    table.ask(f"boardsize {size}")
    assert table.ask(f"fixed_handicap {count}") == points


def test_the_standard_says_how_many_handicap_stones_a_board_takes(table: Controller) -> None:
    wanted = dict.fromkeys(range(2, 7), 0) | dict.fromkeys((7, 8, 10, 12, 14, 16, 18), 4)
    wanted |= dict.fromkeys((9, 11, 13, 15, 17, 19), 9)
    assert {size: most_fixed(size) for size in range(2, 20)} == wanted
    for size, most in wanted.items():
        table.ask(f"boardsize {size}")
        for count in (0, 1, most + 1, 10, 400):
            assert table.refuses(f"fixed_handicap {count}") == "invalid number of stones"


@pytest.mark.parametrize("size", [2, 3, 6, 7, 9, 10, 19])
def test_free_handicap_takes_any_number_but_a_full_board(table: Controller, size: int) -> None:
    for count in {2, 3, min(11, size * size - 1), size * size - 1}:
        table.ask(f"boardsize {size}")
        points = table.ask(f"place_free_handicap {count}").split()
        assert len(set(points)) == len(points) == count and stones(table) == (set(points), set())
    for count in (0, 1, size * size):
        table.ask("clear_board")
        assert table.refuses(f"place_free_handicap {count}") == "invalid number of stones"
    assert table.refuses("place_free_handicap -2").startswith("syntax error")


def test_handicap_stones_of_the_controller(table: Controller) -> None:
    table.ask("boardsize 3")
    for bad in ("A1", "A1 A1", "A1 pass", "A1 A2 A3 B1 B2 B3 C1 C2 C3"):
        assert table.refuses(f"set_free_handicap {bad}") == "bad vertex list"
    for bad in ("", "A1 D4", "A1 x"):
        assert table.refuses(f"set_free_handicap {bad}").startswith("syntax error")
    assert table.ask("set_free_handicap A1 c3 B2") == ""
    assert stones(table) == ({"A1", "B2", "C3"}, set())
    assert table.refuses("set_free_handicap A2 A3") == "board not empty"


def test_a_position_is_set_from_pairs(table: Controller) -> None:
    table.ask("boardsize 5")
    table.ask("komi 3.5")
    table.ask("play b C3")
    assert table.ask("set_position b A1 W b2 black E5") == ""
    assert stones(table) == ({"A1", "E5"}, {"B2"})
    assert table.ask("move_history") == "" and table.refuses("undo") == "cannot undo"
    assert table.ask("get_komi") == "3.5" and "b to play" in table.ask("showboard")
    for bad, why in (
        ("b A1 w A1", "illegal position: A1 is named twice"),
        ("b pass", "illegal position: pass is no point"),
        ("b A1 w A2 w B1", "illegal position: a chain has no liberties"),
        ("b A1 w", "syntax error: expected pairs of COLOR VERTEX"),
        ("b A9", "syntax error"),
        ("x A1", "syntax error"),
    ):
        assert table.refuses(f"set_position {bad}").startswith(why), bad
        assert stones(table) == ({"A1", "E5"}, {"B2"})
    assert table.ask("set_position b A1 b A2") == "" and "w to play" in table.ask("showboard")
    assert table.ask("set_position") == "" and stones(table) == (set(), set())


def test_what_was_searched_is_forgotten(table: Controller) -> None:
    table.ask("play b C3")
    before = table.player.forgotten
    assert table.ask("clear_cache") == "" and table.player.forgotten == before + 1
    assert table.ask("move_history") == "black C3"


# games from files -----------------------------------------------------------------------------------------------------


def mill_position(path: Path, count: int) -> list[list[str | None]]:
    """The position after some moves, by sgfmill alone."""
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(path.read_bytes()))
    for colour, move in plays[:count]:
        if move is not None:
            board.play(*move, colour)
    return board.board


@pytest.mark.parametrize("path", GAMES[:6], ids=lambda path: path.stem)
def test_games_from_files_are_those_that_sgfmill_reads(table: Controller, path: Path) -> None:
    for number in (None, 0, 1, 2, 20, 31, 4000):
        table.ask(f"loadsgf {path}" + ("" if number is None else f" {number}"))
        count = 10**6 if number is None else max(number - 1, 0)
        assert board_of(table.session).board == mill_position(path, count)
    table.ask(f"loadsgf {path} 11")
    for left in range(9, -1, -1):
        table.ask("undo")
        assert board_of(table.session).board == mill_position(path, left)
    assert table.refuses("undo") == "cannot undo"


def test_a_file_brings_its_size_komi_handicap_and_stones_set_up_later(
    table: Controller, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a game (1).sgf"
    path.write_text("(;SZ[5]KM[0.5]HA[2]AB[bb][dd];W[cc];B[ca](;AW[aa]AE[bb];W[ee];B[ab])(;W[ae]))(;SZ[9];B[aa])")
    table.ask(f"loadsgf {path}")
    assert table.ask("query_boardsize") == "5" and table.ask("get_komi") == "0.5"
    assert stones(table) == ({"A4", "C5", "D2"}, {"A5", "C3", "E1"})
    table.ask("gg-undo 2")
    assert table.refuses("undo") == "cannot undo"
    table.ask(f"loadsgf {path} 1")
    assert stones(table) == ({"B4", "D2"}, set()) and "w to play" in table.ask("showboard")
    packed = tmp_path / "game.sgf.gz"
    packed.write_bytes(gzip.compress(b"(;SZ[3]HA[2];B[bb])"))
    assert capfd.readouterr().err == ""
    table.ask(f"loadsgf {packed}")
    assert capfd.readouterr().err == f"gotools gtp: {packed}: HA[2], but no stones are set\n"
    assert stones(table) == ({"B2"}, set()) and table.ask("get_komi") == "0.5"


@pytest.mark.parametrize(
    "text",
    [
        b"", b"hello", b"(;SZ[9];B[aa]", b"(;SZ[50])", b"(;SZ[1])", b"(;SZ[9];B[aa];W[aa])", b"(;SZ[9];B[zz])",
        b"(;SZ[2]AB[aa][ab][ba][bb])", b"(;SZ[9]", b"(;GM[2];B[aa])", b"\x1f\x8b\0\0", b"\xff\xfe\0(\0;", b"((((",
        b"(;SZ[3]AB[ba]AB[ab];W[aa])",
    ],
)  # fmt: skip
def test_broken_files_are_refused_and_change_nothing(table: Controller, tmp_path: Path, text: bytes) -> None:
    table.ask("play b D4")
    path = tmp_path / "broken.sgf"
    path.write_bytes(text)
    assert table.refuses(f"loadsgf {path}").startswith("cannot load file: ")


def test_what_is_no_file_is_refused(table: Controller, tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "none.sgf", "/dev/zero", "-", "/dev/stdin", "x" * 5000, "7"):
        assert table.refuses(f"loadsgf {name}").startswith("cannot load file: ")
    large = tmp_path / "large.sgf"
    large.write_bytes(b"(;C[" + b"x" * (9 << 20) + b"];B[aa])")
    assert table.refuses(f"loadsgf {large}").startswith("cannot load file: more than 8 MB")
    assert table.refuses("loadsgf").startswith("syntax error")


# time -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "control"),
    [
        ("time_settings 300 0 0", TimeControl("absolute", 300)),
        ("time_settings 0 0 0", TimeControl("absolute", 0)),
        ("time_settings 300 0 25", TimeControl("absolute", 300)),
        ("time_settings 300 1 0", TimeControl()),
        ("time_settings 0 60 25", TimeControl("canadian", 0, 60, 25)),
        ("time_settings 12.5 60 1", TimeControl("canadian", 12.5, 60, 1)),
        ("kgs-time_settings none", TimeControl()),
        ("kgs-time_settings absolute 60", TimeControl("absolute", 60)),
        ("kgs-time_settings canadian 60 300 25", TimeControl("canadian", 60, 300, 25)),
        ("kgs-time_settings byoyomi 60 30 5", TimeControl("byoyomi", 60, 30, 5)),
        ("kata-time_settings byoyomi 60 0 5", TimeControl("absolute", 60)),
        ("kata-time_settings none", TimeControl()),
        ("kata-time_settings fischer 60 2.5", TimeControl("fischer", 60, increment=2.5)),
        ("kata-time_settings fischer-capped 60 5 90 20", TimeControl("fischer", 60, 0, 0, 5, 90, 20)),
        ("kata-time_settings fischer-capped 60 5 -1 -1", TimeControl("fischer", 60, increment=5)),
        ("kata-time_settings absolute 2147483647", TimeControl("absolute", 2147483647)),
    ],
)
def test_clocks_are_set_as_said(table: Controller, line: str, control: TimeControl) -> None:
    table.ask(line)
    assert table.session.state.control == control


@pytest.mark.parametrize("number", ["-1", "nan", "inf", "-inf", "1e999", "1e300", "x", "0x10", "1_0", "٣", ""])
def test_absurd_times_are_refused(table: Controller, number: str) -> None:
    table.ask("time_settings 60 30 5")
    table.ask("time_left b 33 0")
    for line in (
        "time_settings {} 30 5", "time_settings 60 {} 5", "time_settings 60 30 {}", "time_left b {} 0",
        "time_left b 30 {}", "kgs-time_settings absolute {}", "kgs-time_settings byoyomi 60 30 {}",
        "kgs-time_settings canadian {} 30 1", "kata-time_settings fischer 60 {}", "kgs-time_settings {}",
    ):  # fmt: skip
        assert table.refuses(line.format(number)).startswith("syntax error: ")
    assert table.session.state.left[0] == TimeLeft(33)


@pytest.mark.parametrize(
    "line",
    [
        "time_settings", "time_settings 1 2", "time_settings 1 2 3 4", "time_left b 1", "time_left x 1 1", "time_left",
        "kgs-time_settings", "kgs-time_settings fischer 1 1", "kgs-time_settings none 3", "kata-time_settings ing",
        "kata-time_settings fischer-capped 60 5 30 -1", "kata-time_settings fischer-capped 60 5 90 nan",
        "kata-time_settings fischer-capped 60 5 90 1e300", "kata-list_time_settings all",
    ],
)  # fmt: skip
def test_clocks_that_cannot_be_read_are_refused(table: Controller, line: str) -> None:
    assert table.refuses(line).startswith("syntax error: ")


def test_the_player_gets_the_time_of_the_clock_or_of_the_command_line() -> None:
    table = Controller(settings=PlayerSettings(time=2.5, nodes=700, depth=3))

    def limits() -> tuple[float | None, int | None, int | None]:
        table.ask("reg_genmove w")
        limits = table.player.calls[-1][2]
        return limits.seconds, limits.nodes, limits.depth

    assert limits() == (2.5, 700, 3)
    table.ask("time_settings 0 0 0")
    assert limits() == (0, 700, 3)
    table.ask("time_settings 0 10 1")
    assert 9 < (limits()[0] or 0) < 10
    table.ask("time_left w 5 1")
    assert 4 < (limits()[0] or 0) < 5
    table.ask("time_left b 2 1")
    assert 4 < (limits()[0] or 0) < 5
    table.ask("kgs-time_settings absolute 1000")
    assert 20 < (limits()[0] or 0) < 100
    table.ask("time_left white 0 0")
    assert limits()[0] == 0
    table.ask("clear_board")
    assert 20 < (limits()[0] or 0) < 100
    table.ask("kgs-time_settings none")
    assert limits() == (2.5, 700, 3)


def test_the_engine_counts_its_own_time() -> None:
    table = Controller(QuickPlayer(slow=True))
    table.ask("kata-time_settings absolute 9")
    for colour in BOTH:
        table.ask(f"genmove {colour}")
    allotted = [call[2].seconds or 0 for call in table.player.calls]
    left = [clock.seconds for clock in table.session.state.left]
    assert all(0.05 < 9 - rest - seconds + 0.05 < 0.3 for rest, seconds in zip(left, allotted, strict=True)), (
        left,
        allotted,
    )
    table.ask("time_left b 7 0")
    assert table.session.state.left[0] == TimeLeft(7)


# choosing -------------------------------------------------------------------------------------------------------------


def test_a_move_is_chosen_made_and_explained(table: Controller) -> None:
    assert table.refuses("gotools-explain").startswith("no move to explain")
    table.ask("komi 6.5")
    table.ask("play b E5")
    move = table.ask("genmove w")
    assert stones(table) == ({"E5"}, {move})
    assert table.player.calls[-1][:2] == (WHITE, 6.5) and not table.player.calls[-1][3]
    table.ask("play b pass")
    assert table.ask("gotools-explain") == f"{move} was chosen\nat random"
    table.ask("gg-undo 2")
    table.refuses("gotools-explain")
    assert table.ask("reg_genmove w") == move
    assert stones(table) == ({"E5"}, set())
    assert table.ask("kgs-genmove_cleanup w") == move and table.player.calls[-1][3]


def test_games_of_the_player_end_with_passes(table: Controller) -> None:
    table.ask("boardsize 4")
    moves = [table.ask(f"genmove {BOTH[i % 2]}") for i in range(200)]
    assert moves[-4:] == ["pass"] * 4


def test_the_player_resigns_after_some_hopeless_moves_if_it_may() -> None:
    table = Controller(QuickPlayer(winrate=0.04), PlayerSettings(resign=0.05))
    answers = [table.ask("genmove b") for _ in range(HOPELESS_MOVES)]
    assert answers[-1] == "resign" and "resign" not in answers[:-1]
    assert len(table.ask("move_history").splitlines()) == HOPELESS_MOVES - 1
    assert table.ask("genmove w") != "resign"
    table.player.winrate = 0.06
    assert table.ask("genmove b") != "resign"
    table.player.winrate = 0.04
    assert table.ask("genmove b") != "resign"
    never = Controller(QuickPlayer(winrate=0.0))
    assert "resign" not in [never.ask("genmove b") for _ in range(9)]


def test_the_player_learns_of_a_new_game(table: Controller, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[9];B[aa])")
    for line in ("boardsize 9", "clear_board", "fixed_handicap 2", f"loadsgf {path}"):
        before = table.player.forgotten
        table.ask(line)
        assert table.player.forgotten == before + 1
    table.ask("play w D4")
    assert table.player.forgotten == before + 1


# analysis -------------------------------------------------------------------------------------------------------------

INFO = re.compile(
    r"move (?P<move>\S+) visits (?P<visits>\d+) winrate (?P<winrate>[\d.]+)(?: scoreMean \S+ scoreLead (?P<lead>\S+))?"
    r" prior (?P<prior>[\d.]+) lcb (?P<lcb>[\d.]+) order (?P<order>\d+) pv (?P<pv>\S+(?: \S+)*)"
)


def report(table: Controller, line: str) -> tuple[list[re.Match[str]], list[float]]:
    """Ask for an analysis; returns the infos and the ownership of its one line."""
    answer = table.send(line.encode()).decode()
    begin, text, *rest = answer.split("\n")
    assert begin == "=" and rest == ["", ""]
    moves, _, owned = text.partition(" ownership ")
    infos = [INFO.fullmatch(part.strip()) for part in moves.split("info ")[1:]]
    assert all(infos), text
    return [info for info in infos if info], [float(word) for word in owned.split()]


def test_leela_zeros_analysis_is_in_whole_numbers(table: Controller) -> None:
    infos, _ = report(table, "lz-analyze b 10")
    assert [int(info["order"]) for info in infos] == [0, 1, 2, 3, 4]
    assert all(info["winrate"] == "5000" for info in infos)
    assert [info["prior"] for info in infos][:3] == ["10000", "5000", "2500"]
    assert all(0 <= int(info["lcb"]) < 5000 for info in infos)
    assert all(info["pv"].split()[0] == info["move"] for info in infos)


def test_katagos_analysis_is_in_fractions(table: Controller) -> None:
    infos, _ = report(table, "kata-analyze interval 10 maxmoves 2 rootInfo true minmoves 1")
    assert len(infos) == 2
    assert all(0 <= float(info[key]) <= 1 and "." in info[key] for info in infos for key in ("winrate", "prior", "lcb"))
    assert [info["lead"] for info in infos] == ["1.500", None]
    assert report(table, "analyze w 5")[0]
    assert table.player.calls[-1][0] == WHITE


def test_moves_that_were_not_looked_at_are_shown_on_request_only(table: Controller) -> None:
    table.player.looked_at = 2
    for line, count in (("", 2), (" minmoves 4", 4), (" minmoves 4 maxmoves 3", 3), (" maxmoves 0", 1)):
        assert len(report(table, "lz-analyze" + line)[0]) == count
    table.player.looked_at = 0
    assert len(report(table, "kata-analyze")[0]) == 1


def test_analysis_is_for_the_side_to_play_unless_said(table: Controller) -> None:
    for setup, line, colour in (
        ("clear_board", "kata-analyze", BLACK),
        ("play b E5", "kata-analyze 20", WHITE),
        ("undo", "lz-analyze W", WHITE),
    ):
        table.ask(setup)
        report(table, line)
        assert table.player.calls[-1][0] == colour
        assert table.player.calls[-1][2].seconds is None


def test_analysis_may_allow_and_avoid_moves(table: Controller) -> None:
    table.ask("play b E5")
    infos, _ = report(table, "kata-analyze w allow w D4,C3,E5 1")
    assert {info["move"] for info in infos} == {"D4", "C3"}
    infos, _ = report(table, "kata-analyze w allow w D4,C3 1 avoid w C3 1 avoid b D4 9")
    assert {info["move"] for info in infos} == {"D4"}
    report(table, "kata-analyze w avoid w D4,pass 3")
    allowed = table.player.calls[-1][4]
    assert allowed is not None and len(allowed) == 79
    assert table.refuses("kata-analyze w allow w E5 1").startswith("syntax error")
    for bad in ("allow", "allow w", "allow w D4", "allow w D4 x", "allow w D4, 1", "avoid x D4 1", "allow w Z9 1"):
        assert table.refuses(f"kata-analyze w {bad}").startswith("syntax error")


@pytest.mark.parametrize("bad", ["x", "interval", "interval x", "interval -5", "-5", "b w", "maxmoves x", "depth 3",
                                 "ownership maybe", "1 2", "1.5"])  # fmt: skip
def test_analysis_that_cannot_be_read_is_refused(table: Controller, bad: str) -> None:
    for command in ("lz-analyze", "kata-analyze", "lz-genmove_analyze", "kata-genmove_analyze"):
        assert table.refuses(f"{command} {bad}").startswith("syntax error")


def test_an_analysis_is_ended_by_the_next_line_not_by_its_own() -> None:
    """The thread that reads may speak of a line so late that it is being obeyed already."""
    table = Controller()
    script = table.script
    script.silent = True
    reports = []

    def report(choice: Choice) -> None:
        reports.append(choice)
        script.silent = len(reports) < 3
        table.session.input_came()

    table.session.think(BLACK, report, Limits(), endless=True)
    assert len(reports) == 3


def test_a_move_may_be_chosen_with_reports(table: Controller) -> None:
    for command in ("lz-genmove_analyze b 10", "kata-genmove_analyze w interval 10", "genmove_analyze b 10"):
        begin, info, play, *rest = table.send(command.encode()).decode().split("\n")
        assert begin == "=" and info.startswith("info move ") and rest == ["", ""]
        move = re.fullmatch("play ([A-J][1-9])", play)
        assert move and table.ask("move_history").splitlines()[0].split()[1] == move[1] == info.split()[2]


# what the board looks like --------------------------------------------------------------------------------------------

WALLS = [f"play {colour} {column}{row}" for row in range(1, 8) for colour, column in (("b", "C"), ("w", "D"))]


@pytest.fixture
def settled(table: Controller) -> Controller:
    """7x7, black's wall on C, white's on D, and a lost black stone in white's corner."""
    for line in ("boardsize 7", "komi 2.5", *WALLS, "play b G1"):
        table.ask(line)
    return table


def test_the_score_leaves_out_dead_stones(settled: Controller) -> None:
    assert settled.ask("final_score") == "W+9.5"
    settled.ask("komi -7")
    assert settled.ask("final_score") == "0"
    settled.ask("komi -9")
    assert settled.ask("final_score") == "B+2"


def test_the_score_is_territory_by_rules_that_count_it(settled: Controller) -> None:
    """White has 21 points, among them that of the dead stone, black 14; white took one stone by the end, black none."""
    settled.ask("kgs-rules japanese")
    assert settled.ask("final_score") == "W+10.5"  # 14 - 21 - 1 - 2.5: by area black's stones and white's are as many
    settled.ask("play w A4")  # white throws a stone in: area stays as it is, territory loses it
    settled.ask("play b B4")
    assert settled.ask("final_score") == "W+10.5"  # it cost black a move, and white a prisoner
    settled.ask("kata-set-rules chinese")
    assert settled.ask("final_score") == "W+9.5"


def test_the_status_of_stones_is_a_chain_a_line(settled: Controller) -> None:
    assert settled.ask("final_status_list dead") == "G1"
    assert settled.ask("final_status_list seki") == ""
    alive = settled.ask("final_status_list alive").splitlines()
    assert [set(line.split()) for line in alive] == [{f"{column}{row}" for row in range(1, 8)} for column in "CD"]


def test_ownership_is_given_for_the_side_to_play_from_the_top(settled: Controller) -> None:
    rows = [[float(word) for word in line.split()] for line in settled.ask("gotools-ownership").splitlines()]
    assert len(rows) == 7 and all(len(row) == 7 for row in rows)
    assert all(min(row[:3]) > 0.5 and max(row[3:]) < -0.5 for row in rows)
    for colour, sign in (("b", 1), ("w", -1)):
        _, owned = report(settled, f"kata-analyze {colour} 10 ownership true")
        flat = [sign * value for row in rows for value in row]
        assert owned == pytest.approx(flat, abs=1e-3)


def test_the_commands_listed_for_gogui_work(settled: Controller) -> None:
    settled.ask("genmove w")
    types = set()
    for line in settled.ask("gogui-analyze_commands").splitlines():
        kind, label, command = line.split("/")
        types.add(kind)
        assert label
        for colour in BOTH:
            answer = settled.ask(command.replace("%c", colour))
            if kind == "pspairs":
                pairs = [pair.split() for pair in answer.splitlines()]
                assert pairs and all(0 < float(value) <= 100 for _, value in pairs)
                assert all(parse_vertex(point, 7) >= 0 for point, _ in pairs)
            elif kind in ("varc", "plist"):
                assert all(parse_vertex(word, 7) != -1 for word in answer.split())
    assert types == {"dboard", "pspairs", "varc", "hstring", "plist", "string"}


def test_processor_time_grows(table: Controller) -> None:
    first, second = float(table.ask("cputime")), float(table.ask("cputime"))
    assert 0 < first <= second


@pytest.mark.parametrize(
    ("rules", "alive"),
    [
        ("tromp-taylor", True),
        ("chinese", False),
        ('{"scoring":"AREA"}', True),
        ('{"scoring":"AREA","friendlyPassOk":true}', False),
        ('{"scoring":"TERRITORY"}', False),
    ],
)
def test_rules_say_whether_all_stones_count_as_alive(table: Controller, rules: str, alive: bool) -> None:
    table.ask(f"kata-set-rules {rules}")
    table.ask("genmove b")
    assert table.player.calls[-1][5] == alive
