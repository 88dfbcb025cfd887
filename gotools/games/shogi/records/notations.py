"""Which notation a record of shogi has, and its games: NOTATIONS, of the Game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from gotools.files.kinds import OURS, Kind, kind_of
from gotools.files.opening import FIRST_BYTES
from gotools.game.table import GAMES
from gotools.game.traits import Records
from gotools.games.shogi.records import words as w
from gotools.games.shogi.records.csa import CsaSheet
from gotools.games.shogi.records.ki2 import Ki2Sheet
from gotools.games.shogi.records.kif import KifSheet
from gotools.games.shogi.records.lines import lines_of
from gotools.games.shogi.records.sheets import Sheet, read_sheets
from gotools.games.shogi.records.usi import read_usi
from gotools.games.text_games import TextGame
from gotools.go.records.sgf import WANTED, SgfProblem, stem_of

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
_SIGNS: Final[tuple[tuple[re.Pattern[str], type[Sheet] | None], ...]] = (
    (_CSA, CsaSheet),
    (_USI, None),
    (KifSheet.plays, KifSheet),
    (_KI2, Ki2Sheet),
)
_HEADING: Final = re.compile(rf"\s*(?:#KIF|手合割 *:|開始日時 *:|(?:{w.SIDE})(?:の持ち?駒)? *:)")


def read_notation(data: bytes, name: str) -> Iterator[TextGame | SgfProblem]:
    """Read the games of a file in KIF, KI2, CSA or as a list of USI, main lines only, by its content.

    name -- path shown to users; the first record's id is its stem, later ones get "#2", "#3" (their place in the file)

    A game that cannot be read gives a problem and is passed over. Moves are not checked; but those of KI2 are legal, as
    they could not be read otherwise, and in KIF and CSA the piece that moves is there. Memory is bounded by the file
    and its longest game.
    """
    kind = kind_of(data[:FIRST_BYTES])
    if kind in OURS:
        yield SgfProblem(f"{kind}; expected {WANTED}", None)
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
        yield SgfProblem("holds no game: neither KIF, KI2, CSA nor moves of USI", 1)
    else:
        yield SgfProblem(f"{kind}; expected {WANTED}", None)


NOTATIONS: Final = Records(read_notation)
