"""Arguments that many functions of the library take: paths, and where messages go."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, ParamSpec

P = ParamSpec("P")
Paths = str | Path | Iterable[str | Path]
"""A file, a folder or a glob, or several of them."""
Report = Callable[[str], None]
"""Called with a line for each problem that does not stop the work, such as a broken game that is left out."""


class named(Generic[P]):
    """A function that does something with what it is told; as a default it shows in signatures by its name alone."""

    def __init__(self, function: Callable[P, None]) -> None:
        self._function = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return self._function.__name__


@named
def log(line: str) -> None:
    """Pass a line to the logger `gotools`, as a warning."""
    import logging

    logging.getLogger("gotools").warning(line)


@named
def no_news(news: object) -> None:
    """Ignore news."""


def listed(paths: Paths) -> list[str]:
    """Return paths as a list of texts."""
    return [str(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
