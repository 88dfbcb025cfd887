"""Tables for people: the rules with their diagrams, and how well they find moves beside the simple orderings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gotools.game.game import vocabulary_of
from gotools.games.go.vocabulary import BEYOND_ADVANCED
from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.explain.diagrams import KEY, LEGEND_WIDTH, MORE_KEY, diagram_text
from gotools.rules.explain.sentences import sentence
from gotools.rules.explain.telling import key_of

if TYPE_CHECKING:
    from rich.table import Table

RANKS = (1, 3, 5, 10, 20)
BASELINE_NAMES = {"chance": "chance", "centre_first": "centre first", "near_last_move": "near last move"}
MISSING = "-"


def rules_table(
    rules: RuleSet, size: int = 9, top: int | None = None, clauses: bool = False, weights: bool = False
) -> "Table":
    """Return a table of the rules with examples (P) and counter-examples (N) covered, a diagram and a sentence each.

    size -- of the board for edge distances
    top -- rules to show, the first ones; the caption says how many are left out. None: all
    clauses -- write the clause itself below the sentence; wants about 120 columns
    weights -- show the weight of each

    Without clauses the table fits 80 columns.
    """
    from rich import box
    from rich.table import Table

    shown = rules.rules[:top]
    table = Table(box=box.SIMPLE_HEAD, show_lines=True, caption_justify="left")
    table.caption = _caption(len(shown), len(rules.rules), weights, signs_of(shown))
    table.add_column("rule", no_wrap=True, max_width=10, overflow="ellipsis")
    if weights:
        table.add_column("weight", justify="right", no_wrap=True)
    table.add_column("P", justify="right", no_wrap=True)
    table.add_column("N", justify="right", no_wrap=True)
    table.add_column("diagram", no_wrap=True, min_width=LEGEND_WIDTH if _has_legends(shown) else 7)
    table.add_column("in words", ratio=1, min_width=20)
    for rule in shown:
        figures = [f"{rule.weight:+.2f}"] if weights else []
        figures += [f"{rule.positives:,}", f"{rule.negatives:,}"]
        table.add_row(rule.id, *figures, diagram_text(rule, size), _words(rule, size, clauses))
    return table


def _has_legends(rules: Sequence[Rule]) -> bool:
    """Return whether drawings of rules have lines below; elsewhere the sentence says all."""
    return not rules or vocabulary_of(rules[0].game).points


def signs_of(rules: Sequence[Rule]) -> str:
    """Return what explains the signs of the drawings of some rules, of one game."""
    vocabulary = vocabulary_of(rules[0].game) if rules else None
    if vocabulary is not None and not vocabulary.points:
        return key_of(vocabulary, rules)
    more = any(x.predicate in BEYOND_ADVANCED for rule in rules for x in rule.body)
    return f"{KEY}\n{MORE_KEY}" if more else KEY


def _words(rule: Rule, size: int, clauses: bool) -> Any:
    from rich.text import Text

    words = Text(sentence(rule, size))
    if clauses:
        words.append(f"\n{', '.join(map(str, rule.body))}", "dim")
    return words


def _caption(shown: int, total: int, weights: bool, key: str) -> str:
    left_out = total - shown
    many = f"{left_out:,} more rule{'s' * (left_out > 1)} not shown.\n" if left_out else ""
    meaning = "weight: what it adds to a move's score. " if weights else ""
    return f"{many}{meaning}P, N: examples and counter-examples covered.\n{key}"


def accuracy_table(metrics: Mapping[str, Any]) -> "Table":
    """Return a table of how often the played move is among the first k, for the rules and the baselines.

    metrics -- what --metrics writes: "test" and "baselines" hold top1, top3, top5, top10, top20, no_rule_fired as
        shares of 1, and log_likelihood, natural, mean per move. Missing values are left out or shown as "-".
    """
    from rich import box
    from rich.table import Table

    rows = _accuracy_rows(metrics)
    positions = metrics.get("test", {}).get("positions")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title_justify="left", caption_justify="left")
    table.caption = _work_done(metrics)
    table.title = "The played move is among the first k" + (f" ({positions:,} test positions)" if positions else "")
    table.add_column("moves ordered by", no_wrap=True, min_width=16)
    for rank in RANKS:
        table.add_column(f"top-{rank}", justify="right", no_wrap=True)
    table.add_column("log-lik.", justify="right", no_wrap=True)
    if metrics.get("rules") != 0:
        table.add_column("no rule", justify="right", no_wrap=True)
    best = {f"top{rank}": max((r.get(f"top{rank}", 0.0) for _, r in rows), default=0.0) for rank in RANKS}
    for name, row in rows:
        shares = [_mark(_percent(row.get(key)), row.get(key) == most) for key, most in best.items()]
        fired = [_percent(row.get("no_rule_fired"))] if metrics.get("rules") != 0 else []
        table.add_row(name, *shares, _decimal(row.get("log_likelihood")), *fired)
    return table


def _accuracy_rows(metrics: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float]]]:
    name = "rules"
    if metrics.get("rules") == 0 and "eval" in metrics:
        name = "policy" if str(metrics["eval"]).startswith("planes ") else "learned values"
    rows: list[tuple[str, Mapping[str, float]]] = [(name, metrics["test"])] if metrics.get("test") else []
    baselines = metrics.get("baselines", {})
    order = dict.fromkeys([*BASELINE_NAMES, *baselines])
    return rows + [(baseline_name(key), baselines[key]) for key in order if key in baselines]


def baseline_name(key: str) -> str:
    """Return an order without knowledge in words; a game's own go by their names."""
    return BASELINE_NAMES.get(key, key.replace("_", " "))


def _work_done(metrics: Mapping[str, Any]) -> str:
    """Explain the columns, and give the cost of the run as far as the metrics hold it."""
    legend = "log-lik.: mean log (base e) of the played move's probability"
    if metrics.get("rules") == 0:
        return legend
    parts: Iterable[str] = (
        f"{metrics['rules']:,} rules" if isinstance(metrics.get("rules"), int) else "",
        f"{metrics['clauses_searched']:,} clauses searched" if "clauses_searched" in metrics else "",
        f"{metrics['seconds']:.1f} s" if "seconds" in metrics else "",
    )
    legend += "\nno rule: positions where no rule fires"
    return f"{legend}\n{', '.join(part for part in parts if part)}".rstrip()


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f}%"


def _decimal(value: float | None) -> str:
    return MISSING if value is None else f"{value:.3f}"


def _mark(text: str, best: bool) -> str:
    return f"[bold]{text}[/bold]" if best else text
