"""Write rules as one C file: a pure function from rules to text.

The file is the interface (gotools_rules.h), types, tables of the rules and their conditions, and once for boards of 2,
4 and 8 words the matcher (rules_runtime.c). Conditions are found once for all rules, a board is shifted once for all
frames; a rule is a row of numbers of boards. Straight-line code for each rule was no faster, and slow to compile.
"""

from __future__ import annotations

import textwrap
from operator import itemgetter
from pathlib import Path

from gotools.base.errors import FileFormatError, shown
from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.games.go.kernels.ladders import MOST_NODES
from gotools.games.go.vocabulary import MEASURES
from gotools.rules.clauses.clauses import MEASURE_ROWS
from gotools.rules.clauses.kernels import measures as _measures
from gotools.rules.clauses.rules import UNITS, RuleSet
from gotools.rules.compiled.c_tables import ConditionTables, array
from gotools.rules.compiled.move_source import HEADER, move_source
from gotools.rules.compiled.plan import plan_of

ABI = 2
WIDTHS = (2, 4, 8)
MOST_RULES = 9000
"""With this limit, and that on weights, no sum leaves 64 bits."""

_HERE = Path(__file__).parent


def header_text(game: str = USUAL) -> str:
    """Return gotools_rules.h, for other games than Go gotools_move_rules.h."""
    return (_HERE / ("gotools_rules.h" if vocabulary_of(game).points else HEADER)).read_text()


def c_source(rules: RuleSet, path: str) -> str:
    """Return the rules as C.

    path -- where the rules are from, for errors

    Raises FileFormatError with the line of a rule that cannot be compiled.
    """
    if len(rules.rules) > MOST_RULES:
        raise FileFormatError(path, None, f"{len(rules.rules):,} rules; a library holds up to {MOST_RULES:,}")
    if not vocabulary_of(rules.game).points:
        return move_source(rules, path)
    try:
        tables = ConditionTables(plan_of(rules.rules, path)).text() + _rule_tables(rules)
    except ValueError as error:
        raise FileFormatError(path, None, shown(error, 300)) from error
    types, each, interface = _parts((_HERE / "rules_runtime.c").read_text())
    widths = (f"#define W {w}\n#define NAME(x) x##_{w}\n\n{each}\n#undef W\n#undef NAME\n" for w in WIDTHS)
    return "\n".join((_title(rules), header_text(), _INCLUDES, types, tables, *widths, interface))


def _parts(runtime: str) -> list[str]:
    """Cut the runtime into types and reader, the part for each width, and the interface."""
    runtime = runtime.replace("@MEASURES@", _measure_numbers()).replace("@MOST_NODES@", str(MOST_NODES))
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
