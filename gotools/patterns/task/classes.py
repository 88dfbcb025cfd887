"""Classes of moves, to learn rules for each alone: captures, ataris, connections, stages of the game.

A class is defined by clauses of the vocabulary, so that Prolog, kernels and C agree on what belongs to it. A move is of
the first class of the list that fits; `other` holds the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError, nearest, shown
from gotools.patterns.clauses.clauses import holds
from gotools.patterns.clauses.facts import FactTable
from gotools.patterns.clauses.rules import ARITIES, parse_body

CLASSES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "capture": {"capture": ("captures(A,E,C,D,B)",)},
    "atari": {"atari": ("atari(A,E,C,D,B)",)},
    "connect": {"connect": ("connects_direct(A,E,C,D,B)", "connects_indirect(A,E,C,D,B)")},
    "stage": {"open": ("stage(A,open)",), "middle": ("stage(A,middle)",), "end": ("stage(A,end)",)},
}
"""By the word of --by: the classes, each with the bodies of clauses, one of which holds."""
OTHER = "other"


def parse_classes(text: str) -> tuple[str, ...]:
    """Return the words of `capture,atari,connect,stage`, in their order; () for an empty text.

    Raises GotoolsError for another word, or one that stands twice.
    """
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in words:
        if word not in CLASSES:
            raise GotoolsError(f"`{shown(word)}` is not a class of moves{nearest(word, list(CLASSES))}")
        if words.count(word) > 1:
            raise GotoolsError(f"`{shown(word)}` stands twice")
    return words


def classes_of(table: FactTable, some: NDArray[np.int32], words: tuple[str, ...]) -> dict[str, NDArray[np.int32]]:
    """Divide some examples of a table among classes; those without any are left out.

    Returns the indices of each class, in the order of `some`; all together they are `some`.
    """
    masks = table.masks(some)
    left = np.ones(len(some), np.bool_)
    found: dict[str, NDArray[np.int32]] = {}
    for word in words:
        for name, bodies in CLASSES[word].items():
            fits = np.zeros(len(some), np.bool_)
            for text in bodies:
                fits |= holds(table, masks, parse_body(f"move(A,B,C,D) :- {text}.", ARITIES, "classes.py", 0))
            if (fits & left).any():
                found[name] = some[fits & left]
            left &= ~fits
    if left.any():
        found[OTHER] = some[left]
    return found
