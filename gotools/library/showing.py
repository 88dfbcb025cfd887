"""What a file of ours holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gotools.library.arguments import Report, log

if TYPE_CHECKING:
    from gotools.report.contents import Contents

LIMIT = 20


def show(path: str | Path, *, game: str | None = None, limit: int = LIMIT, report: Report = log) -> Contents:
    """Return what a file that gotools writes holds, or the folder of a tournament; printed, it is text.

    game  -- measure the records of this game in a file, an archive, a folder or a glob instead: length of games, legal
        moves, size of the game tree and number of positions
    limit -- most rows of a list

    `.facts` and `.listings` of what is returned hold the values, `.json()` is the text of `gotools show --json`.
    Nothing in the file is executed.

    Raises FileFormatError for a file that gotools does not write, or a damaged one, GotoolsError where there is
    no game.
    """
    if game is not None:
        from gotools.game import find_game
        from gotools.report.game_sizes import show_games

        return show_games(str(path), find_game(game), limit, report)
    from gotools.report.showing import show_file

    return show_file(path, limit, report)
