"""Score moves by rules over measures and a window, for all moves of a position at once.

    numbers:  | LOOKS, CONDITIONS, RULES, MEMBERS | conditions: kind, a, b, c | rules: weight, first member | ... |
              | members: numbers of conditions |                                                int64[]

    a condition   AT_STAGE    the stage is a
                  WITHIN      b <= the measure in column a <= c
                  HELD        what stands at place a is of class b, in the frames in which it is

A rule holds of a move where all its conditions hold in one frame; weights count in UNITS of 1e-9, so that sums do not
depend on their order. LOOKS: whether a condition looks at the window.
"""

import numpy as np

from gotools.jit import inner

LOOKS, CONDITIONS, RULES, MEMBERS = range(4)
HEAD = 4
AT_STAGE, WITHIN, HELD = range(3)
CONDITION, RULE = 4, 2
"""Numbers of a condition, and of a rule."""
UNITS = 10**9


@inner
def score_by_rules(measured, seen, stage, n, numbers, scores):
    """Fill scores float64[>= n] with the sums of the weights of the rules that hold of each move.

    measured int32[n, columns]; seen int32[n, frames, places], empty where no condition looks; stage -- of the position
    """
    conditions, rules = numbers[CONDITIONS], numbers[RULES]
    of_rules = HEAD + CONDITION * conditions
    members = of_rules + RULE * rules
    masks = np.empty((conditions, n), np.uint8)
    for k in range(conditions):
        at = HEAD + CONDITION * k
        _decide(measured, seen, stage, n, numbers[at : at + CONDITION], masks[k])
    total = np.zeros(n, np.int64)
    left = np.empty(n, np.uint8)
    for k in range(rules):
        at = of_rules + RULE * k
        weight, begin = numbers[at], numbers[at + 1]
        end = numbers[at + 3] if k + 1 < rules else numbers[MEMBERS]
        left[:] = 255
        for j in range(begin, end):
            mask = masks[numbers[members + j]]
            for i in range(n):
                left[i] &= mask[i]
        for i in range(n):
            total[i] += weight if left[i] else 0
    for i in range(n):
        scores[i] = total[i] / UNITS


@inner
def _decide(measured, seen, stage, n, condition, mask):
    """Fill mask uint8[n]: the frames in which a condition holds of each move, all where it has none."""
    kind, a, b, c = condition
    if kind == AT_STAGE:
        mask[:] = 255 if stage == a else 0
    elif kind == WITHIN:
        for i in range(n):
            mask[i] = 255 if b <= measured[i, a] <= c else 0
    else:
        for i in range(n):
            frames = 0
            for frame in range(seen.shape[1]):
                frames |= (seen[i, frame, a] >> b & 1) << frame
            mask[i] = frames
