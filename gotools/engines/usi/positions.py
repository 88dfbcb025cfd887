"""The words of `position`: `startpos moves 7g7f 3c3d`, `sfen BOARD SIDE HANDS NUMBER moves ...`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gotools.base.errors import GotoolsError, quoted
from gotools.engines.gtp.session import Session
from gotools.game.history import History

WITHOUT_LIMIT: Final = "moves=10000"
"""The setting of a game that goes on beyond the usual number of plies: the board decides when it ends."""
MOST_MOVES: Final = 9000


def set_up(session: Session, words: Sequence[str]) -> None:
    """Bring a session to a position; of the game so far the moves in common are kept, and what the player knows.

    Raises GotoolsError, and leaves the session as it was.
    """
    setting, texts = _read(words)
    if len(texts) >= session.player.game.plies:
        setting = ",".join(filter(None, (setting, WITHOUT_LIMIT)))
    game = session.player.game.started_from(setting)
    before = session.state.history
    known = before.moves if before.game.setting == game.setting else ()
    kept = 0
    while kept < min(len(known), len(texts)) and before.text(known[kept][1]) == texts[kept]:
        kept += 1
    history = before.back(len(known) - kept) if kept else History.start(game, before.size)
    for number, text in enumerate(texts[kept:], kept):
        history = history.after(history.to_play, _read_move(history, text, number))
    if before.game.setting != game.setting or (before.moves and not texts):
        session.clear(setting=setting)
    session.state = replace(session.state, history=history)


def _read(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the setting of the start ("" for the usual one) and the moves as text. Raises GotoolsError."""
    at = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:at], list(words[at + 1 :])
    if len(moves) > MOST_MOVES:
        raise GotoolsError(f"more than {MOST_MOVES} moves")
    if list(start) == ["startpos"]:
        return "", moves
    if start[:1] != ["sfen"] or len(start) not in (4, 5) or any(mark in word for word in start for mark in ",="):
        raise GotoolsError("position startpos, or position sfen BOARD SIDE HANDS NUMBER; then moves MOVE ...")
    return " ".join(start[1:]), moves


def _read_move(history: History, text: str, number: int) -> int:
    """Return a legal move. Raises GotoolsError where it is illegal."""
    where, game, state = f"move {number + 1}, {quoted(text, 20)}", history.game, history.state
    try:
        move = game.parse_move(text, game.sizes[0])
    except ValueError as error:
        raise GotoolsError(f"{where}: not a move of USI") from error
    if move not in game.moves_of(state):
        raise GotoolsError(f"{where}, is illegal: {game.why_illegal(state, move) or 'the game is over'}")
    return move
