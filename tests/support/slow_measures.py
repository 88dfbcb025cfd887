"""Slow, obvious twin of the measures of a point: SlowGo boards, copied for every move, and recursion."""

from __future__ import annotations

from collections.abc import Callable

from support.slow import SlowGo

Point = tuple[int, int]
Moves = tuple[Point | None, Point | None]
"""The last move, and the last but one."""

Meets = Callable[[SlowGo, set[Point], set[Point]], bool]
"""Whether two chains with these liberties belong together."""

MOST_DEFENCES = 200


def after(go: SlowGo, at: Point, colour: int) -> SlowGo | None:
    """The board after a move, None for a suicide; ko does not matter."""
    twin = SlowGo(go.size, go.stones)
    return None if twin.play(at, colour) else twin


def chains_beside(go: SlowGo, at: Point, colour: int) -> list[set[Point]]:
    """The chains of a colour that touch a point, each once, by their smallest point."""
    found = {frozenset(go.chain(q)) for q in go.beside(at) if go.stones.get(q) == colour}
    return sorted(map(set, found), key=lambda chain: min((y, x) for x, y in chain))


def liberties_after(go: SlowGo, at: Point, colour: int) -> int:
    done = after(go, at, colour)
    return len(done.liberties(at)) if done else 0


def joins(go: SlowGo, at: Point, colour: int) -> bool:
    chains = chains_beside(go, at, colour)
    return len(chains) > 1 and any(len(go.liberties(next(iter(chain)))) <= 2 for chain in chains)


def rescues(go: SlowGo, at: Point, colour: int) -> bool:
    for chain in chains_beside(go, at, 3 - colour):
        if go.liberties(next(iter(chain))) == {at}:
            around = {q for p in chain for q in go.beside(p) if go.stones.get(q) == colour}
            if any(len(go.liberties(q)) == 1 for q in around):
                return True
    return False


def eye(go: SlowGo, at: Point, colour: int) -> str:
    if any(go.stones.get(q) != colour for q in go.beside(at)):
        return ""
    x, y = at
    corners = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
    there = [(u, v) for u, v in corners if 0 <= u < go.size and 0 <= v < go.size]
    bad = sum(go.stones.get(q) == 3 - colour for q in there)
    return "false" if bad >= (2 if len(there) == 4 else 1) else "real"


class Reader:
    """One question about a ladder: it counts the defences it looks at."""

    def __init__(self) -> None:
        self.defences = 0

    def caught(self, go: SlowGo, s: Point) -> bool:
        liberties = sorted(go.liberties(s), key=lambda p: (p[1], p[0]))
        if len(liberties) != 2:
            return len(liberties) < 2
        for q in liberties:
            done = after(go, q, 3 - go.stones[s])
            if done and self.trapped(done, s):
                return True
        return False

    def trapped(self, go: SlowGo, s: Point) -> bool:
        self.defences += 1
        if self.defences > MOST_DEFENCES:
            return False
        hunters = {q for p in go.chain(s) for q in go.beside(p) if go.stones.get(q) == 3 - go.stones[s]}
        if any(len(go.liberties(q)) == 1 for q in hunters):
            return False
        done = after(go, next(iter(go.liberties(s))), go.stones[s])
        return done is None or self.caught(done, s)


def escapes(go: SlowGo, at: Point, colour: int) -> str:
    if all(len(go.liberties(next(iter(chain)))) != 1 for chain in chains_beside(go, at, colour)):
        return ""
    done = after(go, at, colour)
    return "fails" if done is None or Reader().caught(done, at) else "works"


def ladder(go: SlowGo, at: Point, colour: int) -> str:
    hunted = [c for c in chains_beside(go, at, 3 - colour) if len(go.liberties(next(iter(c)))) == 2]
    if not hunted:
        return ""
    done, reader = after(go, at, colour), Reader()
    if done is None:
        return "fails"
    stones = [min(chain, key=lambda p: (p[1], p[0])) for chain in hunted]
    return "works" if any(reader.trapped(done, s) for s in stones) else "fails"


def self_atari(go: SlowGo, at: Point, colour: int) -> bool:
    return liberties_after(go, at, colour) == 1


def adjacent_chains(go: SlowGo, at: Point, colour: int) -> int:
    return len(chains_beside(go, at, colour))


def line(size: int, at: Point, moves: Moves) -> int | None:
    x, y = at
    return 1 + min(x, y, size - 1 - x, size - 1 - y)


def distance(at: Point, move: Point | None) -> int | None:
    if move is None:
        return None
    across, up = abs(at[0] - move[0]), abs(at[1] - move[1])
    return across + up + max(across, up)


def linked(go: SlowGo, one: set[Point], other: set[Point]) -> bool:
    return len(one & other) >= 2


def one_group(go: SlowGo, one: set[Point], other: set[Point]) -> bool:
    return any(q in other for p in one for q in (p, *go.beside(p)))


def sets_of(go: SlowGo, colour: int, meet: Meets) -> list[set[Point]]:
    """The liberties of the sets of chains of a colour that meet, one with the next."""
    left = [go.liberties(min(c)) for c in {frozenset(go.chain(p)) for p in go.stones if go.stones[p] == colour}]
    sets = []
    while left:
        found = [left.pop()]
        for chain in found:
            found += (new := [other for other in left if meet(go, chain, other)])
            left = [other for other in left if other not in new]
        sets.append(set().union(*found))
    return sets


def reached(go: SlowGo, at: Point, colour: int, meet: Meets) -> list[int]:
    """The liberties of the sets that touch a point, or that lie behind at most two empty points."""
    seen = {at}
    for _ in range(2 if meet is one_group else 0):
        seen |= {q for p in seen for q in go.beside(p) if q not in go.stones}
    return [len(liberties) for liberties in sets_of(go, colour, meet) if seen & liberties]


PLAIN_TWINS: dict[str, Callable[[int, Point, Moves], int | None]] = {
    "line": line,
    "last_distance": lambda size, at, moves: distance(at, moves[0]),
    "last2_distance": lambda size, at, moves: distance(at, moves[1]),
}
"""Of measures without a colour: a number, or None."""

TWINS: dict[str, Callable[[SlowGo, Point, int], int | str]] = {
    "liberties_after": liberties_after,
    "self_atari": self_atari,
    "adjacent_chains": adjacent_chains,
    "escapes": escapes,
    "rescues": rescues,
    "ladder": ladder,
    "fills_eye": eye,
    "joins": joins,
    "linked_sets": lambda go, at, colour: len(reached(go, at, colour, linked)),
    "linked_liberties": lambda go, at, colour: min(reached(go, at, colour, linked), default=-1),
    "near_groups": lambda go, at, colour: len(reached(go, at, colour, one_group)),
    "group_liberties": lambda go, at, colour: min(reached(go, at, colour, one_group), default=-1),
}
"""Of measures of a stone of a colour: a number, a word ("" for none), or whether the condition holds."""
