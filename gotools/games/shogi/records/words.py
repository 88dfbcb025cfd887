"""The Japanese of records: squares, pieces, handicaps, how games end. Digits are narrow (lines.py)."""

from __future__ import annotations

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
ANOTHER_START: Final = "その他"
"""The handicap of a game whose start is drawn."""
SIDES: Final = {"先手": 1, "下手": 1, "後手": 2, "上手": 2}
SIDE: Final = "先手|下手|後手|上手"
"""The names of sides, as a regular expression."""

LOST: Final = ("投了", "詰み", "切れ負け", "時間切れ", "反則負け", "不戦敗")
"""How the side to play has lost."""
WON: Final = ("反則勝ち", "不戦勝")
"""How the side to play has won."""
DECLARED: Final = ("入玉勝ち", "入玉宣言")
"""How the side to play has won by declaration."""
NOBODY: Final = ("中断", "千日手", "持将棋", "引き分け", "不詰", "封じ手")
END: Final = "|".join((*LOST, *WON, *DECLARED, *NOBODY))
"""The words that end games, as a regular expression."""


def square_of(file: str, rank: str) -> str:
    """Return a square as SFEN names it, of a digit and a digit, Japanese or not."""
    return file + "abcdefghi"[_RANKS.index(rank) if rank in _RANKS else int(rank) - 1]


def number_of(text: str) -> int:
    """Return a number of 0 to 99, in digits or Japanese; 1 for none, -1 for what is none."""
    if text.isascii() and text.isdigit():
        return int(text) if len(text) < 3 else -1
    tens, ten, ones = text.rpartition("十")
    if any(len(part) > 1 or part not in _RANKS for part in (tens, ones)):
        return -1
    one = _RANKS.index(ones) + 1 if ones else 0
    return (10 * (_RANKS.index(tens) + 1 if tens else 1) if ten else 0) + one if text else 1
