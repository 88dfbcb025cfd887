"""An engine on trial in Go, judged by gotools.go.board."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from gotools.go.board import Board
from gotools.go.points import PASS, colour_letter, parse_vertex, vertex
from gotools.gtp_client.client import GtpFailure
from gotools.tournament.check.trial import Trial, Unmet

RULES: Final = {"occupied": "on a stone", "ko": "which takes a ko back at once", "suicide": "which is suicide"}


class GoTrial(Trial[Board]):
    """A Trial whose moves are points."""

    def set_up(self) -> None:
        """Send the komi; whether it is taken is a check of its own."""
        with suppress(GtpFailure):
            self.ask(f"komi {self.limits.komi:g}")

    def new_board(self) -> Board:
        """Return the empty board."""
        return Board(self.limits.size)

    def put(self, board: Board, colour: int, move: int) -> None:
        """Make a legal move."""
        board.play_point(move, colour)

    def text(self, move: int) -> str:
        """Return a point, or pass."""
        return vertex(move, self.limits.size)

    def judge(self, board: Board, colour: int, answer: str) -> int:
        """Return the point of an answer to genmove. Raises Unmet."""
        command = f"genmove {colour_letter(colour)}"
        try:
            point = parse_vertex(answer, self.limits.size)
        except ValueError:
            point = -1
        if point < 0 and point != PASS:
            shown = repr(answer[:80]) if answer else "nothing"
            raise Unmet(f"answers `{command}` with {shown}, which is neither a point of this board, pass nor resign")
        if why := board.why_illegal(point, colour):
            raise Unmet(f"answers `{command}` with {answer}, {RULES.get(why, why)}")
        return point
