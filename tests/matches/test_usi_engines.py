"""Engines that speak USI in tournaments of shogi, and wherever else an engine is named: `usi:COMMAND`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.tournament_runs import lines
from support.usi_engine import command

from gotools import cli
from gotools.base.clock import TimeControl, TimeLeft
from gotools.base.errors import ConfigError
from gotools.engines.usi_client.engine_session import clock_words
from gotools.gtp_client.bridged import bridge_words, program_behind
from gotools.gtp_client.client import GtpEngine, GtpFailure
from gotools.matches.config import load_config
from gotools.matches.game.engine_spec import engine_of_table, engine_of_text

pytestmark = pytest.mark.system

FAIRY = shutil.which("fairy-stockfish", path=f"{os.environ['PATH']}:/usr/games")
OURS = shlex.join([sys.executable, "-m", "gotools"])


def usi(*how: str, bridge: str = "", **options: object) -> str:
    return f"usi:{bridge} {shlex.join(command(*how, **options))}"


@pytest.fixture
def bridges() -> Iterator[Any]:
    made: list[GtpEngine] = []

    def new(*how: str, **options: Any) -> GtpEngine:
        made.append(GtpEngine(usi(*how, **options), 60.0))
        return made[-1]

    yield new
    for engine in made:
        engine.close()


def play(folder: Path, *engines: str, more: tuple[str, ...] = (), games: int = 2) -> list[dict[str, Any]]:
    words = [word for name, engine in zip("abc", engines, strict=False) for word in ("--engine", f"{name}={engine}")]
    given = ["tournament", "--game", "shogi", *words, "--games", str(games), "--openings", "none", "-o", str(folder)]
    assert cli.run([*given, "-q", *more]) == 0
    return [line for line in lines(folder) if "gotools" not in line]


# names ----------------------------------------------------------------------------------------------------------------


def test_a_command_names_the_bridge() -> None:
    words = bridge_words("usi:--nodes 5 'my engine' usi", "shogi:lance")
    assert words[0] == sys.executable and words[-6:] == ["--game", "shogi:lance", "--nodes", "5", "my engine", "usi"]
    for text, name in (("usi:/a/b/fish usi", "fish"), ("usi:--option 'Skill Level=3' --nodes=5 fish", "fish"),
                       ("usi: --depth 3 -- fish --depth 4", "fish")):  # fmt: skip
        assert engine_of_text(text).name == name and engine_of_text(f"x={text}").name == "x"
        assert program_behind(text).endswith("fish")
    for text in ("usi:", "usi:--nodes 5", "usi: '"):
        with pytest.raises(ConfigError):
            engine_of_text(text)


def test_options_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(
        'game = "shogi"\n[[engine]]\nname = "weak"\ncommand = "usi:--nodes 9 fish"\n'
        'options = {"Skill Level" = 3, Ponder = false, "Eval Dir" = "a b"}\n[[engine]]\ncommand = "gotools:nodes=5"\n'
    )
    (spec, _) = load_config(str(path), {}).engines
    options = ["--option", "Skill Level=3", "--option", "Ponder=false", "--option", "Eval Dir=a b"]
    assert spec.words[4:] == ["--game", "shogi", *options, "--nodes", "9", "fish"]
    again = engine_of_table(spec.identity())  # as in a journal
    assert again.words == engine_of_text(spec.command).words and again.name == "weak"
    for table in ({"command": "fish", "options": {"a": "b"}}, {"command": "usi:fish", "options": {"a": []}},
                  {"command": "usi:fish", "options": {"a=b": 1}}, {"command": "usi:fish", "options": 3}):  # fmt: skip
        with pytest.raises(ConfigError, match="options"):
            engine_of_table(table)


# the bridge -----------------------------------------------------------------------------------------------------------


def test_what_the_engine_is_told(bridges: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = bridges(log=log, bridge="--option 'skill level=5'")
    assert engine.ask("name") == "Rook Shuffler" and engine.ask("gogui-rules_game_id") == "shogi"
    assert engine.ask("genmove b") == "2h3h"
    assert "900 positions to depth 7" in engine.ask("gomill-explain_last_move")
    for line in ("clear_board", "gotools-start lance", "kata-time_settings byoyomi 60 10 1", "time_left w 30.5 0"):
        engine.ask(line)
    assert engine.ask("genmove w") == "8b7b"
    engine.ask("play b 7g7f")
    engine.ask("time_left w 7.5 1")
    assert engine.ask("genmove w") == "7b8b"
    told = log.read_text().splitlines()
    assert told[:5] == ["usi", "setoption name Skill Level value 5", "isready", "usinewgame", "position startpos"]
    assert told[5] == "go btime 0 wtime 0 byoyomi 1000"
    lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    start = told.index(f"position sfen {lance}")
    assert told[start - 2 : start] == ["isready", "usinewgame"]
    assert told[start + 1] == "go btime 60000 wtime 30500 byoyomi 10000"
    assert told[start + 2 :] == [f"position sfen {lance} moves 8b7b 7g7f", "go btime 60000 wtime 0 byoyomi 7500"]


@pytest.mark.parametrize(
    ("control", "left", "words"),
    [
        (TimeControl(), TimeLeft(0), "btime 0 wtime 0 byoyomi 1000"),
        (TimeControl("absolute", 9), TimeLeft(7.25), "btime 7250 wtime 5000 byoyomi 0"),
        (TimeControl("fischer", 9, increment=2), TimeLeft(9), "btime 7000 wtime 3000 binc 2000 winc 2000"),
        (TimeControl("canadian", 0, 1.5, 1), TimeLeft(1.5, 1), "btime 0 wtime 5000 byoyomi 1500"),
        (TimeControl("canadian", 9, 60, 20), TimeLeft(4), "btime 4000 wtime 5000 byoyomi 3000"),
        (TimeControl("byoyomi", 9, 10, 3), TimeLeft(10, 2), "btime 0 wtime 5000 byoyomi 10000"),
    ],
)
def test_clocks_in_the_words_of_usi(control: TimeControl, left: TimeLeft, words: str) -> None:
    assert clock_words(control, (left, TimeLeft(5)), 1) == words


@pytest.mark.parametrize(("option", "words"), [("--nodes 77", "nodes 77"), ("--depth 3", "depth 3"),
                                               ("--movetime 50", "movetime 50"),
                                               ("--byoyomi 90", "btime 0 wtime 0 byoyomi 90")])  # fmt: skip
def test_limits_hold_in_place_of_clocks(option: str, words: str, bridges: Any, tmp_path: Path) -> None:
    engine = bridges(log=tmp_path / "log", bridge=option)
    engine.ask("kata-time_settings absolute 60")
    engine.ask("genmove b")
    assert (tmp_path / "log").read_text().splitlines()[-1] == f"go {words}"


@pytest.mark.parametrize(("how", "answer"), [("illegal", "7g7a"), ("garbage", "e2e4"), ("nothing", ""),
                                             ("resigns", "resign"), ("declares", "win")])  # fmt: skip
def test_what_is_no_legal_move_is_passed_on(how: str, answer: str, bridges: Any) -> None:
    engine = bridges(how, at=2)
    assert engine.ask("genmove b") == "2h3h" and engine.ask("genmove w") == answer
    assert engine.ask("genmove w") == "8b7b"  # the game stands as it was


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("dies", r"Rook Shuffler.*ended at `go .*exit code 3.*out of pieces"),
        ("quits", r"ended at `go .*exit code 0"),
        ("floods", r"a line of more than 65536 bytes"),
        ("mute", r"ended at `usi`.*no USI today"),
    ],
)
def test_an_engine_that_fails_ends_the_bridge(how: str, words: str, bridges: Any) -> None:
    with pytest.raises(GtpFailure, match=words) as failure:
        bridges(how).ask("genmove b")
    assert failure.value.kind == "crash"


def test_a_wrong_command_is_one_line(bridges: Any) -> None:
    wrong = {
        "--option Skil=3": "has no option 'Skil'; did you mean 'Skill Level'",
        "--nodes 0": "--nodes",
        "--game connect4": "a protocol of shogi",
        "--option x": "NAME=VALUE",
    }
    for bridge, words in wrong.items():
        with pytest.raises(GtpFailure, match=words) as failure:
            bridges(bridge=bridge).ask("name")
        assert "Traceback" not in str(failure.value)
    with GtpEngine("usi:no-such-engine-here") as engine, pytest.raises(GtpFailure, match="is not installed"):
        engine.ask("name")


def test_an_analysis_shows_what_the_engine_says(bridges: Any) -> None:
    engine = bridges("multipv")
    report = engine.ask_until("kata-analyze b 1", lambda line: "7g7f" in line, 20.0)
    first, second = report.split("info move ")[1:]
    assert first.startswith("2h3h visits 900 winrate 0.54") and second.startswith("7g7f visits 450 winrate 0.000")
    assert engine.ask("reg_genmove b") == "2h3h" and engine.ask("gotools-chance") == "55.0"


# tournaments ----------------------------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_games_between_usi_and_gtp(tmp_path: Path) -> None:
    ours = f"usi:--nodes 60 {OURS} usi -q --order captures"
    played = play(tmp_path, ours, "gotools:nodes=60", more=("--max-moves", "8"))
    assert [game["end"] for game in played] == ["moves"] * 2 and not any(game["notes"] for game in played)
    assert all(len(game["moves"].split()) == 8 for game in played)


def test_starts_and_repetition(tmp_path: Path) -> None:
    starts = tmp_path / "starts.txt"
    starts.write_text("lance\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t7g7f 3c3d\n")
    played = play(tmp_path / "run", usi(), usi(), more=("--openings", str(starts)), games=4)
    assert [game["end"] for game in played] == ["cycle"] * 4 and {game["result"] for game in played} == {"0"}
    assert {game["setting"].partition("/")[0] for game in played} == {"lance", "lnsgkgsnl"}


@pytest.mark.parametrize(
    ("how", "end"),
    [("illegal", "illegal"), ("garbage", "illegal"), ("nothing", "illegal"), ("declares", "illegal"),
     ("resigns", "resign"), ("dies", "crash"), ("floods", "crash")],
)  # fmt: skip
def test_faults_lose_the_game(how: str, end: str, tmp_path: Path) -> None:
    (game,) = play(tmp_path, usi(how, at=2), usi(), games=1)
    assert (game["end"], game["result"][:2]) == (end, "W+"), game
    assert len(game["moves"].split()) == 2


def test_an_engine_that_overruns_its_clock_loses(tmp_path: Path) -> None:
    (game,) = play(tmp_path / "1", usi("late", at=2), usi(), games=1, more=("--time", "0.3s/move", "--margin", "0.1"))
    assert (game["end"], game["result"][:2]) == ("time", "W+")
    more = ("--time", "0.3s/move", "--timeout", "2")
    (game,) = play(tmp_path / "2", usi("hangs", at=2), usi(), games=1, more=more)
    assert (game["end"], game["result"][:2]) == ("stall", "W+")


@pytest.mark.slow
def test_check_finds_no_fault(capfd: pytest.CaptureFixture[str]) -> None:
    ours = f"usi:--nodes 20 {OURS} usi -q"
    assert cli.run(["tournament", "check", "--game", "shogi", "-q", ours]) == 0, capfd.readouterr().out


def test_a_person_may_play_it(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("7g7f\nquit\n"))
    assert cli.run(["play", "--game", "shogi", "--engine", usi()]) == 0
    said = capfd.readouterr()
    assert "Rook Shuffler" in said.err + said.out and "8b7b" in said.out


@pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
def test_a_short_game_of_another_program(tmp_path: Path) -> None:
    fairy = f"usi:--nodes 200 {FAIRY}"
    played = play(tmp_path, fairy, "gotools:nodes=60", more=("--max-moves", "30"))
    assert all(game["end"] in ("moves", "score") for game in played), played
