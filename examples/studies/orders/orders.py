"""Sum up tables of order-bench: positions searched by each order, beside those of history, with intervals.

    python orders.py go-2-0.tsv pruned-2-1.tsv ... --name rules=rules.so -o orders.tsv
    python orders.py --plot deepening orders.tsv -o deepening.tsv

A row for each game, depth, deepening and order. The game of tables tactical-*.tsv is "go, tactical"; rules/6 are rules
that leave 6 candidates. branching is the geometric mean of positions to the power 1 / depth; percent, low and high are
of the positions of history with the same deepening: the geometric mean over positions, with its interval of 95 %.
--plot picks the rows of Go of a figure: deepening, by one ply, or single, one search.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from pathlib import Path

COLUMNS = ("game", "depth", "deepening", "order", "positions", "nodes", "branching", "percent", "low", "high")
ONCE = {"perfect", "worst", "minimax"}
"""Orders of a single search, whatever the deepening."""
TACTICAL = ", tactical"
"""Behind the game of positions that are made."""


def read(path: Path) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the settings and the rows of a table of gotools."""
    lines = path.read_text(encoding="utf-8").splitlines()
    settings = dict(line[2:].partition("=")[::2] for line in lines if line.startswith("##"))
    rows = [line.lstrip("#").split("\t") for line in lines if not line.startswith("##")]
    return settings, [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


Counts = dict[str, dict[str, int]]
"""Of each order, positions searched by the names of positions."""


def gathered(paths: list[Path], names: dict[str, str]) -> dict[tuple[str, int, str], Counts]:
    """Return the counts of all tables, by game, depth and deepening; what is known of one search is so of others."""
    found = defaultdict[tuple[str, int, str], Counts](lambda: defaultdict(dict))
    for path in paths:
        settings, rows = read(path)
        game = settings["game"] + (TACTICAL if path.stem.startswith("tactical") else "")
        key, width = (game, int(settings["depth"]), settings["deepening"]), settings.get("width")
        for row in rows:
            if row["id"] != "all":
                order = "+".join(names.get(part, part) for part in row["order"].split("+"))
                order += f"/{width}" if width and order != "history" else ""
                found[key][order][row["id"]] = int(row["nodes"])
    for (game, depth, step), counts in list(found.items()):
        for order in ONCE & counts.keys():
            for other in {key[2] for key in found if key[:2] == (game, depth)} - {step}:
                found[game, depth, other][order] = counts[order]
    return found


def row_of(key: tuple[str, int, str], order: str, counts: Counts) -> list[str]:
    """Return the row of an order; of the positions of which there is a count of history."""
    history, mine = counts["history"], counts[order]
    both = sorted(history.keys() & mine.keys())
    logs = [math.log(mine[name] / history[name]) for name in both]
    mean = sum(logs) / len(logs)
    error = 1.96 * math.sqrt(sum((x - mean) ** 2 for x in logs) / max(len(logs) - 1, 1) / len(logs))
    branching = math.exp(sum(math.log(mine[name]) for name in both) / len(both) / key[1])
    shares = (f"{100 * math.exp(x):.1f}" for x in (mean, mean - error, mean + error))
    nodes = sum(mine[name] for name in both)
    return [key[0], str(key[1]), key[2], order, str(len(both)), str(nodes), f"{branching:.2f}", *shares]


def picked(path: Path, figure: str) -> list[list[str]]:
    """Return the rows of a figure: of Go, without those that are hundreds of times as long."""
    _, rows = read(path)
    step = {"deepening": "1", "single": "0"}[figure]
    left_out = {"history", "worst", "minimax"}
    wanted = [row for row in rows if row["game"] == "go" and row["deepening"] == step and row["order"] not in left_out]
    return [[row[name] for name in COLUMNS] for row in wanted]


def main() -> None:
    parser = argparse.ArgumentParser(description="Sum up tables of order-bench.")
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--name", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--plot", choices=("deepening", "single"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    if words.plot:
        rows = picked(words.tables[0], words.plot)
    else:
        names = {file: name for name, _, file in (text.partition("=") for text in words.name)}
        found = gathered(words.tables, names)
        rows = [row_of(key, order, found[key]) for key in sorted(found) for order in found[key]]
    words.output.write_text("\n".join("\t".join(row) for row in [COLUMNS, *rows]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
