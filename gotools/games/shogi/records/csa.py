"""CSA: the notation of the Computer Shogi Association, V2.2 and V3, as floodgate writes it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from gotools.base.errors import quoted
from gotools.games.shogi.board import HELD, MOST, USUAL
from gotools.games.shogi.records.sheets import MOST_OF_NAME, BrokenSheet, LineSheet
from gotools.games.shogi.records.starts import Placement, first_side, setting_of, sfen_of, start_of

_PIECES: Final = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
_MOVE: Final = re.compile(r"([+-])([0-9])([0-9])([1-9])([1-9])([A-Z]{2})")
_ROW: Final = re.compile(r"P([1-9])((?: *(?:[+-][A-Z]{2}|\*))*) *")
_CELL: Final = re.compile(r"[+-][A-Z]{2}|\*")
_PLACED: Final = re.compile(r"P([I+-])((?:[0-9]{2}[A-Z]{2})*)")
_RATE: Final = re.compile(r"'(black|white)_rate:.*:([0-9.+-]{1,20}) *$")
_SUMMARY: Final = re.compile(r"'summary:.*[ :](win|lose):.* (?:win|lose) *$")
_LOST: Final = {"TORYO", "TIME_UP", "ILLEGAL_MOVE", "TSUMI"}
"""How the side to play loses."""
_NO_WINNER: Final = {
    *("CHUDAN", "SENNICHITE", "OUTE_SENNICHITE", "JISHOGI", "HIKIWAKE", "MAX_MOVES", "MATTA", "FUZUMI", "ERROR"),
}


def _square(file: str, rank: str) -> str:
    return file + "_abcdefghi"[int(rank)]


def _piece(name: str) -> str:
    if name not in _PIECES:
        raise BrokenSheet(f"there is no piece {quoted(name)}")
    return _PIECES[name]


class CsaSheet(LineSheet):
    """A game of CSA."""

    begins = re.compile(r"/ *$|V[0-9]|N\+|P[I1]")
    plays = re.compile(r"[+%]|-[0-9]|- *$")

    def __init__(self) -> None:
        super().__init__()
        self._pieces: dict[str, str] | None = None
        self._hands: list[Counter[str]] = [Counter(), Counter()]
        self._placement: Placement | None = None
        self._stated = 0

    def take(self, text: str) -> None:
        """Take in a line. Raises BrokenSheet."""
        if text.startswith("'"):
            self._comment(text)
        elif text[:2] in ("N+", "N-"):
            self.players[text[1] == "-"] = text[2:].strip()[:MOST_OF_NAME]
        elif text[0] not in "VN$":
            for statement in text.split(","):
                if statement.strip():
                    self._statement(statement.strip())

    def finish(self) -> None:
        """Take in the end of the game. Raises BrokenSheet for a start position that cannot be."""
        self._start()
        self.winner = self.winner or self._stated

    def _comment(self, text: str) -> None:
        """Take in the comments of floodgate: ratings, and who won."""
        if found := _RATE.match(text):
            self.ranks[found[1] == "white"] = found[2]
        elif found := _SUMMARY.match(text):
            self._stated = 1 if found[1] == "win" else 2

    def _statement(self, text: str) -> None:
        if found := _MOVE.fullmatch(text):
            self._move(found)
        elif text.startswith("%"):
            self._start()
            self._end(text[1:])
        elif text in ("+", "-") and self._placement is None:
            self.side = 1 if text == "+" else 2
        elif text.startswith("P") and self._placement is None:
            self._place(text)
        elif not (text.startswith("T") and text[1:2].isdigit()) and text != "/":
            raise BrokenSheet(f"{quoted(text)} is no statement of CSA, or stands in the wrong place")

    def _move(self, found: re.Match[str]) -> None:
        placement, side = self._start(), 1 if found[1] == "+" else 2
        to, after = _square(found[4], found[5]), _piece(found[6])
        try:
            if found[2] == found[3] == "0":
                self.move(side, placement.drop(side, after, to))
                return
            if "0" in (found[2], found[3]):
                raise BrokenSheet("there is no such square")
            origin = _square(found[2], found[3])
            before = after if placement.at(side, origin) == after else after.removeprefix("+")
            self.move(side, placement.move(side, origin, to, before, after))
        except BrokenSheet as error:
            raise BrokenSheet(f"move {len(self.moves) + 1} ({found[0]}): {error}") from error

    def _end(self, word: str) -> None:
        if word == "KACHI":
            self.declare()
        elif word in ("+ILLEGAL_ACTION", "-ILLEGAL_ACTION"):
            self.end(2 if word[0] == "+" else 1)
        elif word in _LOST or word in _NO_WINNER:
            self.end(3 - self.side if word in _LOST else 0)
        else:
            self.end_unknown(f"%{word}")

    def _place(self, text: str) -> None:
        """Take in a statement of the start position."""
        if found := _ROW.fullmatch(text):
            cells = _CELL.findall(found[2])
            if len(cells) != 9:
                raise BrokenSheet(f"{quoted(text)}: {len(cells)} squares, not 9")
            for column, cell in enumerate(cells):
                if cell != "*":
                    self._put(_square(str(9 - column), found[1]), cell[0], _piece(cell[1:]))
        elif found := _PLACED.fullmatch(text):
            placed = [(part[:2], part[2:]) for part in map("".join, zip(*[iter(found[2])] * 4, strict=True))]
            if found[1] == "I":
                self._usual([square for square, _ in placed])
            else:
                for square, name in placed:
                    self._put_or_hold(found[1], square, name)
        else:
            raise BrokenSheet(f"{quoted(text)} is no part of a position")

    def _usual(self, without: list[str]) -> None:
        self._pieces = Placement(USUAL).by_square()
        for square in without:
            if "0" in square or self._pieces.pop(_square(*square), None) is None:
                raise BrokenSheet(f"there is no piece on {square} to leave out")

    def _put_or_hold(self, sign: str, square: str, name: str) -> None:
        hand = self._hands[sign == "-"]
        if square == "00" and name == "AL":
            used = Counter(piece[-1].upper() for piece in (self._pieces or {}).values())
            used.update(self._hands[0])
            used.update(self._hands[1])
            hand.update({letter: max(0, MOST[letter] - used[letter]) for letter in HELD})
        elif square == "00":
            if (letter := _piece(name)) not in HELD:
                raise BrokenSheet(f"{name} cannot be in hand")
            hand[letter] += 1
        elif "0" in square:
            raise BrokenSheet(f"there is no square {square}")
        else:
            self._put(_square(*square), sign, _piece(name))

    def _put(self, square: str, sign: str, piece: str) -> None:
        if self._pieces is None:
            self._pieces = {}
        self._pieces[square] = piece if sign == "+" else piece.lower()

    def _start(self) -> Placement:
        """Return what stands where, once the start position is known. Raises BrokenSheet."""
        if self._placement is None:
            if self._pieces is not None or any(self._hands) or self.side == 2:
                pieces = Placement(USUAL).by_square() if self._pieces is None else self._pieces
                self.setting = setting_of(sfen_of(pieces, self._hands, self.side))
            self._placement = Placement(start_of(self.setting))
            self.side = first_side(self.setting)
        return self._placement
