"""What learned values say about the legal moves of positions: for `gotools rank-moves --eval`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, shown
from gotools.engines.knowledge import find_evaluator
from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import LegalMoves
from gotools.game.game import find_game
from gotools.jit.kernels.seams import ONGOING
from gotools.values.weights.evaluator import Evaluator


class MoveValues:
    """Values of the positions after moves, for the side that makes them; the komi is that of the training.

    path -- of the weights; game -- that they are for; orders -- whether moves are ranked by them, as there are no rules
    symmetries -- scores are means over all images of the board under its symmetries
    passed_over -- positions of other board sizes so far

    Raises FileFormatError for a file that is not the weights of a value for the game, and without a policy for
    `symmetries`.
    """

    def __init__(self, path: str, game: str, orders: bool, strict: bool, symmetries: bool = False) -> None:
        self._evaluator: Evaluator = find_evaluator(path, game)
        self.game = find_game(game)
        if symmetries and self._evaluator.planes is None:
            raise FileFormatError(path, None, "weights without a policy, which --symmetries needs")
        self.symmetries = symmetries
        self.path, self._strict, self._sizes = path, strict, set[int]()
        self.orders = orders
        self.passed_over = 0

    @property
    def about(self) -> str:
        """Return in a line which weights these are."""
        return self._evaluator.weights.about + (" symmetries=all" if self.symmetries else "")

    @property
    def only_size(self) -> int | None:
        """Return the board size that the values are for; None for any."""
        return self._evaluator.only_size

    def fitting(self, examples: Examples) -> Examples:
        """Return the rows of the board size that the values are for.

        Raises FileFormatError for another size where all has to be right (strict).
        """
        if self._evaluator.only_size is None:
            return examples
        fits = examples.size == self._evaluator.only_size
        others = np.flatnonzero(~fits & (examples.label == 1))
        if len(others) and self._strict:
            raise FileFormatError(self.path, None, f"{self._what()}, not for {self._size(examples, int(others[0]))}")
        self.passed_over += len(others)
        self._sizes |= set(examples.size[others].tolist())
        return examples if fits.all() else examples.take(fits)

    def report_left_out(self, report: Callable[[str], None], ranked: int) -> None:
        """Report how many positions were of other sizes. Raises FileFormatError where nothing else was there."""
        if not self.passed_over:
            return
        there = ", ".join(map(self.game.usual.board.format, sorted(self._sizes)))
        if not ranked:
            raise FileFormatError(self.path, None, f"{self._what()}; all positions are {there}")
        some = "1 position" if self.passed_over == 1 else f"{self.passed_over:,} positions"
        report(f"{self.path}: {self._what()}; left out {some} of {there}")

    def scores(self, legal: LegalMoves) -> NDArray[np.float64] | None:
        """Return the policy's score of each move; None without a policy."""
        if self._evaluator.planes is None:
            return None
        found = np.empty(len(legal.place))
        for position in range(len(legal.played)):
            rows = slice(int(legal.first[position]), int(legal.first[position + 1]))
            size = int(legal.examples.size[position])
            moves = [self.game.move_at(place, size) for place in legal.place[rows].tolist()]
            found[rows] = self._evaluator.policy(
                self._state(legal, position), np.array(moves, np.int32), self.symmetries
            )
        return found

    def values(self, legal: LegalMoves, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value after each move, 1, 0 or -1 where it ends the game; nan for those that are not in `rows`."""
        found, position = np.full(len(legal.place), np.nan), legal.position
        game, after = self.game, np.empty(self.game.cells, np.int32)
        evaluate, numbers = self._evaluator.evaluate, self._evaluator.numbers
        at, state = -1, after
        for row in np.sort(rows).tolist():
            if position[row] != at:
                at = int(position[row])
                state = self._state(legal, at)
            game.after(state, game.move_at(int(legal.place[row]), int(legal.examples.size[at])), after)
            outcome = game.outcome(after)
            found[row] = -evaluate(after, numbers) if outcome == ONGOING else -np.sign(outcome)
        return found + 0.0  # no -0.0

    def why(self, legal: LegalMoves, row: int) -> list[tuple[float, str]]:
        """List what speaks for a move and against it, the weightiest first: shares and words."""
        after = self.game.play(self._state(legal, legal.position_of(row)), legal.move(row))
        if self.game.outcome(after) != ONGOING:
            return []
        return [(reason.share, reason.what) for reason in self._evaluator.why(after, mover=True)]

    def _state(self, legal: LegalMoves, position: int) -> NDArray[np.int32]:
        komi = self._evaluator.weights.komi if self.game.komi >= 0 else 0.0
        return legal.examples.state(position, komi, whole=self._evaluator.planes is not None)  # planes see last moves

    def _what(self) -> str:
        return f"weights for {self.game.usual.board.format(self._evaluator.weights.size)}"

    def _size(self, examples: Examples, row: int) -> str:
        return f"{self.game.usual.board.format(int(examples.size[row]))} ({shown(examples.id[row])})"
