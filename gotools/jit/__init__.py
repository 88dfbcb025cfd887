"""The decorators of kernels: functions of arrays and numbers that numba compiles to machine code.

Kernels are compiled at their first call and kept on disk (`kernel_cache.py`). With NUMBA_DISABLE_JIT=1 they run as
plain Python, about a hundred times slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from gotools.jit import compiling

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers to machine code at its first call; kept in the cache folder.

    Division by zero gives inf or nan as in numpy; indices are not checked; the GIL is released.
    """
    return _dispatcher("Kernel", "NO_C_WRAPPER", function)


def inner(function: F) -> F:
    """As kernel, for functions that only other kernels call, not Python, which saves a third of their compilation."""
    return _dispatcher("InnerKernel", "INNER", function)


def inlined(function: F) -> F:
    """As inner, for small functions with large records among their arguments, which cost more to hand over."""
    return _dispatcher("InnerKernel", "INLINED", function)


def unrolled(function: F) -> F:
    """As inner, for functions that are compiled anew for each constant they are called with."""
    return _dispatcher("UnrolledKernel", "INNER", function)


def seam(signature: Any) -> Callable[[F], F]:
    """Compile a function for exactly one signature, when it is first used: it may be an argument of other kernels.

    Numba caches functions that take functions only if all their types are given (see kernels/seams.py).
    """

    def declare(function: F) -> F:
        compiled: Any = _dispatcher("Seam", "OPTIONS", function)
        compiled.signature = signature
        return cast(F, compiled)

    return declare


def as_value(function: Any) -> Any:
    """Return a seam as a value that records of kernels can hold (`kernels/seams.py`); compiled when it is used."""
    from numba import config

    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    from gotools.jit import dispatchers

    if function.value is None:
        function.value = dispatchers.Value(function)
    return function.value


def _dispatcher(kind: str, options: str, function: F) -> F:
    """Make a dispatcher of dispatchers.py, or leave the function as it is if numba is switched off."""
    from numba import config  # 0.5 s: not before a kernel is needed

    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    from gotools.jit import dispatchers, kernel_cache, linking, numba_parts, target

    target.choose()
    numba_parts.keep()
    compiling.watch()
    compiled = getattr(dispatchers, kind)(function, targetoptions=getattr(dispatchers, options))
    compiled._cache = kernel_cache.KernelCache(function)
    linking.call_large(compiled)
    return cast(F, compiled)
