"""An engine on trial: started as often as needed, set up, queried, and judged by the rules of its game."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import PurePath
from types import TracebackType
from typing import Final, Self

from gotools.game.game import find_game
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.game.table import USUAL, USUAL_KOMI
from gotools.game.traits import Scoring
from gotools.gtp_client.answers import Answer, AnswerReader, Notes
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure, waiting_reported
from gotools.gtp_client.games import beginning
from gotools.gtp_client.process import EngineProcess, split_command
from gotools.matches.game.referee import Referee

Outcome = tuple[bool | None, str]
"""Whether a check passed (None: a warning, or not applicable), and the finding."""
END_OF_INPUT_GRACE: Final = 2.0
"""Seconds that an engine may take to end when its input ends."""


@dataclass(frozen=True, slots=True)
class TrialLimits:
    """What an engine is tried with. timeout -- seconds for an answer; start -- for the first one of a process"""

    game: str = USUAL
    size: int = 9
    komi: float = USUAL_KOMI
    timeout: float = 60.0
    start: float = 300.0


class Unmet(Exception):
    """The engine fails a check, for the reason given."""


class Untried(Exception):
    """A check cannot be made, for the reason given."""


class Trial:
    """One engine, in one process after another; a process with a failure is not used again.

    Its moves are judged by the referee of tournaments, by the usual rules of a game that has several.

    progress -- called with a message while the engine keeps us waiting

    Public attributes:
      limits       -- the settings
      game         -- that it plays
      scoring      -- how that is counted, None for a game that ends by its rules alone
      made         -- its positions made by hand, None likewise
      notes        -- oddities of all processes so far, as `GtpEngine.notes`
      stderr_bytes -- bytes that all processes so far wrote to stderr
      one_game     -- each game needs a process of its own, because the board is not cleared
      resigned     -- the answers by which it resigned
    """

    def __init__(
        self,
        command: str | Sequence[str],
        limits: TrialLimits,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.limits = limits
        self.game = find_game(limits.game)
        self.scoring = self.game.find(Scoring)
        self.made = None if self.scoring is None else self.scoring.trials
        self._text = self.new_board().text
        self._progress = progress
        self.notes: list[str] = []
        self.stderr_bytes = 0
        self.one_game = False
        self.resigned: Counter[str] = Counter()
        self._start: Callable[[], GtpEngine] = lambda: GtpEngine(
            command, limits.timeout, folder=folder, environment=environment
        )
        self._place = (folder, environment)
        self._command = command
        self._engine: GtpEngine | None = None
        self._dead_ends: dict[str, str] = {}  # first word of a command -> why it is not sent again

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()

    # ---- processes ----

    def engine(self) -> GtpEngine:
        """Return the running engine, or a new process of it that has answered once.

        Raises MissingTool, EngineError.
        """
        if self._engine is not None and not self._engine.alive:
            self.drop()
        if self._engine is None:
            self._engine = self._start()
            with waiting_reported(PurePath(self.words[0]).name, self.words, self._progress):
                self._engine.ask("protocol_version", self.limits.start)
        return self._engine

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return split_command(self._command)[0]

    def drop(self) -> tuple[str, ...]:
        """End the engine, if one runs, and return its notes."""
        engine, self._engine = self._engine, None
        if engine is None:
            return ()
        engine.close()
        notes = engine.take_notes()
        self.notes += notes
        self.stderr_bytes += engine.stderr_bytes
        return notes

    def raw(self) -> RawTalk:
        """Start a process to send raw bytes to. Raises MissingTool, EngineError."""
        words, name = split_command(self._command)
        return RawTalk(EngineProcess(words, name, *self._place), self.limits.start)

    # ---- questions ----

    def ask(self, command: str, timeout: float | None = None) -> str:
        """Ask as `GtpEngine.ask` does. A command that once got no answer is not sent again: that raises Untried."""
        word = command.partition(" ")[0]
        if word in self._dead_ends:
            raise Untried(f"not tried: `{word}` {self._dead_ends[word]}")
        try:
            return self.engine().ask(command, timeout)
        except GtpFailure as failure:
            if failure.kind in (FailureKind.stall, FailureKind.flood):
                self._dead_ends[word] = (
                    "got no answer before" if failure.kind is FailureKind.stall else "flooded us before"
                )
            raise

    def knows(self, command: str) -> bool:
        """Return whether the engine has a command."""
        return self.engine().knows(command)

    def refusal(self, command: str) -> str | None:
        """Ask; return the text after `?`, None if the engine did not refuse."""
        try:
            self.ask(command)
        except GtpFailure as failure:
            if failure.kind is not FailureKind.refused:
                raise
            return failure.answer or "no reason given"
        return None

    # ---- games ----

    def board(self, *moves: tuple[int, int]) -> Referee:
        """Begin a game with these moves (colour, move) in the engine, and return our own board of it.

        Raises Untried if the engine cannot be set up.
        """
        if self.one_game:
            self.drop()
        used = self._engine is not None
        try:
            for line in self.beginning:
                is_komi = line.startswith("komi ")  # whether it is taken is a check of its own
                with suppress(GtpFailure) if is_komi else nullcontext():
                    self.ask(line)
        except GtpFailure as failure:
            self.drop()
            if not used:
                raise Untried(f"not tried: no game can begin: it {failure.what}") from failure
            self.one_game = True  # whether a process can play again is a check of its own
            return self.board(*moves)
        board = self.new_board()
        for colour, move in moves:
            self.play(board, colour, move)
        return board

    @property
    def beginning(self) -> list[str]:
        """The commands that begin a game."""
        return beginning(self.game, self.limits.size, self.limits.komi)

    def new_board(self) -> Referee:
        """Return a referee at the start."""
        return Referee(self.game, self.limits.size, self.scoring and self.scoring.usual)

    def play(self, board: Referee, colour: int, move: int) -> None:
        """Send the engine a legal move, and make it on our board. Raises Unmet if it is refused."""
        why = self.refusal(self.line(colour, move))
        if why is not None:
            raise Unmet(f"refuses the legal move `{self.line(colour, move)}`: {why}")
        board.play(colour, move)

    def line(self, colour: int, move: int) -> str:
        """Return the command of a move."""
        return f"play {side_letter(colour)} {self._text(move)}"

    def genmove(self, board: Referee, colour: int) -> tuple[str, float]:
        """Let the engine move, and make the move on our board; return it and the seconds it took.

        Raises Unmet if the answer is not a legal move; "resign" is one, and changes nothing.
        """
        command = f"genmove {side_letter(colour)}"
        began = time.monotonic()
        answer = self.ask(command).strip()
        seconds = time.monotonic() - began
        if answer.lower() == "resign":
            self.resigned[answer] += 1
            return answer, seconds
        move, why = board.why_illegal(colour, answer)
        if why:
            shown = repr(answer[:80]) if answer else "nothing"
            raise Unmet(f"answers `{command}` with {shown}: {why}")
        board.play(colour, move)
        return answer, seconds

    def alternate(
        self, board: Referee, moves: int, before: Callable[[int], None] = lambda _: None
    ) -> list[tuple[str, float]]:
        """Let the engine play both sides for some moves, until it resigns or the game is over.

        before -- called with the colour before each move
        Raises Unmet as `genmove` does.
        """
        played: list[tuple[str, float]] = []
        for ply in range(moves):
            if board.verdict is not None:
                break
            before(colour := (BLACK, WHITE)[ply % 2])
            played.append(self.genmove(board, colour))
            if played[-1][0].lower() == "resign":
                break
        return played


class RawTalk:
    """A process of an engine that receives raw bytes; use it in a `with` block.

    Public attributes:
      notes -- oddities of its answers
    """

    def __init__(self, process: EngineProcess, patience: float) -> None:
        self.notes = Notes()
        self._process = process
        self._answers = AnswerReader(self.notes)
        self._patience = patience

    def __enter__(self) -> RawTalk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.finish()

    def ask(self, number: int, data: bytes) -> Answer | None:
        """Send bytes that hold one command with this id; return its answer, or None."""
        self._answers.expect(number)
        self._process.send(data)
        deadline = time.monotonic() + self._patience
        while True:
            left = deadline - time.monotonic()
            written, _, _ = self._process.read(min(left, 0.2))
            if answer := self._answers.feed(written):
                return answer
            if left <= 0 or self._process.ended or self._answers.flooded:
                return self._answers.settle()

    def ends_with_its_input(self) -> bool:
        """Close the engine's input; return whether it ends by itself."""
        self._process.close_stdin()
        return self._process.wait(END_OF_INPUT_GRACE)
