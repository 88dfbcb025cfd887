"""Players by their description: which search, which rules, which evaluation, which order."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any, Final

from gotools import __version__
from gotools.errors import GotoolsError, nearest, quoted, shown
from gotools.game import Game, find_game
from gotools.go.as_game import GO
from gotools.go.estimate.evaluation import WEIGHTS, evaluate
from gotools.learn.weights.evaluator import Evaluator
from gotools.patterns.matching import Matcher, Native, find_matcher
from gotools.player.game_player import GamePlayer
from gotools.player.go_player import GoPlayer
from gotools.player.knowledge import (
    DEFAULT,
    DEFAULT_WEIGHTS,
    NONE,
    built_in_evaluation,
    find_evaluator,
    find_ordering,
    policy_ordering,
    rules_ordering,
)
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.choice import Search
from gotools.search.knowledge import NO_ORDERING, Evaluation, Judgement, Ordering
from gotools.search.mcts import MonteCarlo
from gotools.search.puct import Puct

SEARCHES = ("mcts", "alphabeta")
_NO_POLICY = "learned values without a policy are for --search alphabeta, not for Monte-Carlo"
MOST_EXTENSIONS: Final = 20
WIDTHS = (6,)
"""Candidates of alpha-beta, where rules order them."""
TRUST = 0.6
"""Weight of a network's value beside that of a playout."""
PENALTY = 0.05
"""Value that alpha-beta takes off for each unit of score that a move is below the best: 1 / e of its probability."""
BUILT_IN = Evaluation("stones, liberties, territory", evaluate, WEIGHTS)


@dataclass(frozen=True, slots=True)
class Selectivity:
    """What alpha-beta leaves out, searches less deep or deeper; None: as usual.

    widths     -- candidates one ply before the leaves, two plies before them, ...; the last number holds for all beyond
    penalty    -- value that a unit of score below the best move costs
    reductions -- late moves are searched one ply less at first; usually not
    extensions -- a line is searched one ply deeper for each threat in it, up to so many plies; usually 0
    """

    widths: tuple[int, ...] | None = None
    penalty: float | None = None
    reductions: bool | None = None
    extensions: int | None = None

    @property
    def given(self) -> dict[str, Any]:
        """Return what is not as usual, by the names of AlphaBetaSettings. Raises GotoolsError for other numbers."""
        if self.widths is not None and (not self.widths or min(self.widths) < 0):
            raise GotoolsError("widths are numbers of moves, 0 for all: 8 or 12,8,6")
        if self.penalty is not None and not 0 <= self.penalty <= 1:
            raise GotoolsError(f"a penalty is 0 to 1, not {self.penalty}")
        if self.extensions is not None and not 0 <= self.extensions <= MOST_EXTENSIONS:
            raise GotoolsError(f"extensions are 0 to {MOST_EXTENSIONS} plies, not {self.extensions}")
        of = {
            "widths": self.widths,
            "penalty": self.penalty,
            "reductions": self.reductions,
            "extensions": self.extensions,
        }
        return {name: value for name, value in of.items() if value is not None}

    @property
    def words(self) -> dict[str, str | float]:
        """Return what is given as people write it, by the names of options."""
        reductions = None if self.reductions is None else ("yes" if self.reductions else "no")
        of = {
            "width": ",".join(map(str, self.widths or ())),
            "penalty": self.penalty,
            "reductions": reductions,
            "extensions": self.extensions,
        }
        return {name: value for name, value in of.items() if value not in ("", None)}

    @property
    def scores(self) -> bool:
        """Say whether it needs scores of moves."""
        return bool({"widths", "penalty"} & self.given.keys())

    def check_none(self, search: str) -> None:
        """Raise GotoolsError where something is given: for another search."""
        if self.given:
            options = "--width, --penalty, --reductions and --extensions"
            raise GotoolsError(f"{options} are of --search alphabeta, not of {search}")

    def settings(self, game: Game, usual: AlphaBetaSettings, scored: bool) -> AlphaBetaSettings:
        """Return settings of a game's search with these changes; scored -- whether rules or a policy score the moves.

        Raises GotoolsError for what the game or the scores do not allow.
        """
        if self.extensions and game.threatened is None:
            raise GotoolsError(f"--extensions: {game.name} has no threats, such as a check or an atari")
        if not scored and self.scores:
            raise GotoolsError("--width and --penalty need what scores moves: rules, or values with a policy (--eval)")
        return replace(usual, **self.given)

    def where(self, game: Game, usual: AlphaBetaSettings, scored: bool) -> AlphaBetaSettings:
        """Return settings with these changes, without those that need scores where nothing scores the moves."""
        return (self if scored else replace(self, widths=None, penalty=None)).settings(game, usual, scored)


USUAL: Final = Selectivity()


def new_player(
    search: str | None = None,
    rules: str | None = None,
    seed: int = 0,
    digest: str | None = None,
    weights: str | None = None,
    order: str | None = None,
    threads: int = 1,
    keep_tree: bool | None = None,
    selectivity: Selectivity = USUAL,
    heuristic: str | None = None,
) -> GoPlayer:
    """Return a player of Go.

    search  -- of SEARCHES; by default alpha-beta where there are an order, a heuristic, or weights without a policy;
        else Monte-Carlo
    rules   -- rules.pl or rules.so; digest -- that the rules must have
    weights -- eval.npz, for alpha-beta; of a network with a policy for Monte-Carlo, too. Monte-Carlo without rules and
        weights plays by the network of the package
    order   -- clusters.tsv, for alpha-beta
    rules and weights may be "none"
    threads -- of Monte-Carlo with a policy
    keep_tree -- Monte-Carlo goes on with the tree of the last move; by default where time alone limits it
    selectivity -- of alpha-beta
    heuristic -- the name of an evaluation for alpha-beta in the place of weights; None for the built-in one

    Raises GotoolsError for another search, FileFormatError for what holds no rules, weights or clusters for Go.
    """
    by_default = rules in (None, NONE) and weights is order is heuristic is None and search in (None, "mcts")
    rules, weights = (None if path == NONE else path for path in (rules, weights))
    evaluator = None if weights is None else find_evaluator(weights, GO.name)
    if by_default and DEFAULT_WEIGHTS.exists():
        weights = DEFAULT
        evaluator = find_evaluator(weights, GO.name)
    with_policy = evaluator is not None and evaluator.planes is not None
    search = search or ("mcts" if order is heuristic is None and (evaluator is None or with_policy) else "alphabeta")
    _check_heuristic(heuristic, search, evaluator)
    matcher: Matcher | None = None
    ordering = NO_ORDERING
    if rules is not None:
        matcher = find_matcher(rules, digest)
        ordering = rules_ordering(matcher, rules)
    history = find_ordering(order, GO)
    name = name_of(search, GO, evaluator, rules=rules, weights=weights, order=order, heuristic=heuristic)
    if search == "mcts":
        selectivity.check_none(search)
        if evaluator is not None and evaluator.planes is not None and order is None:
            if threads > 1 and not (matcher is None or isinstance(matcher, Native)):
                raise GotoolsError(f"{rules}: --threads take compiled rules (gotools compile-patterns)")
            searching: Search = _puct(GO, evaluator, seed, threads, keep_tree, ordering)
            return GoPlayer(name, searching, matcher, seed, evaluator)
        if evaluator is not None:
            raise GotoolsError(_NO_POLICY)
        if order is not None:
            raise GotoolsError("an order of moves is for --search alphabeta: Monte-Carlo looks first where it won most")
        _check_threads(threads)
        return GoPlayer(name, MonteCarlo(GO, ordering, seed, keep=keep_tree), matcher, seed)
    if search == "alphabeta":
        _check_threads(threads)
        alphabeta = _alphabeta(ordering, evaluator, history, selectivity, heuristic)
        return GoPlayer(name, alphabeta, matcher, seed, evaluator)
    raise GotoolsError(f"there is no search {quoted(search)}{nearest(search, SEARCHES)}")


def new_game_player(
    name: str,
    search: str | None = None,
    seed: int = 0,
    weights: str | None = None,
    order: str | None = None,
    size: int | None = None,
    heuristic: str | None = None,
    threads: int = 1,
    keep_tree: bool | None = None,
    selectivity: Selectivity = USUAL,
) -> GamePlayer:
    """Return a player of a game other than Go.

    search  -- of SEARCHES; by default alpha-beta, with weights that have a policy Monte-Carlo
    weights -- eval.npz; without it, alpha-beta uses the game's heuristic. Without a policy for alpha-beta only
    order   -- clusters.tsv, or the name of an order of the game (`Game.orders`), for alpha-beta
    size    -- of the board; None: that of the weights, else the usual one
    heuristic -- the name of the heuristic for alpha-beta without weights; None for the usual one
    threads, keep_tree, selectivity -- see new_player

    Raises GotoolsError for another game, search or size, FileFormatError for what holds no weights or clusters for it.
    """
    game, weights = find_game(name), None if weights == NONE else weights
    evaluator = None if weights is None else find_evaluator(weights, name)
    known = None if evaluator is None else evaluator.weights.size
    size = size or known or game.sizes[0]
    if size not in game.sizes or size != (known or size):
        raise GotoolsError(f"{name} is not played on a board of size {size}" + (" with these weights" * bool(known)))
    evaluation = built_in_evaluation(game, heuristic or "")
    with_policy = evaluator is not None and evaluator.planes is not None
    search = search or ("mcts" if with_policy and order is None else "alphabeta")
    called = name_of(search, game, evaluator, weights=weights, order=order, heuristic=heuristic)
    if search == "mcts":
        selectivity.check_none(search)
        if order is not None or heuristic is not None:
            raise GotoolsError("heuristics and orders of moves are for --search alphabeta")
        if with_policy:
            assert evaluator is not None
            searching = _puct(game, evaluator, seed, threads, keep_tree)
            return GamePlayer(called, game, size, searching, evaluator)
        if evaluator is not None:
            raise GotoolsError(_NO_POLICY)
        _check_threads(threads)
        return GamePlayer(called, game, size, MonteCarlo(game, NO_ORDERING, seed, keep=keep_tree))
    if search != "alphabeta":
        raise GotoolsError(f"there is no search {quoted(search)}{nearest(search, SEARCHES)}")
    _check_threads(threads)
    _check_heuristic(heuristic, search, evaluator)
    if evaluator is not None:
        evaluation = Evaluation(evaluator.weights.features, evaluator.evaluate, evaluator.numbers)
    settings = selectivity.settings(game, AlphaBetaSettings(scale=game.decided), scored=False)
    alphabeta = AlphaBeta(game, NO_ORDERING, evaluation, settings, find_ordering(order, game))
    return GamePlayer(called, game, size, alphabeta, evaluator)


def name_of(
    search: str,
    game: Game,
    evaluator: Evaluator | None,
    *,
    rules: str | None = None,
    weights: str | None = None,
    order: str | None = None,
    heuristic: str | None = None,
) -> str:
    """Return the name of a player, which says what it is made of: "gotools 1.0 mcts: rules r.so, no network".

    evaluator -- the values that it plays by, those of `weights`; files are named without their folders
    """
    made = [f"rules {_base(rules)}"] if rules else []
    if evaluator is not None:
        kind = "values" if evaluator.planes is None else "network"
        made.append("network of the package" if weights == DEFAULT else f"{kind} {_base(weights)}")
    elif search == "mcts":
        made += ["no network"] if rules or game is not GO else ["no rules", "no network"]
    else:
        own = "built-in evaluation" if game is GO or game.heuristic else "no evaluation"
        made.append(f"heuristic {heuristic}" if heuristic else own)
    made += [f"order {_base(order)}"] if order else []
    return f"gotools {__version__} {search}{'' if game is GO else f' {game.name}'}: {', '.join(made)}"


def _base(path: str | None) -> str:
    return shown(os.path.basename(path or ""), 40)


def _puct(
    game: Game, evaluator: Evaluator, seed: int, threads: int, keep_tree: bool | None, ordering: Ordering = NO_ORDERING
) -> Puct:
    """Search by a policy, mixed with an ordering, and a value."""
    assert evaluator.planes is not None
    name = f"{evaluator.weights.features} {evaluator.weights.network}"
    judgement = Judgement(name, evaluator.planes.judge, evaluator.numbers, TRUST, evaluator.judge_images)
    return Puct(game, judgement, seed, threads=threads, keep=keep_tree, ordering=ordering)


def _check_heuristic(heuristic: str | None, search: str, evaluator: Evaluator | None) -> None:
    """Raise GotoolsError where a heuristic does not go with the search, or with learned values."""
    if heuristic is not None and search == "mcts":
        raise GotoolsError("a heuristic is for --search alphabeta")
    if heuristic is not None and evaluator is not None:
        raise GotoolsError("--heuristic goes without --eval: one of the two values positions")


def _check_threads(threads: int) -> None:
    """Raise GotoolsError where a search cannot have so many."""
    if threads > 1:
        raise GotoolsError("--threads are of Monte-Carlo with a network that has a policy (--eval)")


def _alphabeta(
    ordering: Ordering, evaluator: Evaluator | None, history: Ordering, selectivity: Selectivity, heuristic: str | None
) -> AlphaBeta:
    """Search by an ordering that prunes, an evaluation, and an ordering beside history that does not prune.

    Without rules the policy of a network takes their place.
    """
    evaluation = built_in_evaluation(GO, heuristic) if heuristic else BUILT_IN
    if evaluator is not None and evaluator.planes is not None and ordering is NO_ORDERING:
        ordering = policy_ordering(evaluator, evaluator.weights.network)
    if evaluator is not None:
        evaluation = Evaluation(evaluator.weights.features, evaluator.evaluate, evaluator.numbers)
    scored = ordering is not NO_ORDERING
    usual = AlphaBetaSettings(widths=WIDTHS, penalty=PENALTY) if scored else AlphaBetaSettings()
    return AlphaBeta(GO, ordering, evaluation, selectivity.settings(GO, usual, scored), history)
