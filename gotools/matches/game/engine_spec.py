"""An engine as a tournament names it: a command line, or a short description of a player of our own."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from gotools.base.errors import ConfigError, GotoolsError, quoted, shown
from gotools.engines.settings import PlayerSettings
from gotools.files.settings_file import option_words, read_words
from gotools.game.table import USUAL
from gotools.gtp_client.bridged import bridge_words, is_bridged, program_behind, with_options

BUILT_IN: Final = "gotools"
_NAMED: Final = re.compile(r"([\w.+@-]+)=(\s*\S.*)", re.DOTALL)
LONGEST_NAME: Final = 64


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine.

    command -- as typed in a shell (without running one), or a description such as
        gotools:rules=rules.so,search=alphabeta; or an engine that speaks USI, usi:COMMAND
    startup -- GTP commands sent once after the start
    folder  -- the process's working folder; environment -- added to ours
    seed    -- whether to send set_random_seed with the seed of each game, if it knows that command
    game    -- the game that a player of our own has to play
    """

    name: str
    command: str
    startup: tuple[str, ...] = ()
    folder: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    seed: bool = True
    game: str = USUAL

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        if _is_built_in(self.command):
            return _expand(self.command, self.game)
        if is_bridged(self.command):
            return bridge_words(self.command, "" if self.game == USUAL else self.game)
        return shlex.split(self.command)

    def identity(self) -> dict[str, Any]:
        """Return the settings, as values of JSON."""
        return {
            "name": self.name,
            "command": self.command,
            "startup": list(self.startup),
            "folder": self.folder,
            "environment": dict(self.environment),
            "seed": self.seed,
        }


def engine_of_text(text: str, unnamed: str = "") -> EngineSpec:
    """Read NAME=COMMAND, or a COMMAND, whose name is `unnamed` or else that of its program. Raises ConfigError."""
    found = None if _is_built_in(text) else _NAMED.fullmatch(text)
    name, command = (found[1], found[2]) if found else ("", text)
    return _checked(EngineSpec(name or unnamed or _own_name(command), command.strip()))


def engine_of_table(table: Mapping[str, Any], unnamed: str = "") -> EngineSpec:
    """Read a table of a file; names as in `engine_of_text`. Raises ConfigError."""
    command = table.get("command")
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        command = shlex.join(command)
    startup, environment = table.get("startup", []), table.get("environment", {})
    name, folder, seed = table.get("name", ""), table.get("folder"), table.get("seed", True)
    if not isinstance(command, str) or not command.strip():
        raise ConfigError("engine: command is missing; write the program and its arguments")
    if not isinstance(name, str) or not isinstance(folder, str | None) or not isinstance(seed, bool):
        raise ConfigError("engine: name and folder are texts, seed is true or false")
    if not isinstance(startup, list) or not all(isinstance(line, str) and line.isprintable() for line in startup):
        raise ConfigError("engine: startup is a list of GTP commands")
    if not isinstance(environment, dict) or not all(isinstance(value, str) for value in environment.values()):
        raise ConfigError("engine: environment is a table of texts")
    pairs = tuple((str(key), value) for key, value in environment.items())
    command = _with_options(command.strip(), table.get("options", {}))
    name = name or unnamed or _own_name(command)
    return _checked(EngineSpec(name, command.strip(), tuple(startup), folder, pairs, seed))


def _with_options(command: str, options: object) -> str:
    """Return a command with the table of options of an engine that speaks USI. Raises ConfigError."""
    if not isinstance(options, dict) or not all(
        isinstance(value, str | bool | int | float) and str(value).isprintable() for value in options.values()
    ):
        raise ConfigError("engine: options is a table of texts, numbers, true and false")
    if not all(key and key.isprintable() and "=" not in key for key in options):
        raise ConfigError("engine: the names of options are printable, and without =")
    if options and not is_bridged(command):
        raise ConfigError("engine: options are for engines that speak USI, usi:COMMAND")
    return with_options(command, options) if options else command


def _checked(spec: EngineSpec) -> EngineSpec:
    if not spec.name.isprintable() or not 1 <= len(spec.name) <= LONGEST_NAME:
        raise ConfigError(f"engine: {quoted(spec.name)} is not a name: 1 to {LONGEST_NAME} printable characters")
    try:
        words = spec.words
    except ValueError as error:
        raise ConfigError(f"engine {spec.name}: the command cannot be split into words: {shown(error, 200)}") from error
    if not words or not words[0] or (is_bridged(spec.command) and not program_behind(spec.command)):
        raise ConfigError(f"engine {spec.name}: an empty command")
    return spec


def _own_name(command: str) -> str:
    if _is_built_in(command):
        return command[:64]
    if is_bridged(command):
        return PurePath(program_behind(command)).name
    words = command.split()
    return PurePath(words[0]).name if words else ""


def _is_built_in(command: str) -> bool:
    return command == BUILT_IN or command.startswith(BUILT_IN + ":")


def _expand(text: str, game: str) -> list[str]:
    """Return the command of a description: our own interpreter with `gotools gtp`. Raises ConfigError."""
    try:
        settings = read_words(PlayerSettings, _settings(text.removeprefix(BUILT_IN).removeprefix(":")))
    except GotoolsError as error:
        raise ConfigError(f"engine {shown(text)}: {error}") from error
    game_words = [] if game == USUAL else ["--game", game]
    return [sys.executable, "-m", "gotools", "gtp", "--quiet", *game_words, *option_words(settings)]


def _settings(text: str) -> list[str]:
    """Split a description at its commas; numbers alone belong to the list of widths before them."""
    found = list[str]()
    for part in filter(None, text.split(",")):
        if part.isdecimal() and found and found[-1].startswith("width="):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found
