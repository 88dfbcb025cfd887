"""The outputs of a study: rules with sentences above them, metrics, tables, lines of progress."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from gotools.files.json_text import json_text
from gotools.game.examples.examples import Examples
from gotools.rules.clauses.rules import RuleSet, write_rules
from gotools.rules.cover.induce import SeedResult
from gotools.rules.explain.sentences import sentence
from gotools.rules.study import Study
from gotools.rules.task.sampling import counter_examples

if TYPE_CHECKING:
    from rich.console import Console

WIDE_COLUMNS = 110
"""Columns from which the clauses stand beside the sentences."""


FIGURES = 76
"""Columns of the accuracy table: on a narrower terminal lines break, but no figure is cut."""


class SearchProgress:
    """Follow a search over `positives` examples: rules so far, the share they cover, the best clause (by P - N)."""

    def __init__(self, positives: int) -> None:
        self.rules = self.alone = 0
        self._positives = self._left = positives
        self._most = 0
        self._best = ""

    def __str__(self) -> str:
        covered = 1 - (self._left + self.alone) / self._positives
        return f"{self.rules} rules, {covered:.0%} covered{self._best}"

    def after(self, found: SeedResult) -> int:
        """Add the result of a seed; return how many examples are newly finished, at least the seed itself."""
        self.rules += bool(found.body)
        self.alone += not found.body
        if found.body and (not self._best or found.positives - found.negatives > self._most):
            self._most = found.positives - found.negatives
            self._best = f"; best: P {found.positives} N {found.negatives} {', '.join(map(str, found.body))}"
        done, self._left = self._left - found.left, found.left
        return done


def learning_line(drawn: Examples, all_moves: int, noise: int) -> str:
    """Return a line on what a search learns from; all_moves -- the number of positives to draw from."""
    found = int((drawn.label == 1).sum())
    others = f"{len(drawn) - found:,} counter-examples ({counter_examples(drawn)})"
    why = "; --positives sets another number" if found < all_moves else ""
    return f"{found:,} of {all_moves:,} moves to learn from, {others}, noise {noise:,}{why}"


def ranking_line(drawn: int, all_moves: int, kept: int) -> str:
    """Return a line on how many moves a search learns from; kept -- as many as fit into the memory."""
    why = " (as many as --memory allows)" if drawn == kept < all_moves else ""
    return f"{drawn:,} of {all_moves:,} moves to learn from{why}, against all other legal moves"


def usual_size(sizes: NDArray[np.uint8]) -> int:
    """Return the most frequent board size: the one for which distances to the edge are described; 0 without any."""
    return int(np.bincount(sizes).argmax()) if len(sizes) else 0


def write_study(out: BinaryIO, study: Study, size: int) -> None:
    """Write the rules, each with its sentence above it; size -- of the board for edge distances."""
    text = io.StringIO()
    write_rules(text, study.rules, {rule.id: sentence(rule, size) for rule in study.rules.rules})
    out.write(text.getvalue().encode("utf-8", "replace"))


def write_numbers(out: BinaryIO, study: Study) -> None:
    """Write the metrics file (docs/formats.md): accuracy as far as it was measured, and the cost of the search."""
    numbers = {
        **study.metrics,
        "rules": len(study.rules.rules),
        "clauses_searched": study.searched,
        "seconds": round(study.seconds, 3),
        "positives": study.positives,
        "negatives": study.negatives,
        **({} if study.noise is None else {"noise": study.noise}),
        "seeds": study.seeds,
        "seeds_without_rule": study.alone,
        "seed": study.seed,
        "interrupted": not study.whole,
    }
    out.write((json_text(numbers, indent=1) + "\n").encode())


def show_study(console: Console, study: Study, size: int, top: int) -> None:
    """Print the best rules (top; 0: no table), the accuracy table if there was a test, and the cost of the search."""
    from gotools.rules.explain.report import accuracy_table, rules_table

    if study.rules.rules and top:
        best = list(study.rules.rules)
        if not study.by_worth:
            best.sort(key=lambda rule: rule.negatives - rule.positives)
        console.print(rules_table(RuleSet(tuple(best)), size, top, console.width >= WIDE_COLUMNS, study.by_worth))
        console.print()
    if study.metrics:
        columns, console.width = console.width, max(console.width, FIGURES)
        console.print(accuracy_table(study.metrics))
        console.width = columns
    console.print(cost(study), soft_wrap=True, highlight=False, markup=False)


def _remedies(study: Study) -> str:
    """Return lines on what the search finds for the first moves with one setting changed; empty unless asked for."""
    if not study.remedies:
        return ""
    first = study.remedies[0]
    lines = [f"\nthe search on the first {first.rules + first.without} seeds, with one setting changed at a time:"]
    for one in study.remedies:
        seeds = one.rules + one.without
        lines.append(f"{one.option:21} {one.rules} rules of {seeds} seeds, {one.without} moves without a rule")
    return "\n".join(lines)


def cost(study: Study) -> str:
    """Return a line on the result of a search, and another on what to try if it found nothing."""
    many = len(study.rules.rules)
    line = (
        f"{many:,} rule{'s' * (many != 1)} from {study.seeds:,} seeds, {study.searched:,} clauses searched in "
        f"{study.seconds:.1f} s"
    )
    if study.alone:
        line += f"; {study.alone:,} moves without a rule"
    for name, (moves, rules) in study.classes.items():
        line += f"\n{name}: {rules:,} rule{'s' * (rules != 1)} of {moves:,} moves"
    if not many and study.whole:
        line += (
            "\nno rule is worth its line: learn from more games"
            if study.by_worth
            else "\nno rule covers enough moves and few enough counter-examples: try a larger --noise, more --nodes, "
            "or more moves (--positives)" + ("" if study.remedies else "; --explain-none says which")
        )
    return line + _remedies(study)
