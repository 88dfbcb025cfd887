"""GTP commands for the windows of GoGui: what it can show, and the numbers."""

from __future__ import annotations

from typing import Final

from gotools.engines.gtp.arguments import expect, read_colour
from gotools.engines.gtp.session import GtpSession
from gotools.engines.gtp.status import ownership_rows
from gotools.game.choice import Choice, Limits
from gotools.games.go.points import PASS, vertex

PREVIEW_NODES: Final = 200
"""Nodes of the short search behind a window."""


def analyze_commands(session: GtpSession, words: list[str]) -> str:
    """gogui-analyze_commands: list what GoGui can show, as TYPE/LABEL/COMMAND."""
    expect(words, "", 0)
    return "\n".join(
        (
            "dboard/Ownership (playouts)/gotools-ownership",
            "pspairs/Candidates (percent of visits)/gotools-candidates %c",
            "pspairs/Priors of the rules (percent)/gotools-priors %c",
            "varc/Expected line/gotools-line %c",
            "hstring/Explain last move/gotools-explain",
            "plist/Dead stones/final_status_list dead",
            "plist/Stones in seki/final_status_list seki",
            "string/Score/final_score",
        )
    )


def ownership(session: GtpSession, words: list[str]) -> str:
    """gotools-ownership: estimate by playouts who will own each point, rows from the top, +1 black to -1 white."""
    expect(words, "", 0)
    return "\n".join(" ".join(f"{value:.3f}" for value in row) for row in ownership_rows(session))


def candidates(session: GtpSession, words: list[str]) -> str:
    """gotools-candidates [COLOR]: think for a moment, and list the moves with their share of it in percent."""
    choice, size = _glance(session, words)
    total = max(sum(option.visits for option in choice.options), 1)
    return _pairs([(option.move, option.visits / total) for option in choice.options], size)


def priors(session: GtpSession, words: list[str]) -> str:
    """gotools-priors [COLOR]: list the moves that the rules propose, with their probability in percent."""
    choice, size = _glance(session, words)
    return _pairs([(option.move, option.prior) for option in choice.options], size)


def expected_line(session: GtpSession, words: list[str]) -> str:
    """gotools-line [COLOR]: think for a moment and return the moves expected."""
    choice, size = _glance(session, words)
    return " ".join(vertex(point, size) for point in choice.line)


def _glance(session: GtpSession, words: list[str]) -> tuple[Choice, int]:
    expect(words, "[COLOR]", 0, 1)
    board = session.state.board
    colour = read_colour(words[0]) if words else board.to_play
    return session.think(colour, limits=Limits(nodes=PREVIEW_NODES)), board.side


def _pairs(pairs: list[tuple[int, float]], size: int) -> str:
    """Write points with percentages, those of a percent and more; passes cannot be shown."""
    shown = sorted((pair for pair in pairs if pair[0] != PASS and pair[1] >= 0.01), key=lambda pair: -pair[1])
    return "\n".join(f"{vertex(point, size)} {100 * share:.0f}" for point, share in shown)


COMMANDS: Final = {
    "gogui-analyze_commands": analyze_commands,
    "gotools-candidates": candidates,
    "gotools-line": expected_line,
    "gotools-ownership": ownership,
    "gotools-priors": priors,
}
