"""Games to learn from against a program that answers move by move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import EngineError, quoted
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.traits import Repetition
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.values.games.selfplay import SEEDS, GameBatch, Policy, ValueFunction

RESIGN: Final = "resign"
ATTEMPTS: Final = 3
"""The training ends when the program has died this many times in one game."""

State = NDArray[np.int32]


class Partner(Protocol):
    """A program that plays one side. Sides are 1 and 2, moves are texts as the game writes them (Game.move_text).

    Each method raises EngineError if the program fails.
    """

    @property
    def name(self) -> str:
        """Return the name for messages."""

    def new_game(self, size: int, komi: float, seed: int) -> None:
        """Begin a game; seed -- of the program's random choices, if it makes any."""

    def play(self, side: int, move: str) -> bool:
        """Send the program a move; return whether it accepts it."""

    def reply(self, side: int) -> str:
        """Return the program's move for a side, or RESIGN."""

    def revive(self) -> bool:
        """Restart the program if it no longer runs; return whether it was restarted."""


@dataclass(frozen=True, slots=True)
class PartnerGames:
    """Play games against a program.

    share -- share of the games that are played against it

    The side of the learner alternates with the number of the game; all its random choices come from the seed and that
    number. The learner plays the move with the best position after it (policy: random moves of epsilon, temperature,
    opening; dilution is the share of the program's moves that are drawn at random instead). It passes if no other move
    is worth playing, and after a pass of the program if the board is won as it stands: no stones are removed as dead.
    If the program refuses a move (it may know a superko rule), the next best is played. A game in which the program
    dies or hangs is not learned from: the program is restarted, and the game played again with other random numbers.

    report -- called with a line for each such game
    """

    game: Game
    partner: Partner
    share: float
    seed: int
    size: int
    komi: float
    report: Callable[[str], None] = lambda _: None

    def rows(self, first: int, count: int) -> list[int]:
        """List the games against the program among number first to first + count - 1, counted from 0."""
        return [row for row in range(count) if self._random(first + row).random() < self.share]

    def fill(
        self,
        games: GameBatch,
        rows: Sequence[int],
        first: int,
        policy: Policy,
        evaluation: ValueFunction,
    ) -> None:
        """Play some games of a batch that begins with game number `first`, and overwrite their rows.

        Raises EngineError if the program dies ATTEMPTS times in one game, or answers with an illegal move.
        """
        for row in rows:
            side = 1 + (first + row) % 2
            table, outcome = self._played(first + row, side, games.moves.shape[1], policy, evaluation)
            length = len(table.moves)
            games.moves[row], games.explored[row], games.leaves[row] = -1, 0, -1
            games.moves[row, :length], games.explored[row, :length] = table.moves, table.explored
            games.lengths[row], games.outcomes[row], games.learner[row] = length, outcome, side

    def _played(
        self, number: int, side: int, longest: int, policy: Policy, evaluation: ValueFunction
    ) -> tuple[_PartnerGame, float]:
        """Play a game, again if the program dies; return the game and the sign of its result for side 1."""
        attempt = 0
        while True:
            random = self._random(number, attempt)
            random.random()  # the number by which `rows` chose this game
            start = self.game.position(self.size, self.komi)
            table = _PartnerGame(self.game, self.partner, policy, evaluation, random, self.size, start)
            if (repetition := self.game.find(Repetition)) and repetition.history is None:
                table.history = History.start(self.game, self.size, first=start)
            try:
                self.partner.new_game(self.size, self.komi, int(random.integers(2**31)))
                return table, table.play(side, longest)
            except EngineError as error:
                attempt += 1
                if attempt == ATTEMPTS or not self.partner.revive():
                    raise
                self.report(f"{error}; game {number + 1:,} is played again")

    def _random(self, number: int, attempt: int = 0) -> np.random.Generator:
        seed = self.seed & SEEDS
        return np.random.default_rng((seed, number, attempt) if attempt else (seed, number))


@dataclass(slots=True)
class _PartnerGame:
    """One game: the position, and the moves so far.

    history -- of a game whose rules end it by repetition, which a position alone does not show
    """

    game: Game
    partner: Partner
    policy: Policy
    evaluation: ValueFunction
    random: np.random.Generator
    size: int
    state: State
    moves: list[int] = field(default_factory=list)
    explored: list[int] = field(default_factory=list)
    history: History | None = None

    def play(self, learner: int, longest: int) -> float:
        """Play to the end; return the sign of the result for side 1."""
        while len(self.moves) < longest and self.game.outcome(self.state) == ONGOING:
            side = int(self.state[TO_PLAY])
            if self.history is not None and (value := self.history.repetition_value()) is not None:
                return value if side == 1 else -value
            if len(self.moves) < self.policy.opening:
                self._make(self._send(self._shuffled()), 1)
            elif side == learner:
                self._learner_moves()
            elif self.random.random() < self.policy.dilution:
                self._make(self._send(self._shuffled()), 0)
            else:
                move = self._reply(side)
                if move is None:
                    return 1.0 if learner == 1 else -1.0
                self._make(move, 0)
        return self._result()

    def _learner_moves(self) -> None:
        if self._wins_by_pass():
            self._make(self._send([]), 0)
        elif self.random.random() < self.policy.epsilon:
            self._make(self._send(self._shuffled()), 1)
        else:
            moves = self._shuffled()
            values = np.array([self._value_after(move) for move in moves])
            wished = values
            if self.policy.temperature:  # Gumbel noise: the largest sum is a draw from the softmax
                wished = values / self.policy.temperature + self.random.gumbel(size=len(values))
            chosen = self._send([moves[i] for i in np.argsort(-wished, kind="stable")])
            best = moves[int(np.argmax(values))]
            worse = chosen in moves and values[moves.index(chosen)] < values[moves.index(best)]
            self._make(chosen, int(bool(self.policy.temperature) and worse))

    def _shuffled(self) -> list[int]:
        """List the moves worth playing in random order; a pass only if it is the only one."""
        moves = self.game.worthy_moves_of(self.state)
        others = [move for move in moves if move != self.game.pass_move] or moves
        return [others[i] for i in self.random.permutation(len(others))]

    def _value_after(self, move: int) -> float:
        """Return the value of the position after a move, for the side that makes it."""
        after = self.game.play(self.state, move)
        outcome = float(self.game.outcome(after))
        if outcome != ONGOING:
            return float(-np.sign(outcome))
        evaluate, numbers = self.evaluation
        return -float(evaluate(after, numbers))

    def _wins_by_pass(self) -> bool:
        if self.game.pass_move < 0:
            return False
        after = self.game.play(self.state, self.game.pass_move)
        outcome = self.game.outcome(after)
        return bool(outcome != ONGOING and outcome < 0)

    def _send(self, moves: list[int]) -> int:
        """Send the program the first move that it accepts, else a pass; return the move."""
        side = int(self.state[TO_PLAY])
        for move in moves:
            if self.partner.play(side, self.game.move_text(move, self.size)):
                return move
        move = self.game.pass_move
        if move >= 0 and moves != [move] and self.partner.play(side, self.game.move_text(move, self.size)):
            return move
        raise EngineError(self.partner.name, f"refuses all legal moves at move {len(self.moves) + 1}")

    def _reply(self, side: int) -> int | None:
        """Return the program's move; None if it resigns."""
        text = self.partner.reply(side).strip()
        if text.lower() == RESIGN:
            return None
        where = f"at move {len(self.moves) + 1}"
        try:
            move = self.game.parse_move(text, self.size)
        except ValueError:
            raise EngineError(self.partner.name, f"answered {quoted(text)} {where}, which is no move") from None
        if move not in self.game.moves_of(self.state):
            raise EngineError(self.partner.name, f"played {text} {where}, which is not legal")
        return move

    def _make(self, move: int, explored: int) -> None:
        if self.history is not None:
            self.history = self.history.after(int(self.state[TO_PLAY]), move)
        self.state = self.game.play(self.state, move)
        self.moves.append(move)
        self.explored.append(explored)

    def _result(self) -> float:
        """Return the sign of the outcome for side 1; an unfinished game is passed out, without passes it is a draw."""
        state = self.state
        if self.game.pass_move < 0 and self.game.outcome(state) == ONGOING:
            return 0.0
        while (outcome := float(self.game.outcome(state))) == ONGOING:
            state = self.game.play(state, self.game.pass_move)
        return float(np.sign(outcome)) if state[TO_PLAY] == 1 else float(-np.sign(outcome))
