"""What people see on a terminal, as text made by rich."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType


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
