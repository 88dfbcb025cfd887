"""What `cluster-moves` shows a player of its centres: the largest, with a typical move, and what stands out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gotools.base.screen_text import screen_text
from gotools.game.examples.examples import Examples
from gotools.game.traits import Rows

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from gotools.values.clusters.clustering import Found
    from gotools.values.clusters.clusters import Centre, Clusters

WIDTH = 32
"""Columns of a centre: a diagram takes 13, a line of words some 30. Three stand side by side on 100 columns."""
GAP = 2
_KEY_OF_BOARDS = "Boards are those before the move that is named below them."
STANDING_OUT = 3
"""Features shown of a centre."""


@dataclass(frozen=True, slots=True)
class MovesShown:
    """How the moves learned from are shown.

    good, bad -- how many there are
    draw      -- returns the lines of a drawing of a move by its row
    key       -- explains the drawings
    styles    -- of signs in them
    """

    good: int
    bad: int
    draw: Callable[[int], list[str]]
    key: str
    styles: Mapping[str, str]


def shown_moves(rows: Examples) -> MovesShown:
    """Return how moves are shown: by the diagrams of their game, else on the whole board before the move."""
    good, own = int((rows.label == 1).sum()), rows.of.find(Rows)
    if own is None:
        return MovesShown(good, len(rows) - good, rows.drawing, _KEY_OF_BOARDS, {})
    return MovesShown(good, len(rows) - good, lambda row: own.diagram(rows, row), own.key, own.styles)


def summary(found: Found, moves: MovesShown, show: int, width: int) -> str:
    """Return the largest centres of each kind as text for stderr.

    moves -- those learned from
    show  -- how many of each kind; 0: none
    width -- columns to fill
    """
    return screen_text(_parts(found, moves, show, width), sys.stderr) if show else ""


def last_line(found: Found, moves: MovesShown, seconds: float) -> str:
    """Say in a line what was learned from, and what came of it; quality is the mean over stages."""
    clusters = found.clusters
    kinds = ("good", "bad")
    counts = [sum(centre.kind == kind for centre in clusters.centres) for kind in kinds]
    each = [[value for (_, of), value in found.quality.items() if of == kind] for kind in kinds]
    qualities = " and ".join(f"{sum(values) / len(values):.4f}" for values in each)
    stages = f" in {len(clusters.stages)} stages" if len(clusters.stages) > 1 else ""
    return (
        f"{moves.good:,} good and {moves.bad:,} bad moves, {counts[0]:,} and {counts[1]:,} centres{stages}, "
        f"{clusters.metric}, quality {qualities}, {seconds:.1f} s"
    )


def _parts(found: Found, moves: MovesShown, show: int, width: int) -> Iterator[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    clusters = found.clusters
    beside = max(1, min(show, (width + GAP) // (WIDTH + GAP)))
    for kind in ("good", "bad"):
        all_of_kind = [at for at, centre in enumerate(clusters.centres) if centre.kind == kind]
        largest = sorted(all_of_kind, key=lambda at: -_size(clusters.centres[at]))[:show]
        largest_ones = "largest" if len(largest) == 1 else f"{len(largest)} largest"
        head = f"{kind} moves: the {largest_ones} of {len(all_of_kind)} centres"
        yield Text(f"\n{head}\n", "bold")
        table = Table.grid(padding=(0, GAP, 0, 0))
        for _ in range(beside):
            table.add_column(width=min(WIDTH, width))
        for first in range(0, len(largest), beside):
            if first:
                table.add_row("")
            cells = [_centre(found, at, moves) for at in largest[first : first + beside]]
            table.add_row(*cells, *[""] * (beside - len(cells)))
        yield table
    yield Text(moves.key, "dim")
    yield Text("Typical moves are those nearest to their centre; (all: the mean of all moves).\n", "dim")


def _size(centre: Centre) -> int:
    return centre.good + centre.bad


def _centre(found: Found, at: int, moves: MovesShown) -> Text:
    """Draw the typical move of a centre, with what is to be said of it below."""
    from rich.text import Text

    centre = found.clusters.centres[at]
    text = Text()
    for line in moves.draw(int(found.typical[at])):
        for sign in line:
            text.append(sign, moves.styles.get(sign, ""))
        text.append("\n")
    text.append(f"{centre.typical}\n", "dim")
    stage = f"{centre.stage}: " if len(found.clusters.stages) > 1 else ""
    text.append(f"{stage}nearest to {_size(centre):,} moves\n", "bold")
    good, bad = (_share(found.clusters, centre, kind) for kind in ("good", "bad"))
    text.append(f"{good} of good, {bad} of bad moves\n")
    text.append("\n".join(standing_out(found.clusters, centre)))
    return text


def _share(clusters: Clusters, centre: Centre, kind: str) -> str:
    """Return the share of the stage's moves of a kind that are nearest to a centre."""
    total = sum(getattr(other, kind) for other in clusters.centres if other.stage == centre.stage)
    percent = 100 * getattr(centre, kind) / max(total, 1)
    return "<1 %" if 0 < percent < 0.5 else f"{percent:.0f} %"


def standing_out(clusters: Clusters, centre: Centre) -> list[str]:
    """Say which features of a centre are farthest from the mean of all moves, in standard deviations."""
    import numpy as np

    order = np.argsort(-np.abs(clusters.standardised(centre.point)), kind="stable")[:STANDING_OUT].tolist()
    return [f"{clusters.names[f].replace('_', ' ')} {centre.point[f]:.1f} (all: {clusters.mean[f]:.1f})" for f in order]
