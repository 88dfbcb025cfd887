"""GTP programs in a training: as an opponent, and as a teacher of a network, which analyses positions.

A teacher says which moves it visits, and what they are worth:

    info move D4 visits 12 winrate 4650 prior 1234 order 0 pv D4 E5 info move C3 visits ...

Both forms are read: winrates of lz-analyze are whole numbers to 10,000, those of kata-analyze fractions; of the side to
play. Of a single visit it is asked by kata-raw-nn, if it knows that: then it does not search, and its policy answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from gotools.base.errors import EngineError, quoted
from gotools.base.screen_text import harmless
from gotools.game.game import Game, find_game
from gotools.game.sides import WHITE, side_letter
from gotools.game.table import USUAL
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure
from gotools.gtp_client.games import another_game, beginning
from gotools.values.network.teaching import Advice

TIMEOUT: Final = 60.0
"""Seconds that a move or an analysis may take."""
INTERVAL: Final = 2
"""Centiseconds between its reports."""
MOST_VISITS: Final = 10**12
COMMANDS: Final = {"kata-analyze": 1.0, "lz-analyze": 10_000.0}
"""What is asked for, the first that is known, and the winrate of a sure victory."""
POLICY: Final = "kata-raw-nn"
_PARTS: Final = 10_000
"""Visits that the probabilities of a policy are turned into."""


class GtpPartner:
    """Play with a program; see `Partner` in values/games/partner_games.py.

    words   -- its program and arguments
    game    -- that is played, as `find_game` takes it
    timeout -- seconds that an answer may take

    Raises MissingTool, EngineError if the program cannot be started, or plays another game.
    """

    def __init__(self, words: list[str], game: str = USUAL, timeout: float = TIMEOUT) -> None:
        self._words, self._game, self._timeout = words, find_game(game), timeout
        self._start()

    @property
    def name(self) -> str:
        return self._engine.name

    def new_game(self, size: int, komi: float, seed: int) -> None:
        """Clear the board, and send size, komi and seed. Raises GtpFailure, also for a refusal."""
        for line in [*beginning(self._game, size, komi), *[f"set_random_seed {seed}"] * self._seeded]:
            self._engine.ask(line)

    def play(self, side: int, move: str) -> bool:
        """Send a move; returns whether it was accepted. Raises GtpFailure if the program fails."""
        return takes(self._engine, side, move)

    def reply(self, side: int) -> str:
        """Ask for a move. Raises GtpFailure."""
        return self._engine.ask(f"genmove {side_letter(side)}")

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
            _check_game(self._engine, self._game)
            self._seeded = self._engine.knows("set_random_seed")
        except BaseException:
            self._engine.close()
            raise


def takes(engine: GtpEngine, side: int, move: str) -> bool:
    """Send a move to a program; return whether it was accepted. Raises GtpFailure if the program fails."""
    try:
        engine.ask(f"play {side_letter(side)} {move}")
    except GtpFailure as failure:
        if failure.kind is not FailureKind.refused:
            raise
        return False
    return True


def _check_game(engine: GtpEngine, game: Game) -> None:
    """Raise EngineError if a program says that it plays another game."""
    if played := another_game(game.name, engine):
        raise EngineError(engine.name, f"plays {harmless(played[:40])}, not {game.name}")


class GtpTeacher:
    """Have positions of a game analysed; see `Teacher` in values/network/teaching.py."""

    def __init__(self, engine: GtpEngine, game: str = USUAL) -> None:
        self._engine, self._game = engine, find_game(game)
        _check_game(engine, self._game)
        known = [command for command in COMMANDS if engine.knows(command)]
        if not known:
            raise EngineError(engine.name, f"knows neither {' nor '.join(COMMANDS)}: it cannot teach")
        self._command, self._sure = known[0], COMMANDS[known[0]]
        self._has_policy, self._size = engine.knows(POLICY), 0

    @property
    def name(self) -> str:
        return self._engine.name

    def begin(self, size: int, komi: float) -> None:
        """Clear the board. Raises GtpFailure."""
        self._size = size
        for line in beginning(self._game, size, komi):
            self._engine.ask(line)

    def play(self, side: int, move: str) -> bool:
        """Make a move; returns whether it was accepted. Raises GtpFailure if the program fails."""
        return takes(self._engine, side, move)

    def advise(self, side: int, visits: int) -> Advice:
        """Analyse the position until it has `visits` visits; of one visit, return the policy of a program that has one.

        Raises GtpFailure, EngineError for an unreadable report.
        """
        if visits == 1 and self._has_policy:
            return self._policy(side)
        line = self._engine.ask_until(
            f"{self._command} {side_letter(side)} {INTERVAL}", lambda line: self._visits(line) >= visits
        )
        if not line.startswith("info "):
            raise EngineError(self.name, "analysed nothing")
        return self._read(line)

    def _policy(self, side: int) -> Advice:
        """Ask what the network of the program says, of the board as it lies."""
        words = self._engine.ask(f"{POLICY} 0").split()
        try:
            white = float(words[words.index("whiteWin") + 1])
            begin, end = words.index("policy") + 1, words.index("policyPass")
            shares = [float(word) for word in [*words[begin:end], words[end + 1]]]
            known = [(share, place) for place, share in enumerate(shares) if not math.isnan(share)]
            if end != begin + self._size**2 or not all(0.0 <= number <= 1.0 for number in (white, *dict(known))):
                raise ValueError
        except (ValueError, IndexError):
            raise EngineError(self.name, f"answers {POLICY} by what cannot be read") from None
        moves = tuple(self._from_the_top(place) for _, place in known)
        visits = tuple(round(share * _PARTS) for share, _ in known)
        return Advice(moves, visits, white if side == WHITE else 1.0 - white)

    def _from_the_top(self, place: int) -> str:
        """Return the text of a point by its place where rows come from the top; of a pass behind the last."""
        row, column = divmod(place, self._size)
        point = (self._size - 1 - row) * self._size + column
        move = self._game.pass_move if row == self._size else self._game.move_at(point, self._size)
        return self._game.move_text(move, self._size)

    def _visits(self, line: str) -> int:
        return sum(self._read(line).visits) if line.startswith("info ") else 0

    def _read(self, line: str) -> Advice:
        moves, visits, winrates = [], [], []
        for part in line.split("info ")[1:]:
            words = part.split()
            try:
                moves.append(words[words.index("move") + 1])
                visits.append(int(words[words.index("visits") + 1]))
                winrates.append(float(words[words.index("winrate") + 1]) / self._sure)
            except (ValueError, IndexError):
                raise EngineError(self.name, f"sent an unreadable analysis line: {quoted(part[:60])}") from None
            if not 0 <= visits[-1] <= MOST_VISITS or not 0.0 <= winrates[-1] <= 1.0:
                raise EngineError(self.name, f"sent an analysis line with invalid numbers: {quoted(part[:60])}")
        return Advice(tuple(moves), tuple(visits), _mean(winrates, visits))


def _mean(values: Sequence[float], weights: Sequence[int]) -> float:
    """Return a mean; 0.5 where nothing weighs."""
    total = sum(weights)
    return sum(v * w for v, w in zip(values, weights, strict=True)) / total if total else 0.5


@contextmanager
def gtp_teacher(command: str | Sequence[str], timeout: float = TIMEOUT, *, game: str = USUAL) -> Iterator[GtpTeacher]:
    """Start a program; the end of the `with` block ends it.

    command -- its program and arguments, as words or as a shell has them; game -- that it analyses

    Raises MissingTool, EngineError if it cannot be started or cannot analyse, or plays another game.
    """
    with GtpEngine(command, timeout) as engine:
        yield GtpTeacher(engine, game)
