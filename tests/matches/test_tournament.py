"""`gotools tournament` as a user runs it: settings, openings, real engines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support import forked
from support.needs import needs_gnugo
from support.scripted_engine import command
from support.tournament_runs import GOTOOLS, A, B, games, run

pytestmark = pytest.mark.system

# settings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--time", "soon"], "5m+10s"),
        (["--rules", "chines"], "rules: name: there is no 'chines'"),
        (["--rules", "chines"], "did you mean 'chinese'?"),
        (["--pairing", "roundrobbin"], "'roundrobin', 'gauntlet', 'playoff'"),
        (["--size", "3.5"], "--size"),
        (["--komi", "seven"], "--komi"),
        (["--size", "20"], "--size"),
        (["--sprt", "elo0=5,elo1=0"], "elo0"),
        (["--sprt", "elo=5"], "elo0"),
        (["--shard", "3/2"], "2/4"),
        (["--handicap", "2"], "handicap: 0, or from 2 on"),
        (["--engine", "c=gotools:rule=x"], "did you mean 'rules'?"),
        (["--engine", A], "two engines have the name 'a'"),
        (["--engine", "c='unfinished"], "split"),
        (["--require", "h1"], "--sprt"),
        (["--openings", "no-such-folder"], "no-such-folder"),
        (["--engine", "c=no-such-program"], "no-such-program"),
        (["--engine", f"c={command('wont-start')}"], "c fails before the first game"),
        (["--engine", f"c={command('deaf')}", "--start-timeout", "0.5"], "gave no answer to `protocol_version`"),
    ],
)
def test_wrong_settings_end_with_code_2_before_any_game(tmp_path: Path, more: list[str], message: str) -> None:
    folder = tmp_path / "run"
    done = run(folder, "--games", "2", *more)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 4
    assert not list(folder.glob("games/*"))


def test_a_file_holds_all_settings_and_options_prevail(tmp_path: Path) -> None:
    settings = tmp_path / "match.toml"
    settings.write_text(
        f"""
        games = 4
        size = 5
        komi = 0.5
        pairing = "gauntlet"
        time = "10s/move"
        rules = {{ name = "tromp-taylor", suicide = false }}
        [[engine]]
        name = "first"
        command = {json.dumps(command(seed=1))}
        startup = ["komi 3"]
        environment = {{ NOTHING = "1" }}
        [[engine]]
        name = "second"
        command = {json.dumps(command(seed=2).replace("'", "").split())}
        [[engine]]
        name = "third"
        command = {json.dumps(command(seed=3))}
        [gates]
        max_crashes = 0
        """
    )
    words = [*GOTOOLS, "--config", str(settings), "--games", "2", "--dry-run"]
    shown = forked.run(words, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "4 games, 5x5, komi 0.5, tromp-taylor rules, clock 10s/move" in shown.stderr
    assert all("first" in line.split("\t")[2:4] for line in shown.stdout.splitlines()[1:])
    done = forked.run(
        [*GOTOOLS, "--config", str(settings), "-o", str(tmp_path / "run"), "-q"], capture_output=True, text=True
    )
    assert done.returncode == 0 and len(games(tmp_path / "run")) == 8, done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("komy = 4", "did you mean 'komi'?"),
        ("[[engine]]\nnmae = 'x'\ncommand = 'y'", "did you mean 'name'?"),
        ("[gates]\nmax_crash = 1", "did you mean 'max_crashes'?"),
        ("games = 'many'", "games: 'many'"),
        ("games = 4\ngames = 5", "not TOML"),
        ("time = 'soon'", "time: "),
        ("time_budget = 'soon'", "time_budget: 'soon' is not a length of time"),
        ("sprt = { elo0 = 5, elo1 = 0 }", "sprt: "),
        ("engine = 'x'", "[[engine]]"),
        ("pairing = 'swiss'", "roundrobin"),
        ("pairing = 'playoff'\npairs = [['a', 'd']]", "no engine 'd'"),
        ("sprt = { elo0 = 0, elo2 = 5 }", "did you mean"),
        ("sprt = { elo0 = 'none', elo1 = 5 }", "sprt: elo0: 'none' is not a number"),
        ("rules = { name = ['chinese'] }", "match.toml:1: rules: name: there is no '['chinese']'"),
        ("rules = { ko = 'positionl' }", "did you mean 'positional'?"),
        ("rules = { suicide = 3 }", "rules: suicide: 3 is neither true nor false"),
        ("gates = { require = 'h2' }", "require: there is no 'h2'; did you mean 'h1'?"),
        (f"games = '{'9' * 5000}'", "..."),
        ("komi = true", "komi: True is not a number"),
    ],
)
def test_mistakes_in_a_file_are_named(tmp_path: Path, text: str, message: str) -> None:
    settings = tmp_path / "match.toml"
    settings.write_text(text)
    done = run(tmp_path / "run", "--config", str(settings))
    assert done.returncode == 2 and message in done.stderr and "match.toml" in done.stderr, done.stderr
    assert len(done.stderr) < 400


def test_a_playoff_plays_its_pairs_only(tmp_path: Path) -> None:
    settings = tmp_path / "match.toml"
    settings.write_text("games = 2\npairing = 'playoff'\npairs = [['a', 'c'], ['b', 'c']]")
    shown = run(tmp_path / "run", "--config", str(settings), "--dry-run", engines=(A, B, f"c={command()}"))
    players = [set(line.split("\t")[2:4]) for line in shown.stdout.splitlines()[1:]]
    assert players == [{"a", "c"}, {"a", "c"}, {"b", "c"}, {"b", "c"}]


def test_openings_come_from_games(tmp_path: Path) -> None:
    source = tmp_path / "games"
    source.mkdir()
    (source / "1.sgf").write_text("(;SZ[5]GM[1];B[aa];W[bb];B[cc];W[dd];B[ee])")
    (source / "2.sgf").write_text("(;SZ[5]GM[1];B[ee];W[dd];B[cc];W[bb];B[aa])")  # the same, turned
    (source / "3.sgf").write_text("(;SZ[5]GM[1];B[cc];W[bb];B[dd];W[bd];B[ee])")
    shown = run(tmp_path / "run", "--openings", str(source), "--games", "6", "--dry-run")
    openings = [line.split("\t")[4] for line in shown.stdout.splitlines()[1:]]
    assert openings == ["A5 B4 C3 D2"] * 2 + ["C3 B4 D2 B2"] * 2 + ["A5 B4 C3 D2"] * 2


# real engines ---------------------------------------------------------------------------------------------------------


@needs_gnugo
def test_levels_of_gnu_go_play_a_match(tmp_path: Path) -> None:
    engines = tuple(f"level{level}=gnugo --mode gtp --level {level}" for level in (0, 1))
    folder = tmp_path / "run"
    done = forked.run(
        [*GOTOOLS, *(word for engine in engines for word in ("--engine", engine)), "--size", "7", "--games", "4",
         "--jobs", "2", "-o", str(folder), "--max-crashes", "0", "--max-illegal", "0", "--max-time-losses", "0",
         "--time", "5m"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = games(folder)
    assert len(found) == 4 and all(game["result"][:1] in "BW0" for game in found.values())
    assert re.search(r"level1 +4 +", done.stderr)


@pytest.mark.smoke
@needs_gnugo
def test_our_player_meets_gnu_go(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = forked.run(
        [*GOTOOLS, "--engine", "ours=gotools:nodes=200", "--engine", "gnugo --mode gtp --level 0", "--size", "5",
         "--games", "2", "-o", str(folder), "--max-crashes", "0", "--max-illegal", "0"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {game["black"] for game in games(folder).values()} == {"ours", "gnugo"}
