"""Number the conditions of rules, and write the constants and tables of the C file that names them by number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gotools.games.go.kernels import shapes as _shapes
from gotools.games.go.shapes import shape_table
from gotools.games.go.vocabulary import MEASURES
from gotools.rules.clauses.clauses import MEASURE_ROWS
from gotools.rules.clauses.kernels import measures as _measures
from gotools.rules.clauses.kernels.facts import COLOUR, LIBERTIES, TURNS
from gotools.rules.compiled.plan import (
    EMPTY,
    LAST,
    LAST2,
    OUTSIDE,
    ChainClass,
    Condition,
    Edge,
    Measured,
    PlannedRule,
    RulePlan,
    Seen,
    Shaped,
    Staged,
    Tied,
    Touched,
)

MOST_BOARDS = 16_000
"""Boards that a call keeps on the stack: 1 MB on 19x19."""

MOST_ENTRIES = 32_000
"""Entries of a table: their numbers are int16_t."""

MOST_POINTS = 400
"""No measure of a point and no number of stones or liberties is as large."""

ATARI, CAPTURES, CONNECTS_DIRECT, CONNECTS_INDIRECT = range(4)
"""Relations, as in rules_runtime.c."""

_KINDS = {EMPTY: "CLASS_EMPTY", OUTSIDE: "CLASS_OUTSIDE", LAST: "CLASS_LAST", LAST2: "CLASS_LAST2"}
_OWN_ROWS = frozenset(MEASURE_ROWS[m.name] for m in MEASURES if m.coloured)
_SIDES = {(-1, 0): "LEFT", (1, 0): "RIGHT", (0, -1): "BOTTOM", (0, 1): "TOP"}


Moved = tuple[int, int, int | str]
"""A class (its number) seen through an offset of the board; or -1, a line from 1, and the side it is counted from."""


class RuleRow(NamedTuple):
    """A rule that may fire: its number, boards of `fixed`, and for each other condition those of `moved` by frame."""

    number: int
    fixed: tuple[int, ...]
    framed: tuple[list[int], ...]


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
        self.shaped = [c for c in used if isinstance(c, Shaped)]
        self.seen = [c for c in used if isinstance(c, Seen | Edge)]
        self.first_stage = len(self.measured)
        self.first_region = self.first_stage + 3
        self.first_group = self.first_region + len(self.regions)
        self.first_shape = self.first_group + len(self.fixed_groups)
        stages = (Staged(k) for k in range(3))
        fixed: list[Condition] = [*self.measured, *stages, *self.regions, *self.fixed_groups, *self.shaped]
        self.fixed = {c: k for k, c in enumerate(fixed)}
        self.first_united = len(fixed)
        self.shape_table = shape_table([c.shape for c in self.shaped], [self.fixed[c] for c in self.shaped])
        self.images = [[_turned(s, *offset) for offset in plan.offsets] for s in range(8)]
        self.classes: dict[ChainClass | str, int] = {}
        turned = {c: [self._moved(c, s) for s in range(8)] for c in self.seen}
        boards = sorted(dict.fromkeys(board for row in turned.values() for board in row), key=self._turn_of)
        self.moved = {board: k for k, board in enumerate(boards)}
        self.framed: dict[Condition, list[int]] = {c: [self.moved[board] for board in turned[c]] for c in self.seen}
        """The boards of `moved` where a condition holds, for each of the frames."""
        for k, group in enumerate(self.framed_groups):
            self.framed[group] = [len(boards) + 8 * k + frame for frame in range(8)]
        self.united: dict[Condition, int] = {}
        """Boards of `fixed` where a condition holds in some frame."""
        self.rows = [row for k, rule in enumerate(plan.rules) if (row := self._rule(k, rule)) is not None]
        self.rows.sort(key=lambda row: (len(row.framed), row.fixed, row.number))

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

    def _rule(self, number: int, rule: PlannedRule) -> RuleRow | None:
        """Return where the conditions of a rule stand; None for one that never fires.

        A rule with one condition that depends on the frame fires where that holds in some frame. The last moves are at
        few points: where they are in some frame is asked first.
        """
        if rule.conditions is None:
            return None
        fixed = sorted(self.fixed[c] for c in rule.conditions if c in self.fixed)
        framed = [c for c in rule.conditions if c in self.framed]
        asked_first = [c for c in framed if len(framed) == 1 or (isinstance(c, Seen) and c.what in (LAST, LAST2))]
        united = [self.first_united + self.united.setdefault(c, len(self.united)) for c in asked_first]
        return RuleRow(number, (*united, *fixed), () if len(framed) == 1 else tuple(self.framed[c] for c in framed))

    def text(self) -> str:
        """Return the constants and tables as C.

        Raises ValueError if they would be too large.
        """
        measures, levels = self._measure_tables()
        moved, fixed = len(self.moved) + 8 * len(self.framed_groups), self.first_united + len(self.united)
        boards = moved + fixed + levels + len(self.plan.rules)
        if boards > MOST_BOARDS:
            raise ValueError(f"{boards:,} different conditions and rules; a library holds up to {MOST_BOARDS:,}")
        tables = self._class_tables(), measures, self._group_tables(), self._shape_tables(), self._rule_tables()
        return "\n".join((self._constants(moved, fixed, levels), *tables))

    def _constants(self, moved: int, fixed: int, levels: int) -> str:
        measured = {m.measure for m in self.measured}
        linked = any(t.property & 3 == 3 for t in self.regions) or any(
            tie.kind in ("RELATES", "RELATES_BY") and tie.values[0] & 3 == 3
            for group in (*self.fixed_groups, *self.framed_groups)
            for tie in group.ties
        )
        outside = sum(self._is_outside(m) for m in self.moved)
        numbers = {
            "RULES": len(self.plan.rules),
            "FIRING": len(self.rows),
            "CLASSES": len(self.classes),
            "CHAIN_WORDS": self._chain_words(),
            "LIBERTIES_CAP": self._chain_cap("liberties"),
            "STONES_CAP": self._chain_cap("stones"),
            "MOVED": moved,
            "LINES": sum(m[0] < 0 for m in self.moved),
            "FIRST_OUTSIDE": len(self.moved) - outside,
            "FIRST_GROUPED": len(self.moved),
            "FIXED": fixed,
            "UPTO": levels,
            "MEASURED": bool(measured),
            "OWN_MEASURES": not _OWN_ROWS.isdisjoint(measured),
            "OTHER_MEASURES": any(m - 1 in _OWN_ROWS for m in measured),
            "OF_SETS": any(m >= _measures.LINKED_SETS for m in measured),
            "LINKED": linked,
            "STAGES": self.staged,
            "FIRST_STAGE": self.first_stage,
            "REGIONS": len(self.regions),
            "FIRST_REGION": self.first_region,
            "FIXED_GROUPS": len(self.fixed_groups),
            "FRAMED_GROUPS": len(self.framed_groups),
            "FIRST_GROUP": self.first_group,
            "SHAPES": len(self.shaped),
            "FIRST_SHAPE": self.first_shape,
            "SHAPE_SIZES": self.shape_table.sizes,
            "SHAPE_SLOTS": len(self.shape_table.name),
            "SHAPE_REACH": _shapes.FAR,
            "UNITED": len(self.united),
            "FIRST_UNITED": self.first_united,
            "MOST_PLACES": self._most_places(),
        }
        return "enum {\n" + "".join(f"    {name} = {int(value)},\n" for name, value in numbers.items()) + "};\n"

    def _most_places(self) -> int:
        return max((len(g.chains) for g in (*self.fixed_groups, *self.framed_groups)), default=1)

    def _chains(self) -> list[tuple[ChainClass, int]]:
        """Return for each board of `chained` its class of chains, and the relation (-1 for what stands there)."""
        nothing = ChainClass(colour=3)
        of_classes = [(nothing if isinstance(c, str) else c, -1) for c in self.classes]
        return of_classes + [(_acted_on(r), r.property & 3) for r in self.regions]

    def _chain_words(self) -> int:
        return (len(self.classes) + len(self.regions) + 63) // 64

    def _chain_cap(self, quantity: str) -> int:
        """Return the number of liberties or stones from which on chains are alike for all classes."""
        ends = [0]
        for chain, _ in self._chains():
            least, most = getattr(chain, f"least_{quantity}"), getattr(chain, f"most_{quantity}")
            ends += [least, most + 1 if most < MOST_POINTS else 0]
        return min(max(ends), MOST_POINTS)

    def _chain_tables(self) -> str:
        """Return the boards of `chained` that a chain belongs to, by its liberties, its stones and its colour."""
        chains, words = [chain for chain, _ in self._chains()], self._chain_words()

        def masks(name: str, values: int, fits: Callable[[ChainClass, int], bool]) -> str:
            bits = [sum(1 << k for k, chain in enumerate(chains) if fits(chain, value)) for value in range(values)]
            return array(f"uint64_t by_{name}", [word for mask in bits for word in _words(mask, words)], "0")

        return "".join(
            (
                masks("liberties", self._chain_cap("liberties") + 1, _has_liberties),
                masks("stones", self._chain_cap("stones") + 1, _has_stones),
                masks("colour", 3, lambda chain, colour: chain.colour in (0, colour)),
            )
        )

    def _class_tables(self) -> str:
        kinds = [_KINDS[c] if isinstance(c, str) else "CLASS_CHAIN" for c in self.classes]
        of = ["OF_STONES" if r < 0 else "OF_LINKED" if r == 3 else "OF_LIBERTIES" for _, r in self._chains()]
        moved = [f"{{{', '.join(map(str, m))}}}" for m in self.moved]
        images = [f"{{{', '.join(f'{{{x}, {y}}}' for x, y in frame)}}}" for frame in self.images]
        united = [str(board) for c in self.united for board in self.framed[c]]
        return "\n".join(
            (
                array("uint8_t class_kinds", kinds, "0"),
                array("uint8_t chained_of", of, "0"),
                self._chain_tables(),
                array("MovedClass moved", moved, "{0}"),
                array("uint16_t united", united, "0"),
                f"static const int8_t images[8][{len(self.plan.offsets)}][2] = {{\n    {_lines(images)}\n}};\n",
            )
        )

    def _measure_tables(self) -> tuple[str, int]:
        """Return for each measure the levels of its values, for each condition its boards of `upto`, and their number.

        Values between the same two ends of conditions are of one level.
        """
        parts, rows, intervals, boards = [], [], {}, 0
        for m in range(_measures.MEASURES):
            mine = [c for c in self.measured if c.measure == m]
            if not mine:
                rows.append("{0, 0, 0}")
                continue
            begins = {min(c.low, MOST_POINTS) for c in mine}
            ends = sorted(end for end in begins | {c.high + 1 for c in mine if c.high < MOST_POINTS} if end > 0)
            level = [bisect_right(ends, value) for value in range(ends[-1] + 1 if ends else 1)]
            first, boards = boards + 1, boards + 2 + len(ends)  # behind an empty board
            for c in mine:
                before, to = (first + level[min(max(end, 0), len(level) - 1)] for end in (c.low, c.high + 1))
                beyond = c.high >= MOST_POINTS or not ends
                intervals[c] = before - 1, first + len(ends) if beyond else to - 1
            parts.append(array(f"uint16_t levels_{m}", [str(k) for k in level], "0"))
            rows.append(f"{{levels_{m}, {len(level) - 1}, {first}}}")
        tables = array("Measure measures", rows, "{0}")
        pairs = [f"{{{before}, {to}}}" for before, to in (intervals[c] for c in self.measured)]
        return "".join(parts) + tables + array("Interval intervals", pairs, "{0, 0}"), boards

    def _shape_tables(self) -> str:
        """Return the points of the shapes, the words for what stands there, and the hash table of the names."""
        table = self.shape_table
        counts = _shapes.COUNTS[: table.sizes].tolist()
        many = counts[-1] if counts else 0
        points = [f"{{{x}, {y}}}" for x, y in _shapes.POINTS[:many].tolist()]
        words = [f"{{{', '.join(map(_word, row))}}}" for row in _shapes.WORDS[:many].tolist()]
        return "".join(
            (
                array("uint8_t shape_counts", [str(count) for count in counts], "0"),
                f"static const int8_t shape_points[][2] = {{\n    {_lines(points or ['{0}'])}\n}};\n",
                f"static const uint64_t shape_words[][4] = {{\n    {_lines(words or ['{0}'])}\n}};\n",
                array("uint64_t size_words", [_word(word) for word in _shapes.SIZE_WORDS[: table.sizes].tolist()], "0"),
                array("uint64_t shape_names", [_word(name) for name in table.name.tolist()], "0"),
                array("int16_t shape_board", [str(number) for number in table.number.tolist()], "-1"),
            )
        )

    def _rule_tables(self) -> str:
        """Return where the conditions of the rules stand: boards of `fixed`, then of `moved`, frame by frame."""
        boards: list[str] = []
        rules = []
        for row in self.rows:
            rules.append(f"{{{len(boards)}, {row.number}, {len(row.fixed)}, {len(row.framed)}}}")
            boards += [str(k) for k in row.fixed]
            boards += [str(images[frame]) for frame in range(8) for images in row.framed]
        return array("uint16_t conditions", boards, "0") + array("Rule rules", rules, "{0, 0, 0, 0}")

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


def _acted_on(region: Touched) -> ChainClass:
    """Return the chains to which a move of the region's side can do what it says, of those in its class."""
    own, relation = (1, 2) if region.property < 4 else (2, 1), region.property & 3
    chain = region.chain.within(COLOUR, own[relation < CONNECTS_DIRECT], 0)
    if relation >= CONNECTS_DIRECT:
        return chain
    return chain.within(LIBERTIES, 1 + (relation == ATARI), 1 + (relation == ATARI))


def _has_liberties(chain: ChainClass, many: int) -> bool:
    return chain.colour != 3 and chain.least_liberties <= many <= chain.most_liberties


def _has_stones(chain: ChainClass, many: int) -> bool:
    return chain.least_stones <= many <= chain.most_stones


def _words(mask: int, words: int) -> list[str]:
    """Return a mask as words of 64 bits in C."""
    return [_word(mask >> 64 * w & (1 << 64) - 1) for w in range(words)]


def _word(word: int) -> str:
    return f"{word:#x}u"


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
