"""Tables of examples, read whole or block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gotools.files.opening import expand_paths, read_parts
from gotools.game.examples.examples import Examples
from gotools.game.examples.states import examples_class
from gotools.game.game import Game, find_game
from gotools.game.table import USUAL

SUFFIXES = (".tsv", ".parquet")


def read_examples(paths: Sequence[str | Path], game: str = USUAL) -> Examples:
    """Read files of examples of a game (`-`, .gz, folders, globs; files joined by `cat` too) into one table.

    Columns are found by name; `to_play position move` are needed. In Go `ko last last2` are NONE where absent, `id` is
    line:NUMBER; other games need an id. Without labels all rows are examples, `source` is played for these and random
    for counter-examples.

    Raises FileFormatError with the line for anything that is not a decision.
    """
    played = find_game(game)
    parts = [part for path in expand_paths(paths, SUFFIXES) for part in stream_examples(path, played)]
    return examples_class(played).concat(parts or [examples_class(played).none(played)])


def stream_examples(path: str | Path, game: Game, bare: bool = False) -> Iterator[Examples]:
    """Give the rows of one file block by block, while it is still being read.

    bare -- a row may be without a move, and the column be missing: positions without the move played
    """
    return examples_class(game).read(read_parts(path), path, game, bare)
