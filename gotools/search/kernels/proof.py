"""Proof-number search for any game with a goal that one side may force: depth first, with a table of bounded memory.

    ply      0         1         2     ...
           root    words, phi, delta, notes of its children: [ply, i]
    path[ply]: hash of the line of positions; own[ply]: hash of the position itself

A position has two numbers, for its side to play: phi, how many positions must at least still be decided for it to
succeed (the attacker to reach the goal, the defender to prevent it), and delta, the same for the other side. 0 and
INFINITE: that is done. Of a position phi is the least delta of those after its moves; delta is the largest phi of them
and one more for each other that is not decided, which counts positions that several lines reach once (weak numbers).

A position that comes again in a line is a failure of the attacker, who must make progress. So what is proven holds
whatever came before; a refutation may hold only behind the line that it was found in. The note of a refutation is the
least ply of that line on which it rests: at this ply and above it is kept under the hash of the line, below it under
that of the position. What rests on LINE_TOO_LONG is not known at all. The note of a proof is its length in plies.

Sources: Allis 1994 (proof numbers); Nagai 2002 (df-pn); Pawlewicz and Lew 2007 (thresholds by a factor); Kishimoto and
Mueller 2004 (lines and repetition); Ueda, Hashimoto, Hashimoto and Iida 2008 (weak proof numbers).
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import spread
from gotools.jit.kernels.seams import AFTER, KEY, REACHED, TO_PLAY, TRIES, record

INFINITE = 1 << 30
PLIES = 256
"""Longest line."""
ANYWHERE, LINE_TOO_LONG = 1 << 20, -1
"""Notes of refutations that hold behind every line, and behind none."""
NODES, NODE_LIMIT, STOPPED, TWINS, FARTHEST = range(5)
PHI, DELTA, NOTE, WORK = range(4)
_NEIGHBOURS = 4
"""Entries of the table that may hold a position."""
_LINE_WORD = np.int64(0x2545F4914F6CDD1D)


class ProofTables(NamedTuple):
    """What a search works with.

    keys, entries -- int64[2**k] and int32[2**k, 4], the transposition table: hash; PHI, DELTA, NOTE and WORK, the nodes
                     spent: a new position takes the place of that with the least of them
    states        -- int32[PLIES + 1, cells]
    moves, words, phi, delta, notes -- [PLIES + 1, longest]: the moves of each ply, and of the positions after them the
                     hashes and what is known
    path, own     -- int64[PLIES + 1]
    found         -- int64[PLIES + 1, 3]: PHI, DELTA, NOTE of the position of each ply, when its search has ended
    counters      -- int64[5]: NODES .. FARTHEST above. A node is a position whose moves were listed; TWINS: refutations
                     kept under the hash of a line; FARTHEST: the ply by which the goal has to be reached, 0: any
    stop          -- int32[1], set to 1 from outside
    """

    keys: np.ndarray
    entries: np.ndarray
    states: np.ndarray
    moves: np.ndarray
    words: np.ndarray
    phi: np.ndarray
    delta: np.ndarray
    notes: np.ndarray
    path: np.ndarray
    own: np.ndarray
    found: np.ndarray
    counters: np.ndarray
    stop: np.ndarray


class Task(NamedTuple):
    """What is to be proven: functions of a game, and the goal, whose first entry is the attacker."""

    tries: object
    after: object
    key: object
    goal: np.ndarray


def new_tables(cells, longest, bits):
    """Make what a search of a game works with; the transposition table has 2**bits entries."""
    return ProofTables(
        keys=np.zeros(1 << bits, np.int64),
        entries=np.zeros((1 << bits, 4), np.int32),
        states=np.zeros((PLIES + 1, cells), np.int32),
        moves=np.zeros((PLIES + 1, longest), np.int32),
        words=np.zeros((PLIES + 1, longest), np.int64),
        phi=np.zeros((PLIES + 1, longest), np.int64),
        delta=np.zeros((PLIES + 1, longest), np.int64),
        notes=np.zeros((PLIES + 1, longest), np.int64),
        path=np.zeros(PLIES + 1, np.int64),
        own=np.zeros(PLIES + 1, np.int64),
        found=np.zeros((PLIES + 1, 3), np.int64),
        counters=np.zeros(5, np.int64),
        stop=np.zeros(1, np.int32),
    )


TABLES = typeof(new_tables(1, 1, 0))
TASK = record(Task, TRIES, AFTER, KEY, types.int32[::1])


@kernel
def word_of(tables, key, ply):
    """Return the hash of a position by its key; where lines are bounded, positions of different plies differ."""
    return key if tables.counters[FARTHEST] == 0 else key ^ spread(np.int64(ply))


@kernel
def place_of(tables, word):
    """Return the entry that holds a hash, -1 where there is none."""
    mask = len(tables.keys) - 1
    for i in range(_NEIGHBOURS):
        at = (word + i) & mask
        if tables.keys[at] == word:
            return at
    return -1


@inner
def _keep(tables, word, phi, delta, note, work):
    """Keep what is known of a position, in the place of one that less was spent on."""
    at = place_of(tables, word)
    if at < 0:
        mask, least = len(tables.keys) - 1, np.int64(1) << 40
        for i in range(_NEIGHBOURS):
            place = (word + i) & mask
            if tables.entries[place, WORK] < least:
                at, least = place, np.int64(tables.entries[place, WORK])
    else:
        work = min(work + tables.entries[at, WORK], INFINITE)
    tables.keys[at] = word
    tables.entries[at, PHI], tables.entries[at, DELTA] = phi, delta
    tables.entries[at, NOTE], tables.entries[at, WORK] = note, work


@inner
def _line_word(path, word):
    """Return the hash of a line that is continued by a position."""
    return spread(path * _LINE_WORD + word)


@inner
def _look_up(tables, ply, i):
    """Fill what the table knows of child i of a ply; says whether it knows anything."""
    word = tables.words[ply, i]
    at = place_of(tables, word)
    decided = at >= 0 and (tables.entries[at, PHI] == 0 or tables.entries[at, DELTA] == 0)
    if not decided and tables.counters[TWINS] > 0:
        twin = place_of(tables, _line_word(tables.path[ply], word))
        at = twin if twin >= 0 else at
    if at < 0:
        return False
    tables.phi[ply, i], tables.delta[ply, i] = tables.entries[at, PHI], tables.entries[at, DELTA]
    tables.notes[ply, i] = tables.entries[at, NOTE]
    return True


@inner
def _decide(tables, ply, i, succeeds, note):
    """Fill in that the side to play of child i succeeds, or fails."""
    tables.phi[ply, i] = 0 if succeeds else INFINITE
    tables.delta[ply, i] = INFINITE if succeeds else 0
    tables.notes[ply, i] = note


@inner
def _is_repeated(tables, ply, i):
    """Return the ply of the line at which child i stands already, -1 where it is new."""
    for before in range(ply - 1, -1, -2):
        if tables.own[before] == tables.words[ply, i]:
            return before
    return -1


@inner
def _meet(tables, ply, i, task):
    """Find out what is known of child i: by the line, by the table, by its number of moves."""
    child = tables.states[ply + 1]
    task.after(tables.states[ply], tables.moves[ply, i], child)
    tables.words[ply, i] = word_of(tables, task.key(child), ply + 1)
    attacks = child[TO_PLAY] == task.goal[0]
    again = _is_repeated(tables, ply, i)
    if again >= 0:
        _decide(tables, ply, i, not attacks, again)
    elif not _look_up(tables, ply, i):
        n = task.tries(child, task.goal, tables.moves[ply + 1])
        tables.counters[NODES] += 1
        if ply + 1 == tables.counters[FARTHEST]:
            n = min(n, 0)
        if n == REACHED or n == 0:
            _decide(tables, ply, i, attacks == (n == REACHED), 0 if n == REACHED else ANYWHERE)
            _keep(tables, tables.words[ply, i], tables.phi[ply, i], tables.delta[ply, i], tables.notes[ply, i], 1)
        elif ply + 2 > PLIES:
            _decide(tables, ply, i, not attacks, LINE_TOO_LONG)
        else:
            tables.phi[ply, i], tables.delta[ply, i], tables.notes[ply, i] = 1, n, 0


@inner
def _combine(tables, ply, n):
    """Return the numbers of a ply by its children: phi, delta, the best child, the delta of the next, those open."""
    best, phi, second, largest, live = 0, INFINITE + 1, INFINITE, 0, 0
    for i in range(n):
        delta, other = tables.delta[ply, i], tables.phi[ply, i]
        if delta < phi or (delta == phi and other < tables.phi[ply, best]):
            best, phi, second = i, delta, min(phi, INFINITE)
        elif delta < second:
            second = delta
        if other != 0:
            largest = max(largest, other)
            live += 1
    delta = 0 if live == 0 else INFINITE if largest == INFINITE else min(largest + live, INFINITE) - 1
    return phi, delta, best, second, live


@inner
def _note(tables, ply, n, attacks, succeeds):
    """Return the note of a decided ply: the length of a proof, the least ply that a refutation rests on."""
    proven = attacks == succeeds
    note = -2
    for i in range(n):
        if succeeds and tables.delta[ply, i] != 0:
            continue
        one = tables.notes[ply, i]
        least = attacks  # a proof by the shortest of own moves; a refutation rests on all of them
        note = one if note == -2 else min(note, one) if least else max(note, one)
    return note + 1 if proven else note


@inner
def _settle(tables, ply, n, attacks, phi, delta, before):
    """Store the numbers of a ply, in found and in the table; before -- nodes when its search began."""
    note = _note(tables, ply, n, attacks, phi == 0) if phi == 0 or delta == 0 else 0
    work = min(tables.counters[NODES] - before + 1, INFINITE)
    word = tables.own[ply]
    refuted = (phi == 0) != attacks and (phi == 0 or delta == 0)
    if refuted and note >= ply:
        note = ANYWHERE
    if refuted and note < ply:
        tables.counters[TWINS] += 1
        word = tables.path[ply]
    _keep(tables, word, phi, delta, note, work)
    tables.found[ply, PHI], tables.found[ply, DELTA], tables.found[ply, NOTE] = phi, delta, note


@inner
def _has_changed(tables, ply, i):
    """Look child i up again; says whether another line has found out more of it."""
    phi, delta = tables.phi[ply, i], tables.delta[ply, i]
    _look_up(tables, ply, i)
    return tables.phi[ply, i] != phi or tables.delta[ply, i] != delta


@seam(types.void(types.int64, types.int64, types.int64, TABLES, TASK))
def prove(ply, most_phi, most_delta, tables, task):
    """Search the position states[ply] until a number of it reaches its bound, or the search is stopped.

    own[ply] and path[ply] are filled; what it found stands in found[ply], and counters[STOPPED] says if it was stopped.
    """
    state, counters = tables.states[ply], tables.counters
    before = counters[NODES]
    n = task.tries(state, task.goal, tables.moves[ply])
    counters[NODES] += 1
    attacks = state[TO_PLAY] == task.goal[0]
    if n <= 0:
        succeeds = attacks == (n == REACHED)
        tables.found[ply, PHI], tables.found[ply, DELTA] = (0, INFINITE) if succeeds else (INFINITE, 0)
        tables.found[ply, NOTE] = 0 if n == REACHED else ANYWHERE
        return
    for i in range(n):
        _meet(tables, ply, i, task)
        if tables.delta[ply, i] == 0:  # the side to play has what it wants
            n = i + 1
            break
    while True:
        phi, delta, best, second, live = _combine(tables, ply, n)
        if tables.stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
            counters[STOPPED] = 1
        if phi >= most_phi or delta >= most_delta or counters[STOPPED] != 0:
            break
        if _has_changed(tables, ply, best):
            continue
        task.after(state, tables.moves[ply, best], tables.states[ply + 1])
        tables.own[ply + 1] = tables.words[ply, best]
        tables.path[ply + 1] = _line_word(tables.path[ply], tables.words[ply, best])
        bound = most_delta if most_delta == INFINITE else most_delta - live + 1
        prove(ply + 1, bound, min(most_phi, second + 1 + second // 4), tables, task)
        found = tables.found[ply + 1]
        tables.phi[ply, best], tables.delta[ply, best], tables.notes[ply, best] = found[PHI], found[DELTA], found[NOTE]
    _settle(tables, ply, n, attacks, phi, delta, before)
