"""Numba's own compiled parts, such as `np.empty` and `fill`, in our cache too: they were a tenth of a cold start.

Numba compiles them in each process, and again for each kernel with other options that calls them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import numpy as np
from numba.core import compiler, types
from numba.core.typing import templates

from gotools.jit import linking
from gotools.jit.kernel_cache import KernelCache

_PLAIN: Final = (type(None), bool, int, float, str, tuple, np.dtype, types.Type)


@cache
def keep() -> None:
    """Give the parts that numba makes from now on a cache, where they are functions of numba with plain constants."""
    template: Any = templates._OverloadFunctionTemplate
    find_decorator = template._get_jit_decorator

    def find_cached(self: Any) -> Callable[..., Any]:
        decorator = find_decorator(self)
        return lambda **options: lambda function: _cached(decorator(**options)(function))

    template._get_jit_decorator = find_cached


def _cached(part: Any) -> Any:
    constants = [cell.cell_contents for cell in part.py_func.__closure__ or ()]
    if part.py_func.__module__.startswith("numba.") and all(isinstance(one, _PLAIN) for one in constants):
        part._cache = _PartCache(part)
        linking.call_large(part)
    return part


class _PartCache(KernelCache):
    """A cache that tells apart what callers with other options get; what cannot be written is not kept."""

    def __init__(self, part: Any) -> None:
        super().__init__(part.py_func)
        self._part = part

    def _index_key(self, sig: Any, code: Any) -> Any:
        flags = compiler.Flags()  # type: ignore[no-untyped-call]
        self._part.targetdescr.options.parse_as_flags(flags, self._part.targetoptions)
        *key, content = super()._index_key(sig, code)  # type: ignore[no-untyped-call]
        return *key, (*content, flags.get_mangle_string())

    @contextlib.contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        with contextlib.suppress(OSError, TypeError, AttributeError):
            yield
