"""What rules say: their header, and the rules in words, the weightiest first. Compiled ones are not loaded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gotools.contents.contents import Contents, Listing
from gotools.errors import FileFormatError
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import head_of, read_lines
from gotools.patterns.clauses.rules import Rule, RuleSet, read_rules
from gotools.patterns.compiled.native import read_compiled
from gotools.patterns.explain.sentences import sentence

_USUAL_SIZE: Final = 9
_LITERAL: Final = re.compile(r"\b([a-z]\w{0,39})\(([^()]{0,1000})\)", re.ASCII)


def show_rules(path: str, limit: int) -> Contents:
    """Read rules.pl; predicates of a --background file are shown by name. Raises FileFormatError."""
    rules = rules_to_show(path)
    facts = {"rules": len(rules.rules), "digest": rules.digest[:12], **rules.header}
    return Contents(path, Kind.rules, facts, [_listing(rules, limit)] if rules.rules else [])


def rules_to_show(path: str) -> RuleSet:
    """Read rules.pl, with predicates of a --background file by their names. Raises FileFormatError."""
    try:
        text = [line.decode() for line in read_lines(path)]
    except UnicodeDecodeError as error:
        raise FileFormatError(path, None, "is not text in UTF-8, as rules are") from error
    return read_rules(text, path, arities_of(text))


def arities_of(text: Sequence[str]) -> dict[str, int]:
    """Return the predicates of clauses, with their arities: those of a --background file too."""
    found = (match for line in text if line.startswith("move(") for match in _LITERAL.finditer(line))
    return {match[1]: match[2].count(",") + 1 for match in found}


def _listing(rules: RuleSet, limit: int) -> Listing:
    size = rules.sizes[1] if rules.sizes else _USUAL_SIZE
    best = sorted(rules.rules, key=importance)[:limit]
    rows = [(rule.id, rule.weight, rule.positives, rule.negatives, sentence(rule, size)) for rule in best]
    notes = ["weight: what it adds to a move's score. P, N: examples and counter-examples covered."]
    return Listing("rules", ("rule", "weight", "P", "N", "in words"), rows, len(rules.rules), notes)


def importance(rule: Rule) -> tuple[float, int]:
    """Return what rules are sorted by: the weightiest first."""
    return -abs(rule.weight), rule.negatives - rule.positives


def show_compiled(path: str, limit: int) -> Contents:
    """Read what rules.so or rules.c says of itself. Raises FileFormatError for one without rules of ours."""
    found = read_compiled(path)
    kind = "compiled rules" if kind_of(head_of(path)) is Kind.library else "rules as C source"
    facts: dict[str, object] = {"digest": found.digest[:12], "abi": found.abi}
    if found.rules:
        facts = {"rules": int(found.rules.replace(",", "")), **facts}
    if found.sizes:
        facts["sizes"] = found.sizes
    facts["weights"] = "not read: they are in the rules.pl of this digest"
    return Contents(path, kind, facts)
