"""Monte-Carlo tree search by a policy and a value, for any game: PUCT over the tree of kernels/mcts.py.

A leaf is expanded at its first visit: the judge's policy gives its children their priors, the judge's value, mixed with
that of a playout, goes up the path. Sources: Rosin 2011, Silver et al. 2017 (AlphaGo Zero); the value of moves that
were not tried, from their parent's less a reduction that grows with what was tried, as in Leela Zero.

Several threads may grow one tree at the same time. Where a thread is on its way, others see a visit that was lost, so
that they look elsewhere: virtual loss (Chaslot, Winands and van den Herik 2008, Parallel Monte-Carlo Tree Search). A
thread does not see its own.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.intrinsics import claim, fetch_add, publish, read
from gotools.jit.kernels.seams import JUDGING, ONGOING, PLAYOUT, RULES, SCORER
from gotools.search.kernels.mcts import DEEPEST, LONGEST_GAME, TREE, WORK, begin_node, odds

_CLAIMED = -1
"""Number of children of a leaf that a thread is about to expand."""
_SURE = 0.8
"""Value of a finished game that is won by next to nothing; the rest of the way to 1 is for the points."""


class PuctSelectionSettings(NamedTuple):
    """How simulations choose.

    explore   -- weight of prior * sqrt(parent's visits) / (1 + own visits)
    reduction -- of the value of moves that were not tried, times the root of the tried ones' share of the priors
    trust     -- weight of the judge's value beside a playout's; 1: no playouts
    sharpness -- the prior is the softmax of the scores times this
    mix       -- weight of an ordering's scores beside the policy's; 0: it is not asked
    """

    explore: float
    reduction: float
    trust: float
    sharpness: float
    mix: float


SETTINGS = typeof(PuctSelectionSettings(0.0, 0.0, 0.0, 0.0, 0.0))


@inner
def _decided(value):
    """Return the value of a finished game on the scale of judges, whose values are chances to win."""
    if value == 0.0:
        return 0.0
    return value * (1.0 - _SURE) + (_SURE if value > 0.0 else -_SURE)


@inner
def _best_child(tree, node, settings):
    """Return the child to look at next; of equal ones the first."""
    parent = max(tree.visits[node], 1)
    spread = settings.explore * np.sqrt(parent)
    tried = 0.0
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if tree.visits[child] > 0:
            tried += tree.prior[child]
    usual = -tree.wins[node] / parent - settings.reduction * np.sqrt(tried)
    best, best_value = tree.first[node], -1e9
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        passing = tree.passing[child]
        n = tree.visits[child] + passing
        value = (tree.wins[child] - passing) / n if n > 0 else usual
        value += spread * tree.prior[child] / (1.0 + n)
        if value > best_value:
            best, best_value = child, value
    return best


@inner
def _expand(tree, node, moves, n, scores, sharpness):
    """Give a leaf its children, unless another thread does so, or the room is used up."""
    if not claim(tree.children, node, _CLAIMED):
        return
    first = fetch_add(tree.used, 0, n)
    if first + n > len(tree.move):
        fetch_add(tree.used, 0, -n)
        publish(tree.children, node, 0)
        return
    total = odds(scores, n, sharpness)
    for i in range(n):
        begin_node(tree, first + i, moves[i], scores[i] / total)
    tree.first[node] = first
    publish(tree.children, node, n)


@inner
def judged(state, moves, n, scores, settings, judging, scorer):
    """Score moves by a policy, mixed with an ordering; return the value of the position."""
    value = judging.judge(state, moves, n, scores, judging.numbers)
    if settings.mix > 0.0:
        others = np.empty(n)
        scorer.order(state, moves, n, others, scorer.numbers)
        for i in range(n):
            scores[i] += settings.mix * others[i]
    return value


@seam(
    types.int64(
        TREE, WORK, types.int32[::1], types.int64, SETTINGS, RULES, types.FunctionType(PLAYOUT), JUDGING, SCORER
    )
)
def simulate(tree, work, root, games, settings, rules, playout, judging, scorer):
    """Play `games` simulations from a root that has its children; fewer where stop[0] becomes 1.

    Returns how many were played.
    """
    states = np.empty((2, len(root)), np.int32)
    path = np.empty(DEEPEST + 1, np.int32)
    played = np.empty(LONGEST_GAME, np.int32)
    found, scores = work.moves, work.scores
    for game in range(games):
        if work.stop[0] != 0:
            return game
        now = 0
        copy_to(states[0], root)
        depth = 0
        node = 0
        path[0] = 0
        while depth < DEEPEST and read(tree.children, node) > 0:
            node = _best_child(tree, node, settings)
            fetch_add(tree.passing, node, 1)
            depth += 1
            path[depth] = node
            rules.after(states[now], tree.move[node], states[1 - now])
            now = 1 - now
        value = rules.outcome(states[now])
        if value != ONGOING:
            value = _decided(value)
        else:
            value = 0.0
            n = rules.worthy(states[now], found)
            worth = judged(states[now], found, n, scores, settings, judging, scorer)
            _expand(tree, node, found, n, scores, settings.sharpness)
            if settings.trust < 1.0:
                value = (1.0 - settings.trust) * _decided(playout(states[now], work.random, played))
            value += settings.trust * worth
        for i in range(depth, -1, -1):  # wins are those of the side that made the move to a node
            value = -value
            fetch_add(tree.visits, path[i], 1)
            fetch_add(tree.wins, path[i], value)
            if i > 0:
                fetch_add(tree.passing, path[i], -1)
    return games
