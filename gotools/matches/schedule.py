"""The games of a tournament: a function of its settings and openings, the same every time.

Games come in rounds. In a round each pairing plays one pair of games: the same opening twice, colours exchanged. A
tournament of more games begins with the same games. To come: Swiss and adaptive pairing, whose `pairings` of a round
would look at the results of the rounds before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from gotools.base.errors import ConfigError, quoted
from gotools.matches.config import TournamentConfig

_SEEDS: Final = 2**31 - 1
STARTS: Final = ".txt"
"""Ending of files with a setting of a game in each line (docs/tournament.md)."""
_STEP: Final = 104_729
"""Games up to which seeds of neighbouring tournaments do not coincide."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a game: places, and in games that have settings the setting of its start ("" for the usual)."""

    moves: tuple[int, ...] = ()
    setting: str = ""


NO_OPENING: Final = Opening()


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game to be played: numbers from 1, the engines' names, places of the opening, black's first, its start."""

    game: int
    pair: int
    black: str
    white: str
    opening: tuple[int, ...]
    seed: int
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Shard:
    """The part `number` of `count` of a schedule; a pair of games is never divided."""

    number: int = 1
    count: int = 1

    def holds(self, game: ScheduledGame) -> bool:
        """Return whether a game is of this part."""
        return (game.pair - 1) % self.count == self.number - 1


def parse_shard(text: str) -> Shard:
    """Read "2/4". Raises ConfigError."""
    number, _, count = text.partition("/")
    if not (
        text.isascii()
        and len(text) < 16
        and number.isdecimal()
        and count.isdecimal()
        and 1 <= int(number) <= int(count) <= 100_000
    ):
        raise ConfigError(f"--shard: {quoted(text)} is not a part of a schedule; write 2/4 for the second of four")
    return Shard(int(number), int(count))


def pairings(config: TournamentConfig) -> list[tuple[str, str]]:
    """Return the pairings of a round; the first engine of each has black first."""
    names = config.names
    if config.pairing == "gauntlet":
        return [(names[0], other) for other in names[1:]]
    return list(config.pairs) if config.pairing == "playoff" else list(combinations(names, 2))


def schedule(config: TournamentConfig, openings: Sequence[Opening]) -> Iterator[ScheduledGame]:
    """Yield all games in order; openings are used in order, and again from the start when they run out."""
    matches = pairings(config)
    for number in range((config.games + 1) // 2):
        opening = openings[number % len(openings)]
        for place, (first, second) in enumerate(matches):
            pair = number * len(matches) + place + 1
            begin = opening.moves, _seed(config, 2 * pair - 1), opening.setting
            yield ScheduledGame(2 * pair - 1, pair, first, second, *begin)
            if 2 * number + 1 < config.games:
                begin = opening.moves, _seed(config, 2 * pair), opening.setting
                yield ScheduledGame(2 * pair, pair, second, first, *begin)


def _seed(config: TournamentConfig, game: int) -> int:
    """Return the seed of a game: they differ, or equal engines would play both games of a pair alike."""
    return (config.seed * _STEP + game) % _SEEDS


def find_openings(config: TournamentConfig, say: Callable[[str], None]) -> list[Opening]:
    """Return the openings of the settings; one without moves for none, and for handicap."""
    if config.openings == "none" or config.handicap:
        return [NO_OPENING]
    from gotools.game.game import find_game
    from gotools.game.traits import Openings, Starts
    from gotools.matches.game.openings import generated_openings, openings_of_games, openings_of_starts  # numba

    game, size, plies = find_game(config.game), config.size, config.opening_moves
    if config.openings == "generated":
        found = generated_openings(game, size, plies, config.seed)
        pairs = (config.games + 1) // 2
        if pairs > len(found) and not game.has(Openings):
            moves = len(found[0])
            say(f"{len(found)} openings of {moves} moves for {pairs} pairs of games: some come again (opening_moves)")
    elif config.openings.endswith(STARTS) and (starts := game.find(Starts)) is not None and starts.with_setting:
        return [Opening(tuple(moves), start) for start, moves in openings_of_starts(config.openings, game, size)]
    else:
        found = openings_of_games([config.openings], game, size, plies, say, config.rules)
    return [Opening(tuple(moves)) for moves in found]


def digest_of(openings: Sequence[Opening]) -> str:
    """Return what the journal holds of openings: a run is only resumed with the same."""
    text = "\n".join(" ".join(filter(None, (one.setting, *map(str, one.moves)))) for one in openings)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
