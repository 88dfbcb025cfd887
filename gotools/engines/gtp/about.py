"""GTP commands that are the same for every game: they speak of the engine itself, or take back moves."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from gotools import __version__
from gotools.engines.gtp.arguments import expect, read_count
from gotools.engines.gtp.thinking import Session

Command = Callable[[Any, list[str]], str]
"""Obey, with a session and the words after the name; returns the answer's text. Raises GotoolsError or ValueError to
refuse."""


def protocol_version(session: Session, words: list[str]) -> str:
    """protocol_version: return the version of GTP."""
    expect(words, "", 0)
    return "2"


def name(session: Session, words: list[str]) -> str:
    """name: return the engine's name."""
    expect(words, "", 0)
    return str(session.player.name)


def version(session: Session, words: list[str]) -> str:
    """version: return the version of gotools."""
    expect(words, "", 0)
    return __version__


def known_command(session: Session, words: list[str]) -> str:
    """known_command NAME: say whether there is such a command."""
    expect(words, "NAME", 1)
    return "true" if words[0] in session.commands else "false"


def list_commands(session: Session, words: list[str]) -> str:
    """list_commands: list all commands."""
    expect(words, "", 0)
    return "\n".join(sorted(session.commands))


def cputime(session: Session, words: list[str]) -> str:
    """cputime: return the seconds of processor time used so far."""
    expect(words, "", 0)
    return f"{time.process_time():.3f}"


def leave(session: Session, words: list[str]) -> str:
    """quit: end the session."""
    expect(words, "", 0)
    session.over = True
    return ""


def undo(session: Session, words: list[str]) -> str:
    """undo: take back the last move."""
    expect(words, "", 0)
    session.undo()
    return ""


def undo_many(session: Session, words: list[str]) -> str:
    """gg-undo [COUNT]: take back some moves."""
    expect(words, "[COUNT]", 0, 1)
    session.undo(read_count(words[0], "the count") if words else 1)
    return ""


COMMANDS: Final[dict[str, Command]] = {
    "cputime": cputime,
    "gg-undo": undo_many,
    "known_command": known_command,
    "list_commands": list_commands,
    "name": name,
    "protocol_version": protocol_version,
    "quit": leave,
    "undo": undo,
    "version": version,
}
