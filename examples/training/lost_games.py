"""Compare trainings of several seeds by the games that they lose: the mean of the seeds, its 95 % interval, a picture.

    python lost_games.py "steady"=steady-1-six-plies.tsv "steady"=steady-2-six-plies.tsv -o lost.svg > lost.tsv

A table is one of six_plies.py; those of one name are the seeds of one setting, in order. The result has a row for each
name and number of games: games lost in percent, mean of the seeds, its interval by Student's t over the seeds, and the
seeds one by one. Needs matplotlib (pip install matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray
from plot_curves import COLOURS, save
from scipy.stats import t

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.tables import read_table
from gotools.values.training.training_log import KIND, VERSION

COLUMNS = ("name", "games", "lost", "lost_low", "lost_high", "seeds")


class Lost(NamedTuple):
    """Games lost in percent: float64[checkpoints]; each is float64[seeds, checkpoints]."""

    games: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    each: NDArray[np.float64]


def read_lost(path: str) -> dict[int, float]:
    """Read a table of six_plies.py; returns the games lost in percent by games of training.

    Raises FileFormatError for another table.
    """
    _, columns, _, found = read_table(path, KIND, VERSION)
    try:
        rows = [dict(zip(columns, map(float, cells), strict=True)) for _, cells in found]
        return {int(row["games"]): 100 * row["lost"] / (row["won"] + row["drawn"] + row["lost"]) for row in rows}
    except (KeyError, ValueError) as error:
        raise FileFormatError(path, None, "no table of six_plies.py") from error


def joined(tables: Sequence[dict[int, float]]) -> Lost:
    """Return the mean of seeds and its interval, at the numbers of games that all of them have."""
    games = sorted(set.intersection(*(set(table) for table in tables)))
    each = np.array([[table[n] for n in games] for table in tables])
    mean, half = each.mean(0), np.zeros(len(games))
    if len(tables) > 1:
        half = float(t.ppf(0.975, len(tables) - 1)) * each.std(0, ddof=1) / len(tables) ** 0.5
    return Lost(np.array(games, float), mean, np.maximum(mean - half, 0), np.minimum(mean + half, 100), each)


def draw(runs: dict[str, Lost], title: str) -> Figure:
    """Return the picture: a line and a band for each name."""
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    panel: Any = figure.subplots()
    for (name, lost), colour in zip(runs.items(), COLOURS, strict=False):
        panel.plot(lost.games, lost.mean, color=colour, marker="o", markersize=3, label=name)
        panel.fill_between(lost.games, lost.low, lost.high, color=colour, alpha=0.15, linewidth=0)
    panel.set_ylim(0, None)
    panel.set_xlabel("games of training")
    panel.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    panel.yaxis.set_major_formatter(PercentFormatter(100, symbol=" %"))
    panel.set_ylabel("games lost to a player of six plies")
    panel.grid(alpha=0.3)
    panel.legend()
    figure.suptitle(title)
    figure.supxlabel("line: mean of the seeds, band: its 95 % interval", fontsize="small", color="#555555")
    return figure


def rows(name: str, lost: Lost) -> list[str]:
    """Return the lines of a setting."""
    lines = []
    for games, *shares, each in zip(lost.games, lost.mean, lost.low, lost.high, lost.each.T, strict=True):
        seeds = ",".join(f"{part:.1f}" for part in each)
        lines.append("\t".join([name, f"{games:.0f}", *(f"{part:.1f}" for part in shares), seeds]))
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tables", nargs="+", metavar="NAME=TABLE", help="tables of six_plies.py")
    parser.add_argument("-o", "--output", metavar="FILE", help="the picture, .svg or .png")
    parser.add_argument("--title", default="", help="above the picture")
    o = parser.parse_args(arguments)
    if o.output and Path(o.output).suffix not in (".svg", ".png"):
        parser.error("a picture is named .svg or .png")
    tables: dict[str, list[dict[int, float]]] = {}
    try:
        for text in o.tables:
            name, _, path = text.rpartition("=")
            tables.setdefault(name or Path(path).stem, []).append(read_lost(path))
        runs = {name: joined(found) for name, found in tables.items()}
        if o.output:
            save(draw(runs, o.title), o.output)
    except GotoolsError as error:
        parser.error(str(error))
    lines = [line for name, lost in runs.items() for line in rows(name, lost)]
    sys.stdout.write("\n".join(["#" + "\t".join(COLUMNS), *lines]) + "\n")


if __name__ == "__main__":
    main()
