"""The report for GitHub Actions: Markdown for the job's summary page, and annotations in its log."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final

from gotools.base.screen_text import harmless
from gotools.files.writing import append_text
from gotools.matches.report.gates import elo_text
from gotools.matches.report.report import TournamentReport, first_line
from gotools.matches.report.standings import EngineStanding, GameScore, Pairing
from gotools.matches.report.standings_elo import EngineElo, PairFigures
from gotools.matches.report.table import ALL_ALIKE, los_text, pairs_text, percent_text, seconds_text

FAULTS_ON_PAGE: Final = 50
"""Most faults on the summary page, which holds 1 MiB."""
LONGEST_TEXT: Final = 1000
"""Characters of a text in an annotation."""
MOST_ANNOTATIONS: Final = 10
"""Most annotations of a step and kind that GitHub shows."""

_TITLES: Final = (
    *("engine", "games", "won", "drawn", "lost", "score"),
    *("Elo (95 %)", "as black", "as white", "s/move", "s/move contested", "faults"),
)
_MARKS: Final = {"passed": "\N{WHITE HEAVY CHECK MARK}", "failed": "\N{CROSS MARK}", "undecided": "\N{WARNING SIGN}"}
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~!&$@]|:(?=//)|(?<=www)\.)")


def write_to_github(report: TournamentReport) -> None:
    """Print the errors as workflow commands, and append the page to the file that $GITHUB_STEP_SUMMARY names."""
    for line in github_errors(report):
        print(line)
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page:
        append_text(page, github_summary(report))
    else:
        print(github_summary(report))


def github_summary(report: TournamentReport) -> str:
    """Return Markdown to append to the file that $GITHUB_STEP_SUMMARY names."""
    parts = ["## Tournament", *_headline(report), _state(report), _standings(report)]
    if len(report.names) == 2 and report.pair_figures:
        parts.append(_pairs(*report.pair_figures[0]))
    if report.sprt_state is not None:
        parts.append(f"**Sequential test** {_text(report.sprt_state.text)}")
    if report.gate_results:
        rows = [
            (f"{_MARKS[gate.word]} {gate.word}", _text(gate.name), _text(gate.text)) for gate in report.gate_results
        ]
        parts += ["### Gates", _table(("verdict", "gate", "why"), rows, "lll")]
    if report.troubles:
        parts += ["### Faults", "\n".join(_troubles(report))]
    return "\n\n".join(parts) + "\n"


def _headline(report: TournamentReport) -> Iterator[str]:
    """Yield the lines of the verdict, problems first."""
    if report.verdict != "passed":
        sign = _MARKS.get(report.verdict, _MARKS["failed"])
        lines = [f"{sign} **{report.verdict.capitalize()}** (exit code {report.exit_code})", *map(_text, report.why)]
        yield "  \n".join(lines)


def _state(report: TournamentReport) -> str:
    same = report.duplicates
    parts = [f"{report.standings.played} of {report.scheduled} games"]
    if report.stopped_by:
        parts.append(f"stopped by {report.stopped_by}")
    if same.distinct < same.games:
        parts.append(f"only {same.distinct} distinct")
    if report.void:
        parts.append(f"void: {', '.join(f'{count} {end}' for end, count in report.void.items())}")
    return ", ".join(parts) + f"; exit code {report.exit_code}."


def _standings(report: TournamentReport) -> str:
    rows = [_row(engine, report.elo.of.get(engine.name)) for engine in report.standings.engines]
    return _table(_TITLES, rows, "lrrrrrrrrrrr")


def _pairs(pairing: Pairing, figures: PairFigures | None) -> str:
    """Return the figures from the pairs of two engines, for the first one."""
    line = f"Pairs in which {_text(pairing.first)} scored 0, 0.5, 1, 1.5, 2 (pentanomial): {pairs_text(pairing)}"
    if figures is None:
        return line
    normalized = ALL_ALIKE if figures.normalized is None else _text(elo_text(figures.normalized, 0))
    return f"{line}; nElo {normalized}; LOS {_text(los_text(figures.los))}"


def _row(engine: EngineStanding, elo: EngineElo | None) -> tuple[str, ...]:
    score = engine.score
    return (
        _text(engine.name),
        str(score.games),
        str(score.wins),
        str(score.draws),
        str(score.losses),
        _share(score),
        "-" if elo is None else _text(elo_text(elo, 0)),
        _share(engine.black),
        _share(engine.white),
        seconds_text(engine.seconds_per_move),
        seconds_text(engine.seconds_per_contested_move),
        str(engine.faults),
    )


def _share(score: GameScore) -> str:
    return percent_text(score.share, 1) + " %" * bool(score.games)


def _troubles(report: TournamentReport) -> Iterator[str]:
    for trouble in report.troubles[:FAULTS_ON_PAGE]:
        yield f"- {_text(trouble.line)}"
    more = len(report.troubles) - FAULTS_ON_PAGE
    if more > 0:
        yield f"- and {more} more, in summary.json"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> str:
    rule = ["---:" if side == "r" else ":---" for side in sides]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (titles, rule, *rows))


def _text(text: str) -> str:
    """Write a text in one line, with Markdown, HTML and cell separators escaped."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def github_errors(report: TournamentReport) -> list[str]:
    """Return workflow commands: errors for failed gates and faults, warnings for undecided gates and allowed faults.

    At most as many of a kind as GitHub shows; the last one then gives the number left out.
    """
    errors = [] if report.failure is None else [("error", report.failure.what[:LONGEST_TEXT], "the run")]
    errors += [("gate", gate.text, gate.name) for gate in report.gate_results if gate.passed is False]
    warnings = [("undecided", gate.text, gate.name) for gate in report.gate_results if gate.passed is None]
    for trouble in report.troubles:
        where = warnings if report.allows(trouble.kind) else errors
        text = f"game {trouble.game}: {trouble.what.strip()[:LONGEST_TEXT]} ({trouble.sgf})"
        where.append((str(trouble.end), text, trouble.engine))
    return [*_commands("error", errors), *_commands("warning", warnings)]


def _commands(kind: str, notes: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    many = len(notes) > MOST_ANNOTATIONS
    for what, text, title in notes[: MOST_ANNOTATIONS - many]:
        yield f"::{kind} title={_property(f'{what}: {first_line(title, 80)}')}::{_data(text)}"
    if many:
        yield f"::{kind} title=more::{len(notes) - MOST_ANNOTATIONS + 1} more, in summary.json"


def _data(text: str) -> str:
    """Escape the text of a workflow command; a line end in it would begin another."""
    return harmless(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
