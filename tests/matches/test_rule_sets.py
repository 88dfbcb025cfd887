"""The rules of a tournament, and how engines are sent them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from support import scripted_engine

from gotools.base.errors import ConfigError
from gotools.cli import run
from gotools.games.go.rule_sets import KOS, SCORINGS, allows_suicide, read_rules, rule_set
from gotools.matches.config import load_config

NAMES = ("chinese", "chinese-kgs", "japanese", "tromp-taylor", "aga", "new-zealand")


@pytest.mark.parametrize("name", NAMES)
def test_rules_with_a_name_are_sent_by_name(name: str) -> None:
    assert rule_set(name).text() == name


@pytest.mark.parametrize("ko", KOS)
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("suicide", [False, True])
def test_other_rules_are_sent_one_by_one(ko: str, scoring: str, suicide: bool) -> None:
    rules = rule_set("chinese", scoring, ko, suicide)
    if (ko, scoring, suicide) == ("simple", "area", False):
        assert rules.text() == "chinese" and rules.kgs_name() == "chinese"
        return
    found = json.loads(rules.text())
    assert (found["ko"], found["scoring"], found["suicide"]) == (ko.upper(), scoring.upper(), suicide)
    assert " " not in rules.text() and rules.kgs_name() is None
    assert read_rules(rules.text()).as_json() == rules.as_json() and allows_suicide(rules.text()) == suicide


def test_handicap_brings_no_points_by_any_name() -> None:
    assert json.loads(rule_set("chinese").text(3))["whiteHandicapBonus"] == "0"


@pytest.mark.parametrize("wrong", [{"name": "go"}, {"ko": "super"}, {"scoring": "points"}, {"suicide": "no"}])
def test_rules_that_are_not_there_are_errors(wrong: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=f"rules: {next(iter(wrong))}: .*'{next(iter(wrong.values()))}'"):
        load_config(None, {"engine": ["a=x", "b=y"], "rules": wrong})


ENGINE = """
import sys
sys.path.insert(0, {folder!r})
from scripted_engine import Engine
def take(self, *words):
    print({name!r}, *words, file=open({log!r}, "a"))
for command in {commands!r}:
    setattr(Engine, "do_" + command, take)
Engine([]).run()
"""


@pytest.mark.parametrize("commands", [["kata-set-rules"], ["kgs-rules"], ["kata-set-rules", "kgs-rules"]], ids="+".join)
def test_an_engine_is_sent_the_rules_once_by_a_command_that_it_knows(commands: list[str], tmp_path: Path) -> None:
    engines = []
    for name in ("a", "b"):
        script = tmp_path / f"{name}.py"
        folder, log = str(Path(scripted_engine.__file__).parent), str(tmp_path / "log")
        script.write_text(ENGINE.format(folder=folder, log=log, name=name, commands=commands))
        engines += ["--engine", f"{name}={sys.executable} {script}"]
    assert run(["tournament", *engines, "--size", "5", "--games", "1", "-o", str(tmp_path / "run")]) == 0
    assert sorted((tmp_path / "log").read_text().splitlines()) == ["a chinese", "b chinese"]
