"""Raw rules of Go on one core: our kernels against C, on the very same random games.

A light play-out is a game from the empty board to its end in which every legal move that fills no own eye is as likely
as any other, with its score. A copy-and-play ply copies the position and makes the next move of such a game on the
copy. board_speed.c draws the same moves by the same generator: plies, scores and hashes of all positions must agree.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _table import heading, row
from numpy.typing import NDArray

from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.playouts import play_out
from gotools.games.go.kernels.rules import HASH_HIGH, HASH_LOW, STATE, TO_PLAY, area_score, copy, pass_turn, put, start
from gotools.jit import kernel
from gotools.jit.kernels.basics import seed_random
from gotools.rules.compiled.build import compiler

SOURCE = Path(__file__).with_suffix(".c")
FLAGS = ["-std=gnu99", "-O3", "-march=native"]
SIZE = 9
GAMES = 20_000
SEED = 1
TIMES = 7
MOST_MOVES = 1200
"""As in board_speed.c: a game that is longer, by a ko of three, ends there."""
PLAYOUTS, PLIES = 50_000, 8_000_000
"""Targets of the issue, a second."""


@kernel
def play_games(size, random, moves):
    """Play len(moves) games; moves[g, 0] becomes the length of game g, its moves follow.

    Returns the sum of the scores.
    """
    state = np.empty(STATE, np.int32)
    score = 0
    for game in range(len(moves)):
        start(state, size)
        play_out(state, random, moves[game], False)
        score += area_score(state)
    return score


@kernel
def replay_games(size, moves, boards):
    """Play the games again, each ply on a copy, in int32[2, STATE]. Returns the sum of the hashes of all positions."""
    total = np.int64(0)
    for game in range(len(moves)):
        source, target = boards[0], boards[1]
        start(source, size)
        for ply in range(1, moves[game, 0] + 1):
            p = moves[game, ply]
            copy(target, source)
            if p == 0:
                pass_turn(target, target[TO_PLAY])
            else:
                put(target, p, target[TO_PLAY])
            total += np.int64(target[HASH_HIGH]) << 32 | np.int64(target[HASH_LOW]) & np.int64(0xFFFFFFFF)
            source, target = target, source
    return total


def main() -> None:
    heading("raw rules, 9x9, one core")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "board_speed"
        subprocess.run([*compiler(), *FLAGS, str(SOURCE), "-o", str(program)], check=True)
        moves = np.zeros((GAMES, MOST_MOVES), np.int32)
        ours(moves)  # compiles
        rounds = [(ours(moves), theirs(program)) for _ in range(TIMES)]
    for our, their in rounds:
        if our[:3] != their[:3]:
            sys.exit(f"the games are not the same: (plies, scores, hashes) {our[:3]}, in C {their[:3]}")
    plies = rounds[0][0][0]
    names = ("light play-outs a second", "copy-and-play plies a second")
    for name, count, at, target in zip(names, (GAMES, plies), (3, 4), (PLAYOUTS, PLIES), strict=True):
        our_speed, their_speed = (count / statistics.median(both[who][at] for both in rounds) for who in (0, 1))
        row(name, f"{our_speed:,.0f}", f">= {target:,}", our_speed >= target)
        row("    the same in C / ours", f"{their_speed:,.0f}, {their_speed / our_speed:.2f} times")
    print(
        f"      {GAMES:,} games, {plies:,} plies, the same moves, scores and hashes in both; medians of {TIMES} in turn"
    )
    print(f"      C by {' '.join([*compiler(), *FLAGS])}")


Figures = tuple[int, int, int, float, float]
"""Plies, sum of the scores, sum of the hashes; CPU seconds of the games, and of playing them again."""


def ours(moves: NDArray[np.int32]) -> Figures:
    random = np.zeros(1, np.uint64)
    seed_random(random, SEED)
    began = time.process_time()
    score = play_games(SIZE, random, moves)
    played = time.process_time()
    total = replay_games(SIZE, moves, np.zeros((2, k.STATE), np.int32))
    ended = time.process_time()
    return int(moves[:, 0].sum()), int(score), int(total) % 2**64, played - began, ended - played


def theirs(program: Path) -> Figures:
    done = subprocess.run([program, str(SIZE), str(GAMES), str(SEED)], check=True, capture_output=True, text=True)
    plies, score, total, *seconds = done.stdout.split()
    return int(plies), int(score), int(total, 16), float(seconds[0]), float(seconds[1])


if __name__ == "__main__":
    main()
