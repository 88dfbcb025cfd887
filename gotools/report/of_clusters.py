"""Show the centres of clusters as boards: the typical move of each, in the game that it was played in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gotools.go.board import replay
from gotools.go.points import parse_vertex
from gotools.go.record import GameRecord
from gotools.learn.clusters.clusters import ALL, BAD, GOOD, KINDS, Centre, Clusters
from gotools.report.boards import Mark, board_svg
from gotools.report.of_tables import stands_out
from gotools.report.parts import Figure, Figures, Note, Part

GAME: Final = "go"
DRAWN: Final = 12
"""Most centres of a kind that are drawn in each stage, largest first."""
_TYPICAL: Final = re.compile(r"(?P<game>.+):(?P<number>[0-9]{1,4}) (?P<move>\S+)")
_TITLES: Final = {GOOD: "Centres of good moves", BAD: "Centres of bad moves"}


def cluster_boards(clusters: Clusters, games: Sequence[GameRecord]) -> Iterator[Part]:
    """Yield the largest centres of Go as the boards of their typical moves, as far as these stand in the games.

    Without games, and where none of them is the right one, a line says what to name.
    """
    if clusters.game != GAME:
        return
    by_id = {record.id: record for record in games}
    found = False
    for stage in clusters.stages:
        for kind in KINDS:
            centres = [one for one in clusters.centres if (one.stage, one.kind) == (stage, kind)]
            centres.sort(key=lambda one: -_own(one))
            drawn = [figure for one in centres[:DRAWN] if (figure := _drawn(one, clusters, by_id)) is not None]
            if drawn:
                found = True
                where = "" if stage == ALL else f", {stage}"
                more = f", the largest {DRAWN} of {len(centres)}" if len(centres) > DRAWN else ""
                yield Figures(f"{_TITLES[kind]}{where}{more}", drawn)
    if not found:
        yield Note("Name the records that the clusters were learned from beside them to see the typical moves.")


def _own(centre: Centre) -> int:
    """Return the number of moves of its kind whose nearest centre it is."""
    return centre.good if centre.kind == GOOD else centre.bad


def _drawn(centre: Centre, clusters: Clusters, games: dict[str, GameRecord]) -> Figure | None:
    """Return the position before the typical move of a centre; None where no game has such a move."""
    named = _TYPICAL.fullmatch(centre.typical)
    record = games.get(named["game"]) if named else None
    if named is None or record is None:
        return None
    place = int(named["number"]) - 1
    try:
        point = parse_vertex(named["move"], record.size)
    except ValueError:
        return None
    boards = replay(record).board
    if not 0 <= place < len(boards) or point < 0 or boards[place, point]:
        return None
    cells = boards[place].tolist()
    last = int(record.moves[place - 1, 1]) if place else -1
    marks = [Mark(point, "move")] + ([Mark(last, "last")] if last >= 0 and cells[last] else [])
    drawing = board_svg(record.size, cells, f"before {centre.typical}", marks)
    apart = stands_out(centre, clusters).replace("_", " ")
    caption = f"{centre.typical}: {centre.good:,} good, {centre.bad:,} bad; {apart}"
    return Figure(f"centre-{centre.kind}-{centre.typical}", drawing, caption, small=True)
