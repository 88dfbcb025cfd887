"""Read the result of a game as people and servers write it, in English, Chinese, Japanese or Korean."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple


class Result(NamedTuple):
    """What a text says of the result of a game.

    winner -- 1 or 2, 0 without a winner
    kind   -- of a win: resign, time, forfeit, score, or won where the text does not say how; else draw, void,
        unfinished or unknown
    """

    winner: int
    kind: str


_SGF: Final = re.compile(r"(b|w|black|white)\s*(?:\+\s*(.*))?")
_ENDS: Final = (
    ("unfinished", r"[打指][ちし]?掛け?|打挂|封棋|封じ?手|未完|未[终終]局|中[断斷](?!負)|[进進]行中|[対对]局中|봉수"),
    ("void", r"[无無](?:勝負|胜负|効|效)|不成立|무효|\Avoid\b|\Ano result\b"),
    ("draw", r"\A(?:0(?:\.0*)?|1/2-1/2|和|(?:drawn?|jigo|tie)\b.*)\Z|[和持]棋|[和平]局|持碁|ジゴ|引き?分け?|무승부"),
)  # fmt: skip
_OPEN: Final = ("", "*", "-", "unfinished", "none")
_TOKENS: Final = re.compile(
    r"(?P<B>[黑黒흑]|先番|先手|下手|(?<![a-z])b(?:lack)?(?![a-z]))"
    r"|(?P<W>[白백]|[後后]手|上手|(?<![a-z])w(?:hite)?(?![a-z]))"
    # "~" may be how a side lost ("黑超时"), or how the other won ("超时，白胜", "シチョウ勝ち")
    r"|(?P<how>[认認][输輸负負]|投[子了降]|[弃棄][权権權]|기권|超[时時]|[時时][間间]切れ|시간초과|反[則则]|반칙|(?<!不)詰"
    r"|(?<![a-z])(?:resign(?:s|ed)|time[sd]? ?out|forfeit(?:s|ed)|disconnect(?:s|ed))(?![a-z]))"
    r"|(?P<won>[胜勝승赢贏+]|(?<![a-z])(?:wins?|won|winner|beats?|defeat(?:s|ed))(?![a-z]))"
    r"|(?P<lost>[负負败敗패输輸]|(?<![a-z])(?:loses?|lost|loser)(?![a-z]))"
)
_LETTERS: Final = {"how": "~", "won": "+", "lost": "-"}
_MARGIN: Final = re.compile(r"[0-9半반一二三四五六七八九十] ?(?:[目子点點집]|points?)|中[押盘盤]|불계|\bby\b")
_KINDS: Final = (
    ("resign", r"中[押盘盤]|불계|resign|投[子了降]|[认認][输輸负負]"),
    ("time", r"time|[时時][间間]|超[时時]|切れ|시간"),
    ("forfeit", r"forfeit|illegal|反[則则]|[弃棄][权権權]|不戦|기권|반칙|몰수"),
    ("score", r"[0-9半반]|[目子点點집]"),
)


@lru_cache(maxsize=4096)
def read_result(text: str) -> Result:
    """Return what a text says of the result.

    B+3.5, b+, W+Resign, Black; 0, Draw, Jigo; Void; nothing, *, - and Unfinished; and words such as White resigns,
    黑中盘胜, 白番半目勝ち, 흑 불계승, 持碁, 打ち掛け. A text that names both sides and contradicts itself is unknown.
    """
    words = " ".join(unicodedata.normalize("NFKC", text).replace("⁄", "/").casefold().split())
    if found := _SGF.fullmatch(words):
        return Result(1 if found[1][0] == "b" else 2, _kind_of_sgf(found[2] or ""))
    if words in _OPEN:
        return Result(0, "unfinished")
    for kind, pattern in _ENDS:
        if re.search(pattern, words):
            return Result(0, kind)
    side = side_named(words)
    return Result(side, _kind(words)) if side else Result(0, "unknown")


def side_named(words: str) -> int:
    """Return the side, 1 or 2, that has won by words about one side or both, in small letters; 0 where unknown.

    黑胜, 白负, 黑超时负, 白の反則により黒の勝ち: what stands right after a side is said of it; 黑胜白: black has won.
    """
    said = "".join(_LETTERS.get(found.lastgroup or "", found.lastgroup or "") for found in _TOKENS.finditer(words))
    said = re.sub(r"~+(?=[-+])", "", said)  # how the game was won or lost
    said = re.sub(r"(?<=[BW])~", "-", said).replace("~", "")
    said = re.sub(r"(.)\1+", r"\1", said)
    if re.fullmatch(r"[BW]", said) and _MARGIN.search(words):
        said += "+"
    if re.fullmatch(r"[-+][BW]", said):  # winner: black
        said = said[::-1]
    if re.fullmatch(r"B[-+]W|W[-+]B", said):  # the first side is the subject
        said = said[:2]
    if not re.fullmatch(r"(?:[BW][-+])+", said):
        return 0
    winners = {1 if one in ("B+", "W-") else 2 for one in re.findall("..", said)}
    return winners.pop() if len(winners) == 1 else 0


def _kind_of_sgf(how: str) -> str:
    """Return how a game was won by what stands after the plus sign."""
    letters = {"r": "resign", "t": "time", "f": "forfeit"}
    return letters.get(how[:1]) or _kind(how)


def _kind(words: str) -> str:
    return next((kind for kind, pattern in _KINDS if re.search(pattern, words)), "won")
