"""Text cut into blocks of whole lines, with the lines counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from gotools.files.lines import LongLine, whole_lines

Problem = Callable[[int | None, str], None]
"""Is told the line, if known, and what is wrong there."""

_NEWLINE: Final = ord("\n")
_LINES: Final = 1000
_LEAST, _MOST = 1 << 13, 1 << 20  # bytes
"""Small enough for a processor's cache to hold a block and its parsed lines, which doubles the speed."""


class Block(NamedTuple):
    """Whole lines, each with its line end.

    first -- the number of the first line, from 1
    lines -- how many lines there are
    """

    first: int
    lines: int
    text: bytes


def line_blocks(parts: Iterable[bytes]) -> Iterator[Block]:
    """Yield the text of `parts` in blocks of about a thousand lines.

    The last line gets a missing line end; a carriage return before a line end is taken off. Raises LongLine.
    """
    first, size = 1, _LEAST
    try:
        for text in whole_lines(parts):
            position = 0
            while position < len(text):
                end = text.rfind(b"\n", position, position + size) + 1 or text.index(b"\n", position) + 1
                block = text[position:end]
                if b"\r" in block:
                    block = block.replace(b"\r\n", b"\n")
                count = int(np.count_nonzero(np.frombuffer(block, np.uint8) == _NEWLINE))  # five times as fast as count
                yield Block(first, count, block)
                first += count
                size = min(max(_LEAST, _LINES * len(block) // count), _MOST)
                position = end
    except LongLine:
        raise LongLine(first) from None
