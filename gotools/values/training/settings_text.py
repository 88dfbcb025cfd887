"""The settings of a training in a file: TOML that a user writes, or those that weights were learned with."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final

from gotools.base.errors import GotoolsError
from gotools.base.settings import described
from gotools.files.settings_file import SettingsFile, read_settings_file
from gotools.values.methods import AnyTraining
from gotools.values.settings import TrainingSettings
from gotools.values.weights.weights_file import Setting, load_weights

_OF_FILES: Final = ("records", "rules", "start")
"""Settings that name files: weights keep a digest of what these hold."""


def read_training_settings(given: Mapping[str, Any], output: str, path: str | None, resume: bool) -> SettingsFile:
    """Return the settings of a file in TOML; without it, and without settings, those of the run to resume.

    Raises ConfigError for a file that is not TOML, FileFormatError for one that cannot be read, and GotoolsError where
    the run needs a file that is not given.
    """
    if path is not None:
        return read_settings_file(path)
    others = {name for name, value in given.items() if value is not None} - {*TrainingSettings.RUN, *_OF_FILES, "size"}
    if not resume or others or not os.path.exists(output):
        return SettingsFile({})
    known = load_weights(output).settings
    for name in _OF_FILES:
        if name in known and given.get(name) is None:
            raise GotoolsError(f"{output}: learned with --{name}; give it again, the weights keep only a digest of it")
    return SettingsFile(_settings(known), output)


def _settings(known: Mapping[str, Setting]) -> dict[str, Setting]:
    keys = {about.key(one.name) for one, about, _ in described(AnyTraining)} - {*_OF_FILES}
    return {name: value for name, value in known.items() if name in keys}


def toml_of(known: Mapping[str, Setting]) -> str:
    """Return the settings of weights as TOML; those that name files are comments, since their names are not kept."""
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in _settings(known).items()]
    lines += [f"# {name} = the file with the digest {known[name]}\n" for name in _OF_FILES if name in known]
    return "".join(lines)
