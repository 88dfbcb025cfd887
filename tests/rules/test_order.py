"""Rules as an ordering: the search sees the scores that the rules have, from a library and from text."""

import random

import numpy as np
import pytest
from support.clauses import every_kind, every_kind_compiled
from support.searching import positions_at, worthy

from gotools.base.errors import GotoolsError
from gotools.engines.knowledge import rules_ordering
from gotools.game.choice import Limits
from gotools.games.go.board import Board
from gotools.games.go.go import GO, move_of, point_of
from gotools.games.go.kernels.game import PASS_MOVE
from gotools.games.go.kernels.rules import KO, KO_COLOUR
from gotools.games.go.points import NONE, PASS
from gotools.jit.kernels.seams import TO_PLAY
from gotools.rules.clauses.points import Points
from gotools.rules.compiled.native import load_native
from gotools.rules.kernels.order import PASS_SCORE
from gotools.rules.matching import Interpreted
from gotools.search.alphabeta import AlphaBeta
from gotools.search.knowledge import NO_EVALUATION, NO_ORDERING
from gotools.search.mcts import MonteCarlo

SIZES = pytest.mark.parametrize(("size", "games", "plies"), [(5, 6, 60), (9, 2, 140), (19, 1, 30)])


@pytest.fixture(scope="module")
def native():
    return load_native(every_kind_compiled())


def games_on_both(size, games, plies):
    """Yield positions of random games, with passes: the state of a search, and a board with its last moves."""
    for seed in range(games):
        rng = random.Random(seed)
        state, board, last = GO.position(size), Board(size), [NONE, NONE]
        for _ in range(plies):
            legal = GO.moves_of(state)
            if not legal:
                break
            yield state, board, last
            move = PASS_MOVE if rng.random() < 0.05 else rng.choice(legal)
            board.play_point(point_of(move, size), board.to_play)
            state, last = GO.play(state, move), [point_of(move, size), last[0]]


def expected_scores(native, board, last):
    """Return float64[cells] by the rules, -inf where no move is legal."""
    return native.score(
        Points(
            board.cells.reshape(1, -1),
            np.array([board.side], np.uint8),
            np.array([board.to_play], np.uint8),
            np.array([board.ko], np.int16),
            np.array(last[:1], np.int16),
            np.array(last[1:], np.int16),
            np.zeros(0, np.int32),
            np.zeros(0, np.int16),
        )
    )[0]


def scores_of(ordering, state, moves):
    scores = np.full(len(moves) + 1, np.nan)
    ordering.order(state, np.array(moves, np.int32), len(moves), scores, ordering.numbers)
    assert np.isnan(scores[-1])
    return scores[:-1]


@SIZES
def test_moves_have_the_scores_of_the_rules(native, size, games, plies):
    ordering = rules_ordering(native, "rules")
    kos = passes = 0
    scores = set()
    for state, board, last in games_on_both(size, games, plies):
        expected = expected_scores(native, board, last)
        points = np.flatnonzero(np.isfinite(expected))
        moves = [move_of(int(point), size) for point in points]
        assert [*moves, PASS_MOVE] == GO.moves_of(state)
        found = scores_of(ordering, state, [*moves, PASS_MOVE])
        assert np.array_equal(found, [*expected[points], PASS_SCORE])
        some = moves[::-2]
        assert np.array_equal(scores_of(ordering, state, some), expected[points][::-2])
        kos += board.ko != NONE
        passes += PASS in last
        scores |= set(found.tolist())
    assert passes > 0
    assert kos > 0 or size == 19
    assert len(scores) > 50


@SIZES
def test_text_gives_the_scores_of_the_library(native, size, games, plies):
    library, text = rules_ordering(native, "rules.so"), rules_ordering(Interpreted(every_kind()), "rules.pl")
    for i, (state, _, _) in enumerate(games_on_both(size, games, plies)):
        if i % 12 == 0:
            moves = GO.moves_of(state)
            assert np.array_equal(scores_of(text, state, moves), scores_of(library, state, moves))
    text.check()


def test_a_ko_binds_the_side_that_may_not_take_back_alone(native):
    """Whoever moves twice in a row may fill the ko: then the point has a score."""
    ordering = rules_ordering(native, "rules")
    seen = 0
    for state, board, last in games_on_both(5, 30, 60):
        if board.ko == NONE:
            continue
        other = state.copy()
        other[TO_PLAY] = 3 - state[TO_PLAY]
        assert other[KO] == state[KO]
        assert other[KO_COLOUR] == state[TO_PLAY]
        twice = Board.from_cells(board.cells, 5, 3 - board.to_play)
        expected = expected_scores(native, twice, last)
        assert np.isfinite(expected[board.ko])
        assert scores_of(ordering, other, [move_of(board.ko, 5)]) == expected[board.ko]
        seen += 1
    assert seen > 3


class Failing:
    """A matcher whose first answers are right."""

    def __init__(self, right):
        self.rules, self._left, self._matcher = every_kind(), right, Interpreted(every_kind())

    def match(self, choices):
        self._left -= 1
        if self._left < 0:
            raise ArithmeticError(f"answer {-self._left} that is none")
        return self._matcher.match(choices)


def test_the_first_exception_of_a_matcher_is_reported_once():
    ordering = rules_ordering(Failing(1), "rules.pl")
    state = positions_at(GO, 9, (12,), 1)[0]
    moves = GO.moves_of(state)
    assert len(set(scores_of(ordering, state, moves))) > 2
    ordering.check()
    for _ in range(3):
        assert set(scores_of(ordering, state, moves)) == {0.0, PASS_SCORE}
    with pytest.raises(GotoolsError, match="answer 1 that is none"):
        ordering.check()
    ordering.check()


SEARCHES = (
    MonteCarlo,
    lambda game, ordering: AlphaBeta(game, ordering, NO_EVALUATION),
    lambda game, ordering: AlphaBeta(game, NO_ORDERING, NO_EVALUATION, second=ordering),
)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_whose_matcher_fails_says_so_and_can_be_used_again(search):
    state = positions_at(GO, 9, (12,), 1)[0]
    matcher = Failing(1)
    searching = search(GO, rules_ordering(matcher, "rules.pl"))
    with pytest.raises(GotoolsError, match="cannot be matched"):
        searching.choose(state, worthy(GO, state), Limits(nodes=200))
    matcher._left = 10**9
    assert searching.choose(state, worthy(GO, state), Limits(nodes=20)).nodes >= 20
