"""GTP commands that make moves: play, undo, genmove and its kin, and why the last one was chosen."""

from __future__ import annotations

from typing import Final

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.arguments import expect, is_colour, read_colour, read_count, read_move, syntax_error
from gotools.engines.gtp.session import Row, Session
from gotools.game.traits import Passing, Scoring


def play(session: Session, words: list[str]) -> str:
    """play COLOR MOVE: make a move."""
    expect(words, f"COLOR {session.game.usual.move_word}", 2)
    session.play(read_colour(words[0]), read_move(words[1], session.state.history))
    return ""


def undo(session: Session, words: list[str]) -> str:
    """undo: take back the last move."""
    expect(words, "", 0)
    session.undo()
    return ""


def undo_many(session: Session, words: list[str]) -> str:
    """gg-undo [COUNT]: take back some moves."""
    expect(words, "[COUNT]", 0, 1)
    session.undo(read_count(words[0], "the count") if words else 1)
    return ""


def genmove(session: Session, words: list[str]) -> str:
    """genmove COLOR: choose a move and make it, or resign."""
    side = _one_side(session, words)
    return move_text(session, session.make(side, session.think(side)))


def genmove_cleanup(session: Session, words: list[str]) -> str:
    """kgs-genmove_cleanup COLOR: as genmove, but pass only when no dead stone of the opponent is left."""
    side = _one_side(session, words)
    return move_text(session, session.make(side, session.think(side, cleanup=True), resign=False))


def reg_genmove(session: Session, words: list[str]) -> str:
    """reg_genmove COLOR: choose a move without making it."""
    return move_text(session, session.think(_one_side(session, words)).move)


def explain(session: Session, words: list[str]) -> str:
    """gotools-explain, gomill-explain_last_move: say why the last move of genmove was chosen."""
    expect(words, "", 0)
    thought = session.state.thought
    if thought is None:
        raise GotoolsError("no move to explain: there was no genmove in this game")
    return session.player.explain(thought.history, thought.side, thought.choice)


def chance(session: Session, words: list[str]) -> str:
    """gotools-chance: think, and return the chance of the side to play to win, in percent."""
    expect(words, "", 0)
    side = session.state.history.to_play
    session.check_turn(side)
    return f"{100 * session.think(side).chance:.1f}"


def move_text(session: Session, move: int | None) -> str:
    """Return a move as the game writes it; None resigns."""
    return "resign" if move is None else session.state.history.text(move)


def _one_side(session: Session, words: list[str]) -> int:
    """Read one colour, of a side that may move now."""
    if len(words) != 1 or not is_colour(words[0]):
        raise syntax_error("expected one colour, b or w")
    side = read_colour(words[0])
    session.check_turn(side)
    return side


COMMANDS: Final = {
    "genmove": Row(genmove),
    "gg-undo": Row(undo_many),
    "gomill-explain_last_move": Row(explain),
    "gotools-chance": Row(chance, Scoring, False),
    "gotools-explain": Row(explain),
    "kgs-genmove_cleanup": Row(genmove_cleanup, Passing),
    "play": Row(play),
    "reg_genmove": Row(reg_genmove),
    "undo": Row(undo),
}
