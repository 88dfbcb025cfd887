"""Draw a rule as a small board of text.

    | . . X .    `*` the move; `X` own stones, `O` the opponent's, `A` of either colour; `.` anything
    | * o . .    lower case: a chain that touches the move (or links to it), drawn at one place as an example
    | . . . .    `|`, `-`, `+` the edge of the board, where the rule places it near by
    +--------
    o 1-3 liberties

The drawing keeps the frame of the clause: offset dx to the right, dy up. Chains get letters of their own (X, Y, Z own,
O, P, Q the opponent's; A, B, C free) where the legend or a second stone speaks of them; their stones share that letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

from gotools.game.game import vocabulary_of
from gotools.rules.clauses.rules import Rule
from gotools.rules.explain.scene import Chain, Offset, Scene, Span, read_scene
from gotools.rules.explain.sentences import place_words
from gotools.rules.explain.surroundings import UNBOUNDED
from gotools.rules.explain.telling import MoveDrawing, Telling

if TYPE_CHECKING:
    from rich.text import Text

REACH = 3
"""Points drawn each way from the move, unless an offset lies further."""
LEGEND_WIDTH = 19
"""Columns after which a legend line is folded: seven points with both edges take 17."""

MARKS = {"own": "XYZVTU", "opponent": "OPQRSN", "either": "ABCDEF"}
"""Letters of a side's chains in the order of the clause; the last is used for all beyond."""

STYLES = {"own": "bold green", "opponent": "bold red", "either": "bold magenta"}

KEY = """* the move  X own  O opponent's  A either colour  . anything
lower case: beside the move (or linked to it), place left open by the rule"""
"""Explains the signs, for captions."""

EMPTY, OUTSIDE, LAST = "_", "#", {"last_on_pos": "L", "last2_on_pos": "M"}
SHAPE_SIGNS = {".": EMPTY, "#": OUTSIDE, "x": MARKS["own"][0], "o": MARKS["opponent"][0]}
MORE_KEY = "_ empty  # off the board  L the last move  M its own previous move"
"""Explains the signs of the full vocabulary."""


def drawing_of(rule: Rule, size: int) -> Drawing | MoveDrawing:
    """Return what is drawn of a rule; size -- of the board that edge distances are drawn for, in Go."""
    return Drawing(read_scene(rule, size)) if vocabulary_of(rule.game).points else MoveDrawing(Telling(rule))


def diagram(rule: Rule, size: int = 9) -> list[str]:
    """Draw `rule` in lines of equal width: a board of up to 7x7 points (more if an offset reaches further), a legend.

    size -- of the board that edge distances are drawn for
    """
    drawing = drawing_of(rule, size)
    lines = [line.rstrip() for line in [*drawing.board(), *drawing.legend()]]
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def diagram_text(rule: Rule, size: int = 9) -> Text:
    """Draw `rule` as `diagram` does, with colours; without them (NO_COLOR) it stays readable by its letters."""
    from rich.text import Text

    drawing = drawing_of(rule, size)
    text = Text(no_wrap=True)
    for number, row in enumerate(drawing.board()):
        text.append("\n" if number else "")
        for sign in row:
            text.append(sign, _style(sign, drawing))
    for row in drawing.legend():
        head, _, rest = row.partition(" ")
        text.append("\n").append(f"{head} ", _style(head, drawing) if len(head) == 1 else "").append(rest)
    return text


def _style(sign: str, drawing: Drawing | MoveDrawing) -> str:
    if sign == "*":
        return "bold yellow"
    return STYLES.get(drawing.side_of(sign), "dim")


@dataclass
class Drawing:
    """What is drawn where: `signs` by offset, `marks` by chain name; `window` is left, right, bottom, top."""

    scene: Scene
    signs: dict[Offset, str] = field(init=False)
    marks: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.marks = dict(_assign_marks(self.scene))
        self.signs = {(0, 0): "*"}
        for chain in self.scene.chains:
            for offset in chain.offsets:
                self.signs[offset] = self.marks[chain.name]
        around = self.scene.around
        self.signs.update(dict.fromkeys(around.empty, EMPTY) | dict.fromkeys(around.outside, OUTSIDE))
        self.signs.update({offset: LAST[name] for name, offset in around.moves})
        for shape in around.shapes:
            for offset, sign in shape.points().items():
                self.signs.setdefault(offset, SHAPE_SIGNS[sign])
        for chain in self.scene.chains:
            self._place_example(chain)

    def _place_example(self, chain: Chain) -> None:
        """Draw a chain that a relation places: on a free point beside the move, or diagonally if it is linked only."""
        if not (chain.touches or chain.links) or any(abs(x) + abs(y) == 1 for x, y in chain.offsets):
            return
        beside = [(1, 0), (-1, 0), (0, 1), (0, -1)] if chain.touches else [(1, 1), (-1, 1), (-1, -1), (1, -1)]
        free = [point for point in beside if point not in self.signs and self._inside(point)]
        if free:
            self.signs[free[0]] = self.marks[chain.name].lower()

    def edges(self) -> tuple[int | None, int | None, int | None, int | None]:
        """Return the offsets of the outer columns and rows: left, right, bottom, top; None if unknown or too far."""
        found: list[int | None] = [None] * 4
        for line in self.scene.lines:
            for side, lines in ((line.side, line.number), (-line.side, self.scene.size + 1 - line.number)):
                if 1 <= lines <= REACH + 1:
                    found[2 * line.axis + (side > 0)] = side * (lines - 1)
        return found[0], found[1], found[2], found[3]

    def side_of(self, sign: str) -> str:
        """Return whose chain a sign stands for: a key of MARKS, or "" for another sign."""
        return next((side for side, marks in MARKS.items() if sign.upper() in marks), "")

    def _inside(self, point: Offset) -> bool:
        left, right, bottom, top = self.edges()
        x, y = point
        across = (left is None or x >= left) and (right is None or x <= right)
        return across and (bottom is None or y >= bottom) and (top is None or y <= top)

    def extent(self) -> tuple[range, range]:
        """Return the offsets of the columns and of the rows that are drawn."""
        left, right, bottom, top = self.edges()
        return _extent((x for x, _ in self.signs), left, right), _extent((y for _, y in self.signs), bottom, top)

    def board(self) -> list[str]:
        """Draw the points around the move, and the edges that lie among them."""
        left, right, bottom, top = self.edges()
        columns, rows = self.extent()
        before = "| " if left is not None else ""
        after = " |" if right is not None else ""
        lines = [before + " ".join(self.signs.get((x, y), ".") for x in columns) + after for y in reversed(rows)]
        border = before.replace("| ", "+-") + "-" * (2 * len(columns) - 1) + after.replace(" |", "-+")
        return [border] * (top is not None) + lines + [border] * (bottom is not None)

    def legend(self) -> list[str]:
        """Add what the drawing cannot show: counts, examples of places, lines too far from an edge to draw it."""
        edges = self.edges()
        far = tuple(x for x in self.scene.lines if edges[2 * x.axis : 2 * x.axis + 2] == (None, None))
        lines = [f"* {place_words(far).removesuffix(' from an edge')}"] if far else []
        for chain in self.scene.chains:
            if notes := self._notes(chain):
                lines.append(f"{self._sign(chain)} {', '.join(notes)}")
        for names in self.scene.shared:
            lines.append(f"{', '.join(self._sign_of(n) for n in names)} share a liberty")
        for group in self.scene.equal:
            lines.append(" = ".join(f"{q.kind} of {self._sign_of(q.chain)}" for q in group))
        return [part for line in lines for part in wrap(line, LEGEND_WIDTH, subsequent_indent="  ")]

    def _notes(self, chain: Chain) -> list[str]:
        """Return what the legend says of a chain; empty if its letter says it all."""
        beside = any(abs(x) + abs(y) == 1 for x, y in chain.offsets)
        notes = []
        side = chain.colour.side
        relative = side == "either" and self._free_colour(chain) != "either colour"
        if relative or self.marks[chain.name] != MARKS[side][0]:
            notes.append({"own": "own", "opponent": "opponent's", "either": self._free_colour(chain)}[side])
        if chain.links:
            notes.append("two-way link")
        elif chain.touches and not beside and (chain.offsets or not self._drawn(chain)):
            notes.append("beside *")
        elif not chain.offsets and not chain.touches:
            notes.append("somewhere")
        elif len(chain.offsets) > 1:
            notes.append("one chain")
        if chain.stones.known:
            notes.append(_brief(chain.stones, "stone", "stones"))
        if chain.liberties.known:
            notes.append("in atari" if chain.liberties == (1, 1) else _brief(chain.liberties, "liberty", "liberties"))
        return [*notes, f"is {chain.label}"] if chain.label else notes

    def _free_colour(self, chain: Chain) -> str:
        """Describe a colour that the clause leaves open, by the first chain of it."""
        first = next(c for c in self.scene.chains if c.colour.root == chain.colour.root)
        if first.name == chain.name:
            return "either colour"
        return f"colour {'other than' if first.colour.other != chain.colour.other else 'of'} {self._sign(first)}"

    def _drawn(self, chain: Chain) -> bool:
        return self._sign(chain) in self.signs.values()

    def _sign(self, chain: Chain) -> str:
        """A chain's letter: upper case if a stone of it has a place."""
        mark = self.marks[chain.name]
        return mark if chain.offsets else mark.lower()

    def _sign_of(self, name: str) -> str:
        return next(self._sign(chain) for chain in self.scene.chains if chain.name == name)


def _assign_marks(scene: Scene) -> Iterator[tuple[str, str]]:
    """Give each chain a letter: its own if the clause says more of it than one place, else its side's first."""
    related = {name for names in scene.shared for name in names} | {q.chain for group in scene.equal for q in group}
    lettered = dict.fromkeys(MARKS, 0)
    for chain in sorted(scene.chains, key=lambda c: c.bare and c.name not in related):
        side = chain.colour.side
        yield chain.name, MARKS[side][min(lettered[side], len(MARKS[side]) - 1)]
        lettered[side] += not chain.bare or chain.name in related


def _extent(used: Iterable[int], low_edge: int | None, high_edge: int | None) -> range:
    """Return the coordinates to draw: those in use, one more each way, as far as a known edge."""
    places = list(used)
    low = low_edge if low_edge is not None else min(min(places), max(min(places) - 1, -REACH))
    high = high_edge if high_edge is not None else max(max(places), min(max(places) + 1, REACH))
    return range(min(low, *places), max(high, *places) + 1)


def _brief(span: Span, one: str, many: str) -> str:
    if span.exact:
        return f"{span.low} {one if span.low == 1 else many}"
    return f"{span.low}+ {many}" if span.high >= UNBOUNDED else f"{span.low}-{span.high} {many}"
