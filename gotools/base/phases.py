"""Progress of long work: named phases, and steps within them."""

from __future__ import annotations

from typing import Final


class Watch:
    """Receives progress, and ignores it; a progress bar is a Watch that shows it."""

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase of `total` steps (None: unknown); a known name resumes its phase."""

    def advance(self, steps: int = 1) -> None:
        """Add steps to the current phase."""

    def note(self, what: str) -> None:
        """Show a word on how it goes."""

    def __repr__(self) -> str:
        return "UNWATCHED"


UNWATCHED: Final = Watch()
"""Ignores all progress."""
