"""From game records to examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from gotools.base.errors import GotoolsError, wrong_word
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError, with_settings
from gotools.game.table import USUAL
from gotools.games.go.examples.settings import ExampleSettings, Result, wanted_negatives
from gotools.library.arguments import Paths, Report, listed, log

if TYPE_CHECKING:
    from gotools.game.records.record import Record
    from gotools.games.go.board import Board
    from gotools.games.go.examples.gather import Gathering
    from gotools.games.go.examples.table import Examples

Format = Literal["tsv", "prolog", "aleph", "popper"]
"""Forms of examples; the last two are folders."""


def read_games(
    paths: Paths,
    *,
    size: int | Iterable[int] = (),
    result: Result | None = None,
    strict: bool = False,
    report: Report = log,
) -> Iterator[Record]:
    """Yield the games of SGF files, folders and globs, one by one while they are read.

    size   -- board sizes to take; none: any
    result -- take only games with this result, as `read_examples` does
    strict -- raise at the first broken game, which is otherwise reported and left out

    Legality of the moves is not checked; `read_examples` does.

    Raises GotoolsError where a path names nothing.
    """
    from gotools.games.go.examples.gather import Gathering

    chosen = ExampleSettings(size=size, result=result)
    gathering = Gathering(listed(paths), chosen.selection, report, strict=strict)
    return (record for _, record in gathering.records())


@with_settings(ExampleSettings)
def read_examples(
    paths: Paths, *, settings: ExampleSettings, report: Report = log, watch: Watch = UNWATCHED
) -> Examples:
    """Return the moves of game records and the rows of tables of examples, each with the position before it.

    paths -- SGF files, tables (examples.tsv), folders, globs

    Counter-examples that are drawn take the place of those that tables hold. Raises GotoolsError where there is not one
    example.
    """
    from gotools.games.go.examples.loading import load_decisions

    decisions = load_decisions(listed(paths), settings.selection, report, watch.advance, settings.strict)
    return _with_negatives(decisions, settings, report, watch) if settings.negatives else decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What was written: rows, `examples` of them without counter-examples, from `games` games.

    left_out -- games of other board sizes; problems -- reported ones, by which games ended or were left out
    """

    rows: int
    examples: int
    games: int
    left_out: int
    problems: int


@with_settings(ExampleSettings)
def convert_records(
    paths: Paths,
    output: str | Path | None,
    *,
    settings: ExampleSettings,
    game: str = USUAL,
    format: Format = "tsv",
    split: float | None = None,
    jobs: int = 1,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Conversion:
    """Write the moves of game records as examples, with the position before each.

    paths  -- records in any notation of the game, archives, folders, globs; of other games than Go tables too
    output -- examples.tsv, .csv or .parquet; `-` or None: stdout, which rows reach while games are read, unless there
        are counter-examples to draw or the games are divided. A folder for the formats aleph and popper
    split  -- divide by game: this share into NAME-train, the rest into NAME-test, beside `output` NAME
    jobs   -- processes, for games other than Go; they never change the table

    Of other games only `max_moves` and `strict` have a meaning. A game with an illegal move ends before it. Raises
    GotoolsError where there is not one example.
    """
    if fault := wrong_word(format, get_args(Format)):
        raise SettingError("format", fault)
    if game != "go":
        return _convert_game(paths, output, game, settings, jobs, report, watch)
    if jobs != 1:
        raise SettingError("jobs", "is for games other than Go")
    from gotools.games.go.examples.gather import Gathering

    watch.phase("listing files")
    gathering = Gathering(listed(paths), settings.selection, report, watch.advance, settings.strict)
    watch.phase("reading files", len(gathering.files))
    if format == "tsv" and not settings.negatives and split is None:
        rows = _stream(gathering, output)
    else:
        rows = _collect(gathering, output, settings, format, split, report, watch)
    return Conversion(
        rows=rows,
        examples=gathering.examples,
        games=gathering.games,
        left_out=sum(gathering.sizes.values()) - gathering.games,
        problems=gathering.problems,
    )


def _convert_game(
    paths: Paths,
    output: str | Path | None,
    game: str,
    settings: ExampleSettings,
    jobs: int,
    report: Report,
    watch: Watch,
) -> Conversion:
    from gotools.files.opening import open_output
    from gotools.files.writing import whole_writes
    from gotools.game.game import find_game
    from gotools.game.records.converting import converted
    from gotools.game.records.table import header_of
    from gotools.work.cluster import workers_for

    played, rows, games, problems = find_game(game), 0, 0, 0

    def say(what: str) -> None:
        nonlocal problems
        problems += 1
        report(what)

    watch.phase("converting games")
    with workers_for(jobs, None, report) as workers, open_output(output) as out:
        most, strict = settings.max_moves, settings.strict
        for one in converted(listed(paths), played, say, most=most, strict=strict, workers=workers):
            with whole_writes():
                out.write(one.text if rows or not one.rows else header_of(played) + one.text)
            rows, games = rows + one.rows, games + 1
            watch.advance()
        if not rows:
            raise GotoolsError(f"no examples: there is no move of {played.name} in these records")
    return Conversion(rows=rows, examples=rows, games=games, left_out=0, problems=problems)


def _stream(gathering: Gathering, output: str | Path | None) -> int:
    """Write rows as games are read; the header leaves with the first rows. Returns the number of rows."""
    from gotools.files.opening import open_output
    from gotools.files.writing import whole_writes
    from gotools.games.go.examples.table import write_header, write_rows

    rows = 0
    with open_output(output) as out:
        for examples in gathering.batches():
            with whole_writes():
                if not rows:
                    write_header(out)
                write_rows(out, examples)
            rows += len(examples)
    return rows


def _collect(
    gathering: Gathering,
    output: str | Path | None,
    settings: ExampleSettings,
    format: Format,
    split: float | None,
    report: Report,
    watch: Watch,
) -> int:
    """Read all games, draw counter-examples, divide, write. Returns the number of rows."""
    from gotools.games.go.examples.negatives import split_by_game
    from gotools.games.go.examples.table import Examples

    rows = _with_negatives(Examples.concat(list(gathering.batches())), settings, report, watch)
    watch.phase("writing")
    if split is None:
        _write({output: rows}, format)
    else:
        train = split_by_game(rows, split, settings.seed)
        names = part_names(str(output))
        _write({name: rows.take(mask) for name, mask in zip(names, (train, ~train), strict=True)}, format)
    return len(rows)


def part_names(output: str) -> list[str]:
    """Return the names of the parts of divided examples: examples-train.tsv.gz, examples-test.tsv.gz."""
    path = Path(output)
    stem, dot, rest = path.name.partition(".")
    return [str(path.with_name(f"{stem}-{part}{dot}{rest}")) for part in ("train", "test")]


def _write(tables: Mapping[Any, Examples], format: Format) -> None:
    """Write each table under its name; the names appear when all of them are written."""
    from gotools.files.opening import open_output
    from gotools.files.writing import output_folder
    from gotools.games.go.examples import export
    from gotools.games.go.examples.table import write_examples

    with ExitStack() as stack:
        for name, rows in tables.items():
            if format in ("tsv", "prolog"):
                write = write_examples if format == "tsv" else export.write_prolog
                write(stack.enter_context(open_output(name)), rows)
            else:
                fill = export.write_aleph if format == "aleph" else export.write_popper
                fill(stack.enter_context(output_folder(str(name or ""))), rows)


def _with_negatives(decisions: Examples, settings: ExampleSettings, report: Report, watch: Watch) -> Examples:
    """Return the examples among some decisions, and counter-examples drawn for them."""
    from gotools.games.go.examples.negatives import draw_negatives
    from gotools.games.go.examples.random_games import random_moves
    from gotools.games.go.examples.table import Examples

    wanted, seed, engine = wanted_negatives(settings.negatives), settings.seed, settings.engine
    if not wanted:
        return decisions
    watch.phase("random moves", wanted.get("random"))
    negatives = draw_negatives(
        decisions,
        wanted,
        seed,
        lambda count, size: random_moves(count, size, seed, engine, advance=watch.advance),
        report,
    )
    return Examples.concat([decisions.take(decisions.label == 1), negatives])


def decisions_of(
    examples: Examples | Board | Paths, report: Report = log, watch: Watch = UNWATCHED, **settings: Any
) -> Examples:
    """Return examples as they are, a board as one position without a move, and what files hold; settings: for these."""
    from gotools.games.go.board import Board
    from gotools.games.go.examples.table import Examples

    if isinstance(examples, Examples):
        return examples
    if isinstance(examples, Board):
        return _position(examples)
    return read_examples(examples, report=report, watch=watch, **settings)


def _position(board: Board) -> Examples:
    import numpy as np

    from gotools.games.go.examples.table import PLAYED, Examples
    from gotools.games.go.kernels import rules as k
    from gotools.games.go.points import NONE

    last, last2 = (int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2))
    values = {"size": board.side, "to_play": board.to_play, "ko": board.ko, "last": last, "last2": last2}
    values |= {"game": 0, "ply": 0, "move": NONE, "label": 1, "source": PLAYED}
    kinds = Examples.empty()
    columns = {name: np.array([value], getattr(kinds, name).dtype) for name, value in values.items()}
    return Examples(names=["board"], board=board.cells[None, :], **columns)
