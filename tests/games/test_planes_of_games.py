"""Planes of tic-tac-toe and Connect-4: against the board as it is drawn, and turned with the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.searching import TICTACTOE, positions_at, random_positions, solved_tictactoe, worthy

from gotools.game.game import Game
from gotools.game.learning import Planes
from gotools.games.connect4.connect4 import CONNECT4
from gotools.jit.kernels.residual import residual_network
from gotools.values.network.shape import NetworkShape, numbers_of
from gotools.values.network.symmetries import turned_planes, turned_points

GAMES = (TICTACTOE, CONNECT4)
BOARD, OWN, OTHER, MOVES, STRENGTH = range(5)
State = NDArray[np.int32]
both = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def planes_for(game: Game) -> Planes:
    planes = game.need(Planes)
    return planes


def filled(game: Game, state: State, strength: float = 0.5) -> NDArray[np.float32]:
    """Return float32[rows + 2, columns + 2, planes], filled over numbers that must not shine through."""
    planes = planes_for(game)
    rows, columns = planes.shape(game.sizes[0])
    x = np.full((rows + 2) * (columns + 2) * len(planes.names), 77.0, np.float32)
    planes.fill(state, strength, x)
    return x.reshape(rows + 2, columns + 2, -1)


def drawn(game: Game, state: State) -> list[str]:
    """Return the rows of the board as it is drawn, from the bottom, a letter a point."""
    rows, columns = planes_for(game).shape(game.sizes[0])
    lines = game.draw(state).split("\n")
    assert len(lines) == rows + 1  # below are the names of the columns
    return ["".join(line.split()[-columns:]) for line in lines[rows - 1 :: -1]]


@cache
def positions(game: Game) -> Sequence[State]:
    """Return unfinished positions: of tic-tac-toe all, of Connect-4 some of random games."""
    if game is TICTACTOE:
        return [state for state, _ in solved_tictactoe()]
    return positions_at(CONNECT4, 7, range(0, 42, 3), 60)


# points ---------------------------------------------------------------------------------------------------------------


@both
def test_planes_are_the_board_as_it_is_drawn(game: Game) -> None:
    planes = planes_for(game)
    rows, columns = planes.shape(game.sizes[0])
    assert len(planes.names) == 5 and planes.points(game.sizes[0]) == rows * columns
    for state in positions(game):
        board, x = drawn(game, state), filled(game, state, 0.75)
        count = "".join(board).count
        mine, other = ("X", "O") if count("X") == count("O") else ("O", "X")  # X begins
        wanted = np.zeros((rows + 2, columns + 2, 5), np.float32)
        for row in range(rows):
            for column in range(columns):
                letter = board[row][column]
                lowest = game is TICTACTOE or "." not in [board[below][column] for below in range(row)]
                wanted[row + 1, column + 1] = 1.0, letter == mine, letter == other, letter == "." and lowest, 0.75
        assert (x == wanted).all(), game.draw(state)


@both
def test_random_positions_show_all_there_is_to_see(game: Game) -> None:
    """Or the test above would compare nothing with nothing."""
    rows, columns = planes_for(game).shape(game.sizes[0])
    seen = np.sum([filled(game, state) for state in positions(game)], axis=0)[1:-1, 1:-1]
    assert seen.shape == (rows, columns, 5)
    assert (seen[:, :, [OWN, OTHER, MOVES]] > 0).all()
    assert (seen[:, :, [OWN, OTHER, MOVES]] < len(positions(game))).all()


@both
def test_the_place_of_a_move_is_where_its_stone_comes_to_lie(game: Game) -> None:
    place = planes_for(game).place
    for state in positions(game):
        before, moves, places = "".join(drawn(game, state)), worthy(game, state), set()
        for move in moves:
            after = "".join(drawn(game, game.play(state, move)))
            changed = [point for point in range(len(before)) if before[point] != after[point]]
            assert changed == [place(state, move)]
            places.add(changed[0])
        points = np.flatnonzero(filled(game, state)[1:-1, 1:-1, MOVES])
        assert places == set(points.tolist()) and len(places) == len(moves)


@both
def test_nobody_owns_a_point_and_nobody_is_ahead(game: Game) -> None:
    planes = planes_for(game)
    for state in positions(game)[:50]:
        owned = np.full(planes.points(game.sizes[0]), 7, np.int8)
        assert planes.owners(state, owned) == 0.0
        assert not owned.any()


# networks -------------------------------------------------------------------------------------------------------------


def network(game: Game, seed: int, strength: float) -> NDArray[np.float64]:
    """Return a network of random weights."""
    planes, shape = len(planes_for(game).names), NetworkShape(1, 16)
    weights = np.random.default_rng(seed).normal(0.0, 0.2, shape.weights(planes)).astype(np.float32)
    return numbers_of(shape, planes, weights, strength)


@both
def test_a_judge_gives_moves_the_policy_of_their_points_and_positions_the_value(game: Game) -> None:
    planes, numbers, seen = planes_for(game), network(game, 2, -1.25), set()
    rows, columns = planes.shape(game.sizes[0])
    for state in positions(game)[::9]:
        policy, out = np.empty(rows * columns + 1, np.float32), np.empty(2)
        x = filled(game, state, -1.25).ravel()
        residual_network(x, numbers, rows, columns, policy, np.empty(0, np.float32), out)
        moves = np.array(worthy(game, state), np.int32)
        scores, again = np.full(len(moves) + 1, 77.0), np.full(len(moves) + 1, 77.0)
        assert planes.judge(state, moves, len(moves), scores, numbers) == out[0]
        planes.order(state, moves, len(moves), again, numbers.view(np.int64))
        assert planes.evaluate(state, numbers) == out[0]
        before = "".join(drawn(game, state))
        for move, score in zip(moves.tolist(), scores.tolist(), strict=False):
            after = "".join(drawn(game, game.play(state, move)))
            (point,) = (i for i in range(len(before)) if before[i] != after[i])
            assert score == policy[point]
        assert scores.tolist() == again.tolist() and scores[-1] == 77.0
        seen.add(float(out[0]))
    assert len(seen) > 20


@both
def test_a_judge_looks_at_the_strength(game: Game) -> None:
    state, values = positions(game)[3], set()
    for strength in (-1.0, 0.0, 1.0):
        values.add(float(planes_for(game).evaluate(state, network(game, 2, strength))))
    assert len(values) == 3


# symmetry -------------------------------------------------------------------------------------------------------------


def turns(game: Game) -> list[list[int]]:
    """Return where each symmetry brings each point, by the images that the game gives of its moves."""
    size = game.sizes[0]
    rows, columns = planes_for(game).shape(size)
    images = [game.images(move, size) for move in range(game.moves)]
    if game is TICTACTOE:
        return [list(turn) for turn in zip(*images, strict=True)]
    return [[row * columns + turn[column] for row in range(rows) for column in range(columns)]
            for turn in zip(*images, strict=True)]  # fmt: skip


@both
def test_the_symmetries_of_planes_are_those_of_moves(game: Game) -> None:
    planes = planes_for(game)
    points = [turn.tolist() for turn in turned_points(*planes.shape(game.sizes[0]), planes.symmetries)]
    assert len(points) == planes.symmetries == len({tuple(turn) for turn in points})
    assert sorted(points) == sorted(turns(game))
    assert points[0] == sorted(points[0])  # as it is


@both
@pytest.mark.parametrize("seed", range(4))
def test_a_game_turned_has_its_planes_turned(game: Game, seed: int) -> None:
    size = game.sizes[0]
    line = list(random_positions(game, size, seed))
    for number, turn in enumerate(turns(game)):
        other = game.position(size)
        for before, after in pairwise(line):
            (move,) = (move for move in worthy(game, before) if (game.play(before, move) == after).all())
            other = game.play(other, int(game.images(move, size)[number]))
            plain = filled(game, after)[None, 1:-1, 1:-1]
            wanted: Any = turned_planes(plain, np.array(turn))[0]
            assert (filled(game, other)[1:-1, 1:-1] == wanted).all()
            for point, place in enumerate(turn):  # and so is what turns them
                columns = plain.shape[2]
                assert (wanted[place // columns, place % columns] == plain[0, point // columns, point % columns]).all()


@both
def test_sides_exchange_their_stones_when_a_move_is_made(game: Game) -> None:
    """What is mine before my move is the opponent's for the other side, with the new stone."""
    for state in positions(game)[::7]:
        for move in worthy(game, state):
            before, after = (filled(game, at)[1:-1, 1:-1] for at in (state, game.play(state, move)))
            stone = np.zeros(before.shape[:2], np.float32)
            stone.flat[planes_for(game).place(state, move)] = 1.0
            assert (after[:, :, OWN] == before[:, :, OTHER]).all()
            assert (after[:, :, OTHER] == before[:, :, OWN] + stone).all()
