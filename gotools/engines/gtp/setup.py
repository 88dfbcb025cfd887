"""GTP commands that set up a game: board, komi, rules, and games from SGF files."""

from __future__ import annotations

import os.path
import sys
from collections import defaultdict
from dataclasses import replace
from typing import Final

import numpy as np

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.arguments import expect, read_colour, read_integer, read_number, read_vertex, syntax_error
from gotools.engines.gtp.session import GtpSession
from gotools.files.opening import read_parts
from gotools.game.records.record import Problem, Record, Setup
from gotools.game.records.sgf import read_games
from gotools.games.go.board import Board
from gotools.games.go.go import GO
from gotools.games.go.points import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE, board_text, colour_letter, vertex
from gotools.games.go.rule_sets import allows_suicide, read_rules

LARGEST_KOMI: Final = 1000.0
LARGEST_FILE: Final = 1 << 23
"""Bytes of an SGF file, unpacked."""


def boardsize(session: GtpSession, words: list[str]) -> str:
    """boardsize SIZE: change the size, and clear the board."""
    expect(words, "SIZE", 1)
    size = read_integer(words[0], "the size")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise GotoolsError("unacceptable size")
    session.set_up(Board(size))
    return ""


def query_boardsize(session: GtpSession, words: list[str]) -> str:
    """query_boardsize: return the size of the board."""
    expect(words, "", 0)
    return str(session.state.board.side)


def clear_board(session: GtpSession, words: list[str]) -> str:
    """clear_board: begin a new game; size, komi and the kind of clock stay."""
    expect(words, "", 0)
    session.set_up(Board(session.state.board.side))
    return ""


def komi(session: GtpSession, words: list[str]) -> str:
    """komi POINTS: change the komi."""
    expect(words, "KOMI", 1)
    points = read_number(words[0], "the komi")
    if abs(points) > LARGEST_KOMI:
        raise syntax_error(f"the komi is at most {LARGEST_KOMI:g}")
    session.state = replace(session.state, komi=points + 0.0)
    return ""


def get_komi(session: GtpSession, words: list[str]) -> str:
    """get_komi: return the komi."""
    expect(words, "", 0)
    return f"{session.state.komi:g}"


def set_rules(session: GtpSession, words: list[str]) -> str:
    """kata-set-rules NAME|JSON, kgs-rules NAME: play by these rules; those that cannot be played are refused."""
    expect(words, "the name of a rule set, or JSON", 1, len(words))
    session.state = replace(session.state, rules=read_rules(" ".join(words)))
    return ""


def get_rules(session: GtpSession, words: list[str]) -> str:
    """kata-get-rules: return the rules that are played, as KataGo writes them."""
    expect(words, "", 0)
    return session.rules.as_json()


def set_position(session: GtpSession, words: list[str]) -> str:
    """set_position [COLOR VERTEX]...: put these stones on an empty board, without a history. KataGo's extension."""
    if len(words) % 2:
        raise syntax_error("expected pairs of COLOR VERTEX")
    side = session.state.board.side
    cells = np.zeros(side * side, np.uint8)
    for colour, where in zip(words[::2], words[1::2], strict=True):
        stone, point = read_colour(colour), read_vertex(where, side)
        if point == PASS or cells[point]:
            raise GotoolsError(f"illegal position: {where[:40]} is {'no point' if point == PASS else 'named twice'}")
        cells[point] = stone
    to_play = WHITE if cells.any() and not (cells == WHITE).any() else BLACK
    try:
        board = Board.from_cells(cells, side, to_play)
    except ValueError as error:
        raise GotoolsError(f"illegal position: {error}") from None
    session.set_up(board)
    return ""


def clear_cache(session: GtpSession, words: list[str]) -> str:
    """clear_cache: forget what was searched. KataGo's extension."""
    expect(words, "", 0)
    session.player.forget()
    return ""


# games from files -----------------------------------------------------------------------------------------------------


def loadsgf(session: GtpSession, words: list[str]) -> str:
    """loadsgf FILENAME [MOVE_NUMBER]: set up the first game of a file, as it was before that move, or at its end.

    The file name may hold single blanks. Undo goes back to the last set-up stones.
    """
    if not words:
        raise syntax_error("expected FILENAME [MOVE_NUMBER]")
    number = None
    if len(words) > 1 and words[-1].isascii() and words[-1].isdigit():
        number = read_integer(words.pop(), "the move number")
    try:
        record = _read_game(" ".join(words))
        if session.player.size not in (None, record.size):
            only = board_text(session.player.size or 0)
            raise GotoolsError(f"a game on {board_text(record.size)}, and --eval has weights for {only}")
        count = len(record.moves) if number is None else min(max(number - 1, 0), len(record.moves))
        start, moves = _replay(record, count, session.state.rules.suicide or allows_suicide(record.rules))
        for what in record.remarks:
            print(f"gotools gtp: {' '.join(words)}: {what}", file=sys.stderr, flush=True)
    except (GotoolsError, ValueError) as error:
        raise GotoolsError(f"cannot load file: {error}") from None
    session.set_up(start, moves)
    if record.komi is not None and abs(record.komi) <= LARGEST_KOMI:
        session.state = replace(session.state, komi=record.komi)
    return ""


def _read_game(name: str) -> Record:
    """Read the first game of a file. Raises GotoolsError."""
    if not os.path.isfile(name):  # a pipe might never end
        raise GotoolsError("no such file")
    data = bytearray()
    for part in read_parts(os.path.abspath(name)):
        data += part
        if len(data) > LARGEST_FILE:
            raise GotoolsError(f"more than {LARGEST_FILE >> 20} MB")
    record = next(iter(read_games(bytes(data), name, GO)), None)
    if isinstance(record, Record):
        return record
    raise GotoolsError(_what(record))


def _what(problem: Problem | None) -> str:
    if problem is None:
        return "no game in it"
    return problem.what if problem.line is None else f"line {problem.line}: {problem.what}"


def _replay(record: Record, count: int, suicide: bool) -> tuple[Board, tuple[tuple[int, int], ...]]:
    """Return the board after the last set-up stones among the first moves of a record, and the moves from there.

    suicide -- allow it, whatever the rules of the record

    Raises GotoolsError for an illegal move, ValueError for set-up stones without liberties.
    """
    stones: dict[int, list[Setup]] = defaultdict(list)
    for stone in record.setup:
        stones[stone.after].append(stone)
    board = start = Board(record.size)
    moves: list[tuple[int, int]] = []
    for ply in range(count + 1):
        if ply in stones:
            start = _with_stones(board, stones[ply], _mover(record, ply, board))
            board, moves = start.copy(), []
        if ply < count:
            colour, point = (int(value) for value in record.moves[ply])
            if why := board.why_illegal(point, colour, suicide=suicide):
                raise GotoolsError(f"move {ply + 1} ({colour_letter(colour)} {vertex(point, record.size)}): {why}")
            if board is start:
                board = start.copy()
            board.play_point(point, colour)
            moves.append((colour, point))
    return start, tuple(moves)


def _with_stones(board: Board, stones: list[Setup], to_play: int) -> Board:
    cells = board.cells
    for stone in stones:
        cells[stone.point] = stone.colour
    return Board.from_cells(cells, board.side, to_play)


def _mover(record: Record, ply: int, board: Board) -> int:
    """Return whose turn it is after set-up stones: who moves next in the record, else white after a handicap."""
    if ply < len(record.moves):
        return int(record.moves[ply, 0])
    if ply > 0:
        return board.to_play
    return WHITE if all(stone.colour == BLACK for stone in record.setup if stone.after == 0) else BLACK


COMMANDS: Final = {
    "boardsize": boardsize,
    "clear_board": clear_board,
    "clear_cache": clear_cache,
    "get_komi": get_komi,
    "kata-get-rules": get_rules,
    "kata-set-rules": set_rules,
    "kgs-rules": set_rules,
    "komi": komi,
    "loadsgf": loadsgf,
    "query_boardsize": query_boardsize,
    "set_position": set_position,
}
