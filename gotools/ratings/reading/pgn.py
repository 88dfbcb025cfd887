"""Results from the headers of PGN games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gotools.ratings.reading.ledger import Batch, Batches, Game
from gotools.ratings.reading.line_blocks import Problem, line_blocks
from gotools.ratings.reading.result_text import LOSS, WIN, class_of, score_code

_ITEM: Final = re.compile(
    rb'\[\s*+(\w++)\s++"([^"\\\n]*+(?:\\.[^"\\\n]*+)*)"\s*+\]|(;|^%)|(\{)|'
    rb"(?<!\S)(1-0|0-1|1/2-1/2|\*)(?!\S)|^[ \t]*+([^\s\[{;%])",
    re.MULTILINE,
)
"""A tag, a comment up to the end of the line, the begin of a comment in braces, a result behind the moves, a line that
begins with moves."""
_COMMENT_END: Final = re.compile(rb'\}|^(?=\[Event\s++")', re.MULTILINE)
"""Of a comment in braces; a game that begins in it shows that its own end is missing."""


def read_pgn(parts: Iterable[bytes], problem: Problem) -> Iterator[Batch]:
    """Yield the games of a PGN file. White of chess moves first, so it takes the place of black in Go.

    1-0 is a win of the first player, 0-1 a loss, 1/2-1/2 a draw, * an unfinished game; without the tag Result, it is
    the one behind the moves. A game begins with the first
    tag after moves, or with a repeated tag; comments in braces are skipped. A game with a comment that
    does not end, before the file or a line with the tag Event, is a problem and does not count.
    """
    batches: Batches[bytes] = Batches(_code, lambda _: class_of({}))
    reader = _Reader(problem)
    for block in line_blocks(parts):
        reader.games = []
        reader.read(block.text, block.first)
        yield from batches.of_one_class(reader.games, b"")
    reader.games = []
    reader.end()
    yield from batches.of_one_class(reader.games, b"")


def _code(result: bytes) -> int:
    text = result.decode("utf-8", "replace").strip()
    return {"1-0": WIN, "0-1": LOSS}.get(text, score_code(text))


class _Reader:
    """The state of reading: in tags or moves, in a comment or not.

    tags  -- of the game being read
    games -- White, Black, Result of the games read
    """

    def __init__(self, problem: Problem) -> None:
        self.tags: dict[bytes, bytes] = {}
        self.games: list[Game] = []
        self._problem = problem
        self._moves = False
        self._end = b""
        """The result behind the moves."""
        self._comment = 0
        """The line in which the comment in braces begins; 0 outside of comments."""

    def end(self) -> None:
        """Finish at the end of the text."""
        if self._comment:
            self._break_game()
        if self.tags:
            self._end_game()

    def _break_game(self) -> None:
        self._problem(self._comment, "a comment that does not end")
        self.tags, self._moves, self._end, self._comment = {}, False, b"", 0

    def _end_game(self) -> None:
        """Add the game of the current tags."""
        get = self.tags.get
        self.games.append((get(b"White", b""), get(b"Black", b""), get(b"Result", self._end)))
        self.tags, self._moves, self._end = {}, False, b""

    def read(self, text: bytes, first: int) -> None:
        """Read whole lines; first -- the number of the first one."""
        position = 0
        while True:
            if self._comment:
                end = _COMMENT_END.search(text, position)
                if end is None:
                    return
                if not end[0]:
                    self._break_game()
                self._comment, position = 0, end.end()
            found = _ITEM.search(text, position)
            if found is None:
                return
            position = found.end()
            if found[1]:
                if self.tags and (self._moves or found[1] in self.tags):
                    self._end_game()
                self.tags[found[1]] = re.sub(rb"\\(.)", rb"\1", found[2])
            elif found[3]:
                position = text.index(b"\n", position)
            elif found[4]:
                self._comment = first + text.count(b"\n", 0, position)
            else:
                self._moves, self._end = True, found[5] or self._end
