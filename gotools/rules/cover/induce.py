"""Induce clauses that cover many played moves and few others: Aleph's induce/1 on bit masks.

The loop: take the first positive that no clause covers, saturate it, search the subsets of its bottom clause for the
best one, remove what it covers, repeat. Sources: Muggleton 1995; the Aleph manual; Garreta Tompson 2006,
chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, shown
from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.rules.clauses.facts import FactTable
from gotools.rules.clauses.kernels import clauses as _clauses
from gotools.rules.clauses.kernels.conditions import Masks
from gotools.rules.clauses.moves import MoveFacts
from gotools.rules.clauses.rules import Literal
from gotools.rules.cover.kernels import search as _search
from gotools.rules.cover.kernels import tree as _tree
from gotools.rules.cover.kernels.memo import STAMP, UNKNOWN, new_memo
from gotools.rules.cover.modes import Modes
from gotools.rules.cover.move_saturation import MoveSaturation
from gotools.rules.cover.saturation import Bottom, Saturation, body_of, encode
from gotools.rules.task.settings import DEFAULT

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background

SCORES = {
    "coverage": _search.COVERAGE,
    "compression": _search.COMPRESSION,
    "entropy": _search.ENTROPY,
    "laplace": _search.LAPLACE,
    "posonly": _search.POSONLY,
}
SEARCHES = {
    "breadth": _tree.BREADTH,
    "best": _tree.BEST,
    "beam": _tree.BEAM,
    "depth": _tree.DEPTH,
    "random": _tree.RANDOM,
}
REPACK_BELOW = 0.75
"""Share of active positives still uncovered below which the masks are repacked (a copy; halving costs little)."""


MEMO_ROWS, FEW_MEMO_ROWS, FEW = 2**21, 2**17, 10000
"""Clauses whose counts are kept: 80 MiB, and 5 MiB for up to FEW positives (touching fresh memory costs more)."""


@dataclass(frozen=True, slots=True)
class CoverSettings:
    """How to search; the defaults are the thesis'.

    nodes -- clauses to try for one seed; noise -- negatives that a clause may cover
    min_body, max_body -- literals of a body; depth -- steps from the head's variables to a literal's
    after_opening -- what a clause must mention that does not say `stage(A,open)`, see saturation.encode: chain (Aleph's
        in the reference rows), stone or free
    seed -- of the order of a random search; modes -- literals and constraints of a user, None for all of predicates
    game -- whose vocabulary the predicates are of
    """

    predicates: tuple[str, ...] = vocabulary_of(USUAL).names("advanced")
    nodes: int = DEFAULT.nodes
    noise: int = 10
    min_body: int = DEFAULT.min_body
    max_body: int = DEFAULT.max_body
    depth: int = DEFAULT.depth
    score: str = DEFAULT.score
    search: str = DEFAULT.search
    beam_width: int = DEFAULT.beam_width
    after_opening: str = DEFAULT.after_opening
    seed: int = DEFAULT.seed
    modes: Modes | None = None
    game: str = USUAL


def language(
    vocabulary: str,
    without: str,
    background: Background | None = None,
    modes: Modes | None = None,
    game: str = USUAL,
) -> tuple[str, ...]:
    """Return the predicates that rules may use: a vocabulary, less the names in `without`, plus a user's.

    modes -- in the place of the vocabulary, the predicates that they name

    Raises GotoolsError for a name in `without` (joined by commas) that is not one of them.
    """
    own = tuple(background.arities) if background else ()
    names = (modes.predicates if modes else vocabulary_of(game).names(vocabulary)) + own
    out = {name.strip() for name in without.split(",") if name.strip()}
    for name in sorted(out - set(names)):
        raise GotoolsError(f"`{shown(name)}` is not a predicate of the vocabulary{nearest(name, names)}")
    return tuple(name for name in names if name not in out)


@dataclass(frozen=True, slots=True)
class SeedResult:
    """The result for one seed: a clause and what it newly covers, or no clause (empty body) if none is good enough."""

    seed: int
    body: tuple[Literal, ...]
    positives: int
    negatives: int
    searched: int
    left: int  # positives that no clause covers yet


def induce(
    table: FactTable, positives: NDArray[np.int32], negatives: NDArray[np.int32], settings: CoverSettings
) -> Iterator[SeedResult]:
    """Yield a Found for every seed, in order, until every positive is covered or has been a seed itself.

    positives, negatives -- indices into `table`; the first uncovered positive is the next seed
    """
    limits = _search.SearchSettings(
        nodes=settings.nodes,
        noise=settings.noise,
        min_body=settings.min_body,
        max_body=settings.max_body,
        score=SCORES[settings.score],
        search=SEARCHES[settings.search],
        beam=settings.beam_width,
        enough=len(positives),
        seed=settings.seed % 2**63,
    )
    masks, counter = table.masks(positives), table.masks(negatives)
    memo = new_memo(MEMO_ROWS if len(positives) > FEW else FEW_MEMO_ROWS, len(positives))
    while masks.base.any():
        repack = repacked(table, masks)
        if repack is not masks:
            masks = repack
            memo.table[:, STAMP] = UNKNOWN
            memo.state[0] = 0
        counter = repacked(table, counter)
        at = int(np.argmax(masks.base))
        example = int(masks.active[at])
        bottom = saturate(table, example, settings.predicates, settings.depth, settings.modes)
        literals = encode(bottom, settings.after_opening, settings.modes.off if settings.modes else frozenset())
        low, high = table.intervals.low, table.intervals.high
        p, n, searched, chosen = _search.search(
            table.facts, masks, counter, memo, low, high, literals, limits, bottom.variables, example
        )
        gone = np.array([at], np.int32)
        if len(chosen):
            held = _clauses.covered(table.facts, masks, low, high, literals.op[chosen], bottom.variables)
            gone = np.flatnonzero(held).astype(np.int32)
        masks.base[gone] = 0
        memo.gone[memo.state[0] : memo.state[0] + len(gone)] = gone
        memo.state[0] += len(gone)
        body = body_of(bottom, chosen.tolist(), settings.game)
        yield SeedResult(example, body, p, n, searched, int(np.count_nonzero(masks.base)))


def saturate(table: FactTable, seed: int, predicates: Sequence[str], depth: int, modes: Modes | None = None) -> Bottom:
    """Return every literal over `predicates` that holds of the seed, up to `depth` steps from the head's variables.

    seed -- index of the example in `table`
    predicates -- vocabulary and user's predicates that may be used
    modes -- only literals that they admit; predicates that they do not name are free
    """
    kind = MoveSaturation if isinstance(table, MoveFacts) else Saturation
    return kind(table, seed, frozenset(predicates), depth, modes).run()


def repacked(table: FactTable, masks: Masks) -> Masks:
    """Return the masks without the covered examples once these are a quarter; empty masks when memory runs out."""
    count, room = int(masks.used[0]), masks.rows.shape[0]
    if count == room:
        return table.masks(masks.active[masks.base != 0])
    kept = np.flatnonzero(masks.base)
    if len(kept) == 0 or len(kept) > REPACK_BELOW * len(masks.active):
        return masks
    fresh = table.masks(masks.active[kept])
    np.take(masks.rows[:count], kept, axis=1, out=fresh.rows[:count])
    fresh.row_of[:] = masks.row_of
    fresh.used[0] = count
    return fresh


# why moves have no rule ----------------------------------------------------------------------------------------------


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
