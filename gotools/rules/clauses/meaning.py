"""Where clauses hold, whatever the game: in Go by points and chains, in other games by measures and a window."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.rules.clauses.clauses import Compiler
from gotools.rules.clauses.facts import FactTable, Intervals, facts_of_points
from gotools.rules.clauses.kernels import clauses as op
from gotools.rules.clauses.kernels.conditions import Masks
from gotools.rules.clauses.moves import MoveCompiler, MoveFacts, facts_of_moves
from gotools.rules.clauses.points import Moves, Points, StateMoves
from gotools.rules.clauses.rules import Literal

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background


def facts_of(
    moves: Moves,
    intervals: Intervals,
    background: Background | None = None,
    predicates: Collection[str] = (),
    shapes: Sequence[str] = (),
) -> FactTable:
    """Return the facts of moves, a user's predicates (`background`) among them.

    intervals -- the run's; conditions that are tried on several tables must share them
    predicates -- that clauses name: what some of them need costs time, and is gathered for them alone
    shapes -- those that clauses name: see `shapes_named`

    Raises GotoolsError for a text that is no shape.
    """
    if isinstance(moves, StateMoves):
        return facts_of_moves(moves, intervals, background, predicates)
    assert isinstance(moves, Points)
    return facts_of_points(moves, intervals, background, predicates=predicates, shapes=shapes)


def compiler_of(table: FactTable) -> Compiler:
    """Return what turns the literals of a clause into operations on these facts."""
    return MoveCompiler(table) if isinstance(table, MoveFacts) else Compiler(table)


def operations_of(table: FactTable, body: Sequence[Literal]) -> tuple[NDArray[np.int32], int]:
    """Return the operations of a clause, int32[literals, 4], and the number of its variables.

    Raises GotoolsError for a clause without a meaning.
    """
    compiler = compiler_of(table)
    operations = [compiler.operation(literal) for literal in body]
    return np.array(operations, np.int32).reshape(-1, 4), len(compiler.number)


def holds(table: FactTable, masks: Masks, body: Sequence[Literal]) -> NDArray[np.bool_]:
    """Return for every active example of `masks` whether the clause with this body covers it."""
    ops, variables = operations_of(table, body)
    low, high = table.intervals.low, table.intervals.high
    held: NDArray[np.bool_] = op.covered(table.facts, masks, low, high, ops, variables)
    return held
