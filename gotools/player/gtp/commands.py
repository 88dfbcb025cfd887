"""The table of GTP commands, and those that speak of the engine itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from gotools import __version__
from gotools.player.gtp import analysis as gtp_analysis
from gotools.player.gtp import clocks as gtp_clocks
from gotools.player.gtp import gogui as gtp_gogui
from gotools.player.gtp import handicap as gtp_handicap
from gotools.player.gtp import play as gtp_play
from gotools.player.gtp import setup as gtp_setup
from gotools.player.gtp import status as gtp_status
from gotools.player.gtp.arguments import expect
from gotools.player.gtp.session import GtpSession

Command = Callable[[GtpSession, list[str]], str]
"""Obey, with the words after the name; returns the answer's text. Raises GotoolsError or ValueError to refuse."""


def protocol_version(session: GtpSession, words: list[str]) -> str:
    """protocol_version: return the version of GTP."""
    expect(words, "", 0)
    return "2"


def name(session: GtpSession, words: list[str]) -> str:
    """name: return the engine's name."""
    expect(words, "", 0)
    return session.player.name


def version(session: GtpSession, words: list[str]) -> str:
    """version: return the version of gotools."""
    expect(words, "", 0)
    return __version__


def known_command(session: GtpSession, words: list[str]) -> str:
    """known_command NAME: say whether there is such a command."""
    expect(words, "NAME", 1)
    return "true" if words[0] in COMMANDS else "false"


def list_commands(session: GtpSession, words: list[str]) -> str:
    """list_commands: list all commands."""
    expect(words, "", 0)
    return "\n".join(sorted(COMMANDS))


def cputime(session: GtpSession, words: list[str]) -> str:
    """cputime: return the seconds of processor time used so far."""
    expect(words, "", 0)
    return f"{time.process_time():.3f}"


def leave(session: GtpSession, words: list[str]) -> str:
    """quit: end the session."""
    expect(words, "", 0)
    session.over = True
    return ""


COMMANDS: Final[dict[str, Command]] = {
    "cputime": cputime,
    "known_command": known_command,
    "list_commands": list_commands,
    "name": name,
    "protocol_version": protocol_version,
    "quit": leave,
    "version": version,
    **gtp_analysis.COMMANDS,
    **gtp_clocks.COMMANDS,
    **gtp_gogui.COMMANDS,
    **gtp_handicap.COMMANDS,
    **gtp_play.COMMANDS,
    **gtp_setup.COMMANDS,
    **gtp_status.COMMANDS,
}
