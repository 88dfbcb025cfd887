"""A GTP program as a training partner."""

from __future__ import annotations

from typing import Final

from gotools.go.points import colour_letter
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure

TIMEOUT: Final = 60.0
"""Seconds that a move may take."""


class GtpPartner:
    """Play Go with a program; see `Partner` in learn/games/partner_games.py.

    words   -- its program and arguments
    timeout -- seconds that an answer may take

    Raises MissingTool, EngineError if the program cannot be started.
    """

    def __init__(self, words: list[str], timeout: float = TIMEOUT) -> None:
        self._words, self._timeout = words, timeout
        self._start()

    @property
    def name(self) -> str:
        return self._engine.name

    def new_game(self, size: int, komi: float, seed: int) -> None:
        """Clear the board, and send size, komi and seed. Raises GtpFailure, also for a refusal."""
        lines = [f"boardsize {size}", "clear_board", f"komi {komi:g}"]
        if self._seeded:
            lines.append(f"set_random_seed {seed}")
        for line in lines:
            self._engine.ask(line)

    def play(self, side: int, move: str) -> bool:
        """Send a move; returns whether it was accepted. Raises GtpFailure if the program fails."""
        return takes(self._engine, side, move)

    def reply(self, side: int) -> str:
        """Ask for a move. Raises GtpFailure."""
        return self._engine.ask(f"genmove {colour_letter(side)}")

    def revive(self) -> bool:
        """Start the program again if it no longer runs; returns whether that was so. Raises EngineError."""
        if self._engine.alive:
            return False
        self._engine.close()
        self._start()
        return True

    def close(self) -> None:
        self._engine.close()

    def _start(self) -> None:
        self._engine = GtpEngine(self._words, self._timeout)
        try:
            self._seeded = self._engine.knows("set_random_seed")
        except BaseException:
            self._engine.close()
            raise


def takes(engine: GtpEngine, side: int, move: str) -> bool:
    """Send a move to a program; return whether it was accepted. Raises GtpFailure if the program fails."""
    try:
        engine.ask(f"play {colour_letter(side)} {move}")
    except GtpFailure as failure:
        if failure.kind is not FailureKind.refused:
            raise
        return False
    return True
