"""`gotools tournament` as a user runs it: runs that are cut off and taken up, shards, settings, gates, exit codes."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.needs import needs_gnugo
from support.scripted_engine import command

from gotools.go.records.sgf import read_games

GOTOOLS = [sys.executable, "-m", "gotools", "tournament"]
A, B = f"a={command(seed=1)}", f"b={command(seed=2)}"
SMALL = ["--size", "5", "--timeout", "5"]
TIMES = ("seconds", "slowest")


def arguments(folder: Path, *more: str, engines: tuple[str, ...] = (A, B)) -> list[str]:
    words = [word for engine in engines for word in ("--engine", engine)]
    return [*GOTOOLS, *words, *SMALL, "-o", str(folder), *more]


def run(folder: Path, *more: str, engines: tuple[str, ...] = (A, B)) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments(folder, *more, engines=engines), capture_output=True, text=True, timeout=120)


def lines(folder: Path) -> list[dict[str, Any]]:
    """Return every line of a journal; each must be JSON."""
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def games(folder: Path) -> dict[int, dict[str, Any]]:
    """Return the games of a journal by number, without what the clock decides; none may stand there twice."""
    found = [line for line in lines(folder) if "gotools" not in line]
    assert len({line["game"] for line in found}) == len(found)
    return {line["game"]: {key: value for key, value in line.items() if key not in TIMES} for line in found}


def table(folder: Path) -> str:
    """Return the standings without the times."""
    shown = subprocess.run([*GOTOOLS, "status", str(folder), "--json"], capture_output=True, text=True, check=True)
    return without_times(json.loads(shown.stdout))


def without_times(summary: dict[str, Any]) -> str:
    del summary["games_a_minute"]
    for engine in summary["engines"]:
        for key in ("seconds", "seconds_per_move", "slowest_move"):
            del engine[key]
    return json.dumps(summary)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of 60 games that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done = run(folder, "--games", "60")
    assert done.returncode == 0, done.stderr
    return folder


def test_a_run_leaves_a_line_and_a_record_of_each_game(undisturbed: Path) -> None:
    found = games(undisturbed)
    assert sorted(found) == list(range(1, 61))
    for number, game in found.items():
        (record,) = read_games((undisturbed / f"games/{number:04d}.sgf").read_bytes(), "x")
        assert record.players == (game["black"], game["white"])
        assert (record.result, record.size, record.komi) == (game["result"], 5, 7.5)
        assert len(record.moves) == len(game["moves"].split())
        assert "black: scripted 1.0;" in (undisturbed / f"games/{number:04d}.sgf").read_text()
    pairs = [(found[n]["opening"], found[n]["moves"].split()[:2]) for n in (1, 2)]
    assert pairs[0] == pairs[1] and pairs[0][0] == 2
    assert (found[1]["black"], found[2]["black"]) == ("a", "b")


def test_after_many_kills_every_game_is_there_once_and_the_table_the_same(undisturbed: Path, tmp_path: Path) -> None:
    folder, chance, kills = tmp_path / "run", random.Random(5), 0
    while kills < 12:
        with subprocess.Popen(
            arguments(folder, "--games", "60", "--jobs", "2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            wait_for_games(folder, chance.randint(1, 5), process)
            time.sleep(chance.random() / 20)
            process.kill()
        kills += 1
        if (folder / "results.jsonl").exists():
            assert all("black" in line or "gotools" in line for line in lines(folder))
    done = run(folder, "--games", "60", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert games(folder) == games(undisturbed)
    assert table(folder) == table(undisturbed)


def wait_for_games(folder: Path, more: int, process: subprocess.Popen[str]) -> None:
    """Wait until a run has some more lines in its journal, or is over."""
    path = folder / "results.jsonl"
    wanted = (path.read_bytes().count(b"\n") if path.exists() else 0) + more
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= wanted):
        time.sleep(0.005)


def test_half_a_line_is_moved_aside_and_its_game_played_again(undisturbed: Path, tmp_path: Path) -> None:
    whole = (undisturbed / "results.jsonl").read_bytes()
    for cut in (3, 40, 200):
        folder = tmp_path / str(cut)
        (folder / "games").mkdir(parents=True)
        (folder / "results.jsonl").write_bytes(whole[:-cut])
        done = run(folder, "--games", "60")
        assert done.returncode == 0 and "results.jsonl:61" in done.stderr and "a partial line" in done.stderr
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


def test_broken_lines_are_told_kept_and_their_games_played_again(undisturbed: Path, tmp_path: Path) -> None:
    whole = (undisturbed / "results.jsonl").read_bytes().splitlines(keepends=True)
    broken = [whole[0], whole[1], b"not json\n", b'{"game":2,"black":"a"}\n', b"\xff\xfe\n", *whole[3:]]
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    (folder / "results.jsonl").write_bytes(b"".join(broken))
    done = run(folder, "--games", "60")
    assert done.returncode == 0
    for number in (3, 4, 5):
        assert f"results.jsonl:{number}: " in done.stderr
    data = (folder / "results.jsonl").read_bytes()
    assert data.startswith(b"".join(broken))
    (added,) = data[len(b"".join(broken)) :].splitlines()
    wanted = games(undisturbed)[2]
    assert {key: value for key, value in json.loads(added).items() if key not in TIMES} == wanted


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
    more = run(folder, "--games", "8", "--jobs", "2")
    assert more.returncode == 0 and sorted(games(folder)) == list(range(1, 9))
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
        assert run(part, "--games", "60", "--shard", f"{number}/3").returncode == 0
    whole = tmp_path / "whole"
    merged = subprocess.run([*GOTOOLS, "merge", *map(str, parts[:2]), "-o", str(whole)], capture_output=True, text=True)
    assert merged.returncode == 0, merged.stderr
    assert len(games(whole)) == 40
    done = run(whole, "--games", "60")  # plays what is missing
    assert done.returncode == 0 and games(whole) == games(undisturbed) and table(whole) == table(undisturbed)
    assert len(list((whole / "games").iterdir())) == 60
    other = tmp_path / "other"
    assert run(other, "--games", "2", "--komi", "0.5").returncode == 0
    refused = subprocess.run(
        [*GOTOOLS, "merge", str(parts[0]), str(other), "-o", str(tmp_path / "no")], capture_output=True, text=True
    )
    assert refused.returncode == 2 and "komi was 7.5, is 0.5" in refused.stderr


def test_the_number_of_games_at_once_makes_no_difference(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run(folder, "--games", "60", "--jobs", "5").returncode == 0
    assert games(folder) == games(undisturbed)


def test_dry_run_prints_the_schedule_and_plays_nothing(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shown = run(folder, "--games", "60", "--dry-run")
    rows = [line.split("\t") for line in shown.stdout.splitlines()[1:]]
    assert not folder.exists() and len(rows) == 60
    for number, pair, black, white, opening, _ in rows:
        game = games(undisturbed)[int(number)]
        assert (game["pair"], game["black"], game["white"]) == (int(pair), black, white)
        assert game["moves"].startswith(opening)
    assert "60 games, 5x5, komi 7.5, chinese rules" in shown.stderr


# endings --------------------------------------------------------------------------------------------------------------

STRONG, WEAK = f"strong={command()}", f"weak={command('resign', at=1)}"


def test_a_test_ends_the_run_when_it_is_decided(tmp_path: Path) -> None:
    folder, summary = tmp_path / "run", tmp_path / "summary.json"
    test = ["--sprt", "elo0=0,elo1=50", "--games", "1000", "--jobs", "3", "--summary", str(summary)]
    won = run(folder, *test, "--require", "h1", engines=(STRONG, WEAK))
    assert won.returncode == 0, won.stderr
    told = json.loads(summary.read_text())
    assert told["sprt"]["verdict"] == "h1" and told["stopped_by"] == "sprt" and told["complete"]
    assert 4 < told["games"]["played"] < 200
    again = run(folder, *test, "--require", "h1", engines=(STRONG, WEAK))
    assert again.returncode == 0 and json.loads(summary.read_text())["games"] == told["games"]
    lost = run(tmp_path / "other", *test, "--require", "h1", engines=(WEAK, STRONG))
    assert lost.returncode == 1 and json.loads(summary.read_text())["sprt"]["verdict"] == "h0"


def test_gates_and_their_exit_codes(tmp_path: Path) -> None:
    sick = f"sick={command('dies')}"
    healthy = run(tmp_path / "1", "--games", "4", "--max-crashes", "0")
    assert healthy.returncode == 0
    assert run(tmp_path / "2", "--games", "4", engines=(STRONG, sick)).returncode == 0  # no gate, no verdict
    junit = tmp_path / "junit.xml"
    failed = run(tmp_path / "2", "--games", "4", "--max-crashes", "0", "--junit", str(junit), engines=(STRONG, sick))
    assert failed.returncode == 1 and "out of stones" in junit.read_text()
    assert run(tmp_path / "2", "--games", "4", "--max-crashes", "4", engines=(STRONG, sick)).returncode == 0
    assert run(tmp_path / "2", "--games", "4", "--min-elo", "100", engines=(STRONG, sick)).returncode == 0
    assert run(tmp_path / "3", "--games", "4", "--min-elo", "100", engines=(WEAK, STRONG)).returncode == 1
    undecided = run(tmp_path / "4", "--games", "2", "--sprt", "elo0=0,elo1=5", "--require", "h1")
    assert undecided.returncode == 3


def test_a_time_budget_ends_the_run_in_time_and_it_can_go_on(tmp_path: Path) -> None:
    slow = (f"a={command(delay=0.05, seed=1)}", f"b={command(delay=0.05, seed=2)}")
    began = time.monotonic()
    short = run(tmp_path / "run", "--games", "30", "--time-budget", "5s", engines=slow)
    assert short.returncode == 3 and time.monotonic() - began < 12
    played = len(games(tmp_path / "run"))
    assert 0 < played < 30
    more = run(tmp_path / "run", "--games", str(played + 2), engines=slow)
    assert more.returncode == 0


@pytest.mark.parametrize(("number", "at_once"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_signals_keep_what_is_done_and_leave_no_engine(tmp_path: Path, number: int, at_once: bool) -> None:
    pids = [tmp_path / "pid-a", tmp_path / "pid-b"]
    engines = tuple(f"{name}={command(delay=0.03, seed=1, pid=pid)}" for name, pid in zip("ab", pids, strict=True))
    folder = tmp_path / "run"
    words = arguments(folder, "--games", "100", engines=engines)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_games(folder, 3, process)
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 130, told
    assert "Traceback" not in told
    assert 2 <= len(games(folder)) < 20
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
    assert run(folder, "--games", "100", "--dry-run", engines=engines).returncode == 0
    assert at_once or len(games(folder)) >= 3


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    slow = (f"a={command(delay=0.05)}", f"b={command(delay=0.05)}")
    with subprocess.Popen(arguments(folder, "--games", "50", engines=slow), stderr=subprocess.DEVNULL) as process:
        wait_for_games(folder, 1, process)
        second = run(folder, "--games", "50", engines=slow)
        process.kill()
    assert second.returncode == 2 and "another process" in second.stderr


def test_a_shard_has_a_verdict_of_its_own_and_status_says_the_same(tmp_path: Path) -> None:
    folder, summary = tmp_path / "run", tmp_path / "summary.json"
    test = ["--sprt", "elo0=0,elo1=50", "--shard", "2/3", "--games", "200", "--summary", str(summary)]
    assert run(folder, *test, engines=(STRONG, WEAK)).returncode == 0
    told = json.loads(summary.read_text())
    assert told["sprt"]["verdict"] == "h1" and 0 < told["games"]["scheduled"] < 100
    assert json.loads(table(folder)) == json.loads(without_times(told))


def test_a_verdict_that_cannot_be_written_is_known_before_the_first_game(tmp_path: Path) -> None:
    for option in ("--junit", "--summary"):
        done = run(tmp_path / "run", "--games", "2", option, str(tmp_path / "no/such"))
        assert done.returncode == 4 and "no/such" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("closed", ["2>&1 | head -n 1", "2>&1 | head -n 6", "2>&1 | head -n 8", "2>&-"])
def test_who_listens_makes_no_difference(tmp_path: Path, closed: str) -> None:
    """A log reader that dies must not end the games, nor turn a failed gate into a success."""
    words = arguments(tmp_path / "run", "--games", "4", "--min-elo", "100", engines=(WEAK, STRONG))
    script = f"( {shlex.join(words)}; echo $? > {tmp_path}/code ) {closed}"
    subprocess.run(["bash", "-c", script], capture_output=True, timeout=60)
    wait_for_file(tmp_path / "code")
    assert (tmp_path / "code").read_text().strip() == "1" and len(games(tmp_path / "run")) == 4


def wait_for_file(path: Path) -> None:
    for _ in range(3000):
        if path.exists() and path.read_text():
            return
        time.sleep(0.01)


@pytest.mark.parametrize("when", ["playing", "starting"])
def test_a_second_sigterm_ends_at_once(tmp_path: Path, when: str) -> None:
    pid = tmp_path / "pid"
    engine = command("hangs" if when == "playing" else "deaf", at=1, pid=pid)
    words = arguments(tmp_path / "run", "--timeout", "60", engines=(A, f"b={engine}"))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_file(pid)
        if when == "playing":
            time.sleep(1.0)  # until the engine hangs in its first genmove
            process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 130 and "Traceback" not in told, told
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_an_engine_that_starts_no_more_ends_the_run_with_a_report(tmp_path: Path) -> None:
    once = tmp_path / "once.sh"
    once.write_text(f"#!/bin/sh\n[ -e {tmp_path}/used ] && exit 1\ntouch {tmp_path}/used\nexec {command('dies')}\n")
    once.chmod(0o755)
    summary = tmp_path / "summary.json"
    done = run(tmp_path / "run", "--games", "6", "--summary", str(summary), engines=(A, f"b={once}"))
    assert done.returncode == 3 and "no longer starts" in done.stderr
    told = json.loads(summary.read_text())
    assert told["error"].startswith("an engine no longer starts: ")
    assert told["stopped_by"] == "engine" and told["games"]["played"] == 1 == len(games(tmp_path / "run"))


def told_of_failure(folder: Path, *more: str, limit: str = "", engines: tuple[str, ...] = (A, B)) -> Any:
    """Run with every form of the verdict; returns the process, the JUnit error, the summary and the GitHub page."""
    junit, summary, page = (folder / name for name in ("junit.xml", "summary.json", "page.md"))
    forms = ["--junit", str(junit), "--summary", str(summary), "--github-summary"]
    words = shlex.join(arguments(folder / "run", *forms, *more, engines=engines))
    done = subprocess.run(
        ["bash", "-c", f"{limit}{words}"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(page)},
    )
    assert "Traceback" not in done.stderr, done.stderr
    (case,) = (case for case in ElementTree.parse(junit).iter("testcase") if case.get("classname") == "tournament.run")
    return done, case.find("error"), json.loads(summary.read_text()), page.read_text()


def test_an_engine_that_does_not_start_is_an_error_in_every_verdict(tmp_path: Path) -> None:
    done, error, summary, page = told_of_failure(tmp_path, engines=(A, f"b={command('wont-start')}"))
    assert done.returncode == 2 and error is not None and "cannot find its network" in (error.text or "")
    assert (summary["exit_code"], summary["verdict"]) == (2, "error") and "fails before the first game" in summary[
        "error"
    ]
    assert "**Error** (exit code 2)" in page and "::error title=error%3A the run::engine b fails" in done.stdout


def test_wrong_settings_are_an_error_in_every_verdict(tmp_path: Path) -> None:
    done, error, summary, _ = told_of_failure(tmp_path, "--rules", "chines")
    assert done.returncode == 2 and error is not None and "chines" in (error.text or "") and summary["engines"] == []


def test_a_full_disk_is_an_error_in_every_verdict(tmp_path: Path) -> None:
    done, error, summary, page = told_of_failure(tmp_path, "--games", "60", limit="ulimit -f 12; ")  # 12 KiB a file
    assert done.returncode == 4 and "cannot write" in done.stderr and error is not None
    assert "cannot write" in (error.text or "") and "results.jsonl" in summary["error"] and summary["exit_code"] == 4
    assert 0 < summary["games"]["played"] < 60 and "(exit code 4)" in page


def test_a_verdict_is_an_error_as_long_as_there_is_none(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    words = arguments(
        tmp_path / "run", "--junit", str(junit), "--games", "100", engines=(A, f"b={command(delay=0.05)}")
    )
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        wait_for_games(tmp_path / "run", 1, process)
        process.kill()
    assert "<error" in junit.read_text() and "has not ended" in junit.read_text()
    done = run(tmp_path / "run", "--games", "2", "--junit", str(junit), engines=(A, f"b={command(delay=0.05)}"))
    assert done.returncode == 0 and "<error" not in junit.read_text()


def test_quiet_runs_tell_gates_that_did_not_pass(tmp_path: Path) -> None:
    test = ["--games", "2", "-q", "--sprt", "elo0=0,elo1=5", "--require", "h1"]
    undecided = run(tmp_path / "run", *test)
    assert undecided.returncode == 3
    assert re.search(r"^gotools tournament: --require h1 undecided: ", undecided.stderr, re.MULTILINE)
    failed = run(tmp_path / "other", "--games", "2", "-q", "--min-elo", "100", engines=(WEAK, STRONG))
    assert failed.returncode == 1 and "gotools tournament: --min-elo 100 failed: " in failed.stderr


def test_an_engine_that_calls_itself_otherwise_is_another(tmp_path: Path) -> None:
    engine = tmp_path / "engine.sh"
    engine.write_text(f"#!/bin/sh\nexec {command(name='one', seed=1)}\n")
    engine.chmod(0o755)
    assert run(tmp_path / "run", "--games", "2", engines=(A, f"b={engine}")).returncode == 0
    engine.write_text(f"#!/bin/sh\nexec {command(name='two', seed=1)}\n")
    done = run(tmp_path / "run", "--games", "4", engines=(A, f"b={engine}"))
    assert done.returncode == 2 and "engine b was 'one 1.0', is 'two 1.0'" in done.stderr
    assert len(games(tmp_path / "run")) == 2


def test_games_at_once_have_slots_of_their_own(tmp_path: Path) -> None:
    log = tmp_path / "slots"
    log.mkdir()
    engine = tmp_path / "engine.sh"
    engine.write_text(f"#!/bin/sh\ntouch {log}/$GOTOOLS_SLOT.$$\nexec {command(delay=0.002)}\n")
    engine.chmod(0o755)
    assert run(tmp_path / "run", "--games", "12", "--jobs", "3", engines=(f"a={engine}", B)).returncode == 0
    assert sorted(entry.name.partition(".")[0] for entry in log.iterdir()) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('"seconds":[]', "index"),
        ('"black":"zzz"', "a player missing in the first line"),
        ('"result":"Q"', "result is 'Q'"),
        ('"end":"boredom"', "boredom"),
        ('"komi":true', "komi is true"),
    ],
)
def test_a_line_that_is_no_game_is_told_and_passed_over(
    undisturbed: Path, tmp_path: Path, line: str, told: str
) -> None:
    head, first, *_ = (undisturbed / "results.jsonl").read_text().splitlines()
    key = line.partition(":")[0]
    broken = re.sub(re.escape(key) + r':(\[[^]]*\]|"[^"]*"|[^,]*)', line, first, count=1)
    (tmp_path / "results.jsonl").write_text("\n".join([head, broken, ""]))
    shown = subprocess.run([*GOTOOLS, "status", str(tmp_path)], capture_output=True, text=True)
    assert shown.returncode == 0 and "results.jsonl:2: " in shown.stderr and told in shown.stderr, shown.stderr


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("my notes\nsecond line")
    done = run(tmp_path, "--games", "2")
    assert done.returncode == 2 and "not a journal" in done.stderr
    assert (tmp_path / "results.jsonl").read_text() == "my notes\nsecond line"


# settings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--time", "soon"], "5m+10s"),
        (["--rules", "chines"], "rules: name: 'chines' is not one of chinese, chinese-kgs, "),
        (["--rules", "chines"], "did you mean 'chinese'?"),
        (["--pairing", "roundrobbin"], "did you mean 'roundrobin'?"),
        (["--size", "3.5"], "'3.5' is not a whole number"),
        (["--komi", "seven"], "'seven' is not a number"),
        (["--size", "20"], "2 to 19"),
        (["--sprt", "elo0=5,elo1=0"], "elo0"),
        (["--sprt", "elo=5"], "elo0"),
        (["--shard", "3/2"], "2/4"),
        (["--handicap", "2"], "handicap: 0, or from 2 on"),
        (["--engine", "c=gotools:rule=x"], "rules=..."),
        (["--engine", A], "two engines have the name 'a'"),
        (["--engine", "c='unfinished"], "split"),
        (["--require", "h1"], "--sprt"),
        (["--openings", "no-such-folder"], "no-such-folder"),
        (["--engine", "c=no-such-program"], "no-such-program"),
        (["--engine", f"c={command('wont-start')}"], "c fails before the first game"),
        (["--engine", f"c={command('deaf')}", "--start-timeout", "0.5"], "gave no answer to `protocol_version`"),
    ],
)
def test_wrong_settings_end_with_code_2_before_any_game(tmp_path: Path, more: list[str], told: str) -> None:
    folder = tmp_path / "run"
    done = run(folder, "--games", "2", *more)
    assert done.returncode == 2 and told in done.stderr, done.stderr
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
    shown = subprocess.run(words, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "4 games, 5x5, komi 0.5, tromp-taylor rules, clock 10s/move" in shown.stderr
    assert all("first" in line.split("\t")[2:4] for line in shown.stdout.splitlines()[1:])
    done = subprocess.run(
        [*GOTOOLS, "--config", str(settings), "-o", str(tmp_path / "run"), "-q"], capture_output=True, text=True
    )
    assert done.returncode == 0 and len(games(tmp_path / "run")) == 8, done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
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
        ("rules = { name = ['chinese'] }", "rules: name: ['chinese'] is not one of chinese"),
        ("rules = { ko = 'positionl' }", "did you mean 'positional'?"),
        ("rules = { suicide = 3 }", "rules: suicide: 3 is neither true nor false"),
        ("gates = { require = 'h2' }", "gates: require: 'h2' is not one of h1, h0; did you mean 'h1'?"),
        (f"games = '{'9' * 5000}'", "..."),
        ("komi = true", "komi: true is not a number"),
    ],
)
def test_mistakes_in_a_file_are_named(tmp_path: Path, text: str, told: str) -> None:
    settings = tmp_path / "match.toml"
    settings.write_text(text)
    done = run(tmp_path / "run", "--config", str(settings))
    assert done.returncode == 2 and told in done.stderr and "match.toml" in done.stderr, done.stderr
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
    done = subprocess.run(
        [*GOTOOLS, *(word for engine in engines for word in ("--engine", engine)), "--size", "7", "--games", "4",
         "--jobs", "2", "-o", str(folder), "--max-crashes", "0", "--max-illegal", "0", "--max-time-losses", "0",
         "--time", "5m"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = games(folder)
    assert len(found) == 4 and all(game["result"][:1] in "BW0" for game in found.values())
    assert re.search(r"level1 +4 +", done.stderr)


@needs_gnugo
def test_our_player_meets_gnu_go(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = subprocess.run(
        [*GOTOOLS, "--engine", "ours=gotools:nodes=200", "--engine", "gnugo --mode gtp --level 0", "--size", "5",
         "--games", "2", "-o", str(folder), "--max-crashes", "0", "--max-illegal", "0"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {game["black"] for game in games(folder).values()} == {"ours", "gnugo"}
