"""Draw training logs: the share of games won against a referee, with its 95 % interval, over the games learned from.

    python plot_curves.py A=net-a.tsv B=net-b.tsv --title "Nets A and B" -o nets.svg
    python plot_curves.py "kappa 0"=k0-1.tsv "kappa 0"=k0-2.tsv "kappa -1"=k-1-1.tsv --referee heuristic -o kappa.svg

A run is a log of `gotools train-eval --log`, after NAME= where the name of the file is not to stand in the legend. Runs
of one name have one colour; from two on a line is drawn through their mean and the band goes from the lowest of them to
the highest. Several referees make a panel each. Needs matplotlib (pip install matplotlib).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, PercentFormatter
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.opening import open_output
from gotools.files.tables import read_table
from gotools.values.training.training_log import KIND, VERSION

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")  # safe for the colour-blind
PANEL = (5.6, 4.2)  # inches
LABELS = {
    "random": "a random player",
    "heuristic": "the built-in heuristic, one ply",
    "plies": "a player that looks six plies ahead",
}


class Curve(NamedTuple):
    """Shares of one run against one referee; float64[checkpoints] each."""

    games: NDArray[np.float64]
    share: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def read_curves(path: str) -> dict[str, Curve]:
    """Read the shares of a log by referee.

    Raises FileFormatError for what is no training log.
    """
    _, columns, _, found = read_table(path, KIND, VERSION)
    rows = list(found)
    try:
        table = np.array([[float(cell) for cell in cells] for _, cells in rows]).reshape(len(rows), len(columns))
    except ValueError as error:
        raise FileFormatError(path, None, f"no rows of a training log: {error}") from error
    column = dict(zip(columns, table.T, strict=True))
    referees = [name for name in columns if f"{name}_low" in column]
    return {name: Curve(column["games"], *(column[name + end] for end in ("", "_low", "_high"))) for name in referees}


def joined(curves: Sequence[Curve]) -> Curve:
    """Return the mean of runs and their range, at the checkpoints that all of them have; of one run itself."""
    if len(curves) == 1:
        return curves[0]
    games = curves[0].games
    for curve in curves[1:]:
        games = np.intersect1d(games, curve.games)
    shares = np.array([curve.share[np.isin(curve.games, games)] for curve in curves])
    return Curve(games, shares.mean(0), shares.min(0), shares.max(0))


def draw(runs: dict[str, list[dict[str, Curve]]], referees: Sequence[str], title: str, from_share: float) -> Figure:
    """Return the picture: a panel for each referee, a line for each name.

    from_share -- where the axis of shares begins
    """
    beside = 1.6 if len(runs) > 1 else 0.4  # for the names of the lines
    figure = Figure(figsize=(PANEL[0] * len(referees) + beside, PANEL[1] + 0.5), layout="constrained")
    panels: Any = figure.subplots(1, len(referees), squeeze=False)[0]
    for panel, referee in zip(panels, referees, strict=True):
        for (name, logs), colour in zip(runs.items(), _colours(len(runs)), strict=True):
            curve = joined([log[referee] for log in logs if referee in log])
            panel.plot(curve.games, curve.share, color=colour, marker="o", markersize=3, label=name)
            panel.fill_between(curve.games, curve.low, curve.high, color=colour, alpha=0.12, linewidth=0)
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
        panel.xaxis.set_minor_locator(NullLocator())
        low, high = panel.get_xlim()
        panel.xaxis.set_major_locator(LogLocator(subs=(1.0,) if high > 100 * low else (1.0, 2.0, 5.0)))
        panel.set_xlabel("games of training (log scale)")
        panel.set_ylim(from_share - 0.02 * (1.0 - from_share), 1.0 + 0.02 * (1.0 - from_share))
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
        panel.set_title(f"against {LABELS.get(referee, referee)}", fontsize="medium")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("games won, a draw half")
    if len(runs) > 1:
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center")
    figure.suptitle(title)
    several = any(len(logs) > 1 for logs in runs.values())
    band = "line: mean of the runs, band: their range" if several else "band: 95 % interval of the share"
    figure.supxlabel(band, fontsize="small", color="#555555")
    return figure


def _colours(count: int) -> list[str]:
    return [COLOURS[i % len(COLOURS)] for i in range(count)]


def save(figure: Figure, path: str) -> None:
    """Write a picture, SVG or PNG by its name; the same picture gives the same bytes."""
    kind = Path(path).suffix.removeprefix(".")
    metadata = {"Date": None} if kind == "svg" else {}
    with matplotlib.rc_context({"svg.hashsalt": "gotools"}), open_output(path) as out:
        figure.savefig(out, format=kind, metadata=metadata, dpi=120)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", nargs="+", metavar="[NAME=]LOG", help="log.tsv of train-eval")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the picture, .svg or .png")
    parser.add_argument("--title", default="", help="above the picture")
    parser.add_argument("--referee", action="append", metavar="NAME", help="default: all that every log has")
    parser.add_argument("--from", dest="from_share", type=float, default=0.0, metavar="X", help="least share shown; 0")
    options = parser.parse_args(arguments)
    if Path(options.output).suffix not in (".svg", ".png"):
        parser.error("a picture is named .svg or .png")
    runs: dict[str, list[dict[str, Curve]]] = {}
    try:
        for text in options.runs:
            name, _, path = text.rpartition("=")
            runs.setdefault(name or Path(path).stem, []).append(read_curves(path))
        common = [name for name in LABELS if all(name in log for logs in runs.values() for log in logs)]
        referees = options.referee or common
        if not referees or set(referees) - set(common):
            parser.error(f"all of these logs have {' and '.join(common) or 'no referee'}")
        save(draw(runs, referees, options.title, options.from_share), options.output)
    except GotoolsError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
