"""How runs of `gotools tournament` end: verdicts, gates, signals, failures, and their exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support import forked
from support.scripted_engine import command
from support.tournament_runs import (
    GOTOOLS,
    A,
    B,
    arguments,
    games,
    run,
    table,
    wait_for_file,
    wait_for_games,
    without_times,
)
from support.written_json import read_json

pytestmark = pytest.mark.system

# endings --------------------------------------------------------------------------------------------------------------

STRONG, WEAK = f"strong={command()}", f"weak={command('resign', at=1)}"


def test_a_test_ends_the_run_when_it_is_decided(tmp_path: Path) -> None:
    folder, summary = tmp_path / "run", tmp_path / "summary.json"
    test = ["--sprt", "elo0=0,elo1=200", "--games", "1000", "--jobs", "3", "--summary", str(summary)]
    won = run(folder, *test, "--require", "h1", engines=(STRONG, WEAK))
    assert won.returncode == 0, won.stderr
    found = read_json(summary.read_text())
    assert found["sprt"]["verdict"] == "h1" and found["stopped_by"] == "sprt" and found["complete"]
    assert 4 < found["games"]["played"] < 200
    again = run(folder, *test, "--require", "h1", engines=(STRONG, WEAK))
    assert again.returncode == 0 and read_json(summary.read_text())["games"] == found["games"]
    lost = run(tmp_path / "other", *test, "--require", "h1", engines=(WEAK, STRONG))
    assert lost.returncode == 1 and read_json(summary.read_text())["sprt"]["verdict"] == "h0"


@pytest.mark.smoke
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
    short = run(tmp_path / "run", "--games", "30", "--time-budget", "5s", engines=slow)
    assert short.returncode == 3
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
    with forked.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_games(folder, 3, process)
        process.send_signal(number)
        _, printed = process.communicate(timeout=30)
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert 2 <= len(games(folder)) < 20
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
    assert run(folder, "--games", "100", "--dry-run", engines=engines).returncode == 0
    assert at_once or len(games(folder)) >= 3


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    slow = (f"a={command(delay=0.05)}", f"b={command(delay=0.05)}")
    with forked.Popen(arguments(folder, "--games", "50", engines=slow), stderr=subprocess.DEVNULL) as process:
        wait_for_games(folder, 1, process)
        second = run(folder, "--games", "50", engines=slow)
        process.kill()
    assert second.returncode == 2 and "another process" in second.stderr


def test_a_shard_has_a_verdict_of_its_own_and_status_says_the_same(tmp_path: Path) -> None:
    folder, summary = tmp_path / "run", tmp_path / "summary.json"
    test = ["--sprt", "elo0=0,elo1=200", "--shard", "2/3", "--games", "200", "--summary", str(summary)]
    assert run(folder, *test, engines=(STRONG, WEAK)).returncode == 0
    found = read_json(summary.read_text())
    assert found["sprt"]["verdict"] == "h1" and 0 < found["games"]["scheduled"] < 100
    assert json.loads(table(folder)) == json.loads(without_times(found))


def test_a_verdict_that_cannot_be_written_is_known_before_the_first_game(tmp_path: Path) -> None:
    for option in ("--junit", "--summary"):
        done = run(tmp_path / "run", "--games", "2", option, str(tmp_path / "no/such"))
        assert done.returncode == 4 and "no/such" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("read", [1, 6, 8])
def test_who_listens_makes_no_difference(tmp_path: Path, read: int) -> None:
    """A log reader that dies must not end the games, nor turn a failed gate into a success."""
    words = arguments(tmp_path / "run", "--games", "4", "--min-elo", "100", engines=(WEAK, STRONG))
    with subprocess.Popen(["head", "-n", str(read)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as reader:
        with forked.Popen(words, stdout=reader.stdin, stderr=reader.stdin) as process:
            assert reader.stdin is not None
            reader.stdin.close()
        assert process.returncode == 1 and len(games(tmp_path / "run")) == 4


def test_a_closed_stderr_makes_no_difference(tmp_path: Path) -> None:
    words = arguments(tmp_path / "run", "--games", "4", "--min-elo", "100", engines=(WEAK, STRONG))
    done = subprocess.run(["bash", "-c", f"{shlex.join(words)} 2>&-"], capture_output=True, timeout=60)
    assert done.returncode == 1 and len(games(tmp_path / "run")) == 4


@pytest.mark.parametrize("when", ["playing", "starting"])
def test_a_second_sigterm_ends_at_once(tmp_path: Path, when: str) -> None:
    pid = tmp_path / "pid"
    engine = command("hangs" if when == "playing" else "deaf", at=1, pid=pid)
    words = arguments(tmp_path / "run", "--timeout", "60", engines=(A, f"b={engine}"))
    with forked.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_file(pid)
        if when == "playing":
            time.sleep(1.0)  # until the engine hangs in its first genmove
            process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        _, printed = process.communicate(timeout=20)
    assert process.returncode == 130 and "Traceback" not in printed, printed
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_an_engine_that_starts_no_more_ends_the_run_with_a_report(tmp_path: Path) -> None:
    once = tmp_path / "once.sh"
    once.write_text(f"#!/bin/sh\n[ -e {tmp_path}/used ] && exit 1\ntouch {tmp_path}/used\nexec {command('dies')}\n")
    once.chmod(0o755)
    summary = tmp_path / "summary.json"
    done = run(tmp_path / "run", "--games", "6", "--summary", str(summary), engines=(A, f"b={once}"))
    assert done.returncode == 3 and "no longer starts" in done.stderr
    found = read_json(summary.read_text())
    assert found["error"].startswith("an engine no longer starts: ")
    assert found["stopped_by"] == "engine" and found["games"]["played"] == 1 == len(games(tmp_path / "run"))


def failing_run(folder: Path, *more: str, limit: str = "", engines: tuple[str, ...] = (A, B)) -> Any:
    """Run with every form of the verdict; returns the process, the JUnit error, the summary and the GitHub page."""
    junit, summary, page = (folder / name for name in ("junit.xml", "summary.json", "page.md"))
    forms = ["--junit", str(junit), "--summary", str(summary), "--github-summary"]
    words = arguments(folder / "run", *forms, *more, engines=engines)
    options: Any = {"capture_output": True, "text": True, "timeout": 120}
    options["env"] = {**os.environ, "GITHUB_STEP_SUMMARY": str(page)}
    if limit:
        done = subprocess.run(["bash", "-c", f"{limit}{shlex.join(words)}"], **options)
    else:
        done = forked.run(words, **options)
    assert "Traceback" not in done.stderr, done.stderr
    (case,) = (case for case in ElementTree.parse(junit).iter("testcase") if case.get("classname") == "tournament.run")
    return done, case.find("error"), read_json(summary.read_text()), page.read_text()


def test_an_engine_that_does_not_start_is_an_error_in_every_verdict(tmp_path: Path) -> None:
    done, error, summary, page = failing_run(tmp_path, engines=(A, f"b={command('wont-start')}"))
    assert done.returncode == 2 and error is not None and "cannot find its network" in (error.text or "")
    assert (summary["exit_code"], summary["verdict"]) == (2, "error") and "fails before the first game" in summary[
        "error"
    ]
    assert "**Error** (exit code 2)" in page and "::error title=error%3A the run::engine b fails" in done.stdout


def test_wrong_settings_are_an_error_in_every_verdict(tmp_path: Path) -> None:
    done, error, summary, _ = failing_run(tmp_path, "--rules", "chines")
    assert done.returncode == 2 and error is not None and "chines" in (error.text or "") and summary["engines"] == []


def test_a_full_disk_is_an_error_in_every_verdict(tmp_path: Path) -> None:
    done, error, summary, page = failing_run(tmp_path, "--games", "60", limit="ulimit -f 12; ")  # 12 KiB a file
    assert done.returncode == 4 and "cannot write" in done.stderr and error is not None
    assert "cannot write" in (error.text or "") and "results.jsonl" in summary["error"] and summary["exit_code"] == 4
    assert 0 < summary["games"]["played"] < 60 and "(exit code 4)" in page


def test_a_verdict_is_an_error_as_long_as_there_is_none(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    words = arguments(
        tmp_path / "run", "--junit", str(junit), "--games", "100", engines=(A, f"b={command(delay=0.05)}")
    )
    with forked.Popen(words, stderr=subprocess.DEVNULL) as process:
        wait_for_games(tmp_path / "run", 1, process)
        process.kill()
    assert "<error" in junit.read_text() and "has not ended" in junit.read_text()
    done = run(tmp_path / "run", "--games", "2", "--junit", str(junit), engines=(A, f"b={command(delay=0.05)}"))
    assert done.returncode == 0 and "<error" not in junit.read_text()


def test_quiet_runs_report_gates_that_did_not_pass(tmp_path: Path) -> None:
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


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of two games."""
    folder = tmp_path_factory.mktemp("short") / "run"
    assert run(folder, "--games", "2").returncode == 0
    return folder


def test_games_at_once_have_slots_of_their_own(tmp_path: Path) -> None:
    log = tmp_path / "slots"
    log.mkdir()
    engine = tmp_path / "engine.sh"
    engine.write_text(f"#!/bin/sh\ntouch {log}/$GOTOOLS_SLOT.$$\nexec {command(delay=0.002)}\n")
    engine.chmod(0o755)
    assert run(tmp_path / "run", "--games", "12", "--jobs", "3", engines=(f"a={engine}", B)).returncode == 0
    assert sorted(entry.name.partition(".")[0] for entry in log.iterdir()) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"seconds":[]', "index"),
        ('"black":"zzz"', "a player missing in the first line"),
        ('"result":"Q"', "result is 'Q'"),
        ('"end":"boredom"', "boredom"),
        ('"komi":true', "komi is true"),
    ],
)
def test_a_line_that_is_not_a_game_is_reported_and_skipped(
    short: Path, tmp_path: Path, line: str, message: str
) -> None:
    head, first, *_ = (short / "results.jsonl").read_text().splitlines()
    key = line.partition(":")[0]
    broken = re.sub(re.escape(key) + r':(\[[^]]*\]|"[^"]*"|[^,]*)', line, first, count=1)
    (tmp_path / "results.jsonl").write_text("\n".join([head, broken, ""]))
    shown = forked.run([*GOTOOLS, "status", str(tmp_path)], capture_output=True, text=True)
    assert shown.returncode == 0 and "results.jsonl:2: " in shown.stderr and message in shown.stderr, shown.stderr


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("my notes\nsecond line")
    done = run(tmp_path, "--games", "2")
    assert done.returncode == 2 and "not a journal" in done.stderr
    assert (tmp_path / "results.jsonl").read_text() == "my notes\nsecond line"
