"""Copies of the weights that a training keeps beside its file, named by its games: eval-000250000.npz."""

from __future__ import annotations

import os
import re

from gotools.errors import GotoolsError, printable
from gotools.learn.weights.weights_file import Weights, load_weights, save_weights, weights_bytes


class Copies:
    """Copies of the weights of one training.

    output -- the file of the training; every -- games from one copy to the next

    They hold no memory of the training, which is two thirds of a file of shapes, half of one of n-tuples.
    """

    def __init__(self, output: str, every: int) -> None:
        self._folder, name = os.path.split(output)
        packed = ".gz" if name.endswith(".gz") else ""
        self._stem, ending = os.path.splitext(name.removesuffix(packed))
        self._ending = ending + packed
        self._every = every

    def name(self, games: int) -> str:
        """Return the name of the copy of so many games."""
        return os.path.join(self._folder, f"{self._stem}-{games:09d}{self._ending}")

    def due(self, before: int, after: int) -> bool:
        """Return whether a multiple of the games between two copies lies in a batch that began and ended there."""
        return before // self._every < after // self._every

    def check_none(self) -> None:
        """Raise GotoolsError if there are copies already."""
        pattern = re.compile(re.escape(self._stem) + r"-\d{9,}" + re.escape(self._ending))
        found = sorted(name for name in os.listdir(self._folder or ".") if pattern.fullmatch(name))
        if found:
            path = printable(os.path.join(self._folder, found[0]))
            raise GotoolsError(f"{path} exists, of another training; move it away, or name another file for -o")

    def add(self, weights: Weights) -> None:
        """Write a copy; one that a resumed training left already stays.

        Raises GotoolsError if there is a file of that name with anything else in it.
        """
        path = self.name(weights.games)
        if not os.path.exists(path):
            save_weights(path, weights)
        elif weights_bytes(load_weights(path)) != weights_bytes(weights):
            what = "holds other weights than this training has after so many games"
            raise GotoolsError(f"{printable(path)}: {what}; move it away, and --resume goes on after this copy")
