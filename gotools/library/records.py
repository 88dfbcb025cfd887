"""From game records to examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gotools.errors import GotoolsError
from gotools.library.arguments import Paths, Report, listed, log, sizes_of, strength
from gotools.phases import UNWATCHED, Watch

if TYPE_CHECKING:
    from gotools.go.board import Board
    from gotools.go.examples.table import Examples
    from gotools.go.record import GameRecord

Result = Literal["decided", "B", "W", "resign", "score", "time", "draw"]
"""Which games, by their result."""


def read_games(
    paths: Paths,
    *,
    size: int | Iterable[int] = (),
    result: Result | None = None,
    strict: bool = False,
    report: Report = log,
) -> Iterator[GameRecord]:
    """Yield the games of SGF files, folders and globs, one by one while they are read.

    size   -- board sizes to take; none: any
    result -- take only games with this result
    strict -- raise at the first broken game, which is otherwise reported and left out

    Legality of the moves is not checked; `read_examples` does.

    Raises GotoolsError where a path names nothing.
    """
    from gotools.go.examples.gather import Gathering
    from gotools.go.records.selection import Selection

    gathering = Gathering(listed(paths), Selection(sizes=sizes_of(size), result=result), report, strict=strict)
    return (record for _, record in gathering.records())


def read_examples(
    paths: Paths,
    *,
    size: int | Iterable[int] = (),
    rank_above: str | float | None = None,
    result: Result | None = None,
    max_moves: int | None = None,
    negatives: str = "",
    engine: str | None = None,
    weak_below: str | float = "10k",
    seed: int = 0,
    strict: bool = False,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Examples:
    """Return the moves of game records and the rows of tables of examples, each with the position before it.

    paths      -- SGF files, tables (examples.tsv), folders, globs
    rank_above -- take only moves of players above this rank: "12k", "3d"
    max_moves  -- take only the first moves of each game
    negatives  -- counter-examples to draw, such as "unplayed=300,random=100"; without a number as many as there are
        examples. They take the place of those that tables hold
    engine     -- GTP command of the opponent of the random player
    weak_below -- for the source `weak`: moves of losers below this rank are counter-examples

    Other parameters are those of `read_games`. Raises GotoolsError where there is not one example.
    """
    from gotools.go.examples.loading import load_decisions
    from gotools.go.examples.negatives import parse_wanted
    from gotools.go.records.selection import Selection

    wanted = parse_wanted(negatives)
    selection = Selection(
        sizes=sizes_of(size),
        rank_above=strength(rank_above),
        result=result,
        max_moves=max_moves,
        weak_below=strength(weak_below) if "weak" in wanted else None,
    )
    decisions = load_decisions(listed(paths), selection, report, watch.advance, strict)
    return with_negatives(decisions, wanted, seed, engine, report, watch) if wanted else decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What was written: rows, from so many games; problems -- reported ones, by which games ended or were left out."""

    rows: int
    games: int
    problems: int


def convert_records(
    paths: Paths,
    output: str | Path | None,
    *,
    game: str,
    max_moves: int | None = None,
    jobs: int = 1,
    strict: bool = False,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Conversion:
    """Write the moves of records of a game other than Go as a table of examples, with the position before each.

    paths     -- records in any notation of the game, archives, folders, globs; tables of examples too
    output    -- examples.tsv, .csv or .parquet; `-` or None: stdout, which rows reach while games are read
    max_moves -- only the first moves of each game
    jobs      -- processes; they never change the table

    A game with an illegal move ends before it. Raises GotoolsError where there is not one example.
    """
    from gotools.cluster import workers_for
    from gotools.files.opening import open_output
    from gotools.files.writing import whole_writes
    from gotools.game import find_game
    from gotools.games.converting import converted
    from gotools.games.examples import header_of

    played, rows, games, problems = find_game(game), 0, 0, 0

    def say(what: str) -> None:
        nonlocal problems
        problems += 1
        report(what)

    with workers_for(jobs, None, report) as workers, open_output(output) as out:
        for one in converted(listed(paths), played, say, most=max_moves, strict=strict, workers=workers):
            with whole_writes():
                out.write(one.text if rows or not one.rows else header_of(played) + one.text)
            rows, games = rows + one.rows, games + 1
            watch.advance()
        if not rows:
            raise GotoolsError(f"no examples: there is no move of {played.name} in these records")
    return Conversion(rows=rows, games=games, problems=problems)


def with_negatives(
    decisions: Examples,
    wanted: Mapping[str, int | None],
    seed: int,
    engine: str | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Examples:
    """Return the examples among some decisions, and counter-examples drawn for them.

    wanted -- how many of each source; None: as many as there are examples
    """
    from gotools.go.examples.negatives import draw_negatives
    from gotools.go.examples.random_games import random_moves
    from gotools.go.examples.table import Examples

    watch.phase("random moves", wanted.get("random"))
    negatives = draw_negatives(
        decisions,
        wanted,
        seed,
        lambda count, size: random_moves(count, size, seed, engine, advance=watch.advance),
        report,
    )
    return Examples.concat([decisions.take(decisions.label == 1), negatives])


def decisions_of(examples: Examples | Board | Paths, report: Report = log, watch: Watch = UNWATCHED) -> Examples:
    """Return examples as they are, a board as one position without a move, and what files hold."""
    from gotools.go.board import Board
    from gotools.go.examples.table import Examples

    if isinstance(examples, Examples):
        return examples
    if isinstance(examples, Board):
        return _position(examples)
    return read_examples(examples, report=report, watch=watch)


def _position(board: Board) -> Examples:
    import numpy as np

    from gotools.go.examples.table import PLAYED, Examples
    from gotools.go.kernels import rules as k
    from gotools.go.points import NONE

    def byte(value: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        return np.array([value], np.uint8)

    def point(value: int) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
        return np.array([value], np.int16)

    last, last2 = (int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2))
    return Examples(
        names=["board"],
        game=np.zeros(1, np.int32),
        ply=np.zeros(1, np.int32),
        size=byte(board.side),
        to_play=byte(board.to_play),
        board=board.cells[None, :],
        ko=point(board.ko),
        last=point(last),
        last2=point(last2),
        move=point(NONE),
        label=byte(1),
        source=byte(PLAYED),
    )
