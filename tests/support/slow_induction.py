"""Slow, obvious twin of the induction of rules: clauses by backtracking over small relations, Aleph's order by lists.

An example is a database: for every predicate of the vocabulary, all tuples that hold of its board and point. A clause
covers it if its literals can be satisfied one after the other. Of the package only data types are used (Literal, Var,
CoverSettings, Points, MEASURE_OF); boards come from tests/support/slow.py, all meanings from the definitions in the
specification.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from support import slow_measures as twin
from support.slow import SlowGo

from gotools.games.go.vocabulary import MEASURE_OF
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Literal, Term, Var
from gotools.rules.cover.induce import CoverSettings

FRAMES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "p1": lambda x, y: (x, y),
    "p2": lambda x, y: (-y, x),
    "p3": lambda x, y: (-x, -y),
    "p4": lambda x, y: (y, -x),
    "p5": lambda x, y: (-x, y),
    "p6": lambda x, y: (-y, -x),
    "p7": lambda x, y: (x, -y),
    "p8": lambda x, y: (y, x),
}
INTERVALS = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 8), (5, 99)]
AROUND = ("empty_on_pos", "outside_on_pos", "last_on_pos", "last2_on_pos")
RELATIONS = ("atari", "captures", "connects_direct", "connects_indirect")

MODES = [
    ("pos_gen", "-pos"),
    ("edge_ver", "+x", "+y", "#", "+pos"),
    ("edge_hor", "+x", "+y", "#", "+pos"),
    ("stage", "+board", "#"),
    ("block_on_pos", "+board", "+x", "+y", "-block", "#", "#", "+pos"),
    ("block_color", "+board", "+block", "-color"),
    ("opposite", "+color", "-color"),
    ("liberty_cnt", "+board", "+block", "#"),
    ("liberty_cnt", "+board", "+block", "-nat"),
    ("stone_cnt", "+board", "+block", "#"),
    ("stone_cnt", "+board", "+block", "-nat"),
    ("range", "+nat", "#", "#"),
    ("liberty", "+board", "+block", "-block"),
    *((name, "+board", "-block", "+x", "+y", "+color") for name in RELATIONS),
]
"""The order in which Aleph was given them; it saturates in this order."""
Value = int | str
Row = tuple[Value, ...]


class Declared(NamedTuple):
    """A mode with recall (0: no limit) and, for constants, what may stand there; `()` for anything."""

    recall: int
    mode: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...] = ()

    def admitted(self, rows: list[Row]) -> list[Row]:
        """The first answers whose constants are allowed."""
        places = [k for k, mode in enumerate(self.mode[1:]) if mode[0] == "#"]
        values = self.values or ((),) * len(places)
        rows = [r for r in rows if all(not v or r[k] in v for k, v in zip(places, values, strict=True))]
        return rows[: self.recall or None]


class Chain(NamedTuple):
    colour: str
    stones: set[tuple[int, int]]
    liberties: set[tuple[int, int]]


class Tuples(dict[str, list[Row]]):
    """The tuples of each predicate, made together with those of its kind when one of them is first asked for."""

    def __init__(self, make: Callable[[str], dict[str, list[Row]]]) -> None:
        self._make = make

    def __missing__(self, predicate: str) -> list[Row]:
        made = self._make(predicate)
        for name, rows in made.items():
            self.setdefault(name, rows)
        return made[predicate]


class Example:
    """A board, the colour to play (1, 2) and the point (x, y) from 0, as the relations that clauses ask about."""

    def __init__(
        self,
        size: int,
        stones: dict[tuple[int, int], int],
        to_play: int,
        point: tuple[int, int],
        moves: tuple[tuple[int, int] | None, tuple[int, int] | None] = (None, None),
    ) -> None:
        self.go, self.moves = SlowGo(size, stones), moves
        self.size, self.stones, self.to_play, self.point = size, stones, to_play, point
        self.head: Row = ("board", "bw"[to_play - 1], point[0] + 1, point[1] + 1)
        self.chains = self._chains()
        self.chain_at = {p: name for name, chain in self.chains.items() for p in chain.stones}
        self.tuples = Tuples(self._made)
        self._chosen: dict[tuple[str, tuple[int, ...]], dict[tuple[Value | None, ...], list[Row]]] = {}

    def _made(self, predicate: str) -> dict[str, list[Row]]:
        """Return the tuples of a predicate and of those that are found in the same way."""
        if predicate in ("block_on_pos", "edge_ver", "edge_hor"):
            return self._window()
        if predicate in AROUND:
            return self._around()
        if predicate in RELATIONS:
            return self._relations()
        return {predicate: self._measured(predicate)} if predicate in MEASURE_OF else self._basic()

    def name(self, point: tuple[int, int]) -> int:
        return point[1] * self.size + point[0] + 1

    def _chains(self) -> dict[int, Chain]:
        """The chains by their smallest point, in order."""
        found = {}
        for point in sorted(self.stones, key=self.name):
            stones = self.go.chain(point)
            name = min(map(self.name, stones))
            found[name] = Chain("bw"[self.stones[point] - 1], stones, self.go.liberties(point))
        return dict(sorted(found.items()))

    def _basic(self) -> dict[str, list[Row]]:
        board, tuples = "board", dict[str, list[Row]]()
        share = len(self.stones) * 81 / self.size**2
        numbers = range(1, self.size**2 + 1)
        tuples["pos_gen"] = [(frame,) for frame in FRAMES]
        tuples["opposite"] = [("b", "w"), ("w", "b")]
        tuples["stage"] = [(board, "open" if share <= 10 else "middle" if share <= 30 else "end")]
        tuples["range"] = [(n, low, high) for n in numbers for low, high in INTERVALS if low <= n <= high]
        tuples["block_color"] = [(board, name, chain.colour) for name, chain in self.chains.items()]
        tuples["liberty_cnt"] = [(board, name, len(chain.liberties)) for name, chain in self.chains.items()]
        tuples["stone_cnt"] = [(board, name, len(chain.stones)) for name, chain in self.chains.items()]
        tuples["liberty"] = [
            (board, name, liberty)
            for name, chain in self.chains.items()
            for liberty in sorted(map(self.name, chain.liberties))
        ]
        return tuples

    def _window(self) -> dict[str, list[Row]]:
        x, y = self.point
        tuples: dict[str, list[Row]] = {"block_on_pos": [], "edge_ver": [], "edge_hor": []}
        for frame, turn in FRAMES.items():
            for dx, dy in itertools.product(range(-3, 4), repeat=2):
                across, up = turn(dx, dy)
                name = self.chain_at.get((x + across, y + up)) if (dx, dy) != (0, 0) else None
                if name is not None:
                    tuples["block_on_pos"].append(("board", x + 1, y + 1, name, dx, dy, frame))
        for predicate, direction in (("edge_ver", (-1, 0)), ("edge_hor", (0, -1))):
            for frame, turn in FRAMES.items():
                steps, (across, up) = 0, turn(*direction)
                while 0 <= x + steps * across < self.size and 0 <= y + steps * up < self.size:
                    steps += 1
                tuples[predicate].append((x + 1, y + 1, -steps, frame))
        return tuples

    def _relations(self) -> dict[str, list[Row]]:
        x, y = self.point
        beside = self.go.beside(self.point)
        free = {q for q in beside if q not in self.stones}
        tuples: dict[str, list[Row]] = {name: [] for name in RELATIONS}
        for colour in "bw":
            for name, chain in self.chains.items():
                touches = any(q in chain.stones for q in beside)
                left = len(chain.liberties)
                holds = {
                    "atari": touches and chain.colour != colour and left == 2,
                    "captures": touches and chain.colour != colour and left == 1,
                    "connects_direct": touches and chain.colour == colour,
                    "connects_indirect": not touches and chain.colour == colour and len(free & chain.liberties) >= 2,
                }
                for relation, held in holds.items():
                    if held:
                        tuples[relation].append(("board", name, x + 1, y + 1, colour))
        return tuples

    def _around(self) -> dict[str, list[Row]]:
        x, y = self.point
        tuples: dict[str, list[Row]] = {name: [] for name in AROUND}
        for frame, turn in FRAMES.items():
            for dx, dy in itertools.product(range(-3, 4), repeat=2):
                u, v = (a + b for a, b in zip(self.point, turn(dx, dy), strict=True))
                inside = 0 <= u < self.size and 0 <= v < self.size
                holds = (inside and (u, v) not in self.stones, not inside, *((u, v) == move for move in self.moves))
                for name, held in zip(AROUND, holds, strict=True):
                    if held and (dx, dy) != (0, 0):
                        tuples[name].append(("board", x + 1, y + 1, dx, dy, frame))
        return tuples

    def _measured(self, name: str) -> list[Row]:
        head: Row = ("board", self.point[0] + 1, self.point[1] + 1)
        if name in twin.PLAIN_TWINS:
            value = twin.PLAIN_TWINS[name](self.size, self.point, self.moves)
            return [] if value is None else [(*head, value)]
        rows = [(c, twin.TWINS[name](self.go, self.point, k)) for k, c in enumerate("bw", 1)]
        if MEASURE_OF[name].last:  # a number or a word
            return [(*head, colour, value) for colour, value in rows if value != ""]
        return [(*head, colour) for colour, value in rows if value]

    def answers(self, predicate: str, known: tuple[Value | None, ...]) -> list[Row]:
        """The tuples that agree with the known arguments (None: unknown)."""
        if predicate == "shape":
            shape = str(known[4])
            return [("board", *self.head[2:], str(known[3]), shape)] if self._stands(shape, str(known[3])) else []
        places = tuple(k for k, value in enumerate(known) if value is not None)
        if (predicate, places) not in self._chosen:
            rows_by_values = self._chosen[predicate, places] = defaultdict(list)
            for row in self.tuples[predicate]:
                rows_by_values[tuple(row[k] for k in places)].append(row)
        return self._chosen[predicate, places].get(tuple(known[k] for k in places), [])

    def _stands(self, shape: str, colour: str) -> bool:
        """Whether the rows of a shape, centred on the point, are what stands there in some frame."""
        rows = shape.split("/")
        signs = {
            (k - len(row) // 2, len(rows) // 2 - r): sign for r, row in enumerate(rows) for k, sign in enumerate(row)
        }
        del signs[0, 0]
        return any(all(self._sign(turn(*at), colour) == sign for at, sign in signs.items()) for turn in FRAMES.values())

    def _sign(self, step: tuple[int, int], colour: str) -> str:
        x, y = self.point[0] + step[0], self.point[1] + step[1]
        if not (0 <= x < self.size and 0 <= y < self.size):
            return "#"
        return "." if (x, y) not in self.stones else "x" if "bw"[self.stones[x, y] - 1] == colour else "o"


def covers(body: tuple[Literal, ...], example: Example) -> bool:
    """Return whether the literals can be satisfied one after the other, as Prolog tries it."""
    return _satisfiable(body, 0, example, dict(zip("ABCD", example.head, strict=True)))


def _satisfiable(body: tuple[Literal, ...], at: int, example: Example, bound: dict[str, Value]) -> bool:
    if at == len(body):
        return True
    predicate, args = body[at]
    known = tuple(bound.get(a.name) if isinstance(a, Var) else a for a in args)
    for row in example.answers(predicate, known):
        more = {a.name: v for a, v in zip(args, row, strict=True) if isinstance(a, Var)}
        agrees = all(row[k] == more[a.name] for k, a in enumerate(args) if isinstance(a, Var))
        if agrees and _satisfiable(body, at + 1, example, bound | more):
            return True
    return False


# ---- the bottom clause ----


class Bottom(NamedTuple):
    """A literal with its input and output variables."""

    literal: Literal
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def saturate(
    example: Example, predicates: tuple[str, ...], depth: int, declared: Sequence[Declared] = ()
) -> list[Bottom]:
    """Every literal that holds of the example, up to `depth` steps from the head; inputs newest first.

    declared -- in the place of the predicates; in the order of MODES
    """
    declared = declared or [Declared(0, tuple(mode)) for mode in MODES if mode[0] in predicates]
    head = ("board", "color", "x", "y")
    variables: dict[tuple[str, Value], tuple[str, int]] = {}  # (type, value) -> name, step of its first appearance
    for name, kind, value in zip("ABCD", head, example.head, strict=True):
        variables[kind, value] = name, 0
    found = [Bottom(Literal("move", tuple(map(Var, "ABCD"))), (), tuple("ABCD"))]
    for step in range(1, depth + 1):
        before = len(found)
        for one in declared:
            predicate, *modes = one.mode
            places = [k for k, mode in enumerate(modes) if mode[0] == "+"]
            kinds = [modes[k][1:] for k in places]
            terms = [[(t, s) for t, (_, s) in variables.items() if t[0] == kind and s < step][::-1] for kind in kinds]
            for chosen in itertools.product(*terms):
                if max((s for _, s in chosen), default=0) == step - 1:
                    known: list[Value | None] = [None] * len(modes)
                    for k, (term, _) in zip(places, chosen, strict=True):
                        known[k] = term[1]
                    rows = example.answers(predicate, tuple(known))
                    for row in rows[:1] if predicate == "pos_gen" else one.admitted(rows):
                        literal = _generalised(predicate, modes, row, variables, step)
                        if literal not in found:
                            found.append(literal)
        if len(found) == before:
            break
    return found


def _generalised(
    predicate: str, modes: list[str], row: Row, variables: dict[tuple[str, Value], tuple[str, int]], step: int
) -> Bottom:
    """Put variables for the values of a tuple, new ones for values that are new."""
    args: list[Term] = []
    names: dict[str, tuple[str, ...]] = {"+": (), "-": ()}
    for mode, value in zip(modes, row, strict=True):
        if mode == "#":
            args.append(value)
        else:
            name, _ = variables.setdefault((mode[1:], value), (f"V{len(variables)}", step))
            args.append(Var(name))
            names[mode[0]] += (name,)
    return Bottom(Literal(predicate, tuple(args)), names["+"], names["-"])


# ---- the search ----


class Node(NamedTuple):
    """A clause of the search: indices into the bottom clause, and what it covers."""

    number: int
    path: tuple[int, ...]
    positives: int
    value: float


class Found(NamedTuple):
    seed: int
    body: tuple[Literal, ...]
    positives: int
    negatives: int
    searched: int
    left: int


class Induction:
    """The whole algorithm over lists of positives and negatives; coverage of a clause is remembered, nothing else."""

    def __init__(
        self,
        positives: list[Example],
        negatives: list[Example],
        settings: CoverSettings,
        declared: Sequence[Declared] = (),
        off: frozenset[str] = frozenset(),
    ) -> None:
        self.positives, self.negatives, self.settings = positives, negatives, settings
        self.declared, self.off = declared, off
        self.left = set(range(len(positives)))
        self.covered: dict[tuple[Literal, ...], tuple[set[int], int]] = {}
        self.rules = 0

    def run(self) -> Iterator[Found]:
        while self.left:
            seed = min(self.left)
            bottom = saturate(self.positives[seed], self.settings.predicates, self.settings.depth, self.declared)
            body, searched = self.search(bottom, seed)
            held, negatives = self.coverage(body) if body else (set(), 0)
            self.rules += bool(body)
            newly = len(held & self.left)
            self.left -= held | {seed}
            yield Found(seed, body, newly, negatives, searched, len(self.left))

    def coverage(self, body: tuple[Literal, ...]) -> tuple[set[int], int]:
        """The positives that a clause covers, and how many negatives."""
        if body not in self.covered:
            held = {k for k, example in enumerate(self.positives) if covers(body, example)}
            self.covered[body] = held, sum(covers(body, example) for example in self.negatives)
        return self.covered[body]

    def value(self, p: int, n: int, length: int) -> float:
        """The score of a clause of `length` literals, head included."""
        match self.settings.score:
            case "coverage":
                return p - n
            case "compression":
                return p - n - length + 1
            case "laplace":
                return (p + 1) / (p + n + 2)
            case "posonly":
                total = len(self.negatives)
                return math.log(p) + math.log(total + 2) - (length + 1) / p - math.log(n + 1)
        share = p / (p + n)
        if share == 1 or share <= 0.5:
            return 0 if share == 1 else -1
        return share * math.log2(share) + (1 - share) * math.log2(1 - share)

    def search(self, bottom: list[Bottom], seed: int) -> tuple[tuple[Literal, ...], int]:
        """Best acceptable clause and the number of clauses searched; the body is empty where there is none."""
        settings = self.settings
        root = Node(1, (0,), len(self.left), 0)
        family: list[Node | None] = [root]
        waiting = [(root, family)]
        best: tuple[Literal, ...] = ()
        best_value, best_p = 1.0 if settings.score in ("coverage", "compression") else -math.inf, 0
        searched, expanded = 1, dict.fromkeys(range(settings.max_body + 2), 0)
        while waiting and searched < settings.nodes and best_p < len(self.positives):
            node, family = waiting.pop(waiting.index(min(waiting, key=lambda entry: self.order(entry[0], seed))))
            if self.value(node.positives, 0, len(node.path)) <= best_value:
                continue
            expanded[len(node.path)] += 1
            if settings.search == "beam" and expanded[len(node.path)] > settings.beam_width:
                continue
            own: list[Node | None] = []
            for literal in children(bottom, node, family):
                if searched >= settings.nodes or best_p == len(self.positives):
                    break
                searched += 1
                path = (*node.path, literal)
                body = named(bottom, path)
                own.append(None)
                if pruned(body, self.off):
                    continue
                held, n = self.coverage(body)
                p = len(held & self.left)
                if p < 1 or self.value(p, 0, len(path)) <= best_value:
                    continue
                own[-1] = child = Node(searched, path, p, self.value(p, n, len(path)))
                if len(body) < settings.max_body:
                    waiting.append((child, own))
                if (
                    n <= settings.noise
                    and p > 1
                    and child.value > best_value
                    and acceptable(body, settings.min_body, settings.after_opening, self.off)
                ):
                    best, best_value, best_p = body, child.value, p
        return best, searched

    def order(self, node: Node, seed: int) -> tuple[float, ...]:
        """Expand short clauses first (depth: long ones, best: any), then those of the best score, then the first.

        random: every clause draws a number, by the seed of the run, the example and its own number.
        """
        if self.settings.search == "random":
            return (mixed(mixed(mixed(self.settings.seed) + seed) + node.number),)
        length = {"best": 0, "depth": -len(node.path)}.get(self.settings.search, len(node.path))
        return (length, -node.value, node.number)


def mixed(x: int) -> int:
    """The finisher of SplitMix64 as its authors print it, on numbers below 2**64."""
    z = (x + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def children(bottom: list[Bottom], node: Node, family: list[Node | None]) -> list[int]:
    """The literals that use an output of the last one and whose inputs are bound, then those of younger siblings."""
    last = bottom[node.path[-1]]
    users = [k for k, b in enumerate(bottom) if k and set(b.inputs) & set(last.outputs)]
    if node.path == (0,):
        users = [k for k, b in enumerate(bottom) if b.literal.predicate == "pos_gen"] + users
    bound = {v for k in node.path for v in bottom[k].outputs}
    found = [k for k in users if k not in node.path and set(bottom[k].inputs) <= bound]
    younger = [sibling.path[-1] for sibling in family if sibling is not None and sibling.number > node.number]
    return found + [k for k in younger if k not in users]


def named(bottom: list[Bottom], path: tuple[int, ...]) -> tuple[Literal, ...]:
    """The body of a clause with its variables named in the order of appearance."""
    names = {letter: letter for letter in "ABCD"}
    body = []
    for k in path[1:]:
        args: list[Term] = []
        for a in bottom[k].literal.args:
            if isinstance(a, Var):
                round_, letter = divmod(len(names), 26)
                a = Var(names.setdefault(a.name, chr(65 + letter) + (str(round_) if round_ else "")))
            args.append(a)
        body.append(Literal(bottom[k].literal.predicate, tuple(args)))
    return tuple(body)


def pruned(body: tuple[Literal, ...], off: frozenset[str] = frozenset()) -> bool:
    """Return whether a clause says `opposite` twice, or counts the liberties or the stones of one block twice."""
    counts = [(n.predicate, n.args[1]) for n in body if n.predicate in ("liberty_cnt", "stone_cnt")]
    twice = sum(n.predicate == "opposite" for n in body) > 1 and "opposite_once" not in off
    return twice or (len(counts) > len(set(counts)) and "counts_once" not in off)


def acceptable(
    body: tuple[Literal, ...], min_body: int, after_opening: str = "chain", off: frozenset[str] = frozenset()
) -> bool:
    """Return whether a clause fulfils the integrity constraints, but for those switched off."""
    for variable in {a for n in body for a in n.args if isinstance(a, Var)} - set(map(Var, "ABCD")):
        if sum(variable in n.args for n in body) < 2 and "variables_twice" not in off:
            return False
    placed = {n.args[3] for n in body if n.predicate == "block_on_pos"}
    coloured = {n.args[1] for n in body if n.predicate == "block_color"}
    ties = {"chain": ("block_on_pos", *RELATIONS), "stone": ("block_on_pos",), "free": ()}[after_opening]
    tied = after_opening == "free" or any(n.predicate in ties or n.args[1:] == ("open",) for n in body)
    return len(body) >= min_body and (placed <= coloured or "coloured_blocks" in off) and tied


# ---- examples to compare on ----


def random_examples(rng: random.Random, size: int, count: int, most_moves: int) -> list[Example]:
    """Points for the player to move, on boards after up to `most_moves` random moves."""
    found: list[Example] = []
    while len(found) < count:
        go, colour = SlowGo(size), 1
        moves: list[tuple[int, int] | None] = [None, None]
        for _ in range(rng.randrange(most_moves + 1)):
            moves.append(next((p for p in _shuffled(rng, size) if not go.play(p, colour)), None))
            colour = 3 - colour
        point = next((p for p in _shuffled(rng, size) if go.is_legal(p, colour)), None)
        if point:
            found.append(Example(size, dict(go.stones), colour, point, (moves[-1], moves[-2])))
    return found


def _shuffled(rng: random.Random, size: int) -> list[tuple[int, int]]:
    points = [(x, y) for y in range(size) for x in range(size)]
    rng.shuffle(points)
    return points


def example_of(points: Points, row: int) -> Example:
    """One of the points as the twin takes it."""
    k = int(points.position[row])
    size = int(points.size[k])
    stones = {(p % size, p // size): int(c) for p, c in enumerate(points.board[k, : size * size]) if c}
    point, *moves = int(points.point[row]), int(points.last[k]), int(points.last2[k])
    last, last2 = ((m % size, m // size) if m >= 0 else None for m in moves)
    return Example(size, stones, int(points.to_play[k]), (point % size, point // size), (last, last2))


def points_of(examples: list[Example]) -> Points:
    """The same examples as the package holds them."""
    n, cells = len(examples), max((e.size for e in examples), default=2) ** 2
    board = np.zeros((n, cells), np.uint8)
    for row, e in enumerate(examples):
        for (x, y), colour in e.stones.items():
            board[row, y * e.size + x] = colour
    none = np.full(n, -1, np.int16)
    last, last2 = (
        np.array([e.name(move) - 1 if (move := e.moves[k]) else -1 for e in examples], np.int16) for k in range(2)
    )
    return Points(
        board,
        np.array([e.size for e in examples], np.uint8),
        np.array([e.to_play for e in examples], np.uint8),
        none,
        last,
        last2,
        np.arange(n, dtype=np.int32),
        np.array([e.name(e.point) - 1 for e in examples], np.int16),
    )
