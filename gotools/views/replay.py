"""Games as the data that replay.js shows: short, for a page holds hundreds of them.

A move is two letters, column and row from the top, small for black and capital for white; a pass is `tt`. The keys of a
game: t title, s size, m moves, x stones set up, n the players, v the black side's chance in per cent after each move
(v2 its name, where it is one curve), c what was said of each move, h the likely moves of each position with their per
cent, p the per cent of each move played, u the moves that were expected least, o the position before the first of them,
b the boards of other games as text with w their moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.records.record import Record, Setup
from gotools.game.sides import BLACK
from gotools.games.go.points import PASS
from gotools.views.boards import Mark, board_svg, star_points
from gotools.views.parts import Figure

_LETTERS: Final = "abcdefghijklmnopqrst"
MOST_GAMES: Final = 5_000
"""Games in the list of a section."""


@dataclass(slots=True)
class Budget:
    """Bytes that games may take on a page; what does not fit is linked instead."""

    left: int

    def take(self, size: int) -> bool:
        """Take `size` bytes if that many are left; returns whether they were."""
        if size > self.left:
            return False
        self.left -= size
        return True


@dataclass(frozen=True, slots=True)
class ReplayGame:
    """A game with what is known of its moves; the lists have an entry for each move, those of boards one more.

    values   -- the black side's chance in per cent after the move, None where it is unknown
    curve    -- the name of the values where they are of one source; "" where each side speaks of its own moves
    comments -- what was said of the move
    likely   -- of the position before each move: points and their per cent
    expected -- the per cent of the move played
    boards   -- positions as text, of games other than Go; words -- the moves
    """

    title: str
    record: Record | None = None
    values: Sequence[int | None] = ()
    curve: str = ""
    comments: Sequence[str] = ()
    likely: Sequence[Sequence[tuple[int, int]]] = ()
    expected: Sequence[float | str | None] = ()
    boards: Sequence[str] = ()
    words: Sequence[str] = ()
    names: tuple[str, str] = ("", "")
    more: Mapping[str, Any] = field(default_factory=dict)

    def data(self, comments: bool = True) -> str:
        """Return the game as JSON; comments -- with what was said of the moves."""
        keys: dict[str, Any] = {"t": self.title}
        if self.record is not None:
            size = self.record.size
            keys |= {"s": size, "m": moves_text(self.record.moves, size)}
            if self.record.setup:
                keys["x"] = [_set_up(stone, size) for stone in self.record.setup]
        if any(self.names):
            keys["n"] = list(self.names)
        if any(value is not None for value in self.values):
            keys["v"] = list(self.values)
            keys |= {"v2": self.curve} if self.curve else {}
        if self.likely:
            keys["h"] = [_likely(moves, self.record.size) for moves in self.likely] if self.record else []
            keys["p"] = list(self.expected)
        if self.boards:
            keys |= {"b": list(self.boards), "w": list(self.words)}
        if comments and any(self.comments):
            keys["c"] = list(self.comments)
        return as_json({**keys, **self.more})


def as_json(value: Any) -> str:
    """Return JSON that may stand in a page: no character of it ends a script or begins a tag."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def replay_data(games: Iterable[str], sizes: Iterable[int]) -> str:
    """Return what replay.js reads: games (each as JSON) and the dots of the boards."""
    stars = {size: star_points(size) for size in sorted(set(sizes))}
    return f'{{"stars":{as_json(stars)},"games":[{",".join(games)}]}}'


def of_black(chance: float | None, colour: int) -> int | None:
    """Return the black side's chance in per cent, from that of a colour; None where it is not known."""
    return None if chance is None else round(chance if colour == BLACK else 100 - chance)


def moves_text(moves: NDArray[np.integer], size: int) -> str:
    """Return moves, int[k, 2], in two letters each."""
    return "".join(_move_text(point, size, colour) for colour, point in moves.tolist())


def _move_text(point: int, size: int, colour: int) -> str:
    if point == PASS:
        text = "tt"
    else:
        y, x = divmod(point, size)
        text = _LETTERS[x] + _LETTERS[size - 1 - y]
    return text if colour == BLACK else text.upper()


def _set_up(stone: Setup, size: int) -> list[object]:
    return [stone.after, stone.colour, _move_text(stone.point, size, BLACK)]


def _likely(moves: Sequence[tuple[int, int]], size: int) -> str:
    return "".join(f"{_move_text(point, size, BLACK)}{min(share, 99):02}" for point, share in moves)


def end_of_game(record: Record, name: str, caption: str) -> Figure:
    """Return the end of a game, or the position before its first illegal move: what a page without scripts shows."""
    cells, moves = _last_position(record)
    marks = [Mark(int(record.moves[moves - 1, 1]), "last")] if moves and record.moves[moves - 1, 1] >= 0 else []
    return Figure("end-of-first-game", board_svg(record.size, cells, f"the end of {name}", marks), caption)


def _last_position(record: Record) -> tuple[list[int], int]:
    """Return the stones of that position, and the number of moves up to there."""
    from gotools.games.go.board import Board, replay

    played = replay(record)
    if not len(played):
        cells = [0] * record.size**2
        for stone in record.setup:
            if stone.after == 0:
                cells[stone.point] = stone.colour
        return cells, 0
    board = Board.from_cells(played.board[-1], record.size, int(played.to_play[-1]))
    board.play_point(int(played.move[-1]), int(played.to_play[-1]))
    return board.cells.tolist(), len(played)
