"""Counts of clauses kept from seed to seed: most short clauses recur with every seed.

    table row:  key | P | N | stamp | seed        four rows a bucket, the least recently used row is replaced
    gone:       example, example, ...              positives covered since the last repacking, in order
                         ^ stamp: the number of examples that were gone when P was counted

N never changes. P changes only by the examples gone since the stamp, so it is updated from these alone.
A key is a 64-bit mixture of the clause's conditions, whatever their order; two clauses of one run share one with a
chance below 1e-7 for a million clauses.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner
from gotools.rules.clauses.kernels.conditions import CHOOSE, CHOOSE_BY, NOTHING, SHARES

KEY, P, N, STAMP, SEED = 0, 1, 2, 3, 4
UNKNOWN = -1
WAYS = 4


class CountMemo(NamedTuple):
    """The table, the examples gone, and two counts."""

    table: np.ndarray  # int64[rows, 5]
    gone: np.ndarray  # int32[positives]: index among the active examples
    state: np.ndarray  # int64[2]: how many are gone; the number of the seed


def new_memo(rows: int, positives: int) -> CountMemo:
    """Return an empty memo of `rows` rows (a power of two) for as many positives."""
    return CountMemo(np.zeros((rows, 5), np.int64), np.zeros(positives, np.int32), np.zeros(2, np.int64))


@inner
def mixed(x):
    """Return a 64-bit mixture of a 64-bit number (the finisher of SplitMix64, Steele, Lea and Flood 2014)."""
    x = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner
def key_of_test(test, axes):
    """Return a condition's share of a clause's key; axes -- slots open before it, which a new slot's number is."""
    kind = test[0]
    if kind == NOTHING:
        return np.uint64(0)
    if kind == CHOOSE or kind == CHOOSE_BY:
        x = mixed(np.uint64(axes))
    else:
        x = np.uint64(0)
    operands = 2 + test[1] if kind == SHARES else OPERANDS[kind]
    for k in range(operands):
        x = mixed(x ^ np.uint64(test[k] + 1024))
    return x


OPERANDS = np.array([1, 1, 3, 2, 2, 4, 5, 3, 4, 0, 2, 3, 3, 4, 2, 2, 3], np.int64)
"""Numbers that identify a condition of each kind, the kind itself included."""


@inner
def find(table, key):
    """Return the row that holds `key`, or -1 - row with the row to replace."""
    bucket = np.int64(key >> np.uint64(40)) & (table.shape[0] // WAYS - 1)
    wanted = np.int64(key)
    oldest = bucket * WAYS
    for row in range(bucket * WAYS, bucket * WAYS + WAYS):
        if table[row, KEY] == wanted:
            return row
        if table[row, SEED] < table[oldest, SEED]:
            oldest = row
    return -1 - oldest
