"""Reading results: the same games in every format give the same tally; nothing that is not a result becomes one."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tallies import rows_of

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files import archives
from gotools.library.records import read_games
from gotools.ratings.games import GameClass, GameTally
from gotools.ratings.reading.formats import ResultFormat, format_of, without_copies
from gotools.ratings.reading.journal_lines import read_json_lines
from gotools.ratings.reading.ledger import Batches, Ledger
from gotools.ratings.reading.result_text import score_code
from gotools.ratings.reading.results import read_results, read_sequence
from gotools.ratings.reading.tables import read_table

GAMES = [
    ("a", "b", "B+3.5"), ("b", "a", "W+R"), ("a", "c", "0"), ("c", "a", "Void"), ("a", "b", "B+T"), ("b", "c", "?"),
    ("c", "b", "W+0.5"), ("b", "a", ""), ("", "b", "B+R"), ("a", "a", "W+1"),
]  # fmt: skip
CLASS = GameClass(7.5, 0, 9)
EXPECTED = {("a", "b"): (2, 0, 0), ("b", "a"): (0, 0, 1), ("a", "c"): (0, 1, 0), ("c", "b"): (0, 0, 1)}
EXCLUDED = {"void": 1, "unknown result": 1, "unfinished": 1, "no player name": 1, "against itself": 1}
SEQUENCE = [("a", "b", 1.0), ("b", "a", 0.0), ("a", "c", 0.5), ("a", "b", 1.0), ("c", "b", 0.0)]

HEADER = '{"gotools":"journal","version":1,"plays":{"size":9}}\n'


def journal_line(number: int, black: str, white: str, result: str) -> str:
    game = {
        "game": number, "pair": 1, "black": black, "white": white, "result": result, "end": "score", "fault": "",
        "what": "area", "size": 9, "komi": 7.5, "handicap": 0, "opening": 2, "moves": "E5 C3", "seconds": [1.2, 0.8],
        "slowest": [0.2, 0.1], "notes": [],
    }  # fmt: skip
    return json.dumps(game, separators=(",", ":")) + "\n"


def sgf(black: str, white: str, result: str) -> str:
    return f"(;FF[4]GM[1]SZ[9]KM[7.5]PB[{black}]PW[{white}]RE[{result}];B[aa];W[bb]C[:(;)])\n"


def table(delimiter: str = ",", names: str = "black white result komi size", end: str = "\n") -> str:
    values = [{"black": b, "white": w, "result": r, "komi": "7.5", "size": "9", "date": "x"} for b, w, r in GAMES]
    rows = [names.split(), *([row[name] for name in names.split()] for row in values)]
    return "".join(delimiter.join(row) + end for row in rows)


FORMATS = {
    "x.jsonl": "".join(journal_line(i, *game) for i, game in enumerate(GAMES)),
    "results.jsonl": HEADER + "".join((HEADER if i == 5 else "") + journal_line(i, *g) for i, g in enumerate(GAMES)),
    "spaced.txt": "".join(
        json.dumps({"komi": 7.5, "result": r, "white": w, "x": {"y": [1]}, "black": b, "size": 9}) + "\r\n"
        for b, w, r in GAMES
    ),
    "x.sgf": "".join(sgf(*game) for game in GAMES),
    "x.csv": table(),
    "x.tsv": "##gotools results 1\n#" + table("\t", "date size result komi white black"),
    "x.data": table(";", end="\r\n"),
}


def as_dict(tally: GameTally) -> dict[tuple[str, str], tuple[int, int, int]]:
    assert set(tally.classes) <= {CLASS}
    return {(black, white): (wins, draws, losses) for black, white, _, wins, draws, losses in rows_of(tally)}


def reading(*paths: object, **options: Any) -> tuple[GameTally, list[str]]:
    lines: list[str] = []
    return read_results([str(path) for path in paths], lines.append, **options), lines


def quiet(*paths: object) -> GameTally:
    tally, lines = reading(*paths)
    assert lines == []
    return tally


def games_of(tally: GameTally) -> Counter[Any]:
    """Named games of a tally, whatever their class: (black, white, score)."""
    counts: Counter[Any] = Counter()
    for black, white, _, *scores in rows_of(tally):
        counts.update({(black, white, score): n for score, n in zip((1, 0.5, 0), scores, strict=True) if n})
    return counts


# formats --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("packed", [False, True])
def test_the_same_games_in_every_format(tmp_path, name, packed):
    path = tmp_path / (name + ".gz" * packed)
    data = FORMATS[name].encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    tally = quiet(path)
    assert as_dict(tally) == EXPECTED
    assert tally.excluded == EXCLUDED
    assert list(read_sequence([str(path)], pytest.fail)) == SEQUENCE


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(tmp_path, mark):
    (tmp_path / "x.csv").write_bytes(table("\t").encode(mark))
    assert as_dict(quiet(tmp_path / "x.csv")) == EXPECTED


@pytest.mark.parametrize("name", ["x.jsonl", "x.sgf", "x.csv"])
def test_stdin_by_content(monkeypatch, name):
    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(FORMATS[name].encode()))

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert as_dict(quiet("-")) == EXPECTED


def test_pgn_takes_white_for_the_first_player(tmp_path):
    (tmp_path / "x.pgn").write_text(
        '[Event "x"]\n[White "a \\"1\\""]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 {[White "no"]\n'
        '[Result "0-1"] } e5 1-0\n\n'
        '[White "b"][Black "a \\"1\\""]\n[Result "1/2-1/2"]\n\n1. d4 ; {[\n1/2-1/2\n'
        '[White "b"]\n[Black "c"]\n[Result "*"]\n\n*\n\n[White "b"]\n[Black "c"]\n[Result "0-1"]\n'
    )
    tally = quiet(tmp_path / "x.pgn")
    assert games_of(tally) == {('a "1"', "b", 1): 1, ("b", 'a "1"', 0.5): 1, ("b", "c", 0): 1}
    assert tally.excluded == {"unfinished": 1}


@pytest.mark.parametrize("gap", ["", "1. d4 {fine}\n" * 2000])
def test_a_pgn_comment_that_does_not_end(tmp_path, gap):
    """It takes no other game with it, and is reported with the line in which it begins."""
    game = '[Event "x"]\n[White "%s"]\n[Black "z"]\n[Result "1-0"]\n\n1. e4 %s 1-0\n\n'
    text = game % ("a", "{[") + game % ("b", "{x\n} {y}") + gap + game % ("c", "{x\n} {[White\n")
    (tmp_path / "x.pgn").write_text(text)
    tally, problems = reading(tmp_path / "x.pgn")
    assert games_of(tally) == {("b", "z", 1): 1}
    assert tally.excluded == {"broken": 2}
    last = text[: text.rindex("{")].count("\n") + 1
    assert problems == [f"{tmp_path}/x.pgn:{line}: a comment that does not end" for line in (6, last)]


TWOGTP = """# Black: GNU Go
# BlackLabel: GNU Go:3.8
# White: Fuego
# Komi: 6.5
# Size: 9
#
#GAME\tRES_B\tRES_W\tRES_R\tALT\tDUP\tLEN\tTIME_B\tTIME_W\tCPU_B\tCPU_W\tERR\tERR_MSG
0\tB+3.5\tB+3.5\t?\t0\t-\t50\t1\t1\t1\t1\t0\t
1\tB+R\tB+R\tB+R\t1\t-\t50\t1\t1\t1\t1\t0\t
2\tB+3.5\tW+1.5\t?\t0\t-\t50\t1\t1\t1\t1\t0\t
3\tB+3.5\tB+3.5\tW+0.5\t1\t-\t50\t1\t1\t1\t1\t0\t
4\t?\t?\t?\t0\t-\t50\t1\t1\t1\t1\t1\tdied
"""


def test_twogtp(tmp_path):
    """B in RES_B is the program called Black, whatever its colour; ALT says that the colours were exchanged."""
    (tmp_path / "m.dat").write_text(TWOGTP)
    tally = quiet(tmp_path / "m.dat")
    gnu, fuego = "GNU Go:3.8", "Fuego"
    assert games_of(tally) == {(gnu, fuego, 1): 1, (fuego, gnu, 0): 1, (fuego, gnu, 1): 1}
    assert tally.excluded == {"unknown result": 1, "an engine failed": 1}
    assert tally.classes == [GameClass(6.5, 0, 9)]


@pytest.mark.parametrize(("version", "result"), [("1.5.1", "W"), ("1.5.0", "B"), ("1.4.9", "B"), ("1.3.1", "B")])
def test_colours_that_gogui_alternates_without_saying_so(tmp_path, version, result):
    """a wins all games. Up to 1.5.0 the names are exchanged in odd games, and the result is written for the other."""
    names = ("a", "b") if version == "1.5.1" else ("b", "a")
    for number, played in enumerate([sgf("a", "b", "B+R"), sgf(*names, f"{result}+R")] * 2):
        (tmp_path / f"m-{number}.sgf").write_text(played.replace("(;", f"(;AP[gogui-twogtp:{version}]", 1))
    files = [tmp_path / f"m-{number}.sgf" for number in range(4)]
    tally, said = reading(*files)
    assert games_of(tally) == {("a", "b", 1): 2} and tally.excluded == {"colours unknown": 2}
    assert [line.partition(":")[0] for line in said] == [str(files[1]), str(files[3])] and "name its .dat" in said[0]
    head = "# Black: a\n# White: b\n#GAME\tRES_B\tRES_W\tRES_R\tALT\tERR\n"
    rows = "".join(f"{number}\tB+R\tB+R\t?\t{number % 2}\t0\n" for number in range(4))
    (tmp_path / "m.dat").write_text(head + rows)
    assert games_of(quiet(*files)) == games_of(quiet(tmp_path)) == {("a", "b", 1): 2, ("b", "a", 0): 2}
    records = [game for file in files for game in read_games(file)]
    assert [(game.players, game.result[0]) for game in records] == [(("a", "b"), "B"), (("b", "a"), "W")] * 2


@pytest.mark.parametrize("program", ["gogui-twogtp:1.5.2", "gogui-twogtp:1.6.0", "GoGuiTwoGtp:1.2.4", "CGoban:3"])
def test_other_programs_write_who_has_which_colour(tmp_path, program):
    (tmp_path / "m-1.sgf").write_text(sgf("a", "b", "W+R").replace("(;", f"(;AP[{program}]", 1))
    assert games_of(quiet(tmp_path / "m-1.sgf")) == {("a", "b", 0): 1}


def test_a_pgn_without_the_tag_has_the_result_behind_its_moves(tmp_path):
    (tmp_path / "x.pgn").write_text(
        '[White "a"]\n[Black "b"]\n\n1. e4 {1-0} e5 ; 1-0\n2. d4 (2. c4 1-0) 0-1\n\n[White "a"]\n[Black "b"]\n'
        '1. e4 1/2-1/2\n[White "a"]\n[Black "b"]\n1. e4 *\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n1. e4 0-1\n'
    )
    tally = quiet(tmp_path / "x.pgn")
    assert games_of(tally) == {("a", "b", 0): 1, ("a", "b", 0.5): 1, ("a", "b", 1): 1}
    assert tally.excluded == {"unfinished": 1}


def test_a_game_that_ends_with_four_in_a_row_has_a_winner(tmp_path):
    won, open_ = "B[4];W[3];B[4];W[3];B[4];W[3];B[4]", "B[4];W[3]"
    games = [f"(;GM[1001]PB[a]PW[b]{more};{moves})" for more, moves in (("", won), ("", open_), ("RE[W+T]", open_))]
    (tmp_path / "x.sgf").write_text("".join(games))
    tally = quiet(tmp_path / "x.sgf")
    assert games_of(tally) == {("a", "b", 1): 1, ("a", "b", 0): 1} and tally.excluded == {"unfinished": 1}


def test_twogtp_files_joined(tmp_path):
    """Each header holds for the games below it, and says nothing of the next."""
    other = TWOGTP.replace("# BlackLabel: GNU Go:3.8\n", "").replace("Komi: 6.5", "Komi: 0.5")
    (tmp_path / "m.dat").write_text(TWOGTP + "#\n# joined\n" + TWOGTP.splitlines()[-5] + "\n" + other)
    rows = rows_of(quiet(tmp_path / "m.dat"))
    assert Counter({(*{b, w} - {"Fuego"}, kind.komi): 0 for b, w, kind, *_ in rows}).keys() == {
        ("GNU Go:3.8", 6.5),
        ("GNU Go", 0.5),
    }


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("1 0.5 0 1.0", [1, 0.5, 0, 1]),
        ("B+R 0 w+ Draw", [1, 0.5, 0, 0.5]),
        ("black white draw 1-0 0-1 1/2-1/2", [1, 0, 0.5, 1, 0, 0.5]),
        ("0 0", []),
        ("1 0 0 1", [1, 0, 0, 1]),
        ("1 0 -1 -1.0", [1, 0.5, 0, 0]),
        ("-1 0", [0, 0.5]),
        ("1;0,5;0;½", [1, 0.5, 0, 0.5]),
    ],
)
def test_words_for_results_in_tables(tmp_path, rows, expected):
    results = rows.replace(";", " ").split()
    (tmp_path / "x.csv").write_text("black;white;result\n" + "".join(f"a;b;{result}\n" for result in results))
    assert [score for _, _, score in read_sequence([str(tmp_path / "x.csv")], pytest.fail)] == expected
    assert quiet(tmp_path / "x.csv").excluded == ({} if expected else {"unknown result": 2})


@pytest.mark.parametrize(("last", "lost"), [("1", True), ("-1", False)])
def test_what_nil_means_is_known_far_below(last, lost):
    lines = [b"black,white,result\n", *[b"a,b,1\nc,b,0\n"] * 1500, b"a,b,%b\n" % last.encode()]
    for parts in (lines, [b"".join(lines)]):
        rows, excluded, problems = collected(read_table, parts)
        assert [counts[1:] for black, *counts in ((r[0], *r[2:]) for r in rows) if black == "c"] == [
            [0, 0, 1500] if lost else [0, 1500, 0]
        ]
        assert (excluded, problems) == ({}, [])


def test_one_to_nil_does_not_show_what_nil_means():
    rows, excluded, _ = collected(read_table, [b"black,white,result\na,b,1-0\na,b,0\n"])
    assert [row[3:] for row in rows] == [(1, 0, 0)]
    assert excluded == {"unknown result": 1}


def test_a_table_too_long_to_be_held_has_black_lose_by_nil():
    lines = [b"black,white,result\n", *[b"a,b,1\nc,b,0\n"] * 60_000, b"c,b,-1\n"]
    rows, excluded, _ = collected(read_table, [b"".join(lines)])
    assert {(black, *scores) for black, _, _, *scores in rows} == {("a", 60_000, 0, 0), ("c", 0, 0, 60_000)}
    assert excluded == {"unknown result": 1}


def test_one_to_nil_is_a_win_of_the_player_named_first(tmp_path):
    (tmp_path / "x.csv").write_text("white,black,result\na,b,1-0\n")
    assert list(read_sequence([str(tmp_path / "x.csv")], pytest.fail)) == [("b", "a", 0.0)]


@pytest.mark.parametrize(
    ("result", "score"),
    [("B+", 1), ("b+r", 1), ("Black wins by resignation", 1), ("W+12.5", 0), ("White+Time", 0), ("Jigo", 0.5),
     ("draw", 0.5), ("0", 0.5), ("1/2-1/2", 0.5), ("Void", "void"), ("?", "unknown result"), ("", "unfinished"),
     ("*", "unfinished"), ("Black resigns", 0), ("Both lost", "unknown result"),
     ("0.5", "unknown result"), ("Bob+1", "unknown result"), ("B+Res.", 1), ("Ｂ＋Ｒ", 1), ("White lost on time", 1),
     ("黑中盘胜", 1), ("白勝", 0), ("黑胜3目半", 1), ("白胜1又1/4子", 0), ("黑负", 0), ("黑超时负", 0),
     ("白超时，黑胜", 1),
     ("白方认输，黑方胜", 1), ("黑胜白", 1), ("黑胜白负", 1), ("黑胜，白胜", "unknown result"), ("胜者：白", 0),
     ("白認輸", 1),
     ("黒番中押し勝ち", 1), ("白番半目勝ち", 0), ("白1目半勝", 0), ("黒3目半", 1), ("白中押し", 0),
     ("白の反則により黒の勝ち", 1),
     ("白時間切れ負け", 1), ("黒投了", 0), ("白反則勝ち", 0), ("흑 불계승", 1), ("백 반집승", 0), ("흑 시간패", 0),
     ("白 vs 黒", "unknown result"), ("シチョウ勝ち", "unknown result"), ("和棋", 0.5), ("持碁", 0.5), ("무승부", 0.5),
     ("無勝負", "void"), ("无胜负", "void"), ("打ち掛け", "unfinished")],
)  # fmt: skip
def test_words_for_results(tmp_path, result, score):
    (tmp_path / "x.jsonl").write_text(json.dumps({"black": "a", "white": "b", "result": result}))
    tally = quiet(tmp_path / "x.jsonl")
    if isinstance(score, str):
        assert (tally.games, tally.excluded) == (0, {score: 1})
    else:
        assert games_of(tally) == {("a", "b", score): 1}


def test_numbers_and_missing_results_in_json(tmp_path):
    results = [{"result": value} for value in (1, 0, 0.5, None, 2, True)]
    lines: list[dict[str, Any]] = [*results[:4], {}, *results[4:]]
    text = "\n".join(json.dumps({"black": "a", "white": "b", **line}) for line in lines)
    (tmp_path / "x.jsonl").write_text(text)
    tally = quiet(tmp_path / "x.jsonl")
    assert games_of(tally) == {("a", "b", 1): 1, ("a", "b", 0): 1, ("a", "b", 0.5): 1}
    assert tally.excluded == {"unfinished": 2, "unknown result": 2}


def test_other_games_than_go_and_classes(tmp_path):
    text = "(;GM[2]PB[a]PW[b]RE[B+1])(;PB[a]PW[b]RE[B+1]KM[6,5]HA[2])(;PB[a]PW[b]RE[W+1]KM[6.50]HA[2]SZ[19])"
    (tmp_path / "x.sgf").write_text(text)
    tally = quiet(tmp_path / "x.sgf")
    assert tally.excluded == {"another game": 1}
    assert list(rows_of(tally)) == [("a", "b", GameClass(6.5, 2, 19), 1, 0, 1)]


def test_komi_in_other_units_is_one_class_and_an_odd_one_is_said_once(tmp_path):
    komis = ("KM[375]RU[Chinese]", "KM[750]AP[foxwq]", "KM[7½]", "KM[3又3/4]", "KM[7 or 8]", "KM[7 or 8]")
    (tmp_path / "x.sgf").write_text("".join(f"(;PB[a]PW[b]RE[B+1]{komi};B[aa])" for komi in komis), encoding="utf-8")
    said: list[str] = []
    tally = read_results([str(tmp_path / "x.sgf")], said.append)
    assert [kind.komi for kind in tally.classes] == [7.5, None]
    assert said == [f"{tmp_path}/x.sgf: KM[7 or 8] is not understood and counts as not given"]


# folders and archives -------------------------------------------------------------------------------------------------


def fill(folder: Path) -> None:
    (folder / "run" / "games").mkdir(parents=True)
    (folder / "run" / "results.jsonl").write_text(FORMATS["results.jsonl"])
    for number, game in enumerate(GAMES):
        (folder / "run" / "games" / f"{number}.sgf").write_text(sgf(*game))
    (folder / "m.dat").write_text(TWOGTP)
    (folder / "m.summary.dat").write_text("#GAMES\n")
    (folder / "m-0.sgf").write_text(sgf("GNU Go:3.8", "Fuego", "B+3.5"))
    (folder / "m-x.sgf").write_text(sgf("x", "y", "W+3.5"))
    (folder / "README").write_text("(;no game)")


def packed(folder: Path, kind: str) -> bytes:
    out = io.BytesIO()
    files = [path for path in sorted(folder.rglob("*"), reverse=True) if path.is_file()]
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path, path.relative_to(folder))
    else:
        with tarfile.open(fileobj=out, mode=cast(Literal["w", "w:gz", "w:bz2", "w:xz"], kind)) as archive:
            for path in files:
                archive.add(path, str(path.relative_to(folder)))
    return out.getvalue()


def test_a_folder_reads_no_game_twice(tmp_path):
    fill(tmp_path)
    tally = quiet(tmp_path)
    assert sum(games_of(tally).values()) == 5 + 3 + 1
    assert quiet(tmp_path / "run").games == 5
    assert quiet(tmp_path / "run" / "games").games == 5
    assert quiet(tmp_path / "m-0.sgf").games == 1


def test_what_is_a_copy():
    names = ["results.jsonl.gz", "a/results.jsonl", "b/x.sgf"]
    assert without_copies(names) == ["results.jsonl.gz"]
    names = ["/r/a/results.jsonl", "/r/a/games/1.sgf", "/r/ab/1.sgf", "/r/m.dat.gz", "/r/m-12.sgf", "/r/mm-1.sgf"]
    assert without_copies(names) == [names[0], names[2], names[3], names[5]]


@pytest.mark.parametrize("kind", ["zip", "w", "w:gz"])
def test_archives_read_as_the_folder(tmp_path, kind, monkeypatch):
    (tmp_path / "in").mkdir()
    fill(tmp_path / "in")
    data = packed(tmp_path / "in", kind)
    (tmp_path / "x.bin").write_bytes(data)
    expected = games_of(quiet(tmp_path / "in"))
    assert games_of(quiet(tmp_path / "x.bin")) == expected
    (tmp_path / "outer").mkdir()
    (tmp_path / "outer" / "inner.tar.gz").write_bytes(gzip.compress(data))
    (tmp_path / "x.zip").write_bytes(packed(tmp_path / "outer", "zip"))
    assert games_of(quiet(tmp_path / "x.zip")) == expected

    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(data))

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert games_of(quiet("-")) == expected


def test_a_bomb_is_defused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sgf", sgf("a", "b", "B+1") + " " * (5 << 20))
        archive.writestr("b.sgf", sgf("a", "b", "B+1"))
        archive.writestr("c.sgf.gz", gzip.compress(b" " * (5 << 20)))
    tally, lines = reading(tmp_path / "x.zip")
    assert tally.games >= 1
    assert [line.split(": ")[0] for line in lines] == [f"{tmp_path}/x.zip/a.sgf", f"{tmp_path}/x.zip/c.sgf.gz"]
    with pytest.raises(FileFormatError, match=r"a\.sgf: more than"):
        reading(tmp_path / "x.zip", strict=True)


@pytest.mark.parametrize("kind", ["zip", "w", "w:gz"])
def test_broken_archives_are_errors_at_every_cut(tmp_path, kind):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.sgf").write_text(FORMATS["x.sgf"])
    data = packed(tmp_path / "in", kind)
    whole = {"zip": len(data), "w": 512 + len(FORMATS["x.sgf"]), "w:gz": len(data) // 2}[kind]
    for size in range(300 if kind == "w" else 20, whole, 37):
        (tmp_path / "x").write_bytes(data[:size])
        with pytest.raises(GotoolsError):
            reading(tmp_path / "x")


def test_members_that_are_none_of_the_users(tmp_path):
    """As in folders; and both of two members with one name are read."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a/x.sgf", sgf("a", "b", "B+1"))
        archive.writestr("a/.x.sgf", sgf("a", "b", "W+1"))
        archive.writestr("__MACOSX/a/y.sgf", b"\0\5\x16\7")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a/x.sgf", sgf("c", "d", "W+1"))
    assert games_of(quiet(tmp_path / "x.zip")) == {("a", "b", 1): 1, ("c", "d", 0): 1}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damaged_zip_files_are_errors(tmp_path, method):
    """Whatever byte is another: games are read, or a GotoolsError says what is wrong."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("x.sgf", FORMATS["x.sgf"])
    data = out.getvalue()
    errors = 0
    for place in range(len(data)):
        (tmp_path / "x.zip").write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            reading(tmp_path / "x.zip", strict=True)
        except GotoolsError:
            errors += 1
    assert errors > len(data) / 2


@pytest.mark.parametrize("path", ["x.csv", "./x.csv", "../in/x.csv", ".//x.csv"])
def test_a_file_named_has_to_be_readable_however_it_is_named(tmp_path, monkeypatch, path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.csv").write_bytes(b"%PDF-1.4")
    (tmp_path / "in" / "y.csv").write_text(FORMATS["x.csv"])
    monkeypatch.chdir(tmp_path / "in")
    with pytest.raises(FileFormatError, match="an office document or PDF; expected results of games"):
        reading(path, "y.csv")
    assert reading(".")[0].games == 5


# what is wrong --------------------------------------------------------------------------------------------------------


def test_broken_lines_are_reported_and_the_rest_is_kept(tmp_path):
    lines = FORMATS["results.jsonl"].splitlines(keepends=True)
    lines[3] = lines[3][:100] + lines[3]
    lines.insert(5, "\0\0\0\n\n")
    lines += ["[1]\n", '{"x":1}\n', '{"black":["a"],"white":"b"}\n', lines[2][:-20]]
    (tmp_path / "x.jsonl").write_text("".join(lines))
    tally, problems = reading(tmp_path / "x.jsonl")
    assert [line.split(": ")[0].rpartition(":")[2] for line in problems] == ["4", "6", "15", "16", "17", "18"]
    assert tally.excluded["broken"] == 6
    assert tally.games == 4
    with pytest.raises(FileFormatError, match=r"x\.jsonl:4: "):
        reading(tmp_path / "x.jsonl", strict=True)


def test_broken_rows_of_tables(tmp_path):
    (tmp_path / "x.csv").write_text('black,white,result\na,b,B+1\na,b\n\n"a,c",b,W+1\n"a,b,B+1\na,b,B+1,x\nb,a,0\n')
    tally, problems = reading(tmp_path / "x.csv")
    assert [line.split(": ")[0].rpartition(":")[2] for line in problems] == ["3", "6", "7"]
    assert games_of(tally) == {("a", "b", 1): 1, ("a,c", "b", 0): 1, ("b", "a", 0.5): 1}


@pytest.mark.parametrize("before", ["", "a,b,B+1\n" * 3000])
@pytest.mark.parametrize("after", ["", '"a",b,B+1\n'])
def test_a_column_too_many_is_reported_whatever_is_around_it(tmp_path, before, after):
    (tmp_path / "x.csv").write_text("black,white,result\n" + before + "A,B,B+R,extra\nA,B,W+R\n" + after)
    tally, problems = reading(tmp_path / "x.csv")
    line = 2 + before.count("\n")
    assert problems == [f"{tmp_path}/x.csv:{line}: 4 columns, where the header has 3"]
    assert tally.games == 1 + before.count("\n") + after.count("\n")


def test_many_problems_are_reported_in_short(tmp_path):
    (tmp_path / "x.jsonl").write_text("{no\n" * 1000 + '{"black":"a","white":"b","result":"0"}')
    tally, problems = reading(tmp_path / "x.jsonl")
    assert tally.excluded == {"broken": 1000}
    assert len(problems) == 21
    assert "980 more" in problems[-1]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "an empty file"), (b" \n\n", "an empty file"), (b"%PDF-1.4", "PDF; expected results of games"),
        (b"a,b,B+R\n", "not a format that can be read: SGF, JSON lines"),
        (b"{\n", "no game could be read"), (b"black,white,result\n", "no game could be read"),
        (b"\x1f\x8b\x08\0broken", "gzip"),
    ],
)  # fmt: skip
def test_errors(tmp_path, content, what):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(GotoolsError, match=what):
        reading(tmp_path / "x")
    with pytest.raises(FileFormatError, match="no such file"):
        reading(tmp_path / "y")


def test_a_file_of_another_kind_in_a_folder_is_passed_over(tmp_path):
    (tmp_path / "a.sgf").write_text(FORMATS["x.sgf"])
    (tmp_path / "b.tsv").write_text("##gotools examples 1\n#id\tmove\n")
    (tmp_path / "c.sgf").write_bytes(b"")
    tally, lines = reading(tmp_path)
    assert as_dict(tally) == EXPECTED
    assert [line.split(": ")[1] for line in lines] == [
        f"{what}; expected results of games" for what in ("a file of examples", "an empty file")
    ]


def test_progress_counts_all_games(tmp_path):
    (tmp_path / "x.sgf").write_text(FORMATS["x.sgf"])
    (tmp_path / "y.csv").write_text(FORMATS["x.csv"])
    steps: list[int] = []
    read_results([str(tmp_path)], pytest.fail, advance=steps.append)
    assert sum(steps) == 2 * len(GAMES)


# the fast way and the slow way ----------------------------------------------------------------------------------------


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[a:b] for a, b in pairwise(ends)]


def collected(reader, parts):
    """Tally and problems of a reader."""
    ledger, problems = Ledger(), []
    for batch in reader(parts, lambda line, what: problems.append(line)):
        ledger.add(batch)
    tally = ledger.tally()
    return sorted(rows_of(tally), key=str), tally.excluded, problems


NAME = st.text(st.sampled_from('ab é"\\,\t{}:'), max_size=4)
RESULT = st.sampled_from(["B+R", "W+1.5", "0", "Void", "?", "", 'B+"', "B+\\"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), NAME)
EXTRA = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(NAME, SCALARS, max_size=2))


@st.composite
def json_lines(draw):
    """Lines mostly alike, as files have them, with some of another kind, cut short, or with something in between."""
    keys = draw(st.permutations(["black", "white", "result", "komi", "size", "x"]))
    seps = draw(st.sampled_from([(",", ":"), (", ", ": "), (" , ", ":")]))
    extra = draw(EXTRA)
    lines = []
    for _ in range(draw(st.integers(0, 12))):
        game = {"black": draw(NAME), "white": draw(NAME), "result": draw(RESULT), "komi": draw(SCALARS), "size": 9}
        game["x"] = draw(st.one_of(st.just(extra), EXTRA))
        line = json.dumps({key: game[key] for key in keys}, separators=seps, ensure_ascii=draw(st.booleans()))
        damage = draw(st.integers(0, 30))
        if damage == 0:
            line = line[: draw(st.integers(0, len(line)))]
        elif damage == 1:
            line = line.replace(":", ":0", 1)
        elif damage == 2:
            line += "\n"
        elif damage == 3:
            place = draw(st.integers(0, len(line)))
            line = line[:place] + draw(st.sampled_from(["\n", '"', "\\", "0", "\x01", ","])) + line[place:]
        lines.append(line)
    return "\n".join(lines)


@given(json_lines(), st.lists(st.integers(0, 5000), max_size=3))
def test_json_lines_give_the_same_fast_and_slow(text, places):
    """Each line alone goes through `json`; in a file most go through an expression made of the lines before."""
    data = text.encode("utf-8", "surrogatepass") + b"\n"
    parts = cut(data * 3, [*places, len(data), 2 * len(data)])
    rows, _, problems = collected(read_json_lines, parts)
    slow = [collected(read_json_lines, [line]) for line in data.split(b"\n") if line]
    alone: Counter[Any] = Counter()
    for some, _, _ in slow:
        for black, white, kind, *counts in some:
            alone.update({(black, white, kind, place): 3 * n for place, n in enumerate(counts) if n})
    together = {(b, w, kind, place): n for b, w, kind, *counts in rows for place, n in enumerate(counts) if n}
    assert together == alone
    assert len(problems) == 3 * sum(len(lines) for _, _, lines in slow)


NUMBERS = ["1", "0", "0.5", "1.0", "0.50", "5e-1", "-0", "-0.0", "2", "1.00000000000000000001", "1e0", "NaN", "7" * 400]


@given(st.lists(st.sampled_from([*NUMBERS[:3] * 9, *NUMBERS, '"B+R"', '"1"', "true", "null", "[1]"]), max_size=40))
def test_numbers_for_results_give_the_same_fast_and_slow(results):
    lines = [b'{"black":"a","white":"b","result":%b}\n' % text.encode() for text in results]
    for usual in (b"1", b"0.5", b"1e0"):
        first = b'{"black":"a","white":"b","result":%b}\n' % usual * 200
        rows, excluded, problems = collected(read_json_lines, [first + b"".join(lines)])
        expected: Counter[Any] = Counter({0 if usual != b"0.5" else 1: 200})
        left_out: Counter[Any] = Counter()
        for line in lines:
            alone, reasons, _ = collected(read_json_lines, [line])
            expected.update(place for row in alone for place, n in enumerate(row[3:]) if n)
            left_out.update(reasons)
        assert {place: n for row in rows for place, n in enumerate(row[3:]) if n} == expected
        assert excluded == left_out
        assert problems == [201 + place for place, text in enumerate(results) if text == "[1]"]


def test_many_lines_with_odd_ones_among_them():
    """Blocks of alike lines, with an odd one here and there: counts and line numbers by the obvious program."""
    lines = []
    for i in range(20_000):
        black, white = f"p{i % 7}", f"p{i % 11 + 7}"
        line = {
            "black": black,
            "white": white,
            "result": ["B+R", "W+2.5", "0"][i % 3],
            "komi": 6.5,
            "notes": ["x"] * (i % 3),
        }
        text = json.dumps(line)
        if i % 1013 == 5:
            text = text[:-4]
        elif i % 977 == 3:
            text = text.replace("p", "\\u0070")
        lines.append(text)
    text = "\n".join(lines)
    rows, excluded, problems = collected(read_json_lines, cut(text.encode(), [100, 70_001, 800_003]))
    expected: Counter[Any] = Counter()
    for text in lines:
        try:
            game = json.loads(text)
        except ValueError:
            continue
        expected[game["black"], game["white"], {"B": 0, "0": 1, "W": 2}[game["result"][0]]] += 1
    found = Counter({(b, w, place): n for b, w, _, *counts in rows for place, n in enumerate(counts) if n})
    assert found == expected
    assert problems == [i + 1 for i in range(20_000) if i % 1013 == 5]
    assert excluded == {}


FIELD = st.text(st.sampled_from('ab é",;\t'), max_size=4)


@given(
    st.lists(st.tuples(FIELD, FIELD, RESULT, FIELD), max_size=12),
    st.permutations([0, 1, 2, 3]),
    st.sampled_from(",;\t"),
    st.lists(st.integers(0, 500), max_size=3),
)
def test_tables_read_as_by_the_csv_module(rows, order, delimiter, places):
    names = ["black", "white", "result", "komi"]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow([names[place] for place in order])
    for row in rows:
        writer.writerow([row[place] for place in order])
    found, _, problems = collected(read_table, cut(out.getvalue().encode(), places))
    expected: Counter[Any] = Counter()
    zero_tells = any(text[:1] in ("B", "W") for _, _, text, _ in rows)
    for black, white, result, _ in rows:
        black, white = " ".join(black.split()), " ".join(white.split())
        if black and white and black != white and (score := {"B": 0, "W": 2, "0": 1}.get(result[:1])) is not None:
            expected[black, white, score] += result != "0" or zero_tells
    counts: Counter[Any] = Counter()
    for black, white, _, *some in found:
        counts.update({(black, white, place): n for place, n in enumerate(some) if n})
    assert counts == +expected
    assert problems == []


def test_a_table_line_by_line():
    lines = FORMATS["x.tsv"].encode().splitlines(keepends=True)
    assert collected(read_table, lines) == collected(read_table, [b"".join(lines)])
    assert sum(sum(counts) for _, _, _, *counts in collected(read_table, lines)[0]) == 5


def test_names_cannot_speak_to_a_terminal(tmp_path):
    line = json.dumps({"black": "a\x1b]0;x\x07\x9b", "white": "\u202eb \u9ed2", "result": "B+1"}) + "\n"
    (tmp_path / "x.jsonl").write_text(line)
    expected = ("a\ufffd]0;x\ufffd\ufffd", "\ufffdb \u9ed2")
    assert games_of(quiet(tmp_path / "x.jsonl")) == {(*expected, 1): 1}
    assert list(read_sequence([str(tmp_path / "x.jsonl")], pytest.fail)) == [(*expected, 1.0)]


def test_classes_of_many_batches_of_several_files():
    """Each file has its own list of classes, which grows from batch to batch."""
    ledger, expected = Ledger(), Counter[float]()
    files: list[Batches[float]] = [
        Batches(lambda text: score_code(text.decode()), lambda komi: GameClass(komi, 0, 19)) for _ in range(3)
    ]
    for number in range(60):
        komis = [float((number * 7 + i) % 23) for i in range(1 + number % 5)]
        count = len(komis)
        ledger.add(files[number % 3 if number % 4 else 0].batch([b"a"] * count, [b"b"] * count, [b"B+"] * count, komis))
        expected.update(komis)
    assert {kind.komi: wins for _, _, kind, wins, _, _ in rows_of(ledger.tally())} == expected


# tallies --------------------------------------------------------------------------------------------------------------


GAME = st.tuples(st.sampled_from("abcd"), st.sampled_from("efg"), st.sampled_from([0.0, 0.5, 1.0]))


@given(st.lists(GAME), st.lists(GAME))
def test_batches_add_up(some, more):
    ledger = Ledger()
    batches: Batches[bytes] = Batches(int, lambda _: CLASS)
    for games in (some, more):
        black, white = ([game[side].encode() for game in games] for side in (0, 1))
        ledger.add(batches.batch(black, white, [b"%d" % (2 * score) for _, _, score in games], [b""]))
    tally = ledger.tally()
    assert games_of(tally) == Counter(some + more)
    assert tally.games == len(some) + len(more)


def test_a_tally_checks_itself():
    good = GameTally.from_rows([("a", "b", CLASS, 1, 0, 0)])
    values = dict(vars(good))
    wrong: dict[str, Any]
    for wrong in (
        {"black": good.black + 2}, {"wins": np.array([1, 2])}, {"draws": np.array([-1])}, {"players": ["a", "a"]},
        {"kind": np.array([1], np.int32)}, {"classes": []},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            GameTally(**(values | wrong))


def test_games_of_nobody(tmp_path):
    (tmp_path / "x.sgf").write_text("(;RE[B+1];B[aa])(;PB[a]RE[W+1])")
    tally = quiet(tmp_path / "x.sgf")
    assert (tally.games, tally.players, tally.excluded) == (0, ["a"], {"no player name": 2})


def test_reading_loads_nothing_heavy(tmp_path):
    (tmp_path / "in").mkdir()
    for name, text in FORMATS.items():
        (tmp_path / "in" / name).write_text(text)
    (tmp_path / "x.zip").write_bytes(packed(tmp_path / "in", "zip"))
    program = (
        "import sys; from gotools.ratings.reading.results import read_results; read_results(sys.argv[1:], print);"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "x.zip"), str(tmp_path / "in" / "x.sgf")]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "numpy" in loaded
    assert not {"numba", "sgfmill", "sklearn", "scipy"} & set(loaded)


# files made to hurt ---------------------------------------------------------------------------------------------------


def test_lines_of_percent_signs_are_judged_at_once():
    """Each such line could be cut in many ways: with an expression that tries them all, 20 lines took minutes."""
    start = time.process_time()
    assert format_of(b"%  x  %\n" * 40, "x") is None
    assert format_of(b"%  x  %\n" * 40 + b'[Event "x"]\n', "x") is ResultFormat.pgn
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "value",
    [b'"6\t.5"', b'"6.5\xbd"', b"5" * 5000, b"-" + b"5" * 5000, b"5" * 4000, b'"\xed\xb2\xbd"', b"1e999", b"[[[]]]",
     b"[1]", b'"7.5 p"', b"7.50", b"75e-1", b"null"],
)  # fmt: skip
def test_a_class_is_the_same_fast_and_slow(value):
    """2,000 alike lines make an expression; an odd class behind them reads as it does alone."""
    for usual in (b'"6.5"', b"6.5", b"-6e0"):
        lines = [b'{"black":"a","white":"b","result":"B+R","komi":%b}\n' % usual] * 2000
        odd = b'{"black":"c","white":"d","result":"B+R","komi":%b}\n' % value
        rows, _, problems = collected(read_json_lines, [*lines, odd])
        alone, _, problems_alone = collected(read_json_lines, [odd])
        assert [row for row in rows if row[0] == "c"] == alone
        assert problems == [2001] * len(problems_alone)
