"""The state of a search for ranking rules, kept in a file beside the rules: a search that was cut off can go on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gotools.errors import FileFormatError
from gotools.files.opening import open_output, read_bytes
from gotools.patterns.boosting.boost import SearchState

KIND, VERSION = "search", 1
_LONGEST = 255
"""Bytes of the name of a file."""


def state_path(rules: str | Path) -> Path:
    """Return the file with the state of the search whose rules go to a file; a name too long for it is a digest."""
    path = Path(f"{rules}.search")
    name = os.fsencode(path.name)
    return path if len(name) <= _LONGEST else path.with_name(f"{hashlib.sha256(name).hexdigest()}.search")


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """Where the state of a search is kept.

    go_on -- begin with the state that the file holds, if there is the file
    """

    path: Path
    go_on: bool = False

    def load(self, key: str) -> SearchState | None:
        """Return the state, None without one. Raises FileFormatError for the state of another search."""
        if not self.go_on or not self.path.exists():
            return None
        with self.errors():
            found: dict[str, Any] = json.loads(read_bytes(self.path))
            kind, version = found["gotools"]
            state: SearchState = found["state"]
        if kind != KIND or version != VERSION:
            raise FileFormatError(self.path, None, "is not the state of a search that this program can go on with")
        if found.get("key") != key:
            raise FileFormatError(self.path, None, "is the state of a search on other games or with other options")
        return state

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the errors of a file that is damaged into one for people."""
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(self.path, None, "is not the state of a search") from error

    def save(self, key: str, state: SearchState) -> None:
        """Write the state; the file holds the old one or the new one at any moment."""
        with open_output(self.path) as out:
            out.write(json.dumps({"gotools": [KIND, VERSION], "key": key, "state": state}).encode())

    def remove(self) -> None:
        """Remove the file: the search is over."""
        self.path.unlink(missing_ok=True)
