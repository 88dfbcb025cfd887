"""A learned value function in use: values of positions, and the reasons for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game, find_game
from gotools.game.learning import Grid, Planes, TupleBoard
from gotools.jit.kernels import pieces as k
from gotools.jit.kernels import windows as w
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import TO_PLAY
from gotools.values.network.shape import PLANES, numbers_of, parse_shape
from gotools.values.network.symmetries import judged_by_symmetries
from gotools.values.pieces.pieces import PIECES, PieceWeights
from gotools.values.td.kernels.table_games import set_codes, set_places
from gotools.values.td.perceptrons import new_numbers, parse_architecture, weights_of
from gotools.values.td.shapes import SHAPES, shapes_of
from gotools.values.td.tuples import TUPLES, find_tuples
from gotools.values.weights.weights_file import Weights, load_weights_of


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for or against the side to play.

    what  -- "territory +12", or a pattern and where it stands: "2x2 at D4: X. / OX" (upper row first)
    share -- part of the sum whose tanh is the value, for the side to play; with hidden units, the amount by which
             the value falls when the input is set to 0
    """

    what: str
    share: float


class Evaluator:
    """The value of positions of one game and board size.

    evaluate, numbers -- for the search: a function of the signature EVALUATE (kernels/seams.py), and its numbers
    planes   -- of a network, which has a policy, too; else None
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.game: Game = find_game(weights.game)
        self.evaluate: Any
        self.numbers: NDArray[np.float64]
        self.planes: Planes | None = None
        if weights.features == TUPLES:
            self.evaluate = self.game.need(TupleBoard).evaluate
            self._tuples = find_tuples(self.game, weights.size, weights.cells)
            self.numbers, table = self._tuples.numbers()
            table.ravel()[weights.entries] = weights.weights
        elif weights.features == SHAPES:
            self.evaluate = self.game.need(Grid).evaluate
            self.numbers = shapes_of(self.game, weights.size).numbers(weights.weights)
        elif weights.features == PIECES:
            self._pieces = PieceWeights(self.game, weights.size, weights.network)
            self._pieces.unpack(weights.weights)
            self.evaluate, self.numbers = self._pieces.pieces.evaluate, self._pieces.numbers()
        elif weights.features == PLANES:
            self.planes = planes = self.game.need(Planes)
            self.evaluate = planes.evaluate
            shape, strength = parse_shape(weights.network), weights.strength
            self.numbers = numbers_of(shape, len(planes.names), weights.weights, strength)
        else:
            self._features = self.game.find_features(weights.features)
            self.evaluate = self._features.evaluate
            self.numbers = new_numbers(parse_architecture(weights.network), weights.scales, 0)
            weights_of(self.numbers)[:] = weights.weights

    @property
    def only_size(self) -> int | None:
        """Return the only board size that the values are for; None if they are for all."""
        return None if self.planes else self.weights.size

    def of_strength(self, strength: float) -> Evaluator:
        """Return the values and the policy of a network for players of another strength."""
        settings = {**self.weights.settings, "strength": strength}
        return Evaluator(replace(self.weights, settings=settings))

    def policy(
        self, state: NDArray[np.int32], moves: NDArray[np.int32], symmetries: bool = False
    ) -> NDArray[np.float64]:
        """Return the scores of moves, the logarithms of their odds; only of a network.

        symmetries -- the mean over all images of the board
        """
        assert self.planes is not None
        if symmetries:
            return self.judge_images(state, moves)[0]
        scores = np.empty(len(moves))
        self.planes.judge(state, moves, len(moves), scores, self.numbers)
        return scores

    def judge_images(self, state: NDArray[np.int32], moves: NDArray[np.int32]) -> tuple[NDArray[np.float64], float]:
        """Return the scores of moves and the value, the means over all images of the board under its symmetries."""
        assert self.planes is not None
        return judged_by_symmetries(self.planes, self.numbers, state, moves)

    def value(self, state: NDArray[np.int32]) -> float:
        """Return the value for the side to play, in [-1, 1]. The game must go on."""
        return float(self.evaluate(state, self.numbers))

    def why(self, state: NDArray[np.int32], most: int = 8, mover: bool = False) -> list[Reason]:
        """List the strongest reasons for and against the value; mover -- for the side that made the last move.

        A network gives no reasons.
        """
        sign = -1.0 if mover else 1.0
        if self.planes is not None:
            return []
        finders = {SHAPES: self._shapes, TUPLES: self._windows, PIECES: self._board}
        reasons = finders.get(self.weights.features, self._inputs)(state, sign)
        return sorted((reason for reason in reasons if reason.share), key=lambda reason: -abs(reason.share))[:most]

    def _inputs(self, state: NDArray[np.int32], sign: float) -> list[Reason]:
        """Set each input of a network to 0 in turn."""
        labels = self._features.labels(self.weights.size)
        x = np.zeros(len(labels))
        self._features.inputs(state, x)
        linear = self.weights.network == "linear"
        whole = network_value(x, self.numbers)
        reasons = []
        for i, label in enumerate(labels):
            if linear:
                share = x[i] * self.weights.scales[i] * self.weights.weights[i]
            else:
                without = x.copy()
                without[i] = 0.0
                share = whole - network_value(without, self.numbers)
            reasons.append(Reason(f"{label} {sign * x[i]:+g}", float(sign * share)))
        return reasons

    def _shapes(self, state: NDArray[np.int32], sign: float) -> list[Reason]:
        shapes, grid = shapes_of(self.game, self.weights.size), self.game.need(Grid)
        layout, board = shapes.layout, np.empty(shapes.rows * shapes.columns, np.uint8)
        tilt = grid.cells(state, board)
        codes = np.empty(len(layout.begins), np.int32)
        set_codes(board, layout.touched, layout.powers, codes)
        table = self.numbers[w.TABLE :].view(np.float32)
        view = sign if state[TO_PLAY] == 1 else -sign
        worth = view * table[layout.begins + codes]
        cells = np.arange(len(board), dtype=np.int32).reshape(shapes.rows, shapes.columns)
        windows = [
            (f"{size}x{size} at ", cells[y : y + size, x : x + size].ravel())
            for size in w.SIZES
            for y in range(shapes.rows - size + 1)
            for x in range(shapes.columns - size + 1)
        ]
        reasons = [
            Reason(what + drawn_cells(window, board, shapes.rows, shapes.columns), float(v))
            for (what, window), v in zip(windows, worth, strict=True)
        ]
        reasons.append(Reason("to play", sign * float(self.numbers[w.TURN])))
        reasons.append(Reason("komi", view * tilt * float(self.numbers[w.TILT])))
        return reasons

    def _board(self, state: NDArray[np.int32], sign: float) -> list[Reason]:
        """Take each piece from the sums of both sides in turn."""
        pieces, labels = self._pieces.pieces, self._pieces.pieces.labels(self.weights.size)
        inputs = np.zeros((2, pieces.most), np.int32)
        n = pieces.inputs(state, inputs)
        whole = k.pieces_total(inputs, n, self.numbers)
        reasons = []
        for i in range(n):
            without = np.delete(inputs, i, axis=1)
            label = labels[self._pieces.parts[inputs[0, i], 0]]
            reasons.append(Reason(label, float(sign * (whole - k.pieces_total(without, n - 1, self.numbers)))))
        return reasons

    def _windows(self, state: NDArray[np.int32], sign: float) -> list[Reason]:
        """List the patterns on the windows of n-tuples, drawn with the upper row first, and the entry of each."""
        board, tuples = self.game.need(TupleBoard), self._tuples
        rows, columns = board.shape(self.weights.size)
        states, cells = np.empty(len(board.groups), np.uint8), np.empty(rows * columns, np.uint8)
        board.states(state, states)
        cells[board.groups] = board.patterns[states]
        places = np.empty(len(tuples.windows), np.int32)
        set_places(states, tuples.layout, places)
        table = self.numbers[-tuples.entries :].view(np.float32).reshape(2, -1)[int(state[TO_PLAY]) - 1]
        view = sign if state[TO_PLAY] == 1 else -sign
        return [
            Reason(drawn_cells(window, cells, rows, columns), float(view * table[place]))
            for window, place in zip(tuples.windows, places, strict=True)
        ]


def drawn_cells(window: NDArray[np.int32], cells: NDArray[np.uint8], rows: int, columns: int) -> str:
    """Name a window by its lower left corner, and draw its cells, the upper row first; other cells are blank."""
    y, x = np.divmod(window, columns)
    signs = np.full((rows, columns), " ")
    signs[y, x] = [".XO_"[min(int(state), 3)] for state in cells[window]]
    drawn = signs[y.min() : y.max() + 1, x.min() : x.max() + 1]
    place = f"{'ABCDEFGHJKLMNOPQRST'[x.min()]}{y.min() + 1}"
    return f"{place}: " + " / ".join("".join(row) for row in drawn[::-1])


def load_evaluator(path: str | Path, game: str) -> Evaluator:
    """Read a weights file for a game.

    Raises FileFormatError for weights of another game, and for a file without weights.
    """
    return Evaluator(load_weights_of(path, game))
