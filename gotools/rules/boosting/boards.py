"""Sets of conditions on whole boards: scores of all legal moves, and samples of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.games.go.shapes import Shape, shape_table
from gotools.rules.boosting.candidates import Condition, body_of
from gotools.rules.boosting.kernels import boards as _boards
from gotools.rules.boosting.kernels.boards import BoardTable, PositionMoves
from gotools.rules.boosting.kernels.sets import BoardSets
from gotools.rules.clauses.kernels import measures as _measures
from gotools.rules.clauses.kernels.facts import TURNS
from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.compiled import plan as _plan
from gotools.rules.compiled.plan import (
    NO_LIMIT,
    ChainClass,
    Edge,
    Measured,
    Seen,
    Shaped,
    Staged,
    Tied,
    Touched,
    plan_of,
)
from gotools.rules.compiled.plan import Condition as PlanCondition
from gotools.rules.weigh.accuracy import Choices
from gotools.rules.weigh.weights import Weights

_KINDS = {
    _plan.EMPTY: _boards.EMPTY,
    _plan.OUTSIDE: _boards.OUTSIDE,
    _plan.LAST: _boards.LAST,
    _plan.LAST2: _boards.LAST2,
}
_COLOURS = {0: 6, 1: 2, 2: 4}
_DENSITY = {_plan.LAST: 0, _plan.LAST2: 1, _plan.OUTSIDE: 3, _plan.EMPTY: 5}
_SIDES = {(-1, 0): _boards.LEFT, (1, 0): _boards.RIGHT, (0, -1): _boards.BOTTOM, (0, 1): _boards.TOP}


def positions_of(choices: Choices) -> PositionMoves:
    """Return the positions of choices as the kernels take them."""
    of = choices.points
    at = of.position[choices.first[:-1]]
    return PositionMoves(of.board[at], of.size[at], of.to_play[at], of.last[at], of.last2[at], choices.first, of.point)


def _merged(conditions: Sequence[PlanCondition]) -> PlanCondition:
    """Return one condition for the several that a number and its range make."""
    first, *others = conditions
    for one in others:
        assert isinstance(first, Measured) and isinstance(one, Measured) and one.measure == first.measure
        first = Measured(first.measure, max(first.low, one.low), min(first.high, one.high))
    return first


def board_conditions(conditions: Sequence[Condition]) -> BoardConditions:
    """Return what candidate conditions mean on boards."""
    plan = plan_of([Rule(f"c{k}", body_of([c]), 0, 0, 0.0) for k, c in enumerate(conditions)], "conditions")
    return BoardConditions([_merged(planned.conditions or ()) for planned in plan.rules], plan.offsets)


def board_rules(rules: RuleSet) -> tuple[BoardConditions, list[tuple[int, ...]], Weights] | None:
    """Return the conditions of rules, the rules as sets of them, and their weights; rules that never fire are left out.

    None if a rule ties chains together, or has predicates of the user's: those need the kernels of clauses.
    """
    try:
        plan = plan_of(rules.rules, "rules")
    except GotoolsError:
        return None
    fired = [planned for planned in plan.rules if planned.conditions is not None]
    number = {c: k for k, c in enumerate(dict.fromkeys(c for planned in fired for c in planned.conditions or ()))}
    if any(isinstance(condition, Tied) for condition in number):
        return None
    sets = [tuple(number[c] for c in planned.conditions or ()) for planned in fired]
    return BoardConditions(list(number), plan.offsets), sets, np.array([planned.rule.weight for planned in fired])


class BoardConditions:
    """The meaning of conditions on whole boards, and sets of them in the form that the kernels take."""

    def __init__(self, conditions: Sequence[PlanCondition], offsets: Sequence[tuple[int, int]]) -> None:
        self._offsets = offsets
        self._classes: dict[ChainClass | str, int] = {}
        self._moved: dict[tuple[int, int, int], int] = {}
        self.framed: dict[int, list[int]] = {}
        """Rows of `moved` of a framed condition, by frame."""
        self.fixed: dict[int, int] = {}
        """Board of a condition that is the same in all frames."""
        self.density: dict[int, int] = {}
        self._touched: list[tuple[int, int, int]] = []
        self._stages: list[tuple[int, int]] = []
        self._measured: list[tuple[Measured, int]] = []
        self._shapes: list[tuple[Shape, int]] = []
        for number, condition in enumerate(conditions):
            self._add(number, condition)

    def _class(self, what: ChainClass | str) -> int:
        return self._classes.setdefault(what, len(self._classes))

    def _board(self, *key: int) -> int:
        return self._moved.setdefault(key, len(self._moved))  # type: ignore[arg-type]

    def _add(self, number: int, condition: object) -> None:
        if isinstance(condition, Seen):
            kind = self._class(condition.what)
            dx, dy = self._offsets[condition.offset]
            assert max(abs(dx), abs(dy)) <= _boards.MARGIN
            self.framed[number] = [
                self._board(kind, int(a * dx + b * dy), int(c * dx + d * dy)) for a, b, c, d in TURNS.tolist()
            ]
            what = condition.what
            self.density[number] = _DENSITY[what] if isinstance(what, str) else 2 if what.most_liberties < 99 else 4
        elif isinstance(condition, Edge):
            self.framed[number] = []
            for a, b, c, d in TURNS.tolist():
                side = (-a, -c) if condition.which == 0 else (-b, -d)
                self.framed[number].append(self._board(-1, condition.line, _SIDES[side]))
            self.density[number] = 2
        else:
            board = self.fixed[number] = len(self.fixed)
            if isinstance(condition, Touched):
                self._touched.append((condition.property, self._class(condition.chain), board))
            elif isinstance(condition, Staged):
                self._stages.append((condition.stage, board))
            elif isinstance(condition, Shaped):
                self._shapes.append((condition.shape, board))
            else:
                assert isinstance(condition, Measured)
                self._measured.append((condition, board))

    def sets(self, sets: Sequence[Sequence[int]]) -> tuple[BoardTable, BoardSets]:
        """Return the sets, and the table with what they need."""
        fixed = [[self.fixed[c] for c in some if c in self.fixed] for some in sets]
        framed = [sorted((c for c in some if c in self.framed), key=lambda c: (self.density[c], c)) for some in sets]
        flat = [c for some in framed for c in some]
        rows = np.array([[self.framed[c][f] for c in flat] for f in range(8)], np.int32).reshape(8, -1)
        used = np.unique([b for some in fixed for b in some])
        given = BoardSets(
            np.cumsum([0, *map(len, fixed)]).astype(np.int32),
            np.array([b for some in fixed for b in some], np.int32),
            np.cumsum([0, *map(len, framed)]).astype(np.int32),
            rows,
        )
        return self._table(np.unique(rows).astype(np.int32), set(used.tolist())), given

    def _table(self, wanted: NDArray[np.int32], used: set[int]) -> BoardTable:
        classes = []
        for what in self._classes:
            if isinstance(what, str):
                classes.append((_KINDS[what], 0, 0, 0, 0, 0))
            else:
                classes.append(
                    (
                        _boards.CHAIN,
                        _COLOURS[what.colour],
                        what.least_liberties,
                        what.most_liberties,
                        what.least_stones,
                        what.most_stones,
                    )
                )
        at, member = self._members(used)
        shapes = [(shape, board) for shape, board in self._shapes if board in used]
        return BoardTable(
            classes=np.array(classes, np.int32).reshape(-1, 6),
            moved=np.array(list(self._moved), np.int32).reshape(-1, 3),
            wanted=wanted,
            touched=np.array([t for t in self._touched if t[2] in used], np.int32).reshape(-1, 3),
            stages=np.array([t for t in self._stages if t[1] in used], np.int32).reshape(-1, 2),
            member_at=at,
            member=member,
            shapes=shape_table([shape for shape, _ in shapes], [board for _, board in shapes]),
            fixed=len(self.fixed),
        )

    def _members(self, used: set[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return which of the boards in use each value of each measure belongs to; see BoardTable."""
        mine = [(one, board) for one, board in self._measured if board in used]
        last = max([1, *(one.low for one, _ in mine), *(one.high + 1 for one, _ in mine if one.high < NO_LIMIT)])
        at, member = np.zeros((_measures.MEASURES, last + 2), np.int32), list[int]()
        for m in range(_measures.MEASURES):
            for v in range(last + 1):
                at[m, v] = len(member)
                member += [board for one, board in mine if one.measure == m and one.low <= v <= one.high]
            at[m, -1] = len(member)
        return at, np.array(member, np.int32)
