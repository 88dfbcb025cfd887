"""The GTP client against engines that are silent, slow, dead, babbling or wrong, and the random player against them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from needs import needs_gnugo

from gotools.errors import EngineError, MissingTool
from gotools.go.examples import RANDOM, SOURCES, Examples
from gotools.tournament.gtp_client import GtpEngine
from gotools.tournament.random_games import random_moves

FAKE = '''
"""An engine that passes, or misbehaves at `genmove` as its first argument says."""
import os, sys, time
how = sys.argv[1]
open(sys.argv[2], "w").write(str(os.getpid()))
print("# a banner", flush=True)
for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "quit":
        if how == "deaf":
            continue
        print("= \\n", flush=True)
        break
    if words[0] == "known_command":
        print("= false\\n", flush=True)
    elif words[0] == "genmove":
        if how == "silent":
            time.sleep(60)
        elif how == "half":
            print("= A1", flush=True)
            time.sleep(60)
        elif how == "drip":
            while True:
                print("= A1", flush=True)
                time.sleep(0.05)
        elif how == "dying":
            print("out of stones", file=sys.stderr, flush=True)
            os._exit(3)
        elif how == "killed":
            os.kill(os.getpid(), 9)
        elif how == "flood":
            while True:
                print("x" * 100, flush=False)
        elif how == "refusing":
            print("?12 not today\\n", flush=True)
        else:
            print("= " + {"resigning": "resign", "occupied": "E5"}.get(how, how) + "\\n", flush=True)
    elif words[0] == "lines":
        print("=7 one\\n\\ttwo\\n", flush=True)
    else:
        print("= \\n", flush=True)
'''


@pytest.fixture
def fake(tmp_path: Path):
    """Return a function from a way to misbehave to a command line, and check that no process is left behind."""
    script, pid_file = tmp_path / "engine with space.py", tmp_path / "pid"
    script.write_text(FAKE)

    def command(how: str) -> str:
        return f"{sys.executable} '{script}' {how} {pid_file}"

    yield command
    if pid_file.exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid_file.read_text()), 0)


def test_answers_are_read_without_their_signs(fake) -> None:
    with GtpEngine(fake("pass")) as engine:
        assert engine.ask("boardsize 9") == ""
        assert engine.ask("genmove b") == "pass"
        assert engine.ask("lines") == "one\n two"
        assert not engine.knows("set_random_seed")
        with pytest.raises(EngineError, match="refuses"), GtpEngine(fake("refusing")) as other:
            other.ask("genmove b")


@pytest.mark.parametrize("how", ["silent", "half", "drip", "flood"])
def test_an_engine_that_does_not_finish_is_ended_in_time(fake, how: str) -> None:
    started = time.monotonic()
    with GtpEngine(fake(how)) as engine:
        assert engine.ask("boardsize 9") == ""
        with pytest.raises(EngineError, match="genmove b"):
            engine.ask("genmove b", timeout=0.3)
        with pytest.raises(EngineError, match="no longer running"):
            engine.ask("genmove b")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(("how", "what"), [("dying", r"exit code 3.*out of stones"), ("killed", "signal 9")])
def test_a_dead_engine_says_how_it_died(fake, how: str, what: str) -> None:
    with GtpEngine(fake(how)) as engine, pytest.raises(EngineError, match=what):
        engine.ask("genmove b", timeout=5)


def test_an_engine_deaf_to_quit_is_ended(fake) -> None:
    started = time.monotonic()
    with GtpEngine(fake("deaf")) as engine:
        engine.ask("boardsize 9")
    assert time.monotonic() - started < 5


def test_no_such_program_no_shell(tmp_path: Path) -> None:
    with pytest.raises(MissingTool, match="no-such-engine"):
        GtpEngine("no-such-engine --level 6")
    for empty in ("", "a 'b"):
        with pytest.raises(EngineError):
            GtpEngine(empty)
    with pytest.raises(EngineError, match="started"):
        GtpEngine(str(tmp_path))
    with pytest.raises(EngineError), GtpEngine(f"true ; touch {tmp_path}/shell") as engine:
        engine.ask("name")
    assert not (tmp_path / "shell").exists()


@pytest.mark.parametrize(("how", "what"), [("Z9", "no move"), ("-", "illegal"), ("dying", "died"), ("E5", "occupied")])
def test_wrong_moves_of_an_engine_are_errors(fake, how: str, what: str) -> None:
    with pytest.raises(EngineError, match=what):
        random_moves(100, 9, 0, fake(how), timeout=5)


def test_an_engine_that_gives_up_at_once_is_an_error(fake) -> None:
    moves = random_moves(20, 5, 0, fake("resigning"))
    assert len(moves) == 20 and not moves.board[moves.to_play == 1].any()
    moves = random_moves(20, 5, 0, fake("pass"))
    assert len(moves) == 20


def check_random_moves(moves: Examples, count: int, size: int) -> None:
    from gotools.go.board import legal_mask

    assert len(moves) == count and len(set(moves.id)) == count
    assert set(moves.size.tolist()) == {size} and not moves.label.any() and set(moves.source.tolist()) == {RANDOM}
    legal = legal_mask(moves.board, moves.size, moves.to_play, moves.ko)
    assert legal[np.arange(count), moves.move].all()


def test_random_against_random_is_legal_and_repeatable() -> None:
    moves = random_moves(150, 7, 3)
    check_random_moves(moves, 150, 7)
    again, other = random_moves(150, 7, 3), random_moves(150, 7, 4)
    assert (again.board == moves.board).all() and (again.move == moves.move).all()
    assert (other.move != moves.move).any()
    assert len(random_moves(0, 7, 3)) == 0
    assert SOURCES[RANDOM] == "random"


@needs_gnugo
def test_random_against_gnugo_is_repeatable() -> None:
    command = "gnugo --mode gtp --level 1"
    moves = random_moves(30, 5, 1, command)
    check_random_moves(moves, 30, 5)
    again = random_moves(30, 5, 1, command)
    assert (again.board == moves.board).all() and (again.move == moves.move).all()
