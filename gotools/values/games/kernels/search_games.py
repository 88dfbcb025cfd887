"""Games that a search plays against itself, so that the network can learn what the search finds.

    a game:   moves | m0 m1 m2 ... |     searched | 0 1 0 ... |     tried[t], shares[t] | the moves most visited by
                                                                                        | the search of position t

Most moves are searched by a few playouts; a share of them, drawn at random, by many: only these are learned from
(playout cap randomization: Wu 2019, Accelerating self-play learning in Go). The first moves of a game are drawn by
their visits, later ones are the most visited. Noise at the root of a long search gives visits to moves that the policy
would not try. Each game has its own random numbers, from the seed and its number.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import below, chance, copy_to, seed_random
from gotools.jit.kernels.seams import BOARD, JUDGING, ONGOING, PLAYOUT, RULES, SCORER, TO_PLAY
from gotools.search.kernels.mcts import TREE, WORK, add_children
from gotools.search.kernels.plain import final
from gotools.search.kernels.puct import SETTINGS, judged, simulate

TRIED = 16
"""Number of moves that are kept of a search: those with the most visits."""
SHARES = 255.0
"""Shares are stored in 255ths."""
_NOISE, _NOISY_MOVES = 0.25, 5
"""Share of the root's priors that is given to moves drawn at random, and the number of these moves."""
_SURE, _RARELY = 0.9, 4
"""While the root value exceeds _SURE, long searches are _RARELY times rarer, and short ones as many times shorter."""
_ODD = np.int64(0x2545F4914F6CDD1D)


class SearchPlan(NamedTuple):
    """How games are played.

    playouts -- of a long search; few -- of a short one; long -- share of the moves with a long search
    drawn    -- number of moves at the start that are drawn by their visits
    """

    playouts: int
    few: int
    long: float
    drawn: int
    seed: int


class SearchRow(NamedTuple):
    """A game to be filled.

    moves    -- int16[longest]
    searched -- uint8[longest]: 1 for a long search; only its rows of `tried` and `shares` are used
    tried    -- int16[longest, TRIED]: moves; shares -- uint8[longest, TRIED]: their visits, in parts of 255; 0 fills
    result   -- float64[2]: 1, 0, -1 for side 1's victory, a draw, its loss; the points by which it is ahead
    owned    -- int8[points]: at the end, see OWNERS
    """

    moves: np.ndarray
    searched: np.ndarray
    tried: np.ndarray
    shares: np.ndarray
    result: np.ndarray
    owned: np.ndarray


def new_row(longest, points):
    """Make room for a game."""
    return SearchRow(
        moves=np.zeros(longest, np.int16),
        searched=np.zeros(longest, np.uint8),
        tried=np.zeros((longest, TRIED), np.int16),
        shares=np.zeros((longest, TRIED), np.uint8),
        result=np.zeros(2),
        owned=np.zeros(points, np.int8),
    )


PLAN = typeof(SearchPlan(0, 0, 0.0, 0, 0))
ROW = typeof(new_row(1, 1))


@inner
def _add_noise(tree, random):
    """Give a share of the priors to some of the root's children, drawn at random."""
    first, n = tree.first[0], tree.children[0]
    for child in range(first, first + n):
        tree.prior[child] *= 1.0 - _NOISE
    for _ in range(_NOISY_MOVES):
        tree.prior[first + below(random, n)] += _NOISE / _NOISY_MOVES


@inner
def _most_visited(tree):
    """Return the root's child with the most visits, the first of equals."""
    best = tree.first[0]
    for child in range(best + 1, best + tree.children[0]):
        if tree.visits[child] > tree.visits[best]:
            best = child
    return best


@inner
def _drawn(tree, random, pass_move):
    """Draw a child of the root by its visits; a pass, which may end the game, only if it is the most visited."""
    first, n, best = tree.first[0], tree.children[0], _most_visited(tree)
    if tree.move[best] == pass_move:
        return best
    total = 0
    for child in range(first, first + n):
        if tree.move[child] != pass_move:
            total += tree.visits[child]
    left = below(random, max(total, 1))
    for child in range(first, first + n):
        if tree.move[child] != pass_move:
            left -= tree.visits[child]
            if left < 0:
                return child
    return best


@inner
def _keep(tree, tried, shares):
    """Write the most visited children of the root and their shares; single visits, due to noise, are left out."""
    first, n = tree.first[0], tree.children[0]
    total, kept = 0, 0
    for child in range(first, first + n):
        total += max(tree.visits[child] - 1, 0)
    for i in range(TRIED):
        shares[i] = 0
        tried[i] = 0
    if total == 0:
        tried[0], shares[0] = tree.move[_most_visited(tree)], np.uint8(SHARES)
        return
    least = tree.visits[_most_visited(tree)] + 1
    while kept < TRIED:
        best = 0  # the next smaller number of visits: a sort without memory
        for child in range(first, first + n):
            if best < tree.visits[child] < least:
                best = tree.visits[child]
        if best < 2:
            return
        share = np.uint8(np.round((best - 1) * SHARES / total))
        for child in range(first, first + n):
            if tree.visits[child] == best and kept < TRIED and share > 0:
                tried[kept], shares[kept] = tree.move[child], share
                kept += 1
        least = best


@seam(types.int64(PLAN, types.int64, ROW, types.int32[::1], TREE, WORK, SETTINGS, RULES, types.FunctionType(PLAYOUT),
                  JUDGING, SCORER, BOARD))  # fmt: skip
def play_game(plan, number, row, root, tree, work, settings, rules, playout, judging, scorer, board):
    """Play game number `number` from a position; return its number of moves.

    root -- int32[cells]; it becomes the position at the end
    """
    random = np.empty(1, np.uint64)
    seed_random(random, np.int64(plan.seed) * _ODD + number)
    seed_random(work.random, np.int64(plan.seed) * _ODD + ~number)
    state, spare = root, np.empty(len(root), np.int32)
    moves, scores = np.empty(len(work.moves), np.int32), np.empty(len(work.scores))
    longest, length, rare = len(row.moves), 0, 1
    while length < longest and rules.outcome(state) == ONGOING:
        if work.stop[0] != 0:
            return length
        n = rules.worthy(state, moves)
        move = moves[0]
        row.searched[length] = 0
        if n > 1:
            long = chance(random, plan.long / rare)
            value = judged(state, moves, n, scores, settings, judging, scorer)
            tree.used[0], tree.first[0], tree.children[0], tree.visits[0], tree.wins[0] = 1, 0, 0, 1, -value
            add_children(tree, 0, moves, n, scores, settings.sharpness)
            if long:
                _add_noise(tree, random)
            count = plan.playouts if long else max(plan.few // rare, 1)
            simulate(tree, work, state, count, settings, rules, playout, judging, scorer)
            child = _drawn(tree, random, rules.pass_move) if length < plan.drawn else _most_visited(tree)
            move = tree.move[child]
            if long:
                row.searched[length] = 1
                _keep(tree, row.tried[length], row.shares[length])
            rare = _RARELY if abs(tree.wins[0] / tree.visits[0]) > _SURE else 1
        row.moves[length] = move
        length += 1
        rules.after(state, move, spare)
        copy_to(state, spare)
    row.result[0] = final(state, spare, rules)
    row.result[1] = board.owners(state, row.owned)
    return length


@seam(
    types.void(
        RULES, BOARD, types.int32[:, ::1], types.int16[::1], types.int64[::1], types.int32[::1], types.int16[:, ::1],
        types.uint8[:, ::1], types.float32, types.float32[:, ::1], types.float32[:, ::1], types.int8[::1],
    )
)  # fmt: skip
def fill_samples(rules, board, states, moves, begins, plies, tried, shares, strength, x, policy, sides):
    """Replay games to the positions of samples and fill the arrays that the network learns from.

    states -- int32[n, cells]: the start of each sample's game; they become the positions of the samples
    moves  -- int16[]: of all games; begins -- int64[n]: index of the first move of a sample's game; plies -- int32[n]
    tried, shares -- of each sample, see SearchRow
    x      -- float32[n, planes and border]; policy -- float32[n, places]: becomes the shares, which sum to 1
    sides  -- int8[n]: becomes the side to play
    """
    spare = np.empty(states.shape[1], np.int32)
    for i in range(len(states)):
        state = states[i]
        for ply in range(plies[i]):
            rules.after(state, moves[begins[i] + ply], spare)
            copy_to(state, spare)
        sides[i] = state[TO_PLAY]
        board.fill(state, strength, x[i])
        policy[i, :] = 0.0
        total = 0.0
        for j in range(TRIED):
            total += shares[i, j]
        for j in range(TRIED):
            if shares[i, j] > 0:
                policy[i, board.place(state, tried[i, j])] += shares[i, j] / total


@inner
def _in_list(moves, n, move):
    for i in range(n):
        if moves[i] == move:
            return True
    return False


@seam(
    types.boolean(
        RULES, types.int32[::1], types.int16[::1], types.int32[::1], types.int16[:, ::1], types.uint8[:, ::1]
    )
)  # fmt: skip
def could_be_played(rules, state, moves, plies, tried, shares):
    """Return whether all moves of a game are legal, and its samples, in order, hold legal moves of their positions.

    state -- the start position; it becomes the final one
    """
    spare, options = np.empty(len(state), np.int32), np.empty(rules.longest, np.int32)
    sample = 0
    for ply in range(len(moves)):
        if rules.outcome(state) != ONGOING:
            return False
        n = rules.worthy(state, options)
        if sample < len(plies) and plies[sample] == ply:
            total = 0
            for j in range(TRIED):
                total += shares[sample, j]
                if shares[sample, j] > 0 and not _in_list(options, n, tried[sample, j]):
                    return False
            if total == 0:
                return False
            sample += 1
        if not _in_list(options, n, moves[ply]):
            return False
        rules.after(state, moves[ply], spare)
        copy_to(state, spare)
    return sample == len(plies)
