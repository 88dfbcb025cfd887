"""Measure what numbers of candidates make of alpha-beta by rules, and put the results of a match beside it.

    python candidates.py GAMES --rules rules.so --widths 4 8 0 --nodes 20000 --match match.json -o candidates.tsv

A row for each number of candidates, 0 for all of them (named all):

    branching  effective branching factor: positions of a search of `depth` plies by deepening, to the power 1 / depth;
               the geometric mean over positions
    same       share of positions at which the move of that search is the one that all candidates find
    plies      finished in `nodes` positions, mean
    score, elo of a match against all candidates; low and high are the ends of intervals of 95 %
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import gotools


def positions(folder: str, count: int, seed: int) -> list[gotools.Board]:
    """Return `count` positions of 9x9 games, with their histories, in which the last move is not a pass.

    They are spread evenly with the seed 0, else drawn at random.
    """
    found = []
    for record in gotools.read_games(folder):
        board = gotools.Board(record.size)
        for colour, point in record.moves.tolist():
            if record.size != 9 or point < 0 or colour != board.to_play:
                break
            found.append(board.copy())
            board.play_point(point, colour)
    count = min(count, len(found))
    if seed:
        return [found[i] for i in np.random.default_rng(seed).permutation(len(found))[:count]]
    return [found[i] for i in np.linspace(0, len(found) - 1, count).round().astype(int)]


def spread(values: list[float]) -> tuple[float, float, float]:
    """Return a mean with the ends of its interval of 95 %."""
    mean, error = float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return mean, mean - error, mean + error


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what numbers of candidates make of alpha-beta.")
    parser.add_argument("games")
    parser.add_argument("--rules", required=True)
    parser.add_argument("--widths", type=int, nargs="+", required=True)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--match", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    boards = positions(words.games, words.positions, words.seed)
    pairings = json.loads(words.match.read_text(encoding="utf-8"))["pairings"]
    results = {pairing["second"]: pairing for pairing in pairings} | {pairing["first"]: None for pairing in pairings}
    every = gotools.Player(rules=words.rules, search="alphabeta", widths=[0], penalty=0.0)
    best = [every.choose(board, depth=words.depth).point for board in boards]
    names = ["candidates", "branching", "branching_low", "branching_high", "same", "plies", "plies_low", "plies_high"]
    names += ["games", "score", "elo", "elo_low", "elo_high"]
    lines = ["\t".join(names)]
    for width in words.widths:
        player = gotools.Player(rules=words.rules, search="alphabeta", widths=[width], penalty=0.0)
        deep = [player.choose(board, depth=words.depth) for board in boards]
        branching = np.exp(spread([float(np.log(move.nodes)) / words.depth for move in deep]))
        same = np.mean([move.point == point for move, point in zip(deep, best, strict=True)])
        plies = spread([float(player.choose(board, nodes=words.nodes).choice.depth) for board in boards])
        cells = [str(width or "all"), *(f"{x:.2f}" for x in branching), f"{same:.3f}", *(f"{x:.2f}" for x in plies)]
        match = results[str(width)]
        if match is None:  # the one that all others play
            cells += ["", "", "0", "0", "0"]
        else:
            elo = match["elo"]
            ends = (-elo["elo"], -elo["high"], -elo["low"])
            cells += [str(match["games"]), f"{1 - match['score']:.3f}", *(f"{x + 0:.0f}" for x in ends)]
        lines.append("\t".join(cells))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
