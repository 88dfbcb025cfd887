"""Handicap stones: free places, and the commands of GTP (version 2, section 4.1) for fixed and free ones."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.arguments import expect, read_count, read_vertex, syntax_error
from gotools.engines.gtp.session import GtpSession
from gotools.games.go.board import Board
from gotools.games.go.points import BLACK, PASS, WHITE, fixed_points, most_fixed, vertex


def free_points(size: int, count: int) -> list[int]:
    """Choose the points of a free handicap: the fixed places as far as they go, then where most room is left.

    Raises GotoolsError for less than two stones or a full board.
    """
    if not 2 <= count < size * size:
        raise GotoolsError("invalid number of stones")
    points = fixed_points(size, min(count, most_fixed(size))) if most_fixed(size) else []
    y, x = np.divmod(np.arange(size * size), size)
    # the edge counts like a stone a little beyond it: so the first stones do not stand on the lowest lines
    room = np.minimum(np.minimum(x, size - 1 - x), np.minimum(y, size - 1 - y)) + 1.5
    for point in points:
        room = np.minimum(room, np.hypot(x - x[point], y - y[point]))
    while len(points) < count:
        point = int(room.argmax())
        points.append(point)
        room = np.minimum(room, np.hypot(x - x[point], y - y[point]))
    return points


def fixed_handicap(session: GtpSession, words: list[str]) -> str:
    """fixed_handicap COUNT: put black stones on the usual places."""
    expect(words, "NUMBER_OF_STONES", 1)
    count = read_count(words[0], "the number of stones")
    _check_empty(session)
    return _place(session, fixed_points(session.state.board.side, count))


def place_free_handicap(session: GtpSession, words: list[str]) -> str:
    """place_free_handicap COUNT: put black stones where the engine likes them."""
    expect(words, "NUMBER_OF_STONES", 1)
    count = read_count(words[0], "the number of stones")
    _check_empty(session)
    return _place(session, free_points(session.state.board.side, count))


def set_free_handicap(session: GtpSession, words: list[str]) -> str:
    """set_free_handicap VERTEX VERTEX ...: put black stones where the controller says."""
    if not words:
        raise syntax_error("expected VERTEX VERTEX ...")
    size = session.state.board.side
    points = [read_vertex(word, size) for word in words]
    _check_empty(session)
    if PASS in points or len(set(points)) != len(points) or not 2 <= len(points) < size * size:
        raise GotoolsError("bad vertex list")
    _place(session, points)
    return ""


def _check_empty(session: GtpSession) -> None:
    if not session.state.board.is_empty():
        raise GotoolsError("board not empty")


def _place(session: GtpSession, points: list[int]) -> str:
    """Begin a game with black stones and white to play; returns their vertices."""
    size = session.state.board.side
    cells = np.zeros(size * size, np.uint8)
    cells[points] = BLACK
    session.set_up(Board.from_cells(cells, size, WHITE))
    return " ".join(vertex(point, size) for point in points)


COMMANDS: Final = {
    "fixed_handicap": fixed_handicap,
    "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap,
}
