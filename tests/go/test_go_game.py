"""Go as a game to be searched, against sets of stones; the rules themselves have test_kernels.py."""

import random

import pytest
from support.slow import SlowGo
from support.slow_search import listed

from gotools.games.go.go import GO, point_of
from gotools.games.go.kernels.game import KOMI2, PASS_MOVE
from gotools.jit.kernels.seams import ONGOING

EACH_SIZE = pytest.mark.parametrize(("size", "games", "komi2"), [(2, 60, 1), (5, 12, 0), (9, 3, 15)])


def games_on_both(size, games, komi2):
    """Play random games on the state and on its twin.

    Yields (state, twin, side to play, passes in a row) before each move and at the end; a game ends after two passes.
    """
    for seed in range(games):
        rng = random.Random(seed)
        state, twin, colour, passes = GO.position(size), SlowGo(size), 1, 0
        state[KOMI2] = komi2
        for _ in range(150):
            yield state, twin, colour, passes
            if passes == 2:
                break
            move = rng.choice(GO.moves_of(state))
            state = GO.play(state, move)
            if move == PASS_MOVE:
                twin.pass_turn()
                passes += 1
            else:
                x, y = at(move, size)
                assert twin.play((x, y), colour) == ""
                passes = 0
            colour = 3 - colour


def at(move, size):
    """Return (x, y) of a move that is no pass."""
    y, x = divmod(point_of(move, size), size)
    return x, y


def points_and_pass(moves, size):
    """Return the points of a list of moves that ends with a pass."""
    assert moves[-1] == PASS_MOVE
    return {at(move, size) for move in moves[:-1]}


def is_slow_eye(twin, point, colour):
    """Return whether all neighbours of an empty point are of a colour, and of its corners at most one the opponent's.

    At the edge of the board no corner may be the opponent's.
    """
    (x, y), size = point, twin.size
    corners = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
    inside = [corner for corner in corners if 0 <= corner[0] < size and 0 <= corner[1] < size]
    lost = sum(twin.stones.get(corner) == 3 - colour for corner in inside)
    return all(twin.stones.get(p) == colour for p in twin.beside(point)) and lost <= (len(inside) == 4)


def is_slow_noise(twin, point, colour):
    """Return whether a legal move captures, or takes an own chain out of atari by its last liberty."""
    after = SlowGo(twin.size, twin.stones)
    after.play(point, colour)
    captures = len(after.stones) <= len(twin.stones)
    saves = any(twin.stones.get(p) == colour and twin.liberties(p) == {point} for p in twin.beside(point))
    return captures or (saves and len(after.liberties(point)) > 1)


@EACH_SIZE
def test_moves_against_sets_of_stones(size, games, komi2):
    worthy, noisy = listed(GO, GO.worthy), listed(GO, GO.noisy)
    eyes = noise = 0
    for state, twin, colour, passes in games_on_both(size, games, komi2):
        if passes == 2:
            assert GO.moves_of(state) == []
            continue
        legal = {(x, y) for x in range(size) for y in range(size) if twin.is_legal((x, y), colour)}
        assert points_and_pass(GO.moves_of(state), size) == legal
        useful = {point for point in legal if not is_slow_eye(twin, point, colour)}
        assert points_and_pass(worthy(state), size) == useful
        loud = {point for point in legal if is_slow_noise(twin, point, colour)}
        assert {at(move, size) for move in noisy(state)} == loud
        eyes += len(legal) - len(useful)
        noise += len(loud)
    assert eyes > 20
    assert noise > 100


@EACH_SIZE
def test_an_atari_by_the_last_move_is_a_threat(size, games, komi2):
    threats = 0
    before: set[tuple[int, int]] = set()
    for state, twin, colour, _ in games_on_both(size, games, komi2):
        near = {p for last in twin.stones.keys() - before for p in twin.beside(last)}  # none after a pass
        threatened = any(twin.stones.get(p) == colour and len(twin.liberties(p)) == 1 for p in near)
        assert GO.threatened(state) == threatened
        threats += threatened
        before = set(twin.stones)
    assert threats > 20


@EACH_SIZE
def test_two_passes_end_the_game_and_the_larger_area_wins(size, games, komi2):
    values: dict[int, int] = {}
    for state, twin, colour, passes in games_on_both(size, games, komi2):
        value = GO.outcome(state)
        assert (value != ONGOING) == (passes == 2)
        if passes == 2:
            points = (twin.area_score() - komi2 / 2) * (1 if colour == 1 else -1)
            assert values.setdefault(points, value) == value
            assert (value > 0, value < 0) == (points > 0, points < 0)
    ordered = [values[points] for points in sorted(values)]
    assert ordered == sorted(set(ordered))  # every point counts
    assert ordered
