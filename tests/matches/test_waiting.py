"""An engine that says nothing is named while it is waited for, with what its command may lack."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.needs import needs_gnugo
from support.scripted_engine import command

from gotools import cli
from gotools.gtp_client import client
from gotools.gtp_client.client import hint_of, waiting_reported


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
def test_a_silent_engine_is_named_before_its_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "SAID_AFTER", (1, 10))
    engines = ["--engine", f"a={command()}", "--engine", f"mute={command('deaf')}", "--start-timeout", "2"]
    assert cli.run(["tournament", *engines, "-o", str(tmp_path / "run")]) == 2
    lines = capfd.readouterr().err.splitlines()
    assert "waiting for engine mute (1 s); does its command need an option such as `--mode gtp`?" in lines
    assert lines[-1].endswith("within 2 s; does its command need an option such as `--mode gtp`?")
    assert cli.run(["tournament", *engines, "-q", "-o", str(tmp_path / "run")]) == 2
    assert "waiting" not in capfd.readouterr().err


@pytest.mark.system
@needs_gnugo
def test_gnu_go_without_its_option_gets_the_hint(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "SAID_AFTER", (0, 10))
    assert cli.run(["tournament", "check", "--timeout", "1", "gnugo"]) == 1
    out, err = capfd.readouterr()
    assert "waiting for engine gnugo (0 s); does its command need `--mode gtp`?" in err.splitlines()
    assert "need `--mode gtp`?" in " ".join(out.split())
