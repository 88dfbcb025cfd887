"""Say how long work goes on: the phase that it is in, by name, and steps within it."""

from __future__ import annotations

from typing import Final, Protocol


class Watch(Protocol):
    """Is told how work goes; a progress bar is one."""

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase of so many steps (None: nobody knows); a name that was there before is taken up again."""

    def advance(self, steps: int = 1) -> None:
        """Add steps to the phase at hand."""


class _Nobody:
    def phase(self, name: str, total: int | None = None) -> None:
        pass

    def advance(self, steps: int = 1) -> None:
        pass


UNWATCHED: Final[Watch] = _Nobody()
"""Watches nothing."""
