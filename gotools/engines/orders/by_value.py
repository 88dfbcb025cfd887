"""Alpha-beta behind the `Search` interface in an order that is known to be the best or the worst, and minimax.

For comparisons only: the order comes from full searches, whose time counts and whose positions do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.engines.orders.kernels.by_value import PERFECT, WORST, minimax, search_by_value
from gotools.game.choice import Choice, Limits, Report
from gotools.game.game import Game
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings, clear, knowledge_of, reset
from gotools.search.kernels import tables as k
from gotools.search.knowledge import NO_ORDERING, Evaluation

MINIMAX: Final = "minimax"
"""Every line to its end, in place of alpha-beta."""
_WAYS: Final = {"perfect": PERFECT, "worst": WORST}
BY_VALUE: Final = (*_WAYS, MINIMAX)
"""Names of orders: the best move first at every node, the worst first, and minimax, which needs no order."""


class ByValue(AlphaBeta):
    """Search to one depth in an order by exact values; counts the positions of that search alone.

    order    -- of BY_VALUE
    settings -- quiescence, scale and table_bits alone
    """

    def __init__(self, game: Game, order: str, evaluation: Evaluation, settings: AlphaBetaSettings) -> None:
        super().__init__(game, NO_ORDERING, evaluation, settings)
        self._order = order
        self._truth = k.new_tables(game.cells, game.longest, game.moves, settings.table_bits)

    def stop(self) -> None:
        super().stop()
        self._truth.stop[0] = 1

    def twin(self) -> ByValue:
        """Return another search of the same settings, which may run at the same time."""
        return ByValue(self._game, self._order, self._evaluation, self._settings)

    def forget(self) -> None:
        super().forget()
        clear(self._truth)

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Search to the depth of the limits, 1 if they have none; see `Search`. Seconds limit nothing here.

        The value is that of minimax, unless `nodes` or `stop` end the search before it has looked at every move.
        """
        depth, game, tables, truth = limits.depth or 1, self._game, self._tables, self._truth
        tables.moves[0, : len(moves)] = self._prepare(state, moves, limits)
        tables.counters[k.ROOT_BEST] = -1
        reset(truth)
        knowledge = knowledge_of(game, self._evaluation, self._settings.scale)
        if self._order == MINIMAX:
            minimax(0, depth, tables, self._plan, game.rules, knowledge)
        else:
            way, wide = _WAYS[self._order], k.INFINITE
            search_by_value(way, 0, depth, -wide, wide, tables, truth, self._plan, game.rules, knowledge)
        best = int(tables.counters[k.ROOT_BEST])
        whole = not tables.counters[k.STOPPED] and best >= 0
        return Choice(
            move=best if best >= 0 else int(moves[0]),
            value=float(tables.counters[k.ROOT_VALUE]) / k.SCALE,
            line=tuple(int(move) for move in tables.lines[0, : tables.ends[0]]) if whole else (),
            nodes=int(tables.counters[k.NODES]),
            depth=depth if whole else 0,
            reason=f"all {depth} plies, {self._order}",
            options=(),
        )
