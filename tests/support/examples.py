"""Reads examples; and what reads and makes those of any game, for Go."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from gotools.engines import random_games
from gotools.game.examples import gather, good_and_bad, loading, table
from gotools.game.examples.examples import Examples
from gotools.game.game import Game
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples, of_go
from gotools.games.go.go import GO


def decisions(
    paths: list[Path], game: Game, report: Callable[[str], None], sizes: Sequence[int] = (), strict: bool = False
) -> Examples:
    """Return the decisions in records and tables of a game."""
    selection = Selection(sizes=frozenset(sizes))
    return loading.load_decisions([*map(str, paths)], game, selection, report, lambda: None, strict)


# of Go ----------------------------------------------------------------------------------------------------------------

examples_of = partial(gather.examples_of, game=GO)


def random_moves(*given: Any, **more: Any) -> GoExamples:
    """See gotools.engines.random_games."""
    return of_go(random_games.random_moves(*given, game=GO, **more))


def load_decisions(paths: list[str], *given: Any) -> GoExamples:
    """See gotools.game.examples.loading."""
    return of_go(loading.load_decisions(paths, GO, *given))


def stream_decisions(paths: list[str], *given: Any) -> Iterator[GoExamples]:
    """See gotools.game.examples.loading."""
    return map(of_go, loading.stream_decisions(paths, GO, *given))


def read_examples(paths: Sequence[str | Path]) -> GoExamples:
    """See gotools.game.examples.table."""
    return of_go(table.read_examples(paths))


def stream_examples(path: str | Path) -> Iterator[GoExamples]:
    """See gotools.game.examples.table."""
    return map(of_go, table.stream_examples(path, GO))


def good_and_bad_of_go(paths: list[str], *given: Any) -> GoExamples:
    """See gotools.game.examples.good_and_bad."""
    return of_go(good_and_bad.good_and_bad(paths, GO, *given))


def gathering(paths: list[str] | list[Path], *given: Any) -> gather.Gathering:
    """See gotools.game.examples.gather."""
    return gather.Gathering(paths, GO, *given)
