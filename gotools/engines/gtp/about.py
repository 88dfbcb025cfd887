"""GTP commands that speak of the engine itself."""

from __future__ import annotations

import time
from typing import Final

from gotools import __version__
from gotools.engines.gtp.arguments import expect
from gotools.engines.gtp.session import Row, Session


def protocol_version(session: Session, words: list[str]) -> str:
    """protocol_version: return the version of GTP."""
    expect(words, "", 0)
    return "2"


def name(session: Session, words: list[str]) -> str:
    """name: return the engine's name."""
    expect(words, "", 0)
    return session.player.name


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


COMMANDS: Final = {
    "cputime": Row(cputime),
    "known_command": Row(known_command),
    "list_commands": Row(list_commands),
    "name": Row(name),
    "protocol_version": Row(protocol_version),
    "quit": Row(leave),
    "version": Row(version),
}
