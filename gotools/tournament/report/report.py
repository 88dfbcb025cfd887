"""Everything that a report of a tournament tells, gathered once; each form of report is a function of it.

summary.py: JSON for programs; junit.py: XML for CI servers; github.py: Markdown and annotations; table.py:
tables for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gotools.ratings.sprt import PairCounts, Sprt
from gotools.tournament.game.game_result import CRASHES, ILLEGAL, TIME_LOSSES, End, GameResult, sgf_name
from gotools.tournament.report.gates import GateResult, Gates, check_gates, exit_code
from gotools.tournament.report.sprt_state import SprtState
from gotools.tournament.report.standings import NO_PAIRS, Pairing, Standings, standings
from gotools.tournament.report.standings_elo import EloTable, PairFigures, elo_table, pair_figures

if TYPE_CHECKING:
    from gotools.tournament.report.duplicates import Duplicates

INTERRUPTED_BY = ("interrupt", "terminated")
VERDICTS = {0: "passed", 1: "failed", 3: "undecided", 130: "interrupted"}
"""What the exit codes of a run mean in a word; others are errors."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What kept a run from being played on: what -- in words; exit_code -- of the command, None: as the games say."""

    what: str
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A game that ended by an engine's fault. kind -- as in the names of gates; sgf -- path below the run's folder."""

    game: int
    engine: str
    kind: str
    end: End
    what: str
    sgf: str

    @property
    def line(self) -> str:
        """All of it in one line; what came first of a fault of many lines."""
        return f"game {self.game}: {self.engine}: {self.end}: {first_line(self.what)} ({self.sgf})"


@dataclass(frozen=True)
class Report:
    """A tournament as it stands.

    names      -- all engines; the first is the one that the test and `min_elo` are about
    results    -- the games played, in any order
    scheduled  -- games that there are to play in all
    complete   -- nothing is left to play: every game is over, or the test has come to its verdict
    counts     -- pairs that the test has looked at
    stopped_by -- what ended the run before every game was played: "", sprt, budget, terminated, interrupt,
                  engine (one does not start any more), error
    config     -- settings, as values of JSON
    failure    -- what kept the run from being played on, if anything
    games_a_minute -- by the wall clock, in this run of the command; None where it played none
    """

    names: Sequence[str]
    results: Sequence[GameResult]
    scheduled: int
    complete: bool
    sprt: Sprt | None = None
    counts: PairCounts = NO_PAIRS
    gates: Gates = field(default_factory=Gates)
    stopped_by: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    failure: Failure | None = None
    games_a_minute: float | None = None

    @cached_property
    def standings(self) -> Standings:
        """Who stands how."""
        return standings(self.results, self.names)

    @cached_property
    def elo(self) -> EloTable:
        """How strong the engines are."""
        return elo_table(self.standings)

    @cached_property
    def pair_figures(self) -> list[tuple[Pairing, PairFigures | None]]:
        """Each pairing with what its pairs say of its first engine."""
        return [(pairing, pair_figures(pairing)) for pairing in self.standings.pairings]

    @cached_property
    def sprt_state(self) -> SprtState | None:
        """Where the sequential test stands; None: there is none."""
        return None if self.sprt is None else SprtState(self.sprt, self.counts)

    @cached_property
    def gate_results(self) -> list[GateResult]:
        """What became of the gates that were asked for."""
        if not self.names:
            return []
        first = self.names[0]
        return check_gates(self.gates, self.standings, self.sprt_state, self.complete, first, lambda _: self.elo)

    @property
    def exit_code(self) -> int:
        """The exit code of the run, see gates.py."""
        if self.failure is not None and self.failure.exit_code is not None:
            return self.failure.exit_code
        interrupted = self.stopped_by in INTERRUPTED_BY and not self.complete
        return exit_code(self.gate_results, self.complete, interrupted)

    @property
    def verdict(self) -> str:
        """What the exit code means: passed, failed, undecided, interrupted or error."""
        return VERDICTS.get(self.exit_code, "error")

    @property
    def why(self) -> list[str]:
        """What the verdict rests on, where it is not "passed": a line for each gate that failed or is undecided."""
        told = [] if self.failure is None else [self.failure.what]
        told += [f"{gate.name} {gate.word}: {gate.text}" for gate in self.gate_results if gate.passed is not True]
        if not told and not self.complete:
            told = [f"{self.standings.played} of {self.scheduled} games are played"]
        return told if self.verdict != "passed" else []

    @cached_property
    def duplicates(self) -> Duplicates:
        """How many of the games that count are the same."""
        from gotools.tournament.report.duplicates import effective_games

        return effective_games([game for game in self._in_order if game.counts])

    @cached_property
    def troubles(self) -> list[Trouble]:
        """The games that ended by an engine's fault, in the order of the schedule."""
        return [
            Trouble(game.game, game.culprit, _kind(game.end), game.end, _encodable(game.what), sgf_name(game.game))
            for game in self._in_order
            if game.culprit
        ]

    @cached_property
    def void(self) -> dict[str, int]:
        """How many games do not count, by the end they came to."""
        ends = Counter(str(game.end) for game in self.results if not game.counts)
        return dict(sorted(ends.items()))

    @property
    def with_notes(self) -> int:
        """Games with oddities in the journal that did not change their verdict."""
        return sum(bool(game.notes) for game in self.results)

    def allows(self, kind: str) -> bool:
        """Return whether a gate on this kind of fault was asked for and has not failed."""
        asked = [gate for gate in self.gate_results if gate.name.startswith(f"--max-{kind} ")]
        return any(gate.passed is not False for gate in asked)

    @cached_property
    def _in_order(self) -> list[GameResult]:
        return sorted(self.results, key=lambda game: game.game)


def _kind(end: End) -> str:
    """Return the kind of a fault, as in the names of gates."""
    kinds = (("crashes", CRASHES), ("illegal", ILLEGAL), ("time-losses", TIME_LOSSES))
    return next((kind for kind, ends in kinds if end in ends), "")


def _encodable(text: str) -> str:
    """Replace what no file can hold: halves of characters, which JSON can name and Python reads."""
    return text.encode("utf-8", "replace").decode("utf-8")


def first_line(text: str, longest: int = 160) -> str:
    """Return the first line of a text that has more than blanks, cut to `longest` characters, fit for a terminal."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = "".join(sign if sign.isprintable() else " " for sign in line)  # an engine's words may hold escape sequences
    return line if len(line) <= longest else line[: longest - 3].rstrip() + "..."
