"""Rate game by game, as clubs and servers do: each game changes two numbers, and earlier games are not used again.

The ratings depend on the order of the games and have no intervals. Use them to compare with published ones; to find out
who is stronger, `bradley_terry` uses all games at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

K = 20.0
START_RATING = 1500.0
ABALONE_K = 15.0
"""Points at stake between experienced players (formula B.1)."""
ABALONE_NOVICE = 30
"""Games after which a player's own experience adds nothing more to the stake."""
ABALONE_MOST = 30.0
"""Most points that a game is worth (appendix B.2)."""


@dataclass(slots=True)
class Standing:
    """A player so far."""

    elo: float
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0


Exchange = Callable[[Standing, Standing, float], float]
"""From black, white and black's score (1, 0.5, 0): the points that black gets from white."""


def rate_in_order(
    games: Iterable[tuple[str, str, float]], exchange: Exchange, start: float = START_RATING
) -> dict[str, Standing]:
    """Return the players' standings after the games, in the order of their first games.

    games -- black, white, black's score; no player plays against itself (`read_sequence` leaves such games out)
    start -- of each player
    """
    players: dict[str, Standing] = {}
    for black, white, score in games:
        one = players.setdefault(black, Standing(start))
        other = players.setdefault(white, Standing(start))
        points = exchange(one, other, score)
        one.elo += points
        other.elo -= points
        _count(one, score)
        _count(other, 1.0 - score)
    return players


def _count(player: Standing, score: float) -> None:
    player.games += 1
    player.wins += score == 1.0
    player.losses += score == 0.0
    player.draws += score not in (0.0, 1.0)


def elo_exchange(k: float = K) -> Exchange:
    """Return Elo's rule: K times score less expected score.

    A. Elo, The Rating of Chessplayers, Past and Present (1978), section 1.6, with the logistic curve of section 8.4.
    """

    def exchange(black: Standing, white: Standing, score: float) -> float:
        expected = 1.0 / (1.0 + math.pow(10.0, (white.elo - black.elo) / 400.0))
        return k * (score - expected)

    return exchange


def abalone_exchange(black: Standing, white: Standing, score: float) -> float:
    """Move points by the rule of the Abalone server, as the Abalearn thesis gives it (appendix B.2, formula B.1).

    The winner V gets from the loser D

        [1 - 1 / (10^((EloD - EloV) / 200) + 1)] x [15 + (30 - ExpV) [1 - (ExpD - ExpV) / (ExpD + ExpV)]]

    points, Exp being the games played so far: the stake, 15 among the experienced, grows while the winner is new. The
    thesis has no draws: here a draw is worth the mean of winning and losing.

    The formula's layout is lost in our copy of the text. This reading agrees with its description: the first
    factor is the chance the loser had; equals play for 8.5 points (here: after 28 games each; 7.5 from 30 on), a
    favourite for less than 7.5, an outsider for up to 15, and a very unlikely win reaches 30. So 30 - ExpV stops at 0,
    points at 30, and two players without a game count as equally experienced. Table B.1 of the thesis cannot be
    recomputed: it does not list the games.
    """
    won, lost = _abalone_points(black, white), _abalone_points(white, black)
    return score * won - (1.0 - score) * lost


def _abalone_points(winner: Standing, loser: Standing) -> float:
    upset = 1.0 - 1.0 / (math.pow(10.0, (loser.elo - winner.elo) / 200.0) + 1.0)
    both = loser.games + winner.games
    ahead = (loser.games - winner.games) / both if both else 0.0
    stake = ABALONE_K + max(ABALONE_NOVICE - winner.games, 0) * (1.0 - ahead)
    return min(upset * stake, ABALONE_MOST)
