"""What KIF and KI2 share: headings, comments, variations, the words that end a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from gotools.errors import quoted
from gotools.game.records.ranks import number_of
from gotools.game.records.results import side_named
from gotools.games.shogi.records import words as w
from gotools.games.shogi.records.sheets import MOST_OF_NAME, BrokenSheet, Sheet
from gotools.games.shogi.records.starts import HELD, first_side, setting_of, sfen_of
from gotools.games.shogi.shogi import SHOGI

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
        if not self.moves:
            return 0
        side, move = self.moves[-1]
        return side if SHOGI.move_text(move, SHOGI.sizes[0])[2:4] == ("5a", "5i")[side - 1] else 0

    def _result(self, words: str) -> None:
        """Take in the line that says how many moves there were, and who won."""
        winner = side_named(words)
        if w.DECLARED.search(words) and winner == self.side:
            self.declare()
        self.winner = self.winner or winner
        self.end(winner)


# what stands before the moves -----------------------------------------------------------------------------------------


_PAIR: Final = re.compile(r"([^:]{1,20}):(.*)")
_HAND: Final = re.compile(rf"({w.SIDE})の持ち?駒")
_RANK: Final = re.compile(rf"({w.SIDE})(?:の?段級位?|の?棋力|の?レーティング|の?R)")
_AFTER_NAME: Final = re.compile(r".*?(?:\(R?([0-9]{2,5})\)|[ (]([初二三四五六七八九十0-9]{1,3}[段級])\)?)")
_ROW: Final = re.compile(r"\|([^|]*)\|? *[一二三四五六七八九1-9]?")
_CELL: Final = re.compile(rf" *([vV^]?)({w.PIECE}|[・･.．\-*])")
_HELD: Final = re.compile(r"([歩香桂銀金角飛])([一二三四五六七八九十0-9]*)")
_TURN: Final = re.compile(rf"({w.SIDE})番")


class Heading:
    """The heading of a record, in the making."""

    def __init__(self) -> None:
        self.ranks, self.players = ["", ""], ["", ""]
        self._handicap = ""
        self._rows: list[dict[int, str]] = []
        self._hands: dict[int, Mapping[str, int]] = {}
        self._side = 0

    def take(self, text: str) -> None:
        """Take in a line; free text is left out. Raises BrokenSheet."""
        if found := _TURN.fullmatch(text):
            self._side = w.SIDES[found[1]]
        elif text.startswith("|"):
            self._row(text)
        elif found := _PAIR.fullmatch(text):
            self._pair(found[1].strip(), found[2].strip())

    def _pair(self, key: str, value: str) -> None:
        if key == "手合割":
            self._handicap = value
        elif found := _HAND.fullmatch(key):
            self._hands[w.SIDES[found[1]]] = _hand(value)
        elif found := _RANK.fullmatch(key):
            self.ranks[w.SIDES[found[1]] - 1] = value[:60]
        elif key in w.SIDES:
            side = w.SIDES[key] - 1
            self.players[side] = value[:MOST_OF_NAME]
            if found := _AFTER_NAME.fullmatch(value[:200]):
                self.ranks[side] = self.ranks[side] or found[1] or found[2]

    def _row(self, text: str) -> None:
        if len(self._rows) == 9:
            raise BrokenSheet("a board of more than 9 rows")
        found = _ROW.fullmatch(text)
        cells = list(_CELL.finditer(found[1])) if found else []
        if found is None or len(cells) != 9 or sum(map(len, (cell[0] for cell in cells))) != len(found[1].rstrip()):
            raise BrokenSheet(f"{quoted(text)} is no row of 9 squares")
        row = {}
        for column, cell in enumerate(cells):
            if piece := w.PIECES.get(cell[2]):
                row[column] = piece.lower() if cell[1] in ("v", "V") else piece
        self._rows.append(row)

    def setting(self, side: int = 0) -> str:
        """Return the setting of the game.

        side -- to play in a position that is drawn, where nothing else says it, 0 for side 1

        A drawing holds whatever the name of the handicap is. Raises BrokenSheet for a position that is not whole, or
        cannot be, and for an unknown handicap without a drawing.
        """
        named = w.HANDICAPS.get(self._handicap) if self._handicap else ""
        if not self._rows:
            if named is None:
                raise BrokenSheet(f"the start {quoted(self._handicap)} is unknown, and is not drawn")
            return named
        if len(self._rows) != 9:
            raise BrokenSheet(f"a board of {len(self._rows)} rows, not 9")
        pieces = {
            w.square_of(str(9 - column), str(number)): piece
            for number, row in enumerate(self._rows, 1)
            for column, piece in row.items()
        }
        to_play = self._side or side or (2 if named else 1)
        return setting_of(sfen_of(pieces, [self._hands.get(1, {}), self._hands.get(2, {})], to_play))


def _hand(text: str) -> dict[str, int]:
    """Raises BrokenSheet."""
    hand = dict.fromkeys(HELD, 0)
    parts = "" if text in ("なし", "") else text.replace(" ", "")
    at = 0
    while found := _HELD.match(parts, at):
        count = number_of(found[2]) if found[2] else 1
        if count < 0:
            break
        hand[w.PIECES[found[1]]] += count
        at = found.end()
    if at != len(parts):
        raise BrokenSheet(f"{quoted(text)} are no pieces in hand")
    return hand
