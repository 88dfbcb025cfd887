"""`gotools sgf-to-examples`: game records in, decisions as examples and counter-examples out."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gotools.commands import options
from gotools.commands.options import GameName, Jobs, Quiet, Seed, Sizes, Strict, check_game, check_only_go, option
from gotools.commands.progress import Progress
from gotools.library.records import Result, convert_records, read_examples

if TYPE_CHECKING:
    from gotools.go.examples.gather import Gathering
    from gotools.go.examples.table import Examples
    from gotools.go.records.selection import Selection


FOR = "For people who have game records and need a table of positions and moves, to learn from or to analyse."
EPILOG = """\b
Examples:
  gotools sgf-to-examples examples/games --negatives unplayed \\
      -o out/examples.tsv
  echo 'startpos moves 7g7f 3c3d' | \\
      gotools sgf-to-examples --game shogi -o out/shogi.tsv
"""

PARTS = ("train", "test")
"""Of --split."""

DEFAULT = options.defaults_of(read_examples)
JOBS = options.defaults_of(convert_records).jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamplesJob:
    """The options apart from the games."""

    wanted: dict[str, int | None]
    engine: str | None
    seed: int
    split: float | None
    format: str
    output: str | None
    quiet: bool


def sgf_to_examples(
    paths: Annotated[
        list[str] | None,
        options.paths("Game records (.sgf; .jsonl, .kif, ... of other games), archives, folders, globs, -."),
    ] = None,
    game: GameName = "go",
    output: Annotated[str | None, options.output("All or nothing; .csv, .parquet too; else stdout.")] = None,
    format: Annotated[
        Literal["tsv", "prolog", "aleph", "popper"], typer.Option(help="aleph and popper are folders, so they need -o.")
    ] = "tsv",
    size: Sizes = None,
    rank_above: Annotated[
        str | None, option("Only moves of players above this: 12k, 3d, 5p, 1500.", "RANK")
    ] = DEFAULT.rank_above,
    result: Annotated[Result | None, option("Only games that somebody won (B: black did), or ended so.")] = None,
    max_moves: Annotated[int | None, option("Only the first N moves of a game.", "N", min=1)] = DEFAULT.max_moves,
    negatives: Annotated[
        str,
        option(
            "Counter-examples: random, suicide, unplayed, weak; without N as many as there are examples.",
            "SOURCE[=N],...",
        ),
    ] = DEFAULT.negatives,
    engine: Annotated[
        str | None,
        option("GTP opponent of the random player, as 'gnugo --mode gtp --level 6'; else it plays itself.", "COMMAND"),
    ] = DEFAULT.engine,
    weak_below: Annotated[
        str, option("Source weak: moves of losers below this; they are examples no more.", "RANK", show_default=True)
    ] = DEFAULT.weak_below,
    split: Annotated[
        float | None,
        option(
            "Divide by game: this share of the games into NAME-train, the rest into NAME-test, beside -o NAME.",
            "SHARE",
            min=0.0,
            max=1.0,
        ),
    ] = None,
    seed: Seed = DEFAULT.seed,
    jobs: Jobs = JOBS,
    strict: Strict = DEFAULT.strict,
    quiet: Quiet = False,
) -> None:
    """Turn game records (SGF) into examples.

    Every move of the main line becomes a row, with the position before it; passes do not.

    PATH is a file, an archive (zip, tar), a folder (all .sgf, .sgf.gz and archives below it), a glob or `-`; without
    any, stdin is read. A game that is broken is reported as `path: reason` and left out; an illegal move ends its
    game's examples there.

    --game takes records of other games, of shogi also KIF, KI2, CSA and lists of USI. A row then has the players, their
    ratings or ranks, and the winner as well. --max-moves and --jobs are the options for them; all others are for Go.

    Streams: with --format tsv and neither --negatives nor --split, rows leave while games are read; all else reads
    every game first. Ctrl-C keeps the rows written to stdout so far; with -o nothing is written.

    Exit code 1 when there is not one example.
    """
    from gotools.commands.recipes import ready
    from gotools.go.examples.gather import Gathering
    from gotools.go.examples.negatives import parse_wanted

    check_game(game)
    if game != "go":
        others: dict[str, object] = {
            "--size": size,
            "--rank-above": rank_above,
            "--result": result,
            "--negatives": negatives or None,
        }
        others |= {"--engine": engine, "--split": split, "--format": format if format != "tsv" else None}
        check_only_go(game, others)
        _convert(paths, game, output, max_moves, jobs, strict, quiet)
        return
    if jobs != 1:
        raise typer.BadParameter("is for games other than Go", param_hint="--jobs")
    wanted = options.parsed(parse_wanted, negatives, "--negatives")
    job = ExamplesJob(wanted=wanted, engine=engine, seed=seed, split=split, format=format, output=output, quiet=quiet)
    _check(job)
    _check_files(job, paths or ["-"])
    weak = weak_below if "weak" in wanted else None
    chosen = _selection(size, rank_above, result, max_moves, weak)
    files = options.paths_or_stdin(paths, "name a file, a folder or a glob, or send a game record to stdin")
    ready("sgf-to-examples", quiet)
    streaming = _streams(job) and output in (None, "-")
    kept = "the rows written so far are whole" if streaming else "nothing is written"
    with Progress("listing files", quiet) as progress, options.interrupt_says(kept):
        gathering = Gathering(files, chosen, progress.say, progress.advance, strict)
        progress.phase("reading files", len(gathering.files))
        rows = _stream(gathering, job) if _streams(job) else _collect(gathering, job, progress)
    if not quiet:
        print(_summary(gathering, rows), file=sys.stderr)


def _convert(
    paths: list[str] | None,
    game: str,
    output: str | None,
    max_moves: int | None,
    jobs: int,
    strict: bool,
    quiet: bool,
) -> None:
    """Write the examples of a game other than Go."""
    from gotools.files.outputs import TABLE, Output, check_outputs

    files = options.paths_or_stdin(paths, "name a file, a folder or a glob, or send a game record to stdin")
    check_outputs([Output("-o", output or "-", TABLE)], files, options.suffixes_of_records(game))
    kept = "the rows written so far are whole" if output in (None, "-") else "nothing is written"
    with Progress("converting games", quiet) as progress, options.interrupt_says(kept):
        done = convert_records(
            files,
            output,
            game=game,
            max_moves=max_moves,
            jobs=jobs,
            strict=strict,
            report=progress.say,
            watch=progress,
        )
    if not quiet:
        text = f"{done.rows:,} rows from {done.games:,} games"
        print(text + (f"; {done.problems:,} problems reported above" if done.problems else ""), file=sys.stderr)


def _check(job: ExamplesJob) -> None:
    """Raise typer.BadParameter for options that do not go together."""
    named = job.output not in (None, "-")
    if job.split is not None and not (named and 0 < job.split < 1):
        raise typer.BadParameter("wants a share between 0 and 1, and a name from -o", param_hint="--split")
    if job.format in ("aleph", "popper") and not named:
        raise typer.BadParameter("writes a folder; name it with -o", param_hint=f"--format {job.format}")
    if job.engine is not None and "random" not in job.wanted:
        raise typer.BadParameter("plays the random player of --negatives random=N", param_hint="--engine")


def _check_files(job: ExamplesJob, paths: list[str]) -> None:
    from gotools.files.outputs import RULES, TABLE, Output, check_outputs
    from gotools.go.examples.gather import SUFFIXES

    if job.format not in ("tsv", "prolog"):
        return  # a folder, which replaces none but its own
    names = [_part_name(job.output or "", part) for part in PARTS] if job.split is not None else [job.output or "-"]
    form = TABLE if job.format == "tsv" else RULES
    check_outputs([Output("-o", name, form) for name in names], paths, SUFFIXES)


def _selection(
    size: list[int] | None, rank_above: str | None, result: str | None, max_moves: int | None, weak_below: str | None
) -> Selection:
    from gotools.go.records.selection import Selection

    return Selection(
        sizes=frozenset(size or ()),
        rank_above=options.parsed_rank(rank_above, "--rank-above"),
        result=result,
        max_moves=max_moves,
        weak_below=options.parsed_rank(weak_below, "--weak-below"),
    )


def _streams(job: ExamplesJob) -> bool:
    return job.format == "tsv" and not job.wanted and job.split is None


def _stream(gathering: Gathering, job: ExamplesJob) -> int:
    """Write rows as games are read; the header leaves with the first rows. Returns the count of rows."""
    from gotools.files.opening import open_output
    from gotools.files.writing import whole_writes
    from gotools.go.examples.table import write_header, write_rows

    rows = 0
    with open_output(job.output) as out:
        for examples in gathering.batches():
            with whole_writes():
                if not rows:
                    write_header(out)
                write_rows(out, examples)
            rows += len(examples)
    return rows


def _collect(gathering: Gathering, job: ExamplesJob, progress: Progress) -> int:
    """Read all games, draw counter-examples, divide, write. Returns the count of rows."""
    from gotools.go.examples.negatives import split_by_game
    from gotools.go.examples.table import Examples
    from gotools.library.records import with_negatives

    decisions = Examples.concat(list(gathering.batches()))
    rows = with_negatives(decisions, job.wanted, job.seed, job.engine, progress.say, progress)
    progress.phase("writing")
    if job.split is None:
        _write({job.output: rows}, job.format)
    else:
        train = split_by_game(rows, job.split, job.seed)
        parts = dict(zip(PARTS, (train, ~train), strict=True))
        _write({_part_name(job.output or "", name): rows.take(mask) for name, mask in parts.items()}, job.format)
    return len(rows)


def _part_name(output: str, part: str) -> str:
    """Put the part before the suffixes: examples.tsv.gz becomes examples-train.tsv.gz."""
    path = Path(output)
    stem, dot, rest = path.name.partition(".")
    return str(path.with_name(f"{stem}-{part}{dot}{rest}"))


def _write(tables: dict[str | None, Examples] | dict[str, Examples], format: str) -> None:
    """Write each table under its name; the names appear when all of them are written."""
    from gotools.files.opening import open_output
    from gotools.files.writing import output_folder
    from gotools.go.examples import export
    from gotools.go.examples.table import write_examples

    with ExitStack() as stack:
        for name, rows in tables.items():
            if format in ("tsv", "prolog"):
                write = write_examples if format == "tsv" else export.write_prolog
                write(stack.enter_context(open_output(name)), rows)
            else:
                fill = export.write_aleph if format == "aleph" else export.write_popper
                fill(stack.enter_context(output_folder(name or "")), rows)


def _summary(gathering: Gathering, rows: int) -> str:
    text = f"{rows:,} rows ({gathering.examples:,} examples) from {gathering.games:,} games"
    left_out = sum(gathering.sizes.values()) - gathering.games
    if left_out:
        text += f"; {left_out:,} games of other board sizes left out"
    if gathering.problems:
        text += f"; {gathering.problems:,} problems reported above"
    return text
