"""Learned values by what a user calls them: a file, or `default` for the network of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gotools.learn.weights.evaluator import Evaluator, load_evaluator

NONE: Final = "none"
"""No rules, no learned values."""
DEFAULT: Final = "default"
"""The network of the package; a file of that name is ./default."""
DEFAULT_WEIGHTS: Final = Path(__file__).parent / "default" / "go9.npz"
"""That network: it learned on 9x9 (default/README.md)."""


def find_evaluator(name: str, game: str) -> Evaluator:
    """Return the learned values of a file, or those of the package, for a game.

    Raises FileFormatError for weights of another game, and for a file without weights.
    """
    return load_evaluator(DEFAULT_WEIGHTS if name == DEFAULT else name, game)
