"""Positions that alpha-beta searches with orders learned from records, beside killers and history alone.

python bench/order.py            learns rules first, as bench/strength.py does (some minutes)
python bench/order.py RULES      takes rules.so

200 held-out positions of professional games; all moves that fill no own eye, the built-in evaluation. Clusters are
learned from professional and dan games, `seed` and `weak` also from games of weak players (of ../shared; 20 minutes).
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from _rules import learned
from _table import SHARED, heading, row, skipped

from gotools.cli import run
from gotools.engines.knowledge import built_in_evaluation, clusters_ordering, rules_ordering
from gotools.engines.orders.benchmark import Bench, Total, totals
from gotools.engines.orders.positions import Positions, of_examples
from gotools.engines.orders.settings import ComparisonSettings
from gotools.game.choice import Limits
from gotools.game.examples.loading import load_decisions
from gotools.game.records.selection import Selection
from gotools.game.vocabulary import USUAL_PRUNING
from gotools.games.go.go import GO
from gotools.rules.matching import find_matcher
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_ORDERING

STRONG = [str(SHARED / "data" / name / "train") for name in ("go9-pro", "go9-dan")]
WEAK = [str(SHARED / "data/go9-bands" / name) for name in ("20k", "15k", "10k")]
HELD_OUT = SHARED / "data/go9-pro/valid"
POSITIONS = 200
BUILT_IN = built_in_evaluation(GO)
VARIANTS = {
    "seed": [*STRONG, *WEAK, "--good-above", "1k", "--bad-below", "9k", "--metric", "euclid"],
    "weak": [*STRONG, *WEAK, "--good-above", "1k", "--bad-below", "9k"],
    "clusters": STRONG,
    "euclid": [*STRONG, "--metric", "euclid"],
    "cosine": [*STRONG, "--metric", "cosine"],
    "mahalanobis": [*STRONG, "--metric", "mahalanobis"],
    "stages": [*STRONG, "--stages"],
    "whole game": [*STRONG, "--last", "1"],
    "5 centres": [*STRONG, "--k", "5"],
    "60 centres": [*STRONG, "--k", "60"],
}
"""Options of cluster-moves, by what they try: `clusters` are its defaults."""
MAIN = ("seed", "clusters")


def main(arguments: list[str]) -> None:
    if not HELD_OUT.exists():
        return skipped("orders of moves", str(HELD_OUT))
    every = of_examples(load_decisions([str(HELD_OUT)], GO, Selection(frozenset((9,))), print, lambda: None), 7.5)
    found = every.spread(POSITIONS)
    with tempfile.TemporaryDirectory() as folder:
        files = {name: str(Path(folder) / f"{name.replace(' ', '-')}.tsv") for name in VARIANTS}
        for name, words in VARIANTS.items():
            run(["cluster-moves", *words, "-q", "-o", files[name]])
        rules = arguments[0] if arguments else learned(Path(folder))
        orders = {files[name]: name for name in MAIN} | {rules: "rules", f"{rules}+{files['clusters']}": "both"}
        for depth in (3, 4):
            for deepening in (0, 2, 1):
                how = ComparisonSettings(depth=depth, deepening=deepening)
                table(f"depth {depth}, deepening {deepening}", Bench.of(list(orders), how), found, orders)
        names = {file: name for name, file in files.items()}
        once = ComparisonSettings(depth=3, deepening=0)
        table("what helps: depth 3, deepening 0", Bench.of(list(names), once), found, names)
        for left in (3, 2):
            bench = Bench.of([files["clusters"]], replace(once, order_from=left))
            table(f"asked from {left} plies left on", bench, found, names)
    guided(found.spread(40), rules, files["clusters"])
    return None


def guided(found: Positions, rules: str, clusters: str) -> None:
    """Compare the player that rules guide, six moves at a penalty, with and without clusters behind them."""
    heading("the player of `gtp --rules`, 40 positions, depth 7")
    first, settings = rules_ordering(find_matcher(rules), rules), AlphaBetaSettings(**USUAL_PRUNING._asdict())
    counts = []
    for second in (NO_ORDERING, clusters_ordering(clusters, GO)):
        search = AlphaBeta(GO, first, BUILT_IN, settings, second)
        counts.append(0)
        for state in (found.named(at)[1] for at in range(len(found))):
            search.forget()
            counts[-1] += search.choose(state, GO.worthy_moves_of(state), Limits(depth=7)).nodes
    row("positions with clusters for one without", f"{counts[1] / counts[0]:.3f}")


def table(title: str, bench: Bench, found: Positions, names: dict[str, str]) -> None:
    """Search, and print a row for each order: ratios to history."""
    heading(title)
    columns = " ".join(f"{name:>6}" for name in ("ratio", "mean", "worst", "worse"))
    print(f"  {'order':12} {'nodes':>11} {columns} {'seconds':>8} {'ratio':>6} same")
    for one in totals(list(bench.searches(found, lambda: None))):
        print(_row(one, names.get(one.order, one.order)), flush=True)


def _row(one: Total, name: str) -> str:
    counts = f"{one.nodes:11,} {one.nodes_ratio:6.3f} {one.mean_ratio:6.3f} {one.worst_ratio:6.2f} {one.worse:6}"
    return f"  {name:12} {counts} {one.seconds:8.1f} {one.seconds_ratio:6.3f} {one.same_value} of {one.positions}"


if __name__ == "__main__":
    main(sys.argv[1:])
