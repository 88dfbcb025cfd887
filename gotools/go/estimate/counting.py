"""How Go is counted, for referees and counters of any game: the trait Scoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.traits import Scoring
from gotools.go.board import Board
from gotools.go.estimate.scoring import area_score, territory_score, whole_chains
from gotools.go.estimate.status import final_score
from gotools.go.rule_sets import RULE_SETS, GameRules, rule_set


def _count(state: NDArray[np.int32], dead: Sequence[int], rules: GameRules, komi: float) -> float:
    board = Board.of_state(state)
    if rules.scoring == "area":
        return area_score(board, dead, komi)
    return territory_score(board, dead, board.taken, komi)


def _chains(state: NDArray[np.int32], points: Sequence[int]) -> list[int] | None:
    board = Board.of_state(state)
    stones = all(point >= 0 and board.colour(point) for point in points)
    return whole_chains(board, points) if stones else None


SCORING: Final = Scoring(
    rules={name: rule_set(name) for name in RULE_SETS},
    count=_count,
    chains=_chains,
    estimate=lambda state, komi: final_score(Board.of_state(state), komi),
    longest=lambda size: 3 * size**2,
)
