"""Recipes of trainings under examples/training: the commands of their Makefiles, and their scripts as modules."""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from support.needs import ROOT

TRAINING = ROOT / "examples/training"
ABALONE = TRAINING / "abalone"


def load(name: str, folder: Path = TRAINING) -> ModuleType:
    """Import a script of a folder."""
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


@cache
def commands(target: str, folder: Path = TRAINING, between: str = r"&&|;|\{") -> list[list[str]]:
    """Return the words of each command that a folder's Makefile would run for a target.

    between -- a pattern of what stands between the commands of a line
    """
    done = subprocess.run(
        ["make", "-n", "-C", str(folder), target, "OUT=none", "GOTOOLS=gotools", "PYTHON=python"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    text = done.stdout.replace("\\\n", " ")
    return [shlex.split(part) for line in text.splitlines() for part in re.split(between, line) if part.strip()]
