"""The first node of every game in an SGF file; in the rest of a game only the brackets are read.

A bracket or semicolon inside a value means nothing, and a value ends at the first "]" with an even number of
backslashes before it. So from a place outside of any value, a later place is inside of one if and only if a "[" follows
the last such "]" between the two. That takes a search back and one forward instead of a scan of every byte: in
most games four characters are searched for, and eight times as many games are read as by a scan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from gotools.game.records.gogui import Seats, right_seats
from gotools.game.records.numbers import read_handicap, read_komi, remark, unset_remark
from gotools.game.table import GAMES, USUAL, game_of_sgf_number
from gotools.ratings.games import GameClass
from gotools.ratings.reading.ledger import Batch, Batches, Cache
from gotools.ratings.reading.line_blocks import Problem
from gotools.ratings.reading.result_text import ANOTHER_GAME, GAME_NAME, class_of, score_code

_VALUE: Final = rb"\[[^\]\\]*+(?:\\.[^\]\\]*+)*\]"
_START: Final = re.compile(rb"\(\s*+;")
_PROPERTY: Final = re.compile(rb"([A-Za-z]++)\s*+\[([^\]\\]*+(?:\\.[^\]\\]*+)*)\](?:\s*+" + _VALUE + rb")*", re.DOTALL)
_NODE: Final = re.compile(rb"(?:\s*+[A-Za-z]++\s*+" + _VALUE + rb"(?:\s*+" + _VALUE + rb")*)*\s*+", re.DOTALL)
_NO_STONES: Final = re.compile(
    rb"\s*+;\s*+(?:B\s*+" + _VALUE + rb"(?:\s*+(?!AB)[A-Z]++\s*+" + _VALUE + rb")*\s*+;\s*+)?W\s*+\[", re.DOTALL
)
"""After a root: white has the first or second move, and black sets no stones before."""
_REST_OF_VALUE: Final = re.compile(rb"[^\]\\]*+(?:\\.[^\]\\]*+)*\]", re.DOTALL)
_ROOT_AGAIN: Final = re.compile(rb"\(\s*+;\s*+(?:FF|GM|CA|AP|ST|SZ)\s*+\[")
"""The beginning of a game, even if the one before has not ended: variations cannot have these properties."""
_ROOT_LIKELY: Final = re.compile(rb"\(\s*+;\s*+(?:FF|GM|SZ|CA|AP|ST|EV|GN|P[BWC]|[BW]R|DT|KM|R[EUO]|US|SO|HA)\s*+\[")
"""The likely beginning of a game after one that cannot be read."""
_ESCAPE: Final = re.compile(rb"\\(\r\n|\n\r|.)", re.DOTALL)
_LINE_ENDS: Final = (b"\r\n", b"\n\r", b"\r", b"\n")
_LOOK_AHEAD: Final = 64
_LONGEST_ROOT: Final = 1 << 24
_NAME: Final = re.compile(rb"[A-Za-z]*+\s*+")
_BACKSLASH, _OPEN = ord("\\"), ord("[")
_GO: Final = (b"1", b"")
_OTHER_GAME: Final = b"\xff"
"""In place of a result; no UTF-8 has this byte."""


Root = tuple[bytes, bytes, bytes, float | None, bytes, bytes, bytes, bytes]
"""PB, PW, RE, points of komi, HA, SZ, GM, AP of a game; missing ones as in _DEFAULTS."""
_WANTED: Final = (b"PB", b"PW", b"RE", b"KM", b"HA", b"SZ", b"GM", b"RU", b"AP")
_DEFAULTS: Final = (b"", b"", b"", b"", b"", b"19", b"1", b"", b"")


def read_roots(
    parts: Iterable[bytes], problem: Problem, remarked: Problem = lambda line, what: None
) -> Iterator[list[Root]]:
    """Yield the roots of all games of a text in UTF-8, some at a time, without SGF's backslashes.

    problem, remarked -- called with line and text for a root that cannot be read, and for a KM not understood or a HA
        without stones

    A game counts as soon as its first node is whole: what follows may be cut short. Text between games is skipped,
    and so are values of a property after the first, and a repeated property.
    """
    scanner = _Scanner(problem, remarked)
    rest = b""
    new: list[bytes] = []
    for part in parts:
        new.append(part)
        if sum(map(len, new)) < len(rest):  # scanning a long rest again with each part would take quadratic time
            continue
        rest, roots = scanner.scan(b"".join([rest, *new]) if rest else part, False)
        new = []
        if roots:
            yield roots
    rest, roots = scanner.scan(b"".join([rest, *new]), True)
    if roots:
        yield roots
    if not scanner.found:
        problem(1, "holds no game: '(;' is not in it")


class _Scanner:
    """The state of the scan of a file between two parts of it.

    depth -- brackets open; 0 between games
    found -- whether there was any game
    """

    def __init__(self, problem: Problem, remarked: Problem) -> None:
        self.depth = 0
        self.found = False
        self._texts: Cache[bytes, bytes] = Cache(_unescaped)
        self._problem = problem
        self._remark = remarked
        self._komis: Cache[tuple[bytes, bytes, bytes], float | None] = Cache(self._komi)
        self._line, self._counted = 1, 0

    def scan(self, data: bytes, last: bool) -> tuple[bytes, list[Root]]:
        """Read the games of a text, from a place outside of any value; return the text to scan again, and roots."""
        roots: list[Root] = []
        position = 0
        while position < len(data):
            if self.depth:
                position, more = self._to_end(data, position, last)
            else:
                position, more = self._next_root(data, position, last, roots)
            if not more:
                break
        self._line_at(data, position)
        self._counted = 0
        return data[position:], roots

    def _line_at(self, data: bytes, place: int) -> int:
        """Return the line of a place; for growing places the text is read once."""
        self._line += data.count(b"\n", self._counted, place)
        self._counted = place
        return self._line

    def _next_root(self, data: bytes, position: int, last: bool, roots: list[Root]) -> tuple[int, bool]:
        """Read the root of the next game; return the place after it, and whether the text goes on there."""
        start = _START.search(data, position)
        if start is None:
            bracket = data.rfind(b"(", position)
            cut_here = bracket >= 0 and not last and not data[bracket + 1 :].strip()
            return bracket if cut_here else len(data), False
        self.found = True
        self.depth = 1
        begin = start.end()
        match = _NODE.match(data, begin)
        end = match.end() if match else begin
        if data[end : end + 1] not in (b";", b"(", b")"):
            self.depth = 0
            return self._broken_root(data, start.start(), end, last)
        properties = _PROPERTY.findall(data, begin, end)
        values = dict(reversed(properties))  # of two with one name the first counts, of programs the last
        if not b"".join(values).isupper():
            properties = [(bytes(c for c in name if c < 97), value) for name, value in properties]
            values = dict(reversed(properties))
        if b"AP" in values:
            values[b"AP"] = dict(properties)[b"AP"]
        self._append(tuple(map(values.get, _WANTED, _DEFAULTS)), roots)
        self._check_handicap(data, end, tuple(values), roots[-1])
        return end, True

    def _broken_root(self, data: bytes, start: int, stop: int, last: bool) -> tuple[int, bool]:
        """Wait for the rest of a root that is cut by the end of a part; else report it and skip it.

        Anything like a root before `stop` is inside a value, and could be read no further than this one; after a
        value without an end there is nothing to read.
        """
        cut_here = _may_go_on(data, stop)
        if cut_here and not last and len(data) - start < _LONGEST_ROOT:
            return start, False
        what = "the text ends inside of it" if last and cut_here else f"at {_shown(data[stop : stop + 20])}"
        self._problem(self._line_at(data, start), f"the first node of a game cannot be read: {what}")
        again = None if cut_here else _ROOT_LIKELY.search(data, max(stop, start + 1))
        return (again.start(), True) if again else (len(data), False)

    def _append(self, values: tuple[bytes, ...], roots: list[Root]) -> None:
        black, white, result, komi, handicap, size, game, rules, program = values
        texts = self._texts
        points = self._komis[komi, rules, program] if game.strip() in _GO else None
        roots.append((texts[black], texts[white], texts[result], points, handicap, size, game, program))

    def _check_handicap(self, data: bytes, end: int, names: tuple[bytes, ...], root: Root) -> None:
        """Remark on a handicap whose stones are not there, as far as the first moves are in this part of the text."""
        handicap, game = root[4], root[6]
        if handicap not in (b"", b"0") and game.strip() in _GO and b"AB" not in names and b"B" not in names:
            stones = read_handicap(handicap.decode("utf-8", "replace")) or 0
            if stones > 1 and _NO_STONES.match(data, end):
                self._remark(None, unset_remark(stones))

    def _komi(self, values: tuple[bytes, bytes, bytes]) -> float | None:
        """Return the points of KM, RU and AP; remark on a KM that is not understood."""
        komi, rules, program = (_unescaped(value).decode("utf-8", "replace") for value in values)
        points = read_komi(komi, rules, program)
        if what := remark("KM", komi, points):
            self._remark(None, what)
        return points

    def _to_end(self, data: bytes, position: int, last: bool) -> tuple[int, bool]:
        """Go to the end of the game, or of the text; return the place, and whether the text goes on."""
        opening = data.find(b"(", position)
        closing = data.find(b")", position)
        while True:
            if 0 <= opening < position:
                opening = data.find(b"(", position)
            if 0 <= closing < position:
                closing = data.find(b")", position)
            at = closing if opening < 0 or 0 <= closing < opening else opening
            close = _last_close(data, position, at if at >= 0 else len(data))
            if at < 0:
                return max(close + 1, position) if not last else len(data), False
            if data.find(b"[", max(close, position), at) >= 0:  # inside of a value
                match = _REST_OF_VALUE.match(data, at)
                if match is None:
                    return max(close + 1, position) if not last else len(data), False
                position = match.end()
                continue
            if at == opening:
                if not last and len(data) - at < _LOOK_AHEAD:
                    return at, False
                if _ROOT_AGAIN.match(data, at):
                    self.depth = 0
                    return at, True
            position = at + 1
            self.depth += 1 if at == opening else -1
            if not self.depth:
                return position, True


def _unescaped(value: bytes) -> bytes:
    return _ESCAPE.sub(lambda found: b"" if found[1] in _LINE_ENDS else found[1], value) if b"\\" in value else value


def _last_close(data: bytes, begin: int, end: int) -> int:
    """Return the place of the last "]" without a backslash before it; -1 without one."""
    close = data.rfind(b"]", begin, end)
    while close > begin and data[close - 1] == _BACKSLASH:
        before = close - 1
        while before > begin and data[before - 1] == _BACKSLASH:
            before -= 1
        if (close - before) % 2 == 0:
            return close
        close = data.rfind(b"]", begin, close)
    return close


def _may_go_on(data: bytes, stop: int) -> bool:
    """Return whether a node that could be read up to a place may become readable by more text."""
    name = _NAME.match(data, stop)
    after = name.end() if name else stop
    return after == len(data) or (data[after] == _OPEN and _REST_OF_VALUE.match(data, after + 1) is None)


def _shown(rest: bytes) -> str:
    return repr(rest.decode("utf-8", "replace"))


class SgfGames:
    """Make batches of roots, of one file or many: a batch costs as much as a hundred games, and most files hold one."""

    def __init__(self) -> None:
        self._batches: Batches[tuple[float | None, *tuple[bytes, ...]]] = Batches(_code, _kind)
        self._games: Cache[bytes, bytes] = Cache(_game)

    def batch(self, roots: list[Root]) -> Batch:
        """Return the games as a batch; games that gotools does not know do not count."""
        black, white, result, komi, handicap, size, number, _ = zip(*roots, strict=True)
        if set(number) == {b"1"}:
            return self._batches.batch(black, white, result, list(zip(komi, handicap, size, strict=True)))
        games = tuple(map(self._games.__getitem__, number))
        if not all(games):
            result = tuple(text if game else _OTHER_GAME for game, text in zip(games, result, strict=True))
        return self._batches.batch(black, white, result, list(zip(komi, handicap, size, games, strict=True)))


def _code(result: bytes) -> int:
    return ANOTHER_GAME if result == _OTHER_GAME else score_code(result.decode("utf-8", "replace"))


def _game(number: bytes) -> bytes:
    """Return the name of the game of a GM, b"" for one that gotools does not know."""
    text = number.strip()
    if text in _GO:
        return USUAL.encode()
    return game_of_sgf_number(int(text)).encode() if text.isdigit() and len(text) < 8 else b""


def _kind(values: tuple[float | None, *tuple[bytes, ...]]) -> GameClass:
    """Return the class of komi, handicap, size and, unless it is Go, the name of the game, b"" for an unknown one."""
    komi, *texts = values
    handicap, size, game, *_ = (text.decode("utf-8", "replace") for text in (*texts, USUAL.encode()))
    return class_of({"komi": komi, "handicap": handicap, "size": size, GAME_NAME: game}) if game else GameClass(game="")


# games replayed for what their first nodes do not say -----------------------------------------------------------------


_NAMES_ANOTHER: Final = re.compile(rb"GM\s*\[\s*(?!1\s*\])[0-9]")
_MOST: Final = 1 << 26
"""Bytes of a file of other games than Go up to which games without a result are replayed."""


def all_roots(parts: Iterable[bytes], problem: Problem, remarked: Problem, name: str) -> Iterator[list[Root]]:
    """Yield what `read_roots` does; games other than Go without a result have the one of the board at their end.

    name -- of the file
    """
    rest = iter(parts)
    first = next(rest, b"")
    if not _NAMES_ANOTHER.search(first):
        yield from read_roots(chain([first], rest), problem, remarked)
        return
    data = [first]
    while sum(map(len, data)) < _MOST and (part := next(rest, b"")):
        data.append(part)
    roots = list(chain.from_iterable(read_roots(chain(data, rest), problem, remarked)))
    ends: dict[bytes, list[bytes]] = {}
    for number in {root[6].strip() for root in roots if not root[2].strip()} - {b"1", b""}:
        ends[number] = _ends(b"".join(data), name, number)
    for place, root in enumerate(roots):
        found = ends.get(root[6].strip(), []) if not root[2].strip() else []
        if place < len(found):
            roots[place] = (*root[:2], found[place], *root[3:])
    yield roots


def _ends(data: bytes, name: str, number: bytes) -> list[bytes]:
    """Return the result on the board of each game of a file, b"" without one, and for another game."""
    from gotools.game.game import find_game
    from gotools.game.records.record import Record
    from gotools.game.records.replay import end_on_board
    from gotools.game.records.sgf import read_games

    known = game_of_sgf_number(int(number)) if number.isdigit() and len(number) < 8 else ""
    if not known or GAMES[known].counted:
        return []
    ends, game = [], find_game(known)
    for found in read_games(data, name, game):
        end = end_on_board(found, game) if isinstance(found, Record) else None
        ends.append(b"" if end is None else (b"0", b"B+", b"W+")[end])
    return ends


def seated(root: Root, name: str) -> Root | None:
    """Return a game with colours and result as it was played, None where gogui-twogtp leaves that open.

    name -- of the file
    """
    texts = (root[0], root[1], root[2], root[7])
    black, white, result, program = (text.decode("utf-8", "surrogateescape") for text in texts)
    found = right_seats(Seats(black, white, result), program, name)
    return (_bytes(found.black), _bytes(found.white), _bytes(found.result), *root[3:]) if found.known else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
