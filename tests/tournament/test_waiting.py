"""An engine that says nothing is named while it is waited for, with what its command may lack."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from support import forked
from support.needs import needs_gnugo
from support.scripted_engine import command

from gotools.gtp_client import client
from gotools.gtp_client.client import hint_of, waiting_reported

GOTOOLS = [sys.executable, "-m", "gotools", "tournament"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["gnugo"], "does its command need `--mode gtp`?"),
        (["/usr/games/gnugo", "--level", "1"], "does its command need `--mode gtp`?"),
        (["gnugo", "--mode", "gtp"], ""),
        (["katago", "-config", "x.cfg"], "does its command need `gtp`?"),
        (["python", "engine.py"], "does its command need an option such as `--mode gtp`?"),
        (["leelaz", "-g", "--gtp"], ""),
    ],
)
def test_the_hint_fits_the_program(words: list[str], hint: str) -> None:
    assert hint_of(words) == hint


def test_waiting_is_reported_once_for_each_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SAID_AFTER", (0, 0))
    reported: list[str] = []
    with waiting_reported("weak", ["gnugo"], reported.append):
        while len(reported) < 2:
            time.sleep(0.01)
    assert reported == ["waiting for engine weak (0 s); does its command need `--mode gtp`?"] * 2


def test_who_answers_soon_is_not_waited_for() -> None:
    reported: list[str] = []
    with waiting_reported("quick", ["gnugo"], reported.append):
        pass
    assert reported == []


@pytest.mark.system
def test_a_silent_engine_is_named_before_its_time_is_up(tmp_path: Path) -> None:
    engines = ["--engine", f"a={command()}", "--engine", f"mute={command('deaf')}", "--start-timeout", "4"]
    done = forked.run([*GOTOOLS, *engines, "-o", str(tmp_path / "run")], capture_output=True, text=True, timeout=60)
    found = "waiting for engine mute (3 s); does its command need an option such as `--mode gtp`?"
    assert done.returncode == 2 and found in done.stderr.splitlines(), done.stderr
    *_, last = done.stderr.splitlines()
    assert last.endswith("within 4 s; does its command need an option such as `--mode gtp`?")
    quiet = forked.run([*GOTOOLS, *engines, "-q", "-o", str(tmp_path / "run")], capture_output=True, text=True)
    assert quiet.returncode == 2 and "waiting" not in quiet.stderr


@pytest.mark.system
@needs_gnugo
def test_gnu_go_without_its_option_gets_the_hint() -> None:
    done = forked.run([*GOTOOLS, "check", "--timeout", "1", "gnugo"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "waiting for engine gnugo (3 s); does its command need `--mode gtp`?" in done.stderr.splitlines()
    assert "need `--mode gtp`?" in " ".join(done.stdout.split())
