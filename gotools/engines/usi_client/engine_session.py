"""A game over GTP in which a USI engine chooses the moves: our server, commands and rules, its thoughts.

The engine gets the whole game before each move. A move that it may not make is passed on as it is, for the referee to
judge; an engine that ends takes the process with it, so that the controller sees a crash.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.clock import TimeControl, TimeLeft, clock_after
from gotools.base.errors import EngineError, GotoolsError, quoted
from gotools.engines.gtp.arguments import is_colour, read_colour, syntax_error
from gotools.engines.gtp.commands import commands_of
from gotools.engines.gtp.session import Command, Session, SessionState, Thought
from gotools.engines.player import Player
from gotools.engines.settings import PlayerSettings
from gotools.engines.usi.info_lines import value_of
from gotools.engines.usi_client.engine import UsiEngine
from gotools.game.choice import Choice, Limits, Option, Report
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.traits import Repetition
from gotools.games.shogi import board as b
from gotools.games.shogi.kernels import pieces as p

MOST_LINES: Final = 64
"""Lines of MultiPV that are kept."""
DEFAULT: Final = "btime 0 wtime 0 byoyomi 1000"
"""What the engine is told without a clock and limits: a second a move."""


class Heard:
    """What an engine says of its search of a position, as a choice."""

    def __init__(self, game: Game, state: NDArray[np.int32]) -> None:
        self._game, self._state = game, state
        self._options: dict[int, Option] = {}
        self._depth = self._nodes = 0

    def hear(self, line: str) -> None:
        """Read an `info` line; what cannot be read is passed over."""
        words = line.split()
        if "pv" not in words or "string" in words:
            return
        at = words.index("pv")
        said = dict(pairwise(words[1 : at + 1]))
        moves = self._legal(words[at + 1 :])
        if not moves:
            return
        self._depth = _number(said.get("depth"), self._depth)
        self._nodes = _number(said.get("nodes"), self._nodes)
        rank = _number(said.get("multipv"), 1)
        if 1 <= rank <= MOST_LINES:
            share = max(self._nodes // rank, 1)
            value = _value(said)
            self._options[rank] = Option(moves[0], value, share, 0.0, moves, _chance(value))

    def choice(self, move: int | None = None) -> Choice | None:
        """Return what was heard, or that with a move that was chosen; None where nothing was."""
        options = tuple(self._options[rank] for rank in sorted(self._options))
        if not options and move is None:
            return None
        first = options[0] if options else None
        move = first.move if move is None and first is not None else move
        assert move is not None
        mine = next((option for option in options if option.move == move), None)
        line, value = (mine.line, mine.value) if mine is not None else ((move,), first.value if first else 0.0)
        why = f"{self._nodes:,} positions to depth {self._depth}" if options else "the engine says nothing of it"
        return Choice(move, value, line, self._nodes, self._depth, why, options, _chance(value))

    def _legal(self, texts: Sequence[str]) -> tuple[int, ...]:
        state, moves = self._state, list[int]()
        for text in texts[:MOST_LINES]:
            move = read_move(self._game, state, text)
            if move is None:
                break
            moves.append(move)
            state = self._game.play(state, move)
        return tuple(moves)


def read_move(game: Game, state: NDArray[np.int32], text: str) -> int | None:
    """Return a legal move, None for any other text."""
    try:
        move = game.parse_move(text, p.ROWS)
    except ValueError:
        return None
    return move if move in game.moves_of(state) else None


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 16 else otherwise


def _chance(value: float) -> float:
    return (value + 1) / 2


def _value(said: Mapping[str, str]) -> float:
    """Return the score of a line as a value for the side to play."""
    kind = said.get("score", "")
    text = said.get(kind, "0")
    if kind == "mate":
        return -1.0 if text.startswith("-") else 1.0
    digits = text.lstrip("+-")
    return value_of((-1 if text.startswith("-") else 1) * _number(digits, 0))


class UsiSearch:
    """Ask a USI engine; `stop` may be called by another thread."""

    def __init__(self, engine: UsiEngine, game: Game) -> None:
        self._engine, self._game = engine, game
        self._stopped = self._has_played = False

    def stop(self) -> None:
        self._stopped = True

    def resume(self) -> None:
        """Forget an earlier `stop`; before a search that may be stopped."""
        self._stopped = False

    def forget(self) -> None:
        if self._has_played:
            self._engine.new_game()
            self._has_played = False

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Choose in a position without a game before it. Raises GotoolsError where the engine names no legal move."""
        self.resume()
        return self.answer(f"sfen {b.write_sfen(state)}", state, _words_of(limits), report)[1]

    def answer(
        self, position: str, state: NDArray[np.int32], go: str, report: Report | None = None
    ) -> tuple[str, Choice]:
        """Return the engine's words, and its choice. Raises GotoolsError where they name no legal move."""
        text, choice = self.ask(position, state, go, report)
        if choice is None:
            raise GotoolsError(f"the engine plays {quoted(text)}")
        return text, choice

    def ask(
        self, position: str, state: NDArray[np.int32], go: str, report: Report | None = None
    ) -> tuple[str, Choice | None]:
        """Return the engine's words, and its choice, None where they name no legal move."""
        self._has_played = True
        heard = Heard(self._game, state)

        def hear(line: str) -> None:
            heard.hear(line)
            if report is not None and (choice := heard.choice()) is not None:
                report(choice)

        text = self._engine.best_move(position, go, lambda: self._stopped, hear)
        move = read_move(self._game, state, text)
        return text, None if move is None else heard.choice(move)


def _words_of(limits: Limits) -> str:
    """Return the words of `go` for limits."""
    if limits.seconds is not None:
        return f"movetime {max(round(1000 * limits.seconds), 1)}"
    words = [f"{name} {value}" for name, value in (("nodes", limits.nodes), ("depth", limits.depth)) if value]
    return " ".join(words) or "infinite"


def clock_words(control: TimeControl, left: tuple[TimeLeft, TimeLeft], to_play: int) -> str:
    """Return the words of `go` for the clocks, in which a move may take main time and byoyomi, or the increment.

    What USI cannot say is said as less: of Japanese periods one, of a Canadian period the share of a move.
    """
    if control.kind == "none":
        return DEFAULT
    mine = left[to_play - 1]
    if control.kind == "fischer":
        times = [max(_milliseconds(side.seconds - control.increment), 0) for side in left]
        added = _milliseconds(control.increment)
        return f"btime {times[0]} wtime {times[1]} binc {added} winc {added}"
    times = [0 if side.stones else _milliseconds(side.seconds) for side in left]
    period = 0.0
    if control.stones:
        moves = control.stones if control.kind == "canadian" else 1
        period = control.period / moves
        if mine.stones:
            period = mine.seconds / (mine.stones if control.kind == "canadian" else 1)
    return f"btime {times[0]} wtime {times[1]} byoyomi {_milliseconds(period)}"


def _milliseconds(seconds: float) -> int:
    return int(1000 * seconds)


@dataclass(eq=False)
class EngineSession(Session):
    """A game, and the engine that chooses its moves.

    limits -- words of `go` that hold in place of clocks; "" for clocks
    """

    search: UsiSearch = field(kw_only=True)
    limits: str = field(default="", kw_only=True)

    @classmethod
    def open(cls, engine: UsiEngine, game: Game, limits: str) -> EngineSession:
        """Start with the first position and no clock."""
        search = UsiSearch(engine, game)
        player = Player(engine.name, game, p.ROWS, search)
        start, full = History.start(game, p.ROWS), TimeLeft(0.0)
        after = game.play(
            start.state, game.moves_of(start.state)[0]
        )  # what has to be compiled or loaded is so before a clock runs
        repetition = game.find(Repetition)
        History(game, p.ROWS, (after,) * max(repetition.count if repetition else 0, 1)).verdict()
        state = SessionState(start, 0.0, TimeControl(), (full, full))
        return cls(player, PlayerSettings(), state, search=search, limits=limits)

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
        """Have the engine think; the game is not changed. Raises GotoolsError where it names no legal move."""
        self.search.resume()
        with self.thinking(endless):
            go = self._go_words() if limits is None else _words_of(limits)
            choice = self.search.answer(
                self._position_words(), self.state.history.state, go, self._with_chances(report)
            )[1]
        return self.player.answer(choice, self.state.history.size)

    def choices(self, side: int) -> set[int]:
        """Raise GotoolsError: the engine chooses among all moves."""
        raise GotoolsError("a USI engine chooses among all moves")

    def _with_chances(self, report: Report | None) -> Report | None:
        if report is None:
            return None
        size = self.state.history.size
        return lambda choice: report(self.player.answer(choice, size))

    def answer(self, colour: int) -> str:
        """Return the engine's answer, and make the move if it is legal; the own clock runs meanwhile."""
        self.check_turn(colour)
        started = time.monotonic()
        before = self.state.history
        self.search.resume()
        with self.thinking(False):
            text, choice = self.search.ask(self._position_words(), before.state, self._go_words())
        if choice is not None:
            self.play(colour, choice.move)
            self.state = replace(self.state, thought=Thought(before, colour, choice))
        self.set_left(colour, clock_after(self.state.control, self.state.left[colour - 1], time.monotonic() - started))
        return text

    def _go_words(self) -> str:
        return self.limits or clock_words(self.state.control, self.state.left, self.state.history.to_play)

    def _position_words(self) -> str:
        """Return the words of `position`: the start, and all moves."""
        start = b.write_sfen(self.state.history.positions[0])
        moves = " ".join(self.state.history.text(move) for _, move in self.state.history.moves)
        return ("startpos" if start == b.USUAL else f"sfen {start}") + (f" moves {moves}" if moves else "")


def genmove(session: EngineSession, words: list[str]) -> str:
    """genmove COLOR: have the engine choose a move, or resign."""
    if len(words) != 1 or not is_colour(words[0]):
        raise syntax_error("expected one colour, b or w")
    return session.answer(read_colour(words[0]))


def _or_end(command: Command) -> Command:
    """Return a command that ends the process where the engine has ended."""

    def obey(session: EngineSession, words: list[str]) -> str:
        try:
            return command(session, words)
        except EngineError as error:
            session.over = True
            sys.exit(str(error))

    return obey


def commands(game: Game) -> dict[str, Command]:
    """Return the commands of a game that an engine plays, by name."""
    return {name: _or_end(command) for name, command in {**commands_of(game), "genmove": genmove}.items()}
