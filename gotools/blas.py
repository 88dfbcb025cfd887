"""Load linear algebra that computes alike on all x86-64 processors.

OpenBLAS, which numpy and scipy bring, has routines for each family of processors; sums of products come out with other
last bits. It chooses when it is loaded, so this has to happen before anything imports numpy.
"""

from __future__ import annotations

import os
import platform
from importlib import import_module

_CORE = "OPENBLAS_CORETYPE"
_COMMON = "Nehalem"
"""Routines that every x86-64 processor of the last fifteen years can run."""


def use_common_blas(with_scipy: bool = True) -> None:
    """Load numpy, and scipy's linear algebra, with the routines that processors have in common.

    Does nothing for what is loaded already, and on processors of other families. The environment stays as it was.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    before = os.environ.get(_CORE)
    os.environ[_CORE] = _COMMON
    try:
        for library in ("numpy", "scipy.linalg") if with_scipy else ("numpy",):
            import_module(library)
    finally:
        if before is None:
            del os.environ[_CORE]
        else:
            os.environ[_CORE] = before
