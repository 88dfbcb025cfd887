"""Read decisions from whatever a user names: game records and files of examples, side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gotools.errors import FileFormatError, GotoolsError
from gotools.files import STDIN, expand_paths
from gotools.go import examples as tables
from gotools.go import gather
from gotools.go.examples import Examples
from gotools.go.gather import Gathering
from gotools.go.selection import Selection


def load_decisions(
    paths: Sequence[str],
    selection: Selection,
    report: Callable[[str], None],
    advance: Callable[[], None],
    strict: bool = False,
) -> Examples:
    """Return the decisions of SGF files and the rows of examples files, those of the games first.

    paths -- files, folders and globs of either kind; `-` is taken for examples if it begins as such a file does

    Raises GotoolsError where there is not one row of a size asked for, or nothing of either kind is there.
    """
    files = expand_paths(paths, gather.SUFFIXES + tables.SUFFIXES)
    rows = [f for f in files if _holds_examples(f)]
    games = [f for f in files if f not in rows]
    parts = []
    if games:
        parts += list(Gathering(games, selection, report, advance, strict).batches())
    if rows:
        parts.append(_of_size(tables.read_examples(rows), selection.sizes))
        advance()
    if not parts:
        raise GotoolsError("no game records (.sgf) and no examples (.tsv) there")
    return Examples.concat(parts)


def _holds_examples(path: str | Path) -> bool:
    if path == STDIN:
        return sys.stdin.buffer.peek(2)[:2] in (b"##", b"\x1f\x8b")
    name = str(path)
    return name.removesuffix(".gz").endswith(tables.SUFFIXES)


def _of_size(rows: Examples, sizes: frozenset[int]) -> Examples:
    if not sizes:
        return rows
    kept = rows.take(np.isin(rows.size, sorted(sizes)))
    if not len(kept):
        there = ", ".join(map(str, np.unique(rows.size).tolist()))
        raise FileFormatError("examples", None, f"no row of size {', '.join(map(str, sorted(sizes)))}; there is {there}")
    return kept
