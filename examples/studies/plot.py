"""Draw a table of a study: lines over a column of numbers, or bars over one of names, with intervals.

    python plot.py table.tsv --x examples --y accuracy --low low --high high --by method -o plot.svg

A table is tab-separated, with its columns named in the last line that begins with #, else in its first line. Needs
matplotlib (pip install matplotlib).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#000000")
"""Safe for the colour-blind."""
SIZE = (6.4, 4.2)
"""In inches."""
MANY = 3
"""More groups than these have their legend below the plot, where it hides nothing."""


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table by the names of their columns."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    named = [line for line in lines if line.startswith("#")]
    names = (named[-1].lstrip("# ") if named else lines[0]).split("\t")
    rows = [line for line in lines if not line.startswith("#")][0 if named else 1 :]
    return [dict(zip(names, row.split("\t"), strict=True)) for row in rows]


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def draw(rows: list[dict[str, str]], words: argparse.Namespace) -> Figure:
    """Return the plot of some rows; of bars where the x column is of names."""
    figure = Figure(SIZE, layout="constrained")
    axes = figure.add_subplot()
    groups = list(dict.fromkeys(row[words.by] if words.by else "" for row in rows))
    ticks = list(dict.fromkeys(row[words.x] for row in rows))
    bars = not all(map(is_number, ticks))
    width = 0.8 / len(groups)
    for number, group in enumerate(groups):
        some = [row for row in rows if not words.by or row[words.by] == group]
        y = [float(row[words.y]) for row in some]
        spread: Any = None
        if words.low:
            low = [v - float(row[words.low]) for v, row in zip(y, some, strict=True)]
            high = [float(row[words.high]) - v for v, row in zip(y, some, strict=True)]
            spread = [low, high]
        colour = COLOURS[number % len(COLOURS)]
        if bars:
            x = [ticks.index(row[words.x]) + (number - (len(groups) - 1) / 2) * width for row in some]
            axes.bar(x, y, width, yerr=spread, color=colour, label=group, capsize=3)
        else:
            x = [float(row[words.x]) for row in some]
            axes.errorbar(x, y, yerr=spread, color=colour, label=group, marker="o", capsize=3)
    if bars:
        axes.set_xticks(range(len(ticks)), ticks, rotation=30 if max(map(len, ticks)) > 10 else 0, ha="right")
    elif all(tick.isdigit() for tick in ticks) and len(ticks) <= 2 * MANY:
        axes.set_xticks([int(tick) for tick in ticks])
    if words.log:
        axes.set_xscale("log")
    title = words.by and words.by.replace("_", " ")
    if len(groups) > MANY:
        columns = 2 if max(map(len, groups)) > 16 else MANY
        figure.legend(title=title, loc="outside lower center", ncols=columns, fontsize="small")
    elif words.by:
        axes.legend(title=title)
    axes.set_xlabel(words.x.replace("_", " "))
    axes.set_ylabel(words.y.replace("_", " "))
    axes.set_title(words.title)
    axes.grid(alpha=0.3)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw a table of a study.")
    parser.add_argument("table", type=Path)
    parser.add_argument("--x", required=True)
    parser.add_argument("--y", required=True)
    parser.add_argument("--low")
    parser.add_argument("--high")
    parser.add_argument("--by")
    parser.add_argument("--log", action="store_true", help="a logarithmic x axis")
    parser.add_argument("--title", default="")
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    matplotlib.rcParams.update({"svg.hashsalt": "gotools", "svg.fonttype": "none"})
    draw(read_rows(words.table), words).savefig(
        words.output, metadata={"Date": None} if words.output.suffix == ".svg" else None
    )


if __name__ == "__main__":
    main()
