"""From files to a page: each is read by the reader of its kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gotools.contents.showing import show_file
from gotools.errors import FileFormatError
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import STDIN, head_of
from gotools.phases import UNWATCHED, Watch
from gotools.report.of_runs import run_section
from gotools.report.of_tables import contents_section
from gotools.report.page import check_installed, page_html
from gotools.report.parts import Section
from gotools.report.replay import Budget
from gotools.tournament.journal import NAME

Say = Callable[[str], None]
LARGEST_PAGE: Final = 2_000_000
"""Bytes of a page."""
FOR_GAMES: Final = 1_500_000
"""Bytes that games may take on it."""


@dataclass(frozen=True, slots=True)
class Report:
    """A page of sections."""

    title: str
    sections: Sequence[Section]

    def html(self) -> str:
        """Return the page."""
        return page_html(self.title, self.sections)


def make_report(
    paths: Sequence[str], title: str = "", folder: str = ".", say: Say = lambda _: None, watch: Watch = UNWATCHED
) -> Report:
    """Return the report on some files.

    title  -- of the page; "": the names of the files
    folder -- where the page will lie: links lead from there
    say    -- called for each problem that does not stop the work

    Raises MissingTool without Jinja2, FileFormatError for a file that is no file of ours or damaged.
    """
    check_installed()
    budget = Budget(FOR_GAMES)
    sections = [_section(path, folder, budget, say, watch) for path in paths]
    for at, section in enumerate(sections, 1):
        section.anchor = f"section-{at}"
    return Report(title or ", ".join(section.title for section in sections), sections)


def _section(path: str, folder: str, budget: Budget, say: Say, watch: Watch) -> Section:
    journal = _journal_of(path)
    if journal is not None:
        section = run_section(journal, os.path.relpath(os.path.dirname(journal) or ".", folder), budget, say, watch)
        section.title = os.path.basename(os.path.normpath(path)) or path
        return section
    watch.phase("reading files")
    return contents_section(show_file(path, say=say))


def _journal_of(path: str) -> str | None:
    """Return the journal of a tournament, if the path is one or its folder. Raises FileFormatError."""
    if os.path.isdir(path):
        journal = os.path.join(path, NAME)
        if not os.path.isfile(journal):
            raise FileFormatError(path, None, f"a folder without {NAME}; expected that of a tournament")
        return journal
    if path != STDIN and os.path.isfile(path) and kind_of(head_of(path)) is Kind.journal:
        return path
    return None
