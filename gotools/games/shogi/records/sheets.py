"""A game in the making: Sheet takes the lines of a record; read_sheets makes games of the lines of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, Final

import numpy as np

from gotools.errors import quoted, shown
from gotools.files.lines import TOO_LONG
from gotools.game.records.mainline import MOST_MOVES
from gotools.game.records.record import Problem, Record
from gotools.game.records.replay import replayed
from gotools.games.shogi.kernels.pieces import DECLARE
from gotools.games.shogi.records.lines import Line
from gotools.games.shogi.shogi import DECLARATION, SHOGI

MOST_OF_NAME: Final = 200
"""Characters of a player's name that are kept."""


class BrokenSheet(Exception):
    """A game that cannot be read; the line is known to who reads it."""


class Sheet:
    """A game in the making.

    begins -- lines that begin another game after moves; plays -- lines that are moves
    side   -- to play; over -- whether the game has ended, and winner -- who has won it then, 0 for none
    remark -- what a person should know about the game, which can be read all the same
    """

    begins: ClassVar[re.Pattern[str]]
    plays: ClassVar[re.Pattern[str]]

    def __init__(self) -> None:
        self.setting = ""
        self.moves: list[tuple[int, int]] = []
        self.side = 1
        self.over = False
        self.winner = 0
        self.remark = ""
        self.ranks, self.players = ["", ""], ["", ""]

    def take(self, text: str) -> None:
        """Take in a line. Raises BrokenSheet."""
        raise NotImplementedError

    def finish(self) -> None:
        """Take in the end of the game. Raises BrokenSheet."""

    def move(self, side: int, text: str) -> None:
        """Add a move as USI writes it. Raises BrokenSheet for other text, after the end, and for too many."""
        try:
            move = SHOGI.parse_move(text, SHOGI.sizes[0])
        except ValueError as error:
            raise BrokenSheet(f"move {len(self.moves) + 1}: {error}") from error
        if self.over:
            raise BrokenSheet("a move after the end of the game")
        if len(self.moves) >= MOST_MOVES:
            raise BrokenSheet(f"more than {MOST_MOVES} moves")
        self.moves.append((side, move))
        self.side = 3 - side

    def end(self, winner: int) -> None:
        """End the game, once."""
        if not self.over:
            self.over, self.winner = True, winner

    def end_unknown(self, word: str) -> None:
        """End the game by a word that says nothing of the winner."""
        if not self.over:
            self.remark = f"the game ends with {quoted(word, 30)}, which is not known; its result is unknown"
        self.end(0)

    def declare(self) -> None:
        """End the game by the declaration of the side to play."""
        if not self.over:
            side = self.side
            self.move(side, DECLARATION)
            self.end(side)

    def game(self, name: str) -> Record:
        """Return the game. Raises BrokenSheet."""
        self.finish()
        found = Record(
            id=name,
            size=SHOGI.sizes[0],
            moves=np.array(self.moves, np.int32).reshape(-1, 2),
            players=(self.players[0], self.players[1]),
            ranks=(self.ranks[0], self.ranks[1]),
            result=("", "B+", "W+")[self.winner],
            setting=self.setting,
        )
        return self._declared(found) if self.moves and self.moves[-1][1] == DECLARE else found

    def read(self, name: str, line: int | None) -> Iterator[Record | Problem]:
        """Yield the game, and the remark with the line of its end. Raises BrokenSheet."""
        yield self.game(name)
        if self.remark:
            yield Problem(self.remark, line, harmless=True)

    def _declared(self, found: Record) -> Record:
        """Return a game without the declaration at its end if the position does not allow it; its winner stays."""
        legal = 0
        with suppress(ValueError):  # of an illegal move
            for _ in replayed(found, SHOGI):
                legal += 1
        if legal != len(found.moves) - 1:
            return found
        self.remark = f"the declaration after move {legal} does not fulfil the 27-point rule; the result is kept"
        return replace(found, moves=found.moves[:-1])


def read_sheets(lines: Iterator[Line], kind: type[Sheet], stem: str) -> Iterator[Record | Problem]:
    """Read the games of a file; one that cannot be read is a problem, and the others are read."""
    number, last = 1, None
    sheet, playing, broken = kind(), False, False

    def finished() -> Iterator[Record | Problem]:
        try:
            if not broken:
                yield from sheet.read(stem if number == 1 else f"{stem}#{number}", last)
        except BrokenSheet as error:
            yield Problem(str(error), last)

    for line in lines:
        if playing and kind.begins.match(line.text):
            yield from finished()
            number += 1
            sheet, playing, broken = kind(), False, False
        playing = playing or kind.plays.match(line.text) is not None
        last = line.number
        if broken:
            continue
        try:
            if line.cut:
                raise BrokenSheet(TOO_LONG)
            sheet.take(line.text)
        except BrokenSheet as error:
            broken = True
            yield Problem(shown(str(error), 200), line.number)
    if playing or number == 1:
        yield from finished()
