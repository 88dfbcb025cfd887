"""Show rules: in words, the weightiest first; as boards, with the positions in which they found the move.

Compiled ones are not loaded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gotools.base.errors import FileFormatError
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import head_of, read_lines
from gotools.game.game import vocabulary_of
from gotools.rules.clauses.rules import Rule, RuleSet, read_rules
from gotools.rules.compiled.native import read_compiled
from gotools.rules.explain.report import baseline_name
from gotools.rules.explain.sentences import sentence
from gotools.rules.weigh.accuracy import TOPS
from gotools.views.charts import Axes, Curve, bar_chart, line_chart
from gotools.views.contents import Contents
from gotools.views.judged import JudgedGames
from gotools.views.page import known_facts
from gotools.views.parts import Card, Figure, Figures, Note, Part, Section, Table
from gotools.views.patterns import key_in_words, pattern_svg
from gotools.views.replay import drawn_position
from gotools.views.rule_study import STRONGEST, ExamplePosition, RuleStudy, importance

USUAL_SIZE: Final = 9
_LITERAL: Final = re.compile(r"\b([a-z]\w{0,39})\(([^()]{0,1000})\)", re.ASCII)
LISTED: Final = 300
TOPICS: Final = 15
_KEY: Final = (
    "Below: positions in which the rule fired and the move was played. A rule of negative weight speaks against a move."
)
_LEAST_MOVES: Final = 20
"""Moves in a bin from which on a share says something."""


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
    """Return the predicates of clauses, with their arities, of a --background file too."""
    found = (match for line in text if line.startswith("move(") for match in _LITERAL.finditer(line))
    return {match[1]: match[2].count(",") + 1 for match in found}


def _listing(rules: RuleSet, limit: int) -> Table:
    size = rules.sizes[1] if rules.sizes else USUAL_SIZE
    best = sorted(rules.rules, key=importance)[:limit]
    rows = [(rule.id, rule.weight, rule.positives, rule.negatives, sentence(rule, size)) for rule in best]
    notes = ["weight: what it adds to a move's score. P, N: examples and counter-examples covered."]
    return Table("rules", ("rule", "weight", "P", "N", "in words"), rows, notes, total=len(rules.rules))


def show_compiled(path: str, limit: int) -> Contents:
    """Read what rules.so or rules.c says of itself. Raises FileFormatError for one without rules of gotools."""
    found = read_compiled(path)
    kind = "compiled rules" if kind_of(head_of(path)) is Kind.library else "rules as C source"
    facts: dict[str, object] = {"game": found.game, "digest": found.digest[:12], "abi": found.abi}
    if found.rules:
        facts = {"rules": int(found.rules.replace(",", "")), **facts}
    if found.sizes:
        facts["sizes"] = found.sizes
    facts["weights"] = "not read: they are in the rules.pl of this digest"
    return Contents(path, kind, facts)


def rules_section(path: str, rules: RuleSet, judged: JudgedGames | None, why_not: str = "") -> Section:
    """Return the section of a file of rules.

    judged -- games ranked by these rules, or None; why_not -- why rules cannot be matched, "" if they can
    """
    header = {name: text for name, text in rules.header.items() if name != "predicates"}  # a figure shows them
    settings = known_facts({"digest": rules.digest[:12], **header})
    count = len(rules.rules)
    section = Section(path, Kind.rules, [], f"{count:,} rule{'s' * (count != 1)} about where to move", settings)
    parts = section.parts
    study = None if judged is None else judged.study
    if not rules.rules:
        parts.append(Note("The file holds no rule.", "warning"))
        return section
    if why_not:
        parts.append(Note(why_not, "warning"))
    elif judged is None:
        parts.append(Note("Name game records beside the rules to see where they found the move, and how often."))
    else:
        if warning := rules.learned_elsewhere(judged.sizes):
            parts.append(Note(warning[:1].upper() + warning[1:] + ".", "warning"))
        metrics = judged.tally.metrics(rules) if judged.tally.positions else {}
        parts += accuracy_parts(metrics, _calibration(judged))
    parts.append(Figures("What the rules speak of", [_predicates(rules)]))
    size = rules.sizes[1] if rules.sizes else USUAL_SIZE
    parts += _cards(rules, size, judged)
    if len(rules.rules) > STRONGEST:
        parts.append(_others(rules, size, study))
    return section


def accuracy_parts(metrics: Mapping[str, Any], more: Sequence[Figure] = ()) -> Iterator[Part]:
    """Yield how often the move played is among the first k, beside orders without knowledge.

    metrics -- as --metrics writes them; nothing is yielded without `test`; more -- figures beside that
    """
    test = metrics.get("test")
    if not isinstance(test, dict) or not all(isinstance(test.get(f"top{k}"), int | float) for k in TOPS):
        return
    baselines = metrics.get("baselines")
    named = {"rules": test, **(baselines if isinstance(baselines, dict) else {})}
    rows: list[list[object]] = []
    lines = []
    for name, row in named.items():
        shares = [row.get(f"top{k}") if isinstance(row, dict) else None for k in TOPS]
        if all(isinstance(share, int | float) for share in shares):
            points = [
                (float(k), 100.0 * float(share)) for k, share in zip(TOPS, shares, strict=True) if share is not None
            ]
            label = baseline_name(name)
            lines.append(Curve(label, points))
            rows.append([label, *(f"{level:.1f} %" for _, level in points)])
    axes = Axes("first moves", "moves found, %", least=0, most=100)
    chart = line_chart(lines, axes, "how often the move played is among the first")
    positions = test.get("positions")
    count = f" ({positions:,} positions)" if isinstance(positions, int) else ""
    caption = f"How often the move played is among the first{count}."
    yield Figures("Moves found", [Figure("accuracy", chart, caption), *more])
    notes = []
    if isinstance(test.get("log_likelihood"), int | float):
        notes.append(f"Mean log-likelihood of the move played: {test['log_likelihood']:.3f} (base e).")
    yield Table("", ["moves ordered by", *(f"top-{k}" for k in TOPS)], rows, notes)


def _calibration(judged: JudgedGames) -> list[Figure]:
    """Return how often moves are played to which the rules gave a share."""
    found = judged.calibration
    points = [
        (100.0 * float(total) / int(moves), 100.0 * int(played) / int(moves))
        for moves, total, played in zip(found.moves, found.shares, found.played, strict=True)
        if moves >= _LEAST_MOVES
    ]
    if len(points) < 2:
        return []
    exact = Curve("as expected", [(points[0][0], points[0][0]), (points[-1][0], points[-1][0])])
    axes = Axes("expected by the rules, %", "played, %", least=0, most=100)
    chart = line_chart([Curve("rules", points), exact], axes, "how often moves are played that the rules expect")
    return [Figure("calibration", chart, "How often moves are played that the rules expect with this probability.")]


def _predicates(rules: RuleSet) -> Figure:
    """Return what the rules speak of: the weights of those with a topic of the vocabulary, without their signs."""
    topics = {predicate.name: predicate.topic for predicate in vocabulary_of(rules.game).predicates}
    weights: Counter[str] = Counter()
    for rule in rules.rules:
        said = {topics.get(literal.predicate, literal.predicate.replace("_", " ")) for literal in rule.body}
        for topic in said - {""}:
            weights[topic] += abs(rule.weight)  # type: ignore[assignment]
    bars = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:TOPICS]
    chart = bar_chart([(name, float(weight)) for name, weight in bars], "sum of weights", "what the rules speak of")
    return Figure("predicates", chart, "The weights, without sign, of the rules that speak of each, added up.")


def _cards(rules: RuleSet, size: int, judged: JudgedGames | None) -> Iterator[Part]:
    study = None if judged is None else judged.study
    order = sorted(range(len(rules.rules)), key=lambda at: importance(rules.rules[at]))[:STRONGEST]
    shown = [rules.rules[number] for number in order]
    which = "The strongest rules" if len(rules.rules) > STRONGEST else "The rules"
    yield Note(f"{which}, by weight. {key_in_words(shown)} {_KEY}")
    for number in order:
        rule = rules.rules[number]
        drawing, legend = pattern_svg(rule, size)
        figure = Figure(f"rule-{rule.id}", drawing, small=True)
        found = [] if study is None else study.examples(number)
        examples = [_example(rule, one, judged) for one in found] if judged else []
        yield Card(sentence(rule, size), figure, _figures(rule, number, study), None, examples, legend)


def _figures(rule: Rule, number: int, study: RuleStudy | None) -> dict[str, object]:
    facts: dict[str, object] = {"weight": f"{rule.weight:+.2f}", "P": rule.positives, "N": rule.negatives}
    if study is not None:
        found = study.figures(number)
        lift = "-" if found.lift is None else f"{found.lift:.2f}"
        facts |= {"coverage": f"{100 * found.coverage:.1f} %", "lift": lift}
    return {**facts, "rule": rule.id}


def _example(rule: Rule, one: ExamplePosition, judged: JudgedGames) -> Figure:
    record = judged.games[one.game]
    side, move = record.moves[one.place].tolist()
    side = ("", "black", "white")[side]
    where = f"{record.id}, move {one.place + 1}"
    drawing = drawn_position(judged.game, record, one.place, f"{where}: {side} to play", move)
    caption = f"{where}: {side}, {100 * one.share:.0f}\N{NO-BREAK SPACE}%"
    return Figure(f"rule-{rule.id}-{record.id}-{one.place + 1}", drawing, caption, small=True)


def _others(rules: RuleSet, size: int, study: RuleStudy | None) -> Table:
    order = sorted(range(len(rules.rules)), key=lambda at: importance(rules.rules[at]))
    listed = [(rules.rules[number], number) for number in order[STRONGEST:LISTED]]
    rows = [{"in words": sentence(rule, size), **_figures(rule, number, study)} for rule, number in listed]
    more = [f"The first {LISTED} of {len(rules.rules):,} rules."] if len(rules.rules) > LISTED else []
    return Table(
        "Other rules", list(rows[0]), [list(row.values()) for row in rows], [*_legend(study), *more], tall=True
    )


def _legend(study: RuleStudy | None) -> list[str]:
    lines = ["weight: what the rule adds to a move's score. P, N: examples and counter-examples covered in learning."]
    if study is not None:
        lines.append(
            f"coverage: share of the {study.positions:,} positions in which it fires at the move played. lift: how "
            "many times likelier a move is played where it fires than any legal move."
        )
    return lines
