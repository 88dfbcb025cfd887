"""Draw the picture of the README from a real run: the first rules and the accuracy table, as SVG.

make demo && .venv/bin/python docs/make_picture.py        # out/rules.pl, out/metrics.json -> docs/rules.svg
"""

import io
import json
import re
from pathlib import Path

from rich.console import Console

from gotools.rules.clauses.rules import read_rules
from gotools.rules.explain.report import accuracy_table, rules_table

ROOT = Path(__file__).resolve().parents[1]
RULES_SHOWN = 6
WIDTH = 84  # columns


def picture(rules_text: str, metrics: dict[str, object]) -> str:
    """Return what `induce-patterns` shows as SVG that loads nothing; the same input gives the same text."""
    rules = read_rules(rules_text.splitlines(), "rules.pl")
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(rules_table(rules, top=RULES_SHOWN, weights=True))
    console.print()
    console.print(accuracy_table(metrics))
    drawn = console.export_svg(title="gotools induce-patterns", unique_id="rules")
    return re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)


def main() -> None:
    rules_text = (ROOT / "out/rules.pl").read_text(encoding="utf-8")
    metrics = json.loads((ROOT / "out/metrics.json").read_text(encoding="utf-8"))
    drawn = "\n".join(line.rstrip() for line in picture(rules_text, metrics).splitlines()) + "\n"
    (ROOT / "docs/rules.svg").write_text(drawn, encoding="utf-8", newline="\n")
    print(f"docs/rules.svg: {len(drawn) // 1024} KiB")


if __name__ == "__main__":
    main()
