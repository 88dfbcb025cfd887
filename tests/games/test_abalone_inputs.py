"""The inputs of Abalone against what sets of cells say, and the fixed evaluations of the thesis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from support.plain_abalone import BOARD, DIRECTIONS, Cell, Plain, plain, step, successors

from gotools.game.game import find_game
from gotools.games.abalone.board import NAMES
from gotools.games.abalone.kernels import inputs as i
from gotools.jit.kernels.seams import ONGOING

ABALONE = find_game("abalone")
State = NDArray[np.int32]


def positions(plies: int = 120, seed: int = 1) -> Iterator[State]:
    """Play random games in which marbles are lost, from three start positions."""
    rng = np.random.default_rng(seed)
    for start in ("abalone", "abalone:belgian-daisy", "abalone:atomouche"):
        game = find_game(start)
        state = game.position()
        for _ in range(plies):
            ejections = np.empty(game.longest, np.int32)
            n = game.noisy(state, ejections)
            moves = ejections[:n].tolist() if n else game.moves_of(state)
            state = game.play(state, int(rng.choice(moves)))
            if game.outcome(state) != ONGOING:
                break
            yield state


STATES = list(positions())


def inputs(name: str, state: State) -> list[float]:
    features = ABALONE.find_features(name)
    x = np.full(len(features.labels(9)), np.nan)
    features.inputs(state, x)
    return [float(value) for value in x]


def steps(cell: Cell) -> int:
    """Steps from the centre, E5."""
    u, v = cell[0] - 5, cell[1] - 5
    return max(abs(u), abs(v), abs(u - v))


def neighbours(cell: Cell) -> list[Cell]:
    return [step(cell, direction) for direction in DIRECTIONS]


def is_protected(cell: Cell, mine: frozenset[Cell]) -> bool:
    return mine.issuperset(neighbours(cell))


def threatened(mine: frozenset[Cell], other: frozenset[Cell]) -> set[Cell]:
    """Return own marbles at the end of a line of one or two that more marbles of the other side push off the board."""
    found = set()
    for cell in mine:
        for direction in DIRECTIONS:
            if step(cell, direction) in BOARD:
                continue
            line = [step(cell, direction, -n) for n in range(5)]
            held = ["m" if one in mine else "o" if one in other else "." for one in line]
            if "".join(held).startswith(("moo", "mmooo")):
                found.add(cell)
    return found


def zones(marbles: frozenset[Cell]) -> list[float]:
    distances = [steps(cell) for cell in marbles]
    inner, edge = sum(d <= 1 for d in distances), sum(d == 4 for d in distances)
    return [inner, len(marbles) - inner - edge, edge, 14 - len(marbles)]


def test_zones_of_both_sides_are_seen_by_the_side_that_has_just_moved():
    for state in STATES:
        position = plain(state)
        assert inputs("spatial", state) == [*zones(position.other), *zones(position.mine)]


def test_attributes_are_those_of_sets():
    met = 0
    for state in STATES:
        mover, to_play = plain(state).other, plain(state).mine
        own, others = zones(mover), zones(to_play)
        found = inputs("attributes", state)
        endangered = threatened(mover, to_play)
        met += bool(endangered)
        assert found[0] == len(mover) - len(to_play)
        assert found[1:6] == [own[0], own[1], *others[:3]]
        assert found[6] == sum(is_protected(cell, mover) for cell in mover)
        assert found[7] == pytest.approx(sum(map(steps, mover)) / len(mover))
        assert found[8] == len(endangered)
        assert bool(endangered) == any(len(after.mine) < len(mover) for after in successors(plain(state)).values())
    assert met > 10


def test_oriented_inputs_are_attributes_turned_to_favour_the_mover():
    for state in STATES[::7]:
        counted = inputs("attributes", state)
        turned = [*counted[:3], 14 - counted[3], 14 - counted[4], *counted[5:7], 4 - counted[7], 14 - counted[8]]
        assert inputs("oriented", state) == pytest.approx(turned)


def test_direct_inputs_are_cells_and_lost_marbles():
    for state in STATES[::7]:
        found, position = inputs("direct", state), plain(state)
        for value, name in zip(found, NAMES, strict=False):
            cell = ("ABCDEFGHI".index(name[0]) + 1, int(name[1]))
            assert value == (cell in position.other) - (cell in position.mine)
        lost = [14 - len(position.other), 14 - len(position.mine)]
        assert found[61:] == [float(n < lost[0]) for n in range(6)] + [float(n < lost[1]) for n in range(6)]


def formation(mine: frozenset[Cell], other: frozenset[Cell]) -> list[float]:
    pairs = {frozenset((cell, one)) for cell in mine for one in neighbours(cell) if one in mine}
    lines = sum(mine.issuperset([cell, step(cell, d), step(cell, d, 2)]) for cell in mine for d in DIRECTIONS[:3])
    triangles = {
        frozenset((cell, a, b)) for cell in mine for a in neighbours(cell) for b in neighbours(cell)
        if a in mine and b in mine and b in neighbours(a)
    }  # fmt: skip
    split = sum(step(cell, d) in other and step(cell, d, -1) in other for cell in mine for d in DIRECTIONS[:3])
    moves = successors(Plain(mine, other))
    ejections = sum(len(after.mine) < len(other) for after in moves.values())
    pushes = sum(after.mine != other for after in moves.values()) - ejections
    within = [float(sum(steps(cell) <= n for cell in mine)) for n in range(4)]
    protected = sum(is_protected(cell, mine) for cell in mine)
    return [len(mine), *within, len(pairs), lines, len(triangles), protected, split, pushes, ejections]


def test_the_formation_is_that_of_sets():
    for state in STATES[::3]:
        mine, other = plain(state)
        expected = np.subtract(formation(mine, other), formation(other, mine))
        assert inputs("formation", state) == expected.tolist()


def test_orders_score_moves_by_the_position_after_them():
    numbers = np.zeros(0, np.int64)
    for state in STATES[::20]:
        before, after = plain(state), {text.upper(): end for text, end in successors(plain(state)).items()}
        moves = np.array(ABALONE.moves_of(state), np.int32)
        centre, pushes = np.empty(len(moves)), np.empty(len(moves))
        ABALONE.find_order("centre")(state, moves, len(moves), centre, numbers)
        ABALONE.find_order("pushes")(state, moves, len(moves), pushes, numbers)
        for at, move in enumerate(moves):
            end = after[ABALONE.move_text(int(move), 9)]
            far = [sum(map(steps, marbles)) + 5 * (14 - len(marbles)) for marbles in (end.mine, end.other)]
            assert centre[at] == far[0] - far[1]
            assert pushes[at] == (end.mine != before.other) + (len(end.mine) < len(before.other))


def test_the_tally_is_the_lead_in_marbles():
    for state in STATES[::9]:
        lead = len(plain(state).mine) - len(plain(state).other)
        assert ABALONE.find_tally()(state, np.zeros(1)) == lead


@pytest.mark.parametrize(("name", "lost"), [("", 5), ("thesis", 0)])
def test_the_heuristic_is_that_of_the_thesis(name, lost):
    """h = 256 - own steps + the other side's, without its constant; lost marbles count as said."""
    heuristic = ABALONE.find_heuristic(name)
    assert heuristic is not None
    for state in STATES:
        mine, other = ([*map(steps, side), *[lost] * (14 - len(side))] for side in plain(state))
        value = heuristic.evaluate(state, heuristic.numbers)
        assert value == pytest.approx((sum(other) - sum(mine)) * heuristic.numbers[0])
        assert abs(value) < 1


def test_the_names_of_inputs_are_as_many_as_the_inputs():
    for name in ABALONE.learning.features:
        features = ABALONE.find_features(name)
        assert len(features.labels(9)) == len(features.scales(9)) == len(set(features.labels(9)))
    assert len(i.ATTRIBUTES) == 9 and len(i.FORMATION) == 12
