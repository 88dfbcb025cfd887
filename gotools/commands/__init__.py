"""One file a command: options, one call into the library, a plain file. No logic, and no heavy import at the top."""

from __future__ import annotations

import os
from typing import Annotated

import typer

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress and no summary on stderr; problems are still told.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random choice; the same seed, the same bytes.")]


def check_metrics(metrics: str | None, output: str | None, what: str) -> None:
    """Raise typer.BadParameter where --metrics names the file that the result (`what`) goes to."""
    if metrics is not None and os.path.realpath(metrics) == os.path.realpath(output or "-"):
        raise typer.BadParameter(f"the {what} there; name another file", param_hint="--metrics")
