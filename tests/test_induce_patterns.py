"""The command from its arguments to its bytes, tables and exit code; counts and accuracy held against slow twins."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from slow import SlowGo
from slow_induction import Example, covers

from gotools.cli import run
from gotools.go.vocabulary import VOCABULARIES
from gotools.patterns import study
from gotools.patterns.induce import SCORES, SEARCHES
from gotools.patterns.rules import RuleSet, read_rules

ROOT = Path(__file__).parents[1]
GAMES = sorted((ROOT / "examples/games").glob("*.sgf"))
TEST_GAME = ROOT / "examples/test-games/gnugo-1001.sgf"
ROBUST = ROOT.parent / "shared/data/sgf-robustness"
QUICK = ("--positives", "60", "--nodes", "400")
COMMAND = [sys.executable, "-m", "gotools", "induce-patterns"]
COLOUR = re.compile(r"\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])(;[0-9;]*)?m")
LETTERS = "ABCDEFGHJKLMNOPQRST"

Row = dict[str, str]


def induce(*arguments: str | Path) -> int:
    return run(["induce-patterns", *map(str, arguments)])


def convert(*arguments: str | Path) -> None:
    assert run(["sgf-to-examples", "-q", *map(str, arguments)]) == 0


def rules_in(data: bytes | Path) -> RuleSet:
    text = data.decode() if isinstance(data, bytes) else data.read_text()
    return read_rules(io.StringIO(text), "rules.pl")


def bare(rules: RuleSet) -> list[tuple[object, ...]]:
    """The rules without their weights."""
    return [(rule.body, rule.positives, rule.negatives) for rule in rules.rules]


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Examples of three games with 60 unplayed and 20 random counter-examples."""
    path = tmp_path_factory.mktemp("table") / "examples.tsv"
    convert(*GAMES[:3], "--negatives", "unplayed=60,random=20", "-o", path)
    return path


# ---- slow twins: a table read by hand, boards of sets, clauses by backtracking ----


def rows_of(path: Path) -> list[Row]:
    lines = path.read_text().splitlines()
    names = next(line for line in lines if line.startswith("#id")).lstrip("#").split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines if not line.startswith("#")]


def point_of(vertex: str) -> tuple[int, int]:
    return LETTERS.index(vertex[0]), int(vertex[1:]) - 1


def game_of(row: Row) -> tuple[SlowGo, int]:
    lines = row["position"].split("/")[::-1]
    go = SlowGo(
        len(lines), {(x, y): ".XO".index(c) for y, line in enumerate(lines) for x, c in enumerate(line) if c != "."}
    )
    colour = 1 if row["to_play"] == "b" else 2
    go.ko = None if row["ko"] == "-" else (colour, point_of(row["ko"]))
    return go, colour


def example_of(row: Row, point: tuple[int, int] | None = None) -> Example:
    go, colour = game_of(row)
    return Example(go.size, go.stones, colour, point or point_of(row["move"]))


def legal(row: Row) -> list[tuple[int, int]]:
    go, colour = game_of(row)
    return [(x, y) for x in range(go.size) for y in range(go.size) if go.is_legal((x, y), colour)]


def rule_scores(row: Row, rules: RuleSet) -> dict[tuple[int, int], tuple[int, float]]:
    """For every legal move the sums of P - N and of the weights of the rules that fire."""
    scores = {}
    for point in legal(row):
        example = example_of(row, point)
        fired = [rule for rule in rules.rules if covers(rule.body, example)]
        scores[point] = sum(r.positives - r.negatives for r in fired), sum(r.weight for r in fired)
    return scores


def distances(row: Row, order: str) -> dict[tuple[int, int], float]:
    """Scores of the baselines, in squared distances where they are distances."""
    size, last = len(row["position"].split("/")), row["last"]
    if order == "chance" or (order == "near_last_move" and last in ("-", "pass")):
        return dict.fromkeys(legal(row), 0.0)
    u, v = ((size - 1) / 2, (size - 1) / 2) if order == "centre_first" else point_of(last)
    return {(x, y): -((x - u) ** 2) - (y - v) ** 2 for x, y in legal(row)}


def top_share(rows: list[Row], scores: list[dict[tuple[int, int], float]], k: int) -> float:
    total = 0.0
    for row, score in zip(rows, scores, strict=True):
        mine = score[point_of(row["move"])]
        better, alike = (sum(test) for test in zip(*((s > mine, s == mine) for s in score.values()), strict=True))
        total += sum(place <= k for place in range(better + 1, better + alike + 1)) / alike
    return total / len(rows)


def mean_log(rows: list[Row], scores: list[dict[tuple[int, int], float]], scale: float = 1) -> float:
    total = 0.0
    for row, score in zip(rows, scores, strict=True):
        total += scale * score[point_of(row["move"])] - math.log(sum(math.exp(scale * s) for s in score.values()))
    return total / len(rows)


def best_scale(rows: list[Row], scores: list[dict[tuple[int, int], float]]) -> float:
    """The scale of the largest log-likelihood, by narrowing an interval; the function has one maximum."""
    low, high = 0.0, 8.0
    for _ in range(40):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if mean_log(rows, scores, a) < mean_log(rows, scores, b) else (low, b)
    return (low + high) / 2


# ---- games and examples in, rules out ----


def test_rules_of_games(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The same bytes on stdout and by -o; nothing but rules on stdout; tables on stderr, but not with -q."""
    assert induce(*GAMES[:3], *QUICK) == 0
    loud = capfdbinary.readouterr()
    assert induce(*GAMES[:3], *QUICK, "-q") == 0
    quiet = capfdbinary.readouterr()
    assert induce(*GAMES[:3], *QUICK, "-o", tmp_path / "rules.pl") == 0
    named = capfdbinary.readouterr()
    assert loud.out == quiet.out == (tmp_path / "rules.pl").read_bytes() and named.out == b"" and quiet.err == b""
    rules = rules_in(loud.out)
    assert [rule.id for rule in rules.rules] == [f"r{k}" for k in range(1, len(rules.rules) + 1)] and rules.rules
    assert rules.header["positives"] == "60" and rules.header["negatives"] == "unplayed 60"
    assert rules.header["search"] == "breadth nodes=400 noise=9 body=3-15 depth=10 score=coverage seed=0"
    for word in (b"in words", b"60 of ", b"moves to learn from, 60 counter-examples (unplayed 60), noise 9", b"seeds"):
        assert word in loud.err and word in named.err
    assert str(ROOT).encode() not in loud.out


def test_packed_rules(tmp_path: Path) -> None:
    assert induce(*GAMES[:3], *QUICK, "-q", "-o", tmp_path / "rules.pl") == 0
    assert induce(*GAMES[:3], *QUICK, "-q", "-o", tmp_path / "rules.pl.gz") == 0
    assert gzip.decompress((tmp_path / "rules.pl.gz").read_bytes()) == (tmp_path / "rules.pl").read_bytes()


def test_the_same_seed_gives_the_same_bytes_in_any_process(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert induce(*GAMES[:3], *QUICK, "-q", "--seed", "7") == 0
    here = capfdbinary.readouterr().out
    environment = os.environ | {"PYTHONHASHSEED": "3", "NUMBA_NUM_THREADS": "1", "LC_ALL": "C", "COLUMNS": "40"}
    command = [*COMMAND, *map(str, GAMES[:3]), *QUICK, "--seed", "7"]
    there = subprocess.run(command, capture_output=True, timeout=120, env=environment)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here
    assert induce(*GAMES[:3], *QUICK, "-q", "--seed", "8") == 0
    other = capfdbinary.readouterr().out
    assert bare(rules_in(other)) != bare(rules_in(here))


@pytest.mark.parametrize("vocabulary", ["basic", "advanced"])
def test_counts_are_those_of_the_slow_twin(
    table: Path, vocabulary: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert induce(table, "--positives", "all", "--nodes", "400", "--vocabulary", vocabulary, "-q") == 0
    rules = rules_in(capfdbinary.readouterr().out)
    examples = [(row["label"], example_of(row)) for row in rows_of(table)]
    assert len(rules.rules) > 3
    for rule in rules.rules:
        held = [label for label, example in examples if covers(rule.body, example)]
        assert (rule.positives, rule.negatives) == (held.count("1"), held.count("0"))
        assert {literal.predicate for literal in rule.body} <= set(VOCABULARIES[vocabulary])
    ratios = [rule.weight / (rule.positives - rule.negatives) for rule in rules.rules]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-4) and ratios[0] > 0


def test_games_and_their_table_give_the_same_rules(
    tmp_path: Path, table: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """From files, a folder, a glob, .gz, other names, and both kinds from a pipe."""
    folder = tmp_path / "games"
    folder.mkdir()
    for path in GAMES[:3]:
        shutil.copy(path, folder)
    (tmp_path / "t.TSV.gz").write_bytes(gzip.compress(table.read_bytes()))
    (tmp_path / "t.txt").write_bytes(table.read_bytes())
    (tmp_path / "games.txt").write_bytes(b"".join(path.read_bytes() for path in GAMES[:3]))
    (tmp_path / "games.sgf.gz").write_bytes(gzip.compress(b"".join(path.read_bytes() for path in GAMES[:3])))
    options = ("-q", "--positives", "50", "--nodes", "300", "--negatives", "unplayed=50")
    expected = None
    for source in (folder, f"{folder}/*.sgf", tmp_path / "games.txt", tmp_path / "games.sgf.gz"):
        assert induce(source, *options) == 0
        out = capfdbinary.readouterr().out
        assert out == (expected or out)
        expected = out
    convert(folder, "-o", tmp_path / "plain.tsv")
    assert induce(tmp_path / "plain.tsv", *options) == 0
    assert capfdbinary.readouterr().out == expected
    assert induce(table, "-q", "--nodes", "200") == 0
    expected = capfdbinary.readouterr().out
    for name in ("t.TSV.gz", "t.txt"):
        assert induce(tmp_path / name, "-q", "--nodes", "200") == 0
        assert capfdbinary.readouterr().out == expected


@pytest.mark.parametrize("kind", ["games", "table"])
def test_stdin(
    kind: str, table: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = table.read_bytes() if kind == "table" else b"".join(path.read_bytes() for path in GAMES[:3])
    options = ("-q", "--positives", "40", "--nodes", "200", "--negatives", "unplayed=40")
    found = []
    for given, path in ((data, []), (data, ["-"]), (gzip.compress(data), ["-"])):
        stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(given)))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert induce(*path, *options) == 0
        found.append(capfdbinary.readouterr().out)
    assert found[0] == found[1] == found[2] and rules_in(found[0]).rules


def test_a_pipe_of_commands() -> None:
    line = (
        f"{sys.executable} -m gotools sgf-to-examples -q {GAMES[0]} --negatives unplayed=30"
        f" | {' '.join(COMMAND)} -q --nodes 50 --test {TEST_GAME} - | head -1; echo ${{PIPESTATUS[@]}}"
    )
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=120)
    assert done.stdout == b"%% gotools rules 1\n0 0 0\n" and done.stderr == b""


def test_games_and_tables_together(table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    convert(GAMES[5], "-o", tmp_path / "more.tsv")
    assert induce(GAMES[3], table, tmp_path / "more.tsv", "--positives", "all", "--nodes", "20", "--metrics", "-",
                  "-o", tmp_path / "r.pl") == 0  # fmt: skip
    numbers = json.loads(capfd.readouterr().out)
    convert(*GAMES[:4], GAMES[5], "-o", tmp_path / "all.tsv")
    assert (numbers["positives"], numbers["negatives"]) == (len(rows_of(tmp_path / "all.tsv")), 80)


# ---- how many of what ----


@pytest.mark.parametrize(
    ("options", "positives", "negatives"),
    [
        ("--positives 30", 30, "unplayed 60, random 20"),
        ("--positives 30 --negatives unplayed", 30, "unplayed 30"),
        ("--positives 30 --negatives random=9,unplayed=11", 30, "random 9, unplayed 11"),
        ("--positives 30 --negatives random=50,suicide=3", 30, "random 20, suicide 3"),
        ("--positives 100000 --negatives unplayed=999", None, "unplayed 60"),
        ("--positives all --negatives random", None, "random 20"),
    ],
)
def test_sizes_of_both_sides(
    table: Path, options: str, positives: int | None, negatives: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert induce(table, *options.split(), "--nodes", "10", "--show", "0") == 0
    done = capfd.readouterr()
    header = rules_in(done.out.encode()).header
    every = sum(row["label"] == "1" for row in rows_of(table))
    assert int(header["positives"]) == (positives or every)
    assert dict(part.rsplit(" ", 1) for part in header["negatives"].split(", ")) == dict(
        part.split(" ") for part in negatives.split(", ")
    )
    assert f"{positives or every} of {every} moves to learn from" in done.err


@pytest.mark.parametrize(("text", "noise"), [("0", 0), ("7", 7), ("15%", 12), ("2.5%", 2), ("100%", 80), ("400", 400)])
def test_noise_bounds_what_a_rule_may_cover(
    table: Path, text: str, noise: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert induce(table, "--noise", text, "--nodes", "150", "--show", "0") == 0
    done = capfd.readouterr()
    rules = rules_in(done.out.encode())
    assert f" noise={noise} " in rules.header["search"] and f"noise {noise}\n" in done.err
    assert max((rule.negatives for rule in rules.rules), default=0) <= noise


def test_only_boards_of_a_size(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.sgf").write_text("(;SZ[5];B[cc];W[bb];B[cb];W[bc];B[bd];W[ab];B[dc];W[ac])")
    convert(GAMES[0], tmp_path / "small.sgf", "--negatives", "unplayed=20", "-o", tmp_path / "both.tsv")
    moves = [row["position"].count("/") + 1 for row in rows_of(tmp_path / "both.tsv") if row["label"] == "1"]
    for sources in ([GAMES[0], tmp_path / "small.sgf"], [tmp_path / "both.tsv"]):
        for sizes, text in (((5,), "5-5"), ((9,), "9-9"), ((5, 9), "5-9"), ((), "5-9")):
            options = [word for size in sizes for word in ("--size", str(size))]
            assert induce(*sources, *options, "-q", "--nodes", "20") == 0
            header = rules_in(capfd.readouterr().out.encode()).header
            assert header["sizes"] == text
            assert int(header["positives"]) == sum(map(moves.count, sizes or (5, 9)))


def test_players_by_rank_and_weak_losers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    moves = ";B[cc];W[bb];B[cb];W[bc];B[bd];W[ab];B[dc];W[ac]"
    (tmp_path / "a.sgf").write_text(f"(;SZ[5]BR[3d]WR[20k]RE[B+R]{moves})")
    assert induce(tmp_path, "-q", "--nodes", "20", "--rank-above", "1d") == 0
    assert rules_in(capfd.readouterr().out.encode()).header["positives"] == "4"
    assert induce(tmp_path, "-q", "--nodes", "20", "--negatives", "weak") == 0
    header = rules_in(capfd.readouterr().out.encode()).header
    assert (header["positives"], header["negatives"]) == ("4", "weak 4")
    assert induce(tmp_path, "-q", "--nodes", "20", "--negatives", "weak,unplayed", "--weak-below", "25k") == 0
    header = rules_in(capfd.readouterr().out.encode()).header
    assert (header["positives"], header["negatives"]) == ("8", "unplayed 8")


# ---- the search ----


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("score", SCORES)
def test_every_score_and_search(table: Path, score: str, search: str, tmp_path: Path) -> None:
    limits = ("--nodes", "300", "--noise", "6", "--min-body", "2", "--max-body", "5")
    how = ("--score", score, "--search", search, "--beam-width", "5")
    assert induce(table, *limits, *how, "-q", "-o", tmp_path / "r.pl", "--metrics", tmp_path / "m.json") == 0
    numbers = json.loads((tmp_path / "m.json").read_text())
    rules = rules_in(tmp_path / "r.pl")
    assert 0 < numbers["clauses_searched"] <= 300 * numbers["seeds"]
    assert numbers["rules"] == len(rules.rules) == numbers["seeds"] - numbers["seeds_without_rule"] > 0
    assert {len(rule.body) for rule in rules.rules} <= {2, 3, 4, 5}
    assert max(rule.negatives for rule in rules.rules) <= 6
    name = "beam width=5" if search == "beam" else search
    assert rules.header["search"] == f"{name} nodes=300 noise=6 body=2-5 depth=10 score={score} seed=0"


def test_more_nodes_search_more(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    searched = []
    for nodes in (1, 30, 900):
        assert induce(table, "-q", "--nodes", str(nodes), "--metrics", "-", "-o", os.devnull) == 0
        numbers = json.loads(capfd.readouterr().out)
        assert numbers["clauses_searched"] <= nodes * numbers["seeds"]
        searched.append(numbers["clauses_searched"])
    assert searched == sorted(set(searched))


def test_predicates_left_out_do_not_appear(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(table, "-q", "--nodes", "400", "--without", "liberty_cnt, stone_cnt,connects_direct") == 0
    out = capfd.readouterr().out
    clauses = [line for line in out.splitlines() if line.startswith("move(")]
    assert clauses and not any(re.search("liberty_cnt|stone_cnt|connects_direct", line) for line in clauses)
    assert "liberty_cnt" not in rules_in(out.encode()).header["predicates"].split()


def test_no_rule_at_all_is_a_good_end(table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hopeless = ("--nodes", "30", "--min-body", "15", "--noise", "0")
    assert induce(table, *hopeless, "--test", TEST_GAME, "--metrics", tmp_path / "m.json", "-o", tmp_path / "r.pl") == 0
    assert rules_in(tmp_path / "r.pl").rules == ()
    done = capfd.readouterr()
    assert "0 rules from" in done.err and "try a larger --noise" in done.err and "centre first" in done.err
    numbers = json.loads((tmp_path / "m.json").read_text())
    assert numbers["rules"] == 0 and numbers["test"]["no_rule_fired"] == 1
    for key in ("top1", "top20", "log_likelihood"):
        assert numbers["test"][key] == pytest.approx(numbers["baselines"]["chance"][key])


# ---- measured on other games ----


def test_metrics_are_what_counting_gives(table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    convert(TEST_GAME, "-o", tmp_path / "test.tsv")
    lines = (tmp_path / "test.tsv").read_text().splitlines(keepends=True)
    (tmp_path / "some.tsv").write_text("".join(lines[:3] + lines[3:8] + lines[20:30]))
    rows, train = rows_of(tmp_path / "some.tsv"), [row for row in rows_of(table) if row["label"] == "1"]
    options = (
        "--positives",
        "all",
        "--nodes",
        "300",
        "--test",
        tmp_path / "some.tsv",
        "--metrics",
        tmp_path / "m.json",
    )
    assert induce(table, *options, "-q", "-o", tmp_path / "r.pl") == 0
    numbers, rules = json.loads((tmp_path / "m.json").read_text()), rules_in(tmp_path / "r.pl")
    assert {"test", "baselines", "rules", "clauses_searched", "seconds"} <= set(numbers)
    keys = {"positions", "top1", "top3", "top5", "top10", "top20", "log_likelihood"}
    assert set(numbers["test"]) == keys | {"no_rule_fired"}
    assert set(numbers["baselines"]) == {"chance", "centre_first", "near_last_move"}
    assert numbers["test"]["positions"] == len(rows) == 15 and numbers["rules"] == len(rules.rules)

    both = [rule_scores(row, rules) for row in rows]
    counted = {"rules": [{p: s for p, (s, _) in score.items()} for score in both]}
    counted |= {name: [distances(row, name) for row in rows] for name in numbers["baselines"]}
    for name, scores in counted.items():
        found = numbers["test"] if name == "rules" else numbers["baselines"][name]
        for k in (1, 3, 5, 10, 20):
            assert found[f"top{k}"] == pytest.approx(top_share(rows, scores, k)), (name, k)
    weighed = [{p: w for p, (_, w) in score.items()} for score in both]
    assert numbers["test"]["log_likelihood"] == pytest.approx(mean_log(rows, weighed), abs=1e-4)
    fired = [any(covers(r.body, example_of(row, p)) for r in rules.rules for p in legal(row)) for row in rows]
    assert numbers["test"]["no_rule_fired"] == pytest.approx(1 - sum(fired) / len(fired))
    legal_moves = [len(legal(row)) for row in rows]
    chance = numbers["baselines"]["chance"]
    assert chance["log_likelihood"] == pytest.approx(-sum(map(math.log, legal_moves)) / len(rows))
    assert chance["top20"] == pytest.approx(sum(min(1, 20 / n) for n in legal_moves) / len(rows))
    for name in ("centre_first", "near_last_move"):
        fit, there = (
            [{p: -math.sqrt(-s) for p, s in distances(row, name).items()} for row in some] for some in (train, rows)
        )
        expected = mean_log(rows, there, best_scale(train, fit))
        assert numbers["baselines"][name]["log_likelihood"] == pytest.approx(expected, abs=1e-3), name
    assert capfd.readouterr() == ("", "")


def test_the_weights_are_scaled_as_fits_best(table: Path, tmp_path: Path) -> None:
    assert induce(table, "--positives", "all", "--nodes", "300", "-q", "-o", tmp_path / "r.pl") == 0
    rules = rules_in(tmp_path / "r.pl")
    train = [row for row in rows_of(table) if row["label"] == "1"][::4]
    scores = [{p: w for p, (_, w) in rule_scores(row, rules).items()} for row in train]
    assert 0.7 < best_scale(train, scores) < 1.4  # of every fourth move; over all of them it is 1


def test_metrics_without_a_test(table: Path, tmp_path: Path) -> None:
    assert induce(table, "-q", "--nodes", "50", "-o", tmp_path / "r.pl", "--metrics", tmp_path / "m.json") == 0
    numbers = json.loads((tmp_path / "m.json").read_text())
    assert not {"test", "baselines"} & set(numbers)
    assert numbers["rules"] == len(rules_in(tmp_path / "r.pl").rules) and numbers["clauses_searched"] > 0
    assert numbers["negatives"] == 80 and numbers["interrupted"] is False and numbers["seconds"] > 0


def test_metrics_differ_between_runs_by_seconds_alone(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = []
    for _ in range(2):
        assert induce(table, "-q", "--nodes", "50", "--test", TEST_GAME, "--metrics", "-", "-o", os.devnull) == 0
        found.append({key: value for key, value in json.loads(capfd.readouterr().out).items() if key != "seconds"})
    assert found[0] == found[1]


# ---- what people see ----


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_tables_fit_the_terminal(
    table: Path, columns: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert induce(table, "--nodes", "200", "--test", TEST_GAME, "-o", os.devnull) == 0
    lines = capfd.readouterr().err.splitlines()
    tables = lines[1:-1]  # the lines of words before and behind are whole, for grep
    assert max(map(len, tables)) <= max(columns, 76)  # the accuracy table is never cut
    text = " ".join(" ".join(tables).split())
    assert "in words" in text and "near last move" in text and "top-20" in text
    assert ("pos_gen(E)" in text) == (columns == 200)  # clauses only where there is room for them
    assert re.fullmatch(
        r"\d+ rules? from \d+ seeds, [\d,]+ clauses searched in [\d.]+ s(; \d+ moves no rule .*)?", lines[-1]
    )


def test_how_many_rules_are_shown(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for many in (0, 2, 500):
        assert induce(table, "--nodes", "200", "--noise", "9", "--show", str(many)) == 0
        done = capfd.readouterr()
        shown[many] = len(re.findall(r"^ +r\d+ ", done.err, re.MULTILINE))
        assert ("more rules not shown" in done.err) == (many == 2)
        rules = rules_in(done.out.encode()).rules
    assert shown == {0: 0, 2: 2, 500: len(rules)}
    best = sorted(rules, key=lambda rule: rule.negatives - rule.positives)
    assert f" {best[0].id} " in done.err.partition(f" {best[1].id} ")[0]


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a pseudo-terminal: ours, and the one for a program."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    for end in (ours, theirs):
        os.close(end)


def seen(ours: int, until: str, seconds: float = 60) -> str:
    """Read a terminal until a pattern shows up."""
    text, end = "", time.monotonic() + seconds
    while not re.search(until, text) and time.monotonic() < end:
        if select.select([ours], [], [], 0.2)[0]:
            text += os.read(ours, 65536).decode(errors="replace")
    return text


@contextmanager
def on_terminal(theirs: int, *arguments: str | Path, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "150", **variables}
    command = [*COMMAND, *map(str, arguments)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


LONG = ("--positives", "all", "--nodes", "20000", "--noise", "5")
"""Minutes of search, with a rule every fraction of a second."""


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}])
def test_ctrl_c_at_a_terminal_keeps_the_rules(
    tmp_path: Path, terminal: tuple[int, int], variables: dict[str, str]
) -> None:
    """The bar shows rules so far, share covered, best clause; then Ctrl-C writes what is found, and says so."""
    out, numbers = tmp_path / "r.pl", tmp_path / "m.json"
    ours, theirs = terminal
    wanted = r"\d+ rules, \d+% covered; best: P \d+ N \d+ [a-z_]+\("
    options = (*LONG, "-o", out, "--metrics", numbers, "--test", TEST_GAME)
    with on_terminal(theirs, *GAMES, *options, **variables) as process:
        shown = seen(ours, wanted)
        process.send_signal(signal.SIGINT)
        end = seen(ours, r"found so far are in")
        assert process.wait(60) == 130
    assert re.search(wanted, shown), shown
    assert "moves" in shown and bool(COLOUR.search(shown)) == (not variables)
    rules = rules_in(out).rules
    assert f"interrupted; the {len(rules)} rules found so far are in {out}" in " ".join(end.split()), end
    assert rules and "Traceback" not in end and "top-20" in end
    metrics = json.loads(numbers.read_text())
    assert metrics["interrupted"] is True and metrics["rules"] == len(rules) and metrics["test"]["positions"] > 0
    assert sorted(os.listdir(tmp_path)) == ["m.json", "r.pl"]


# ---- Ctrl-C ----


def test_ctrl_c_while_loading_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "r.pl").write_text("as it was")
    os.mkfifo(tmp_path / "more.sgf")
    command = [*COMMAND, str(GAMES[0]), str(tmp_path / "more.sgf"), "-o", str(tmp_path / "r.pl"), "--metrics",
               str(tmp_path / "m.json")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(tmp_path / "more.sgf", "wb"):  # waits until the command has come to the second file
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and out == b"" and errors == b"gotools induce-patterns: interrupted\n"
    assert sorted(os.listdir(tmp_path)) == ["more.sgf", "r.pl"] and (tmp_path / "r.pl").read_text() == "as it was"


def stop_after(monkeypatch: pytest.MonkeyPatch, seeds: int) -> None:
    """Make Ctrl-C come after so many seeds."""
    whole = study.induce

    def cut_short(*given: Any) -> Iterator[Any]:
        if seeds == 0:
            raise KeyboardInterrupt
        for number, found in enumerate(whole(*given), 1):
            if number == seeds:  # the seed at hand is finished first
                signal.raise_signal(signal.SIGINT)
            yield found

    monkeypatch.setattr(study, "induce", cut_short)


def test_ctrl_c_keeps_the_rules_found_until_then(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert induce(table, "-q", "--nodes", "200", "--noise", "9") == 0
    whole = rules_in(capfdbinary.readouterr().out)
    stop_after(monkeypatch, 4)
    assert induce(table, "-q", "--nodes", "200", "--noise", "9", "--metrics", tmp_path / "m.json") == 130
    done = capfdbinary.readouterr()
    part = rules_in(done.out)
    assert 0 < len(part.rules) <= 4 and bare(part) == bare(whole)[: len(part.rules)]
    assert done.err.decode() == (
        f"gotools induce-patterns: interrupted; the {len(part.rules)} rules found so far are in stdout\n"
    )
    numbers = json.loads((tmp_path / "m.json").read_text())
    assert numbers["interrupted"] is True and numbers["seeds"] == 4


def test_ctrl_c_before_the_first_rule_leaves_the_old_rules(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.pl").write_text("as it was")
    stop_after(monkeypatch, 0)
    assert induce(table, "-q", "--nodes", "200", "-o", tmp_path / "r.pl", "--metrics", tmp_path / "m.json") == 130
    assert capfd.readouterr().err == "gotools induce-patterns: interrupted; no rule was found yet; nothing is written\n"
    assert os.listdir(tmp_path) == ["r.pl"] and (tmp_path / "r.pl").read_text() == "as it was"


@pytest.mark.parametrize("where", ["_counted", "_weigh", "measure"])
def test_a_late_ctrl_c_loses_no_rule(
    where: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ("-q", "--nodes", "100", "--test", TEST_GAME, "--metrics", tmp_path / "m.json", "-o", tmp_path / "r.pl")
    assert induce(table, *options) == 0
    whole = (tmp_path / "r.pl").read_bytes()
    (tmp_path / "r.pl").unlink()
    meant = getattr(study, where)

    def interrupted(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return meant(*given)

    monkeypatch.setattr(study, where, interrupted)
    assert induce(table, *options) == 130
    assert (tmp_path / "r.pl").read_bytes() == whole
    assert f"rules found so far are in {tmp_path / 'r.pl'}" in capfd.readouterr().err
    numbers = json.loads((tmp_path / "m.json").read_text())
    assert numbers["interrupted"] is True and ("test" in numbers) == (where != "measure")


# ---- what is wrong ----

TEXTS = {
    "a.sgf": "(;SZ[5];B[cc];W[bb];B[cb];W[bc];B[bd];W[ab])",
    "illegal.sgf": "(;SZ[5];B[bd];W[cc];B[bd])",
    "empty.sgf": "",
    "empty.tsv": "",
    "hello.sgf": "Hello, this is no game.",
    "hello.txt": "Hello, this is no game.",
    "negatives.tsv": "##gotools examples 1\n#to_play\tposition\tmove\tlabel\nb\t.../.../...\tA1\t0\n",
    "positives.tsv": "##gotools examples 1\n#to_play\tposition\tmove\nb\t.../.../...\tA1\nw\t.../X../...\tB2\n",
    "broken.tsv": "##gotools examples 1\n#to_play\tposition\tmove\nb\t.../.../...\tA1\nb\t.../...\tA1\n",
    "other.tsv": "##gotools clusters 1\n#id\n",
    "newer.tsv": "##gotools examples 9\n#to_play\tposition\tmove\n",
    "none.tsv": "##gotools examples 1\n#to_play\tposition\tmove\n",
    "passed.tsv": "##gotools examples 1\n#to_play\tposition\tmove\nb\t.../.../...\tpass\n",
    "folder/readme.txt": "no games",
}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.sgf"], 1, "gotools induce-patterns: none.sgf: no such file or folder"),
        (["none*.sgf"], 1, "none*.sgf: no such file"),
        (["folder"], 1, "folder: no .sgf or .tsv file in this folder"),
        (["empty.sgf"], 1, "empty.sgf: no examples: not one game could be read"),
        (["empty.tsv"], 1, "empty.tsv:1: no header"),
        (["hello.sgf"], 1, "hello.sgf: no examples: not one game could be read"),
        (["hello.txt"], 1, "hello.txt: no examples: not one game could be read"),
        (["a.sgf", "--size", "9"], 1, "no game of the size and result asked for (games read: 1 of 5x5)"),
        (["positives.tsv", "--size", "9"], 1, "positives.tsv: no row of size 9; there is 3"),
        (["a.sgf", "--rank-above", "1d"], 1, "no move of the players asked for"),
        (["negatives.tsv"], 1, "no examples: every row is a counter-example (label 0)"),
        (["negatives.tsv", "--negatives", "unplayed=3,suicide=3"], 1, "no examples: every row is a counter-example"),
        (["a.sgf", "--negatives", "unplayed=0"], 1, "no counter-examples; ask for some with --negatives"),
        (["a.sgf", "--negatives", "weak=5"], 1, "no counter-examples; ask for some with --negatives"),
        (["broken.tsv"], 1, "broken.tsv:4: position is not rows of"),
        (["other.tsv"], 1, "other.tsv:1: a file of clusters, where one of examples is wanted"),
        (["newer.tsv"], 1, "newer.tsv:1: examples of version 9"),
        (["none.tsv"], 1, "none.tsv"),
        (["passed.tsv"], 1, "passed.tsv:3: move is not a point"),
        (["a.sgf", "illegal.sgf", "--strict"], 1, "illegal.sgf: move 3 (B B2): occupied"),
        (["a.sgf", "--test", "folder"], 1, "folder: no .sgf or .tsv file in this folder"),
        (["a.sgf", "--test", "negatives.tsv"], 1, "--test: not one move to measure on"),
        (["a.sgf", "--test", "hello.sgf"], 1, "hello.sgf: no examples: not one game"),
        (["a.sgf", "-o", "none/r.pl"], 1, "none/r.pl: cannot write: No such file or directory"),
        (["a.sgf", "-o", "folder"], 1, "folder: cannot write: Is a directory"),
        (["a.sgf", "-o", "r.pl", "--metrics", "none/m.json"], 1, "none/m.json: cannot write: No such file"),
        (["a.sgf", "-o", "a.sgf/r.pl"], 1, "a.sgf/r.pl: cannot write: Not a directory"),
        (["a.sgf", "--background", "none.pl"], 1, "none.pl: No such file"),
        (["a.sgf", "--negatives", "random=3", "--engine", "no-such-engine"], 1, "no-such-engine` is not installed"),
        (["a.sgf", "--size", "1"], 2, "--size"),
        (["a.sgf", "--positives", "0"], 2, "neither a number from 1 nor `all`"),
        (["a.sgf", "--positives", "many"], 2, "neither a number from 1 nor `all`"),
        (["a.sgf", "--noise", "some"], 2, "neither a number nor a share such as 15%"),
        (["a.sgf", "--noise", "99999999999999999999"], 2, "neither a number nor a share"),
        (["a.sgf", "--noise", "-1"], 2, "--noise"),
        (["a.sgf", "--nodes", "0"], 2, "--nodes"),
        (["a.sgf", "--min-body", "0"], 2, "--min-body"),
        (["a.sgf", "--min-body", "6", "--max-body", "5"], 2, "--min-body: is more than --max-body"),
        (["a.sgf", "--max-body", "17"], 2, "--max-body"),
        (["a.sgf", "--depth", "0"], 2, "--depth"),
        (["a.sgf", "--score", "guess"], 2, "--score"),
        (["a.sgf", "--search", "depth"], 2, "--search"),
        (["a.sgf", "--beam-width", "0"], 2, "--beam-width"),
        (["a.sgf", "--vocabulary", "huge"], 2, "--vocabulary"),
        (["a.sgf", "--without", "libertys"], 2, "`libertys` is no predicate of the vocabulary"),
        (["a.sgf", "--without", "atari", "--vocabulary", "basic"], 2, "`atari` is no predicate"),
        (["a.sgf", "--negatives", "guess=3"], 2, "no source of counter-examples"),
        (["a.sgf", "--negatives", "random=x"], 2, "random=100"),
        (["a.sgf", "--negatives", "weak=1,weak=2"], 2, "twice"),
        (["a.sgf", "--rank-above", "high"], 2, "no rank"),
        (["a.sgf", "--negatives", "weak", "--weak-below", "low"], 2, "no rank"),
        (["a.sgf", "--engine", "x"], 2, "--engine"),
        (["a.sgf", "--seed", "-1"], 2, "--seed"),
        (["a.sgf", "--show", "-1"], 2, "--show"),
        (["-", "--test", "-"], 2, "stdin is read for PATH already"),
        (["a.sgf", "-o", "r.pl", "--metrics", "r.pl"], 2, "--metrics"),
        (["a.sgf", "--metrics", "-"], 2, "--metrics"),
        (["a.sgf", "--nonsense"], 2, "--nonsense"),
    ],
)
def test_wrong_input_is_one_line_and_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    (tmp_path / "folder").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    output = [] if "-o" in arguments or "--metrics" in arguments else ["-o", "r.pl"]
    assert induce(*arguments, *output, "--nodes", *(["9"] if "--nodes" not in arguments else ["0"])) == code
    done = capfd.readouterr()
    assert message in done.err and "Traceback" not in done.err and done.out == ""
    assert done.err.splitlines()[-1].startswith(("gotools induce-patterns: ", "Error: "))
    assert sorted(os.listdir(tmp_path)) == sorted({name.partition("/")[0] for name in TEXTS})


def test_empty_stdin_and_a_terminal_for_stdin(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], terminal: tuple[int, int]
) -> None:
    for arguments in ((), ("-",)):
        done = subprocess.run([*COMMAND, *arguments], input=b"", capture_output=True, timeout=60)
        assert done.returncode == 1 and done.stdout == b"" and b"stdin: no examples" in done.stderr
    with os.fdopen(os.dup(terminal[1])) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert induce() == 2
    assert "stdin" in capfd.readouterr().err
    monkeypatch.setattr("sys.stdin", None)
    assert induce("-") == 1
    assert capfd.readouterr().err == "gotools induce-patterns: stdin: nothing can be read there\n"


def test_an_unreadable_file_is_told_and_passed_over(capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(GAMES[0], "/proc/self/mem", "-q", "--nodes", "20") == 0
    assert capfd.readouterr().err.startswith("/proc/self/mem: ")
    assert induce("/proc/self/mem") == 1
    assert "/proc/self/mem: no examples" in capfd.readouterr().err


def test_a_full_disk_is_told() -> None:
    command = [*COMMAND, "-q", "--nodes", "20", str(GAMES[0])]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr == b"gotools induce-patterns: cannot write: No space left on device\n"


def test_broken_games_do_not_stop_the_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.sgf", "illegal.sgf", "empty.sgf", "hello.sgf"):
        (tmp_path / name).write_text(TEXTS[name])
    assert induce(tmp_path, "-q", "--nodes", "20") == 0
    done = capfd.readouterr()
    assert [line.partition(".sgf")[0] for line in done.err.splitlines()] == [
        str(tmp_path / name) for name in ("empty", "hello", "illegal")
    ]
    assert rules_in(done.out.encode()).header["positives"] == "8"


@pytest.mark.skipif(not ROBUST.exists(), reason="the shared records are not here")
@pytest.mark.parametrize("folder", sorted(p.name for p in ROBUST.iterdir()) if ROBUST.exists() else [])
def test_bad_files_beside_a_good_game(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(*GAMES[:2], ROBUST / folder, "--positives", "60", "--nodes", "30", "--show", "0") == 0
    done = capfd.readouterr()
    assert "Traceback" not in done.err and "60 of " in done.err
    assert rules_in(done.out.encode()).header["positives"] == "60"
    problems = [line for line in done.err.splitlines() if line.startswith(str(ROBUST))]
    assert all(": " in line for line in problems)
