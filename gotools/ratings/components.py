"""Which players can be compared: groups joined by games, and groups within which losses lead from each to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError

Indexes = NDArray[np.intp]
GROUPS_SHOWN = 3
"""Most players of a group, and most groups, in an error message."""


def joined_by_games(players: int, black: Indexes, white: Indexes, anchors: Sequence[int] = ()) -> Indexes:
    """Return the group of each player, intp[players]: two players are in one group where games lead from one to other.

    anchors -- players whose ratings are given: these compare without games
    """
    black, white = _with_anchors(black, white, anchors, both=False)
    return _components(players, black, white, "weak")


def joined_by_wins(
    players: int, black: Indexes, white: Indexes, points: tuple[Any, Any], anchors: Sequence[int] = ()
) -> Indexes:
    """Return the group of each player, intp[players]: wins (or draws) lead from each player of a group to each other.

    points -- of black and of white, by row

    The likelihood of the Bradley-Terry model has its maximum over the differences within such groups, and grows for
    ever as two groups, of which one never lost to the other, move apart (Ford 1957; Zermelo 1929).
    """
    return _components(players, *_edges(black, white, points, anchors), "strong")


def reach(
    players: int,
    black: Indexes,
    white: Indexes,
    points: tuple[Any, Any],
    core: NDArray[np.bool_],
    anchors: Sequence[int] = (),
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each player, bool[players], whether wins lead from it to the core, and from the core to it."""
    winners, losers = _edges(black, white, points, anchors)
    return _followed(core, losers, winners), _followed(core, winners, losers)


def _followed(start: NDArray[np.bool_], sources: Indexes, targets: Indexes) -> NDArray[np.bool_]:
    found = start.copy()
    while True:
        grown = found.copy()
        grown[targets[found[sources]]] = True
        if (grown == found).all():
            return found
        found = grown


def _edges(black: Indexes, white: Indexes, points: tuple[Any, Any], anchors: Sequence[int]) -> tuple[Indexes, Indexes]:
    by_black, by_white = points[0] > 0, points[1] > 0
    winners = np.concatenate([black[by_black], white[by_white]])
    losers = np.concatenate([white[by_black], black[by_white]])
    return _with_anchors(winners, losers, anchors, both=True)


def _with_anchors(sources: Indexes, targets: Indexes, anchors: Sequence[int], both: bool) -> tuple[Indexes, Indexes]:
    first = np.array(anchors[:-1], np.intp)
    second = np.array(anchors[1:], np.intp)
    back = (second, first) if both else (first, second)
    return np.concatenate([sources, first, back[0]]), np.concatenate([targets, second, back[1]])


def _components(players: int, sources: Indexes, targets: Indexes, connection: str) -> Indexes:
    """Number the components in the order of their first players."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((np.ones(len(sources), np.bool_), (sources, targets)), shape=(players, players)).tocsr()
    _, labels = connected_components(graph, directed=True, connection=connection)
    _, firsts, numbers = np.unique(labels, return_index=True, return_inverse=True)
    order = np.empty(len(firsts), np.intp)
    order[np.argsort(firsts)] = np.arange(len(firsts))
    return order[numbers]


class Disconnected(GotoolsError):
    """Groups of players without games between them, and the fewest games that would join them.

    groups -- the names in each group, most games first; the largest group first
    """

    def __init__(self, groups: list[list[str]]) -> None:
        self.groups = groups
        named = "; ".join(f"{len(group)}: {_some(group)}" for group in groups[:GROUPS_SHOWN])
        joins = ", ".join(f"{groups[0][0]} - {group[0]}" for group in groups[1 : GROUPS_SHOWN + 1])
        left = f"; and {len(groups) - GROUPS_SHOWN} more" if len(groups) > GROUPS_SHOWN else ""
        more = ", ..." if len(groups) > GROUPS_SHOWN + 1 else ""
        super().__init__(
            f"no games join these {len(groups)} groups of players ({named}{left}), so their ratings cannot be "
            f"compared; play games between them (fewest: {joins}{more}), anchor a player in each (--anchor NAME=ELO), "
            "or rate each group apart (--groups)"
        )


def _some(names: list[str]) -> str:
    return ", ".join(names[:GROUPS_SHOWN]) + (", ..." if len(names) > GROUPS_SHOWN else "")


def groups_of_names(labels: Indexes, names: Sequence[str], games: NDArray[np.int64]) -> list[list[str]]:
    """List each group's names, most games first; the largest group first."""
    groups: list[list[str]] = [[] for _ in range(int(labels.max()) + 1)]
    for i in np.lexsort((np.arange(len(names)), -games)):
        groups[labels[i]].append(names[i])
    return sorted(groups, key=lambda group: -len(group))
