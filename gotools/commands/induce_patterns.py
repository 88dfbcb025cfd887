"""`gotools induce-patterns`: games or examples in, readable rules of where good players move out."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gotools.commands import Quiet, Seed
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.go.examples import Examples
    from gotools.patterns.background import Background
    from gotools.patterns.induce import Found, Settings
    from gotools.patterns.study import Study

EPILOG = """\b
Example:
  gotools induce-patterns games/*.sgf --test other-games/ -o rules.pl
"""
SHOWN = 12
WIDE = 110  # columns from which the clauses stand beside the sentences


class Vocabulary(StrEnum):
    """Which predicates rules may use."""

    basic = "basic"
    advanced = "advanced"


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
    """What was asked for, apart from the search settings."""

    paths: list[str]
    test: list[str]
    output: str | None
    metrics: str | None
    positives: int | None
    wanted: dict[str, int | None]
    engine: str | None
    seed: int
    show: int
    strict: bool
    quiet: bool


def induce_patterns(
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
    vocabulary: Annotated[
        Vocabulary, typer.Option(help="Predicates: experiment A (basic) or B (advanced) of the thesis.")
    ] = Vocabulary.advanced,
    without: Annotated[
        str, typer.Option(metavar="NAME,...", show_default=False, help="Predicates to leave out, as liberty.")
    ] = "",
    background: Annotated[
        str | None,
        typer.Option(metavar="FILE", show_default=False, help="Predicates of your own, in Prolog (needs SWI-Prolog)."),
    ] = None,
    positives: Annotated[
        str, typer.Option(metavar="N|all", help="Moves to learn from: so many drawn at random, or all in order.")
    ] = "1500",
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
    beam_width: Annotated[int, typer.Option(min=1, help="Clauses of a length that --search beam refines.")] = 300,
    size: Annotated[
        list[int] | None, typer.Option(min=2, max=19, show_default=False, help="Only this board size; may be repeated.")
    ] = None,
    rank_above: Annotated[
        str | None, typer.Option(metavar="RANK", show_default=False, help="Only moves of players above this.")
    ] = None,
    show: Annotated[int, typer.Option(metavar="N", min=0, help="Rules to show at the end, best first.")] = SHOWN,
    seed: Seed = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first broken game, with exit code 1.")] = False,
    quiet: Quiet = False,
) -> None:
    """Induce rules of where good players move (inductive logic programming).

    PATH is games (SGF) or examples (from sgf-to-examples), in any mixture; without any, stdin is read. Rules are
    clauses of move(Board, Color, X, Y) in Prolog, in the order in which they were found, each with the examples (P) and
    counter-examples (N) that it covers. The algorithm is Progol's as Aleph runs it: saturate the first move that no rule
    covers yet, search the subsets of its bottom clause, remove what the best clause covers, repeat.

    Reads all its input before it begins. Ctrl-C ends the search: the rules found so far are measured and written. The
    tables at the end go to stderr, the rules to -o or stdout.
    """
    from gotools import jit
    from gotools.go.negatives import parse_wanted

    jit.quiet = quiet
    wanted = _usage(parse_wanted, negatives, "--negatives")
    count = None if positives == "all" else _usage(_count, positives, "--positives")
    job = Job(_or_stdin(paths), test or [], output, metrics, count, wanted, engine, seed, show, strict, quiet)
    if min_body > max_body:
        raise typer.BadParameter("is more than --max-body", param_hint="--min-body")
    if engine is not None and "random" not in wanted:
        raise typer.BadParameter("plays the random player of --negatives random=N", param_hint="--engine")
    _usage(lambda text: _allowed(text, 100), noise, "--noise")
    from gotools.patterns.induce import Settings, language

    own = _background(background)
    predicates = _usage(lambda text: language(vocabulary.value, text, own), without, "--without")
    limits = Settings(predicates, nodes, 0, min_body, max_body, depth, score.value, search.value, beam_width)
    _run(job, limits, noise, own, _selection(size, rank_above, weak_below if "weak" in wanted else None))


def _usage(parse: Callable[[str], Any], text: str, option: str) -> Any:
    """Read the text of an option; what is wrong with it is wrong usage."""
    try:
        return parse(text)
    except GotoolsError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise GotoolsError(f"`{text}` is neither a number from 1 nor `all`")
    return int(text)


def _allowed(text: str, negatives: int) -> int:
    """Return how many negatives a rule may cover."""
    number = text.removesuffix("%")
    if not (number.isascii() and number.replace(".", "", 1).isdigit()) or ("." in number and number == text):
        raise GotoolsError(f"`{text}` is neither a number nor a share such as 15%")
    return round(float(number) / 100 * negatives) if number != text else int(number)


def _or_stdin(paths: list[str] | None) -> list[str]:
    if paths:
        return paths
    if sys.stdin is None or sys.stdin.isatty():
        raise typer.BadParameter("name games or examples, or send them to stdin", param_hint="PATH")
    return ["-"]


def _background(path: str | None) -> Background | None:
    if path is None:
        return None
    from gotools.patterns.background import load_background

    return load_background(path)


def _selection(size: list[int] | None, rank_above: str | None, weak_below: str | None) -> Any:
    from gotools.go.selection import Selection, parse_rank

    return Selection(
        sizes=frozenset(size or ()),
        rank_above=_usage(parse_rank, rank_above, "--rank-above") if rank_above is not None else None,
        weak_below=_usage(parse_rank, weak_below, "--weak-below") if weak_below is not None else None,
    )


def _run(job: Job, limits: Settings, noise: str, own: Background | None, selection: Any) -> None:
    """Load, induce, measure, write, show."""
    from dataclasses import replace

    from gotools.patterns.study import measure_study, run_study

    decisions = _load(job, job.paths, selection, "games")
    tests = _load(job, job.test, selection, "test games") if job.test else None
    train = _draw(job, decisions)
    found = int((train.label == 1).sum())
    settings = replace(limits, noise=_allowed(noise, len(train) - found))
    header = _header(train, settings, job.seed)
    if not job.quiet:
        print(
            f"{found:,} of {int((decisions.label == 1).sum()):,} moves to learn from, "
            f"{len(train) - found:,} counter-examples ({_sources(train)}), noise {settings.noise:,}",
            file=sys.stderr,
        )
    with Progress("positives covered", job.quiet, found) as progress:
        study = run_study(train, settings, _follow(progress, found), own, header)
    if tests is not None:
        measure_study(study, train, tests, own)
    _write(job, study, settings, train)
    if not job.quiet:
        _show(job, study, train)
    if not study.whole:
        where = job.output or "stdout"
        raise KeyboardInterrupt(f"the {len(study.rules.rules)} rules found so far are in {where}")


def _load(job: Job, paths: list[str], selection: Any, what: str) -> Examples:
    from gotools.go.loading import load_decisions

    with Progress(what, job.quiet) as progress:
        return load_decisions(paths, selection, progress.say, progress.advance, job.strict)


def _draw(job: Job, decisions: Examples) -> Examples:
    from gotools.patterns.sampling import training_rows
    from gotools.tournament.random_games import random_moves

    with Progress("random moves", job.quiet, job.wanted.get("random")) as playing:
        return training_rows(
            decisions,
            job.positives,
            job.wanted,
            job.seed,
            lambda count, size: random_moves(count, size, job.seed, job.engine, advance=playing.advance),
            playing.say,
        )


def _sources(train: Examples) -> str:
    from gotools.go.examples import SOURCES

    counts = Counter(train.source[train.label == 0].tolist())
    return ", ".join(f"{SOURCES[k]} {n:,}" for k, n in sorted(counts.items())) or "none"


def _header(train: Examples, settings: Settings, seed: int) -> dict[str, str]:
    """Return what the rules file says of its origin: no dates and no paths, so that equal runs give equal bytes."""
    sizes = sorted(set(train.size.tolist()))
    return {
        "game": "go",
        "sizes": f"{sizes[0]}-{sizes[-1]}" if sizes else "",
        "positives": str(int((train.label == 1).sum())),
        "negatives": _sources(train),
        "predicates": " ".join(settings.predicates),
        "search": f"{settings.search} nodes={settings.nodes} noise={settings.noise} body={settings.min_body}-"
        f"{settings.max_body} depth={settings.depth} score={settings.score} seed={seed}",
    }


def _follow(progress: Progress, positives: int) -> Callable[[Found], None]:
    """Return what tells the bar of every seed: rules so far, share covered, best clause."""
    rules, best, most = 0, "", 0
    left = positives

    def follow(found: Found) -> None:
        nonlocal rules, best, most, left
        rules += bool(found.body)
        if found.body and found.positives - found.negatives > most:
            most = found.positives - found.negatives
            best = f"P {found.positives} N {found.negatives} {', '.join(map(str, found.body))}"
        progress.advance(left - found.left)
        left = found.left
        progress.tell(f"{rules} rules, {1 - left / positives:.0%} covered; best: {best}")

    return follow


def _write(job: Job, study: Study, settings: Settings, train: Examples) -> None:
    """Write the rules, and the metrics where asked for."""
    import io

    from gotools.files import open_output
    from gotools.patterns.rules import write_rules
    from gotools.patterns.sentences import sentence

    text = io.StringIO()
    size = _usual_size(train)
    write_rules(text, study.rules, {rule.id: sentence(rule, size) for rule in study.rules.rules})
    with open_output(job.output) as out:
        out.write(text.getvalue().encode())
    if job.metrics is not None:
        with open_output(job.metrics) as out:
            out.write((json.dumps(_numbers(job, study, settings, train), indent=1) + "\n").encode())


def _numbers(job: Job, study: Study, settings: Settings, train: Examples) -> dict[str, Any]:
    positives = int((train.label == 1).sum())
    return {
        **study.metrics,
        "rules": len(study.rules.rules),
        "clauses_searched": study.searched,
        "seconds": round(study.seconds, 3),
        "positives": positives,
        "negatives": len(train) - positives,
        "noise": settings.noise,
        "seeds": study.seeds,
        "seeds_without_rule": study.alone,
        "seed": job.seed,
        "interrupted": not study.whole,
    }


def _usual_size(train: Examples) -> int:
    return int(Counter(train.size.tolist()).most_common(1)[0][0])


def _show(job: Job, study: Study, train: Examples) -> None:
    """Print the tables to stderr."""
    from rich.console import Console

    from gotools.patterns.report import accuracy_table, rules_table
    from gotools.patterns.rules import RuleSet

    console = Console(stderr=True)
    if study.rules.rules and job.show:
        best = sorted(study.rules.rules, key=lambda rule: rule.negatives - rule.positives)
        console.print(rules_table(RuleSet(tuple(best)), _usual_size(train), job.show, console.width >= WIDE))
        console.print()
    if study.metrics:
        console.print(accuracy_table(study.metrics))
    alone = f"; {study.alone:,} moves no rule could be found for" if study.alone else ""
    print(
        f"{len(study.rules.rules)} rules from {study.seeds:,} seeds, {study.searched:,} clauses searched in "
        f"{study.seconds:.1f} s{alone}",
        file=sys.stderr,
    )
