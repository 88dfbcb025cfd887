"""Reports of a tournament: what programs read parses and adds up, what people read fits."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from io import StringIO
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console
from support.tournament_results import fault, game, shuffled, tournament

from gotools.base.screen_text import harmless
from gotools.game.outcome import End
from gotools.matches.game.game_result import GameResult
from gotools.matches.report.gates import Gates
from gotools.matches.report.github import MOST_ANNOTATIONS, github_errors, github_summary
from gotools.matches.report.junit import junit
from gotools.matches.report.report import Failure, TournamentReport
from gotools.matches.report.standings import standings
from gotools.matches.report.standings_elo import elo_table
from gotools.matches.report.summary import summary, summary_json
from gotools.matches.report.table import report_tables, standings_table
from gotools.ratings.sprt import Sprt

DIED = "white's process ended with exit code 139; it last said: panic: 50% | done\nnote: \x1b[31mred\x00"


def played(pairs: int = 20, seed: int = 1) -> list[GameResult]:
    """Return games of "new" and "old" with a crash, an illegal move, a loss on time and a void game."""
    results = list(tournament({"new": 60, "old": 0}, pairs, seed))
    results[4] = fault(5, "new", "old", "w", End.crash, DIED)
    results[9] = fault(10, "old", "new", "b", End.illegal, "black plays E5: a stone is there")
    results[12] = fault(13, "new", "old", "b", End.time, "black took 9.00 s")
    results[17] = game(18, "old", "new", "Void", end=End.cycle, notes=("white: log lines on stdout",))
    return results


def report(results: Sequence[GameResult] | None = None, **more: Any) -> TournamentReport:
    results = played() if results is None else results
    counts = standings(results, ("new", "old")).pairing("new", "old").pairs
    values: dict[str, Any] = {"names": ("new", "old"), "scheduled": 40, "complete": True, "counts": counts}
    return TournamentReport(results=results, **{**values, **more})


# JSON -----------------------------------------------------------------------------------------------------------------


def test_summary_holds_the_figures() -> None:
    found = json.loads(summary_json(report(sprt=Sprt(0, 20), gates=Gates(max_crashes=0), config={"size": 9})))
    assert found["games"] == {"scheduled": 40, "played": 40, "counted": 39, "void": {"cycle": 1}, "with_notes": 1}
    assert found["config"] == {"size": 9}
    new, old = found["engines"]
    assert (new["name"], new["time_losses"], new["void"]) == ("new", 1, 1)
    assert (old["crashes"], old["illegal"], old["time_losses"]) == (1, 1, 0)
    assert new["wins"] == old["losses"] and new["games"] == new["black"]["games"] + new["white"]["games"] == 39
    (pairing,) = found["pairings"]
    assert pairing["elo"] == new["elo"] and sum(pairing["pairs"]) == 19
    assert found["sprt"]["pairs"] == pairing["pairs"] and found["sprt"]["games"] == 38
    assert found["sprt"]["lower"] < found["sprt"]["llr"] < found["sprt"]["upper"] and found["sprt"]["verdict"] is None
    assert found["duplicates"]["games"] == 39
    assert [(x["game"], x["engine"], x["kind"], x["end"]) for x in found["troubles"]] == [
        (5, "old", "crashes", "crash"),
        (10, "old", "illegal", "illegal"),
        (13, "new", "time-losses", "time"),
    ]
    assert found["troubles"][0]["what"] == DIED and found["troubles"][0]["sgf"] == "games/0005.sgf"
    assert found["gates"] == [{"name": "--max-crashes 0", "passed": False, "text": found["gates"][0]["text"]}]
    assert found["exit_code"] == 1


def test_summary_is_the_same_bytes_for_games_in_another_order() -> None:
    assert summary_json(report(shuffled(played()))) == summary_json(report())


def test_summary_of_nothing_has_the_same_keys() -> None:
    def keys(value: dict[str, Any]) -> list[str]:
        return [*value, *value["engines"][0], *value["games"], *value["duplicates"]]

    nothing = summary(report([], complete=False, stopped_by="interrupt"))
    assert keys(nothing) == keys(summary(report()))
    assert nothing["exit_code"] == 130 and nothing["engines"][0]["elo"] is None


def test_a_decided_test_gives_the_corrected_estimate() -> None:
    counts = (1, 5, 40, 30, 40)
    found = summary(report(sprt=Sprt(0, 50), counts=counts, scheduled=400, stopped_by="sprt"))["sprt"]
    assert found["verdict"] == "h1" and found["games"] == 232
    assert found["elo"]["low"] < found["elo"]["elo"] < found["elo"]["high"]


def test_interrupted_after_the_last_game_is_not_interrupted() -> None:
    assert report(complete=True, stopped_by="terminated").exit_code == 0
    assert report(complete=False, stopped_by="terminated").exit_code == 130
    assert report(complete=False, stopped_by="budget").exit_code == 3


# JUnit ----------------------------------------------------------------------------------------------------------------


def cases(found: Element) -> dict[str, str]:
    """Return name -> what became of it, of all test cases."""
    ends = {}
    for case in found.iter("testcase"):
        child = next((end for tag in ("error", "failure", "skipped") if (end := case.find(tag)) is not None), None)
        ends[case.attrib["name"]] = "passed" if child is None else child.tag
    return ends


def counted(found: Element) -> None:
    """Check the counts in the file's head against its test cases."""
    ends = list(cases(found).values())
    suites = [found, *found.iter("testsuite")]
    assert found.tag == "testsuites" and len(suites) == 2
    for suite in suites:
        assert int(suite.attrib["tests"]) == len(list(found.iter("testcase"))) == len(ends)
        assert int(suite.attrib["failures"]) == ends.count("failure")
        assert int(suite.attrib["skipped"]) == ends.count("skipped")
        assert int(suite.attrib["errors"]) == ends.count("error")


def test_junit_has_a_case_for_each_engine_pairing_and_gate() -> None:
    gates = Gates(require="h1", min_elo=-500, max_crashes=0, max_illegal=1)
    found = fromstring(junit(report(sprt=Sprt(0, 20), gates=gates)))
    counted(found)
    assert cases(found) == {
        "run": "passed",
        "engine new": "failure",
        "engine old": "failure",
        "pairing new - old": "passed",
        "gate --require h1": "skipped",
        "gate --min-elo -500": "passed",
        "gate --max-crashes 0": "failure",
        "gate --max-illegal 1": "passed",
    }
    old = found.find(".//testcase[@name='engine old']/failure")
    assert old is not None and old.attrib["message"] == "1 crash" and old.text is not None
    assert "game 5 (games/0005.sgf): crash: white's process ended" in old.text
    assert "panic: 50% | done\nnote: [31mred" in old.text  # the characters that XML forbids are gone
    assert "E5" not in old.text  # one illegal move is allowed


def test_junit_of_an_undecided_run_says_so() -> None:
    found = fromstring(junit(report(sprt=Sprt(0, 1), gates=Gates(require="h1"), scheduled=40)))
    counted(found)
    assert cases(found)["run"] == cases(found)["gate --require h1"] == "skipped"
    why = found.find(".//testcase[@name='run']/skipped")
    assert why is not None and why.attrib["message"].startswith("undecided (exit code 3): --require h1 undecided: ")
    short = fromstring(junit(report(scheduled=400, complete=False, stopped_by="budget")))
    why = short.find(".//testcase[@name='run']/skipped")
    assert why is not None and why.attrib["message"] == "undecided (exit code 3): 40 of 400 games have been played"


@pytest.mark.parametrize("names", [("new", "old"), ()])
def test_a_run_that_failed_is_an_error_in_every_form(names: tuple[str, ...]) -> None:
    failed = TournamentReport(
        names, (), 0, False, stopped_by="error", failure=Failure("engine old fails: ]]> & <b>\x1b[1m", 2)
    )
    found = fromstring(junit(failed))
    counted(found)
    assert cases(found)["run"] == "error"
    why = found.find(".//testcase[@name='run']/error")
    assert why is not None and why.text == "engine old fails: ]]> & <b>[1m"
    said = json.loads(summary_json(failed))
    assert (said["verdict"], said["exit_code"], said["stopped_by"]) == ("error", 2, "error")
    assert said["error"].startswith("engine old fails")
    page = github_summary(failed)
    assert "**Error** (exit code 2)" in page and "<b>" not in page
    assert read_command(github_errors(failed)[0])[:2] == ("error", "error: the run")


def test_the_figures_of_engine_testers_are_reported() -> None:
    """Against figures by hand: 8, 0, 11, 0 and 1 pairs of 0, 0.5, 1, 1.5 and 2 points."""
    results = []
    for pair, points in enumerate([0] * 8 + [1] * 11 + [2]):
        first = "B+R" if points else "W+R"
        results += [game(2 * pair + 1, "a", "b", first), game(2 * pair + 2, "b", "a", "W+R" if points == 2 else "B+R")]
    found = json.loads(summary_json(TournamentReport(("a", "b"), results, 40, True, games_a_minute=20.125)))
    (pairing,) = found["pairings"]
    assert pairing["pairs"] == [8, 0, 11, 0, 1] and found["games_a_minute"] == 20.12
    mean, variance = 6.5 / 20, (11 * 0.5**2 + 1) / 20 - (6.5 / 20) ** 2
    nelo, reach = (mean - 0.5) / (2 * variance) ** 0.5 * 347.4356, 1.959964 / 40**0.5 * 347.4356
    assert list(pairing["nelo"].values()) == pytest.approx([nelo, nelo - reach, nelo + reach], abs=0.006)
    assert 0.001 < pairing["los"] < 0.02
    text = shown(TournamentReport(("a", "b"), results, 40, True, games_a_minute=20.125), 100)
    for words in (
        "Elo: the lead over the other one, from pairs of games",
        "games 40 of 40, 20.1 games a minute",
        f"nElo  {nelo:+.0f} [{nelo - reach:+.0f}, {nelo + reach:+.0f}]: normalized Elo of a, from pairs of games",
        "%: likelihood that a is the stronger engine",
        "pairs 8 0 11 0 1: numbers of pairs in which a scored 0, 0.5, 1, 1.5, 2",
    ):
        assert words in text, text


def test_every_elo_names_what_it_is_estimated_by_and_no_end_is_written_as_open() -> None:
    results = [game(n, *(("a", "b") if n % 2 else ("b", "a")), "B+R" if n % 2 else "W+R") for n in range(1, 61)]
    won = TournamentReport(("a", "b"), results, 60, True, Sprt(0, 20), (0, 0, 0, 0, 30), Gates(require="h1", min_elo=0))
    text = shown(won, 120)
    (corrected,) = (line for line in text.splitlines() if line.strip().startswith("Elo of a"))
    assert (
        corrected.rstrip().endswith("corrected for the early stop")
        and "Elo of a: +" in corrected
        and "[above +" in corrected
    )
    assert "4000" not in text and "nElo  unknown (every pair has the same score): normalized Elo of a" in text
    gate = next(x for x in text.splitlines() if "--min-elo" in x)
    assert "passed: Elo of a against b: +" in gate and "corrected for the early stop; that is at least 0" in " ".join(
        text.split()
    )
    three = list(tournament({"a": 0, "b": 0, "c": 0}, 5))
    text = " ".join(shown(TournamentReport("abc", three, 30, True), 120).split())
    assert "Elo: by Bradley-Terry from all games, prior 1; 0 is the mean of the engines" in text


def test_what_is_undecided_stands_out_on_the_screen() -> None:
    text = shown(report(sprt=Sprt(0, 1), gates=Gates(require="h1")), 120)
    assert re.search(r"^gate +--require h1 undecided: ", text, re.MULTILINE)
    assert re.search(r"^undecided exit code 3; --require h1 undecided: ", text, re.MULTILINE)


def shown(found: TournamentReport, width: int) -> str:
    out = Console(width=width, file=StringIO())
    for part in report_tables(found):
        out.print(part)
    assert isinstance(out.file, StringIO)
    return out.file.getvalue()


def test_junit_of_a_clean_match_has_no_failure() -> None:
    found = fromstring(junit(report(list(tournament({"new": 0, "old": 0}, 5)))))
    counted(found)
    assert set(cases(found).values()) == {"passed"}


def test_what_gates_allow_fails_nothing_in_junit() -> None:
    gates = Gates(max_crashes=1, max_illegal=1, max_time_losses=1)
    found = fromstring(junit(report(gates=gates)))
    assert set(cases(found).values()) == {"passed"}
    said = found.find(".//testcase[@name='engine old']/system-out")
    assert said is not None and said.text is not None and "games/0010.sgf" in said.text


def test_many_faults_of_an_engine_are_counted_not_all_listed() -> None:
    results = [fault(n, "new", "old", "w", End.crash, f"fault {n}.") for n in range(1, 101)]
    found = fromstring(junit(report(results, scheduled=100)))
    failure = found.find(".//failure")
    assert failure is not None and failure.attrib["message"] == "100 crashes" and failure.text is not None
    assert "fault 1." in failure.text and "fault 99." not in failure.text and "80 more" in failure.text


# GitHub ---------------------------------------------------------------------------------------------------------------

COMMAND = re.compile(r"::(\w+) (?:(\w+)=([^:,]*))::(.*)")


def read_command(line: str) -> tuple[str, str, str]:
    """Read a workflow command as GitHub's runner does: kind, title, text."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    title, text = match[3], match[4]
    for code, sign in (("%3A", ":"), ("%2C", ",")):
        title = title.replace(code, sign)
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        title, text = title.replace(code, sign), text.replace(code, sign)
    assert match[2] == "title"
    return match[1], title, text


def test_github_errors_come_back_as_they_were() -> None:
    lines = github_errors(report(gates=Gates(require="h1", max_crashes=0, max_illegal=1)))
    found = [read_command(line) for line in lines]
    assert [(kind, title) for kind, title, _ in found] == [
        ("error", "gate: --max-crashes 0"),
        ("error", "crash: old"),
        ("error", "time: new"),
        ("warning", "undecided: --require h1"),
        ("warning", "illegal: old"),
    ]
    assert found[1][2] == harmless(f"game 5: {DIED.strip()} (games/0005.sgf)")


@given(st.text(), st.text(min_size=1))
@example("100 %0A%25done\r\n::error::x", "a%2C:b")
def test_no_text_breaks_out_of_a_github_command(what: str, name: str) -> None:
    results = [fault(1, name, name + "2", "b", End.crash, what)]
    (line,) = github_errors(TournamentReport((name, name + "2"), results, 1, True))
    assert "\n" not in line and "\r" not in line
    assert read_command(line)[2] == harmless(f"game 1: {what.strip()[:1000]} (games/0001.sgf)")


def test_there_are_no_more_github_errors_than_are_shown() -> None:
    for count in (MOST_ANNOTATIONS, MOST_ANNOTATIONS + 1, 100):
        results = [fault(n, "new", "old", "w", End.crash, "died") for n in range(1, count + 1)]
        lines = github_errors(report(results))
        assert len(lines) == MOST_ANNOTATIONS
        assert (f"{count - MOST_ANNOTATIONS + 1} more" in lines[-1]) == (count > MOST_ANNOTATIONS)


def test_github_summary_is_tables_of_equal_rows() -> None:
    results = list(tournament({"a|b": 0, "<b>*x*": 0, "c\nd": 0}, 3))
    results[0] = fault(1, "a|b", "<b>*x*", "b", End.crash, "50 | 60\n| a row |")
    page = github_summary(
        TournamentReport(("a|b", "<b>*x*", "c\nd"), results, 18, True, gates=Gates(max_crashes=0, min_elo=0))
    )
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in page.splitlines() if line.startswith("|")]
    assert widths == [13] * 5 + [4] * 4
    assert (
        github_summary(TournamentReport(("http://a.b", "www.c"), [game(1, "http://a.b", "www.c")], 1, True)).count(
            "http\\://a.b"
        )
        > 0
    )
    assert r"\<b\>\*x\*" in page and "<b>" not in page
    assert "failed | --max-crashes 0" in page and "- game 1: a\\|b: crash: 50 \\| 60" in page


# tables ---------------------------------------------------------------------------------------------------------------


def printed(found: TournamentReport, width: int) -> list[str]:
    out = StringIO()
    console = Console(file=out, width=width)
    for table in report_tables(found):
        console.print(table)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("engines", [2, 3, 20])
def test_tables_fit_and_cut_nothing_but_names(engines: int, width: int) -> None:
    names = [f"an engine of a long name {n}" if n % 2 else f"e[{n}]" for n in range(engines)]
    strengths = {name: 60.0 * n for n, name in enumerate(names)}
    results = list(tournament(strengths, 250 if engines == 2 else 4, draws=0.1))
    results[0] = fault(1, names[0], names[1], "b", End.crash, "died")
    results[3] = fault(4, names[1], names[0], "w", End.time, "late")
    found = TournamentReport(names, results, len(results), True)
    lines = printed(found, width)
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    for engine in found.standings.engines:
        score = engine.score
        row = next(line for line in lines if f" {score.wins}-{score.draws}-{score.losses} " in line)
        assert re.match(r" an en.*\N{HORIZONTAL ELLIPSIS} " if "long" in engine.name else r" e\[\d+\] ", row)
        assert row.count("\N{HORIZONTAL ELLIPSIS}") == ("long" in engine.name)
        elo = found.elo.of[engine.name]
        assert f"{round(elo.elo):+d} " in row and f"{round(elo.low):+d} {round(elo.high):+d} " in row
    assert "1c 1t" in text and "c crash or hang" in text


def test_the_best_stands_first() -> None:
    results = list(tournament({"weak": -200, "strong": 200, "middle": 0}, 40))
    found = standings(results, ("weak", "strong", "middle", "absent"))
    first_game = elo_table(standings([game(1, "weak", "middle", "B+R")], ("weak", "strong", "middle", "absent")))
    for elo in (elo_table(found), None, first_game):  # a live table's Elo may be older than its games
        names = list(standings_table(found, elo).columns[0].cells)
        assert list(map(str, names)) == ["strong", "middle", "weak", "absent"]


def test_columns_appear_when_there_is_something_to_show() -> None:
    clean = "\n".join(printed(report(list(tournament({"new": 0, "old": 0}, 4))), 80))
    assert "faults" not in clean and "void" not in clean and "+=-" not in clean and "SPRT" not in clean
    assert "s/move: of all moves, and of the contested part" in clean
    text = "\n".join(printed(report(sprt=Sprt(0, 20), gates=Gates(max_crashes=0)), 80))
    assert "2c" not in text and "\x1b" not in text and "1c 1i" in text
    assert "void   1 game without a result that counts: cycle 1" in text
    assert "SPRT   undecided" in text and "--max-crashes 0 failed: 1 crash" in text


def test_equal_games_are_reported() -> None:
    results = [game(n, *(("new", "old") if n % 2 else ("old", "new"))) for n in range(1, 11)]
    assert "only 2 of the 10 games are distinct" in "\n".join(printed(report(results), 80))


@settings(max_examples=30)
@given(st.text(min_size=1), st.text(st.characters(codec=None)), st.sampled_from(list(End)))
@example("a", "half of a character: \ud800", End.crash)
def test_every_form_takes_every_text(name: str, what: str, end: End) -> None:
    names = (name, name + "2")
    results = [fault(1, *names, "b", end, what), game(2, *names[::-1], "?", end=End.dispute, what=what)]
    found = TournamentReport(names, results, 4, False, Sprt(0, 20), (0, 0, 0, 0, 0), Gates("h1", 0, 0, 0, 0), "budget")
    counted(fromstring(junit(found)))
    assert json.loads(summary_json(found))["engines"][0]["name"] == name
    github_summary(found).encode()
    assert printed(found, 80)
