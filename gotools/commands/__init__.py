"""One file a command: options, one call into the library, a plain file. No logic, and no heavy import at the top."""

from __future__ import annotations

import math
from typing import Annotated, TypeVar

import typer

Number = TypeVar("Number", bound=float | None)
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress and no summary on stderr; errors are still printed.")
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, max=1024, help="Work on N cores; the result is the same.")
]
MOST_CORES = 8
"""Of a command that takes all cores, unless --jobs says more: each needs some 0.1 GB with boards of 19x19."""
AllCores = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=1,
        max=1024,
        show_default=False,
        help=f"Work on N cores; the result is the same. Default: all, but {MOST_CORES} at most.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random choice; the same seed, the same bytes.")]


def finite(value: Number) -> Number:
    """Return a number as it is; refuse nan and inf, which are numbers to the parser. Raises typer.BadParameter."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value
