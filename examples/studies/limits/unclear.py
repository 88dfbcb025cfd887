"""Count positions where the best move is unclear to a search, and what it costs to take it as clear.

    python unclear.py --positions 60 --seed 1 -o unclear.tsv

Minimax of some plies values all moves of positions with a wrong move, by open lines in tic-tac-toe and by the heuristic
in Connect-4 (26 stones, nothing ends within two plies). Its error is the root of the mean square of how a move's value
changes when the search goes two plies deeper, so the search is its own judge. A position is unclear if the second best
value is nearer to the best than this error. A row for each game, depth, and `clear` or `unclear`: the share of
positions; how often the best move, equal ones by lot, and a move by lot among all that are nearer than the error, keep
the best result in percent; and the mean loss of result by the best move, in half games. With the ends of intervals of
95 %.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
from expanded import Expanded
from numpy.typing import NDArray
from small_games import State, Truth, problems, spread

from gotools.game.game import Game, find_game

STONES = 26
DEPTHS = (1, 2, 3)
COLUMNS = ("game", "depth", "error", "kind", "count", "share", "best", "best_low", "best_high")
COLUMNS += ("any", "any_low", "any_high", "loss", "loss_low", "loss_high")


def evaluation(game: Game, state: State) -> float:
    """Return the evaluation of a position: between -1 and 1."""
    if game.name == "connect4":
        heuristic = game.find_heuristic()
        assert heuristic is not None
        return float(heuristic.evaluate(state, heuristic.numbers))
    x = np.zeros(2)
    game.find_features("lines").inputs(state, x)
    return float(x.sum()) / 8


def cells(values: NDArray[np.float64], worth: NDArray[np.float64], error: float) -> tuple[bool, float, float, float]:
    """Return whether a position is unclear, the shares of right moves, of the best and of all near it, and the loss."""
    best, near = values >= values.max() - 1e-9, values >= values.max() - error
    right = worth == worth.max()
    loss = worth.max() - worth[best].mean()
    return bool(near.sum() > 1), float(right[best].mean()), float(right[near].mean()), float(loss)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count unclear positions.")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    lines = ["\t".join(COLUMNS)]
    for name in ("tictactoe", "connect4"):
        game, rng = find_game(name), np.random.default_rng(words.seed)
        truth = Truth(game)
        roots = problems(truth, STONES, 2 * words.positions, rng)
        found = []
        for root in roots:
            tree = Expanded(game, root, max(DEPTHS) + 2)
            worth = np.array(list(truth.moves(root).values()), np.float64)
            estimates = [tree.estimates(depth, partial(evaluation, game)) for depth in range(max(DEPTHS) + 3)]
            found.append((worth, [tree.root_values(each, depth) for depth, each in enumerate(estimates) if depth]))
        for depth in DEPTHS:
            changes = np.concatenate([values[depth + 1] - values[depth - 1] for _, values in found])
            error = float(np.sqrt(np.mean(changes**2)))
            rows = [cells(values[depth - 1], worth, error) for worth, values in found]
            for kind in ("clear", "unclear"):
                some = [row[1:] for row in rows if row[0] == (kind == "unclear")]
                if len(some) < 2:
                    continue
                out = [name, str(depth), f"{error:.3f}", kind, str(len(some)), f"{100 * len(some) / len(rows):.0f}"]
                for number, (scale, most) in enumerate(((100, 100.0), (100, 100.0), (1, 2.0))):
                    out += [
                        f"{min(x, most):.{1 if scale > 1 else 3}f}"
                        for x in spread([scale * row[number] for row in some])
                    ]
                lines.append("\t".join(out))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
