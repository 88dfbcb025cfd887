"""GTP commands that set up a game: board, komi, rules, stones, and games from SGF files."""

from __future__ import annotations

import os.path
import sys
from dataclasses import replace
from typing import Final

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.arguments import (
    expect,
    read_colour,
    read_count,
    read_integer,
    read_move,
    read_number,
    syntax_error,
)
from gotools.engines.gtp.session import Row, Session
from gotools.files.opening import read_parts
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.records.record import Problem, Record
from gotools.game.records.replay import played
from gotools.game.records.sgf import read_games
from gotools.game.traits import Scoring, SetUp, Starts

LARGEST_KOMI: Final = 1000.0
LARGEST_FILE: Final = 1 << 23
"""Bytes of an SGF file, unpacked."""


def boardsize(session: Session, words: list[str]) -> str:
    """boardsize SIZE: change the size, and clear the board."""
    expect(words, "SIZE", 1)
    size = read_integer(words[0], "the size")
    if size not in session.game.sizes:
        raise GotoolsError("unacceptable size")
    session.clear(size)
    return ""


def query_boardsize(session: Session, words: list[str]) -> str:
    """query_boardsize, gogui-rules_board_size: return the size of the board."""
    expect(words, "", 0)
    return str(session.state.history.size)


def clear_board(session: Session, words: list[str]) -> str:
    """clear_board: begin a new game; size, komi and the kind of clock stay."""
    expect(words, "", 0)
    session.clear()
    return ""


def start(session: Session, words: list[str]) -> str:
    """gotools-start SETTING: begin a new game from another start, until the next clear_board."""
    expect(words, "SETTING", 1, len(words))
    session.clear(setting=" ".join(words))
    return ""


def clear_cache(session: Session, words: list[str]) -> str:
    """clear_cache: forget what was searched. KataGo's extension."""
    expect(words, "", 0)
    session.player.forget()
    return ""


# how it is counted ----------------------------------------------------------------------------------------------------


def komi(session: Session, words: list[str]) -> str:
    """komi POINTS: change the komi."""
    expect(words, "KOMI", 1)
    points = read_number(words[0], "the komi")
    if abs(points) > LARGEST_KOMI:
        raise syntax_error(f"the komi is at most {LARGEST_KOMI:g}")
    session.state = replace(session.state, komi=points + 0.0)
    return ""


def get_komi(session: Session, words: list[str]) -> str:
    """get_komi: return the komi."""
    expect(words, "", 0)
    return f"{session.state.komi:g}"


def set_rules(session: Session, words: list[str]) -> str:
    """kata-set-rules NAME|JSON, kgs-rules NAME: play by these rules; those that cannot be played are refused."""
    expect(words, "the name of a rule set, or JSON", 1, len(words))
    rules = session.game.need(Scoring).parse(" ".join(words))
    session.state = replace(session.state, history=replace(session.state.history, rules=rules))
    return ""


def get_rules(session: Session, words: list[str]) -> str:
    """kata-get-rules: return the rules that are played, as KataGo writes them."""
    expect(words, "", 0)
    return str(session.rules.as_json())


# stones ---------------------------------------------------------------------------------------------------------------


def set_position(session: Session, words: list[str]) -> str:
    """set_position [COLOR VERTEX]...: put these stones on an empty board, without a history. KataGo's extension."""
    if len(words) % 2:
        raise syntax_error("expected pairs of COLOR VERTEX")
    stones: dict[int, int] = {}
    for colour, where in zip(words[::2], words[1::2], strict=True):
        side, place = read_colour(colour), read_move(where, session.state.history)
        if place < 0 or place in stones:
            raise GotoolsError(f"illegal position: {where[:40]} is {'no point' if place < 0 else 'named twice'}")
        stones[place] = side
    try:
        _place(session, [(side, place) for place, side in stones.items()])
    except ValueError as error:
        raise GotoolsError(f"illegal position: {error}") from None
    return ""


def fixed_handicap(session: Session, words: list[str]) -> str:
    """fixed_handicap COUNT: put black stones on the usual places."""
    expect(words, "NUMBER_OF_STONES", 1)
    count = read_count(words[0], "the number of stones")
    _check_empty(session)
    return _give(session, session.game.need(SetUp).fixed(session.state.history.size, count))


def place_free_handicap(session: Session, words: list[str]) -> str:
    """place_free_handicap COUNT: put black stones where the engine likes them."""
    expect(words, "NUMBER_OF_STONES", 1)
    count = read_count(words[0], "the number of stones")
    _check_empty(session)
    return _give(session, session.game.need(SetUp).free(session.state.history.size, count))


def set_free_handicap(session: Session, words: list[str]) -> str:
    """set_free_handicap VERTEX VERTEX ...: put black stones where the controller says."""
    if not words:
        raise syntax_error("expected VERTEX VERTEX ...")
    history = session.state.history
    places = [read_move(word, history) for word in words]
    _check_empty(session)
    room = history.game.room(history.state)
    if min(places) < 0 or len(set(places)) != len(places) or not 2 <= len(places) < room:
        raise GotoolsError("bad vertex list")
    _give(session, places)
    return ""


def _check_empty(session: Session) -> None:
    stones, state = session.game.need(SetUp).stones, session.state.history.state
    if stones(state, 1) or stones(state, 2):
        raise GotoolsError("board not empty")


def _give(session: Session, places: list[int]) -> str:
    """Begin a game with black stones; returns their places as text."""
    _place(session, [(1, place) for place in places])
    return " ".join(map(session.state.history.text, places))


def _place(session: Session, stones: list[tuple[int, int]]) -> None:
    """Begin a game with stones; white plays first if all are black. Raises ValueError for an illegal position."""
    history, sides = session.state.history, {side for side, _ in stones}
    empty = History.start(history.game, history.size).state
    first = session.game.need(SetUp).put(empty, stones, 2 if sides == {1} else 1)
    session.set_up(History.start(history.game, history.size, history.rules, first))


# games from files -----------------------------------------------------------------------------------------------------


def loadsgf(session: Session, words: list[str]) -> str:
    """loadsgf FILENAME [MOVE_NUMBER]: set up the first game of a file, as it was before that move, or at its end.

    The file name may hold single blanks. Undo goes back to the last set-up stones.
    """
    if not words:
        raise syntax_error("expected FILENAME [MOVE_NUMBER]")
    number = None
    if len(words) > 1 and words[-1].isascii() and words[-1].isdigit():
        number = read_integer(words.pop(), "the move number")
    try:
        record = _read_game(" ".join(words), session.player.game)
        if session.player.size not in (None, record.size):
            size, only = record.size, session.player.size
            raise GotoolsError(f"a game on {size}x{size}, and --eval has weights for {only}x{only}")
        count = len(record.moves) if number is None else min(max(number - 1, 0), len(record.moves))
        history = _replayed(session, record, count)
        for what in record.remarks:
            print(f"gotools gtp: {' '.join(words)}: {what}", file=sys.stderr, flush=True)
    except (GotoolsError, ValueError) as error:
        raise GotoolsError(f"cannot load file: {error}") from None
    session.set_up(history)
    if record.komi is not None and abs(record.komi) <= LARGEST_KOMI:
        session.state = replace(session.state, komi=record.komi)
    return ""


def _read_game(name: str, game: Game) -> Record:
    """Read the first game of a file. Raises GotoolsError."""
    if not os.path.isfile(name):  # a pipe might never end
        raise GotoolsError("no such file")
    data = bytearray()
    for part in read_parts(os.path.abspath(name)):
        data += part
        if len(data) > LARGEST_FILE:
            raise GotoolsError(f"more than {LARGEST_FILE >> 20} MB")
    record = next(iter(read_games(bytes(data), name, game)), None)
    if isinstance(record, Record) and not record.stop:
        return record
    raise GotoolsError(record.stop if isinstance(record, Record) else _what(record))


def _what(problem: Problem | None) -> str:
    if problem is None:
        return "no game in it"
    return problem.what if problem.line is None else f"line {problem.line}: {problem.what}"


def _replayed(session: Session, record: Record, count: int) -> History:
    """Return the game from the last set-up stones among the first moves of a record on.

    Simple ko, and suicide where the rules or those of the record allow it.

    Raises GotoolsError for an illegal move, and for set-up stones without liberties.
    """
    rules = session.state.history.rules
    history, why = played(record, session.player.game, rules, count)
    if why:
        raise GotoolsError(why)
    last = max((stone.after for stone in record.setup if stone.after <= count), default=0)
    return replace(history, positions=history.positions[last:], moves=history.moves[last:], rules=rules)


COMMANDS: Final = {
    "boardsize": Row(boardsize),
    "clear_board": Row(clear_board),
    "clear_cache": Row(clear_cache),
    "fixed_handicap": Row(fixed_handicap, SetUp),
    "get_komi": Row(get_komi, Scoring),
    "gogui-rules_board_size": Row(query_boardsize, Scoring, False),
    "gotools-start": Row(start, Starts),
    "kata-get-rules": Row(get_rules, Scoring),
    "kata-set-rules": Row(set_rules, Scoring),
    "kgs-rules": Row(set_rules, Scoring),
    "komi": Row(komi, Scoring),
    "loadsgf": Row(loadsgf),
    "place_free_handicap": Row(place_free_handicap, SetUp),
    "query_boardsize": Row(query_boardsize),
    "set_free_handicap": Row(set_free_handicap, SetUp),
    "set_position": Row(set_position, SetUp),
}
