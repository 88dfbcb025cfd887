"""Compiled functions as numba's dispatchers, with less compilation: half the time of a cold start.

Numba compiles a kernel for each combination of types, with a wrapper for Python and one for C, and
compiles a function with a given signature as soon as its module is imported. Here kernels that only other kernels call
have no wrappers, integers come in one type, and seams are compiled when they are first used.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy"}
NO_C_WRAPPER = {**OPTIONS, "no_cfunc_wrapper": True}
INNER = {**NO_C_WRAPPER, "no_cpython_wrapper": True}
INLINED = {**INNER, "forceinline": True}


class Kernel(CPUDispatcher):
    """A kernel for Python and other kernels, which pass integers as int64 and no constants.

    Conversions are exact: kernels compute with int64 for any narrower type.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([_plain(kind) for kind in args], {k: _plain(v) for k, v in kws.items()})

    def load(self, arguments: tuple[Any, ...]) -> Any:
        """Return what it is compiled to for arguments of these types."""
        self.compile(arguments)
        return self.overloads[arguments]


class InnerKernel(Kernel):
    """A kernel that only other kernels may call, not Python."""

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.py_func.__name__} is for kernels only; declare it with @kernel to call it from Python")


class UnrolledKernel(InnerKernel):
    """An inner kernel that is compiled for each constant it is called with."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return CPUDispatcher.get_call_template(self, args, kws)


class Seam(CPUDispatcher):
    """A kernel of one signature, compiled when it is first called or passed to another kernel."""

    signature: Any = None
    value: Value | None = None
    """Itself in the records of kernels, once it was needed there."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        self._be_ready()
        return super().get_call_template(args, kws)

    def get_compile_result(self, signature: Any) -> Any:
        self._be_ready()
        return super().get_compile_result(signature)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        self._be_ready()
        return self  # numba calls the result with the same arguments

    def load(self, arguments: tuple[Any, ...]) -> Any:
        self._be_ready()
        return self.overloads[arguments]

    def _be_ready(self) -> None:
        with global_compiler_lock:
            if not self.overloads:
                self.compile(self.signature)
                self.disable_compile()


class Value(types.WrapperAddressProtocol):
    """A seam by its address: numba takes it for a function of its signature, in named tuples too."""

    def __init__(self, seam: Seam) -> None:
        self._seam, self._address = seam, 0

    def __wrapper_address__(self) -> int:
        if not self._address:
            compiled = self._seam.get_compile_result(self._seam.signature)
            self._address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
        return self._address

    def signature(self) -> Any:
        return self._seam.signature


def _plain(kind: Any) -> Any:
    """Return the type to use for an argument: int64 for narrower integers, no constants."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    if isinstance(kind, types.Integer) and kind.bitwidth < 64:  # type: ignore[attr-defined]
        return types.int64
    return kind
