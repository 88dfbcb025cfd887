"""GTP commands that make moves: play, undo, genmove and its kin, and why the last one was chosen."""

from __future__ import annotations

from typing import Final

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.about import Command
from gotools.engines.gtp.arguments import expect, is_colour, read_colour, read_vertex, syntax_error
from gotools.engines.gtp.session import GtpSession
from gotools.games.go.points import vertex


def play(session: GtpSession, words: list[str]) -> str:
    """play COLOR VERTEX: make a move."""
    expect(words, "COLOR VERTEX", 2)
    colour = read_colour(words[0])
    session.play(colour, read_vertex(words[1], session.state.board.side))
    return ""


def genmove(session: GtpSession, words: list[str]) -> str:
    """genmove COLOR: choose a move and make it."""
    colour = _one_colour(words)
    return _move_text(session, session.make(colour, session.think(colour)))


def genmove_cleanup(session: GtpSession, words: list[str]) -> str:
    """kgs-genmove_cleanup COLOR: as genmove, but pass only when no dead stone of the opponent is left."""
    colour = _one_colour(words)
    return _move_text(session, session.make(colour, session.think(colour, cleanup=True), resign=False))


def reg_genmove(session: GtpSession, words: list[str]) -> str:
    """reg_genmove COLOR: choose a move without making it."""
    return vertex(session.think(_one_colour(words)).move, session.state.board.side)


def explain(session: GtpSession, words: list[str]) -> str:
    """gotools-explain, gomill-explain_last_move: say why the last move of genmove was chosen."""
    expect(words, "", 0)
    thought = session.state.thought
    if thought is None:
        raise GotoolsError("no move to explain: there was no genmove in this game")
    return session.player.explain(thought.history, thought.colour, thought.choice)


def _one_colour(words: list[str]) -> int:
    if len(words) != 1 or not is_colour(words[0]):
        raise syntax_error("expected one colour, b or w")
    return read_colour(words[0])


def _move_text(session: GtpSession, point: int | None) -> str:
    return "resign" if point is None else vertex(point, session.state.board.side)


COMMANDS: Final[dict[str, Command]] = {
    "genmove": genmove,
    "gomill-explain_last_move": explain,
    "gotools-explain": explain,
    "kgs-genmove_cleanup": genmove_cleanup,
    "play": play,
    "reg_genmove": reg_genmove,
}
