"""`gotools induce-patterns`: games or examples in, readable rules of where good players move out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from gotools.commands import options
from gotools.commands.options import MOST_CORES, STDIN, AllCores, Cluster, Quiet, Seed, Sizes, Strict, option
from gotools.commands.progress import Progress
from gotools.library import induction
from gotools.library.records import read_examples

if TYPE_CHECKING:
    from gotools.go.examples.packed import PackedExamples
    from gotools.go.examples.table import Examples
    from gotools.go.records.selection import Selection
    from gotools.patterns.rank.saved import SavedSearch
    from gotools.patterns.study import Study

FOR = "For players and researchers who want to read the patterns behind the moves of a collection of games."
EPILOG = """\b
Examples:
  gotools induce-patterns examples/games --objective rank --max-rules 20 \\
      -o out/rank.pl
  gotools induce-patterns examples/games/*.sgf --test examples/test-games \\
      -o out/cover.pl
"""
SHOWN = 12


DEFAULT = options.defaults_of(induction.induce_rules)
WEAK_BELOW = options.defaults_of(read_examples).weak_below
BY_DEFAULT = (
    "learning some rules that each cover many moves (--objective cover); "
    "--objective rank learns many that predict moves together, as in README"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InductionJob:
    """The options apart from how to induce."""

    paths: list[str]
    test: list[str]
    output: str | None
    metrics: str | None
    selection: Selection
    show: int
    strict: bool
    quiet: bool
    jobs: int
    cluster: str | None
    saved: SavedSearch | None
    heading: str


def induce_patterns(
    context: typer.Context,
    paths: Annotated[
        list[str] | None, options.paths("Game records (.sgf), examples (.tsv, .parquet), archives, folders, -.")
    ] = None,
    output: Annotated[str | None, options.output("rules.pl; else stdout.")] = None,
    test: Annotated[list[str] | None, option("Measure on these games or examples; may be repeated.", "PATH")] = None,
    metrics: Annotated[str | None, option("Write the numbers as JSON.", "FILE")] = None,
    objective: Annotated[
        induction.Objective,
        typer.Option(
            help="cover: few rules, each covering many moves (the thesis); rank: rules that predict moves together."
        ),
    ] = DEFAULT.objective,
    vocabulary: Annotated[
        induction.Vocabulary | None,
        option(
            "Predicates: basic or advanced (experiments A and B of the thesis), full, or groups (full, and linked "
            "chains and groups). Default: advanced; full for --objective rank."
        ),
    ] = None,
    without: Annotated[str, option("Predicates to leave out, as liberty.", "NAME,...")] = DEFAULT.without,
    modes: Annotated[
        str | None,
        option("Which literals rules may use, how often, and constraints; in place of --vocabulary.", "FILE"),
    ] = DEFAULT.modes,
    background: Annotated[
        str | None, option("Predicates of your own, in Prolog (needs SWI-Prolog).", "FILE")
    ] = DEFAULT.background,
    positives: Annotated[
        str | None,
        option(
            "Moves to learn from: so many drawn at random, or all in order. Default: "
            f"{induction.POSITIVES}; with --objective rank all.",
            "N|all",
        ),
    ] = None,
    weights: Annotated[
        induction.Weights | None,
        option(
            "Weight of a rule: coverage (P - N, scaled; the default for cover) or regression (logistic, over the "
            "legal moves of each position)."
        ),
    ] = None,
    max_rules: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=9000,
            help=f"Most rules of --objective rank. Default: {induction.MOST_RULES}; "
            f"{induction.MOST_RULES_OF_LARGE_BOARDS} for boards of {induction.LARGE_BOARDS} lines or more.",
            show_default=False,
        ),
    ] = DEFAULT.max_rules,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Most memory of --objective rank, as 800M or 4GiB.")
    ] = DEFAULT.memory,
    negatives: Annotated[
        str,
        option(
            "Counter-examples: random, suicide, unplayed, weak. Default: those of the examples file, or as many "
            "unplayed moves as there are positives.",
            "SOURCE[=N],...",
        ),
    ] = DEFAULT.negatives,
    engine: Annotated[str | None, option("GTP opponent for --negatives random=N.", "COMMAND")] = DEFAULT.engine,
    weak_below: Annotated[
        str, typer.Option(metavar="RANK", help="Source weak: moves of losers below this rank.")
    ] = WEAK_BELOW,
    noise: Annotated[
        str, typer.Option(metavar="N|P%", help="Negatives that a rule may cover: a number, or a share of them.")
    ] = DEFAULT.noise,
    nodes: Annotated[int, typer.Option(min=1, max=10_000_000, help="Clauses to try for one seed.")] = DEFAULT.nodes,
    min_body: Annotated[int, typer.Option(min=1, max=16, help="Fewest conditions of a rule.")] = DEFAULT.min_body,
    max_body: Annotated[int, typer.Option(min=1, max=16, help="Most conditions of a rule.")] = DEFAULT.max_body,
    depth: Annotated[
        int, typer.Option(min=1, max=99, help="Steps from the move to what a rule may speak of.")
    ] = DEFAULT.depth,
    score: Annotated[induction.Score, typer.Option(help="Which clause is better: coverage is P - N.")] = DEFAULT.score,
    search: Annotated[
        induction.Search,
        typer.Option(help="Which clause to refine next; breadth is the thesis', random goes by --seed."),
    ] = DEFAULT.search,
    beam_width: Annotated[
        int, typer.Option(min=1, help="Clauses of a length that --search beam refines.")
    ] = DEFAULT.beam_width,
    after_opening: Annotated[
        induction.AfterOpening,
        typer.Option(
            help="What a rule without stage(A,open) must have: a chain, or a stone at an offset (the thesis); or free."
        ),
    ] = DEFAULT.after_opening,
    by: Annotated[
        str, option("Learn apart for classes of moves: capture, atari, connect, stage.", "CLASS,...")
    ] = DEFAULT.by,
    explain_none: Annotated[
        bool, typer.Option("--explain-none", help="Say why moves have no rule: search with other settings.")
    ] = False,
    size: Sizes = None,
    rank_above: Annotated[str | None, option("Only moves of players above this.", "RANK")] = None,
    show: Annotated[int, typer.Option(metavar="N", min=0, help="Rules to show at the end, best first.")] = SHOWN,
    seed: Seed = DEFAULT.seed,
    jobs: AllCores = None,
    cluster: Cluster = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a search of --objective rank that was cut off.")
    ] = False,
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Induce rules of where good players move.

    PATH is games (SGF) or examples (from sgf-to-examples), in any mixture; without any, stdin is read. Rules are
    clauses of move(Board, Color, X, Y) in Prolog, each with the examples (P) and counter-examples (N) that it covers.

    --objective cover is Progol's algorithm as Aleph runs it: saturate the first move that no rule covers yet, search
    the subsets of its bottom clause, remove what the best clause covers, repeat.

    --objective rank learns to order all legal moves: seeds are moves that the rules so far rank badly, nothing is
    removed, and all rules are weighed together by a logistic regression over the moves of each position.

    Reads all its input before it begins. Ctrl-C ends the search: the rules found so far are written and measured. The
    tables at the end go to stderr, the rules to -o or stdout.

    Until it is done, --objective rank keeps the state of its search in a file beside -o, with the ending .search:
    --resume, with the same games and options, goes on from there and ends with the same rules.
    """
    from gotools.blas import use_common_blas

    use_common_blas()
    from gotools.go.examples.negatives import parse_wanted
    from gotools.go.records.selection import Selection
    from gotools.patterns.classes import parse_classes
    from gotools.patterns.rank.memory import parse_memory
    from gotools.patterns.rank.saved import SavedSearch, state_path
    from gotools.patterns.sampling import allowed_noise, parse_positives

    wanted = options.parsed(parse_wanted, negatives, "--negatives")
    count = options.parsed(parse_positives, positives or str(induction.POSITIVES), "--positives")
    options.parsed(lambda text: allowed_noise(text, 0), noise, "--noise")
    chosen = Selection(
        sizes=frozenset(size or ()),
        rank_above=options.parsed_rank(rank_above, "--rank-above"),
        weak_below=options.parsed_rank(weak_below if "weak" in wanted else None, "--weak-below"),
    )
    files = options.paths_or_stdin(paths, "name games or examples, or send them to stdin")
    _check_files([*files, *(test or [])], [background, modes], output, metrics)
    if modes is not None and vocabulary is not None:
        raise typer.BadParameter("--modes says which predicates there are", param_hint="--vocabulary")
    options.check_goes_with(context, objective, induction.GOES_WITH, "--objective")
    own = induction.load_own(background)
    declared = induction.load_declared(modes, own)
    predicates = options.parsed(
        lambda text: induction.predicates_of(objective, vocabulary, text, own, declared),
        without,
        "--without",
    )
    if min_body > max_body:
        raise typer.BadParameter("is more than --max-body", param_hint="--min-body")
    _check_together(wanted, engine, files, test or [])
    options.check_one_crew(jobs, cluster, None)
    if resume and output in (None, STDIN):
        raise typer.BadParameter("needs -o, the rules of the search to go on with", param_hint="--resume")
    if objective == "rank" and weights == "coverage":
        raise typer.BadParameter("coverage goes with --objective cover", param_hint="--weights")
    how = induction.Induction(
        objective=objective,
        predicates=predicates,
        background=own,
        modes=declared,
        positives=induction.count_of(objective, None if positives is None else count or "all"),
        regression=weights == "regression",
        max_rules=max_rules,
        memory=options.parsed(parse_memory, memory, "--memory"),
        wanted=wanted,
        engine=engine,
        noise=noise,
        nodes=nodes,
        min_body=min_body,
        max_body=max_body,
        depth=depth,
        score=score,
        search=search,
        beam_width=beam_width,
        after_opening=after_opening,
        by=options.parsed(parse_classes, by, "--by"),
        explain_none=explain_none,
        seed=seed,
    )
    job = InductionJob(
        paths=files,
        test=test or [],
        output=output,
        metrics=metrics,
        selection=chosen,
        show=show,
        strict=strict,
        quiet=quiet,
        jobs=jobs or min(os.cpu_count() or 1, MOST_CORES),
        cluster=cluster,
        saved=SavedSearch(state_path(output), resume) if how.ranks and output and output != STDIN else None,
        heading="" if quiet or options.is_typed(context, "objective") else BY_DEFAULT,
    )
    _run(job, how)


def _check_together(wanted: dict[str, int | None], engine: str | None, paths: list[str], test: list[str]) -> None:
    """Raise typer.BadParameter for options that do not go together."""
    if engine is not None and "random" not in wanted:
        raise typer.BadParameter("plays the random player of --negatives random=N", param_hint="--engine")
    if STDIN in paths and STDIN in test:
        raise typer.BadParameter("stdin is read for PATH already", param_hint="--test")


def _check_files(paths: list[str], programs: list[str | None], output: str | None, metrics: str | None) -> None:
    from gotools.files.outputs import JSON, RULES, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES

    outputs = [Output("-o", output or STDIN, RULES), Output("--metrics", metrics, JSON)]
    check_outputs(outputs, [*paths, *programs], SUFFIXES)


def _run(job: InductionJob, how: induction.Induction) -> None:
    """Load, induce, write, measure, show. Whether files can be written is checked first: a search may take hours."""
    from gotools.cluster import workers_for
    from gotools.files.opening import open_if_named, open_output
    from gotools.patterns.summary import write_numbers, write_study

    with open_if_named(job.metrics) as numbers, Progress("reading files", job.quiet, heading=job.heading) as progress:
        with open_output(job.output) as out:
            decisions = how.gather(_stream(job, job.paths, progress))
            test = _load_test(job, decisions, progress) if job.test else None
            train = how.draw(decisions, progress.say, progress)
            if not job.quiet:
                progress.say(how.about(train, decisions))
            with workers_for(1, job.cluster, progress.say) as workers:
                tell = (lambda _: None) if job.quiet else (lambda rule: progress.say(f"the first rule: {rule}"))
                study = how.study(train, job.jobs, progress, progress.note, job.saved, workers, tell)
            if not study.whole and not study.rules.rules:
                raise KeyboardInterrupt("no rule was found yet; nothing is written")
            write_study(out, study, study.size)
        if job.saved is not None and study.whole:  # the rules are in their file
            job.saved.remove()
        if test is not None:
            how.measure(study, train, test, job.jobs, progress)
        if numbers is not None:
            write_numbers(numbers, study)
    if not job.quiet:
        _show(job, study)
    if not study.whole:
        raise KeyboardInterrupt(f"the {len(study.rules.rules):,} rules found so far are in {job.output or 'stdout'}")


def _stream(job: InductionJob, paths: list[str], progress: Progress) -> Iterator[Examples]:
    from gotools.go.examples.loading import stream_decisions

    return stream_decisions(paths, job.selection, progress.say, progress.advance, job.strict)


def _load_test(job: InductionJob, decisions: Examples | PackedExamples, progress: Progress) -> Examples:
    """Read the games to measure on; say so where some of them are learned from as well."""
    from gotools.go.examples.shared_games import shared_games
    from gotools.go.examples.table import Examples
    from gotools.patterns.study import check_test

    progress.phase("reading test files")
    rows = Examples.concat(list(_stream(job, job.test, progress)))
    check_test(rows)
    if warning := shared_games(rows, decisions):
        progress.say(f"--test: {warning}")
    return rows


def _show(job: InductionJob, study: Study) -> None:
    from rich.console import Console

    from gotools.patterns.summary import show_study

    show_study(Console(stderr=True), study, study.size, job.show)
