"""Load linear algebra that gives the same results on all x86-64 processors.

OpenBLAS, which numpy and scipy include, has routines for each family of processors, whose sums of products differ in
the last bits. It chooses when it is loaded, so this has to happen before anything imports numpy.
"""

from __future__ import annotations

import os
import platform

_CORE = "OPENBLAS_CORETYPE"
_COMMON = "Nehalem"
"""Routines that every x86-64 processor of the last fifteen years can run."""


def use_common_blas(with_scipy: bool = True) -> None:
    """Load numpy, and scipy's linear algebra, with the routines that all processors share.

    Does nothing for libraries already loaded, and on processors of other families. The environment stays as it was.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    before = os.environ.get(_CORE)
    os.environ[_CORE] = _COMMON
    try:
        import numpy  # noqa: F401

        if with_scipy:
            import scipy.linalg  # noqa: F401
    finally:
        if before is None:
            del os.environ[_CORE]
        else:
            os.environ[_CORE] = before
