"""examples/ci as a CI server uses it: the Makefile is run, with engines of which one is better by far."""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support import forked
from support.needs import ROOT
from support.scripted_engine import command
from support.written_json import read_json

pytestmark = pytest.mark.system

CI = ROOT / "examples/ci"
STRONG, WEAK = command(), command(resign_after=1)


def gotools() -> str:
    return f"{forked.on_path()}/gotools"


def make(out: Path, *words: str, new: str = STRONG, base: str = WEAK, **environment: str) -> Any:
    """Run the Makefile of examples/ci; returns what it did, its stdout and stderr in one."""
    settings = {"OUT": str(out), "GOTOOLS": gotools(), "NEW": new, "BASE": base, "SIZE": "5", "GAMES": "200"}
    settings |= {"SPRT": "elo0=0,elo1=200"}  # decided after a few games
    given = [f"{name}={value.replace('$', '$$')}" for name, value in settings.items()]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "MAKE"))}
    return subprocess.run(
        ["make", "-C", str(CI), *given, *words],
        env={**clean, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )


def summary(out: Path) -> dict[str, Any]:
    found = read_json((out / "summary.json").read_text())
    assert isinstance(found, dict)
    return found


def journal(out: Path) -> list[bytes]:
    return (out / "run/results.jsonl").read_bytes().splitlines()


def gate_cases(out: Path) -> dict[str, str]:
    """Return what the JUnit file says of each gate by its option: passed, failure, skipped."""
    cases = ElementTree.parse(out / "junit.xml").iter("testcase")
    tags = {case.get("name", ""): case[0].tag for case in cases if case.get("classname") == "tournament.gate"}
    return {name.removeprefix("gate "): "passed" if tag == "system-out" else tag for name, tag in tags.items()}


def test_a_better_engine_passes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    done = make(tmp_path, GITHUB_STEP_SUMMARY=str(page))
    assert done.returncode == 0, done.stdout
    found = summary(tmp_path)
    assert (found["sprt"]["verdict"], found["exit_code"], found["complete"]) == ("h1", 0, True)
    assert found["games"]["played"] < 200
    cases = gate_cases(tmp_path)
    wanted = ("--require h1", "--max-crashes 0", "--max-illegal 0", "--max-time-losses 0")
    assert {name: cases.get(name) for name in wanted} == dict.fromkeys(wanted, "passed")
    assert "h1" in page.read_text().lower()


def test_a_worse_engine_fails(tmp_path: Path) -> None:
    done = make(tmp_path, new=WEAK, base=STRONG)
    assert done.returncode == 2 and re.search(r"Error 1$", done.stdout, re.MULTILINE), done.stdout
    assert (summary(tmp_path)["sprt"]["verdict"], summary(tmp_path)["exit_code"]) == ("h0", 1)
    assert gate_cases(tmp_path)["--require h1"] == "failure"


def test_a_crash_fails_and_a_missing_command_is_reported(tmp_path: Path) -> None:
    done = make(tmp_path, "GAMES=2", base=command("dies"))
    assert done.returncode == 2 and gate_cases(tmp_path)["--max-crashes 0"] == "failure", done.stdout
    missing = make(tmp_path / "other", base="")
    assert missing.returncode == 2 and "BASE=" in missing.stdout and not (tmp_path / "other").exists()


def test_an_undecided_match_warns_and_goes_on(tmp_path: Path) -> None:
    strict = make(tmp_path, "GAMES=2", "UNDECIDED=fail")
    assert strict.returncode == 2 and "Error 3" in strict.stdout and "\nundecided" in strict.stdout, strict.stdout
    assert summary(tmp_path)["exit_code"] == 3 and gate_cases(tmp_path)["--require h1"] == "skipped"
    before = journal(tmp_path)
    done = make(tmp_path, "GAMES=4", GITHUB_ACTIONS="true")
    assert done.returncode == 0 and "\n::warning::undecided" in done.stdout, done.stdout
    assert journal(tmp_path)[: len(before)] == before and summary(tmp_path)["games"]["played"] == 4


def test_shards_are_put_together_and_judged(tmp_path: Path) -> None:
    with ThreadPoolExecutor() as machines:
        parts = list(machines.map(lambda number: make(tmp_path, "shard", f"SHARD={number}/2"), (1, 2)))
    assert [part.returncode for part in parts] == [0, 0], parts
    assert not (tmp_path / "summary.json").exists()
    words = [str(tmp_path / f"shard-{number}") for number in (1, 2)]
    merge = [gotools(), "tournament", "merge", *words, "-o", str(tmp_path / "run")]
    subprocess.run(merge, check=True, stderr=subprocess.DEVNULL)
    games = [line for line in journal(tmp_path) if b'"gotools"' not in line]
    done = make(tmp_path, "verdict")
    assert done.returncode == 0, done.stdout
    assert [line for line in journal(tmp_path) if b'"gotools"' not in line] == games  # the parts had decided
    assert games and summary(tmp_path)["sprt"]["verdict"] == "h1"


def test_both_revisions_are_built(tmp_path: Path) -> None:
    repository = tmp_path / "engine"
    repository.mkdir()

    def git(*words: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=repository, check=True, capture_output=True)

    git("init")
    for text in ("first", "second"):
        (repository / "source").write_text(text)
        git("add", "source")
        git("commit", "-m", text)
    for _ in range(2):  # the second time, out/base is there
        subprocess.run(
            ["make", "-f", str(CI / "Makefile"), "engines", "BUILD=cp source engine"],
            cwd=repository, check=True, capture_output=True,
        )  # fmt: skip
        assert (repository / "engine").read_text() == "second"
        assert (repository / "out/base/engine").read_text() == "first"


@pytest.mark.smoke
def test_the_workflow_calls_what_there_is() -> None:
    text = (CI / "engine-match.yml").read_text(encoding="utf-8")
    rules = (CI / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):(?: |$)", rules, re.MULTILINE))
    settings = set(re.findall(r"^([A-Z_]+) \?= ?", rules, re.MULTILINE)) | {"SHARD"}
    calls = re.findall(r"make -f ci/Makefile (\w+)(.*)", text)
    assert {target for target, _ in calls} == {"engines", "shard", "verdict"} <= targets
    env = re.search(r"^env:.*\n((?:  .*\n)+)", text, re.MULTILINE)
    assert env is not None
    given = re.findall(r"^  (\w+):", env[1], re.MULTILINE)
    given += [name for _, words in calls for name in re.findall(r"([A-Z_]+)=", words)]
    assert given and set(given) <= settings
    commands = "\n".join([text, *(line for line in rules.splitlines() if not line.startswith("#"))])
    assert "gotools tournament merge" in text
    known = subprocess.run([gotools(), "tournament", "--help"], capture_output=True, text=True, check=True)
    options = set(re.findall(r"(?<![\w-])--[a-z][\w-]+", commands)) - {"--gtp", "--detach"}
    assert len(options) > 10 and options <= set(re.findall(r"--[a-z][\w-]+", known.stdout))


@pytest.mark.smoke
def test_the_workflow_is_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load((CI / "engine-match.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["verdict"]["needs"] == "play"
    assert [step for job in workflow["jobs"].values() for step in job["steps"] if not {"run", "uses"} & set(step)] == []
