"""Games as the data that replay.js shows: short, for a page holds hundreds of them.

A move is two letters, column and row from the top, small for black and capital for white; a pass is `tt`. The keys of a
game: t title, s size, m moves, x stones set up, n the players, v the black side's chance in per cent after each move
(v2 its name, where it is one curve), c what was said of each move, h the likely moves of each position with their per
cent, p the per cent of each move played, u the moves that were expected least, o the position before the first of them.

The script plays stones as in Go (`Picture.script`). Of other games the page holds all positions, b, and the words of
the moves, w. Such a position is text; where the game has a picture, pictures.js draws it: the signs of the places, the
numbers of those that the last move changed, the lines below the board. The script takes black to begin these games:
where white does, c begins with side and move in the place of w, and n with white.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.files.json_text import json_text
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.records.record import Record, Setup
from gotools.game.records.replay import played
from gotools.game.sides import BLACK, WHITE
from gotools.game.traits import Picture
from gotools.views.boards import Mark, board_svg, places_of, position_svg, sign_svg
from gotools.views.parts import Figure, Games

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


@dataclass(frozen=True)
class ReplayGame:
    """A game with what is known of its moves; the lists have an entry for each move.

    values   -- the black side's chance in per cent after the move, None where it is unknown
    curve    -- the name of the values where they are of one source; "" where each side speaks of its own moves
    comments -- what was said of the move
    likely   -- of the position before each move: places and their per cent
    expected -- the per cent of the move played
    """

    title: str
    game: Game
    record: Record
    values: Sequence[int | None] = ()
    curve: str = ""
    comments: Sequence[str] = ()
    likely: Sequence[Sequence[tuple[int, int]]] = ()
    expected: Sequence[float | str | None] = ()
    names: tuple[str, str] = ("", "")
    more: Mapping[str, Any] = field(default_factory=dict)

    def data(self, comments: bool = True) -> str:
        """Return the game as JSON; comments -- with what was said of the moves."""
        keys: dict[str, Any] = {"t": self.title}
        size = self.record.size
        if self.scripted:
            keys |= {"s": size, "m": moves_text(self.record.moves, size)}
            if self.record.setup:
                keys["x"] = [_set_up(stone, size) for stone in self.record.setup]
        if any(self.names):
            keys["n"] = list(self.names)
        if any(value is not None for value in self.values):
            keys["v"] = list(self.values)
            keys |= {"v2": self.curve} if self.curve else {}
        if self.likely:
            keys |= {"h": [_likely(moves, size) for moves in self.likely]} if self.scripted else {}
            keys["p"] = list(self.expected)
        if not self.scripted:
            keys |= {"b": self.positions, "w": [self._history.text(move) for _, move in self._history.moves]}
        if comments and any(self.comments):
            keys["c"] = list(self.comments)
        if not self.scripted and self.record.moves[:1, 0].tolist() == [WHITE]:
            keys |= self._of_white(keys)
        return as_json({**keys, **self.more})

    @property
    def scripted(self) -> bool:
        """Whether the script of pages plays the moves."""
        board = self.game.find(Picture)
        return board is not None and board.script

    def _of_white(self, keys: Mapping[str, Any]) -> dict[str, Any]:
        """Return keys of a game that white begins, for a script that takes black to do so."""
        sides, said = [("", "black", "white")[side] for side, _ in self._history.moves], keys.get("c", ())
        words = zip_longest(sides, keys["w"], said[: len(sides)], fillvalue="")
        turned = {"w": None, "c": [f"{side} {word}\n{what}".strip() for side, word, what in words]}
        return turned | ({"n": keys["n"][::-1]} if "n" in keys else {})

    @cached_property
    def _history(self) -> History:
        return played(self.record, self.game)[0]

    @cached_property
    def positions(self) -> list[str]:
        """The positions as text, up to the first move that is illegal."""
        board, states = self.game.find(Picture), self._history.positions
        if board is None:
            return [self.game.draw(state) for state in states]
        signs = [board.signs(state) for state in states]
        changed = [[], *(_changed(*two) for two in pairwise(signs))]
        return [
            "\n".join([",".join(lying), " ".join(map(str, places)), *board.below(state)])
            for state, lying, places in zip(states, signs, changed, strict=True)
        ]


def as_json(value: Any) -> str:
    """Return JSON that may stand in a page: no character of it ends a script or begins a tag."""
    text = json_text(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def games_part(title: str, games: Sequence[ReplayGame], data: Sequence[str], first: Figure, note: str) -> Games:
    """Return games of one kind to replay; data -- of each of them, as JSON; first -- see `Games`."""
    board, sizes = games[0].game.find(Picture), sorted({one.record.size for one in games})
    whole, scripts = f'"games":[{",".join(data)}]', ["replay.js"]
    if board is not None and not board.script:
        lying = {sign for one in games for text in one.positions for sign in text.partition("\n")[0].split(",")}
        signs = {sign: sign_svg(sign) for sign in sorted(lying) if sign != "."}
        below = [""] * len(board.below(games[0].game.position()))
        boards = {
            len(at): {"svg": board_svg(board, size, "." * len(at), "position", (), below), "at": at}
            for size in sizes
            for at in [places_of(board, size)]
        }
        whole, scripts = f'"boards":{as_json(boards)},"signs":{as_json(signs)},{whole}', [*scripts, "pictures.js"]
    stars = {size: board.stars(size) for size in sizes} if board is not None and board.script else {}
    return Games(title, f'{{"stars":{as_json(stars)},{whole}}}', first, note, scripts)


def of_black(chance: float | None, colour: int) -> int | None:
    """Return the black side's chance in per cent, from that of a colour; None where it is not known."""
    return None if chance is None else round(chance if colour == BLACK else 100 - chance)


def moves_text(moves: NDArray[np.integer], size: int) -> str:
    """Return moves, int[k, 2], in two letters each."""
    return "".join(_move_text(point, size, colour) for colour, point in moves.tolist())


def _move_text(point: int, size: int, colour: int) -> str:
    if point < 0:
        text = "tt"
    else:
        y, x = divmod(point, size)
        text = _LETTERS[x] + _LETTERS[size - 1 - y]
    return text if colour == BLACK else text.upper()


def _set_up(stone: Setup, size: int) -> list[object]:
    return [stone.after, stone.colour, _move_text(stone.point, size, BLACK)]


def _likely(moves: Sequence[tuple[int, int]], size: int) -> str:
    return "".join(f"{_move_text(point, size, BLACK)}{min(share, 99):02}" for point, share in moves)


def end_of_game(game: Game, record: Record, name: str, caption: str) -> Figure:
    """Return the end of a game, or the position before its first illegal move: what a page without scripts shows."""
    return Figure("end-of-first-game", drawn_position(game, record, None, f"the end of {name}"), caption)


def drawn_position(
    game: Game,
    record: Record,
    made: int | None,
    title: str,
    ring: int | None = None,
    likely: Sequence[tuple[int, float]] = (),
    last: bool = True,
) -> str:
    """Return a position of a record as a drawing.

    made   -- moves before it; None: all
    ring   -- a move to put a ring on; likely -- moves with their shares, drawn where they change one place alone
    last   -- mark the last move
    """
    history, _ = played(record, game)
    made = len(history.moves) if made is None else made
    state = history.positions[made]
    touched = [(_touched(history, made, move), share) for move, share in likely]
    marks = [Mark(places[0], "heat", share) for places, share in touched if len(places) == 1]
    marks += [Mark(place, "move") for place in _touched(history, made, ring)]
    if last and made:
        marks += [Mark(place, "last") for place in _touched(history, made - 1, history.moves[made - 1][1])]
    return position_svg(game, state, record.size, title, marks)


def _touched(history: History, made: int, move: int | None) -> list[int]:
    """Return the places that a move changes in a position of a game; in Go that of its stone."""
    board = history.game.find(Picture)
    if board is None or move is None:
        return []
    if board.script:
        return [move] if move >= 0 else []
    state = history.positions[made]
    return _changed(board.signs(state), board.signs(history.game.play(state, history.game.move_at(move, history.size))))


def _changed(before: Sequence[str], after: Sequence[str]) -> list[int]:
    return [place for place, two in enumerate(zip(before, after, strict=True)) if two[0] != two[1]]
