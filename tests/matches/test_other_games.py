"""Whole tournaments of games other than Go, by the command, with small scripted engines."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.records import texts_of
from support.small_game_engine import Connect4, TicTacToe, command
from support.tournament_results import game as result
from support.tournament_runs import lines

from gotools import cli
from gotools.base.errors import ConfigError
from gotools.game.game import find_game
from gotools.game.records.record import Problem, Record
from gotools.game.records.sgf import read_games
from gotools.game.table import GAMES, Place
from gotools.games.go.go import GO
from gotools.matches.config import config_of_journal, load_config
from gotools.matches.journal import merge_journals
from gotools.matches.report.duplicates import effective_games
from gotools.matches.schedule import Shard
from gotools.matches.tournament import plan_lines, report_of_folder
from gotools.ratings.reading.results import read_results

TIMES = ("seconds", "slowest", "contested_seconds")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", Place("nim_game:NIM", 1000))


def play(folder: Path, game: str, *more: str, engines: tuple[str, ...] = (), quiet: bool = True) -> int:
    """Run the command; the first engine takes wins that it sees."""
    engines = engines or (command(game=game, seed=1, wins=True), command(game=game, seed=2))
    words = [word for name, engine in zip("abc", engines, strict=False) for word in ("--engine", f"{name}={engine}")]
    return cli.run(["tournament", "--game", game, *words, "-o", str(folder), *more, *(["-q"] if quiet else [])])


def games(folder: Path) -> list[dict[str, Any]]:
    return [line for line in lines(folder) if "gotools" not in line]


def without_times(folder: Path) -> list[dict[str, Any]]:
    return [{key: value for key, value in game.items() if key not in TIMES} for game in games(folder)]


@pytest.mark.parametrize(("name", "twin"), [("connect4", Connect4), ("tictactoe", TicTacToe)])
def test_a_match_by_the_rules_of_the_game(name: str, twin: Any, tmp_path: Path) -> None:
    assert play(tmp_path, name, "--games", "12") == 0
    head = lines(tmp_path)[0]["plays"]
    assert head["game"] == name and head["size"] == twin.size
    assert not {"komi", "handicap", "rules", "dead", "referee"} & head.keys()
    played = games(tmp_path)
    assert [game["game"] for game in played] == list(range(1, 13)) and {game["game_name"] for game in played} == {name}
    for game in played:
        board, winner = twin(), None
        for ply, move in enumerate(game["moves"].split()):
            assert winner is None and move in board.legal()
            board.play(move, 1 + ply % 2)
            winner = board.winner(1 + ply % 2)
        assert winner is not None and game["result"] == ("0", "B+", "W+")[winner] and game["end"] == "score"
    for one, other in zip(played[::2], played[1::2], strict=True):  # colours exchanged over one opening
        assert one["black"] == other["white"] and one["moves"].split()[:4] == other["moves"].split()[:4]
    assert len({" ".join(game["moves"].split()[:4]) for game in played}) == 6


def test_nim_is_played_too_where_a_test_registers_it(tmp_path: Path) -> None:
    assert play(tmp_path, "nim", "--games", "4", "--openings", "none") == 0
    assert [game["end"] for game in games(tmp_path)] == ["score"] * 4
    assert "GM[1000]" in (tmp_path / "games/0001.sgf").read_text()


def test_a_record_of_each_game_that_is_read_back_and_refused_as_go(tmp_path: Path) -> None:
    assert play(tmp_path, "connect4", "--games", "4", "--time", "10s") == 0
    for game in games(tmp_path):
        data = (tmp_path / f"games/{game['game']:04d}.sgf").read_bytes()
        (found,) = read_games(data, "x.sgf", find_game("connect4"))
        assert isinstance(found, Record) and found.size == 7
        assert " ".join(move for _, move in texts_of(found, find_game("connect4"))) == game["moves"]
        assert found.moves[:, 0].tolist() == [1 + ply % 2 for ply in range(len(found.moves))]
        text = data.decode()
        for part in (
            "GM[1001]",
            f"GN[connect4, game {game['game']}, ",
            f"RE[{game['result']}]",
            "PB[",
            "TM[10]",
            "BL[",
        ):
            assert part in text, part
        (problem,) = read_games(data, "x.sgf", GO)
        assert isinstance(problem, Problem) and problem.what == "GM[1001] is not the game of Go"
    again = tmp_path / "again"
    assert play(again, "connect4", "--games", "4", "--openings", str(tmp_path / "games"), "--opening-moves", "9") == 0
    wanted = [game["moves"].split()[:9] for game in games(tmp_path)]
    assert [game["moves"].split()[:9] for game in games(again)[::2]] == wanted[:2]


def test_go_commands_refuse_such_a_record_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "tictactoe", "--games", "2") == 0
    assert cli.run(["sgf-to-examples", "--strict", str(tmp_path / "games/0001.sgf")]) == 1
    assert re.search(r"0001\.sgf:\d+: GM\[1002\] is not the game of Go$", capsys.readouterr().err.strip())


def test_a_run_goes_on_with_the_games_that_are_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert play(whole, "connect4", "--games", "8") == 0
    assert play(cut, "connect4", "--games", "4") == 0
    journal = cut / "results.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])  # a power cut in the last line
    assert play(cut, "connect4", "--games", "8") == 0
    assert without_times(cut) == without_times(whole)
    capsys.readouterr()
    for game, more in (("go", ["--size", "9"]), ("tictactoe", [])):
        assert play(cut, game, *more) == 2
        assert f'game was "connect4", is "{game}". Name a new folder' in capsys.readouterr().err
    report = report_of_folder(cut, lambda _: None)
    assert report.standings.played == 8 and report.duplicates.games == 8


def test_parts_are_joined_and_rated_from_journal_and_records_alike(tmp_path: Path) -> None:
    whole, parts, joined = tmp_path / "whole", [tmp_path / "1", tmp_path / "2"], tmp_path / "joined"
    assert play(whole, "tictactoe", "--games", "8") == 0
    for number, part in enumerate(parts, 1):
        assert play(part, "tictactoe", "--games", "8", "--shard", f"{number}/2") == 0
    assert merge_journals(parts, joined, lambda _: None) == 8
    assert {game["moves"] for game in games(joined)} == {game["moves"] for game in games(whole)}
    records = [str(path) for path in sorted((whole / "games").iterdir())]
    for paths in ([str(whole)], [str(joined)], records):
        tally = read_results(paths, lambda _: None)
        counts = Counter(game["result"][0] + (game["black"] if game["result"] != "0" else "") for game in games(whole))
        assert tally.games == 8 and not tally.excluded
        assert [kind.game for kind in tally.classes] == ["tictactoe"]
        assert tally.wins.sum() == counts["Ba"] + counts["Bb"] and tally.draws.sum() == counts["0"]
    with pytest.raises(ConfigError, match='game was "tictactoe", is "connect4"'):
        assert play(tmp_path / "other", "connect4", "--games", "2") == 0
        merge_journals([parts[0], tmp_path / "other"], tmp_path / "none", lambda _: None)


def test_a_journal_without_a_game_is_go(tmp_path: Path) -> None:
    given = {"engine": ["a=x", "b=y"]}
    go, other = load_config(None, given), load_config(None, {**given, "game": "connect4"})
    assert "game" not in go.identity() and config_of_journal(go.identity(), {}).game == "go"
    assert config_of_journal(other.identity(), {}) == load_config(None, {**given, "game": "connect4", "games": 100})
    assert other.size == 7 and go == load_config(None, {**given, "game": "go"})


def test_our_own_player_gets_the_game() -> None:
    given = {"engine": ["gotools:depth=4", "y"]}
    assert load_config(None, {**given, "game": "connect4"}).engines[0].words[1:] == [
        *("-m", "gotools", "gtp", "--quiet", "--game", "connect4", "--depth", "4")
    ]
    assert "--game" not in load_config(None, given).engines[0].words


@pytest.mark.parametrize(
    ("how", "end", "result", "what"),
    [
        ({"answer": "4", "at": 1}, "illegal", "F", "plays 4: not a legal move here"),
        ({"answer": "E5", "at": 2}, "illegal", "F", "plays E5: 'E5' is not a column of Connect-4 (1 to 7)"),
        ({"answer": "pass", "at": 2}, "illegal", "F", "plays pass: 'pass' is not a column of Connect-4 (1 to 7)"),
        ({"how": "dies"}, "crash", "F", "died at `genmove b` (exit code 3)"),
        ({"how": "refuses"}, "refused", "F", "no idea"),
        ({"how": "rejects"}, "rejected", "F", "illegal move"),
        ({"how": "sleeps"}, "time", "T", "took 1."),
        ({"resign-after": 3}, "resign", "R", "resigns"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
@pytest.mark.system
def test_faults_end_a_game_as_in_go(how: dict[str, Any], end: str, result: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "opening.sgf").write_text("(;GM[1001];B[4];W[4];B[4];W[4];B[4];W[4])")
    openings = [] if how.get("answer") != "4" else ["--openings", str(tmp_path / "opening.sgf"), "--opening-moves", "6"]
    engines = (command(seed=1, **how), command(seed=2))
    clock = ["--time", "0.5s/move", "--margin", "0"] if end == "time" else []
    assert play(tmp_path / "run", "connect4", "--games", "2", *openings, *clock, engines=engines) == 0
    first, second = games(tmp_path / "run")
    assert (first["result"], second["result"]) == (f"W+{result}", f"B+{result}")
    assert {first["end"], second["end"]} == {end} and what in first["what"], first
    assert (first["fault"], second["fault"]) == (("", "") if end == "resign" else ("b", "w"))


def test_a_game_that_reaches_the_limit_is_a_draw(tmp_path: Path) -> None:
    assert play(tmp_path, "connect4", "--games", "2", "--max-moves", "5") == 0
    assert [(game["result"], game["end"]) for game in games(tmp_path)] == [("0", "moves")] * 2
    assert [len(game["moves"].split()) for game in games(tmp_path)] == [5, 5]


def test_the_limit_of_the_rules_ends_a_game_by_the_rules(tmp_path: Path) -> None:
    engines = ("gotools:nodes=1", "gotools:nodes=1")
    assert play(tmp_path, "abalone:moves=9", "--games", "2", "--openings", "none", engines=engines) == 0
    ends = [(game["result"], game["end"], len(game["moves"].split())) for game in games(tmp_path)]
    assert ends == [("0", "score", 9)] * 2


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ({"game": "tictactoe"}, "engine a plays tictactoe, not connect4"),
        ({"plays-game": "Go"}, "engine a plays Go, not connect4"),
        ({"how": "no-size"}, "engine a fails before the first game: .*unacceptable size"),
        ({"game": "tictactoe", "how": "no-id"}, "engine a fails before the first game: .*unacceptable size"),
    ],
)
def test_an_engine_of_another_game_or_size_is_refused_at_its_start(
    engine: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, "connect4", engines=(command(**engine), command(seed=2))) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert re.match("gotools tournament: " + message, line), line
    assert not games(tmp_path)


def test_how_an_engine_writes_the_game_does_not_matter_nor_whether_it_says_it(tmp_path: Path) -> None:
    engines = (command(seed=1, plays_game="Connect-4"), command("no-id", seed=2))
    assert play(tmp_path, "connect4", "--games", "2", engines=engines) == 0


def test_an_engine_that_keeps_its_board_is_started_again(tmp_path: Path) -> None:
    engines = (command("keeps-board", seed=1), command(seed=2))
    assert play(tmp_path, "connect4", "--games", "4", engines=engines) == 0
    assert {game["end"] for game in games(tmp_path)} == {"score"}
    sides = [(game["notes"], "black" if game["black"] == "a" else "white") for game in games(tmp_path)[1:]]
    assert all(notes == [f"{side}: restarted: clear_board left moves on the board"] for notes, side in sides), sides


def test_a_go_tournament_refuses_an_engine_of_another_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "go", engines=(command(seed=1), command(seed=2))) == 2
    assert "engine a plays connect4, not go" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "conect4"}, "game: there is no 'conect4'; did you mean 'connect4'?"),
        ({"game": 4}, "game: there is no '4'; there are go, tictactoe, connect4, abalone, shogi, nim"),
        ({"game": "connect4", "size": 9}, "size: connect4 has size 7, not 9"),
        *(
            ({"game": "connect4", key: value}, f"{key}: has no meaning in connect4; leave it out")
            for key, value in {"komi": 0, "handicap": 0, "rules": "chinese", "dead": "none", "referee": "x"}.items()
        ),
    ],
)
def test_settings_that_mean_nothing(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_config(None, {"engine": ["a=x", "b=y"], **settings})
    assert str(error.value) == message


def test_the_plan_says_when_openings_come_again() -> None:
    said: list[str] = []
    given = {"engine": ["a=x", "b=y"], "game": "tictactoe", "games": 200, "opening_moves": 3}
    rows = plan_lines(load_config(None, given), Shard(), said.append)
    assert len(rows) == 201 and len({row.split("\t")[4] for row in rows[1:]}) == 38
    assert said[0] == "38 openings of 3 moves for 100 pairs of games: some come again (opening_moves)"
    assert said[1] == "200 games of tictactoe, size 3, clock none, 1 at once"
    for row in rows[1:]:
        assert len(row.split("\t")[4].split()) == 3 and all(
            move in TicTacToe.moves for move in row.split("\t")[4].split()
        )


def test_games_with_the_same_moves_or_their_mirror_images_count_once() -> None:
    moves = ["4 4 3 3 2 1 5", "4 4 3 3 2 1 5", "4 4 3 3 2 6 1 7 5", "1 2 3 4 5 6 7", "7 6 5 4 3 2 1", "7 6 5 1 2 3 4"]
    results = [
        result(2 * i + 1, "a", "b", "B+", moves=text, size=7, komi=0.0, game_name="connect4")
        for i, text in enumerate(moves)
    ]
    found = effective_games(results)
    assert (found.games, found.distinct, found.exact, found.groups) == (6, 4, 2, ((1, 3), (7, 9)))


def test_all_turns_of_a_game_of_tictactoe_are_one_game_and_other_starts_are_others() -> None:
    def turned(x: int, y: int, turn: int) -> str:
        for _ in range(turn % 4):
            x, y = y, 2 - x
        return f"{'abc'[2 - x if turn > 3 else x]}{y + 1}"

    cells = [(0, 0), (1, 1), (2, 0), (1, 0), (1, 2)]
    results = [
        result(
            turn + 1, "a", "b", "B+", moves=" ".join(turned(x, y, turn) for x, y in cells), size=3, komi=0.0,
            game_name="tictactoe",
        )
        for turn in range(8)
    ]  # fmt: skip
    assert effective_games(results).distinct == 1
    starts = [
        result(number, "a", "b", "B+", moves="", size=9, komi=0.0, game_name="abalone", setting=start)
        for number, start in enumerate(("", "belgian-daisy", "belgian-daisy"), 1)
    ]
    assert effective_games(starts).groups == ((2, 3),)


def test_every_game_of_gotools_has_a_number_of_its_own_for_records() -> None:
    numbers = [GAMES[name].sgf for name in GAMES]
    assert len(set(numbers)) == len(numbers) and all(number > 0 for number in numbers)
