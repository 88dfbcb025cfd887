"""Compare two ways to back up what is known of leaves: as distributions, and as their means.

    python distributions.py --positions 200 --playouts 10 --seed 1 -o distributions.tsv

A leaf is estimated in two ways, each a distribution over values from -1 to 1:

    table     how often positions with as many stones and about the same evaluation (open lines in tic-tac-toe, the
              heuristic of the game in Connect-4) are truly won, drawn and lost
    playouts  what some random games leave open of the share that is won: a beta distribution, uniform before the first

The distribution of the best of some moves is that of the largest of independent numbers: the product of what lies below
each (Palay 1985; Baum and Smith 1997); the means take the largest mean, as minimax does. Both then play the move with
the highest mean. A row of distributions.tsv for each game, estimate, depth and way: the share of positions in percent
where the move keeps the best result, equal moves by lot, with the ends of an interval of 95 %; `difference` is that of
distributions less that of means, on the same leaves. One ply deep both are the same.

Positions are those with a right move and a wrong one: all of tic-tac-toe, and quiet ones of Connect-4, where nothing
ends within two plies.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc
from small_games import STONES, State, Truth, connect4_positions, problems, sign, spread, tictactoe_positions

from gotools.game.game import Game, find_game
from gotools.jit.kernels.seams import ONGOING

Floats = NDArray[np.float64]
GRID = np.linspace(-1, 1, 21)
ESTIMATES = ("table", "playouts")
ROOT, TRAINING, BINS = 24, 400, 12
"""Connect-4: stones of the roots; positions of the table for each number of stones, and parts of them."""
DEPTHS = (1, 2, 3, 4)
COLUMNS = ("game", "estimate", "depth", "backed_up", "percent", "low", "high", "positions")


def largest(children: Floats) -> Floats:
    """Return the distributions of the largest of independent numbers.

    children -- float64[n, ..., len(GRID)], the distributions of n numbers
    """
    below = np.prod(np.cumsum(children, -1), 0)
    return np.diff(below, axis=-1, prepend=0.0)


def after_playouts(count: int) -> Floats:
    """Return what so many playouts leave open: a row for each sum of results, from lost throughout to won throughout.

    Sums go in halves: a draw counts as half a victory.
    """
    won = np.arange(2 * count + 1)[:, None] / 2
    edges = np.concatenate([[0.0], (GRID[1:] + GRID[:-1] + 2) / 4, [1.0]])
    return np.asarray(np.diff(betainc(won + 1, count - won + 1, edges)))


class Leaves:
    """Estimates leaves: a row for each of ESTIMATES, a distribution over GRID, of what they are worth to their side."""

    def __init__(self, game: Game, truth: Truth, playouts: int, rng: np.random.Generator) -> None:
        self._game, self._playouts, self._rng = game, playouts, rng
        self._rows = after_playouts(playouts)
        self._edges = dict[int, Floats]()
        self._table = defaultdict[tuple[int, float], Floats](lambda: np.zeros(len(GRID)))
        connect4 = game.name == "connect4"
        self._heuristic = game.find_heuristic() if connect4 else None
        self._inputs = game.find_features("lines")
        every = [s for d in DEPTHS for s in connect4_positions(ROOT + d, TRAINING, rng)] if connect4 else []
        every = every or tictactoe_positions()
        for stones in {int(state[STONES]) for state in every} if connect4 else ():
            values = [self._evaluation(state) for state in every if state[STONES] == stones]
            self._edges[stones] = np.unique(np.quantile(values, np.arange(1, BINS) / BINS))
        for state in every:
            self._table[self._bin(state)][10 + 10 * truth.value(state)] += 1

    def _evaluation(self, state: State) -> float:
        if self._heuristic is not None:
            return float(self._heuristic.evaluate(state, self._heuristic.numbers))
        x = np.zeros(len(self._inputs.labels(3)))
        self._inputs.inputs(state, x)
        return float(x.sum())

    def _bin(self, state: State) -> tuple[int, float]:
        value, stones = self._evaluation(state), int(state[STONES])
        if stones in self._edges:
            value = float(np.searchsorted(self._edges[stones], value))
        return stones, value

    def of(self, state: State) -> Floats:
        """Return the estimates of a position that is not over."""
        table = self._table[self._bin(state)]
        random, played = self._rng.integers(1, 2**63, 1).astype(np.uint64), np.empty(64, np.int32)
        results = [sign(self._game.playout(state.copy(), random, played)) for _ in range(self._playouts)]
        return np.stack([table / table.sum(), self._rows[sum(results) + self._playouts]])


def searched(game: Game, state: State, depth: int, leaves: Leaves, known: dict[bytes, Floats]) -> Floats:
    """Return what a position is worth to its side: for each estimate the distribution, and behind it minimax's value.

    known -- what is known of this search, by the position
    """
    over, key = game.outcome(state), state.tobytes()
    if over != ONGOING:
        sure = (np.round(10 * GRID) == 10 * sign(over)).astype(float)
        return np.tile(np.append(sure, sign(over)), (len(ESTIMATES), 1))
    if key not in known:
        if depth == 0:
            found = leaves.of(state)
            known[key] = np.column_stack([found, found @ GRID])
        else:
            children = [searched(game, game.play(state, m), depth - 1, leaves, known) for m in game.moves_of(state)]
            each = np.array(children)
            known[key] = np.column_stack([largest(each[:, :, -2::-1]), (-each[:, :, -1]).max(0)])
    return known[key]


def kept(worth: Floats, right: list[bool]) -> float:
    """Return the chance that one of the best moves, by lot, is right."""
    best = worth >= worth.max() - 1e-9
    return float(np.mean(np.array(right)[best]))


def shares(game: Game, state: State, depth: int, leaves: Leaves, truth: Truth) -> Floats:
    """Return how often the moves chosen keep the best result: for each estimate by distributions, and by means."""
    values = truth.moves(state)
    known = dict[bytes, Floats]()
    found = np.array([searched(game, game.play(state, move), depth - 1, leaves, known) for move in values])
    right = [value == max(values.values()) for value in values.values()]
    by = (-(found[:, :, :-1] @ GRID), -found[:, :, -1])
    return np.array([[kept(each[:, i], right) for each in by] for i in range(len(ESTIMATES))])


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare distributions with their means.")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    lines = ["\t".join(COLUMNS)]
    for name in ("tictactoe", "connect4"):
        game, rng = find_game(name), np.random.default_rng(words.seed)
        truth = Truth(game)
        leaves = Leaves(game, truth, words.playouts, rng)
        roots = problems(truth, ROOT, words.positions, rng)
        differences = []
        for depth in DEPTHS:
            found = 100 * np.array([shares(game, state, depth, leaves, truth) for state in roots])
            differences.append(found[:, :, 0] - found[:, :, 1])
            for i, estimate in enumerate(ESTIMATES):
                for number, way in enumerate(("distributions", "means")):
                    cells = [f"{min(x, 100):.1f}" for x in spread(found[:, i, number].tolist())]
                    lines.append("\t".join([name, estimate, str(depth), way, *cells, str(len(roots))]))
        for i, estimate in enumerate(ESTIMATES):
            several = {str(depth): each for depth, each in zip(DEPTHS, differences, strict=True) if depth > 1}
            several["2 to 4"] = np.mean(list(several.values()), 0)
            for depths, each in several.items():
                cells = [f"{x:.1f}" for x in spread(each[:, i].tolist())]
                lines.append("\t".join([name, estimate, depths, "difference", *cells, str(len(roots))]))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
