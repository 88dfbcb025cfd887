"""Random numbers for kernels: xorshift64* (Vigna 2016) on one word of state, uint64[1], never 0."""

import numpy as np

from gotools.jit import inner, kernel

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
