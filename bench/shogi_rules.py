"""How well rules, clusters and captures first predict the moves of shogi: shogi_rules.py LEARN TEST RULES CLUSTERS ...

LEARN, TEST   tables of examples; scales of scores are fitted on positions of the first, as induce-patterns does
"""

from __future__ import annotations

import sys

from _table import heading

from gotools.engines.knowledge import clusters_ordering
from gotools.game.examples.loading import stream_tables
from gotools.game.examples.states import States
from gotools.game.game import find_game
from gotools.rules.matching import find_matcher
from gotools.rules.study import scale_choices, scorer_of
from gotools.rules.weigh.accuracy import Choices, Scores, baselines_of, choices_of, fitted_scale, measure, ordered

SHOGI = find_game("shogi")


def main() -> None:
    learn, test, rules, *clusters = sys.argv[1:]
    orders = dict(baselines_of(SHOGI))
    for path in clusters:
        found = clusters_ordering(path, SHOGI)
        orders[path] = lambda choices, found=found: ordered(found.order, choices, found.numbers)
    fit, choices = scale_choices(load(learn)), choices_of(load(test))
    score = scorer_of(find_matcher(rules, None).rules)
    heading(f"moves of shogi predicted, {len(choices):,} positions")
    show(rules, score(choices)[0], choices)
    for name, order in orders.items():
        show(name, order(choices) * fitted_scale(order(fit), fit), choices)


def load(path: str) -> States:
    return States.concat(list(stream_tables([path], SHOGI, frozenset(), lambda: None)))


def show(name: str, scores: Scores, choices: Choices) -> None:
    found = measure(scores, choices)
    print(f"{name:24}", *(f"{key} {value:.3f}" for key, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
