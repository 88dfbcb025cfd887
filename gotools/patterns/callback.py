"""Rules as a C function without compiling them: a callback of the signature of gotools_rules_score.

The matcher interprets the rules in Python and kernels, a few milliseconds per position. So a search can use rules.pl in
the same way as rules.so.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from gotools.errors import GotoolsError
from gotools.go.board import legal_points
from gotools.patterns.compiled.native import Position
from gotools.patterns.matching import Matcher
from gotools.patterns.weigh.accuracy import one_choice

_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(Position), ctypes.POINTER(ctypes.c_double))


class Callback:
    """Keep the C function at `address` alive. A failed call scores all moves alike, and `check` reports it."""

    def __init__(self, matcher: Matcher) -> None:
        self._error: BaseException | None = None
        self._matcher = matcher
        self._weights = [rule.weight for rule in matcher.rules.rules]
        self._function: Any = _SIGNATURE(self._call)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def check(self) -> None:
        """Raise GotoolsError, once, if a call has failed since the last check."""
        error, self._error = self._error, None
        if isinstance(error, KeyboardInterrupt):
            raise error
        if error is not None:
            raise GotoolsError(f"the rules cannot be matched: {type(error).__name__}: {error}") from error

    def _call(self, position: Any, out: Any) -> int:
        try:
            return self._score(position.contents, out)
        except BaseException as error:  # it must not leave the C function; Ctrl-C too is raised by `check`
            self._error = self._error or error
            return -1

    def _score(self, position: Position, out: Any) -> int:
        size = int(position.size)
        cells = size * size
        board = np.ctypeslib.as_array(ctypes.cast(position.board, ctypes.POINTER(ctypes.c_uint8)), (cells,)).copy()
        legal = np.flatnonzero(legal_points(board, size, position.to_play, position.ko)).astype(np.int16)
        found = np.zeros(0)
        if len(legal):
            last = position.ko, position.last, position.last2
            found = self._matcher.match(one_choice(board, size, position.to_play, last, legal)).scores(self._weights)
        scores = np.ctypeslib.as_array(out, (cells,))  # written only now: an exception leaves the caller's zeros
        scores[:] = -np.inf
        scores[legal] = found
        return len(legal)
