"""Compiled rules say exactly what the kernels and the slow twin say of every legal point, and refuse the rest."""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.clauses import every_kind, every_kind_compiled, rule_of
from support.examples import load_decisions
from support.needs import SHARED, needs_shared
from support.random_boards import Position, games, legal_points, some_positions
from support.slow_induction import covers, example_of

from gotools.base.errors import FileFormatError
from gotools.game.records.selection import Selection
from gotools.games.go.points import NONE, PASS
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.compiled.build import build_library
from gotools.rules.compiled.c_source import ABI, c_source, marker
from gotools.rules.compiled.native import NativeRules, load_native
from gotools.rules.matching import Interpreted
from gotools.rules.weigh.accuracy import choices_of
from gotools.rules.weigh.firing import firing_of

ROOT = Path(__file__).parents[2]
VALID = SHARED / "go9-pro/valid"
SIZES = (2, 3, 5, 9, 10, 13, 14, 15, 19)
"""Among them the largest of each width of the library's boards, and the next larger ones."""


@pytest.fixture(scope="module")
def library() -> Path:
    return every_kind_compiled()


@pytest.fixture(scope="module")
def native(library: Path) -> NativeRules:
    return load_native(library, every_kind().digest)


# ---- what fires where ----


def said_by_kernels(points: Points) -> tuple[np.ndarray, np.ndarray]:
    """bool[points, rules]: where rules fire; float64[positions, cells]: scores."""
    firing = firing_of(every_kind().rules, points)
    fires = np.zeros((len(points), len(every_kind().rules)), np.bool_)
    fires[np.repeat(np.arange(len(points)), np.diff(firing.at)), firing.rule] = True
    scores = np.full(points.board.shape, -np.inf)
    scores[points.position, points.point] = firing.scores([rule.weight for rule in every_kind().rules])
    return fires, scores


def said_by_library(native: NativeRules, points: Points) -> np.ndarray:
    """bool[points, rules], from bool[rules, cells] of every position; asserts that nothing fires elsewhere."""
    fires = np.zeros((len(points), len(every_kind().rules)), np.bool_)
    for k in range(len(points.size)):
        mine = points.position == k
        hits = native.hits(points, k)
        fires[mine] = hits[:, points.point[mine]].T
        assert hits.sum() == fires[mine].sum()
    return fires


def assert_alike(native: NativeRules, points: Points) -> np.ndarray:
    """Compare library and kernels on all legal points; returns where which rule fires."""
    fires, scores = said_by_kernels(points)
    wrong = np.argwhere(said_by_library(native, points) != fires)
    assert not len(wrong), [(every_kind().rules[r].clause, row) for row, r in wrong[:5].tolist()]
    assert np.array_equal(native.score(points), scores)
    return fires


def assert_twin_agrees(points: Points, fires: np.ndarray, rows: list[int]) -> None:
    for row in rows:
        example = example_of(points, row)
        assert fires[row].tolist() == [covers(rule.body, example) for rule in every_kind().rules], row


@pytest.mark.parametrize("size", SIZES)
def test_the_library_says_what_the_kernels_say(native: NativeRules, size: int) -> None:
    positions = some_positions(size, 20) + (games(9)[:200] if size == 9 else [])  # 9: every number of stones
    assert {position.to_play for position in positions} == {1, 2}
    assert size == 2 or any(position.ko != NONE for position in positions)
    assert any(PASS in (position.last, position.last2) for position in positions)
    fires = assert_alike(native, legal_points(positions))
    share = fires.mean(axis=0)
    assert (share > 0).mean() > {2: 0.1, 3: 0.3, 5: 0.6}.get(size, 0.85), "most rules fire somewhere"
    assert (share < 0.7).mean() > 0.85, "but not everywhere"


@pytest.mark.parametrize(("size", "count"), [(2, 10), (3, 15), (5, 20), (9, 20), (13, 3), (19, 1)])
def test_the_slow_twin_says_so_too(native: NativeRules, size: int, count: int) -> None:
    points = legal_points(some_positions(size, 18))
    rows = random.Random(size).sample(range(len(points)), min(count, len(points)))
    assert_twin_agrees(points, said_by_library(native, points), rows)


def test_boards_of_several_sizes_in_one_table(native: NativeRules) -> None:
    assert_alike(native, legal_points([some_positions(size, 6)[k] for k in range(2) for size in (9, 2, 19, 5)]))


def points_of_games(path: Path) -> Points:
    return choices_of(load_decisions([str(path)], Selection(), print, lambda: None), legal_only=False).points


def test_all_positions_of_a_real_game(native: NativeRules) -> None:
    points = points_of_games(ROOT / "examples/test-games/gnugo-1001.sgf")
    fires = assert_alike(native, points)
    assert len(fires) > 1000
    assert_twin_agrees(points, fires, random.Random(1).sample(range(len(points)), 20))


@pytest.mark.slow
@needs_shared
def test_all_positions_of_professionals(native: NativeRules) -> None:
    """Library and kernels at every legal point of every position, the slow twin at one point of each."""
    points = points_of_games(VALID)
    fires = assert_alike(native, points)
    assert len(fires) > 100_000
    first = np.flatnonzero(np.diff(points.position, prepend=-1, append=len(points.size)))
    rng = random.Random(2)
    rows = [rng.randrange(begin, end) for begin, end in pairwise(first.tolist())]
    assert len(rows) == len(points.size) > 2000
    assert_twin_agrees(points, fires, rows)


def test_the_reader_of_ladders_gives_up_where_the_kernels_do(tmp_path: Path) -> None:
    said = [f"opposite(B,E), {name}(A,C,D,{colour},works)" for name in ("escapes", "ladder") for colour in "BE"]
    rules = RuleSet(tuple(replace(rule_of(body), id=f"r{k}", weight=10.0**k) for k, body in enumerate(said)))
    build_library(c_source(rules, "rules.pl"), tmp_path / "ladders.so")
    rng = random.Random(100022)  # a board with a ladder of more than 210 defences
    weights = [rng.choice([4, 6, 9]), 1, rng.choice([1, 0.5, 1.5])]
    cells = np.array(rng.choices([0, 1, 2], weights, k=361), np.uint8)
    points = legal_points([Position(cells, 19, 1, NONE, NONE, NONE)])
    expected = firing_of(rules.rules, points).scores([rule.weight for rule in rules.rules])
    assert len(set(expected)) > 2
    assert load_native(tmp_path / "ladders.so").score(points)[0, points.point].tolist() == expected.tolist()


def test_both_matchers_give_the_same_table(native: NativeRules) -> None:
    decisions = load_decisions([str(ROOT / "examples/test-games/gnugo-1002.sgf")], Selection(), print, lambda: None)
    choices = choices_of(decisions)
    kernels, compiled = Interpreted(every_kind()).match(choices), native.match(choices)
    assert np.array_equal(kernels.at, compiled.at) and np.array_equal(kernels.rule, compiled.rule)


def test_four_threads_at_once_say_what_one_says(native: NativeRules) -> None:
    points = legal_points([position for size in (5, 9, 14, 19) for position in some_positions(size, 12)])
    alone = native.score(points)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: native.score(points), range(12)))
    assert all(np.array_equal(alone, scores) for scores in together)


# ---- the interface of C ----


class CPosition(ctypes.Structure):
    _fields_ = (
        ("board", ctypes.POINTER(ctypes.c_uint8)),
        *((name, ctypes.c_int32) for name in ("size", "to_play", "ko", "last", "last2")),
    )


@pytest.fixture(scope="module")
def functions(library: Path) -> ctypes.CDLL:
    found = ctypes.CDLL(str(library))
    found.gotools_rules_weight.restype = ctypes.c_double
    for name in ("id", "clause", "digest"):
        getattr(found, f"gotools_rules_{name}").restype = ctypes.c_char_p
    return found


def call(functions: ctypes.CDLL, cells: np.ndarray | None, *rest: int) -> tuple[int, np.ndarray]:
    """Call gotools_rules_score; returns its answer and 400 scores that were NaN before."""
    board = (ctypes.c_uint8 * len(cells))(*cells.tolist()) if cells is not None else None
    score = (ctypes.c_double * 400)(*[float("nan")] * 400)
    return functions.gotools_rules_score(ctypes.byref(CPosition(board, *rest)), score), np.array(score)


def test_a_call_returns_the_number_of_legal_points_and_writes_no_further(functions: ctypes.CDLL) -> None:
    for position in [p for size in SIZES for p in some_positions(size, 6)]:
        legal = len(legal_points([position]))
        answer, score = call(functions, *position)
        cells = position.size**2
        assert answer == legal == np.isfinite(score[:cells]).sum()
        assert (score[:cells][~np.isfinite(score[:cells])] == -np.inf).all()
        assert np.isnan(score[cells:]).all()


def test_hits_are_written_up_to_the_last_cell_of_the_last_rule(functions: ctypes.CDLL) -> None:
    size, guard = 5, 64
    board, score = (ctypes.c_uint8 * (size * size))(), (ctypes.c_double * (size * size))()
    hits = np.full(len(every_kind().rules) * size * size + guard, 7, np.uint8)
    position = CPosition(board, size, 1, NONE, NONE, NONE)
    assert functions.gotools_rules_hits(ctypes.byref(position), score, hits.ctypes.data_as(ctypes.c_void_p)) == 25
    assert set(hits[:-guard]) == {0, 1} and (hits[-guard:] == 7).all()


EMPTY = np.zeros(400, np.uint8)
BAD = EMPTY.copy()
BAD[24] = 3
NONSENSE: dict[str, tuple[np.ndarray | None, int, int, int, int, int]] = {
    "cell 3": (BAD, 5, 1, NONE, NONE, NONE),
    "cell 255": (np.full(400, 255, np.uint8), 5, 1, NONE, NONE, NONE),
    "no board": (None, 5, 1, NONE, NONE, NONE),
    **{f"size {n}": (EMPTY, n, 1, NONE, NONE, NONE) for n in (-5, 0, 1, 20, 65536, 2**31 - 1)},
    **{f"to_play {n}": (EMPTY, 5, n, NONE, NONE, NONE) for n in (-1, 0, 3, 256)},
    **{f"ko {n}": (EMPTY, 5, 1, n, NONE, NONE) for n in (-3, 25, 361)},
    **{f"last {n}": (EMPTY, 5, 1, NONE, n, NONE) for n in (-3, 25, -(2**31))},
    **{f"last2 {n}": (EMPTY, 5, 1, NONE, NONE, n) for n in (-3, 25, 2**31 - 1)},
}


@pytest.mark.parametrize("what", NONSENSE)
def test_what_is_no_position_is_refused(functions: ctypes.CDLL, what: str) -> None:
    answer, score = call(functions, *NONSENSE[what])
    assert answer == -1 and np.isnan(score).all()


def test_no_position_at_all_is_refused(functions: ctypes.CDLL) -> None:
    assert functions.gotools_rules_score(None, (ctypes.c_double * 4)()) == -1


@pytest.mark.parametrize(
    ("name", "value"), [("board", 3), ("size", 1), ("to_play", 0), ("to_play", 3), ("ko", -3), ("ko", 25), ("last", 25)]
)
def test_what_is_no_position_is_an_error_in_python(native: NativeRules, name: str, value: int) -> None:
    points = legal_points(some_positions(5, 6))
    changed = getattr(points, name).copy()
    changed[1] = value
    points = replace(points, **{name: changed})
    with pytest.raises(ValueError, match="row 1"):
        native.score(points)
    with pytest.raises(ValueError, match="row 1"):
        native.hits(points, 1)
    native.hits(points, 0)


@given(st.data())
def test_boards_that_no_game_leads_to_are_scored_like_others(native: NativeRules, data: st.DataObject) -> None:
    """Chains without liberties among them: the kernels' legal points and rules are the same there."""
    size = data.draw(st.integers(2, 19))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    weights = [rng.random() ** 3, 1, rng.choice([1, 0.1, 8])]
    cells = np.array(rng.choices([0, 1, 2], weights, k=size * size), np.uint8)
    ko, last, last2 = (rng.randrange(-2, size * size) for _ in range(3))
    position = Position(cells, size, rng.choice([1, 2]), ko, last, last2)
    assert_alike(native, legal_points([position]))


def test_ids_clauses_weights_and_digest_read_back(native: NativeRules, functions: ctypes.CDLL) -> None:
    assert native.digest == native.rules.digest == every_kind().digest == functions.gotools_rules_digest().decode()
    assert native.rules.rules == every_kind().rules
    assert functions.gotools_rules_count() == len(every_kind().rules)
    assert functions.gotools_rules_abi() == ABI
    for k, rule in enumerate(every_kind().rules):
        assert functions.gotools_rules_id(k) == rule.id.encode()
        assert functions.gotools_rules_clause(k) == rule.clause.encode()
        assert functions.gotools_rules_weight(k) == rule.weight


@pytest.mark.parametrize("number", [-1, 1000, 2**31 - 1, -(2**31)])
def test_a_number_of_no_rule_gives_nothing(functions: ctypes.CDLL, number: int) -> None:
    assert functions.gotools_rules_id(number) is None
    assert functions.gotools_rules_clause(number) is None
    assert functions.gotools_rules_weight(number) == 0


def test_no_rules_score_every_legal_point_alike(tmp_path: Path) -> None:
    build_library(c_source(RuleSet(()), "rules.pl"), tmp_path / "none.so")
    native = load_native(tmp_path / "none.so", RuleSet(()).digest)
    assert native.rules.rules == ()
    points = legal_points([position for size in (5, 9, 14, 19) for position in some_positions(size, 5)])
    expected = np.full(points.board.shape, -np.inf)
    expected[points.position, points.point] = 0
    assert np.array_equal(native.score(points), expected)
    assert native.hits(points, 0).shape == (0, 25)


# ---- files that are not loaded ----


def refusal(path: Path, digest: str | None = None) -> str:
    with pytest.raises(FileFormatError) as caught:
        load_native(path, digest)
    assert caught.value.path == str(path)
    return caught.value.what


def patched(library: Path, target: Path, change: Callable[[bytes], bytes]) -> Path:
    target.write_bytes(change(library.read_bytes()))
    return target


def test_files_that_are_no_compiled_rules_are_not_loaded(tmp_path: Path) -> None:
    text = tmp_path / "rules.so"
    text.write_text("%% gotools rules 1\n")
    assert refusal(text) == "a file of rules; expected compiled rules"
    assert refusal(Path(sys.executable).resolve()) == "a library without rules compiled by gotools"
    text.write_bytes(b"")
    assert refusal(text) == "an empty file; expected compiled rules"
    assert refusal(tmp_path / "missing.so") == "No such file or directory"
    assert refusal(tmp_path) == "Is a directory"


def test_rules_of_another_abi_are_not_loaded(library: Path, tmp_path: Path) -> None:
    old, new = f"abi={ABI} ".encode(), f"abi={ABI + 1} ".encode()
    path = patched(library, tmp_path / "new.so", lambda data: data.replace(old, new))
    assert refusal(path) == f"compiled for ABI {ABI + 1}; this program uses {ABI}: compile anew"


def test_rules_of_another_digest_are_not_loaded(library: Path) -> None:
    digest = every_kind().digest
    assert refusal(library, "0123456789abcdef") == f"holds other rules: digest {digest[:12]}, not 0123456789ab"
    assert load_native(library, digest[:8].upper()).digest == digest


def test_text_that_bears_the_mark_of_compiled_rules_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "rules.so"
    path.write_bytes(f"{marker('0' * 64)}\0".encode())
    assert refusal(path).startswith("cannot be loaded: ")


def test_a_library_without_the_functions_is_not_loaded(tmp_path: Path) -> None:
    build_library(f'const char mark[] = "{marker("0" * 64)}";\n', tmp_path / "rules.so")
    assert "gotools_rules_score" in refusal(tmp_path / "rules.so")


def test_a_library_that_is_cut_off_is_not_loaded(library: Path, tmp_path: Path) -> None:
    data = library.read_bytes()
    end = data.index(marker(every_kind().digest).encode()) + 200
    (tmp_path / "cut.so").write_bytes(data[:end])
    program = "import sys; from gotools.rules.compiled.native import load_native; load_native(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "cut.so"], capture_output=True, text=True)
    assert done.returncode == 1 and "FileFormatError" in done.stderr
