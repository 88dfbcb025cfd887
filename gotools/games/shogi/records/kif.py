"""KIF: a move in a line, with its number and the square that it comes from."""

from __future__ import annotations

import re
from typing import Final

from gotools.errors import quoted
from gotools.games.shogi.records import words as w
from gotools.games.shogi.records.japanese_sheet import JapaneseSheet
from gotools.games.shogi.records.sheets import BrokenSheet
from gotools.games.shogi.records.starts import Placement, start_of

_NUMBERED: Final = re.compile(r"([0-9]{1,6})\s+(\S.*)")
_FILES: Final = re.compile(r"9\s*8\s*7\s*6\s*5\s*4\s*3\s*2\s*1")
_END: Final = re.compile(rf"[▲△▼▽☗☖]?+ *+(?!{w.TO})(?P<word>[^\s(/+]+)")
"""Anything but a move, which begins with a square."""
_MOVE: Final = re.compile(rf"[▲△▼▽☗☖]? *{w.TO} *({w.PIECE})(打|不成|成)? *(?:\(([0-9])([0-9])\))?(?![^\s(/+])")


class KifSheet(JapaneseSheet):
    """A game of KIF."""

    plays = re.compile(rf"\s*[0-9]{{1,6}}\s+[▲△▼▽☗☖]? *(?:{w.TO} *(?:{w.PIECE})|{w.END})|手数-|まで *[0-9]+手で")

    def __init__(self) -> None:
        super().__init__()
        self._last = 0
        self._to = ""
        self._placement: Placement | None = None

    def _take_moves(self, text: str) -> bool:
        """Take in a line with a move, or with the end; return whether it is one. Raises BrokenSheet."""
        found = _NUMBERED.match(text)
        if found is None or _FILES.match(text):
            return False
        self._start()
        number, what = int(found[1]), found[2]
        if self._last and number != self._last + 1:
            raise BrokenSheet(f"move {number} follows move {self._last}")
        self._last = number
        if end := _END.match(what):
            self._end(end["word"])
        elif move := _MOVE.match(what):
            try:
                self._move(move)
            except BrokenSheet as error:
                raise BrokenSheet(f"move {number} ({quoted(move[0].strip())}): {error}") from error
        else:
            raise BrokenSheet(f"move {number}: {quoted(what, 30)} is no move of KIF")
        return True

    def _move(self, found: re.Match[str]) -> None:
        file, rank, same, name, how, from_file, from_rank = found.groups()
        if self._placement is None:
            self._placement = Placement(start_of(self.setting))
        if same and not self._to:
            raise BrokenSheet("there is no move before")
        self._to = to = self._to if same else w.square_of(file, rank)
        piece = w.PIECES[name]
        if how == "打" or from_file == from_rank == "0":
            self.move(self.side, self._placement.drop(self.side, piece, to))
        elif from_file is None or "0" in (from_file, from_rank):
            raise BrokenSheet("the square that it comes from is missing, as in (77)")
        else:
            origin = w.square_of(from_file, from_rank)
            after = f"+{piece}" if how == "成" else piece
            self.move(self.side, self._placement.move(self.side, origin, to, piece, after))
