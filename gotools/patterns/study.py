"""One study: examples in, rules with what they cover and how well they foretell moves out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.go.examples import Examples
from gotools.patterns.accuracy import BASELINES, Choices, Scores, choices_of, fitted_scale, measure, rule_scores
from gotools.patterns.background import Background
from gotools.patterns.clauses import holds
from gotools.patterns.facts import FactTable, Intervals, Points, facts_of
from gotools.patterns.induce import Found, Settings, induce
from gotools.patterns.rules import Rule, RuleSet

SCALE_POSITIONS = 1000
"""Training positions on which the scale of scores is fitted: one number needs no more."""


@dataclass(slots=True)
class Study:
    """What a study gave.

    alone -- positives for which no clause would do (ground facts in Aleph's theory)
    whole -- False if it was interrupted: then the rules found until then are there
    """

    rules: RuleSet
    searched: int = 0
    seeds: int = 0
    alone: int = 0
    seconds: float = 0.0
    whole: bool = True
    metrics: dict[str, Any] = field(default_factory=dict)


def points_of(examples: Examples) -> Points:
    """Return the decisions' moves as the points that clauses are asked about."""
    rows = np.arange(len(examples), dtype=np.int32)
    columns = examples.board, examples.size, examples.to_play, examples.ko, examples.last, examples.last2
    return Points(*columns, rows, examples.move)


def run_study(
    train: Examples,
    settings: Settings,
    on_found: Callable[[Found], None],
    background: Background | None = None,
    header: dict[str, str] | None = None,
) -> Study:
    """Induce rules from examples and counter-examples, count what each covers, and weigh it.

    train -- rows of label 1 and 0; the first uncovered row of label 1 is the next seed
    on_found -- told after every seed

    A KeyboardInterrupt ends the search; what was found is kept. The weight of a rule is P - N times one scale, which
    makes the softmax of scores fit the training positions best: so the order of moves is the thesis', and scores are
    log-odds.

    Raises GotoolsError where there is no example or no counter-example.
    """
    positives, negatives = _labelled(train, 1), _labelled(train, 0)
    if not len(positives):
        raise GotoolsError("no examples: every row is a counter-example (label 0)")
    if not len(negatives) and settings.score != "posonly":
        raise GotoolsError("no counter-examples; ask for some with --negatives, e.g. unplayed=1500")
    began = time.monotonic()
    table = facts_of(points_of(train), Intervals.start(), background)
    study = Study(RuleSet(()))
    bodies = []
    try:
        for found in induce(table, positives, negatives, settings):
            study.searched += found.searched
            study.seeds += 1
            study.alone += not found.body
            if found.body:
                bodies.append(found.body)
            on_found(found)
    except KeyboardInterrupt:
        study.whole = False
    study.rules = RuleSet(tuple(_counted(table, bodies, train.label == 1)), dict(header or {}))
    _weigh(study, train, background)
    study.seconds = time.monotonic() - began
    return study


def _labelled(examples: Examples, label: int) -> NDArray[np.int32]:
    return np.flatnonzero(examples.label == label).astype(np.int32)


def _counted(table: FactTable, bodies: list[Any], positive: NDArray[np.bool_]) -> list[Rule]:
    """Return the clauses as rules, each with all the examples and counter-examples that it covers."""
    masks = table.masks(np.arange(len(table), dtype=np.int32))
    rules = []
    for number, body in enumerate(bodies, 1):
        held = holds(table, masks, body)
        p, n = int((held & positive).sum()), int((held & ~positive).sum())
        rules.append(Rule(f"r{number}", body, p, n, float(p - n)))
    return rules


def _weigh(study: Study, train: Examples, background: Background | None) -> None:
    """Scale the weights of the rules to log-odds."""
    choices = scale_choices(train)
    if not study.rules.rules or not len(choices):
        return
    scores, _ = rule_scores(study.rules, choices, background)
    scale = fitted_scale(scores, choices)
    rules = tuple(Rule(r.id, r.body, r.positives, r.negatives, r.weight * scale) for r in study.rules.rules)
    study.rules = RuleSet(rules, study.rules.header)


def scale_choices(train: Examples) -> Choices:
    """Return the legal moves of training positions, evenly spread over the rows, to fit scales on."""
    rows = _labelled(train, 1)
    step = max(1, len(rows) // SCALE_POSITIONS)
    return choices_of(train.take(rows[::step]))


def measure_study(study: Study, train: Examples, test: Examples, background: Background | None = None) -> None:
    """Measure rules and baselines on decisions of games kept apart, into `study.metrics`.

    train -- fits the scale of every baseline; test -- only rows of label 1 count

    Raises GotoolsError where the test has no legal decision.
    """
    choices = choices_of(test.take(_labelled(test, 1)))
    if not len(choices):
        raise GotoolsError("no examples to test on")
    fit = scale_choices(train)
    scores, fired = rule_scores(study.rules, choices, background)
    silent = 1 - float(np.logical_or.reduceat(fired, choices.first[:-1]).mean())
    study.metrics["test"] = {"positions": len(choices), **measure(scores, choices), "no_rule_fired": silent}
    study.metrics["baselines"] = {
        name: measure(_scaled(order, fit, choices), choices) for name, order in BASELINES.items()
    }


def _scaled(order: Callable[[Choices], Scores], fit: Choices, choices: Choices) -> Scores:
    return order(choices) * (fitted_scale(order(fit), fit) if len(fit) else 1.0)
