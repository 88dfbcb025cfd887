"""Text for terminals: text made by rich, and plain text of a given width."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType

TEXT_WIDTH: Final = 80
"""Columns of text that goes to a file or a program, so that its bytes are the same everywhere."""
_NARROWEST: Final = 40
_COMMAND: Final = re.compile(r"^(\s*):(?=:)", re.MULTILINE)


def screen_text(parts: Iterable[RenderableType], stream: TextIO | None, *, colours: bool = True) -> str:
    """Return parts one below the other, rendered for a stream; nothing is written.

    stream  -- determines the width, and whether there can be colours
    colours -- False: none, whatever the stream can show

    The caller writes the text and handles a broken pipe as usual; rich itself would end the process with exit code 1.
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


def text_width(stream: TextIO | None) -> int:
    """Return the columns that text may have on a stream: those of a terminal, else TEXT_WIDTH."""
    import shutil

    if stream is None or not stream.isatty():
        return TEXT_WIDTH
    return max(shutil.get_terminal_size((TEXT_WIDTH, 24)).columns, _NARROWEST)


def wrapped(line: str, width: int = TEXT_WIDTH, indent: int = 0) -> str:
    """Break a line at blanks so that it fits; what follows the first part begins with `indent` blanks.

    A word that is longer than the width stays whole, and a number stays with its %.
    """
    import textwrap

    kept = line.replace(" %", "\0%")
    lines = textwrap.wrap(
        kept, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )  # fmt: skip
    return "\n".join(lines).replace("\0", " ")


def harmless(text: str) -> str:
    """Return a text without characters that move a terminal's cursor, change its colours, or reverse the writing.

    Tabs become blanks, other such characters U+FFFD; line ends stay. No line is a command to GitHub, see `no_commands`.
    """
    if not text.isprintable():
        signs = (sign if sign.isprintable() or sign == "\n" else " " if sign == "\t" else "\ufffd" for sign in text)
        text = "".join(signs)
    return no_commands(text)


def no_commands(text: str) -> str:
    """Return a text without lines that begin with `::`: GitHub's runner executes such a line in a log as a command.

    For texts with an engine's output, after they were broken into lines.
    """
    return _COMMAND.sub(r"\1: ", text)
