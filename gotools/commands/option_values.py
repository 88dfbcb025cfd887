"""Read the values of options, and refuse wrong ones in words of our own, with the range or the nearest choice.

The functions here make parsers for `typer.Option(parser=...)`. The parser's own messages are those of its libraries.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import typer


def whole_number(low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """Return a parser of whole numbers from `low` to `high` (None: without end)."""

    def read(text: str) -> int:
        try:
            value: int | None = int(str(text))
        except ValueError:
            value = None
        if value is None or _is_outside(value, low, high):
            raise typer.BadParameter(f"{_shown(text)} is not a whole number {_range(low, high)}".rstrip())
        return value

    return read


def number(low: float | None = None, high: float | None = None) -> Callable[[str], float]:
    """Return a parser of finite numbers from `low` to `high` (None: without end)."""

    def read(text: str) -> float:
        try:
            value = float(str(text))
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or _is_outside(value, low, high):
            raise typer.BadParameter(f"{_shown(text)} is not a number {_range(low, high)}".rstrip())
        return value

    return read


def choice(names: Sequence[str]) -> Callable[[str], str]:
    """Return a parser of one of some names."""

    def read(text: str) -> str:
        if text not in names:
            from gotools.tournament.config import nearest

            raise typer.BadParameter(f"{_shown(text)} is not known{nearest(text, names)}")
        return text

    return read


def _is_outside(value: float, low: float | None, high: float | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)


def _range(low: float | None, high: float | None) -> str:
    if high is None:
        return "" if low is None else f"from {low:,.10g} on"
    return f"up to {high:,.10g}" if low is None else f"from {low:,.10g} to {high:,.10g}"


def _shown(text: object, longest: int = 40) -> str:
    """Return a text in quotation marks, cut where it is long."""
    shown = str(text)
    return repr(shown if len(shown) <= longest else shown[: longest - 3] + "...")
