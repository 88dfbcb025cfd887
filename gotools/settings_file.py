"""Settings of a job (gotools/settings.py) in a TOML file: the key of a setting is its option, with _ or -."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, get_args

from gotools.errors import ConfigError, GotoolsError, nearest, quoted, shown
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_bytes
from gotools.settings import SettingError, Settings, described

Kept = TypeVar("Kept", bound=Settings)


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A table of settings, and where its keys stand.

    table -- values as TOML writes them, by key
    path  -- its name in messages; "" where no file has been read; text -- what the file holds
    """

    table: Mapping[str, Any]
    path: str = ""
    text: str = ""

    def place(self, key: str) -> str:
        """Return what precedes a message about a key: "match.toml:3: ", without a file nothing."""
        for number, line in enumerate(self.text.splitlines(), 1):
            typed = re.escape(key).replace(r"\-", "-").replace("_", "[-_]")
            if re.match(rf"""\s*(\[\[?\s*)?["']?{typed}["']?\s*[=.\]]""", line):
                return f"{self.path}:{number}: "
        return self.path and f"{self.path}: "

    def values(self, kind: type[Settings]) -> dict[str, Any]:
        """Return the values of settings of a class, by their names. Raises ConfigError, which names the place."""
        known = {key_of(one.name, about.options): (one.name, about, type_) for one, about, type_ in described(kind)}
        values: dict[str, Any] = {}
        for key, value in self.table.items():
            found = known.get(key.replace("-", "_"))
            if found is None:
                raise ConfigError(f"{self.place(key)}there is no setting {quoted(key)}{nearest(key, list(known))}")
            name, about, type_ = found
            try:
                values[name] = (about.read or _plain(type_))(value)
            except (GotoolsError, TypeError, ValueError) as error:
                raise ConfigError(f"{self.place(key)}{key}: {error}") from error
        return values

    def settings(self, kind: type[Kept], given: Mapping[str, Any] | None = None) -> Kept:
        """Return settings of a class, those that are `given` (by their names) in place of the table's.

        Raises ConfigError for a value of the table, SettingError for one that is given.
        """
        given = given or {}
        values = self.values(kind)
        try:
            return kind(**{**values, **given})
        except SettingError as error:
            if error.name not in values or error.name in given:
                raise
            (options,) = (about.options for one, about, _ in described(kind) if one.name == error.name)
            key = key_of(error.name, options)
            raise ConfigError(f"{self.place(key)}{key}: {error.worded(str)}") from error

    def with_table(self, table: Mapping[str, Any]) -> SettingsFile:
        """Return the same file with another table."""
        return replace(self, table=table)


def read_settings_file(path: str) -> SettingsFile:
    """Read a file of TOML. Raises ConfigError for what is not TOML, FileFormatError if it cannot be read."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8")
        return SettingsFile(tomllib.loads(text), path, text)
    except ValueError as error:  # of TOML, of UTF-8, of numbers with thousands of digits
        if kind_of(head := data[:FIRST_BYTES]) not in (Kind.settings, Kind.text, Kind.script):
            raise wrong_kind(path, head, "settings in TOML") from error
        raise ConfigError(f"{path}: not TOML: {shown(error, 200)}") from error


def key_of(name: str, options: tuple[str, ...]) -> str:
    """Return the key of a setting: its option as it is typed in full, --time-budget as time_budget."""
    typed = max(options, key=len, default=name).split("/")[0]
    return typed.lstrip("-").replace("-", "_")


def _plain(type_: Any) -> Callable[[Any], Any]:
    """Return what makes a value of a setting's type from one of TOML, where they differ."""

    def convert(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(convert, value))
        whole = isinstance(value, int) and not isinstance(value, bool)
        kinds = (type_, *get_args(type_))
        return float(value) if whole and float in kinds and int not in kinds else value

    return convert
