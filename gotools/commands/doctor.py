"""`gotools doctor`: say what an installation has and lacks."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

FOR = "For everybody who has installed gotools and wonders what is missing."
EPILOG = """\b
Example:
  gotools doctor
"""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")] = False,
) -> None:
    """Say what is installed, what is missing, and what for.

    Shows the versions of gotools, Python and what every command needs, the compiled kernels, the C compiler,
    SWI-Prolog, optional packages with what they are for, and games of other packages.

    Streams: exit code 1 if something is missing that every command needs.
    """
    from gotools.base.screen_text import text_width
    from gotools.views.installation import look_at_installation

    found = look_at_installation()
    print(found.contents.json() if as_json else found.contents.text(text_width(sys.stdout)), end="")
    if not found.works:
        raise typer.Exit(1)
