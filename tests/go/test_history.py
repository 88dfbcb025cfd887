"""Games of Go as histories, which share no state, against the Board that remembers how often positions came."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotools.game.game import find_game
from gotools.game.history import History, State
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.go import point_of
from gotools.games.go.history import REPEATS, GoHistory
from gotools.games.go.points import PASS, fixed_points
from gotools.games.go.rule_sets import KOS, rule_set
from gotools.games.go.setup import SET_UP

GO = find_game("go")


def started(size: int, ko: str = "simple", suicide: bool = False, first: State | None = None) -> History:
    return History.start(GO, size, rule_set("chinese", ko=ko, suicide=suicide), first)


@given(st.integers(0, 10**6), st.integers(2, 9), st.sampled_from(KOS), st.booleans())
@settings(max_examples=25, deadline=None)
def test_legality_superko_and_the_end_are_those_of_the_board(seed: int, size: int, ko: str, suicide: bool) -> None:
    chance = random.Random(seed)
    history, board = started(size, ko, suicide), Board.from_cells(np.zeros(size * size, np.uint8), size)
    for _ in range(50):
        colour = history.to_play
        assert colour == board.to_play
        for point in [*range(size * size), PASS]:
            why = board.why_illegal(point, colour, ko=ko, suicide=suicide)
            assert history.why_illegal(colour, point) == (f"{ko} superko" if why == "superko" else why)
        legal = history.legal_moves()
        assert legal[-1] == PASS
        point = chance.choice(legal[:-1] or legal) if chance.random() < 0.95 else PASS
        before, history = history, history.after(colour, point)
        board.play_point(point, colour)
        assert (board.hash, board.to_play) == history.same(history.state)
        assert (history.verdict() is not None) == (ko == "simple" and board.occurrences >= REPEATS)
        assert history.agreed == ([move for _, move in history.moves[-2:]] == [PASS, PASS])
        assert history.back(1).moves == before.moves and history.back(1).state is before.state
        assert history.back(1).legal_moves() == legal
    assert history.back(50).positions == history.positions[:1]


def test_what_of_a_state_is_not_in_use_makes_no_other_position() -> None:
    """The compiled moves write the rows in use only, so that the rest of a state is what the array held."""
    history, chance = started(9), random.Random(3)
    for _ in range(60):
        move = chance.choice([move for move in GO.moves_of(history.state) if move != GO.pass_move])
        clean, dirty = np.zeros(GO.cells, np.int32), np.full(GO.cells, 7, np.int32)
        GO.after(history.state, move, clean)
        GO.after(history.state, move, dirty)
        after = history.after(history.to_play, point_of(move, 9))
        assert history.same(clean) == history.same(dirty) == history.same(after.state)
        assert GO.moves_of(clean) == GO.moves_of(dirty) == GO.moves_of(after.state)
        history = after


@pytest.mark.parametrize("count", [2, 5, 9])
def test_handicap_stones_are_those_of_moves(count: int) -> None:
    stones = fixed_points(9, count)
    first = SET_UP.put(GO.position(9), [(BLACK, point) for point in stones], WHITE)
    history, board = started(9, first=first), Board(9)
    for point in stones:
        board.play_point(point, BLACK)
    assert history.to_play == WHITE and history.same(history.state) == (board.hash, WHITE)
    assert GO.moves_of(history.state) == GO.moves_of(board.state)


def test_passes_repeat_a_position_in_the_rules_of_tournaments() -> None:
    """With the same side to move, as the board of a tournament counts them; by positional superko stones alone."""
    history = started(3).after(BLACK, 4)
    for _ in range(4):
        assert history.verdict() is None
        history = history.after(history.to_play, PASS)
    verdict = history.verdict()
    assert verdict is not None and verdict.result == "Void" and history.agreed
    assert isinstance(history, GoHistory)
