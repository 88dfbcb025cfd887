"""Counting bits.

word:  | bit 63 | ... | bit 1 | bit 0 |    an int64
"""

import numpy as np

from gotools.jit import inner

_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@inner
def count_bits(word):
    """Count the bits of an int64; LLVM knows these steps and makes one instruction of them."""
    sums = np.uint64(word)
    sums = sums - ((sums >> _1) & _ODD)
    sums = (sums & _PAIRS) + ((sums >> _2) & _PAIRS)
    sums = (sums + (sums >> _4)) & _NIBBLES
    return np.int64((sums * _BYTES) >> _56)
