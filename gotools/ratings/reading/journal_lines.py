"""Results from JSON lines: the journal of a tournament, and any with the keys black, white, result.

A million lines through `json` take 5 to 15 seconds. Lines of a file are alike, so a regular expression is made from one
of them, value by value of the same type; other lines go through `json`, with the same result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any, Final

from gotools.ratings.games import GameClass
from gotools.ratings.reading.ledger import Batch, Batches
from gotools.ratings.reading.line_blocks import Block, Problem, line_blocks
from gotools.ratings.reading.result_text import CLASS_KEYS, WANTED, class_of, number_code, score_code

Row = Sequence[bytes]
"""Black, white, result, and the pairs of key and value of the class, as JSON without braces."""

_PLAIN: Final = rb"(?:0|[1-9][0-9]{0,300}+)(?:\.[0-9]++)?"
"""More digits go through `json`, which refuses thousands of them."""
_NUMBER: Final = b"-?+" + _PLAIN + rb"(?:[eE][-+]?+[0-9]++)?"
_WORD: Final = rb"(?:true|false|null)"
_INSIDE: Final = rb'[^"\\\n]*+'
"""Inside of a string without backslashes."""
_CLASS: Final = "class"
_SCORE: Final = b"\xff"
"""Before a result that was a number, not a string; no UTF-8 has this byte."""


def read_json_lines(parts: Iterable[bytes], problem: Problem) -> Iterator[Batch]:
    """Yield the games of JSON lines; a line that is not a game is a problem, except the lines that begin a journal.

    A result is a text (see result_text.score_code) or black's score as a number: 1, 0.5, 0.
    """
    batches: Batches[bytes] = Batches(_code, _class)
    shape: _Shape | None = None
    for block in line_blocks(parts):
        columns = shape.columns(block) if shape else None
        if columns is None:
            rows, shape = _mixed(block, shape, problem)
            columns = list(zip(*rows, strict=True))
        if columns:
            yield batches.batch(columns[0], columns[1], columns[2], columns[3])


def _code(result: bytes) -> int:
    if result.startswith(_SCORE):
        return number_code(str(json.loads(result[1:])))
    return score_code(result.decode("utf-8", "replace"))


def _class(text: bytes) -> GameClass:
    """Return the class of pairs of key and value, which may hold any bytes and control characters."""
    try:
        return class_of(json.loads("{" + text.decode("utf-8", "surrogateescape") + "}", strict=False))
    except (ValueError, RecursionError):
        return class_of({})


@dataclass(frozen=True, slots=True)
class _Shape:
    """The shape of lines like a given one.

    line   -- an expression for whole lines, with a group for each of `groups`
    groups -- the key of each group: one of WANTED, or _CLASS for adjacent keys of the class
    number -- whether results are numbers
    """

    line: re.Pattern[bytes]
    groups: tuple[str, ...]
    number: bool

    def columns(self, block: Block) -> list[Sequence[bytes]] | None:
        """Return the columns of a Row of all lines; None if not all lines have this shape."""
        found = self.line.findall(block.text)
        if len(found) != block.lines:
            return None
        return self._ordered(list(zip(*found, strict=True)))

    def row(self, found: re.Match[bytes]) -> Row:
        """Return the Row of a match of `line`."""
        return tuple(column[0] for column in self._ordered([(group,) for group in found.groups()]))

    def _ordered(self, columns: list[tuple[bytes, ...]]) -> list[Sequence[bytes]]:
        named = dict(zip(self.groups, columns, strict=True))
        kinds = [column for group, column in zip(self.groups, columns, strict=True) if group == _CLASS]
        one = [b""] if not kinds else kinds[0] if len(kinds) == 1 else list(map(b",".join, zip(*kinds, strict=True)))
        if self.number:
            named["result"] = tuple(map(_SCORE.__add__, named["result"]))
        return [*(named[key] for key in WANTED), one]


def _shape_of(line: bytes) -> _Shape | None:
    """Return the shape of a line; None if no expression can match it: with objects inside, or backslashes."""
    pairs = json.loads(line.decode("utf-8", "surrogateescape"), object_pairs_hook=list, strict=False)
    keys = [key for key, _ in pairs]
    values = dict(pairs)
    number = isinstance(values.get("result"), int | float) and not isinstance(values["result"], bool)
    if len(values) < len(keys) or not all(isinstance(values.get(key), str) for key in WANTED[: 3 - number]):
        return None
    for colon, comma in product((b":", b": "), (b",", b", ")):
        groups: list[str] = []
        expression = _expression(pairs, colon, comma, groups)
        if re.fullmatch(expression, line):
            return _Shape(re.compile(b"^" + expression, re.MULTILINE), tuple(groups), number)
    return None


def _expression(pairs: list[tuple[str, Any]], colon: bytes, comma: bytes, groups: list[str]) -> bytes:
    """Return an expression for lines with these keys and values of these types; append the keys of its groups."""
    items: list[bytes] = []
    for key, some in groupby(pairs, lambda pair: _CLASS if pair[0] in CLASS_KEYS else pair[0]):
        texts = [_name(name) + colon + _value(value, comma, name in WANTED) for name, value in some]
        joined = comma.join(texts)
        items.append(b"(" + joined + b")" if key == _CLASS else joined)
        if key == _CLASS or key in WANTED:
            groups.append(key)
    return rb"\{" + comma.join(items) + rb"\}$"


def _name(key: str) -> bytes:
    return re.escape(json.dumps(key, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _value(value: Any, comma: bytes, caught: bool) -> bytes:
    """Return an expression for values of one type."""
    if isinstance(value, str):
        return b'"(' + _INSIDE + b')"' if caught else b'"' + _INSIDE + b'"'
    if isinstance(value, list):
        item = _number(value) if any(isinstance(part, int | float) for part in value) else b'"' + _INSIDE + b'"'
        return rb"\[(?:" + item + b"(?:" + comma + item + rb")*)?\]"
    expression = _WORD if value is None or isinstance(value, bool) else _number([value])
    return b"(" + expression + b")" if caught else expression


def _number(values: list[Any]) -> bytes:
    """Return an expression for numbers; allowing for signs and exponents makes a whole line take half as long again."""
    return _PLAIN if all(re.fullmatch(_PLAIN, json.dumps(value).encode()) for value in values) else _NUMBER


def _mixed(block: Block, shape: _Shape | None, problem: Problem) -> tuple[list[Row], _Shape | None]:
    """Return the Rows of lines of several shapes, and the shape expected in the next block."""
    rows: list[Row] = []
    others, odd = 0, b""
    for number, line in enumerate(block.text.split(b"\n")[:-1], block.first):
        if shape and (found := shape.line.fullmatch(line)):
            rows.append(shape.row(found))
            continue
        others += 1
        if line.strip() and (row := _odd_row(line, number, problem)) is not None:
            odd = line
            rows.append(row)
    if odd and 2 * others >= block.lines:
        shape = _shape_of(odd) or shape
    return rows, shape


def _odd_row(line: bytes, number: int, problem: Problem) -> Row | None:
    """Read a line by `json`."""
    try:
        game = json.loads(line.decode("utf-8", "surrogateescape"), strict=False)
    except (ValueError, RecursionError) as error:
        problem(number, f"not a line of JSON ({getattr(error, 'msg', type(error).__name__)})")
        return None
    if not isinstance(game, dict):
        problem(number, "not a game; expected a JSON object with black, white and result")
        return None
    if "black" not in game and "white" not in game:
        if "gotools" not in game:
            problem(number, "not a game: black and white are missing")
        return None
    texts = [_text(game.get(key)) for key in WANTED]
    if None in texts:
        problem(number, f"{WANTED[texts.index(None)]} should be a text")
        return None
    if isinstance(result := game.get("result"), int | float) and not isinstance(result, bool):
        texts[2] = _SCORE + json.dumps(result).encode()
    kinds = {key: game[key] for key in CLASS_KEYS if isinstance(game.get(key), str | int | float)}
    kind = json.dumps(kinds)[1:-1].encode()
    return (*(text or b"" for text in texts), kind)


def _text(value: Any) -> bytes | None:
    """Return a text or number as bytes, a null as none; None for anything else."""
    if value is None:
        return b""
    if isinstance(value, str | int | float):
        text = str(value)
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace")
    return None
