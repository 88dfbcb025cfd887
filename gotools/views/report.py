"""From files to a page: each is read by the reader of its kind, rules and values together with the games."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gotools.base.phases import UNWATCHED, Watch
from gotools.files.opening import STDIN
from gotools.game.game import Game, suffixes_of
from gotools.rules.matching import Matcher
from gotools.views.inputs import Inputs, find_inputs, matcher_for, only_values
from gotools.views.judged import JudgedGames, judge_games
from gotools.views.of_games import games_section
from gotools.views.of_rules import rules_section
from gotools.views.of_runs import run_section
from gotools.views.of_tables import cluster_boards, clusters_to_show
from gotools.views.page import page_html
from gotools.views.parts import Part, Section
from gotools.views.replay import Budget
from gotools.views.showing import file_section

Say = Callable[[str], None]
LARGEST_PAGE: Final = 2_000_000
"""Bytes; a larger page, of very many files, is reported."""
HEADLINES: Final = 3
"""Sections that the title of a page names."""
FOR_GAMES: Final = 1_600_000
"""Bytes of a page that games may take; drawings and tables have theirs from it, and the rest of 2 MB."""


@dataclass(frozen=True, slots=True)
class Report:
    """A page of sections."""

    title: str
    sections: Sequence[Section]

    def __repr__(self) -> str:
        return f"Report({self.title!r}, sections={len(self.sections)})"

    def html(self) -> str:
        """Return the page."""
        return page_html(self.title, self.sections)


def make_report(
    paths: Sequence[str],
    game: Game,
    title: str = "",
    folder: str = ".",
    say: Say = lambda _: None,
    watch: Watch = UNWATCHED,
) -> Report:
    """Return the report on some files.

    game   -- that of the records
    title  -- of the page; "": what its sections show
    folder -- where the page will lie: links lead from there
    say    -- called for each problem that does not stop the work

    Raises FileFormatError for a damaged file or one that gotools does not write, GotoolsError for unreadable games.
    """
    making = _Making(find_inputs(paths, game), folder, say, watch)
    sections = making.sections()
    for at, section in enumerate(sections, 1):
        section.anchor = f"section-{at}"
    return Report(title or _headline(sections), sections)


def _headline(sections: Sequence[Section]) -> str:
    said = list(dict.fromkeys(section.headline for section in sections))
    more = [f"{len(said) - HEADLINES:,} more"] if len(said) > HEADLINES else []
    return "; ".join([*said[:HEADLINES], *more])


class _Making:
    """A report in the making: games come last, as they get the room that is left."""

    def __init__(self, inputs: Inputs, folder: str, say: Say, watch: Watch) -> None:
        self._inputs, self._folder, self._say, self._watch = inputs, folder, say, watch
        self._budget = Budget(FOR_GAMES)
        self._judged: dict[str, JudgedGames] = {}

    def sections(self) -> list[Section]:
        """Return all sections in the order of the files; the games' section stands where the first game record does."""
        inputs = self._inputs
        made: dict[str, Section] = {}
        for path in inputs.paths:
            if path in inputs.rules:
                made[path] = self._of_rules(path)
            elif path not in inputs.journals and path not in inputs.games:
                self._watch.phase("reading files")
                made[path] = file_section(path, self._say)
                made[path].title = _name(path)
                if path in inputs.clusters:
                    made[path].parts[1:1] = self._centres(path)
            if path in made:
                self._budget.take(min(self._budget.left, sum(len(one.svg) for one in made[path].figures())))
        for path in inputs.journals:
            made[path] = self._of_run(path)
        if inputs.games:
            made[inputs.games[0]] = self._of_games()
        return [made[path] for path in dict.fromkeys(inputs.paths) if path in made]

    def _of_run(self, path: str) -> Section:
        journal = self._inputs.journals[path]
        folder = os.path.relpath(os.path.dirname(journal) or ".", self._folder)
        section = run_section(journal, folder, self._budget, self._say, self._watch)
        section.title = _name(path)
        return section

    def _of_rules(self, path: str) -> Section:
        found = self._inputs.rules[path]
        matched = found.matcher is not None and bool(self._inputs.games)
        section = rules_section(path, found.rules, self._judge(path) if matched else None, found.why_not)
        section.title = _name(path)
        return section

    def _centres(self, path: str) -> list[Part]:
        """Return the typical moves of clusters, found in the games of the report."""
        clusters, inputs = clusters_to_show(path), self._inputs
        games = self._judge_games().games if inputs.games and clusters.game == inputs.game.name else []
        return list(cluster_boards(clusters, games))

    def _judge_games(self) -> JudgedGames:
        """Return the games, ranked by the first rules that can be matched."""
        first = self._inputs.first_rules
        return self._judge("" if first is None else first.path)

    def _judge(self, path: str) -> JudgedGames:
        """Return the games ranked by the rules of a file, "" for none; learned values are asked with the first."""
        if path not in self._judged:
            inputs, matcher = self._inputs, self._matcher(path)
            first = inputs.first_rules is None or inputs.first_rules.path == path
            values = inputs.values() if first else None
            say = (lambda _: None) if self._judged else self._say  # broken games are named once
            self._watch.phase("ranking moves")
            self._judged[path] = judge_games(inputs.games, inputs.game, matcher, values, say, self._watch)
        return self._judged[path]

    def _matcher(self, path: str) -> Matcher | None:
        if path:
            suffixes = suffixes_of(self._inputs.game.name)
            return matcher_for(self._inputs.rules[path], self._inputs.games, suffixes, self._watch)
        return only_values() if self._inputs.weights else None

    def _of_games(self) -> Section:
        inputs = self._inputs
        first = inputs.first_rules
        judged = self._judge_games()
        names = [_name(path) for path in inputs.games]
        title = ", ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1:,} more"
        by = _name(first.path) if first else _name(inputs.weights) if inputs.weights else ""
        self._watch.phase("drawing games")
        return games_section(title, judged, self._budget, by)


def _name(path: str) -> str:
    return "stdin" if path == STDIN else os.path.basename(os.path.normpath(path)) or path
