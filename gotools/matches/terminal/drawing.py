"""The board of any game for a terminal: the stones in colour, where there is colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.text import Text

STYLES: Final = {"X": "bold green", "O": "bold red", ".": "dim"}
_STONE: Final = re.compile(r"(?<!\S)[XO.](?!\S)")


def coloured(board: str) -> Text:
    """Return a drawing with X green, O red and empty points dim; lines of coordinates are left alone."""
    from rich.text import Text

    text = Text(board)
    at = 0
    for line in board.split("\n"):
        words = line.split()
        if len(words) < 3 or any(a >= b for a, b in pairwise(words)):  # not the coordinates
            for found in _STONE.finditer(line):
                text.stylize(STYLES[found[0]], at + found.start(), at + found.end())
        at += len(line) + 1
    return text


def shower() -> Callable[[object], None]:
    """Return a function that prints text or a drawing to stdout at once, with colours on a terminal that shows them.

    BrokenPipeError is raised as by `print`; rich by itself would end the process.
    """
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True, emoji=False)

    def show(what: object) -> None:
        with console.capture() as drawn:
            console.print(what, markup=False)
        print(drawn.get(), end="", flush=True)

    return show
