"""What files hold, as text, JSON and web pages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.base.phases import UNWATCHED, Watch
from gotools.engines.settings import DEFAULT
from gotools.game.table import USUAL
from gotools.library.arguments import Paths, Report, listed, log

if TYPE_CHECKING:
    from gotools.views.contents import Contents
    from gotools.views.report import Report as Page

LIMIT = 20
"""Most rows of a list."""


def show(path: str | Path, *, game: str | None = None, limit: int = LIMIT, report: Report = log) -> Contents:
    """Return what a file that gotools writes holds, or the folder of a tournament; printed, it is text.

    path  -- "games": the games that commands know by name, of gotools and of other packages; "default": the learned
        values of the package for `game`, else for Go
    game  -- measure the records of this game in a file, an archive, a folder or a glob instead: length of games, legal
        moves, size of the game tree and number of positions
    limit -- most rows of a list

    `.facts` and `.listings` of what is returned hold the values, `.json()` is the text of `gotools show --json`.
    Nothing in the file is executed.

    Raises FileFormatError for a file that gotools does not write, or a damaged one, GotoolsError where there is
    no game.
    """
    if path == DEFAULT:
        from gotools.engines.knowledge import default_weights

        path, game = default_weights(game or USUAL), None
    if game is not None:
        from gotools.game.game import find_game
        from gotools.views.game_sizes import show_games

        return show_games(str(path), find_game(game), limit, report)
    from gotools.views.known_games import WORD, show_known_games
    from gotools.views.showing import show_file

    if path == WORD:
        return show_known_games()
    return show_file(path, limit, report)


def write_report(
    paths: Paths,
    output: str | Path,
    *,
    game: str = USUAL,
    title: str = "",
    svg: str | Path | None = None,
    png: str | Path | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Page:
    """Write one page of HTML about files that gotools writes, folders of tournaments, and game records.

    output -- the page; `-` is stdout
    game   -- of the game records
    title  -- of the page; "": what the files show
    svg    -- a folder that gets each board and chart as a file of its own; png -- one that gets them as PNG

    The page loads nothing and is below 2 MB: games that do not fit are linked from it. The same files give the same
    page. `.sections` of what is returned hold what it says.

    Raises MissingTool without what PNG needs, FileFormatError for a file that gotools does not know or that is damaged.
    """
    from gotools.files.opening import STDIN, open_output
    from gotools.game.game import find_game
    from gotools.views import report as pages
    from gotools.views.pictures import PNG, SVG, check_raster, write_pictures

    if png is not None:
        check_raster()
    folder = "." if str(output) == STDIN else os.path.dirname(os.path.abspath(output))
    found = pages.make_report(listed(paths), find_game(game), title, folder, report, watch)
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
