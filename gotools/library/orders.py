"""Orders of moves: learned from good and bad moves, and compared by the work that they save."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gotools.cluster import workers_for
from gotools.errors import GotoolsError
from gotools.go.examples.settings import sizes_of, strength
from gotools.library.arguments import Paths, Report, listed, log
from gotools.library.records import decisions_of
from gotools.phases import UNWATCHED, Watch
from gotools.workers import Workers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.games.good_and_bad import GameMoves
    from gotools.go.examples.table import Examples
    from gotools.learn.clusters.clustering import ClusterSettings, Found
    from gotools.learn.clusters.clusters import Clusters
    from gotools.orders.order_bench import Bench, Search, Total
    from gotools.orders.positions import Positions

Metric = Literal["euclid", "manhattan", "cosine", "mahalanobis"]
"""Ways to measure distances between moves."""


def cluster_moves(
    paths: Paths,
    *,
    good_above: str | None = None,
    bad_below: str | None = None,
    last: float = 0.667,
    k: int = 20,
    starts: int = 8,
    metric: Metric = "manhattan",
    stages: bool = False,
    size: int | Iterable[int] = (),
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    strict: bool = False,
    game: str = "go",
    ratings: str | Path | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Clusters:
    """Learn an order of moves from good and bad ones: centres of both kinds, which `save` writes for players.

    paths      -- game records; of Go also tables of examples, whose labels say which moves are good
    good_above -- rank or rating: moves of winners above it are good; None: of all winners
    bad_below  -- rank: moves of losers below it are bad; None: other legal moves where the good ones were played
    last       -- share of each game, at its end, whose moves count
    k, starts  -- centres of each kind; random starts of k-means, the best of which is kept
    stages     -- centres of their own for opening, middle and end
    jobs       -- threads; they never change a result
    ratings    -- ratings.tsv, of games other than Go: the ratings of players by their names
    cluster    -- where the starts are made: address or file of dask's scheduler (docs/cluster.md); None: here

    Raises GotoolsError where there are no good or no bad moves.
    """
    _, found = find_clusters(
        paths,
        good_above=good_above,
        bad_below=bad_below,
        last=last,
        k=k,
        starts=starts,
        metric=metric,
        stages=stages,
        size=size,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        strict=strict,
        game=game,
        ratings=None if ratings is None else str(ratings),
        report=report,
        watch=watch,
    )
    return found.clusters


def find_clusters(
    paths: Paths,
    *,
    good_above: str | None,
    bad_below: str | None,
    last: float,
    k: int,
    starts: int,
    metric: str,
    stages: bool,
    size: int | Iterable[int],
    seed: int,
    jobs: int,
    cluster: str | None,
    strict: bool,
    game: str,
    ratings: str | None,
    report: Report,
    watch: Watch,
) -> tuple[Examples | GameMoves, Found]:
    """Do what `cluster_moves` does; return the moves as well, and which of them are typical of their centres."""
    from gotools.game import find_game
    from gotools.games.good_and_bad import GoodBadChoice, good_and_bad_of_game, read_ratings
    from gotools.go.examples.good_and_bad import GoodBadSelection, good_and_bad
    from gotools.learn.clusters.clustering import ClusterSettings

    if not 0 < last <= 1:
        raise GotoolsError(f"the share of each game to learn from is above 0, up to 1; not {last}")
    limits = {"good_above": good_above, "bad_below": bad_below}
    made = {name: text for name, text in limits.items() if text is not None}
    made |= {"last": f"{last:g}", "k": str(k), "starts": str(starts), "seed": str(seed)}
    settings = ClusterSettings(k=k, metric=metric, starts=starts, seed=seed)
    with workers_for(1, cluster, report) as workers:
        if game != "go":
            if size:
                raise GotoolsError("sizes of boards are chosen among games of Go")
            rated = None if ratings is None else read_ratings(ratings)
            choice = GoodBadChoice(good_above, bad_below, last, seed, rated)
            moves = good_and_bad_of_game(listed(paths), find_game(game), choice, report, watch.advance, strict)
            return moves, _clusters_of_game(moves, settings, made, stages, jobs, watch, workers)
        if ratings is not None:
            raise GotoolsError("ratings are of games other than Go, whose records have ranks")
        selection = GoodBadSelection(
            good_above=strength(good_above),
            bad_below=strength(bad_below),
            last=last,
            sizes=sizes_of(size),
            seed=seed,
        )
        rows = good_and_bad(listed(paths), selection, report, watch.advance, strict)
        return rows, _clusters(rows, settings, made, stages, jobs, watch, workers)


def _clusters(
    rows: Examples,
    settings: ClusterSettings,
    made: dict[str, str],
    stages: bool,
    jobs: int,
    watch: Watch,
    workers: Workers | None,
) -> Found:
    from gotools.go.as_game import GO
    from gotools.go.inputs.move_features import MOVE_FEATURES, describe
    from gotools.go.points import vertex
    from gotools.learn.clusters.clustering import Moves, cluster_moves

    def move_id(row: int) -> str:
        """Name a move; one that was not played has the number of the move that was."""
        place = rows.names[rows.game[row]] + (f":{rows.ply[row]}" if rows.ply[row] else "")
        return f"{place} {vertex(int(rows.move[row]), int(rows.size[row]))}"

    watch.phase("describing moves")
    features, stage = describe(rows)
    good = rows.label == 1
    moves = Moves(features, good, stage if stages else None, move_id)
    return cluster_moves(moves, MOVE_FEATURES, GO.name, settings, _counted(made, good), jobs, watch, workers)


def _clusters_of_game(
    rows: GameMoves,
    settings: ClusterSettings,
    made: dict[str, str],
    stages: bool,
    jobs: int,
    watch: Watch,
    workers: Workers | None,
) -> Found:
    from gotools.learn.clusters.clustering import Moves, cluster_moves

    vocabulary = rows.game.find_move_features()
    assert vocabulary is not None  # or its moves could not have been described
    moves = Moves(rows.features, rows.good, rows.stage if stages else None, rows.id)
    return cluster_moves(moves, vocabulary, rows.game.name, settings, _counted(made, rows.good), jobs, watch, workers)


def _counted(made: dict[str, str], good: NDArray[np.bool_]) -> dict[str, str]:
    return {**made, "good_moves": str(good.sum()), "bad_moves": str((~good).sum())}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersCompared:
    """How many positions each order has to search.

    totals   -- of each order over all positions; the first is that of killers and history alone
    searches -- of each position, one in each order
    """

    totals: list[Total]
    searches: list[list[Search]]

    def __repr__(self) -> str:
        return f"OrdersCompared(positions={len(self.searches)}, totals={self.totals})"


def compare_orders(
    examples: Examples | Paths,
    orders: Sequence[str | Path],
    *,
    depth: int = 3,
    deepening: int = 1,
    quiescence: int = 6,
    order_from: int = 1,
    evaluation: str | Path | None = None,
    positions: int | None = None,
    komi: float = 7.5,
    jobs: int = 1,
    game: str = "go",
    widths: Sequence[int] | None = None,
    penalty: float | None = None,
    reductions: bool | None = None,
    extensions: int | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> OrdersCompared:
    """Search positions to the same depth in each order of moves, and count the positions that alpha-beta visits.

    examples   -- what `read_examples` returns, or paths for it; counter-examples are skipped. Of another game than Go
                  paths of records: SGF, JSON lines
    orders     -- files: clusters.tsv, rules.so, rules.pl, or two of them joined by `+`; an order that the game has by
                  its name, as "centre" of Connect-4; "perfect", "worst", "minimax": docs/move-order.md
    depth      -- plies; deepening -- from each depth searched to the next; quiescence -- of captures after the last
    order_from -- plies left from which the orders score moves
    evaluation -- eval.npz; None: the built-in one
    positions  -- their number, spread evenly; None: all
    komi       -- of Go
    jobs       -- threads; they change the seconds, never the counts
    widths, penalty -- of the orders by rules or a policy, see `--width` and `--penalty` of gtp; None: every move is
                  searched, and costs nothing
    reductions, extensions -- of all orders but those three; values are then no longer the same

    Raises GotoolsError where there is no position, or a file holds no order.
    """
    from gotools.go.examples.table import Examples
    from gotools.orders.order_bench import Bench, totals
    from gotools.orders.positions import of_examples
    from gotools.player.players import Selectivity

    bench = Bench.of(
        depth,
        [str(order) for order in orders],
        deepening=deepening,
        quiescence=quiescence,
        order_from=order_from,
        weights=None if evaluation is None else str(evaluation),
        komi=komi,
        game=game,
        selectivity=Selectivity(None if widths is None else tuple(widths), penalty, reductions, extensions),
    )
    if game == "go":
        found = of_examples(decisions_of(examples, report, watch), bench.komi)
    elif isinstance(examples, Examples):
        raise GotoolsError(f"examples are of go; name records of {game}")
    else:
        found = positions_of_game(bench, listed(examples), (), report)
    wanted = positions_for(bench, found, positions, report)
    watch.phase("searches", len(wanted) * len(bench.orders))
    searches = list(bench.searches(wanted, watch.advance, jobs))
    return OrdersCompared(totals=totals(searches), searches=searches)


def positions_of_game(
    bench: Bench, paths: Sequence[str], sizes: Collection[int], report: Report, strict: bool = False
) -> Positions:
    """Return the positions in records of a game other than Go; sizes -- of boards, empty: any.

    Raises GotoolsError where there is none.
    """
    from gotools.games.records import decisions
    from gotools.orders.positions import of_decisions

    return of_decisions(list(decisions(paths, bench.game, report, sizes, strict)))


def positions_for(bench: Bench, found: Positions, positions: int | None, report: Report) -> Positions:
    """Return the positions that a comparison searches; so many, spread evenly.

    Raises GotoolsError where there is none.
    """
    fitting = bench.fitting(found, report)
    if not len(fitting):
        raise GotoolsError("no position: not one row of label 1")
    return fitting.spread(positions)
