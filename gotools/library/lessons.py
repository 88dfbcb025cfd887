"""What separates players: the habits of bands of ranks, and those of one player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gotools.cluster import workers_for
from gotools.errors import FileFormatError, GotoolsError
from gotools.go.examples.settings import sizes_of
from gotools.library.arguments import Paths, Report, listed, log
from gotools.phases import UNWATCHED, Watch

if TYPE_CHECKING:
    from gotools.go.examples.gather import Gathering
    from gotools.go.record import GameRecord
    from gotools.lessons.bands import Band
    from gotools.lessons.lessons import Lessons
    from gotools.patterns.matching import Matcher

LEARNED_GAMES: Final = 100
"""Games that rules are learned from where none are given: half a minute of one core, whatever the collection."""
LEARNED_RULES: Final = 60
MANY_MOVES: Final = 20_000
"""From so many moves on it pays to compile rules, which takes some seconds."""


def compare_players(
    paths: Paths,
    rules: str | Path | Matcher | None = None,
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
    rules  -- rules.pl, rules.so, or what `load_rules` returned; None: learned from some games of each band, and
        readable: without shapes
    bands  -- ranks from the weakest to the strongest: "19k-10k,9k-1k"
    player -- whose habits are compared with the bands; the name as it stands in the records
    jobs   -- processes; they never change a result

    `save` writes what is returned as a table.

    Raises GotoolsError where no player has a rank, a band is empty, or no game is of the player.
    """
    games = read_ranked(paths, bands=bands, player=player, size=size, strict=strict, report=report, watch=watch)
    return games.compare(rules, jobs=jobs, cluster=cluster, watch=watch)


@dataclass(frozen=True, slots=True)
class RankedGames:
    """Games whose players can be compared. number -- of the band of each side (black and white of each game), or -1."""

    gathering: Gathering
    records: Sequence[GameRecord]
    bands: Sequence[Band]
    number: Sequence[int]
    player: str | None
    where: str
    report: Report

    def compare(
        self,
        rules: str | Path | Matcher | None,
        *,
        jobs: int = 1,
        cluster: str | None = None,
        watch: Watch = UNWATCHED,
    ) -> Lessons:
        """Return how the players differ; the parameters are those of `compare_players`."""
        from gotools.lessons.habits import count_habits
        from gotools.lessons.lessons import lessons_of
        from gotools.library.rules import load_rules
        from gotools.patterns.matching import compiled

        matcher = load_rules(rules) if isinstance(rules, str | Path) else rules or self._learned(watch)
        moves = sum(len(record.moves) for record in self.records)
        watch.phase("compiling rules")
        pays = moves >= MANY_MOVES and cluster is None  # the library would have to be on its machines
        with (
            compiled(matcher) if pays else nullcontext(matcher) as fast,
            workers_for(jobs, cluster, self.report) as crew,
        ):
            watch.phase("counting habits")
            sides = count_habits(self.gathering, fast, crew, watch)
        return lessons_of(sides, matcher.rules, self.bands, self.player, self.where, watch)

    def _learned(self, watch: Watch) -> Matcher:
        """Return rules that can be read, learned from as many games of each band."""
        from gotools.go.examples.gather import examples_of
        from gotools.go.records.selection import Selection
        from gotools.library.induction import induce_rules
        from gotools.patterns.matching import Interpreted
        from gotools.patterns.task.settings import InductionSettings

        chosen = self._some_of_each_band()
        examples, _ = examples_of([self.records[at] for at in chosen], Selection())
        study = induce_rules(
            examples,
            settings=InductionSettings(objective="rank", without="shape", max_rules=LEARNED_RULES),
            report=self.report,
            watch=watch,
        )
        if not study.whole:
            raise KeyboardInterrupt
        if not study.rules.rules:
            raise GotoolsError(f"{self.where}: too few games to learn rules from; give rules that exist (--rules)")
        return Interpreted(study.rules)

    def _some_of_each_band(self) -> list[int]:
        """Return numbers of games, spread evenly over those that a player of a band has played."""
        chosen: set[int] = set()
        for band in range(len(self.bands)):
            games = sorted({side // 2 for side, number in enumerate(self.number) if number == band})
            count = min(len(games), LEARNED_GAMES // len(self.bands) or 1)
            chosen |= {games[at * len(games) // count] for at in range(count)}
        return sorted(chosen)


def read_ranked(
    paths: Paths,
    *,
    bands: str,
    player: str | None = None,
    size: int | Iterable[int] = (),
    strict: bool = False,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> RankedGames:
    """Read games, and check that their players can be compared, before anything takes long.

    Parameters and errors are those of `compare_players`.
    """
    from gotools.go.examples.gather import Gathering
    from gotools.go.records.selection import Selection
    from gotools.lessons.bands import parse_bands
    from gotools.lessons.habits import names_of, ranks_of
    from gotools.lessons.lessons import bands_of

    files, wanted = listed(paths), parse_bands(bands)
    name = None if player is None else " ".join(player.split())
    where = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
    watch.phase("reading games")
    gathering = Gathering(files, Selection(sizes=sizes_of(size)), report, strict=strict)
    records = gathering.keep()
    if not records:
        raise FileFormatError(files[0], None, gathering.why_nothing().removeprefix(f"{files[0]}: "))
    number = bands_of(names_of(records), ranks_of(records), wanted, name, where)
    return RankedGames(gathering, records, wanted, number.tolist(), name, where, report)
