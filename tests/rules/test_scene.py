"""The reading of a clause means what the clause means: both are solved by brute force on random positions."""

import random
from collections.abc import Iterator
from itertools import combinations, islice, product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.clauses import rule_of, rules

from gotools.rules.clauses.rules import Literal, Rule, Var
from gotools.rules.explain.scene import Chain, Scene, may_be_one, read_scene

SIZE = 5
POINTS = list(product(range(1, SIZE + 1), range(1, SIZE + 1)))
FRAMES = (
    lambda x, y: (x, y),
    lambda x, y: (-y, x),
    lambda x, y: (-x, -y),
    lambda x, y: (y, -x),
    lambda x, y: (-x, y),
    lambda x, y: (-y, -x),
    lambda x, y: (x, -y),
    lambda x, y: (y, x),
)


def around(point: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = point
    return [p for p in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if p in POINTS]


class Block:
    """A chain on the board: colour, stones, liberties."""

    def __init__(self, stones, colour, cells):
        self.stones, self.colour = stones, colour
        self.liberties = {p for s in stones for p in around(s) if cells[p] == 0}


class World:
    """A position, a move, and every chain by flood fill."""

    def __init__(self, cells, colour, move):
        self.cells, self.colour, self.move = cells, colour, move
        self.at: dict[tuple[int, int], Block] = {}
        for point in POINTS:
            if cells[point] and point not in self.at:
                stones, queue = {point}, [point]
                while queue:
                    new = {p for p in around(queue.pop()) if cells[p] == cells[point]} - stones
                    stones |= new
                    queue += new
                block = Block(stones, cells[point], cells)
                self.at.update(dict.fromkeys(stones, block))
        self.blocks = list(dict.fromkeys(self.at.values()))
        share = 81 * len(self.at)
        self.stage = "open" if share <= 10 * SIZE**2 else "middle" if share <= 30 * SIZE**2 else "end"

    def stone(self, frame, dx, dy):
        bx, by = FRAMES[frame](dx, dy)
        return self.at.get((self.move[0] + bx, self.move[1] + by))

    def line(self, frame, dx, dy):
        bx, by = FRAMES[frame](dx, dy)
        place = self.move[0] if bx else self.move[1]
        return place if bx + by < 0 else SIZE + 1 - place

    def beside(self, block):
        return any(self.at.get(p) is block for p in around(self.move))

    def relates(self, name, block, player):
        if name in ("atari", "captures"):
            few = len(block.liberties) == (2 if name == "atari" else 1)
            return block.colour != player and self.beside(block) and few
        if block.colour != player or self.beside(block) != (name == "connects_direct"):
            return False
        return name == "connects_direct" or len(block.liberties & set(around(self.move))) >= 2


def solutions(world: World, body: tuple[Literal, ...], bound: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Solve a clause as Prolog does: literal by literal, over every value of the variables it binds."""
    if not body:
        yield bound
        return
    values = {
        **dict.fromkeys("FGH", world.blocks),
        **dict.fromkeys("IJ", (1, 2)),
        **dict.fromkeys("NM", range(1, SIZE**2)),
        "E": range(8),
        "L": [p for p in POINTS if world.cells[p] == 0],
    }
    literal = body[0]
    free = [a.name for a in literal.args if isinstance(a, Var) and a.name in values and a.name not in bound]
    for chosen in product(*(values[name] for name in dict.fromkeys(free))):
        now = {**bound, **dict(zip(dict.fromkeys(free), chosen, strict=True))}
        if holds(world, literal.predicate, [now.get(a.name) if isinstance(a, Var) else a for a in literal.args]):
            yield from solutions(world, body[1:], now)


def holds(world: World, name: str, args: list[Any]) -> bool:
    match name, args:
        case "pos_gen", _:
            return True
        case "block_on_pos", [_, _, _, block, dx, dy, frame]:
            return world.stone(frame, dx, dy) is block
        case "block_color", [_, block, colour]:
            return block.colour == colour
        case "opposite", [first, second]:
            return first != second
        case "edge_ver" | "edge_hor", [_, _, distance, frame]:
            return world.line(frame, *((-1, 0) if name == "edge_ver" else (0, -1))) == -distance
        case "stage", [_, stage]:
            return world.stage == stage
        case "liberty_cnt" | "stone_cnt", [_, block, count]:
            return len(block.liberties if name == "liberty_cnt" else block.stones) == count
        case "range", [number, low, high]:
            return low <= number <= high
        case "liberty", [_, block, point]:
            return point in block.liberties
        case _, [_, block, _, _, colour]:
            return world.relates(name, block, colour)
    raise AssertionError(name)


def scene_holds(world: World, scene: Scene) -> bool:
    """Return whether some frame and some choice of chains and free colours is as the scene says."""
    roots = sorted({c.colour.root for c in scene.chains} - {"B"})
    for frame, *colours in product(range(8), *[(1, 2)] * len(roots)):
        colour = {"B": world.colour, **dict(zip(roots, colours, strict=True))}
        sides = [((line.side, 0) if line.axis == 0 else (0, line.side), line.number) for line in scene.lines]
        if scene.stage not in ("", world.stage) or any(world.line(frame, *side) != number for side, number in sides):
            continue
        choices = [[b for b in world.blocks if chain_fits(world, chain, b, frame, colour)] for chain in scene.chains]
        if any(related(scene, blocks) for blocks in product(*choices)):
            return True
    return False


def chain_fits(world: World, chain: Chain, block: Block, frame: int, colour: dict[str, int]) -> bool:
    wanted = colour[chain.colour.root]
    if block.colour != (3 - wanted if chain.colour.other else wanted):
        return False
    if any(world.stone(frame, *offset) is not block for offset in chain.offsets):
        return False
    if not chain.stones.low <= len(block.stones) <= chain.stones.high:
        return False
    if not chain.liberties.low <= len(block.liberties) <= chain.liberties.high:
        return False
    return all(any(world.relates(name, block, player) for player in (1, 2)) for name in chain.relations)


def related(scene: Scene, blocks: tuple[Block, ...]) -> bool:
    by_name = {chain.name: block for chain, block in zip(scene.chains, blocks, strict=True)}
    shared = all(set.intersection(*(by_name[n].liberties for n in names)) for names in scene.shared)
    return shared and all(len({len(getattr(by_name[q.chain], q.kind)) for q in group}) == 1 for group in scene.equal)


def worlds(seed: int, number: int) -> Iterator[World]:
    """Random positions, thin to crowded; hypothesis draws the clauses only, it is slow at drawing boards."""
    chance = random.Random(seed)
    for _ in range(number):
        weights = chance.choice([(6, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2)])
        cells = dict(zip(POINTS, chance.choices((0, 1, 2), weights, k=len(POINTS)), strict=True))
        cells[chance.choice(POINTS)] = 0
        for dead in [b for b in World(cells, 1, POINTS[0]).blocks if not b.liberties]:  # no position of a game has them
            cells.update(dict.fromkeys(dead.stones, 0))
        yield World(cells, chance.choice((1, 2)), chance.choice([p for p in POINTS if cells[p] == 0]))


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(rules(size=SIZE, most=5), st.integers(0, 10**6))
def test_a_scene_holds_where_its_clause_holds(rule: Rule, seed: int) -> None:
    scene = read_scene(rule, SIZE)
    assume(all(literal.predicate == "range" for literal in scene.unread))  # of a number that nothing counts
    read = tuple(literal for literal in rule.body if literal not in scene.unread)
    apart = [(a.name, b.name) for a, b in combinations(scene.chains, 2) if not may_be_one(a, b)]
    for world in worlds(seed, 6):
        found = list(islice(solutions(world, read, {"B": world.colour}), 20))
        assert bool(found) == (not scene.contradictory and scene_holds(world, scene))
        assert not any(bound[a] is bound[b] for a, b in apart for bound in found)


@pytest.mark.parametrize(
    "body",
    [
        "block_color(A,F,B), block_color(A,F,G), opposite(B,G)",
        "captures(A,F,C,D,B), connects_direct(A,F,C,D,B)",
        "connects_direct(A,F,C,D,B), connects_indirect(A,F,C,D,B)",
        "atari(A,F,C,D,B), liberty_cnt(A,F,3)",
        "liberty_cnt(A,F,N), range(N,1,2), range(N,4,8)",
        "stone_cnt(A,F,1), liberty_cnt(A,F,5)",
        "stage(A,open), stage(A,end)",
        "pos_gen(E), edge_ver(C,D,-1,E), block_on_pos(A,C,D,F,-1,0,E)",
        "pos_gen(E), edge_ver(C,D,-10,E)",
        "pos_gen(E), block_on_pos(A,C,D,F,1,1,E), block_on_pos(A,C,D,F,2,1,E), stone_cnt(A,F,1)",
    ],
)
def test_contradictions_are_seen(body: str) -> None:
    assert read_scene(rule_of(body)).contradictory


def test_two_variables_at_one_point_are_one_chain() -> None:
    body = "block_on_pos(A,C,D,F,1,0,E), block_color(A,F,B), block_on_pos(A,C,D,G,1,0,E), stone_cnt(A,G,2)"
    scene = read_scene(rule_of(body))
    assert [(c.name, c.stones, c.colour.side) for c in scene.chains] == [("F", (2, 2), "own")]


def test_what_defines_a_variable_of_a_foreign_condition_is_quoted_with_it() -> None:
    scene = read_scene(rule_of("connects_direct(A,F,C,D,B), liberty_cnt(A,F,G), odd(G)", odd=1))
    assert [str(literal) for literal in scene.unread] == ["liberty_cnt(A,F,G)", "odd(G)"]
    assert [chain.label for chain in scene.chains] == ["F"]
