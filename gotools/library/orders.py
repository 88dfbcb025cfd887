"""Orders of moves: learned from good and bad moves, and compared by the work that they save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import check_value, with_settings
from gotools.engines.orders.settings import ComparisonSettings
from gotools.game.examples.settings import sizes_of
from gotools.game.table import USUAL, plain_name
from gotools.library.arguments import Paths, Report, listed, log
from gotools.library.records import decisions_of
from gotools.values.clusters.settings import ClusterSettings
from gotools.work.cluster import workers_for

if TYPE_CHECKING:
    from gotools.engines.orders.benchmark import Bench, SearchResult, Total
    from gotools.engines.orders.positions import Positions
    from gotools.game.examples.examples import Examples
    from gotools.game.game import Game
    from gotools.values.clusters.clustering import Found
    from gotools.values.clusters.clusters import Clusters


@with_settings(ClusterSettings)
def cluster_moves(
    paths: Paths,
    *,
    settings: ClusterSettings,
    game: str = USUAL,
    jobs: int = 1,
    cluster: str | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Clusters:
    """Learn an order of moves from good and bad ones: centres of both kinds, which `save` writes for players.

    paths   -- game records, and tables of examples, whose labels say which moves are good
    jobs    -- threads; they never change a result
    cluster -- where the starts are made: address or file of dask's scheduler (docs/cluster.md); None: here

    Raises GotoolsError where there are no good or no bad moves.
    """
    return find_clusters(paths, settings, game, jobs, cluster, report, watch)[1].clusters


def find_clusters(
    paths: Paths,
    settings: ClusterSettings,
    game: str,
    jobs: int,
    cluster: str | None,
    report: Report,
    watch: Watch,
) -> tuple[Examples, Found]:
    """Do what `cluster_moves` does; return the moves as well, and which of them are typical of their centres."""
    from gotools.game.examples.described import described
    from gotools.game.game import find_game
    from gotools.game.learning import MoveFeatures
    from gotools.values.clusters.clustering import Moves
    from gotools.values.clusters.clustering import cluster_moves as clustered

    played = find_game(game)
    vocabulary = played.need(MoveFeatures)
    with workers_for(1, cluster, report) as workers:
        rows = _good_and_bad(listed(paths), played, settings, report, watch)
        watch.phase("describing moves")
        features, stage = described(rows)
        moves = Moves(features, rows.label == 1, stage if settings.stages else None, rows.move_id)
        limits = {"good_above": settings.good_above, "bad_below": settings.bad_below}
        made = {name: text for name, text in limits.items() if text is not None}
        made |= {"last": f"{settings.last:g}", "k": str(settings.k), "starts": str(settings.starts)}
        made |= {"seed": str(settings.seed), "good_moves": str(moves.good.sum()), "bad_moves": str((~moves.good).sum())}
        return rows, clustered(moves, vocabulary, plain_name(game), settings, made, jobs, watch, workers)


def _good_and_bad(paths: list[str], game: Game, settings: ClusterSettings, report: Report, watch: Watch) -> Examples:
    """Return good moves with label 1, bad ones with label 0."""
    from gotools.game.examples.good_and_bad import GoodBadSelection, good_and_bad, read_ratings
    from gotools.game.records.selection import Strengths

    rated = None if settings.ratings is None else read_ratings(settings.ratings)
    strengths = Strengths.of_game(game, rated)
    limits = {name: check_value(name, strengths.limit, getattr(settings, name)) for name in ("good_above", "bad_below")}
    choice = settings.part(GoodBadSelection, **limits, sizes=sizes_of(settings.size), strengths=strengths)
    return good_and_bad(paths, game, choice, report, watch.advance, settings.strict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersCompared:
    """How many positions each order has to search.

    settings -- how positions were searched
    totals   -- of each order over all positions; the first is that of killers and history alone
    searches -- of each position, one in each order
    wanted   -- the number of positions to search, of which Ctrl-C leaves some out
    """

    settings: dict[str, str | float]
    totals: list[Total]
    searches: list[list[SearchResult]]
    wanted: int

    @property
    def whole(self) -> bool:
        """Return whether all positions were searched."""
        return len(self.searches) == self.wanted

    def __repr__(self) -> str:
        return f"OrdersCompared(positions={len(self.searches)}, totals={self.totals})"


@with_settings(ComparisonSettings)
def compare_orders(
    examples: Examples | Paths,
    orders: Sequence[str | Path],
    *,
    settings: ComparisonSettings,
    jobs: int = 1,
    game: str = USUAL,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> OrdersCompared:
    """Search positions to the same depth in each order of moves, and count the positions that alpha-beta visits.

    examples -- what `read_examples` returns, or paths for it; counter-examples are skipped
    orders   -- files: clusters.tsv, rules.so, rules.pl, or two of them joined by `+`; an order that the game has by
                its name, as "centre" of Connect-4; "perfect", "worst", "minimax": docs/move-order.md
    jobs     -- threads; they change the seconds, never the counts

    After Ctrl-C what is returned has the positions searched so far; without any KeyboardInterrupt goes on. Raises
    GotoolsError where there is no position, or a file holds no order.
    """
    from gotools.engines.orders.benchmark import Bench, totals

    bench = Bench.of([str(order) for order in orders], settings, game)
    found = bench.fitting(_positions(bench, examples, report, watch), report)
    if not len(found):
        raise GotoolsError("no position: not one row of label 1")
    found, searches = found.spread(settings.positions), list[list["SearchResult"]]()
    watch.phase("searches", len(found) * len(bench.orders))
    try:
        for one in bench.searches(found, watch.advance, jobs):
            searches.append(one)
    except KeyboardInterrupt:
        if not searches:
            raise
    return OrdersCompared(
        settings={**bench.header, "positions": len(searches)},
        totals=totals(searches),
        searches=searches,
        wanted=len(found),
    )


def _positions(bench: Bench, examples: Examples | Paths, report: Report, watch: Watch) -> Positions:
    """Return all positions. Raises GotoolsError where there is no move."""
    from gotools.engines.orders.positions import of_examples

    how = bench.settings
    rows = decisions_of(examples, report, watch, game=bench.game.full_name, size=how.size, strict=how.strict)
    if rows.of.name != bench.game.name:
        raise GotoolsError(f"examples are of {rows.of.name}, not of {bench.game.name}")
    return of_examples(rows, bench.komi)
