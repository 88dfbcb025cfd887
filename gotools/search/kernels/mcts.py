"""Monte-Carlo tree search for any game: UCT with RAVE, and with the scores of an ordering as priors.

A node is a move from its parent; the children of a node lie side by side:

    node       0     1    2    3    4    5 ...
              root  |- children of 0 -| |- children of 2 ...

    move[v]           from the parent              prior[v]  the ordering's share among its siblings
    first[v]          where its children begin     children[v]  how many there are
    visits[v]         games through the move       wins[v]  the sum of their values
    amaf_visits[v]    games in which the side made the move at any later time (all moves as first)
    amaf_wins[v]      the sum of their values      passing[v]  threads that are on their way below (kernels/puct.py)

Values and wins are those of the side that makes the move, so a parent's best child has the largest. One simulation goes
down from the root by the best child, expands the leaf on its visit number `expand_at`, plays out, and adds
the value to all nodes on its way. Sources: Kocsis and Szepesvari 2006 (UCT), Gelly and Silver 2007 (RAVE),
Rosin 2011 (the prior as the weight of exploration).
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.elementary import exp
from gotools.jit.kernels.seams import ONGOING, PLAYOUT, RULES, SCORER, TO_PLAY

DEEPEST = 400
"""Moves that a simulation may go down the tree."""
LONGEST_GAME = 1200
"""Moves of a playout; random games of Go on 19x19 take some 450."""
FILLINGS = 7
"""Each seventh of the room that is filled doubles the visits that a leaf needs, so that the room lasts long."""


class Tree(NamedTuple):
    """The arrays of a tree, one entry a node; used[0] is the number of nodes."""

    used: np.ndarray
    move: np.ndarray
    first: np.ndarray
    children: np.ndarray
    visits: np.ndarray
    wins: np.ndarray
    amaf_visits: np.ndarray
    amaf_wins: np.ndarray
    prior: np.ndarray
    passing: np.ndarray


class SelectionSettings(NamedTuple):
    """How simulations choose.

    explore     -- weight of prior * sqrt(parent's visits) / (1 + own visits)
    equivalence -- visits at which a node's own games weigh as much as all moves as first
    expand_at   -- visits of a leaf before it gets children
    sharpness   -- the prior is the softmax of the scores times this
    """

    explore: float
    equivalence: float
    expand_at: int
    sharpness: float


class Work(NamedTuple):
    """What simulations work with.

    random -- uint64[1]; when -- int32[3, moves of the game], all -1; stop -- int32[1], set to 1 from outside
    moves, scores -- [longest], room for the moves of one position
    """

    random: np.ndarray
    when: np.ndarray
    stop: np.ndarray
    moves: np.ndarray
    scores: np.ndarray


def new_tree(room):
    """Make a tree with room for a number of nodes; memory is taken as they come into use."""
    return Tree(
        used=np.zeros(1, np.int32),
        move=np.zeros(room, np.int32),
        first=np.zeros(room, np.int32),
        children=np.zeros(room, np.int32),
        visits=np.zeros(room, np.int32),
        wins=np.zeros(room),
        amaf_visits=np.zeros(room, np.int32),
        amaf_wins=np.zeros(room),
        prior=np.zeros(room, np.float32),
        passing=np.zeros(room, np.int32),
    )


def new_work(moves, longest):
    """Make what simulations of a game work with."""
    return Work(
        random=np.zeros(1, np.uint64),
        when=np.full((3, moves), -1, np.int32),
        stop=np.zeros(1, np.int32),
        moves=np.empty(longest, np.int32),
        scores=np.empty(longest),
    )


TREE = typeof(new_tree(1))
WORK = typeof(new_work(1, 1))
SETTINGS = typeof(SelectionSettings(0.0, 0.0, 0, 0.0))


@inner
def odds(scores, n, sharpness):
    """Turn scores into numbers that are as the shares of their softmax; returns the sum of these."""
    best = scores[0]
    for i in range(1, n):
        best = max(best, scores[i])
    total = 0.0
    for i in range(n):
        scores[i] = exp(sharpness * (scores[i] - best))
        total += scores[i]
    return total


@inner
def begin_node(tree, node, move, prior):
    """Make a node without visits and children."""
    tree.move[node] = move
    tree.first[node] = 0
    tree.children[node] = 0
    tree.visits[node] = 0
    tree.wins[node] = 0.0
    tree.amaf_visits[node] = 0
    tree.amaf_wins[node] = 0.0
    tree.prior[node] = prior
    tree.passing[node] = 0


@inner
def _copy_node(tree, node, target, place):
    """Copy a node to another tree; `first` is still of the old one."""
    target.move[place] = tree.move[node]
    target.first[place] = tree.first[node]
    target.children[place] = max(tree.children[node], 0)
    target.visits[place] = tree.visits[node]
    target.wins[place] = tree.wins[node]
    target.amaf_visits[place] = tree.amaf_visits[node]
    target.amaf_wins[place] = tree.amaf_wins[node]
    target.prior[place] = tree.prior[node]
    target.passing[place] = 0


@kernel
def copy_below(tree, node, target):
    """Make another tree of a node and all below it; the node becomes the root."""
    _copy_node(tree, node, target, 0)
    used, place = 1, 0
    while place < used:
        first = target.first[place]
        target.first[place] = used
        for child in range(first, first + target.children[place]):
            _copy_node(tree, child, target, used)
            used += 1
        place += 1
    target.used[0] = used


@kernel
def add_children(tree, node, moves, n, scores, sharpness):
    """Give a node its children with the softmax of their scores as priors; does nothing where the room is used up."""
    first = tree.used[0]
    if first + n > len(tree.move):
        return False
    total = odds(scores, n, sharpness)
    for i in range(n):
        child = first + i
        begin_node(tree, child, moves[i], scores[i] / total)
    tree.first[node] = first
    tree.children[node] = n
    tree.used[0] = first + n
    return True


@inner
def _best_child(tree, node, settings):
    """Return the child to look at next; of equal ones the first."""
    parent = max(tree.visits[node], 1)
    spread = settings.explore * np.sqrt(parent)
    usual = -tree.wins[node] / parent  # the value of the parent's position for the side that chooses
    best, best_value = tree.first[node], -1e9
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        n, m = tree.visits[child], tree.amaf_visits[child]
        own = tree.wins[child] / n if n > 0 else usual
        later = tree.amaf_wins[child] / m if m > 0 else usual
        share = np.sqrt(settings.equivalence / (settings.equivalence + 3.0 * n)) if m > 0 or n == 0 else 0.0
        share *= m / (m + 5.0) if n > 0 else 1.0
        value = (1.0 - share) * own + share * later + spread * tree.prior[child] / (1.0 + n)
        if value > best_value:
            best, best_value = child, value
    return best


@inner
def _learn(tree, path, depth, sides, moves, length, value, when):
    """Add a game's value to the nodes of its path, and to their siblings that were played later.

    path  -- int32[depth + 1], nodes from the root; sides[i] made moves[i], i < length; the first `depth` moves are
             those of the path
    value -- for the side sides[0]
    when  -- int32[3, moves], scratch: the first time that a side made a move, -1 where it never did; left all -1
    """
    for i in range(length - 1, -1, -1):
        when[sides[i], moves[i]] = i
        if i > depth:
            continue
        node = path[i]
        mine = value if sides[i] == sides[0] else -value
        tree.visits[node] += 1
        tree.wins[node] -= mine
        for child in range(tree.first[node], tree.first[node] + tree.children[node]):
            if when[sides[i], tree.move[child]] >= 0:
                tree.amaf_visits[child] += 1
                tree.amaf_wins[child] += mine
    for i in range(length):
        when[sides[i], moves[i]] = -1


@seam(types.int64(TREE, WORK, types.int32[::1], types.int64, SETTINGS, RULES, types.FunctionType(PLAYOUT), SCORER))
def simulate(tree, work, root, games, settings, rules, playout, scorer):
    """Play `games` simulations from a root that has its children; fewer where stop[0] becomes 1.

    Returns how many were played.
    """
    states = np.empty((2, len(root)), np.int32)
    path = np.empty(DEEPEST + 1, np.int32)
    played = np.empty(LONGEST_GAME, np.int32)
    moves = np.empty(DEEPEST + len(played) + 1, np.int32)
    sides = np.empty(len(moves), np.int32)
    found, scores = work.moves, work.scores
    crowded = len(tree.move) // FILLINGS + 1
    for game in range(games):
        if work.stop[0] != 0:
            return game
        now = 0
        copy_to(states[0], root)
        depth = 0
        node = 0
        path[0] = 0
        value = ONGOING
        while True:
            if tree.children[node] == 0 and node != 0:
                value = rules.outcome(states[now])
                if value != ONGOING:
                    break
                if tree.visits[node] + 1 < settings.expand_at << (tree.used[0] // crowded) or depth >= DEEPEST - 1:
                    break
                n = rules.worthy(states[now], found)
                scorer.order(states[now], found, n, scores, scorer.numbers)
                if not add_children(tree, node, found, n, scores, settings.sharpness):
                    break
            node = _best_child(tree, node, settings)
            sides[depth] = states[now, TO_PLAY]
            moves[depth] = tree.move[node]
            depth += 1
            path[depth] = node
            rules.after(states[now], tree.move[node], states[1 - now])
            now = 1 - now
        side = states[now, TO_PLAY]
        first = sides[0] if depth > 0 else side
        length = depth
        if value == ONGOING:
            value = playout(states[now], work.random, played)
            for i in range(played[0]):
                sides[length] = side if i % 2 == 0 else 3 - side
                moves[length] = played[1 + i]
                length += 1
        if side != first:
            value = -value
        if length == depth:  # the game was over: there is no move from the leaf
            tree.visits[node] += 1
            tree.wins[node] -= value if side == first else -value
        _learn(tree, path, depth, sides, moves, length, value, work.when)
    return games
