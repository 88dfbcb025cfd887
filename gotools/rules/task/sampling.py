"""Choose the examples and counter-examples that rules are induced from, and divide them among classes of moves.

Classes are captures, ataris, connections, stages of the game: rules can be learned for each alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, shown
from gotools.game.examples.examples import Examples
from gotools.game.examples.negatives import draw_negatives, sample
from gotools.game.game import vocabulary_of
from gotools.game.records.sources import SOURCES
from gotools.game.table import USUAL
from gotools.game.vocabulary import Vocabulary
from gotools.rules.clauses.facts import FactTable
from gotools.rules.clauses.meaning import holds
from gotools.rules.clauses.rules import parse_body

Kept = TypeVar("Kept", bound=Examples)
DEFAULT_SOURCE = "unplayed"
HELD_SHARE, HELD_MOST = 0.1, 60
"""Held-out games to choose settings by: a share of all, up to a number that suffices."""

_COUNT = re.compile(r"0*[1-9][0-9]{0,8}")
_NOISE = re.compile(r"([0-9]{1,9})|([0-9]{0,9}\.?[0-9]{1,9})%")


def parse_positives(text: str) -> int | None:
    """Return how many moves to learn from; None for `all`.

    Raises GotoolsError if `text` is neither.
    """
    if text != "all" and not _COUNT.fullmatch(text):
        raise GotoolsError(f"`{shown(text)}` is neither a number from 1 nor `all`")
    return None if text == "all" else int(text)


def allowed_noise(text: str, negatives: int) -> int:
    """Return how many counter-examples a rule may cover: `40`, or `15%` of them.

    Raises GotoolsError if `text` is neither.
    """
    match = _NOISE.fullmatch(text)
    if not match:
        raise GotoolsError(f"`{shown(text)}` is neither a number nor a share such as 15%")
    return int(match[1]) if match[1] else round(float(match[2]) / 100 * negatives)


def counter_examples(rows: Examples) -> str:
    """Count the counter-examples by source, in words."""
    counts = Counter(rows.source[rows.label == 0].tolist())
    return ", ".join(f"{SOURCES[k]} {n:,}" for k, n in sorted(counts.items())) or "none"


def drawn_rows(total: int, count: int | None, seed: int) -> NDArray[np.int64] | None:
    """Return `count` of `total` rows, in random order; None for all: if `count` is None or too large."""
    if count is None or count >= total:
        return None
    return np.random.default_rng(seed).permutation(total)[:count]


def draw_moves(decisions: Kept, count: int | None, seed: int) -> Kept:
    """Return `count` rows of label 1, in random order; all, in their order, if `count` is None or too large."""
    rows = np.flatnonzero(decisions.label == 1)
    drawn = drawn_rows(len(rows), count, seed)
    return decisions.take(rows if drawn is None else rows[drawn])


def training_rows(
    decisions: Kept,
    positives: int | None,
    wanted: dict[str, int | None],
    seed: int,
    random_moves: Callable[[int, int], Kept],
    warn: Callable[[str], None],
) -> Kept:
    """Return positives and negatives, the positives first.

    decisions -- rows of label 1, and of label 0 if a file brought some
    positives -- the number to draw, in random order (then that of seeds); None or too large: all, in their order
    wanted -- counter-examples by source: from the rows of label 0 of that source if there are any, else drawn anew from
        the positions of the positives; empty: every row of label 0, or as many unplayed moves as positives
    seed -- each source has a random stream of its own, so that the count of one does not change another's sample
    random_moves, warn -- as in draw_negatives
    """
    chosen = draw_moves(decisions, positives, seed)
    given = decisions.take(decisions.label == 0)
    if not wanted and len(given):
        return decisions.concat([chosen, given])
    parts = [chosen]
    for source, count in (wanted or {DEFAULT_SOURCE: None}).items():
        of_source = given.take(given.source == SOURCES.index(source))
        if len(of_source):
            limit = len(chosen) if count is None else count
            if limit > len(of_source):
                warn(f"{source}: {len(of_source):,} counter-examples, all there are ({limit:,} wanted)")
            parts.append(sample(of_source, limit, np.random.default_rng([seed, SOURCES.index(source)])))
        else:
            parts.append(draw_negatives(chosen, {source: count}, seed, random_moves, warn))
    return decisions.concat(parts)


def held_apart(train: Examples, seed: int) -> NDArray[np.bool_] | None:
    """Mark the rows of held-out games; None for a single game."""
    game = train.game_numbers()
    games = np.unique(game)
    count = min(HELD_MOST, max(1, round(HELD_SHARE * len(games))))
    if len(games) < 2:
        return None
    return np.isin(game, np.random.default_rng(seed).permutation(games)[:count])


# classes --------------------------------------------------------------------------------------------------------------


Classes = Mapping[str, Mapping[str, tuple[str, ...]]]
CLASSES: Classes = {
    "capture": {"capture": ("captures(A,E,C,D,B)",)},
    "atari": {"atari": ("atari(A,E,C,D,B)",)},
    "connect": {"connect": ("connects_direct(A,E,C,D,B)", "connects_indirect(A,E,C,D,B)")},
    "stage": {"open": ("stage(A,open)",), "middle": ("stage(A,middle)",), "end": ("stage(A,end)",)},
}
"""By the word of --by: the classes, each with the bodies of clauses, one of which holds: Prolog, kernels and C agree on
what belongs to it. A move is of the first class of the list that fits; OTHER holds the rest."""
OTHER = "other"


def classes_in(vocabulary: Vocabulary) -> Classes:
    """Return the classes of moves of a game: in Go the usual ones, else by stages, and by what measures say."""
    if vocabulary.points:
        return CLASSES
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    if vocabulary.stages:
        found["stage"] = {name: (f"stage(A,{name})",) for name in vocabulary.stages}
    for one in vocabulary.measures:
        inputs = "A,C,B" if one.coloured else "A,C"
        if not one.last:
            found[one.name] = {one.name: (f"{one.name}({inputs})",)}
        elif one.words:
            found[one.name] = {word: (f"{one.name}({inputs},{word})",) for word in one.words}
    return found


def parse_classes(text: str, game: str = USUAL) -> tuple[str, ...]:
    """Return the words of `capture,atari,connect,stage`, in their order; () for an empty text.

    Raises GotoolsError for another word, or one that stands twice.
    """
    known = classes_in(vocabulary_of(game))
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in words:
        if word not in known:
            raise GotoolsError(f"`{shown(word)}` is not a class of moves{nearest(word, list(known))}")
        if words.count(word) > 1:
            raise GotoolsError(f"`{shown(word)}` stands twice")
    return words


def classes_of(
    table: FactTable, some: NDArray[np.int32], words: tuple[str, ...], game: str = USUAL
) -> dict[str, NDArray[np.int32]]:
    """Divide some examples of a table among classes; those without any are left out.

    Returns the indices of each class, in the order of `some`; all together they are `some`.
    """
    masks, vocabulary = table.masks(some), vocabulary_of(game)
    left = np.ones(len(some), np.bool_)
    found: dict[str, NDArray[np.int32]] = {}
    for word in words:
        for name, bodies in classes_in(vocabulary)[word].items():
            fits = np.zeros(len(some), np.bool_)
            for text in bodies:
                clause = f"{vocabulary.head_text} :- {text}."
                fits |= holds(table, masks, parse_body(clause, "sampling.py", 0, game))
            if (fits & left).any():
                found[name] = some[fits & left]
            left &= ~fits
    if left.any():
        found[OTHER] = some[left]
    return found
