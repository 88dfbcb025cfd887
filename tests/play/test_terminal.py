"""`gotools play` as a process: on a terminal, in a pipe, stopped by Ctrl-C."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support import forked
from support.dialogues import games_of
from support.scripted_engine import command as go_engine
from support.small_game_engine import command as small_engine

pytestmark = pytest.mark.system

COMMAND = [sys.executable, "-m", "gotools", "play"]
CONNECT4 = ["--game", "connect4", "--engine", small_engine(seed=1)]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 60
PIPES: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)


def on_terminal(folder: Path, typed: bytes, *options: str, **variables: str) -> str:
    """Return what a terminal of 80 columns shows while these lines are typed, Ctrl-D at the end."""
    inside, outside = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "80", **variables}
    command, screen = [*COMMAND, *options], b""
    with forked.Popen(command, stdin=outside, stdout=outside, stderr=outside, cwd=folder, env=environment) as process:
        os.close(outside)
        os.write(inside, typed + b"\x04")
        with suppress(OSError):  # Linux: the other side is closed
            while part := os.read(inside, 4096):
                screen += part
        assert process.wait(PATIENCE) == 0, screen
    os.close(inside)
    return screen.decode().replace("\r\n", "\n")


def test_stones_have_colours_on_a_terminal_and_the_person_a_prompt(tmp_path: Path) -> None:
    screen = on_terminal(tmp_path, b"4\n", *CONNECT4)
    assert "\x1b[1;32mX\x1b[0m" in screen and "\x1b[1;31mO\x1b[0m" in screen
    plain = ESCAPE.sub("", screen)
    assert "b> " in plain and "hint       what the engine would play here" in plain and "1 2 3 4 5 6 7" in screen
    assert plain.endswith("gotools play: the game is kept in game-1.sgf\n")
    assert len(games_of(tmp_path / "game-1.sgf")[0][1]) == 2


def test_no_colour_where_it_is_not_wanted(tmp_path: Path) -> None:
    assert not ESCAPE.sub("", on_terminal(tmp_path, b"4\n", *CONNECT4, TERM="dumb")).count("\x1b")
    screen = on_terminal(tmp_path, b"4\n", *CONNECT4, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", screen) and "X" in screen


def test_a_pipe_gets_plain_text_of_80_columns(tmp_path: Path) -> None:
    options = ["--size", "19", "--engine", go_engine(moves="D4 Q16"), "--side", "w"]
    lines = "moves\nhelp\nscore\nQ4\nfoo\n"
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "40"}
    done = subprocess.run(
        [*COMMAND, *options], input=lines, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and "\x1b" not in done.stdout + done.stderr and "b> " not in done.stdout
    assert max(map(len, (done.stdout + done.stderr).splitlines())) <= 80
    moves = re.search(r"A B C[^\n]*\n(A1 .*? pass)\n", done.stdout, re.DOTALL)
    assert moves is not None and len(moves[1].split()) == 361  # all points but D4, and pass


@pytest.mark.smoke
@pytest.mark.parametrize("thinks", [False, True])
def test_ctrl_c_keeps_the_game(tmp_path: Path, thinks: bool) -> None:
    """While the person thinks, and while the engine does, which here never answers its second genmove."""
    engine = go_engine("hangs", at=2) if thinks else go_engine()
    command = [*COMMAND, "--size", "5", "--engine", engine]
    with forked.Popen(command, cwd=tmp_path, text=True, **PIPES) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("C3\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("w: "):
                break
        if thinks:
            process.stdin.write("C4\n")
            process.stdin.flush()
            for line in process.stdout:  # the board after the engine's answer, then that with C4
                if re.match(r" 4  . . X", line):
                    break
        else:
            for _ in range(6):
                process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.splitlines()[1:] == ["gotools play: interrupted; the game is kept in game-1.sgf"]
    assert len(games_of(tmp_path / "game-1.sgf")[0][1]) == 2 + thinks


def test_a_reader_that_goes_away_loses_no_game(tmp_path: Path) -> None:
    with forked.Popen([*COMMAND, *CONNECT4], cwd=tmp_path, **PIPES) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for _ in range(7):
            process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"4\n5\n")
        process.stdin.close()
        err = process.stderr.read().decode()
        assert process.wait(PATIENCE) == 0 and "Traceback" not in err
    assert games_of(tmp_path / "game-1.sgf")[0][1][0] == ("b", "4")
