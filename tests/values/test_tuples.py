"""N-tuples: found at random, valued, played with and learned, against slow twins; their files."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.game.game import find_game
from gotools.game.learning import TupleBoard
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.library.values import train
from gotools.values.games.match import Searcher, best_moves, ways_to_lose
from gotools.values.games.selfplay import Policy
from gotools.values.settings import Rates
from gotools.values.td.tables import TupleLearner
from gotools.values.td.tuples import parse_tuples, random_tuples, symmetries_of
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import Weights, load_weights, save_weights

CONNECT4, TICTACTOE = find_game("connect4"), find_game("tictactoe")
BOTH = pytest.mark.parametrize("game", [CONNECT4, TICTACTOE], ids=lambda game: game.name)


def learner(game=CONNECT4, count=12, length=4, schedule="coherence", lam=0.5):
    cells = random_tuples(game, game.sizes[0], count, length, 1)
    return TupleLearner(game, game.sizes[0], cells, Rates(alpha=(0.8,), lam=lam, schedule=schedule, step=1))


def cells_of(game, state):
    """The cells from the lowest row, read from the drawing; 3 where the next stone of a column of Connect-4 lies."""
    rows = [[".XO".index(sign) for sign in line if sign in ".XO"] for line in game.draw(state).splitlines()]
    cells = np.array([row for row in rows[::-1] if row])
    if game is CONNECT4:
        for column in range(7):
            cells[:, column][np.flatnonzero(cells[:, column] == 0)[:1]] = 3
    return cells.ravel()


def windows(model):
    """The cells of each window and the tuple that it is an image of."""
    board = model.game.need(TupleBoard)
    rows, columns = board.shape(model.size)
    for image in symmetries_of(rows, columns, board.symmetries):
        for number, row in enumerate(model.tuples.cells):
            yield number, image[row]


@cache
def places_by_pattern(model):
    """The place in the table of each tuple's patterns."""
    board = model.game.need(TupleBoard)
    patterns = [model.tuples.pattern(place, board) for place in range(model.tuples.entries)]
    found = {(number, tuple(states.tolist())): place for place, (number, states) in enumerate(patterns)}
    assert len(found) == model.tuples.entries  # no pattern has two places
    return found


def places(model, state):
    """Where the patterns of a position stand in the table, the obvious way."""
    cells, known = cells_of(model.game, state), places_by_pattern(model)
    return [known[number, tuple(cells[window].tolist())] for number, window in windows(model)]


def value_for_side_1(model, table, state):
    return math.tanh(sum(float(table[int(state[TO_PLAY]) - 1, place]) for place in places(model, state)))


def states_of(game, moves):
    states = [game.position()]
    for move in moves:
        states.append(game.play(states[-1], int(move)))
    return states


@BOTH
def test_tuples_are_connected_and_different_up_to_symmetry(game):
    board = game.need(TupleBoard)
    rows, columns = board.shape(game.sizes[0])
    found = random_tuples(game, game.sizes[0], 8, 4, 3)
    images = symmetries_of(rows, columns, board.symmetries)
    assert len(images) == board.symmetries
    seen: set[tuple[int, ...]] = set()
    for row in found.tolist():
        assert len(set(row)) == 4 and row == sorted(row)
        variants = {tuple(sorted(image[row].tolist())) for image in images}
        assert not variants & seen
        seen |= variants
        reached = {row[0]}
        for _ in row:
            reached |= {
                b for b in row for a in reached
                if abs(a // columns - b // columns) <= 1 and abs(a % columns - b % columns) <= 1
            }  # fmt: skip
        assert reached == set(row)
    assert np.array_equal(found, random_tuples(game, game.sizes[0], 8, 4, 3))
    assert not np.array_equal(found, random_tuples(game, game.sizes[0], 8, 4, 4))


def test_symmetries_are_those_of_the_board():
    square = [image.tolist() for image in symmetries_of(3, 3, 8)]
    assert len({tuple(image) for image in square}) == 8
    lines = {frozenset(line) for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))}
    for image in square:  # rows and columns stay lines
        assert {frozenset(image[cell] for cell in line) for line in lines} == lines
    assert symmetries_of(2, 3, 2)[1].tolist() == [2, 1, 0, 5, 4, 3]


@pytest.mark.parametrize("text", ["", "150", "x8", "150x", "0x8", "150x0", "9999x8", "150x13", "1e2x8", "-1x8", "٣x8"])
def test_what_is_no_number_of_tuples(text):
    with pytest.raises(GotoolsError, match="--tuples"):
        parse_tuples(text)


def test_a_board_has_so_many_tuples_and_no_more():
    assert len(random_tuples(TICTACTOE, 3, 3, 1, 0)) == 3  # a corner, an edge, the centre
    with pytest.raises(GotoolsError, match="no 4 different tuples of 1 cells"):
        random_tuples(TICTACTOE, 3, 4, 1, 0)
    with pytest.raises(GotoolsError, match="9 cells"):
        random_tuples(TICTACTOE, 3, 1, 10, 0)


@BOTH
def test_values_of_games_against_the_slow_twin(game):
    model = learner(game)
    model.table[:] = np.random.default_rng(0).normal(0, 0.1, model.table.shape)
    evaluate, numbers = model.evaluation
    games = model.play(None, Policy(epsilon=0.5), 0, 5, 7, 1)
    for moves, length in zip(games.moves, games.lengths, strict=True):
        for state in states_of(game, moves[:length])[:-1]:
            expected = value_for_side_1(model, model.table, state) * (1 if state[TO_PLAY] == 1 else -1)
            assert evaluate(state, numbers) == pytest.approx(expected, abs=1e-6)


@BOTH
def test_moves_are_the_best_ones(game):
    model = learner(game)
    model.table[:] = np.random.default_rng(1).normal(0, 0.1, model.table.shape)
    games = model.play(None, Policy(epsilon=0.3), 0, 20, 7, 1)
    player, explored = Searcher(1, *model.evaluation), 0
    for row in range(20):
        states = states_of(game, games.moves[row, : games.lengths[row]])
        for t, state in enumerate(states[:-1]):
            if games.explored[row, t]:
                explored += 1
            else:
                assert int(games.moves[row, t]) in best_moves(game, player, state)
        value = game.outcome(states[-1])
        assert value != ONGOING
        assert games.outcomes[row] == np.sign(value if states[-1][TO_PLAY] == 1 else -value)
    assert 0 < explored < games.lengths.sum() / 2


def learn_slowly(model, table, steps, games, coherent):
    """One pass over games by the formulas of the module, in float64."""
    alpha, lam = model.rates.alpha[0], model.rates.lam
    for row in range(len(games.lengths)):
        n = int(games.lengths[row])
        states = states_of(model.game, games.moves[row, :n])
        values = [value_for_side_1(model, table, state) for state in states[1:]]
        errors = [0.0] * n
        for t in range(n - 2, -1, -1):
            if games.explored[row, t + 1]:
                sign = 1 if states[t + 1][TO_PLAY] == 1 else -1
                others = []
                for move in model.game.moves_of(states[t + 1]):
                    child = model.game.play(states[t + 1], move)
                    end = model.game.outcome(child)
                    known = end != ONGOING
                    others.append(-np.sign(end) if known else sign * value_for_side_1(model, table, child))
                errors[t] = sign * max(others) - values[t]
            else:
                following = games.outcomes[row] if t == n - 2 else values[t + 1]
                errors[t] = following - values[t] + lam * errors[t + 1]
        for t in range(n - 2, -1, -1):
            side = int(states[t + 1][TO_PLAY]) - 1
            where = places(model, states[t + 1])
            for place in where:
                net, gross = steps[side, place]
                ratio = int(1024 * abs(net) / gross) / 1024 if gross else 1.0
                rate = math.exp(2.7 * (ratio - 1)) if coherent else 1.0
                table[side, place] += rate * alpha / len(where) * errors[t]
                steps[side, place] += errors[t], abs(errors[t])


@BOTH
@pytest.mark.parametrize("schedule", ["coherence", "fixed"])
def test_learning_is_that_of_the_slow_twin(game, schedule):
    model = learner(game, schedule=schedule)
    table, steps = np.zeros(model.table.shape), np.zeros((*model.table.shape, 2))
    for first in range(0, 36, 12):
        games = model.play(None, Policy(epsilon=0.2), first, 12, 5, 1)
        model.learn(games)
        learn_slowly(model, table, steps, games, schedule == "coherence")
    assert np.abs(table).max() > 0.05
    np.testing.assert_allclose(model.table, table, atol=2e-5)


def test_siblings_learn_from_the_best_reply(game=CONNECT4):
    """The table after a game, against the slow twin: first the game itself, then the moves not played, in order."""
    cells = random_tuples(game, 7, 12, 4, 1)
    model = TupleLearner(game, 7, cells, Rates(alpha=(0.8,), lam=0.5, schedule="fixed", step=1), siblings=1.0)
    table, steps = np.zeros(model.table.shape), np.zeros((*model.table.shape, 2))
    for first in range(6):
        games = model.play(None, Policy(epsilon=0.2), first, 1, 5, 1)
        model.learn(games)
        learn_slowly(model, table, steps, games, False)
        for state, move in zip(
            states_of(game, games.moves[0, : games.lengths[0]]), games.moves[0, : games.lengths[0]], strict=False
        ):
            for other in game.moves_of(state):
                child = game.play(state, other)
                if other == move or game.outcome(child) != ONGOING:
                    continue
                sign = 1 if child[TO_PLAY] == 1 else -1
                replies = []
                for reply in game.moves_of(child):
                    end = game.play(child, reply)
                    over = game.outcome(end)
                    replies.append(-np.sign(over) if over != ONGOING else sign * value_for_side_1(model, table, end))
                error = sign * max(replies) - value_for_side_1(model, table, child)
                where = places(model, child)
                for place in where:
                    table[int(child[TO_PLAY]) - 1, place] += 0.8 / len(where) * error
    assert np.abs(table).max() > 0.1
    np.testing.assert_allclose(model.table, table, atol=2e-5)


def test_threads_and_parts_change_nothing():
    model = learner()
    model.table[:] = np.random.default_rng(1).normal(0, 0.1, model.table.shape)
    whole = model.play(None, Policy(), 0, 30, 7, 1)
    for jobs in (2, 3):
        assert all(np.array_equal(a, b) for a, b in zip(whole, model.play(None, Policy(), 0, 30, 7, jobs), strict=True))
    later = model.play(None, Policy(), 20, 10, 7, 1)
    assert np.array_equal(later.moves, whole.moves[20:])


def test_what_is_learned_is_a_mean_of_the_tables_so_far():
    model, tables = learner(TICTACTOE), []
    for first in range(0, 5_120, 256):
        model.learn(model.play(None, Policy(epsilon=0.2), first, 256, 5, 1))
        if first % 1_024 == 768:
            tables.append(model.table.copy())
    shares = np.array([i * (i + 1) * (i + 2) for i in range(1, len(tables) + 1)]) / sum(
        i * (i + 1) * (i + 2) for i in range(1, len(tables) + 1)
    )
    mean = sum(share * table for share, table in zip(shares, tables, strict=True))
    np.testing.assert_allclose(model.arrays["weights"], mean.ravel()[model.arrays["entries"]], atol=1e-6)
    assert np.abs(model.arrays["weights"] - model.table.ravel()[model.arrays["entries"]]).max() > 0.01
    evaluate, numbers = model.evaluation
    for state in states_of(TICTACTOE, [4, 0, 8]):
        expected = value_for_side_1(model, mean, state) * (1 if state[TO_PLAY] == 1 else -1)
        assert evaluate(state, numbers) == pytest.approx(expected, abs=1e-6)


def test_after_a_batch_of_many_games_the_mean_is_the_table():
    model = learner(TICTACTOE)
    model.learn(model.play(None, Policy(epsilon=0.2), 0, 5_000, 5, 1))
    assert np.array_equal(model.arrays["weights"], model.table.ravel()[model.arrays["entries"]])


def trained(path: Path, **settings: Any) -> Any:
    return train(path, referee_games=0, features="tuples", **settings)


def test_a_training_goes_on_as_if_it_had_never_stopped(tmp_path):
    settings = {"game": "connect4", "tuples": "10x5", "checkpoint": 200}
    trained(tmp_path / "whole.npz", games=4_000, **settings)
    trained(tmp_path / "parts.npz", games=2_500, **settings)
    trained(tmp_path / "parts.npz", games=4_000, resume=True, **settings)
    assert (tmp_path / "whole.npz").read_bytes() == (tmp_path / "parts.npz").read_bytes()


def test_a_training_may_begin_with_the_tuples_of_another(tmp_path):
    settings = {"game": "tictactoe", "tuples": "6x4"}
    trained(tmp_path / "a.npz", games=400, **settings)
    trained(tmp_path / "b.npz", games=100, start=tmp_path / "a.npz", **settings)
    with pytest.raises(GotoolsError, match="the tuples are others"):
        trained(tmp_path / "c.npz", games=100, start=tmp_path / "a.npz", seed=1, **settings)


def test_tictactoe_is_never_lost_whatever_the_other_side_plays(tmp_path):
    found = train(tmp_path / "t.npz", game="tictactoe", features="tuples", tuples="1x9", games=40_000, referee_games=0)
    evaluator = Evaluator(load_weights(found.path))
    assert ways_to_lose(TICTACTOE, Searcher(1, evaluator.evaluate, evaluator.numbers)) == []


def test_reasons_add_up_to_the_value(tmp_path):
    found = train(tmp_path / "t.npz", game="connect4", features="tuples", tuples="10x5", games=200, referee_games=0)
    state = states_of(CONNECT4, [3, 3, 2])[-1]
    reasons = found.why(state, 1000)
    assert math.tanh(sum(reason.share for reason in reasons)) == pytest.approx(found.value(state), abs=1e-6)
    assert all(set(reason.what.split(": ")[1]) <= set(".XO_ /") for reason in reasons)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cells": np.array([[0, 42]], np.int32)}, "cells that connect4 does not have"),
        ({"cells": np.zeros((0, 0), np.int32)}, "cells that connect4 does not have"),
        ({"entries": np.array([5, 4], np.int32)}, "ascending order"),
        ({"entries": np.array([-1, 4], np.int32)}, "ascending order"),
        ({"entries": np.array([4, 2 * 3**2], np.int32)}, "ascending order"),
        ({"entries": np.array([1, 2, 3], np.int32)}, "2 weights"),
        ({"cells": np.tile(np.arange(30, 42, dtype=np.int32), (1000, 1))}, "too many"),
    ],
)
def test_a_file_that_does_not_fit_together_is_refused(tmp_path, change, message):
    good = {"cells": np.array([[0, 1]], np.int32), "entries": np.array([1, 17], np.int32)}
    weights = Weights("connect4", 7, 0.0, "tuples", "linear", 1, np.array([0.5, -0.5]), **good | change)
    save_weights(tmp_path / "t.npz", weights)
    with pytest.raises(FileFormatError, match=message):
        load_weights(tmp_path / "t.npz")


def test_the_command_learns_and_says_what_does_not_fit(tmp_path, capfd):
    def train(*words):
        return run(["train-eval", "-q", "-o", str(tmp_path / "t.npz"), *words]), capfd.readouterr().err

    for words, message in (
        (("--features", "tuples"), "go has no tuples"),
        (("--game", "connect4", "--tuples", "9x9"), "--tuples are of --features tuples"),
        (("--game", "connect4", "--features", "tuples", "--tuples", "9"), "--tuples is a number of tuples"),
        (("--game", "connect4", "--features", "tuples", "--kappa", "0.5"), "--kappa means nothing to"),
        (("--game", "connect4", "--features", "tuples", "--method", "evolve"), "learn by --method td"),
        (("--game", "connect4", "--features", "tuples", "--network", "mlp:4"), "with --network linear"),
    ):
        code, err = train(*words)
        assert code == 1 and message in err and len(err.splitlines()) == 1, err
    assert train("--game", "tictactoe", "--features", "tuples", "--tuples", "8x4", "--games", "200") == (0, "")
    assert Path(tmp_path / "t.npz").stat().st_size > 1000
