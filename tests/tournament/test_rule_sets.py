"""The rules of a tournament, and how engines are sent them."""

from __future__ import annotations

import json

import pytest

from gotools.errors import ConfigError
from gotools.tournament.config import load_config
from gotools.tournament.game.rule_sets import KOS, SCORINGS, kata_rules, kgs_rules, rule_set

NAMES = ("chinese", "chinese-kgs", "japanese", "tromp-taylor", "aga", "new-zealand")


@pytest.mark.parametrize("name", NAMES)
def test_rules_with_a_name_are_sent_by_name(name: str) -> None:
    assert kata_rules(rule_set(name), 0, True) == name


@pytest.mark.parametrize("ko", KOS)
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("suicide", [False, True])
def test_other_rules_are_sent_one_by_one(ko: str, scoring: str, suicide: bool) -> None:
    rules = rule_set("chinese", scoring, ko, suicide)
    if (ko, scoring, suicide) == ("simple", "area", False):
        assert kata_rules(rules, 0, True) == "chinese" and kgs_rules(rules) == "chinese"
        return
    found = json.loads(kata_rules(rules, 0, True))
    assert (found["ko"], found["scoring"], found["suicide"]) == (ko.upper(), scoring.upper(), suicide)
    assert " " not in kata_rules(rules, 0, True) and kgs_rules(rules) is None


def test_handicap_brings_no_points_by_any_name() -> None:
    assert json.loads(kata_rules(rule_set("chinese"), 3, True))["whiteHandicapBonus"] == "0"


@pytest.mark.parametrize("wrong", [{"name": "go"}, {"ko": "super"}, {"scoring": "points"}, {"suicide": "no"}])
def test_rules_that_are_not_there_are_errors(wrong: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=f"rules: {next(iter(wrong))}: '{next(iter(wrong.values()))}' is n"):
        load_config(None, {"engine": ["a=x", "b=y"], "rules": wrong})
