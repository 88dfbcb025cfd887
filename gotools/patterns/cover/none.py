"""Why moves have no rule: the search again with one setting changed, and what that finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gotools.patterns.clauses.facts import FactTable
from gotools.patterns.cover.induce import CoverSettings, induce

SEEDS = 30
"""Moves that a search is tried on: a search that finds nothing tries all clauses for each."""
MORE_NODES = 10


@dataclass(frozen=True, slots=True)
class Remedy:
    """A setting changed alone, as an option, and what the search then finds for the first moves."""

    option: str
    rules: int
    without: int


def remedies(
    table: FactTable, positives: NDArray[np.int32], negatives: NDArray[np.int32], settings: CoverSettings
) -> Iterator[Remedy]:
    """Yield the search as it is, and then with one setting changed at a time, on the first SEEDS seeds.

    The noise named is the least with which one of these seeds has a rule, or all counter-examples where none has.
    """

    def tried(option: str, changed: CoverSettings) -> Remedy:
        found = list(islice(induce(table, positives, negatives, changed), SEEDS))
        without = sum(not one.body for one in found)
        return Remedy(option, len(found) - without, without)

    usual = tried("as it is", settings)
    yield usual
    if settings.noise < len(negatives):
        noise = 2 * settings.noise
        if not usual.rules:
            noise = least_noise(table, positives, negatives, settings)
        noise = min(max(noise, 1), len(negatives))
        yield tried(f"--noise {noise}", replace(settings, noise=noise))
    if settings.after_opening != "free":
        yield tried("--after-opening free", replace(settings, after_opening="free"))
    if settings.min_body > 1:
        yield tried("--min-body 1", replace(settings, min_body=1))
    if settings.score in ("coverage", "compression"):
        yield tried("--score laplace", replace(settings, score="laplace"))
    nodes = MORE_NODES * settings.nodes
    yield tried(f"--nodes {nodes}", replace(settings, nodes=nodes))


def least_noise(
    table: FactTable, positives: NDArray[np.int32], negatives: NDArray[np.int32], settings: CoverSettings
) -> int:
    """Return the least noise with which one of the first seeds has a rule; all counter-examples where none has.

    Until a clause is accepted the search does not depend on the noise, so that more of it never loses the first rule.
    """
    low, high = settings.noise, len(negatives)  # no rule at low; at high perhaps
    while high - low > 1:
        middle = (low + high) // 2
        changed = replace(settings, noise=middle)
        if any(one.body for one in islice(induce(table, positives, negatives, changed), SEEDS)):
            high = middle
        else:
            low = middle
    return high
