"""What columns hold in a table of each kind, and pyarrow, which is loaded when a Parquet file is met.

A table is written and read as text in any case: `parquet_writing` and `csv_writing` turn the text of a table into
Parquet and CSV on its way to the disk, `parquet_reading` turns Parquet into the text of the table. So every command
writes all forms, takes text and Parquet, and checks both alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from gotools.errors import MissingTool

MAGIC: Final = b"PAR1"
"""The first bytes of a Parquet file, and its last ones."""
SUFFIX: Final = ".parquet"
KEY: Final = "gotools"
"""The key of the metadata that holds kind and version: `examples 2`. A line `##key=value` has the key gotools.key."""
_EXTRA: Final = "it reads and writes Parquet: `pip install pyarrow`"


class Cells(StrEnum):
    """What a column holds. The missing value of a word is `-` in text, that of a number an empty cell."""

    text = "text"  # never missing: `-` may be a name
    word = "word"
    whole = "whole"
    real = "real"


class Columns(NamedTuple):
    """The columns of a kind of table.

    named -- what they hold, by name; others -- what all others hold
    varied -- columns of text that hardly ever repeats, which Parquet then stores as it is
    """

    named: Mapping[str, Cells]
    others: Cells
    varied: frozenset[str] = frozenset()

    def cells(self, names: Sequence[str]) -> list[Cells]:
        """Return what each column of a table holds; a name that stands twice counts once."""
        found, seen = [], set[str]()
        for name in names:
            found.append(self.others if name in seen else self.named.get(name, self.others))
            seen.add(name)
        return found


def _columns(others: Cells, varied: str = "", **named: str) -> Columns:
    cells = {name: Cells[kind] for kind, names in named.items() for name in names.split()}
    return Columns(cells, others, frozenset(varied.split()))


KINDS: Final = {
    "examples": _columns(
        Cells.text,
        "id position",
        word="ko last last2 move black white black_rank white_rank result",
        whole="label",
    ),
    "ranking": _columns(Cells.text, whole="rank played", real="score probability value", word="rules"),
    "results": _columns(
        Cells.text,
        "moves",
        whole="game pair size handicap opening",
        real="komi black_seconds white_seconds black_slowest white_slowest",
        word="fault what setting notes",
    ),
    "ratings": _columns(Cells.text, whole="rank games wins draws losses group", real="elo low high score superiority"),
    "superiorities": _columns(Cells.real, text="name"),
    "order-bench": _columns(Cells.text, whole="nodes", real="ratio seconds value", word="move"),
    "lessons": _columns(Cells.real, "words clause", text="rule words clause", word="like"),
    "clusters": _columns(Cells.real, text="stage kind", whole="good bad", word="typical"),
    "training-log": _columns(Cells.real, whole="games"),
}
"""The columns of each kind of table, by the word of its first line."""
ANY: Final = Columns({}, Cells.text)
"""Those of a table of an unknown kind."""


def columns_of(first_line: str) -> Columns:
    """Return the columns of a table by its first line, `##gotools KIND VERSION`."""
    return KINDS.get(first_line.removeprefix("##gotools ").split(" ")[0], ANY)


def quotes_cells(header: Sequence[str]) -> bool:
    """Return whether cells are quoted as in CSV below some lines of `##`.

    So it is in all tables but examples of Go, where a quotation mark is one.
    """
    kind = header[0].removeprefix("##gotools ").split(" ")[0] if header else "examples"
    return kind != "examples" or any(line.startswith("##game=") and line != "##game=go" for line in header)


def names_parquet(path: str | Path | None) -> bool:
    """Return whether the name of an output asks for Parquet."""
    return path is not None and str(path).lower().endswith(SUFFIX)


def names_csv(path: str | Path | None) -> bool:
    """Return whether the name of an output asks for CSV, packed or not."""
    return path is not None and str(path).lower().removesuffix(".gz").endswith(".csv")


def check_installed() -> None:
    """Raise MissingTool where there is no pyarrow; loads nothing."""
    if find_spec("pyarrow") is None:
        raise MissingTool("pyarrow", _EXTRA)


def load_pyarrow() -> Any:
    """Return pyarrow with its parts for Parquet. Raises MissingTool where it is not installed, or broken."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError as error:
        raise MissingTool("pyarrow", _EXTRA) from error
    pyarrow.enable_signal_handlers(False)  # Ctrl-C is ours
    return pyarrow
