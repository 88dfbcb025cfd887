"""Runs of `gotools tournament` that are killed and resumed, and shards: every game is there once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import forked
from support.scripted_engine import command
from support.tournament_runs import GAMES, GOTOOLS, TIMES, A, arguments, games, lines, run, table, wait_for_games
from support.written_json import read_json

from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.go.go import GO

pytestmark = pytest.mark.system


def test_a_run_leaves_a_line_and_a_record_of_each_game(undisturbed: Path) -> None:
    found = games(undisturbed)
    assert sorted(found) == list(range(1, int(GAMES) + 1))
    for number, game in found.items():
        (record,) = read_games((undisturbed / f"games/{number:04d}.sgf").read_bytes(), "x", GO)
        assert isinstance(record, Record)
        assert record.players == (game["black"], game["white"])
        assert (record.result, record.size, record.komi) == (game["result"], 5, 7.5)
        assert len(record.moves) == len(game["moves"].split())
        assert "black: scripted 1.0;" in (undisturbed / f"games/{number:04d}.sgf").read_text()
    pairs = [(found[n]["opening"], found[n]["moves"].split()[:2]) for n in (1, 2)]
    assert pairs[0] == pairs[1] and pairs[0][0] == 2
    assert (found[1]["black"], found[2]["black"]) == ("a", "b")


def test_after_many_kills_every_game_is_there_once_and_the_table_the_same(undisturbed: Path, tmp_path: Path) -> None:
    folder, chance, kills = tmp_path / "run", random.Random(5), 0
    while kills < 6:
        words = arguments(folder, "--games", GAMES, "--jobs", "2")
        with forked.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            wait_for_games(folder, chance.randint(1, 5), process)
            time.sleep(chance.random() / 20)
            process.kill()
        kills += 1
        if (folder / "results.jsonl").exists():
            assert all("black" in line or "gotools" in line for line in lines(folder))
    done = run(folder, "--games", GAMES, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert games(folder) == games(undisturbed)
    assert table(folder) == table(undisturbed)


@pytest.mark.smoke
def test_half_a_line_is_moved_aside_and_its_game_played_again(undisturbed: Path, tmp_path: Path) -> None:
    whole = (undisturbed / "results.jsonl").read_bytes()
    for cut in (3, 40, 200):
        folder = tmp_path / str(cut)
        (folder / "games").mkdir(parents=True)
        (folder / "results.jsonl").write_bytes(whole[:-cut])
        done = run(folder, "--games", GAMES)
        assert (
            done.returncode == 0
            and f"results.jsonl:{int(GAMES) + 1}" in done.stderr
            and "a partial line" in done.stderr
        )
        assert games(folder) == games(undisturbed)
        assert whole.splitlines()[-1].startswith((folder / "results.jsonl.torn").read_bytes()[:-1])


def test_a_record_that_a_kill_cut_off_is_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    others = [folder / "games" / name for name in (".0001.sgf.swp", ".notes.sgf.abcdefgh", ".0001.sgf.abcdefgh.bak")]
    for path in others:
        path.write_text("mine")
    program = (
        "import os, sys; from gotools.files.opening import open_output\n"
        "with open_output(sys.argv[1]) as out: out.write(b'(;'); out.flush(); os.kill(os.getpid(), 9)"
    )
    for number in (1, 12345):
        killed = subprocess.run([sys.executable, "-c", program, str(folder / f"games/{number:04d}.sgf")])
        assert killed.returncode == -signal.SIGKILL
    assert len(list((folder / "games").iterdir())) == 5
    done = run(folder, "--games", "2")
    assert done.returncode == 0, done.stderr
    found = {path.name for path in (folder / "games").iterdir()}
    assert found == {"0001.sgf", "0002.sgf", *(path.name for path in others)}


def test_broken_lines_are_reported_and_kept_and_their_games_played_again(undisturbed: Path, tmp_path: Path) -> None:
    whole = (undisturbed / "results.jsonl").read_bytes().splitlines(keepends=True)
    broken = [whole[0], whole[1], b"not json\n", b'{"game":2,"black":"a"}\n', b"\xff\xfe\n", *whole[3:]]
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    (folder / "results.jsonl").write_bytes(b"".join(broken))
    done = run(folder, "--games", GAMES)
    assert done.returncode == 0
    for number in (3, 4, 5):
        assert f"results.jsonl:{number}: " in done.stderr
    data = (folder / "results.jsonl").read_bytes()
    assert data.startswith(b"".join(broken))
    (added,) = data[len(b"".join(broken)) :].splitlines()
    wanted = games(undisturbed)[2]
    assert {key: value for key, value in read_json(added).items() if key not in TIMES} == wanted


def test_a_run_goes_on_with_the_same_settings_only(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run(folder, "--games", "4").returncode == 0
    before = (folder / "results.jsonl").read_bytes()
    for more, word in (
        (["--komi", "5.5"], "komi was 7.5, is 5.5"),
        (["--time", "5m"], 'time was "none", is "5m"'),
        (["--seed", "9"], "seed was 0, is 9"),
    ):
        refused = run(folder, "--games", "4", *more)
        assert refused.returncode == 2 and word in refused.stderr, refused.stderr
        assert (folder / "results.jsonl").read_bytes() == before
    other = run(folder, "--games", "4", engines=(A, f"b={command(seed=3)}"))
    assert other.returncode == 2 and "engine b: command was" in other.stderr
    longer = run(folder, "--games", "8", "--jobs", "2")
    assert longer.returncode == 0 and sorted(games(folder)) == list(range(1, 9))
    assert (folder / "results.jsonl").read_bytes().startswith(before)


def test_an_engine_that_did_not_start_binds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run(folder, "--games", "2", engines=(A, "b=no-such-program")).returncode == 2
    done = run(folder, "--games", "2")
    assert done.returncode == 0, done.stderr
    assert len(games(folder)) == 2


def test_shards_put_together_are_the_whole(undisturbed: Path, tmp_path: Path) -> None:
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        assert run(part, "--games", GAMES, "--shard", f"{number}/3").returncode == 0
    whole = tmp_path / "whole"
    merged = forked.run([*GOTOOLS, "merge", *map(str, parts[:2]), "-o", str(whole)], capture_output=True, text=True)
    assert merged.returncode == 0, merged.stderr
    assert len(games(whole)) == int(GAMES) * 2 // 3
    done = run(whole, "--games", GAMES)  # plays what is missing
    assert done.returncode == 0 and games(whole) == games(undisturbed) and table(whole) == table(undisturbed)
    assert len(list((whole / "games").iterdir())) == int(GAMES)
    other = tmp_path / "other"
    assert run(other, "--games", "2", "--komi", "0.5").returncode == 0
    refused = forked.run(
        [*GOTOOLS, "merge", str(parts[0]), str(other), "-o", str(tmp_path / "no")], capture_output=True, text=True
    )
    assert refused.returncode == 2 and "komi was 7.5, is 0.5" in refused.stderr


def test_the_number_of_games_at_once_makes_no_difference(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run(folder, "--games", GAMES, "--jobs", "5").returncode == 0
    assert games(folder) == games(undisturbed)


def test_dry_run_prints_the_schedule_and_plays_nothing(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shown = run(folder, "--games", GAMES, "--dry-run")
    rows = [line.split("\t") for line in shown.stdout.splitlines()[1:]]
    assert not folder.exists() and len(rows) == int(GAMES)
    for number, pair, black, white, opening, _ in rows:
        game = games(undisturbed)[int(number)]
        assert (game["pair"], game["black"], game["white"]) == (int(pair), black, white)
        assert game["moves"].startswith(opening)
    assert f"{GAMES} games, 5x5, komi 7.5, chinese rules" in shown.stderr
