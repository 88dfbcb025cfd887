"""Keys of games whose positions are numbers of less than 64 bits.

number:  | 0 ... 0 | digits of the cells |    key:  | all 64 bits depend on every digit |
"""

import numpy as np

from gotools.jit import inner

_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@inner
def spread(number):
    """Mix the bits of an int64 one to one, so that different numbers have different keys (end of splitmix64)."""
    word = np.uint64(number)
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return np.int64(word ^ (word >> _31))
