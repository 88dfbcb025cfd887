"""Write rules as one C file: a pure function from rules to text.

The file is the interface (gotools_rules.h), types, tables of the conditions that the rules use, and once for boards of
2, 4 and 8 words the matcher (rules_runtime.c) with the rules as straight-line code. What rules have in common is done
once: a condition for all rules, a shifted board for all frames, a beginning that rules share for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from gotools.errors import FileFormatError
from gotools.patterns import _measures
from gotools.patterns._facts import TURNS
from gotools.patterns.plan import (
    EMPTY,
    LAST,
    LAST2,
    MANY,
    OUTSIDE,
    ChainClass,
    Condition,
    Edge,
    Measured,
    Plan,
    Seen,
    Staged,
    Tied,
    Touched,
    plan_of,
)
from gotools.patterns.rules import RuleSet

ABI = 1
WIDTHS = (2, 4, 8)
UNITS = 10**9
"""Weights are whole numbers of these parts: sums are exact, so that equal scores are equal."""

MOST_WEIGHT = 1e6
MOST_RULES = 9000
"""With these limits no sum of weights leaves 64 bits."""

AT_ONCE = 64
"""Rules of one C function: compilers slow down on long ones."""

_HERE = Path(__file__).parent
_KINDS = {EMPTY: "CLASS_EMPTY", OUTSIDE: "CLASS_OUTSIDE", LAST: "CLASS_LAST", LAST2: "CLASS_LAST2"}
_SIDES = {(-1, 0): "LEFT", (1, 0): "RIGHT", (0, -1): "BOTTOM", (0, 1): "TOP"}


def header_text() -> str:
    """Return gotools_rules.h."""
    return (_HERE / "gotools_rules.h").read_text()


def c_source(rules: RuleSet, path: str) -> str:
    """Return the rules as C.

    path -- where the rules are from, for errors

    Raises FileFormatError with the line of a rule that cannot be compiled.
    """
    if len(rules.rules) > MOST_RULES:
        raise FileFormatError(path, None, f"{len(rules.rules):,} rules; a library holds up to {MOST_RULES:,}")
    for rule in rules.rules:
        if abs(rule.weight) > MOST_WEIGHT:
            raise FileFormatError(path, rule.line or None, f"the weight {rule.weight:g} of {rule.id} is out of range")
    tables = _Tables(plan_of(rules.rules, path))
    types, each, interface = _parts((_HERE / "rules_runtime.c").read_text())
    matcher = each.replace("@RULES@", tables.code())
    widths = (f"#define W {w}\n#define NAME(x) x##_{w}\n\n{matcher}\n#undef W\n#undef NAME\n" for w in WIDTHS)
    return "\n".join((_title(rules), header_text(), _INCLUDES, types, tables.text(rules), *widths, interface))


def _parts(runtime: str) -> list[str]:
    """Cut the runtime into types and reader, what is there for each width, and the interface."""
    types, rest = runtime.split("/* ---- for each width ---- */\n")
    each, interface = rest.split("/* ---- interface ---- */\n")
    return [types, each, interface]


def _title(rules: RuleSet) -> str:
    many = len(rules.rules)
    return (
        f"/* {many:,} rule{'s' * (many != 1)} of gotools as C. Do not edit: edit the rules and compile them again.\n"
        f" *\n * digest {rules.digest}\n * cc -std=gnu99 -O2 -fPIC -shared rules.c -o rules.so\n */\n"
    )


_INCLUDES = """#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef __GNUC__
#error "this file needs gcc, clang or another compiler with their vector types"
#endif

#define PLACE(bit) ((bit) + b->stride + 1)
#define BIT(place) ((place) - b->stride - 1)
"""


class _Index(dict[object, int]):
    """Numbers things in the order in which they are first asked for."""

    def of(self, thing: object) -> int:
        return self.setdefault(thing, len(self))


class _Tables:
    """The conditions of a plan, numbered: `fixed` the same in all frames, `framed` not."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.classes, self.moved, self.combined = _Index(), _Index(), _Index()
        used = dict.fromkeys(c for rule in plan.rules for c in rule.conditions or ())
        ties = [c for c in used if isinstance(c, Tied)]
        # a tie by the colour of a chain asks for the measures of both colours
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
        rows = [[self._moved(c, s) for c in self.seen] for s in range(8)]
        boards = [*self.moved]
        order = sorted(range(len(boards)), key=lambda k: self._turn_of(boards[k]))
        self.moved = _Index((boards[k], at) for at, k in enumerate(order))
        self.seen_rows = [[self.moved[boards[k]] for k in row] for row in rows]

    def _moved(self, condition: Condition, frame: int) -> int:
        """Return the number of the board on which a condition is seen in a frame."""
        if isinstance(condition, Edge):
            toward = _turned(frame, *((-1, 0) if condition.which == 0 else (0, -1)))
            return self.moved.of((-1, condition.line, _SIDES[toward]))
        assert isinstance(condition, Seen)
        return self.moved.of((self.classes.of(condition.what), *self.images[frame][condition.offset]))

    def _is_outside(self, moved: object) -> bool:
        assert isinstance(moved, tuple)
        return bool(moved[0] >= 0 and [*self.classes][moved[0]] == OUTSIDE)

    def _turn_of(self, moved: object) -> tuple[bool, bool, bool]:
        """Return the key by which boards are ordered: lines, shifts down and left, the others, what is outside."""
        assert isinstance(moved, tuple)
        kind, dx, dy = moved
        return kind >= 0, self._is_outside(moved), kind >= 0 and (dy, dx) > (0, 0)

    # ---- tables ----

    def text(self, rules: RuleSet) -> str:
        """Return the constants and tables as C."""
        measured = [m.measure for m in self.measured]
        linked = any(t.property & 3 == 3 for t in self.regions) or any(
            tie.kind in ("RELATES", "RELATES_BY") and tie.values[0] & 3 == 3
            for group in (*self.fixed_groups, *self.framed_groups)
            for tie in group.ties
        )
        self.code()  # numbers the combinations
        lines = sum(m[0] < 0 for m in self.moved if isinstance(m, tuple))
        outside = sum(self._is_outside(m) for m in self.moved)
        numbers = {
            "RULES": len(rules.rules),
            "CLASSES": len(self.classes),
            "MOVED": len(self.moved),
            "LINES": lines,
            "FIRST_OUTSIDE": len(self.moved) - outside,
            "SEEN": len(self.seen),
            "FIXED": len(self.fixed) + len(self.combined),
            "FRAMED": len(self.framed),
            "FRAMES": 8 if self.framed else 0,
            "MEASURED": bool(measured),
            "OWN_MEASURES": any(m >= _measures.LIBERTIES_AFTER and m % 2 for m in measured),
            "OTHER_MEASURES": any(m > _measures.LIBERTIES_AFTER and m % 2 == 0 for m in measured),
            "LINKED": linked,
            "STAGES": self.staged,
            "FIRST_STAGE": self.first_stage,
            "REGIONS": len(self.regions),
            "FIRST_REGION": self.first_region,
            "FIXED_GROUPS": len(self.fixed_groups),
            "FIRST_GROUP": self.first_group,
            "MOST_PLACES": self._most_places(),
        }
        constants = "enum {\n" + "".join(f"    {name} = {int(value)},\n" for name, value in numbers.items()) + "};\n"
        return "\n".join((constants, self._class_tables(), self._measure_tables(), self._groups(), _rule_tables(rules)))

    def _most_places(self) -> int:
        return max((len(g.chains) for g in (*self.fixed_groups, *self.framed_groups)), default=1)

    def _class_tables(self) -> str:
        classes = [
            "{%s, 0, 0, 0, 0, 0}" % _KINDS[c] if isinstance(c, str) else "{CLASS_CHAIN, %s}" % _class_numbers(c)  # noqa: UP031
            for c in self.classes
        ]
        moved = [f"{{{', '.join(map(str, m))}}}" for m in self.moved if isinstance(m, tuple)]
        regions = [f"{{{_chain(r.chain)}, {r.property}}}" for r in self.regions]
        rows = [f"{{{', '.join(map(str, row)) or '0'}}}" for row in self.seen_rows]
        images = [f"{{{', '.join(f'{{{x}, {y}}}' for x, y in frame)}}}" for frame in self.images]
        return "\n".join(
            (
                _array("ChainClass classes", classes, "{0}"),
                _array("MovedClass moved", moved, "{0}"),
                _array("Region regions", regions, "{{0}, 0}"),
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
            cap = max([c.low for c in mine] + [c.high + 1 for c in mine if c.high < MANY])
            words = (len(mine) + 63) // 64
            values = []
            for v in range(cap + 1):
                bits = sum(1 << k for k, c in enumerate(mine) if c.low <= v <= c.high)
                values += [f"{bits >> 64 * w & (1 << 64) - 1:#x}u" for w in range(words)]
            parts.append(_array(f"uint64_t member_{m}", values, "0"))
            rows.append(f"{{member_{m}, {words}, {cap}, {self.fixed[mine[0]]}}}")
        return "".join(parts) + _array("Measure measures", rows, "{0}")

    def _groups(self) -> str:
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
        return "".join(
            (
                _array("Place places", places, "{{0}, 0}"),
                _array("GroupTest group_tests", tests, "{0}"),
                _array("uint8_t sharing", sharing, "0"),
                _array("Group groups", groups, "{0}"),
            )
        )

    # ---- code ----

    def code(self) -> str:
        """Return the functions that AND the boards of every rule, for the width at hand."""
        fixed_rules: list[tuple[int, tuple[int, ...]]] = []
        framed_rules: list[tuple[int, str, tuple[int, ...]]] = []
        for number, rule in enumerate(self.plan.rules):
            if rule.conditions is None:
                continue
            fixed = tuple(sorted(self.fixed[c] for c in rule.conditions if c in self.fixed))
            framed = tuple(self.framed[c] for c in rule.conditions if c in self.framed)
            if framed:
                framed_rules.append((number, self._combination(fixed), framed))
            else:
                fixed_rules.append((number, fixed))
        before = [
            f"f[{len(self.fixed) + k}] = {_and('f', some)};"
            for some, k in self.combined.items()
            if isinstance(some, tuple)
        ]
        once = [f"hit[{number}] = {_and('f', some) if some else '~hit[RULES]'};" for number, some in fixed_rules]
        functions, calls = _functions("fire_framed", "const V *f, const V *l, V *hit", _shared(framed_rules))
        more, first_calls = _functions("fire_fixed", "V *f, V *hit", [[line] for line in before + once])
        return "\n".join(
            (
                *functions,
                *more,
                f"static void NAME(fire_fixed)(V *f, V *hit) {{\n    (void)f, (void)hit;\n{first_calls}}}\n",
                "static void NAME(fire_framed)(const V *f, const V *l, V *hit) {\n"
                f"    (void)f, (void)l, (void)hit;\n{calls}}}\n",
            )
        )

    def _combination(self, fixed: tuple[int, ...]) -> str:
        """Return the board on which all of some fixed conditions hold."""
        if not fixed:
            return ""
        return f"f[{fixed[0] if len(fixed) == 1 else len(self.fixed) + self.combined.of(fixed)}]"


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


def _class_numbers(c: object) -> str:
    assert isinstance(c, ChainClass)
    colours = {0: "1 << OWN | 1 << OTHER", 1: "1 << OWN", 2: "1 << OTHER"}[c.colour]
    liberties = f"{c.least_liberties}, {c.most_liberties - c.least_liberties}"
    return f"{colours}, {liberties}, {c.least_stones}, {c.most_stones - c.least_stones}"


def _chain(c: ChainClass) -> str:
    return f"{{CLASS_CHAIN, {_class_numbers(c)}}}"


def _array(name: str, values: Sequence[str], dummy: str) -> str:
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


def _and(array: str, some: Sequence[int]) -> str:
    return " & ".join(f"{array}[{k}]" for k in some)


def _shared(rules: list[tuple[int, str, tuple[int, ...]]]) -> list[list[str]]:
    """Return statements for the rules, in blocks that belong together: rules that begin alike share the beginning.

    The commonest conditions come first, so that beginnings are shared by many.
    """
    often = Counter(c for _, _, framed in rules for c in framed)
    ordered = sorted((tuple(sorted(framed, key=lambda c: (-often[c], c))), fixed, n) for n, fixed, framed in rules)
    blocks: list[list[str]] = []
    at = 0
    while at < len(ordered):
        first = ordered[at][0][:2]
        end = at
        while end < len(ordered) and ordered[end][0][:2] == first:
            end += 1
        blocks.append(_block(ordered[at:end]))
        at = end
    return blocks


def _block(rules: Sequence[tuple[tuple[int, ...], str, int]]) -> list[str]:
    """Return statements for rules whose first two conditions are the same."""
    begin = rules[0][0][:2]
    if len(rules) == 1 or len(begin) < 2:
        return [f"hit[{n}] |= {' & '.join(filter(None, (fixed, _and('l', some))))};" for some, fixed, n in rules]
    lines = [f"t = {_and('l', begin)};"]
    for some, fixed, n in rules:
        lines.append(f"hit[{n}] |= {' & '.join(filter(None, ('t', _and('l', some[2:]), fixed)))};")
    return lines


def _functions(name: str, takes: str, blocks: Sequence[list[str]]) -> tuple[list[str], str]:
    """Return C functions of about AT_ONCE statements, and the calls of them."""
    functions: list[str] = []
    calls = ""
    arguments = ", ".join(word.strip("*") for word in takes.replace(",", "").split() if word.startswith("*"))
    at = 0
    while at < len(blocks):
        lines: list[str] = []
        while at < len(blocks) and len(lines) < AT_ONCE:
            lines += blocks[at]
            at += 1
        own = f"{name}_{len(functions)}"
        declared = "    V t;\n" if any(line.startswith("t =") for line in lines) else ""
        body = "".join(f"    {line}\n" for line in lines)
        unused = "".join(f"    (void){word};\n" for word in arguments.split(", "))
        functions.append(f"static void NAME({own})({takes}) {{\n{declared}{unused}{body}}}\n")
        calls += f"    NAME({own})({arguments});\n"
    return functions, calls


def _rule_tables(rules: RuleSet) -> str:
    weights = [str(round(rule.weight * UNITS)) for rule in rules.rules]
    texts = [f'{{"{rule.id}",\n     "{rule.clause}"}}' for rule in rules.rules]
    return (
        _array("int64_t rule_weight", weights, "0")
        + "static const struct { const char *id, *clause; } rule_text[] = {\n    "
        + ",\n    ".join(texts or ['{"", ""}'])
        + "\n};\n"
        + f'\nstatic const char marker[] = "{marker(rules.digest)}";\n'
    )


def marker(digest: str) -> str:
    """Return the text by which a compiled file is known before it is loaded."""
    return f"gotools-rules abi={ABI} digest={digest}"
