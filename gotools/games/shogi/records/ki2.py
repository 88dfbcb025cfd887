"""KI2: moves as people write them, with words where several pieces of a kind can go to a square."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import quoted
from gotools.game.sides import side_letter
from gotools.games.shogi.board import NAMES, piece_at, piece_text
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.records import japanese_sheet as w
from gotools.games.shogi.records.japanese_sheet import JapaneseSheet
from gotools.games.shogi.records.sheets import BrokenSheet
from gotools.games.shogi.shogi import SHOGI
from gotools.jit.kernels.seams import TO_PLAY

_BLACK, _WHITE = "▲▼☗", "△▽☖"
_MARKS: Final = _BLACK + _WHITE
_SAID: Final = re.compile(rf"[{_MARKS}][^{_MARKS}]*")
_MOVE: Final = re.compile(rf"{w.TO} *({w.PIECE})([左右直上行引下寄]*)(打|不成|成|生)?")
_SQUARE: Final = re.compile(w.TO)


class _Way(NamedTuple):
    """A legal move: how far it goes to the right and forwards, seen by who makes it."""

    move: int
    right: int
    forwards: int
    dropped: bool
    promotes: bool


class Ki2Sheet(JapaneseSheet):
    """A game of KI2."""

    plays = re.compile(rf"\s*[{_MARKS}] *(?:{w.TO} *(?:{w.PIECE})|{w.END})|まで *[0-9]+手で")

    def __init__(self) -> None:
        super().__init__()
        self._state: NDArray[np.int32] | None = None

    def _take_moves(self, text: str) -> bool:
        """Take in a line with moves; return whether it is one. Raises BrokenSheet."""
        if text[0] not in _MARKS:
            return False
        for said in _SAID.findall(text):
            self._said(said[0], said[1:].strip())
        return True

    def _said(self, mark: str, text: str) -> None:
        side = 1 if mark in _BLACK else 2
        self._start(side)
        where = f"move {len(self.moves) + 1} ({quoted(mark + text, 30)})"
        if text and not _SQUARE.match(text):
            self._end(text)
            return
        try:
            if side != self.side:
                raise BrokenSheet(f"it is the turn of {side_letter(self.side)}")
            if (found := _MOVE.fullmatch(text)) is None:
                raise BrokenSheet("is no move of KI2")
            self._move(found)
        except BrokenSheet as error:
            raise BrokenSheet(f"{where}: {error}") from error

    def _move(self, found: re.Match[str]) -> None:
        file, rank, same, name, words, how = found.groups()
        if self._state is None:
            self._state = SHOGI.started_from(self.setting).position()
        to = self._target(file, rank, same)
        ways = _chosen(_ways(self._state, w.PIECES[name], to), words, how or "")
        if len(ways) != 1:
            raise BrokenSheet("several moves are meant by it" if ways else "there is no such legal move")
        self.move(self.side, SHOGI.move_text(ways[0].move, p.ROWS))
        self._state = SHOGI.play(self._state, ways[0].move)


def _ways(state: NDArray[np.int32], piece: str, square: str) -> list[_Way]:
    """Return the legal moves of a kind of piece to a square."""
    side, ways = int(state[TO_PLAY]), []
    for move in SHOGI.moves_of(state):
        squares, promotes = divmod(move, 2)
        origin, to = divmod(squares, p.SQUARES)
        if move == p.DECLARE or NAMES[to] != square:
            continue
        dropped = origin >= p.SQUARES
        kind = origin - p.SQUARES + 1 if dropped else piece_at(state, origin) % p.OTHER
        if piece_text(kind) != piece:
            continue
        right, forwards = (0, 0) if dropped else (to % 9 - origin % 9, origin // 9 - to // 9)
        sign = 1 if side == 1 else -1
        ways.append(_Way(move, sign * right, sign * forwards, dropped, bool(promotes)))
    return ways


def _chosen(ways: list[_Way], words: str, how: str) -> list[_Way]:
    """Return the moves that are meant. A drop is said only where a piece of the board could go there too."""
    if how == "打" or not any(not way.dropped for way in ways):
        return [way for way in ways if way.dropped and how in ("打", "") and not words]
    ways = [way for way in ways if not way.dropped and way.promotes == (how == "成")]
    if "直" in words:
        ways = [way for way in ways if way.right == 0 and way.forwards == 1]
    if "上" in words or "行" in words:
        ways = [way for way in ways if way.forwards > 0]
    if "引" in words or "下" in words:
        ways = [way for way in ways if way.forwards < 0]
    if "寄" in words:
        ways = [way for way in ways if way.forwards == 0]
    if "左" in words and ways:  # of pieces, the leftmost: it goes to the right the most
        most = max(way.right for way in ways)
        ways = [way for way in ways if way.right == most]
    if "右" in words and ways:
        least = min(way.right for way in ways)
        ways = [way for way in ways if way.right == least]
    return ways
