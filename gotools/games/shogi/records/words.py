"""The Japanese of records: squares, pieces, handicaps, how games end. Digits are narrow (sheets.py)."""

from __future__ import annotations

import re
from typing import Final

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
