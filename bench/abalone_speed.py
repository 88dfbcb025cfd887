"""Speed of Abalone on one core: rules, and alpha-beta with its two evaluations.

perft: all sequences of legal moves from the classical position, the last one played too, not only counted.
Random games: in each position all legal moves are listed and one is played; the moves listed count too.
"""

from __future__ import annotations

import time

import numpy as np
from _table import heading, medians, row
from numpy.typing import NDArray

from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.games.abalone.kernels import rules as k
from gotools.jit import kernel
from gotools.jit.kernels.basics import below, seed_random
from gotools.jit.kernels.seams import ONGOING
from gotools.search.alphabeta import AlphaBeta
from gotools.search.knowledge import NO_ORDERING, Evaluation

DEPTH = 5
GAMES = 2_000
TIMES = 5
MOVES_A_SECOND, POSITIONS_A_SECOND = 1_500_000, 300_000
"""Targets of the issue."""
SECONDS = 0.5
"""Of thinking for each position that is timed."""
ABALONE = find_game("abalone")


@kernel
def perft(ply, depth, states, moves):
    """Play all sequences of `depth` moves from states[ply]; returns how many there are."""
    n, total = k.legal(states[ply], moves[ply]), 0
    for i in range(n):
        k.after(states[ply], moves[ply, i], states[ply + 1])
        total += 1 if depth == 1 else perft(ply + 1, depth - 1, states, moves)
    return total


@kernel
def random_games(count, random, states, moves):
    """Play random games; returns the moves played and the moves listed."""
    played, listed = 0, 0
    for _ in range(count):
        source, target = states[0], states[1]
        k.start(source, k.ROWS)
        while k.outcome(source) == ONGOING:
            n = k.legal(source, moves)
            k.after(source, moves[below(random, n)], target)
            source, target = target, source
            played += 1
            listed += n
    return played, listed


def main() -> None:
    heading("Abalone, one core")
    rules()
    for name in ("", "terminator"):
        heuristic = ABALONE.find_heuristic(name)
        assert heuristic is not None
        pace = speed(AlphaBeta(ABALONE, NO_ORDERING, Evaluation(heuristic.name, heuristic.evaluate, heuristic.numbers)))
        target = POSITIONS_A_SECOND if not name else None
        what = f"alpha-beta, {heuristic.name}: positions a second"
        row(what, f"{pace:,.0f}", f">= {target:,}" if target else "", pace >= target if target else None)


def rules() -> None:
    """Time the rules by themselves."""
    states, moves = np.zeros((DEPTH + 1, k.STATE), np.int32), np.zeros((DEPTH + 1, k.LONGEST), np.int32)
    counts = [0, 0, 0]

    def sequences() -> float:
        k.start(states[0], k.ROWS)
        began = time.process_time()
        counts[0] = perft(0, DEPTH, states, moves)
        return time.process_time() - began

    def games() -> float:
        random = np.zeros(1, np.uint64)
        seed_random(random, 1)
        began = time.process_time()
        counts[1:] = random_games(GAMES, random, states, moves[0])
        return time.process_time() - began

    sequences(), games()  # compiles
    walking, playing = medians([sequences, games], TIMES)
    pace = counts[0] / walking
    row(f"perft {DEPTH}: moves played a second", f"{pace:,.0f}", f">= {MOVES_A_SECOND:,}", pace >= MOVES_A_SECOND)
    row("random games: moves played a second", f"{counts[1] / playing:,.0f}")
    row("random games: moves listed a second", f"{counts[2] / playing:,.0f}")
    print(f"      {counts[0]:,} sequences; {GAMES:,} games, {counts[1]:,} moves; medians of {TIMES} in turn")


def speed(search: AlphaBeta) -> float:
    """Return nodes in a second of CPU time, over the positions of a random game."""
    states = positions()
    search.choose(states[0], ABALONE.moves_of(states[0]), Limits(nodes=10))
    nodes, began = 0, time.process_time()
    for state in states:
        search.forget()
        nodes += search.choose(state, ABALONE.moves_of(state), Limits(seconds=SECONDS)).nodes
    return nodes / (time.process_time() - began)


def positions() -> list[NDArray[np.int32]]:
    """Return every twentieth position of a random game, from the start on, eight in all."""
    random, played = np.zeros(1, np.uint64), np.zeros(200, np.int32)
    seed_random(random, 1)
    ABALONE.playout(ABALONE.position(), random, played)
    states = [ABALONE.position()]
    for move in played[1:141].tolist():
        states.append(ABALONE.play(states[-1], move))
    return states[:141:20]


if __name__ == "__main__":
    main()
