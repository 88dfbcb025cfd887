"""KIF: a move in a line, with its number and the square that it comes from.

And what KI2 shares with it: headings, comments, variations, the words that end a game.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final

from gotools.base.errors import quoted
from gotools.game.records.ranks import number_of
from gotools.game.records.results import side_named
from gotools.games.shogi.board import HELD
from gotools.games.shogi.records.sheets import MOST_OF_NAME, BrokenSheet, LineSheet
from gotools.games.shogi.records.starts import Placement, first_side, setting_of, sfen_of, start_of
from gotools.games.shogi.shogi import SHOGI

# words; digits are narrow (sheets.py) ---------------------------------------------------------------------------------

_RANKS: Final = "一二三四五六七八九"
PIECES: Final = {
    "歩": "P", "香": "L", "桂": "N", "銀": "S", "金": "G", "角": "B", "飛": "R", "玉": "K", "王": "K",
    "と": "+P", "成香": "+L", "成桂": "+N", "成銀": "+S", "馬": "+B", "龍": "+R", "竜": "+R",
    "杏": "+L", "圭": "+N", "全": "+S",
}  # fmt: skip
"""Pieces as SFEN writes them, by their names."""
PIECE: Final = "成[香桂銀]|[歩香桂銀金角飛玉王と馬龍竜杏圭全]"
"""The names of pieces, as a regular expression."""
TO: Final = f"(?:([1-9]) *([{_RANKS}1-9])|(同))"
"""The square that a move goes to, as a regular expression of three groups: file and rank, or "the same"."""

HANDICAPS: Final = {
    "平手": "",
    "香落ち": "lance",
    "右香落ち": "right-lance",
    "角落ち": "bishop",
    "飛車落ち": "rook",
    "飛落ち": "rook",
    "飛香落ち": "rook-lance",
    "二枚落ち": "two-piece",
    "三枚落ち": "three-piece",
    "四枚落ち": "four-piece",
    "五枚落ち": "five-piece",
    "左五枚落ち": "five-piece-left",
    "六枚落ち": "six-piece",
    "七枚落ち": "seven-piece",
    "左七枚落ち": "seven-piece",
    "右七枚落ち": "seven-piece-left",
    "八枚落ち": "eight-piece",
    "十枚落ち": "ten-piece",
}
"""Settings of the game by the names of handicaps. The silver of the left seven pieces stands on 3a."""
SIDES: Final = {"先手": 1, "下手": 1, "後手": 2, "上手": 2}
SIDE: Final = "先手|下手|後手|上手"
"""The names of sides, as a regular expression."""

DECLARED: Final = re.compile("入玉(?:宣言|勝ち)|宣言勝ち|勝ち宣言")
"""How a side wins by declaration."""
TRY: Final = "トライ"
"""The king has reached the other king's first square: a win where that rule is played."""
END: Final = (
    r"投了|(?:時間)?切れ(?:負け|勝ち)|時間切れ|(?:反則|入玉|宣言)(?:勝ち|負け)|勝ち宣言|入玉宣言(?:勝ち)?|不戦[勝敗]|不?詰み?|中断"
    rf"|(?:連続)?王手(?:連続)?の?千日手|千日手|持将棋|引き?分け?|封じ手|最大手数|接続切れ|指し?掛け|無勝負|{TRY}(?:勝ち|ルール)?"
)
"""The words that end games, as a regular expression."""


def square_of(file: str, rank: str) -> str:
    """Return a square as SFEN names it, of a digit and a digit, Japanese or not."""
    return file + "abcdefghi"[_RANKS.index(rank) if rank in _RANKS else int(rank) - 1]


# what KIF and KI2 share -----------------------------------------------------------------------------------------------

_VARIATION: Final = re.compile(r"変化 *:")
_RESULT: Final = re.compile(r"まで[、 ]*[0-9]*手で(.*)")


class JapaneseSheet(LineSheet, ABC):
    """A game of KIF or KI2. Comments, and all from the first variation on, are left out."""

    begins = re.compile(rf" *(?:#KIF|#KI2|# *-+|手合割 *:|開始日時 *:|棋戦 *:|(?:{SIDE})(?:の持ち?駒)? *:)")

    def __init__(self) -> None:
        super().__init__()
        self._heading = Heading()
        self._started = False
        self._varied = False
        self._to = ""

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

    @abstractmethod
    def _take_moves(self, text: str) -> bool:
        """Take in a line with moves; return whether it is one. Raises BrokenSheet."""

    def _start(self, side: int = 0) -> None:
        """Know the start position; side -- as in Heading.setting. Raises BrokenSheet."""
        if not self._started:
            self._started = True
            self.setting = self._heading.setting(side)
            self.side = first_side(self.setting)

    def _target(self, file: str, rank: str, same: str | None) -> str:
        """Return the square that a move goes to; same -- that of the move before. Raises BrokenSheet."""
        if same and not self._to:
            raise BrokenSheet("there is no move before")
        self._to = self._to if same else square_of(file, rank)
        return self._to

    def _end(self, word: str) -> None:
        """Take in a word that ends the game, which is said of the side to play."""
        if DECLARED.search(word):
            self.declare()
        elif word.startswith(TRY):
            self.end(self._tried())
        elif winner := side_named(f"{'先後'[self.side - 1]}手{word}"):
            self.end(winner)
        elif re.fullmatch(END, word):
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
        if DECLARED.search(words) and winner == self.side:
            self.declare()
        self.winner = self.winner or winner
        self.end(winner)


# what stands before the moves -----------------------------------------------------------------------------------------


_PAIR: Final = re.compile(r"([^:]{1,20}):(.*)")
_HAND: Final = re.compile(rf"({SIDE})の持ち?駒")
_RANK: Final = re.compile(rf"({SIDE})(?:の?段級位?|の?棋力|の?レーティング|の?R)")
_AFTER_NAME: Final = re.compile(r".*?(?:\(R?([0-9]{2,5})\)|[ (](?:アマ)?([初二三四五六七八九十0-9]{1,3}[段級])\)?)")
_ROW: Final = re.compile(r"\|([^|]*)\|? *[一二三四五六七八九1-9]?")
_CELL: Final = re.compile(rf" *([vV^]?)({PIECE}|[・･.．\-*])")
_HELD: Final = re.compile(r"([歩香桂銀金角飛])([一二三四五六七八九十0-9]*)")
_TURN: Final = re.compile(rf"({SIDE})番")


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
            self._side = SIDES[found[1]]
        elif text.startswith("|"):
            self._row(text)
        elif found := _PAIR.fullmatch(text):
            self._pair(found[1].strip(), found[2].strip())

    def _pair(self, key: str, value: str) -> None:
        if key == "手合割":
            self._handicap = value
        elif found := _HAND.fullmatch(key):
            self._hands[SIDES[found[1]]] = _hand(value)
        elif found := _RANK.fullmatch(key):
            self.ranks[SIDES[found[1]] - 1] = value[:60]
        elif key in SIDES:
            side = SIDES[key] - 1
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
            if piece := PIECES.get(cell[2]):
                row[column] = piece.lower() if cell[1] in ("v", "V") else piece
        self._rows.append(row)

    def setting(self, side: int = 0) -> str:
        """Return the setting of the game.

        side -- to play in a position that is drawn, where nothing else says it, 0 for side 1

        A drawing holds whatever the name of the handicap is. Raises BrokenSheet for a position that is not whole, or
        cannot be, and for an unknown handicap without a drawing.
        """
        named = HANDICAPS.get(self._handicap) if self._handicap else ""
        if not self._rows:
            if named is None:
                raise BrokenSheet(f"the start {quoted(self._handicap)} is unknown, and is not drawn")
            return named
        if len(self._rows) != 9:
            raise BrokenSheet(f"a board of {len(self._rows)} rows, not 9")
        pieces = {
            square_of(str(9 - column), str(number)): piece
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
        hand[PIECES[found[1]]] += count
        at = found.end()
    if at != len(parts):
        raise BrokenSheet(f"{quoted(text)} are no pieces in hand")
    return hand


# KIF ------------------------------------------------------------------------------------------------------------------


_NUMBERED: Final = re.compile(r"([0-9]{1,6})\s+(\S.*)")
_FILES: Final = re.compile(r"9\s*8\s*7\s*6\s*5\s*4\s*3\s*2\s*1")
_ENDED: Final = re.compile(rf"[▲△▼▽☗☖]?+ *+(?!{TO})(?P<word>[^\s(/+]+)")
"""Anything but a move, which begins with a square."""
_MOVE: Final = re.compile(rf"[▲△▼▽☗☖]? *{TO} *({PIECE})(打|不成|成)? *(?:\(([0-9])([0-9])\))?(?![^\s(/+])")


class KifSheet(JapaneseSheet):
    """A game of KIF."""

    plays = re.compile(rf"\s*[0-9]{{1,6}}\s+[▲△▼▽☗☖]? *(?:{TO} *(?:{PIECE})|{END})|手数-|まで *[0-9]+手で")

    def __init__(self) -> None:
        super().__init__()
        self._last = 0
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
        if end := _ENDED.match(what):
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
        to = self._target(file, rank, same)
        piece = PIECES[name]
        if how == "打" or from_file == from_rank == "0":
            self.move(self.side, self._placement.drop(self.side, piece, to))
        elif from_file is None or "0" in (from_file, from_rank):
            raise BrokenSheet("the square that it comes from is missing, as in (77)")
        else:
            origin = square_of(from_file, from_rank)
            after = f"+{piece}" if how == "成" else piece
            self.move(self.side, self._placement.move(self.side, origin, to, piece, after))
