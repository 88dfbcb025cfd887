"""Slow, obvious twins of what the package does fast: written from the rules, with sets, sharing no code with it."""

from __future__ import annotations


class SlowGo:
    """Go by flood fill on sets. Points are (x, y); stones maps them to 1 or 2. No superko."""

    def __init__(self, size: int, stones: dict[tuple[int, int], int] | None = None) -> None:
        self.size = size
        self.stones = dict(stones or {})
        self.ko: tuple[int, tuple[int, int]] | None = None  # colour, and the point it may not take back

    def beside(self, at: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = at
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(u, v) for u, v in around if 0 <= u < self.size and 0 <= v < self.size]

    def chain(self, at: tuple[int, int]) -> set[tuple[int, int]]:
        """The stones connected with the one at a point; for an empty point, the empty region."""
        found, edge = {at}, [at]
        while edge:
            for q in self.beside(edge.pop()):
                if self.stones.get(q) == self.stones.get(at) and q not in found:
                    found.add(q)
                    edge.append(q)
        return found

    def liberties(self, at: tuple[int, int]) -> set[tuple[int, int]]:
        return {q for p in self.chain(at) for q in self.beside(p) if q not in self.stones}

    def play(self, at: tuple[int, int], colour: int, suicide: bool = False) -> str:
        """Put a stone; returns "" or why not (then nothing changes)."""
        if at in self.stones:
            return "occupied"
        if self.ko == (colour, at):
            return "ko"
        before = dict(self.stones)
        self.stones[at] = colour
        taken = set()
        for q in self.beside(at):
            if self.stones.get(q) == 3 - colour and not self.liberties(q):
                taken |= self.chain(q)
        for q in taken:
            del self.stones[q]
        own = self.chain(at)
        if not self.liberties(at):
            if not suicide:
                self.stones = before
                return "suicide"
            for q in own:
                del self.stones[q]
        retakes = len(taken) == 1 and len(own) == 1 and self.liberties(at) == taken
        self.ko = (3 - colour, next(iter(taken))) if retakes else None
        return ""

    def pass_turn(self) -> None:
        self.ko = None

    def is_legal(self, at: tuple[int, int], colour: int, suicide: bool = False) -> bool:
        twin = SlowGo(self.size, self.stones)
        twin.ko = self.ko
        return twin.play(at, colour, suicide) == ""

    def area_score(self) -> int:
        score = 0
        for y in range(self.size):
            for x in range(self.size):
                colour = self.stones.get((x, y))
                if colour is None:
                    touched = {self.stones[q] for p in self.chain((x, y)) for q in self.beside(p) if q in self.stones}
                    colour = touched.pop() if len(touched) == 1 else 0
                score += {0: 0, 1: 1, 2: -1}[colour]
        return score

    def cells(self) -> list[int]:
        """Colours by point number."""
        return [self.stones.get((x, y), 0) for y in range(self.size) for x in range(self.size)]
