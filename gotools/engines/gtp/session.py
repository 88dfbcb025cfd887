"""The game that a GTP controller sets up and plays, and the player that thinks about it.

What a command may change is one frozen GameState, replaced as a whole: a command that fails leaves it as it was.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from gotools.base.clock import TimeControl, TimeLeft, clock_after, full_clock
from gotools.base.errors import GotoolsError
from gotools.engines.gtp.thinking import GRACE, HOPELESS_MOVES, Session
from gotools.engines.settings import PlayerSettings
from gotools.engines.time_for_move import seconds_for_move
from gotools.game.choice import Choice, Limits, Report
from gotools.game.history import History
from gotools.games.go.board import Board
from gotools.games.go.history import history_of
from gotools.games.go.points import EMPTY, board_text
from gotools.games.go.rule_sets import GameRules, rule_set

if TYPE_CHECKING:
    from gotools.engines.player import Player

BEFORE_ANY: Final = rule_set("chinese-kgs")
"""The rules until the controller sets some."""


@dataclass(frozen=True, slots=True, eq=False)
class Thought:
    """A choice, and the position that it was made for."""

    history: History
    colour: int
    choice: Choice


@dataclass(frozen=True, slots=True, eq=False)
class GameState:
    """A game as it stands; boards in it are never changed.

    start -- the board before `moves`, with handicap and set-up stones: undo goes back no further
    moves -- (colour, point) each
    left  -- the clocks of black and white
    rules -- legality, what is counted at the end, and whether dead stones are taken off before
    hopeless -- how many moves in a row black and white held their game for lost
    thought  -- of the last genmove
    """

    start: Board
    board: Board
    moves: tuple[tuple[int, int], ...]
    komi: float
    control: TimeControl
    left: tuple[TimeLeft, TimeLeft]
    rules: GameRules = BEFORE_ANY
    hopeless: tuple[int, int] = (0, 0)
    thought: Thought | None = None

    def empty(self) -> int:
        """Count the empty points."""
        return int((self.board.cells == EMPTY).sum())

    def made(self, colour: int) -> int:
        """Count the moves of a side."""
        return sum(mover == colour for mover, _ in self.moves)


@dataclass(eq=False)
class GtpSession(Session):
    """A game of Go and its player. Commands are functions of this and their words."""

    player: Player
    state: GameState

    @classmethod
    def begin(cls, player: Player, settings: PlayerSettings, size: int = 9, komi: float = 7.5) -> GtpSession:
        """Start with an empty board and no clock. Raises GotoolsError for a size that the player does not know."""
        check_size(player, size)
        board, control = Board(size), TimeControl()
        full = full_clock(control)
        return cls(player, settings, GameState(board, board, (), komi, control, (full, full)))

    @property
    def rules(self) -> GameRules:
        """The rules of the game as the controller and the command line set them."""
        rules = self.state.rules
        return replace(rules, friendly=rules.friendly and not self.settings.capture_all_dead)

    # the game --------------------------------------------------------------------------------------------------------

    def set_up(self, board: Board, moves: tuple[tuple[int, int], ...] = ()) -> None:
        """Begin a game from a position, with moves that are legal; clocks are full again. Komi and clock kind stay.

        Raises GotoolsError for a size that the player does not know.
        """
        if self.player.size not in (None, board.side):
            raise GotoolsError("unacceptable size")
        now = board.copy()
        for colour, point in moves:
            now.play_point(point, colour)
        full = full_clock(self.state.control)
        self.state = GameState(
            start=board,
            board=now,
            moves=moves,
            komi=self.state.komi,
            control=self.state.control,
            left=(full, full),
            rules=self.state.rules,
        )
        self.player.forget()

    def _why_illegal(self, colour: int, point: int) -> str:
        """Return why the rules of the game forbid a move, or ""."""
        rules = self.state.rules
        return self.state.board.why_illegal(point, colour, ko=rules.ko, suicide=rules.suicide)

    def play(self, colour: int, point: int) -> None:
        """Make a move. Raises GotoolsError where the rules forbid it."""
        if self._why_illegal(colour, point):
            raise GotoolsError("illegal move")
        board = self.state.board.copy()
        board.play_point(point, colour)
        self.state = replace(self.state, board=board, moves=(*self.state.moves, (colour, point)))

    def undo(self, count: int = 1) -> None:
        """Take back the last moves. Raises GotoolsError where there are fewer."""
        if not 1 <= count <= len(self.state.moves):
            raise GotoolsError("cannot undo")
        moves = self.state.moves[:-count]
        board = self.state.start.copy()
        for colour, point in moves:
            board.play_point(point, colour)
        self.state = replace(self.state, board=board, moves=moves, hopeless=(0, 0), thought=None)

    # thinking --------------------------------------------------------------------------------------------------------

    def allotted(self, colour: int) -> float | None:
        """Return the seconds that a move may take now; None: no limit by time."""
        state = self.state
        left = state.left[colour - 1]
        left = replace(left, seconds=max(left.seconds - self.late, 0.0))
        seconds = seconds_for_move(state.control, left, state.board.side, state.empty(), state.made(colour))
        if seconds is None:
            seconds = self.settings.seconds
        return min(seconds, GRACE) if self.ended and seconds is not None else seconds

    def think(
        self,
        colour: int,
        report: Report | None = None,
        limits: Limits | None = None,
        *,
        cleanup: bool = False,
        allowed: Collection[int] | None = None,
        endless: bool = False,
    ) -> Choice:
        """Choose a move; the game is not changed.

        limits  -- None: those of clock and command line
        endless -- think until there is news from the controller
        """
        if limits is None:
            limits = Limits(self.allotted(colour), self.settings.nodes, self.settings.depth)
        history = history_of(self.state.board, self.state.komi)
        alive = not self.rules.friendly
        with self.thinking(endless):
            return self.player.choose(
                history, limits, report, side=colour, cleanup=cleanup, alive=alive, allowed=allowed
            )

    def make(self, colour: int, choice: Choice, *, resign: bool = True) -> int | None:
        """Make the move that was thought of last, or resign; the own clock ran since the thinking began.

        Returns the point, PASS for a pass, None where the player resigns.
        """
        history = history_of(self.state.board, self.state.komi)
        thought, point = Thought(history, colour, choice), choice.move
        hopeless = self.hopeless_after(colour, choice.chance)
        resigns = resign and hopeless[colour - 1] >= HOPELESS_MOVES
        if not resigns:
            if why := self._why_illegal(colour, point):
                raise RuntimeError(f"the player chose an illegal move: {point} ({why})")
            self.play(colour, point)
        left = clock_after(self.state.control, self.state.left[colour - 1], time.monotonic() - self.began)
        self.state = replace(self.state, thought=thought, hopeless=hopeless)
        self.set_left(colour, left)
        return None if resigns else point


def check_size(player: Player, size: int) -> None:
    """Raise GotoolsError for a board size that the player does not know."""
    if player.size not in (None, size):
        raise GotoolsError(f"--eval: weights for {board_text(player.size)}, not for {board_text(size)}")
