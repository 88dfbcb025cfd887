"""The lines of a record, and a game in the making: Sheet takes lines, read_sheets makes games of those of a file.

Lines are UTF-8, Shift-JIS or EUC-JP; wide digits become narrow.
"""

from __future__ import annotations

import codecs
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple

import numpy as np

from gotools.base.errors import quoted, shown
from gotools.files.lines import LONGEST_LINE, TOO_LONG
from gotools.files.opening import FIRST_BYTES
from gotools.game.records.encoding import likeliest
from gotools.game.records.mainline import MOST_MOVES
from gotools.game.records.record import Problem, Record
from gotools.game.records.replay import replayed
from gotools.games.shogi.kernels.pieces import DECLARE
from gotools.games.shogi.shogi import DECLARATION, SHOGI

MOST_OF_NAME: Final = 200
"""Characters of a player's name that are kept."""
_PARTS: Final = re.compile(rb"[^\r\n]+|[\r\n]+")
_DECLARED: Final = re.compile(
    rb"^(?:#KIF|#KI2|'CSA)[^\r\n]{0,80}?encoding *= *([\w-]{1,20})", re.IGNORECASE | re.MULTILINE
)
_CHUNK: Final = 1 << 20
_NARROW: Final = str.maketrans("０１２３４５６７８９　：（）＝", "0123456789 :()=")


class Line(NamedTuple):
    """A line that is not empty: its number from 1, its text; whether it was longer than LONGEST_LINE, and cut."""

    number: int
    text: str
    cut: bool = False


def lines_of(data: bytes) -> Iterator[Line]:
    """Yield the lines of a file, with narrow digits, blanks, brackets, colons. Bytes that fit nothing become U+FFFD."""
    codec, number = _codec_of(data), 1
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    for part in _PARTS.finditer(data, start):
        raw = part[0]
        if raw[0] in b"\r\n":
            number += raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")
            continue
        text = raw[:LONGEST_LINE].decode(codec, "replace")
        yield Line(number, text if text.isascii() else text.translate(_NARROW), len(raw) > LONGEST_LINE)


def _codec_of(data: bytes) -> str:
    """Return the encoding: UTF-8 if the file fits, unless it declares Shift-JIS, else the likeliest of Japanese."""
    if data.startswith(codecs.BOM_UTF8) or data.isascii():
        return "utf-8"
    found = _DECLARED.search(data[:FIRST_BYTES])
    declared = "cp932" if found and b"jis" in found[1].lower() else ""
    if not declared and _is_utf8(data):
        return "utf-8"
    return likeliest(data, declared, ("cp932", "euc_jp", "utf-8"))


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except ValueError:
        return False
    return True


# games ----------------------------------------------------------------------------------------------------------------


class BrokenSheet(Exception):
    """A game that cannot be read; the line is known to who reads it."""


class Sheet:
    """A game in the making.

    side   -- to play; over -- whether the game has ended, and winner -- who has won it then, 0 for none
    remark -- what a person should know about the game, which can be read all the same
    """

    def __init__(self) -> None:
        self.setting = ""
        self.moves: list[tuple[int, int]] = []
        self.side = 1
        self.over = False
        self.winner = 0
        self.remark = ""
        self.ranks, self.players = ["", ""], ["", ""]

    def move(self, side: int, text: str) -> None:
        """Add a move as USI writes it. Raises BrokenSheet for other text, after the end, and for too many."""
        try:
            move = SHOGI.parse_move(text, SHOGI.sizes[0])
        except ValueError as error:
            raise BrokenSheet(f"move {len(self.moves) + 1}: {error}") from error
        if self.over:
            raise BrokenSheet("a move after the end of the game")
        if len(self.moves) >= MOST_MOVES:
            raise BrokenSheet(f"more than {MOST_MOVES} moves")
        self.moves.append((side, move))
        self.side = 3 - side

    def end(self, winner: int) -> None:
        """End the game, once."""
        if not self.over:
            self.over, self.winner = True, winner

    def end_unknown(self, word: str) -> None:
        """End the game by a word that says nothing of the winner."""
        if not self.over:
            self.remark = f"the game ends with {quoted(word, 30)}, which is not known; its result is unknown"
        self.end(0)

    def declare(self) -> None:
        """End the game by the declaration of the side to play."""
        if not self.over:
            side = self.side
            self.move(side, DECLARATION)
            self.end(side)

    def game(self, name: str) -> Record:
        """Return the game. Raises BrokenSheet."""
        found = Record(
            id=name,
            size=SHOGI.sizes[0],
            moves=np.array(self.moves, np.int32).reshape(-1, 2),
            players=(self.players[0], self.players[1]),
            ranks=(self.ranks[0], self.ranks[1]),
            result=("", "B+", "W+")[self.winner],
            setting=self.setting,
        )
        return self._declared(found) if self.moves and self.moves[-1][1] == DECLARE else found

    def read(self, name: str, line: int | None) -> Iterator[Record | Problem]:
        """Yield the game, and the remark with the line of its end. Raises BrokenSheet."""
        yield self.game(name)
        if self.remark:
            yield Problem(self.remark, line, harmless=True)

    def _declared(self, found: Record) -> Record:
        """Return a game without the declaration at its end if the position does not allow it; its winner stays."""
        legal = 0
        with suppress(ValueError):  # of an illegal move
            for _ in replayed(found, SHOGI):
                legal += 1
        if legal != len(found.moves) - 1:
            return found
        self.remark = f"the declaration after move {legal} does not fulfil the 27-point rule; the result is kept"
        return replace(found, moves=found.moves[:-1])


class LineSheet(Sheet, ABC):
    """A game that is read line by line.

    begins -- lines that begin another game after moves; plays -- lines that are moves
    """

    begins: ClassVar[re.Pattern[str]]
    plays: ClassVar[re.Pattern[str]]

    @abstractmethod
    def take(self, text: str) -> None:
        """Take in a line. Raises BrokenSheet."""

    @abstractmethod
    def finish(self) -> None:
        """Take in the end of the game. Raises BrokenSheet."""

    def game(self, name: str) -> Record:
        """Return the game, once all lines are taken in. Raises BrokenSheet."""
        self.finish()
        return super().game(name)


def read_sheets(lines: Iterator[Line], kind: type[LineSheet], stem: str) -> Iterator[Record | Problem]:
    """Read the games of a file; one that cannot be read is a problem, and the others are read."""
    number, last = 1, None
    sheet, playing, broken = kind(), False, False

    def finished() -> Iterator[Record | Problem]:
        try:
            if not broken:
                yield from sheet.read(stem if number == 1 else f"{stem}#{number}", last)
        except BrokenSheet as error:
            yield Problem(str(error), last)

    for line in lines:
        if playing and kind.begins.match(line.text):
            yield from finished()
            number += 1
            sheet, playing, broken = kind(), False, False
        playing = playing or kind.plays.match(line.text) is not None
        last = line.number
        if broken:
            continue
        try:
            if line.cut:
                raise BrokenSheet(TOO_LONG)
            sheet.take(line.text)
        except BrokenSheet as error:
            broken = True
            yield Problem(shown(str(error), 200), line.number)
    if playing or number == 1:
        yield from finished()
