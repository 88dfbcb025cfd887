"""Small steps that kernels share: bits of 64-bit words, loops over arrays, random numbers. An edit compiles all anew.

The loops stand for `target[:] = source` and its like: numba takes two seconds to compile those, a twentieth for a loop.
Random numbers are xorshift64* (Vigna 2016) on one word of state, uint64[1], never 0.
"""

import numpy as np

from gotools.jit import inner, kernel

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


_MIX_FIRST, _MIX_SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@inner
def spread(number):
    """Mix the bits of an int64 one to one, so that different numbers have different keys (end of splitmix64)."""
    word = np.uint64(number)
    word = (word ^ (word >> _30)) * _MIX_FIRST
    word = (word ^ (word >> _27)) * _MIX_SECOND
    return np.int64(word ^ (word >> _31))


@inner
def copy_to(target, source):
    """Write all of an array to the beginning of another of one axis; there must be room.

    Much quicker to compile than `target[:] = source`, which takes numba two seconds.
    """
    for i in range(source.shape[0]):
        target[i] = source[i]


@inner
def sum_of(values):
    """Return the sum of an array, added from the first to the last; 0 where it is empty."""
    total = 0.0
    for i in range(values.shape[0]):
        total += values[i]
    return total


@inner
def largest(values, n):
    """Return the largest of the first n values, at least one."""
    best = values[0]
    for i in range(1, n):
        best = max(best, values[i])
    return best


_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
_A, _B, _C, _HALF = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(32)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_FINE = 1 << 30


@kernel
def seed_random(random, seed):
    """Start a generator from any integer; equal seeds give equal numbers."""
    word = np.uint64(seed) * _GOLDEN + _GOLDEN
    word ^= word >> _HALF
    random[0] = (word * _MULTIPLIER) | _ONE
    for _ in range(4):
        below(random, 2)


@kernel
def below(random, count):
    """Return a number from 0 to count - 1, all alike to one part in 2**32 / count."""
    word = random[0]
    word ^= word >> _A
    word ^= word << _B
    word ^= word >> _C
    random[0] = word
    return np.int64((((word * _MULTIPLIER) >> _HALF) * np.uint64(count)) >> _HALF)


@inner
def chance(random, share):
    """Say yes with a probability of `share`; where that is 0, no number is drawn."""
    return share > 0.0 and below(random, _FINE) < share * _FINE
