"""How Go is counted, for referees and counters of any game: the trait Scoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.traits import Scoring
from gotools.games.go.rule_sets import RULE_SETS, GameRules, read_setting, rule_set


def _count(state: NDArray[np.int32], dead: Sequence[int], rules: GameRules, komi: float) -> float:
    from gotools.games.go.board import Board  # compiled, as what follows
    from gotools.games.go.estimate.scoring import area_score, territory_score

    board = Board.of_state(state)
    if rules.scoring == "area":
        return area_score(board, dead, komi)
    return territory_score(board, dead, board.taken, komi)


def _chains(state: NDArray[np.int32], points: Sequence[int]) -> list[int] | None:
    from gotools.games.go.board import Board
    from gotools.games.go.estimate.scoring import whole_chains

    board = Board.of_state(state)
    stones = all(point >= 0 and board.colour(point) for point in points)
    return whole_chains(board, points) if stones else None


def _estimate(state: NDArray[np.int32], komi: float) -> float:
    from gotools.games.go.board import Board
    from gotools.games.go.estimate.status import final_score

    return final_score(Board.of_state(state), komi)


SCORING: Final = Scoring(
    rules={name: rule_set(name) for name in RULE_SETS},
    read=read_setting,
    count=_count,
    chains=_chains,
    estimate=_estimate,
    longest=lambda size: 3 * size**2,
)
