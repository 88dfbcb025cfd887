"""Gates: conditions on a tournament's result for scripts, and the exit code.

exit code   meaning
130         interrupted; the same command resumes it
1           a gate failed
3           a gate is undecided, or games are missing (the time budget ended)
0           every game is played and every gate given passed; without gates regardless of the verdict
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gotools.matches.report.standings import EngineStanding, Standings
from gotools.matches.report.standings_elo import EloTable, EngineElo, SprtState, elo_table

FROM_PAIRS: Final = "from pairs of games"
FROM_ALL: Final = "by Bradley-Terry from all games, prior 1"
AFTER_STOP: Final = "corrected for the early stop"
"""Estimators of Elo: each line that shows one names it, as their numbers differ."""
PASSED, FAILED, UNDECIDED, INTERRUPTED = 0, 1, 3, 130


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates; None: not given.

    require -- the hypothesis that the sequential test must accept
    min_elo -- the least Elo of the first engine against the others
    max_crashes, max_illegal, max_time_losses -- most games that may end so, of all engines together
    """

    require: Literal["h0", "h1"] | None = None
    min_elo: float | None = None
    max_crashes: int | None = None
    max_illegal: int | None = None
    max_time_losses: int | None = None


@dataclass(frozen=True, slots=True)
class GateResult:
    """The outcome of a gate. name -- as the option is written; passed -- None: undecided; text -- why."""

    name: str
    passed: bool | None
    text: str

    @property
    def word(self) -> str:
        """The result in a word."""
        return "undecided" if self.passed is None else "passed" if self.passed else "failed"


def check_gates(
    gates: Gates,
    standings: Standings,
    sprt_state: SprtState | None,
    complete: bool,
    first: str,
    elo: Callable[[Standings], EloTable] = elo_table,
) -> list[GateResult]:
    """Return a result for each gate given.

    sprt_state -- the test, or None
    complete -- nothing is left to play: every game is over, or the test has its verdict
    first    -- the engine that the test and `min_elo` are about
    elo      -- gives the Elo of standings

    require: passes or fails when the test accepts a hypothesis, however many games are left; else undecided.
    min_elo: decided by the estimate, not by its interval, when the tournament is complete; undecided before.
        After a verdict of the test it is the estimate corrected for the stop. Let the test decide where the interval
        matters.
    max_...: fails as soon as there are more; passes when the tournament is complete; undecided before.
    """
    found = []
    if gates.require is not None:
        found.append(_require(gates.require, sprt_state))
    if gates.min_elo is not None:
        estimate = _estimate(standings, sprt_state, first, elo)
        method = _method(standings, sprt_state)
        found.append(_min_elo(gates.min_elo, estimate, (_who(standings, first), method), complete))
    limits = {"crashes": gates.max_crashes, "illegal": gates.max_illegal, "time-losses": gates.max_time_losses}
    found += [_limit(kind, most, standings, complete) for kind, most in limits.items() if most is not None]
    return found


def exit_code(results: Iterable[GateResult], complete: bool, interrupted: bool) -> int:
    """Return the exit code of a tournament that has ended, or was stopped; see the table above."""
    passed = [result.passed for result in results]
    if interrupted:
        return INTERRUPTED
    if False in passed:
        return FAILED
    return UNDECIDED if None in passed or not complete else PASSED


def _require(wanted: str, state: SprtState | None) -> GateResult:
    name = f"--require {wanted}"
    if state is None:
        return GateResult(name, None, "there is no sequential test (--sprt)")
    return GateResult(name, None if state.verdict is None else state.verdict == wanted, state.text)


def _estimate(
    standings: Standings, state: SprtState | None, first: str, elo: Callable[[Standings], EloTable]
) -> EngineElo | None:
    if state is not None and state.verdict is not None:
        return state.estimate
    return elo(standings).against_others.get(first)


def _who(standings: Standings, first: str) -> str:
    others = [engine.name for engine in standings.engines if engine.name != first]
    return f"{first} against {others[0] if len(others) == 1 else 'the mean of the others'}"


def _method(standings: Standings, state: SprtState | None) -> str:
    """Name the estimator of an estimate."""
    if state is not None and state.verdict is not None:
        return AFTER_STOP
    return FROM_PAIRS if len(standings.engines) == 2 else FROM_ALL


def _min_elo(least: float, estimate: EngineElo | None, who: tuple[str, str], complete: bool) -> GateResult:
    """Return the outcome; who -- the engines that the estimate compares, and its estimator."""
    name = f"--min-elo {least:g}"
    if estimate is None:
        return GateResult(name, None, f"no game of {who[0]} counts yet")
    figures = f"Elo of {who[0]}: {elo_text(estimate)}, {who[1]}"
    if not complete:
        return GateResult(name, None, f"{figures}; some games are still to be played")
    passed = estimate.elo >= least
    return GateResult(name, passed, f"{figures}; that is {'at least' if passed else 'less than'} {least:g}")


def elo_text(estimate: EngineElo, digits: int = 1) -> str:
    """Write an estimate with its interval, whose ends may be open."""
    elo, low, high = (f"{round(x, digits) + 0.0:+.{digits}f}" for x in (estimate.elo, estimate.low, estimate.high))
    if estimate.open_above:
        return f"{elo} [no ends]" if estimate.open_below else f"{elo} [above {low}]"
    return f"{elo} [below {high}]" if estimate.open_below else f"{elo} [{low}, {high}]"


_COUNTS: Final[dict[str, tuple[Callable[[EngineStanding], int], str, str]]] = {
    "crashes": (lambda engine: engine.crashes, "crash", "crashes"),
    "illegal": (lambda engine: engine.illegal, "illegal move", "illegal moves"),
    "time-losses": (lambda engine: engine.time_losses, "loss on time", "losses on time"),
}


def faults_text(kind: str, engines: Sequence[EngineStanding]) -> str:
    """Write how often engines committed a kind of fault ("crashes", "illegal", "time-losses"), and which how often."""
    count, one, many = _COUNTS[kind]
    total = sum(map(count, engines))
    each = ", ".join(f"{engine.name} {count(engine)}" for engine in engines if count(engine))
    return f"{total} {one if total == 1 else many}" + (f" ({each})" if each else "")


def _limit(kind: str, most: int, standings: Standings, complete: bool) -> GateResult:
    total = sum(map(_COUNTS[kind][0], standings.engines))
    games = f"{standings.played} game{'s' * (standings.played != 1)}"
    text = f"{faults_text(kind, standings.engines)} in {games}, {most} allowed"
    if total <= most and not complete:
        return GateResult(f"--max-{kind} {most}", None, f"{text}; some games are still to be played")
    return GateResult(f"--max-{kind} {most}", total <= most, text)
