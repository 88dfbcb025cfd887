"""What a clause says about the board around the move: read once here, for sentences.py and diagrams.py.

Colours are solved, so that every way to write a condition reads the same: opposite/2 and block_color/3 in any order,
and the colours that the four chain relations imply (a chain is captured by its opponent, connected to by its owner).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from gotools.rules.clauses.rules import Literal, Rule, Var
from gotools.rules.explain.surroundings import UNBOUNDED, Surroundings, SurroundingsReader

OR_MORE = 99
"""range/3 writes "or more" as an interval up to this; no chain of a real game has more liberties."""

HEAD_VARIABLES = frozenset("ABCD")
OWN = "B"

Offset = tuple[int, int]


class Span(NamedTuple):
    """A closed interval of counts."""

    low: int = 1
    high: int = UNBOUNDED

    def meet(self, other: "Span") -> "Span":
        return Span(max(self.low, other.low), min(self.high, other.high))

    @property
    def empty(self) -> bool:
        return self.low > self.high

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def known(self) -> bool:
        return self != Span()


class Colour(NamedTuple):
    """A colour relative to `root`: root OWN is the player's, any other is free; `other` is the opposite of the root."""

    root: str
    other: bool

    @property
    def side(self) -> str:
        """Whose colour it is: "own", "opponent", or "either" if the clause leaves it open."""
        return ("opponent" if self.other else "own") if self.root == OWN else "either"


class Line(NamedTuple):
    """A line the move stands on, counted from 1 at the nearer edge.

    axis -- 0: counted across columns (edge_ver), 1: across rows (edge_hor)
    side -- where that edge lies in the rule's frame: -1 left or below, 1 right or above
    """

    axis: int
    number: int
    side: int
    middle: bool

    def height(self, offset: Offset) -> int:
        """Lines by which a stone at `offset` stands further from the edge than the move."""
        return -self.side * offset[self.axis]


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain the clause speaks of.

    offsets -- where stones of it stand, in the rule's frame, nearest first
    relations -- which of the four chain relations hold, each for the one colour for which it can
    label -- its variable, where a condition outside the vocabulary names it, else ""
    """

    name: str
    colour: Colour
    offsets: tuple[Offset, ...]
    relations: frozenset[str]
    stones: Span
    liberties: Span
    label: str

    @property
    def bare(self) -> bool:
        """True if the clause says nothing of the chain but its colour and one place."""
        counted = self.stones.known or self.liberties.known
        return len(self.offsets) == 1 and not (counted or self.relations or self.label)

    @property
    def touches(self) -> bool:
        return bool(self.relations - {"connects_indirect"}) or any(abs(x) + abs(y) == 1 for x, y in self.offsets)

    @property
    def placed_stones(self) -> int:
        """Stones the chain has at least, by where the clause sees it."""
        beside = any(abs(x) + abs(y) == 1 for x, y in self.offsets)
        return max(1, len(self.offsets) + (self.touches and not beside))

    @property
    def possible(self) -> bool:
        """False where no chain can be like this; True does not promise one."""
        fits = not self.stones.empty and not self.liberties.empty and self.placed_stones <= self.stones.high
        # n stones in the open have at most 2n + 2 liberties, in a straight row
        return fits and self.liberties.low <= 2 * self.stones.high + 2 and not (self.touches and self.links)

    @property
    def links(self) -> bool:
        return "connects_indirect" in self.relations


class Quantity(NamedTuple):
    """A count of a chain: `kind` is "liberties" or "stones"."""

    chain: str
    kind: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A clause, read.

    lines -- what edge_ver and edge_hor say, at most one an axis
    shared -- groups of chains that have one liberty in common, by name
    equal -- groups of counts that are equal, beyond equal constants
    unread -- conditions that are not of the vocabulary, or not in a form with a plain meaning
    around -- what the full vocabulary says
    contradictory -- True if the conditions exclude each other on this board size; False promises nothing
    """

    size: int
    chains: tuple[Chain, ...]
    lines: tuple[Line, ...]
    stage: str
    shared: tuple[tuple[str, ...], ...]
    equal: tuple[tuple[Quantity, ...], ...]
    unread: tuple[Literal, ...]
    contradictory: bool
    around: Surroundings


def may_be_one(first: Chain, second: Chain) -> bool:
    """Return whether two chains of a clause can be the same chain on some board."""
    if first.colour.root == second.colour.root and first.colour.other != second.colour.other:
        return False
    both = Chain(
        name=first.name,
        colour=first.colour,
        offsets=tuple({*first.offsets, *second.offsets}),
        relations=first.relations | second.relations,
        stones=first.stones.meet(second.stones),
        liberties=first.liberties.meet(second.liberties),
        label="",
    )
    return both.possible


def read_scene(rule: Rule, size: int = 9) -> Scene:
    """Read what `rule` says on a board of `size`."""
    reader = _Reader(size)
    for literal in rule.body:
        reader.read(literal)
    return reader.scene(rule.body)


class _Colours:
    """Union-find over colour variables and chains; each knows whether it is equal or opposite to its root."""

    def __init__(self) -> None:
        self.above: dict[str, tuple[str, bool]] = {}
        self.consistent = True

    def find(self, name: str) -> tuple[str, bool]:
        other = False
        while name in self.above:
            name, flip = self.above[name]
            other ^= flip
        return name, other

    def join(self, first: str, second: str, opposite: bool) -> None:
        (root1, other1), (root2, other2) = self.find(first), self.find(second)
        if root1 == root2:
            self.consistent &= (other1 ^ other2) == opposite
        elif root1 == OWN:  # the player's colour stays a root
            self.above[root2] = root1, other1 ^ other2 ^ opposite
        else:
            self.above[root1] = root2, other1 ^ other2 ^ opposite


class _Reader:
    """Collects the literals of one clause."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.frame = ""
        self.colours = _Colours()
        self.order: list[str] = []  # chains by first mention
        self.at: dict[Offset, str] = {}
        self.same: dict[str, str] = {}  # two variables at one offset are one chain
        self.relations: list[tuple[str, str]] = []
        self.counts: list[tuple[Quantity, int | str]] = []
        self.ranges: list[tuple[str, Span, Literal]] = []
        self.liberties: list[tuple[str, str]] = []
        self.edges: dict[int, int] = {}
        self.stages: list[str] = []
        self.unread: list[Literal] = []
        self.consistent = True
        self.around = SurroundingsReader()

    def read(self, literal: Literal) -> None:
        around = self.around.read(literal, self._in_frame, _is_colour)
        if not (around or self._read_place(literal) or self._read_chain(literal)):
            self.unread.append(literal)

    def _read_place(self, literal: Literal) -> bool:
        match literal:
            case Literal("pos_gen", (Var(frame),)):
                return self._in_frame(frame)
            case Literal("block_on_pos", (Var("A"), Var("C"), Var("D"), Var(chain), int(dx), int(dy), Var(frame))):
                names = (dx, dy) != (0, 0) and _is_chain(chain) and self._in_frame(frame)
                return names and self._put(chain, (dx, dy))
            case Literal("edge_ver" | "edge_hor", (Var("A"), Var("C"), Var("D"), int(distance), Var(frame))) | Literal(
                "edge_ver" | "edge_hor", (Var("C"), Var("D"), int(distance), Var(frame))
            ):
                axis = int(literal.predicate == "edge_hor")
                if not self._in_frame(frame):
                    return False
                self.consistent &= -self.size <= distance <= -1 and self.edges.get(axis, distance) == distance
                self.edges[axis] = distance
                return True
            case Literal("stage", (Var("A"), "open" | "middle" | "end" as stage)):
                self.stages.append(str(stage))
                return True
        return False

    def _read_chain(self, literal: Literal) -> bool:
        match literal:
            case Literal("opposite", (Var(first), Var(second))) if _is_colour(first) and _is_colour(second):
                self.colours.join(first, second, opposite=True)
            case Literal("block_color", (Var("A"), Var(chain), Var(colour))) if _is_chain(chain) and _is_colour(colour):
                self.colours.join(f"chain {self._meet(chain)}", colour, opposite=False)
            case Literal("liberty_cnt" | "stone_cnt" as name, (Var("A"), Var(chain), count)) if _is_chain(chain):
                if isinstance(count, str) or (isinstance(count, Var) and count.name in HEAD_VARIABLES):
                    return False
                kind = "liberties" if name == "liberty_cnt" else "stones"
                self.counts.append((Quantity(self._meet(chain), kind), count.name if isinstance(count, Var) else count))
            case Literal("range", (Var(number), int(low), int(high))) if number not in HEAD_VARIABLES:
                self.ranges.append((number, Span(low, high if high < OR_MORE else UNBOUNDED), literal))
            case Literal("liberty", (Var("A"), Var(chain), Var(point))) if _is_chain(chain) and _is_chain(point):
                self.liberties.append((point, self._meet(chain)))
            case Literal(
                "atari" | "captures" | "connects_direct" | "connects_indirect" as name,
                (Var("A"), Var(chain), Var("C"), Var("D"), Var(colour)),
            ) if _is_chain(chain) and _is_colour(colour):
                self.relations.append((self._meet(chain), str(name)))
                self.colours.join(f"chain {chain}", colour, opposite=name in ("atari", "captures"))
            case _:
                return False
        return True

    def _in_frame(self, frame: str) -> bool:
        """A clause has one frame; a second one, or the head's variables, have no plain meaning."""
        if frame in HEAD_VARIABLES:
            return False
        self.frame = self.frame or frame
        return self.frame == frame

    def _meet(self, chain: str) -> str:
        if chain not in self.order:
            self.order.append(chain)
        return chain

    def _put(self, chain: str, offset: Offset) -> bool:
        self._meet(chain)
        first, second = self._one(self.at.setdefault(offset, chain)), self._one(chain)
        if first != second:
            self.same[second] = first
            self.colours.join(f"chain {first}", f"chain {second}", opposite=False)
        return True

    def _one(self, chain: str) -> str:
        while chain in self.same:
            chain = self.same[chain]
        return chain

    def scene(self, body: Iterable[Literal]) -> Scene:
        known = {number for _, number in self.counts if isinstance(number, str)} | self.around.variables()
        around = self.around.solved(self._side, [(n, span.low, span.high) for n, span, _ in self.ranges])
        self.unread += [literal for number, _, literal in self.ranges if number not in known]
        self.unread = list(dict.fromkeys(self._with_definitions(body)))
        named = _variables(self.unread)
        spans, equal = self._solve_counts()
        shared = self._shared_liberties()
        chains = tuple(self._chain(name, spans, named) for name in self.order if self._one(name) == name)
        lines = tuple(_line(axis, -distance, self.size) for axis, distance in sorted(self.edges.items()))
        consistent = self.consistent and self.colours.consistent and len(set(self.stages)) < 2
        possible = all(c.possible for c in chains) and all(_on_board(c.offsets, self.edges, self.size) for c in chains)
        stage = self.stages[0] if self.stages else ""
        free = {*around.empty, *around.outside}
        fits = self.around.consistent and not any(offset in free for c in chains for offset in c.offsets)
        contradictory = not (consistent and possible and fits)
        return Scene(
            size=self.size,
            chains=chains,
            lines=lines,
            stage=stage,
            shared=shared,
            equal=equal,
            unread=tuple(self.unread),
            contradictory=contradictory,
            around=around,
        )

    def _side(self, colour: str) -> str:
        """Return the side of a colour variable: "own", "opponent", or "either" where a chain decides."""
        return Colour(*self.colours.find(colour)).side

    def _solve_counts(self) -> tuple[dict[Quantity, Span], tuple[tuple[Quantity, ...], ...]]:
        """Narrow each count by its constants, ranges and the counts it equals; return the groups of equal ones."""
        spans: dict[Quantity, Span] = {}
        groups: dict[str, list[Quantity]] = {}
        for chain, relation in self.relations:
            if relation in ("atari", "captures"):
                _narrow(spans, Quantity(self._one(chain), "liberties"), Span(*[2 if relation == "atari" else 1] * 2))
        for raw, count in self.counts:
            quantity = Quantity(self._one(raw.chain), raw.kind)
            if isinstance(count, int):
                _narrow(spans, quantity, Span(count, count))
            elif quantity not in groups.setdefault(count, []):
                groups[count].append(quantity)
        for _ in range(len(groups) + 1):  # enough rounds for a narrowing to pass through every group
            for number, group in groups.items():
                span = Span()
                for limit in [s for n, s, _ in self.ranges if n == number] + [spans.get(q, Span()) for q in group]:
                    span = span.meet(limit)
                for quantity in group:
                    _narrow(spans, quantity, span)
        equal = (tuple(g) for g in groups.values() if len(g) > 1 and not spans[g[0]].exact)
        return spans, tuple(equal)

    def _with_definitions(self, body: Iterable[Literal]) -> list[Literal]:
        """Return the unread conditions and before them those that bind a colour, count or liberty they name."""
        named = _variables(self.unread) - HEAD_VARIABLES
        binding = ("opposite", "block_color", "liberty_cnt", "stone_cnt", "liberty")
        bound = [n for n in body if n.predicate in binding and n not in self.unread]
        return [n for n in bound if isinstance(n.args[-1], Var) and n.args[-1].name in named] + self.unread

    def _shared_liberties(self) -> tuple[tuple[str, ...], ...]:
        """Group chains by common liberty; a liberty of a single chain says nothing, every chain has one."""
        groups: dict[str, list[str]] = {}
        for point, chain in self.liberties:
            self.consistent &= point not in self.order  # an empty point is no chain
            if self._one(chain) not in groups.setdefault(point, []):
                groups[point].append(self._one(chain))
        return tuple(tuple(g) for g in groups.values() if len(g) > 1)

    def _chain(self, name: str, spans: dict[Quantity, Span], named: Iterable[str]) -> Chain:
        root, other = self.colours.find(f"chain {name}")
        offsets = (offset for offset, chain in self.at.items() if self._one(chain) == name)
        return Chain(
            name=name,
            colour=Colour(root, other),
            offsets=tuple(sorted(offsets, key=lambda o: (o[0] ** 2 + o[1] ** 2, -o[1], o[0]))),
            relations=frozenset(relation for chain, relation in self.relations if self._one(chain) == name),
            stones=spans.get(Quantity(name, "stones"), Span()),
            liberties=spans.get(Quantity(name, "liberties"), Span()),
            label="/".join(n for n in self.order if self._one(n) == name and n in named),
        )


def _is_chain(name: str) -> bool:
    return name not in HEAD_VARIABLES


def _is_colour(name: str) -> bool:
    return name == OWN or name not in HEAD_VARIABLES


def _variables(literals: Iterable[Literal]) -> set[str]:
    return {a.name for literal in literals for a in literal.args if isinstance(a, Var)}


def _narrow(spans: dict[Quantity, Span], quantity: Quantity, span: Span) -> None:
    spans[quantity] = spans.get(quantity, Span()).meet(span)


def _line(axis: int, number: int, size: int) -> Line:
    mirrored = size + 1 - number
    return Line(axis, min(number, mirrored), -1 if number <= mirrored else 1, number == mirrored)


def _on_board(offsets: Iterable[Offset], edges: dict[int, int], size: int) -> bool:
    return all(1 <= offset[axis] - distance <= size for offset in offsets for axis, distance in edges.items())


def free_roots(chains: Iterable[Chain]) -> list[str]:
    """Return the free colours that more than one chain has (or has the opposite of), by first mention."""
    pairs = combinations(chains, 2)
    roots = [a.colour.root for a, b in pairs if a.colour.root == b.colour.root and a.colour.side == "either"]
    return list(dict.fromkeys(roots))
