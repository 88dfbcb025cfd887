"""The built-in value of Go positions: Bouzy's map against a slow twin and in print, and what any evaluation owes.

The weights are learned and may change: nothing here holds for one set of them alone.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from go.test_status import finished
from numpy.typing import NDArray
from support.needs import needs_shared
from support.position_text import parse_position
from support.turned import transform_cells

from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.estimate.evaluation import WEIGHTS, evaluate
from gotools.games.go.estimate.kernels.bouzy import bouzy_signs
from gotools.games.go.estimate.kernels.evaluation import MAPS, TOTAL
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.game import HALF_WON, KOMI2

Map = dict[tuple[int, int], int]

SIZES = (2, 3, 5, 9, 13, 19)


def board_of(text: str, to_play: int = BLACK) -> Board:
    return Board.from_cells(*parse_position("/".join(text.split())), to_play=to_play)


def random_board(rng: random.Random, size: int) -> Board:
    """Scatter stones of both colours, few or many; chains without liberties are taken off."""
    density = rng.random()
    points: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for y in range(size):
        for x in range(size):
            if rng.random() < density:
                points[rng.randrange(2)].append((y, x))
    board = Board(size)
    board.apply_setup(points[0], points[1], [])
    board.state[k.TO_PLAY] = rng.choice((BLACK, WHITE))
    return board


def points_ahead(board: Board, komi2: int = 0) -> float:
    """Value a position in points for the side to play."""
    state = board.state.copy()
    state[KOMI2] = komi2
    value = evaluate(state, WEIGHTS)
    return value * HALF_WON / (1.0 - abs(value))


# Bouzy's map ----------------------------------------------------------------------------------------------------------


def spread(seeds: Map) -> Map:
    """Dilate once: who has no enemy beside it gains its friends beside it."""
    after = {}
    for at, value in seeds.items():
        friends = [seeds[q] for q in beside(at) if q in seeds]
        black, white = sum(v > 0 for v in friends), sum(v < 0 for v in friends)
        if value >= 0 and white == 0:
            value += black
        elif value <= 0 and black == 0:
            value -= white
        after[at] = value
    return after


def shrink(seeds: Map) -> Map:
    """Erode once: everyone loses those beside it that are not of its sign, at most to 0."""
    after = {}
    for at, value in seeds.items():
        strange = sum(seeds[q] * value <= 0 for q in beside(at) if q in seeds)
        after[at] = max(value - strange, 0) if value > 0 else min(value + strange, 0)
    return after


def beside(at: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = at
    return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]


def slow_map(cells: NDArray[np.uint8], size: int, dilations: int, erosions: int) -> Map:
    """Make the map of a position by its definition, (x, y) to number, black's positive."""
    value = {0: 0, BLACK: 128, WHITE: -128}
    seeds = {(p % size, p // size): value[int(cells[p])] for p in range(size * size)}
    for _ in range(dilations):
        seeds = spread(seeds)
    for _ in range(erosions):
        seeds = shrink(seeds)
    return seeds


def as_map(plane: NDArray[np.int16], size: int) -> Map:
    return {(x, y): int(plane[k.pad(y * size + x, size)]) for y in range(size) for x in range(size)}


@pytest.mark.parametrize("size", SIZES)
def test_the_signs_of_bouzys_map_are_those_of_the_slow_twin(size: int) -> None:
    rng = random.Random(size)
    for dilations, erosions in [*MAPS, *((rng.randrange(8), rng.randrange(30)) for _ in range(10 if size < 13 else 2))]:
        board = random_board(rng, size)
        signs = np.full(k.PLANE, 7, np.int16)
        bouzy_signs(board.state, dilations, erosions, signs)
        slow = slow_map(board.cells, size, dilations, erosions)
        assert as_map(signs, size) == {at: int(np.sign(value)) for at, value in slow.items()}, board
        off_board = board.state[k.COLOUR : k.COLOUR + k.PLANE] == k.BORDER
        assert not signs[off_board].any()


TWO_STONES = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . X . . . O . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . ."""

TWO_STONES_MAP = """
. .   .  .  .  .    .  .  .
. .   .  .  .  .    .  .  .
. .   .  .  .  .    .  .  .
. .   .  .  .  .    .  .  .
. 2 122  .  .  . -122 -2  .
. .   .  .  .  .    .  .  .
. .   .  .  .  .    .  .  .
. .   .  .  .  .    .  .  .
. .   .  .  .  .    .  .  ."""

WALL_AND_TWO_STONES = """
. . . . . . . . .
. . . . . . . . .
. . . . . . O . .
. . . . . . . . .
. . X . . . . . .
. . X . . . . . .
. . . . . . O . .
. . . . . . . . .
. . . . . . . . ."""

WALL_AND_TWO_STONES_MAP = """
.  .   . . . .    .  -5 -4
.  .   . . . .   -4 -12 -7
.  .   . . . . -127 -14 -8
.  .   . . . .    .  -4 -7
1  9 126 . . .    .   . -5
9 14 125 . . .    .  -3 -7
1  .   . . . . -123 -14 -8
.  .   . . . .    . -12 -7
.  .   . . . .    .  -3 -4"""


@pytest.mark.parametrize(
    ("position", "printed", "black", "white"),
    [(TWO_STONES, TWO_STONES_MAP, 2, 2), (WALL_AND_TWO_STONES, WALL_AND_TWO_STONES_MAP, 7, 20)],
)
def test_the_maps_that_the_thesis_prints(position: str, printed: str, black: int, white: int) -> None:
    """Section 4.2.1; it gives white the positive numbers, and counts the territory as here."""
    board = board_of(position.replace(" ", ""))
    signs = np.empty(k.PLANE, np.int16)
    bouzy_signs(board.state, 5, 21, signs)
    rows = [line.split() for line in printed.strip().splitlines()]
    found = slow_map(board.cells, 9, 5, 21)
    assert [[found[x, 8 - y] for x in range(9)] for y in range(9)] == [
        [0 if cell == "." else int(cell) for cell in row] for row in rows
    ]
    assert as_map(signs, 9) == {at: int(np.sign(value)) for at, value in found.items()}
    assert (int((signs > 0).sum()), int((signs < 0).sum())) == (black, white)


# the value ------------------------------------------------------------------------------------------------------------


def test_the_weights_fill_their_table() -> None:
    assert WEIGHTS.dtype == np.float64 and WEIGHTS.ndim == 1 and len(WEIGHTS) == TOTAL
    assert np.isfinite(WEIGHTS).all()


@pytest.mark.parametrize("size", SIZES)
def test_exchanged_colours_leave_the_value_to_the_digit(size: int) -> None:
    rng = random.Random(size)
    for _ in range(20):
        board, komi2 = random_board(rng, size), rng.randrange(-40, 41)
        board.state[KOMI2] = komi2
        other = Board.from_cells(np.array([0, 2, 1], np.uint8)[board.cells], size, to_play=3 - board.to_play)
        other.state[KOMI2] = -komi2
        assert evaluate(board.state, WEIGHTS) == evaluate(other.state, WEIGHTS), board


@pytest.mark.parametrize("size", SIZES)
def test_turned_boards_have_the_same_value(size: int) -> None:
    rng = random.Random(size)
    for _ in range(8):
        board = random_board(rng, size)
        value = evaluate(board.state, WEIGHTS)
        for symmetry in range(8):
            turned = Board.from_cells(transform_cells(board.cells, size, symmetry), size, to_play=board.to_play)
            assert evaluate(turned.state, WEIGHTS) == pytest.approx(value, abs=1e-6), board


@pytest.mark.parametrize("size", SIZES)
def test_every_half_point_of_komi_counts_for_white(size: int) -> None:
    rng = random.Random(size)
    for _ in range(5):
        board = random_board(rng, size)
        ahead = [points_ahead(board, komi2) for komi2 in range(-30, 31, 5)]
        sign = -1 if board.to_play == BLACK else 1
        assert np.diff(ahead) == pytest.approx(sign * 2.5, abs=1e-6)


@pytest.mark.parametrize("size", SIZES)
def test_values_lie_within_their_bounds_and_the_position_stays(size: int) -> None:
    rng = random.Random(size)
    for _ in range(20):
        board = random_board(rng, size)
        state = board.state.copy()
        assert -1.0 < evaluate(state, WEIGHTS) < 1.0
        assert (board.state == state).all()


def test_an_empty_board_is_even() -> None:
    assert points_ahead(Board(9)) == 0.0


ONE_EYE, TWO_EYES = (
    """
O.OOX..
OOOOX..
XXXXX..
.......
..X.X..
.......
.......""",
    """
.O.OX..
OOOOX..
XXXXX..
.......
..X.X..
.......
.......""",
)

FALSE_EYE, TRUE_EYE = (
    """
.OX.X..
OXXX...
.OXX...
OOX....
XXX.X..
.......
.......""",
    """
.OX.X..
OOXX...
.OXX...
OOX....
XXX.X..
.......
.......""",
)


@pytest.mark.parametrize(("dead", "alive"), [(ONE_EYE, TWO_EYES), (FALSE_EYE, TRUE_EYE)])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_the_second_eye_is_worth_the_group(dead: str, alive: str, to_play: int) -> None:
    """White owns 8 points of 49 with the eye, none without it, which is 16 for black: half of that is asked for."""
    sign = 1 if to_play == BLACK else -1
    without, with_eye = (sign * points_ahead(board_of(text, to_play)) for text in (dead, alive))
    assert without > with_eye + 8


IN_ATARI = """
.......
...O...
..OXO..
..OX...
...O...
.......
......."""


def test_stones_in_atari_depend_on_who_is_to_play() -> None:
    black = points_ahead(board_of(IN_ATARI, BLACK))
    white = -points_ahead(board_of(IN_ATARI, WHITE))
    assert black > white + 1


@needs_shared
@pytest.mark.parametrize("folder", ["go9-dan/valid", "go9-bands/10k"])
def test_finished_games_are_valued_better_than_by_counting_the_board_as_it_stands(folder: str) -> None:
    """What counts is the score that the players agreed on, by which side and how much."""
    errors = []
    for game, board in finished(folder):
        agreed = (1 if game.result[0] == "B" else -1) * float(game.result[2:]) + (game.komi or 0.0)
        ahead = points_ahead(board) * (1 if board.to_play == BLACK else -1)
        errors.append((abs(ahead - agreed), abs(board.area_score() - agreed)))
    assert len(errors) > 80
    valued, counted = np.mean(errors, axis=0)
    assert valued < 0.8 * counted
