"""Compare orders of moves: the same positions searched to the same depth, in each order; positions and time counted.

The first order is always HISTORY, killers and history without any knowledge: what the others are compared with. Those
of BY_VALUE are the limits: the best order and the worst.
"""

from __future__ import annotations

import math
import os.path
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from queue import SimpleQueue
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, nearest, shown
from gotools.base.settings import SettingError
from gotools.engines.knowledge import (
    built_in_evaluation,
    clusters_ordering,
    find_evaluator,
    own_ordering,
    policy_ordering,
    rules_ordering,
)
from gotools.engines.orders.by_value import BY_VALUE, ByValue
from gotools.engines.orders.positions import Positions
from gotools.engines.orders.settings import ComparisonSettings
from gotools.engines.settings import DEFAULT, Selectivity
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import STDIN, head_of
from gotools.game.choice import Limits
from gotools.game.examples.settings import sizes_of
from gotools.game.game import Game, find_game
from gotools.game.table import USUAL
from gotools.game.vocabulary import Vocabulary
from gotools.rules.clauses.rules import check_game
from gotools.rules.matching import find_matcher
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_ORDERING, Evaluation, Ordering
from gotools.work.workers import in_order, threads

HISTORY: Final = "history"
"""The name of the order by killers and history alone."""
AT_ROOT: Final = "@root"
"""Behind the name of an order that orders the root's moves alone."""
CLEARLY_WORSE: Final = 1.05
"""Times as many positions searched as in the order of history."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of one search of one position.

    id, order -- of the position and of the order
    nodes     -- positions looked at; seconds -- of one core; value -- of the position, move -- the best
    """

    id: str
    order: str
    nodes: int
    seconds: float
    value: float
    move: str


@dataclass(frozen=True, slots=True)
class Total:
    """The results of one order over all positions, beside those of history.

    nodes_ratio, seconds_ratio -- of the sums
    mean_ratio, worst_ratio    -- of positions searched: the geometric mean over the positions, and the largest
    worse      -- positions at which it was CLEARLY_WORSE
    same_value -- positions at which it found the same value
    """

    order: str
    positions: int
    nodes: int
    seconds: float
    nodes_ratio: float
    seconds_ratio: float
    mean_ratio: float
    worst_ratio: float
    worse: int
    same_value: int


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """A comparison of orders: its settings, and what they name, loaded.

    game      -- of all positions
    komi      -- of all positions of Go; that of the training where values were learned
    size      -- of the boards that the values are for; None: any
    orders    -- HISTORY, BY_VALUE, names of orders of the game, or files: clusters.tsv, rules.so, rules.pl; two joined
                 by `+`. FILE@root+FILE: the first orders the root's moves, the second those below
    searching -- a search by each order
    selectivity -- widths and penalties are for orders by rules or a policy, selective search and extensions for all but
                 those of BY_VALUE
    """

    game: Game
    settings: ComparisonSettings
    evaluation: Evaluation
    komi: float
    size: int | None
    orders: tuple[str, ...]
    searching: tuple[AlphaBeta, ...]
    selectivity: Selectivity

    @staticmethod
    def of(orders: Sequence[str], settings: ComparisonSettings, game: str = USUAL) -> Bench:
        """Load the orders and the evaluation of a comparison.

        Raises FileFormatError or GotoolsError for a file without values or without an order of the game, SettingError
        for board sizes that the values are not for.
        """
        found, komi, size = find_game(game), settings.komi, None
        evaluation = built_in_evaluation(found)
        if settings.evaluation is not None:
            evaluator = find_evaluator(settings.evaluation, game)
            evaluation = Evaluation(settings.evaluation, evaluator.evaluate, evaluator.numbers, learned=True)
            komi, size = evaluator.weights.komi, evaluator.only_size
        if size is not None and sizes_of(settings.size) - {size}:
            raise SettingError("size", f"{{evaluation}} has weights for {size_text(found, size)}")
        named = tuple(dict.fromkeys((HISTORY, *orders)))
        selectivity = settings.part(Selectivity)
        plain = AlphaBetaSettings.of(
            found,
            selective=False,
            order_from=settings.order_from,
            quiescence=settings.quiescence,
            deepening=settings.deepening,
        )
        searching = tuple(_searching(name, found, evaluation, plain, selectivity) for name in named)
        if selectivity.scores and not any(one.ordering.prunes for one in searching):
            raise GotoolsError("--width and --penalty need an --order that scores moves: rules, or a policy")
        return Bench(found, settings, evaluation, komi, size, named, searching, selectivity)

    @property
    def header(self) -> dict[str, str | float]:
        """Return how positions are searched, for people and programs."""
        how = self.settings
        return {
            "game": self.game.full_name,
            "depth": how.depth,
            "deepening": how.deepening,
            "quiescence": how.quiescence,
            "order_from": how.order_from,
            "evaluation": self.evaluation.name,
            **({"komi": self.komi} if self.game.komi >= 0 else {}),
            **self.selectivity.words,
        }

    def fitting(self, positions: Positions, say: Callable[[str], None]) -> Positions:
        """Return the positions of the board size that the values are for, and say how many others there are.

        Raises FileFormatError where there are only others.
        """
        fits = np.ones(len(positions), np.bool_) if self.size is None else positions.sizes == self.size
        if fits.all() or self.size is None:
            return positions
        what = f"weights for {size_text(self.game, self.size)}"
        there = ", ".join(size_text(self.game, size) for size in sorted(set(positions.sizes[~fits].tolist())))
        if not fits.any():
            raise FileFormatError(self.evaluation.name, None, f"{what}; all positions are {there}")
        say(f"{self.evaluation.name}: {what}; left out {int((~fits).sum()):,} positions of {there}")
        return positions.take(np.flatnonzero(fits))

    def searches(
        self, positions: Positions, advance: Callable[[], None], jobs: int = 1
    ) -> Iterator[list[SearchResult]]:
        """Search each position in every order; yields a position's searches, in the order of `orders`.

        jobs -- threads, one for a position; seconds are those of the thread

        Raises GotoolsError for an impossible position. An exception, such as KeyboardInterrupt, ends all searches.
        """
        _, warm = positions.named(0)
        for search in self.searching:  # the first call may compile
            search.choose(warm, self.game.worthy_moves_of(warm), Limits(nodes=1))
        sets = [self.searching, *(tuple(search.twin() for search in self.searching) for _ in range(jobs - 1))]
        free, over = SimpleQueue[tuple[AlphaBeta, ...]](), Event()
        for some in sets:
            free.put(some)

        def one(number: int) -> list[SearchResult]:
            searching = free.get()
            try:
                (name, state), size = positions.named(number), int(positions.sizes[number])
                each = zip(self.orders, searching, strict=True)
                return [self._search(name, order, search, state, size) for order, search in each if not over.is_set()]
            finally:
                free.put(searching)

        with threads(jobs) as pool:
            try:
                for found in in_order(pool, one, range(len(positions)), jobs):
                    for _ in found:
                        advance()
                    yield found
            finally:
                over.set()
                while free.qsize() < jobs:
                    for search in chain(*sets):  # repeatedly: a search that is just starting resets its stop flag
                        search.stop()
                    time.sleep(0.01)

    def _search(self, name: str, order: str, search: AlphaBeta, state: NDArray[np.int32], size: int) -> SearchResult:
        """Search a position in one order, with nothing remembered from others."""
        search.forget()
        began = time.thread_time()
        choice = search.choose(state, self.game.worthy_moves_of(state), Limits(depth=self.settings.depth))
        seconds = time.thread_time() - began
        return SearchResult(name, order, choice.nodes, seconds, choice.value, self.game.move_text(choice.move, size))


def size_text(game: Game, size: int) -> str:
    """Return the size of a board for people."""
    return game.usual.board.format(size)


def _searching(
    name: str, game: Game, evaluation: Evaluation, settings: AlphaBetaSettings, selectivity: Selectivity
) -> AlphaBeta:
    """Return a search by an order. Raises GotoolsError for a name that is not an order."""
    if name in BY_VALUE:
        return ByValue(game, name, evaluation, settings)
    files = [] if name == HISTORY else name.split("+")
    root = None
    if len(files) == 2 and files[0].endswith(AT_ROOT):
        root = _ordering(files.pop(0).removesuffix(AT_ROOT), game)
    if len(files) > 2 or "" in files:
        raise GotoolsError(f"--order {shown(name)}: one file, or two joined by `+`")
    found = [_ordering(file, game) for file in files]
    if selectivity.scores:
        found.sort(key=lambda ordering: not ordering.prunes)  # the first of two is the one that prunes
    first, second = [*found, NO_ORDERING, NO_ORDERING][:2]
    return AlphaBeta(game, first, evaluation, selectivity.where(game, settings, first.prunes), second, root)


def _ordering(file: str, game: Game) -> Ordering:
    """Return an order of the game by its name, else the ordering of a file, whatever its name.

    Raises FileFormatError for a file without an ordering.
    """
    if file in game.learning.orders:
        return own_ordering(game, file)
    if file == DEFAULT:
        return policy_ordering(find_evaluator(file, game.name), file)
    head = head_of(file)
    kind = kind_of(head)
    missing = file != STDIN and not os.path.isfile(file)
    if kind is Kind.clusters:
        return clusters_ordering(file, game)
    if kind is Kind.weights:
        return policy_ordering(find_evaluator(file, game.name), file)
    if missing:
        known = list(game.learning.orders)
        own = f", and not an order of {game.name}{nearest(file, known)}" if known else ""
        raise FileFormatError(file, None, f"No such file{own}")
    by_rules = game.has(Vocabulary)
    if by_rules and kind in (Kind.rules, Kind.library):
        matcher = find_matcher(file)
        check_game(matcher.rules, game.name, file)
        return rules_ordering(matcher, file)
    raise wrong_kind(file, head, "clusters, rules or a policy (eval.npz)" if by_rules else "clusters")


def totals(searches: Sequence[Sequence[SearchResult]]) -> list[Total]:
    """Return the totals of each order, history first."""
    columns = [list(column) for column in zip(*searches, strict=True)]
    return [_total(column, columns[0]) for column in columns]


def _total(column: list[SearchResult], history: list[SearchResult]) -> Total:
    nodes, seconds = sum(one.nodes for one in column), sum(one.seconds for one in column)
    ratios = [one.nodes / other.nodes for one, other in zip(column, history, strict=True)]
    return Total(
        order=column[0].order,
        positions=len(column),
        nodes=nodes,
        seconds=seconds,
        nodes_ratio=nodes / sum(one.nodes for one in history),
        seconds_ratio=seconds / max(sum(one.seconds for one in history), 1e-9),
        mean_ratio=math.exp(sum(map(math.log, ratios)) / len(ratios)),
        worst_ratio=max(ratios),
        worse=sum(ratio > CLEARLY_WORSE for ratio in ratios),
        same_value=sum(one.value == other.value for one, other in zip(column, history, strict=True)),
    )
