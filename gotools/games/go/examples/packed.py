"""Many decisions in little memory: 110 bytes each on 19x19, drawn evenly from all where even that is too much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.examples.table import Examples
from gotools.games.go.points import MAX_SIZE

BYTES_BESIDE = 24
"""Bytes of a decision beside its board."""
_AT_ONCE = 20_000
"""Decisions that are packed or unpacked together: 7 MB of 19x19."""


@dataclass(frozen=True, slots=True)
class PackedExamples:
    """Examples whose boards take two bits a point; the counter-examples among them are left out.

    rows  -- the columns of all rows, with boards of no cells
    bits  -- uint8[rows, 2, bytes]: the black and the white stones, a bit a point
    cells -- of the largest board
    seen  -- how many decisions there were, before some were drawn
    """

    rows: Examples
    bits: NDArray[np.uint8]
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
        return self.bits.nbytes + BYTES_BESIDE * len(self)

    def take(self, rows: NDArray[np.integer]) -> Examples:
        """Return some rows, unpacked."""
        found = self.rows.take(rows)
        board = np.empty((len(rows), self.cells), np.uint8)
        for begin in range(0, len(rows), _AT_ONCE):
            some = self.bits[rows[begin : begin + _AT_ONCE]]
            black, white = (np.unpackbits(some[:, side], axis=1, count=self.cells) for side in (0, 1))
            board[begin : begin + _AT_ONCE] = black + 2 * white
        return replace(found, board=board)

    def only(self, rows: NDArray[np.integer]) -> PackedExamples:
        """Return some rows."""
        return PackedExamples(self.rows.take(rows), self.bits[rows], self.cells, self.seen)

    def without_names(self) -> PackedExamples:
        """Return the same rows without the names of games: a small part is then small."""
        return replace(self, rows=replace(self.rows, names=[]))


def pack(batches: Iterable[Examples], most_bytes: int | None = None, seed: int = 0) -> PackedExamples:
    """Return the decisions of label 1, in their order.

    most_bytes -- that they may take; where all need more, those with the smallest random numbers are kept: an even
        sample, the same for the same decisions and seed
    """
    chance = np.random.default_rng([seed, 1])
    parts: list[tuple[Examples, NDArray[np.uint8], NDArray[np.float64]]] = []
    limit, held, seen, cells = 1.0, 0, 0, 0
    for batch in batches:
        rows = batch.take(batch.label == 1)
        seen += len(rows)
        number = chance.random(len(rows))
        keep = number < limit
        rows, number = rows.take(keep), number[keep]
        cells = max(cells, rows.board.shape[1])
        bits = np.stack([np.packbits(rows.board == colour, axis=1) for colour in (1, 2)], axis=1)
        parts.append((replace(rows, board=np.zeros((len(rows), 0), np.uint8)), bits, number))
        held += bits.nbytes + BYTES_BESIDE * len(rows)
        while most_bytes is not None and held > most_bytes:
            limit /= 2
            parts = [(part[0].take(kept := part[2] < limit), part[1][kept], part[2][kept]) for part in parts]
            held = sum(part[1].nbytes + BYTES_BESIDE * len(part[0]) for part in parts)
    return _joined(parts, cells, seen)


def _joined(
    parts: list[tuple[Examples, NDArray[np.uint8], NDArray[np.float64]]], cells: int, seen: int
) -> PackedExamples:
    """Return all parts as one; they are let go one after the other."""
    rows = Examples.concat([part[0] for part in parts]) if parts else Examples.empty()
    bits = np.zeros((len(rows), 2, (cells + 7) // 8), np.uint8)
    at = 0
    for k in range(len(parts)):
        some = parts[k][1]
        bits[at : at + len(some), :, : some.shape[2]] = some
        at += len(some)
        parts[k] = (Examples.empty(), some[:0], parts[k][2][:0])
    return PackedExamples(rows, bits, cells, seen)


# games that are learned from and measured on --------------------------------------------------------------------------


FEWEST = 5
"""Fewest shared moves of a shared game: the first moves of different games may well be the same."""
_HASHED_AT_ONCE = 20_000
"""Rows that are hashed together: 60 MB of 19x19."""


def shared_games(test: Examples, train: Examples | PackedExamples) -> str:
    """Report in a line how many games to measure on are also learned from; "" without any.

    A game is shared if all of its decisions are; a few moves (see FEWEST) prove nothing.
    """
    game = test.game_numbers()
    every = np.bincount(game)
    common = np.bincount(game[np.isin(_digests(test), _digests(train))], minlength=len(every))
    shared = int(((common == every) & (every >= FEWEST)).sum())
    if not shared:
        return ""
    of = int((every > 0).sum())
    which = "the only game" if of == 1 else f"{shared:,} of {of:,} games"
    return f"{which} to measure on {'is' if shared == 1 else 'are'} learned from as well; the figures flatter the rules"


def _digests(rows: Examples | PackedExamples) -> NDArray[np.uint64]:
    """Return a number for each row: equal for equal positions, sides and moves, else equal by rare chance only."""
    keys = np.random.default_rng(0).integers(1 << 63, size=MAX_SIZE**2 + 3, dtype=np.uint64) | np.uint64(1)
    found = np.empty(len(rows), np.uint64)
    for begin in range(0, len(rows), _HASHED_AT_ONCE):
        end = min(begin + _HASHED_AT_ONCE, len(rows))
        some = rows.take(np.arange(begin, end))
        sums = some.board.astype(np.uint64) @ keys[: some.board.shape[1]]
        columns: tuple[NDArray[np.integer], ...] = some.size, some.to_play, some.move
        for key, column in zip(keys[MAX_SIZE**2 :], columns, strict=True):
            sums += column.astype(np.uint64) * key
        found[begin:end] = sums
    return found
