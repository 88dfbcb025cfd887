"""Evaluations a second for each set of features, from scratch, and how long one takes beside a light play-out.

Random games are played again move by move, by copying and playing as a search does. The time of the same games without
evaluations is taken off. All rows come in turn, several rounds, so that a busy machine is unfair to none: the shares of
a play-out are steadier than the figures.
"""

from __future__ import annotations

import statistics
import time
from typing import Any, NamedTuple

import numpy as np
from _table import heading, row
from numba import types
from numpy.typing import NDArray

from gotools.game.game import Game, find_game
from gotools.game.learning import FeatureSet, Grid
from gotools.games.go.kernels.playouts import play_out
from gotools.games.go.kernels.rules import area_score
from gotools.jit import seam
from gotools.jit.kernels.basics import seed_random
from gotools.jit.kernels.seams import AFTER, EVALUATE, FLOATS, PLAYOUT, RANDOM, START
from gotools.values.td.perceptrons import new_numbers, parse_architecture
from gotools.values.td.shapes import shapes_of

GAMES = {"go": 100, "connect4": 1000, "tictactoe": 3000}
LONGEST = 1200
SEED = 1
TIMES = 15
THESIS8_EVALUATIONS = 1_200_000
"""What 300 training games a second at 1 ply come to, on 9x9."""

_MOVES = types.int32[:, ::1]
_BOARDS = types.int32[:, ::1]


class Subject(NamedTuple):
    """Something to be timed."""

    name: str
    evaluate: Any
    numbers: NDArray[np.float64]
    target: int = 0


@seam(EVALUATE)
def nothing(state, numbers):
    return 0.0


@seam(PLAYOUT)
def light_game_of_go(state, random, played):
    """Play to the end, all legal moves that fill no own eye alike (bench/board_speed.py)."""
    play_out(state, random, played, False)
    return float(area_score(state))


@seam(types.void(types.FunctionType(START), types.FunctionType(PLAYOUT), types.int64, RANDOM, types.int32[::1], _MOVES))
def play_games(start, playout, size, random, state, moves):
    """Play a game into each row of moves: their number, then the moves."""
    for game in range(len(moves)):
        start(state, size)
        playout(state, random, moves[game])


@seam(
    types.float64(
        types.FunctionType(START),
        types.FunctionType(AFTER),
        types.FunctionType(EVALUATE),
        types.int64,
        _MOVES,
        _BOARDS,
        FLOATS,
    )
)
def replay_games(start, after, evaluate, size, moves, boards, numbers):
    """Play the games again in int32[2, cells] and evaluate each position. Returns the sum of the values."""
    total = 0.0
    for game in range(len(moves)):
        source, target = boards[0], boards[1]
        start(source, size)
        for ply in range(1, moves[game, 0] + 1):
            after(source, moves[game, ply], target)
            total += evaluate(target, numbers)
            source, target = target, source
    return total


def network(features: FeatureSet, text: str, size: int) -> NDArray[np.float64]:
    return new_numbers(parse_architecture(text), features.scales(size), SEED)


def subjects(game: Game) -> list[Subject]:
    """List what is timed for a game."""
    size = game.sizes[0]
    found = []
    for name in game.learning.features:
        features = game.find_features(name)
        for text in ("linear", "mlp:4", "mlp:42") if name == "raw" else ("linear", "mlp:4"):
            target = THESIS8_EVALUATIONS if (name, text) == ("thesis8", "linear") else 0
            found.append(Subject(f"{name}, {text}", features.evaluate, network(features, text, size), target))
    heuristic = game.find_heuristic()
    found.append(Subject(f"heuristic: {heuristic.name}", heuristic.evaluate, heuristic.numbers))
    if game.has(Grid):
        shapes = shapes_of(game, size)
        weights = np.random.default_rng(SEED).normal(0.0, 0.01, shapes.weights)
        found.append(Subject("shapes, from scratch", game.need(Grid).evaluate, shapes.numbers(weights)))
    return found


def measure(game: Game) -> None:
    """Print the rows of a game."""
    size, count = game.sizes[0], GAMES[game.name]
    random = np.zeros(1, np.uint64)
    moves, others = (np.zeros((count, LONGEST), np.int32) for _ in range(2))
    seed_random(random, SEED)
    state, boards = np.zeros(game.cells, np.int32), np.zeros((2, game.cells), np.int32)
    light = light_game_of_go if game.name == "go" else game.playout
    play_games(game.start, light, size, random, state, moves)
    positions = int(moves[:, 0].sum())
    timed = subjects(game)
    seconds: list[list[float]] = [[] for _ in range(len(timed) + 2)]
    for _ in range(TIMES):
        began = time.process_time()
        play_games(game.start, light, size, random, state, others)
        seconds[0].append(time.process_time() - began)
        for i, subject in enumerate([Subject("", nothing, np.zeros(1)), *timed], 1):
            began = time.process_time()
            replay_games(game.start, game.after, subject.evaluate, size, moves, boards, subject.numbers)
            seconds[i].append(time.process_time() - began)
    playout, replay, *rest = (statistics.median(times) for times in seconds)
    one = playout / count
    heading(f"evaluations, {game.name}, size {size}, one core; a light play-out takes {one * 1e6:.2f} us")
    row("copy and play alone", f"{positions / replay:,.0f} a second")
    for subject, time_ in zip(timed, rest, strict=True):
        cost = (time_ - replay) / positions
        speed = 1.0 / cost
        target = f">= {subject.target:,}" if subject.target else ""
        met = speed >= subject.target if subject.target else None
        row(subject.name, f"{speed:,.0f} a second, {cost / one:.3f} play-outs", target, met)
    print(f"      {count:,} random games, {positions:,} positions; medians of {TIMES} in turn")


def main() -> None:
    for name in GAMES:
        measure(find_game(name))


if __name__ == "__main__":
    main()
