"""Values of settings, checked: each reader returns the value, or raises ValueError with a message for the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gotools.errors import ConfigError, nearest, quoted, shown


def check_keys(table: Mapping[str, Any], known: Mapping[str, Any], place: str) -> None:
    """Raise ConfigError for a key that is not known, with the nearest one."""
    for key in table:
        if key not in known:
            raise ConfigError(f"{place}there is no setting {quoted(key)}{nearest(key, list(known))}")


def in_toml(value: object) -> str:
    """Return a value as TOML writes it, shortened if long."""
    return str(value).lower() if isinstance(value, bool) else shown(repr(value))


def whole(low: int, high: int) -> Callable[[Any], int]:
    """Return a reader of whole numbers in a range."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"{in_toml(value)} is not a whole number from {low} to {high}")
        return value

    return read


def number(low: float, high: float) -> Callable[[Any], float]:
    """Return a reader of numbers in a range."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"{in_toml(value)} is not a number from {low:g} to {high:g}")
        return float(value)

    return read


def one_of(choices: Sequence[str]) -> Callable[[Any], str]:
    """Return a reader of a text that is one of some."""

    def read(value: Any) -> str:
        if value not in choices:
            near = nearest(value, choices, "") if isinstance(value, str) else ""
            raise ValueError(f"{in_toml(value)} is not one of {', '.join(choices)}{near}")
        return str(value)

    return read


def text(value: Any) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{in_toml(value)} is not a text")
    return value


def flag(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{in_toml(value)} is neither true nor false")
    return value


def named(key: str, read: Callable[[Any], Any], value: Any) -> Any:
    """Read a value of a table; its error names the key."""
    try:
        return read(value)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from error
