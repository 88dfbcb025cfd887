"""The game that a controller sets up and plays, the player that thinks about it, and the line to the controller.

What a command may change is one frozen SessionState, replaced as a whole: a command that fails leaves it as it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self

from gotools.base.clock import TimeControl, TimeLeft, clock_after, full_clock
from gotools.base.errors import GotoolsError
from gotools.engines.settings import PlayerSettings
from gotools.engines.time_for_move import seconds_for_move
from gotools.game.choice import Choice, Limits, Report
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.traits import Scoring

if TYPE_CHECKING:
    from gotools.engines.player import Player

GRACE: Final = 5.0
"""Seconds that a move may take once stdin has ended."""
HOPELESS_MOVES: Final = 3
"""Own moves in a row below the threshold before the player resigns."""


class Link(Protocol):
    """The controller's side of the line, as commands see it."""

    def say(self, line: str) -> None:
        """Send a line of an answer that goes on; the first call begins the answer."""

    def news(self) -> bool:
        """Return whether anything has come in since the command, the end of input included."""

    def wait(self, seconds: float) -> None:
        """Wait until there is news, or until the seconds are over."""


@dataclass(frozen=True, slots=True, eq=False)
class Thought:
    """A choice, and the game and the side that it was made for."""

    history: History
    side: int
    choice: Choice


@dataclass(frozen=True, slots=True, eq=False)
class SessionState:
    """A game as it stands.

    history -- begins with handicap and set-up stones: undo goes back no further. Its rules are those of the controller
    left    -- the clocks of both sides
    hopeless -- how many moves in a row each side held its game for lost
    thought -- of the last genmove
    """

    history: History
    komi: float
    control: TimeControl
    left: tuple[TimeLeft, TimeLeft]
    hopeless: tuple[int, int] = (0, 0)
    thought: Thought | None = None


@dataclass(eq=False)
class Session:
    """A game, its player, and the line to the controller. Commands are functions of this and their words.

    link, commands -- set by the server before the first command; commands by name
    ended  -- set by the server when stdin has ended
    over   -- set by `quit`
    """

    player: Player
    settings: PlayerSettings
    state: SessionState
    link: Link = field(init=False)
    commands: Mapping[str, Command] = field(init=False)
    ended: bool = False
    over: bool = False

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.began = 0.0  # when the last thinking did: until it is answered the own clock runs
        self._since: float | None = None
        self._endless = False

    @classmethod
    def begin(cls, player: Player, settings: PlayerSettings, size: int | None = None, komi: float = 0.0) -> Self:
        """Start with the first position and no clock.

        size -- of the board; None: that of the player, or the usual one

        Raises GotoolsError for a size that the player does not know.
        """
        size = check_size(player, size)
        control, scoring = TimeControl(), player.game.find(Scoring)
        full = full_clock(control)
        history = History.start(player.game, size, scoring.usual if scoring else None)
        return cls(player, settings, SessionState(history, komi, control, (full, full)))

    @property
    def game(self) -> Game:
        """The player's, or the same from another start."""
        return self.state.history.game

    @property
    def rules(self) -> Any:
        """The rules of the game as the controller and the command line set them; None in a game that has one set."""
        rules = self.state.history.rules
        return rules and replace(rules, friendly=rules.friendly and not self.settings.capture_all_dead)

    # the game --------------------------------------------------------------------------------------------------------

    def set_up(self, history: History) -> None:
        """Begin a game, with moves that are made already; clocks are full again. Komi and clock kind stay.

        Raises GotoolsError for a size that the player does not know.
        """
        if self.player.size not in (None, history.size):
            raise GotoolsError("unacceptable size")
        full = full_clock(self.state.control)
        self.state = SessionState(history, self.state.komi, self.state.control, (full, full))
        self.player.forget()

    def clear(self, size: int | None = None, setting: str = "") -> None:
        """Begin a new game, by the same rules; see `set_up`.

        size    -- of the board; None: as before
        setting -- of the start, further than that of the player's game

        Raises GotoolsError for a setting that the game does not have, too.
        """
        game, before = self.player.game.started_from(setting), self.state.history
        self.set_up(History.start(game, size or before.size, before.rules))

    def check_turn(self, side: int) -> None:
        """Raise GotoolsError unless a side may make a move now."""
        if why := self.state.history.why_waits(side):
            raise GotoolsError(why)

    def play(self, side: int, move: int) -> None:
        """Make a move. Raises GotoolsError where it is illegal."""
        self.check_turn(side)
        history = self.state.history
        if history.why_illegal(side, move):
            why = history.game.why_illegal(history.state, history.game.move_at(move, history.size))
            raise GotoolsError("illegal move" + (f": {why}" if why else ""))
        self.state = replace(self.state, history=history.after(side, move))

    def undo(self, count: int = 1) -> None:
        """Take back the last moves. Raises GotoolsError where there are fewer."""
        history = self.state.history
        if not 1 <= count <= len(history.moves):
            raise GotoolsError("cannot undo")
        self.state = replace(self.state, history=history.back(count), hopeless=(0, 0), thought=None)

    # clocks ----------------------------------------------------------------------------------------------------------

    def set_clock(self, control: TimeControl) -> None:
        """Change the kind of clock; both sides' are full."""
        full = full_clock(control)
        self.state = replace(self.state, control=control, left=(full, full))

    def set_left(self, side: int, left: TimeLeft) -> None:
        """Set the clock of a side to what the controller says that it shows."""
        black, white = self.state.left
        self.state = replace(self.state, left=(left, white) if side == 1 else (black, left))

    def allotted(self, side: int) -> float | None:
        """Return the seconds that a move may take now; None: no limit by time."""
        state, history = self.state, self.state.history
        left = state.left[side - 1]
        made = sum(mover == side for mover, _ in history.moves)
        seconds = seconds_for_move(state.control, left, history.size, self.game.room(history.state), made)
        if seconds is None:
            seconds = self.settings.seconds
        return min(seconds, GRACE) if self.ended and seconds is not None else seconds

    # thinking --------------------------------------------------------------------------------------------------------

    def think(
        self,
        side: int,
        report: Report | None = None,
        limits: Limits | None = None,
        *,
        cleanup: bool = False,
        allowed: Collection[int] | None = None,
        endless: bool = False,
    ) -> Choice:
        """Choose a move; the game is not changed.

        limits  -- None: those of clock and command line
        cleanup -- as in `Player.choose`
        allowed -- None: all, without those that repeat a position unless the side was behind by the last choice
        endless -- think until there is news from the controller
        """
        if limits is None:
            limits = Limits(self.allotted(side), self.settings.nodes, self.settings.depth)
        history, rules = self.state.history.with_komi(self.state.komi), self.rules
        if allowed is None and not self._is_behind(side):
            allowed = history.wanted()
        alive = rules is not None and not rules.friendly
        with self.thinking(endless):
            return self.player.choose(history, limits, report, side=side, cleanup=cleanup, alive=alive, allowed=allowed)

    def choices(self, side: int) -> set[int]:
        """Return the moves that the player may choose among. Raises GotoolsError where the game is over."""
        history = self.state.history
        moves = history.unrepeated(side, self.game.moves_of(history.asked(side)))
        return {self.game.place_of(move, history.size) for move in moves}

    def _is_behind(self, side: int) -> bool:
        """Return whether a side was behind by the last choice, its own or the other side's."""
        thought = self.state.thought
        return thought is not None and (thought.choice.value if thought.side == side else -thought.choice.value) < 0

    def make(self, side: int, choice: Choice, *, resign: bool = True) -> int | None:
        """Make the move that was thought of last, or resign (None); the own clock ran since the thinking began."""
        history = self.state.history
        hopeless = self._hopeless_after(side, choice.chance)
        resigns = resign and hopeless[side - 1] >= HOPELESS_MOVES
        if not resigns:
            if why := history.why_illegal(side, choice.move):
                raise RuntimeError(f"the player chose an illegal move: {choice.move} ({why})")
            self.state = replace(self.state, history=history.after(side, choice.move))
        left = clock_after(self.state.control, self.state.left[side - 1], time.monotonic() - self.began)
        thought = Thought(history.with_komi(self.state.komi), side, choice)
        self.state = replace(self.state, thought=thought, hopeless=hopeless)
        self.set_left(side, left)
        return None if resigns else choice.move

    def _hopeless_after(self, side: int, chance: float) -> tuple[int, int]:
        """Return how many own moves in a row each side held its game for lost, this one counted."""
        lost = self.settings.resign is not None and chance < self.settings.resign
        black, white = self.state.hopeless
        if side == 1:
            return (black + 1 if lost else 0, white)
        return (black, white + 1 if lost else 0)

    @contextmanager
    def thinking(self, endless: bool) -> Iterator[None]:
        """Let the thread that reads end what the block computes."""
        now = time.monotonic()
        self.began = now
        with self._lock:
            self._since, self._endless = now, endless
        try:
            yield
        finally:
            with self._lock:
                self._since = None

    # called by the thread that reads ---------------------------------------------------------------------------------

    def input_came(self) -> None:
        """End an endless analysis, unless this line began it."""
        with self._lock:
            if self._since is not None and self._endless and self.link.news():
                self.player.stop()

    def hurry(self, ended_at: float, abandoned: bool) -> None:
        """End a search whose grace after the end of stdin is over, or whose answer is not read; called repeatedly."""
        with self._lock:
            if self._since is not None:
                late = time.monotonic() - max(self._since, ended_at) > GRACE
                if late or abandoned or self._endless:
                    self.player.stop()


def check_size(player: Player, size: int | None) -> int:
    """Return the size of the first board. Raises GotoolsError for one that the player does not know.

    size -- None: that of the player, or the usual one
    """
    size = size or player.size or player.game.sizes[0]
    if player.size not in (None, size):
        known, wanted = (player.game.usual.board.format(one) for one in (player.size, size))
        raise GotoolsError(f"--eval: weights for {known}, not for {wanted}")
    return size


Command = Callable[[Any, list[str]], str]
"""Obey, with a session and the words after the name; returns the answer's text. Raises GotoolsError or ValueError to
refuse."""


class Row(NamedTuple):
    """A command in the table of commands.

    trait -- of the games that have the command; None: all
    has   -- False where the command is for games without the trait
    """

    obey: Command
    trait: type | None = None
    has: bool = True

    def is_of(self, game: Game) -> bool:
        """Return whether a game has the command."""
        return self.trait is None or game.has(self.trait) == self.has
