"""Files that only grow: a journal, line by line, each on the disk at once; a page that others append to as well."""

from __future__ import annotations

import os
from pathlib import Path

from gotools.errors import FileFormatError
from gotools.files.opening import naming, sync_folder
from gotools.files.temporary import take_lock


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
