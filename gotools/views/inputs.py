"""Find out what the files of a report are, and which of them work together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gotools.base.errors import FileFormatError
from gotools.base.phases import Watch
from gotools.engines.move_values import MoveValues
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import STDIN, expand_paths, head_of
from gotools.game.game import Game, suffixes_of
from gotools.matches.journal import NAME
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.matching import Interpreted, Matcher, compiled, find_matcher
from gotools.values.weights.weights_file import load_weights
from gotools.views.of_rules import rules_to_show

MANY_GAMES: Final = 100_000
"""Bytes of records from which on it pays to compile rules: some 200 games of 9x9."""
_OF_GAMES: Final = frozenset({Kind.games, Kind.zip, Kind.tar})


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file of rules. matcher -- None where they cannot be matched, and then why_not says why."""

    path: str
    rules: RuleSet
    matcher: Matcher | None
    why_not: str = ""


@dataclass(slots=True)
class Inputs:
    """The files of a report by kind.

    paths   -- all, in the order given; journals -- of tournaments, by path
    games   -- records of the game, folders of them
    rules   -- by path; clusters -- paths; weights -- the first file of learned values for the game, "" without one
    """

    paths: Sequence[str]
    game: Game
    journals: dict[str, str] = field(default_factory=dict)
    games: list[str] = field(default_factory=list)
    rules: dict[str, RuleFile] = field(default_factory=dict)
    clusters: set[str] = field(default_factory=set)
    weights: str = ""

    def values(self) -> MoveValues | None:
        """Return the learned values; they order moves where there are no rules."""
        if not self.weights:
            return None
        return MoveValues(self.weights, self.game.name, orders=self.matcher is None, strict=False)

    @property
    def first_rules(self) -> RuleFile | None:
        """The first file of rules that can be matched."""
        return next((one for one in self.rules.values() if one.matcher is not None), None)

    @property
    def matcher(self) -> Matcher | None:
        """The rules of that file."""
        return None if self.first_rules is None else self.first_rules.matcher


def find_inputs(paths: Sequence[str], game: Game) -> Inputs:
    """Return what some files are. Raises FileFormatError for a path without a file, and for damaged rules.

    game -- that of the records
    """
    found = Inputs(paths, game)
    for path in paths:
        if os.path.isdir(path):
            journal = os.path.join(path, NAME)
            if os.path.isfile(journal):
                found.journals[path] = journal
            else:
                found.games.append(path)
        elif path != STDIN and not os.path.isfile(path):
            found.games.append(path)  # a glob, or nothing, as its reader says
        else:
            _add_file(found, path)
    return found


def _add_file(found: Inputs, path: str) -> None:
    plain = path.lower().removesuffix(".gz")
    kind = kind_of(head_of(path))
    if kind is Kind.journal:
        found.journals[path] = path
    elif kind in _OF_GAMES or plain.endswith(suffixes_of(found.game.name)):
        found.games.append(path)
    elif kind is Kind.rules:
        found.rules[path] = _rule_file(path, found.game)
    elif kind is Kind.clusters:
        found.clusters.add(path)
    elif kind is Kind.weights and not found.weights and load_weights(path).game == found.game.name:
        found.weights = path


def _rule_file(path: str, game: Game) -> RuleFile:
    rules = rules_to_show(path)
    if rules.rules and rules.game != game.name:
        there = f"--game {rules.game} and its records beside them show where they found the move"
        return RuleFile(path, rules, None, f"These are rules of {rules.game}: {there}.")
    try:
        return RuleFile(path, rules, find_matcher(path))
    except FileFormatError as error:
        return RuleFile(path, rules, None, f"These rules are shown, and not matched with games: {error}.")


def matcher_for(found: RuleFile, games: Sequence[str], suffixes: tuple[str, ...], watch: Watch) -> Matcher | None:
    """Return a file's rules, compiled for many games where there is a C compiler: several times as fast, and the same.

    games, suffixes -- paths of the records, and how files of records end
    """
    size = sum(os.path.getsize(path) for path in expand_paths(games, suffixes) if path != STDIN)
    if found.matcher is None or not found.rules.rules or size < MANY_GAMES:
        return found.matcher
    watch.phase("compiling rules")
    with compiled(found.matcher) as matcher:
        return matcher


def only_values() -> Matcher:
    """Return rules that never fire, where values alone rank moves."""
    return Interpreted(RuleSet(()))
