"""How Go is counted, for referees and counters of any game: the trait Scoring.

Functions import compiled code when they are called: settings ask for the rule sets without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.sides import BLACK, WHITE
from gotools.game.traits import Scoring
from gotools.games.go.points import EMPTY
from gotools.games.go.rule_sets import RULE_SETS, GameRules, allows_suicide, read_rules, read_setting, rule_set
from gotools.games.go.trials import TRIALS

if TYPE_CHECKING:
    from gotools.games.go.board import Board

USUAL: Final = rule_set("chinese-kgs")


def _board(state: NDArray[np.int32]) -> Board:
    from gotools.games.go.board import Board

    return Board.of_state(state)


def _count(state: NDArray[np.int32], dead: Sequence[int], rules: GameRules, komi: float) -> float:
    from gotools.games.go.estimate.scoring import area_score, territory_score

    board = _board(state)
    if rules.scoring == "area":
        return area_score(board, dead, komi)
    return territory_score(board, dead, board.taken, komi)


def _chains(state: NDArray[np.int32], points: Sequence[int]) -> list[int] | None:
    from gotools.games.go.estimate.scoring import whole_chains

    board = _board(state)
    stones = all(point >= 0 and board.colour(point) for point in points)
    return whole_chains(board, points) if stones else None


def _estimate(state: NDArray[np.int32], komi: float, *, rules: GameRules = USUAL, seed: int = 0) -> float:
    from gotools.games.go.estimate import status

    board = _board(state)
    if not rules.friendly:
        return board.area_score() - komi
    count = status.final_territory_score if rules.scoring == "territory" else status.final_score
    return count(board, komi, seed)


def _status(state: NDArray[np.int32], seed: int, wanted: str) -> list[list[int]]:
    from gotools.games.go.estimate import status

    board = _board(state)
    if wanted == "dead":
        points = status.dead_points(board, seed)
    else:
        dead, points = status.dead_and_seki_points(board, seed)
        if wanted == "alive":
            points = sorted({*np.flatnonzero(board.cells).tolist()}.difference(dead, points))
    chains = dict.fromkeys(tuple(p for p in board.chain(point) if p in points) for point in points)
    return list(map(list, chains))


def _owners(state: NDArray[np.int32], seed: int) -> list[list[float]]:
    from gotools.games.go.estimate import status

    board = _board(state)
    owned = status.ownership(board, board.to_play, seed=seed)
    rows: list[list[float]] = owned.reshape(board.side, board.side)[::-1].tolist()
    return rows


def _remarks(state: NDArray[np.int32], komi: float) -> str:
    return "komi {:g}; stones taken: by b {}, by w {}".format(komi, *_board(state).taken)


def _finished(size: int) -> NDArray[np.int32]:
    from gotools.games.go.board import Board

    cells = np.full((size, size), BLACK, np.uint8)
    cells[:, (0, -1)] = EMPTY
    cells[0, 0] = WHITE
    return Board.from_cells(cells.ravel(), size).state


SCORING: Final = Scoring(
    rules={name: rule_set(name) for name in RULE_SETS},
    usual=USUAL,
    read=read_setting,
    parse=read_rules,
    replayed=lambda rules, text: replace(rules, ko="simple", suicide=rules.suicide or allows_suicide(text)),
    count=_count,
    chains=_chains,
    estimate=_estimate,
    status=_status,
    owners=_owners,
    remarks=_remarks,
    longest=lambda size: 3 * size**2,
    finished=_finished,
    trials=TRIALS,
)
