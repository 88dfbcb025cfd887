"""JUnit XML, as GitHub, GitLab and Jenkins show it: a test case for the run, each engine, each pairing and each gate.

The run's case is an error if the run failed (exit codes 2 and 4), and skipped if it is
undecided or interrupted (3 and 130), with the reasons.

An engine's case fails by its crashes, illegal moves and losses on time, unless a gate allows them. A
pairing's case shows the score and does not fail: judging it is up to the gates. It is skipped if
no game counts. A gate's case fails with the gate and is skipped if the gate is undecided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gotools.matches.report.gates import FROM_PAIRS, GateResult, elo_text, faults_text
from gotools.matches.report.report import FaultyGame, TournamentReport, first_line
from gotools.matches.report.standings import EngineStanding, Pairing
from gotools.matches.report.standings_elo import PairFigures

SUITE: Final = "gotools tournament"
FAULTS_IN_CASE: Final = 20
"""Most faults shown of one engine; servers cut longer texts themselves."""

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write (section 2.2)."""


def junit(report: TournamentReport) -> bytes:
    """Return the report as JUnit XML."""
    suite = Element("testsuite", name=SUITE)
    _run_case(suite, report)
    for engine in report.standings.engines:
        _engine_case(suite, engine, report)
    for pairing, figures in report.pair_figures:
        _pairing_case(suite, pairing, figures)
    for gate in report.gate_results:
        _gate_case(suite, gate)
    counts = {
        "tests": len(suite),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
        "skipped": len(suite.findall("testcase/skipped")),
    }
    attributes = {name: str(count) for name, count in counts.items()}
    attributes["time"] = _seconds(sum(engine.seconds for engine in report.standings.engines))
    suite.attrib.update(attributes)
    suites = Element("testsuites", {"name": SUITE, **attributes})
    suites.append(suite)
    indent(suites)
    return bytes(tostring(suites, encoding="utf-8", xml_declaration=True)) + b"\n"


def _run_case(suite: Element, report: TournamentReport) -> None:
    case = _case(suite, "run", "", None)
    reasons = _clean("\n".join(report.why))
    if report.failure is not None:
        SubElement(case, "error", type=report.stopped_by or "error", message=first_line(reasons)).text = reasons
    elif report.verdict in ("undecided", "interrupted"):
        message = f"{report.verdict} (exit code {report.exit_code}): {first_line(reasons)}"
        SubElement(case, "skipped", message=message).text = reasons


def _engine_case(suite: Element, engine: EngineStanding, report: TournamentReport) -> None:
    case = _case(suite, "engine", engine.name, engine.seconds)
    troubles = [trouble for trouble in report.troubles if trouble.engine == engine.name]
    failing = [trouble for trouble in troubles if not report.allows(trouble.kind)]
    if failing:
        kinds = sorted({trouble.kind for trouble in failing})
        failure = SubElement(case, "failure", type=kinds[0])
        own = [faults_text(kind, [engine]).split(" (")[0] for kind in kinds if kind]
        failure.set("message", ", ".join(own) or f"{len(failing)} faults")
        failure.text = _faults_text(failing)
    elif troubles:
        SubElement(case, "system-out").text = f"Allowed by the gates:\n{_faults_text(troubles)}"


def _faults_text(troubles: Sequence[FaultyGame]) -> str:
    """Describe some games with all that is known of their fault, stderr of the engine included."""
    blocks = [f"game {x.game} ({x.sgf}): {x.end}: {x.what.strip()}" for x in troubles[:FAULTS_IN_CASE]]
    if len(troubles) > FAULTS_IN_CASE:
        blocks.append(f"... and {len(troubles) - FAULTS_IN_CASE} more games")
    return _clean("\n".join(blocks))


def _pairing_case(suite: Element, pairing: Pairing, figures: PairFigures | None) -> None:
    case = _case(suite, "pairing", f"{pairing.first} - {pairing.second}", None)
    score = pairing.score
    if not score.games:
        SubElement(case, "skipped", message=f"no game counts, {pairing.void} are void")
        return
    lines = [
        f"{pairing.first}: {score.wins} won, {score.draws} drawn, {score.losses} lost of {score.games} games",
        f"pairs of games by its points (0, 0.5, 1, 1.5, 2): {', '.join(map(str, pairing.pairs))}",
    ]
    if figures is not None:
        lines.append(f"Elo {FROM_PAIRS} {elo_text(figures.elo)}, likelihood of superiority {figures.los:.4f}")
        if figures.normalized is not None:
            lines.append(f"normalized Elo {elo_text(figures.normalized)}")
    if pairing.void:
        lines.append(f"void games: {pairing.void}")
    SubElement(case, "system-out").text = _clean("\n".join(lines))


def _gate_case(suite: Element, gate: GateResult) -> None:
    case = _case(suite, "gate", gate.name, None)
    text = _clean(gate.text)
    if gate.passed is None:
        SubElement(case, "skipped", message=f"undecided: {text}")
    elif gate.passed:
        SubElement(case, "system-out").text = text
    else:
        SubElement(case, "failure", type="gate", message=text).text = text


def _case(suite: Element, kind: str, name: str, seconds: float | None) -> Element:
    case = SubElement(suite, "testcase", classname=f"tournament.{kind}", name=_clean(f"{kind} {name}").strip())
    case.set("time", _seconds(seconds or 0.0))
    return case


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _clean(text: str) -> str:
    """Remove what XML cannot hold."""
    return _FORBIDDEN.sub("", text)
