"""Speed of shogi on one core: rules, beside the package cshogi in the same run; alpha-beta; mates; clusters.

perft: all sequences of legal moves from the usual position, the last one counted only, as the counts of others are.
Legal moves: of positions of random games; a call of ours from Python takes a microsecond of the time.
Clusters: of the graded games of the tests, several times over, of each winner all moves and as many not played.
"""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _table import ROOT, command_seconds, heading, medians, row
from numpy.typing import NDArray

from gotools.engines.knowledge import built_in_evaluation, find_ordering
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.games.shogi.board import read_sfen, write_sfen
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as k
from gotools.jit import as_value, kernel
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.forcing import Forcing, SoughtGoal
from gotools.search.knowledge import NO_ORDERING, Evaluation

DEPTH = 5
GAMES, PLIES = 20, 150
TIMES = 5
REPEATS = 20
"""How often the moves of each position are listed for a figure."""
SECONDS = 0.5
"""Of thinking for each position that is timed."""
GRADED = ROOT / "tests/shogi_games/games.sgf.gz"
MATES = ROOT / "examples/shogi/mates.sfen"
COPIES = 6
"""Of the graded games, which have 16,700 good moves and bad ones."""
CLUSTERED, TARGET_CLUSTERED = 100_000, 10.0
"""Moves, and seconds for them from the records to the file."""
TARGET_SCORED = 0.3
"""Microseconds for describing and scoring a move."""
SHOGI = find_game("shogi")


@kernel
def list_all(states, moves, repeats):
    """List the legal moves of some positions several times; returns how many moves there were."""
    listed = 0
    for _ in range(repeats):
        for i in range(len(states)):
            listed += k.legal(states[i], moves)
    return listed


@kernel
def score_all(order, states, moves, scores, numbers, repeats):
    """Score the legal moves of some positions several times; returns how many moves there were."""
    scored = 0
    for _ in range(repeats):
        for i in range(len(states)):
            n = k.legal(states[i], moves)
            order(states[i], moves, n, scores, numbers)
            scored += n
    return scored


def main() -> None:
    heading("Shogi, one core")
    states = positions()
    perft()
    legal_moves(states)
    heuristic = SHOGI.find_heuristic()
    assert heuristic is not None
    for name, order in (("", None), (", order captures", "captures")):
        pace = speed(states, order)
        row(f"alpha-beta, {heuristic.name}{name}: positions a second", f"{pace:,.0f}")
    mates()
    clusters(states)


def mates() -> None:
    """Count the mates of examples/shogi that a player plays with a second for each, and alpha-beta alone."""
    lines = [line for line in MATES.read_text(encoding="ascii").splitlines() if line[0] != "#"]
    alone = AlphaBeta(SHOGI, NO_ORDERING, built_in_evaluation(SHOGI), AlphaBetaSettings.of(SHOGI))
    for name, search in (("the player", Forcing(alone, SoughtGoal(SHOGI))), ("alpha-beta alone", alone)):
        found, began = 0, time.monotonic()
        for line in lines:
            state = read_sfen(line)
            search.forget()
            choice = search.choose(state, SHOGI.worthy_moves_of(state), Limits(seconds=1.0))
            found += choice.value >= SHOGI.decided
        taken = (time.monotonic() - began) / len(lines)
        row(f"mates in 3 to 9 plies found in a second, {name}: of {len(lines)}, seconds each", f"{found}, {taken:.2f}")


def positions() -> list[NDArray[np.int32]]:
    """Return the positions of random games while they go on."""
    found = []
    for seed in range(GAMES):
        rng, state = random.Random(seed), SHOGI.position()
        for _ in range(PLIES):
            if not (moves := SHOGI.moves_of(state)):
                break
            found.append(state)
            state = SHOGI.play(state, rng.choice(moves))
    return found


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """Return a function that says how many CPU seconds a call takes."""

    def measure() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return measure


def perft() -> None:
    """Time sequences of moves."""
    start = SHOGI.position()
    counted = k.count_leaves(start, 3)  # compiles
    counted = k.count_leaves(start, DEPTH)
    (seconds,) = medians([timed(lambda: k.count_leaves(start, DEPTH))], TIMES)
    row(f"perft {DEPTH}: sequences a second", f"{counted / seconds:,.0f}", how=f"{counted:,} sequences")


def legal_moves(states: list[NDArray[np.int32]]) -> None:
    """Time the legal moves of positions, ours inside a kernel and from Python, those of cshogi from Python."""
    stacked, moves = np.array(states), np.empty(p.LONGEST, np.int32)
    listed = list_all(stacked, moves, 1)
    works = {
        "in a kernel": timed(lambda: list_all(stacked, moves, REPEATS)),
        "from Python": timed(lambda: [k.legal(state, moves) for _ in range(REPEATS) for state in states]),
        "from Python, as a list": timed(lambda: [SHOGI.moves_of(state) for _ in range(REPEATS) for state in states]),
    }
    try:
        import cshogi
    except ImportError:
        print("  cshogi: skipped, the package is not installed")
    else:
        boards = [cshogi.Board(write_sfen(state)) for state in states]
        theirs = timed(lambda: [list(board.legal_moves) for _ in range(REPEATS) for board in boards])
        works["cshogi, as a list"] = theirs
    for name, seconds in zip(works, medians(list(works.values()), TIMES), strict=True):
        row(f"legal moves of a position, {name}: µs", f"{1e6 * seconds / (REPEATS * len(states)):.2f}")
    print(f"      {len(states):,} positions of {GAMES} random games, {listed / len(states):.1f} moves each")


def clusters(states: list[NDArray[np.int32]]) -> None:
    """Time cluster-moves, and the description and the score of a move by what it has found."""
    with tempfile.TemporaryDirectory() as made:
        games, found = Path(made, "games.sgf"), Path(made, "clusters.tsv")
        games.write_bytes(gzip.decompress(GRADED.read_bytes()) * COPIES)
        command = ["cluster-moves", "--game", "shogi", "--metric", "euclid", "--last", "1", "-q"]
        whole = [sys.executable, "-m", "gotools", *command, str(games), "-o", str(found)]
        seconds = command_seconds(whole)
        seconds = min(seconds, command_seconds(whole))  # the first may compile
        values = dict(line[2:].split("=") for line in found.read_text().splitlines() if "_moves=" in line)
        ordering = find_ordering(str(found), SHOGI)
    moved = sum(map(int, values.values()))
    assert moved >= CLUSTERED
    met = seconds <= TARGET_CLUSTERED
    row(f"clustering {moved:,} moves: s", f"{seconds:.1f}", f"<= {TARGET_CLUSTERED:g}", met, " ".join(command))
    stacked, moves, scores = np.array(states), np.empty(p.LONGEST, np.int32), np.empty(p.LONGEST)
    order, numbers = as_value(ordering.order), ordering.numbers
    scored = score_all(order, stacked, moves, scores, numbers, 1)
    list_all(stacked, moves, 1)
    both, listing = medians(
        [
            timed(lambda: score_all(order, stacked, moves, scores, numbers, REPEATS)),
            timed(lambda: list_all(stacked, moves, REPEATS)),
        ],
        TIMES,
    )
    cost = 1e6 * (both - listing) / (REPEATS * scored)
    row("describing and scoring a move: µs", f"{cost:.2f}", f"<= {TARGET_SCORED:g}", cost <= TARGET_SCORED)


def speed(states: list[NDArray[np.int32]], order: str | None) -> float:
    """Return positions that alpha-beta searches in a second of CPU time, over some positions of random games."""
    heuristic = SHOGI.find_heuristic()
    assert heuristic is not None
    evaluation = Evaluation(heuristic.name, heuristic.evaluate, heuristic.numbers)
    search = AlphaBeta(SHOGI, NO_ORDERING, evaluation, second=find_ordering(order, SHOGI))
    chosen = states[:: len(states) // 8][:8]
    search.choose(chosen[0], SHOGI.moves_of(chosen[0]), Limits(nodes=10))
    nodes, began = 0, time.process_time()
    for state in chosen:
        search.forget()
        nodes += search.choose(state, SHOGI.moves_of(state), Limits(seconds=SECONDS)).nodes
    return nodes / (time.process_time() - began)


if __name__ == "__main__":
    main()
