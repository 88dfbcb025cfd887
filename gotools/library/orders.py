"""Orders of moves: learned from good and bad moves, and compared by the work that they save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError, check_value, with_settings
from gotools.engines.orders.settings import ComparisonSettings
from gotools.game.table import USUAL, plain_name
from gotools.games.go.examples.settings import sizes_of, strength
from gotools.library.arguments import Paths, Report, listed, log
from gotools.library.records import decisions_of
from gotools.values.clusters.settings import ClusterSettings
from gotools.work.cluster import workers_for

if TYPE_CHECKING:
    from gotools.engines.orders.benchmark import Bench, SearchResult, Total
    from gotools.engines.orders.positions import Positions
    from gotools.game.traits import MoveFeatures
    from gotools.games.go.examples.table import Examples
    from gotools.games.good_and_bad import GameMoves
    from gotools.values.clusters.clustering import Found, Moves
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

    paths   -- game records; of Go also tables of examples, whose labels say which moves are good
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
) -> tuple[Examples | GameMoves, Found]:
    """Do what `cluster_moves` does; return the moves as well, and which of them are typical of their centres."""
    from gotools.values.clusters.clustering import cluster_moves as clustered

    with workers_for(1, cluster, report) as workers:
        read = _moves_of_go if game == "go" else _moves_of_game
        rows, moves, vocabulary = read(listed(paths), game, settings, report, watch)
        moves = moves if settings.stages else replace(moves, stage=None)
        limits = {"good_above": settings.good_above, "bad_below": settings.bad_below}
        made = {name: text for name, text in limits.items() if text is not None}
        made |= {"last": f"{settings.last:g}", "k": str(settings.k), "starts": str(settings.starts)}
        made |= {"seed": str(settings.seed), "good_moves": str(moves.good.sum()), "bad_moves": str((~moves.good).sum())}
        return rows, clustered(moves, vocabulary, plain_name(game), settings, made, jobs, watch, workers)


def _moves_of_go(
    paths: list[str], game: str, settings: ClusterSettings, report: Report, watch: Watch
) -> tuple[Examples, Moves, MoveFeatures]:
    from gotools.games.go.examples.good_and_bad import GoodBadSelection, good_and_bad
    from gotools.games.go.inputs.move_features import MOVE_FEATURES, describe
    from gotools.games.go.points import vertex
    from gotools.values.clusters.clustering import Moves

    if settings.ratings is not None:
        raise SettingError("ratings", "of games other than Go, whose records have ranks")
    limits = {name: check_value(name, strength, getattr(settings, name)) for name in ("good_above", "bad_below")}
    selection = settings.part(GoodBadSelection, **limits, sizes=sizes_of(settings.size))
    rows = good_and_bad(paths, selection, report, watch.advance, settings.strict)

    def move_id(row: int) -> str:
        """Name a move; one that was not played has the number of the move that was."""
        place = rows.names[rows.game[row]] + (f":{rows.ply[row]}" if rows.ply[row] else "")
        return f"{place} {vertex(int(rows.move[row]), int(rows.size[row]))}"

    watch.phase("describing moves")
    features, stage = describe(rows)
    return rows, Moves(features, rows.label == 1, stage, move_id), MOVE_FEATURES


def _moves_of_game(
    paths: list[str], game: str, settings: ClusterSettings, report: Report, watch: Watch
) -> tuple[GameMoves, Moves, MoveFeatures]:
    from gotools.game.game import find_game
    from gotools.game.traits import MoveFeatures
    from gotools.games.good_and_bad import GoodBadChoice, good_and_bad_of_game, read_ratings
    from gotools.values.clusters.clustering import Moves

    if settings.size:
        raise GotoolsError("sizes of boards are chosen among games of Go")
    rated = None if settings.ratings is None else read_ratings(settings.ratings)
    choice = settings.part(GoodBadChoice, ratings=rated)
    rows = good_and_bad_of_game(paths, find_game(game), choice, report, watch.advance, settings.strict)
    return rows, Moves(rows.features, rows.good, rows.stage, rows.id), rows.game.need(MoveFeatures)


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

    examples -- what `read_examples` returns, or paths for it; counter-examples are skipped. Of another game than Go
                paths of records: SGF, JSON lines
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
    from gotools.engines.orders.positions import of_decisions, of_examples
    from gotools.game.records.reading import decisions
    from gotools.games.go.examples.table import Examples

    how = bench.settings
    if bench.game.name == "go":
        rows = decisions_of(examples, report, watch, size=how.size, strict=how.strict)
        return of_examples(rows, bench.komi)
    if isinstance(examples, Examples):
        raise GotoolsError(f"examples are of go; name records of {bench.game.name}")
    return of_decisions(list(decisions(listed(examples), bench.game, report, sizes_of(how.size), how.strict)))
