"""Moves and setup stones of the main line of a game of Go, from SGF's raw properties.

Tokenising a move costs sgfmill 2.4 us, so runs of plain moves (";B[dd];W[cc]") are folded into one private property by
a regular expression before, and decoded by numpy after: one value of three bytes a move, colour, column, row. A run may
only begin right after a "]" without a backslash before it: no value can be open there, so folding cannot change what
the grammar sees.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import shown
from gotools.game.records.mainline import MARK, MOST_MOVES, RUN, Broken, Node
from gotools.game.records.record import Setup
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.points import EMPTY, PASS

MOST_SETUP: Final = 20_000
"""Setup stones of one game; a guard of memory against damaged files."""

_FOLDABLE: Final = re.compile(rb"\](?<=[^\\]\])(?:\s*+;[BW]\[(?:[a-z][a-z])?\])+(?=\s*+[;()])")
"""A run, with the "]" before it; its literal beginning and possessive blanks make it three times as fast."""
_SETUP: Final = {b"AB": BLACK, b"AW": WHITE, b"AE": EMPTY}
STONE_PROPERTIES: Final = frozenset((RUN, b"B", b"W", *_SETUP))
_ROOT_ONLY: Final = frozenset((b"SZ", b"GM", b"FF"))
_BAD: Final = -9
_WEIGHTS: Final = np.array([35, 27, 1])  # of colour, column and row letter: distinct sums for B, W and a..z, "{"
_FIRST: Final = int(np.frombuffer(b"Baa", np.uint8) @ _WEIGHTS)
_LAST: Final = int(np.frombuffer(b"W{{", np.uint8) @ _WEIGHTS)


def fold(text: bytes) -> bytes:
    """Write each run of plain moves as one property, three bytes a move. The lines stay countable."""
    return _FOLDABLE.sub(_folded, text)


def _folded(run: re.Match[bytes]) -> bytes:
    """Return a run as a property, after its "]"."""
    text = run[0]
    moves = text.replace(b"[]", b"{{") if b"[]" in text else text
    return b"];" + RUN + b"[" + MARK + moves.translate(None, b";[] \t\n\r\f\v") + b"]" + b"\n" * text.count(b"\n")


class Stones:
    """Moves and setup of one main line, in the making."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.points, self.table = coordinates(size)
        self.parts: list[NDArray[np.int16]] = []
        self.pending: list[tuple[int, int]] = []
        self.count = 0
        self.setup: dict[tuple[int, int], int] = {}

    def read(self, nodes: list[Node], leading: int) -> tuple[NDArray[np.int16], tuple[Setup, ...]]:
        """Take in all nodes; the header may stand in the first `leading` ones only. Raises Broken."""
        for place, node in enumerate(nodes):
            for key, values, token in node:
                if key in STONE_PROPERTIES:
                    self._stones(key, values, token)
                elif key in _ROOT_ONLY and place >= leading:
                    raise Broken(f"{key.decode()} after move {self.count}: a second game begins inside this one", token)
            if self.count > MOST_MOVES or len(self.setup) > MOST_SETUP:
                raise Broken(f"more than {MOST_MOVES} moves or {MOST_SETUP} setup stones", node[0][2])
        self._flush()
        moves = self.parts[0] if len(self.parts) == 1 else np.concatenate([_NO_MOVES, *self.parts])
        return moves, tuple(Setup(after, self.setup[after, point], point) for after, point in sorted(self.setup))

    def _stones(self, key: bytes, values: list[bytes], token: int) -> None:
        """Take in a property that moves or sets up stones, or a foreign one with the name of a folded run."""
        if key in _SETUP:
            self._set_up(key, values, token)
        elif key != RUN:
            self._move(key, values, token)
        elif values[0].startswith(MARK):
            self._run(values[0][1:], token)

    def _flush(self) -> None:
        if self.pending:
            self.parts.append(np.array(self.pending, np.int16))
            self.pending = []

    def _run(self, raw: bytes, token: int) -> None:
        """Take in a folded run of moves."""
        moves = self.table[np.frombuffer(raw, np.uint8).reshape(-1, 3) @ _WEIGHTS - _FIRST]
        if moves.min() == _BAD:
            bad = int(np.argmax(moves[:, 1] == _BAD))
            raise self._bad_move(self.count + bad, raw[3 * bad : 3 * bad + 1], raw[3 * bad + 1 : 3 * bad + 3], token)
        self._flush()
        self.parts.append(moves)
        self.count += len(moves)

    def _move(self, key: bytes, values: list[bytes], token: int) -> None:
        if len(values) > 1:
            raise Broken(f"move {self.count + 1}: {key.decode()} has {len(values)} points", token)
        point = self.points.get(values[0].strip())
        if point is None:
            raise self._bad_move(self.count, key, values[0], token)
        self.pending.append((BLACK if key == b"B" else WHITE, point))
        self.count += 1

    def _set_up(self, key: bytes, values: list[bytes], token: int) -> None:
        """Put or remove stones before the next move; "aa:cc" is a rectangle. The later one holds."""
        for raw in dict.fromkeys(values):
            corners = [self.points.get(part.strip(), PASS) for part in raw.split(b":")]
            if len(corners) > 2 or min(corners) < 0:
                raise Broken(
                    f"after move {self.count}: {key.decode()}[{shown(raw, 20)}] is not a point of a "
                    f"{self.size}x{self.size} board",
                    token,
                )
            rows, columns = zip(*(divmod(point, self.size) for point in corners), strict=True)
            for row in range(min(rows), max(rows) + 1):
                for column in range(min(columns), max(columns) + 1):
                    self.setup[self.count, row * self.size + column] = _SETUP[key]

    def _bad_move(self, ply: int, key: bytes, raw: bytes, token: int) -> Broken:
        where = f"{self.size}x{self.size}"
        return Broken(f"move {ply + 1}: {key.decode()}[{shown(raw, 20)}] is not a point of a {where} board", token)


_NO_MOVES: Final = np.empty((0, 2), np.int16)


def point_text(point: int, size: int) -> bytes:
    """Return a point as SGF names it, "" for a pass."""
    y, x = divmod(point, size)
    return b"" if point == PASS else bytes((97 + x, 97 + size - 1 - y))


@cache
def coordinates(size: int) -> tuple[dict[bytes, int], NDArray[np.int16]]:
    """Return the points by their SGF text, "" and "tt" for a pass; and a table for folded moves.

    The table is int16[n, 2], colour and point, at the weighted sum of the three letters of a move; "{{" is the pass,
    anything else is _BAD.
    """
    points = {b"": PASS, b"tt": PASS}  # no board of up to 19x19 has a point "tt"
    points |= {point_text(point, size): point for point in range(size * size)}
    table = np.full((_LAST - _FIRST + 1, 2), _BAD, np.int16)
    for colour, letter in ((BLACK, b"B"), (WHITE, b"W")):
        for text, point in points.items():
            place = int(np.frombuffer(letter + (text or b"{{"), np.uint8) @ _WEIGHTS) - _FIRST
            table[place] = colour, point
    return points, table
