"""Find out what a file is, and let the reader of its kind say what it holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gotools.contents.contents import LIMIT, Contents
from gotools.contents.of_rules import show_compiled, show_rules
from gotools.contents.of_runs import show_run
from gotools.contents.of_tables import show_clusters, show_csv, show_examples, show_json, show_table
from gotools.contents.of_weights import show_weights
from gotools.errors import FileFormatError
from gotools.files.converting import names_csv
from gotools.files.kinds import TABLES, FileKind, Kind, TableKind, kind_of, wrong_kind
from gotools.files.opening import STDIN, head_of
from gotools.tournament.journal import NAME

Say = Callable[[str], None]

SHOWN: Final[dict[FileKind, Callable[[str, int], Contents]]] = {
    **dict.fromkeys(TABLES.values(), show_table),
    Kind.weights: show_weights,
    Kind.rules: show_rules,
    Kind.library: show_compiled,
    Kind.c_source: show_compiled,
    Kind.examples: show_examples,
    Kind.clusters: show_clusters,
    Kind.csv: show_csv,
    Kind.summary: show_json,
    Kind.metrics: show_json,
}
"""What reads a file of each kind, to show it; a table is shown by its header and rows, if by nothing else."""


def show_file(path: str | Path, limit: int = LIMIT, say: Say = lambda _: None) -> Contents:
    """Return what a file of gotools, or the folder of a tournament, holds.

    limit -- most rows of a list; say -- is called for each broken line of a journal

    Raises FileFormatError for a file that gotools does not write, or a damaged one. Nothing in it is executed.
    """
    name = str(path)
    if os.path.isdir(name):
        journal = os.path.join(name, NAME)
        if not os.path.isfile(journal):
            raise FileFormatError(path, None, f"a folder without {NAME}; expected that of a tournament")
        return show_run(journal, limit, say)
    if name != STDIN and not os.path.isfile(name):
        what = "not a regular file" if os.path.exists(name) else "no such file or folder"
        raise FileFormatError(path, None, what)
    head = head_of(name)
    kind = kind_of(head)
    if kind is Kind.journal:
        return show_run(name, limit, say)
    if isinstance(kind, TableKind) and head.lstrip().startswith(b"{"):
        return show_json(name, limit)
    if kind is Kind.results and names_csv(name):  # the games of a tournament; `elo` reads them
        kind = Kind.csv
    if kind not in SHOWN:
        raise wrong_kind(path, head, "a file that gotools writes")
    return SHOWN[kind](name, limit)
