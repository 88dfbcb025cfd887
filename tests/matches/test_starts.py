"""Games from several start positions: in tournaments, over GTP, in records; draws by repetition."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.examples import decisions
from support.gtp_player import Controller
from support.records import texts_of
from support.tournament_runs import lines

from gotools import cli
from gotools.base.errors import FileFormatError
from gotools.engines.gtp.session import Session
from gotools.engines.players import new_player
from gotools.engines.settings import PlayerSettings
from gotools.game.game import find_game
from gotools.game.outcome import End
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.abalone.board import STARTS, read_fen
from gotools.matches.config import load_config
from gotools.matches.game.openings import openings_of_games, openings_of_starts
from gotools.matches.game.referee import Referee
from gotools.matches.schedule import Shard
from gotools.matches.tournament import plan_lines
from gotools.ratings.reading.results import read_results

ABALONE = find_game("abalone")
SNAKES = "snakes\tI5H5 A1B1"
LATE = "s1sss/1sssSs/1s1sss1/4s3/9/3S4/1SSS1S1/SsSSS1/SSS1S w"
ENGINES = ["--engine", "a=gotools:depth=1", "--engine", "b=gotools:heuristic=terminator,depth=1"]
AROUND = "C3D3 G5F5 D3C3 F5G5"


def starts(folder: Path, *rows: str) -> str:
    path = folder / "starts.txt"
    path.write_text("\n".join(["# name, moves", "", *rows]) + "\n", encoding="utf-8")
    return str(path)


def started(setting: str) -> NDArray[np.int32]:
    return find_game(f"abalone:{setting}").position()


def games(folder: Path) -> list[dict[str, Any]]:
    return [line for line in lines(folder) if "gotools" not in line]


def test_a_match_from_several_starts(tmp_path: Path) -> None:
    """Each twice, with colours exchanged; journal, records and ratings agree on what was played."""
    path, run = starts(tmp_path, "belgian-daisy", SNAKES, LATE), tmp_path / "run"
    words = ["--game", "abalone:moves=60", "--games", "6", "--openings", path, "-o", str(run), "-q"]
    assert cli.run(["tournament", *words, *ENGINES]) == 0
    played = games(run)
    assert [game.get("setting") for game in played] == [s for s in ("belgian-daisy", "snakes", LATE) for _ in "12"]
    assert [game["opening"] for game in played] == [0, 0, 2, 2, 0, 0]
    for one, other in zip(played[::2], played[1::2], strict=True):
        assert (one["black"], one["white"]) == (other["white"], other["black"])
    for game in played:
        referee = Referee(find_game(f"abalone:moves=60,{game['setting']}"), 9)
        for text in game["moves"].split():
            move, why = referee.why_illegal(referee.to_play, text)
            assert not why
            referee.play(referee.to_play, move)
        assert referee.verdict is not None and referee.verdict.result == game["result"]
        data = (run / f"games/{game['game']:04d}.sgf").read_bytes()
        (found,) = read_games(data, "x.sgf", find_game("abalone"))
        assert isinstance(found, Record) and found.setting == f"moves=60,{game['setting']}"
        assert [text for _, text in texts_of(found, find_game("abalone"))] == game["moves"].split()
        assert found.moves[0, 0] == (2 if game["setting"] == LATE else 1)
    assert read_results([str(run)], lambda _: None).games == 6


def test_the_plan_names_the_starts(tmp_path: Path) -> None:
    settings = {"game": "abalone", "openings": starts(tmp_path, SNAKES), "games": 2}
    config = load_config(None, {"engine": ["a=x", "b=y"], **settings})
    assert "\tfrom snakes: I5H5 A1B1\t" in plan_lines(config, Shard(), lambda _: None)[1]


def test_records_from_another_start_are_no_openings(tmp_path: Path) -> None:
    run, said = tmp_path / "run", list[str]()
    words = ["--game", "abalone:snakes,moves=12", "--games", "2", "--openings", "none", "-o", str(run), "-q"]
    assert cli.run(["tournament", *words, *ENGINES]) == 0
    records = [str(run / "games")]
    assert len(openings_of_games(records, find_game("abalone:snakes,moves=12"), 9, 4, said.append)) >= 1
    with pytest.raises(Exception, match="2 from another start"):
        openings_of_games(records, ABALONE, 9, 4, said.append)


def test_records_from_several_starts_give_decisions(tmp_path: Path) -> None:
    white = read_fen(LATE)[1]
    texts = ["I5H5", "A1B1", ABALONE.move_text(find_game(f"abalone:{LATE}").moves_of(started(LATE))[0], 9)]
    (tmp_path / "a.sgf").write_text(
        f"(;GM[1003]SZ[9]SU[snakes];B[{texts[0]}];W[{texts[1]}])(;GM[1003]SU[{LATE}];W[{texts[2]}])"
    )
    lines = [
        {"game": "abalone:snakes", "moves": texts[:2]},
        {"game": f"abalone:{LATE}", "moves": texts[2:]},
    ]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for name in ("a.sgf", "b.jsonl"):
        found = decisions([tmp_path / name], ABALONE, pytest.fail)
        assert [found.move_text(row) for row in range(3)] == texts
        assert found.to_play.tolist() == [1, 2, white]
        assert (found.state(0) == started("snakes")).all() and (found.state(2) == started(LATE)).all()


def test_a_record_from_a_start_that_is_not_known_is_left_out(tmp_path: Path) -> None:
    said = list[str]()
    (tmp_path / "a.sgf").write_text("(;GM[1003]SU[stair];B[A1B2])(;GM[1003];B[A1B2])")
    (tmp_path / "b.jsonl").write_text('{"game": "abalone:stair", "moves": ["A1B2"]}\n')
    assert len(decisions([tmp_path], ABALONE, said.append)) == 1
    assert len(said) == 2 and all("no start position 'stair'" in line for line in said)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (
            ["belgian-daisi"],
            "starts.txt:3: abalone has no start position 'belgian-daisi'; did you mean 'belgian-daisy'?",
        ),
        ([SNAKES, f"{STARTS['star'].split()[0]} x"], "starts.txt:4: FEN: the side to play is b or w, not 'x'"),
        (["classical\tA1B2 I5I6"], "starts.txt:3: 'I5I6': 5 marbles in line; at most 3 move"),
        (["classical\tA1B2 I5"], "starts.txt:3: 'I5': 'I5' is not a move of Abalone"),
        ([f"classical,repetition=2\t{AROUND}"], "starts.txt:3: the game is over after these moves"),
        ([], "starts.txt: no start positions in it"),
    ],
)
def test_lines_that_are_no_starts(rows: list[str], what: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as error:
        openings_of_starts(starts(tmp_path, *rows), ABALONE, 9)
    assert what in str(error.value)


def test_games_without_settings_have_no_starts(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"starts\.txt:3: go has no settings"):
        openings_of_starts(starts(tmp_path, "classical"), find_game("go"), 9)


def test_a_setting_of_the_tournament_is_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.run(["tournament", "--game", "abalone:stair", *ENGINES, "-o", str(tmp_path / "run"), "-q"]) != 0
    assert "game: abalone has no start position 'stair'; did you mean 'star'?" in capsys.readouterr().err


# over GTP -------------------------------------------------------------------------------------------------------------


def table(name: str = "abalone") -> Controller:
    return Controller(session=Session.begin(new_player(name), PlayerSettings(nodes=200)))


def test_another_start_holds_until_the_board_is_cleared() -> None:
    controller = table()
    controller.ask(f"gotools-start {LATE}")
    assert controller.ask("gogui-rules_side_to_move") == "white"
    assert controller.ask("gogui-rules_board") == find_game(f"abalone:{LATE}").draw(
        find_game(f"abalone:{LATE}").position()
    ).strip()  # fmt: skip
    assert "no start position 'x'" in controller.refuses("gotools-start x")
    assert controller.ask("gogui-rules_side_to_move") == "white"  # a refusal leaves the game as it was
    move = controller.ask("genmove w")
    controller.ask("undo")
    controller.ask(f"play w {move}")
    controller.ask("clear_board")
    assert controller.ask("gogui-rules_legal_moves").split() == [
        ABALONE.move_text(one, 9) for one in ABALONE.moves_of(ABALONE.position())
    ]


def test_a_limit_of_the_start_ends_the_game_over_gtp() -> None:
    controller = table()
    controller.ask("gotools-start belgian-daisy,moves=2")
    controller.ask("genmove b")
    controller.ask("genmove w")
    assert controller.ask("final_score") == "0" and controller.refuses("genmove b") == "the game is over"


@pytest.mark.parametrize(
    ("start", "play", "why"),
    [
        ("classical", "b I5H5", "I5 holds a marble of the other side"),
        ("classical", "b E5E6", "E5 holds no marble"),
        ("classical", "b A1A2", "5 marbles in line; at most 3 move"),
        ("classical", "b A3A2", "it would leave the board"),
        ("classical", "b A1A2B1", "B1 is taken, and only moves in line push"),
        ("5/6/7/2SSS3/2sssSSS1/8/2sss2/ssssss/1SSS1 b", "b E8E7", "3 of one's own cannot push 3"),
        ("5/6/7/8/2SsS4/8/1SSSSss/ssssss/1SSSS b", "b E3E4", "E5, behind what would be pushed, is one's own"),
    ],
)
def test_why_a_move_is_refused(start: str, play: str, why: str) -> None:
    controller = table()
    controller.ask(f"gotools-start {start}")
    assert why in controller.refuses(f"play {play}")
    referee = Referee(find_game(f"abalone:{start}"), 9)
    assert why in referee.why_illegal(1, play.split()[1])[1]


# repetition -----------------------------------------------------------------------------------------------------------


def test_referee_and_session_call_the_third_repetition_a_draw() -> None:
    referee, controller = Referee(ABALONE, 9), table()
    for number, text in enumerate(f"{AROUND} {AROUND}".split()):
        assert referee.verdict is None and controller.refuses("final_score")
        referee.play(referee.to_play, ABALONE.parse_move(text, 9))
        controller.ask(f"play {'bw'[number % 2]} {text}")
    verdict = referee.verdict
    assert verdict is not None and (verdict.result, verdict.end) == ("0", End.cycle)
    assert controller.ask("final_score") == "0" and controller.refuses("genmove b") == "the game is over"
    assert re.search("over, 0", controller.ask("showboard"))
    controller.ask("undo")
    assert controller.ask("genmove w")
