"""Records of Go in SGF: what the header says, moves and set-up stones: RECORDS, of the Game."""

from __future__ import annotations

from typing import Final

from gotools.base.errors import shown
from gotools.game.records.gogui import Seats, right_seats
from gotools.game.records.mainline import Broken, Node, Property
from gotools.game.records.numbers import komi_text, read_handicap, read_komi, remark, unset_remark
from gotools.game.records.ranks import rank_strength
from gotools.game.records.record import Record
from gotools.game.records.sgf import text_of
from gotools.game.sides import BLACK
from gotools.game.traits import Records
from gotools.games.go.points import MAX_SIZE, MIN_SIZE
from gotools.games.go.records.marks import marks_of
from gotools.games.go.records.stones import STONE_PROPERTIES, Stones, fold, point_text

_HEADER: Final = frozenset((b"PB", b"PW", b"BR", b"WR", b"RE", b"KM", b"RU", b"HA"))


def _record(nodes: list[Node], game_id: str, name: str) -> Record:
    """Make the record of a main line; name -- of its file. Raises Broken."""
    header: dict[bytes, Property] = {}
    leading = 0
    for leading, node in enumerate(nodes, 1):  # noqa: B007 - used after the loop
        for entry in node:
            header.setdefault(entry[0], entry)
        if not STONE_PROPERTIES.isdisjoint(header):
            break
    size = _size(header)
    moves, setup = Stones(size).read(nodes, leading)
    text = {key: text_of(entry) for key, entry in header.items() if key in _HEADER}
    program = [text_of(entry) for node in nodes[:leading] for entry in node if entry[0] == b"AP"][-1:]
    seats = Seats(text.get(b"PB", ""), text.get(b"PW", ""), text.get(b"RE", ""))
    seats = right_seats(seats, "".join(program), name)
    komi_as_written, stones_as_written = text.get(b"KM", ""), text.get(b"HA", "")
    komi = read_komi(komi_as_written, text.get(b"RU", ""), "".join(program))
    handicap = read_handicap(stones_as_written)
    odd = [remark("KM", komi_as_written, komi), remark("HA", stones_as_written, handicap)]
    placed = any(stone.after == 0 and stone.colour == BLACK for stone in setup)
    if (handicap or 0) > 1 and not placed and moves[:2, 0].tolist() != [BLACK, BLACK]:
        odd.append(unset_remark(handicap or 0))
    return Record(
        id=game_id,
        size=size,
        moves=moves,
        setup=setup,
        players=(seats.black, seats.white),
        ranks=(text.get(b"BR", ""), text.get(b"WR", "")),
        result=seats.result,
        komi=komi,
        rules=text.get(b"RU", ""),
        handicap=handicap or 0,
        marks=marks_of(nodes[:leading], size),
        remarks=tuple(filter(None, odd)),
    )


def _size(header: dict[bytes, Property]) -> int:
    """Return the board size. Raises Broken for boards that cannot be, and for other games than Go."""
    _, (game, *_), token = header.get(b"GM", (b"GM", [b"1"], 0))
    if game.strip() not in (b"1", b""):
        raise Broken(f"GM[{shown(game, 20)}] is not the game of Go", token)
    _, (raw, *_), token = header.get(b"SZ", (b"SZ", [b"19"], 0))
    text = raw.strip()
    size = int(text) if text.isdigit() and len(text) < 5 else 0
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise Broken(f"SZ[{shown(raw, 20)}] is not a board size from {MIN_SIZE} to {MAX_SIZE}", token)
    return size


def _values(record: Record) -> dict[str, str]:
    """Return the properties of a header that records of other games have not."""
    return {
        "KM": "" if record.komi is None else komi_text(record.komi),
        "RU": record.rules,
        "HA": str(record.handicap) if record.handicap else "",
    }


RECORDS: Final = Records(main_line=_record, fold=fold, values=_values, place_text=point_text, strength=rank_strength)
