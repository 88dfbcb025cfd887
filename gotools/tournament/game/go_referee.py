"""Go by the rules of the tournament: legality, captures, repetition."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game.outcome import Count, End
from gotools.go.board import Board
from gotools.go.estimate.scoring import area_score, territory_score, whole_chains
from gotools.go.points import BLACK, NONE, PASS, WHITE, parse_vertex, vertex
from gotools.go.rule_sets import KOS, SCORINGS, GameRules, rule_set

REPEATS: Final = 3
"""Occurrences of a position with the same side to move that end a game under simple ko."""


def warm_up_go() -> None:
    """Load or compile all that games of Go need."""
    for ko in KOS:
        for scoring in SCORINGS:
            referee = GoReferee(3, rule_set("chinese", scoring, ko))
            referee.begin([0])
            for colour, text in ((WHITE, "B2"), (BLACK, "C3"), (WHITE, "A2"), (BLACK, "pass"), (WHITE, "B1")):
                referee.play(colour, referee.why_illegal(colour, text)[0])
            referee.score(referee.chains_of([8]), 0.5)


class GoReferee:
    """Follow one game; see Referee.

    moves -- (colour, point) made so far, handicap stones not among them
    """

    def __init__(self, size: int, rules: GameRules) -> None:
        self.board = Board(size)
        self.rules = rules
        self.moves: list[tuple[int, int]] = []
        self._passes = 0

    def begin(self, handicap: list[int]) -> None:
        """Put handicap stones on the empty board."""
        cells = np.zeros(self.board.side**2, np.uint8)
        cells[handicap] = BLACK
        self.board = Board.from_cells(cells, self.board.side, WHITE if handicap else BLACK)

    @property
    def longest(self) -> int:
        """Three moves for each point of the board."""
        return 3 * self.board.side**2

    @property
    def to_play(self) -> int:
        """The side to play."""
        return self.board.to_play

    @property
    def over(self) -> bool:
        """Return whether both have passed, one after the other."""
        return self._passes >= 2

    @property
    def verdict(self) -> Count | None:
        """The end without result by repetition; a game that is `over` has to be counted with the engines."""
        return Count("Void", End.cycle, "the same position for the third time") if self.repeated else None

    def text(self, move: int) -> str:
        """Return a move as GTP has it."""
        return vertex(move, self.board.side)

    @property
    def repeated(self) -> bool:
        """Return whether a position has come so often under simple ko that the game has no result."""
        return self.rules.ko == "simple" and self.board.occurrences >= REPEATS

    def why_illegal(self, colour: int, text: str) -> tuple[int, str]:
        """Return the point of a move as an engine wrote it, and why it is illegal ("" if it is not)."""
        try:
            point = parse_vertex(text, self.board.side)
        except ValueError:
            return NONE, "not a point of the board" if text else "an empty answer"
        if point == NONE:
            return NONE, "not a point of the board"
        why = self.board.why_illegal(point, colour, ko=self.rules.ko, suicide=self.rules.suicide)
        return point, f"{self.rules.ko} superko" if why == "superko" else why

    def play(self, colour: int, point: int) -> None:
        """Make a legal move."""
        self.board.play_point(point, colour)
        self.moves.append((colour, point))
        self._passes = self._passes + 1 if point == PASS else 0

    def score(self, dead: list[int], komi: float) -> float:
        """Return black's points less white's and komi, when whole chains of dead stones are taken off."""
        if self.rules.scoring == "area":
            return area_score(self.board, dead, komi)
        return territory_score(self.board, dead, self.board.taken, komi)

    def chains_of(self, points: list[int]) -> list[int]:
        """Return the points of all chains that have a stone among some points."""
        return sorted(whole_chains(self.board, points))
