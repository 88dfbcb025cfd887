"""A game of a person against a GTP engine: whatever either answers, the game stays legal, and can be saved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from gotools import __version__
from gotools.base.errors import EngineError, GotoolsError
from gotools.base.screen_text import harmless
from gotools.game.game import Game, find_game
from gotools.game.outcome import score_text
from gotools.game.records.record import Record
from gotools.game.records.sgf import write_game
from gotools.game.sides import side_letter
from gotools.game.table import USUAL
from gotools.game.traits import Scoring
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure
from gotools.gtp_client.games import START, another_game, beginning
from gotools.matches.contestant import EXPLAIN
from gotools.matches.game.referee import Referee

RULES: Final = "chinese"
"""The rule set of games that are counted."""
START_TIMEOUT: Final = 120.0
"""Seconds that an engine may take to start: its kernels may have to be compiled."""
LONGEST_NAME: Final = 60
"""Characters shown of an engine's name."""
RESIGN: Final = "resign"
CHANCE: Final = "gotools-chance"
"""The command of our own engines that values a position of a game that ends by its rules alone."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played: komi is of games that are counted; person -- the side of the person, 1 moves first."""

    game: str
    size: int
    komi: float
    person: int


class Table:
    """A game in progress.

    moves  -- (side, text) made so far
    result -- "" while the game goes on; "B+3.5", "W+R", "0", ... afterwards
    opponent -- the engine's name

    Raises EngineError for an engine of another game, or one that refuses the board.
    """

    def __init__(self, setting: Setting, engine: GtpEngine) -> None:
        self.setting, self.engine = setting, engine
        self.game: Game = find_game(setting.game)
        self._scoring = self.game.find(Scoring)
        self.moves: list[tuple[int, str]] = []
        self.result = ""
        self._referee: Referee
        engine.ask("protocol_version", START_TIMEOUT)
        if played := another_game(setting.game, engine):
            raise EngineError(engine.name, f"plays {harmless(played)}, not {setting.game}")
        named = self._if_known("name")  # now: an engine that thinks, or is dead, cannot say it when the game is kept
        self.opponent = harmless(" ".join((named or engine.name).split())[:LONGEST_NAME])
        self.new()

    @property
    def to_play(self) -> int:
        """The side to play, 1 or 2."""
        return self._referee.to_play

    def new(self) -> None:
        """Begin a new game. Raises EngineError."""
        for line in beginning(self.game, self.setting.size, self.setting.komi):
            if not line.startswith(START) or self.engine.knows(START):
                self._insist(line)
        if self._scoring:
            self._if_known(f"kata-set-rules {RULES}")
        self.moves, self.result = [], ""
        self._referee = self._fresh()

    def why_illegal(self, text: str) -> str:
        """Return why the side to play may not make a move, "" if it may."""
        return self._referee.why_illegal(self.to_play, text)[1]

    def legal_moves(self) -> list[str]:
        """Return the moves of the side to play."""
        return [self._referee.text(move) for move in self._referee.history.legal_moves()]

    def play(self, text: str) -> None:
        """Make the person's move, which is legal. Raises EngineError if the engine refuses it."""
        self._insist(f"play {side_letter(self.to_play)} {text}")
        self._make(text)

    def reply(self) -> str:
        """Let the engine move; returns its move, or "resign". Raises EngineError for an illegal one."""
        side = self.to_play
        text = " ".join(self.engine.ask(f"genmove {side_letter(side)}", self.engine.timeout).split())
        if text.lower() == RESIGN:
            self.resign(side)
            return RESIGN
        if why := self.why_illegal(text):
            raise EngineError(self.engine.name, f"plays {harmless(text[:40]) or 'nothing'}: {why}")
        self._make(text)
        return self.moves[-1][1]

    def resign(self, side: int) -> None:
        """Give the game to the other side."""
        self.result = f"{side_letter(3 - side).upper()}+R"

    def undo(self) -> int:
        """Take back moves to the person's last one, or none; returns how many.

        The engine gets the other moves again, for not all engines have an undo. Raises EngineError if it refuses; the
        game is then as it was.
        """
        kept = max((i for i, (side, _) in enumerate(self.moves) if side == self.setting.person), default=-1)
        if kept < 0:
            return 0
        before = self.moves, self.result, self._referee
        try:
            self.new()
            for _, text in before[0][:kept]:
                self.play(text)
        except BaseException:
            self.moves, self.result, self._referee = before
            raise
        return len(before[0]) - kept

    def hint(self) -> str | None:
        """Return what the engine would play for the side to play; None if it does not say. The game is unchanged.

        Raises GtpFailure if it refuses, EngineError if it does not take its move back.
        """
        side = side_letter(self.to_play)
        if self.engine.knows("reg_genmove"):
            return self._if_known(f"reg_genmove {side}")
        if not self.engine.knows("undo"):
            return None
        text = self.engine.ask(f"genmove {side}")
        if text.strip().lower() != RESIGN:
            self._insist("undo")
        return text

    def why(self) -> str | None:
        """Return the engine's reasons for its last move; None if it gives none."""
        return self._if_known(EXPLAIN)

    def score(self) -> str:
        """Say how the game stands: if it is counted by playouts that find dead stones, else what the engine says."""
        if self._scoring:
            points = self._scoring.estimate(self._referee.history.state, self.setting.komi)
            return f"{score_text(points)} by area, dead stones found by playouts"
        if self._referee.verdict is not None:
            return self._referee.verdict.result
        chance = self._if_known(CHANCE)
        if chance is None:
            return "the engine does not say"
        return f"chance of {side_letter(self.to_play)} to win: {harmless(chance.strip())} %"

    def drawing(self) -> str:
        """Return the board as text."""
        return self.game.draw(self._referee.history.state)

    def sgf(self) -> bytes:
        """Return the game as SGF."""
        person = "person"
        names = (person, self.opponent) if self.setting.person == 1 else (self.opponent, person)
        header = {"AP": f"gotools:{__version__}", "DT": date.today().isoformat()}
        if self.setting.game != USUAL:
            header["GN"] = self.setting.game
        record = Record(
            id="",
            size=self.setting.size,
            moves=np.array(self._referee.moves, np.int32).reshape(-1, 2),
            players=names,
            result=self.result or "?",
            komi=self.setting.komi,
            rules=RULES,
            setting=self.game.setting,
        )
        return write_game(record, self.game, header)

    # ------------------------------------------------------------------------------------------------------------------

    def _fresh(self) -> Referee:
        return Referee(self.game, self.setting.size, self._scoring and self._scoring.rules[RULES])

    def _make(self, text: str) -> None:
        side = self.to_play
        move, _ = self._referee.why_illegal(side, text)
        self._referee.play(side, move)
        self.moves.append((side, self._referee.text(move)))
        verdict = self._referee.verdict
        if verdict is not None:
            self.result = verdict.result
        elif self._scoring and self._referee.history.agreed:
            self.result = score_text(self._scoring.estimate(self._referee.history.state, self.setting.komi))

    def _insist(self, command: str) -> None:
        """Send a command without which the game cannot go on. Raises EngineError if the engine refuses it."""
        try:
            self.engine.ask(command)
        except GtpFailure as failure:
            raise EngineError(self.engine.name, failure.what) from failure

    def _if_known(self, command: str) -> str | None:
        """Return the answer; None if the engine does not know the command or refuses it. Raises GotoolsError."""
        if not self.engine.knows(command.split()[0]):
            return None
        try:
            return self.engine.ask(command)
        except GtpFailure as failure:
            if failure.kind is not FailureKind.refused:
                raise GotoolsError(str(failure)) from failure
            return None
