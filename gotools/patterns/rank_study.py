"""One study of rules for ranking: games in, rules out that together foretell the move played, each with its weight."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gotools.compiling import working_time
from gotools.errors import GotoolsError
from gotools.files import whole_writes
from gotools.go.examples import Examples
from gotools.patterns.accuracy import Choices, choices_of
from gotools.patterns.boost import Boosting, Round, Settings
from gotools.patterns.conditions import body_of
from gotools.patterns.masks import sets_firing
from gotools.patterns.rules import Rule, RuleSet
from gotools.patterns.sampling import held_apart
from gotools.patterns.study import Study
from gotools.patterns.weights import DIGITS, STEPS, Sight, Weights, fit, regress, worth

LEAST_WORTH = 0.5
"""Log-likelihood over all training moves below which a rule is not worth its line."""


def run_rank_study(train: Examples, settings: Settings, on_round: Callable[[Round], None], seed: int = 0) -> Study:
    """Induce rules that rank the legal moves of the positions of `train`, and weigh them together.

    train -- rows of label 1 are learned from, against every other legal move; others are passed over
    on_round -- told after every batch of seeds

    A tenth of the games is kept apart from the search; it chooses how many rules are enough and the ridge of the
    weights. The last weights are fitted on all games, and rules that turn out to be worth next to nothing are dropped.
    Rules come in the order of their worth. A KeyboardInterrupt ends the search; what was found is weighed and kept.

    Raises GotoolsError where there is no legal move to learn from.
    """
    began = working_time()
    train = train.take(train.label == 1)
    choices = choices_of(train)
    if not len(choices):
        raise GotoolsError("no examples: not one legal move of label 1")
    study = Study(seed, positives=len(choices), negatives=len(choices.points) - len(choices), by_worth=True)
    held = held_apart(train, seed)
    settings = settings.of_positions(len(choices), held is not None)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        learned = choices if held is None else choices_of(train.take(~held))
        apart = None if held is None else choices_of(train.take(held))
        boosting = Boosting(learned, apart, settings, seed, pool)
        study.whole = _searched(study, boosting, on_round)
        try:
            with whole_writes():  # Ctrl-C that comes late does not lose the rules
                rules, header = _weighed(boosting, learned, apart, settings.l2, pool)
        except KeyboardInterrupt:
            study.whole = False
    study.rules = RuleSet(rules, {**header_of(train, settings, seed), **header})
    study.seconds = working_time() - began
    return study


def header_of(train: Examples, settings: Settings, seed: int) -> dict[str, str]:
    """Return what the rules file says of its origin: no dates and no paths, so that equal runs give equal bytes."""
    sizes = sorted(set(train.size.tolist()))
    return {
        "game": "go",
        "sizes": f"{sizes[0]}-{sizes[-1]}",
        "positives": str(len(train)),
        "negatives": "every other legal move",
        "predicates": " ".join(settings.predicates),
        "search": f"objective=rank rules={settings.rules} conditions={settings.longest} beam={settings.beam} "
        f"least={settings.least} l2={settings.l2:g} seed={seed}",
    }


def _searched(study: Study, boosting: Boosting, on_round: Callable[[Round], None]) -> bool:
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
    boosting: Boosting, learned: Choices, held: Choices | None, l2: float, pool: Executor
) -> tuple[tuple[Rule, ...], dict[str, str]]:
    """Return the rules with their last weights, best first, and what the header says of them."""
    sights = [sight_of(boosting, choices, pool) for choices in (learned, held) if choices is not None]
    weight, l2, told = regress(sights[0], sights[1] if held is not None else None, boosting.weight, l2, pool)
    sight = Sight.concat(sights)
    value = worth(sight, weight)
    kept = np.flatnonzero(value >= LEAST_WORTH)
    kept = kept[np.argsort(-value[kept], kind="stable")]
    sight = sight.only(kept)
    weight = fit(sight, weight[kept], l2, STEPS, pool)
    return _rules(boosting, kept, sight, weight), {"weights": f"logistic regression, l2={l2:g} ({told})"}


def sight_of(boosting: Boosting, choices: Choices, pool: Executor) -> Sight:
    """Return the positions with the rules that fire on all their legal moves."""
    return Sight.of(choices, sets_firing(choices.points, boosting.conditions, boosting.sets, pool))


def _rules(boosting: Boosting, kept: NDArray[np.int64], sight: Sight, weight: Weights) -> tuple[Rule, ...]:
    fires = np.bincount(sight.firing.rule, minlength=len(kept))
    played = np.zeros(len(sight.offset), np.bool_)
    played[sight.played] = True
    hits = np.repeat(played, np.diff(sight.firing.at))
    positives = np.bincount(sight.firing.rule[hits], minlength=len(kept))
    rules = []
    for number, k in enumerate(kept.tolist()):
        body = body_of(boosting.conditions[c] for c in boosting.sets[k])
        p, n = int(positives[number]), int(fires[number] - positives[number])
        rules.append(Rule(f"r{number + 1}", body, p, n, round(float(weight[number]), DIGITS)))
    return tuple(rules)
