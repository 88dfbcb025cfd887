"""The numbers that describe a move of Go, against flood fill on sets."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import load_decisions
from support.induce_runs import GAMES
from support.position_text import parse_position
from support.positions import CORNER, DAME, SEKI, TWO_EYES
from support.slow import SlowGo
from support.slow_move_features import describe_move, describe_pass, stage
from support.turned import transform_cells, transform_point

from gotools.game.examples.described import described
from gotools.game.game import find_game
from gotools.game.learning import MoveFeatures
from gotools.game.records.selection import Selection
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.go import GO, move_of, point_of
from gotools.games.go.inputs.move_features import MOVE_FEATURES
from gotools.games.go.kernels.rules import LAST, LAST2, SIZE, TO_PLAY, cells_of, pad
from gotools.games.go.points import NONE, PASS, parse_vertex

SIZES = range(2, 20)
NAMES = MOVE_FEATURES.names

Position = tuple[np.ndarray, int, int, int, int]  # cells, size, to play, last, last but one


def state_of(position: Position) -> np.ndarray:
    cells, size, to_play, last, last2 = position
    state = Board.from_cells(cells, size, to_play).state.copy()
    state[LAST], state[LAST2] = pad(last, size), pad(last2, size)
    return state


def measured(state: np.ndarray, moves: list[int]) -> tuple[np.ndarray, int]:
    """The features int32[n, features] of the moves and the stage, by the kernel."""
    features = np.full((len(moves), len(NAMES)), -1, np.int32)
    return features, MOVE_FEATURES.measure(state, np.array(moves, np.int32), len(moves), features)


def position_of(state: np.ndarray, size: int) -> Position:
    cells = np.zeros(size * size, np.uint8)
    cells_of(state, cells)
    last, last2 = (point_of(int(p), size) if p > 0 else NONE for p in (state[LAST], state[LAST2]))
    return cells, size, int(state[TO_PLAY]), last, last2


def expected(position: Position, move: int) -> list[int]:
    """The features of one move by the twin."""
    cells, size, to_play, *lasts = position
    stones = {(p % size, p // size): int(colour) for p, colour in enumerate(cells[: size * size]) if colour}
    go = SlowGo(size, stones)
    point = point_of(move, size)
    if point == PASS:
        found = describe_pass(go)
    else:
        places = [(p % size, p // size) if p >= 0 else None for p in lasts]
        found = describe_move(go, (point % size, point // size), to_play, *places)
        assert set(found) == set(NAMES)
    return [found.get(name, 0) for name in NAMES]


def assert_alike(state: np.ndarray, size: int) -> None:
    """Compare all legal moves of a position, the pass among them, and the stage."""
    position = position_of(state, size)
    moves = GO.moves_of(state)
    features, found = measured(state, moves)
    for move, row in zip(moves, features.tolist(), strict=True):
        twin = expected(position, move)
        differs = {name: (got, wanted) for name, got, wanted in zip(NAMES, row, twin, strict=True) if got != wanted}
        assert not differs, f"{GO.move_text(move, size)} on\n{GO.draw(state)}\n{differs}"
    assert found == stage(SlowGo(size, {(p, 0): 1 for p in np.flatnonzero(position[0]).tolist()}))
    assert (features >= 0).all() and (features <= MOVE_FEATURES.most).all()


def legal_cells(cells: list[int], size: int) -> np.ndarray:
    """Take off the chains without liberties, one by one."""
    go = SlowGo(size, {(p % size, p // size): colour for p, colour in enumerate(cells) if colour})
    for at in list(go.stones):
        if at in go.stones and not go.liberties(at):
            for q in go.chain(at):
                del go.stones[q]
    return np.array(go.cells(), np.uint8)


@st.composite
def positions(draw: st.DrawFn, largest: int = 7) -> Position:
    """Any stones on a small board, any two points as the last moves."""
    size = draw(st.integers(2, largest))
    points = st.sampled_from([NONE, PASS, *range(size * size)])
    colours = draw(st.sampled_from([(0, 1, 2), (0, 1, 1, 1, 2), (0, 1, 2, 2, 2), (0, 0, 0, 1, 2)]))
    cells = draw(st.lists(st.sampled_from(colours), min_size=size * size, max_size=size * size))
    return legal_cells(cells, size), size, draw(st.sampled_from([1, 2])), draw(points), draw(points)


def random_games(size: int, games: int, every: int) -> Iterator[np.ndarray]:
    """Positions of random games without thought for eyes, so that much is captured, with passes."""
    for seed in range(games):
        rng = random.Random(seed)
        state = GO.position(size)
        for ply in range(3 * size * size):
            if ply % every == seed % every:
                yield state
            moves = GO.moves_of(state)
            if not moves:  # two passes
                break
            state = GO.play(state, rng.choice(moves[:-1] if len(moves) > 1 and rng.random() < 0.97 else moves))


def every_move(state: np.ndarray) -> list[int]:
    """Points that may be played, be it by suicide or against ko: rows of tables hold them."""
    cells, size, *_ = position_of(state, int(state[SIZE]))
    return [move_of(point, size) for point in range(size * size) if not cells[point]]


@given(positions())
def test_all_moves_of_any_position_are_those_of_the_twin(position: Position) -> None:
    assert_alike(state_of(position), position[1])


@pytest.mark.parametrize("size", SIZES)
def test_all_moves_of_random_games_are_those_of_the_twin(size: int) -> None:
    for state in random_games(size, games=3 if size < 14 else 1, every=size * size // 3 + 1):
        assert_alike(state, size)


@pytest.mark.parametrize("diagram", [CORNER, TWO_EYES, SEKI, DAME])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_moves_of_drawn_positions_are_those_of_the_twin(diagram: str, to_play: int) -> None:
    cells, size = parse_position("/".join(diagram.split()))
    for last in (NONE, PASS, *np.flatnonzero(cells == 3 - to_play).tolist()):
        assert_alike(state_of((cells, size, to_play, last, NONE)), size)


@given(positions())
def test_the_numbers_are_alike_for_both_sides(position: Position) -> None:
    cells, size, to_play, last, last2 = position
    state = state_of(position)
    swapped = state_of((np.array([0, 2, 1], np.uint8)[cells], size, 3 - to_play, last, last2))
    moves = every_move(state)
    features, found = measured(state, moves)
    others, other = measured(swapped, moves)
    assert (features == others).all() and found == other


@given(positions(), st.integers(0, 7))
def test_the_numbers_are_alike_in_all_symmetries(position: Position, symmetry: int) -> None:
    cells, size, to_play, last, last2 = position
    turned = transform_cells(cells, size, symmetry)
    state = state_of(position)
    last, last2 = (transform_point(point, size, symmetry) for point in (last, last2))
    other = state_of((turned, size, to_play, last, last2))
    moves = every_move(state)
    images = [move_of(transform_point(point_of(move, size), size, symmetry), size) for move in moves]
    assert (measured(state, moves)[0] == measured(other, images)[0]).all()


@given(positions(), st.randoms(use_true_random=False))
def test_a_move_has_the_same_numbers_in_any_company(position: Position, rng: random.Random) -> None:
    state = state_of(position)
    moves = every_move(state)
    features, _ = measured(state, moves)
    order = rng.sample(range(len(moves)), len(moves))
    again, _ = measured(state, [moves[at] for at in order])
    assert (again == features[order]).all()
    if moves:
        assert (measured(state, moves[-1:])[0] == features[-1:]).all()


@given(st.lists(positions(), min_size=1, max_size=6))
def test_rows_of_tables_have_the_numbers_of_their_moves(found: list[Position]) -> None:
    rows = [(position, move) for position in found for move in every_move(state_of(position))]
    n = len(rows)
    boards = np.zeros((n, 81), np.uint8)
    for board, ((cells, *_), _) in zip(boards, rows, strict=True):
        board[: len(cells)] = cells
    size, to_play = (np.array([position[column] for position, _ in rows], np.uint8) for column in (1, 2))
    last, last2 = (np.array([position[column] for position, _ in rows], np.int16) for column in (3, 4))
    points = np.array([point_of(move, position[1]) for position, move in rows], np.int16)
    zeros = np.zeros(n, np.int32)
    table = GoExamples(
        names=["g"], game=zeros, ply=zeros, size=size, to_play=to_play, board=boards, ko=np.full(n, NONE, np.int16),
        last=last, last2=last2, move=points, label=zeros.astype(np.uint8), source=zeros.astype(np.uint8),
    )  # fmt: skip
    features, stages = described(table)
    assert features.dtype == np.int16 and stages.dtype == np.uint8
    for row, number, (position, move) in zip(features, stages, rows, strict=True):
        expected_row, expected_stage = measured(state_of(position), [move])
        assert (row == expected_row[0]).all() and number == expected_stage


def test_rows_of_games_have_the_numbers_of_the_twin() -> None:
    rows = load_decisions([str(GAMES[0])], Selection(), print, lambda: None)
    features, stages = described(rows)
    for i in range(0, len(rows), 5):
        size = int(rows.size[i])
        position = rows.board[i], size, int(rows.to_play[i]), int(rows.last[i]), int(rows.last2[i])
        assert features[i].tolist() == expected(position, move_of(int(rows.move[i]), size))
    assert sorted(set(stages.tolist())) == [0, 1, 2] and (np.diff(np.sort(stages)) <= 1).all()


@pytest.mark.parametrize(("stones", "number"), [(0, 0), (10, 0), (11, 1), (30, 1), (31, 2), (60, 2)])
def test_the_stage_follows_the_stones(stones: int, number: int) -> None:
    cells = np.zeros(81, np.uint8)
    cells[:stones] = 1
    state = state_of((cells, 9, BLACK, NONE, NONE))
    assert measured(state, [])[1] == measured(state, GO.moves_of(state))[1] == number
    assert MOVE_FEATURES.stages[number] == ("open", "middle", "end")[number]


def test_the_game_has_these_features_with_a_name_and_a_limit_each() -> None:
    assert find_game("go").find(MoveFeatures) is MOVE_FEATURES
    assert len(set(NAMES)) == len(NAMES) == len(MOVE_FEATURES.most)
    assert all(most > 0 for most in MOVE_FEATURES.most)


# ---- by hand ----


def numbers(diagram: str, to_play: int, vertex: str, last: str, last2: str = "pass") -> dict[str, int]:
    cells, size = parse_position("/".join(diagram.split()))
    state = state_of((cells, size, to_play, parse_vertex(last, size), parse_vertex(last2, size)))
    (row,) = measured(state, [GO.parse_move(vertex, size)])[0].tolist()
    return dict(zip(NAMES, row, strict=True))


TWO_ATARIS = """
.....
.X...
XOX..
.OXX.
..O.."""

A_SAVING_CAPTURE = """
.....
.OX..
.XO..
.OX..
....."""


def test_a_move_that_puts_two_chains_in_atari() -> None:
    assert numbers(TWO_ATARIS, BLACK, "B1", last="C1", last2="D2") == {
        "line": 1, "second_line": 2, "fullness": 6, "captured": 0, "ataris": 2, "atari_stones": 3, "touched": 2,
        "touched_stones": 3, "touched_liberties": 2, "joined": 0, "joined_stones": 0, "saved": 0, "liberties_before": 6,
        "liberties_after": 1, "other_liberties": 3, "own_near": 1, "other_near": 2, "own_around": 3, "other_around": 1,
        "last_distance": 2, "last2_distance": 5, "last_liberties": 1,
    }  # fmt: skip


def test_a_capture_saves_the_stone_beside_what_it_takes() -> None:
    assert numbers(A_SAVING_CAPTURE, BLACK, "D3", last="C3") == {
        "line": 2, "second_line": 3, "fullness": 4, "captured": 1, "ataris": 0, "atari_stones": 0, "touched": 1,
        "touched_stones": 1, "touched_liberties": 1, "joined": 0, "joined_stones": 0, "saved": 1, "liberties_before": 6,
        "liberties_after": 4, "other_liberties": 3, "own_near": 2, "other_near": 1, "own_around": 1, "other_around": 2,
        "last_distance": 2, "last2_distance": 15, "last_liberties": 0,
    }  # fmt: skip


def test_an_extension_saves_where_it_gains_a_second_liberty() -> None:
    found = numbers(A_SAVING_CAPTURE, BLACK, "A3", last="pass")
    wanted = {"joined": 1, "joined_stones": 1, "liberties_before": 1, "liberties_after": 2, "saved": 1, "touched": 0}
    wanted |= {"other_liberties": 3, "touched_liberties": 6, "last_distance": 15, "last_liberties": 6}
    assert wanted.items() <= found.items()
    found = numbers(A_SAVING_CAPTURE.replace("\n.OX", "\nOOX", 1), BLACK, "A3", last="A4")
    assert {
        "liberties_after": 1,
        "saved": 0,
        "touched": 1,
        "touched_stones": 2,
        "last_liberties": 2,
    }.items() <= found.items()
