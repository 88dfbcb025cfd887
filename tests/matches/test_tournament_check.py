"""The checks of an engine: each misbehaviour fails the check that is about it, and nothing else hides it."""

from __future__ import annotations

import re
import sys
from functools import cache

import pytest
from support.needs import needs_gnugo
from support.scripted_engine import command

from gotools.gtp_client import client
from gotools.matches.check import protocol as check_protocol
from gotools.matches.check.engine import CHECKS, STARTS, Finding, check_engine, counts_text, finding_text
from gotools.matches.check.trial import Trial, TrialLimits, Unmet

pytestmark = pytest.mark.system

NAMES = [STARTS, *(name for name, _ in CHECKS)]
FAILS = {
    "dies": ("own moves", "exit code 3.*out of stones"),
    "killed": ("own moves", "signal 9"),
    "hangs": ("own moves", "gave no answer"),
    "unended": ("own moves", "did not finish"),
    "drips": ("own moves", "did not finish"),
    "long-line": ("own moves", "longer than 1 MiB"),
    "floods": ("own moves", "4 MiB"),
    "leaves-child": ("own moves", "exit code 4"),
    "closes-stdout": ("own moves", "closed its stdout"),
    "occupied": ("own moves", "occupied"),
    "self-capture": ("own moves", "suicide"),
    "off-board": ("own moves", "Z9"),
    "malformed": ("own moves", "not a point of the board"),
    "names-colour": ("own moves", "not a point of the board"),
    "empty": ("own moves", "nothing"),
    "refuses-genmove": ("own moves", "no idea"),
    "wrong-colour": ("own board", "black stone at A1"),
    "forgets-captures": ("captures", "A1 was captured"),
    "rejects": ("legal moves", "illegal move"),
    "refuses-play": ("legal moves", "cannot place"),
    "dies-at-play": ("legal moves", "exit code 3"),
    "overwrites": ("occupied point", "where a stone stands"),
    "allows-all": ("ko", "back at once"),
    "logs": ("stdout", "thinking"),
    "blank-line": ("stdout", "that was easy"),
    "banner": ("stdout", "Scripted Engine"),
    "invalid-utf8": ("stdout", "not UTF-8"),
    "stderr": ("stderr", "MiB"),
    "no-id": ("ids", "without the command's id"),
    "strange-id": ("ids", "answered with an id that no command had"),
    "constant-id": ("ids", "answered with an id that no command had"),
    "drops-id": ("ids", "answered without the command's id"),
    "stale-id": ("ids", "an earlier command"),
    "unknown": ("list of commands", "refuses"),
    "no-list": ("list of commands", "refuses"),
    "lies": ("list of commands", "estimate_score"),
    "dies-at-unknown": ("unknown command", "exit code 3"),
    "comment-blind": ("comments, line ends", "comment|empty"),
    "cr-blind": ("comments, line ends", "CR LF"),
    "no-boardsize": ("board size", "unacceptable size"),
    "no-komi": ("komi", "5.5"),
    "ignores-clear": ("clear_board", "leaves moves"),
    "crashes-at-end": ("second game", "exit code 3"),
    "wrong-score": ("final_score", "99.5"),
    "crashes-at-score": ("final_score", "exit code 3"),
    "wrong-dead": ("dead stones", "77 stones"),
}
"""Misbehaviour -> the check that must fail, and words of its text."""
WARNS = {
    "protocol-2.0": ("protocol version", "2.0"),
    "RESIGN": ("resign", "RESIGN"),
    "allows-all": ("suicide", "takes a suicide"),
    "no-undo": ("undo", "not known"),
    "no-time": ("time commands", "knows none"),
    "unknown": ("final_score", "not known"),
}
PASSES = ("tab-cr", "resign", "plays-on", "slow-quit", "sleepy-start")


@cache
def findings_of(line: str) -> dict[str, Finding]:
    found = check_engine(line, timeout=2, start=15)
    assert [finding.name for finding in found] == NAMES
    return {finding.name: finding for finding in found}


def failed(found: dict[str, Finding]) -> list[str]:
    return [finding.name for finding in found.values() if finding.passed is False]


@pytest.mark.smoke
def test_a_healthy_engine_passes_all() -> None:
    reported: list[Finding] = []
    found = check_engine(command(seed=3), timeout=20, say=reported.append)
    assert reported == found and [finding.name for finding in found] == NAMES
    assert [finding.name for finding in found if finding.passed is not True] == ["resign"]


@pytest.mark.parametrize("how", FAILS)
def test_a_misbehaviour_fails_the_check_about_it(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, words = FAILS[how]
    if name == "ids":
        for wait in ("ID_GRACE", "LOOK_AGAIN"):  # each answer with a wrong id is waited for that long
            monkeypatch.setattr(client, wait, 0.05)
    found = findings_of(command(how))
    assert found[name].passed is False and re.search(words, found[name].text)


@pytest.mark.parametrize("how", WARNS)
def test_what_is_odd_and_bearable_is_reported(how: str) -> None:
    name, words = WARNS[how]
    finding = findings_of(command(how))[name]
    assert finding.passed is None and words in finding.text


@pytest.mark.parametrize("how", PASSES)
def test_what_is_allowed_fails_nothing(how: str) -> None:
    assert not failed(findings_of(command(how)))


@pytest.mark.parametrize("how", ["wrong-dead", "lies", "ignores-clear", "crashes-at-end", "crashes-at-score"])
def test_a_fault_is_held_against_one_check_only(how: str) -> None:
    assert failed(findings_of(command(how))) == [FAILS[how][0]]


@pytest.mark.slow
def test_an_engine_that_does_not_end() -> None:
    assert failed(findings_of(command("never-quits"))) == ["end of input", "quit"]


def test_an_engine_that_takes_more_than_its_second() -> None:
    line = command("overspends", overspend=1.4)
    with Trial(line, TrialLimits(timeout=20)) as trial, pytest.raises(Unmet, match="lose on time"):
        check_protocol.a_second_a_move(trial)


@pytest.mark.parametrize("line", [command("wont-start"), "no-such-engine", "'", "", command("deaf")])
def test_an_engine_that_does_not_start_has_one_finding(line: str) -> None:
    (finding,) = check_engine(line, timeout=0.3, start=1)
    assert finding.name == STARTS and finding.passed is False and finding.text


@pytest.mark.parametrize("size", [2, 3, 4, 19])
def test_other_sizes(size: int) -> None:
    found = check_engine(command(), size=size, timeout=30)
    assert not [finding.text for finding in found if finding.passed is False]


def test_findings_stand_one_below_the_other_within_the_width_of_the_terminal() -> None:
    findings = [Finding("ko", True, "fine"), Finding("stdout", False, "words " * 30), Finding("undo", None, "")]
    texts = [finding_text(finding, 80) for finding in findings]
    lines = "\n".join(texts).splitlines()
    assert lines[0].split() == ["ok", "ko", "fine"] and lines[1].split()[:3] == ["FAIL", "stdout", "words"]
    assert lines[0].index("fine") == lines[1].index("words") == len(lines[2]) - len(lines[2].lstrip())
    assert all(len(line) <= 80 for line in lines)
    assert counts_text(findings) == "1 ok, 1 failed, 1 warnings or not applicable"


@needs_gnugo
def test_gnugo_passes() -> None:
    found = check_engine("gnugo --mode gtp --level 1", timeout=60)
    assert not [finding for finding in found if finding.passed is False]


@pytest.mark.slow
def test_our_own_engine_passes() -> None:
    found = check_engine([sys.executable, "-m", "gotools", "gtp", "--quiet", "--nodes", "50"], timeout=120)
    assert not [finding for finding in found if finding.passed is False]
