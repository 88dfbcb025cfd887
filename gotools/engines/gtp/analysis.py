"""GTP commands that show what the player thinks: live analysis as Leela Zero and KataGo print it.

A line a report (report_lines.py), until anything comes in.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from gotools.engines.gtp.arguments import (
    expect,
    is_colour,
    read_colour,
    read_count,
    read_flag,
    read_vertex,
    syntax_error,
)
from gotools.engines.gtp.report_lines import Candidate, Line, kata_line, lz_line
from gotools.engines.gtp.session import GtpSession
from gotools.engines.gtp.status import ownership_rows
from gotools.game.choice import Choice, Limits, Option
from gotools.games.go.points import BLACK, PASS, vertex

INTERVAL: Final = 50
"""Centiseconds between reports if nothing is said."""
LONGEST_INTERVAL: Final = 10**6
WAIT: Final = 1.0
"""Seconds between looks for news once the player has nothing more to say."""
_FLAGS: Final = ("rootinfo", "movesownership", "ownershipstdev", "movesownershipstdev", "pvvisits", "pvedgevisits")
"""Keys of KataGo that are taken and change nothing: what they ask for is not known here."""


@dataclass(slots=True)
class Wish:
    """What an analysis shall show.

    least   -- moves to show though no thought was spent on them; else those are left out
    allowed -- points the first move may have; None: all
    """

    colour: int
    interval: int = INTERVAL
    least: int = 1
    most: int = 1000
    ownership: bool = False
    allowed: set[int] | None = None
    avoided: set[int] = field(default_factory=set)


# the commands ---------------------------------------------------------------------------------------------------------


def lz_analyze(session: GtpSession, words: list[str]) -> str:
    """lz-analyze [COLOR] [INTERVAL] [KEY VALUE]...: think and report until anything comes in."""
    return _analyze(session, words, lz_line)


def kata_analyze(session: GtpSession, words: list[str]) -> str:
    """kata-analyze [COLOR] [INTERVAL] [KEY VALUE]...: think and report until anything comes in."""
    return _analyze(session, words, kata_line)


def lz_genmove_analyze(session: GtpSession, words: list[str]) -> str:
    """lz-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...: as genmove, with reports."""
    return _genmove_analyze(session, words, lz_line)


def kata_genmove_analyze(session: GtpSession, words: list[str]) -> str:
    """kata-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...: as genmove, with reports."""
    return _genmove_analyze(session, words, kata_line)


class Reporter:
    """Send a line for a choice now and then."""

    def __init__(self, session: GtpSession, wish: Wish, line: Line) -> None:
        self._session, self._wish, self._line = session, wish, line
        self._last = time.monotonic()
        self._tail = _ownership_text(session, wish.colour) if wish.ownership else ""
        self.sent = 0

    def report(self, choice: Choice) -> None:
        """Send a line if the interval is over."""
        now = time.monotonic()
        if (now - self._last) * 100 >= self._wish.interval:
            self._last = now
            self.send(choice)

    def send(self, choice: Choice) -> None:
        """Send a line now; nothing where the choice knows no moves yet."""
        looked_at = sum(option.visits > 0 for option in choice.options)
        shown = choice.options[: min(max(looked_at, self._wish.least), self._wish.most)]
        if shown:
            size = self._session.state.board.side
            candidates = [_candidate(option, size) for option in shown]
            self._session.link.say(self._line(candidates, choice.lead) + self._tail)
            self.sent += 1


def _analyze(session: GtpSession, words: list[str], line: Line) -> str:
    wish = read_wish(session, words)
    allowed = _allowed(session, wish)
    reporter = Reporter(session, wish, line)
    session.link.say("")

    def report(choice: Choice) -> None:
        if session.link.news():
            session.player.stop()
        else:
            reporter.report(choice)

    choice = session.think(wish.colour, report, Limits(), allowed=allowed, endless=True)
    if not reporter.sent:
        reporter.send(choice)
    while not session.link.news():  # the player has thought all there is to think
        session.link.wait(WAIT)
    return ""


def _genmove_analyze(session: GtpSession, words: list[str], line: Line) -> str:
    wish = read_wish(session, words)
    reporter = Reporter(session, wish, line)
    session.link.say("")
    choice = session.think(wish.colour, reporter.report)
    point = session.make(wish.colour, choice)
    if not reporter.sent:
        reporter.send(choice)
    return f"play {'resign' if point is None else vertex(point, session.state.board.side)}"


# reading the wish -----------------------------------------------------------------------------------------------------


def read_wish(session: GtpSession, words: list[str]) -> Wish:
    """Read `[COLOR] [INTERVAL] [KEY VALUE]...`. Raises GotoolsError for what it does not understand."""
    left = list(words)
    wish = Wish(session.state.board.to_play)
    if left and is_colour(left[0]):
        wish.colour = read_colour(left.pop(0))
    if left and left[0].isascii() and left[0].isdigit():
        wish.interval = min(read_count(left.pop(0), "the interval"), LONGEST_INTERVAL)
    while left:
        _read_key(session, wish, left)
    return wish


def _read_key(session: GtpSession, wish: Wish, left: list[str]) -> None:
    """Take one key and its values off the words."""
    key = left.pop(0).lower()
    if not left:
        raise syntax_error(f"expected a value after {key[:40]!r}")
    value = left.pop(0)
    if key == "interval":
        wish.interval = min(read_count(value, "the interval"), LONGEST_INTERVAL)
    elif key == "maxmoves":
        wish.most = max(read_count(value, key), 1)
    elif key == "minmoves":
        wish.least = max(read_count(value, key), 1)
    elif key == "ownership":
        wish.ownership = read_flag(value, key)
    elif key in _FLAGS:
        read_flag(value, key)
    elif key in ("allow", "avoid"):
        _read_points(session, wish, key, [value, *left[:2]])
        del left[:2]
    else:
        raise syntax_error(f"{key[:40]!r} is not known here")


def _read_points(session: GtpSession, wish: Wish, key: str, words: list[str]) -> None:
    """Read `COLOR VERTEX,VERTEX,... UNTIL_DEPTH`; only the first move is restricted, whatever the depth."""
    expect(words, f"COLOR VERTEX,VERTEX,... DEPTH after {key}", 3)
    size = session.state.board.side
    points = {read_vertex(word, size) for word in words[1].split(",")}
    read_count(words[2], "the depth")
    if read_colour(words[0]) != wish.colour:
        return
    if key == "avoid":
        wish.avoided |= points
    else:
        wish.allowed = points | (wish.allowed or set())


def _allowed(session: GtpSession, wish: Wish) -> set[int] | None:
    """Return the points the first move may have; None: any.

    Raises GotoolsError where no legal one is left.
    """
    if wish.allowed is None and not wish.avoided:
        return None
    board = session.state.board
    points = {*range(board.side**2), PASS} if wish.allowed is None else wish.allowed
    legal = {p for p in points - wish.avoided if board.is_legal(p, wish.colour, ko="positional")}
    if not legal:
        raise syntax_error("no legal move is left")
    return legal


def _candidate(option: Option, size: int) -> Candidate:
    line = tuple(vertex(point, size) for point in option.line or (option.move,))
    return Candidate(vertex(option.move, size), option.chance, option.visits, option.prior, line)


def _ownership_text(session: GtpSession, colour: int) -> str:
    """Write who will own each point, for the side to play, rows from the top: +1 its own, -1 the opponent's."""
    sign = 1 if colour == BLACK else -1
    return " ownership " + " ".join(f"{sign * value:.4f}" for row in ownership_rows(session) for value in row)


COMMANDS: Final = {
    "analyze": kata_analyze,  # Sabaki's names
    "genmove_analyze": kata_genmove_analyze,
    "kata-analyze": kata_analyze,
    "kata-genmove_analyze": kata_genmove_analyze,
    "lz-analyze": lz_analyze,
    "lz-genmove_analyze": lz_genmove_analyze,
}
