"""The processor that kernels are compiled for: one of two levels of x86-64, so that what is compiled can travel.

x86-64-v3 (AVX2 and fused multiply-add; Intel since 2013, AMD since 2015) costs nothing in games and searches. A few
kernels are much faster with AVX-512, so that they are compiled for x86-64-v4 where the processor has it.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

from llvmlite import binding
from numba import config

LEVEL: Final = "x86-64-v3"
FEATURES: Final = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
WIDE_LEVEL: Final = "x86-64-v4"
WIDE_FEATURES: Final = ("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
WIDE: Final = frozenset(
    {f"gotools.jit.kernels.{name}" for name in ("convolution", "residual", "tile", "vectors", "winograd")}
    | {"gotools.rules.boosting.kernels.boost"}
)
"""Modules whose functions are compiled for the wider vectors of `WIDE_LEVEL`."""


@cache
def choose() -> bool:
    """Make numba compile for these levels from now on, unless this processor is older or the user has named another.

    Returns whether it does. Has no effect on what numba compiles where it has begun to compile before.
    """
    if config.CPU_NAME is None and config.CPU_FEATURES is None and _has(FEATURES):  # type: ignore[attr-defined]
        config.CPU_NAME, config.CPU_FEATURES = LEVEL, ""  # type: ignore[attr-defined]
        return True
    return False


def processor() -> str:
    """Return what kernels are compiled for: the processor's name and features, and the wider level, if there is one."""
    choose()
    name, features = config.CPU_NAME, config.CPU_FEATURES  # type: ignore[attr-defined]
    here = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return f"{name or here[0]} {here[1] if features is None else features} {level_of(WIDE)}"


def level_of(modules: Iterable[str]) -> str:
    """Return the level that code of these modules is compiled for, if it is not that of the target, else ""."""
    return WIDE_LEVEL if choose() and _has(WIDE_FEATURES) and not WIDE.isdisjoint(modules) else ""


@cache
def _has(features: Sequence[str]) -> bool:
    there = binding.get_host_cpu_features() if platform.machine() in ("x86_64", "AMD64") else {}
    return all(there.get(feature) for feature in features)


def mark(module: Any) -> None:
    """Mark functions of `WIDE` in the text that LLVM compiles; a mark of a function is stronger than the target."""
    if choose() and _has(WIDE_FEATURES):
        for function in module.functions:
            if not function.is_declaration and any(name in function.name for name in _MANGLED):
                set.add(function.attributes, f'"target-cpu"="{WIDE_LEVEL}" "prefer-vector-width"="512"')


_MANGLED: Final = ["".join(f"{len(part)}{part}" for part in name.split(".")) for name in WIDE]
"""How the names of such functions begin, behind a prefix."""
