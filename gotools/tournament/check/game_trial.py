"""An engine on trial in a game other than Go, judged by the referee of tournaments."""

from __future__ import annotations

from gotools.game import find_game
from gotools.go.points import colour_letter
from gotools.tournament.check.trial import Trial, Unmet
from gotools.tournament.game.referee import GameReferee


class GameTrial(Trial[GameReferee]):
    """A Trial whose moves are those of any Game."""

    def new_board(self) -> GameReferee:
        """Return a referee at the start."""
        return GameReferee(find_game(self.limits.game), self.limits.size)

    def put(self, board: GameReferee, colour: int, move: int) -> None:
        """Make a legal move."""
        board.play(colour, move)

    def text(self, move: int) -> str:
        """Return a move in the game's own coordinates."""
        return find_game(self.limits.game).move_text(move, self.limits.size)

    def judge(self, board: GameReferee, colour: int, answer: str) -> int:
        """Return the move of an answer to genmove. Raises Unmet."""
        move, why = board.why_illegal(colour, answer)
        if why:
            shown = repr(answer[:80]) if answer else "nothing"
            raise Unmet(f"answers `genmove {colour_letter(colour)}` with {shown}: {why}")
        return move

    def is_over(self, board: GameReferee) -> bool:
        """Return whether the game is over."""
        return board.verdict is not None
