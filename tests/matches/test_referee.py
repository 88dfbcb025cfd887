"""The tournament's referee against a slow one that plays on sets of points and keeps every position."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotools.game.game import find_game
from gotools.games.go.board import Board
from gotools.games.go.points import PASS, vertex
from gotools.games.go.rule_sets import KOS, rule_set
from gotools.matches.game.referee import Referee


class SlowReferee:
    """Stones as a dictionary, chains by flood fill, every position kept with the side to move."""

    def __init__(self, size: int, ko: str, suicide: bool) -> None:
        self.size, self.ko, self.suicide = size, ko, suicide
        self.stones: dict[int, int] = {}
        self.history: list[tuple[frozenset[tuple[int, int]], int]] = [(frozenset(), 1)]
        self.taken = {1: 0, 2: 0}
        self.banned: int | None = None

    def neighbours(self, point: int) -> list[int]:
        y, x = divmod(point, self.size)
        steps = ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
        return [v * self.size + u for v, u in steps if 0 <= v < self.size and 0 <= u < self.size]

    def dead(self, stones: dict[int, int], colour: int) -> set[int]:
        """Return the stones of a colour whose chains have no liberty."""
        found, seen = set(), set()
        for start in (point for point, owner in stones.items() if owner == colour):
            if start in seen:
                continue
            chain, edge, free = {start}, [start], False
            while edge:
                for near in self.neighbours(edge.pop()):
                    if near not in stones:
                        free = True
                    elif stones[near] == colour and near not in chain:
                        chain.add(near)
                        edge.append(near)
            seen |= chain
            found |= set() if free else chain
        return found

    def after(self, point: int, colour: int) -> tuple[dict[int, int], set[int], set[int]]:
        stones = {**self.stones, point: colour}
        taken = self.dead(stones, 3 - colour)
        stones = {place: owner for place, owner in stones.items() if place not in taken}
        own = self.dead(stones, colour)
        return {place: owner for place, owner in stones.items() if place not in own}, taken, own

    def legal(self, point: int, colour: int) -> bool:
        if point == PASS:
            return True
        if point in self.stones:
            return False
        stones, taken, own = self.after(point, colour)
        if own and not self.suicide:
            return False
        if len(taken) == 1 and point == self.banned:
            return False
        position = frozenset(stones.items())
        if self.ko == "positional":
            return position not in {seen for seen, _ in self.history}
        return self.ko == "simple" or (position, 3 - colour) not in self.history

    def play(self, point: int, colour: int) -> None:
        self.banned = None
        if point != PASS:
            self.stones, taken, own = self.after(point, colour)
            self.taken[colour] += len(taken)
            self.taken[3 - colour] += len(own)
            alone = not any(self.stones.get(near) == colour for near in self.neighbours(point))
            liberties = [near for near in self.neighbours(point) if near not in self.stones]
            if len(taken) == 1 and alone and len(liberties) == 1 and not own:
                self.banned = liberties[0]
        self.history.append((frozenset(self.stones.items()), 3 - colour))

    def repeats(self) -> int:
        return self.history.count(self.history[-1])


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]), st.sampled_from(KOS), st.booleans())
@settings(max_examples=50)
def test_legality_captures_and_repeats_are_those_of_the_slow_referee(
    seed: int, size: int, ko: str, suicide: bool
) -> None:
    chance = random.Random(seed)
    rules = rule_set("chinese", ko=ko, suicide=suicide)
    referee, slow = Referee(find_game("go"), size, rules), SlowReferee(size, ko, suicide)
    colour = 1
    for _ in range(60):
        points = [*range(size * size), PASS]
        legal = []
        for point in points:
            why = referee.why_illegal(colour, vertex(point, size))[1]
            assert (not why) == slow.legal(point, colour), (why, slow.stones, point)
            legal += [] if why else [point]
        point = chance.choice(legal[:-1] or legal) if chance.random() < 0.95 else PASS
        referee.play(colour, point)
        slow.play(point, colour)
        board = Board.of_state(referee.history.state)
        assert board.taken == (slow.taken[1], slow.taken[2])
        assert dict(enumerate(board.cells.tolist())) == {p: slow.stones.get(p, 0) for p in range(size * size)}
        if ko == "simple":
            assert (referee.verdict is not None) == (slow.repeats() >= 3)
        colour = 3 - colour


@pytest.mark.parametrize("text", ["", "Z9", "A6", "(4, 4)", "-", "i5", "A0", "A1 B2", "passs", "\u0661"])
def test_what_is_no_move_is_illegal(text: str) -> None:
    referee = Referee(find_game("go"), 5, rule_set("chinese"))
    assert referee.why_illegal(1, text)[1]


def test_moves_are_read_in_any_case() -> None:
    referee = Referee(find_game("go"), 5, rule_set("chinese"))
    assert referee.why_illegal(1, "c3") == (12, "") and referee.why_illegal(1, "PASS") == (PASS, "")
