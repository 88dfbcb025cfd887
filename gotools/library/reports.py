"""Web pages of what files hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.library.arguments import Paths, Report, listed, log
from gotools.phases import UNWATCHED, Watch

if TYPE_CHECKING:
    from gotools.report.report import Report as Page


def write_report(
    paths: Paths,
    output: str | Path,
    *,
    title: str = "",
    svg: str | Path | None = None,
    png: str | Path | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Page:
    """Write one page of HTML about files that gotools writes, folders of tournaments, and game records.

    output -- the page; `-` is stdout
    title  -- of the page; "": what the files show
    svg    -- a folder that gets each board and chart as a file of its own; png -- one that gets them as PNG

    The page loads nothing and is below 2 MB: games that do not fit are linked from it. The same files give the same
    page. `.sections` of what is returned hold what it says.

    Raises MissingTool without what PNG needs, FileFormatError for a file that gotools does not know or that is damaged.
    """
    from gotools.files.opening import STDIN, open_output
    from gotools.report import report as pages
    from gotools.report.pictures import PNG, SVG, check_raster, write_pictures

    if png is not None:
        check_raster()
    folder = "." if str(output) == STDIN else os.path.dirname(os.path.abspath(output))
    found = pages.make_report(listed(paths), title, folder, report, watch)
    watch.phase("writing the page")
    page = found.html().encode("utf-8", "replace")
    if len(page) > pages.LARGEST_PAGE:
        report(f"the page has {len(page) / 1e6:.1f} MB: fewer files make a smaller one")
    for pictures, form in ((svg, SVG), (png, PNG)):
        if pictures is not None:
            write_pictures(found.sections, pictures, form)
    with open_output(output) as out:
        out.write(page)
    return found
