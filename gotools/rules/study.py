"""A study: examples in; rules out, with what they cover and how well they predict moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.files.writing import whole_writes
from gotools.game.examples.examples import Examples
from gotools.game.examples.packed import PackedExamples
from gotools.game.examples.states import States
from gotools.game.game import vocabulary_of
from gotools.jit.compiling import working_time
from gotools.rules.boosting.boards import board_rules, positions_of
from gotools.rules.boosting.kernels import sets as _sets
from gotools.rules.clauses.background import Background
from gotools.rules.clauses.facts import FactTable, Intervals
from gotools.rules.clauses.meaning import facts_of, holds
from gotools.rules.clauses.points import Moves, Points, StateMoves
from gotools.rules.clauses.rules import UNITS, Literal, Rule, RuleSet
from gotools.rules.cover.induce import CoverSettings, Remedy, SeedResult, induce, remedies
from gotools.rules.ranking import RankingTally
from gotools.rules.task.sampling import classes_of, counter_examples, held_apart
from gotools.rules.weigh.accuracy import Choices, Scores, baselines_of, choices_of, fitted_scale, rule_scores
from gotools.rules.weigh.firing import FiringTable, firings
from gotools.rules.weigh.weights import DEFAULT_L2, DIGITS, Block, observations, regress
from gotools.work.workers import in_order, threads

SCALE_DIGITS = 3
"""Digits of the scale: P - N up to 999 times it has the six digits that a rules file keeps, so ties stay ties."""

Body = tuple[Literal, ...]
MEASURED_TOGETHER = 500
"""Positions measured together: bounds the memory."""
SCALE_POSITIONS = 1000
"""Training positions on which the scale of scores is fitted: enough for one number."""


@dataclass(slots=True)
class Study:
    """The result of a study, and its settings.

    positives, negatives -- how many it learned from; seed -- of the sample, kept for the record
    noise -- counter-examples that a rule might cover; None if none are counted
    alone -- positives without an acceptable clause (ground facts in Aleph's theory)
    remedies -- what the search finds with one setting changed, if it was asked why moves have no rule
    classes -- by class of move (`by`): how many positives, and how many rules
    by_worth -- the rules come in the order of their worth, not in that in which they were found
    whole -- False if it was interrupted: then it holds the rules found until then
    size -- the board size of most examples, on which sentences give distances to the edge
    """

    seed: int = 0
    positives: int = 0
    negatives: int = 0
    noise: int | None = None
    by_worth: bool = False
    rules: RuleSet = field(default_factory=lambda: RuleSet(()))
    searched: int = 0
    seeds: int = 0
    alone: int = 0
    remedies: list[Remedy] = field(default_factory=list)
    classes: dict[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0
    whole: bool = True
    size: int = 0
    metrics: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        learned = f"positives={self.positives}, negatives={self.negatives}, seed={self.seed}, whole={self.whole}"
        return f"Study({self.rules!r}, {learned}, metrics={list(self.metrics)})"


def moves_of(examples: Any) -> Moves:
    """Return the moves of decisions as those at which clauses are evaluated."""
    rows = np.arange(len(examples), dtype=np.int32)
    if isinstance(examples, States):
        return StateMoves(examples.of, examples.positions, examples.size, rows, examples.move)
    columns = examples.board, examples.size, examples.to_play, examples.ko, examples.last, examples.last2
    return Points(*columns, rows, examples.move)


def run_study(
    train: Examples,
    settings: CoverSettings,
    on_found: Callable[[SeedResult], None],
    background: Background | None = None,
    seed: int = 0,
    regression: bool = False,
    by: tuple[str, ...] = (),
    explain: bool = False,
    jobs: int = 1,
    watch: Watch = UNWATCHED,
) -> Study:
    """Induce rules from examples and counter-examples, count what each covers, and weigh it.

    train -- rows of label 1 and 0; the first uncovered row of label 1 is the next seed
    on_found -- called after every seed
    seed -- that `train` was drawn with, for the header of the rules
    jobs -- threads that weigh the rules; the search itself goes from clause to clause, in one
    watch -- receives the phases; that of the rounds has a step for each example
    regression -- weigh the rules together (weights.py) over the legal moves of the training positions
    by -- words of sampling.CLASSES: rules are induced for the positives of each class alone, against all negatives
    explain -- if moves stay without a rule, search again with one setting changed at a time, into `remedies`

    A KeyboardInterrupt ends the search after the current seed; the rules found are kept. Without `regression` the
    weight of a rule is P - N times one scale, which makes the softmax of scores fit the training positions best: so the
    order of moves is that of the thesis, and scores are log-odds.

    Raises GotoolsError without any example or counter-example.
    """
    began, (positives, negatives) = working_time(), _labels(train, settings.score)
    study = Study(seed, len(positives), len(negatives), settings.noise)
    bodies: list[Body] = []
    watch.phase("gathering facts")
    table = facts_of(moves_of(train), Intervals.start(), background, predicates=settings.predicates)
    groups = classes_of(table, positives, by, train.of.name) if by else {"": positives}
    watch.phase("rounds", len(positives))
    try:
        seeds = ((name, found) for name, group in groups.items() for found in induce(table, group, negatives, settings))
        while True:
            with whole_writes():  # Ctrl-C between two seeds: inside compiled code it might come out as another error
                name, found = next(seeds, ("", None))
                if found is None:
                    break
                on_found(_noted(study, bodies, name, found, groups))
        if explain and study.alone:
            watch.phase("searching for why moves have no rule")
            study.remedies.extend(remedies(table, positives, negatives, settings))
    except KeyboardInterrupt:
        study.whole = False
    try:
        with whole_writes():  # Ctrl-C that comes late does not lose the rules
            watch.phase("fitting weights")
            header = _cover_header(train, settings, seed, study.classes)
            study.rules = RuleSet(tuple(_counted(table, bodies, train.label == 1, train.of.name)), header)
            with threads(jobs) as pool:
                (_regress if regression else _weigh)(study, train, background, pool)
    except KeyboardInterrupt:
        study.whole = False
    study.seconds = working_time() - began
    return study


def _labels(train: Examples, score: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the rows of examples and of counter-examples. Raises GotoolsError without those that a score needs."""
    positives, negatives = _labelled(train, 1), _labelled(train, 0)
    if not len(positives):
        raise GotoolsError("no examples: every row is a counter-example (label 0)")
    if not len(negatives) and score != "posonly":
        raise GotoolsError("no counter-examples; make some with --negatives, e.g. unplayed=1500")
    return positives, negatives


def _noted(
    study: Study, bodies: list[Body], name: str, found: SeedResult, groups: dict[str, NDArray[np.int32]]
) -> SeedResult:
    """Add what was found from a seed of a class to a study; return it, `left` counting the classes to come as well."""
    study.searched += found.searched
    study.seeds += 1
    study.alone += not found.body
    if found.body:
        bodies.append(found.body)
    if name:
        _, rules = study.classes.get(name, (0, 0))
        study.classes[name] = len(groups[name]), rules + bool(found.body)
    later = sum(len(group) for other, group in groups.items() if other != name and other not in study.classes)
    return replace(found, left=found.left + later)


def _cover_header(
    train: Examples, settings: CoverSettings, seed: int, classes: dict[str, tuple[int, int]]
) -> dict[str, str]:
    search = f"{settings.search} width={settings.beam_width}" if settings.search == "beam" else settings.search
    after = "" if settings.after_opening == "chain" else f" after-opening={settings.after_opening}"
    if settings.modes is not None:
        after += f" modes={settings.modes.digest}"
    search = (
        f"{search} nodes={settings.nodes} noise={settings.noise} body={settings.min_body}-{settings.max_body} "
        f"depth={settings.depth} score={settings.score}{after} seed={seed}"
    )
    header = header_of(train, len(_labelled(train, 1)), counter_examples(train), settings.predicates, search)
    first, ranges = 1, []
    for name, (_, rules) in classes.items():
        ranges.append(f"{name} r{first}-r{first + rules - 1}" if rules else f"{name} none")
        first += rules
    return {**header, "classes": ", ".join(ranges)} if ranges else header


def header_of(
    train: Examples, positives: int, negatives: str, predicates: Sequence[str], search: str
) -> dict[str, str]:
    """Return the header of a rules file: no dates and no paths, so that equal runs give equal bytes.

    negatives -- the counter-examples in words; search -- its settings
    """
    sizes, vocabulary = sorted(set(train.size.tolist())), vocabulary_of(train.of.name)
    version = {} if vocabulary.points else {"vocabulary": str(vocabulary.version)}
    return {
        "game": train.of.name,
        **version,
        "sizes": f"{sizes[0]}-{sizes[-1]}" if sizes else "",
        "positives": str(positives),
        "negatives": negatives,
        "predicates": " ".join(predicates),
        "search": search,
    }


def _labelled(examples: Examples, label: int) -> NDArray[np.int32]:
    return np.flatnonzero(examples.label == label).astype(np.int32)


def _counted(table: FactTable, bodies: list[Body], positive: NDArray[np.bool_], game: str) -> list[Rule]:
    """Return the clauses as rules, each with all the examples and counter-examples that it covers."""
    masks = table.masks(np.arange(len(table), dtype=np.int32))
    rules = []
    for number, body in enumerate(bodies, 1):
        held = holds(table, masks, body)
        p, n = int((held & positive).sum()), int((held & ~positive).sum())
        rules.append(Rule(f"r{number}", body, p, n, float(p - n), game))
    return rules


def _weigh(study: Study, train: Examples, background: Background | None, pool: Executor) -> None:
    """Scale the weights of the rules to log-odds, by a number of SCALE_DIGITS digits."""
    choices = scale_choices(train)
    if not study.rules.rules or not len(choices):
        return
    scores, _ = rule_scores(study.rules, choices, background, pool)
    scale = float(f"{fitted_scale(scores, choices):.{SCALE_DIGITS}g}")
    rules = tuple(replace(r, weight=r.weight * scale) for r in study.rules.rules)
    study.rules = RuleSet(rules, study.rules.header)


def _regress(study: Study, train: Examples, background: Background | None, pool: Executor) -> None:
    """Weigh the rules together over the legal moves of the training positions, and note it in the header."""
    played = train.take(_labelled(train, 1))
    rules, held = study.rules.rules, held_apart(played, study.seed)

    def observed(examples: Examples) -> list[Block]:
        choices = choices_of(examples)
        firing = FiringTable.concat(firings(rules, choices.points, background, pool))
        return observations(choices, firing, len(rules))

    parts = (observed(played), []) if held is None else (observed(played.take(~held)), observed(played.take(held)))
    weight, l2, origin = regress(*parts, np.zeros(len(rules)), DEFAULT_L2, pool)
    weighed = zip(rules, weight.tolist(), strict=True)
    header = {**study.rules.header, "weights": f"logistic regression, l2={l2:g} ({origin})"}
    study.rules = RuleSet(tuple(replace(r, weight=round(w, DIGITS)) for r, w in weighed), header)


def scale_choices(train: Examples | PackedExamples[Any]) -> Choices:
    """Return the legal moves of training positions, evenly spread over the rows, to fit scales on."""
    rows = np.arange(len(train)) if isinstance(train, PackedExamples) else np.flatnonzero(train.label == 1)
    step = max(1, len(rows) // SCALE_POSITIONS)
    return choices_of(train.take(rows[::step]))


def check_test(test: Examples) -> None:
    """Raise GotoolsError if `measure_study` would have nothing to measure on."""
    if not any(len(choices) for choices in _measured_on(*_decisions_of(test))):
        raise GotoolsError("--test: no move to measure on (a legal one, of label 1)")


def _decisions_of(test: Examples) -> tuple[Examples, NDArray[np.int64]]:
    """Return the rows of label 1, and where each decision begins."""
    rows = test.take(test.label == 1)
    return rows, np.append(np.flatnonzero(rows.begins()), len(rows))


def _measured_on(rows: Examples, first: NDArray[np.int64]) -> Iterator[Choices]:
    """Yield the legal moves of decisions, some positions at a time."""
    for cut in range(0, len(first) - 1, MEASURED_TOGETHER):
        end = min(cut + MEASURED_TOGETHER, len(first) - 1)
        yield choices_of(rows.take(np.arange(first[cut], first[end])))


def measure_study(
    study: Study,
    train: Examples | PackedExamples[Any],
    test: Examples,
    background: Background | None = None,
    jobs: int = 1,
    watch: Watch = UNWATCHED,
) -> None:
    """Measure rules and baselines on decisions of held-out games, into `study.metrics`.

    train -- fits the scale of every baseline; test -- only legal moves of label 1 count, at least one
    jobs -- threads; watch -- receives the phase, with a step for each move

    A KeyboardInterrupt ends it without measures, and the study is no longer whole.
    """
    try:
        fit = scale_choices(train)
        orders = baselines_of(test.of)
        scale = {name: _scale_of(order, fit) for name, order in orders.items()}
        rows, first = _decisions_of(test)
        watch.phase("testing", len(first) - 1)
        tally = RankingTally()
        score = scorer_of(study.rules, background)
        some = (choices for choices in _measured_on(rows, first) if len(choices))
        with threads(jobs) as pool:
            scored = in_order(None if background else pool, lambda choices: (choices, *score(choices)), some, jobs)
            for choices, scores, fired in scored:
                silent = int((~np.logical_or.reduceat(fired, choices.first[:-1])).sum())
                baselines = {name: order(choices) * scale[name] for name, order in orders.items()}
                tally.add(scores, choices, baselines, silent, scaled=True)
                watch.advance(len(choices))
        metrics = tally.metrics(study.rules)
        study.metrics = {name: metrics[name] for name in ("test", "baselines")}
    except KeyboardInterrupt:
        study.whole = False


def _scale_of(order: Callable[[Choices], Scores], fit: Choices) -> float:
    return fitted_scale(order(fit), fit) if len(fit) else 1.0


# scores of rules ------------------------------------------------------------------------------------------------------


Scorer = Callable[[Choices], tuple[Scores, NDArray[np.bool_]]]
"""Returns every legal move's score, and whether a rule fires there."""


def scorer_of(rules: RuleSet, background: Background | None = None) -> Scorer:
    """Return a function that scores moves: the sum of the weights of the rules that fire, exact to 1 / UNITS.

    background -- a user's predicates, which rules may name
    """
    apart = background is not None or not vocabulary_of(rules.game).points
    known = None if apart else board_rules(rules)
    if known is None:
        return lambda choices: rule_scores(rules, choices, background)
    conditions, sets, weights = known
    table, given = conditions.sets(sets)
    units = np.round(weights * UNITS)  # whole numbers: their sums are exact in any order

    def score(choices: Choices) -> tuple[Scores, NDArray[np.bool_]]:
        total, fired = np.zeros(len(choices.points)), np.zeros(len(choices.points), np.bool_)
        _sets.scores(positions_of(choices), table, given, units, total, fired)
        return total / UNITS, fired

    return score
