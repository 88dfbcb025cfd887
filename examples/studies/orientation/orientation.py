"""Train linear values by self-play from inputs that count, and from the same inputs turned to favour their side.

    python orientation.py --seeds 10 --games 2000 -o orientation.tsv

Two games, six inputs each, for the side that has just moved: three of its own stones, three of the other side's.
`counted` takes all six as they are; `oriented` takes the last three as their complements (the most there can be, less
the number), so that more of any input is better. A row is a game with its inputs, and a kappa: the share of games won
against random play, draws half, its 95 % interval over the seeds, and the effective weights of own threes (own stones
in Go) and of the other side's.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np
from draws import with_interval

from gotools.game.game import Game, find_game
from gotools.game.learning import FeatureSet
from gotools.games.connect4.kernels import rules as c
from gotools.games.go.kernels import rules as g
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS, TO_PLAY
from gotools.values.games.selfplay import Policy, play_against, play_games
from gotools.values.settings import NetworkRates
from gotools.values.td.perceptrons import new_numbers, parse_architecture
from gotools.values.td.td import Learner

KAPPAS: Final = (-1.0, -0.5, 0.0)
KOMI: Final = {"connect4": 0.0, "go": 0.5}
BATCH: Final = 10
"""Games between two updates of the network that plays."""
LINES: Final = np.array(
    [
        sum(1 << (column + i * right) * (c.ROWS + 1) + row + i * up for i in range(4))
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
        for column in range(c.COLUMNS - 3 * right)
        for row in range(c.ROWS)
        if 0 <= row + 3 * up < c.ROWS
    ],
    np.int64,
)
SIZE: Final = 7
"""Of both boards."""
POINTS: Final = SIZE * SIZE


@inner
def _lines(state, x):
    """Count the lines of four with one, two or three stones of one side and none of the other."""
    mover = 3 - state[TO_PLAY]
    own, other = c.stones_of(state, mover), c.stones_of(state, state[TO_PLAY])
    x[:] = 0.0
    for line in LINES:
        mine, theirs = count_bits(own & line), count_bits(other & line)
        if theirs == 0 and 1 <= mine <= 3:
            x[3 - mine] += 1.0
        if mine == 0 and 1 <= theirs <= 3:
            x[6 - theirs] += 1.0


@inner
def _stones(state, x):
    """Count the stones of each side, the empty points beside them, and those beside them alone."""
    size, mover = state[g.SIZE], 3 - state[TO_PLAY]
    x[:] = 0.0
    for point in range(size * size):
        p = g.COLOUR + g.pad(point, size)
        if state[p] != 0:
            x[0 if state[p] == mover else 3] += 1.0
            continue
        mine = theirs = nothing = 0
        for beside in (p - g.STRIDE, p - 1, p + 1, p + g.STRIDE):
            mine += state[beside] == mover
            theirs += state[beside] == 3 - mover
            nothing += state[beside] == 0
        x[1] += mine > 0
        x[4] += theirs > 0
        x[2] += mine > 0 and theirs + nothing == 0
        x[5] += theirs > 0 and mine + nothing == 0


@inner
def _turn(x, most):
    """Replace the other side's inputs by their complements."""
    for i in range(3, 6):
        x[i] = most - x[i]


@seam(INPUTS)
def lines_counted(state, x):
    _lines(state, x)


@seam(INPUTS)
def lines_oriented(state, x):
    _lines(state, x)
    _turn(x, len(LINES))


@seam(INPUTS)
def stones_counted(state, x):
    _stones(state, x)


@seam(INPUTS)
def stones_oriented(state, x):
    _stones(state, x)
    _turn(x, POINTS)


@seam(EVALUATE)
def value_of_lines_counted(state, numbers):
    x = np.empty(6)
    _lines(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def value_of_lines_oriented(state, numbers):
    x = np.empty(6)
    _lines(state, x)
    _turn(x, len(LINES))
    return network_value(x, numbers)


@seam(EVALUATE)
def value_of_stones_counted(state, numbers):
    x = np.empty(6)
    _stones(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def value_of_stones_oriented(state, numbers):
    x = np.empty(6)
    _stones(state, x)
    _turn(x, POINTS)
    return network_value(x, numbers)


def features(kind: str, most: int, inputs: Any, evaluate: Any) -> FeatureSet:
    """Return six inputs, scaled to 1 at most."""
    return FeatureSet(kind, lambda size: tuple("abcdef"), lambda size: np.full(6, 1.0 / most), inputs, evaluate)


CONDITIONS: Final = (
    ("connect4", features("counted", len(LINES), lines_counted, value_of_lines_counted)),
    ("connect4", features("oriented", len(LINES), lines_oriented, value_of_lines_oriented)),
    ("go", features("counted", POINTS, stones_counted, value_of_stones_counted)),
    ("go", features("oriented", POINTS, stones_oriented, value_of_stones_oriented)),
)


def trained(game: Game, features: FeatureSet, kappa: float, seed: int, games: int) -> Learner:
    """Return a learner after self-play."""
    numbers = new_numbers(parse_architecture("linear"), features.scales(SIZE), seed, 0.1)
    learner = Learner(game, features, numbers, NetworkRates(alpha=(0.1,), kappa=kappa), SIZE, KOMI[game.name])
    for first in range(0, games, BATCH):
        learner.learn(
            play_games(game, learner.evaluation, None, Policy(0.1), first, BATCH, seed, SIZE, komi=KOMI[game.name])
        )
    return learner


def row(game: Game, features: FeatureSet, kappa: float, seeds: range, games: int, matches: int) -> str:
    """Train with each seed, play against random moves, and return the line of the table."""
    shares, weights = [], []
    for seed in seeds:
        learner = trained(game, features, kappa, seed, games)
        won, drawn, _ = play_against(game, learner.evaluation, None, matches, seed + 1000, SIZE, komi=KOMI[game.name])
        shares.append(100 * (won + drawn / 2) / matches)
        weights.append(-learner.arrays["weights"][[0, 3]])  # the value is that for the side to play
    mean, low, high = np.clip(with_interval(np.array(shares)), 0, 100)
    own, other = np.mean(weights, axis=0)
    cells = [f"{mean:.1f}", f"{low:.1f}", f"{high:.1f}", f"{own:.2f}", f"{other:.2f}"]
    return "\t".join((f"{game.name} {features.name}", f"{kappa:g}", str(len(seeds)), *cells))


def main() -> None:
    parser = argparse.ArgumentParser(description="Train from inputs that count, and from oriented ones.")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="the first of them")
    parser.add_argument("--games", type=int, default=2000, help="of self-play")
    parser.add_argument("--matches", type=int, default=200, help="games of each seed against random moves")
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    seeds = range(words.seed, words.seed + words.seeds)
    lines = ["inputs\tkappa\tseeds\tshare\tlow\thigh\town\tother"]
    for name, inputs in CONDITIONS:
        for kappa in KAPPAS:
            lines.append(row(find_game(name), inputs, kappa, seeds, words.games, words.matches))
            print(lines[-1], flush=True)
            words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
