"""What an alpha-beta search works with: its tables, its plan, what it knows; nodes counted, lines kept."""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inlined, inner
from gotools.jit.kernels.elementary import log
from gotools.jit.kernels.seams import KEY, LEGAL, SCORER, THREATENED, VALUER, Scorer, Valuer, record

SCALE = 1_000_000
INFINITE = 4 * SCALE
DEEPEST = 64
"""Plies of the search proper, and of quiescence beyond it together at most twice that."""
PLIES = 2 * DEEPEST
NODES, NODE_LIMIT, STOPPED, ROOT_MOVES, ROOT_BEST, ROOT_VALUE, SEARCHED, FARTHEST, NOTED = range(9)
NO_MOVE = -1
_LARGEST = 1.0 - 2.0**-50
"""The largest tanh that is opened: 1 would be that of no finite sum."""


class Tables(NamedTuple):
    """What a search works with.

    keys, entries  -- int64[2**k], the transposition table (transpositions.py)
    states         -- int32[PLIES, cells]
    moves, scores  -- [PLIES, longest]
    killers        -- int32[PLIES, 2]
    history        -- int64[3, moves], by side: how often a move refuted its node
    made           -- int32[PLIES], the move of each ply in the line that is being searched
    lines, ends    -- int32[PLIES, PLIES] and int32[PLIES]: the best line from each ply
    penalties      -- int64[PLIES, moves], what a move costs for its low score
    second_scores  -- float64[longest], of the second ordering
    root_values, root_nodes -- int64[longest], of each root move; its value is exact for the best only
    counters       -- int64[9]: NODES .. NOTED above. ROOT_BEST, ROOT_VALUE: of the root moves searched in full so far;
                      FARTHEST: the ply that extended lines may reach; NOTED: NODES at the last of
                      the root moves
    stop           -- int32[1], set to 1 from outside
    """

    keys: np.ndarray
    entries: np.ndarray
    states: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    killers: np.ndarray
    history: np.ndarray
    made: np.ndarray
    lines: np.ndarray
    ends: np.ndarray
    penalties: np.ndarray
    second_scores: np.ndarray
    root_values: np.ndarray
    root_nodes: np.ndarray
    counters: np.ndarray
    stop: np.ndarray


class Plan(NamedTuple):
    """How to search.

    widths      -- int64[DEEPEST + 1], candidates kept by depth left; 0 keeps all
    order_from  -- depth left from which on the orderings score moves; below, killers and history order alone
    quiescence  -- plies of noisy moves after the last
    selective   -- leave out and reduce what hardly matters (selective.py): the value is no longer exact
    skip        -- of a selective search: the move that only changes the side to play, -1 for none
    margin      -- of a selective search: what a ply may change in a value, in parts of SCALE; 0: anything
    reductions  -- int64[DEEPEST + 1, LATE], plies by which a quiet move is reduced, by depth left and number
    extensions  -- plies by which a line may become longer, one for each threat in it
    penalty     -- what a move costs for each unit that its score is below the best, in parts of SCALE
    weight, second_weight -- what a unit of the orderings' scores counts beside history, which counts 0 to 1
    """

    widths: np.ndarray
    order_from: int
    quiescence: int
    selective: int
    skip: int
    margin: int
    reductions: np.ndarray
    extensions: int
    penalty: float
    weight: float
    second_weight: float


class Knowledge(NamedTuple):
    """What a search knows beside the rules.

    scorer -- scores moves, prunes and sets penalties where the plan says so; second -- only orders
    valuer -- values positions at the leaves; noisy -- lists the moves searched before that
    threatened -- says whether the side to play must answer a threat; a move that makes one costs no depth (extensions)
    key    -- distinguishes positions by all that the ordering looks at
    scale  -- what an evaluation of 1 is worth beside decided games
    opens  -- 1: values are the tanh of a sum, and are searched as opened(value); 0: as they are
    """

    scorer: Scorer
    second: Scorer
    valuer: Valuer
    noisy: object
    threatened: object
    key: object
    scale: float
    opens: int


def new_tables(cells, longest, moves, bits):
    """Make what a search of a game works with; the transposition table has 2**bits entries."""
    return Tables(
        keys=np.zeros(1 << bits, np.int64),
        entries=np.zeros(1 << bits, np.int64),
        states=np.zeros((PLIES + 1, cells), np.int32),
        moves=np.zeros((PLIES + 1, longest), np.int32),
        scores=np.zeros((PLIES + 1, longest)),
        killers=np.zeros((PLIES + 1, 2), np.int32),
        history=np.zeros((3, moves), np.int64),
        made=np.full(PLIES + 2, NO_MOVE, np.int32),
        lines=np.zeros((PLIES + 1, PLIES + 1), np.int32),
        ends=np.zeros(PLIES + 2, np.int32),
        penalties=np.zeros((PLIES + 1, moves), np.int64),
        second_scores=np.zeros(longest),
        root_values=np.zeros(longest, np.int64),
        root_nodes=np.zeros(longest, np.int64),
        counters=np.zeros(9, np.int64),
        stop=np.zeros(1, np.int32),
    )


TABLES = typeof(new_tables(1, 1, 1, 0))
PLAN = typeof(Plan(np.zeros(1, np.int64), 0, 0, 0, 0, 0, np.zeros((1, 1), np.int64), 0, 0.0, 0.0, 0.0))
KNOWLEDGE = record(Knowledge, SCORER, SCORER, VALUER, LEGAL, THREATENED, KEY, types.float64, types.int64)


@inlined
def scaled(value):
    return np.int64(np.rint(value * SCALE))


@inner
def opened(value):
    """Return a value that is the tanh of a sum as sum / (1 + |sum|): large sums, whose tanh is 1, stay apart."""
    size = min(abs(value), _LARGEST)
    total = 0.5 * log((1.0 + size) / (1.0 - size))
    return np.sign(value) * total / (1.0 + total)


@inlined
def stopped(tables):
    """Count a node, unless the search has to end; say whether it has to."""
    counters = tables.counters
    if tables.stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return True
    counters[NODES] += 1
    return False


@inlined
def extend_line(tables, ply, move):
    """Make the line of a ply the move and the line of the next ply."""
    tables.lines[ply, ply] = move
    end = tables.ends[ply + 1]
    for i in range(ply + 1, end):
        tables.lines[ply, i] = tables.lines[ply + 1, i]
    tables.ends[ply] = end
