"""Draw tables of abalone/matches.py and abalone/total_weights.py: a line for each run, a panel for each column.

    python plot_tables.py attributes-kappa.tsv --column share ahead --title "Four senses of risk" -o kappa.svg

Rows of seed "all" are drawn over the games of training; the band around `share` is its 95 % interval. Runs that go on
where another one ended are lines of their own. Needs matplotlib (pip install matplotlib).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure
from plot_curves import COLOURS, save

NAMES: Final = {
    "share": "share of games won",
    "ahead": "share of games ahead in marbles",
    "decided": "won, of games with a winner",
    "marbles_won": "marbles won in a game",
    "marbles_lost": "marbles lost in a game",
}
SHARES: Final = frozenset({"share", "ahead", "decided"})

Row = dict[str, str]


def read_runs(path: str) -> dict[str, list[Row]]:
    """Return the rows of seed "all" of each run, by the games of training."""
    lines = Path(path).read_text().splitlines()
    header = lines[0].removeprefix("#").split("\t")
    runs: dict[str, list[Row]] = {}
    for line in lines[1:]:
        row = dict(zip(header, line.split("\t"), strict=True))
        if row["seed"] == "all":
            runs.setdefault(row["run"], []).append(row)
    return {run: sorted(rows, key=lambda row: int(row["games"])) for run, rows in runs.items()}


def draw(runs: dict[str, list[Row]], columns: Sequence[str], title: str) -> Figure:
    """Return the picture."""
    across = min(len(columns), 2)
    down = math.ceil(len(columns) / across)
    figure = Figure(figsize=(4.4 * across + 1.8, 3.3 * down + 0.5), layout="constrained")
    panels: Any = figure.subplots(down, across, squeeze=False).ravel()
    for panel in panels[len(columns) :]:
        panel.set_visible(False)
    for panel, column in zip(panels, columns, strict=False):
        for i, (run, rows) in enumerate(runs.items()):
            shown = [row for row in rows if row[column] != "-"]
            games = [int(row["games"]) for row in shown]
            colour = COLOURS[i % len(COLOURS)]
            panel.plot(
                games,
                [float(row[column]) for row in shown],
                color=colour,
                marker="o",
                markersize=3,
                label=run.replace("_", " "),
            )
            if column == "share" and all(row["low"] != "-" for row in shown):
                low, high = ([float(row[end]) for row in shown] for end in ("low", "high"))
                panel.fill_between(games, low, high, color=colour, alpha=0.12, linewidth=0)
        if column in SHARES:
            panel.set_ylim(-0.02, 1.02)
        elif column.startswith("marbles"):
            panel.set_ylim(0, max(1.0, panel.get_ylim()[1]))
        panel.set_title(NAMES.get(column, column), fontsize="medium")
        panel.set_xlabel("games of training")
        panel.grid(alpha=0.3)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center")
    figure.suptitle(title)
    return figure


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("table", metavar="TABLE", help="of matches.py or total_weights.py")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the picture, .svg or .png")
    parser.add_argument("--column", nargs="+", default=["share"], metavar="NAME", help="what to draw; share")
    parser.add_argument("--title", default="", help="above the picture")
    options = parser.parse_args(arguments)
    if Path(options.output).suffix not in (".svg", ".png"):
        parser.error("a picture is named .svg or .png")
    runs = read_runs(options.table)
    if not runs:
        parser.error(f"{options.table} has no row of seed all")
    unknown = set(options.column) - set(next(iter(runs.values()))[0])
    if unknown:
        parser.error(f"{options.table} has no column {', '.join(sorted(unknown))}")
    save(draw(runs, options.column, options.title), options.output)


if __name__ == "__main__":
    main()
