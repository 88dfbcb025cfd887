"""Records in PDN, the portable draughts notation, which is chess's PGN with squares for moves.

A capture may be written without the squares in between (9x25): the position then says which move it is. In draughts
1-0 is a victory of Black, who begins.
"""

import re
from itertools import chain

import numpy as np

from draughts_game.draughts import DRAUGHTS, TEXTS, with_setting, write_fen
from gotools.base.errors import GotoolsError, shown
from gotools.game.records.record import Problem, Record
from gotools.game.records.sgf import stem_of
from gotools.game.traits import Records
from gotools.jit.kernels.seams import TO_PLAY

TOKEN = re.compile(
    r'\[\s*(?P<tag>\w+)\s+"(?P<value>[^"\n]*)"\s*\]|\{[^{}]*\}|;[^\n]*|\$\d+|\d+\.+|(?P<bracket>[()])'
    r"|(?P<result>(?:1-0|0-1|2-0|0-2|1-1|1/2-1/2|\*)(?![\dx-]))|(?P<move>[^\s(){;]+)"
)
WINNERS = {"1-0": "B+", "2-0": "B+", "0-1": "W+", "0-2": "W+", "1/2-1/2": "0", "1-1": "0"}
ENGLISH = "21"  # the GameType of English draughts; a game that has none is taken for one


def read(data, name):
    """Yield the games of a file, main lines only; one that cannot be read is a Problem. Raises nothing."""
    text, stem = data.decode("utf-8", "replace"), stem_of(name, (".pdn",))
    tags, moves, begin, number, depth, line, counted = dict[str, str](), list[str](), 0, 0, 0, 1, 0
    for token in chain(TOKEN.finditer(text), [None]):
        over = token is None or (token["tag"] and moves) or (token["result"] and depth == 0)
        if over and (tags or moves):
            number += 1
            own = stem if number == 1 else f"{stem}#{number}"
            tags.setdefault("Result", token["result"] if token else "")
            line, counted = line + text.count("\n", counted, begin), begin
            yield _game(tags, moves, own, line)
            tags, moves, depth = {}, [], 0
        if token is None or (over and token["result"]):
            continue
        begin = begin if tags or moves else token.start()
        if token["tag"]:
            tags[token["tag"]] = token["value"]
        elif token["bracket"]:
            depth = max(0, depth + (1 if token["bracket"] == "(" else -1))
        elif token["move"] and depth == 0:
            moves.append(token["move"])
    if number == 0:
        yield Problem("holds no game in PDN", 1)


def _game(tags, texts, name, line):
    """Return the Record of a game, or the Problem with it."""
    kind = tags.get("GameType", ENGLISH).split(",")[0]
    if kind != ENGLISH:
        return Problem(f"GameType {shown(kind, 20)} is not {ENGLISH}, English draughts", line)
    try:
        state = (with_setting(tags["FEN"]) if "FEN" in tags else DRAUGHTS).position()
    except GotoolsError as error:
        return Problem(str(error), line)
    setting, moves, stop = write_fen(state) if "FEN" in tags else "", list[tuple[int, int]](), ""
    for text in texts:
        found = _moves_like(text, state)
        if len(found) != 1:
            stop = f"move {len(moves) + 1} ({shown(text, 20)}): {'several moves' if found else 'no legal move'}"
            break
        moves.append((int(state[TO_PLAY]), found[0]))
        state = DRAUGHTS.play(state, found[0])
    return Record(
        id=name, size=DRAUGHTS.sizes[0], moves=np.array(moves, np.int32).reshape(-1, 2), stop=stop, setting=setting,
        players=(tags.get("Black", ""), tags.get("White", "")), result=WINNERS.get(tags["Result"], ""),
    )  # fmt: skip


def _moves_like(text, state):
    """Return the legal moves that a text may mean, those that lead to the same position once."""
    squares = re.findall(r"\d+", text)
    found = dict[bytes, int]()
    for move in DRAUGHTS.moves_of(state):
        path = re.findall(r"\d+", TEXTS[move])
        if squares in (path, [path[0], path[-1]]):
            found.setdefault(DRAUGHTS.play(state, move).tobytes(), move)
    return list(found.values())


RECORDS = Records(read=read, suffixes=(".pdn",))
