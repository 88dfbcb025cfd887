"""The command from its arguments to its bytes; counts and accuracy held against slow twins."""

from __future__ import annotations

import gzip
import io
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from support.examples import read_examples
from support.induce_runs import COMMAND, GAMES, ROOT, TEST_GAME, bare, convert, induce, make_table, rules_in
from support.slow import SlowGo
from support.slow_induction import Example, covers
from support.written_json import read_json

import gotools
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.cover.induce import SCORES, SEARCHES
from gotools.rules.weigh.accuracy import choices_of, fitted_scale
from gotools.rules.weigh.accuracy import rule_scores as fast_scores

QUICK = ("--positives", "60", "--nodes", "400")
LETTERS = "ABCDEFGHJKLMNOPQRST"

Row = dict[str, str]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_table(tmp_path_factory.mktemp("table") / "examples.tsv")


# ---- slow twins: a table read by hand, boards of sets, clauses by backtracking ----


def rows_of(path: Path) -> list[Row]:
    lines = path.read_text().splitlines()
    names, *rows = (line.split("\t") for line in lines if not line.startswith("##"))
    return [dict(zip(names, row, strict=True)) for row in rows]


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


def top_share(rows: list[Row], scores: Sequence[Mapping[tuple[int, int], float]], k: int) -> float:
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


@pytest.mark.system
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


@pytest.mark.system
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
    numbers = read_json(capfd.readouterr().out)
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
    numbers = read_json((tmp_path / "m.json").read_text())
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
        numbers = read_json(capfd.readouterr().out)
        assert numbers["clauses_searched"] <= nodes * numbers["seeds"]
        searched.append(numbers["clauses_searched"])
    assert searched == sorted(set(searched))


def test_predicates_left_out_do_not_appear(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(table, "-q", "--nodes", "400", "--without", "liberty_cnt, stone_cnt,connects_direct") == 0
    out = capfd.readouterr().out
    clauses = [line for line in out.splitlines() if line.startswith("move(")]
    assert clauses and not any(re.search("liberty_cnt|stone_cnt|connects_direct", line) for line in clauses)
    assert "liberty_cnt" not in rules_in(out.encode()).header["predicates"].split()


def test_without_an_objective_the_first_line_says_which_it_is(
    table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def lines(*arguments: str) -> list[str]:
        induce(str(table), *QUICK, "-o", str(tmp_path / "r.pl"), *arguments)
        return capfd.readouterr().err.splitlines()

    said = lines()
    assert "--objective cover" in said[0] and "--objective rank" in said[0]
    assert said[2].startswith("the first rule: ") and said[2].endswith(".")
    assert said[1:-1] == lines("--objective", "cover")[:-1] and lines("-q") == []  # the last line has the time
    assert lines("--positives", "0") == lines("--positives", "0", "--objective", "cover")  # an error stands alone


def test_no_rule_at_all_is_a_good_end(table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hopeless = ("--nodes", "30", "--min-body", "15", "--noise", "0")
    assert induce(table, *hopeless, "--test", TEST_GAME, "--metrics", tmp_path / "m.json", "-o", tmp_path / "r.pl") == 0
    assert rules_in(tmp_path / "r.pl").rules == ()
    done = capfd.readouterr()
    assert "0 rules from" in done.err and "try a larger --noise" in done.err and "centre first" in done.err
    numbers = read_json((tmp_path / "m.json").read_text())
    assert numbers["rules"] == 0 and numbers["test"]["no_rule_fired"] == 1
    for key in ("top1", "top20", "log_likelihood"):
        assert numbers["test"][key] == pytest.approx(numbers["baselines"]["chance"][key])


def test_explain_none_says_what_other_settings_find(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hopeless = ("--nodes", "30", "--min-body", "15", "--noise", "0")
    assert induce(table, *hopeless) == 0
    assert "--explain-none says which" in capfd.readouterr().err
    assert induce(table, *hopeless, "--explain-none") == 0
    said = capfd.readouterr().err
    assert re.search(r"as it is +0 rules of \d+ seeds", said)
    for option in ("--noise 80", "--after-opening free", "--min-body 1", "--score laplace", "--nodes 300"):
        assert re.search(rf"{option} +\d+ rules of \d+ seeds", said), option


def test_a_random_search_goes_by_the_seed(table: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    def rules(seed: str) -> bytes:
        assert induce(table, "--positives", "all", "--nodes", "60", "--search", "random", "--seed", seed, "-q") == 0
        out = capfdbinary.readouterr().out
        return b"\n".join(line for line in out.splitlines() if line.startswith(b"move("))

    assert rules("1") == rules("1") != rules(str(2**70))


def test_modes_of_a_file(table: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The example is the default; another file leaves out what it does not declare; the library gives the same."""
    assert induce(table, *QUICK, "-q") == 0
    usual = capfdbinary.readouterr().out
    assert induce(table, *QUICK, "-q", "--modes", ROOT / "examples/modes.pl") == 0
    declared = capfdbinary.readouterr().out
    assert re.sub(rb" modes=\w{8}", b"", declared) == usual != declared
    near = (ROOT / "examples/modes.pl").read_text().replace("#disp, #disp", "#[-1..1], #[0, 1]")
    (tmp_path / "near.pl").write_text(near.replace("coloured_blocks, on", "coloured_blocks, off"))
    assert induce(table, *QUICK, "-q", "--modes", tmp_path / "near.pl", "--without", "liberty") == 0
    rules = rules_in(capfdbinary.readouterr().out)
    literals = [literal for rule in rules.rules for literal in rule.body]
    offsets = {literal.args[4:6] for literal in literals if literal.predicate == "block_on_pos"}
    assert offsets and offsets <= {(dx, dy) for dx in (-1, 0, 1) for dy in (0, 1)}
    assert "liberty" not in {literal.predicate for literal in literals}
    study = gotools.induce_rules(
        str(table), positives=60, nodes=400, modes=str(tmp_path / "near.pl"), without="liberty"
    )
    assert [(r.body, r.positives, r.negatives) for r in study.rules.rules] == [
        (r.body, r.positives, r.negatives) for r in rules.rules
    ]
    assert study.rules.header == rules.header


def test_rules_by_class_of_move(table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(table, *QUICK, "--by", "atari,stage", "-o", tmp_path / "by.pl") == 0
    said = dict(re.findall(r"^(\w+): \d+ rules? of (\d+) moves$", capfd.readouterr().err, re.MULTILINE))
    assert sum(map(int, said.values())) == 60 and set(said) <= {"atari", "open", "middle", "end"}
    rules = rules_in(tmp_path / "by.pl")
    numbers = [int(n) for pair in re.findall(r"r(\d+)-r(\d+)", rules.header["classes"]) for n in pair]
    assert numbers[0] == 1 and numbers[-1] == len(rules.rules)
    assert numbers[2::2] == [high + 1 for high in numbers[1:-1:2]]


@pytest.mark.parametrize("wrong", ["captures", "stage,stage"])
def test_a_class_of_moves_that_there_is_not(table: Path, wrong: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(table, "--by", wrong) == 2
    assert "--by" in capfd.readouterr().err


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
    numbers, rules = read_json((tmp_path / "m.json").read_text()), rules_in(tmp_path / "r.pl")
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
    rows = read_examples([table])
    choices = choices_of(rows.take(rows.label == 1))
    scores, _ = fast_scores(rules_in(tmp_path / "r.pl"), choices)
    assert fitted_scale(scores, choices) == pytest.approx(1, rel=5e-3)  # three digits of it are kept


def test_metrics_without_a_test(table: Path, tmp_path: Path) -> None:
    assert induce(table, "-q", "--nodes", "50", "-o", tmp_path / "r.pl", "--metrics", tmp_path / "m.json") == 0
    numbers = read_json((tmp_path / "m.json").read_text())
    assert not {"test", "baselines"} & set(numbers)
    assert numbers["rules"] == len(rules_in(tmp_path / "r.pl").rules) and numbers["clauses_searched"] > 0
    assert numbers["negatives"] == 80 and numbers["interrupted"] is False and numbers["seconds"] > 0


def test_metrics_differ_between_runs_by_seconds_alone(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = []
    for _ in range(2):
        assert induce(table, "-q", "--nodes", "50", "--test", TEST_GAME, "--metrics", "-", "-o", os.devnull) == 0
        found.append({key: value for key, value in read_json(capfd.readouterr().out).items() if key != "seconds"})
    assert found[0] == found[1]
