"""A study of rules for ranking: games in, weighted rules out that together predict the move played."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from gotools.compiling import working_time
from gotools.errors import GotoolsError
from gotools.files.opening import whole_writes
from gotools.go.examples.table import Examples
from gotools.patterns.clauses.rules import Rule, RuleSet
from gotools.patterns.rank.boost import Boosting, BoostingState, BoostSettings
from gotools.patterns.rank.candidates import body_of
from gotools.patterns.rank.masks import sets_firing
from gotools.patterns.sampling import held_apart
from gotools.patterns.study import Study, header_of
from gotools.patterns.weigh.accuracy import Choices, choices_of
from gotools.patterns.weigh.weights import DIGITS, MOST_STEPS, Observations, Weights, fit, regress, worth
from gotools.phases import UNWATCHED, Watch
from gotools.workers import threads

LEAST_WORTH = 0.5
"""Log-likelihood over all training moves below which a rule is dropped."""


MOST_FIRING = 400_000_000
"""Entries of the table of firing rules: 2 bytes each, and as many again while rules are dropped."""
TRIED_FIRST = 200
"""Positions from which the size of the table is estimated."""


def run_rank_study(
    train: Examples,
    settings: BoostSettings,
    on_round: Callable[[BoostingState], None],
    seed: int = 0,
    jobs: int = 1,
    most_firing: int | None = MOST_FIRING,
    watch: Watch = UNWATCHED,
) -> Study:
    """Induce rules that rank the legal moves of the positions of `train`, and weigh them together.

    train -- rows of label 1 are learned from, against every other legal move; others are ignored
    on_round -- called after every batch of seeds
    jobs -- threads; they never change a result
    most_firing -- entries of the table that the last weights are fitted on: where all moves need more, the weights are
        fitted on some of the positions, evenly spread, and the header says on how many; None: on all
    watch -- receives the phases; that of the rounds has a step for each rule

    A tenth of the games is held out from the search; it chooses the number of rules and the ridge of the
    weights. The final weights are fitted on all games, and rules that turn out nearly worthless are dropped.
    Rules come in the order of their worth. A KeyboardInterrupt ends the search; the rules found are weighed and kept.

    Raises GotoolsError without any legal move to learn from.
    """
    began = working_time()
    train, choices, apart = _held_last(train.take(train.label == 1), seed)
    if not len(choices):
        raise GotoolsError("no examples: no legal move of label 1")
    study = Study(seed, positives=len(choices), negatives=len(choices.points) - len(choices), by_worth=True)
    settings = settings.of_positions(len(choices), apart > 0)
    with threads(jobs) as pool:
        learned = choices.take(np.arange(len(choices) - apart))
        held = choices.take(np.arange(len(learned), len(choices))) if apart else None
        boosting = Boosting(learned, held, settings, seed, pool, watch)
        study.whole = _searched(study, boosting, on_round)
        del learned, held
        try:
            with whole_writes():  # Ctrl-C that comes late does not lose the rules
                watch.phase("fitting weights")
                rules, header = _weighed(boosting, choices, apart, settings.l2, pool, most_firing)
        except KeyboardInterrupt:
            study.whole = False
    study.rules = RuleSet(rules, {**_rank_header(train, settings, seed), **header})
    study.seconds = working_time() - began
    return study


def _held_last(train: Examples, seed: int) -> tuple[Examples, Choices, int]:
    """Return the moves with those of held-out games at the end, the choices, and how many of them are held out."""
    held = held_apart(train, seed)
    if held is None:
        return train, choices_of(train), 0
    order = np.argsort(held, kind="stable")
    train = train.take(order)
    choices = choices_of(train)
    return train, choices, int(held[order][choices.decision].sum())


def _rank_header(train: Examples, settings: BoostSettings, seed: int) -> dict[str, str]:
    search = (
        f"objective=rank rules={settings.rules} conditions={settings.longest} beam={settings.beam} "
        f"least={settings.least} l2={settings.l2:g} seed={seed}"
    )
    return header_of(train, len(train), "every other legal move", settings.predicates, search)


def _searched(study: Study, boosting: Boosting, on_round: Callable[[BoostingState], None]) -> bool:
    """Run the search; returns False if Ctrl-C ended it."""
    rounds = boosting.rounds()
    try:
        while True:
            with whole_writes():  # Ctrl-C between two rounds: inside compiled code it might come out as another error
                found = next(rounds, None)
                if found is None:
                    return True
                study.searched, study.seeds = found.tried, found.seeds
                on_round(found)
    except KeyboardInterrupt:
        return False


def _weighed(
    boosting: Boosting, choices: Choices, apart: int, l2: float, pool: Executor, most_firing: int | None
) -> tuple[tuple[Rule, ...], dict[str, str]]:
    """Return the rules with their last weights, best first, and what the header says of them."""
    some = _that_fit(boosting, choices, pool, most_firing)
    if len(some) < len(choices):
        apart = int((some >= len(choices) - apart).sum())
    data = observations_of(boosting, choices if len(some) == len(choices) else choices.take(some), pool)
    weight, l2, origin = regress(data, apart, boosting.weight, l2, pool)
    if len(some) < len(choices):
        origin = f"{origin}; on {len(some):,} positions, which fill the memory allowed"
    value = worth(data, weight)
    kept = np.flatnonzero(value >= LEAST_WORTH)
    kept = kept[np.argsort(-value[kept], kind="stable")]
    data = data.only(kept)
    weight = fit(data, weight[kept], l2, MOST_STEPS, pool)
    return _rules(boosting, kept, data, weight), {"weights": f"logistic regression, l2={l2:g} ({origin})"}


def _that_fit(boosting: Boosting, choices: Choices, pool: Executor, most: int | None) -> NDArray[np.int64]:
    """Return the positions that the final weights are fitted on: all, or as many as fill a table of `most` entries."""
    every = np.arange(len(choices))
    if most is None or len(choices.points) * len(boosting.sets) <= most:
        return every
    tried = choices.take(_spread(len(choices), TRIED_FIRST))
    density = len(observations_of(boosting, tried, pool).firing.rule) / len(tried)
    return every[_spread(len(choices), int(most / max(density, 1e-9)))]


def _spread(total: int, count: int) -> NDArray[np.int64]:
    """Return `count` of `total` numbers, evenly spread; all if there are no more."""
    count = max(1, min(count, total))
    return np.arange(count) * total // count


def observations_of(boosting: Boosting, choices: Choices, pool: Executor) -> Observations:
    """Return the positions with the rules that fire on all their legal moves."""
    return Observations.of(choices, sets_firing(choices.points, boosting.conditions, boosting.sets, pool))


def _rules(boosting: Boosting, kept: NDArray[np.int64], data: Observations, weight: Weights) -> tuple[Rule, ...]:
    fires = data.firing.sums(len(kept))
    played = np.zeros(len(data.offset))
    played[data.played] = 1.0
    positives = data.firing.sums(len(kept), played)
    rules = []
    for number, k in enumerate(kept.tolist()):
        body = body_of(boosting.conditions[c] for c in boosting.sets[k])
        p, n = int(positives[number]), int(fires[number] - positives[number])
        rules.append(Rule(f"r{number + 1}", body, p, n, round(float(weight[number]), DIGITS)))
    return tuple(rules)
