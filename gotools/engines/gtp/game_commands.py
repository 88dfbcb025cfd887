"""GTP commands for any game but Go: the common ones, and GoGui's for other games (gogui-rules_...).

Colours are b, the side that moves first, and w; moves are written as the game writes them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from gotools.base.errors import GotoolsError
from gotools.engines.gtp import about, clocks
from gotools.engines.gtp.about import Command
from gotools.engines.gtp.arguments import expect, is_colour, read_colour, read_count, read_integer, syntax_error
from gotools.engines.gtp.game_session import GameSession
from gotools.engines.gtp.report_lines import Candidate, Line, kata_line, lz_line
from gotools.game.choice import Choice, Limits
from gotools.jit.kernels.seams import ONGOING

INTERVAL: Final = 50
"""Centiseconds between reports if nothing is said."""
LONGEST_INTERVAL: Final = 10**6
WAIT: Final = 1.0
"""Seconds between looks for news once the player has nothing more to say."""


# setting up -----------------------------------------------------------------------------------------------------------


def boardsize(session: GameSession, words: list[str]) -> str:
    """boardsize SIZE: accept the size of the game, and clear the board."""
    expect(words, "SIZE", 1)
    if read_integer(words[0], "the size") != session.state.history.size:
        raise GotoolsError("unacceptable size")
    session.clear()
    return ""


def query_boardsize(session: GameSession, words: list[str]) -> str:
    """query_boardsize, gogui-rules_board_size: return the size of the board."""
    expect(words, "", 0)
    return str(session.state.history.size)


def clear_board(session: GameSession, words: list[str]) -> str:
    """clear_board: begin a new game."""
    expect(words, "", 0)
    session.clear()
    return ""


def start(session: GameSession, words: list[str]) -> str:
    """gotools-start SETTING: begin a new game from another start, until the next clear_board."""
    expect(words, "SETTING", 1, len(words))
    session.clear(" ".join(words))
    return ""


# moves ----------------------------------------------------------------------------------------------------------------


def play(session: GameSession, words: list[str]) -> str:
    """play COLOR MOVE: make a move."""
    expect(words, "COLOR MOVE", 2)
    session.play(read_colour(words[0]), _read_move(session, words[1]))
    return ""


def genmove(session: GameSession, words: list[str]) -> str:
    """genmove COLOR: choose a move and make it, or resign."""
    session.check_turn(_one_colour(words))
    return _text(session, session.make(session.think()))


def reg_genmove(session: GameSession, words: list[str]) -> str:
    """reg_genmove COLOR: choose a move without making it."""
    session.check_turn(_one_colour(words))
    return _text(session, session.think().move)


def explain(session: GameSession, words: list[str]) -> str:
    """gotools-explain, gomill-explain_last_move: say why the last move of genmove was chosen."""
    expect(words, "", 0)
    if session.state.thought is None:
        raise GotoolsError("no move to explain: there was no genmove in this game")
    before, choice = session.state.thought
    return session.player.explain(before, before.to_play, choice)


def chance(session: GameSession, words: list[str]) -> str:
    """gotools-chance: think, and return the chance of the side to play to win, in percent."""
    expect(words, "", 0)
    session.check_turn(session.state.to_play)
    return f"{100 * session.think().chance:.1f}"


# the board ------------------------------------------------------------------------------------------------------------


def showboard(session: GameSession, words: list[str]) -> str:
    """showboard: draw the board, and say whose turn it is."""
    expect(words, "", 0)
    state = session.state
    moves = state.history.moves
    last = f"; last move {_text(session, moves[-1][1])}" if moves else ""
    turn = f"over, {result_of(session)}" if session.is_finished else f"{'bw'[state.to_play - 1]} to play"
    return f"\n{session.player.game.draw(state.position)}\nmove {len(moves) + 1}, {turn}{last}"


def rules_board(session: GameSession, words: list[str]) -> str:
    """gogui-rules_board: draw the board."""
    expect(words, "", 0)
    return f"\n{session.player.game.draw(session.state.position)}"


def move_history(session: GameSession, words: list[str]) -> str:
    """move_history: list the moves, the last one first."""
    expect(words, "", 0)
    names = ("black", "white")
    moves = session.state.history.moves
    return "\n".join(f"{names[side - 1]} {_text(session, move)}" for side, move in reversed(moves))


def legal_moves(session: GameSession, words: list[str]) -> str:
    """gogui-rules_legal_moves: list the legal moves."""
    expect(words, "", 0)
    if session.is_finished:
        return ""
    return " ".join(_text(session, move) for move in session.player.game.moves_of(session.state.position))


def side_to_move(session: GameSession, words: list[str]) -> str:
    """gogui-rules_side_to_move: say whose turn it is."""
    expect(words, "", 0)
    return ("black", "white")[session.state.to_play - 1]


def game_id(session: GameSession, words: list[str]) -> str:
    """gogui-rules_game_id: return the name of the game."""
    expect(words, "", 0)
    return session.player.game.name


def final_score(session: GameSession, words: list[str]) -> str:
    """final_score, gogui-rules_final_result: return who has won; 0 is a draw."""
    expect(words, "", 0)
    if not session.is_finished:
        raise GotoolsError("cannot score: the game is not over")
    return result_of(session)


def result_of(session: GameSession) -> str:
    """Return the result of a finished game: B+, W+ or 0."""
    value = float(session.game.outcome(session.state.position))
    if value == ONGOING:
        value = session.state.history.repetition_value() or 0.0
    winner = session.state.to_play if value > 0 else 3 - session.state.to_play
    return "0" if value == 0 else f"{'BW'[winner - 1]}+"


# analysis -------------------------------------------------------------------------------------------------------------


def lz_analyze(session: GameSession, words: list[str]) -> str:
    """lz-analyze [COLOR] [INTERVAL]: think and report until anything comes in."""
    return _analyze(session, words, lz_line)


def kata_analyze(session: GameSession, words: list[str]) -> str:
    """kata-analyze [COLOR] [INTERVAL]: think and report until anything comes in."""
    return _analyze(session, words, kata_line)


def _analyze(session: GameSession, words: list[str], line: Line) -> str:
    colour, interval = _read_wish(session, words)
    session.check_turn(colour)
    session.link.say("")
    last = time.monotonic()
    sent = 0

    def report(choice: Choice) -> None:
        nonlocal last, sent
        if session.link.news():
            session.player.stop()
        elif (time.monotonic() - last) * 100 >= interval and choice.options:
            last, sent = time.monotonic(), sent + 1
            session.link.say(line(candidates_of(session, choice), None))

    choice = session.think(report, Limits(), endless=True)
    if not sent and choice.options:
        session.link.say(line(candidates_of(session, choice), None))
    while not session.link.news():  # the player has thought all there is to think
        session.link.wait(WAIT)
    return ""


def candidates_of(session: GameSession, choice: Choice) -> list[Candidate]:
    """Return the moves of a choice as reports show them."""
    text = session.state.history.text

    def line(moves: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(text, moves))

    return [
        Candidate(text(option.move), option.chance, option.visits, option.prior, line(option.line))
        for option in choice.options
    ]


def _read_wish(session: GameSession, words: list[str]) -> tuple[int, int]:
    left, colour, interval = list(words), session.state.to_play, INTERVAL
    if left and is_colour(left[0]):
        colour = read_colour(left.pop(0))
    if left and left[0].lower() == "interval":
        left.pop(0)
    if left:
        interval = min(read_count(left.pop(0), "the interval"), LONGEST_INTERVAL)
    if left:
        raise syntax_error(f"{left[0][:40]!r} is not known here")
    return colour, interval


# words ----------------------------------------------------------------------------------------------------------------


def _one_colour(words: list[str]) -> int:
    if len(words) != 1 or not is_colour(words[0]):
        raise syntax_error("expected one colour, b or w")
    return read_colour(words[0])


def _read_move(session: GameSession, text: str) -> int:
    try:
        return session.player.game.parse_move(text[:40], session.state.history.size)
    except ValueError as error:
        raise syntax_error(str(error)) from None


def _text(session: GameSession, move: int | None) -> str:
    return "resign" if move is None else session.state.history.text(move)


COMMANDS: Final[dict[str, Command]] = {
    **about.COMMANDS,
    **clocks.COMMANDS,
    "analyze": kata_analyze,  # Sabaki's name
    "boardsize": boardsize,
    "clear_board": clear_board,
    "final_score": final_score,
    "genmove": genmove,
    "gogui-rules_board": rules_board,
    "gogui-rules_board_size": query_boardsize,
    "gogui-rules_final_result": final_score,
    "gogui-rules_game_id": game_id,
    "gogui-rules_legal_moves": legal_moves,
    "gogui-rules_side_to_move": side_to_move,
    "gomill-explain_last_move": explain,
    "gotools-chance": chance,
    "gotools-explain": explain,
    "gotools-start": start,
    "kata-analyze": kata_analyze,
    "lz-analyze": lz_analyze,
    "move_history": move_history,
    "play": play,
    "query_boardsize": query_boardsize,
    "reg_genmove": reg_genmove,
    "showboard": showboard,
}
