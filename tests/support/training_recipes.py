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
from typing import Any

import typer
from support.needs import ROOT

from gotools.cli import app
from gotools.commands.options import is_typed
from gotools.values.methods import AnyTraining

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
def train_eval() -> Any:
    """Return the parser of train-eval, which takes a tenth of a second to make."""
    return typer.main.get_command(app).commands["train-eval"]  # type: ignore[attr-defined]


def given(words: list[str]) -> dict[str, Any]:
    """Return the settings that the words of a train-eval command give, by name; raises where gotools refuses them."""
    context = train_eval().make_context("train-eval", words)
    return {name: context.params[name] for name in AnyTraining.__dataclass_fields__ if is_typed(context, name)}


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
