"""The game of a GTP controller in any game but Go, and the player that thinks about it.

What a command may change is one frozen GenericGameState, replaced as a whole: a command that fails leaves it as it was.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gotools.base.clock import TimeControl, TimeLeft, clock_after, full_clock
from gotools.base.errors import GotoolsError
from gotools.engines.gtp.thinking import FIRST_NODES, GRACE, HOPELESS_MOVES, Session
from gotools.engines.player import Player
from gotools.engines.settings import PlayerSettings
from gotools.engines.time_for_move import seconds_for_move
from gotools.game.choice import Choice, Limits, Report
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.traits import Repetition

Position = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class GenericGameState:
    """A game as it stands; positions in it are never changed.

    left      -- the clocks of both sides
    hopeless  -- how many moves in a row each side held its game for lost
    thought   -- the game before the last genmove, and its choice
    """

    history: History
    control: TimeControl
    left: tuple[TimeLeft, TimeLeft]
    hopeless: tuple[int, int] = (0, 0)
    thought: tuple[History, Choice] | None = None

    @property
    def position(self) -> Position:
        """Return the position now."""
        return self.history.state

    @property
    def to_play(self) -> int:
        """Return the side to play, 1 or 2."""
        return self.history.to_play


@dataclass(eq=False)
class GameSession(Session):
    """A game and its player. Commands are functions of this and their words."""

    player: Player
    state: GenericGameState

    @property
    def game(self) -> Game:
        """The player's, or the same from another start."""
        return self.state.history.game

    @classmethod
    def begin(cls, player: Player, settings: PlayerSettings) -> GameSession:
        """Start with the first position and no clock."""
        control = TimeControl()
        full = full_clock(control)
        start = History.start(player.game, player.size or player.game.sizes[0])
        return cls(player, settings, GenericGameState(start, control, (full, full)))

    # the game --------------------------------------------------------------------------------------------------------

    @property
    def is_finished(self) -> bool:
        """Return whether the game is over."""
        return self.state.history.verdict() is not None

    def clear(self, setting: str = "") -> None:
        """Begin a new game, perhaps with a further setting; the kind of clock stays, clocks are full.

        Raises GotoolsError for a setting that the game does not have.
        """
        game = self.player.game.started_from(setting)
        full = full_clock(self.state.control)
        start = History.start(game, self.state.history.size)
        self.state = GenericGameState(start, self.state.control, (full, full))
        self.player.forget()

    def check_turn(self, colour: int) -> None:
        """Raise GotoolsError unless a side may play now."""
        if self.is_finished:
            raise GotoolsError("the game is over")
        if colour != self.state.to_play:
            raise GotoolsError(f"it is the turn of {'bw'[self.state.to_play - 1]}")

    def play(self, colour: int, move: int) -> None:
        """Make a move. Raises GotoolsError where it is illegal."""
        self.check_turn(colour)
        state, game = self.state, self.game
        if move not in game.moves_of(state.position):
            why = game.why_illegal(state.position, move)
            raise GotoolsError("illegal move" + (f": {why}" if why else ""))
        self.state = replace(state, history=state.history.after(colour, move))

    def undo(self, count: int = 1) -> None:
        """Take back the last moves. Raises GotoolsError where there are fewer."""
        state = self.state
        if not 1 <= count <= len(state.history.moves):
            raise GotoolsError("cannot undo")
        self.state = replace(state, history=state.history.back(count), hopeless=(0, 0), thought=None)

    # thinking --------------------------------------------------------------------------------------------------------

    def allotted(self, colour: int) -> float | None:
        """Return the seconds that a move may take now; None: no limit by time."""
        state = self.state
        left = state.left[colour - 1]
        left = replace(left, seconds=max(left.seconds - self.late, 0.0))
        made = len(state.history.moves) // 2
        seconds = seconds_for_move(state.control, left, state.history.size, 0, made)
        if seconds is None:
            seconds = self.settings.seconds
        return min(seconds, GRACE) if self.ended and seconds is not None else seconds

    def think(
        self,
        report: Report | None = None,
        limits: Limits | None = None,
        *,
        allowed: Collection[int] | None = None,
        endless: bool = False,
    ) -> Choice:
        """Choose a move for the side to play; the game is not changed.

        limits  -- None: those of clock and command line
        endless -- think until there is news from the controller
        """
        if limits is None:
            limits = Limits(self.allotted(self.state.to_play), self.settings.nodes, self.settings.depth)
        if allowed is None:
            allowed = self._to_new_positions()
        with self.thinking(endless):
            return self.player.choose(self.state.history, limits, report, allowed=allowed)

    def _to_new_positions(self) -> Collection[int] | None:
        """Return the moves to positions that this game has not had; None for all moves.

        All are considered where the game knows no draw by repetition, where none leads to a new position, and where the
        side to play was behind by the last choice, its own or the other side's.
        """
        repetition = self.game.find(Repetition)
        if repetition is None or not repetition.count or self._is_behind():
            return None
        return self.state.history.moves_to_new_positions() or None

    def _is_behind(self) -> bool:
        if self.state.thought is None:
            return False
        before, choice = self.state.thought
        return (choice.value if before.to_play == self.state.to_play else -choice.value) < 0

    def make(self, choice: Choice) -> int | None:
        """Make the move that was thought of last, or resign (None); the own clock ran since the thinking began."""
        before, colour = self.state.history, self.state.to_play
        hopeless = self.hopeless_after(colour, choice.chance)
        resigns = hopeless[colour - 1] >= HOPELESS_MOVES
        if not resigns:
            self.play(colour, choice.move)
        left = clock_after(self.state.control, self.state.left[colour - 1], time.monotonic() - self.began)
        self.state = replace(self.state, thought=(before, choice), hopeless=hopeless)
        self.set_left(colour, left)
        return None if resigns else choice.move


def warm_up(player: Player) -> None:
    """Rehearse the first moves of a game: what any game needs is compiled or loaded before the clock runs."""
    session = GameSession.begin(player, PlayerSettings(nodes=FIRST_NODES))
    move = session.make(session.think())
    assert move is not None and session.state.thought is not None
    before, choice = session.state.thought
    player.explain(before, before.to_play, choice)
    position = session.state.position
    player.game.draw(position)
    player.game.why_illegal(position, move)
    session.think(limits=Limits(seconds=0.0))  # a search without a limit of nodes goes on with the last tree
    player.forget()
