"""Lists of USI: one game a line, as USI sends positions to engines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gotools.errors import shown
from gotools.files.lines import TOO_LONG
from gotools.game.records.record import Problem, Record
from gotools.games.shogi.records.lines import Line
from gotools.games.shogi.records.sheets import BrokenSheet, Sheet
from gotools.games.shogi.records.starts import first_side, setting_of
from gotools.games.shogi.shogi import DECLARATION

RESIGNATION: Final = "resign"
_BOARD: Final = re.compile(r"[^/]+(?:/[^/]+){8}")


def read_usi(lines: Iterator[Line], stem: str) -> Iterator[Record | Problem]:
    """Read a game from each line; one that holds none is a problem. Lines that begin with # are left out."""
    number = 0
    for line in lines:
        if line.text.startswith("#") or not line.text.strip():
            continue
        number += 1
        try:
            if line.cut:
                raise BrokenSheet(TOO_LONG)
            yield from _sheet(line.text).read(stem if number == 1 else f"{stem}#{number}", line.number)
        except BrokenSheet as error:
            yield Problem(shown(str(error), 200), line.number)


def _sheet(text: str) -> Sheet:
    """Raises BrokenSheet."""
    words = text.split()
    if words[0] == "position":
        del words[0]
    sheet = Sheet()
    if words[:1] == ["startpos"]:
        del words[0]
    elif words[:1] == ["sfen"] or (words and _BOARD.fullmatch(words[0])):
        if words[0] == "sfen":
            del words[0]
        count = next((at for at, word in enumerate(words[:4]) if word == "moves"), 4)
        sheet.setting = setting_of(" ".join(words[:count]))
        del words[:count]
        sheet.side = first_side(sheet.setting)
    if words[:1] == ["moves"]:
        del words[0]
    for word in words:
        _move(sheet, word)
    return sheet


def _move(sheet: Sheet, word: str) -> None:
    if word == RESIGNATION:
        sheet.end(3 - sheet.side)
        return
    if word.lower() == DECLARATION:
        sheet.declare()
    else:
        sheet.move(sheet.side, word)
