"""Inputs of several kinds for one network, own less the opponent's, for the side to play.

    chosen:  bits 0 to 7 the inputs of thesis8.py, then ZOBRIST, DISTANCE, AREA, EXPLICIT (control.py), the counts of
             chains.py, RAW (raw.py), and LIBERTIES (chains.py)
    x:       | the chosen ones in the order of their bits |

RAW and LIBERTIES are one input for each point, the others are one each.
"""

import numpy as np

from gotools.go.estimate.kernels.control import distance_lead, explicit_lead, zobrist_lead
from gotools.go.inputs.kernels.chains import COUNTS, see_chains
from gotools.go.inputs.kernels.raw import inputs_raw
from gotools.go.inputs.kernels.thesis8 import INPUTS8, inputs_thesis8
from gotools.go.kernels.rules import SIZE, TO_PLAY, area_score
from gotools.jit import inner, seam
from gotools.kernels.bits import count_bits
from gotools.kernels.network import network_value
from gotools.kernels.seams import EVALUATE, INPUTS

THESIS8 = (1 << INPUTS8) - 1
ZOBRIST, DISTANCE, AREA, EXPLICIT, CHAINS = (1 << (INPUTS8 + i) for i in range(5))
"""CHAINS is the first of the counts."""
RAW, LIBERTIES = CHAINS << COUNTS, CHAINS << COUNTS + 1


@inner
def _fill(state, chosen, x):
    """Fill the chosen inputs."""
    sign = 1 if state[TO_PLAY] == 1 else -1
    n = 0
    if chosen & THESIS8:
        eight = np.empty(INPUTS8, np.float64)
        inputs_thesis8(state, eight)
        for i in range(INPUTS8):
            if chosen >> i & 1:
                x[n] = eight[i]
                n += 1
    if chosen & ZOBRIST:
        x[n] = sign * zobrist_lead(state)
        n += 1
    if chosen & DISTANCE:
        x[n] = sign * distance_lead(state)
        n += 1
    if chosen & AREA:
        x[n] = sign * area_score(state)
        n += 1
    if chosen & EXPLICIT:
        x[n] = sign * explicit_lead(state)
        n += 1
    by_point = n + count_bits(chosen & (RAW - CHAINS))
    if chosen & RAW:
        inputs_raw(state, x[by_point:])
    if chosen & (RAW - CHAINS) or chosen & LIBERTIES:
        counts = np.empty(COUNTS, np.float64)
        see_chains(state, counts, x[x.shape[0] - state[SIZE] * state[SIZE] :] if chosen & LIBERTIES else x[:0])
        for i in range(COUNTS):
            if chosen & CHAINS << i:
                x[n] = counts[i]
                n += 1


def functions(chosen):
    """Return functions of the signatures INPUTS and EVALUATE; chosen -- the bits."""

    @seam(INPUTS)
    def inputs_mixed(state, x):
        _fill(state, chosen, x)

    @seam(EVALUATE)
    def value_mixed(state, numbers):
        size = np.int64(state[SIZE])
        x = np.empty(count_bits(chosen & (RAW - 1)) + size * size * count_bits(chosen & (RAW | LIBERTIES)), np.float64)
        _fill(state, chosen, x)
        return network_value(x, numbers)

    return inputs_mixed, value_mixed
