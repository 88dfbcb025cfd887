"""Which notation a record of shogi has, and its games: RECORDS, of the Game; lists of USI, one game a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from gotools.base.errors import shown
from gotools.files.kinds import OURS, Kind, kind_of
from gotools.files.lines import TOO_LONG
from gotools.files.opening import FIRST_BYTES
from gotools.game.records.record import Problem, Record
from gotools.game.records.sgf import WANTED, stem_of
from gotools.game.table import GAMES
from gotools.game.traits import Records
from gotools.games.shogi.records import japanese_sheet as w
from gotools.games.shogi.records.csa import CsaSheet
from gotools.games.shogi.records.japanese_sheet import KifSheet
from gotools.games.shogi.records.ki2 import Ki2Sheet
from gotools.games.shogi.records.sheets import BrokenSheet, Line, LineSheet, Sheet, lines_of, read_sheets
from gotools.games.shogi.records.starts import first_side, setting_of
from gotools.games.shogi.shogi import DECLARATION

_MOST_LINES: Final = 10_000
"""Lines by which a notation is recognised."""
_SQUARE: Final = "[1-9][a-i]"
_USI: Final = re.compile(
    rf"\s*(?:(?:position\s+)?(?:startpos|sfen|moves)(?:\s|$)|(?:{_SQUARE}{_SQUARE}\+?|[PLNSGBR]\*{_SQUARE})(?:\s|$)"
    r"|(?:position\s+)?[^\s/]+(?:/[^\s/]+){8}\s+[bw]\s)"
)
_CSA: Final = re.compile(
    r"V[1-9](?:\.[0-9])?\s*$|N[+-]|P[I+-]|P[1-9] *[+*-]|\$[A-Z_]+:|'CSA\b|[+-](?:\s*$|[0-9]{4}[A-Z]{2})|%[A-Z+-]"
)
_KI2: Final = re.compile(rf"#KI2|{Ki2Sheet.plays.pattern}")
_SIGNS: Final[tuple[tuple[re.Pattern[str], type[LineSheet] | None], ...]] = (
    (_CSA, CsaSheet),
    (_USI, None),
    (KifSheet.plays, KifSheet),
    (_KI2, Ki2Sheet),
)
_BOARD: Final = re.compile(r"[^/]+(?:/[^/]+){8}")
_HEADING: Final = re.compile(rf"\s*(?:#KIF|手合割 *:|開始日時 *:|(?:{w.SIDE})(?:の持ち?駒)? *:)")


def read_notation(data: bytes, name: str) -> Iterator[Record | Problem]:
    """Read the games of a file in KIF, KI2, CSA or as a list of USI, main lines only, by its content.

    name -- path shown to users; the first record's id is its stem, later ones get "#2", "#3" (their place in the file)

    A game that cannot be read gives a problem and is passed over. Moves are not checked; but those of KI2 are legal, as
    they could not be read otherwise, and in KIF and CSA the piece that moves is there. Memory is bounded by the file
    and its longest game.
    """
    kind = kind_of(data[:FIRST_BYTES])
    if kind in OURS:
        yield Problem(f"{kind}; expected {WANTED}", None)
        return
    stem = stem_of(name, GAMES["shogi"].suffixes)
    headed = False
    for line in islice(lines_of(data), _MOST_LINES):
        sign = next((sign for sign in _SIGNS if sign[0].match(line.text)), None)
        if sign is not None:
            sheet = sign[1]
            yield from read_usi(lines_of(data), stem) if sheet is None else read_sheets(lines_of(data), sheet, stem)
            return
        headed = headed or _HEADING.match(line.text) is not None
    if headed:
        yield from read_sheets(lines_of(data), KifSheet, stem)
    elif kind in (Kind.text, Kind.games):
        yield Problem("holds no game: neither KIF, KI2, CSA nor moves of USI", 1)
    else:
        yield Problem(f"{kind}; expected {WANTED}", None)


RECORDS: Final = Records(read=read_notation)


# USI ------------------------------------------------------------------------------------------------------------------


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
    if word == "resign":
        sheet.end(3 - sheet.side)
        return
    if word.lower() == DECLARATION:
        sheet.declare()
    else:
        sheet.move(sheet.side, word)
