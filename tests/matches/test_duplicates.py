"""Games that were played before: the count against a twin that turns every pair of games in all eight ways."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.turned import transform_point
from support.written_json import read_json

from gotools.base.errors import GotoolsError
from gotools.game.outcome import End
from gotools.games.go.points import PASS, vertex
from gotools.matches.config import load_config
from gotools.matches.game.game_result import GameResult
from gotools.matches.journal import Journal
from gotools.matches.report.duplicates import Duplicates, effective_games

Moves = tuple[int, ...]


def result(
    game: int, moves: Moves, size: int = 9, black: str = "a", white: str = "b", komi: float = 7.5, handicap: int = 0
) -> GameResult:
    text = " ".join(vertex(point, size) for point in moves)
    return GameResult(
        game, (game + 1) // 2, black, white, "B+R", End.resign, "", "", size, komi, handicap, 2, text,
        (1.0, 1.0), (0.1, 0.1),
    )  # fmt: skip


def results(games: list[Moves], size: int = 9) -> list[GameResult]:
    return [result(number, moves, size) for number, moves in enumerate(games, 1)]


def turned(moves: Moves, size: int, symmetry: int) -> Moves:
    return tuple(transform_point(point, size, symmetry) for point in moves)


# the twin -------------------------------------------------------------------------------------------------------------


def shared(one: Moves, other: Moves, size: int) -> int:
    """The most moves that two games have in common from the start, in any turn of the board."""
    best = 0
    for symmetry in range(8):
        both = zip(one, turned(other, size, symmetry), strict=False)
        best = max(best, next((i for i, (a, b) in enumerate(both) if a != b), min(len(one), len(other))))
    return best


def alike(one: Moves, other: Moves, size: int) -> bool:
    """As the documentation says it."""
    common = shared(one, other, size)
    return common == min(len(one), len(other)) or common >= 0.8 * max(len(one), len(other)) - 1e-9


def in_order(games: list[Moves], size: int) -> list[int]:
    """The games in the order of their least turns; a pass comes after all points."""
    area = size * size
    forms = [
        min(tuple(area if point == PASS else point for point in turned(moves, size, s)) for s in range(8))
        for moves in games
    ]
    return sorted(range(len(games)), key=lambda i: (forms[i], i))


def components(count: int, links: set[tuple[int, int]]) -> list[set[int]]:
    parts = [{i} for i in range(count)]
    for a, b in links:
        one, other = (next(part for part in parts if i in part) for i in (a, b))
        if one is not other:
            parts.remove(other)
            one |= other
    return parts


def slow(games: list[Moves], size: int) -> Duplicates:
    """Count by pairs. Games are numbered from 1."""
    same = {
        (i, j)
        for i, j in combinations(range(len(games)), 2)
        if len(games[i]) == len(games[j]) == shared(games[i], games[j], size)
    }
    links = {(a, b) for a, b in pairwise(in_order(games, size)) if alike(games[a], games[b], size)}
    parts = components(len(games), links)
    exact = len(games) - len(components(len(games), same))
    groups = sorted(tuple(sorted(i + 1 for i in part)) for part in parts if len(part) > 1)
    return Duplicates(len(games), len(parts), exact, len(games) - len(parts) - exact, tuple(groups))


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[list[Moves], int]:
    """Games that repeat, begin and nearly repeat each other in other turns, on boards so small that others do too."""
    size = draw(st.integers(2, 5))
    points = st.integers(0, size * size - 1) | st.just(PASS)
    games = draw(st.lists(st.lists(points, max_size=8).map(tuple), min_size=1, max_size=4))
    for _ in range(draw(st.integers(0, 6))):
        moves = draw(st.sampled_from(games))
        moves = moves[: draw(st.integers(0, len(moves)))] + draw(st.lists(points, max_size=2).map(tuple))
        games.append(turned(moves, size, draw(st.integers(0, 7))))
    return draw(st.permutations(games)), size


@settings(max_examples=40)
@given(tournaments())
@example(([(), (4,), (4, 0), (4, 2), (4, 0, 1), (4, 2, 1), (4, 6, 3)], 3))  # symmetrical at first
def test_the_count_of_the_twin(tournament: tuple[list[Moves], int]) -> None:
    games, size = tournament
    found = effective_games(results(games, size))
    assert found == slow(games, size)
    assert found.games == len(games) == found.distinct + found.exact + found.near
    # no group is parted that has nothing between, and none holds games that no chain of like ones joins
    every = {(i, j) for i, j in combinations(range(len(games)), 2) if alike(games[i], games[j], size)}
    loose = components(len(games), every)
    assert len(loose) <= found.distinct <= len(games) - found.exact
    for group in found.groups:
        assert any({number - 1 for number in group} <= part for part in loose)


@settings(max_examples=60)
@given(tournaments(), st.integers(1, 6))
def test_of_games_of_one_length_the_order_parts_none_that_are_alike(
    tournament: tuple[list[Moves], int], length: int
) -> None:
    games, size = [moves[:length] for moves in tournament[0] if len(moves) >= length], tournament[1]
    every = {(i, j) for i, j in combinations(range(len(games)), 2) if alike(games[i], games[j], size)}
    assert effective_games(results(games, size)).distinct == len(components(len(games), every))


@given(tournaments(), st.randoms())
def test_the_order_of_the_games_and_the_turn_of_the_board_make_no_difference(
    tournament: tuple[list[Moves], int], rng: random.Random
) -> None:
    games, size = tournament
    other = [result(r.game, turned(games[r.game - 1], size, rng.randrange(8)), size) for r in results(games, size)]
    rng.shuffle(other)
    assert effective_games(other) == effective_games(results(games, size))


# what users see -------------------------------------------------------------------------------------------------------

LONG = tuple(random.Random(1).sample(range(81), 50))


def test_no_game_and_one() -> None:
    assert effective_games([]) == Duplicates(0, 0, 0, 0, ())
    assert effective_games([result(1, LONG)]) == Duplicates(1, 1, 0, 0, ())


def test_the_same_game_in_other_turns_is_exact() -> None:
    games = [result(number, turned(LONG, 9, number % 8)) for number in range(1, 21)]
    assert effective_games(games) == Duplicates(20, 1, 19, 0, (tuple(range(1, 21)),))


@pytest.mark.parametrize(("common", "near"), [(49, 1), (40, 1), (39, 0), (0, 0)])
def test_four_fifths_of_the_moves_make_games_near(common: int, near: int) -> None:
    rest = [point for point in range(81) if point not in LONG[: common + 1]]
    other = LONG[:common] + tuple(rest[: 50 - common])
    found = effective_games(results([LONG, turned(other, 9, 5)]))
    assert (found.distinct, found.exact, found.near) == (2 - near, 0, near)


def test_a_game_that_broke_off_is_near_the_one_that_went_on() -> None:
    assert effective_games(results([LONG, LONG[:3], LONG[:30]])) == Duplicates(3, 1, 0, 2, ((1, 2, 3),))


def test_games_under_other_conditions_are_other_games() -> None:
    games = [
        result(1, LONG),
        result(2, LONG, black="b", white="a"),
        result(3, LONG, black="c"),
        result(4, LONG, white="c"),
        result(5, LONG, komi=6.5),
        result(6, LONG, handicap=4),
        result(7, LONG, size=13),
    ]
    assert effective_games(games).distinct == 7
    assert effective_games([*games, result(8, LONG, komi=6.5)]).groups == ((5, 8),)


def test_with_handicap_stones_only_turns_that_keep_their_places_count() -> None:
    """Two stones stand in opposite corners: of the eight turns four keep them. Four stones: all eight."""
    for handicap, distinct in ((0, 1), (1, 1), (2, 2), (4, 1), (99, 8)):
        games = [result(number, turned(LONG, 9, number - 1), handicap=handicap) for number in range(1, 9)]
        assert effective_games(games).distinct == distinct


def test_what_is_no_move_is_named() -> None:
    for word in ("K1", "x", "-", "resign"):
        broken = result(1, LONG)
        object.__setattr__(broken, "moves", f"E5 {word} pass")
        with pytest.raises(GotoolsError, match=rf"game 1: '{word}' is not a"):
            effective_games([broken])


def test_ten_thousand_games_take_a_moment() -> None:
    """Those of every third opening are so short that its 60 moves make them near; the others are not."""
    rng = random.Random(5)
    openings = [tuple(rng.sample(range(81), 60)) for _ in range(4000)]
    games = []
    for number in range(10_000):
        which = number % 4000
        rest = tuple(rng.sample(range(81), 40 if which % 3 else 10))
        games.append(turned(openings[which] + rest, 9, number % 8))
    played = results(games)
    start = time.process_time()
    found = effective_games(played)
    assert time.process_time() - start < 5
    near = sum(number >= 4000 and number % 4000 % 3 == 0 for number in range(10_000))
    assert (found.distinct, found.exact, found.near) == (10_000 - near, 0, near)


def test_the_status_of_a_run_of_go_waits_for_no_compiled_code(tmp_path: Path) -> None:
    """Settings, moves, handicap and symmetries are read without the game, which takes a quarter of a second."""
    config = load_config(None, {"engine": ["a=x", "b=y"], "handicap": 2, "rules": "japanese"})
    with Journal(tmp_path, config.identity(), config.wishes(), pytest.fail) as journal:
        journal.expect({"a": "x", "b": "y"})
        for number in (1, 2):
            journal.append(result(number, LONG, handicap=2))
    code = (
        f"import sys, gotools.cli; code = gotools.cli.run(['tournament', 'status', {str(tmp_path)!r}, '--json']); "
        "print(code, [name for name in ('numba', 'sklearn') if name in sys.modules], file=sys.stderr)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert shown.stderr == "0 []\n" and read_json(shown.stdout)["duplicates"]["exact"] == 1, shown.stdout + shown.stderr
