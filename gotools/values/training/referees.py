"""Fixed players that a training is measured against at its checkpoints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gotools.base.errors import GotoolsError, quoted
from gotools.game.game import Game
from gotools.values.games.match import Searcher, play_series
from gotools.values.games.selfplay import ValueFunction, play_against, random_moves

RANDOM, HEURISTIC, PLIES = "random", "heuristic", "plies"
DEEPEST: Final = 8
KNOWN: Final = "random, heuristic, heuristic:DEPTH, heuristic:NAME, heuristic:NAME:DEPTH, plies:DEPTH"
_HEURISTIC: Final = re.compile(r"heuristic(?::([a-z][a-z-]*))?(?::([1-8]))?")


@dataclass(frozen=True, slots=True)
class RefereePlayer:
    """A player of fixed strength.

    kind  -- random: random moves; heuristic: a built-in evaluation of the game; plies: sees only what is decided
             within its depth
    depth -- plies that it searches; 0: one ply, like the learner
    heuristic -- its name in `Learning.heuristics`; "" for the usual one
    """

    kind: str
    depth: int = 0
    heuristic: str = ""

    @property
    def name(self) -> str:
        """Return the name, as options and logs write it."""
        return ":".join(filter(None, (self.kind, self.heuristic, str(self.depth or ""))))

    def play(
        self, game: Game, evaluation: ValueFunction, count: int, seed: int, size: int, komi: float, jobs: int
    ) -> tuple[int, int, int]:
        """Return the victories, draws and losses of an evaluation that looks one ply ahead; sides alternate."""
        if not self.depth:
            opponent = None if self.kind == RANDOM else game.find_heuristic(self.heuristic)
            return play_against(game, evaluation, opponent, count, seed, size, jobs, komi=komi)
        heuristic = game.find_heuristic(self.heuristic) if self.kind == HEURISTIC else None
        known = () if heuristic is None else (heuristic.evaluate, heuristic.numbers)
        learner, other = Searcher(1, *evaluation), Searcher(self.depth, *known)
        opening = random_moves(size) if known else 0
        first, second = play_series(game, learner, other, -(-count // 2), seed, size, jobs, komi, opening)
        won, drawn, lost = (a + b for a, b in zip(first, second, strict=True))
        return won, drawn, lost


def parse_referees(texts: Sequence[str], game: Game) -> tuple[RefereePlayer, ...]:
    """Parse referees; the default is a random player and the game's heuristic, if it has one.

    Raises GotoolsError for an unknown or repeated referee, or a heuristic that the game does not have.
    """
    found = [_parse(text) for text in texts]
    if not found:
        return (RefereePlayer(RANDOM), *[RefereePlayer(HEURISTIC)] * bool(game.learning.heuristic))
    if len(set(found)) < len(found):
        raise GotoolsError("--referee: the same one twice")
    if not game.learning.heuristic and any(referee.kind == HEURISTIC for referee in found):
        raise GotoolsError(f"--referee: {game.name} has no heuristic")
    for referee in found:
        try:
            game.find_heuristic(referee.heuristic)
        except GotoolsError as error:
            raise GotoolsError(f"--referee: {error}") from None
    return tuple(found)


def parse_heuristic(text: str) -> tuple[str, int] | None:
    """Read "heuristic", "heuristic:3", "heuristic:NAME" or "heuristic:NAME:3".

    Returns the name and the plies, "" and 0 if left out; None for another text.
    """
    found = _HEURISTIC.fullmatch(text)
    return None if found is None else (found[1] or "", int(found[2] or 0))


def _parse(text: str) -> RefereePlayer:
    kind, colon, depth = text.partition(":")
    if kind == RANDOM and not colon:
        return RefereePlayer(kind)
    if (heuristic := parse_heuristic(text)) is not None:
        return RefereePlayer(kind, heuristic[1], heuristic[0])
    if kind == PLIES and depth.isdecimal() and depth.isascii() and 1 <= int(depth[:3]) <= DEEPEST:
        return RefereePlayer(kind, int(depth))
    raise GotoolsError(f"--referee: {quoted(text)} is not one of {KNOWN} with a depth of 1 to {DEEPEST}")
