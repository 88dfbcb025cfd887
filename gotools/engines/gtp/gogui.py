"""GTP commands for the windows of GoGui: what it can show, and the numbers; and its commands for games but Go."""

from __future__ import annotations

from typing import Final

from gotools.engines.gtp.arguments import expect, read_colour
from gotools.engines.gtp.session import Row, Session
from gotools.game.choice import Choice, Limits
from gotools.game.sides import side_name
from gotools.game.traits import Scoring

PREVIEW_NODES: Final = 200
"""Nodes of the short search behind a window."""
SHOWN: Final = (
    "dboard/Ownership (playouts)/gotools-ownership",
    "pspairs/Candidates (percent of visits)/gotools-candidates %c",
    "pspairs/Priors of the rules (percent)/gotools-priors %c",
    "varc/Expected line/gotools-line %c",
    "hstring/Explain last move/gotools-explain",
    "plist/Dead stones/final_status_list dead",
    "plist/Stones in seki/final_status_list seki",
    "string/Score/final_score",
)
"""What GoGui can show, as TYPE/LABEL/COMMAND."""


def analyze_commands(session: Session, words: list[str]) -> str:
    """gogui-analyze_commands: list what GoGui can show, as TYPE/LABEL/COMMAND."""
    expect(words, "", 0)
    return "\n".join(line for line in SHOWN if line.split("/")[2].split()[0] in session.commands)


def ownership(session: Session, words: list[str]) -> str:
    """gotools-ownership: estimate by playouts who will own each point, rows from the top, +1 black to -1 white."""
    expect(words, "", 0)
    rows = session.game.need(Scoring).owners(session.state.history.state, session.settings.seed)
    return "\n".join(" ".join(f"{value:.3f}" for value in row) for row in rows)


def candidates(session: Session, words: list[str]) -> str:
    """gotools-candidates [COLOR]: think for a moment, and list the moves with their share of it in percent."""
    choice = _glance(session, words)
    total = max(sum(option.visits for option in choice.options), 1)
    return _pairs(session, [(option.move, option.visits / total) for option in choice.options])


def priors(session: Session, words: list[str]) -> str:
    """gotools-priors [COLOR]: list the moves that the rules propose, with their probability in percent."""
    return _pairs(session, [(option.move, option.prior) for option in _glance(session, words).options])


def expected_line(session: Session, words: list[str]) -> str:
    """gotools-line [COLOR]: think for a moment and return the moves expected."""
    return " ".join(map(session.state.history.text, _glance(session, words).line))


def _glance(session: Session, words: list[str]) -> Choice:
    expect(words, "[COLOR]", 0, 1)
    side = read_colour(words[0]) if words else session.state.history.to_play
    session.check_turn(side)
    return session.think(side, limits=Limits(nodes=PREVIEW_NODES))


def _pairs(session: Session, pairs: list[tuple[int, float]]) -> str:
    """Write moves with percentages, those of a percent and more; passes cannot be shown."""
    history = session.state.history
    passes = history.game.place_of(history.game.pass_move, history.size) if history.game.pass_move >= 0 else None
    shown = sorted((pair for pair in pairs if pair[0] != passes and pair[1] >= 0.01), key=lambda pair: -pair[1])
    return "\n".join(f"{history.text(move)} {100 * share:.0f}" for move, share in shown)


# of games other than Go -----------------------------------------------------------------------------------------------


def board(session: Session, words: list[str]) -> str:
    """gogui-rules_board: draw the board."""
    expect(words, "", 0)
    return f"\n{session.game.draw(session.state.history.state)}"


def legal_moves(session: Session, words: list[str]) -> str:
    """gogui-rules_legal_moves: list the legal moves."""
    expect(words, "", 0)
    history = session.state.history
    return "" if history.verdict() else " ".join(map(history.text, history.legal_moves()))


def side_to_move(session: Session, words: list[str]) -> str:
    """gogui-rules_side_to_move: say whose turn it is."""
    expect(words, "", 0)
    return side_name(session.state.history.to_play)


def game_id(session: Session, words: list[str]) -> str:
    """gogui-rules_game_id: return the name of the game."""
    expect(words, "", 0)
    return session.game.name


COMMANDS: Final = {
    "gogui-analyze_commands": Row(analyze_commands),
    "gogui-rules_board": Row(board, Scoring, False),
    "gogui-rules_game_id": Row(game_id, Scoring, False),
    "gogui-rules_legal_moves": Row(legal_moves, Scoring, False),
    "gogui-rules_side_to_move": Row(side_to_move, Scoring, False),
    "gotools-candidates": Row(candidates),
    "gotools-line": Row(expected_line),
    "gotools-ownership": Row(ownership, Scoring),
    "gotools-priors": Row(priors),
}
