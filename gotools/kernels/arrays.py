"""Loops over arrays. What numba makes of `target[:] = source` takes two seconds to compile, a loop a twentieth."""

from gotools.jit import inner


@inner
def copy_to(target, source):
    """Write all of an array to the beginning of another of one axis; there must be room."""
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
