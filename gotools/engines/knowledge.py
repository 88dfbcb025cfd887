"""What a player knows, from files: learned values as evaluators; rules, clusters and policies as orderings."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from gotools.base.errors import GotoolsError
from gotools.engines.settings import DEFAULT
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import head_of
from gotools.game.game import Game, find_game, vocabulary_of
from gotools.game.learning import MoveFeatures, Planes
from gotools.rules.compiled.move_table import packed_rules
from gotools.rules.compiled.native import NativeRules
from gotools.rules.kernels.order import key_with_last_moves, order_by_rules
from gotools.rules.matching import Callback, Matcher, find_matcher
from gotools.search.knowledge import NO_EVALUATION, NO_ORDERING, Evaluation, Ordering
from gotools.values.clusters.clusters import packed
from gotools.values.clusters.clusters_file import load_clusters
from gotools.values.games.selfplay import Guide
from gotools.values.weights.evaluator import Evaluator, load_evaluator

DEFAULTS: Final = Path(__file__).parent / "default"
"""GAME.npz for each game that has a player of the package (default/README.md)."""


def has_default(game: str) -> bool:
    """Say whether the package has learned values of a game, by its name."""
    return game in _default_games()


def default_weights(game: str) -> Path:
    """Return the file with the package's learned values of a game, from whatever start (`abalone:belgian-daisy`).

    Raises GotoolsError for a game that the package has no values of.
    """
    name = find_game(game).name
    if not has_default(name):
        raise GotoolsError(f"{DEFAULT}: the package has learned values of {', '.join(_default_games())}, not of {name}")
    return DEFAULTS / f"{name}.npz"


def _default_games() -> list[str]:
    return sorted(path.stem for path in DEFAULTS.glob("*.npz"))


def find_evaluator(name: str, game: str) -> Evaluator:
    """Return the learned values of a file, or those of the package, for a game.

    Raises FileFormatError for weights of another game, and for a file without weights, GotoolsError for a game that the
    package has no values of.
    """
    return load_evaluator(default_weights(game) if name == DEFAULT else name, game)


RULES_WEIGHT = 0.1
CLUSTERS_WEIGHT = 0.2
OWN_WEIGHT = 0.2
"""Of the scores of rules and policies, in logarithms of odds; of clusters, in standard deviations; of a game's own
order."""


def rules_ordering(matcher: Matcher, name: str) -> Ordering:
    """Order moves by rules: in Go a compiled library at full speed, rules.pl through the interpreter.

    Raises FileFormatError for a clause without a meaning.
    """
    vocabulary = vocabulary_of(matcher.rules.game)
    if not vocabulary.points:
        numbers = packed_rules(matcher.rules, name)
        return Ordering(name, vocabulary.order, numbers, weight=RULES_WEIGHT, prunes=True)
    scorer = matcher if isinstance(matcher, NativeRules) else Callback(matcher)
    ordering = Ordering(
        name=name,
        order=order_by_rules,
        numbers=np.array([scorer.address], np.int64),
        keeps=scorer,
        key=key_with_last_moves,
        weight=RULES_WEIGHT,
        prunes=True,
    )
    return replace(ordering, check=scorer.check) if isinstance(scorer, Callback) else ordering


def clusters_ordering(path: str, game: Game) -> Ordering:
    """Order the moves of a game by clusters of good and bad moves, at any depth.

    Raises FileFormatError for what holds no clusters of this game's moves, GotoolsError for a game without features.
    """
    clusters, features = load_clusters(path, game), game.need(MoveFeatures)
    return Ordering(path, features.order, packed(clusters, features), weight=CLUSTERS_WEIGHT)


def policy_ordering(evaluator: Evaluator, name: str) -> Ordering:
    """Order the moves of a game by the policy of a network.

    Raises GotoolsError for values without a policy.
    """
    if evaluator.planes is None:
        raise GotoolsError(
            f"{name}: {evaluator.weights.features} value positions; they have no policy to order moves by"
        )
    numbers = evaluator.numbers.view(np.int64)
    return Ordering(
        name=name,
        order=evaluator.planes.order,
        numbers=numbers,
        keeps=evaluator,
        key=key_with_last_moves,
        weight=RULES_WEIGHT,
        prunes=True,
    )


def own_ordering(game: Game, name: str) -> Ordering:
    """Order the moves of a game by what the game itself knows; name -- of `Learning.orders`."""
    return Ordering(name, game.find_order(name), np.zeros(1, np.int64), weight=OWN_WEIGHT)


def find_ordering(order: str | None, game: Game) -> Ordering:
    """Return the ordering that a player searches by: one of the game's own by its name, or that of a file.

    Raises FileFormatError and GotoolsError as `clusters_ordering` and `policy_ordering` do.
    """
    if order is None:
        return NO_ORDERING
    if order in game.learning.orders:
        return own_ordering(game, order)
    if order == DEFAULT:
        return policy_ordering(find_evaluator(order, game.name), order)
    if os.path.isfile(order):
        kind = kind_of(head := head_of(order))
        if kind is Kind.weights:
            return policy_ordering(find_evaluator(order, game.name), order)
        if kind is not Kind.clusters and game.has(Planes):
            raise wrong_kind(order, head, "clusters or a policy (eval.npz)")
    return clusters_ordering(order, game)


def built_in_evaluation(game: Game, name: str = "") -> Evaluation:
    """Return the evaluation of a game by its heuristic, of which a game may have several; nothing if it has none."""
    heuristic = game.find_heuristic(name)
    if heuristic is None:
        return NO_EVALUATION
    return Evaluation(heuristic.name, heuristic.evaluate, heuristic.numbers)


def rules_guide(path: str, width: int, penalty: float) -> Guide:
    """Let rules guide self-play as they guide the search: the best `width` moves, at a penalty for low scores.

    Raises FileFormatError for what holds no rules.
    """
    matcher = find_matcher(path, None)
    if vocabulary_of(matcher.rules.game).points and not isinstance(matcher, NativeRules):
        raise GotoolsError(f"{path}: too slow to learn with; compile the rules first (gotools compile-patterns)")
    return Guide(matcher.rules.digest, rules_ordering(matcher, path), width, penalty)
