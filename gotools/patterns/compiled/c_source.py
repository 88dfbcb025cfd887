"""Write rules as one C file: a pure function from rules to text.

The file is the interface (gotools_rules.h), types, tables of the conditions that the rules use, and once for boards of
2, 4 and 8 words the matcher (rules_runtime.c) with the rules as straight-line code. Shared work is done
once: a condition for all rules, a shifted board for all frames, a common beginning for all rules that have it.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

from gotools.errors import FileFormatError, shown
from gotools.go.vocabulary import MEASURES
from gotools.patterns.clauses.clauses import MEASURE_ROWS
from gotools.patterns.clauses.kernels import measures as _measures
from gotools.patterns.clauses.rules import UNITS, RuleSet
from gotools.patterns.compiled.c_tables import ConditionTables, array
from gotools.patterns.compiled.plan import RulePlan, plan_of

ABI = 1
WIDTHS = (2, 4, 8)
MOST_RULES = 9000
"""With this limit, and that on weights, no sum leaves 64 bits."""

STATEMENTS_AT_ONCE = 64
"""Rules of one C function: compilers slow down on long ones."""

_HERE = Path(__file__).parent


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
    plan = plan_of(rules.rules, path)
    numbered = ConditionTables(plan)
    code, combined = _code(plan, numbered)
    try:
        tables = numbered.text(combined) + _rule_tables(rules)
    except ValueError as error:
        raise FileFormatError(path, None, shown(error, 300)) from error
    types, each, interface = _parts((_HERE / "rules_runtime.c").read_text())
    matcher = each.replace("@RULES@", code)
    widths = (f"#define W {w}\n#define NAME(x) x##_{w}\n\n{matcher}\n#undef W\n#undef NAME\n" for w in WIDTHS)
    return "\n".join((_title(rules), header_text(), _INCLUDES, types, tables, *widths, interface))


def _parts(runtime: str) -> list[str]:
    """Cut the runtime into types and reader, the part for each width, and the interface."""
    runtime = runtime.replace("@MEASURES@", _measure_numbers()).replace("@MOST_NODES@", str(_measures.MOST_NODES))
    types, rest = runtime.split("/* ---- for each width ---- */\n")
    each, interface = rest.split("/* ---- interface ---- */\n")
    return [types, each, interface]


def _measure_numbers() -> str:
    """Return the numbers of the measures as the body of a C enum: those of the kernels, which own them."""
    words, last = [], -1
    numbers = {m.row: MEASURE_ROWS[m.name] for m in MEASURES} | {"MEASURES": _measures.MEASURES}
    for name, number in sorted(numbers.items(), key=itemgetter(1)):
        words.append(name if number == last + 1 else f"{name} = {number}")
        last = number
    text = textwrap.fill(", ".join(words).replace(" = ", "_=_"), 120, initial_indent="    ", subsequent_indent="    ")
    return text.replace("_=_", " = ")


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


def _code(plan: RulePlan, tables: ConditionTables) -> tuple[str, int]:
    """Return the functions that AND the boards of every rule, and how many boards of combined conditions they fill.

    The conditions of a rule that are the same in all frames are combined before the frames; equal combinations
    share one board.
    """
    combined: dict[tuple[int, ...], int] = {}
    once: list[str] = []
    framed_rules: list[tuple[int, str, tuple[int, ...]]] = []
    for number, rule in enumerate(plan.rules):
        if rule.conditions is None:
            continue
        fixed = tuple(sorted(tables.fixed[c] for c in rule.conditions if c in tables.fixed))
        framed = tuple(tables.framed[c] for c in rule.conditions if c in tables.framed)
        if not framed:
            once.append(f"hit[{number}] = {_and('f', fixed) if fixed else '~hit[RULES]'};")
        elif len(fixed) < 2:
            framed_rules.append((number, _and("f", fixed), framed))
        else:
            at = len(tables.fixed) + combined.setdefault(fixed, len(combined))
            framed_rules.append((number, f"f[{at}]", framed))
    before = [f"f[{len(tables.fixed) + k}] = {_and('f', some)};" for some, k in combined.items()]
    in_frames = _functions("fire_framed", ("f", "l", "hit"), _shared(framed_rules))
    for_all = _functions("fire_fixed", ("f", "hit"), [[line] for line in before + once])
    return f"{in_frames}\n{for_all}", len(combined)


def _and(array: str, some: Sequence[int]) -> str:
    return " & ".join(f"{array}[{k}]" for k in some)


def _shared(rules: list[tuple[int, str, tuple[int, ...]]]) -> list[list[str]]:
    """Return statements for the rules, in blocks: rules that begin alike share the beginning.

    The most frequent conditions come first, so that many rules share a beginning.
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


def _functions(name: str, boards: Sequence[str], blocks: Sequence[list[str]]) -> str:
    """Return a C function that runs all statements, through functions of about AT_ONCE statements each.

    boards -- the names of the arrays of boards that the statements read and write
    """
    takes, arguments = ", ".join(f"V *{board}" for board in boards), ", ".join(boards)
    unused = "    " + ", ".join(f"(void){board}" for board in boards) + ";\n"
    functions: list[str] = []
    at = 0
    while at < len(blocks):
        lines: list[str] = []
        while at < len(blocks) and len(lines) < STATEMENTS_AT_ONCE:
            lines += blocks[at]
            at += 1
        declared = "    V t;\n" if any(line.startswith("t =") for line in lines) else ""
        body = "".join(f"    {line}\n" for line in lines)
        functions.append(f"static void NAME({name}_{len(functions)})({takes}) {{\n{declared}{unused}{body}}}\n")
    calls = "".join(f"    NAME({name}_{k})({arguments});\n" for k in range(len(functions)))
    return "\n".join((*functions, f"static void NAME({name})({takes}) {{\n{unused}{calls}}}\n"))


def _rule_tables(rules: RuleSet) -> str:
    weights = [str(round(rule.weight * UNITS)) for rule in rules.rules]
    texts = [f'{{"{rule.id}",\n     "{rule.clause}"}}' for rule in rules.rules]
    return (
        array("int64_t rule_weight", weights, "0")
        + "static const struct { const char *id, *clause; } rule_text[] = {\n    "
        + ",\n    ".join(texts or ['{"", ""}'])
        + "\n};\n"
        + f'\nstatic const char marker[] = "{marker(rules.digest)}"{_sizes(rules)};\n'
    )


def _sizes(rules: RuleSet) -> str:
    """Return a second text behind the marker and its 0: the boards that the rules were learned on, where known."""
    return f' "\\0sizes={rules.sizes[0]}-{rules.sizes[1]}"' if rules.sizes else ""


def marker(digest: str) -> str:
    """Return the text by which a compiled file is known before it is loaded."""
    return f"gotools-rules abi={ABI} digest={digest}"
