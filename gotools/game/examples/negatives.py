"""Make counter-examples: moves that a player did not choose, could not make, or should not have made.

Four sources, each with its own random stream (so that the count of one does not change the sample of another):
    random     moves of a uniformly random legal player (made by the caller: this module plays no games)
    suicide    points of Go that are empty, but illegal by suicide or ko, in the positions of the examples
    unplayed   legal moves that the player did not choose, in the positions of the examples
    weak       moves of weak players who lost, marked when the games were read (see selection.py)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.examples.examples import Examples, Listed
from gotools.game.records.sources import PLAYED, RANDOM, SOURCES, SUICIDE, UNPLAYED, WEAK
from gotools.jit.kernels.draws import draw_round, take_out

Kept = TypeVar("Kept", bound=Examples)
Wanted = Mapping[str, int | None]
"""How many of each source; None means as many as there are examples."""


def draw_negatives(
    decisions: Kept,
    wanted: Wanted,
    seed: int,
    random_moves: Callable[[int, int], Kept],
    warn: Callable[[str], None],
) -> Kept:
    """Return the counter-examples wanted, source by source in the order given.

    decisions -- what players played, moves of weak losers marked with source weak
    random_moves -- given a count and a board size (that of most examples), plays that many moves of a random player
    warn -- called with a message when there are fewer than wanted; all there are are returned

    Raises GotoolsError for the source suicide in a game without.
    """
    positives = decisions.take(decisions.label == 1)
    parts = [positives.take(np.zeros(0, np.int64))]
    for name, number in wanted.items():
        count = len(positives) if number is None else number
        rng = np.random.default_rng([seed, SOURCES.index(name)])
        if name == "random":
            usual = int(np.bincount(positives.size).argmax()) if len(positives) else decisions.of.sizes[0]
            drawn = random_moves(count, usual)
        elif name == "suicide":
            drawn = suicide_points(positives, count, rng)
        elif name == "unplayed":
            drawn = unplayed_moves(positives, count, rng)
        else:
            drawn = sample(decisions.take(decisions.source == WEAK), count, rng)
        if len(drawn) < count:
            warn(f"{len(drawn)} counter-examples of source {name}, {count} wanted: there are no more")
        parts.append(drawn)
    return type(decisions).concat(parts)


def unplayed_moves(positives: Kept, count: int, rng: np.random.Generator) -> Kept:
    """Draw legal moves that were not played, evenly over the positions: a second one only where all had their first.

    No (position, move) comes twice, and none that was played in the same position, however often the position
    occurs. The result is in the order of `positives`.
    """
    group, first = distinct_positions(positives)
    legal = positives.take(first).legal()
    free = _not_played(legal, group, positives)
    rows, moves = [np.zeros(0, np.int64)], [np.zeros(0, legal.place.dtype)]
    while count > 0 and len(first):
        order = rng.permutation(len(positives))
        chance = rng.random(len(order))
        while len(order) and count > 0:
            turn, order, luck, chance = order[:count], order[count:], chance[:count], chance[count:]
            drawn = np.empty(len(turn), np.int64)
            draw_round(free, legal.first, group, turn, luck, drawn)
            found = drawn >= 0
            rows.append(turn[found])
            moves.append(legal.place[drawn[found]])
            count -= int(found.sum())
        if not free.any():
            break
    return _other_moves(positives, np.concatenate(rows), np.concatenate(moves), UNPLAYED)


def suicide_points(positives: Kept, count: int, rng: np.random.Generator) -> Kept:
    """Draw empty points that are illegal by suicide or ko, uniformly over the distinct (position, point).

    Raises GotoolsError in a game without such moves.
    """
    group, first = distinct_positions(positives)
    illegal = positives.take(first).forbidden()
    free = np.flatnonzero(_not_played(illegal, group, positives))  # they may be played by rules that allow suicide
    chosen = free[rng.permutation(len(free))[:count]]
    return _other_moves(positives, first[illegal.row[chosen]], illegal.place[chosen], SUICIDE)


def _not_played(listed: Listed, group: NDArray[np.int64], rows: Examples) -> NDArray[np.bool_]:
    """Mark the places that were not played in the same position; group -- the position of each row."""
    free = np.ones(len(listed.place), np.bool_)
    take_out(free, listed.first, listed.place, group, rows.move)
    return free


def sample(rows: Kept, count: int, rng: np.random.Generator) -> Kept:
    """Return `count` rows drawn without repetition, in their order; all of them if there are fewer."""
    return rows.take(np.sort(rng.permutation(len(rows))[:count]))


def relabel(rows: Kept, source: int) -> Kept:
    """Return the rows as examples (source played) or counter-examples (any other source)."""
    label, origin = np.full(len(rows), source == PLAYED, np.uint8), np.full(len(rows), source, np.uint8)
    return replace(rows, label=label, source=origin)


def split_by_game(rows: Examples, share: float, seed: int) -> NDArray[np.bool_]:
    """Mark the rows of the first part: a share of the games, drawn by seed; a game is never divided.

    Games of the random player are divided in the same proportion. No part is empty.
    Raises GotoolsError for a single game.
    """
    game = rows.game_numbers()
    made = rows.source == RANDOM
    if len(np.unique(game[~made])) < 2:
        raise GotoolsError("one game alone cannot be divided by --split; give more games")
    chosen = np.zeros(len(rows.names), np.bool_)
    for kind in (~made, made):
        there = np.unique(game[kind])
        order = np.random.default_rng([seed, len(SOURCES)]).permutation(there)
        size = round(share * len(there))
        if len(there) > 1:
            size = min(max(size, 1), len(there) - 1)
        chosen[order[:size]] = True
    marked: NDArray[np.bool_] = chosen[game]
    return marked


def distinct_positions(rows: Examples) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct positions, with the side to play, in the order of their first appearance.

    Returns int64[n], the number of each row, and int64[g], the first row of each.
    """
    _, first, group = np.unique(rows.position_keys(), return_index=True, return_inverse=True)
    order = np.argsort(first)  # np.unique numbers by bytes
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[group.ravel()], first[order]


def _other_moves(rows: Kept, which: NDArray[np.int64], moves: NDArray[np.integer], source: int) -> Kept:
    order = np.lexsort((moves, which))
    return replace(relabel(rows.take(which[order]), source), move=moves[order].astype(np.int16))
