"""Match rules with the legal moves of positions, by the kernels or by a compiled library, with the same results."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gotools.base.errors import GotoolsError
from gotools.files.opening import STDIN
from gotools.game.game import vocabulary_of
from gotools.games.go.board import legal_points
from gotools.rules.clauses.background import Background, load_background
from gotools.rules.clauses.rules import RuleSet, check_digest, game_of_lines, read_rules, rule_lines
from gotools.rules.compiled.build import LIBRARIES, build_library
from gotools.rules.compiled.c_source import c_source
from gotools.rules.compiled.native import MoveLibrary, Position, is_library, load_compiled
from gotools.rules.weigh.accuracy import Choices, one_choice
from gotools.rules.weigh.firing import FiringTable, firing_of


class Matcher(Protocol):
    """Rules, and a way to find where they fire."""

    @property
    def rules(self) -> RuleSet: ...

    def match(self, choices: Choices) -> FiringTable:
        """Return which rules fire at each of the moves."""


class Interpreted:
    """Rules as the kernels read them, a user's predicates (`background`) among them."""

    def __init__(self, rules: RuleSet, background: Background | None = None) -> None:
        self.rules = rules
        self.background = background

    def __repr__(self) -> str:
        return f"Interpreted({self.rules!r})"

    def match(self, choices: Choices) -> FiringTable:
        return firing_of(self.rules.rules, choices.points, self.background)


def find_matcher(path: str, digest: str | None = None, background: str | None = None) -> Matcher:
    """Return the rules of a file, text or compiled library; those of other games than Go are matched by kernels.

    digest -- that the rules must have (or begin with), if given
    background -- a file of a user's predicates, for text only

    Raises FileFormatError for a file that is neither, or holds other rules than expected.
    """
    if path != STDIN and (is_library(path) or path.endswith(LIBRARIES)):
        if background is not None:
            raise GotoolsError(f"{path}: compiled rules cannot use a background file; give the rules.pl instead")
        found = load_compiled(path, digest)
        return Interpreted(found.rules) if isinstance(found, MoveLibrary) else found
    lines = rule_lines(path)
    own = None if background is None else load_background(background, game_of_lines(lines))
    rules = read_rules(lines, path, own.arities if own else None)
    check_digest(rules.digest, digest, path)
    return Interpreted(rules, own)


@contextmanager
def compiled(matcher: Matcher) -> Iterator[Matcher]:
    """Yield the same rules compiled, where there is a C compiler: several times as fast, with the same results.

    Other processes may load the library until the block ends; this one keeps it.
    """
    interpreted = isinstance(matcher, Interpreted) and not matcher.background and bool(matcher.rules.rules)
    if not interpreted or not vocabulary_of(matcher.rules.game).points:
        yield matcher
        return
    with tempfile.TemporaryDirectory(prefix="gotools-rules-") as folder:
        library = Path(folder, f"rules{LIBRARIES[0]}")
        found: Matcher = matcher
        with suppress(GotoolsError):
            build_library(c_source(matcher.rules, "rules"), library)
            found = find_matcher(str(library))
        yield found


# rules as a function of C ---------------------------------------------------------------------------------------------


_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(Position), ctypes.POINTER(ctypes.c_double))


class Callback:
    """Rules, not compiled, as a C function at `address` of the signature of gotools_rules_score, alive as long as this.

    So a search can use rules.pl as it uses rules.so, at some milliseconds a position. A failed call scores all moves
    alike, and `check` reports it.
    """

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
