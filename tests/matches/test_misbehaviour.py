"""Sick engines, one for each row of the table of misbehaviours, in one tournament with a healthy one.

It must end by itself, hold every game, and give each row its verdict.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from support.scripted_engine import command

from gotools.base.errors import ConfigError
from gotools.game.outcome import End
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.go.board import replay
from gotools.games.go.go import GO
from gotools.matches.config import load_config
from gotools.matches.game.game_result import GameResult
from gotools.matches.schedule import Shard
from gotools.matches.tournament import run_tournament

pytestmark = pytest.mark.system

HEALTHY = "healthy"
GAMES = 2
TIMEOUT = 2.0

LOSES = {
    "dies": (End.crash, "out of stones"),
    "killed": (End.crash, "signal 9"),
    "closes-stdout": (End.crash, ""),
    "leaves-child": (End.crash, ""),
    "dies-at-play": (End.crash, ""),
    "hangs": (End.stall, "genmove"),
    "unended": (End.stall, "did not finish"),
    "id-before": (End.stall, "answered with the id of an earlier command"),
    "drips": (End.stall, "did not finish"),
    "floods": (End.flood, ""),
    "floods-answer": (End.flood, ""),
    "long-line": (End.flood, ""),
    "occupied": (End.illegal, "occupied"),
    "off-board": (End.illegal, "Z9"),
    "malformed": (End.illegal, "not a point"),
    "empty": (End.illegal, "nothing"),
    "names-colour": (End.illegal, "not a point"),
    "invalid-utf8": (End.illegal, "not a point"),
    "refuses-genmove": (End.refused, "no idea"),
    "rejects": (End.rejected, "illegal move"),
    "refuses-play": (End.rejected, "cannot place"),
}
"""What an engine does at its third genmove, how that ends the game, and a word of the reason."""
SURVIVES = {
    "logs": "outside an answer",
    "blank-line": "",
    "stderr": "",
    "strange-id": "answered with an id that no command had",
    "drops-id": "answered without the command's id",
    "stale-id": "answered with the id of an earlier command",
    "tab-cr": "",
    "no-id": "id",
    "constant-id": "id",
    "banner": "outside an answer",
    "protocol-2.0": "",
    "unknown": "",
    "plays-on": "",
    "never-quits": "",
    "slow-quit": "",
    "ignores-clear": "",
    "crashes-at-end": "",
    "crashes-at-score": "after the game",
}
"""What an engine does that must not change who wins, and a word of the note about it."""


def name(how: str) -> str:
    return how.replace(".", "-")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[GameResult]:
    """Return the games of all sick engines against a healthy one, each engine with either colour."""
    engines = [f"{HEALTHY}={command(seed=1)}"]
    engines += [f"{name(how)}={command(how, seed=2)}" for how in (*LOSES, *SURVIVES)]
    engines += [f"{how}={command(how)}" for how in ("resign", "RESIGN", "Resign")]
    given = {"engine": engines, "games": GAMES, "size": 5, "pairing": "gauntlet", "jobs": 4, "timeout": TIMEOUT}
    folder = tmp_path_factory.mktemp("sick") / "run"
    report = run_tournament(load_config(None, given), folder, Shard(), lambda line: None, quiet=True)
    assert report.complete and not report.stopped_by
    assert len(list((folder / "games").glob("*.sgf"))) == len(report.results)
    return list(report.results)


def of(games: list[GameResult], engine: str) -> list[GameResult]:
    return [game for game in games if name(engine) in (game.black, game.white)]


def test_every_game_is_there_once(games: list[GameResult]) -> None:
    wanted = GAMES * (len(LOSES) + len(SURVIVES) + 3)
    assert sorted(game.game for game in games) == list(range(1, wanted + 1))
    assert set(Counter(game.pair for game in games).values()) == {2}


@pytest.mark.parametrize("how", LOSES)
def test_a_fault_loses_the_game_for_its_engine(games: list[GameResult], how: str) -> None:
    end, word = LOSES[how]
    for game in of(games, how):
        assert (game.end, game.culprit) == (end, name(how)), game
        assert game.score == (1.0 if game.black == HEALTHY else 0.0)
        assert word in game.what, game


@pytest.mark.parametrize("how", SURVIVES)
def test_an_oddity_does_not_change_the_verdict(games: list[GameResult], how: str) -> None:
    found = of(games, how)
    for game in found:
        assert game.end is End.score and not game.fault, game
        assert game.score is not None
    if word := SURVIVES[how]:
        assert any(word in note for game in found for note in game.notes), found


@pytest.mark.parametrize("how", ["resign", "RESIGN", "Resign"])
def test_resigning_loses_in_any_case(games: list[GameResult], how: str) -> None:
    for game in of(games, how):
        assert game.end is End.resign and not game.fault
        assert game.result == ("B+R" if game.black == HEALTHY else "W+R")


def run(tmp_path: Path, engines: list[str], **settings: object) -> list[GameResult]:
    given = {"engine": engines, "games": 2, "size": 5, "timeout": TIMEOUT, "openings": "none", **settings}
    config = load_config(None, given)
    report = run_tournament(config, tmp_path / "run", Shard(), lambda line: None, quiet=True)
    return sorted(report.results, key=lambda game: game.game)


def won_by_black(tmp_path: Path, how: str, **settings: object) -> GameResult:
    """Let black take the whole board, 25 - 7.5 points, against an engine that counts it in its own way."""
    black, white = f"b={command(moves='B1 A2')}", f"w={command(how, moves='A1')}"
    (game,) = run(tmp_path, [black, white], games=1, **settings)
    return game


@pytest.mark.smoke
def test_our_own_count_settles_a_dispute(tmp_path: Path) -> None:
    game = won_by_black(tmp_path, "wrong-dead")
    assert (game.end, game.result, game.score) == (End.score, "B+17.5", 1.0)
    assert game.what == "black counts B+17.5, white W+7.5; gotools counts B+17.5"
    assert game.what in (tmp_path / "run/games/0001.sgf").read_text()


def test_a_dispute_that_our_own_count_cannot_settle_has_no_result(tmp_path: Path) -> None:
    """The players pass in the middle of a fight, whose end depends on who plays better."""
    black, white = command(moves="A3 D5 C1 D3 A4"), command("wrong-dead", moves="D1 C5 B2 D4")
    (game,) = run(tmp_path, [f"b={black}", f"w={white}"], games=1, komi=0.5)
    assert (game.end, game.result, game.score) == (End.dispute, "?", None)
    assert game.what == "black counts B+0.5, white W+0.5; gotools counts B+24.5 or W+2.5 or B+2.5"


def test_a_referee_decides_a_dispute(tmp_path: Path) -> None:
    game = won_by_black(tmp_path, "wrong-dead", referee=f"judge={command()}")
    assert (game.end, game.result) == (End.score, "B+17.5")
    assert "the referee counts B+17.5" in game.what


@pytest.mark.parametrize("how", ["dies-at-play", "rejects", "hangs", "wrong-dead"])
def test_a_referee_that_fails_has_no_voice_and_nobody_else_is_blamed(tmp_path: Path, how: str) -> None:
    game = won_by_black(tmp_path, "wrong-dead", referee=f"judge={command(how, at=1)}")
    if how in ("hangs", "wrong-dead"):  # hangs at genmove only, which a referee is never asked
        assert game.end is End.score and "the referee counts" in game.what
    else:
        assert (game.end, game.result, game.fault) == (End.score, "B+17.5", "")
        assert game.what == "black counts B+17.5, white W+7.5; gotools counts B+17.5"


def test_all_stones_live_where_the_settings_say_so(tmp_path: Path) -> None:
    game = won_by_black(tmp_path, "wrong-dead", dead="none")
    assert (game.end, game.result) == (End.score, "B+17.5")


def test_a_final_score_of_another_winner_is_reported_and_not_believed(tmp_path: Path) -> None:
    game = won_by_black(tmp_path, "wrong-score")
    assert (game.end, game.result) == (End.score, "B+17.5")
    assert any("final_score is W+99.5" in note for note in game.notes)


def test_overspent_time_is_lost_and_the_engine_lives_on(tmp_path: Path) -> None:
    quick, slow = f"quick={command()}", f"slow={command('overspends', at=2, overspend=0.5)}"
    for game in run(tmp_path, [quick, slow], time="0.1s/move", margin=0.1):
        assert (game.end, game.culprit) == (End.time, "slow")
        assert game.result == ("B+T" if game.black == "quick" else "W+T")
        side = 0 if game.black == "slow" else 1
        assert game.slowest[side] >= 0.5


def test_hanging_on_a_clock_is_a_stall_soon_after_it_has_run_out(tmp_path: Path) -> None:
    quick, stuck = f"quick={command()}", f"stuck={command('hangs', at=1)}"
    for game in run(tmp_path, [quick, stuck], time="0.1s/move", timeout=0.5):
        assert (game.end, game.culprit) == (End.stall, "stuck")


@pytest.mark.parametrize(
    ("rules", "end"),
    [("chinese", End.illegal), ("tromp-taylor", End.score), ({"name": "chinese", "suicide": True}, End.score)],
)
def test_suicide_is_illegal_or_not_by_the_rules(tmp_path: Path, rules: str | dict[str, object], end: End) -> None:
    """The game is read back as it was played: RU says that suicide is legal."""
    black = f"b={command('allows-all', moves='B1 B2 A3')}"
    white = f"w={command('allows-all', moves='A1 E5 A2')}"
    (game,) = run(tmp_path, [black, white], games=1, rules=rules)
    assert game.end is end, game
    if end is End.illegal:
        assert game.culprit == "w" and "suicide" in game.what
    (file,) = (tmp_path / "run").rglob("*.sgf")
    (record,) = read_games(file.read_bytes(), file.name, GO)
    assert isinstance(record, Record) and len(record.moves) > 2 and replay(record).illegal == [""]


@pytest.mark.parametrize(
    ("rules", "end", "plies"),
    [("chinese", End.cycle, 13), ("tromp-taylor", End.illegal, 6), ("aga", End.illegal, 6)],
)
def test_endless_cycles_end_by_the_rules(tmp_path: Path, rules: str, end: End, plies: int) -> None:
    """On 2x2 this play comes back to black's single stone at A1 every six moves."""
    black = f"b={command('allows-all', moves='A1 A2 A1 A1 A2 A1 A1 A2 A1')}"
    white = f"w={command('allows-all', moves='B1 B2 A2 B1 B2 A2 B1 B2 A2')}"
    (game,) = run(tmp_path, [black, white], games=1, rules=rules, size=2, max_moves=100)
    assert game.end is end and len(game.moves.split()) == plies, game
    if end is End.cycle:
        assert game.result == "Void" and not game.fault
    else:
        assert game.culprit == "b" and "superko" in game.what


def test_a_crash_may_be_void_by_the_settings(tmp_path: Path) -> None:
    for game in run(tmp_path, [f"a={command()}", f"b={command('dies')}"], on_crash="void"):
        assert (game.result, game.end, game.culprit) == ("Void", End.crash, "b")


def test_the_longest_game_is_counted_as_it_stands(tmp_path: Path) -> None:
    for game in run(tmp_path, [f"a={command()}", f"b={command()}"], max_moves=7):
        assert game.end is End.moves and len(game.moves.split()) == 7 and game.score is not None


@pytest.mark.parametrize("how", ["wont-start", "no-boardsize", "no-komi"])
def test_an_engine_that_cannot_begin_stops_all_before_any_game(tmp_path: Path, how: str) -> None:
    with pytest.raises(ConfigError, match="sick"):
        run(tmp_path, [f"a={command()}", f"sick={command(how)}"])
    assert not list((tmp_path / "run/games").iterdir())


def test_an_engine_that_moves_for_the_wrong_colour_harms_nobody_else(tmp_path: Path) -> None:
    """Its board is no longer ours: what comes of that, a refused or an illegal move, is its own fault."""
    for game in run(tmp_path, [f"a={command(seed=1)}", f"sick={command('wrong-colour', seed=2)}"], size=7):
        assert game.culprit in ("", "sick"), game
        assert game.score is not None or game.end is End.dispute


def test_processes_that_do_not_want_to_end_are_gone_after_the_run(tmp_path: Path) -> None:
    pids = {how: tmp_path / how for how in ("never-quits", "leaves-child", "closes-stdout", "hangs")}
    engines = [f"{how}={command(how, pid=pid)}" for how, pid in pids.items()]
    run(tmp_path, [f"a={command(seed=1)}", *engines], pairing="gauntlet", jobs=2)
    numbers = [int(path.read_text()) for path in tmp_path.iterdir() if path.is_file()]
    assert len(numbers) >= len(engines)
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
