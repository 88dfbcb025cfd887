"""GTP commands that take back moves; the same for every game."""

from __future__ import annotations

from typing import Final

from gotools.player.gtp.about import Command
from gotools.player.gtp.arguments import expect, read_count
from gotools.player.gtp.thinking import Session


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


COMMANDS: Final[dict[str, Command]] = {"gg-undo": undo_many, "undo": undo}
