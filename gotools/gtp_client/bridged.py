"""Engines that speak USI in place of GTP: `usi:COMMAND` is the command of a bridge that drives the engine.

    usi:fairy-stockfish
    usi:--nodes 10000 --option 'Skill Level=3' fairy-stockfish

Options of the bridge (docs/usi.md) stand before the engine's program and arguments.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from typing import Final

USI: Final = "usi:"
"""How such a command begins."""
BRIDGE: Final = "usi-bridge"
"""The word by which `python -m gotools` becomes the bridge."""


def is_bridged(command: str) -> bool:
    """Return whether a command is that of an engine behind a bridge."""
    return command.startswith(USI)


def bridge_words(command: str, game: str = "") -> list[str]:
    """Return the program and arguments of a bridge; game -- with a setting, if it has one; "" for the usual one.

    Raises ValueError for an open quotation mark.
    """
    words = shlex.split(command.removeprefix(USI))
    return [sys.executable, "-m", "gotools", BRIDGE, *(["--game", game] if game else []), *words] if words else []


def program_behind(command: str) -> str:
    """Return the program of the engine behind a bridge, "" if there is none."""
    try:
        words = iter(shlex.split(command.removeprefix(USI)))
    except ValueError:  # an open quotation mark
        return ""
    for word in words:
        if not word.startswith("-") or word == "--":
            return next(words, "") if word == "--" else word
        if "=" not in word:
            next(words, "")
    return ""


def with_options(command: str, options: Mapping[str, object]) -> str:
    """Return a command that sets options of the engine, too."""
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}
    given = [word for name, text in texts.items() for word in ("--option", f"{name}={text}")]
    return " ".join(filter(None, (USI + shlex.join(given), command.removeprefix(USI).strip())))
