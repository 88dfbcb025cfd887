"""`gotools order-bench`: values against plain minimax, sums against rows, and what goes wrong in one line."""

from __future__ import annotations

import contextlib
import io
import math
import os
import pty
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from support import forked
from support.induce_runs import ROOT, convert
from support.position_text import position_text
from support.searching import BUILT_IN, learned_clusters, learned_rules
from support.slow_search import UNIT, listed, minimax
from support.written_json import read_json

from gotools.cli import run
from gotools.files.tables import read_header
from gotools.games.go.board import Board
from gotools.games.go.go import GO
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.game import KOMI2
from gotools.games.go.points import NONE, vertex
from gotools.search.knowledge import Evaluation
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import Weights, save_weights

TEST_GAMES = ROOT / "examples/test-games"
ONE_GAME = TEST_GAMES / "gnugo-1001.sgf"
COLUMNS = ["id", "order", "nodes", "ratio", "seconds", "value", "move"]
EXAMPLES = "##gotools examples 1\n#id\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\n"
KOMI = 0.5

State = NDArray[np.int32]
Benching = Callable[..., str]


class Row(NamedTuple):
    """A row of the table, with the id `all` for those that sum up."""

    id: str
    order: str
    nodes: int
    ratio: float
    seconds: float
    value: str
    move: str


def bench(*arguments: object) -> int:
    return run(["order-bench", "-q", *map(str, arguments)])


@pytest.fixture
def benching(capfd: pytest.CaptureFixture[str]) -> Benching:
    """What the command writes when all is well."""

    def written(*arguments: object) -> str:
        code, done = bench(*arguments), capfd.readouterr()
        assert (code, done.err) == (0, "")
        return done.out

    return written


@pytest.fixture(scope="session")
def clusters() -> Path:
    return learned_clusters()


@pytest.fixture(scope="session")
def rules() -> tuple[Path, Path]:
    return learned_rules()


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, State]]:
    """Positions of random games on 5x5: a table of them, and by their ids as the search should see them."""
    path, states = tmp_path_factory.mktemp("small") / "small.tsv", dict[str, State]()
    lines, seed = [EXAMPLES], 0
    while len(states) < 12:
        for ply, board in enumerate(boards_of_a_game(seed)):
            ko_wanted = len(states) < 4
            if (board.ko != NONE) if ko_wanted else ply % 10 == 3:
                name = f"r{seed}:{ply + 1}"
                states[name] = board.state.copy()
                states[name][KOMI2] = round(2 * KOMI)
                lines.append(row_of(name, board))
        seed += 1
    path.write_text("".join(lines))
    return path, states


def boards_of_a_game(seed: int) -> list[Board]:
    """Play at random on 5x5; returns the positions before each move that put a stone."""
    board, chance, found = Board(5), random.Random(seed), []
    for ply in range(44):
        colour = 1 + ply % 2
        points = board.legal_points(colour)
        if not points:
            break
        found.append(board.copy())
        board.play_point(chance.choice(points), colour)
    return found


def row_of(name: str, board: Board) -> str:
    """Return a row of a table of examples: any legal move of the position will do."""
    last = [vertex(int(k.unpad(board.state[at], board.side)), board.side) for at in (k.LAST, k.LAST2)]
    move = vertex(board.legal_points(board.to_play)[0], board.side)
    cells = (position_text(board.cells, board.side), vertex(board.ko, board.side), *last, move)
    return "\t".join((name, "bw"[board.to_play - 1], *cells)) + "\t1\n"


def rows_of(text: str) -> tuple[dict[str, str], list[Row]]:
    """Read a table as the command writes it."""
    lines = text.splitlines()
    values, columns, first = read_header(lines, "order-bench", 2)
    assert columns == COLUMNS
    cells = [line.split("\t") for line in lines[first:]]
    return values, [Row(c[0], c[1], int(c[2]), float(c[3]), float(c[4]), c[5], c[6]) for c in cells]


def searches_of(text: str) -> list[Row]:
    return [row for row in rows_of(text)[1] if row.id != "all"]


def without_seconds(text: str) -> list[Row]:
    return [row._replace(seconds=0.0) for row in rows_of(text)[1]]


# ---- values ----


def assert_as_minimax(rows: list[Row], states: dict[str, State], depth: int, evaluation: Evaluation) -> None:
    """Compare each value with that of all lines, and the move with the value of the position after it."""

    def value(state: State, left: int) -> int:
        return minimax(GO, state, left, lambda at: evaluation.evaluate(at, evaluation.numbers)).value

    worth = {name: value(state, depth) for name, state in states.items()}
    assert {row.id for row in rows} == set(states)
    for row in rows:
        assert round(float(row.value) * UNIT) == worth[row.id], row
    for name, move in {(row.id, row.move) for row in rows}:
        found = GO.parse_move(move, 5)
        assert found in listed(GO, GO.worthy)(states[name])
        assert -value(GO.play(states[name], found), depth - 1) == worth[name], (name, move)


@pytest.mark.parametrize("deepening", [0, 1, 2])
@pytest.mark.parametrize("depth", [1, 2])
def test_values_are_those_of_minimax_in_every_order(
    small: tuple[Path, dict[str, State]], clusters: Path, rules: tuple[Path, Path], benching: Benching,
    depth: int, deepening: int,
) -> None:  # fmt: skip
    table, states = small
    text, library = rules
    orders = ["--order", clusters, "--order", text, "--order", f"{library}+{clusters}"]
    options = ["--depth", depth, "--deepening", deepening, "--quiescence", 0, "--komi", KOMI]
    rows = searches_of(benching(table, *options, *orders))
    assert len(rows) == 4 * len(states)
    assert_as_minimax(rows, states, depth, BUILT_IN)


@pytest.mark.parametrize("deepening", [0, 1, 2])
def test_values_are_those_of_minimax_three_plies_deep(
    small: tuple[Path, dict[str, State]], clusters: Path, benching: Benching, tmp_path: Path, deepening: int
) -> None:
    table, states = small
    full = {name: state for name, state in states.items() if len(listed(GO, GO.worthy)(state)) < 12}
    assert len(full) >= 2
    lines = table.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith(("#", "id\t")) or line.split("\t")[0] in full]
    (tmp_path / "full.tsv").write_text("".join(kept))
    options = ["--depth", 3, "--deepening", deepening, "--quiescence", 0, "--komi", KOMI, "--order", clusters]
    assert_as_minimax(searches_of(benching(tmp_path / "full.tsv", *options)), full, 3, BUILT_IN)


def test_values_do_not_depend_on_the_order_in_real_games(
    clusters: Path, rules: tuple[Path, Path], benching: Benching
) -> None:
    orders = ["--order", clusters, "--order", rules[1], "--order", f"{rules[1]}+{clusters}"]
    plain = searches_of(benching(TEST_GAMES, "--positions", 6, "--depth", 2))
    assert len(plain) == 6 and {row.order for row in plain} == {"history"}
    expected = {row.id: row.value for row in plain}
    nodes = []
    for deepening in (0, 1, 2):
        options = ["--positions", 6, "--depth", 2, "--deepening", deepening]
        rows = searches_of(benching(TEST_GAMES, *options, *orders))
        assert len(rows) == 24
        assert all(row.value == expected[row.id] for row in rows)
        nodes.append([row.nodes for row in rows])
    assert nodes[0] == nodes[2] != nodes[1]  # at depth 2, plies 2 at a time: only the last


def test_a_position_after_two_passes_is_searched_as_one_that_goes_on(
    tmp_path: Path, clusters: Path, benching: Benching
) -> None:
    place = "b\t...../..X../..O../...../.....\t-"
    table = f"over:1\t{place}\tpass\tpass\tA1\t1\none:1\t{place}\tpass\tB1\tA1\t1\n"
    (tmp_path / "over.tsv").write_text(EXAMPLES + table)
    (tmp_path / "resumed.sgf").write_text("(;SZ[5];B[cc];W[];B[];W[bb];B[aa])")
    over, one = searches_of(benching(tmp_path / "over.tsv", "--depth", 2))
    assert over[2:4] + over[5:] == one[2:4] + one[5:]
    rows = searches_of(benching(tmp_path / "resumed.sgf", "--depth", 2, "--order", clusters))
    assert [row.id for row in rows[::2]] == ["resumed:1", "resumed:4", "resumed:5"]


# ---- learned values ----


@pytest.fixture(scope="session")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("learned") / "eval.npz"
    options = ["--size", "5", "--games", "20", "--komi", str(KOMI), "--referee-games", "2", "-q"]
    assert run(["train-eval", *options, "-o", str(path)]) == 0
    return path


def test_learned_values_are_searched_for(
    small: tuple[Path, dict[str, State]], clusters: Path, learned: Path, tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """With the komi and the size of their training, whatever --komi says."""
    table, states = small
    nine = tmp_path / "nine.tsv"
    convert(ONE_GAME, "-o", nine)
    options = ["--depth", 2, "--quiescence", 0, "--eval", learned, "--order", clusters]
    assert bench(table, nine, *options, "--komi", 99) == 0
    text, said = capfd.readouterr()
    assert re.fullmatch(rf"{learned}: weights for 5x5; left out \d+ positions of 9x9\n", said)
    values, _ = rows_of(text)
    assert (values["evaluation"], values["komi"], values["positions"]) == (str(learned), "0.5", str(len(states)))
    evaluator = load_evaluator(learned, "go")
    evaluation = Evaluation("learned", evaluator.evaluate, evaluator.numbers)
    assert_as_minimax(searches_of(text), states, 2, evaluation)


# ---- sums ----


def test_rows_and_sums(clusters: Path, rules: tuple[Path, Path], benching: Benching) -> None:
    both = f"{rules[1]}+{clusters}"
    text = benching(TEST_GAMES, "--positions", 6, "--depth", 2, "--order", clusters, "--order", both)
    values, rows = rows_of(text)
    assert values == {
        "game": "go", "depth": "2", "deepening": "1", "quiescence": "6", "order_from": "1", "komi": "7.5",
        "positions": "6", "evaluation": "stones, liberties, territory",
    }  # fmt: skip
    orders = ["history", str(clusters), both]
    searches, sums = rows[:-3], rows[-3:]
    assert [row.order for row in searches] == orders * 6 and [row.order for row in sums] == orders
    assert len({row.id for row in searches}) == 6 and {row.id for row in sums} == {"all"}
    for at in range(0, 18, 3):
        first = searches[at]
        assert {row.id for row in searches[at : at + 3]} == {first.id} and first.ratio == 1.0
        for row in searches[at : at + 3]:
            assert row.nodes > 1 and row.ratio == pytest.approx(row.nodes / first.nodes, abs=5.1e-5)
            assert row.seconds > 0 and -1 <= float(row.value) <= 1
    for row in sums:
        mine = [one for one in searches if one.order == row.order]
        assert row.nodes == sum(one.nodes for one in mine)
        assert row.seconds == pytest.approx(sum(one.seconds for one in mine), abs=1e-5)
        assert row.ratio == pytest.approx(row.nodes / sums[0].nodes, abs=5.1e-5)
        assert (row.value, row.move) == ("", "-")
    assert len({row.nodes for row in sums}) == 3


def test_json_has_the_same_figures(clusters: Path, benching: Benching, tmp_path: Path) -> None:
    options = [TEST_GAMES, "--positions", 5, "--depth", 2, "--order", clusters]
    values, rows = rows_of(benching(*options))
    assert benching(*options, "-o", tmp_path / "o.json") == ""
    found = read_json((tmp_path / "o.json").read_text())
    assert set(found) == {"settings", "totals", "searches"} and settings_as_text(found["settings"]) == values
    expected = [
        Row(one["id"], one["order"], one["nodes"], round(one["ratio"], 4), 0.0, f"{one['value']:.6f}", one["move"])
        for one in found["searches"]
    ]
    assert expected == [row._replace(seconds=0.0) for row in rows if row.id != "all"]
    for total, row in zip(found["totals"], rows[-2:], strict=True):
        assert (total["order"], total["nodes"], round(total["nodes_ratio"], 4)) == (row.order, row.nodes, row.ratio)
        assert_totals(total, [one for one in found["searches"] if one["order"] == row.order], found["searches"][::2])
    assert read_json(benching(*options, "--format", "json"))["settings"] == found["settings"]
    assert (found["settings"]["depth"], found["settings"]["komi"]) == (2, 7.5)


def settings_as_text(settings: dict[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in settings.items()}


def assert_totals(total: dict[str, Any], mine: list[dict[str, Any]], history: list[dict[str, Any]]) -> None:
    ratios = [one["nodes"] / other["nodes"] for one, other in zip(mine, history, strict=True)]
    seconds = [sum(one["seconds"] for one in searches) for searches in (mine, history)]
    assert total["positions"] == total["same_value"] == len(mine)
    assert total["mean_ratio"] == pytest.approx(math.prod(ratios) ** (1 / len(ratios)))
    assert total["worst_ratio"] == max(ratios)
    assert total["worse"] == sum(ratio > 1.05 for ratio in ratios)
    assert total["seconds"] == pytest.approx(seconds[0])
    assert total["seconds_ratio"] == pytest.approx(seconds[0] / seconds[1])


def test_nodes_and_moves_are_the_same_in_every_run(
    clusters: Path, rules: tuple[Path, Path], benching: Benching
) -> None:
    options = [TEST_GAMES, "--positions", 4, "--depth", 2, "--order", clusters, "--order", f"{rules[1]}+{clusters}"]
    first = without_seconds(benching(*options))
    assert without_seconds(benching(*options)) == first
    alone = without_seconds(benching(*options[:7]))  # what the other orders found helps none
    assert [row for row in first if row.order in ("history", str(clusters))] == alone


def test_rules_in_both_forms_order_alike(rules: tuple[Path, Path], benching: Benching) -> None:
    rows = searches_of(benching(ONE_GAME, "--positions", 3, "--depth", 2, "--order", rules[0], "--order", rules[1]))
    for _, text, library in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        assert (text.nodes, text.value, text.move) == (library.nodes, library.value, library.move)


def test_an_order_named_twice_counts_once(clusters: Path, benching: Benching) -> None:
    once = benching(ONE_GAME, "--positions", 2, "--depth", 1, "--order", clusters)
    orders = ["--order", clusters, "--order", "history", "--order", clusters]
    twice = benching(ONE_GAME, "--positions", 2, "--depth", 1, *orders)
    assert without_seconds(twice) == without_seconds(once)


def test_no_order_at_all_counts_history(benching: Benching) -> None:
    rows = rows_of(benching(ONE_GAME, "--positions", 2, "--depth", 1))[1]
    assert [row.order for row in rows] == ["history"] * 3 and rows[-1].ratio == 1.0


# ---- which positions ----


@pytest.mark.parametrize("count", [1, 2, 5, 44])
def test_positions_are_spread_evenly(count: int, benching: Benching) -> None:
    every = [row.id for row in searches_of(benching(ONE_GAME, "--depth", 1))]
    assert every == sorted(every, key=lambda name: int(name.split(":")[1])) and 44 <= len(every) < 99
    taken = [row.id for row in searches_of(benching(ONE_GAME, "--depth", 1, "--positions", count))]
    at = [every.index(name) for name in taken]
    assert len(set(at)) == count and at == sorted(at) and at[0] == 0
    if count > 1:
        assert at[-1] == len(every) - 1
        gaps = np.diff(at)
        assert gaps.max() - gaps.min() <= 1


def test_more_positions_than_there_are_takes_all(benching: Benching) -> None:
    every = without_seconds(benching(ONE_GAME, "--depth", 1))
    assert without_seconds(benching(ONE_GAME, "--depth", 1, "--positions", 10_000)) == every


def test_counter_examples_are_passed_over_and_tables_are_as_good_as_games(
    tmp_path: Path, benching: Benching, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = without_seconds(benching(ONE_GAME, "--depth", 1))
    convert(ONE_GAME, "--negatives", "unplayed=50", "-o", tmp_path / "t.tsv")
    assert without_seconds(benching(tmp_path / "t.tsv", "--depth", 1)) == games
    data = (tmp_path / "t.tsv").read_bytes()
    for paths in ([], ["-"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        assert without_seconds(benching(*paths, "--depth", 1)) == games


def test_size_picks_boards(small: tuple[Path, dict[str, State]], benching: Benching, tmp_path: Path) -> None:
    nine = tmp_path / "nine.tsv"
    convert(ONE_GAME, "-o", nine)
    five = without_seconds(benching(small[0], "--depth", 1))
    assert without_seconds(benching(small[0], nine, "--depth", 1, "--size", 5)) == five
    both = without_seconds(benching(small[0], nine, "--depth", 1, "--size", 5, "--size", 9))
    assert both == without_seconds(benching(small[0], nine, "--depth", 1))
    assert both[: len(five) - 1] == five[:-1] and len(both) > len(five) + 40


# ---- for people ----


def test_the_table_lists_every_order(
    clusters: Path, rules: tuple[Path, Path], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    both = f"{rules[1]}+{clusters}"
    options = [TEST_GAMES, "--positions", 3, "--depth", 2, "--order", clusters, "--order", both]
    assert bench(*options, "--format", "table") == 0
    done = capfd.readouterr()
    assert done.err == "" and "\x1b" not in done.out
    assert bench(*options) == 0
    sums = rows_of(capfd.readouterr().out)[1][-3:]
    lines = done.out.splitlines()
    assert "order nodes ratio mean worst worse seconds ratio same" in [" ".join(line.split()) for line in lines]
    for row in sums:
        name = row.order.replace(f"{rules[1].parent}/", "").replace(f"{clusters.parent}/", "")
        cells = next(line.split() for line in lines if line.startswith(f" {name} "))
        assert cells[1] == f"{row.nodes:,}" and float(cells[2]) == pytest.approx(row.ratio, abs=6e-4)
        assert cells[-1] == "3/3"
    assert "same: of equal value" in done.out and "depth 2, deepening 1, quiescence 6" in done.out


@pytest.mark.parametrize("columns", ["72", "80", "100"])
def test_the_summary_on_stderr_fits_the_terminal(
    clusters: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    options = ["--positions", "2", "--depth", "1", "--order", str(clusters), "-o", str(tmp_path / "o.tsv")]
    assert run(["order-bench", str(ONE_GAME), *options]) == 0
    done = capfd.readouterr()
    assert done.out == "" and done.err.count("2/2") == 2
    assert clusters.name in "".join(line.split(" ")[1] for line in done.err.splitlines() if line.startswith(" "))
    assert max(map(len, done.err.splitlines())) <= int(columns)
    assert rows_of((tmp_path / "o.tsv").read_text())[0]["positions"] == "2"


def test_files_of_one_name_are_shown_with_their_folders(
    clusters: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    (tmp_path / clusters.name).write_bytes(clusters.read_bytes())
    orders = [str(clusters), str(tmp_path / clusters.name)]
    options = ["--positions", "1", "--depth", "1", "--order", orders[0], "--order", orders[1]]
    assert run(["order-bench", str(ONE_GAME), *options, "--format", "table", "-q"]) == 0
    shown = capfd.readouterr().out
    assert all(f" {order} " in shown for order in orders)


# ---- what is wrong ----


@pytest.fixture
def wrong(tmp_path: Path, clusters: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files, most of which are not what they should be; it is the working folder."""
    text = clusters.read_text()
    (tmp_path / "c.tsv").write_text(text)
    (tmp_path / "vocabulary.tsv").write_text(text.replace("\tfullness\t", "\tfulness\t"))
    (tmp_path / "chess.tsv").write_text(text.replace("##game=go", "##game=chess"))
    good = "x:1\tb\t...../..X../..O../...../.....\t-\t-\t-\tA1\t"
    (tmp_path / "examples.tsv").write_text(f"{EXAMPLES}{good}1\n")
    (tmp_path / "bad-moves.tsv").write_text(f"{EXAMPLES}{good}0\n")
    (tmp_path / "dead.tsv").write_text(f"{EXAMPLES}{good}1\ndead:2\tb\tXO./OO./...\t-\t-\t-\tC1\t1\n")
    (tmp_path / "broken.tsv").write_text(f"{EXAMPLES}x:1\tb\t.../...\t-\t-\t-\tA1\t1\n")
    (tmp_path / "broken.sgf").write_text("(;SZ[9")
    (tmp_path / "nine.tsv").write_text(f"{EXAMPLES}x:1\tb\t{'/'.join(['.' * 9] * 9)}\t-\t-\t-\tA1\t1\n")
    (tmp_path / "empty").mkdir()
    scales = np.ones(25)
    save_weights(tmp_path / "five.npz", Weights("go", 5, KOMI, "raw", "linear", 0, np.zeros(25), scales))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["examples.tsv", "--order", "vocabulary.tsv"], 1, "vocabulary.tsv:"),
        (["examples.tsv", "--order", "vocabulary.tsv"], 1, "no column `fullness`, but one `fulness`"),
        (["examples.tsv", "--order", "chess.tsv"], 1, "clusters of the game chess; expected go"),
        (["examples.tsv", "--order", "none.tsv"], 1, "none.tsv: No such file"),
        (["examples.tsv", "--order", "none.so"], 1, "none.so: No such file"),
        (["examples.tsv", "--order", "c.tsv+none.pl"], 1, "none.pl: No such file"),
        (
            ["examples.tsv", "--order", "examples.tsv"],
            1,
            "examples.tsv: a file of examples; expected clusters, rules or a policy (eval.npz)",
        ),
        (["examples.tsv", "--order", "c.tsv+c.tsv+c.tsv"], 1, "one file, or two joined"),
        (["examples.tsv", "--order", "c.tsv+"], 1, "--order c.tsv+: one file, or two joined"),
        (["examples.tsv", "--order", ""], 2, "an empty argument"),
        (["examples.tsv", "--order", "c.tsv+"], 1, ""),
        (["c.tsv"], 1, "c.tsv: a file of clusters; expected examples or game records"),
        (["empty"], 1, "empty: no .sgf or .tsv file"),
        (["nowhere"], 1, "nowhere: no such file or folder"),
        (["bad-moves.tsv"], 1, "no position: not one row of label 1"),
        (["dead.tsv"], 1, "dead:2: a chain has no liberties"),
        (["broken.tsv"], 1, "broken.tsv:3: "),
        ([str(ONE_GAME), "broken.sgf", "--strict"], 1, "broken.sgf"),
        (["examples.tsv", "--eval", "five.npz", "--size", "9"], 2, "--size"),
        (["examples.tsv", "--eval", "none.npz"], 1, "none.npz: No such file"),
        (["examples.tsv", "--eval", "c.tsv"], 1, "c.tsv: a file of clusters; expected weights"),
        ([str(ONE_GAME), "--eval", "five.npz"], 1, "five.npz: weights for 5x5; all positions are 9x9"),
        (["nine.tsv", "--eval", "five.npz"], 1, "five.npz: weights for 5x5; all positions are 9x9"),
        (["examples.tsv", "--size", "9"], 1, "no row of size 9; there is 5"),
        (["examples.tsv", "--depth", "0"], 2, "--depth"),
        (["examples.tsv", "--deepening", "-1"], 2, "--deepening"),
        (["examples.tsv", "--positions", "0"], 2, "--positions"),
        (["examples.tsv", "--komi", "nan"], 2, "--komi"),
        (["examples.tsv", "--format", "csv"], 2, "--format"),
    ],
)
def test_what_is_refused(
    wrong: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    before = sorted(wrong.iterdir())
    for output in ([], ["-o", "never.tsv"]):
        assert bench("--depth", "1", *arguments, *output) == code
        done = capfd.readouterr()
        assert done.out == "" and message in done.err and "Traceback" not in done.err
        if code == 1:
            assert done.err.startswith("gotools order-bench: ") and done.err.count("\n") == 1
    assert sorted(wrong.iterdir()) == before


def test_a_missing_folder_is_reported_before_anything_is_searched(
    wrong: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert bench(TEST_GAMES, "--depth", "9", "-o", "no/such/folder.tsv") == 1
    shown = capfd.readouterr().err
    assert shown.startswith("gotools order-bench: no/such/folder.tsv: cannot write") and shown.count("\n") == 1


def test_a_file_that_was_there_stays_when_an_order_is_broken(wrong: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (wrong / "old.tsv").write_text("as it was")
    assert bench("examples.tsv", "--order", "vocabulary.tsv", "-o", "old.tsv") == 1
    assert (wrong / "old.tsv").read_text() == "as it was"


def test_without_a_path_something_has_to_come_in(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    with open(ours, "rb"), open(theirs) as terminal, open(os.devnull) as nothing:
        for stdin, code, message in (
            (terminal, 2, "send them to stdin"),
            (None, 2, "send them to stdin"),
            (nothing, 1, "stdin: an empty file"),
        ):
            monkeypatch.setattr(sys, "stdin", stdin)
            assert bench("--depth", 1) == code
            shown = capfd.readouterr()
            assert shown.out == "" and message in shown.err and "Traceback" not in shown.err


# ---- Ctrl-C ----


def interrupt(*arguments: object) -> tuple[int, str, str]:
    """Start, wait until searches are counted, and press Ctrl-C; returns exit code, stdout, and what was shown."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gotools", "order-bench", *map(str, arguments)]
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    shown = bytearray()

    def listen() -> None:
        """Take in what is shown until the end; a terminal that nobody reads makes the program wait."""
        with contextlib.suppress(OSError):
            while part := os.read(ours, 4096):
                shown.extend(part)

    with forked.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=variables) as process:
        os.close(theirs)
        listener = threading.Thread(target=listen)
        listener.start()
        until = time.monotonic() + 120
        while b"searches" not in shown and time.monotonic() < until:  # the bar is there, after two seconds of searching
            time.sleep(0.1)
        time.sleep(1.0)  # the bar may come with the very first search, after the kernels were loaded
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0].decode()
    listener.join()
    os.close(ours)
    assert b"Traceback" not in shown
    return process.returncode, out, shown.decode()


@pytest.mark.system
def test_ctrl_c_writes_what_was_searched(clusters: Path) -> None:
    code, out, shown = interrupt(TEST_GAMES, "--depth", 3, "--order", clusters, "--format", "tsv")
    assert code == 130
    values, rows = rows_of(out)
    done = int(values["positions"])
    assert 1 <= done < 700 and len(rows) == 2 * done + 2
    assert f"{done:,} of " in shown and "positions were searched" in shown
    assert rows[-1].nodes == sum(row.nodes for row in rows[:-2] if row.order == str(clusters))


@pytest.mark.system
def test_ctrl_c_writes_no_file(clusters: Path, tmp_path: Path) -> None:
    (tmp_path / "out.tsv").write_text("as it was")
    code, out, shown = interrupt(TEST_GAMES, "--depth", 3, "--order", clusters, "-o", tmp_path / "out.tsv")
    assert (code, out) == (130, "") and "nothing is written" in shown
    assert (tmp_path / "out.tsv").read_text() == "as it was" and len(list(tmp_path.iterdir())) == 1
