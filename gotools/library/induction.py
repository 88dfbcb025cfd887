"""From examples to rules: what to learn from, by which search, measured on what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gotools.cluster import workers_for
from gotools.errors import GotoolsError
from gotools.library.arguments import Paths, Report, check_goes_with, log
from gotools.library.records import decisions_of
from gotools.phases import UNWATCHED, Watch
from gotools.workers import Workers

if TYPE_CHECKING:
    from gotools.go.examples.packed import PackedExamples
    from gotools.go.examples.table import Examples
    from gotools.patterns.clauses.background import Background
    from gotools.patterns.cover.induce import CoverSettings, SeedResult
    from gotools.patterns.cover.modes import Modes
    from gotools.patterns.rank.boost import BoostingState
    from gotools.patterns.rank.candidates import Condition
    from gotools.patterns.rank.saved import SavedSearch
    from gotools.patterns.study import Study

    Follow = Callable[[str, Condition], None]
    """Called with the state of a search, and the body of a rule that it has found; empty: none yet."""

Objective = Literal["cover", "rank"]
"""What rules are for: to cover the moves played, or to rank all legal moves together."""
Vocabulary = Literal["basic", "advanced", "full", "groups"]
"""Which predicates rules may use."""
Weights = Literal["coverage", "regression"]
"""What the weight of a rule is."""
Score = Literal["coverage", "compression", "entropy", "laplace", "posonly"]
"""What makes a clause better than another."""
Search = Literal["breadth", "best", "beam", "depth", "random"]
"""In which order clauses are tried."""
AfterOpening = Literal["chain", "stone", "free"]
"""What a rule must speak of after the opening."""
MOST_RULES, LARGE_BOARDS, MOST_RULES_OF_LARGE_BOARDS = 1000, 14, 3000
"""Rules that rank are at most so many by default: on boards with fewer than so many lines, and on others."""

POSITIVES = 1500
"""Moves to learn covering rules from by default."""
_OF_COVER = (
    *("modes", "background", "negatives", "engine", "weak_below", "noise", "nodes"),
    *("min_body", "max_body", "depth", "score", "search", "beam_width"),
    *("after_opening", "by", "explain_none"),
)
GOES_WITH = ((("cover",), _OF_COVER), (("rank",), ("max_rules", "memory", "resume", "cluster")))
"""Parameters that only one objective uses."""


def induce_rules(
    examples: Examples | Paths,
    *,
    test: Examples | Paths | None = None,
    objective: Objective = "cover",
    vocabulary: Vocabulary | None = None,
    without: str = "",
    modes: str | None = None,
    background: str | None = None,
    positives: int | Literal["all"] | None = None,
    weights: Weights | None = None,
    max_rules: int | None = None,
    memory: str = "2GiB",
    negatives: str = "",
    engine: str | None = None,
    noise: str = "15%",
    nodes: int = 5000,
    min_body: int = 3,
    max_body: int = 15,
    depth: int = 10,
    score: Score = "coverage",
    search: Search = "breadth",
    beam_width: int = 200,
    after_opening: AfterOpening = "chain",
    by: str = "",
    explain_none: bool = False,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Study:
    """Induce rules of where good players move, and measure them on the moves of `test`, if given.

    examples  -- what `read_examples` returns, or paths for it
    test      -- decisions of other games: the study's `metrics` say how well the rules predict them
    objective -- cover: few rules, each covering many moves; rank: rules that predict moves together
    positives -- moves to learn from, drawn at random, or all; None: 1500, for rank all
    memory    -- most that the process may take at its peak while it learns to rank, as 800M or 4GiB
    jobs      -- threads; they never change a result; cluster -- of dask, for rules that rank: see docs/cluster.md

    The rest are options of `gotools induce-patterns`. After Ctrl-C the study has the rules so far, its `whole` False.
    Raises GotoolsError where there is nothing to learn from, and for values that do not fit together.
    """
    check_goes_with(induce_rules, locals(), "objective", GOES_WITH)
    from gotools.patterns.classes import parse_classes
    from gotools.patterns.rank.memory import parse_memory

    declared = load_declared(modes, own := load_own(background))
    rows, apart = decisions_of(examples, report, watch), None if test is None else _to_measure(test, report, watch)
    induction = Induction(
        objective=objective,
        predicates=predicates_of(objective, vocabulary, without, own, declared),
        background=own,
        modes=declared,
        positives=count_of(objective, positives),
        regression=weights == "regression",
        max_rules=max_rules,
        memory=parse_memory(memory),
        wanted=_wanted(negatives),
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
        by=parse_classes(by),
        explain_none=explain_none,
        seed=seed,
    )
    train = induction.draw(induction.gather([rows]), report, watch)
    with workers_for(1, cluster, report) as workers:
        study = induction.study(train, jobs, watch, workers=workers)
    if apart is not None and study.whole:
        induction.measure(study, train, apart, jobs, watch)
    return study


def _to_measure(test: Examples | Paths, report: Report, watch: Watch) -> Examples:
    from gotools.patterns.study import check_test

    rows = decisions_of(test, report, watch)
    check_test(rows)
    return rows


def count_of(objective: str, positives: int | Literal["all"] | None) -> int | None:
    """Return how many moves to learn from; None: all."""
    if positives == "all" or (positives is None and objective == "rank"):
        return None
    return POSITIVES if positives is None else positives


def predicates_of(
    objective: str, vocabulary: str | None, without: str, background: Background | None, modes: Modes | None = None
) -> tuple[str, ...]:
    """Return the predicates that rules may use; shapes are harvested for rules that rank only.

    Raises GotoolsError for a name in `without` that is unknown, and for modes beside a vocabulary or for ranking.
    """
    from gotools.patterns.cover.induce import language

    if modes is not None and (vocabulary is not None or objective == "rank"):
        raise GotoolsError("modes say which predicates rules that cover may use: give no vocabulary beside them")
    found = language(vocabulary or ("full" if objective == "rank" else "advanced"), without, background, modes)
    return found if objective == "rank" else tuple(name for name in found if name != "shape")


def load_own(background: str | None) -> Background | None:
    """Return a user's predicates."""
    from gotools.patterns.clauses.background import load_background

    return None if background is None else load_background(background)


def load_declared(modes: str | None, background: Background | None) -> Modes | None:
    """Return a user's mode declarations."""
    from gotools.patterns.cover.modes import load_modes

    return None if modes is None else load_modes(modes, background)


def _wanted(negatives: str) -> dict[str, int | None]:
    from gotools.go.examples.negatives import parse_wanted

    return parse_wanted(negatives)


@dataclass(frozen=True, slots=True, kw_only=True)
class Induction:
    """How rules are induced; the fields are the parameters of `induce_rules`, read.

    positives -- how many moves to learn from; regression -- the weights of rules that cover come from a regression
    wanted -- counter-examples by source, for rules that cover; so are engine, noise and all up to explain_none
    max_rules, memory -- of rules that rank: how many at most (None: by the size of the boards), and the bytes that the
    process may take
    """

    objective: str
    predicates: tuple[str, ...]
    background: Background | None
    modes: Modes | None
    positives: int | None
    regression: bool
    max_rules: int | None
    memory: int
    wanted: dict[str, int | None]
    engine: str | None
    noise: str
    nodes: int
    min_body: int
    max_body: int
    depth: int
    score: str
    search: str
    beam_width: int
    after_opening: str
    by: tuple[str, ...]
    explain_none: bool
    seed: int

    def __post_init__(self) -> None:
        if self.min_body > self.max_body:
            raise GotoolsError(f"min_body {self.min_body} is more than max_body {self.max_body}")

    @property
    def ranks(self) -> bool:
        """Return whether the rules are for ranking."""
        return self.objective == "rank"

    def gather(self, batches: Iterable[Examples]) -> Examples | PackedExamples:
        """Return decisions to learn from as `draw` takes them: packed for rules that rank.

        Raises GotoolsError for a memory that is too small.
        """
        from gotools.go.examples.packed import pack
        from gotools.go.examples.table import Examples
        from gotools.patterns.rank.memory import MemoryPlan

        if self.ranks:
            return pack(batches, MemoryPlan(self.memory).of_decisions(), self.seed)
        return Examples.concat(list(batches))

    def draw(
        self, decisions: Examples | PackedExamples, report: Report = log, watch: Watch = UNWATCHED
    ) -> Examples | PackedExamples:
        """Return the rows to learn from."""
        from gotools.go.examples.packed import PackedExamples
        from gotools.go.examples.random_games import random_moves
        from gotools.patterns.sampling import drawn_rows, training_rows

        if isinstance(decisions, PackedExamples):
            rows = drawn_rows(len(decisions), self.positives, self.seed)
            return decisions if rows is None else decisions.only(rows)
        watch.phase("drawing counter-examples", self.wanted.get("random"))
        return training_rows(
            decisions,
            self.positives,
            self.wanted,
            self.seed,
            lambda number, size: random_moves(number, size, self.seed, self.engine, advance=watch.advance),
            report,
        )

    def about(self, train: Examples | PackedExamples, decisions: Examples | PackedExamples) -> str:
        """Return a line on how many of the examples are learned from."""
        from gotools.go.examples.packed import PackedExamples
        from gotools.patterns.summary import learning_line, ranking_line

        if isinstance(train, PackedExamples) or isinstance(decisions, PackedExamples):
            return ranking_line(len(train), getattr(decisions, "seen", len(decisions)), len(decisions))
        return learning_line(train, int((decisions.label == 1).sum()), self._cover_settings(train).noise)

    def study(
        self,
        train: Examples | PackedExamples,
        jobs: int = 1,
        watch: Watch = UNWATCHED,
        on_state: Callable[[str], None] = lambda _: None,
        saved: SavedSearch | None = None,
        workers: Workers | None = None,
        on_first: Callable[[str], None] = lambda _: None,
    ) -> Study:
        """Search for rules and weigh them; `on_state` is called with the state of the search. Ctrl-C: see run_study.

        saved -- where the search for ranking rules keeps its state; workers -- of a cluster, for these rules
        on_first -- called with the sentence of the first rule, as soon as it is found
        """
        from gotools.go.examples.packed import PackedExamples
        from gotools.patterns.clauses.rules import Rule
        from gotools.patterns.explain.sentences import sentence
        from gotools.patterns.summary import usual_size

        size, said = usual_size(train.size), False

        def follow(state: str, body: Condition) -> None:
            nonlocal said
            if body and not said:
                said = True
                on_first(sentence(Rule("r1", body, 0, 0, 0.0), size))
            on_state(state)

        if isinstance(train, PackedExamples):
            study = self._rank(train, jobs, watch, follow, saved, workers)
        else:
            study = self._cover(train, jobs, watch, follow)
        study.size = size
        return study

    def measure(
        self, study: Study, train: Examples | PackedExamples, test: Examples, jobs: int = 1, watch: Watch = UNWATCHED
    ) -> None:
        """Measure rules on decisions of other games, into `study.metrics`; they must have at least one legal move."""
        from gotools.patterns.study import measure_study

        measure_study(study, train, test, self.background, jobs, watch)

    def _cover_settings(self, train: Examples) -> CoverSettings:
        from gotools.patterns.cover.induce import CoverSettings
        from gotools.patterns.sampling import allowed_noise

        return CoverSettings(
            predicates=self.predicates,
            nodes=self.nodes,
            noise=allowed_noise(self.noise, int((train.label == 0).sum())),
            min_body=self.min_body,
            max_body=self.max_body,
            depth=self.depth,
            score=self.score,
            search=self.search,
            beam=self.beam_width,
            after_opening=self.after_opening,
            seed=self.seed,
            modes=self.modes,
        )

    def _cover(self, train: Examples, jobs: int, watch: Watch, on_state: Follow) -> Study:
        from gotools.patterns.study import run_study
        from gotools.patterns.summary import SearchProgress

        course = SearchProgress(int((train.label == 1).sum()))

        def follow(found: SeedResult) -> None:
            watch.advance(course.after(found))
            on_state(str(course), found.body)

        return run_study(
            train,
            self._cover_settings(train),
            follow,
            background=self.background,
            seed=self.seed,
            regression=self.regression,
            by=self.by,
            explain=self.explain_none,
            jobs=jobs,
            watch=watch,
        )

    def _rank(
        self,
        train: PackedExamples,
        jobs: int,
        watch: Watch,
        on_state: Follow,
        saved: SavedSearch | None,
        workers: Workers | None,
    ) -> Study:
        from gotools.patterns.rank.boost import BoostSettings
        from gotools.patterns.rank_study import run_rank_study
        from gotools.patterns.summary import usual_size

        def follow(found: BoostingState) -> None:
            watch.advance(found.new)
            on_state(str(found), found.body)

        usual = MOST_RULES_OF_LARGE_BOARDS if usual_size(train.size) >= LARGE_BOARDS else MOST_RULES
        settings = BoostSettings(predicates=self.predicates, rules=self.max_rules or usual)
        return run_rank_study(
            train,
            settings,
            follow,
            seed=self.seed,
            jobs=jobs,
            memory=self.memory,
            watch=watch,
            saved=saved,
            workers=workers,
        )
