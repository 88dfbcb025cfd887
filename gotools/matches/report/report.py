"""All data of a tournament's report, gathered once; each form of report is a function of it.

summary.py: JSON for programs; junit.py: XML for CI servers; github.py: Markdown and annotations; table.py:
tables for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gotools.game.outcome import End
from gotools.matches.game.game_result import CRASHES, ILLEGAL, TIME_LOSSES, GameResult, sgf_name
from gotools.matches.report.gates import GateResult, Gates, check_gates, exit_code
from gotools.matches.report.standings import NO_PAIRS, Pairing, Standings, standings
from gotools.matches.report.standings_elo import EloTable, PairFigures, SprtState, elo_table, pair_figures
from gotools.ratings.sprt import PairCounts, Sprt

if TYPE_CHECKING:
    from gotools.matches.report.duplicates import Duplicates

INTERRUPTED_BY = ("interrupt", "terminated")
VERDICTS = {0: "passed", 1: "failed", 3: "undecided", 130: "interrupted"}
"""The meaning of a run's exit codes in a word; others are errors."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run failed: what -- in words; exit_code -- of the command, None: by the games."""

    what: str
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class FaultyGame:
    """A game that ended by an engine's fault. kind -- as in the names of gates; sgf -- path below the run's folder."""

    game: int
    engine: str
    kind: str
    end: End
    what: str
    sgf: str

    @property
    def line(self) -> str:
        """All of it in one line, with the first line of a longer fault."""
        return f"game {self.game}: {self.engine}: {self.end}: {first_line(self.what)} ({self.sgf})"


@dataclass(frozen=True)
class TournamentReport:
    """The present state of a tournament.

    names      -- all engines; the first is the one that the test and `min_elo` are about
    results    -- the games played, in any order
    scheduled  -- games to play in all
    complete   -- nothing is left to play: every game is over, or the test has its verdict
    counts     -- pairs that the test has counted
    stopped_by -- what ended the run before every game was played: "", sprt, budget, terminated, interrupt,
                  engine (one no longer starts), error
    config     -- settings, as values of JSON
    failure    -- why the run failed, or None
    games_a_minute -- by the wall clock, in this run of the command; None if it played none
    programs   -- what the engines say they are, by their names in the run
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
    programs: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        played = f"games={len(self.results)}, scheduled={self.scheduled}, complete={self.complete}"
        return f"TournamentReport({list(self.names)}, {played})"

    @cached_property
    def standings(self) -> Standings:
        """The standings."""
        return standings(self.results, self.names)

    @cached_property
    def elo(self) -> EloTable:
        """The Elo of the engines."""
        return elo_table(self.standings)

    @cached_property
    def pair_figures(self) -> list[tuple[Pairing, PairFigures | None]]:
        """Each pairing with the figures of its pairs, for its first engine."""
        return [(pairing, pair_figures(pairing)) for pairing in self.standings.pairings]

    @cached_property
    def sprt_state(self) -> SprtState | None:
        """The state of the sequential test, or None."""
        return None if self.sprt is None else SprtState(self.sprt, self.counts)

    @cached_property
    def gate_results(self) -> list[GateResult]:
        """The outcomes of the gates."""
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
        """The meaning of the exit code: passed, failed, undecided, interrupted or error."""
        return VERDICTS.get(self.exit_code, "error")

    @property
    def why(self) -> list[str]:
        """The reasons of a verdict other than "passed": a line for each gate that failed or is undecided."""
        reasons = [] if self.failure is None else [self.failure.what]
        reasons += [f"{gate.name} {gate.word}: {gate.text}" for gate in self.gate_results if gate.passed is not True]
        if not reasons and not self.complete:
            reasons = [f"{self.standings.played} of {self.scheduled} games have been played"]
        return reasons if self.verdict != "passed" else []

    @cached_property
    def duplicates(self) -> Duplicates:
        """The duplicates among the games that count."""
        from gotools.matches.report.duplicates import effective_games

        return effective_games([game for game in self._in_order if game.counts])

    @cached_property
    def troubles(self) -> list[FaultyGame]:
        """The games that ended by an engine's fault, in the order of the schedule."""
        return [
            FaultyGame(game.game, game.culprit, _kind(game.end), game.end, _encodable(game.what), sgf_name(game.game))
            for game in self._in_order
            if game.culprit
        ]

    @cached_property
    def void(self) -> dict[str, int]:
        """The number of games that do not count, by their end."""
        ends = Counter(str(game.end) for game in self.results if not game.counts)
        return dict(sorted(ends.items()))

    @property
    def with_notes(self) -> int:
        """The number of games with notes in the journal."""
        return sum(bool(game.notes) for game in self.results)

    def allows(self, kind: str) -> bool:
        """Return whether there is a gate on this kind of fault that has not failed."""
        gates = [gate for gate in self.gate_results if gate.name.startswith(f"--max-{kind} ")]
        return any(gate.passed is not False for gate in gates)

    @cached_property
    def _in_order(self) -> list[GameResult]:
        return sorted(self.results, key=lambda game: game.game)


def _kind(end: End) -> str:
    """Return the kind of a fault, as in the names of gates."""
    kinds = (("crashes", CRASHES), ("illegal", ILLEGAL), ("time-losses", TIME_LOSSES))
    return next((kind for kind, ends in kinds if end in ends), "")


def _encodable(text: str) -> str:
    """Replace unpaired surrogates, which JSON can express and Python reads, but no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def first_line(text: str, longest: int = 160) -> str:
    """Return the first line with more than blanks, cut to `longest` characters, safe for a terminal."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = "".join(sign if sign.isprintable() else " " for sign in line)  # an engine's words may hold escape sequences
    return line if len(line) <= longest else line[: longest - 3].rstrip() + "..."
