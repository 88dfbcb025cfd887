"""Arguments that many functions of the library take: paths, board sizes, ranks, and where messages go."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

Paths = str | Path | Iterable[str | Path]
"""A file, a folder or a glob, or several of them."""
Report = Callable[[str], None]
"""Called with a line for each problem that does not stop the work, such as a broken game that is left out."""


def log(line: str) -> None:
    """Pass a line to the logger `gotools`, as a warning."""
    import logging

    logging.getLogger("gotools").warning(line)


def listed(paths: Paths) -> list[str]:
    """Return paths as a list of texts."""
    return [str(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]


def sizes_of(size: int | Iterable[int]) -> frozenset[int]:
    """Return board sizes as a set; empty for any size."""
    return frozenset([size] if isinstance(size, int) else size)


def strength(rank: str | float | None) -> float | None:
    """Return the strength of a rank such as "3d"; numbers are strengths already.

    Raises GotoolsError for a text that is not a rank.
    """
    from gotools.go.records.ranks import parse_rank

    return parse_rank(rank) if isinstance(rank, str) else rank
