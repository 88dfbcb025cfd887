"""Learn a network over pieces from games of the search that it values positions for.

A batch of games is played with the same weights; then steps are made on positions drawn from the latest games, each
about `reuse` times in all. The first games are played by the game's built-in evaluation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.jit import as_value
from gotools.search.knowledge import NO_EVALUATION, Evaluation
from gotools.values.checkpoint import PLAYED, Arrays, check_memory, progress_of
from gotools.values.games.selfplay import ValueFunction
from gotools.values.methods import PieceSettings
from gotools.values.pieces.games import PieceGames, PieceGameSettings, none_played, play_games, restored
from gotools.values.pieces.kernels import learning as k
from gotools.values.pieces.pieces import PIECES, PieceWeights
from gotools.values.training.trainers import Exam, Figures, TrainingTask
from gotools.values.weights.weights_file import Weights

GAMES_AT_ONCE = 64
"""Games that are played with the same weights."""
_GAMES_A_STEP, _POSITIONS_A_GAME = 128, 32
"""Of a step: games that are drawn, and the most positions of each."""


class PieceTrainer:
    """Play games and learn from them; see `Trainer`."""

    columns: tuple[str, ...] = ("loss", "held_out_loss", "length", "drawn")
    exams: tuple[str, ...] = ()

    def __init__(self, task: TrainingTask, settings: PieceSettings) -> None:
        self._task, self._settings = task, settings
        self._weights = PieceWeights(task.game, task.size, task.network, task.seed)
        self._squares, self._head_squares = np.zeros_like(self._weights.table), np.zeros_like(self._weights.head)
        self._played = none_played()
        self._count, self._owed, self._steps = 0, 0.0, 0
        self._first = settings.heuristic_games

    @property
    def games(self) -> int:
        return self._count

    @property
    def memory(self) -> Arrays:
        played = {PLAYED + name: array for name, array in self._played.arrays.items()}
        progress = np.array([self._count, self._owed, self._steps])
        learned = {"table": self._weights.table, "head": self._weights.head}
        return {**self._own, **learned, "progress": progress, **played}

    @property
    def _own(self) -> Arrays:
        return {"squares": self._squares, "head_squares": self._head_squares}

    def advance(self, jobs: int) -> Figures:
        task, settings = self._task, self._settings
        playing = PieceGameSettings(settings.nodes, settings.opening, settings.lam, settings.sure, task.seed)
        found = play_games(task.game, task.size, playing, self._player(), self._count, GAMES_AT_ONCE, jobs)
        new = none_played().joined(found, GAMES_AT_ONCE)
        self._played = self._played.joined([new], settings.window)
        self._owed += _known(new, ~new.held_out).sum() * settings.reuse
        self._count += GAMES_AT_ONCE
        loss, positions = 0.0, 0
        while self._owed >= 1.0:
            lost, count = self._step()
            loss, positions, self._steps = loss + lost, positions + count, self._steps + 1
            self._owed = max(self._owed - count, 0.0) if count else 0.0
        if not np.isfinite(loss):
            raise GotoolsError("the weights diverged: they are no numbers; a smaller --alpha may help")
        length = float(new.length.sum()), GAMES_AT_ONCE
        return {"loss": (loss, positions), "length": length, "drawn": (float((new.result == 0).sum()), GAMES_AT_ONCE)}

    def examine(self, jobs: int) -> Exam:
        games = np.flatnonzero(self._played.held_out)
        rows, counts, targets = self._rows(games, np.random.default_rng(0), most=0)
        loss = self._learn(rows, counts, targets, 0.0)
        return Exam({"held_out_loss": (loss, len(targets))}, ())

    def evaluation(self) -> ValueFunction:
        return self._weights.pieces.evaluate, self._weights.numbers()

    def arrays(self) -> Arrays:
        return {"weights": self._weights.packed}

    def begin_with(self, found: Weights) -> None:
        """Begin with the weights of an earlier training in place of the built-in evaluation."""
        self._weights.unpack(found.weights)
        self._first = 0

    def restore(self, found: Weights) -> None:
        memory = found.memory
        check_memory(memory, {name: array for name, array in self.memory.items() if not name.startswith(PLAYED)})
        self._count, self._owed, self._steps = progress_of(memory)
        self._played = restored(memory, self._task.game, self._task.size)
        self._weights.table[:], self._weights.head[:] = memory["table"], memory["head"]
        self._squares[:], self._head_squares[:] = memory["squares"], memory["head_squares"]

    def _player(self) -> Evaluation:
        """Return the evaluation that games are played by now."""
        if self._count >= self._first:
            return Evaluation(PIECES, *self.evaluation(), learned=True)
        heuristic = self._task.game.find_heuristic()
        return NO_EVALUATION if heuristic is None else Evaluation(heuristic.name, heuristic.evaluate, heuristic.numbers)

    def _step(self) -> tuple[float, int]:
        """Learn from positions of some games, drawn anew for each step; return their loss and number."""
        rng = np.random.default_rng([self._task.seed, 8, self._steps])
        games = np.flatnonzero(~self._played.held_out)
        chosen = np.sort(rng.choice(games, min(_GAMES_A_STEP, len(games)), replace=False))
        rows, counts, targets = self._rows(chosen, rng, _POSITIONS_A_GAME)
        order, anneal = rng.permutation(len(targets)), self._settings.anneal
        rest = max(0.0, 1.0 - self._count / anneal) if anneal else 1.0
        loss = self._learn(rows[order], counts[order], targets[order], self._settings.alpha[0] * rest)
        return loss, len(targets)

    def _rows(
        self, games: NDArray[np.int64], rng: np.random.Generator, most: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Return the inputs, their numbers and the targets of positions of games, at most some of each; 0: all."""
        played, begins, plies = self._played, [], []
        of_game = played.begins
        for game in games.tolist():
            begin = int(of_game[game])
            known = np.flatnonzero(~np.isnan(played.targets[begin : begin + int(played.length[game])]))
            if most and len(known) > most:
                known = np.sort(rng.choice(known, most, replace=False))
            begins.append(np.full(len(known), begin))
            plies.append(known)
        first = np.concatenate([np.zeros(0, np.int64), *begins])
        at = np.concatenate([np.zeros(0, np.int64), *plies])
        pieces, game = self._weights.pieces, self._task.game
        rows, counts = np.empty((len(at), 2, pieces.most), np.int32), np.empty(len(at), np.int32)
        start = game.position(self._task.size)
        k.fill_rows(game.rules, as_value(pieces.inputs), start, played.moves, first, at, rows, counts)
        return rows, counts, played.targets[first + at].astype(np.float64)

    def _learn(
        self, rows: NDArray[np.int32], counts: NDArray[np.int32], targets: NDArray[np.float64], alpha: float
    ) -> float:
        weights = self._weights
        loss: float = k.learn(
            rows, counts, targets, weights.parts, weights.table, self._squares, weights.head, self._head_squares, alpha
        )
        return loss


def _known(played: PieceGames, games: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the positions of some games that have a target."""
    found: NDArray[np.bool_] = np.repeat(games, played.length) & ~np.isnan(played.targets)
    return found
