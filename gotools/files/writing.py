"""Outputs other than one whole file: folders that appear when all of their files are written, files that only grow.

And rows that Ctrl-C does not cut in two.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from gotools.base.errors import FileFormatError
from gotools.files.opening import behind_links, naming, sync_folder, umask
from gotools.files.temporary import take_lock, temporary_beside


@contextmanager
def output_folder(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it gets its name `path` only when it is complete.

    An existing folder is replaced if it is empty or holds only plain files with names of the new one.

    Raises FileFormatError if the folder cannot be made, or `path` is something else.
    """
    target = behind_links(path)
    with ExitStack() as stack:
        with naming(target):
            made = Path(stack.enter_context(temporary_beside(target, folder=True)))
        yield made
        with naming(target):
            made.chmod(0o777 & ~umask())
            _give_name(made, target)


def _give_name(made: Path, target: Path) -> None:
    if target.is_dir():
        strange = sorted({entry.name for entry in target.iterdir()} - {entry.name for entry in made.iterdir()})
        if strange:
            raise FileFormatError(target, None, f"this folder holds other things ({strange[0]}); name a new one")
        for entry in sorted(made.iterdir()):
            os.replace(entry, target / entry.name)
    elif target.exists():
        raise FileFormatError(target, None, "a file of this name exists; name a new folder")
    else:
        os.replace(made, target)


def append_text(path: str | Path, text: str) -> None:
    """Append text to a file that others append to as well. Raises OutputError."""
    with naming(Path(path)), open(path, "a", encoding="utf-8") as out:
        out.write(text)


class AppendedFile:
    """A file that only grows, line by line; each is on the disk when `append` returns. One process at a time.

    Raises FileFormatError if it cannot be opened, or another process has it open.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with naming(self.path):
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o666)
        if take_lock(self._handle) is False:  # None, a disk without locks: two runs cannot be kept apart
            os.close(self._handle)
            raise FileFormatError(path, None, "another process is writing to it")
        sync_folder(self.path)

    def append(self, line: bytes) -> None:
        """Write one line and its end, in one piece."""
        data = line + b"\n"
        with naming(self.path):
            while data:  # a nearly full disk may take a part
                data = data[os.write(self._handle, data) :]
            os.fsync(self._handle)

    def cut(self, count: int) -> None:
        """Remove the last bytes: a partial line of an interrupted write."""
        with naming(self.path):
            os.ftruncate(self._handle, os.fstat(self._handle).st_size - count)

    def close(self) -> None:
        """Close the file, and let others open it."""
        os.close(self._handle)


@contextmanager
def whole_writes() -> Iterator[None]:
    """Delay the first Ctrl-C until the block is done, so that no row is cut in two; a second one interrupts it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held = False

    def hold(number: int, frame: FrameType | None) -> None:
        nonlocal held
        if held and callable(before):
            before(number, frame)
        held = True

    before = signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt
