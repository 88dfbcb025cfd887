"""What strangers wrote - an engine's words, the names of players, a journal - is never taken for a record of ours.

One side writes these and another reads them: results.jsonl, SGF, JUnit, summary, GitHub's page and commands, tables of
ratings, the terminal.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support import forked
from support.written_json import read_json

from gotools import cli
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.games.go.go import GO

OURS = re.compile(r"::error title=(illegal|refused|crash)%3A [ab]::game \d: ")
HOSTILE = Path(__file__).parents[1] / "support/hostile_engine.py"


def hostile(mode: str) -> str:
    return shlex.join([sys.executable, "-S", "-E", str(HOSTILE), mode])


def strange(text: str) -> set[str]:
    """Return the characters of a text that a terminal would act on."""
    return {sign for sign in text if not sign.isprintable() and sign not in "\n\t"}


@pytest.fixture(scope="module", params=["plays", "refuses", "dies", "illegal"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a match of two hostile engines, with all forms of its verdict."""
    folder = tmp_path_factory.mktemp(request.param)
    engines = ["--engine", f"a={hostile('plays')}", "--engine", f"b={hostile(request.param)}"]
    forms = ["--junit", "junit.xml", "--summary", "summary.json", "--github-summary"]
    words = [sys.executable, "-m", "gotools", "tournament", *engines, *forms, "--games", "2", "--size", "5"]
    done = forked.run(
        [*words, "--openings", "none", "-o", "run"],
        cwd=folder,
        env={**os.environ, "GITHUB_STEP_SUMMARY": "page.md"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder


@pytest.mark.system
def test_no_file_and_no_line_holds_what_a_terminal_acts_on(run: Path) -> None:
    files = [path for path in run.rglob("*") if path.is_file()]
    assert len(files) >= 8
    for path in files:
        assert not strange(path.read_bytes().decode()), path


@pytest.mark.system
def test_the_journal_holds_the_games_and_no_other_lines(run: Path) -> None:
    head, *games = [read_json(line) for line in (run / "run/results.jsonl").read_bytes().split(b"\n") if line]
    assert head["gotools"] == "journal" and [game["game"] for game in games] == [1, 2]
    assert all({game["black"], game["white"]} == {"a", "b"} for game in games)


@pytest.mark.system
def test_records_say_what_the_journal_says(run: Path) -> None:
    games = [read_json(line) for line in (run / "run/results.jsonl").read_text().splitlines()[1:]]
    for game in games:
        (record,) = read_games((run / f"run/games/{game['game']:04d}.sgf").read_bytes(), "x", GO)
        assert isinstance(record, Record)
        assert record.players == (game["black"], game["white"]) and record.result == game["result"]
        assert len(record.moves) == len(game["moves"].split())
    for source in ("run/results.jsonl", "run/games"):
        out, code = printed_by("elo", str(run / source), "--format", "json", "-q")
        assert code == 0
        wins = {row["name"]: row["wins"] for row in read_json(out)["ratings"]}
        assert wins == {name: sum(won(game) == name for game in games) for name in "ab"}


def won(game: dict[str, Any]) -> str:
    return str({"B": game["black"], "W": game["white"]}.get(game["result"][0], ""))


@pytest.mark.system
def test_junit_and_summary_have_their_own_parts_only(run: Path) -> None:
    found = ElementTree.parse(run / "junit.xml").getroot()
    assert {case.get("name") for case in found.iter("testcase")} == {"run", "engine a", "engine b", "pairing a - b"}
    assert {element.tag for element in found.iter()} <= {
        "testsuites", "testsuite", "testcase", "failure", "system-out", "skipped",
    }  # fmt: skip
    assert [engine["name"] for engine in read_json((run / "summary.json").read_text())["engines"]] == ["a", "b"]


@pytest.mark.system
def test_no_line_is_a_command_to_the_server_but_ours(run: Path) -> None:
    for stream in ("stdout", "stderr"):
        for line in (run / stream).read_text().splitlines():
            if line.lstrip().startswith("::"):
                assert stream == "stdout" and OURS.match(line), line
    page = (run / "page.md").read_text()
    assert "<b>" not in page and not re.search(r"^(::|#+ forged)", page, re.MULTILINE)
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 13 for line in page.splitlines() if line.startswith("| "))


# what a stranger's journal says ---------------------------------------------------------------------------------------

HEAD: dict[str, Any] = {
    "gotools": "journal",
    "version": 1,
    "plays": {
        "engines": [{"name": "a", "command": "x"}, {"name": "b", "command": "y"}],
        "size": 5,
        "komi": 7.5,
        "rules": "chinese",
        "openings": "none",
    },
    "wishes": {"games": 2, "sprt": None, "gates": {}},
    "programs": {"a": "1", "b": "1"},
}
GAME: dict[str, Any] = {
    "game": 1, "pair": 1, "black": "a", "white": "b", "result": "B+R", "end": "resign", "fault": "", "what": "",
    "size": 5, "komi": 7.5, "handicap": 0, "opening": 0, "moves": "C3 D4", "seconds": [0.1, 0.2],
    "slowest": [0.1, 0.2], "contested_moves": [1, 1], "contested_seconds": [0.1, 0.2], "notes": [],
}  # fmt: skip
ESCAPE = "\x1b[2J\u202e\x9b"


def journals() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield a name, a first line and a game, of which one is not what gotools writes."""
    games: dict[str, list[Any]] = {
        "game": [0, -1, True, "1", float("nan"), None, 10**40],
        "black": ["b", ESCAPE, None, 5],
        "result": [f"B+{ESCAPE}", "B+" + "9" * 10**5, "B+\n", "B+R]RE[W+R"],
        "end": [ESCAPE, 5, [], "x" * 10**5],
        "fault": ["x", ESCAPE, "bb"],
        "size": [0, -5, 10**9, 10**400, 1e308],
        "komi": [float("nan"), float("inf"), 10**400],
        "handicap": [-1, 10**9],
        "opening": [-(10**9), 10**30],
        "moves": ["Z99", ESCAPE, "T19", "A1  A1", "A1\nB2", "a1"],
        "seconds": [[float("nan"), 1], [float("inf"), 1], [1], "ab", [-1, 1], {"0": 1}, [10**400, 1]],
        "contested_moves": [[float("nan"), 1], [1], "ab", [-1, 1], None, {"0": 1}, [10**400, 1]],
        "contested_seconds": [[float("nan"), 1], [1], None],
        "what": [f"{ESCAPE}\n::error::forged", "|<b>\n\n# forged"],
        "notes": [5, [5, {}], [ESCAPE], [["a"]]],
    }
    for key, values in games.items():
        for value in values:
            yield f"game {key} {str(value)[:20]!r}", HEAD, {**GAME, key: value}
    heads: dict[str, list[Any]] = {
        "version": [ESCAPE + "9" * 10**5, None],
        "programs": [5, [], ESCAPE, {"a": None}],
        "wishes": [5, {"shard": ESCAPE}, {"sprt": 5}, {"gates": {"require": ESCAPE}}, {"games": True}],
    }
    for key, values in heads.items():
        for value in values:
            yield f"head {key} {str(value)[:20]!r}", {**HEAD, key: value}, GAME
    plays: dict[str, list[Any]] = {
        "engines": [[], [{}], [{"name": ESCAPE, "command": "x"}] * 2, [{"name": "a" * 10**5, "command": "x"}] * 2],
        "rules": [5, {"name": []}, ESCAPE],
        "size": [10**9, "x", 19.5],
        ESCAPE: [5],
    }
    for key, values in plays.items():
        for value in values:
            head = copy.deepcopy(HEAD)
            head["plays"][key] = value
            yield f"plays {key[:8]!r} {str(value)[:20]!r}", head, GAME


def printed_by(*words: str) -> tuple[str, int]:
    """Run a command here; returns what it printed, stderr behind stdout, and its exit code."""
    out, errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = cli.run(list(words))
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    return out.buffer.getvalue().decode() + errors.getvalue(), code


@pytest.mark.parametrize(("head", "game"), [pytest.param(head, game, id=name) for name, head, game in journals()])
def test_a_strangers_journal_is_reported_in_plain_words(
    tmp_path: Path, head: dict[str, Any], game: dict[str, Any]
) -> None:
    lines = [head, game, {**GAME, "game": 2, "black": "b", "white": "a"}]
    (tmp_path / "results.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    for words in (["tournament", "status"], ["tournament", "status", "--json"]):
        found, code = printed_by(*words, str(tmp_path))
        assert code in (0, 2) and "Traceback" not in found
        assert not strange(found) and len(found) < 8000


def test_names_of_engines_are_printable(tmp_path: Path) -> None:
    settings = tmp_path / "match.toml"
    for name in ("\\u001b[2J", "\\u009b31m", "\\u202eabc", "a\\nb"):
        settings.write_text(f'[[engine]]\nname = "{name}"\ncommand = "x"\n[[engine]]\nname = "b"\ncommand = "y"')
        found, code = printed_by("tournament", "--config", str(settings), "--dry-run")
        assert code == 2 and "is not a name" in found and not strange(found)


# tables of ratings ----------------------------------------------------------------------------------------------------

NAMES = ["##gotools ratings 1", "#rank", "1\t2\t9999", "a\n2\tforged", "x\r\n##level=0.5", "= 1+1"]
NAMES += [f"e{ESCAPE}", "-", "\u2028u"]


def test_a_players_name_makes_no_row_and_no_setting(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    rows = [{"black": one, "white": other, "result": "B+R"} for one in NAMES for other in NAMES if one != other]
    games.write_text("\n".join(map(json.dumps, rows)) + "\n")
    table, matrix = tmp_path / "ratings.tsv", tmp_path / "matrix.tsv"
    _, code = printed_by("elo", str(games), "-q", "-o", str(table), "--matrix", str(matrix))
    assert code == 0
    lines = [line for line in table.read_text().split("\n") if line and not line.startswith("#")]
    assert lines.pop(0).startswith("rank\tname\t")
    assert len(lines) == len(NAMES) == len({line.split("\t")[1] for line in lines})
    assert all(len(line.split("\t")) == 11 for line in lines) and not strange(table.read_text())
    assert sum(line.startswith("##level=") for line in table.read_text().split("\n")) == 1
    cells = [line.split("\t") for line in matrix.read_text().split("\n") if line and not line.startswith("#")]
    rows_of_names = [row for row in cells if row[0] != "name"]  # the line of columns, where it is no comment
    assert len(rows_of_names) == len(NAMES) and {len(row) for row in cells} == {len(NAMES) + 1}
