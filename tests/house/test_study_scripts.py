"""Scripts of studies against what is known otherwise: closed forms, plain walks, Monte-Carlo."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import plain_shogi

from gotools.game.game import find_game
from gotools.game.learning import MoveFeatures
from gotools.games.shogi.board import write_sfen
from gotools.games.shogi.kernels.values import WORTH
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.values.td.kernels.td import chi

STUDIES = Path(__file__).parents[2] / "examples/studies"

KINDS = [" ", "P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", " ", "+B", "+R"]
"""Pieces of shogi by their numbers."""
Load = Callable[[str, str], Any]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Import a script of a study; its modules are forgotten when the test is over."""
    before = set(sys.modules)

    def script(study: str, name: str) -> Any:
        for folder in (STUDIES, STUDIES / study):
            monkeypatch.syspath_prepend(str(folder))
        return importlib.import_module(name)

    yield script
    for name in set(sys.modules) - before:
        if str(STUDIES) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_the_largest_of_distributions_is_that_of_draws(load: Load) -> None:
    module = load("distributions", "distributions")
    rng = np.random.default_rng(1)
    children = rng.dirichlet(np.ones(len(module.GRID)), 3)
    found = module.largest(children)
    drawn = np.max([rng.choice(len(module.GRID), 200_000, p=p) for p in children], 0)
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(np.bincount(drawn, minlength=len(module.GRID)) / len(drawn), abs=0.005)


def test_what_playouts_leave_open_has_the_mean_of_laplace(load: Load) -> None:
    module = load("distributions", "distributions")
    rows = module.after_playouts(10)
    won = np.arange(21) / 2
    assert rows.sum(1) == pytest.approx(np.ones(21))
    assert rows @ module.GRID == pytest.approx(2 * (won + 1) / 12 - 1, abs=0.01)


def test_values_of_grids_are_the_closed_forms(load: Load) -> None:
    module = load("grid", "grid")
    corner = module.new_world(4, [(3, 3)], {}, 1)
    assert module.evaluated(corner, 5000)[[11, 14]] == pytest.approx([-30, -30])  # a walk comes back after 16 steps
    values, _ = module.optimal(module.new_world(20, [(0, 11)], {}, 10), 0.9)
    steps = np.array([x + abs(y - 11) for y in range(20) for x in range(20)])
    assert values == pytest.approx(-(1 - 0.9**steps) / (1 - 0.9))
    lakes, _ = module.lake_world(np.random.default_rng(1))
    assert module.iterated(lakes, 0.9)[0] == pytest.approx(module.optimal(lakes, 0.9)[0])


def test_sarsa_learns_the_values_of_the_player_that_explores(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("grid", "grid")
    monkeypatch.setattr(module, "EPSILON", 1.0)
    corner = module.new_world(4, [(3, 3)], {}, 1)
    values = np.zeros(16)
    for _ in range(200):
        values = module.backups(corner, values, module.GAMMA).mean(1)
    table, _ = module.learned(corner, 0.02, 1500, np.random.default_rng(1), sarsa=True)
    assert table.mean(1) == pytest.approx(values, rel=0.1)


def test_q_learning_finds_the_best_way(load: Load) -> None:
    module = load("grid", "grid")
    world, _ = module.lake_world(np.random.default_rng(3))
    best, _ = module.optimal(world, module.GAMMA)
    table, _ = module.learned(world, 1.0, 400, np.random.default_rng(4))
    reward, cells = module.way(world, table)
    assert cells[-1] == world.cell(module.TUNNEL) and reward == pytest.approx(best[world.cell(module.START)])


@pytest.mark.parametrize("kappa", [-0.8, 0.0, 0.5])
def test_the_closed_form_of_the_process_is_where_kappas_rule_rests(load: Load, kappa: float) -> None:
    module = load("risk", "risk")
    theta, cost, gamma = 0.3, 2.0, module.GAMMA
    first = module.closed_form(theta, cost, kappa)
    second = first / gamma
    gained, lost = 1 + gamma * second - second, -cost + gamma * first - second
    assert (1 - theta) * chi(gained, kappa) + theta * chi(lost, kappa) == pytest.approx(0)
    assert module.closed_form(theta, module.limit(theta, kappa), kappa) == pytest.approx(0)


def test_gotools_learns_the_process(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("risk", "risk")
    monkeypatch.setattr(module, "GAMES", 200)
    found = module.learned(0.3, 1.0, -0.5, (1, 1))
    assert found == pytest.approx(module.closed_form(0.3, 1.0, -0.5), abs=0.15)
    assert found == module.learned(0.3, 1.0, -0.5, (1, 1))


def test_what_an_expanded_tree_backs_up_is_minimax(load: Load) -> None:
    module, small = load("limits", "expanded"), load("limits", "small_games")
    game = find_game("tictactoe")
    truth = small.Truth(game)

    def minimax(state: Any, depth: int) -> float:
        over = game.outcome(state)
        if over != ONGOING or depth == 0:
            return float(over) if over != ONGOING else float(state[4:].argmax()) / 9
        return max(-minimax(game.play(state, move), depth - 1) for move in game.moves_of(state))

    for state in small.problems(truth, 0, 0, np.random.default_rng(1))[::40]:
        tree = module.Expanded(game, state, 3)
        assert [int(-x) for x in tree.truths(truth)[1][tree.following[0][0]]] == list(truth.moves(state).values())
        values = tree.root_values(tree.estimates(3, lambda leaf: float(leaf[4:].argmax()) / 9), 3)
        assert values.tolist() == [-minimax(game.play(state, move), 2) for move in tree.moves]


def test_lines_and_stones_are_those_counted_on_sets_and_more_of_an_oriented_input_is_better(load: Load) -> None:
    module = load("orientation", "orientation")
    columns = find_game("connect4")
    state = columns.position()
    for move in (3, 3, 4, 0):  # the side that has just moved has stones on D2 and A1, the other one on D1 and E1
        state = columns.play(state, move)
    lines = [
        {(x + i * dx, y + i * dy) for i in range(4)}
        for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1))
        for x in range(7) for y in range(6) if x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
    ]  # fmt: skip
    mine, theirs = {(3, 1), (0, 0)}, {(3, 0), (4, 0)}
    counted, oriented = np.empty(6), np.empty(6)
    module.lines_counted(state, counted)
    module.lines_oriented(state, oriented)
    for a, b, first in ((mine, theirs, 0), (theirs, mine, 3)):
        held = [len(line & a) for line in lines if not line & b]
        assert counted[first : first + 3].tolist() == [held.count(n) for n in (3, 2, 1)]
    assert oriented.tolist() == [*counted[:3], *(69 - counted[3:])]
    go = find_game("go")
    board = go.position(7)
    for text in ("A2", "D4", "B1", "D5"):  # A1 is beside stones of black alone, who is to play
        board = go.play(board, go.parse_move(text, 7))
    module.stones_counted(board, counted)
    assert counted.tolist() == [2, 6, 0, 2, 4, 1]


def test_intervals_of_shares_stay_between_none_and_all(load: Load) -> None:
    module = load("grid", "grid")
    assert module.wilson(0, 30) == pytest.approx((0, 0, 0.1135), abs=1e-4)
    assert f"{100 * module.wilson(0, 7)[1]:.0f}" == "0" and module.wilson(30, 30)[2] <= 1


def test_the_graph_of_pieces_is_that_of_its_slow_twin(load: Load) -> None:
    """In a random game of shogi; the first 38 numbers are those of the package."""
    module, game, rng = load("graph", "graph"), find_game("shogi"), np.random.default_rng(4)
    state, features = game.position(), game.need(MoveFeatures)
    for _ in range(60):
        moves = np.array(game.moves_of(state), np.int32)
        found, usual = (np.zeros((len(moves), count), np.int32) for count in (module.GRAPH, module.PACKAGE))
        assert module.measure(state, moves, len(moves), found) == features.measure(state, moves, len(moves), usual)
        assert (found[:, : module.PACKAGE] == usual).all() and (found <= module.MOST).all()
        row, side, before = int(rng.integers(len(moves))), int(state[TO_PLAY]), state
        state = game.play(state, int(moves[row]))
        first, then = (np.array(graph_of(plain_shogi.read(write_sfen(one)), side)) for one in (before, state))
        changes = np.clip(then - first + module.ZERO, 0, 2 * module.ZERO)
        hanging = np.minimum(then[[2, 5]], module.MOST_HANGING)
        assert found[row, module.PACKAGE :].tolist() == [*changes, *hanging]


def graph_of(position: plain_shogi.Plain, side: int) -> list[int]:
    """Count edges, loose pieces and points around the kings, in the order of the study's CHANGES."""
    board = position.board
    edges = [(board[origin][0], to) for origin in board for to in plain_shogi.reach(board, origin)]
    counts = []
    for owner in (side, 3 - side):
        own = {square: piece for square, (of, piece) in board.items() if of == owner}
        defended, attacked = (
            [to for of, to in edges if (of == owner) == wanted and to in own] for wanted in (True, False)
        )
        loose = [piece for square, piece in own.items() if square in set(attacked) - set(defended) and piece != "K"]
        counts += [len(attacked), len(defended), sum(int(WORTH[KINDS.index(piece)]) for piece in loose)]
    for king_of, by in ((3 - side, side), (side, 3 - side), (side, side)):
        (king,) = (square for square, found in board.items() if found == (king_of, "K"))
        counts.append(sum(of == by and max(abs(to[0] - king[0]), abs(to[1] - king[1])) == 1 for of, to in edges))
    return counts


def test_the_rule_of_abalone_moves_no_points_in_the_mean_where_ratings_are_strengths(load: Load) -> None:
    module = load("ratings", "ratings")
    for one, other in ((1500, 1500), (1900, 1750), (1400, 1800)):
        players = module.Standing(float(one), 40), module.Standing(float(other), 60)
        won, lost = (module.abalone_exchange(*players, score) for score in (1.0, 0.0))
        chance = module.chance(one, other)
        assert chance * won + (1 - chance) * lost == pytest.approx(0)
