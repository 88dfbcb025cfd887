"""Use a compiled file of rules (`gotools compile-patterns -o rules.so`) from Python.

Such a file is a program: loading it runs it. Only files with our marker are loaded.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, shown
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_bytes
from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Rule, RuleSet, check_digest, parse_body
from gotools.rules.compiled.c_source import ABI
from gotools.rules.compiled.move_source import ABI as MOVE_ABI
from gotools.rules.weigh.accuracy import Choices
from gotools.rules.weigh.firing import FiringTable

_RULES_OF_A_POINT = 30
"""That may fire before the call is made again with more room."""

_TITLE = re.compile(rb"/\* ([0-9,]{1,15}) rules? of gotools as C")
_MARKER_IN_C = re.compile(rb'gotools-rules abi=(\d{1,9}) digest=([0-9a-f]{64})(?:" "\\0sizes=(\d{1,2}-\d{1,2}))?')
_MARKER = re.compile(rb"gotools-rules abi=(\d{1,9}) digest=([0-9a-f]{64})\0(?:sizes=(\d{1,2}-\d{1,2})\0)?")


_MOVE_MARKER = re.compile(
    rb"gotools-move-rules abi=(\d{1,9}) game=([a-z][a-z0-9_-]{0,30}) vocabulary=(\d{1,9}) digest=([0-9a-f]{64})"
)


class Position(ctypes.Structure):
    """gotools_position of gotools_rules.h."""

    _fields_ = (
        ("board", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("to_play", ctypes.c_int32),
        ("ko", ctypes.c_int32),
        ("last", ctypes.c_int32),
        ("last2", ctypes.c_int32),
    )


class Positions(ctypes.Structure):
    """gotools_positions of gotools_rules.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("count", "stride")),
        *((name, ctypes.c_void_p) for name in ("board", "size", "to_play", "ko", "last", "last2")),
    )


class RankingArrays(ctypes.Structure):
    """gotools_ranking of gotools_rules.h."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("first", "point", "score", "fired", "best", "at", "rule")),
        *((name, ctypes.c_int64) for name in ("room", "rows", "chosen")),
    )


class Boards(Protocol):
    """Positions in arrays: Points, Examples."""

    @property
    def board(self) -> NDArray[np.uint8]: ...
    @property
    def size(self) -> NDArray[np.uint8]: ...
    @property
    def to_play(self) -> NDArray[np.uint8]: ...
    @property
    def ko(self) -> NDArray[np.int16]: ...
    @property
    def last(self) -> NDArray[np.int16]: ...
    @property
    def last2(self) -> NDArray[np.int16]: ...


@dataclass(frozen=True, slots=True, eq=False)
class RankedPoints:
    """The legal points of m positions in n rows, and the b best of them.

    first -- int64[m + 1]: the rows of position k are first[k] .. first[k+1]-1
    point -- int16[n]; score -- float64[n]
    fired -- bool[m]: whether a rule fires at a legal point
    best  -- int64[b]: rows of the highest scores of each position, the highest first, equal ones by point
    at, rule -- rules rule[at[j] : at[j+1]] fire at best[j]
    """

    first: NDArray[np.int64]
    point: NDArray[np.int16]
    score: NDArray[np.float64]
    fired: NDArray[np.bool_]
    best: NDArray[np.int64]
    at: NDArray[np.int64]
    rule: NDArray[np.uint16]


class NativeRules:
    """A loaded library: `rules` as they were compiled (without P and N, which are 0), `digest`, and the matcher."""

    def __init__(self, library: ctypes.CDLL, path: str, digest: str, header: dict[str, str] | None = None) -> None:
        self.path, self.digest = path, digest
        self._library = library
        for name in ("score", "hits"):
            function = getattr(library, f"gotools_rules_{name}")
            function.restype = ctypes.c_int32
            function.argtypes = [ctypes.POINTER(Position), ctypes.c_void_p, *[ctypes.c_void_p] * (name == "hits")]
        library.gotools_rules_rank.restype = ctypes.c_int64
        library.gotools_rules_rank.argtypes = [ctypes.POINTER(Positions), ctypes.c_int32, ctypes.POINTER(RankingArrays)]
        library.gotools_rules_id.restype = library.gotools_rules_clause.restype = ctypes.c_char_p
        library.gotools_rules_weight.restype = ctypes.c_double
        rules = tuple(self._rule(k, path) for k in range(library.gotools_rules_count()))
        self.rules = RuleSet(rules, header or {})

    def _rule(self, number: int, path: str) -> Rule:
        name, clause = (
            text(number).decode("ascii", "replace")
            for text in (self._library.gotools_rules_id, self._library.gotools_rules_clause)
        )
        body = parse_body(clause, path, number + 1)
        return Rule(name, body, 0, 0, float(self._library.gotools_rules_weight(number)))

    def __repr__(self) -> str:
        return f"NativeRules({self.path!r}, {self.rules!r})"

    @property
    def address(self) -> int:
        """The address of gotools_rules_score, valid as long as this object lives."""
        return ctypes.cast(self._library.gotools_rules_score, ctypes.c_void_p).value or 0

    def score(self, points: Points) -> NDArray[np.float64]:
        """Return float64[positions, cells]: every point's score, -inf where no move is legal.

        points -- only their positions are used

        Raises ValueError for an invalid position (a cell, colour or point out of range).
        """
        board = np.ascontiguousarray(points.board)
        out = np.full(board.shape, -np.inf)
        for k in range(len(board)):
            position = self._position(points, board, k)
            if self._library.gotools_rules_score(ctypes.byref(position), out[k].ctypes.data) < 0:
                raise ValueError(f"invalid position: row {k}")
        return out

    def hits(self, points: Points, row: int) -> NDArray[np.bool_]:
        """Return bool[rules, size * size]: where the rules fire in one of the positions.

        Raises ValueError for an invalid position.
        """
        board = np.ascontiguousarray(points.board)
        cells = int(points.size[row]) ** 2
        score, hits = np.empty(cells), np.zeros((len(self.rules.rules), cells), np.uint8)
        position = self._position(points, board, row)
        if self._library.gotools_rules_hits(ctypes.byref(position), score.ctypes.data, hits.ctypes.data) < 0:
            raise ValueError(f"invalid position: row {row}")
        return hits.view(np.bool_)

    def match(self, choices: Choices) -> FiringTable:
        """Return which rules fire at each of the moves. Raises ValueError for an invalid position."""
        parts = [FiringTable.of([], 0)]
        for k in range(len(choices)):
            mine = slice(choices.first[k], choices.first[k + 1])
            hits = self.hits(choices.points, k)[:, choices.points.point[mine]]
            row, rule = np.nonzero(hits.T)
            at = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=hits.shape[1]))]).astype(np.int64)
            parts.append(FiringTable(at, rule.astype(np.int16)))
        return FiringTable.concat(parts)

    def rank(self, boards: Boards, top: int) -> RankedPoints:
        """Return the scores of all legal points, and for the `top` highest of each position the rules that fire.

        Raises ValueError for an invalid position.
        """
        types = np.uint8, np.uint8, np.uint8, np.int16, np.int16, np.int16
        columns = boards.board, boards.size, boards.to_play, boards.ko, boards.last, boards.last2
        given = [np.ascontiguousarray(column, kind) for column, kind in zip(columns, types, strict=True)]
        cells = given[1].astype(np.int64) ** 2
        count, rows, chosen = len(cells), int(cells.sum()), int(np.minimum(cells, top).sum())
        first, best, at = (np.empty(many, np.int64) for many in (count + 1, chosen, chosen + 1))
        point, score, fired = np.empty(rows, np.int16), np.empty(rows), np.empty(count, np.uint8)
        positions = Positions(count, given[0].strides[0], *(column.ctypes.data for column in given))
        room = chosen * _RULES_OF_A_POINT
        while True:
            rule = np.empty(room, np.uint16)
            arrays = (first, point, score, fired, best, at, rule)
            ranking = RankingArrays(*(array.ctypes.data for array in arrays), room)
            done = self._library.gotools_rules_rank(ctypes.byref(positions), top, ctypes.byref(ranking))
            if done < 0:
                raise ValueError(f"invalid position: row {-1 - done}")
            rows, chosen, room = ranking.rows, ranking.chosen, int(at[ranking.chosen])
            if room <= len(rule):
                best, at, rule = best[:chosen], at[: chosen + 1], rule[:room]
                return RankedPoints(first, point[:rows], score[:rows], fired.view(np.bool_), best, at, rule)

    @staticmethod
    def _position(points: Points, board: NDArray[np.uint8], k: int) -> Position:
        return Position(
            board.ctypes.data + k * board.strides[0],
            int(points.size[k]),
            int(points.to_play[k]),
            int(points.ko[k]),
            int(points.last[k]),
            int(points.last2[k]),
        )


def is_library(path: str | Path) -> bool:
    """Return whether a file is a shared library (ELF, Mach-O, PE), by its first bytes."""
    try:
        with open(path, "rb") as file:
            head = file.read(4)
    except OSError:
        return False
    magic = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
    return head in magic or head[:2] == b"MZ"


def _is_cut(data: bytes) -> bool:
    """Return whether an ELF file of 64 bits is shorter than its headers say: to load it would end the process."""
    if data[:4] != b"\x7fELF":
        return False
    if len(data) < 64:
        return True
    if data[4:6] != b"\x02\x01":  # of 32 bits, or big-endian
        return False
    sections, size, many = int.from_bytes(data[40:48], "little"), data[58:60], data[60:62]
    return sections + int.from_bytes(size, "little") * int.from_bytes(many, "little") > len(data)


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a compiled file of rules says of itself: the boards the rules were learned on, and in C how many they are.

    Empty where it does not say. vocabulary -- the version of that of another game than Go
    """

    abi: int
    digest: str
    sizes: str
    rules: str
    game: str = USUAL
    vocabulary: int = 1


def read_compiled(path: str | Path) -> Compiled:
    """Read what a library or C source of rules says of itself; nothing is loaded.

    Raises FileFormatError for a file without our marker.
    """
    data = read_bytes(path)
    title = _TITLE.search(data[:FIRST_BYTES])
    rules = title[1].decode() if title else ""
    if found := _MOVE_MARKER.search(data):
        return Compiled(int(found[1]), found[4].decode(), "", rules, found[2].decode(), int(found[3]))
    found = (_MARKER_IN_C if title else _MARKER).search(data)
    if found is None:
        what = "without rules compiled by gotools"
        raise FileFormatError(path, None, f"{kind_of(data[:FIRST_BYTES])} {what}")
    return Compiled(int(found[1]), found[2].decode(), (found[3] or b"").decode(), rules)


class MoveLibrary:
    """A loaded library of rules of another game than Go: `rules` as they were compiled, and the functions."""

    def __init__(self, library: ctypes.CDLL, path: str, game: str) -> None:
        self.path, self.library = path, library
        library.gotools_move_rules_id.restype = library.gotools_move_rules_clause.restype = ctypes.c_char_p
        library.gotools_move_rules_weight.restype = ctypes.c_double
        found = []
        for number in range(library.gotools_move_rules_count()):
            clause = library.gotools_move_rules_clause(number).decode("ascii", "replace")
            name = library.gotools_move_rules_id(number).decode("ascii", "replace")
            weight = float(library.gotools_move_rules_weight(number))
            found.append(Rule(name, parse_body(clause, path, number + 1, game), 0, 0, weight, game))
        self.rules = RuleSet(tuple(found), {"game": game})


def load_native(path: str | Path, digest: str | None = None) -> NativeRules:
    """Load a compiled file of rules of Go, as `load_compiled` does."""
    found = load_compiled(path, digest)
    if isinstance(found, MoveLibrary):
        raise FileFormatError(path, None, f"rules of {found.rules.game}, not of {USUAL}")
    return found


def load_compiled(path: str | Path, digest: str | None = None) -> NativeRules | MoveLibrary:
    """Load a compiled file of rules.

    digest -- that it must have (or begin with), if given

    Raises FileFormatError for a file that is not such a library, has another ABI or version of the vocabulary, or holds
    other rules; it is not loaded then.
    """
    data = read_bytes(path)
    if _MARKER.search(data) is None and _MOVE_MARKER.search(data) is None:
        head = data[:FIRST_BYTES]
        if kind_of(head) is not Kind.library:
            raise wrong_kind(path, head, "compiled rules")
        raise FileFormatError(path, None, "a library without rules compiled by gotools")
    found = read_compiled(path)
    _check(found, path)
    check_digest(found.digest, digest, path)
    if _is_cut(data):
        raise FileFormatError(path, None, "is cut off: compile anew")
    try:
        library = ctypes.CDLL(str(Path(path).resolve()))
        if found.game != USUAL:
            return MoveLibrary(library, str(path), found.game)
        return NativeRules(library, str(path), found.digest, {"sizes": found.sizes} if found.sizes else None)
    except (OSError, AttributeError) as error:
        raise FileFormatError(path, None, f"cannot be loaded: {shown(error, 200)}") from error


def _check(found: Compiled, path: str | Path) -> None:
    """Raise FileFormatError for compiled rules of another interface, or of a vocabulary that is not known."""
    try:
        vocabulary = vocabulary_of(found.game)
    except GotoolsError as error:
        raise FileFormatError(path, None, str(error)) from error
    abi = ABI if vocabulary.points else MOVE_ABI
    if found.abi != abi:
        raise FileFormatError(path, None, f"compiled for ABI {found.abi}; this program uses {abi}: compile anew")
    if found.vocabulary != vocabulary.version:
        what = f"compiled for version {found.vocabulary} of the vocabulary of {found.game}"
        raise FileFormatError(path, None, f"{what}; this program has {vocabulary.version}: compile anew")
