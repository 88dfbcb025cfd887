"""SGF in and out: against sgfmill's own reading, written examples, and every shared file."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as their_sgf
from sgfmill import sgf_grammar, sgf_properties
from support.needs import SHARED, needs_shared

from gotools.game.records.record import Problem, Record, Setup
from gotools.game.records.sgf import read_games, write_game
from gotools.games.go.board import replay
from gotools.games.go.go import GO
from gotools.games.go.points import PASS, vertex


def read(text, name="x.sgf"):
    return list(read_games(text.encode() if isinstance(text, str) else text, name, GO))


def one(text):
    (game,) = read(text)
    assert isinstance(game, Record), game
    return game


def problem(text):
    (found,) = read(text)
    assert isinstance(found, Problem), found
    return found


def moves(game):
    """Moves as "B D4"."""
    return [f"{'-BW'[colour]} {vertex(point, game.size)}" for colour, point in game.moves.tolist()]


# what a game says -----------------------------------------------------------------------------------------------------


def test_header():
    game = one("(;FF[4]GM[1]SZ[9]PB[Cho \\] Chikun]PW[  Ot\nake ]BR[9p]WR[5d]RE[B+3.5]KM[6.5]RU[Japanese]HA[2];B[aa])")
    assert game.id == "x"
    assert game.players == ("Cho ] Chikun", "Ot ake")
    assert game.ranks == ("9p", "5d")
    assert (game.result, game.komi, game.rules, game.handicap, game.size) == ("B+3.5", 6.5, "Japanese", 2, 9)
    assert moves(game) == ["B A9"]


@pytest.mark.parametrize(
    ("text", "komi"),
    [("6.5", 6.5), ("6,5", 6.5), ("0", 0.0), ("-3.50", -3.5), ("", None), ("six", None), ("7.5 points", 7.5),
     (".5", 0.5), ("9" * 500, None), ("1e999", None), ("1e2", 100.0), ("6 1/2", 6.5), ("6½", 6.5), ("６目半", 6.5),
     ("六目半コミ出し", 6.5), ("6집반", 6.5), ("半目", 0.5), ("逆コミ5目半", -5.5), ("3又3/4子", 7.5), ("3¾", 7.5),
     ("3.75", 7.5), ("375", 7.5), ("650", 6.5), ("50", 50.0), ("362", None), ("6.5/7.5", None), ("6 or 7", None),
     ("61/2", None)],
)  # fmt: skip
def test_komi(text, komi):
    assert one(f"(;KM[{text}];B[aa])").komi == komi


@pytest.mark.parametrize(
    ("root", "komi"),
    [("KM[50]AP[GNU Go:3.8]AP[foxwq]", 0.5), ("KM[-650]AP[foxwq]", -6.5), ("KM[350]RU[Chinese]AP[foxwq]", 7.0),
     ("KM[350]RU[Japanese]AP[foxwq]", 3.5), ("KM[3.5]RU[Chinese]", 3.5), ("KM[2.75]RU[中国规则]", 5.5),
     ("KM[3.75]RU[Japanese]", 3.75)],
)  # fmt: skip
def test_komi_in_hundredths_and_zi_by_rules_and_program(root, komi):
    assert one(f"(;{root};B[aa])").komi == komi


def test_handicap_in_words_and_what_is_not_understood():
    assert [one(f"(;HA[{text}];B[aa])").handicap for text in ("３", "三子", "4 stones", "x")] == [3, 3, 4, 0]
    assert one("(;KM[6 or 7]HA[2+1];B[aa])").remarks == (
        "KM[6 or 7] is not understood and counts as not given",
        "HA[2+1] is not understood and counts as not given",
    )


def test_nothing_said_means_19x19_and_nothing():
    game = one("(;B[aa])")
    assert (game.size, game.komi, game.players, game.handicap) == (19, None, ("", ""), 0)
    assert moves(game) == ["B A19"]


def test_names_of_long_ago_and_blanks_anywhere():
    game = one("junk ( ;\nSiZe [9]  GaMe[1]\r\n PlayerBlack[x]; Black\n[ dd ] ;White[ee];B [ff] )")
    assert game.size == 9
    assert moves(game) == ["B D6", "W E5", "B F4"]


@pytest.mark.parametrize("text", ["(;SZ[9];B[];W[tt];B[aa])", "(;SZ[9]C[x];B[];W[tt];B[aa]C[y])"])
def test_passes(text):
    assert one(text).moves[:, 1].tolist() == [PASS, PASS, 72]


def test_tt_is_a_pass_on_19x19():
    assert one("(;B[tt];W[ss])").moves[:, 1].tolist() == [PASS, 18]


def test_main_line_only():
    game = one("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd];W[ee]))(;W[ff];B[gg]))")
    assert moves(game) == ["B A9", "W B8", "B C7"]


def test_two_moves_in_a_node_come_in_written_order():
    assert moves(one("(;SZ[5]C[a];W[cc]B[cb];B[aa])")) == ["W C3", "B C4", "B A5"]


def test_setup_anywhere():
    game = one("(;AB[aa:ba][cc]SZ[3];W[bb];AE[aa]AW[cb];;AB[cb];B[ac];AE[cc])")
    assert game.setup == (
        Setup(0, 1, 2), Setup(0, 1, 6), Setup(0, 1, 7), Setup(1, 1, 5), Setup(1, 0, 6), Setup(2, 0, 2)
    )  # fmt: skip
    assert moves(game) == ["W B2", "B A1"]


def test_handicap_in_the_second_node():
    game = one("(;GM[1]SZ[9]HA[2] ;AB[gc][cg];W[ee];B[dd])")
    assert game.setup == (Setup(0, 1, 2 * 9 + 2), Setup(0, 1, 6 * 9 + 6))
    assert game.handicap == 2
    assert moves(game) == ["W E5", "B D6"]


def test_a_header_in_the_second_node_counts_before_the_first_move():
    assert one("(;FF[4];SZ[5]PB[x];B[aa])").size == 5


@pytest.mark.parametrize("name", ["", "a/b/", "./x/", "\\"])
def test_ids(name):
    games = read("(;B[aa])(;B[bb]) (;B[cc])", f"{name}game.5.SGF.gz")
    stem = f"{name}game.5" if name == "\\" else "game.5"
    assert [game.id for game in games] == [stem, f"{stem}#2", f"{stem}#3"]
    assert read("(;)", "-")[0].id == "stdin"


# what is wrong --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("", "an empty file; expected game records", None),
        (" \n\n", "an empty file; expected game records", None),
        ("hello", "holds no game: '(;' is not in it", 1),
        ("\n<!DOCTYPE html><html></html>", "a web page; expected game records", None),
        (";GM[1]SZ[9]\n;B[aa])", "no game begins here: the '(' before the first ';' is missing", 2),
        (";GM[1];B[aa]\n(;B[bb])(;B[cc])", "no game begins here: the '(' before the first ';' is missing", 1),
        ("(;SZ[9];B[aa]\n;W[bb]\n", "the game is cut short: the text ends before its last ')'", 2),
        ("(;SZ[9];B[aa]\n;W[bb", "the game is cut short: the text ends inside a value", 2),
        ("(;SZ[9];B[aa](;W[bb])", "the game is cut short: the text ends before its last ')'", 1),
        ("(;SZ[9]\n;B[aa];W", "the game is cut short: the text ends before its last ')'", 2),
        ("(;SZ[9]\nPB[a]b]\n;B[aa])", "the game cannot be read from ']' on", 2),
        ("(;SZ[9]\n;B[aa];[bb])", "a value stands where none can be", 2),
        ("(;SZ[9]\n;B[aa]W;B[bb])", "a property has no value", 2),
        ("(;SZ[9]\n(;B[aa])AB[bb])", "a property stands outside of a node", 2),
        ("(;SZ[9]\n(;B[aa]);W[bb])", "a node stands after a variation", 2),
        ("(;SZ[9]\n;B[aa]())", "a variation is empty", 2),
        ("(;SZ[9:9];B[aa])", "SZ[9:9] is not a board size from 2 to 19", 1),
        ("(;SZ[13:9];B[aa])", "SZ[13:9] is not a board size from 2 to 19", 1),
        ("(;\n\nSZ[37];B[aa])", "SZ[37] is not a board size from 2 to 19", 3),
        ("(;SZ[1];B[aa])", "SZ[1] is not a board size from 2 to 19", 1),
        ("(;SZ[];B[aa])", "SZ[] is not a board size from 2 to 19", 1),
        ("(;SZ[nine];B[aa])", "SZ[nine] is not a board size from 2 to 19", 1),
        ("(;GM[2]SZ[8];B[aa])", "GM[2] is not the game of Go", 1),
        ("(;SZ[9];B[aa]\n;W[bb];B[jj])", "move 3: B[jj] is not a point of a 9x9 board", 2),
        ("(;SZ[9];B[aa]\n;W[b];B[cc])", "move 2: W[b] is not a point of a 9x9 board", 2),
        ("(;SZ[9];B[aa]\n;W[BB];B[cc])", "move 2: W[BB] is not a point of a 9x9 board", 2),
        ("(;SZ[9];B[aa]\n;W[D4];B[cc])", "move 2: W[D4] is not a point of a 9x9 board", 2),
        ("(;SZ[9];B[aa]\n;W[bb][cc])", "move 2: W has 2 points", 2),
        ("(;SZ[9];B[aa]\n;AB[zz])", "after move 1: AB[zz] is not a point of a 9x9 board", 2),
        ("(;SZ[9]AB[])", "after move 0: AB[] is not a point of a 9x9 board", 1),
        ("(;SZ[9]AW[aa:bb:cc])", "after move 0: AW[aa:bb:cc] is not a point of a 9x9 board", 1),
        ("(;SZ[9];B[aa];W[bb]C[no end\n(;GM[1]SZ[13]];B[cc])",
         "the game is cut short: the text ends inside a value", 1),
        ("(;SZ[9]\r;B[aa]\r;W[zz])", "move 2: W[zz] is not a point of a 9x9 board", 3),
        ("(;SZ[9];B[aa];W[bb]\n(;GM[1]SZ[13];B[cc]))", "GM after move 2: a second game begins inside this one", 2),
    ],
)  # fmt: skip
def test_problems(text, what, line):
    found = read(text)[0]
    assert found == Problem(what, line)


GOOD = "(;FF[4]SZ[9];B[aa];W[bb];B[cc])"


@pytest.mark.parametrize(
    "broken",
    [
        "(;FF[4]SZ[9];B[aa];W[zz];B[cc])",
        "(;FF[4]SZ[9];B[aa];W[bb",
        "(;FF[4]SZ[9];B[aa];W[bb]",
        "(;FF[4]SZ[9];B[aa](;W[bb]",
        "(;FF[4]SZ[9]PB[a]]](;B[aa](;W[bb]))",
        "(;FF[4]SZ[99];B[aa])",
        "(;FF[4]GM[7];B[aa])",
        "(;FF[4]SZ[9];B[aa];W[bb];;C)",
    ],
)
def test_a_broken_game_does_not_lose_the_others(broken):
    items = read("\n".join((GOOD, broken, GOOD, broken, GOOD, GOOD)))
    kinds = [type(item) for item in items]
    assert kinds.count(Problem) == 2
    games = [item for item in items if isinstance(item, Record)]
    assert [moves(game) for game in games] == [["B A9", "W B8", "B C7"]] * 4
    assert len({game.id for game in games}) == 4
    assert [item.line for item in items if isinstance(item, Problem)] in ([2, 4], [3, 5])


def test_moves_after_the_end_are_reported():
    game, trouble = read("(;SZ[9];B[aa])\n;W[bb];B[cc])")
    assert moves(game) == ["B A9"]
    assert trouble == Problem("moves stand outside of any game; a ')' too early or a missing '(;'", 2)


@pytest.mark.parametrize(
    "text",
    [
        "(;" * 50_000,
        "(;B[aa]" * 40_000,
        "(;B[aa]" * 30_000 + ")" * 30_000,
        "(" * 500_000,
        "(;C" + "[" * 500_000,
        "(;SZ[9]AB" + "[aa:ii]" * 20_000 + ")",
        "(;SZ[9]" + ";AB[aa:ii]" * 20_000 + ")",
        "(;SZ[19]" + ";B[aa]" * 100_000 + ")",
        "(;SZ[9]" + "(;FF[4]C[" * 20_000,
        "(;FF[4]SZ[9];B[aa]" * 5_000,
        "(;FF[4];B[aa])" * 5_000,
        "(;FF[4];B[zz])" * 5_000,
        "]" + " " * 500_000 + ";B[",
        "(;SZ[9]C[" + "\\" * 300_001 + "])",
        "é[" * 200_000,
        b"\xe9[" + b"a" * 500_000,
        b"(;C[" + b"\xe9\\" * 200_000,
        "(;" + "A" * 300_000 + "[x])",
    ],
    ids=lambda text: f"{text[:12]}...",
)
def test_huge_and_deep_input_ends(text):
    began = time.process_time()
    items = read(text)
    assert items
    assert time.process_time() - began < 8  # linear in the text: the slowest takes about a second


# folding --------------------------------------------------------------------------------------------------------------


def unfolded(data, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("gotools.games.go.records.stones._folded", lambda run: run[0])
        return list(read_games(data, "x", GO))


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[9];B[aa];W[bb];B[cc]C[c];W[dd];B[ee])",
        "(;SZ[9]C[x\\];B[aa];W[bb]];B[cc];W[dd])",  # the moves stand in the comment
        "(;SZ[9]C[x\\\\];B[aa];W[bb];B[cc];W[dd])",
        "(;SZ[9];B[aa];W[bb]AB[cc];W[dd])",
        "(;SZ[9];B[aa];W[bb][cc];W[dd])",
        "(;SZ[9];B[aa];W[bb]W[cc];W[dd])",
        "(;SZ[9];B[aa] ; W[bb]\n;\nB[cc];W [dd])",
        "(;SZ[9];B[];W[tt];B[];W[])",
        "(;SZ[9]RUN[Baa]RuN[x];B[aa];W[bb])",
        "(;SZ[9];B[aa];W[zz];B[cc])",
        "(;SZ[9];B[aa];W[bb];B[cc]",
        "(;SZ[9];B[aa];W[bb](;B[cc];W[dd])(;B[ee];W[ff]))",
        "(;SZ[9]];B[aa];W[bb])",
        "x];B[aa];W[bb](;SZ[9];B[cc];W[dd])",
    ],
)
def test_folding_changes_nothing(text, monkeypatch):
    assert read(text, "x") == unfolded(text.encode(), monkeypatch)


PIECES = [
    "(",
    ")",
    ";",
    "B[aa]",
    ";W[bb]",
    ";B[cc]",
    ";W[]",
    "C[",
    "]",
    "\\",
    "x",
    " ",
    "\n",
    "[",
    "AB[dd]",
    "SZ[9]",
    ";",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_random_texts_fold_to_the_same_and_agree_with_sgfmill(text):
    text = "(;SZ[9]" + text
    with pytest.MonkeyPatch.context() as patch:
        assert read(text, "x") == unfolded(text.encode(), patch)
    try:
        tree = sgf_grammar.parse_sgf_game(text.encode())
    except ValueError:
        assert isinstance(read(text)[0], Problem)
        return
    first = read(text)[0]
    if isinstance(first, Record):
        wanted = [
            (key, value)
            for node in sgf_grammar.main_sequence_iter(tree)
            for key, values in node.items()
            if key in "BW"
            for value in values
        ]
        assert len(first.moves) == len(wanted)


# every shared file ----------------------------------------------------------------------------------------------------

FOLDERS = sorted({str(path.parent.relative_to(SHARED)) for path in SHARED.glob("**/*.sgf")})


def theirs(data):
    """Moves of a file's only game as sgfmill reads them; None where it cannot."""
    try:
        game = their_sgf.Sgf_game.from_bytes(data)
        size = game.get_size()
        found = []
        for node in game.get_main_sequence():
            raw = node.get_raw_move()
            if raw[0] is not None:
                at = sgf_properties.interpret_go_point(raw[1], size)
                found.append((" bw".index(raw[0]), PASS if at is None else at[0] * size + at[1]))
        return size, found
    except ValueError:
        return None


@needs_shared
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_shared_file_ends_in_games_or_problems(folder, monkeypatch):
    files = sorted((SHARED / folder).glob("*.sgf"))
    for path in files[:: 1 if "robust" in folder else 12]:
        data = path.read_bytes()
        items = list(read_games(data, path.name, GO))
        assert items, path  # more than one in a collection; sgfmill reads the first
        again = unfolded(data, monkeypatch)
        their = theirs(data)
        if isinstance(items[0], Problem):
            assert items == again
            assert items[0].what
            assert their is None or their[0] > 19 or "AB[]" in items[0].what, path
        else:
            assert items[0].moves.tolist() == again[0].moves.tolist()
            if "testsgf-135" not in path.name:  # two moves in a node: sgfmill takes one
                assert their == (items[0].size, [tuple(move) for move in items[0].moves.tolist()]), path
            replay(items[0])


# writing --------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp", "Cs"]), max_size=12)


@st.composite
def records(draw):
    size = draw(st.integers(2, 19))
    points = st.integers(0, size * size - 1)
    played = draw(st.lists(st.tuples(st.integers(1, 2), points | st.just(PASS)), max_size=30))
    stones = draw(st.dictionaries(st.tuples(st.integers(0, len(played)), points), st.integers(0, 2), max_size=12))
    return Record(
        "x",
        size,
        np.array(played, np.int16).reshape(-1, 2),
        tuple(Setup(after, stones[after, point], point) for after, point in sorted(stones)),
        draw(st.tuples(TEXTS, TEXTS)),
        draw(st.tuples(TEXTS, TEXTS)),
        draw(TEXTS),
        draw(
            st.none()
            | st.floats(-361, 361).filter(lambda komi: komi * 2 % 1 != 0.5 and (komi == 0 or abs(komi) > 1e-90))
        ),
        draw(TEXTS),
        draw(st.integers(0, 99)),
    )


@given(records())
def test_what_is_written_reads_back(record):
    data = write_game(record, GO)
    assert read(data) == [record]
    their = their_sgf.Sgf_game.from_bytes(data)
    assert their.get_size() == record.size
    assert data.endswith(b")\n")


def test_written_bytes():
    record = Record("x", 9, np.array([[1, 0], [2, PASS]], np.int16), (Setup(0, 1, 80), Setup(1, 0, 80)), komi=7.0)
    assert write_game(record, GO) == b"(;FF[4]AB[ia]CA[UTF-8]GM[1]KM[7]SZ[9];B[ai];AE[ia];W[])\n"


@pytest.mark.parametrize("size", [1, 20])
def test_boards_that_sgf_letters_cannot_name_are_not_written(size):
    with pytest.raises(ValueError, match="2 to 19"):
        write_game(Record("x", size, np.empty((0, 2), np.int16)), GO)


def test_records_compare_by_what_they_hold():
    game, other = one("(;SZ[9];B[aa])"), one("(;SZ[9];B[aa])")
    assert game == other
    assert game != one("(;SZ[9];B[ab])")
    assert game != one("(;SZ[9];B[aa];W[bb])")
    assert game != "x"
