"""`gotools induce-patterns`: games or examples in, readable rules of where good players move out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from gotools.commands import MOST_CORES, AllCores, Quiet, Seed
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.go.examples.table import Examples
    from gotools.go.records.selection import Selection
    from gotools.patterns.clauses.background import Background
    from gotools.patterns.cover.induce import CoverSettings, SeedResult
    from gotools.patterns.rank.boost import BoostingState, BoostSettings
    from gotools.patterns.study import Study

T = TypeVar("T")

FOR = "For players and researchers who want to read the patterns behind the moves of a collection of games."
EPILOG = """\b
Example:
  gotools induce-patterns games/*.sgf --test other-games/ -o rules.pl
"""
SHOWN = 12
AS_MANY_AS_FIT = 0
"""Stands for a number of moves that is chosen by the memory they take."""


class Objective(StrEnum):
    """What rules are for: to cover the moves played, or to rank all legal moves together."""

    cover = "cover"
    rank = "rank"


class Vocabulary(StrEnum):
    """Which predicates rules may use."""

    basic = "basic"
    advanced = "advanced"
    full = "full"


class Weighting(StrEnum):
    """What the weight of a rule is."""

    coverage = "coverage"
    regression = "regression"


class Score(StrEnum):
    """What makes a clause better than another."""

    coverage = "coverage"
    compression = "compression"
    entropy = "entropy"
    laplace = "laplace"
    posonly = "posonly"


class Search(StrEnum):
    """In which order clauses are tried."""

    breadth = "breadth"
    best = "best"
    beam = "beam"


@dataclass(frozen=True, slots=True)
class Job:
    """What was asked for; the noise in `limits` is not known before the counter-examples are.

    ranking -- set for --objective rank, which has no use for `limits`; regression -- of --weights
    """

    paths: list[str]
    test: list[str]
    output: str | None
    metrics: str | None
    positives: int | None
    wanted: dict[str, int | None]
    engine: str | None
    noise: str
    limits: CoverSettings
    ranking: BoostSettings | None
    regression: bool
    background: Background | None
    selection: Selection
    seed: int
    show: int
    strict: bool
    quiet: bool
    jobs: int


def induce_patterns(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", show_default=False, help="Game records (.sgf), examples (.tsv), folders, -."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", show_default=False, help="rules.pl; else stdout.")
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", show_default=False, help="Measure on these games or examples; may be repeated."),
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="FILE", show_default=False, help="Write the numbers as JSON.")
    ] = None,
    objective: Annotated[
        Objective,
        typer.Option(
            help="cover: few rules, each covering many moves (the thesis); rank: rules that predict moves together."
        ),
    ] = Objective.cover,
    vocabulary: Annotated[
        Vocabulary | None,
        typer.Option(
            show_default=False,
            help="Predicates: basic or advanced (experiments A and B of the thesis), or full. Default: advanced; full "
            "for --objective rank.",
        ),
    ] = None,
    without: Annotated[
        str, typer.Option(metavar="NAME,...", show_default=False, help="Predicates to leave out, as liberty.")
    ] = "",
    background: Annotated[
        str | None,
        typer.Option(metavar="FILE", show_default=False, help="Predicates of your own, in Prolog (needs SWI-Prolog)."),
    ] = None,
    positives: Annotated[
        str | None,
        typer.Option(
            metavar="N|all",
            show_default=False,
            help="Moves to learn from: so many drawn at random, or all in order. Default: 1500; with --objective rank "
            "as many as fit into 3 GB of memory (70,000 of 9x9, 16,000 of 19x19).",
        ),
    ] = None,
    weights: Annotated[
        Weighting | None,
        typer.Option(
            show_default=False,
            help="Weight of a rule: coverage (P - N, scaled; the default for cover) or regression (logistic, over the "
            "legal moves of each position).",
        ),
    ] = None,
    max_rules: Annotated[int, typer.Option(min=1, max=9000, help="Most rules of --objective rank.")] = 1000,
    negatives: Annotated[
        str,
        typer.Option(
            metavar="SOURCE[=N],...",
            show_default=False,
            help="Counter-examples: random, suicide, unplayed, weak. Default: those of the examples file, or as many "
            "unplayed moves as there are positives.",
        ),
    ] = "",
    engine: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", show_default=False, help="GTP opponent for --negatives random=N."),
    ] = None,
    weak_below: Annotated[
        str, typer.Option(metavar="RANK", help="Source weak: moves of losers below this rank.")
    ] = "10k",
    noise: Annotated[
        str, typer.Option(metavar="N|P%", help="Negatives that a rule may cover: a number, or a share of them.")
    ] = "15%",
    nodes: Annotated[int, typer.Option(min=1, max=10_000_000, help="Clauses to try for one seed.")] = 5000,
    min_body: Annotated[int, typer.Option(min=1, max=16, help="Fewest conditions of a rule.")] = 3,
    max_body: Annotated[int, typer.Option(min=1, max=16, help="Most conditions of a rule.")] = 15,
    depth: Annotated[int, typer.Option(min=1, max=99, help="Steps from the move to what a rule may speak of.")] = 10,
    score: Annotated[Score, typer.Option(help="Which clause is better: coverage is P - N.")] = Score.coverage,
    search: Annotated[Search, typer.Option(help="Order of the search; breadth is the thesis'.")] = Search.breadth,
    beam_width: Annotated[int, typer.Option(min=1, help="Clauses of a length that --search beam refines.")] = 200,
    size: Annotated[
        list[int] | None, typer.Option(min=2, max=19, show_default=False, help="Only this board size; may be repeated.")
    ] = None,
    rank_above: Annotated[
        str | None, typer.Option(metavar="RANK", show_default=False, help="Only moves of players above this.")
    ] = None,
    show: Annotated[int, typer.Option(metavar="N", min=0, help="Rules to show at the end, best first.")] = SHOWN,
    seed: Seed = 0,
    jobs: AllCores = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first broken game, with exit code 1.")] = False,
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
    """
    from gotools.blas import use_common_blas

    use_common_blas()
    from gotools import compiling
    from gotools.commands.recipes import ready
    from gotools.go.examples.negatives import parse_wanted
    from gotools.patterns.sampling import allowed_noise, parse_positives

    compiling.quiet = quiet
    wanted = _usage(parse_wanted, negatives, "--negatives")
    count = _usage(parse_positives, positives or "1500", "--positives")
    if positives is None and objective is Objective.rank:
        count = AS_MANY_AS_FIT
    _usage(lambda text: allowed_noise(text, 0), noise, "--noise")
    chosen = _selection(size, rank_above, weak_below if "weak" in wanted else None)
    files = _or_stdin(paths)
    _check_files([*files, *(test or [])], background, output, metrics)
    own = _background(background)
    from gotools.patterns.cover.induce import CoverSettings, language
    from gotools.patterns.rank.boost import BoostSettings

    ranking = objective is Objective.rank
    words = vocabulary or (Vocabulary.full if ranking else Vocabulary.advanced)
    predicates = _usage(lambda text: language(words.value, text, own), without, "--without")
    limits = CoverSettings(predicates, nodes, 0, min_body, max_body, depth, score.value, search.value, beam_width)
    how = limits, BoostSettings(predicates, max_rules) if ranking else None, weights is Weighting.regression
    asked = files, test or [], output, metrics, count, wanted, engine, noise, *how, own, chosen, seed, show
    job = Job(*asked, strict, quiet, jobs or min(os.cpu_count() or 1, MOST_CORES))
    _check(job)
    _check_objective(context, objective, weights)
    ready("induce-patterns --objective rank" if ranking else "induce-patterns", quiet)
    _run(job)


def _check_files(paths: list[str], background: str | None, output: str | None, metrics: str | None) -> None:
    from gotools.files.outputs import JSON, RULES, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES

    outputs = [Output("-o", output or "-", RULES), Output("--metrics", metrics, JSON)]
    check_outputs(outputs, [*paths, background], SUFFIXES)


def _usage(parse: Callable[[str], T], text: str, option: str) -> T:
    """Read the text of an option; what is wrong with it is wrong usage."""
    try:
        return parse(text)
    except GotoolsError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _or_stdin(paths: list[str] | None) -> list[str]:
    if paths:
        return paths
    if sys.stdin is None or sys.stdin.isatty():
        raise typer.BadParameter("name games or examples, or send them to stdin", param_hint="PATH")
    return ["-"]


def _selection(size: list[int] | None, rank_above: str | None, weak_below: str | None) -> Selection:
    from gotools.go.records.ranks import parse_rank
    from gotools.go.records.selection import Selection

    return Selection(
        sizes=frozenset(size or ()),
        rank_above=_usage(parse_rank, rank_above, "--rank-above") if rank_above is not None else None,
        weak_below=_usage(parse_rank, weak_below, "--weak-below") if weak_below is not None else None,
    )


def _background(path: str | None) -> Background | None:
    from gotools.patterns.clauses.background import load_background

    return None if path is None else load_background(path)


def _check_objective(context: typer.Context, objective: Objective, weights: Weighting | None) -> None:
    """Raise typer.BadParameter for an option that the objective has no use for."""
    cover = "background negatives engine weak_below noise nodes min_body max_body depth score search beam_width"
    goes_with = {Objective.cover: cover.split(), Objective.rank: ["max_rules"]}
    for other in set(Objective) - {objective}:
        for name in goes_with[other]:
            source = context.get_parameter_source(name)
            if source is not None and source.name == "COMMANDLINE":
                raise typer.BadParameter(f"goes with --objective {other}", param_hint=f"--{name.replace('_', '-')}")
    if objective is Objective.rank and weights is Weighting.coverage:
        raise typer.BadParameter("coverage goes with --objective cover", param_hint="--weights")


def _check(job: Job) -> None:
    """Raise typer.BadParameter for options that do not go together."""
    if job.limits.min_body > job.limits.max_body:
        raise typer.BadParameter("is more than --max-body", param_hint="--min-body")
    if job.engine is not None and "random" not in job.wanted:
        raise typer.BadParameter("plays the random player of --negatives random=N", param_hint="--engine")
    if "-" in job.paths and "-" in job.test:
        raise typer.BadParameter("stdin is read for PATH already", param_hint="--test")


def _run(job: Job) -> None:
    """Load, induce, write, measure, show. Where to write is looked at first: nobody likes to wait in vain."""
    from gotools.files.opening import open_if_named, open_output
    from gotools.patterns.study import measure_study
    from gotools.patterns.summary import usual_size, write_numbers, write_study

    with open_if_named(job.metrics) as numbers, Progress("reading files", job.quiet) as progress:
        with open_output(job.output) as out:
            decisions = _load(job, job.paths, progress)
            test = _load_test(job, decisions, progress) if job.test else None
            train = _draw(job, decisions, progress)
            study = (_induce_ranking if job.ranking else _induce)(job, train, decisions, progress)
            if not study.whole and not study.rules.rules:
                raise KeyboardInterrupt("no rule was found yet; nothing is written")
            write_study(out, study, usual_size(train))
        if test is not None:
            measure_study(study, train, test, job.background, job.jobs, progress)
        if numbers is not None:
            write_numbers(numbers, study)
    if not job.quiet:
        _show(job, study, usual_size(train))
    if not study.whole:
        raise KeyboardInterrupt(f"the {len(study.rules.rules):,} rules found so far are in {job.output or 'stdout'}")


def _load(job: Job, paths: list[str], progress: Progress) -> Examples:
    from gotools.go.examples.loading import load_decisions

    return load_decisions(paths, job.selection, progress.say, progress.advance, job.strict)


def _load_test(job: Job, decisions: Examples, progress: Progress) -> Examples:
    """Read the games to measure on; say so where some of them are learned from as well."""
    from gotools.go.examples.shared_games import shared_games
    from gotools.patterns.study import check_test

    progress.phase("reading test files")
    rows = _load(job, job.test, progress)
    check_test(rows)
    if warning := shared_games(rows, decisions):
        progress.say(f"--test: {warning}")
    return rows


def _draw(job: Job, decisions: Examples, progress: Progress) -> Examples:
    from gotools.go.examples.random_games import random_moves
    from gotools.patterns.sampling import draw_moves, moves_that_fit, training_rows

    if job.ranking is not None:
        count = moves_that_fit(decisions) if job.positives == AS_MANY_AS_FIT else job.positives
        return draw_moves(decisions, count, job.seed)
    progress.phase("drawing counter-examples", job.wanted.get("random"))
    return training_rows(
        decisions,
        job.positives,
        job.wanted,
        job.seed,
        lambda count, size: random_moves(count, size, job.seed, job.engine, advance=progress.advance),
        progress.say,
    )


def _induce(job: Job, train: Examples, decisions: Examples, progress: Progress) -> Study:
    """Search for rules that cover."""
    from gotools.patterns.sampling import allowed_noise
    from gotools.patterns.study import run_study
    from gotools.patterns.summary import SearchProgress, learning_line

    positives = int((train.label == 1).sum())
    settings = replace(job.limits, noise=allowed_noise(job.noise, len(train) - positives))
    if not job.quiet:
        progress.say(learning_line(train, int((decisions.label == 1).sum()), settings.noise))
    course = SearchProgress(positives)

    def follow(found: SeedResult) -> None:
        progress.advance(course.after(found))
        progress.tell(str(course))

    return run_study(train, settings, follow, job.background, job.seed, job.regression, job.jobs, progress)


def _induce_ranking(job: Job, train: Examples, decisions: Examples, progress: Progress) -> Study:
    """Search for rules that rank."""
    from gotools.patterns.rank_study import MOST_FIRING, run_rank_study
    from gotools.patterns.summary import ranking_line

    assert job.ranking is not None
    as_fit = job.positives == AS_MANY_AS_FIT
    if not job.quiet:
        progress.say(ranking_line(len(train), int((decisions.label == 1).sum()), as_fit))

    def follow(found: BoostingState) -> None:
        progress.advance(found.new)
        progress.tell(str(found))

    most = MOST_FIRING if as_fit else None
    return run_rank_study(train, job.ranking, follow, job.seed, job.jobs, most, progress)


def _show(job: Job, study: Study, size: int) -> None:
    from rich.console import Console

    from gotools.patterns.summary import show_study

    show_study(Console(stderr=True), study, size, job.show)
