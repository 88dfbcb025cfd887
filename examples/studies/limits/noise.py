"""Choose moves by minimax over values that are true but for noise: how often the move is wrong, by noise and depth.

    python noise.py --positions 60 --noises 200 --seed 1 -o noise.tsv

Leaves are worth their true value and a normal deviate times the noise, a different one for each position; what is over
is known. Games: tic-tac-toe, all positions with a wrong move; Connect-4, quiet ones with 26 stones, where nothing ends
within two plies; and `even`, trees of two moves and 10 plies whose ends are won or lost at random, where the values of
neighbours have nothing in common (Pearl 1980), with the share of lost ends at which the height favours neither side. A
row for each game, noise and depth: the share of wrong moves in percent, with the ends of intervals of 95 % over
positions.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from expanded import Expanded
from numpy.typing import NDArray
from small_games import Truth, problems, spread

from gotools.game.game import find_game
from gotools.jit.kernels import exact

Floats = NDArray[np.float64]
NOISES = (0.5, 1.0, 2.0, 4.0)
DEPTHS = {"tictactoe": (1, 2, 3, 4, 5, 6), "connect4": (1, 2, 3, 4), "even": (1, 2, 3, 4, 5, 6, 7, 8)}
STONES, PLIES, TREES = 26, 10, 2000
LOST = (3 - 5**0.5) / 2
"""Share of lost ends: as many are won one ply above."""


def wrong(values: Floats, right: NDArray[np.bool_]) -> Floats:
    """Return the chance that the best move, equal ones by lot, is wrong; a value for each noise.

    values -- float64[moves, noises]; right -- bool[moves]
    """
    best = values >= values.max(0) - 1e-9
    return np.asarray(1 - (best & right[:, None]).sum(0) / best.sum(0))


def of_game(name: str, count: int, noises: int, rng: np.random.Generator) -> Iterator[tuple[float, int, float]]:
    """Yield noise, depth and share of wrong moves for each position of a game."""
    game = find_game(name)
    truth = Truth(game)
    for root in problems(truth, STONES, count, rng):
        tree = Expanded(game, root, max(DEPTHS[name]))
        truths = tree.truths(truth)
        worth = -truths[1][tree.following[0][0]]
        for depth in DEPTHS[name]:
            deviates = exact.normal(rng, (len(truths[depth]) + 1, noises))[1:]  # there may be none
            for noise in NOISES:
                leaves = truths[depth][:, None] + noise * deviates
                found = wrong(tree.root_values(leaves, depth), worth == worth.max())
                yield noise, depth, float(found.mean())


def of_even_trees(noises: int, rng: np.random.Generator) -> Iterator[tuple[float, int, float]]:
    """Yield the same of trees of two moves, those whose root has a right move and a wrong one."""
    truths = [np.where(rng.random((TREES, 2**PLIES)) < LOST, -1.0, 1.0)]
    for _ in range(PLIES):
        truths.insert(0, (-truths[0]).reshape(TREES, -1, 2).max(2))
    mixed = truths[1][:, 0] != truths[1][:, 1]
    right = (-truths[1][mixed]).argmax(1)
    for depth in DEPTHS["even"]:
        counts = {noise: np.zeros(len(right)) for noise in NOISES}
        for _ in range(max(noises // 20, 1)):
            deviates = exact.normal(rng, truths[depth][mixed].shape)
            for noise in NOISES:
                values = truths[depth][mixed] + noise * deviates
                for _ in range(depth - 1):
                    values = (-values).reshape(len(right), -1, 2).max(2)
                counts[noise] += (-values).argmax(1) != right
        for noise in NOISES:
            for each in counts[noise] / max(noises // 20, 1):
                yield noise, depth, float(each)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count wrong moves by noise and depth.")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--noises", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    lines = ["game\tnoise\tdepth\twrong\tlow\thigh\tpositions"]
    for name in DEPTHS:
        rng = np.random.default_rng(words.seed)
        drawn = (
            of_even_trees(words.noises, rng) if name == "even" else of_game(name, words.positions, words.noises, rng)
        )
        found = dict[tuple[float, int], list[float]]()
        for noise, depth, share in drawn:
            found.setdefault((noise, depth), []).append(100 * share)
        for (noise, depth), each in sorted(found.items()):
            cells = [f"{x:.1f}" for x in spread(each)]
            lines.append("\t".join([name, str(noise), str(depth), *cells, str(len(each))]))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
