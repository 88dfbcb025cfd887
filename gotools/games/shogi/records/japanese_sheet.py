"""What KIF and KI2 share: headings, comments, variations, the words that end a game."""

from __future__ import annotations

import re
from typing import Final

from gotools.games.shogi.records import words as w
from gotools.games.shogi.records.heading import Heading
from gotools.games.shogi.records.sheets import Sheet
from gotools.games.shogi.records.starts import first_side
from gotools.go.records.results import side_named

_VARIATION: Final = re.compile(r"変化 *:")
_RESULT: Final = re.compile(r"まで[、 ]*[0-9]*手で(.*)")


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
            self._result(found[1])
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
        """Take in a word that ends the game, which is said of the side to play."""
        if w.DECLARED.search(word):
            self.declare()
        elif word.startswith(w.TRY):
            self.end(self._tried())
        elif winner := side_named(f"{'先後'[self.side - 1]}手{word}"):
            self.end(winner)
        elif re.fullmatch(w.END, word):
            self.end(0)
        else:
            self.end_unknown(word)

    def _tried(self) -> int:
        """Return the side whose last move went to the square of the other king, and so has won; 0 for none."""
        side, move = self.moves[-1] if self.moves else (1, "")
        return side if move[2:4] == ("5a", "5i")[side - 1] else 0

    def _result(self, words: str) -> None:
        """Take in the line that says how many moves there were, and who won."""
        winner = side_named(words)
        if w.DECLARED.search(words) and winner == self.side:
            self.declare()
        self.winner = self.winner or winner
        self.end(winner)
