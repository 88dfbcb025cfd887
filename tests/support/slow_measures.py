"""Slow, obvious twin of the measures of a point: SlowGo boards, copied for every move, and recursion."""

from __future__ import annotations

from collections.abc import Callable

from support.slow import SlowGo

Point = tuple[int, int]
Moves = tuple[Point | None, Point | None]
"""The last move, and the last but one."""

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
}
"""Of measures of a stone of a colour: a number, a word ("" for none), or whether the condition holds."""
