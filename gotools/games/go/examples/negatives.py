"""Make counter-examples: moves that a player did not choose, could not make, or should not have made.

Four sources, each with its own random stream (so that the count of one does not change the sample of another):
    random     moves of a uniformly random legal player (made by the caller: this module plays no games)
    suicide    points that are empty, but illegal by suicide or ko, in the positions of the examples
    unplayed   legal points that the player did not choose, in the positions of the examples
    weak       moves of weak players who lost, marked when the games were read (see selection.py)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.games.go.examples.table import PLAYED, RANDOM, SOURCES, SUICIDE, UNPLAYED, WEAK, Examples

Wanted = Mapping[str, int | None]
"""How many of each source; None means as many as there are examples."""


def draw_negatives(
    decisions: Examples,
    wanted: Wanted,
    seed: int,
    random_moves: Callable[[int, int], Examples],
    warn: Callable[[str], None],
) -> Examples:
    """Return the counter-examples wanted, source by source in the order given.

    decisions -- what players played, moves of weak losers marked with source weak
    random_moves -- given a count and a board size (that of most examples), plays that many moves of a random player
    warn -- called with a message when there are fewer than wanted; all there are are returned
    """
    positives = decisions.take(decisions.label == 1)
    parts = []
    for name, number in wanted.items():
        count = len(positives) if number is None else number
        rng = np.random.default_rng([seed, SOURCES.index(name)])
        if name == "random":
            drawn = random_moves(count, int(np.bincount(positives.size).argmax()) if len(positives) else 9)
        elif name == "suicide":
            drawn = suicide_points(positives, count, rng)
        elif name == "unplayed":
            drawn = unplayed_points(positives, count, rng)
        else:
            drawn = sample(decisions.take(decisions.source == WEAK), count, rng)
        if len(drawn) < count:
            warn(f"{len(drawn)} counter-examples of source {name}, {count} wanted: there are no more")
        parts.append(drawn)
    return Examples.concat(parts)


def unplayed_points(positives: Examples, count: int, rng: np.random.Generator) -> Examples:
    """Draw legal points that were not played, evenly over the positions: a second one only where all had their first.

    No (position, point) comes twice, and none that was played in the same position, however often the position
    occurs. The result is in the order of `positives`.
    """
    from gotools.games.go.examples.kernels.rows import draw_round

    group, first, legal = distinct_positions(positives)
    legal[group, positives.move] = False
    rows, points = [np.zeros(0, np.int64)], [np.zeros(0, np.int16)]
    while count > 0 and len(first):
        order = rng.permutation(len(positives))
        chance = rng.random(len(order))
        while len(order) and count > 0:
            turn, order, luck, chance = order[:count], order[count:], chance[:count], chance[count:]
            drawn = np.empty(len(turn), np.int16)
            draw_round(legal, group, turn, luck, drawn)
            found = drawn >= 0
            rows.append(turn[found])
            points.append(drawn[found])
            count -= int(found.sum())
        if not legal.any():
            break
    return _other_moves(positives, np.concatenate(rows), np.concatenate(points), UNPLAYED)


def suicide_points(positives: Examples, count: int, rng: np.random.Generator) -> Examples:
    """Draw empty points that are illegal by suicide or ko, uniformly over the distinct (position, point)."""
    group, first, legal = distinct_positions(positives)
    cells = np.arange(positives.board.shape[1])
    inside = cells < positives.size[first, None].astype(np.int64) ** 2
    illegal = inside & (positives.board[first] == 0) & ~legal
    illegal[group, positives.move] = False  # rules that allow suicide
    places, points = np.nonzero(illegal)
    chosen = rng.permutation(len(places))[:count]
    return _other_moves(positives, first[places[chosen]], points[chosen].astype(np.int16), SUICIDE)


def sample(rows: Examples, count: int, rng: np.random.Generator) -> Examples:
    """Return `count` rows drawn without repetition, in their order; all of them if there are fewer."""
    return rows.take(np.sort(rng.permutation(len(rows))[:count]))


def relabel(rows: Examples, source: int) -> Examples:
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


def distinct_positions(rows: Examples) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Group rows of the same position (cells, side, ko).

    Returns int64[n], the group of each row; int64[g], the first row of each group, ascending; bool[g, c], the legal
    points of each.
    """
    from gotools.games.go.board import legal_mask

    group, first = distinct(rows.size, rows.to_play, rows.board, rows.ko)
    return group, first, legal_mask(rows.board[first], rows.size[first], rows.to_play[first], rows.ko[first])


def distinct(
    size: NDArray[np.uint8], to_play: NDArray[np.uint8], board: NDArray[np.uint8], ko: NDArray[np.int16]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct rows in the order of their first appearance.

    Returns int64[n], the number of each row, and int64[g], the first row of each.
    """
    from gotools.games.go.examples.kernels.rows import group_keys

    keys = np.empty((len(size), board.shape[1] + 4), np.uint8)
    group_keys(size, to_play, board, ko, keys)
    whole = keys.view(np.dtype((np.void, keys.shape[1]))).ravel()
    _, first, group = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)  # np.unique numbers by bytes
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[group.ravel()], first[order]


def _other_moves(rows: Examples, which: NDArray[np.int64], points: NDArray[np.int16], source: int) -> Examples:
    order = np.lexsort((points, which))
    return replace(relabel(rows.take(which[order]), source), move=points[order])
