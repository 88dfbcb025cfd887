"""Draw maps of cells beside each other, dark where values are high, as the figures of the thesis are.

python maps.py maps.tsv -o maps.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

NAMES = {"plain": "4.3: value iteration", "lakes": "4.4: 43 lakes", "value iteration": "the best values with lakes",
         "Q-learning": "4.5: Q-learning, 100 episodes"}  # fmt: skip
MARKS = (("S", 1, 1), ("T", 1, 18), ("G", 18, 18))


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw maps of cells.")
    parser.add_argument("table", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    rows = [line.split("\t") for line in words.table.read_text(encoding="utf-8").splitlines()[1:]]
    matplotlib.rcParams.update({"svg.hashsalt": "gotools", "svg.fonttype": "none"})
    figure = Figure((7.2, 6.4), layout="constrained")
    for place, (name, title) in enumerate(NAMES.items(), 1):
        cells = np.zeros((20, 20))
        for map_name, column, row, value in rows:
            if map_name == name:
                cells[int(row), int(column)] = float(value)
        axes = figure.add_subplot(2, 2, place)
        drawn = axes.imshow(
            cells, cmap="Greys", origin="lower", interpolation="none", vmin=cells.min(), vmax=cells.max()
        )
        for letter, column, row in (("G", 0, 11),) if name == "plain" else MARKS:
            axes.text(column, row, letter, color="#d55e00", ha="center", va="center", weight="bold")
        axes.set_title(title)
        if name != "lakes":
            figure.colorbar(drawn, ax=axes)
    figure.savefig(words.output, metadata={"Date": None})


if __name__ == "__main__":
    main()
