"""Settings of a job (gotools/base/settings.py) in a TOML file or a line of words: the key of a setting is its option.

A key may be written with _ or -.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_args

from gotools.base.errors import ConfigError, GotoolsError, nearest, quoted, shown
from gotools.base.settings import SettingError, Settings, default_of, described
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_bytes

Kept = TypeVar("Kept", bound=Settings)
YES_NO: Final = {"yes": True, "no": False}


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
        known = {about.key(one.name): (one.name, about, type_) for one, about, type_ in described(kind)}
        values: dict[str, Any] = {}
        for key, value in self.table.items():
            check_keys([key.replace("-", "_")], known, self.place(key))
            name, about, type_ = known[key.replace("-", "_")]
            try:
                values[name] = (about.read or _plain(type_))(value)
            except ConfigError as error:  # names its key
                raise ConfigError(f"{self.place(key)}{error}") from error
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
            (key,) = (about.key(one.name) for one, about, _ in described(kind) if one.name == error.name)
            raise ConfigError(f"{self.place(key)}{key}: {error.worded(str)}") from error


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


def check_keys(table: Iterable[str], known: Collection[str], place: str = "") -> None:
    """Raise ConfigError, which begins with the place, for a key that is not known; it offers the nearest."""
    for key in table:
        if key not in known:
            raise ConfigError(f"{place}there is no setting {quoted(key)}{nearest(key, list(known))}")


def _plain(type_: Any) -> Callable[[Any], Any]:
    """Return what makes a value of a setting's type from one of TOML, where they differ."""

    def convert(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(convert, value))
        whole = isinstance(value, int) and not isinstance(value, bool)
        kinds = (type_, *get_args(type_))
        return float(value) if whole and float in kinds and int not in kinds else value

    return convert


# a line of words ------------------------------------------------------------------------------------------------------


def read_words(kind: type[Kept], words: Iterable[str]) -> Kept:
    """Return settings from words KEY=VALUE: "depth=4", "selective=yes". Raises ConfigError."""
    types = {about.key(one.name): type_ for one, about, type_ in described(kind)}
    table: dict[str, Any] = {}
    for word in words:
        key, _, value = word.partition("=")
        if not value:
            raise ConfigError(f"{quoted(word)} is not KEY=VALUE")
        type_ = types.get(key.replace("-", "_"), str)
        kinds = {type_, *get_args(type_)}
        if bool in kinds and value not in YES_NO:
            raise ConfigError(f"{key}: {quoted(value)} is neither yes nor no")
        table[key] = YES_NO[value] if bool in kinds else _number_of(value, kinds)
    return SettingsFile(table).settings(kind)


def _number_of(text: str, kinds: Collection[Any]) -> Any:
    """Return a text as a number where its setting takes numbers; as it is where it is not a number."""
    for kind in (int, float):
        if kind in kinds:
            with suppress(ValueError):
                return kind(text)
    return text


def option_words(settings: Settings) -> list[str]:
    """Return the options of a command line that say what is not the default: ["--depth", "4", "--no-selective"]."""
    words: list[str] = []
    for one, about, _ in described(type(settings)):
        value, name = getattr(settings, one.name), about.key(one.name).replace("_", "-")
        if value == default_of(one):
            continue
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name}", ",".join(map(str, value)) if isinstance(value, tuple) else str(value)]
    return words
