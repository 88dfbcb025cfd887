"""From game records to examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from gotools.base.errors import wrong_word
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError, with_settings
from gotools.game.examples.settings import ExampleSettings, Result, wanted_negatives
from gotools.game.table import USUAL
from gotools.library.arguments import Paths, Report, listed, log

if TYPE_CHECKING:
    from gotools.game.examples.examples import Examples
    from gotools.game.examples.gather import Gathering
    from gotools.game.game import Game
    from gotools.game.records.record import Record
    from gotools.games.go.board import Board
    from gotools.work.workers import Workers

Format = Literal["tsv", "prolog", "aleph", "popper"]
"""Forms of examples; the last two are folders."""


def read_games(
    paths: Paths,
    *,
    game: str = USUAL,
    size: int | Iterable[int] = (),
    result: Result | None = None,
    strict: bool = False,
    report: Report = log,
) -> Iterator[Record]:
    """Yield the games of record files, archives, folders and globs, one by one while they are read.

    size   -- board sizes to take; none: any
    result -- take only games with this result, as `read_examples` does
    strict -- raise at the first broken game, which is otherwise reported and left out

    Legality of the moves is not checked; `read_examples` does.

    Raises GotoolsError where a path names nothing.
    """
    from gotools.game.examples.gather import Gathering
    from gotools.game.game import find_game

    chosen, played = ExampleSettings(size=size, result=result), find_game(game)
    gathering = Gathering(listed(paths), played, chosen.selection(played), report, strict=strict)
    return (record for _, record in gathering.records())


@with_settings(ExampleSettings)
def read_examples(
    paths: Paths, *, settings: ExampleSettings, game: str = USUAL, report: Report = log, watch: Watch = UNWATCHED
) -> Examples:
    """Return the moves of game records and the rows of tables of examples, each with the position before it.

    paths -- records, tables (examples.tsv), folders, globs

    Counter-examples that are drawn take the place of those that tables hold. Raises GotoolsError where there is not one
    example.
    """
    from gotools.game.examples.loading import load_decisions
    from gotools.game.game import find_game

    played = find_game(game)
    selection = settings.selection(played)
    decisions = load_decisions(listed(paths), played, selection, report, watch.advance, settings.strict)
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

    paths  -- records in any notation of the game, archives, folders, globs
    output -- examples.tsv, .csv or .parquet; `-` or None: stdout, which rows reach while games are read, unless there
        are counter-examples to draw or the games are divided. A folder for the formats aleph and popper
    format -- other than tsv: of Go
    split  -- divide by game: this share into NAME-train, the rest into NAME-test, beside `output` NAME
    jobs   -- processes; they never change the table

    A game with an illegal move ends before it. Raises GotoolsError where there is not one example.
    """
    from gotools.game.examples.gather import Gathering
    from gotools.game.examples.states import examples_class
    from gotools.game.game import find_game
    from gotools.game.vocabulary import Vocabulary
    from gotools.work.cluster import workers_for

    if fault := wrong_word(format, get_args(Format)):
        raise SettingError("format", fault)
    played = find_game(game)
    if format != "tsv" and not ((vocabulary := played.find(Vocabulary)) and vocabulary.points):
        raise SettingError("format", f"{format} holds points and chains of Go, which {played.name} has not")
    watch.phase("listing files")
    selection = settings.selection(played)
    gathering = Gathering(listed(paths), played, selection, report, watch.advance, settings.strict)
    watch.phase("reading files", len(gathering.files))
    with workers_for(jobs, None, report) as workers:
        if format == "tsv" and not settings.negatives and split is None:
            rows = _stream(gathering, played, output, workers)
        else:
            decisions = examples_class(played).concat(list(gathering.batches(workers=workers)))
            rows = _write_whole(decisions, output, settings, format, split, report, watch)
    return Conversion(
        rows=rows,
        examples=gathering.examples,
        games=gathering.games,
        left_out=sum(gathering.sizes.values()) - gathering.games,
        problems=gathering.problems,
    )


def _stream(gathering: Gathering, game: Game, output: str | Path | None, workers: Workers | None) -> int:
    """Write rows as games are read; the header leaves with the first rows. Returns the number of rows."""
    from gotools.files.opening import open_output
    from gotools.files.writing import whole_writes
    from gotools.game.examples.examples import write_header
    from gotools.game.examples.states import examples_class

    rows = 0
    with open_output(output) as out:
        for text, count in gathering.texts(workers):
            with whole_writes():
                if not rows:
                    write_header(out, examples_class(game).none(game))
                out.write(text)
            rows += count
    return rows


def _write_whole(
    decisions: Examples,
    output: str | Path | None,
    settings: ExampleSettings,
    format: Format,
    split: float | None,
    report: Report,
    watch: Watch,
) -> int:
    """Draw counter-examples, divide, write. Returns the number of rows."""
    from gotools.game.examples.negatives import split_by_game

    rows = _with_negatives(decisions, settings, report, watch)
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
    from gotools.game.examples.examples import write_examples
    from gotools.games.go.examples import export
    from gotools.games.go.examples.examples import of_go

    with ExitStack() as stack:
        for name, rows in tables.items():
            if format in ("tsv", "prolog"):
                out = stack.enter_context(open_output(name))
                if format == "tsv":
                    write_examples(out, rows)
                else:
                    export.write_prolog(out, of_go(rows))
            else:
                fill = export.write_aleph if format == "aleph" else export.write_popper
                fill(stack.enter_context(output_folder(str(name or ""))), of_go(rows))


def _with_negatives(decisions: Examples, settings: ExampleSettings, report: Report, watch: Watch) -> Examples:
    """Return the examples among some decisions, and counter-examples drawn for them."""
    from gotools.engines.random_games import random_moves
    from gotools.game.examples.negatives import draw_negatives

    wanted, seed, engine = wanted_negatives(settings.negatives), settings.seed, settings.engine
    if not wanted:
        return decisions
    watch.phase("random moves", wanted.get("random"))
    negatives = draw_negatives(
        decisions,
        wanted,
        seed,
        lambda count, size: random_moves(count, size, seed, engine, game=decisions.of, advance=watch.advance),
        report,
    )
    return type(decisions).concat([decisions.take(decisions.label == 1), negatives])


def decisions_of(
    examples: Examples | Board | Paths, report: Report = log, watch: Watch = UNWATCHED, **settings: Any
) -> Examples:
    """Return examples as they are, a board as one position without a move, and what files hold; settings: for these."""
    from gotools.game.examples.examples import Examples
    from gotools.games.go.board import Board
    from gotools.games.go.examples.examples import GoExamples

    if isinstance(examples, Examples):
        return examples
    if isinstance(examples, Board):
        return GoExamples.of_board(examples)
    return read_examples(examples, report=report, watch=watch, **settings)
