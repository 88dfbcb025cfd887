"""Order shogi's moves by clusters over three descriptions of a move, and count the positions that searches look at.

    python graph.py games.sgf.gz ratings.tsv -o graph.tsv

The article's 34 numbers; with the four of the package, the pieces that a move protects and leaves (38); and with eleven
of the whole graph in which a piece is joined to each piece that it attacks or defends (49). Every fourth game is
searched, clusters are learned from the others. A row is a description: positions searched over those by killers and
history, all together and as the geometric mean of the positions; the geometric mean over the package's 38 numbers, and
its 95 % interval (positions and seeds of clusters are pairs; the positions are the sample).
"""

from __future__ import annotations

import argparse
import gzip
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

import gotools
from gotools import game as games
from gotools.game.learning import MoveFeatures
from gotools.games.shogi.kernels import move_features as m
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels.shogi import after
from gotools.games.shogi.kernels.values import WORTH
from gotools.games.shogi.move_features import MOVE_FEATURES
from gotools.games.shogi.shogi import SHOGI
from gotools.jit import inner, seam
from gotools.jit.kernels.clusters import score_by_clusters
from gotools.jit.kernels.seams import MEASURE, ORDER, TO_PLAY

CHANGES = ("own_attacked", "own_defended", "own_hanging", "other_attacked", "other_defended", "other_hanging")
CHANGES += ("on_other_king", "on_own_king", "around_own_king")
"""Edges that end on pieces of a side; the worth of its pieces that are attacked and not defended; points next to the
kings that the other side reaches, and that one's own does. All as changes by the move."""
HANGING, ZERO, MOST_HANGING = (2, 5), 10, 40
"""Those two also after the move, up to MOST_HANGING; no change is ZERO, and changes end at 0 and 2 * ZERO."""
ARTICLE, PACKAGE, GRAPH = 34, m.FEATURES, m.FEATURES + 11


@inner
def _count_reach(state, reach):
    """Count in int64[3, cells] how many pieces of each side reach a cell."""
    reach[:] = 0
    for square in range(p.SQUARES):
        cell = p.CELL_OF[square]
        piece = state[p.BOARD + cell]
        side = 1 + (piece > p.OTHER)
        if piece & (p.OTHER - 1) == p.KNIGHT:
            for i in range(2):
                reach[side, cell + p.KNIGHT_JUMPS[side, i]] += 1
        elif piece != 0:
            for d in range(8):
                slides = p.SLIDES[piece] >> d & 1
                if slides or p.STEPS[piece] >> d & 1:
                    at = cell + p.DELTAS[d]
                    reach[side, at] += 1
                    while slides and state[p.BOARD + at] == 0:
                        at += p.DELTAS[d]
                        reach[side, at] += 1


@inner
def _measure_graph(state, side, reach, found):
    """Fill the numbers of CHANGES for a side."""
    _count_reach(state, reach)
    found[:] = 0
    for square in range(p.SQUARES):
        cell = p.CELL_OF[square]
        piece = state[p.BOARD + cell]
        if piece == 0:
            continue
        owner, kind = 1 + (piece > p.OTHER), piece & (p.OTHER - 1)
        at = 0 if owner == side else 3
        found[at] += reach[3 - owner, cell]
        found[at + 1] += reach[owner, cell]
        if kind != p.KING and reach[3 - owner, cell] > 0 and reach[owner, cell] == 0:
            found[at + 2] += WORTH[kind]
    own, other = state[p.KINGS + side - 1], state[p.KINGS + 2 - side]
    for d in range(8):
        near_other, near_own = other + p.DELTAS[d], own + p.DELTAS[d]
        if other > 0 and state[p.BOARD + near_other] != p.WALL:
            found[6] += reach[side, near_other]
        if own > 0 and state[p.BOARD + near_own] != p.WALL:
            found[7] += reach[3 - side, near_own]
            found[8] += reach[side, near_own]


@seam(MEASURE)
def measure(state, moves, n, features):
    """Fill as many features of moves as there is room for; returns the situation."""
    local, count = np.empty((n, PACKAGE), np.int32), features.shape[1]
    stage = m.measure_moves(state, moves, n, local)
    for i in range(n):
        for f in range(min(PACKAGE, count)):
            features[i, f] = local[i, f]
    if count <= PACKAGE:
        return stage
    side, spare, reach = state[TO_PLAY], np.empty(len(state), np.int32), np.zeros((3, p.CELLS), np.int64)
    before, then = np.zeros(9, np.int64), np.zeros(9, np.int64)
    _measure_graph(state, side, reach, before)
    for i in range(n):
        if moves[i] == p.DECLARE:
            features[i, PACKAGE:] = 0
            continue
        after(state, moves[i], spare)
        _measure_graph(spare, side, reach, then)
        for f in range(9):
            features[i, PACKAGE + f] = min(max(then[f] - before[f] + ZERO, 0), 2 * ZERO)
        features[i, PACKAGE + 9], features[i, PACKAGE + 10] = min(then[2], MOST_HANGING), min(then[5], MOST_HANGING)
    return stage


def _order_over(count: int) -> Any:
    """Return the function that orders by clusters over the first features."""

    @seam(ORDER)
    def order(state, moves, n, scores, numbers):  # type: ignore[no-untyped-def]
        features = np.empty((n, count), np.int32)
        stage = measure(state, moves, n, features)
        score_by_clusters(features, n, stage, numbers, scores)

    return order


NAMES = (*MOVE_FEATURES.names, *(f"{name}_change" for name in CHANGES), *(f"{CHANGES[at]}" for at in HANGING))
MOST = (*MOVE_FEATURES.most, *[2 * ZERO] * len(CHANGES), *[MOST_HANGING] * len(HANGING))
ORDER_34, ORDER_38, ORDER_49 = map(_order_over, (ARTICLE, PACKAGE, GRAPH))
FEATURES_34, FEATURES_38, FEATURES_49 = (
    MoveFeatures(NAMES[:count], MOST[:count], MOVE_FEATURES.stages, measure, order)
    for count, order in ((ARTICLE, ORDER_34), (PACKAGE, ORDER_38), (GRAPH, ORDER_49))
)
GAME_34, GAME_38, GAME_49 = (
    replace(SHOGI, traits={**SHOGI.traits, "MoveFeatures": f"{__name__}:FEATURES_{count}"})
    for count in (ARTICLE, PACKAGE, GRAPH)
)


def searched(count: int, words: argparse.Namespace, folder: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return float64[positions, 1 + seeds], positions searched by history and by clusters of each seed; and seconds."""
    games.GAMES["shogi"] = f"{__name__}:GAME_{count}"
    orders = []
    for seed in range(words.seed, words.seed + words.seeds):
        clusters = gotools.cluster_moves(
            [folder / "learn.sgf"], game="shogi", ratings=words.ratings, good_above="0", bad_below="0", k=words.k,
            metric="euclid", seed=seed, report=lambda _: None,
        )  # fmt: skip
        orders.append(folder / f"clusters-{count}-{seed}.tsv")
        gotools.save(clusters, orders[-1])
    found = gotools.compare_orders(
        [folder / "test.sgf"], orders, game="shogi", depth=words.depth, deepening=words.deepening,
        quiescence=6 if words.deepening else 0, positions=words.positions, report=lambda _: None,
    )  # fmt: skip
    nodes = np.array([[one.nodes for one in position] for position in found.searches], np.float64)
    return nodes, np.array([total.seconds for total in found.totals])


def main() -> None:
    parser = argparse.ArgumentParser(description="Count positions searched in orders over three descriptions of moves.")
    parser.add_argument("records", type=Path)
    parser.add_argument("ratings", type=Path)
    for name, default in (("depth", 4), ("deepening", 0), ("positions", 40), ("k", 20), ("seed", 0), ("seeds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    texts = re.findall(r"\(;FF.*?(?=\(;FF|\Z)", gzip.decompress(words.records.read_bytes()).decode(), re.DOTALL)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "test.sgf").write_text("".join(texts[::4]), encoding="utf-8")
        (folder / "learn.sgf").write_text("".join(t for at, t in enumerate(texts) if at % 4), encoding="utf-8")
        results = {count: searched(count, words, folder) for count in (ARTICLE, PACKAGE, GRAPH)}
    lines = ["numbers\tpositions\tall\tmean\tover_38\tlow\thigh\tseconds"]
    base = np.log(results[PACKAGE][0][:, 1:])
    for count, (nodes, seconds) in results.items():
        together = nodes[:, 1:].sum(0).mean() / nodes[:, 0].sum()
        mean = np.exp((np.log(nodes[:, 1:]) - np.log(nodes[:, :1])).mean())
        pairs = (np.log(nodes[:, 1:]) - base).mean(1)
        half = t.ppf(0.975, len(pairs) - 1) * pairs.std(ddof=1) / len(pairs) ** 0.5
        paired = [f"{np.exp(pairs.mean() + part):.3f}" for part in (0, -half, half)]
        figures = [f"{together:.3f}", f"{mean:.3f}", *paired, f"{seconds[1:].mean() / seconds[0]:.2f}"]
        lines.append("\t".join([str(count), str(len(nodes)), *figures]))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
