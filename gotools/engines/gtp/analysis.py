"""GTP commands that show what the player thinks: live analysis as Leela Zero and KataGo print it.

A line a report (report_lines.py), until anything comes in.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from gotools.engines.gtp.arguments import expect, is_colour, read_colour, read_count, read_flag, read_move, syntax_error
from gotools.engines.gtp.play import move_text
from gotools.engines.gtp.report_lines import Candidate, Line, kata_line, lz_line
from gotools.engines.gtp.session import Row, Session
from gotools.game.choice import Choice, Limits
from gotools.game.traits import Scoring

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
    allowed -- what the first move may be; None: all
    """

    side: int
    interval: int = INTERVAL
    least: int = 1
    most: int = 1000
    ownership: bool = False
    allowed: set[int] | None = None
    avoided: set[int] = field(default_factory=set)


# the commands ---------------------------------------------------------------------------------------------------------


def lz_analyze(session: Session, words: list[str]) -> str:
    """lz-analyze [COLOR] [INTERVAL] [KEY VALUE]...: think and report until anything comes in."""
    return _analyze(session, words, lz_line)


def kata_analyze(session: Session, words: list[str]) -> str:
    """kata-analyze [COLOR] [INTERVAL] [KEY VALUE]...: think and report until anything comes in."""
    return _analyze(session, words, kata_line)


def lz_genmove_analyze(session: Session, words: list[str]) -> str:
    """lz-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...: as genmove, with reports."""
    return _genmove_analyze(session, words, lz_line)


def kata_genmove_analyze(session: Session, words: list[str]) -> str:
    """kata-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...: as genmove, with reports."""
    return _genmove_analyze(session, words, kata_line)


class Reporter:
    """Send a line for a choice now and then."""

    def __init__(self, session: Session, wish: Wish, line: Line) -> None:
        self._session, self._wish, self._line = session, wish, line
        self._last = time.monotonic()
        self._tail = _ownership_text(session, wish.side) if wish.ownership else ""
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
            text = self._session.state.history.text
            candidates = [
                Candidate(
                    text(option.move),
                    option.chance,
                    option.visits,
                    option.prior,
                    tuple(map(text, option.line or (option.move,))),
                )
                for option in shown
            ]
            self._session.link.say(self._line(candidates, choice.lead) + self._tail)
            self.sent += 1


def _analyze(session: Session, words: list[str], line: Line) -> str:
    wish = read_wish(session, words)
    session.check_turn(wish.side)
    allowed = _allowed(session, wish)
    reporter = Reporter(session, wish, line)
    session.link.say("")

    def report(choice: Choice) -> None:
        if session.link.news():
            session.player.stop()
        else:
            reporter.report(choice)

    choice = session.think(wish.side, report, Limits(), allowed=allowed, endless=True)
    if not reporter.sent:
        reporter.send(choice)
    while not session.link.news():  # the player has thought all there is to think
        session.link.wait(WAIT)
    return ""


def _genmove_analyze(session: Session, words: list[str], line: Line) -> str:
    wish = read_wish(session, words)
    session.check_turn(wish.side)
    reporter = Reporter(session, wish, line)
    session.link.say("")
    choice = session.think(wish.side, reporter.report)
    move = session.make(wish.side, choice)
    if not reporter.sent:
        reporter.send(choice)
    return f"play {move_text(session, move)}"


# reading the wish -----------------------------------------------------------------------------------------------------


def read_wish(session: Session, words: list[str]) -> Wish:
    """Read `[COLOR] [INTERVAL] [KEY VALUE]...`. Raises GotoolsError for what it does not understand."""
    left = list(words)
    wish = Wish(session.state.history.to_play)
    if left and is_colour(left[0]):
        wish.side = read_colour(left.pop(0))
    if left and left[0].isascii() and left[0].isdigit():
        wish.interval = min(read_count(left.pop(0), "the interval"), LONGEST_INTERVAL)
    while left:
        _read_key(session, wish, left)
    return wish


def _read_key(session: Session, wish: Wish, left: list[str]) -> None:
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
    elif key == "ownership" and session.game.has(Scoring):
        wish.ownership = read_flag(value, key)
    elif key in _FLAGS:
        read_flag(value, key)
    elif key in ("allow", "avoid"):
        _read_moves(session, wish, key, [value, *left[:2]])
        del left[:2]
    else:
        raise syntax_error(f"{key[:40]!r} is not known here")


def _read_moves(session: Session, wish: Wish, key: str, words: list[str]) -> None:
    """Read `COLOR VERTEX,VERTEX,... UNTIL_DEPTH`; only the first move is restricted, whatever the depth."""
    word = session.game.usual.move_word
    expect(words, f"COLOR {word},{word},... DEPTH after {key}", 3)
    moves = {read_move(text, session.state.history) for text in words[1].split(",")}
    read_count(words[2], "the depth")
    if read_colour(words[0]) != wish.side:
        return
    if key == "avoid":
        wish.avoided |= moves
    else:
        wish.allowed = moves | (wish.allowed or set())


def _allowed(session: Session, wish: Wish) -> set[int] | None:
    """Return what the first move may be; None: any.

    Raises GotoolsError where no legal one is left.
    """
    if wish.allowed is None and not wish.avoided:
        return None
    legal = session.choices(wish.side) - wish.avoided
    if wish.allowed is not None:
        legal &= wish.allowed
    if not legal:
        raise syntax_error("no legal move is left")
    return legal


def _ownership_text(session: Session, side: int) -> str:
    """Write who will own each point, for the side to play, rows from the top: +1 its own, -1 the opponent's."""
    sign = 1 if side == 1 else -1
    rows = session.game.need(Scoring).owners(session.state.history.state, session.settings.seed)
    return " ownership " + " ".join(f"{sign * value:.4f}" for row in rows for value in row)


COMMANDS: Final = {
    "analyze": Row(kata_analyze),  # Sabaki's names
    "genmove_analyze": Row(kata_genmove_analyze),
    "kata-analyze": Row(kata_analyze),
    "kata-genmove_analyze": Row(kata_genmove_analyze),
    "lz-analyze": Row(lz_analyze),
    "lz-genmove_analyze": Row(lz_genmove_analyze),
}
