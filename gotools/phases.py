"""Progress of long work: named phases, and steps within them."""

from __future__ import annotations

from typing import Final, Protocol


class Watch(Protocol):
    """Receives progress; a progress bar is one."""

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase of `total` steps (None: unknown); a known name resumes its phase."""

    def advance(self, steps: int = 1) -> None:
        """Add steps to the current phase."""

    def note(self, what: str) -> None:
        """Show a word on how it goes."""


class _Silent:
    def __repr__(self) -> str:
        return "UNWATCHED"

    def phase(self, name: str, total: int | None = None) -> None:
        pass

    def advance(self, steps: int = 1) -> None:
        pass

    def note(self, what: str) -> None:
        pass


UNWATCHED: Final[Watch] = _Silent()
"""Ignores all progress."""
