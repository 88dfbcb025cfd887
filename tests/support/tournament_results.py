"""Results of games to try standings and reports on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from gotools.game.outcome import End
from gotools.matches.game.game_result import GameResult


def game(number: int, black: str, white: str, result: str = "B+3.5", **more: Any) -> GameResult:
    """Return a game of 9x9 with its number; two numbers are a pair."""
    values: dict[str, Any] = {
        "game": number,
        "pair": (number + 1) // 2,
        "end": End.resign if result.endswith("+R") else End.score,
        "fault": "",
        "what": "",
        "size": 9,
        "komi": 7.5,
        "handicap": 0,
        "opening": 2,
        "moves": "E5 C3 G7 D4",
        "seconds": (0.5, 0.25),
        "slowest": (0.4, 0.2),
    }
    return GameResult(black=black, white=white, result=result, **{**values, **more})


def fault(number: int, black: str, white: str, side: str, end: End, what: str, **more: Any) -> GameResult:
    """Return a game that a side ("b" or "w") lost by a fault."""
    winner = "W" if side == "b" else "B"
    return game(number, black, white, f"{winner}+F", end=end, fault=side, what=what, **more)


def tournament(strengths: dict[str, float], pairs: int, seed: int = 1, draws: float = 0.0) -> Iterator[GameResult]:
    """Yield a round robin of engines of known strength (Elo), with black 20 Elo better off and games that differ."""
    chance = random.Random(seed)
    number = 0
    for _ in range(pairs):
        for first, second in combinations(strengths, 2):
            for black, white in ((first, second), (second, first)):
                number += 1
                gap = strengths[black] - strengths[white] + 20
                won = chance.random() < 1 / (1 + 10 ** (-gap / 400))
                drawn = chance.random() < draws
                result = "0" if drawn else f"{'B' if won else 'W'}+{chance.choice(['R', '3.5', '12.5'])}"
                moves = _moves(chance)
                times = {"seconds": (chance.random() * 9, 3.0), "contested_seconds": (0.0, 2.8)}
                yield game(number, black, white, result, moves=moves, contested_moves=(15, 14), **times)


def _moves(chance: random.Random) -> str:
    squares = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]
    return " ".join(chance.sample(squares, 40))


def shuffled(results: Sequence[GameResult], seed: int = 0) -> list[GameResult]:
    """Return the games in another order."""
    order = list(results)
    random.Random(seed).shuffle(order)
    return order
