"""The errors that a user may cause, and that `cli.py` prints in one line.

    GotoolsError                  a fault of the user's input or installation
    ├── FileFormatError           a file is missing, unreadable, or invalid
    │   ├── OutputError           a file cannot be written
    │   └── RefusedArchive        an archive may do harm
    ├── WrongUsage                options that contradict each other: exit code 2
    ├── ConfigError               settings of a tournament that are invalid, or differ from those of the run
    ├── EngineError               an engine (GTP) died, hung, or answered nonsense
    └── MissingTool               a program or package is not installed

Anything else that escapes from a command is a bug of this package and ends in a traceback.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Final

LONGEST_QUOTE: Final = 60
"""Characters of a quotation in an error; a cell or an option may hold millions."""
LONGEST_NAME: Final = 500
"""Characters of a file's name in an error."""


def shown(text: object, most: int = LONGEST_QUOTE) -> str:
    """Return text of a file or an option for a message: on one line, shortened if long.

    Control characters, and others that cannot be printed, become escapes (`\\n`, `\\x1b`); bytes are read as UTF-8.
    """
    whole = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return printable(whole[:most]) + ("..." if len(whole) > most else "")


def quoted(text: object, most: int = LONGEST_QUOTE) -> str:
    """Return `shown` text between quotation marks."""
    return f"'{shown(text, most)}'"


def printable(text: str) -> str:
    """Return text with escapes in place of control characters, in full length: for names of files."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class GotoolsError(Exception):
    """One line: what is wrong, where, and what to do."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle keeps: the type, the text and the attributes, whatever the type's constructor takes."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[GotoolsError], args: tuple[Any, ...]) -> GotoolsError:
    error = kind.__new__(kind)
    error.args = args
    return error


class FileFormatError(GotoolsError):
    """The file, the line (from 1, None if unknown) and what is wrong there."""

    def __init__(self, path: object, line: int | None, what: str) -> None:
        self.path = "stdin" if path == "-" else shown(path, LONGEST_NAME)
        self.line = line
        self.what = what
        place = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{place}: {what}")


class OutputError(FileFormatError):
    """The file that cannot be written, and why."""


class RefusedArchive(FileFormatError):
    """The archive, and why nothing more of it is read: it was made to do harm, or looks like it."""


class WrongUsage(GotoolsError):
    """The options that contradict each other, and what to do."""


class ConfigError(GotoolsError):
    """The setting, its place, and what it should be."""


class EngineError(GotoolsError):
    """The engine (its command line) and its fault."""

    def __init__(self, engine: str, what: str) -> None:
        self.engine = engine
        self.what = what
        super().__init__(f"engine `{engine}`: {what}")


class MissingTool(GotoolsError):
    """What is missing and how to get it."""

    def __init__(self, name: str, hint: str) -> None:
        self.name = name
        self.hint = hint
        super().__init__(f"{name} is not installed; {hint}")


def wrong_word(text: object, words: Sequence[str]) -> str | None:
    """Return what is wrong with a value that must be one of some words, with the nearest; None where it is one."""
    return None if text in words else f"there is no {quoted(text)}{nearest(str(text), words)}"


def nearest(name: str, names: Sequence[str], otherwise: str | None = None, most: int = 1) -> str:
    """Return "; did you mean ...?" with the nearest of some names, else a list of them (or the given text).

    most -- names that are offered; those that differ in case only, or hold the name, count as near
    """
    small = name[:100].casefold()
    held = sorted((one for one in names if len(small) > 2 and small in one.casefold()), key=len)
    same = [one for one in held[:most] if len(one) == len(small)]
    close = list(dict.fromkeys([*same, *get_close_matches(name[:100], names, most, 0.5), *held]))[:most]
    if close:
        *others, last = map(quoted, close)
        return f"; did you mean {', '.join(others)} or {last}?" if others else f"; did you mean {last}?"
    return f"; there are {', '.join(names)}" if otherwise is None else otherwise
