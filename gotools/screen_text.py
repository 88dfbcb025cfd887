"""What people see on a terminal, as text made by rich."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType

_COMMAND: Final = re.compile(r"^(\s*):(?=:)", re.MULTILINE)


def screen_text(parts: Iterable[RenderableType], stream: TextIO | None, *, colours: bool = True) -> str:
    """Return parts one below the other as they look best on a stream; nothing is written.

    stream  -- tells the width, and whether there can be colours
    colours -- False: none, whatever the stream can show

    Whoever writes the text meets a broken pipe as anywhere else; rich itself would end the process with exit code 1.
    """
    import io

    from rich.console import Console

    real, text = Console(file=stream), io.StringIO()
    console = Console(
        file=text,
        width=real.width,
        force_terminal=colours and real.is_terminal,
        no_color=real.no_color,
        highlight=False,
    )
    for part in parts:
        console.print(part)
    return text.getvalue()


def printable(text: str) -> str:
    """Return a text without what moves a terminal's cursor, changes its colours, or turns the direction of writing.

    Tabs become blanks, other such characters U+FFFD; line ends stay. No line is a command to GitHub, see `no_commands`.
    """
    if not text.isprintable():
        signs = (sign if sign.isprintable() or sign == "\n" else " " if sign == "\t" else "\ufffd" for sign in text)
        text = "".join(signs)
    return no_commands(text)


def no_commands(text: str) -> str:
    """Return a text of which no line begins with `::`: GitHub's runner takes such a line, in a log, for a command.

    For texts that hold an engine's words, after they were broken into lines.
    """
    return _COMMAND.sub(r"\1: ", text)


def quoted(value: object, longest: int = 60) -> str:
    """Return a value as an error quotes it: in one line, printable, cut where it is long."""
    shown = repr(value)
    return shown if len(shown) <= longest else shown[: longest - 3] + "..."
