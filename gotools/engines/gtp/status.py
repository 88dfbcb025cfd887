"""GTP commands that look at the board: drawings, dead stones, the score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.arguments import expect, read_colour, syntax_error
from gotools.engines.gtp.session import Row, Session
from gotools.game.outcome import score_text
from gotools.game.sides import side_letter, side_name
from gotools.game.traits import Scoring, SetUp


def showboard(session: Session, words: list[str]) -> str:
    """showboard: draw the board, and say whose turn it is, and how the game stands."""
    expect(words, "", 0)
    history, game, last = session.state.history, session.game, ""
    if history.moves:
        side, move = history.moves[-1]
        either = game.has(SetUp)  # then the turn does not say whose move it was
        last = f"; last move {side_letter(side) + ' ' if either else ''}{history.text(move)}"
    scoring = game.find(Scoring)
    over = None if scoring else history.verdict()
    turn = f"over, {over.result}" if over else f"{side_letter(history.to_play)} to play"
    board = f"\n{game.draw(history.state)}\nmove {len(history.moves) + 1}, {turn}{last}"
    return f"{board}\n{scoring.remarks(history.state, session.state.komi)}" if scoring else board


def list_stones(session: Session, words: list[str]) -> str:
    """list_stones COLOR: list the stones of a colour."""
    expect(words, "COLOR", 1)
    return _listed(session, session.game.need(SetUp).stones(session.state.history.state, read_colour(words[0])))


def move_history(session: Session, words: list[str]) -> str:
    """move_history: list the moves, the last one first."""
    expect(words, "", 0)
    history = session.state.history
    return "\n".join(f"{side_name(side)} {history.text(move)}" for side, move in reversed(history.moves))


def final_score(session: Session, words: list[str]) -> str:
    """final_score, gogui-rules_final_result: return who has won, and by how much if the game is counted; 0 is a draw.

    Area counts, or territory by rules that do; dead stones are taken off unless all count as alive.
    """
    expect(words, "", 0)
    history, scoring = session.state.history, session.game.find(Scoring)
    if scoring:
        seed = session.settings.seed
        return score_text(scoring.estimate(history.state, session.state.komi, rules=session.rules, seed=seed))
    over = history.verdict()
    if over is None:
        raise GotoolsError("cannot score: the game is not over")
    return over.result


def final_status_list(session: Session, words: list[str]) -> str:
    """final_status_list alive|seki|dead: list the stones of a status, a chain a line."""
    expect(words, "alive, seki or dead", 1)
    if words[0] not in ("alive", "seki", "dead"):
        raise syntax_error("expected alive, seki or dead")
    chains = session.game.need(Scoring).status(session.state.history.state, session.settings.seed, words[0])
    return "\n".join(_listed(session, chain) for chain in chains)


def _listed(session: Session, places: Iterable[int]) -> str:
    return " ".join(map(session.state.history.text, places))


COMMANDS: Final = {
    "final_score": Row(final_score),
    "final_status_list": Row(final_status_list, Scoring),
    "gogui-rules_final_result": Row(final_score, Scoring, False),
    "list_stones": Row(list_stones, SetUp),
    "move_history": Row(move_history),
    "showboard": Row(showboard),
}
