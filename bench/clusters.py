"""Clusters of moves: how long `gotools cluster-moves` takes, and what a move costs to score.

Moves are those of the games beside the project where they are there, else of examples/; bad ones, and what is wanting
to good ones, are legal moves that were not played. The table is made before the clock runs; the command is timed with
its start, on kernels that are compiled.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _table import ROOT, SHARED, heading, row
from numba import types
from numpy.typing import NDArray

from gotools.files.opening import open_output
from gotools.game.examples.examples import write_examples
from gotools.game.examples.gather import Gathering
from gotools.game.examples.negatives import unplayed_moves
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.go import GO
from gotools.games.go.inputs.move_features import MOVE_FEATURES
from gotools.games.go.kernels import rules as k
from gotools.jit import seam
from gotools.jit.kernels.seams import INTEGERS, ORDER
from gotools.values.clusters.clusters import METRICS, packed
from gotools.values.clusters.clusters_file import load_clusters

SECONDS = 10.0
NANOSECONDS = 200.0
POSITIONS = 2000
TIMES = 15
SEED = 1


class Cost(NamedTuple):
    """What a command took, start included."""

    cpu: float
    wall: float
    megabytes: float


@seam(
    types.void(
        types.FunctionType(ORDER),
        types.int32[:, ::1],
        types.int32[:, ::1],
        types.int32[::1],
        types.float64[::1],
        INTEGERS,
    )
)
def order_all(order, states, moves, counts, scores, numbers):
    """Score the moves of every position."""
    for i in range(len(states)):
        order(states[i], moves[i], counts[i], scores, numbers)


def played_moves() -> GoExamples:
    data = SHARED / "data"
    paths = [data / "go9-pro/train", data / "go9-bands"] if data.exists() else [ROOT / "examples/games"]
    return GoExamples.concat(list(Gathering(paths, GO, Selection(sizes=frozenset({9}))).batches(needed=False)))


def table_of(played: GoExamples, count: int) -> GoExamples:
    """Return so many moves, half of them good."""
    half = count // 2
    rng = np.random.default_rng(SEED)
    chosen = played.take(rng.permutation(len(played))[:half])
    more = unplayed_moves(played, count - len(chosen), rng)
    order = rng.permutation(len(more))
    filled = GoExamples.concat([chosen, more.take(order[: half - len(chosen)])])
    good = replace(filled, label=np.ones(half, np.uint8))
    return GoExamples.concat([good, more.take(order[half - len(chosen) :])])


def cost_of(arguments: list[str]) -> Cost:
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-m", "gotools", *arguments], cwd=ROOT)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024)


def cluster(folder: Path, played: GoExamples, count: int, target: float = 0.0) -> None:
    """Print what the command takes for so many moves, as CPU and wall time."""
    table = folder / "moves.tsv"
    rows = table_of(played, count)
    with open_output(table) as out:
        write_examples(out, rows)
    cost = cost_of(["cluster-moves", str(table), "--last", "1", "-q", "-o", str(folder / "clusters.tsv")])
    figure = f"{cost.cpu:.1f} s CPU, {cost.wall:.1f} s, {cost.megabytes:,.0f} MB"
    met = cost.cpu < target if target else None
    row(f"cluster {len(rows):,} moves, k 20, 8 starts", figure, f"< {target:.0f} s" if target else "", met)


def some_positions(played: GoExamples) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return states of games, and the moves worth searching there with their numbers."""
    chosen = np.random.default_rng(SEED).permutation(len(played))[:POSITIONS]
    states = np.zeros((len(chosen), GO.cells), np.int32)
    moves, counts = np.zeros((len(chosen), GO.longest), np.int32), np.zeros(len(chosen), np.int32)
    for i, at in enumerate(chosen.tolist()):
        size = int(played.size[at])
        k.load(states[i], played.board[at], size)
        states[i, k.TO_PLAY] = played.to_play[at]
        states[i, k.LAST], states[i, k.LAST2] = k.pad(played.last[at], size), k.pad(played.last2[at], size)
        counts[i] = GO.worthy(states[i], moves[i])
    return states, moves, counts


def score(folder: Path, played: GoExamples) -> None:
    """Print what it takes to describe and to score a move, for each metric."""
    states, moves, counts = some_positions(played)
    scores = np.zeros(GO.longest)
    total = int(counts.sum())
    table = folder / "few.tsv"
    with open_output(table) as out:
        write_examples(out, table_of(played, 5000))
    for metric in METRICS:
        file = str(folder / "clusters.tsv")
        cost_of(["cluster-moves", str(table), "--last", "1", "--metric", metric, "-q", "-o", file])
        numbers = packed(load_clusters(file, GO), MOVE_FEATURES)
        seconds = []
        for _ in range(TIMES):
            began = time.process_time()
            order_all(MOVE_FEATURES.order, states, moves, counts, scores, numbers)
            seconds.append(time.process_time() - began)
        cost = statistics.median(seconds) / total * 1e9
        row(f"describe and score a move, {metric}", f"{cost:.0f} ns", f"< {NANOSECONDS:.0f} ns", cost < NANOSECONDS)
    print(f"      {total:,} moves of {len(states):,} positions, 9x9; medians of {TIMES}")


def main() -> None:
    played = played_moves()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        heading(f"clusters of moves, from {len(played):,} played ones; one thread")
        cluster(folder, played, 2000)  # compiles what is not compiled yet
        cluster(folder, played, 100_000, SECONDS)
        cluster(folder, played, 1_000_000)
        score(folder, played)


if __name__ == "__main__":
    main()
