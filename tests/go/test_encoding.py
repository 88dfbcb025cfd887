"""Encodings of game records: the moves survive all of them, the names those that say what they are."""

import codecs
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.player_names import ENCODINGS, games

from gotools.game.records.encoding import to_utf8
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.go.go import GO
from gotools.games.go.points import vertex

NAMES = {  # some with second bytes of "]", "[" or "\\" in their encoding
    "gb18030": ("古力", "柯洁 九段", "第一届应氏杯决赛第三局，聂卫平执黑先行"),
    "gbk": ("俓厊乗", "柯洁 九段", "黑棋在这里应该补一手"),
    "big5": ("許功蓋", "林海峰", "第二屆應氏盃職業圍棋錦標賽"),
    "cp932": ("ソ表十能", "趙治勲 九段", "本因坊戦第七局、黒の勝ち"),
    "euc_jp": ("井山裕太", "坂田栄男", "本因坊戦第七局、黒の勝ち"),
    "cp949": ("이창호", "조훈현 九단", "제1회 응씨배 결승 제3국"),
    "cp1252": ("Müller", "Jérôme", "Ein schöner Zug für Weiß"),
    "cp1251": ("Иванов", "Александр Петров", "Хороший ход"),
    "utf-8": ("柯洁", "Müller", "이창호"),
    "utf-16": ("柯洁", "Müller", "이창호"),
    "iso2022_jp": ("井山裕太", "坂田栄男", "本因坊戦"),
    "hz": ("古力", "柯洁", "第一届"),
}
MOVES = ["B D6", "W E5", "B F4", "W C7"]


def text_of(encoding, declared=""):
    black, white, comment = NAMES[encoding]
    declared = declared and f"CA[{declared}]"
    return f"(;GM[1]FF[4]{declared}SZ[9]PB[{black}]PW[{white}]KM[6.5];B[dd]C[{comment}];W[ee];B[ff]C[{black}];W[cc])"


def read(data):
    (game,) = read_games(data, "x.sgf", GO)
    assert isinstance(game, Record), game
    return game, [f"{'-BW'[colour]} {vertex(point, game.size)}" for colour, point in game.moves.tolist()]


def test_some_names_hold_brackets_as_second_bytes():
    stolen = {name: "".join(NAMES[name]).encode(name) for name in NAMES}
    assert b"\\" in stolen["big5"] and b"\\" in stolen["cp932"]
    assert b"\\" in stolen["gbk"] or b"]" in stolen["gbk"] or b"[" in stolen["gbk"]


@pytest.mark.parametrize("encoding", [name for name in NAMES if name != "utf-16"])
def test_declared(encoding):
    game, moves = read(text_of(encoding, declared=encoding).encode(encoding))
    assert game.players == NAMES[encoding][:2]
    assert moves == MOVES


@pytest.mark.parametrize("encoding", ["gb18030", "gbk"])
def test_gb2312_means_its_supersets(encoding):
    game, moves = read(text_of(encoding, declared="GB2312").encode(encoding))
    assert game.players == NAMES[encoding][:2]
    assert moves == MOVES


@pytest.mark.parametrize("encoding", [name for name in NAMES if name not in ("iso2022_jp", "hz")])
def test_not_declared(encoding):
    game, moves = read(text_of(encoding).encode(encoding))
    assert moves == MOVES
    assert game.players == NAMES[encoding][:2]


@pytest.mark.parametrize(
    "declared", ["UTF-8", "nonsense", "unicode_escape", "punycode", "rot13", "UTF-16", "cp037", "x" * 50, ""]
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp932"])
def test_declared_wrongly(encoding, declared):
    game, moves = read(text_of(encoding, declared=declared).encode(encoding))
    assert moves == MOVES
    assert game.komi == 6.5


@pytest.mark.parametrize("declared", ["GBK", "Big5", "Shift_JIS"])
def test_utf8_under_a_false_flag_keeps_its_moves(declared):
    _, moves = read(text_of("gb18030", declared=declared).encode("utf-8"))
    assert moves == MOVES


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (b"", "utf-32-le"),
    ],
)
@pytest.mark.parametrize("declared", ["", "UTF-16", "GBK"])
def test_unicode_with_and_without_a_mark(mark, encoding, declared):
    game, moves = read(mark + text_of("utf-8", declared).encode(encoding))
    assert game.players == NAMES["utf-8"][:2]
    assert moves == MOVES


def test_damaged_utf8_keeps_what_is_whole():
    data = text_of("gb18030").encode().replace("棋".encode(), b"").replace("九".encode(), b"\xe4\xb9?")
    game, moves = read(data)
    assert game.players == ("古力", "柯洁 \ufffd?段")
    assert moves == MOVES


def test_ascii_is_left_alone():
    data = b"(;SZ[9];B[dd])"
    assert to_utf8(data) is data


@pytest.mark.parametrize("declared", ["", "UTF-8"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_two_names_with_ranks_tell_the_encoding(encoding, declared):
    for event, least in ((False, 38), (True, 40)):
        right = [read_names(data) == names for data, names in games(encoding, True, event, declared)]
        assert len(right) == 40 and sum(right) >= least


def read_names(data):
    return read(data)[0].players


@pytest.mark.parametrize(
    "name", ["Müller", "Jérôme", "Bjørn Ødegård", "Ñáñez", "Håkan", "François Weiß", "Łukasz Świech"]
)
@pytest.mark.parametrize("declared", ["", "UTF-8", "GBK"])
def test_letters_of_the_west(name, declared):
    text = f"(;CA[{declared}]PB[{name}]PW[柯洁];B[aa])" if declared else f"(;PB[{name}]PW[柯洁];B[aa])"
    assert to_utf8(text.encode()) == text.encode()
    text = text.replace("柯洁", "x")
    if declared != "GBK":
        assert read_names(text.encode("cp1250" if "Ł" in name else "cp1252")) == (name, "x")


def test_each_game_of_a_collection_may_declare_its_own_encoding():
    samples = [next(games(encoding, True, False, declared=encoding)) for encoding in ENCODINGS]
    data = b"\n".join(data for data, _ in samples)
    found = [game.players for game in read_games(data, "x.sgf", GO) if isinstance(game, Record)]
    assert found == [names for _, names in samples]


@given(st.binary(max_size=200))
def test_no_bytes_fail(data):
    to_utf8(data).decode("utf-8")
    assert list(read_games(data, "x", GO))
    assert list(read_games(b"(;CA[GBK]PB[" + data + b"];B[aa])", "x", GO))


@cache
def two_byte_characters(encoding):
    return [c for c in map(chr, range(0x4E00, 0x9FA5)) if len(c.encode(encoding, "ignore")) == 2]


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "cp932", "cp949", "euc_jp"])
@given(data=st.data())
def test_any_declared_name_leaves_the_moves_alone(encoding, data):
    name = "".join(data.draw(st.lists(st.sampled_from(two_byte_characters(encoding)), min_size=1, max_size=8)))
    text = f"(;CA[{encoding}]SZ[9]PB[{name}];B[dd];W[ee]C[{name}];B[ff];W[cc])"
    game, moves = read(text.encode(encoding))
    assert game.players[0] == name
    assert moves == MOVES
