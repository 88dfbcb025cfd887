"""The cache of compiled kernels on disk: what an edit does not touch is not compiled again.

Numba's own cache goes by the path of a source file, and does not notice an edit in another file (numba PR 8396). Here
each source file has a folder whose name holds a digest of its text, of all kernel files that it imports, and of the
versions that matter; so checkouts share what they have in common. The processor is in numba's index of a file.

    ~/.cache/gotools/kernels/gotools.games.go.kernels.rules-DIGEST/rules.pad-31.py311.nbi     signatures -> data files
                                                             rules.pad-31.py311-SHA256.nbc
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib.metadata
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from gotools.jit.target import level_of

SHIPPED: Final = Path(__file__).with_name("compiled")
"""Kernels that a wheel brings (`scripts/wheel`), in folders of the same names; taken where they fit."""
KEPT: Final = 2000
"""Folders of source files that are kept, about 20 versions of each: half a gigabyte at most."""
_IMPORT: Final = re.compile(r"^(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w.]+))", re.MULTILINE)
_MEMBER: Final = re.compile(r"(\w+)(?: as \w+)?")


class KernelCache(FunctionCache):
    """Numba's cache of one function, in a folder of `source_folder`; a broken disk or file is no error."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def identity(self, code: Any) -> str:
        """Return a name of this source, the same in each process; "" where the folder of the cache is not ours."""
        locator = self._impl.locator
        if not isinstance(locator, _Locator):
            return ""
        content = self._index_key((), code)[-1]  # the closure too
        return hashlib.sha256(
            f"{locator.get_source_stamp()} {self._impl.filename_base} {content}".encode()
        ).hexdigest()[:16]

    @contextlib.contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        with contextlib.suppress(OSError):
            yield


class _Locator(_CacheLocator):
    """Tells numba the folder of a function."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file, self._line = file, function.__code__.co_firstlineno
        self._folder = source_folder(function.__module__, file)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator | None:
        return cls(function, file) if os.path.exists(file) else None  # not in a notebook

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    def ensure_cache_path(self) -> None:
        if not self._folder.exists():
            _forget_oldest()
            self._folder.mkdir(parents=True, exist_ok=True)


class _Results(CompileResultCacheImpl):
    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012


KernelCache._impl_class = _Results


class _Files(IndexDataCacheFile):
    """The files of one function. A data file is named by its digest, so that damage shows and writers cannot mix."""

    def __init__(self, folder: str, base: str, stamp: str) -> None:
        super().__init__(folder, base, stamp)  # type: ignore[no-untyped-call]
        self._shipped = IndexDataCacheFile(str(SHIPPED / stamp), base, stamp)  # type: ignore[no-untyped-call]

    def save(self, key: Any, data: Any) -> None:
        packed = self._dump(data)
        name = f"{Path(self._index_name).stem}-{hashlib.sha256(packed).hexdigest()}.nbc"
        with self._open_for_write(self._data_path(name)) as file:
            file.write(packed)
        self._save_index({**self._load_index(), key: name})

    def _load_index(self) -> dict[Any, str]:
        found: dict[Any, str] = {}
        for load in (self._shipped._load_index, super()._load_index):
            with contextlib.suppress(Exception):  # damaged: unpickling raises anything
                found.update(load())  # type: ignore[no-untyped-call]
        return found

    def _load_data(self, name: str) -> Any:
        path = Path(self._shipped._data_path(name))  # type: ignore[no-untyped-call]
        packed = (path if path.exists() else Path(self._data_path(name))).read_bytes()
        if hashlib.sha256(packed).hexdigest() not in name:
            raise OSError(f"{name} is damaged")
        return pickle.loads(packed)


@functools.cache
def source_folder(module: str, file: str) -> Path:
    """Return the folder for the kernels of a source file that has been imported; marks it as used."""
    digest = hashlib.sha256(_versions())
    found = {module: file}
    waiting = [] if module.startswith("numba.") else [file]  # its version says enough
    while waiting:
        imported = _read(waiting.pop())[1]
        waiting += [path for name, path in imported.items() if name not in found]
        found.update(imported)
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + _read(found[name])[0])
    level = level_of(found)
    folder = cache_folder() / f"{module}-{digest.hexdigest()[:24]}{level and '-' + level}"
    with contextlib.suppress(OSError):
        os.utime(folder)
    return folder


@functools.cache
def _read(file: str) -> tuple[bytes, dict[str, str]]:
    """Return the digest of a file, and by name the files that it imports from folders `kernels` and from beside it."""
    text = Path(file).read_bytes()
    names: set[str] = set()
    for module, members, plain in _IMPORT.findall(text.decode("utf-8")):
        names.add(plain or module)
        names.update(f"{module}.{member}" for member in _MEMBER.findall(members))
    imported = {name: getattr(sys.modules.get(name), "__file__", None) or "" for name in names}
    beside = os.path.dirname(file)
    return hashlib.sha256(text).digest(), {
        name: path
        for name, path in imported.items()
        if path and ("kernels" in name.split(".") or os.path.dirname(path) == beside)
    }


@functools.cache
def _versions() -> bytes:
    """Name the versions that compiled code depends on, our own options of numba among them."""
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite")]
    names = "dispatchers.py", "linking.py", "numba_parts.py", "target.py"
    options = b"".join(Path(__file__).with_name(name).read_bytes() for name in names)
    return f"{sys.version_info[:2]} {' '.join(versions)} ".encode() + hashlib.sha256(options).digest()


@functools.cache
def hash_of_kernels() -> str:
    """Return a hash of the names and texts of all kernel files of the package."""
    package, digest = Path(__file__).parents[1], hashlib.sha256(_versions())
    for path in sorted(package.rglob("kernels/*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def _forget_oldest() -> None:
    """Delete the folders that have not been used for longest, beyond those that are kept; once in a process."""
    with contextlib.suppress(OSError):
        entries = [entry for entry in os.scandir(cache_folder()) if entry.is_dir()]
        folders = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
        for _, path in folders[:-KEPT]:
            shutil.rmtree(path, ignore_errors=True)


def cache_folder() -> Path:
    """Find or make the folder of compiled kernels.

    It lies under $NUMBA_CACHE_DIR, else $XDG_CACHE_HOME, else ~/.cache; if that cannot be written, under the system's
    temporary folder.
    """
    for base in _bases():
        folder = base / "kernels"
        try:
            base.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    return _folder_of_process()


@functools.cache
def _folder_of_process() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="gotools-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _bases() -> Iterator[Path]:
    """Yield the folders that may hold the cache, best first."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen)
    elif chosen := os.environ.get("XDG_CACHE_HOME"):
        yield Path(chosen) / "gotools"
    else:
        with contextlib.suppress(RuntimeError):  # no home at all
            yield Path.home() / ".cache" / "gotools"
    if hasattr(os, "getuid"):
        # Compiled code is loaded from it, so a folder that others may write is not taken.
        own = Path(tempfile.gettempdir()) / f"gotools-{os.getuid()}"
        with contextlib.suppress(OSError):
            own.mkdir(mode=0o700, exist_ok=True)
            status = own.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022:
                yield own
