"""Slow, obvious twin of the numbers that describe a move of Go: flood fill on sets, by the words of `MOVE_FEATURES`."""

from __future__ import annotations

from support.slow import SlowGo

Point = tuple[int, int]

FAR = 15
MANY = 6
"""Liberties of a chain that touches the point, and what stands there when none does."""
MAXIMA = {
    "captured": 6, "ataris": 3, "atari_stones": 8, "touched": 3, "touched_stones": 8, "touched_liberties": MANY,
    "joined": 3, "joined_stones": 8, "saved": 6, "liberties_before": MANY, "liberties_after": 8, "other_liberties": 8,
    "own_around": 10, "other_around": 10, "last_distance": FAR, "last2_distance": FAR, "last_liberties": MANY,
}  # fmt: skip


def stage(go: SlowGo) -> int:
    """0 up to 10 stones on 9x9, 1 up to 30, 2 above; in proportion on other sizes."""
    share = len(go.stones) / go.size**2
    return 0 if share <= 10 / 81 else 1 if share <= 30 / 81 else 2


def describe_pass(go: SlowGo) -> dict[str, int]:
    return {"fullness": 20 * len(go.stones) // go.size**2}


def describe_move(go: SlowGo, at: Point, mine: int, last: Point | None, last2: Point | None) -> dict[str, int]:
    """The features by their names; the point is empty, the move need not be legal."""
    own, other = chains_beside(go, at, mine), chains_beside(go, at, 3 - mine)
    edges = sorted(min(c, go.size - 1 - c) + 1 for c in at)
    found = {
        "line": edges[0],
        "second_line": edges[1],
        "fullness": describe_pass(go)["fullness"],
        **around(go, at, mine),
        "last_distance": distance(at, last),
        "last2_distance": distance(at, last2),
        "touched": len(other),
        "touched_stones": sum(map(len, other)),
        "touched_liberties": min((len(free(go, chain)) for chain in other), default=MANY),
        "joined": len(own),
        "joined_stones": sum(map(len, own)),
        "liberties_before": min((len(free(go, chain)) for chain in own), default=MANY),
        "captured": sum(len(chain) for chain in in_atari(go, other)),
        "ataris": sum(len(free(go, chain)) == 2 for chain in other),
        "atari_stones": sum(len(chain) for chain in other if len(free(go, chain)) == 2),
        "liberties_after": len(liberties(go, at, own, other)),
        "other_liberties": len(liberties(go, at, other, own)),
        "saved": saved(go, at, mine),
        "last_liberties": last_liberties(go, other, last),
    }
    return {name: min(value, MAXIMA.get(name, value)) for name, value in found.items()}


def chains_beside(go: SlowGo, at: Point, colour: int) -> set[frozenset[Point]]:
    return {frozenset(go.chain(q)) for q in go.beside(at) if go.stones.get(q) == colour}


def free(go: SlowGo, chain: frozenset[Point]) -> set[Point]:
    return {q for p in chain for q in go.beside(p) if q not in go.stones}


def in_atari(go: SlowGo, chains: set[frozenset[Point]]) -> list[frozenset[Point]]:
    return [chain for chain in chains if len(free(go, chain)) == 1]


def liberties(go: SlowGo, at: Point, friends: set[frozenset[Point]], foes: set[frozenset[Point]]) -> set[Point]:
    """Those of the chain that a stone makes; of a chain that it captures, one point beside the stone."""
    found = {q for q in go.beside(at) if q not in go.stones}
    for chain in friends:
        found |= free(go, chain)
    for chain in in_atari(go, foes):
        found.add(min(chain & set(go.beside(at))))
    return found - {at}


def saved(go: SlowGo, at: Point, mine: int) -> int:
    """Stones of own chains in atari that touch the point, or a chain that is captured there."""
    own, other = chains_beside(go, at, mine), chains_beside(go, at, 3 - mine)
    if len(liberties(go, at, own, other)) <= 1:
        return 0
    chains = set(in_atari(go, own))
    for taken in in_atari(go, other):
        for p in taken:
            chains |= set(in_atari(go, chains_beside(go, p, mine)))
    return sum(map(len, chains))


def last_liberties(go: SlowGo, other: set[frozenset[Point]], last: Point | None) -> int:
    return min((len(free(go, chain)) - 1 for chain in other if last in chain), default=MANY)


def distance(at: Point, to: Point | None) -> int:
    if to is None:
        return FAR
    dx, dy = abs(at[0] - to[0]), abs(at[1] - to[1])
    return dx + dy + max(dx, dy)


def around(go: SlowGo, at: Point, mine: int) -> dict[str, int]:
    """Stones by their distance in king's moves, 1 and 2."""
    counts = dict.fromkeys(("own_near", "other_near", "own_around", "other_around"), 0)
    for (x, y), colour in go.stones.items():
        rings = max(abs(x - at[0]), abs(y - at[1]))
        if rings <= 2:
            counts[("own_" if colour == mine else "other_") + ("near" if rings == 1 else "around")] += 1
    return counts
