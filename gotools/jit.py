"""Numba's flags and cache in one place.

Kernels are compiled at their first call and kept on disk. Numba's own cache does not notice an edit in another file
(numba PR 8396), so the folder is named by a hash of all kernel sources: an edit anywhere starts a new folder.
The folder lies under $NUMBA_CACHE_DIR, else $XDG_CACHE_HOME, else ~/.cache; if that cannot be written, under the
system's temporary folder. With NUMBA_DISABLE_JIT=1 kernels run as plain Python, about a hundred times slower.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from gotools import compiling

_ready = False

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers to machine code at its first call; kept in the cache folder.

    Division by zero gives inf or nan as in numpy; indices are not checked; the GIL is released.
    """
    return _dispatcher("Kernel", "NO_C_WRAPPER", function)


def inner(function: F) -> F:
    """As kernel, for functions that only other kernels call, not Python, which saves a third of their compilation."""
    return _dispatcher("InnerKernel", "INNER", function)


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
    from gotools import dispatchers

    if function.value is None:
        function.value = dispatchers.Value(function)
    return function.value


def _dispatcher(kind: str, options: str, function: F) -> F:
    """Make a dispatcher of dispatchers.py, or leave the function as it is if numba is switched off."""
    from numba import config  # 0.5 s: not before a kernel is needed

    _prepare(config)
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    from gotools import dispatchers

    compiled = getattr(dispatchers, kind)(function, targetoptions=getattr(dispatchers, options))
    compiled.enable_caching()
    return cast(F, compiled)


def _prepare(config: Any) -> None:
    """Point numba to the cache folder and watch what it compiles; does nothing the second time."""
    global _ready
    if _ready:
        return
    _ready = True
    if not config.DISABLE_JIT:
        config.CACHE_DIR = str(cache_folder()[0])
        compiling.watch()


def cache_folder() -> tuple[Path, bool]:
    """Find or make the folder of compiled kernels.

    Returns the folder and whether this call made it.
    """
    name = f"kernels-{sources_hash(Path(__file__).parent)}"
    for base in _bases():
        folder = base / name
        try:
            base.mkdir(parents=True, exist_ok=True)
            made = _make(folder)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK):
            return folder, made
    folder = Path(tempfile.mkdtemp(prefix="gotools-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder, True


def sources_hash(package: Path) -> str:
    """Hash names and texts of all kernels (files in folders named `kernels`) below a folder; about a millisecond."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("kernels/*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _bases() -> list[Path]:
    """List the folders that may hold the cache, best first."""
    bases = []
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        bases.append(Path(chosen))
    elif chosen := os.environ.get("XDG_CACHE_HOME"):
        bases.append(Path(chosen) / "gotools")
    else:
        with contextlib.suppress(RuntimeError):  # no home at all
            bases.append(Path.home() / ".cache" / "gotools")
    if own := _own_temporary_folder():
        bases.append(own)
    return bases


def _own_temporary_folder() -> Path | None:
    """Name a lasting temporary folder that only this user may write: compiled code is loaded from it."""
    if not hasattr(os, "getuid"):
        return None
    folder = Path(tempfile.gettempdir()) / f"gotools-{os.getuid()}"
    try:
        _make(folder)
        status = folder.lstat()
    except OSError:
        return None
    safe = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
    return folder if safe else None


def _make(folder: Path) -> bool:
    """Make a folder for this user alone; returns whether it was missing. One of several processes gets True."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return False
    return True
