"""Number the conditions of rules, and write the constants and tables of the C file that names them by number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gotools.go.vocabulary import MEASURES
from gotools.patterns.clauses.clauses import MEASURE_ROWS
from gotools.patterns.clauses.kernels import measures as _measures
from gotools.patterns.clauses.kernels.facts import TURNS
from gotools.patterns.compiled.plan import (
    EMPTY,
    LAST,
    LAST2,
    NO_LIMIT,
    OUTSIDE,
    ChainClass,
    Condition,
    Edge,
    Measured,
    RulePlan,
    Seen,
    Staged,
    Tied,
    Touched,
)

MOST_BOARDS = 16_000
"""Boards that a call keeps on the stack: 1 MB on 19x19."""

MOST_ENTRIES = 32_000
"""Entries of a table: their numbers are int16_t."""

_KINDS = {EMPTY: "CLASS_EMPTY", OUTSIDE: "CLASS_OUTSIDE", LAST: "CLASS_LAST", LAST2: "CLASS_LAST2"}
_OWN_ROWS = frozenset(MEASURE_ROWS[m.name] for m in MEASURES if m.coloured)
_SIDES = {(-1, 0): "LEFT", (1, 0): "RIGHT", (0, -1): "BOTTOM", (0, 1): "TOP"}


Moved = tuple[int, int, int | str]
"""A class (its number) seen through an offset of the board; or -1, a line from 1, and the side it is counted from."""


class ConditionTables:
    """The conditions of a plan, numbered: `fixed` the same in all frames, `framed` not."""

    def __init__(self, plan: RulePlan) -> None:
        self.plan = plan
        used = dict.fromkeys(c for rule in plan.rules for c in rule.conditions or ())
        ties = [c for c in used if isinstance(c, Tied)]
        # a tie by the colour of a chain needs the measures of both colours
        extra = [m for tied in ties for tie in tied.ties if tie.kind == "MEASURE_BY" for m in _both(tie.values)]
        self.measured = sorted(dict.fromkeys([c for c in used if isinstance(c, Measured)] + extra), key=_key)
        self.staged = any(isinstance(c, Staged) for c in used)
        self.regions = [c for c in used if isinstance(c, Touched)]
        self.fixed_groups = [c for c in ties if not c.framed]
        self.framed_groups = [c for c in ties if c.framed]
        self.seen = [c for c in used if isinstance(c, Seen | Edge)]
        self.first_stage = len(self.measured)
        self.first_region = self.first_stage + 3
        self.first_group = self.first_region + len(self.regions)
        fixed: list[Condition] = [*self.measured, *(Staged(k) for k in range(3)), *self.regions, *self.fixed_groups]
        self.fixed = {c: k for k, c in enumerate(fixed)}
        self.framed = {c: k for k, c in enumerate([*self.seen, *self.framed_groups])}
        self.images = [[_turned(s, *offset) for offset in plan.offsets] for s in range(8)]
        self.classes: dict[ChainClass | str, int] = {}
        rows = [[self._moved(c, s) for c in self.seen] for s in range(8)]
        boards = sorted(dict.fromkeys(board for row in rows for board in row), key=self._turn_of)
        self.moved = {board: k for k, board in enumerate(boards)}
        self.seen_rows = [[self.moved[board] for board in row] for row in rows]

    def _moved(self, condition: Seen | Edge, frame: int) -> Moved:
        """Return the board on which a condition is seen in a frame."""
        if isinstance(condition, Edge):
            toward = _turned(frame, *((-1, 0) if condition.which == 0 else (0, -1)))
            return -1, condition.line, _SIDES[toward]
        number = self.classes.setdefault(condition.what, len(self.classes))
        return number, *self.images[frame][condition.offset]

    def _is_outside(self, moved: Moved) -> bool:
        return moved[0] == self.classes.get(OUTSIDE)

    def _turn_of(self, moved: Moved) -> tuple[bool, bool, bool]:
        """Return the key by which boards are ordered: lines, shifts down and left, the others, points outside."""
        kind, dx, dy = moved
        return kind >= 0, self._is_outside(moved), isinstance(dy, int) and (dy, dx) > (0, 0)

    def text(self, combined: int) -> str:
        """Return the constants and tables as C.

        combined -- boards wanted behind those of the fixed conditions

        Raises ValueError if they would be too large.
        """
        boards = len(self.moved) + len(self.fixed) + combined + len(self.framed) + len(self.plan.rules)
        if boards > MOST_BOARDS:
            raise ValueError(f"{boards:,} different conditions and rules; a library holds up to {MOST_BOARDS:,}")
        tables = self._class_tables(), self._measure_tables(), self._group_tables()
        return "\n".join((self._constants(combined), *tables))

    def _constants(self, combined: int) -> str:
        measured = [m.measure for m in self.measured]
        linked = any(t.property & 3 == 3 for t in self.regions) or any(
            tie.kind in ("RELATES", "RELATES_BY") and tie.values[0] & 3 == 3
            for group in (*self.fixed_groups, *self.framed_groups)
            for tie in group.ties
        )
        lines = sum(m[0] < 0 for m in self.moved)
        outside = sum(self._is_outside(m) for m in self.moved)
        numbers = {
            "RULES": len(self.plan.rules),
            "CLASSES": len(self.classes),
            "MOVED": len(self.moved),
            "LINES": lines,
            "FIRST_OUTSIDE": len(self.moved) - outside,
            "SEEN": len(self.seen),
            "FIXED": len(self.fixed) + combined,
            "FRAMED": len(self.framed),
            "FRAMES": 8 if self.framed else 0,
            "MEASURED": bool(measured),
            "OWN_MEASURES": not _OWN_ROWS.isdisjoint(measured),
            "OTHER_MEASURES": any(m - 1 in _OWN_ROWS for m in measured),
            "LINKED": linked,
            "STAGES": self.staged,
            "FIRST_STAGE": self.first_stage,
            "REGIONS": len(self.regions),
            "FIRST_REGION": self.first_region,
            "FIXED_GROUPS": len(self.fixed_groups),
            "FIRST_GROUP": self.first_group,
            "MOST_PLACES": self._most_places(),
        }
        return "enum {\n" + "".join(f"    {name} = {int(value)},\n" for name, value in numbers.items()) + "};\n"

    def _most_places(self) -> int:
        return max((len(g.chains) for g in (*self.fixed_groups, *self.framed_groups)), default=1)

    def _class_tables(self) -> str:
        classes = [f"{{{_KINDS[c]}, 0, 0, 0, 0, 0}}" if isinstance(c, str) else _chain(c) for c in self.classes]
        moved = [f"{{{', '.join(map(str, m))}}}" for m in self.moved]
        regions = [f"{{{_chain(r.chain)}, {r.property}}}" for r in self.regions]
        rows = [f"{{{', '.join(map(str, row)) or '0'}}}" for row in self.seen_rows]
        images = [f"{{{', '.join(f'{{{x}, {y}}}' for x, y in frame)}}}" for frame in self.images]
        return "\n".join(
            (
                array("ChainClass classes", classes, "{0}"),
                array("MovedClass moved", moved, "{0}"),
                array("Region regions", regions, "{{0}, 0}"),
                f"static const uint16_t seen[8][SEEN + 1] = {{\n    {_lines(rows)}\n}};\n",
                f"static const int8_t images[8][{len(self.plan.offsets)}][2] = {{\n    {_lines(images)}\n}};\n",
            )
        )

    def _measure_tables(self) -> str:
        """Return for each measure which of its intervals hold of each value."""
        parts, rows = [], []
        for m in range(_measures.MEASURES):
            mine = [c for c in self.measured if c.measure == m]
            if not mine:
                rows.append("{0, 0, 0, 0}")
                continue
            cap = max([c.low for c in mine] + [c.high + 1 for c in mine if c.high < NO_LIMIT])
            words = (len(mine) + 63) // 64
            values = []
            for v in range(cap + 1):
                bits = sum(1 << k for k, c in enumerate(mine) if c.low <= v <= c.high)
                values += [f"{bits >> 64 * w & (1 << 64) - 1:#x}u" for w in range(words)]
            parts.append(array(f"uint64_t member_{m}", values, "0"))
            rows.append(f"{{member_{m}, {words}, {cap}, {self.fixed[mine[0]]}}}")
        return "".join(parts) + array("Measure measures", rows, "{0}")

    def _group_tables(self) -> str:
        places: list[str] = []
        tests: list[str] = []
        sharing: list[str] = []
        groups: list[str] = []
        for group in (*self.fixed_groups, *self.framed_groups):
            begin = len(places), len(tests)
            for chain, offset in zip(group.chains, group.offsets, strict=True):
                places.append(f"{{{_chain(chain)}, {offset}}}")
            for tie in group.ties:
                a, b = tie.places[0], tie.places[min(1, len(tie.places) - 1)]
                x, y = (*tie.values, 0, 0)[:2]
                if tie.kind == "MEASURE_BY":
                    x, y = (self.fixed[m] for m in _both(tie.values))
                elif tie.kind == "SHARES":
                    x, y = len(sharing), len(sharing) + len(tie.places) - 1
                    sharing += [str(p) for p in tie.places[1:]]
                tests.append(f"{{TEST_{tie.kind}, {max(tie.places)}, {a}, {b}, {x}, {y}}}")
            groups.append(f"{{{begin[0]}, {len(places)}, {begin[1]}, {len(tests)}}}")
        if max(len(places), len(tests), len(sharing)) > MOST_ENTRIES:
            raise ValueError(f"too many chains tied together: {len(places):,}; a library holds up to {MOST_ENTRIES:,}")
        return "".join(
            (
                array("Place places", places, "{{0}, 0}"),
                array("GroupTest group_tests", tests, "{0}"),
                array("uint8_t sharing", sharing, "0"),
                array("Group groups", groups, "{0}"),
            )
        )


def _key(measured: Measured) -> tuple[int, int, int]:
    return measured.measure, measured.low, measured.high


def _both(values: Sequence[int]) -> tuple[Measured, Measured]:
    """Return a measure of the own colour and the same of the other's."""
    measure, low, high = values
    return Measured(measure, low, high), Measured(measure + 1, low, high)


def _turned(frame: int, dx: int, dy: int) -> tuple[int, int]:
    """Return the board's offset for one of a frame."""
    a, b, c, d = TURNS[frame].tolist()
    return a * dx + b * dy, c * dx + d * dy


def _chain(c: ChainClass) -> str:
    colours = {0: "1 << OWN | 1 << OTHER", 1: "1 << OWN", 2: "1 << OTHER"}[c.colour]
    liberties = f"{c.least_liberties}, {c.most_liberties - c.least_liberties}"
    return f"{{CLASS_CHAIN, {colours}, {liberties}, {c.least_stones}, {c.most_stones - c.least_stones}}}"


def array(name: str, values: Sequence[str], dummy: str) -> str:
    """Return a table as C; one without entries gets a dummy, since C knows no empty arrays."""
    return f"static const {name}[] = {{\n    {_lines(values or [dummy])}\n}};\n"


def _lines(values: Iterable[str]) -> str:
    """Join values by commas into lines of some hundred characters."""
    lines, line = [], ""
    for value in values:
        if line and len(line) + len(value) > 110:
            lines.append(line)
            line = ""
        line += f"{value}, "
    return "\n    ".join(part.rstrip() for part in [*lines, line])
