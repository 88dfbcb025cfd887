"""The errors that a user may cause, and that `cli.py` prints in one line.

    GotoolsError                  anything wrong with what the user gave or has installed
    ├── FileFormatError           a file is missing, unreadable, or not what it should be
    │   └── OutputError           the system does not let a file be written
    ├── WrongUsage                options that do not go together: exit code 2
    ├── ConfigError               settings of a tournament that are wrong, or do not fit what was begun
    ├── IllegalMove               a move that the rules of the game do not allow
    ├── EngineError               an engine (GTP) died, hung, or answered nonsense
    └── MissingTool               a program or package that has to be installed first

Anything else that escapes from a command is a bug of this package and ends in a traceback.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

LONGEST_QUOTE: Final = 60
"""Characters of a quotation in an error; a cell or an option may hold millions."""
LONGEST_NAME: Final = 500
"""Characters of a file's name in an error."""


def shown(text: object, most: int = LONGEST_QUOTE) -> str:
    """Return text of a file or an option as a message may hold it: on one line, cut where it is long.

    Control characters, and whatever else cannot be printed, become escapes (`\\n`, `\\x1b`); bytes are read as UTF-8.
    """
    whole = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return printable(whole[:most]) + ("..." if len(whole) > most else "")


def quoted(text: object, most: int = LONGEST_QUOTE) -> str:
    """Return `shown` text between quotation marks."""
    return f"'{shown(text, most)}'"


def printable(text: str) -> str:
    """Return text with escapes in place of control characters; nothing is cut. Names of files are shown so."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class GotoolsError(Exception):
    """Say in one line what is wrong, where, and what to do."""


class FileFormatError(GotoolsError):
    """Name the file, the line (from 1, None where there is none) and what is wrong there."""

    def __init__(self, path: object, line: int | None, what: str) -> None:
        self.path = "stdin" if path == "-" else shown(path, LONGEST_NAME)
        self.line = line
        self.what = what
        place = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{place}: {what}")


class OutputError(FileFormatError):
    """Name the file that cannot be written, and why."""


class WrongUsage(GotoolsError):
    """Name the options that do not go together, and what to do."""


class ConfigError(GotoolsError):
    """Name the setting, where it stands, and what it should be."""


class IllegalMove(GotoolsError):
    """Name the move and the rule it breaks."""


class EngineError(GotoolsError):
    """Name the engine (its command line) and what it did."""

    def __init__(self, engine: str, what: str) -> None:
        self.engine = engine
        self.what = what
        super().__init__(f"engine `{engine}`: {what}")


class MissingTool(GotoolsError):
    """Name what is missing and how to get it."""

    def __init__(self, name: str, hint: str) -> None:
        self.name = name
        self.hint = hint
        super().__init__(f"{name} is not installed; {hint}")


def nearest(name: str, names: Sequence[str], otherwise: str | None = None) -> str:
    """Return "; did you mean ...?" with the nearest of some names, else a list of them (or what to say instead)."""
    close = get_close_matches(name[:100], names, 1, 0.5)
    if close:
        return f"; did you mean {quoted(close[0])}?"
    return f"; there are {', '.join(names)}" if otherwise is None else otherwise
