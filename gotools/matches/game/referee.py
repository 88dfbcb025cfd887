"""The referee of one game: what a tournament asks of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gotools.base.errors import shown
from gotools.game.game import Game, find_game
from gotools.game.history import History
from gotools.game.outcome import Count
from gotools.game.traits import Scoring, SetUp

LONGEST: Final = 500
"""Moves after which a game that is not counted, and whose rules have no limit, is a draw."""
NO_MOVE: Final = -1
PASS: Final = "pass"
"""A pass as GTP has it."""


class Referee:
    """Follow one game.

    rules   -- the rule set of a game that has several
    scoring -- how the game is counted; None for a game that ends by its rules alone
    contested -- moves of the contested part so far: all; in a game that is counted those before the first pass, less
                 the last of these that changed nothing in the count of the board as it stands by the usual rules
    """

    def __init__(self, game: Game, size: int, rules: Any = None) -> None:
        self.game, self.size, self.rules = game, size, rules
        self.scoring = game.find(Scoring)
        self.history = History.start(game, size, rules)
        self.contested = 0
        self._passed, self._changed, self._stood = False, 0, self._stands()

    def begin(self, handicap: Sequence[int]) -> None:
        """Put handicap stones on the empty board, if there are any; the other side then moves first."""
        if handicap:
            first = self.game.need(SetUp).put(self.history.state, [(1, place) for place in handicap], 2)
            self.history = History.start(self.game, self.size, self.rules, first)
            self._stood = self._stands()

    @property
    def moves(self) -> list[tuple[int, int]]:
        """The moves made so far as side, 1 or 2, and move; handicap stones are not among them."""
        return list(self.history.moves)

    @property
    def longest(self) -> int:
        """Moves that a game may have where the settings say nothing."""
        return self.scoring.longest(self.size) if self.scoring else self.game.plies or LONGEST

    @property
    def to_play(self) -> int:
        """The side to play."""
        return self.history.to_play

    @property
    def verdict(self) -> Count | None:
        """The result by the rules alone; None while the game goes on, or if it has to be counted."""
        return self.history.verdict()

    def why_illegal(self, colour: int, text: str) -> tuple[int, str]:
        """Return the move of an engine's answer, and why it is illegal ("" if it is not)."""
        if not text:
            return NO_MOVE, "an empty answer"
        try:
            move = self.history.parse(text)
        except ValueError as error:
            return NO_MOVE, shown(error, 200)
        return move, self.history.why_illegal(colour, move)

    def play(self, colour: int, move: int) -> None:
        """Make a legal move."""
        self.history = self.history.after(colour, move)
        if self._passed:
            return
        self._passed = self.scoring is not None and self.text(move) == PASS
        stood, self._stood = self._stood, self._stands()
        made = len(self.history.moves)
        self._changed = made if stood != self._stood else self._changed
        self.contested = self._changed if self._passed else made

    def _stands(self) -> float:
        """Return black's lead with all stones alive by the usual rules, without komi; 0 in a game without a count."""
        return self.scoring.count(self.history.state, (), self.scoring.usual, 0.0) if self.scoring else 0.0

    def text(self, move: int) -> str:
        """Return a move as GTP has it."""
        return self.history.text(move)

    # of games that are counted ----------------------------------------------------------------------------------------

    def score(self, dead: Sequence[int], komi: float) -> float:
        """Return black's points less white's and komi, when whole chains of dead stones are taken off."""
        assert self.scoring is not None
        return self.scoring.count(self.history.state, dead, self.rules, komi)

    def estimate(self, komi: float, seed: int) -> float:
        """Return black's lead with the dead stones that playouts find, where the rules take these off."""
        assert self.scoring is not None
        return self.scoring.estimate(self.history.state, komi, rules=self.rules, seed=seed)

    def chains_of(self, points: Sequence[int]) -> list[int] | None:
        """Return the points of all chains that have a stone among some points; None unless all of these are stones."""
        assert self.scoring is not None
        return self.scoring.chains(self.history.state, points)


def warm_up(game: str, size: int) -> None:
    """Load or compile all that games need: compilation blocks the threads that keep time."""
    found = find_game(game)
    scoring = found.find(Scoring)
    for rules in scoring.rules.values() if scoring else (None,):
        referee = Referee(found, size, rules)
        move = referee.history.legal_moves()[0]
        referee.why_illegal(referee.to_play, referee.text(move))
        referee.play(referee.to_play, move)
        referee.history.legal_moves(), referee.verdict
        if scoring:
            referee.score(referee.chains_of([move]) or [], 0.5)
    if scoring:
        scoring.estimate(scoring.finished(size), 0.5)
