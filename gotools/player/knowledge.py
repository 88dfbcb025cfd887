"""The seam for knowledge: an ordering scores moves, an evaluation values positions, for either search and any game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game import Game
from gotools.learn.clusters.clusters import packed
from gotools.learn.clusters.clusters_file import load_clusters
from gotools.learn.games.selfplay import Guide
from gotools.patterns.callback import Callback
from gotools.patterns.kernels.order import key_with_last_moves, order_by_rules
from gotools.patterns.matching import Matcher, Native, find_matcher
from gotools.search.kernels.no_knowledge import no_order, no_value


@dataclass(frozen=True, slots=True, eq=False)
class Ordering:
    """A compiled function of the signature ORDER (gotools/kernels/seams.py), and what it has learned.

    name    -- for people
    numbers -- int64[n], handed to the function
    keeps   -- what `numbers` points to and must live as long
    weight  -- what a unit of its scores counts beside history (0 to 1), where moves are ordered and not pruned
    key     -- a function of the signature KEY that tells positions apart by all that the ordering looks at; None where
               the game's does
    """

    name: str
    order: Any
    numbers: NDArray[np.int64]
    keeps: Any = None
    key: Any = None
    weight: float = 0.0

    def check(self) -> None:
        """Raise GotoolsError where rules failed when a search called them: what it found is worth nothing."""
        if isinstance(self.keeps, Callback):
            self.keeps.check()


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """A compiled function of the signature EVALUATE (gotools/kernels/seams.py), and its weights, float64[n]."""

    name: str
    evaluate: Any
    numbers: NDArray[np.float64]


RULES_WEIGHT = 0.1
CLUSTERS_WEIGHT = 0.2
"""Of the scores of rules, in logarithms of odds, and of clusters, in standard deviations."""

NO_ORDERING = Ordering("none", no_order, np.zeros(1, np.int64))
NO_EVALUATION = Evaluation("none", no_value, np.zeros(1))


def rules_ordering(matcher: Matcher, name: str) -> Ordering:
    """Order the moves of Go by rules: a compiled library at full speed, rules.pl through the interpreter."""
    scorer: Native | Callback = matcher if isinstance(matcher, Native) else Callback(matcher)
    return Ordering(
        name, order_by_rules, np.array([scorer.address], np.int64), scorer, key_with_last_moves, RULES_WEIGHT
    )


def clusters_ordering(path: str, game: Game) -> Ordering:
    """Order the moves of a game by clusters of good and bad moves, at any depth.

    Raises FileFormatError for what holds no clusters of this game's moves, GotoolsError for a game without features.
    """
    clusters, features = load_clusters(path, game), game.find_move_features()
    assert features is not None  # or there were no clusters of its moves
    return Ordering(path, features.order, packed(clusters, features), weight=CLUSTERS_WEIGHT)


def rules_guide(path: str, width: int, fee: float) -> Guide:
    """Let rules guide self-play as they guide the search: the best `width` moves, at a fee.

    Raises FileFormatError for what holds no rules.
    """
    matcher = find_matcher(path, None)
    if not isinstance(matcher, Native):
        raise GotoolsError(f"{path}: too slow to learn with; compile the rules first (gotools compile-patterns)")
    ordering = rules_ordering(matcher, path)
    return Guide(matcher.rules.digest, ordering.order, ordering.numbers, width, fee, ordering.keeps)
