"""Players made from their settings: which search, which rules, which evaluation, which order."""

from __future__ import annotations

import os
from dataclasses import replace

from gotools import __version__
from gotools.base.errors import GotoolsError, shown
from gotools.base.settings import with_settings
from gotools.engines.knowledge import (
    built_in_evaluation,
    find_evaluator,
    find_ordering,
    has_default,
    policy_ordering,
    rules_ordering,
)
from gotools.engines.player import Player
from gotools.engines.settings import DEFAULT, NONE, PlayerSettings
from gotools.game.choice import Search
from gotools.game.game import Game, find_game
from gotools.game.goals import Goal, Solvable
from gotools.game.levels import Levels
from gotools.game.table import USUAL
from gotools.game.vocabulary import Vocabulary
from gotools.rules.clauses.rules import check_game
from gotools.rules.matching import Callback, find_matcher
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.drawn import Drawn
from gotools.search.endings import Endings
from gotools.search.forcing import Forcing, Solver, SoughtGoal
from gotools.search.knowledge import NO_ORDERING, Evaluation, Judgement, Ordering
from gotools.search.mcts import MonteCarlo, Puct
from gotools.values.weights.evaluator import Evaluator

TRUST = 0.6
"""Weight of a network's value beside that of a playout."""


@with_settings(PlayerSettings)
def new_player(name: str = USUAL, size: int | None = None, *, settings: PlayerSettings) -> Player:
    """Return a player of a game.

    size -- of the board; None: that of the evaluation, else any, or the game's usual one

    Raises GotoolsError for another game or size and for settings that do not go together, FileFormatError for files
    that do not hold what they should.
    """
    game = find_game(name)
    settings.check_game(game)
    settings, evaluator = _with_defaults(settings, game)
    matcher, ordering = None, NO_ORDERING
    if settings.rules is not None:
        matcher = find_matcher(settings.rules, settings.digest)
        check_game(matcher.rules, game.name, settings.rules)
        ordering = rules_ordering(matcher, settings.rules)
    slow = isinstance(ordering.keeps, Callback)
    if settings.threads > 1 and slow:
        raise GotoolsError(f"{settings.rules}: --threads take compiled rules (gotools compile-patterns)")
    known = _size_of(game, size, evaluator)
    search = _search(game, settings, evaluator, ordering)
    return Player(name_of(settings, game, evaluator), game, known, search, matcher, evaluator, settings.seed)


def _size_of(game: Game, size: int | None, evaluator: Evaluator | None) -> int | None:
    """Return the size of the boards that a player knows, None for all. Raises GotoolsError where it is not `size`."""
    if game.usual.any_size:
        return None if evaluator is None else evaluator.only_size
    known = None if evaluator is None else evaluator.weights.size
    size = size or known or game.sizes[0]
    if size not in game.sizes or size != (known or size):
        raise GotoolsError(
            f"{game.name} is not played on a board of size {size}" + (" with these weights" * bool(known))
        )
    return size


def _with_defaults(settings: PlayerSettings, game: Game) -> tuple[PlayerSettings, Evaluator | None]:
    """Return settings that say which search there is, by which evaluation and rules, and the evaluator.

    Raises GotoolsError for settings that do not go together.
    """
    usual = game.usual
    rules, evaluation = (None if path == NONE else path for path in (settings.rules, settings.evaluation))
    others = (rules, settings.evaluation, settings.order, settings.heuristic)
    if others == (None,) * 4 and settings.search in (None, usual.search) and has_default(game.name):
        evaluation = DEFAULT
    evaluator = None if evaluation is None else find_evaluator(evaluation, game.name)
    is_ordered = settings.order is not None or settings.heuristic is not None
    has_policy = evaluator is not None and evaluator.planes is not None
    without_values = usual.search if evaluator is None and not is_ordered else "alphabeta"
    search = settings.search or ("mcts" if has_policy and not is_ordered else without_values)
    settings = replace(settings, rules=rules, evaluation=evaluation, search=search)
    if settings.level is not None:
        if search != "mcts" or not has_policy:
            raise GotoolsError(
                "--level needs Monte-Carlo with a network that has a policy (--eval): it draws moves from it"
            )
        assert evaluator is not None
        evaluator = evaluator.of_strength(game.need(Levels).find(settings.level).strength)
    _check(settings, evaluator)
    return settings, evaluator


def _check(settings: PlayerSettings, evaluator: Evaluator | None) -> None:
    """Raise GotoolsError for settings that do not go together."""
    has_policy = evaluator is not None and evaluator.planes is not None
    if settings.search == "mcts":
        settings.selectivity.check_none("mcts")
        if settings.heuristic is not None:
            raise GotoolsError("a heuristic is for --search alphabeta")
        if settings.order is not None:
            raise GotoolsError("an order of moves is for --search alphabeta: Monte-Carlo looks first where it won most")
        if evaluator is not None and not has_policy:
            raise GotoolsError("learned values without a policy are for --search alphabeta, not for Monte-Carlo")
    elif settings.heuristic is not None and evaluator is not None:
        raise GotoolsError("--heuristic goes without --eval: one of the two values positions")
    if settings.threads > 1 and settings.search == "mcts" and not has_policy:
        raise GotoolsError("--threads are of alpha-beta, and of Monte-Carlo with a network that has a policy (--eval)")


def _search(game: Game, settings: PlayerSettings, evaluator: Evaluator | None, ordering: Ordering) -> Search:
    """Return the search of a player; ordering -- by its rules."""
    if settings.search == "alphabeta":
        alphabeta = _alphabeta(game, settings, evaluator, ordering)
        solver = _solver(game)
        return alphabeta if solver is None else Forcing(alphabeta, solver)
    if evaluator is None:
        return MonteCarlo(game, ordering, settings.seed, keep=settings.keep_tree)
    assert evaluator.planes is not None
    name = f"{evaluator.weights.features} {evaluator.weights.network}"
    judgement = Judgement(name, evaluator.planes.judge, evaluator.numbers, TRUST, evaluator.judge_images)
    search = Puct(game, judgement, settings.seed, threads=settings.threads, keep=settings.keep_tree, ordering=ordering)
    if settings.level is None:
        return search
    return Drawn(search, game, game.need(Levels).find(settings.level), settings.seed)


def _solver(game: Game) -> Solver | None:
    """Return what decides positions of a game for certain before they are searched; None where nothing does."""
    goal = game.find(Goal)
    if game.has(Solvable):
        return Endings(game)
    return SoughtGoal(game) if goal is not None and goal.sought else None


def _alphabeta(game: Game, settings: PlayerSettings, evaluator: Evaluator | None, ordering: Ordering) -> AlphaBeta:
    """Search by an ordering that prunes, an evaluation, and an ordering beside history that does not prune.

    In a game that has rules the policy of a network takes their place.
    """
    evaluation = built_in_evaluation(game, settings.heuristic or "")
    if evaluator is not None:
        evaluation = Evaluation(evaluator.weights.features, evaluator.evaluate, evaluator.numbers, learned=True)
        if game.has(Vocabulary) and evaluator.planes is not None and ordering is NO_ORDERING:
            ordering = policy_ordering(evaluator, evaluator.weights.network)
    scored = ordering is not NO_ORDERING
    usual = AlphaBetaSettings.of(game)
    if scored:
        usual = replace(usual, **game.need(Vocabulary).pruning._asdict())
    if settings.selectivity.scores:
        usual = replace(usual, order_from=1)
    chosen = settings.selectivity.settings(game, usual, scored)
    second = find_ordering(settings.order, game)
    return AlphaBeta(game, ordering, evaluation, chosen, second, threads=settings.threads)


def name_of(settings: PlayerSettings, game: Game, evaluator: Evaluator | None) -> str:
    """Return the name of a player, which says what it is made of: "gotools 1.0 mcts: rules r.so, no network".

    Files are named without their folders.
    """
    made = [f"rules {_base(settings.rules)}"] if settings.rules else []
    if evaluator is not None:
        kind = "values" if evaluator.planes is None else "network"
        made.append(f"{kind} " + ("of the package" if settings.evaluation == DEFAULT else _base(settings.evaluation)))
    elif settings.search == "mcts":
        made += ["no network"] if settings.rules or not game.has(Vocabulary) else ["no rules", "no network"]
    else:
        own = "built-in evaluation" if game.learning.heuristic else "no evaluation"
        made.append(f"heuristic {settings.heuristic}" if settings.heuristic else own)
    made += [f"order {_base(settings.order)}"] if settings.order else []
    made += [f"level {settings.level}"] if settings.level else []
    return f"gotools {__version__} {settings.search}{'' if game.name == USUAL else f' {game.name}'}: {', '.join(made)}"


def _base(path: str | None) -> str:
    return shown(os.path.basename(path or ""), 40)
