"""The signatures of the functions that games and knowledge supply to the searches.

    start(state, size)                          make the position at the start
    legal(state, moves) -> n                    list the legal moves; n is 0 only where the game is over
    worthy(state, moves) -> n                   list the legal moves worth searching; n is 0 only where legal's is
    noisy(state, moves) -> n                    list the moves that upset the value of the position; n may be 0
    threatened(state) -> bool                   whether the side to play must answer a threat: check, atari
    after(state, move, target)                  write the position after a legal move to target (not state itself)
    outcome(state) -> value                     ONGOING, or the value of the finished game
    key(state) -> hash                          equal for positions that have the same moves and values ahead
    playout(state, random, played) -> value     play to the end at random; state becomes the end
    order(state, moves, n, scores, numbers)     score moves for the side to play: larger is looked at first
    evaluate(state, numbers) -> value           estimate the value
    judge(state, moves, n, scores, numbers) -> value  do what order and evaluate do at once
    inputs(state, x)                            fill the inputs of a network, for the side to play: positive favours it
    cells(state, cells) -> tilt                 write the board, 0 empty, 1 or 2; what the rules give side 1 besides
    measure(state, moves, n, features) -> stage describe moves by small numbers from 0 up, a row each; return the stage
    look(state, moves, n, seen)                 fill what stands around each move, by frame and place, as bits
    piece_inputs(state, inputs) -> n            list the inputs of a network that a position has, as the side to play
                                                sees it, then as the other side does: n in each row
    fill(state, strength, x)                    fill the planes of a residual network, with a border (convolution.py)
    place(state, move) -> place                 the output of a network's policy that belongs to a move
    owners(state, owned) -> lead                of a finished game, who owns each point: 1 side 1, -1 side 2, 0 neither;
                                                the points that side 1 is ahead
    tries(state, goal, moves) -> n              list the moves of the side to play by which the side goal[0] may reach a
                                                goal, or the other prevent it; 0: it is out of reach; REACHED
    solve(state, low, high, table, counters, stop) -> score  return the exact score of a position for the side to play,
                                                or a bound beyond low or high: positive if it wins, larger the sooner
    changes(state, move, where) -> n            list the cells that a legal move changes: the first gets its stone,
                                                the others become empty; n is 0 for a pass

Values are float64 in [-1, 1] for the side to play: 1 is won. A state is an array of its game's length; in every game
state[SIZE], its first entry, is the size of the board, and state[TO_PLAY], its second, the side to play, 1 or 2. random
is uint64[1], the state of a generator. played[0] is the number of moves that a playout made, played[1:] are the moves,
sides alternating; where it has room for no more, the playout ends. numbers are what an ordering or evaluation has
learned, or addresses; only the function itself reads them. Of `solve`, counters are NODES, NODE_LIMIT and STOPPED, 1
where the limit came first or stop[0] is set, and the score means nothing; table, 2**k words, 0 at first, keeps bounds.

The functions of a game travel through the kernels in the records below; `Game.rules`, `Ordering.scorer` and
`Evaluation.valuer` make them.
"""

from typing import NamedTuple

import numpy as np
from numba import types

ONGOING = 2.0
REACHED = -1
NODES, NODE_LIMIT, STOPPED = range(3)
SIZE = 0
TO_PLAY = 1

_STATE = types.int32[::1]
_MOVES = types.int32[::1]
RANDOM = types.uint64[::1]
INTEGERS = types.int64[::1]
FLOATS = types.float64[::1]
FLAG = types.int32[::1]

START = types.void(_STATE, types.int64)
LEGAL = types.int64(_STATE, _MOVES)
AFTER = types.void(_STATE, types.int64, _STATE)
OUTCOME = types.float64(_STATE)
THREATENED = types.boolean(_STATE)
KEY = types.int64(_STATE)
PLAYOUT = types.float64(_STATE, RANDOM, _MOVES)
ORDER = types.void(_STATE, _MOVES, types.int64, FLOATS, INTEGERS)
EVALUATE = types.float64(_STATE, FLOATS)
JUDGE = types.float64(_STATE, _MOVES, types.int64, FLOATS, FLOATS)
INPUTS = types.void(_STATE, FLOATS)
CELLS = types.float64(_STATE, types.uint8[::1])
FILL = types.void(_STATE, types.float32, types.float32[::1])
PLACE = types.int64(_STATE, types.int64)
OWNERS = types.float64(_STATE, types.int8[::1])
TRIES = types.int64(_STATE, _STATE, _MOVES)
SOLVE = types.int64(_STATE, types.int64, types.int64, INTEGERS, INTEGERS, FLAG)
CHANGES = types.int64(_STATE, types.int64, _MOVES)
MEASURE = types.int64(_STATE, _MOVES, types.int64, types.int32[:, ::1])
PIECES = types.int64(_STATE, types.int32[:, ::1])
LOOK = types.void(_STATE, _MOVES, types.int64, types.int32[:, :, ::1])


def record(kind, *fields):
    """Return numba's type of a named tuple; a field that is a signature holds a function of it (`jit.as_value`)."""
    functions = (types.FunctionType(field) if hasattr(field, "return_type") else field for field in fields)
    return types.NamedTuple(tuple(functions), kind)


class Rules(NamedTuple):
    """What every kernel needs of a game: three of its functions; its pass, -1 without; the most moves of a position."""

    worthy: object
    after: object
    outcome: object
    pass_move: int
    longest: int


class Scorer(NamedTuple):
    """A function of the signature ORDER, and the numbers to hand to it."""

    order: object
    numbers: np.ndarray


class Valuer(NamedTuple):
    """A function of the signature EVALUATE, and the numbers to hand to it."""

    evaluate: object
    numbers: np.ndarray


class Judge(NamedTuple):
    """A function of the signature JUDGE, and the numbers to hand to it."""

    judge: object
    numbers: np.ndarray


class Board(NamedTuple):
    """The board of a game as a residual network takes it: functions of the signatures FILL, PLACE and OWNERS."""

    fill: object
    place: object
    owners: object


RULES = record(Rules, LEGAL, AFTER, OUTCOME, types.int64, types.int64)
SCORER = record(Scorer, ORDER, INTEGERS)
VALUER = record(Valuer, EVALUATE, FLOATS)
JUDGING = record(Judge, JUDGE, FLOATS)
BOARD = record(Board, FILL, PLACE, OWNERS)
