"""Alpha-beta behind the `Search` interface: iterative deepening, aspiration windows, limits."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice, Limits, Option, Report
from gotools.game.game import Game
from gotools.game.traits import Selective
from gotools.jit import as_value
from gotools.search.kernels import tables as k
from gotools.search.kernels.alphabeta import search
from gotools.search.kernels.knowledge import mix, no_threat
from gotools.search.kernels.move_order import set_penalties
from gotools.search.kernels.selective import reductions
from gotools.search.knowledge import NO_ORDERING, Evaluation, Ordering

TABLE_BITS = 20
WINDOW = 200_000
"""Half of the aspiration window, in parts of k.SCALE: about two points near an even game of Go."""
DEEPEST = k.DEEPEST - 1
MOST_OPENED = 0.99
"""The largest opened value that is turned back into a tanh: 1, a victory, has no sum."""
FADING = 8
"""History counts this much less in the next selective search of a game."""


@dataclass(frozen=True, slots=True)
class AlphaBetaSettings:
    """How alpha-beta searches.

    widths      -- candidates kept at each depth left, from depth 1 on (the last number holds for all beyond); 0: all
    order_from  -- depth left from which on the orderings score moves
    quiescence  -- plies of captures and saves after the last
    selective   -- leave out and reduce what hardly matters (kernels/selective.py); the value is no longer exactly that
                   of minimax
    skip        -- of a selective search: the move that only changes the side to play (`Selective`), -1 for none
    margin      -- of a selective search: what a ply may change in the value of a position; 0: anything
    extensions  -- most plies by which threats in a line (`Game.threatened`) deepen its search, one for each
    penalty     -- value that a move costs for each unit that its score is below the best one's: a line that the
                   ordering thinks unlikely has to be worth it. 0: scores order and prune only
    deepening   -- plies from each depth that is searched to the next; the order that one finds helps the next. 0: only
                   the wanted depth is searched
    scale       -- what an evaluation of 1 is worth beside decided games (`Game.decided`)
    table_bits  -- the transposition table has 2**table_bits entries of 16 bytes
    """

    widths: tuple[int, ...] = (0,)
    order_from: int = 1
    quiescence: int = 6
    selective: bool = False
    skip: int = -1
    margin: float = 0.0
    extensions: int = 0
    penalty: float = 0.0
    deepening: int = 1
    scale: float = 1.0
    table_bits: int = TABLE_BITS

    @classmethod
    def of(cls, game: Game, **more: Any) -> Self:
        """Return the usual settings of a game, with changes: selective where its moves are known to allow it.

        Threats deepen the selective search alone, where nothing else is said.
        """
        left_out = game.find(Selective)
        usual = {"selective": left_out is not None, "scale": game.decided, **asdict(left_out or Selective())}
        if not more.get("selective", True):
            usual["extensions"] = 0
        return cls(**(usual | more))


def knowledge_of(
    game: Game,
    evaluation: Evaluation,
    scale: float,
    orderings: tuple[Ordering, Ordering] = (NO_ORDERING, NO_ORDERING),
    key: Any = None,
    opens: bool = False,
) -> k.Knowledge:
    """Return what the kernels know beside the rules.

    key   -- distinguishes positions, the game's own where not given
    opens -- values are searched as opened(value) of kernels/tables.py
    """
    return k.Knowledge(
        scorer=orderings[0].scorer,
        second=orderings[1].scorer,
        valuer=evaluation.valuer,
        noisy=as_value(game.noisy),
        threatened=as_value(no_threat if game.threatened is None else game.threatened),
        key=as_value(game.key if key is None else key),
        scale=scale,
        opens=int(opens),
    )


def reset(tables: k.Tables, nodes: int | None = None, fades: bool = False) -> None:
    """Forget all of the last search but the transposition table; nodes -- limit of the next one.

    fades -- history is not forgotten but counts less
    """
    tables.stop[0] = 0
    tables.killers[:] = -1
    tables.history[:] = tables.history // FADING if fades else 0
    tables.counters[:] = 0
    tables.counters[k.NODE_LIMIT] = np.iinfo(np.int64).max if nodes is None else nodes


def clear(tables: k.Tables) -> None:
    """Forget all searches so far."""
    for table in (tables.keys, tables.entries, tables.history):
        table[:] = 0


class AlphaBeta:
    """Alpha-beta over the candidates of an ordering, with an evaluation at the leaves.

    second -- another source of scores, which orders moves and neither prunes nor costs. Where `ordering` prunes or
              costs, its own scores count whole beside it, and not by their weight
    root   -- orders the root's moves in place of both
    threads -- that search the same position and share the transposition table; with more than one the answer depends
              on chance
    """

    def __init__(
        self,
        game: Game,
        ordering: Ordering,
        evaluation: Evaluation,
        settings: AlphaBetaSettings | None = None,
        second: Ordering = NO_ORDERING,
        root: Ordering | None = None,
        threads: int = 1,
    ) -> None:
        self._game, self._ordering, self._evaluation, self._second = game, ordering, evaluation, second
        self._root = root
        self._settings = settings or AlphaBetaSettings()
        widths = self._settings.widths
        every = [widths[min(depth, len(widths)) - 1] for depth in range(1, k.DEEPEST + 1)]
        self._plan = k.Plan(
            widths=np.array([0, *every], np.int64),
            order_from=k.DEEPEST + 1 if ordering is second is NO_ORDERING else self._settings.order_from,
            quiescence=self._settings.quiescence,
            selective=int(self._settings.selective),
            skip=self._settings.skip,
            margin=round(self._settings.margin * self._settings.scale * k.SCALE),
            reductions=reductions(k.DEEPEST) * self._settings.selective,
            extensions=self._settings.extensions,
            penalty=self._settings.penalty * k.SCALE,
            weight=ordering.weight,
            second_weight=second.weight,
        )
        self._prunes = any(widths) or self._settings.penalty > 0
        self._key = ordering.key if self._prunes and ordering.key is not None else game.key
        self._tables = k.new_tables(game.cells, game.longest, game.moves, self._settings.table_bits)
        self._opens = self._settings.selective and self._evaluation.learned
        self._helpers = [self._helper() for _ in range(threads - 1)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    @property
    def ordering(self) -> Ordering:
        """Return the ordering that may prune."""
        return self._ordering

    def stop(self) -> None:
        self._tables.stop[0] = 1

    def twin(self) -> AlphaBeta:
        """Return another search of the same settings, which may run at the same time."""
        return AlphaBeta(self._game, self._ordering, self._evaluation, self._settings, self._second, self._root)

    def _helper(self) -> AlphaBeta:
        """Return another search that shares the transposition table and the end with this one."""
        other, mine = self.twin(), self._tables
        other._tables = other._tables._replace(keys=mine.keys, entries=mine.entries, stop=mine.stop)
        return other

    def forget(self) -> None:
        for one in (self, *self._helpers):
            clear(one._tables)

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Search deeper and deeper until a limit is reached or the result is forced; see `Search`."""
        threads = [*self._helpers, self]
        each = limits if limits.nodes is None else replace(limits, nodes=max(1, limits.nodes // len(threads)))
        *others, root = [one._prepare(state, moves, each) for one in threads]
        began = time.monotonic()
        choice = Choice(
            move=int(root[0]),
            value=0.0,
            line=(int(root[0]),),
            nodes=0,
            depth=0,
            reason="no time to search: the ordering's first move",
            options=(),
        )
        last = min(limits.depth or DEEPEST, DEEPEST)
        step = self._settings.deepening or last
        with self._stopped_after(limits.seconds), self._helped(others):
            for choice in self._deepened(root, range((last - 1) % step + 1, last + 1, step)):
                if report is not None:
                    report(choice)
        for ordering in filter(None, (self._ordering, self._second, self._root)):
            ordering.check()
        nodes = sum(int(one._tables.counters[k.NODES]) for one in threads)
        forced = ", the result is forced" if self._is_forced(choice) else ""
        why = f"searched {choice.depth} plies, {nodes:,} positions in {time.monotonic() - began:.2f} s{forced}"
        return replace(choice, nodes=nodes, reason=why)

    def _deepened(self, root: NDArray[np.int32], depths: Iterable[int]) -> Iterator[Choice]:
        """Search the root at one depth after the other, until the end or a forced result; yield what is found."""
        values: dict[int, int] = {}
        for depth in depths:
            whole = self._search(root, depth, values.get(depth - 2))  # two plies less: the same side moved last
            counters = self._tables.counters
            if counters[k.SEARCHED] == 0 or (not whole and counters[k.ROOT_BEST] < 0):
                return
            choice = self._choice(depth if whole else max(values, default=0))
            values[depth] = int(counters[k.ROOT_VALUE])
            root = self._sorted(root, choice)
            yield choice
            if not whole or self._is_forced(choice):
                return

    @contextmanager
    def _helped(self, roots: Sequence[NDArray[np.int32]]) -> Iterator[None]:
        """Let the helpers search while the block does; every second one is a ply ahead, so that they differ."""
        if self._pool is None:
            yield
            return

        def help_out(number: int) -> None:
            deque(self._helpers[number]._deepened(roots[number], range(2 - number % 2, DEEPEST + 1)), maxlen=0)

        running = [self._pool.submit(help_out, number) for number in range(len(self._helpers))]
        try:
            yield
        finally:
            self.stop()
            for one in running:
                one.result()

    @contextmanager
    def _stopped_after(self, seconds: float | None) -> Iterator[None]:
        """Stop the search that the block makes after some seconds, if it still runs."""
        if seconds is None:
            yield
            return
        timer = threading.Timer(max(seconds, 0.0), self.stop)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _prepare(self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits) -> NDArray[np.int32]:
        """Fill the root, best moves first; returns its moves."""
        tables = self._tables
        reset(tables, limits.nodes, fades=self._settings.selective)
        tables.states[0] = state
        root = np.array(moves, np.int32)
        scores = np.zeros(len(root))
        self._ordering.order(state, root, len(root), scores, self._ordering.numbers)
        set_penalties(tables.penalties[0], root, scores, len(root), self._plan.penalty)
        if self._second is not NO_ORDERING:
            self._second.order(state, root, len(root), tables.second_scores, self._second.numbers)
            weight = 1.0 if self._prunes else self._plan.weight
            mix(scores, tables.second_scores, len(root), weight, self._plan.second_weight)
        if self._root is not None:
            self._root.order(state, root, len(root), scores, self._root.numbers)
        root = root[np.argsort(-scores, kind="stable")]
        tables.counters[k.ROOT_MOVES] = len(root)
        return root

    def _search(self, root: NDArray[np.int32], depth: int, guess: int | None) -> bool:
        """Search the root at one depth: in a window about a guess first; says whether it was done in full."""
        tables, game, counters = self._tables, self._game, self._tables.counters
        orderings = self._ordering, self._second
        knowledge = knowledge_of(game, self._evaluation, self._settings.scale, orderings, self._key, self._opens)
        low, high = (-k.INFINITE, k.INFINITE) if guess is None else (guess - WINDOW, guess + WINDOW)
        while True:  # a value outside the window is only a bound: search again with that side open
            tables.moves[0, : len(root)] = root
            counters[k.ROOT_BEST], counters[k.SEARCHED] = -1, 0
            counters[k.FARTHEST] = depth + self._settings.extensions
            value = search(0, depth, low, high, tables, self._plan, game.rules, knowledge)
            if counters[k.STOPPED]:
                return False
            if low < value < high:
                return True
            low = -k.INFINITE if value <= low else low
            high = k.INFINITE if value >= high else high

    def _is_forced(self, choice: Choice) -> bool:
        """Return whether no deeper search would find another value: a victory that is farther off is worth less."""
        limit = self._settings.scale
        return limit < 1 and abs(choice.value) > limit and not self._prunes

    def _choice(self, depth: int) -> Choice:
        tables, counters = self._tables, self._tables.counters
        best = int(counters[k.ROOT_BEST])
        line = tuple(int(move) for move in tables.lines[0, : tables.ends[0]]) or (best,)
        value = self._value(counters[k.ROOT_VALUE])
        options = []
        for i in range(int(counters[k.SEARCHED])):
            move = int(tables.moves[0, i])
            mine = line if move == best else (move,)
            options.append(Option(move, self._value(tables.root_values[i]), int(tables.root_nodes[i]), 0.0, mine))
        options.sort(key=lambda option: (option.move != best, -option.value, -option.visits))
        return Choice(
            move=best,
            value=value,
            line=line,
            nodes=int(counters[k.NODES]),
            depth=depth,
            reason="",
            options=tuple(options),
        )

    def _value(self, found: int) -> float:
        """Return a value of the search on the scale of the evaluation."""
        value, scale = float(found) / k.SCALE, self._settings.scale
        if not self._opens or abs(value) > scale:  # decided
            return value
        share = min(abs(value / scale), MOST_OPENED)
        return math.copysign(scale * math.tanh(share / (1.0 - share)), value)

    @staticmethod
    def _sorted(root: NDArray[np.int32], choice: Choice) -> NDArray[np.int32]:
        """Put the best move first, then those that took most nodes: they are the hardest to refute."""
        nodes = {option.move: option.visits for option in choice.options}
        return np.array(sorted(root.tolist(), key=lambda m: (m != choice.move, -nodes.get(m, 0))), np.int32)
