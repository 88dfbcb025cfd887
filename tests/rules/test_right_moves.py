"""Several right moves of a position: one decision, any of them counts; against sums over all cases."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from gotools.cli import run
from gotools.game.examples.examples import Examples
from gotools.game.examples.loading import whole_decisions
from gotools.game.examples.packed import pack
from gotools.game.examples.states import States
from gotools.game.game import find_game
from gotools.rules.boosting.boost import _Sample
from gotools.rules.weigh.accuracy import Choices, choices_of, log_likelihood, measure
from gotools.rules.weigh.kernels import softmax as _softmax
from gotools.rules.weigh.weights import Block

HEADER = "##gotools examples 2\n##game=connect4\n#id\tto_play\tposition\tmove\n"
EMPTY = "/".join(["......."] * 6)
SECOND = "/".join(["......."] * 5 + ["...X..."])
FIRST_ROW = "/".join(["......."] * 5 + ["X......"])


def rows_of(text: str) -> Examples:
    return Examples.concat(list(States.read([(HEADER + text).encode()], "t.tsv", find_game("connect4"), False)))


TEXT = (
    f"a:1\tb\t{EMPTY}\t4\na:1\tb\t{EMPTY}\t3\na:2\tw\t{SECOND}\t4\na:2\tw\t{FIRST_ROW}\t1\n"
    f"b:2\tw\t{FIRST_ROW}\t7\nb:2\tw\t{FIRST_ROW}\t2\nb:2\tw\t{FIRST_ROW}\t2\n"
)
TABLE = rows_of(TEXT)


def right_of(choices: Choices) -> list[list[int]]:
    """The right moves of each position."""
    rows = np.sort(np.concatenate([choices.played, choices.also]))
    position = np.searchsorted(choices.first, rows, "right") - 1
    return [(choices.points.place[rows[position == k]] + 1).tolist() for k in range(len(choices))]


def test_rows_with_one_id_and_position_are_one_decision() -> None:
    assert TABLE.begins().tolist() == [True, False, True, True, True, False, False]
    found = choices_of(TABLE)
    assert right_of(found) == [[3, 4], [4], [1], [2, 7]]
    assert found.decision.tolist() == [0, 2, 3, 4]
    assert right_of(found.take(np.array([3, 0]))) == [[2, 7], [3, 4]]
    assert right_of(choices_of(TABLE, legal_only=False)) == right_of(found)


@pytest.mark.parametrize("cut", range(1, 7))
def test_a_decision_may_go_on_in_the_next_part_of_a_table(cut: int) -> None:
    lines = TEXT.splitlines(keepends=True)
    parts = [rows_of("".join(lines[:cut])), rows_of("".join(lines[cut:]))]
    packed = pack(whole_decisions(parts))
    assert packed.first.tolist() == [0, 2, 3, 4, 7] and packed.seen == 4
    assert right_of(choices_of(packed.take(np.arange(4)))) == right_of(choices_of(TABLE))
    assert right_of(choices_of(packed.without_names().take(np.array([3, 0])))) == [[2, 7], [3, 4]]
    assert packed.only(np.array([0, 3])).first.tolist() == [0, 2, 5]
    assert choices_of(Examples.concat(parts)).also.tolist() == choices_of(TABLE).also.tolist()


def test_a_sample_for_want_of_memory_keeps_decisions_whole() -> None:
    many = rows_of("".join(f"g{k}:1\tb\t{EMPTY}\t{move}\n" for k in range(200) for move in (2, 3, 4)))
    drawn = pack(whole_decisions(many.take(np.arange(cut, cut + 100)) for cut in range(0, 600, 100)), 12_000)
    assert 20 < len(drawn) < 150 and set(np.diff(drawn.first).tolist()) == {3}


def right_moves(seed: int) -> tuple[Block, np.ndarray, list[list[int]]]:
    """A block of random moves and rules, where each rule fires at each row, and the right rows of each position."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 7, 12)
    first = np.concatenate([[0], np.cumsum(counts)])
    right = [
        sorted(rng.choice(np.arange(a, b), rng.integers(1, b - a + 1), replace=False).tolist())
        for a, b in itertools.pairwise(first.tolist())
    ]
    fires = rng.random((first[-1], 3)) < 0.5
    start = np.concatenate([[0], np.cumsum(fires.sum(axis=0))])
    row = np.concatenate([np.flatnonzero(column) for column in fires.T]).astype(np.uint16)
    played, also = np.array([some[0] for some in right]), np.array([r for some in right for r in some[1:]], np.int64)
    offset = rng.random(int(first[-1])).astype(np.float32)
    return Block(first, played, offset, start, row, also), fires, right


def value(block: Block, weight: np.ndarray) -> tuple[float, np.ndarray]:
    slope, share = np.zeros(len(weight)), block.offset.astype(np.float64)
    right = block.played, block.also
    return _softmax.likelihood(block.first, *right, block.start, block.row, weight, share, slope), slope


@pytest.mark.parametrize("seed", range(3))
def test_likelihood_is_that_of_any_right_move_and_its_slope(seed: int) -> None:
    block, fires, right = right_moves(seed)
    weight = np.array([0.7, -1.2, 0.4])
    scores = fires @ weight + block.offset
    power = [math.exp(score) for score in scores]
    expected = sum(
        math.log(sum(power[r] for r in some) / sum(power[a:b]))
        for some, (a, b) in zip(right, itertools.pairwise(block.first.tolist()), strict=True)
    )
    found, slope = value(block, weight)
    assert found == pytest.approx(expected, rel=1e-12)
    step = 1e-6 * np.eye(3)
    numeric = [(value(block, weight + s)[0] - value(block, weight - s)[0]) / 2e-6 for s in step]
    assert slope == pytest.approx(numeric, abs=1e-6)
    rows, share = _Sample([block], np.array([0, len(scores)]), np.zeros((0, 0), np.uint8)).right(np.array(power))
    assert sorted(rows.tolist()) == sorted(r for some in right for r in some)
    assert share.sum() == pytest.approx(len(right))


def test_the_best_ranked_right_move_counts_and_ties_as_all_orders_of_them() -> None:
    scores, right = np.array([1.0, 2.0, 1.0, 1.0, 0.0, 1.0]), [0, 4, 5]
    choices = Choices(None, np.array([0, 6]), np.array([0]), np.array([0]), np.array([4, 5]))
    orders = [sorted(order, key=lambda row: -scores[row]) for order in itertools.permutations(range(6))]
    found = measure(scores, choices)
    for k in (1, 3, 5):
        assert found[f"top{k}"] == pytest.approx(np.mean([bool(set(order[:k]) & set(right)) for order in orders]))
    share = np.exp(scores) / np.exp(scores).sum()
    assert log_likelihood(scores, choices) == pytest.approx(math.log(share[right].sum()))


def test_rules_learn_to_choose_any_right_move(tmp_path: Path) -> None:
    """Both columns beside the middle are right where the middle is full, in positions that differ elsewhere."""
    rows = []
    for k in range(60):
        tower = "XOXOXO" if k % 2 else "OXOXOX"
        columns = ["......"] * 7
        columns[3] = tower
        columns[(0, 1, 5, 6)[k % 4]] = ("XO", "XOXO", "XOOX")[k % 3].ljust(6, ".")
        position = "/".join("".join(column[y] for column in columns) for y in range(5, -1, -1))
        rows += [f"g{k}:9\tb\t{position}\t{move}\n" for move in (3, 5)]
    table, rules, numbers = (tmp_path / name for name in ("t.tsv", "r.pl", "m.json"))
    table.write_text(HEADER + "".join(rows))
    given = ["induce-patterns", "--game", "connect4", "--objective", "rank", "--max-rules", "5", "-q"]
    assert run([*given, str(table), "--test", str(table), "-o", str(rules), "--metrics", str(numbers)]) == 0
    test = json.loads(numbers.read_text())["test"]
    assert test["positions"] == 60 and test["top1"] == 1.0 and test["log_likelihood"] > -0.2
    assert "positives=120" in rules.read_text()
    ranking = ["rank-moves", "--rules", str(rules), str(table), "-q"]
    assert run([*ranking, "--metrics", str(numbers), "-o", str(tmp_path / "ranking.tsv")]) == 0
    assert json.loads(numbers.read_text())["test"] == pytest.approx(test, rel=1e-12)  # summed in another order
    played = [row.split("\t")[5] for row in (tmp_path / "ranking.tsv").read_text().splitlines() if row[0] == "g"]
    assert played.count("1") == 120 and len(played) == 60 * 6
    assert run([*ranking, "--explain", "--top", "1", "-o", str(tmp_path / "explained.txt")]) == 0
    assert (tmp_path / "explained.txt").read_text().count("(right)") == 120


GO = """##gotools examples 2\n##game=go\n#id\tto_play\tposition\tmove
a:1\tb\t...../...../.X.../...../.....\tC3\na:1\tb\t...../...../.X.../...../.....\tA1
a:1\tb\t...../...../.X.../...../.....\tE5\na:2\tb\t...../...../.X.../...../.....\tC3\n"""


@pytest.mark.parametrize("rules", ["r.pl", "r.so"])
def test_compiled_rules_and_those_of_a_file_rank_several_right_moves(tmp_path: Path, rules: str) -> None:
    table, numbers, ranking = (tmp_path / name for name in ("t.tsv", "m.json", "ranking.tsv"))
    table.write_text(GO)
    (tmp_path / "r.pl").write_text("%% gotools rules 1\n\nrule(low, 9, 1, 0.5).\nmove(A,B,C,D) :- line(A,C,D,1).\n")
    assert run(["compile-patterns", str(tmp_path / "r.pl"), "-o", str(tmp_path / "r.so"), "-q"]) == 0
    outputs = ["--metrics", str(numbers), "-o", str(ranking), "-q"]
    assert run(["rank-moves", str(table), "--rules", str(tmp_path / rules), *outputs]) == 0
    rows = [line.split("\t") for line in ranking.read_text().splitlines() if line[:2] == "a:"]
    assert len(rows) == 48
    assert [row[0] + row[2] for row in rows if row[5] == "1"] == ["a:1A1", "a:1E5", "a:1C3", "a:2C3"]
    test = json.loads(numbers.read_text())["test"]
    total = 16 * math.exp(0.5) + 8  # the border is better; two of its moves are right, and C3
    expected = math.log((2 * math.exp(0.5) + 1) / total) + math.log(1 / total)
    assert test["positions"] == 2 and test["log_likelihood"] == pytest.approx(expected / 2)
    assert test["top1"] == pytest.approx(1 / 16)
