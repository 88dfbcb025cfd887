"""What learned values say about the legal moves of positions: for `gotools rank-moves --eval`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, shown
from gotools.engines.knowledge import find_evaluator
from gotools.games.go.board import Board
from gotools.games.go.examples.table import Examples
from gotools.games.go.go import GO, move_of
from gotools.games.go.history import history_of
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import board_text
from gotools.rules.weigh.accuracy import Choices
from gotools.values.weights.evaluator import Evaluator


class MoveValues:
    """Values of the positions after moves, for the side that makes them; the komi is that of the training.

    path -- of the weights; orders -- whether moves are ranked by them, as there are no rules
    symmetries -- scores are means over all images of the board under its symmetries
    passed_over -- positions of other board sizes so far

    Raises FileFormatError for a file that is not the weights of a value for Go, or has no policy for `symmetries`.
    """

    def __init__(self, path: str, orders: bool, strict: bool, symmetries: bool = False) -> None:
        self._evaluator: Evaluator = find_evaluator(path, GO.name)
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
        there = ", ".join(map(board_text, sorted(self._sizes)))
        if not ranked:
            raise FileFormatError(self.path, None, f"{self._what()}; all positions are {there}")
        some = "1 position" if self.passed_over == 1 else f"{self.passed_over:,} positions"
        report(f"{self.path}: {self._what()}; left out {some} of {there}")

    def scores(self, choices: Choices) -> NDArray[np.float64] | None:
        """Return the policy's score of each move; None without a policy."""
        if self._evaluator.planes is None:
            return None
        found = np.empty(len(choices.points))
        for position in range(len(choices)):
            rows = slice(int(choices.first[position]), int(choices.first[position + 1]))
            state = self._state(choices, position)
            moves = [move_of(point, int(state[k.SIZE])) for point in choices.points.point[rows].tolist()]
            found[rows] = self._evaluator.policy(state, np.array(moves, np.int32), self.symmetries)
        return found

    def values(self, choices: Choices, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value after each move, nan for those that are not in `rows`."""
        found = np.full(len(choices.points), np.nan)
        after = np.empty(GO.cells, np.int32)
        evaluate, numbers = self._evaluator.evaluate, self._evaluator.numbers
        at, state = -1, after
        for row in np.sort(rows).tolist():
            position = int(choices.points.position[row])
            if position != at:
                at, state = position, self._state(choices, position)
            GO.after(state, move_of(int(choices.points.point[row]), int(state[k.SIZE])), after)
            found[row] = -evaluate(after, numbers)
        return found

    def why(self, choices: Choices, row: int) -> list[tuple[float, str]]:
        """List what speaks for a move and against it, the weightiest first: shares and words."""
        state = self._state(choices, int(choices.points.position[row]))
        after = GO.play(state, move_of(int(choices.points.point[row]), int(state[k.SIZE])))
        return [(reason.share, reason.what) for reason in self._evaluator.why(after, mover=True)]

    def _state(self, choices: Choices, position: int) -> NDArray[np.int32]:
        points = choices.points
        size = int(points.size[position])
        board = Board.from_cells(points.board[position], size, int(points.to_play[position]))  # a ko ends with the move
        state = history_of(board, self._evaluator.weights.komi).asked(board.to_play)
        if self._evaluator.planes is not None:  # which see more than the stones
            last = (points.last[position], points.last2[position], points.ko[position])
            state[k.LAST], state[k.LAST2], state[k.KO] = (k.pad(int(point), size) for point in last)
            state[k.KO_COLOUR] = board.to_play
        return state

    def _what(self) -> str:
        return f"weights for {board_text(self._evaluator.weights.size)}"

    @staticmethod
    def _size(examples: Examples, row: int) -> str:
        return f"{board_text(int(examples.size[row]))} ({shown(examples.id[row])})"
