"""What the tests of searches share: positions, knowledge that is arbitrary but fixed, a twin that prunes, rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from support.induce_runs import GAMES
from support.needs import SHARED
from support.once import once
from support.position_text import parse_position
from support.slow_search import UNIT, MovesOf, State, listed, minimax

from gotools.cli import run
from gotools.game.choice import Choice
from gotools.game.game import Game, find_game
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.game.sides import BLACK
from gotools.games.connect4.kernels import rules as _connect4
from gotools.games.go.board import Board
from gotools.games.go.estimate.evaluation import WEIGHTS, evaluate
from gotools.games.go.go import GO
from gotools.games.go.kernels import game as _game
from gotools.games.go.kernels.game import KOMI2
from gotools.games.go.kernels.rules import SIZE
from gotools.games.tictactoe.kernels import rules as _tictactoe
from gotools.jit import kernel, seam
from gotools.jit.kernels.seams import EVALUATE, ONGOING, ORDER
from gotools.search.knowledge import Evaluation, Ordering

TICTACTOE = find_game("tictactoe")


def value_of(choice: Choice) -> int:
    """Return the value as the twins have it."""
    return round(choice.value * UNIT)


def worthy(game: Game, state: State) -> Sequence[int]:
    return listed(game, game.worthy)(state)


def assert_line_is_legal(game: Game, state: State, choice: Choice) -> None:
    """Play the moves that a search expects."""
    assert choice.line[0] == choice.move
    for move in choice.line:
        assert move in game.moves_of(state)
        state = game.play(state, move)


def play_moves(game: Game, state: State, plies: int, rng: random.Random) -> State:
    """Play some worthy moves at random, fewer where the game ends."""
    for _ in range(plies):
        if game.outcome(state) == ONGOING:
            state = game.play(state, rng.choice(worthy(game, state)))
    return state


# positions ------------------------------------------------------------------------------------------------------------


def random_positions(game: Game, size: int, seed: int, moves_of: MovesOf | None = None) -> Iterator[State]:
    """Yield the unfinished positions of one random game; of Go with a komi of 0 to 9."""
    rng = random.Random(seed)
    moves_of = moves_of or listed(game, game.worthy)
    state = game.position(size)
    if game is GO:
        state[KOMI2] = rng.randrange(19)
    while game.outcome(state) == ONGOING:
        yield state
        state = game.play(state, rng.choice(moves_of(state)))


def positions_at(game: Game, size: int, plies: Sequence[int], games: int, first: int = 0) -> list[State]:
    """Return the positions of some random games after so many plies, where the games last as long."""
    found = []
    for seed in range(first, first + games):
        line = list(random_positions(game, size, seed))
        found += [line[ply] for ply in plies if ply < len(line)]
    return found


def recorded_positions(folder: str, plies: Sequence[int], games: int) -> list[State]:
    """Return positions of 9x9 games in ../shared/data; komi 7.5."""
    found = []
    for path in sorted((SHARED / folder).glob("*.sgf"))[:games]:
        for record in read_games(path.read_bytes(), path.name, GO):
            assert isinstance(record, Record)
            board = Board(9)
            for ply, (colour, point) in enumerate(record.moves.tolist()):
                if ply in plies and colour == board.to_play:
                    found.append(board.state.copy())
                    found[-1][KOMI2] = 15
                board.play_point(point, colour)
    return found


def go_position(rows: str, to_play: int = BLACK, komi: float = 0) -> State:
    """Return the position of rows, top first, with ".", "X", "O"."""
    cells, size = parse_position("/".join(rows.split()))
    state = Board.from_cells(cells, size, to_play).state.copy()
    state[KOMI2] = round(2 * komi)
    return state


def go_moves(text: str, state: State) -> set[int]:
    """Return the moves at some points."""
    return {GO.parse_move(word, int(state[SIZE])) for word in text.split()}


def solved_tictactoe() -> list[tuple[State, float]]:
    """Return every unfinished position that can be reached, with its value when both play best."""
    solved: dict[str, tuple[State, float]] = {}

    def value(state: State) -> float:
        end = TICTACTOE.outcome(state)
        if end != ONGOING:
            return end
        text = TICTACTOE.draw(state)
        if text not in solved:
            solved[text] = state, max(-value(TICTACTOE.play(state, move)) for move in TICTACTOE.moves_of(state))
        return solved[text][1]

    value(TICTACTOE.position())
    return list(solved.values())


# arbitrary knowledge: functions of what a position's key sees, and of a seed ------------------------------------------


@kernel
def _mixed(word):
    word = np.uint64(word)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((word ^ (word >> np.uint64(31))) >> np.uint64(1))


@kernel
def _level(word, levels):
    """One of `levels` values evenly spread over [-1, 1]."""
    return 2.0 * (_mixed(word) % levels) / (levels - 1) - 1.0


@seam(EVALUATE)
def any_value_tictactoe(state, numbers):
    return _level(_tictactoe.key(state) + np.int64(numbers[0]), np.int64(numbers[1]))


@seam(EVALUATE)
def any_value_connect4(state, numbers):
    return _level(_connect4.key(state) + np.int64(numbers[0]), np.int64(numbers[1]))


@seam(EVALUATE)
def any_value_go(state, numbers):
    return _level(_game.key(state) + np.int64(numbers[0]), np.int64(numbers[1]))


@seam(ORDER)
def any_order_connect4(state, moves, n, scores, numbers):
    for i in range(n):
        scores[i] = _level(_connect4.key(state) + numbers[0] + moves[i], numbers[1])


@seam(ORDER)
def any_order_go(state, moves, n, scores, numbers):
    for i in range(n):
        scores[i] = _level(_game.key(state) + numbers[0] + moves[i], numbers[1])


_ANY_VALUE = {"tictactoe": any_value_tictactoe, "connect4": any_value_connect4, "go": any_value_go}
_ANY_ORDER = {"connect4": any_order_connect4, "go": any_order_go}
BUILT_IN = Evaluation("built in", evaluate, WEIGHTS)
CENTRE_FIRST = Ordering("centre", _connect4.centre_first, np.zeros(1, np.int64))


def any_evaluation(game: Game, seed: int, levels: int) -> Evaluation:
    """Value positions arbitrarily, with few `levels` often alike."""
    return Evaluation("any", _ANY_VALUE[game.name], np.array([seed, levels], np.float64))


def any_ordering(game: Game, seed: int, levels: int = 7) -> Ordering:
    """Score moves arbitrarily, by the position and the move alone."""
    return Ordering("any", _ANY_ORDER[game.name], np.array([seed, levels], np.int64))


# the twin that prunes -------------------------------------------------------------------------------------------------


def leaf_of(game: Game, evaluation: Evaluation, quiescence: int = 0) -> Callable[[State], int]:
    """Return the value of positions at depth 0."""

    def value(state: State) -> int:
        return minimax(game, state, 0, lambda at: evaluation.evaluate(at, evaluation.numbers), quiescence).value

    return value


def pruned_minimax(
    game: Game,
    state: State,
    depth: int,
    ordering: Ordering,
    widths: Sequence[int],
    leaf: Callable[[State], int],
    penalty: float = 0.0,
) -> int:
    """Value a position by all lines of all its worthy moves, and below of the candidates alone.

    Candidates at depth d are the last worthy move and the widths[d - 1] others of the largest scores; of equal scores
    the first; all where widths[d - 1] is 0. A move costs the side that makes it `penalty` for each unit that its
    score is below the best candidate's, for eight at most.
    """
    all_moves = listed(game, game.worthy)

    def candidates(state: State, width: int) -> list[tuple[int, float]]:
        moves = all_moves(state)
        scores = np.zeros(len(moves))
        ordering.order(state, np.array(moves, np.int32), len(moves), scores, ordering.numbers)
        best = sorted(range(len(moves) - 1), key=lambda i: -scores[i])[: width or len(moves)]
        return [(moves[i], scores[i]) for i in [*best, len(moves) - 1]]

    def value(state: State, depth: int, width: int) -> int:
        end = game.outcome(state)
        if end != ONGOING:
            return round(end * UNIT)
        if depth == 0:
            return leaf(state)
        found = candidates(state, width)
        most = max(score for _, score in found)
        below = 0 if depth == 1 else widths[depth - 2]
        return max(
            -value(game.play(state, move), depth - 1, below) - int(penalty * UNIT * min(most - score, 8.0))
            for move, score in found
        )

    return value(state, depth, 0)


# rules ----------------------------------------------------------------------------------------------------------------


def learned_rules() -> tuple[Path, Path]:
    """Return rules.pl and rules.so, learned from games of examples/."""

    def learn(folder: Path) -> None:
        text, library = str(folder / "rules.pl"), str(folder / "rules.so")
        games = [str(path) for path in GAMES[:4]]
        assert run(["induce-patterns", *games, "--objective", "rank", "--max-rules", "20", "-q", "-o", text]) == 0
        assert run(["compile-patterns", text, "-q", "-o", library]) == 0

    folder = once("learned-rules", learn)
    return folder / "rules.pl", folder / "rules.so"


def learned_clusters() -> Path:
    """Return clusters.tsv: clusters of moves from games of examples/."""

    def learn(folder: Path) -> None:
        options = ["--k", "8", "--starts", "2", "--show", "0", "-q"]
        assert run(["cluster-moves", str(GAMES[0].parent), *options, "-o", str(folder / "clusters.tsv")]) == 0

    return once("learned-clusters", learn) / "clusters.tsv"
