"""One file a command: options, one call into the library, a plain file. No logic, and no heavy import at the top."""

from __future__ import annotations

from typing import Annotated

import typer

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress and no summary on stderr; problems are still told.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random choice; the same seed, the same bytes.")]
