"""`gotools rank-moves`: every row against a slow twin, one table from every way in, and what goes wrong in one line."""

from __future__ import annotations

import gzip
import io
import math
import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support.examples import random_moves, read_examples
from support.induce_runs import GAMES, ROOT, TEST_GAME, convert, induce
from support.needs import needs_swipl
from support.position_text import position_text
from support.slow import SlowGo
from support.slow_induction import Example, covers
from support.written_json import read_json

from gotools.cli import run
from gotools.game.examples.examples import write_examples
from gotools.game.examples.negatives import relabel
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.points import vertex
from gotools.rules.clauses.rules import load_rules
from gotools.rules.explain.sentences import sentence
from gotools.rules.weigh.accuracy import choices_of, measure, rule_scores

LETTERS = "ABCDEFGHJKLMNOPQRST"
COLUMNS = b"id\trank\tpoint\tscore\tprobability\tplayed\trules\n"
RULES = """%% gotools rules 1
%% vocabulary=full

rule(near, 40, 3, 1.25).
move(A,B,C,D) :- last_distance(A,C,D,N), range(N,1,3).
rule(takes, 9, 1, 2.5).
move(A,B,C,D) :- opposite(B,E), captures(A,F,C,D,E).
rule(dies, 9, 1, -3.125).
move(A,B,C,D) :- self_atari(A,C,D,B).
rule(diagonal, 9, 1, 0.75).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,1,1,E), block_color(A,F,B), empty_on_pos(A,C,D,1,0,E).
rule(low, 9, 1, -0.5).
move(A,B,C,D) :- line(A,C,D,1).
rule(hunts, 9, 1, 1.5).
move(A,B,C,D) :- opposite(B,E), ladder(A,C,D,E,works).
rule(grows, 1, 1, 0.3).
move(A,B,C,D) :- connects_direct(A,F,C,D,B), stone_cnt(A,F,N), range(N,2,4).
"""
FEW = "".join(re.findall(r"%% .*\n|rule\((?:takes|dies|hunts),.*\nmove.*\n", RULES))
HEADER = "##gotools examples 1\n#id\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\n"
POSITIONS = """\
plain:1\tb\t......./......./..XO.../..X.O../...X.../......./.......\t-\tE4\tD3\tD4\t1
ko:2\tw\t...../..OX./.OX.X/..OX./.....\t-\tC3\tA1\tD3\t1
ko:3\tb\t...../..OX./.O.OX/..OX./.....\tC3\tD3\tC3\tC3\t1
small:9\tb\t..../.O../O.O./.O..\t-\tpass\t-\tB2\t1
full:4\tb\t.O./O.O/.O.\t-\t-\t-\tA3\t1
small:10\tw\tX./.O\t-\t-\t-\tB2\t1
weak:1\tb\t.../.../...\t-\t-\t-\tA1\t0
"""
"""Moves next to stones, into a ko, back into it (illegal), into suicide (illegal); and one position without any."""

Ranking = Callable[..., bytes]


def rank(*arguments: str | Path) -> int:
    return run(["rank-moves", "-q", *map(str, arguments)])


@pytest.fixture
def ranking(capfdbinary: pytest.CaptureFixture[bytes]) -> Ranking:
    """What the command writes when all is well."""

    def written(*arguments: str | Path) -> bytes:
        code, done = rank(*arguments), capfdbinary.readouterr()
        assert (code, done.err) == (0, b"")
        return done.out

    return written


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rules, and tables: of two games, of hand-drawn positions, of all sizes, of more than one batch."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "rules.pl").write_text(RULES)
    (folder / "few.pl").write_text(FEW)
    (folder / "hand.tsv").write_text(HEADER + POSITIONS)
    convert(*GAMES[:2], "-o", folder / "two.tsv")
    convert(*GAMES[:16], "--negatives", "unplayed=200,random=50", "-o", folder / "many.tsv")
    sizes = (2, 5, 7, 13, 19)
    parts = [random_moves(30, size, seed=size).take(np.arange(0, 30, 3)) for size in sizes]
    parts = [replace(part, names=[f"{size}-{n}" for n in part.names]) for size, part in zip(sizes, parts, strict=True)]
    with open(folder / "sizes.tsv", "wb") as out:
        write_examples(out, relabel(GoExamples.concat(parts), PLAYED))
    return folder


@pytest.fixture(scope="module")
def library(made: Path) -> Path:
    assert run(["compile-patterns", str(made / "rules.pl"), "-o", str(made / "rules.so"), "-q"]) == 0
    return made / "rules.so"


# ---- the slow twin: boards of sets, clauses by backtracking ----


def ranked(rows: GoExamples) -> list[int]:
    """The rows that a ranking tells of."""
    return [row for row in np.flatnonzero(rows.label == 1).tolist() if rows.id[row] != "full:4"]


def by_hand(rows: GoExamples, row: int, rules: Path) -> list[tuple[str, str, Fraction, float, int, str]]:
    """Rows of one position, best first: id, point, score, probability, played, rules."""
    size, colour, ko = int(rows.size[row]), int(rows.to_play[row]), int(rows.ko[row])

    def at(point: int) -> tuple[int, int] | None:
        return (point % size, point // size) if point >= 0 else None

    cells = rows.board[row, : size * size].tolist()
    go = SlowGo(size, {(k % size, k // size): cell for k, cell in enumerate(cells) if cell})
    there = at(ko)
    go.ko = (colour, there) if there else None
    moves = at(int(rows.last[row])), at(int(rows.last2[row]))
    found = []
    for point in range(size * size):
        if go.is_legal((point % size, point // size), colour):
            example = Example(size, go.stones, colour, (point % size, point // size), moves)
            fired = [rule for rule in load_rules(rules).rules if covers(rule.body, example)]
            found.append((point, sum((Fraction(str(rule.weight)) for rule in fired), Fraction(0)), fired))
    total = sum(math.exp(score) for _, score, _ in found)
    return [
        (rows.id[row], vertex(point, size), score, math.exp(score) / total, int(point == rows.move[row]),
         ",".join(rule.id for rule in fired) or "-")
        for point, score, fired in sorted(found, key=lambda move: (-move[1], move[0]))
    ]  # fmt: skip


def rows_of(table: bytes) -> dict[str, list[list[str]]]:
    """The rows of a ranking by position, without the id."""
    found: dict[str, list[list[str]]] = {}
    for line in table.decode().splitlines():
        if not line.startswith(("#", "id\t")):
            name, *fields = line.split("\t")
            found.setdefault(name, []).append(fields)
    return found


def test_every_row_is_what_the_slow_twin_says(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    rows = GoExamples.concat(
        [read_examples([made / "two.tsv"]).take(np.arange(3, 66, 7)), read_examples([made / "hand.tsv"])]
    )
    with open(tmp_path / "some.tsv", "wb") as out:
        write_examples(out, rows)
    found = rows_of(ranking(tmp_path / "some.tsv", "--rules", made / "rules.pl"))
    kept = ranked(rows)
    assert list(found) == [rows.id[row] for row in kept]
    fired = set()
    for row in kept:
        expected = by_hand(rows, row, made / "rules.pl")
        mine = found[rows.id[row]]
        as_text = [(place, point, f"{float(score):.4f}", played, rules)
                for place, (_, point, score, _, played, rules) in enumerate(expected, 1)]  # fmt: skip
        assert [(int(p), point, score, int(played), rules) for p, point, score, _, played, rules in mine] == as_text
        probabilities = [float(fields[3]) for fields in mine]
        assert probabilities == pytest.approx([p for *_, p, _, _ in expected], abs=5.1e-5)
        assert sum(probabilities) == pytest.approx(1, abs=5e-5 * len(mine))
        fired |= {name for fields in mine for name in fields[5].split(",")}
    assert fired == {"near", "takes", "dies", "diagonal", "low", "hunts", "grows", "-"}
    assert all(re.fullmatch(r"-?\d+\.\d{4}", field) for fields in mine for field in fields[2:4])
    played = {name: sum(int(fields[4]) for fields in table) for name, table in found.items()}
    assert played == {name: int(name not in ("ko:3", "small:9")) for name in found}  # these two are ko and suicide


def test_the_header_names_the_rules(made: Path, ranking: Ranking) -> None:
    digest = load_rules(made / "rules.pl").digest
    begin = f"##gotools ranking 2\n##game=go\n##rules=7\n##digest={digest}\n".encode() + COLUMNS
    for more in ((), ("--digest", digest), ("--digest", digest[:8].upper())):
        assert ranking(made / "hand.tsv", "--rules", made / "rules.pl", *more).startswith(begin + b"plain:1\t1\t")


def test_equal_scores_stand_in_the_order_of_the_points(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    (tmp_path / "none.pl").write_text("%% gotools rules 1\n")
    rows = rows_of(ranking(made / "hand.tsv", "--rules", tmp_path / "none.pl"))["small:10"]
    assert [fields[1:] for fields in rows] == [
        ["A1", "0.0000", "0.5000", "0", "-"],
        ["B2", "0.0000", "0.5000", "1", "-"],
    ]


@pytest.mark.parametrize("top", [1, 3, 60, 500])
def test_top_gives_the_first_rows_of_every_position(made: Path, top: int, ranking: Ranking) -> None:
    whole = ranking(made / "sizes.tsv", made / "two.tsv", "--rules", made / "rules.pl").splitlines(keepends=True)
    expected = [line for line in whole if line.startswith((b"#", b"id\t")) or int(line.split(b"\t")[1]) <= top]
    assert ranking(made / "sizes.tsv", made / "two.tsv", "--rules", made / "rules.pl", "--top", str(top)) == b"".join(
        expected
    )


# ---- every way in ----


def test_games_and_their_tables_give_the_same_ranking(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    (tmp_path / "games").mkdir()
    for game in GAMES[:2]:
        shutil.copy(game, tmp_path / "games")
    (tmp_path / "packed.TSV.gz").write_bytes(gzip.compress((made / "two.tsv").read_bytes()))
    (tmp_path / "packed.txt").write_bytes(gzip.compress((made / "two.tsv").read_bytes()))
    options = ("--rules", made / "rules.pl")
    expected = ranking(made / "two.tsv", *options)
    assert len(rows_of(expected)) == 66
    for paths in ([*GAMES[:2]], ["games"], ["games/*.sgf"], ["packed.TSV.gz"], ["packed.txt"]):
        assert ranking(*(tmp_path / path for path in paths), *options) == expected
    assert ranking(made / "two.tsv", *options, "-o", tmp_path / "r.tsv.gz") == b""
    assert gzip.decompress((tmp_path / "r.tsv.gz").read_bytes()) == expected


def test_stdin(made: Path, monkeypatch: pytest.MonkeyPatch, ranking: Ranking) -> None:
    table, games = (made / "two.tsv").read_bytes(), b"".join(game.read_bytes() for game in GAMES[:2])
    expected = ranking(made / "two.tsv", "--rules", made / "rules.pl")
    for data, paths in ((table, []), (table, ["-"]), (gzip.compress(table), []), (games, ["-"])):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        found = ranking(*paths, "--rules", made / "rules.pl")
        if data == games:  # two games from one stream have other names
            found, expected = (re.sub(rb"(?m)^[^#\s]\S*:", b"", text) for text in (found, expected))
        assert found == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(RULES.encode()))))
    assert re.sub(rb"(?m)^[^#\s]\S*:", b"", ranking(*GAMES[:2], "--rules", "-")) == expected


def test_paths_of_several_kinds(made: Path, ranking: Ranking) -> None:
    """Games first, then the tables in their order."""
    options = ("--rules", made / "rules.pl")
    rows = {path: ranking(path, *options).partition(COLUMNS)[2] for path in (TEST_GAME, *made.glob("[ht]*.tsv"))}
    found = ranking(made / "two.tsv", TEST_GAME, made / "hand.tsv", *options)
    assert found.partition(COLUMNS)[2] == rows[TEST_GAME] + rows[made / "two.tsv"] + rows[made / "hand.tsv"]


def test_counter_examples_are_passed_over(made: Path, ranking: Ranking) -> None:
    expected = ranking(*GAMES[:16], "--rules", made / "rules.pl")
    assert ranking(made / "many.tsv", "--rules", made / "rules.pl") == expected
    assert len(rows_of(expected)) > 500  # more than are looked at together


def test_positions_without_a_move_are_ranked_too(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    """The move is not known: `-`, or no such column; nothing else changes but that no move is the one played."""
    known = ranking(made / "two.tsv", "--rules", made / "rules.pl")
    rows = [line.split("\t") for line in (made / "two.tsv").read_text().splitlines() if not line.startswith("##")]
    at = rows[0].index("move")
    unknown = [[*row[:at], "move" if row is rows[0] else "-", *row[at + 1 :]] for row in rows]
    without = [row[:at] + row[at + 1 :] for row in rows]
    for table in (unknown, without):
        (tmp_path / "bare.tsv").write_text("##gotools examples 1\n" + "".join("\t".join(row) + "\n" for row in table))
        found = ranking(tmp_path / "bare.tsv", "--rules", made / "rules.pl")
        assert found == re.sub(rb"\t1\t(?=[^\t\n]*\n)", b"\t0\t", known)
        assert found != known
        explained = ranking(tmp_path / "bare.tsv", "--rules", made / "rules.pl", "--explain")
        assert b"to play\n" in explained and b"played" not in explained


def test_only_boards_of_a_size(made: Path, ranking: Ranking) -> None:
    rows = rows_of(ranking(made / "sizes.tsv", "--rules", made / "rules.pl"))
    examples = read_examples([made / "sizes.tsv"])
    for sizes in ([5], [19, 2], [7, 13, 5]):
        options = [word for size in sizes for word in ("--size", str(size))]
        wanted = {name for name, size in zip(examples.id, examples.size.tolist(), strict=True) if size in sizes}
        found = rows_of(ranking(made / "sizes.tsv", "--rules", made / "rules.pl", *options))
        assert found == {name: fields for name, fields in rows.items() if name in wanted} and found


def test_compiled_rules_rank_the_same_to_the_byte(made: Path, library: Path, ranking: Ranking) -> None:
    sources = (made / "two.tsv", made / "hand.tsv", made / "sizes.tsv")
    for more in ((), ("--top", "2"), ("--explain",), ("--metrics", "-", "-o", os.devnull)):
        expected = ranking(*sources, "--rules", made / "rules.pl", *more)
        assert ranking(*sources, "--rules", library, *more) == expected and len(expected) > 500


# ---- for people ----

EXPLAINED = """\
plain:1  b to play, played D4
   7  . . . . . . .
   6  . . . . . . .
   5  . . X O . . .
   4  . . X 1(O). .
   3  . . . X . . .
   2  . . . . . . .
   1  . . . . . . .
      A B C D E F G

  1. D4   score   1.550     7.8 %  (played)
        +1.250  near   Plays next or diagonally next to the last move.
        +0.300  grows  Extends an own chain of 2 to 4 stones.

ko:2  w to play, played D3
"""


def drawn(rows: GoExamples, row: int, first: list[str]) -> list[str]:
    """A position with coordinates, the last move in brackets, the first moves by their numbers."""
    size, last = int(rows.size[row]), int(rows.last[row])
    cells = [list(line) for line in position_text(rows.board[row], size).split("/")[::-1]]
    for number, point in enumerate(first[:9], 1):
        cells[int(point[1:]) - 1][LETTERS.index(point[0])] = str(number)
    lines = []
    for y, line in enumerate(cells):
        text = " " + " ".join(line) + " "
        if last >= 0 and last // size == y:
            at = 2 * (last % size)
            text = text[:at] + "(" + text[at + 1] + ")" + text[at + 3 :]
        lines.append(f"  {y + 1:2} {text}".rstrip())
    return [*lines[::-1], "      " + " ".join(LETTERS[:size])]


@pytest.mark.parametrize(("more", "top"), [((), 3), (("--top", "12"), 12)])
def test_explanations(made: Path, more: tuple[str, ...], top: int, ranking: Ranking) -> None:
    """Put together from the table and the sentences; probabilities, which the table rounds, are in the next test."""
    rules = {rule.id: rule for rule in load_rules(made / "rules.pl").rules}
    sources = (made / "two.tsv", made / "hand.tsv", made / "sizes.tsv")
    table, rows, expected = rows_of(ranking(*sources, "--rules", made / "rules.pl")), read_examples(sources), []
    for row in ranked(rows):
        moves = table[rows.id[row]]
        played = "".join(f", played {move[1]}" for move in moves if move[4] == "1")
        lines = [f"{rows.id[row]}  {'-bw'[rows.to_play[row]]} to play{played}"]
        lines += [*drawn(rows, row, [move[1] for move in moves[:top]]), ""]
        for place, point, score, _, is_played, fired in moves[:top] + [m for m in moves[top:] if m[4] == "1"]:
            lines.append(f"{place:>3}. {point:4} score {float(score):7.3f}   X %{'  (played)' * int(is_played)}")
            named = sorted((rules[n] for n in fired.split(",") if n != "-"), key=lambda rule: -abs(rule.weight))
            lines += [
                f"       {rule.weight:+7.3f}  {rule.id:6} {sentence(rule, int(rows.size[row]))}" for rule in named
            ]
        expected.append("\n".join(lines) + "\n\n")
    found = ranking(*sources, "--rules", made / "rules.pl", "--explain", *more).decode()
    assert max(map(len, found.splitlines())) <= 80
    found = re.sub(r"\n {20,}(?=\S)", " ", found)  # sentences are wrapped at words
    assert re.sub(r" {2,}[\d.]+ %", "   X %", found) == "".join(expected)


def test_an_explanation_reads_well(made: Path, ranking: Ranking) -> None:
    assert EXPLAINED in ranking(made / "hand.tsv", "--rules", made / "rules.pl", "--explain", "--top", "1").decode()


# ---- how good ----


@pytest.mark.parametrize("rules", ["rules.pl", "few.pl"])
def test_metrics_are_those_of_all_positions_at_once(made: Path, tmp_path: Path, rules: str, ranking: Ranking) -> None:
    """Over more positions than are looked at together; --top changes nothing, an illegal move does not count."""
    sources = (made / "many.tsv", made / "hand.tsv", "--rules", made / rules)
    table = ranking(*sources, "--metrics", tmp_path / "m.json")
    assert table == ranking(*sources)
    assert ranking(*sources, "--metrics", "-", "--top", "1", "-o", os.devnull) == (tmp_path / "m.json").read_bytes()
    found = read_json((tmp_path / "m.json").read_text())
    rows = read_examples([made / "many.tsv", made / "hand.tsv"])
    choices = choices_of(rows.take(rows.label == 1))
    scores, fired = rule_scores(load_rules(made / rules), choices)
    expected: dict[str, float] = {**measure(scores, choices), "positions": len(choices)}
    expected["no_rule_fired"] = float(np.mean(~np.logical_or.reduceat(fired, choices.first[:-1])))
    assert found["test"] == pytest.approx(expected, rel=1e-9) and len(choices) == len(rows_of(table)) - 2 > 500
    assert (expected["no_rule_fired"] > 0) == (rules == "few.pl")
    known = load_rules(made / rules)
    assert (found["rules"], found["digest"]) == (len(known.rules), known.digest)
    assert set(found) == {"test", "baselines", "rules", "digest"}


def test_baselines_are_those_of_induction(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    sources = (made / "sizes.tsv", *GAMES[5:8])
    found = read_json(ranking(*sources, "--rules", made / "rules.pl", "--metrics", "-", "-o", os.devnull))
    tests = [word for source in sources for word in ("--test", source)]
    assert induce(GAMES[0], *tests, "--nodes", "1", "-q", "-o", os.devnull, "--metrics", tmp_path / "m.json") == 0
    known = read_json((tmp_path / "m.json").read_text())
    assert set(found["test"]) == set(known["test"]) and found["test"]["positions"] == known["test"]["positions"]
    assert list(found["baselines"]) == list(known["baselines"])
    for name, baseline in found["baselines"].items():
        assert set(known["baselines"][name]) - set(baseline) == ({"log_likelihood"} if name != "chance" else set())
        assert baseline == pytest.approx({key: known["baselines"][name][key] for key in baseline}, rel=1e-9)


def test_the_table_of_metrics_is_for_people(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """On stderr, next to a ranking that is the same as ever."""
    arguments = ["rank-moves", str(TEST_GAME), "--rules", str(made / "rules.pl"), "--top", "1"]
    assert run(arguments) == 0
    plain = capfd.readouterr()
    assert run([*arguments, "--metrics", os.devnull]) == 0
    done = capfd.readouterr()
    assert plain.err == "" and done.out == plain.out
    assert all(word in done.err for word in ("top-20", "near last move", "no rule", "7 rules"))


@pytest.mark.parametrize("illegal", ["ko:3", "small:9"])
def test_without_a_legal_move_played_there_is_a_ranking_but_no_metrics(
    made: Path, tmp_path: Path, illegal: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "one.tsv").write_text(HEADER + re.findall(f"{illegal}.*\n", POSITIONS)[0])
    assert rank(tmp_path / "one.tsv", "--rules", made / "rules.pl") == 0
    expected = capfdbinary.readouterr().out
    assert {fields[4] for fields in rows_of(expected)[illegal]} == {"0"}
    assert rank(tmp_path / "one.tsv", "--rules", made / "rules.pl", "--metrics", tmp_path / "m.json") == 1
    done = capfdbinary.readouterr()
    assert done.out == expected and os.listdir(tmp_path) == ["one.tsv"]
    assert done.err == b"gotools rank-moves: --metrics: not one move to measure on (a legal one, of label 1)\n"


# ---- predicates of one's own ----


@needs_swipl
def test_rules_with_predicates_of_ones_own(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    own = "rule(beside, 5, 1, 1).\nmove(A,B,C,D) :- near_last(A,C,D,1).\n"
    (tmp_path / "own.pl").write_text(RULES + own)
    options = ("--rules", tmp_path / "own.pl", "--background", ROOT / "examples/near_last.pl")
    rows, table = read_examples([made / "two.tsv"]), rows_of(ranking(made / "two.tsv", *options))
    plain = rows_of(ranking(made / "two.tsv", "--rules", made / "rules.pl"))
    for row, name in enumerate(rows.id):
        others = {fields[1]: fields for fields in plain[name]}
        for _, point, score, _, played, fired in table[name]:
            x, y = LETTERS.index(point[0]), int(point[1]) - 1
            last = int(rows.last[row])
            near = last >= 0 and max(abs(x - last % 9), abs(y - last // 9)) == 1
            assert ("beside" in fired.split(",")) == near
            assert float(score) == pytest.approx(float(others[point][2]) + near) and played == others[point][4]
    explained = ranking(made / "two.tsv", *options, "--explain").decode()
    assert " beside " in explained and "near_last(A,C,D,1) holds" in explained


@needs_swipl
def test_compiled_rules_take_no_predicates_of_ones_own(
    made: Path, library: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert rank(made / "two.tsv", "--rules", library, "--background", ROOT / "examples/near_last.pl") == 1
    what = "compiled rules cannot use a background file; give the rules.pl instead"
    expected = f"gotools rank-moves: {library}: {what}\n"
    assert capfd.readouterr() == ("", expected)


# ---- what is wrong ----

TEXTS = {
    "rules.pl": RULES,
    "a.sgf": "(;SZ[5];B[cc];W[bb];B[cb];W[bc];B[bd];W[ab])",
    "illegal.sgf": "(;SZ[5];B[bd];W[cc];B[bd])",
    "passes.sgf": "(;SZ[5];B[];W[])",
    "hello.sgf": "Hello, this is no game.",
    "a.tsv": HEADER + POSITIONS,
    "broken.tsv": HEADER + POSITIONS * 40 + "x:1\tb\t.../...\t-\t-\t-\tA1\t1\n" + POSITIONS * 40,
    "passed.tsv": HEADER + POSITIONS + "x:1\tb\t../..\t-\t-\t-\tpass\t1\n",
    "none.tsv": HEADER + POSITIONS.splitlines()[4] + "\n" + POSITIONS.splitlines()[6] + "\n",
    "other.tsv": "##gotools clusters 1\n#id\n",
    "newer.pl": "%% gotools rules 9\n",
    "unknown.pl": RULES + "rule(own, 1, 1, 1).\nmove(A,B,C,D) :- near_last(A,C,D,1).\n",
    "text.so": "no library",
    "folder/readme.txt": "no games",
}
BESIDE = ["--rules", "rules.pl"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.sgf", *BESIDE], 1, "none.sgf: no such file or folder"),
        (["folder", *BESIDE], 1, "folder: no .sgf or .tsv file in this folder"),
        (["broken.tsv", *BESIDE], 1, "broken.tsv:283: position is not rows of"),
        (["a.sgf", "broken.tsv", "a.tsv", *BESIDE], 1, "broken.tsv:283: position is not rows of"),
        (["passed.tsv", *BESIDE], 1, "passed.tsv:10: move is not a point of the board"),
        (["cut.tsv.gz", *BESIDE], 1, "cut.tsv.gz: broken gzip data"),
        (["other.tsv", *BESIDE], 1, "other.tsv: a file of clusters; expected examples or game records"),
        (["none.tsv", *BESIDE], 1, "no position to rank: not one row of label 1 that leaves a legal move"),
        (["passes.sgf", *BESIDE], 1, "passes.sgf: no examples: no move (games read: 1 of 5x5)"),
        (["hello.sgf", *BESIDE], 1, "hello.sgf: no examples: no game could be read"),
        (["a.sgf", "illegal.sgf", *BESIDE, "--strict"], 1, "illegal.sgf: move 3 (B B2): occupied"),
        (["a.sgf", *BESIDE, "--size", "9"], 1, "no game of the size and result wanted (games read: 1 of 5x5)"),
        (["a.tsv", *BESIDE, "--size", "19"], 1, "a.tsv: no row of size 19; there is 2, 3, 4, 5, 7"),
        (["a.sgf", "--rules", "none.pl"], 1, "none.pl: No such file or directory"),
        (["a.sgf", "--rules", "none.so"], 1, "none.so: No such file or directory"),
        (["a.sgf", "--rules", "folder"], 1, "folder: Is a directory"),
        (["a.sgf", "--rules", "a.tsv"], 1, "a.tsv: a file of examples; expected rules"),
        (["a.sgf", "--rules", "text.so"], 1, "text.so: text of no known kind; expected compiled rules"),
        (["a.sgf", "--rules", sys.executable], 1, ": a library without rules compiled by gotools"),
        (["a.sgf", "--rules", "newer.pl"], 1, "newer.pl:1: rules of version 9"),
        (["a.sgf", "--rules", "unknown.pl"], 1, "unknown.pl:19: unknown predicate 'near_last'"),
        (["a.sgf", *BESIDE, "--digest", "ABCDEF"], 1, "rules.pl: holds other rules: digest"),
        (["a.sgf", *BESIDE, "--background", "none.pl"], 1, "none.pl: No such file"),
        (["a.sgf", *BESIDE, "--metrics", "none/m.json"], 1, "none/m.json: cannot write: No such file"),
        (["a.sgf", *BESIDE, "-o", "none/r.tsv"], 1, "none/r.tsv: cannot write: No such file"),
        (["a.sgf", *BESIDE, "-o", "folder"], 1, "folder: cannot write: Is a directory"),
        (["a.sgf"], 2, "--rules: name the rules"),
        (["a.sgf", "-", "--rules", "-"], 2, "--rules: stdin is read for PATH already"),
        (["--rules", "-"], 2, "stdin"),
        (["a.sgf", *BESIDE, "-o", "r.tsv", "--metrics", "r.tsv"], 2, "name another file for --metrics"),
        (["a.sgf", *BESIDE, "-o", "-", "--metrics", "-"], 2, "name another file for --metrics"),
        (["a.sgf", *BESIDE, "--top", "0"], 2, "--top"),
        (["a.sgf", *BESIDE, "--size", "1"], 2, "--size"),
        (["a.sgf", *BESIDE, "--nonsense"], 2, "--nonsense"),
    ],
)
def test_wrong_input_is_one_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    arguments: list[str], code: int, message: str,
) -> None:  # fmt: skip
    (tmp_path / "folder").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "cut.tsv.gz").write_bytes(gzip.compress(TEXTS["a.tsv"].encode())[:-9])
    (tmp_path / "r.tsv").write_text("as it was")
    monkeypatch.chdir(tmp_path)
    names = sorted(os.listdir(tmp_path))
    assert rank(*arguments, *([] if "-o" in arguments else ["-o", "r.tsv"])) == code
    done = capfd.readouterr()
    assert message in done.err and "Traceback" not in done.err and done.out == ""
    assert done.err.splitlines()[-1].startswith("gotools rank-moves: ")
    assert sorted(os.listdir(tmp_path)) == names and (tmp_path / "r.tsv").read_text() == "as it was"


def test_other_compiled_rules_than_given_are_refused(
    made: Path, library: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mine = load_rules(made / "rules.pl").digest
    assert rank(made / "hand.tsv", "--rules", library, "--digest", mine, "-o", os.devnull) == 0
    assert rank(made / "hand.tsv", "--rules", library, "--digest", "0" * 64) == 1
    expected = f"gotools rank-moves: {library}: holds other rules: digest {mine[:12]}, not {'0' * 12}\n"
    assert capfd.readouterr() == ("", expected)


def test_broken_games_do_not_stop_the_others(made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.sgf", "illegal.sgf", "hello.sgf"):
        (tmp_path / name).write_text(TEXTS[name])
    assert rank(tmp_path, "--rules", made / "rules.pl") == 0
    done = capfd.readouterr()
    assert [line.partition(".sgf")[0] for line in done.err.splitlines()] == [
        str(tmp_path / name) for name in ("hello", "illegal")
    ]
    assert list(rows_of(done.out.encode())) == [*(f"a:{ply}" for ply in range(1, 7)), "illegal:1", "illegal:2"]


def test_no_stdin_at_all_is_wrong_usage(
    made: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert rank("--rules", made / "rules.pl") == 2
    assert "send them to stdin" in capfd.readouterr().err
    assert rank("-", "--rules", made / "rules.pl") == 1
    assert capfd.readouterr().err == "gotools rank-moves: stdin: is closed\n"
