"""Learn a network over pieces (jit/kernels/pieces.py) from positions, by the gradient of the cross entropy.

The weight of an input is the sum of shared weights (`parts`), each of which takes the gradient of the input. Each has
its own learning rate, which falls as its gradients accumulate (Duchi, Hazan and Singer 2011, AdaGrad).
"""

import numpy as np
from numba import types

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.elementary import log, tanh
from gotools.jit.kernels.pieces import weigh_sums
from gotools.jit.kernels.seams import PIECES, RULES

_FEW = 1e-6
_LEAST = 1e-9


@inner
def _add_parts(inputs, n, parts, weights, sums):
    """Add the weights of n inputs to the sums."""
    for i in range(n):
        for j in range(parts.shape[1]):
            part = parts[inputs[i], j]
            if part >= 0:
                for column in range(weights.shape[1]):
                    sums[column] += weights[part, column]


@inner
def _move_parts(inputs, n, parts, weights, squares, slopes, alpha):
    """Move the weights of n inputs against the slopes of the loss, float32[width]."""
    for i in range(n):
        for j in range(parts.shape[1]):
            part = parts[inputs[i], j]
            if part >= 0:
                for column in range(weights.shape[1]):
                    slope = slopes[column]
                    squares[part, column] += slope * slope
                    weights[part, column] -= alpha * slope / np.sqrt(squares[part, column] + np.float32(_FEW))


@inner
def _move(head, squares, i, slope, alpha):
    squares[i] += slope * slope
    head[i] -= alpha * slope / np.sqrt(squares[i] + _FEW)


@kernel
def learn(rows, counts, targets, parts, weights, squares, head, head_squares, alpha):
    """Learn from positions in their order; return the sum of their losses before each was learned from.

    rows    -- int32[n, 2, most]: the inputs of each position, as either side sees it; counts -- int32[n]
    targets -- float64[n]: the chance of the side to play to win, 0 to 1
    parts   -- int32[inputs, k]: the weights that each input is the sum of, -1 for none
    weights, squares -- float32[m, width]; head, head_squares -- float64[]: learned, and the sums of squared slopes
    alpha   -- learning rate; 0: only the losses
    """
    width, loss, rate = weights.shape[1], 0.0, np.float32(alpha)
    units = width - 1
    sums, slopes = np.empty((2, width), np.float32), np.empty((2, width), np.float32)
    for row in range(len(rows)):
        sums[:] = 0.0
        for view in range(2):
            _add_parts(rows[row, view], counts[row], parts, weights, sums[view])
        chance = 0.5 + 0.5 * tanh(weigh_sums(sums[0], sums[1], width, head))
        target = targets[row]
        loss -= target * log(max(chance, _LEAST)) + (1.0 - target) * log(max(1.0 - chance, _LEAST))
        if alpha == 0.0:
            continue
        slope = 2.0 * (chance - target)
        slopes[0, 0], slopes[1, 0] = slope, -slope
        for i in range(units):
            bias_slope = 0.0
            for view in range(2):
                at = 1 + (1 + view) * units + i
                reached = sums[view, i + 1] + head[1 + i]
                inside = 0.0 < reached < 1.0
                slopes[view, i + 1] = slope * head[at] if inside else 0.0
                bias_slope += slopes[view, i + 1]
                _move(head, head_squares, at, slope * min(max(reached, 0.0), 1.0), alpha)
            _move(head, head_squares, 1 + i, bias_slope, alpha)
        _move(head, head_squares, 0, slope, alpha)
        for view in range(2):
            _move_parts(rows[row, view], counts[row], parts, weights, squares, slopes[view], rate)
    return loss


@seam(types.void(RULES, types.FunctionType(PIECES), types.int32[::1], types.int16[::1], types.int64[::1],
                 types.int64[::1], types.int32[:, :, ::1], types.int32[::1]))  # fmt: skip
def fill_rows(rules, piece_inputs, start, moves, begins, plies, rows, counts):
    """Replay games to some positions and fill their inputs.

    start  -- int32[cells]: where every game begins
    moves  -- int16[]: of all games; begins -- int64[n]: index of the first move of the game of each position
    plies  -- int64[n]: moves before the position, ascending within a game, whose positions follow each other
    rows, counts -- int32[n, 2, most], int32[n]: become the inputs and their numbers
    """
    state, spare, at = np.empty(len(start), np.int32), np.empty(len(start), np.int32), 0
    for i in range(len(begins)):
        if i == 0 or begins[i] != begins[i - 1]:
            copy_to(state, start)
            at = 0
        while at < plies[i]:
            rules.after(state, moves[begins[i] + at], spare)
            copy_to(state, spare)
            at += 1
        counts[i] = piece_inputs(state, rows[i])
