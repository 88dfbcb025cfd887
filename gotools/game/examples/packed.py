"""Many decisions in little memory, drawn evenly from all where even that is too much: of Go 110 bytes each on 19x19."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples

Kept = TypeVar("Kept", bound=Examples)
BYTES_BESIDE = 24
"""Bytes of a decision beside its position."""


@dataclass(frozen=True, slots=True)
class PackedExamples(Generic[Kept]):
    """Examples whose positions are packed; the counter-examples among them are left out.

    rows      -- without their positions
    positions -- an entry for each row, see `Examples.packed`
    cells     -- of the largest position
    seen      -- how many decisions there were, before some were drawn
    """

    rows: Kept
    positions: NDArray[Any]
    cells: int
    seen: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> NDArray[np.uint8]:
        """Return the board size of every row."""
        return self.rows.size

    @property
    def label(self) -> NDArray[np.uint8]:
        """Return the label of every row: 1."""
        return self.rows.label

    @property
    def nbytes(self) -> int:
        """Return the bytes that the decisions take."""
        return self.positions.nbytes + BYTES_BESIDE * len(self)

    def take(self, rows: NDArray[np.integer]) -> Kept:
        """Return some rows, unpacked."""
        return self.rows.take(rows).unpacked(self.positions[rows], self.cells)

    def only(self, rows: NDArray[np.integer]) -> PackedExamples[Kept]:
        """Return some rows."""
        return PackedExamples(self.rows.take(rows), self.positions[rows], self.cells, self.seen)

    def without_names(self) -> PackedExamples[Kept]:
        """Return the same rows without the names of games: a small part is then small."""
        return replace(self, rows=replace(self.rows, names=[]))


def pack(batches: Iterable[Kept], most_bytes: int | None = None, seed: int = 0) -> PackedExamples[Kept]:
    """Return the decisions of label 1, of at least one batch, in their order.

    most_bytes -- that they may take; where all need more, those with the smallest random numbers are kept: an even
        sample, the same for the same decisions and seed
    """
    chance = np.random.default_rng([seed, 1])
    parts: list[tuple[Kept, NDArray[Any], NDArray[np.float64]]] = []
    limit, held, seen, cells = 1.0, 0, 0, 0
    for batch in batches:
        rows = batch.take(batch.label == 1)
        seen += len(rows)
        number = chance.random(len(rows))
        keep = number < limit
        rows, number = rows.take(keep), number[keep]
        cells = max(cells, rows.cells)
        bare, positions = rows.packed()
        parts.append((bare, positions, number))
        held += positions.nbytes + BYTES_BESIDE * len(rows)
        while most_bytes is not None and held > most_bytes:
            limit /= 2
            parts = [(part[0].take(kept := part[2] < limit), part[1][kept], part[2][kept]) for part in parts]
            held = sum(part[1].nbytes + BYTES_BESIDE * len(part[0]) for part in parts)
    return _joined(parts, cells, seen)


def _joined(parts: list[tuple[Kept, NDArray[Any], NDArray[np.float64]]], cells: int, seen: int) -> PackedExamples[Kept]:
    """Return all parts as one; they are let go one after the other."""
    rows, shapes = type(parts[0][0]).concat([part[0] for part in parts]), [part[1].shape[1:] for part in parts]
    kind = np.result_type(*{part[1].dtype for part in parts})
    positions = np.zeros((len(rows), *map(max, zip(*shapes, strict=True))), kind)
    nothing, at = rows.take(np.zeros(0, np.int64)), 0
    for k in range(len(parts)):
        some = parts[k][1]
        positions[at : at + len(some), ..., : some.shape[-1]] = some
        at += len(some)
        parts[k] = (nothing, some[:0], parts[k][2][:0])
    return PackedExamples(rows, positions, cells, seen)
