"""What separates players: the habits of bands of ranks, and those of one player."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.library.arguments import Paths, Report, listed, log, sizes_of
from gotools.phases import UNWATCHED, Watch
from gotools.workers import workers_for

if TYPE_CHECKING:
    from gotools.lessons.lessons import Lessons
    from gotools.patterns.matching import Matcher


def compare_players(
    paths: Paths,
    rules: str | Path | Matcher,
    *,
    bands: str = "30k-20k,19k-10k,9k-1k,1d-9d",
    player: str | None = None,
    size: int | Iterable[int] = (),
    jobs: int = 1,
    cluster: str | None = None,
    strict: bool = False,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Lessons:
    """Count how often bands of ranks, and one player, play the moves that rules cover; estimate the player's rank.

    paths  -- game records with ranks (BR, WR)
    rules  -- rules.pl, rules.so, or what `load_rules` returned
    bands  -- ranks from the weakest to the strongest: "19k-10k,9k-1k"
    player -- whose habits are compared with the bands; the name as it stands in the records
    jobs   -- processes; they never change a result

    `save` writes what is returned as a table.

    Raises GotoolsError where no player has a rank, a band is empty, or nobody has the player's name.
    """
    from gotools.go.records.selection import Selection
    from gotools.lessons.bands import parse_bands
    from gotools.lessons.habits import count_habits
    from gotools.lessons.lessons import lessons_of
    from gotools.library.rules import load_rules

    files, wanted = listed(paths), parse_bands(bands)
    matcher = load_rules(rules) if isinstance(rules, str | Path) else rules
    where = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
    with workers_for(jobs, cluster, report) as workers:
        watch.phase("counting habits")
        sides = count_habits(files, matcher, Selection(sizes=sizes_of(size)), report, strict, workers, watch)
    return lessons_of(sides, matcher.rules, wanted, player, where, watch)
