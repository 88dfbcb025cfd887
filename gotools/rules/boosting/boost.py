"""Induce rules that together rank moves: many seeds, no removal of covered moves, the residual of a softmax instead.

The loop: draw a sample of the moves of some positions; take as seeds played moves to which the rules so far give a low
probability, and unplayed ones to which they give a high one; search the conditions that hold of a seed for the set that
would improve the log-likelihood most; weigh all rules anew; repeat. Held-out games decide when to stop.

Sources: J. Friedman 2001 (gradient boosting); D. McFadden 1978 (fitting on a sample of the alternatives).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.phases import UNWATCHED, Watch
from gotools.game.table import USUAL
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.boosting.candidates import Condition, body_of, conditions_of, masks_of, shape_condition
from gotools.rules.boosting.drawing import Drawn, MoveSampler, Packed, begin_sampler, decided, draw_piece, sampler_of
from gotools.rules.boosting.harvest import harvest
from gotools.rules.boosting.kernels import boost as _boost
from gotools.rules.task.settings import MOST_RULES
from gotools.rules.weigh.kernels import softmax as _softmax
from gotools.rules.weigh.weights import Block, Weights, fit, probabilities, worth
from gotools.work.workers import Task, Workers

ENOUGH_POSITIONS = 2000
"""Positions for which the settings hold, and for up to twice as many; see `of_positions`."""

LEAST_PLAYS, PLAYED_ONCE_IN = 20, 15_000
"""Least number of moves played in a shape that is harvested, and one in how many of all moves is played in it."""

SHAPE_L2, LEAST_SHAPE_WORTH = 5.0, 1.0
"""Ridge of the weights when shapes are chosen, and the log-likelihood over the sample that a rule is worth at least."""

HELD_LOOKED_AT = 6000
"""Positions of held-out games that decide when to stop."""

SearchState = dict[str, Any]
"""What a search knows between two samples, as JSON can hold it."""

ConditionSet = tuple[int, ...]
"""Conditions of one rule, as indices, in ascending order."""


@dataclass(frozen=True, slots=True)
class BoostSettings:
    """How to search; the defaults were chosen on held-out games (docs/decisions.md).

    rules -- to find; seeds -- searches between two fits of the weights, `raising` of them from played moves
    beam, longest -- sets kept of each length, conditions of a set; least -- sampled moves that it covers
    l2 -- ridge of the weights while searching
    positions, moves -- in a sample: positions, and about how many moves of each beside the one played
    fresh -- rules between two samples
    most_positions, growth -- limit of a sample, and its growth for each rule: late rules are worth little
    game -- whose vocabulary the predicates are of
    searched -- most sets to search for: shapes are worth more than later ones; shape_positions -- in the sample that
    chooses shapes
    patience -- samples without gain on the held-out games, and batches of seeds without a new rule, that end it
    """

    predicates: tuple[str, ...] = VOCABULARIES["advanced"]
    rules: int = MOST_RULES
    seeds: int = 8
    raising: float = 0.75
    beam: int = 24
    longest: int = 7
    least: int = 40
    l2: float = 40.0
    positions: int = 30000
    moves: float = 10.0
    fresh: int = 96
    most_positions: int = 60000
    growth: int = 30
    searched: int = 2000
    shape_positions: int = 250_000
    patience: int = 4
    lines: int = 9
    game: str = USUAL

    @property
    def sets(self) -> int:
        """How many sets are searched for."""
        return min(self.rules, self.searched) if self.wants_shapes else self.rules

    @property
    def wants_shapes(self) -> bool:
        """Whether shapes are harvested."""
        return "shape" in self.predicates

    def sampled(self, rules: int) -> int:
        """Return the number of positions of a sample when there are `rules` rules."""
        return max(self.positions, min(self.most_positions, self.growth * rules))

    def of_positions(self, count: int, apart: bool) -> BoostSettings:
        """Return the settings for `count` positions to learn from: few need less cover and a lower ridge, many more.

        apart -- whether held-out games decide when to stop; else there is a rule for ten positions
        """
        share = min(count, self.most_positions) / ENOUGH_POSITIONS
        # rounded: machines differ in the last bit of a power
        share = round(share ** (1 / 3), 2) if share > 2 else min(1.0, share)
        rules = self.rules if apart else min(self.rules, count // 10 + 1)
        return replace(self, rules=rules, least=max(5, round(share * self.least)), l2=max(1.0, share * self.l2))


@dataclass(frozen=True, slots=True)
class BoostingState:
    """The state of the search after some seeds: rules, seeds and sets tried so far.

    new -- rules of this round
    log_likelihood -- of the held-out games at the last sample; nan without such games, -inf before the first rule
    body -- of the first rule; empty before
    """

    rules: int
    new: int
    seeds: int
    tried: int
    log_likelihood: float
    body: Condition

    def __str__(self) -> str:
        known = f"; log-likelihood on held-out games {self.log_likelihood:.3f}" if self.log_likelihood > -9 else ""
        return f"{self.rules:,} rules from {self.seeds:,} seeds{known}"


@dataclass(slots=True)
class _Sample:
    """Some moves of some positions, in blocks, and the masks of all their rows, one block after the other."""

    blocks: list[Block]
    ends: NDArray[np.int64]  # int64[blocks+1]
    masks: NDArray[np.uint8]
    known: set[bytes] = field(default_factory=set)  # digests of the rows of each rule
    new: list[NDArray[np.int64]] = field(default_factory=list)

    def right(self, p: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the rows of the moves played, and their shares of the probability of all right ones there: 1 of one.

        p -- the probability of each row
        """
        blocks = list(zip(self.blocks, self.ends.tolist(), strict=False))
        played = np.concatenate([block.played + end for block, end in blocks])
        also = np.concatenate([block.also + end for block, end in blocks])
        if not len(also):
            return played, np.ones(len(played))
        first = np.concatenate([block.first[:-1] + end for block, end in blocks])
        position = np.concatenate([np.arange(len(played)), np.searchsorted(first, also, "right") - 1])
        rows = np.concatenate([played, also])
        total = np.bincount(position, p[rows])
        return rows, p[rows] / np.maximum(total, _softmax.LEAST)[position]

    def add(self, rule: NDArray[np.int32]) -> bool:
        """Note a rule, if it covers other rows than those known; returns whether it does."""
        rows = _boost.rows_covered(self.masks, rule)
        if not self._is_new(rows):
            return False
        self.new.append(rows)
        return True

    def _is_new(self, rows: NDArray[np.int64]) -> bool:
        name = hashlib.blake2b(rows.tobytes(), digest_size=16).digest()
        known = name in self.known
        self.known.add(name)
        return not known

    def learn_known(self, rules: int) -> None:
        """Remember the rows of the rules that the blocks hold."""
        for k in range(rules):
            parts = [
                block.row[block.start[k] : block.start[k + 1]] + end
                for block, end in zip(self.blocks, self.ends, strict=False)
            ]
            self._is_new(np.concatenate(parts).astype(np.int64))

    def settle(self) -> None:
        """Add the rules noted to the blocks."""
        cuts = [np.searchsorted(rows, self.ends) for rows in self.new]
        for k, block in enumerate(self.blocks):
            rows = [
                (rows[cut[k] : cut[k + 1]] - self.ends[k]).astype(np.uint16)
                for rows, cut in zip(self.new, cuts, strict=True)
            ]
            self.blocks[k] = block.with_rules(rows)
        self.new = []


class Boosting:
    """A search for rules: `sets` are the rules so far, `weight` their weights, `conditions` what their numbers mean.

    data -- the moves to learn from; held -- those of held-out games, or None
    pool -- of threads; workers -- draw moves, None: the threads do
    """

    def __init__(
        self,
        data: Packed,
        held: Packed | None,
        settings: BoostSettings,
        seed: int,
        pool: Executor,
        watch: Watch = UNWATCHED,
        workers: Workers | None = None,
    ) -> None:
        self.conditions: list[Condition] = conditions_of(settings.predicates, settings.lines, settings.game)
        self._decided = decided(self.conditions, settings.game)
        self.sets: list[ConditionSet] = []
        self.weight: Weights = np.zeros(0)
        self._data, self._settings, self._pool, self._watch = data, settings, pool, watch
        self._workers = workers
        self._held = None if held is None else held.only(spread(len(held), HELD_LOOKED_AT))
        self._seed = seed
        self._chance = np.random.default_rng(seed)
        self._searched = len(self.conditions)
        self._keys = self._chance.integers(1, 2**62, self._searched)
        self._seeds = self._tried = self._draws = 0
        self._best, self._best_at, self._stale, self._barren = -np.inf, 0, 0, 0

    def rounds(self, keep: Callable[[SearchState], None] = lambda _: None) -> Iterator[BoostingState]:
        """Search, one batch of seeds after another, until there are enough rules or more do not help.

        keep -- is given the state before each sample; `restore` goes on from there
        """
        sample, due, value, reported = None, 0, np.nan, 0
        while len(self.sets) < self._settings.sets:
            if sample is None or len(self.sets) >= due:
                self._watch.phase("gathering facts")
                if sample is not None:
                    keep(self.state())
                sample = None
                sample = self._draw()
                due = len(self.sets) + self._settings.fresh
                value = self._on_held()
                if value > self._best or self._held is None:
                    self._best, self._best_at, self._stale = value, len(self.sets), 0
                else:
                    self._stale += 1
                if self._stale == self._settings.patience:
                    break
                self._watch.phase("rounds", self._settings.sets)
            before = len(self.sets)
            self._search(sample)
            yield self._state_now(len(self.sets) - reported, value)
            reported = len(self.sets)
            self._barren = self._barren + 1 if reported == before else 0
            if self._barren == self._settings.patience:
                break
            if self._barren:  # every seed led to a known rule
                due = 0
        if self._held is not None and self._on_held() <= self._best:
            self._forget(self._best_at)
        if self._settings.wants_shapes:
            sample = None
            self._add_shapes()
            yield self._state_now(0, value)

    def _state_now(self, new: int, value: float) -> BoostingState:
        first = self.body(0) if self.sets else ()
        return BoostingState(len(self.sets), new, self._seeds, self._tried, value, first)

    def body(self, number: int) -> Condition:
        """Return the body of a rule as a clause has it."""
        return body_of((self.conditions[c] for c in self.sets[number]), self._settings.game)

    def state(self) -> SearchState:
        """Return what the search knows, in numbers, lists and texts."""
        return {
            "sets": [list(one) for one in self.sets],
            "weight": self.weight.tolist(),
            "best": [self._best, self._best_at, self._stale, self._barren],
            "counts": [self._seeds, self._tried, self._draws],
            "chance": self._chance.bit_generator.state,
        }

    def key(self) -> str:
        """Return a text that differs for other moves to learn from, other settings, and another seed."""
        rows, settings = self._data.rows, self._settings
        name = hashlib.blake2b(repr((settings, self._seed, len(rows))).encode(), digest_size=16)
        for column in (self._data.positions, *rows.arrays().values()):
            name.update(column.tobytes())
        return name.hexdigest()

    def restore(self, state: SearchState) -> None:
        """Go on from a state of a search with the same key. Raises ValueError for anything else."""
        sets = [tuple(one) for one in state["sets"]]
        if len(sets) != len(state["weight"]) or not {c for one in sets for c in one} <= set(range(self._searched)):
            raise ValueError("sets of other conditions")
        self.sets = sets
        self.weight = np.array(state["weight"], np.float64)
        self._best, self._best_at, self._stale, self._barren = state["best"]
        self._seeds, self._tried, self._draws = state["counts"]
        self._chance.bit_generator.state = state["chance"]

    def _forget(self, count: int) -> None:
        """Drop the rules from number `count` on: they did not help."""
        del self.sets[count:]
        self.weight = self.weight[:count]

    def sampler(self, moves: float) -> MoveSampler:
        """Return a sampler of moves by the rules so far."""
        return sampler_of(self._decided, self.sets, self.weight, moves)

    def draw(self, moves: float, data: Packed, rows: NDArray[np.int64], seed: list[int]) -> Iterator[Drawn]:
        """Yield about `moves` moves of each position, drawn by the rules so far; see MoveSampler."""
        sampler = self.sampler(moves)
        if self._workers is None:
            return sampler.draw(data, rows, seed, self._pool)
        shapes = [str(condition[0].args[-1]) for condition in self.conditions[self._searched :]]
        language = self._settings.game, self._settings.predicates, self._settings.lines, shapes
        task = Task(draw_piece, begin_sampler, (*language, self.sets, self.weight, moves))
        return self._workers.each(task, sampler.pieces(data, rows, seed))

    def _draw(self) -> _Sample:
        """Sample moves: every played one, others by a mixture of the uniform and the predicted probabilities."""
        settings = self._settings
        self._draws += 1
        seed = [self._seed, 2, self._draws]
        some = np.sort(np.random.default_rng(seed).permutation(len(self._data))[: settings.sampled(len(self.sets))])
        drawn = list(self.draw(settings.moves, self._data, some, seed))
        ends = np.cumsum([0, *(len(one.points) for one in drawn)])
        masks = np.empty((self._searched, int(ends[-1])), np.uint8)

        def fill(k: int) -> None:
            masks[:, ends[k] : ends[k + 1]] = masks_of(drawn[k].points, self.conditions[: self._searched])

        list(self._pool.map(fill, range(len(drawn))))
        sample = _Sample([one.block for one in drawn], ends, masks)
        sample.learn_known(len(self.sets))
        if self.sets:
            self.weight = fit(sample.blocks, self.weight, settings.l2, 30, self._pool)
        return sample

    def _add_shapes(self) -> None:
        """Harvest shapes, weigh them beside the rules, and keep the rules and shapes that are worth most."""
        settings, rules = self._settings, len(self.sets)
        self._watch.phase("harvesting shapes")
        least = max(LEAST_PLAYS, len(self._data) // PLAYED_ONCE_IN)
        data = self._data.row_by_row
        found = harvest(data, least, self._pool)
        if not len(found):
            return
        seed = [self._seed, 3]
        some = np.sort(np.random.default_rng(seed).permutation(len(self._data))[: settings.shape_positions])
        self._watch.phase("weighing shapes", len(some))
        drawn = []
        for one in self.draw(settings.moves, self._data, some, seed):
            drawn.append((one.block, one.points))
            self._watch.advance(len(one.block))
        blocks = found.blocks(drawn, self._pool)
        weight = fit(blocks, np.concatenate([self.weight, np.zeros(len(found))]), SHAPE_L2, 40, self._pool)
        value = worth(blocks, weight, self._pool)
        kept = np.argsort(-value, kind="stable")[: settings.rules]
        kept = np.sort(kept[value[kept] >= LEAST_SHAPE_WORTH])
        shapes = [found.shape(data, k - rules).text for k in kept[kept >= rules].tolist()]
        self.sets = [self.sets[k] for k in kept[kept < rules].tolist()]
        self.sets += [(len(self.conditions) + k,) for k in range(len(shapes))]
        self.conditions += map(shape_condition, shapes)
        self._decided = decided(self.conditions, settings.game)
        self.weight = weight[kept]

    def _on_held(self) -> float:
        """Return the log-likelihood of the held-out games."""
        if self._held is None or not self.sets:
            return np.nan if self._held is None else -np.inf
        return self.sampler(0).log_likelihood(self._held, self._pool)

    def _search(self, sample: _Sample) -> None:
        """Search from a batch of seeds against the same residuals, add the new rules, and fit the weights again."""
        settings = self._settings
        p = np.concatenate(list(self._pool.map(lambda block: probabilities(block, self.weight), sample.blocks)))
        right, share = sample.right(p)
        gradient = -p
        gradient[right] += share
        moves = _boost.SampledMoves(sample.masks, gradient.astype(np.float32), (p * (1 - p)).astype(np.float32))
        sums, count = np.zeros((self._searched, 2)), np.zeros(self._searched, np.int64)
        parts = np.array_split(np.arange(self._searched), 16)

        def single(part: NDArray[np.int64]) -> None:
            some = slice(part[0], part[-1] + 1)
            _boost.single_sums(moves.masks[some], moves.gradient, moves.curvature, sums[some], count[some])

        list(self._pool.map(single, [part for part in parts if len(part)]))

        seeds = self._draw_seeds(right, share, p)
        conditions = [np.flatnonzero(sample.masks[:, row] & 1).astype(np.int32) for row, _ in seeds]
        limits = [_boost.BeamLimits(s, settings.beam, settings.longest, settings.least, settings.l2) for _, s in seeds]
        search = partial(_boost.search, moves, sums, count, self._keys)
        for best, tried in self._pool.map(search, conditions, limits):
            self._seeds += 1
            self._tried += tried
            rule = tuple(sorted(best.tolist()))
            if rule and len(self.sets) < settings.sets and sample.add(best):
                self.sets.append(rule)
        sample.settle()
        start = np.concatenate([self.weight, np.zeros(len(self.sets) - len(self.weight))])
        self.weight = fit(sample.blocks, start, settings.l2, 12, self._pool)

    def _draw_seeds(
        self, played: NDArray[np.int64], share: NDArray[np.float64], p: NDArray[np.float64]
    ) -> list[tuple[int, float]]:
        """Draw rows and signs: played moves in proportion to share - p, unplayed ones to p."""
        settings, chance = self._settings, self._chance
        unplayed = p.copy()
        unplayed[played] = 0.0
        missed = share - p[played] + 1e-9
        raising = min(round(settings.raising * settings.seeds), len(missed))
        lowering = min(settings.seeds - raising, int(np.count_nonzero(unplayed)))
        up = chance.choice(played, raising, replace=False, p=missed / missed.sum())
        down = chance.choice(len(p), lowering, replace=False, p=unplayed / max(unplayed.sum(), 1e-300))
        return [(int(row), 1.0) for row in up] + [(int(row), -1.0) for row in down]


def spread(total: int, count: int) -> NDArray[np.int64]:
    """Return `count` of `total` numbers, evenly spread; all if there are no more."""
    count = max(1, min(count, total))
    return np.arange(count) * total // count
