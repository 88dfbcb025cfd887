"""Choose the examples and counter-examples that rules are induced from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gotools.go.examples import SOURCES, Examples
from gotools.go.negatives import draw_negatives, sample

DEFAULT_SOURCE = "unplayed"


def training_rows(
    decisions: Examples,
    positives: int | None,
    wanted: dict[str, int | None],
    seed: int,
    random_moves: Callable[[int, int], Examples],
    warn: Callable[[str], None],
) -> Examples:
    """Return positives and negatives, the positives first.

    decisions -- rows of label 1, and of label 0 if a file brought some
    positives -- draw so many, in random order (which then is the order of seeds); None or too many: all, as they stand
    wanted -- counter-examples by source: from the rows of label 0 of that source if there are any, else drawn anew from
        the positions of the positives; empty: every row of label 0, or as many unplayed moves as positives
    random_moves, warn -- as in draw_negatives
    """
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(decisions.label == 1)
    if positives is not None and positives < len(rows):
        rows = rng.permutation(rows)[:positives]
    chosen = decisions.take(rows)
    given = decisions.take(decisions.label == 0)
    if not wanted and len(given):
        return Examples.concat([chosen, given])
    parts = [chosen]
    for source, count in (wanted or {DEFAULT_SOURCE: None}).items():
        of_source = given.take(given.source == SOURCES.index(source))
        if len(of_source):
            limit = len(chosen) if count is None else count
            if limit > len(of_source):
                warn(f"{source}: {len(of_source):,} counter-examples, all there are ({limit:,} asked for)")
            parts.append(sample(of_source, limit, rng))
        else:
            parts.append(draw_negatives(chosen, {source: count}, seed, random_moves, warn))
    return Examples.concat(parts)
