"""`gotools play` in this process, with lines in place of a person."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from support.dialogues import Play

from gotools.cli import run


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Play:
    """Return a function of the lines typed and the options, which plays in an empty folder: exit code, stdout, stderr.

    Lines are separated by `/`, for moves and commands hold none; bytes are sent as they are.
    """
    monkeypatch.chdir(tmp_path)

    def played(typed: str | bytes, *options: str) -> tuple[int, str, str]:
        data = typed if isinstance(typed, bytes) else "".join(f"{line}\n" for line in typed.split("/")).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = run(["play", *options])
        return code, *capfd.readouterr()

    return played
