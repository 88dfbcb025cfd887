"""Induce rules that together rank moves: many seeds, no removal of covered moves, the residual of a softmax instead.

The loop: draw a sample of the moves of some positions; take as seeds played moves to which the rules so far give a low
probability, and unplayed ones to which they give a high one; search the conditions that hold of a seed for the set that
would improve the log-likelihood most; weigh all rules anew; repeat. Held-out games decide when to stop.

Sources: J. Friedman 2001 (gradient boosting); D. McFadden 1978 (fitting on a sample of the alternatives).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gotools import exact
from gotools.go.vocabulary import VOCABULARIES
from gotools.patterns.rank.candidates import Condition, conditions_of
from gotools.patterns.rank.kernels import boost as _boost
from gotools.patterns.rank.masks import masks_of, sets_firing
from gotools.patterns.weigh.accuracy import Choices
from gotools.patterns.weigh.firing import FiringTable
from gotools.patterns.weigh.weights import Observations, Weights, fit, log_likelihood, probabilities
from gotools.phases import UNWATCHED, Watch

ENOUGH_POSITIONS = 2000
"""Positions from which on the settings apply unchanged; see `of_positions`."""

LOOKED_AT = 2000
"""Positions whose moves' probabilities are computed together: bounds the memory where many rules fire."""

ConditionSet = tuple[int, ...]
"""Conditions of one rule, as indices, in ascending order."""


@dataclass(frozen=True, slots=True)
class BoostSettings:
    """How to search; the defaults were chosen on held-out games (docs/decisions.md).

    rules -- sets to find; seeds -- searches between two fits of the weights, `raising` of them from played moves
    beam, longest -- sets kept of each length, conditions of a set; least -- sampled moves that it covers
    l2 -- ridge of the weights while searching
    positions, moves -- in a sample: positions, and about how many moves of each beside the one played
    fresh -- rules between two samples
    patience -- samples without gain on the held-out games, and batches of seeds without a new rule, that end it
    """

    predicates: tuple[str, ...] = VOCABULARIES["advanced"]
    rules: int = 1000
    seeds: int = 16
    raising: float = 0.75
    beam: int = 24
    longest: int = 7
    least: int = 40
    l2: float = 40.0
    positions: int = 12000
    moves: float = 10.0
    fresh: int = 96
    patience: int = 4
    lines: int = 9

    def of_positions(self, count: int, apart: bool) -> BoostSettings:
        """Return the settings for so many positions to learn from: few positions need less cover and a lower ridge.

        apart -- whether held-out games decide when to stop; else there is a rule for ten positions
        """
        share = min(1.0, count / ENOUGH_POSITIONS)
        rules = self.rules if apart else min(self.rules, count // 10 + 1)
        return replace(self, rules=rules, least=max(5, round(share * self.least)), l2=max(1.0, share * self.l2))


@dataclass(frozen=True, slots=True)
class BoostingState:
    """The state of the search after some seeds: rules, seeds and sets tried so far.

    new -- rules of this round
    log_likelihood -- of the held-out games at the last sample; nan if there are none, -inf before the first rule
    """

    rules: int
    new: int
    seeds: int
    tried: int
    log_likelihood: float

    def __str__(self) -> str:
        known = f"; log-likelihood on held-out games {self.log_likelihood:.3f}" if self.log_likelihood > -9 else ""
        return f"{self.rules:,} rules from {self.seeds:,} seeds{known}"


@dataclass(slots=True)
class _Sample:
    """Some moves of some positions: their masks, and the rows that each rule covers."""

    first: NDArray[np.int64]
    played: NDArray[np.int64]
    offset: NDArray[np.float32]
    masks: NDArray[np.uint8]
    covered: list[NDArray[np.int32]] = field(default_factory=list)
    known: set[bytes] = field(default_factory=set)  # digests of the rows of each rule

    def add(self, rule: NDArray[np.int32], only_new: bool = False) -> bool:
        """Add a rule; with `only_new` not one that covers the same rows as another. Returns whether it was added."""
        rows = _boost.rows_covered(self.masks, rule).astype(np.int32)
        name = hashlib.blake2b(rows.tobytes(), digest_size=16).digest()
        if only_new and name in self.known:
            return False
        self.known.add(name)
        self.covered.append(rows)
        return True

    def data(self) -> Observations:
        return Observations(self.first, self.played, FiringTable.of(self.covered, len(self.offset)), self.offset)


class Boosting:
    """A search for rules: `sets` are the rules so far, `weight` their weights, `conditions` what their numbers mean.

    choices -- the moves to learn from; held -- those of held-out games, or None
    """

    def __init__(
        self,
        choices: Choices,
        held: Choices | None,
        settings: BoostSettings,
        seed: int,
        pool: Executor,
        watch: Watch = UNWATCHED,
    ) -> None:
        self.conditions: list[Condition] = conditions_of(settings.predicates, settings.lines)
        self.sets: list[ConditionSet] = []
        self.weight: Weights = np.zeros(0)
        self._choices, self._held, self._settings, self._pool, self._watch = choices, held, settings, pool, watch
        self._chance = np.random.default_rng(seed)
        self._keys = self._chance.integers(1, 2**62, len(self.conditions))
        self._held_rows: list[NDArray[np.int64]] = []
        self._seeds = self._tried = 0

    def rounds(self) -> Iterator[BoostingState]:
        """Search, one batch of seeds after another, until there are enough rules or more do not help."""
        best, best_at, stale, barren, value = -np.inf, 0, 0, 0, np.nan
        sample, due = None, 0
        while len(self.sets) < self._settings.rules:
            if sample is None or len(self.sets) >= due:
                self._watch.phase("gathering facts")
                sample = self._draw()
                due = len(self.sets) + self._settings.fresh
                value = self._on_held()
                if value > best or self._held is None:
                    best, best_at, stale = value, len(self.sets), 0
                else:
                    stale += 1
                if stale == self._settings.patience:
                    break
                self._watch.phase("rounds", self._settings.rules)
            before = len(self.sets)
            self._search(sample)
            yield BoostingState(len(self.sets), len(self.sets) - before, self._seeds, self._tried, value)
            barren = barren + 1 if len(self.sets) == before else 0
            if barren == self._settings.patience:
                break
            if barren:  # every seed led to a known rule
                due = 0
        if self._held is not None and self._on_held() <= best:
            self._forget(best_at)

    def _forget(self, count: int) -> None:
        """Drop the rules from number `count` on: they did not help."""
        del self.sets[count:]
        self.weight = self.weight[:count]

    def _draw(self) -> _Sample:
        """Sample moves: every played one, others by a mixture of the uniform and the predicted probabilities."""
        choices, settings, chance = self._choices, self._settings, self._chance
        some = np.sort(chance.permutation(len(choices))[: settings.positions])
        choices = choices.take(some)
        legal = np.repeat(np.diff(choices.first), np.diff(choices.first))
        share = settings.moves / legal
        if self.sets:
            share = 0.4 * share + 0.6 * settings.moves * self._probabilities(choices)
        share = np.minimum(share, 1.0)
        drawn = chance.random(len(share)) < share
        drawn[choices.played] = True
        rows = np.flatnonzero(drawn)
        first = np.concatenate([[0], np.cumsum(drawn)])[choices.first]
        masks = masks_of(choices.points.take(rows), self.conditions, self._pool)
        offset = -exact.log(share[rows]).astype(np.float32)
        sample = _Sample(first, np.searchsorted(rows, choices.played), offset, masks)
        for rule in self.sets:
            sample.add(np.array(rule, np.int32))
        if self.sets:
            self.weight = fit(sample.data(), self.weight, settings.l2, 30, self._pool)
        return sample

    def _probabilities(self, choices: Choices) -> NDArray[np.float64]:
        """Return the probability of each move by the rules so far."""
        found = []
        for begin in range(0, len(choices), LOOKED_AT):
            part = choices.take(np.arange(begin, min(begin + LOOKED_AT, len(choices))))
            firing = sets_firing(part.points, self.conditions, self.sets, self._pool)
            found.append(probabilities(Observations.of(part, firing), self.weight))
        return np.concatenate(found)

    def _on_held(self) -> float:
        """Return the log-likelihood of the held-out games; only new rules are matched."""
        held = self._held
        if held is None or not self.sets:
            return np.nan if held is None else -np.inf
        new = self.sets[len(self._held_rows) :]
        self._held_rows += rows_of_rules(sets_firing(held.points, self.conditions, new, self._pool), len(new))
        firing = FiringTable.of(self._held_rows, len(held.points))
        data = Observations(held.first, held.played, firing, np.zeros(len(held.points), np.float32))
        return log_likelihood(data, self.weight)

    def _search(self, sample: _Sample) -> None:
        """Search from a batch of seeds against the same residuals, add the new rules, and fit the weights again."""
        settings = self._settings
        p = probabilities(sample.data(), self.weight)
        gradient = -p
        gradient[sample.played] += 1.0
        moves = _boost.SampledMoves(sample.masks, gradient.astype(np.float32), (p * (1 - p)).astype(np.float32))
        sums, count = np.zeros((len(self.conditions), 2)), np.zeros(len(self.conditions), np.int64)
        _boost.single_sums(*moves, sums, count)

        def one(seed: tuple[int, float]) -> tuple[NDArray[np.int32], int]:
            row, sign = seed
            limits = _boost.BeamLimits(sign, settings.beam, settings.longest, settings.least, settings.l2)
            pool = np.flatnonzero(sample.masks[:, row] & 1).astype(np.int32)
            found: tuple[NDArray[np.int32], int] = _boost.search(moves, sums, count, self._keys, pool, limits)
            return found

        for best, tried in self._pool.map(one, self._draw_seeds(sample, p)):
            self._seeds += 1
            self._tried += tried
            rule = tuple(sorted(best.tolist()))
            if rule and len(self.sets) < settings.rules and sample.add(best, only_new=True):
                self.sets.append(rule)
        start = np.concatenate([self.weight, np.zeros(len(self.sets) - len(self.weight))])
        self.weight = fit(sample.data(), start, settings.l2, 12, self._pool)

    def _draw_seeds(self, sample: _Sample, p: NDArray[np.float64]) -> list[tuple[int, float]]:
        """Draw rows and signs: played moves in proportion to 1 - p, unplayed ones to p."""
        settings, chance = self._settings, self._chance
        unplayed = p.copy()
        unplayed[sample.played] = 0.0
        missed = 1 - p[sample.played] + 1e-9
        raising = min(round(settings.raising * settings.seeds), len(missed))
        lowering = min(settings.seeds - raising, int(np.count_nonzero(unplayed)))
        up = chance.choice(sample.played, raising, replace=False, p=missed / missed.sum())
        down = chance.choice(len(p), lowering, replace=False, p=unplayed / max(unplayed.sum(), 1e-300))
        return [(int(row), 1.0) for row in up] + [(int(row), -1.0) for row in down]


def rows_of_rules(firing: FiringTable, rules: int) -> list[NDArray[np.int64]]:
    """Return for each rule the rows where it fires, in order."""
    row = np.repeat(np.arange(len(firing)), np.diff(firing.at))
    order = np.argsort(firing.rule, kind="stable")
    ends = np.cumsum(np.bincount(firing.rule, minlength=rules))
    return np.split(row[order], ends[:-1]) if rules else []
