"""Temporary files and folders beside what they become; what a process that died left there goes with the next one.

Each has a name made from the target's and a number, and is locked by the process that fills it: one without a lock is
of a dead process. On disks without locks such files stay.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

_TEMPORARY: Final = re.compile(r"\.gotools-[0-9a-f]{16}-[0-9]{1,3}")
MOST: Final = 1000
"""Processes that write to one target at a time, those included that died on a disk without locks."""


@contextmanager
def temporary_beside(target: Path, folder: bool = False) -> Iterator[str]:
    """Yield the name of a new empty file or folder for this user alone, to be renamed to `target`.

    What is not renamed when the block ends is removed. Raises OSError.
    """
    path, handle = _made(target, folder)
    try:
        yield path
    finally:
        if _is_there(path, handle):
            _remove(path)
        os.close(handle)


def remove_left(folder: Path) -> None:
    """Remove all that dead processes left in a folder, whatever it was to become."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name):
                _remove_if_left(entry.path)


def take_lock(handle: int) -> bool | None:
    """Lock an open file or folder while it is open; returns False if another process has it, None without locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _made(target: Path, folder: bool) -> tuple[str, int]:
    """Make a file or folder, and remove those of dead processes; returns its name and a handle that keeps the lock."""
    digest = blake2b(os.fsencode(target.name), digest_size=8).hexdigest()
    made = None
    for number in range(MOST):
        path = os.path.join(target.parent, f".gotools-{digest}-{number}")
        if not os.path.lexists(path):
            if made is not None:
                return made
        else:
            _remove_if_left(path)
        made = made or _create(path, folder)
    if made is None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
    return made


def _create(path: str, folder: bool) -> tuple[str, int] | None:
    """Make and lock a file or folder; None if there is one of this name, or another process has just removed it."""
    try:
        if folder:
            os.mkdir(path, 0o700)
        handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return None
    if take_lock(handle) is not False and _is_there(path, handle):
        return path, handle
    os.close(handle)
    return None


def _remove_if_left(path: str) -> None:
    """Remove a file or folder that no living process has locked."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if take_lock(handle) and _is_there(path, handle):
                _remove(path)
        finally:
            os.close(handle)


def _is_there(path: str, handle: int) -> bool:
    """Return whether a name still stands for an open file."""
    with suppress(OSError):
        return os.path.samestat(os.lstat(path), os.fstat(handle))
    return False


def _remove(path: str) -> None:
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(FileNotFoundError):
            os.unlink(path)
