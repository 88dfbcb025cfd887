"""What KIF and KI2 share: headings, comments, variations, the words that end a game."""

from __future__ import annotations

import re
from typing import Final

from gotools.games.shogi.records import words as w
from gotools.games.shogi.records.heading import Heading
from gotools.games.shogi.records.sheets import Sheet
from gotools.games.shogi.records.starts import first_side

_VARIATION: Final = re.compile(r"変化 *:")
_RESULT: Final = re.compile(rf"まで *[0-9]*手で(?:.*?({w.SIDE})の?(入玉勝ち|反則勝ち|反則負け|勝|負))?")


class JapaneseSheet(Sheet):
    """A game of KIF or KI2. Comments, and all from the first variation on, are left out."""

    begins = re.compile(rf" *(?:#KIF|#KI2|# *-+|手合割 *:|開始日時 *:|棋戦 *:|(?:{w.SIDE})(?:の持ち?駒)? *:)")

    def __init__(self) -> None:
        super().__init__()
        self._heading = Heading()
        self._started = False
        self._varied = False

    def take(self, text: str) -> None:
        """Take in a line. Raises BrokenSheet."""
        text = text.strip()
        if self._varied or not text or text[0] in "*#&":
            return
        if _VARIATION.match(text):
            self._varied = True
        elif found := _RESULT.match(text):
            self._start()
            self._result(found[1], found[2])
        elif not self._take_moves(text) and not self._started:
            self._heading.take(text)

    def finish(self) -> None:
        """Take in the end of the game. Raises BrokenSheet for a start position that cannot be."""
        self._start()
        self.ranks, self.players = self._heading.ranks, self._heading.players

    def _take_moves(self, text: str) -> bool:
        """Take in a line with moves; return whether it is one. Raises BrokenSheet."""
        raise NotImplementedError

    def _start(self, side: int = 0) -> None:
        """Know the start position; side -- as in Heading.setting. Raises BrokenSheet."""
        if not self._started:
            self._started = True
            self.setting = self._heading.setting(side)
            self.side = first_side(self.setting)

    def _end(self, word: str) -> None:
        """Take in a word that ends the game."""
        if word in w.DECLARED:
            self.declare()
        elif word in w.WON:
            self.end(self.side)
        else:
            self.end(3 - self.side if word in w.LOST else 0)

    def _result(self, side: str | None, what: str | None) -> None:
        """Take in the line that says how many moves there were, and who won."""
        if side is None or what is None:
            self.end(0)
            return
        winner = w.SIDES[side] if "勝" in what else 3 - w.SIDES[side]
        if what in w.DECLARED and winner == self.side:
            self.declare()
        self.winner = self.winner or winner
        self.end(winner)
