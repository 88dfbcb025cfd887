"""One call of compiled rules for many positions says what the kernels say of each point, and lists the best."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from support.clauses import every_kind, every_kind_compiled, rule_of
from support.random_boards import Position, games, legal_points, some_positions

from gotools.games.go.points import NONE
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.compiled.build import build_library
from gotools.rules.compiled.c_source import c_source
from gotools.rules.compiled.native import NativeRules, RankedPoints, load_native
from gotools.rules.weigh.firing import firing_of


def loaded(rules: RuleSet, path: Path) -> NativeRules:
    build_library(c_source(rules, "rules.pl"), path)
    return load_native(path)


@pytest.fixture(scope="module")
def native() -> NativeRules:
    return load_native(every_kind_compiled())


def assert_ranked(found: RankedPoints, points: Points, rules: RuleSet, top: int) -> None:
    """Compare with the rules that the kernels find, and a plain sort; points -- the legal ones."""
    firing = firing_of(rules.rules, points)
    scores = firing.scores([rule.weight for rule in rules.rules])
    assert found.point.tolist() == points.point.tolist()
    assert found.score.tolist() == scores.tolist()
    best, fired = [], []
    for k in range(len(points.size)):
        rows = np.flatnonzero(points.position == k).tolist()
        assert [found.first[k], found.first[k + 1]] == ([rows[0], rows[-1] + 1] if rows else [found.first[k]] * 2)
        best += sorted(rows, key=lambda row: (-scores[row], row))[:top]
        fired.append(any(firing.at[row] < firing.at[row + 1] for row in rows))
    assert found.best.tolist() == best
    assert found.fired.tolist() == fired
    for place, row in enumerate(best):
        mine = found.rule[found.at[place] : found.at[place + 1]].tolist()
        assert mine == firing.rule[firing.at[row] : firing.at[row + 1]].tolist(), (place, row)
    assert len(found.at) == len(best) + 1 and len(found.rule) == found.at[-1]


@pytest.mark.parametrize("top", [1, 3, 361])
def test_boards_of_all_sizes_in_any_order(native: NativeRules, top: int) -> None:
    positions = [position for size in range(2, 20) for position in some_positions(size, 6)]
    random.Random(top).shuffle(positions)
    points = legal_points(positions)
    assert_ranked(native.rank(points, top), points, every_kind(), top)


@pytest.mark.parametrize("size", [9, 19])
def test_a_board_says_the_same_after_any_other(native: NativeRules, size: int) -> None:
    """What is kept from one position to the next of the same size depends on the size only."""
    positions = some_positions(size, 30)
    points = legal_points(positions)
    together, place = native.rank(points, 1), 0
    for k, position in enumerate(positions):
        alone = native.rank(legal_points([position]), 1)
        assert alone.score.tolist() == together.score[together.first[k] : together.first[k + 1]].tolist()
        if len(alone.best):
            assert alone.rule.tolist() == together.rule[together.at[place] : together.at[place + 1]].tolist()
            place += 1
    assert place == len(together.best)


def test_positions_without_a_legal_move_have_no_rows(native: NativeRules) -> None:
    full = Position(np.array([0, 1, 1, 1], np.uint8), 2, 1, NONE, NONE, NONE)
    points = legal_points([games(9)[3], full, full, games(5)[4], full])
    found = native.rank(points, 2)
    assert (np.diff(found.first) > 0).tolist() == [True, False, False, True, False]
    assert len(found.best) == 4
    assert_ranked(found, points, every_kind(), 2)


def test_no_positions(native: NativeRules) -> None:
    none, far = np.zeros(0, np.uint8), np.zeros(0, np.int16)
    empty = Points(np.zeros((0, 81), np.uint8), none, none, far, far, far, np.zeros(0, np.int32), far)
    assert {len(getattr(native.rank(empty, 1), field.name)) for field in fields(RankedPoints)} == {0, 1}


@pytest.mark.parametrize("many", [100, 1000])
def test_any_number_of_rules_may_fire_at_a_point(tmp_path: Path, many: int) -> None:
    """More than there is room for at first."""
    rule = rule_of("opposite(B,E)")
    rules = RuleSet(tuple(replace(rule, id=f"r{k}", weight=1 + k / 1000) for k in range(many)))
    points = legal_points(some_positions(5, 9))
    native = loaded(rules, tmp_path / "rules.so")
    for top in (1, 25):
        found = native.rank(points, top)
        assert_ranked(found, points, rules, top)
        assert len(found.rule) == many * len(found.best)


def test_no_rules(tmp_path: Path) -> None:
    points = legal_points(some_positions(9, 9))
    found = loaded(RuleSet(()), tmp_path / "none.so").rank(points, 3)
    assert_ranked(found, points, RuleSet(()), 3)
    assert not found.fired.any()


@pytest.mark.parametrize(("name", "value"), [("board", 3), ("size", 1), ("size", 20), ("to_play", 0), ("ko", 25)])
def test_what_is_no_position_is_an_error(native: NativeRules, name: str, value: int) -> None:
    points = legal_points(some_positions(5, 6))
    changed = getattr(points, name).copy()
    changed[3] = value
    with pytest.raises(ValueError, match="row 3"):
        native.rank(replace(points, **{name: changed}), 1)


def test_four_threads_at_once_say_what_one_says(native: NativeRules) -> None:
    points = legal_points([position for size in (5, 9, 14, 19) for position in some_positions(size, 12)])
    alone = native.rank(points, 2)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: native.rank(points, 2), range(12)))
    for found in together:
        assert all(np.array_equal(getattr(alone, f.name), getattr(found, f.name)) for f in fields(alone))
