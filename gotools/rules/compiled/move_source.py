"""Write rules of a game with measures and a window as one C file, which knows no board: its caller measures moves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gotools.game.game import vocabulary_of
from gotools.game.vocabulary import Vocabulary
from gotools.jit.kernels import rule_table
from gotools.rules.clauses.rules import UNITS, RuleSet
from gotools.rules.compiled.c_tables import array
from gotools.rules.compiled.move_table import conditions_of_rules

ABI: Final = 1
HEADER: Final = "gotools_move_rules.h"
_HERE = Path(__file__).parent


def move_source(rules: RuleSet, path: str) -> str:
    """Return the rules as C; path -- where they are from, for errors.

    Raises FileFormatError with the line of a rule that cannot be compiled.
    """
    of_rules = conditions_of_rules(rules, path)
    number = {c: k for k, c in enumerate(dict.fromkeys(c for some in of_rules if some for c in some))}
    members, rows = list[str](), list[str]()
    for rule, some in zip(rules.rules, of_rules, strict=True):
        begin = len(members)
        members += [str(number[c]) for c in some or ()]
        rows.append(f"{{{round(rule.weight * UNITS)}, {begin}, {len(members)}, {int(some is None)}}}")
    vocabulary = vocabulary_of(rules.game)
    looks = any(c[0] == rule_table.HELD for c in number)
    tables = (
        array("condition conditions", ["{" + ", ".join(map(str, c)) + "}" for c in number], "{0}")
        + array("struct { int64_t weight; int32_t begin, end, never; } rules", rows, "{0}")
        + array("int32_t members", members, "0")
        + array("char *const columns", [f'"{name}"' for name in columns_of(vocabulary)], '""')
        + _texts(rules)
        + f'\nstatic const char marker[] = "{move_marker(rules)}";\n'
    )
    runtime = (_HERE / "move_rules_runtime.c").read_text()
    return "\n".join(
        (_title(rules), (_HERE / HEADER).read_text(), _sizes(rules, vocabulary, looks, len(number)), tables, runtime)
    )


def columns_of(vocabulary: Vocabulary) -> list[str]:
    """Return the names of the columns of measures: "wins own", "wins other", "column"."""
    return [
        f"{m.name} {side}".strip() for m in vocabulary.measures for side in (("own", "other") if m.coloured else ("",))
    ]


def move_marker(rules: RuleSet) -> str:
    """Return the text by which a compiled file is known before it is loaded."""
    version = vocabulary_of(rules.game).version
    return f"gotools-move-rules abi={ABI} game={rules.game} vocabulary={version} digest={rules.digest}"


def _title(rules: RuleSet) -> str:
    many = len(rules.rules)
    return (
        f"/* {many:,} rule{'s' * (many != 1)} of gotools as C. Do not edit: edit the rules and compile them again.\n"
        f" *\n * game {rules.game}, digest {rules.digest}\n"
        " * cc -std=gnu99 -O2 -fPIC -shared rules.c -o rules.so\n */\n"
    )


def _sizes(rules: RuleSet, vocabulary: Vocabulary, looks: bool, conditions: int) -> str:
    window = vocabulary.window
    frames, places = (1, 0) if window is None else (window.frames, len(window.offsets))
    return f"""#include <string.h>

enum {{ AT_STAGE = {rule_table.AT_STAGE}, WITHIN = {rule_table.WITHIN} }};
enum {{ COLUMNS = {vocabulary.columns}, FRAMES = {frames}, PLACES = {places}, LOOKS = {int(looks)} }};
enum {{ CONDITIONS = {conditions}, RULES = {len(rules.rules)}, VOCABULARY = {vocabulary.version} }};
#define GAME "{rules.game}"
#define UNITS {UNITS}
typedef struct {{ int32_t kind, a, b, c; }} condition;
"""


def _texts(rules: RuleSet) -> str:
    texts = [f'{{"{rule.id}",\n     "{rule.clause}"}}' for rule in rules.rules]
    rows = ",\n    ".join(texts or ['{"", ""}'])
    return f"static const struct {{ const char *id, *clause; }} texts[] = {{\n    {rows}\n}};\n"
