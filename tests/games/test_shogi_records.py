"""Records of shogi: KIF, KI2, CSA, lists of USI; what is wrong in them; the same games by the package cshogi."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.examples import decisions
from support.records import texts_of

from gotools.base.errors import FileFormatError
from gotools.cli import run
from gotools.game.examples.good_and_bad import GoodBadSelection, good_and_bad
from gotools.game.game import find_game, suffixes_of
from gotools.game.records.reading import read_records
from gotools.game.records.record import Problem, Record
from gotools.game.records.selection import Strengths
from gotools.games.shogi.board import HANDICAPS
from gotools.games.shogi.records.notations import read_notation

SHOGI = find_game("shogi")
MOVES = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "5c5d", "4e3d", "B*3c", "3d5f"]
"""Promotion, the same square, drops."""

CSA = """\
V2.2
N+ABC
N-XYZ
$EVENT:a, b
'black_rate:ABC+0123:2345.6
'white_rate:XYZ:1999.0
PI
+
+7776FU
T12
-3334FU,T3
'a comment, of +1234FU
+8822UM
-3122GI
+0045KA
-5354FU
+4534KA
-0033KA
+3456KA
%TORYO
"""
KIF = """\
# ---- Kifu for Windows V7 ----
開始日時：2026/11/23 10:00:00
手合割：平手
先手：あ
後手：い
先手段級：五段
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:12/00:00:12)
*a comment: 手合割：角落ち
   2 ３四歩(33)   ( 0:03/00:00:03)+
   3 ２二角成(88)   ( 0:00/00:00:12)
   4 同　銀(31)   ( 0:00/00:00:03)
   5 ４五角打   ( 0:00/00:00:12)
   6 5四歩(53)
   7 ３四角(45)
   8 ３三角打
   9 ５六角(34)
  10 投了
まで9手で先手の勝ち

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)
"""
KI2 = """\
手合割：平手
先手：あ
後手：い(1234)

▲７六歩    △３四歩
▲２二角成  △同　銀
*▲１六歩
▲４五角 △５四歩 ▲３四角 △３三角 ▲５六角
まで9手で先手の勝ち
"""
USI = f"# a list\nposition startpos moves {' '.join(MOVES)} resign\n"


def read(text: str | bytes, name: str = "x") -> list[Record | Problem]:
    return list(read_notation(text.encode() if isinstance(text, str) else text, name))


def game_of(text: str | bytes) -> Record:
    found, *remarks = read(text)
    assert isinstance(found, Record), found
    assert all(isinstance(remark, Problem) and remark.harmless for remark in remarks)
    return found


def moves_of(text: str | bytes) -> list[str]:
    return [move for _, move in texts_of(game_of(text), SHOGI)]


def problem_of(text: str | bytes) -> tuple[int | None, str]:
    (found,) = read(text)
    assert isinstance(found, Problem), found
    return found.line, found.what


# each notation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [CSA, KIF, KI2, USI], ids=["csa", "kif", "ki2", "usi"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp932"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_game_is_the_same_in_each_notation(text: str, codec: str, end: str) -> None:
    found = game_of(text.replace("\n", end).encode(codec))
    assert texts_of(found, SHOGI) == [(1 + ply % 2, move) for ply, move in enumerate(MOVES)]
    assert (found.id, found.size, found.setting, found.winner) == ("x", 9, "", 1)


def test_ratings_and_ranks() -> None:
    assert game_of(CSA).ranks == ("2345.6", "1999.0")
    assert game_of(KIF).ranks == ("五段", "")
    assert game_of(KI2).ranks == ("", "1234")
    assert game_of(KIF.replace("先手段級：五段\n", "").replace("先手：あ\n", "先手：あ アマ四段\n")).ranks == (
        "四段",
        "",
    )


def test_a_declared_encoding_counts() -> None:
    text = "#KIF version=2.0 encoding={}\n先手：\u00b1\n   1 ７六歩(77)\n   2 ３四歩(33)\n"
    for name, codec in (("UTF-8", "utf-8"), ("Shift_JIS", "cp932")):
        assert moves_of(text.format(name).encode(codec)) == MOVES[:2]
    assert moves_of(text.format("Shift_JIS").encode()) == MOVES[:2]


def test_a_damaged_letter_spoils_no_game() -> None:
    for codec in ("utf-8", "cp932"):
        data = KIF.encode(codec)
        at = data.index("あ".encode(codec))
        assert moves_of(data[:at] + b"\xff" + data[at + 1 :]) == MOVES


@pytest.mark.parametrize(
    ("word", "winner"),
    [
        ("TORYO", 2), ("CHUDAN", 0), ("SENNICHITE", 0), ("TIME_UP", 2), ("ILLEGAL_MOVE", 2), ("+ILLEGAL_ACTION", 2),
        ("-ILLEGAL_ACTION", 1), ("JISHOGI", 0), ("KACHI", 1), ("HIKIWAKE", 0), ("MATTA", 0), ("TSUMI", 2),
        ("FUZUMI", 0), ("ERROR", 0),
    ],
)  # fmt: skip
def test_ends_of_csa(word: str, winner: int) -> None:
    found = game_of(f"PI\n+\n+7776FU\n-3334FU\n%{word}\nT3\n")
    assert (found.winner, [move for _, move in texts_of(found, SHOGI)]) == (winner, MOVES[:2])


@pytest.mark.parametrize(
    ("word", "winner"),
    [
        ("投了", 2), ("中断", 0), ("千日手", 0), ("持将棋", 0), ("切れ負け", 2), ("反則勝ち", 1), ("反則負け", 2),
        ("入玉勝ち", 1), ("不戦勝", 1), ("不戦敗", 2), ("詰み", 2), ("宣言勝ち", 1), ("勝ち宣言", 1),
        ("時間切れ負け", 2),        ("最大手数", 0), ("王手千日手", 0), ("接続切れ", 0), ("トライ", 0), ("引き分け", 0),
    ],
)  # fmt: skip
def test_ends_of_kif(word: str, winner: int) -> None:
    found = game_of(f"1 ７六歩(77)\n2 ３四歩(33)\n3 {word} ( 0:01/00:00:01)\n")
    assert found == game_of(f"1 ▲７六歩(77)\n2 △３四歩(33)\n3 ▲{word}\n")
    assert (found.winner, [move for _, move in texts_of(found, SHOGI)]) == (winner, MOVES[:2])


ENTERED = "KGGGG4/SSSS5/RBRB5/9/8k/9/9/9/9"
"""The king of black, 12 pieces with 28 points in its zone: black may declare victory."""


@pytest.mark.parametrize(
    ("name", "text", "moves", "said"),
    [
        ("a.csa", "PI\n+\n+7776FU\n-3334FU\n%KACHI\n", MOVES[:2], ":5"),
        ("a.kif", "1 ７六歩(77)\n2 ３四歩(33)\n3 入玉勝ち\n", MOVES[:2], ":3"),
        ("a.ki2", "▲７六歩 △３四歩\n▲宣言勝ち\n", MOVES[:2], ":2"),
        ("a.usi", f"# 23 points\nsfen {ENTERED.replace('R', '1', 1)} w - 1 moves 1e1f win\n", ["1e1f"], ":2"),
        ("a.usi", f"sfen {ENTERED} b - 1 moves win\n", ["win"], ""),
    ],
)  # fmt: skip
def test_a_declaration_that_our_rule_does_not_allow_is_named_and_its_result_kept(
    name: str, text: str, moves: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text)
    out = tmp_path / "rows.tsv"
    assert run(["sgf-to-examples", "--game", "shogi", str(tmp_path / name), "--strict", "-q", "-o", str(out)]) == 0
    rows = [row.split("\t") for row in out.read_text().splitlines() if row.startswith("a:")]
    assert [row[3] for row in rows] == moves and {row[-1] for row in rows} == {"B+"}
    what = f"the declaration after move {len(moves)} does not fulfil the 27-point rule; the result is kept"
    assert capfd.readouterr().err == (f"{tmp_path / name}{said}: {what}\n" if said else "")


def test_a_word_that_is_not_known_ends_a_game_and_is_said() -> None:
    for text in (
        "1 ７六歩(77)\n2 ３四歩(33)\n3 謎 (0:01/)\n",
        "▲７六歩 △３四歩 ▲謎\n",
        "PI\n+\n+7776FU\n-3334FU\n%謎\n",
    ):
        found, remark = read(text)
        assert isinstance(found, Record) and isinstance(remark, Problem)
        assert ([move for _, move in texts_of(found, SHOGI)], found.winner) == (MOVES[:2], 0)
        assert remark.harmless and "謎" in remark.what


def test_a_king_that_comes_to_the_square_of_the_other_has_won() -> None:
    text = f"手合割：詰将棋\n{drawing({'6b': 'K', '9a': 'k'})}\n1 ５一玉(62)\n2 トライ\n"
    assert game_of(text).winner == 1


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        ("先手の勝ち", 1), ("後手の勝ち", 2), ("時間切れにより後手の勝ち", 2), ("先手の反則負け", 2), ("中断", 0),
        ("後手の反則勝ち", 2), ("千日手", 0), ("持将棋", 0), ("先手の反則により後手の勝ち", 2), ("下手の勝ち", 1),
        ("先手の投了", 2), ("後手の切断負け", 1), ("最大手数により引き分け", 0),
    ],
)  # fmt: skip
def test_the_line_of_the_result(result: str, winner: int) -> None:
    assert game_of(f"▲７六歩 △３四歩\nまで2手で{result}\n").winner == winner


def test_floodgate_says_who_has_won() -> None:
    for words, winner in (("win:B lose", 1), ("lose:B win", 2), ("draw:B draw", 0)):
        assert game_of(f"PI\n+\n+7776FU\n%CHUDAN\n'summary:max moves:A {words}\n").winner == winner


def test_lists_of_usi() -> None:
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
    other = "4k4/9/9/9/9/9/9/9/4K4 w R2Pb 7"
    found = read(
        f"startpos moves 7g7f\n\nposition sfen {HANDICAPS['rook']} moves 3c3d 7g7f\r\n# no game\n7g7f 3c3d\n"
        f"sfen {other} moves B*5e win\n{start} b -\nsfen {start} b - moves 7G7F\nstartpos\n",
        "a/b.sfen.gz",
    )
    assert [game.id for game in found if isinstance(game, Record)] == ["b", *(f"b#{n}" for n in range(2, 8))]
    assert [(game.setting, texts_of(game, SHOGI)) for game in found if isinstance(game, Record)] == [
        ("", [(1, "7g7f")]),
        ("rook", [(2, "3c3d"), (1, "7g7f")]),
        ("", [(1, "7g7f"), (2, "3c3d")]),
        (other, [(2, "B*5e")]),
        ("", []),
        ("", [(1, "7g7f")]),
        ("", []),
    ]


# starts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("平手", ""), ("香落ち", "lance"), ("右香落ち", "right-lance"), ("角落ち", "bishop"), ("飛車落ち", "rook"),
        ("飛香落ち", "rook-lance"), ("二枚落ち", "two-piece"), ("三枚落ち", "three-piece"), ("四枚落ち", "four-piece"),
        ("五枚落ち", "five-piece"), ("左五枚落ち", "five-piece-left"), ("六枚落ち", "six-piece"),
        ("八枚落ち", "eight-piece"), ("十枚落ち", "ten-piece"),
    ],
)  # fmt: skip
def test_handicaps(name: str, setting: str) -> None:
    cshogi = pytest.importorskip("cshogi")
    kif = pytest.importorskip("cshogi.KIF")
    first = "３四歩(33)" if setting else "７六歩(77)"
    found = game_of(f"手合割：{name}　\n下手：あ\n上手：い\n1 {first}\n2 投了\n")
    assert (found.setting, found.moves[0, 0], found.winner) == (setting, 2 if setting else 1, 1 if not setting else 2)
    if setting:
        assert cshogi.Board(kif.Parser.HANDYCAP_SFENS[name]).sfen() == cshogi.Board(HANDICAPS[setting]).sfen()
        board = cshogi.Board(HANDICAPS[setting])
        drawn = game_of(f"手合割：その他\n{kif.board_to_bod(board)}\n1 ３四歩(33)\n")
        assert (drawn.setting, texts_of(drawn, SHOGI)) == (setting, [(2, "3c3d")])
        csa = game_of(board.csa_pos() + "-3334FU\n")
        assert (csa.setting, texts_of(csa, SHOGI)) == (setting, [(2, "3c3d")])


def test_seven_pieces_are_those_of_the_name() -> None:
    left, right = (game_of(f"手合割：{side}七枚落ち\n1 ３四歩(33)\n").setting for side in "左右")
    assert HANDICAPS[left].startswith("2sgkg3/") and HANDICAPS[right].startswith("3gkgs2/")


DRAWING = """\
後手の持駒：飛　角　金二　歩十三
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・v桂 ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ 圭 ・ ・ ・ ・ ・ ・|二
|v歩 ・ ・ と ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・v馬 ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ 歩|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ 龍|九
+---------------------------+
先手の持駒：銀 桂
"""


def test_a_drawing_is_the_start() -> None:
    board = "1n2k4/2+N6/p2+P5/9/6+b2/9/8P/9/4K3+R"
    for name, turn, first, side in (
        ("その他", "", "1 ５二銀打", "b"),
        ("詰将棋", "後手番\n", "1 ８二金打", "w"),
        ("", "", "1 ５二銀打", "b"),
        ("百枚落ち", "上手番\n", "1 ８二金打", "w"),
    ):
        found = game_of(f"手合割：{name}\n{DRAWING}手数＝4  △５一玉 まで\n{turn}{first}\n")
        assert found.setting == f"{board} {side} SNrb2g13p 1"
        assert texts_of(found, SHOGI) == [(1, "S*5b") if side == "b" else (2, "G*8b")]
    both = game_of(DRAWING + "△８二金 ▲５二銀打\n")
    assert texts_of(both, SHOGI) == [(2, "G*8b"), (1, "S*5b")]


def test_starts_of_csa() -> None:
    found = game_of("PI82HI22KA\n-\n-3334FU\n+7776FU\n")
    assert (found.setting, texts_of(found, SHOGI)) == ("two-piece", [(2, "3c3d"), (1, "7g7f")])
    assert game_of("PI82HI22KA\n+\n+7776FU\n").setting == HANDICAPS["two-piece"].replace(" w ", " b ")
    assert game_of("P-51OU\nP+53TO00KI\nP-00AL\n+\n+0052KI\n").setting == "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    rows = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * * -KA *\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n" + "".join(
        f"P{row} *  *  *  *  *  *  *  *  * \n" for row in (4, 5, 6)
    )
    rows += "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n"
    assert game_of(rows + "+\n+7776FU\n").setting == ""


# KI2: which of several pieces -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        # the examples of the rules of notation, shogi.or.jp/faq/kihuhyouki.html; "": more than one piece is meant
        ({"9c": "G", "7b": "G"}, {"▲８二金上": "9c8b", "▲８二金寄": "7b8b", "▲８二金": ""}),
        ({"4c": "G", "3a": "G"}, {"▲３二金上": "4c3b", "▲３二金引": "3a3b"}),
        ({"5f": "G", "4e": "G"}, {"▲５五金上": "5f5e", "▲５五金寄": "4e5e"}),
        ({"8i": "S", "7g": "S"}, {"▲８八銀上": "8i8h", "▲８八銀引": "7g8h"}),
        ({"4i": "S", "2g": "S"}, {"▲３八銀上": "4i3h", "▲３八銀引": "2g3h"}),
        ({"9b": "G", "7b": "G"}, {"▲８一金左": "9b8a", "▲８一金右": "7b8a", "▲８一金上": ""}),
        ({"3b": "G", "1b": "G"}, {"▲２二金左": "3b2b", "▲２二金右": "1b2b"}),
        ({"6e": "S", "4e": "S"}, {"▲５六銀左": "6e5f", "▲５六銀右": "4e5f"}),
        ({"8i": "G", "7i": "G"}, {"▲７八金左": "8i7h", "▲７八金直": "7i7h"}),
        ({"3i": "S", "2i": "S"}, {"▲３八銀直": "3i3h", "▲３八銀右": "2i3h"}),
        ({"6c": "G", "5c": "G", "4c": "G"}, {"▲５二金左": "6c5b", "▲５二金直": "5c5b", "▲５二金右": "4c5b"}),
        (
            {"7i": "+P", "8i": "+P", "8h": "+P", "7g": "+P", "6h": "+P"},
            {
                "▲７八と右": "6h7h",
                "▲７八と直": "7i7h",
                "▲７八と左上": "8i7h",
                "▲７八と左寄": "8h7h",
                "▲７八と引": "7g7h",
                "▲７八と左": "",
            },
        ),
        (
            {"2i": "S", "1g": "S", "3i": "S", "3g": "S"},
            {
                "▲２八銀直": "2i2h",
                "▲２八銀右": "1g2h",
                "▲２八銀左上": "3i2h",
                "▲２八銀左引": "3g2h",
                "▲２八銀左": "",
                "▲２八銀上": "",
            },
        ),
        ({"9a": "+R", "8d": "+R"}, {"▲８二竜引": "9a8b", "▲８二竜上": "8d8b"}),
        ({"5b": "+R", "2c": "+R"}, {"▲４三竜寄": "2c4c", "▲４三竜引": "5b4c"}),
        ({"5e": "+R", "1e": "+R"}, {"▲３五竜左": "5e3e", "▲３五竜右": "1e3e"}),
        ({"9i": "+R", "8i": "+R"}, {"▲８八竜左": "9i8h", "▲８八竜右": "8i8h", "▲８八龍": ""}),
        ({"2h": "+R", "1i": "+R"}, {"▲１七竜左": "2h1g", "▲１七竜右": "1i1g"}),
        ({"9a": "+B", "8a": "+B"}, {"▲８二馬左": "9a8b", "▲８二馬右": "8a8b"}),
        ({"9e": "+B", "6c": "+B"}, {"▲８五馬寄": "9e8e", "▲８五馬引": "6c8e"}),
        ({"9i": "+B", "5i": "+B"}, {"▲７七馬左": "9i7g", "▲７七馬右": "5i7g"}),
        ({"4g": "+B", "1h": "+B"}, {"▲２九馬左": "4g2i", "▲２九馬右": "1h2i"}),
        # seen from the other side, drops, promotion
        ({"5b": "g", "3b": "g"}, {"△４三金右": "5b4c", "△４三金左": "3b4c", "△５三金": "5b5c"}),
        (
            {"7d": "n", "5d": "n", "hand": "桂"},
            {"△６六桂右": "7d6f", "△６六桂左": "5d6f", "△６六桂打": "N*6f", "△１一桂": "N*1a"},
        ),
        ({"5f": "G", "hand": "金"}, {"▲５五金打": "G*5e", "▲５五金": "5f5e", "▲１一金": "G*1a"}),
        ({"5b": "S"}, {"▲５一銀成": "5b5a+", "▲５一銀不成": "5b5a", "▲５一銀": "5b5a"}),
    ],
)
def test_words_choose_between_pieces(pieces: dict[str, str], said: dict[str, str]) -> None:
    for text, move in said.items():
        (found,) = read(f"{drawing(pieces)}\n{text}\n")
        if move:
            assert isinstance(found, Record) and texts_of(found, SHOGI)[0][1] == move, (text, found)
        else:
            assert isinstance(found, Problem) and "several moves are meant by it" in found.what, (text, found)


def drawing(pieces: dict[str, str]) -> str:
    """Return a drawing of pieces on squares; both sides have the same in hand."""
    hand = pieces.get("hand", "なし")
    names = dict(zip(["", *"PLNSGBRK", "+P", "+S", "+B", "+R"], "・歩香桂銀金角飛玉と全馬龍", strict=True))
    rows = []
    for rank in "abcdefghi":
        row = [pieces.get(f"{file}{rank}", "") for file in range(9, 0, -1)]
        rows.append(f"|{''.join(('v' if piece.islower() else ' ') + names[piece.upper()] for piece in row)}|")
    return "\n".join([f"後手の持駒：{hand}", *rows, f"先手の持駒：{hand}"])


# what is wrong --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("PI\n+\n+7776FU\n-3334XX\n", 4, "there is no piece 'XX'"),
        ("PI\n+\n+7776FU\n\n-3334KI\n", 5, "move 2 (-3334KI): 3c holds 'p', not 'G'"),
        ("PI\n+\n+5756FU\n+5756FU\n", 4, "move 2 (+5756FU): 5g is empty, not 'P'"),
        ("PI\n+\n+0776FU\n", 3, "move 1 (+0776FU): there is no such square"),
        ("PI\n+\n+0055OU\n", 3, "move 1 (+0055OU): 'K' is dropped"),
        ("PI\n+\n+7776FU\n%TORYO\n-3334FU\n", 5, "move 2 (-3334FU): a move after the end of the game"),
        ("PI\n+\nhello\n", 3, "'hello' is no statement of CSA, or stands in the wrong place"),
        ("P1-KY\n+\n", 1, "'P1-KY': 1 squares, not 9"),
        ("P+5XFU\n+\n", 1, "'P+5XFU' is no part of a position"),
        ("P+00OU\n+\n", 1, "OU cannot be in hand"),
        ("PI50FU\n", 1, "there is no piece on 50 to leave out"),
        ("P+51FU\n+\n+5152FU\n", 3, "SFEN: the P on 5a could never move"),
        ("1 ７六歩(77)\n3 ３四歩(33)\n", 2, "move 3 follows move 1"),
        ("1 ７六歩(77)\n2 ３四歩\n", 2, "move 2 ('３四歩'): the square that it comes from is missing, as in (77)"),
        ("1 ７六歩(77)\n2 ３四銀(33)\n", 2, "move 2 ('３四銀(33)'): 3c holds 'p', not 'S'"),
        ("1 同　歩(77)\n", 1, "move 1 ('同 歩(77)'): there is no move before"),
        ("1 ７六歩(77)\n2 ３四ほ(33)\n", 2, "move 2: '３四ほ(33)' is no move of KIF"),
        ("手合割：百枚落ち\n1 ７六歩(77)\n", 2, "the start '百枚落ち' is unknown, and is not drawn"),
        ("手合割：その他\n1 ７六歩(77)\n", 2, "the start 'その他' is unknown, and is not drawn"),
        ("後手の持駒：石\n1 ７六歩(77)\n", 1, "'石' are no pieces in hand"),
        ("| ・ ・|一\n1 ７六歩(77)\n", 1, "'| ・ ・|一' is no row of 9 squares"),
        (DRAWING.replace("| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n", "") + "1 ５二銀打\n", 14, "a board of 8 rows, not 9"),
        ("▲７六歩 △３三銀\n", 1, "move 2 ('△３三銀'): there is no such legal move"),
        ("▲７六歩 ▲２六歩\n", 1, "move 2 ('▲２六歩'): it is the turn of w"),
        ("▲７六歩 △３四あ\n", 1, "move 2 ('△３四あ'): is no move of KI2"),
        ("startpos moves 7g7f x\n", 1, "move 2: 'x' is not a move of shogi"),
        ("sfen 9/9 b - 1 moves 7g7f\n", 1, "SFEN '9/9': 2 rows, not 9"),
        ("startpos moves 7g7f resign 3c3d\n", 1, "a move after the end of the game"),
        ("startpos moves" + " 7g7f" * 32_001 + "\n", 1, "more than 32000 moves"),
        ("startpos moves " + "7g7f " * 250_000, 1, "a line longer than"),
        ("hello\n", 1, "holds no game: neither KIF, KI2, CSA nor moves of USI"),
        ("", None, "an empty file; expected game records"),
        (b"\0\1\2", None, "a binary file; expected game records"),
        ("%% gotools rules 1\n", None, "a file of rules; expected game records"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str | bytes, line: int | None, what: str) -> None:
    wide = str.maketrans("０１２３４５６７８９　", "0123456789 ")
    found = problem_of(text)
    assert found[0] == line and found[1].startswith(what.translate(wide))


@pytest.mark.parametrize(
    ("good", "bad", "between"),
    [
        (CSA, "PI\n+\n+7775FU\n+oops\n%TORYO\n", "/\n"),
        (CSA, "V2.2\nPI\n+\n+7775XX\n-3334FU\n%TORYO\n", ""),
        (KIF, "手合割：平手\n1 ７六銀(67)\n2 ３四歩(33)\n3 投了\n", ""),
        (KI2, "手合割：平手\n▲７六歩 △３三角\n▲２六歩\n", ""),
        ("7g7f 3c3d\n", "7g7f 3c3\n", ""),
    ],
)
def test_the_other_games_of_a_file_are_read(good: str, bad: str, between: str) -> None:
    found = read(between.join((good, bad, good, good)))
    assert [type(one) for one in found] == [Record, Problem, Record, Record]
    assert [one.id for one in found if isinstance(one, Record)] == ["x", "x#3", "x#4"]
    games = [one for one in found if isinstance(one, Record)]
    assert len({(one.moves.tobytes(), one.winner, one.ranks) for one in games}) == 1


PARTS = sorted({part for text in (CSA, KIF, KI2, USI, DRAWING) for part in text.splitlines(keepends=True)})


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=200) | st.lists(st.sampled_from(PARTS) | st.text(max_size=8), max_size=30).map("".join))
@example(b"\xef\xbb\xbf")
@example("   99999999 ７六歩(77)\n0 ７六歩(77)\n")
def test_nothing_is_raised_whatever_the_bytes(found: bytes | str) -> None:
    for codec in ("utf-8", "cp932"):
        data = found if isinstance(found, bytes) else found.encode(codec, "replace")
        for start in (b"", b"PI\n+\n+7776FU\n", "1 ７六歩(77)\n".encode(), "▲７六歩\n".encode("cp932"), b"7g7f\n"):
            for one in read_notation(start + data, "x"):
                assert isinstance(one, Record | Problem)


# as records of the game -----------------------------------------------------------------------------------------------


def test_folders_archives_and_gzip(tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(CSA)
    (tmp_path / "b.KIF").write_bytes(KIF.encode("cp932"))
    (tmp_path / "c.ki2u.gz").write_bytes(gzip.compress(KI2.encode()))
    (tmp_path / "d.sfen.gz").write_bytes(gzip.compress(USI.encode()))
    nodes = "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(MOVES))
    (tmp_path / "e.sgf").write_text(f"(;GM[8]RE[B+R]BR[5d]{nodes})")
    (tmp_path / "other.txt").write_text("no record")
    with zipfile.ZipFile(tmp_path / "f.zip", "w") as archive:
        archive.writestr("in/g.csa", CSA)
        archive.writestr("in/h.kif.gz", gzip.compress(KIF.encode("cp932")))
        archive.writestr("in/readme.txt", "no record")
    found = list(read_records([tmp_path], SHOGI, pytest.fail))
    assert [record.id for _, record in found] == list("abcdegh")
    assert len({record.moves.tobytes() for _, record in found}) == 1
    assert {record.winner for _, record in found} == {1}
    assert found[4][1].ranks == ("5d", "")
    rows = decisions([tmp_path], SHOGI, pytest.fail)
    assert len(rows) == 7 * len(MOVES) and rows.id[9] == "b:1"
    assert ".csa" in suffixes_of("shogi") and ".csa" not in suffixes_of("connect4")


def test_the_store_of_the_page_answers_its_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The records are in CSA (with ratings) and in SGF; the choice of good moves is that of cluster-moves."""
    page = (Path(__file__).parents[2] / "docs/shogi.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    Path("kifu").mkdir()
    Path("kifu/a.csa").write_text(CSA)
    header = "(;GM[8]SZ[9]PB[Abe]PW[Kato]BR[1499]WR[1600]RE"
    moves = "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(MOVES))
    Path("kifu/b.sgf").write_text(f"{header}[W+R]{moves}){header}[B+R]{moves})")
    (command,) = re.findall("^gotools (sgf-to-examples .*)$", page, re.MULTILINE)
    assert run([*command.replace("--jobs 4", "").split(), "-q"]) == 0
    found: dict[str, Any] = {}
    for query in re.findall(r"<!-- query -->\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(query, found)
    assert found["moves"] == MOVES
    strengths = Strengths.of_game(SHOGI)
    choice = GoodBadSelection(strengths.limit("1500"), None, 2 / 3, frozenset(), 0, strengths)
    chosen = good_and_bad(["kifu"], SHOGI, choice, print, lambda: None, False)
    expected = set(chosen.take(chosen.label == 1).id)
    assert set(found["good"].id) == expected and len(expected) == 6


def test_problems_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csa"
    path.write_text(CSA.replace("-3334FU", "-3334KI"))
    said: list[str] = []
    assert not list(read_records([path], SHOGI, said.append))
    assert said == [f"{path}:11: move 2 (-3334KI): 3c holds 'p', not 'G'"]
    with pytest.raises(FileFormatError):
        list(read_records([path], SHOGI, said.append, strict=True))


# the same by cshogi ---------------------------------------------------------------------------------------------------


def random_game(cshogi: Any, rng: random.Random, plies: int = 120) -> tuple[Any, list[int]]:
    """Return the first position of a random game and its moves; captures and promotions are likelier."""
    start = rng.choice([cshogi.STARTING_SFEN, *HANDICAPS.values()])
    board, moves = cshogi.Board(start), []
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        sharp = [move for move in legal if cshogi.move_is_promotion(move) or board.piece(cshogi.move_to(move))]
        moves.append(rng.choice(sharp if sharp and rng.random() < 0.4 else legal))
        board.push(moves[-1])
    return start, moves


@pytest.fixture(scope="module")
def games() -> list[tuple[str, list[int]]]:
    cshogi, rng = pytest.importorskip("cshogi"), random.Random(7)
    return [random_game(cshogi, rng) for _ in range(40)]


def check(cshogi: Any, found: Record, start: str, moves: list[int]) -> None:
    assert [text for _, text in texts_of(found, SHOGI)] == [cshogi.move_to_usi(move) for move in moves]
    first = 1 if cshogi.Board(start).turn == cshogi.BLACK else 2
    assert found.moves[:, 0].tolist() == [2 - (first + ply) % 2 for ply in range(len(moves))]
    assert HANDICAPS.get(found.setting, cshogi.STARTING_SFEN) == start


def test_csa_is_what_cshogi_writes_and_reads(tmp_path: Path, games: list[tuple[str, list[int]]]) -> None:
    cshogi, csa = pytest.importorskip("cshogi"), pytest.importorskip("cshogi.CSA")
    ends = ["%TORYO", "%SENNICHITE", "%KACHI", "%CHUDAN", "%TIME_UP", "%JISHOGI"]
    path = tmp_path / "games.csa"
    exporter = csa.Exporter(str(path))
    for number, (start, moves) in enumerate(games):
        exporter.info(cshogi.Board(start), names=["a", "b"], version="V2.2")
        for move in moves:
            exporter.move(move, time=3)
        exporter.endgame(ends[number % len(ends)], time=1)
    exporter.close()
    found = [one for one in read(path.read_bytes()) if isinstance(one, Record)]  # no declaration is legal
    theirs = csa.Parser.parse_file(str(path))
    assert len(found) == len(theirs) == len(games)
    for one, other, (start, moves) in zip(found, theirs, games, strict=True):
        assert one.winner == {cshogi.BLACK_WIN: 1, cshogi.WHITE_WIN: 2}.get(other.win, 0)
        assert [cshogi.move_to_usi(move) for move in other.moves] == [cshogi.move_to_usi(move) for move in moves]
        check(cshogi, one, start, moves)


@pytest.mark.parametrize("suffix", ["kif", "kifu"])
def test_kif_is_what_cshogi_writes(tmp_path: Path, games: list[tuple[str, list[int]]], suffix: str) -> None:
    cshogi, kif = pytest.importorskip("cshogi"), pytest.importorskip("cshogi.KIF")
    path = tmp_path / f"game.{suffix}"
    for start, moves in games:
        exporter = kif.Exporter(str(path))
        exporter.header(["あ", "い"], handicap=None if start == cshogi.STARTING_SFEN else cshogi.Board(start))
        for move in moves:
            exporter.move(move, 3, 60)
        exporter.end("resign")
        exporter.close()
        found = game_of(path.read_bytes())
        check(cshogi, found, start, moves)
        assert found.winner == 3 - (cshogi_side(cshogi, start, moves))


def cshogi_side(cshogi: Any, start: str, moves: list[int]) -> int:
    """Return the side to play after moves."""
    return 1 if (cshogi.Board(start).turn + len(moves)) % 2 == 0 else 2


def test_ki2_is_what_cshogi_writes(games: list[tuple[str, list[int]]]) -> None:
    cshogi, ki2 = pytest.importorskip("cshogi"), pytest.importorskip("cshogi.KI2")
    names = {sfen: name for name, sfen in pytest.importorskip("cshogi.KIF").Parser.HANDYCAP_SFENS.items()}
    for start, moves in games:
        if start not in names:
            continue
        board, out = cshogi.Board(start), io.StringIO()
        out.write(f"手合割：{names[start]}\n")
        for ply, move in enumerate(moves):
            out.write(ki2.move_to_ki2(move, board) + ("\n" if ply % 6 == 5 else "    "))
            board.push(move)
        check(cshogi, game_of(out.getvalue().encode("cp932")), start, moves)
