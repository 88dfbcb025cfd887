"""What a file of ours holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gotools.library.arguments import Report, log

if TYPE_CHECKING:
    from gotools.contents.contents import Contents

LIMIT = 20


def show(path: str | Path, *, limit: int = LIMIT, report: Report = log) -> Contents:
    """Return what a file that gotools writes holds, or the folder of a tournament; printed, it is text.

    limit -- most rows of a list

    `.facts` and `.listings` of what is returned hold the values, `.json()` is the text of `gotools show --json`.
    Nothing in the file is executed.

    Raises FileFormatError for a file that gotools does not write, or a damaged one.
    """
    from gotools.contents.showing import show_file

    return show_file(path, limit, report)
