"""Read the text of a background file, and refuse text that would break SWI-Prolog's reader or keep it busy for long."""

from __future__ import annotations

import re
from pathlib import Path

from gotools.errors import FileFormatError
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_parts

LARGEST_FILE = 1 << 20
"""Bytes of a background file; a longer one is not a list of predicates."""

DEEPEST_BRACKETS = 500
"""Brackets within brackets: SWI-Prolog's reader recurses over them, and too many end the process."""

MOST_DIGITS = 1000
"""Digits of a number: SWI-Prolog's time to read it is quadratic in them."""

TAKEN = (Kind.prolog, Kind.text)
"""Kinds that the first bytes of a background file may suggest."""

DOUBTFUL = (Kind.games, Kind.results)
"""Kinds that are refused only when SWI-Prolog finds no predicates there: a comment may look like them."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_RADIX = "|".join(f"{radix}'[{_DIGITS[:radix]}{_DIGITS[10:radix].upper()}]" for radix in range(2, 37))
_GROUP = r"(?: (?=\d)|(?<=_)(?:\s|%.*|/\*(?s:.*?)(?:\*/|\Z))++)"
"""What may stand between groups of digits: 1 000, 1_000, 1_ /* more */ 000."""
_TOKEN = re.compile(
    r"%.*|/\*(?s:.*?)(?:\*/|\Z)|0'(?:''|\\(?s:.)|(?s:.))"
    + "".join(rf"|{mark}(?s:[^{mark}\\]|\\.)*(?:{mark}|\\?\Z)" for mark in "'\"`")
    + rf"|(?P<number>(?:{_RADIX}|\d)\w*(?:{_GROUP}\w+)*)|\w+|(?P<bracket>[(\[{{}}\])])"
)
"""Comments, characters, quoted text, numbers, names, brackets."""


def read_background(path: str | Path, expected: str = "predicates in Prolog") -> str:
    """Return the text. Raises FileFormatError, with the line if known, for a file of another kind than expected."""
    data = b""
    for part in read_parts(path):
        data += part
        if len(data) > LARGEST_FILE:
            raise FileFormatError(path, None, f"larger than {LARGEST_FILE} bytes; expected {expected}")
    head = data[:FIRST_BYTES]
    if kind_of(head) not in (*TAKEN, *DOUBTFUL):
        raise wrong_kind(path, head, expected)
    if b"\0" in data:
        raise FileFormatError(path, None, f"a binary file; expected {expected}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(path, data[: error.start].count(b"\n") + 1, "this is not text in UTF-8") from error
    depth = 0
    for match in _TOKEN.finditer(text):
        what = ""
        if match["bracket"]:
            depth = max(0, depth + (1 if match[0] in "([{" else -1))
            what = f"brackets more than {DEEPEST_BRACKETS} deep" if depth > DEEPEST_BRACKETS else ""
        elif match["number"] and sum(map(str.isalnum, match[0])) > MOST_DIGITS:
            what = f"a number of more than {MOST_DIGITS:,} digits"
        if what:
            raise FileFormatError(path, text.count("\n", 0, match.start()) + 1, what)
    return text
