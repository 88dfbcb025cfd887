"""The table of GTP commands for Go."""

from __future__ import annotations

from typing import Final

from gotools.player.gtp import about, analysis, clocks, gogui, handicap, play, setup, status
from gotools.player.gtp.about import Command

COMMANDS: Final[dict[str, Command]] = {
    **about.COMMANDS,
    **analysis.COMMANDS,
    **clocks.COMMANDS,
    **gogui.COMMANDS,
    **handicap.COMMANDS,
    **play.COMMANDS,
    **setup.COMMANDS,
    **status.COMMANDS,
}
