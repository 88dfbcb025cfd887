"""Roots of SGF games: what the full parser says of the same files, wherever the text is cut into parts."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.needs import ROOT, SHARED, needs_shared

from gotools.game.records.encoding import utf8_parts
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.go.go import GO
from gotools.ratings.reading.ledger import plain_name
from gotools.ratings.reading.sgf_roots import SgfGames, read_roots


def roots(data: bytes, *cuts: int) -> list[tuple[str, str, str, str, str]]:
    """Names, result, and class as the batch has it, of all games of a text given in parts."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    parts = [data[a:b] for a, b in pairwise(places)]
    games = []
    for some in read_roots(utf8_parts(parts), lambda line, what: None):
        batch = SgfGames().batch(some)
        for root, kind in zip(some, batch.kind.tolist(), strict=True):
            names = [plain_name(text) for text in root[:3]]
            games.append((*names, batch.classes[kind]))
    return games


def by_the_full_parser(data: bytes) -> list[object] | None:
    """The same of the full parser; None where it finds a problem."""
    records = list(read_games(data, "x.sgf", GO))
    games = [record for record in records if isinstance(record, Record)]
    if len(games) < len(records):
        return None
    return [(*game.players, game.result, (game.komi, game.handicap, game.size)) for game in games]


def plain(games):
    return [(black, white, result, (k.komi, k.handicap, k.size)) for black, white, result, k in games]


def test_what_a_root_says():
    text = b"(;GM[1]SZ[9]PB[a \\] b]PW[ c\nd ]RE[B+3.5]KM[6,5]HA[2];B[aa])"
    assert plain(roots(text)) == [("a ] b", "c d", "B+3.5", (6.5, 2, 9))]
    assert plain(roots(b"(;)")) == [("", "", "", (None, 0, 19))]


@pytest.mark.parametrize(
    "text",
    [
        "(;PB[a]C[(;PB[x\\](;)];B[aa](;W[bb]C[)])(;W[cc]))(;PB[b])",
        "(;C[\\\\]PB[a]C[\\\\\\]PB[no];B[aa]C[\\];(;PB[no\\\\\\]\\])])\n\n(;PB[b]PW[c](;B[aa])(;B[bb]))",
        "junk [ ( ;\nPlayerBlack [x]\r\n Re[0]  SiZe [9];Black [aa]) tail (;PB[y])",
        "(;PB[a]PW[b];B[aa])" * 3 + "(;PB[c\\]]PW[d\\\\])(;PB[e]PW[f][g])(;PB[h]PW[i]RE[0])(;PB[j] PW[k]PB[l])",
        "(;US[aa][PB[x]PB[y]PB[z];B[aa])",
        "( ; PB[a]\n;B[aa] ( ;W[bb] ) (\n;W[cc]) ) ( ;PB[b])",
        "(;PB[a(1)]PW[;(;])(;PB[b]PW[)(])(;PB[c])",
        "(;PB[a]C[\u9ed2 (;];C[\u767d)])(;PB[\u9ed2])",
    ],
)
def test_brackets_in_values_and_variations(text):
    data = text.encode()
    assert plain(roots(data)) == by_the_full_parser(data)
    for cut in range(len(data)):
        assert roots(data, cut) == roots(data)


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.2, that of Debian 12, stays where the last turn of such a repeat failed, in place of before it."""
    patterns = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "gotools").rglob("*.py")}
    assert len(sources) > 100 and [path for path, text in sources.items() if patterns.search(text)] == []


@pytest.mark.parametrize(
    "text",
    ["(;CA[GB18030]PB[\u7532\u817d\u8c5c]PW[\u8c5d\\]]RE[W+R];B[aa]C[\u8c5b)])", "(;CA[Big5]PB[\u529f\u8a31]PW[b])"],
)
def test_names_in_encodings_that_use_the_byte_of_a_bracket(text):
    data = text.encode(text[5 : text.index("]")])
    assert plain(roots(data)) == by_the_full_parser(data) == by_the_full_parser(text.encode())


def test_each_game_of_a_collection_may_have_its_own_encoding():
    data = "(;CA[UTF-8]PB[\u00e9])".encode() + "(;CA[ISO-8859-2]PB[\u0159];B[aa])".encode("iso-8859-2")
    data += "(;PB[\u00fc])".encode("latin-1")
    assert [game[0] for game in roots(data)] == ["\u00e9", "\u0159", "\u00fc"]


def test_a_game_without_an_end_takes_no_other_with_it():
    data = b"(;GM[1]PB[a];B[aa](;W[bb]\n(;GM[1]PB[b];B[aa])(;FF[4]PB[c]"
    reported = []
    assert [root[0] for some in read_roots([data], lambda *problem: reported.append(problem)) for root in some] == [
        b"a",
        b"b",
    ]
    assert [line for line, _ in reported] == [2]  # the last root is cut


def test_games_after_a_broken_root_are_read():
    reported = []
    data = b"(;PB[a]PW[x]]RE[0];B[aa])\n(;PB[b];B[aa])\n(;PB c)(;RE[0]PB[d])"
    found = [root[0] for some in read_roots([data], lambda *problem: reported.append(problem)) for root in some]
    assert found == [b"b", b"d"]
    assert [line for line, _ in reported] == [1, 3]


def test_a_text_without_a_game_is_reported():
    reported = []
    assert list(read_roots([b"nothing ", b"here"], lambda *problem: reported.append(problem))) == []
    assert reported == [(1, "holds no game: '(;' is not in it")]


@pytest.mark.parametrize("depth", [b"", b"(;PB[a]PW[b]RE[0];B[aa]"])
@pytest.mark.parametrize(
    "text",
    [b"(;PB[" * 100_000, b"(;PB[" * 100_000 + b"]]", b"(;PB[\\]" * 80_000, b"(;C[" + b"x" * (10 << 20),
     b"(;PB[a" + b"\\]" * 120_000, b"(;PB(" * 80_000, b"(;PB[a]" + b"( \n" * 120_000],
)  # fmt: skip
def test_values_that_do_not_end_take_linear_time(text, depth):
    """With each root seen up to the end of the text, the first of these took 25 s at two fifths of its length."""
    data = depth + text
    parts = [data[place : place + 100_000] for place in range(0, len(data), 100_000)]
    start = time.process_time()
    for some in (parts, [data]):
        games = [root for roots in read_roots(some, lambda line, what: None) for root in roots]
        assert len(games) <= 2
    assert time.process_time() - start < 4


def test_a_root_in_a_value_is_not_read_behind_a_broken_one():
    reported = []
    data = b"(;C[(;PB[x];PW[y]]RE[0])\n(;C[(;PB[z]]RE[0])(;PB[b])"
    found = [root[0] for some in read_roots([data], lambda *problem: reported.append(problem)) for root in some]
    assert found == [b"", b"b"]
    assert [line for line, _ in reported] == [2]


VALUES = st.text(st.sampled_from("[]();\\ \n\raBé:1"), max_size=8)
ESCAPED = VALUES.map(lambda text: text.replace("\\", "\\\\").replace("]", "\\]"))
BLANKS = st.sampled_from(["", "", "", " ", "\n", "\r\n"])
NAMES = st.sampled_from(["PB", "PW", "RE", "C", "N", "GN", "PlayerBlack", "Event"])


@st.composite
def nodes(draw, names=NAMES):
    properties = draw(st.dictionaries(names, st.lists(ESCAPED, min_size=1, max_size=2), max_size=4))
    text = draw(BLANKS) + ";" + draw(BLANKS)
    for name, values in properties.items():
        text += name + draw(BLANKS) + "".join(f"[{value}]" + draw(BLANKS) for value in values)
    return text


@st.composite
def trees(draw, depth=0):
    """Trees with a stone in each first node: the full parser takes names from later ones, up to the first stone."""
    text = "(" + draw(nodes()) + "AB[aa]" + ";B[aa]" * draw(st.integers(0, 2))
    text += "".join(draw(st.lists(nodes(st.sampled_from(["C", "N"])), max_size=2)))
    if depth < 2:
        text += "".join(draw(st.lists(trees(depth=depth + 1), max_size=2)))
    return text + ")" + draw(BLANKS)


@given(st.lists(trees(), min_size=1, max_size=3), st.lists(st.integers(0, 10_000), max_size=4))
def test_any_collection_reads_as_the_full_parser_reads_it(games, cuts):
    data = "\n".join(games).encode()
    assert plain(roots(data)) == by_the_full_parser(data)
    assert roots(data, *cuts) == roots(data)


@needs_shared
@pytest.mark.parametrize("folder", ["go9-dan", "go9-pro", "go9-bands", "sgf-robustness", "examples"])
def test_every_file_as_the_full_parser_reads_it(folder):
    files = sorted((ROOT / folder if folder == "examples" else SHARED / folder).rglob("*.sgf"))
    together, expected = b"", []
    for path in files:
        data = Path(path).read_bytes()
        theirs = by_the_full_parser(data)
        if theirs is None or "\ufffd" in str(theirs):  # damaged names, which may be mended in several ways
            continue
        assert plain(roots(data)) == theirs, path
        together += data + b"\n"
        expected += theirs
    assert len(expected) > 50
    assert plain(roots(together, *range(0, len(together), 4099))) == expected
