"""Files that another process, perhaps of another machine, reads as well: it must find the same bytes there."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

from gotools.errors import FileFormatError
from gotools.files.opening import read_bytes


@dataclass(frozen=True, slots=True)
class SameFile:
    """A file by its full path and the digest of its bytes."""

    path: str
    digest: str

    def checked(self) -> str:
        """Return the path. Raises FileFormatError where it holds other bytes than it did when this was made."""
        found = _digest(self.path)
        if found != self.digest:
            what = f"is not the file that it is where the work comes from: digest {found}, not {self.digest}"
            raise FileFormatError(self.path, None, what)
        return self.path


def same_file(path: str) -> SameFile:
    """Return a file for other processes. Raises FileFormatError if it cannot be read."""
    full = os.path.abspath(path)
    return SameFile(full, _digest(full))


def _digest(path: str) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()[:12]
