"""Alpha-beta against plain minimax and known scores; and what it owes to callers: limits, legal lines, one answer."""

import random
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from support.connect4_scores import position_of, score_of, scored_positions
from support.needs import needs_shared
from support.searching import (
    BUILT_IN,
    CENTRE_FIRST,
    TICTACTOE,
    any_evaluation,
    any_ordering,
    assert_line_is_legal,
    leaf_of,
    learned_rules,
    play_moves,
    positions_at,
    pruned_minimax,
    recorded_positions,
    solved_tictactoe,
    value_of,
    worthy,
)
from support.slow_search import UNIT, minimax

from gotools.engines.knowledge import rules_ordering
from gotools.game.choice import Choice, Limits
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.go import GO
from gotools.jit.kernels.seams import ONGOING
from gotools.rules.matching import find_matcher
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_EVALUATION, NO_ORDERING, Evaluation


@pytest.fixture(scope="module")
def rules():
    """An ordering by compiled rules, which look at the last moves too."""
    return rules_ordering(find_matcher(str(learned_rules()[1])), "rules")


def search(game, ordering=NO_ORDERING, evaluation=NO_EVALUATION, second=NO_ORDERING, **settings):
    settings = {"quiescence": 0, "table_bits": 16, **settings}
    return AlphaBeta(game, ordering, evaluation, AlphaBetaSettings(**settings), second)


def value_by(evaluation):
    """Return the function that the twins value leaves with."""
    return lambda state: evaluation.evaluate(state, evaluation.numbers)


def choose(alphabeta, game, state, depth):
    """Search all worthy moves to a depth, and look at the form of the answer."""
    choice = alphabeta.choose(state, worthy(game, state), Limits(depth=depth))
    assert choice.depth == depth
    assert_line_is_legal(game, state, choice)
    return choice


def assert_as_minimax(game, states, depths, evaluation=NO_EVALUATION, quiescence=0, ordering=NO_ORDERING):
    """Compare the values of positions at some depths, with the ordering, and with killers and history instead."""
    searches = [search(game, ordering, evaluation, quiescence=quiescence, order_from=depth) for depth in (1, 99)]
    assert states
    for state in states:
        for alphabeta in searches:
            alphabeta.forget()  # it may be of another komi
        for depth in sorted(depths, reverse=True):  # so that the table holds deeper values
            twin = minimax(game, state, depth, lambda s: evaluation.evaluate(s, evaluation.numbers), quiescence)
            for alphabeta in searches:
                assert value_of(choose(alphabeta, game, state, depth)) == twin.value, (game.draw(state), depth)


def assert_as_pruned(game, states, depths, ordering, evaluation, widths, quiescence=0, penalty=0.0):
    """Compare the values where only some candidates are searched; `widths` from depth 1 on, as in AlphaBetaSettings."""
    alphabeta = search(game, ordering, evaluation, widths=widths, quiescence=quiescence, penalty=penalty)
    leaf = leaf_of(game, evaluation, quiescence)
    assert states
    for state in states:
        for depth in depths:
            mine = [widths[min(d, len(widths) - 1)] for d in range(depth)]
            twin = pruned_minimax(game, state, depth, ordering, mine, leaf, penalty)
            alphabeta.forget()
            assert value_of(choose(alphabeta, game, state, depth)) == twin, (game.draw(state), depth)


# the values of minimax ------------------------------------------------------------------------------------------------


def test_tictactoe_is_a_draw_in_fewer_positions_than_minimax_needs():
    """Minimax looks at 549,946 (test_slow_search.py); all depths up to the last are counted here."""
    choice = choose(search(TICTACTOE), TICTACTOE, TICTACTOE.position(), 9)
    assert choice.value == 0
    assert choice.nodes < 549_946 / 20
    assert len(choice.line) == 9


def test_positions_of_tictactoe_have_their_exact_values():
    alphabeta, positions = search(TICTACTOE), solved_tictactoe()
    assert len(positions) == 5478 - 626 - 316 - 16
    for state, value in positions[::9]:
        moves = worthy(TICTACTOE, state)
        assert alphabeta.choose(state, moves, Limits(depth=len(moves))).value == value


@pytest.mark.parametrize("levels", [2, 5, 1001])
def test_tictactoe_with_arbitrary_values_at_the_leaves(levels):
    states = positions_at(TICTACTOE, 3, range(9), 5)
    assert_as_minimax(TICTACTOE, states, (1, 2, 3, 4), any_evaluation(TICTACTOE, levels, levels))


@pytest.mark.parametrize("levels", [2, 5, 1001])
def test_connect4_with_arbitrary_values_at_the_leaves(levels):
    evaluation = any_evaluation(CONNECT4, levels, levels)
    assert_as_minimax(CONNECT4, positions_at(CONNECT4, 7, range(0, 30, 4), 3), (1, 2, 3, 4), evaluation)
    assert_as_minimax(CONNECT4, positions_at(CONNECT4, 7, (15, 18, 21, 24), 1), (5, 6), evaluation)


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_leave_the_values_as_they_are(threads):
    """What they write at the same time to a small table, as a key and an entry, is not taken for something else."""
    evaluation, settings = any_evaluation(CONNECT4, 3, 1001), AlphaBetaSettings(quiescence=0, table_bits=6)
    alphabeta = AlphaBeta(CONNECT4, NO_ORDERING, evaluation, settings, threads=threads)
    for state in positions_at(CONNECT4, 7, range(0, 30, 4), 3):
        for depth in (5, 4):
            twin = minimax(CONNECT4, state, depth, value_by(evaluation))
            assert value_of(choose(alphabeta, CONNECT4, state, depth)) == twin.value


def test_an_ordering_without_widths_leaves_the_values_as_they_are():
    states = positions_at(CONNECT4, 7, (2, 9, 16, 23), 5)
    for ordering in (CENTRE_FIRST, any_ordering(CONNECT4, 1)):
        assert_as_minimax(CONNECT4, states, (2, 3, 4), any_evaluation(CONNECT4, 1, 9), ordering=ordering)


@pytest.mark.parametrize("deepening", [0, 1, 2])
@pytest.mark.parametrize("weights", [(0.0, 1.0), (0.3, 0.3), (-1.0, 1e6)])
def test_two_orderings_and_history_together_leave_the_values_as_they_are(weights, deepening):
    """Whatever they count: only the order of moves changes, and at every depth."""
    ordering, second = (replace(any_ordering(CONNECT4, n, 99), weight=weight) for n, weight in enumerate(weights))
    evaluation = any_evaluation(CONNECT4, 3, 99)
    alphabeta = search(CONNECT4, ordering, evaluation, second, quiescence=2, deepening=deepening)
    for state in positions_at(CONNECT4, 7, (2, 9, 16, 23), 3):
        for depth in (1, 3, 4):
            twin = minimax(CONNECT4, state, depth, lambda s: evaluation.evaluate(s, evaluation.numbers), 2)
            assert value_of(choose(alphabeta, CONNECT4, state, depth)) == twin.value


def test_a_better_second_ordering_needs_fewer_positions():
    """Centre first is good advice in Connect-4, edge first is bad."""
    heuristic = CONNECT4.find_heuristic()
    assert heuristic is not None
    evaluation, nodes = Evaluation("built in", heuristic.evaluate, heuristic.numbers), list[int]()
    for weight in (1.0, 0.0, -1.0):
        second = replace(CENTRE_FIRST, weight=weight)
        alphabeta = search(CONNECT4, NO_ORDERING, evaluation, second, deepening=0)
        nodes.append(0)
        for state in positions_at(CONNECT4, 7, range(2, 20, 3), 4):
            alphabeta.forget()
            nodes[-1] += choose(alphabeta, CONNECT4, state, 6).nodes
    assert nodes == sorted(nodes) and nodes[0] < 0.9 * nodes[2]


@pytest.mark.parametrize(("settings", "share"), [({"penalty": 0.1}, 1.0), ({"widths": (3,)}, 1.0), ({}, 0.2)])
def test_at_the_root_two_orderings_count_as_below(settings, share):
    """Scores that prune or cost count whole beside the second ones, others by their weight."""
    first, second = (replace(any_ordering(CONNECT4, n, 99), weight=w) for n, w in ((5, 0.2), (8, 0.7)))
    alphabeta = search(CONNECT4, first, NO_EVALUATION, second, **settings)
    for state in positions_at(CONNECT4, 7, range(0, 30, 7), 2):
        moves = np.array(worthy(CONNECT4, state), np.int32)
        scores = np.zeros((2, len(moves)))
        for ordering, row in zip((first, second), scores, strict=True):
            ordering.order(state, moves, len(moves), row, ordering.numbers)
        best = moves[np.argmax(share * scores[0] + 0.7 * scores[1])]
        assert alphabeta.choose(state, moves, Limits(nodes=0)).move == best


def test_a_second_ordering_changes_neither_candidates_nor_fees():
    ordering, evaluation = any_ordering(CONNECT4, 5, 1001), any_evaluation(CONNECT4, 5, 99)
    plain, both = (
        search(CONNECT4, ordering, evaluation, second, widths=(3,), penalty=0.1)
        for second in (NO_ORDERING, replace(any_ordering(CONNECT4, 8, 1001), weight=5.0))
    )
    for state in positions_at(CONNECT4, 7, range(0, 30, 7), 2):
        assert value_of(choose(plain, CONNECT4, state, 4)) == value_of(choose(both, CONNECT4, state, 4))


EVALUATIONS = {"none": NO_EVALUATION, "built in": BUILT_IN, "any": any_evaluation(GO, 3, 9)}


@pytest.mark.parametrize("quiescence", [0, 3])
@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize(
    ("size", "plies", "depths"),
    [(3, range(0, 30, 3), (1, 2, 3)), (5, range(2, 50, 16), (1, 2, 3)), (9, (3, 40), (1, 2)), (9, (90,), (3,))],
)
def test_random_games_of_go(size, plies, depths, evaluation, quiescence):
    assert_as_minimax(GO, positions_at(GO, size, plies, 2), depths, EVALUATIONS[evaluation], quiescence)


@needs_shared
@pytest.mark.parametrize("quiescence", [0, 6])
def test_recorded_games_of_go(quiescence):
    assert_as_minimax(GO, recorded_positions("go9-dan/valid", (10, 30, 50), 2), (1, 2), BUILT_IN, quiescence)


# candidates -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("widths", [(1,), (3,), (6,), (100,), (2, 0, 1, 3)])
def test_candidates_by_arbitrary_scores(widths):
    for levels in (2, 1001):
        evaluation, ordering = any_evaluation(CONNECT4, 5, 99), any_ordering(CONNECT4, 5, levels)
        states = positions_at(CONNECT4, 7, range(0, 30, 7), 1)
        assert_as_pruned(CONNECT4, states, (1, 2, 4), ordering, evaluation, widths)
        states = positions_at(GO, 4, range(0, 40, 9), 1)
        assert_as_pruned(GO, states, (1, 3), any_ordering(GO, 5, levels), any_evaluation(GO, 5, 99), widths, 2)
    assert_as_pruned(GO, positions_at(GO, 9, (5, 30, 55), 1), (2,), any_ordering(GO, 5), BUILT_IN, widths, 2)


def test_below_order_from_all_moves_are_candidates():
    """And killers and history order them."""
    evaluation, ordering = any_evaluation(CONNECT4, 7, 99), any_ordering(CONNECT4, 7)
    alphabeta = search(CONNECT4, ordering, evaluation, widths=(3,), order_from=3)
    for state in positions_at(CONNECT4, 7, range(0, 24, 6), 2):
        twin = pruned_minimax(CONNECT4, state, 5, ordering, (0, 0, 3, 3, 3), leaf_of(CONNECT4, evaluation))
        assert value_of(choose(alphabeta, CONNECT4, state, 5)) == twin


@pytest.mark.parametrize("penalty", [0.0, 0.05])
def test_candidates_by_rules(rules, penalty):
    """Rules look at the last moves too, which differ where a position is reached in two ways, from depth 4 on."""
    evaluation = any_evaluation(GO, 9, 1001)
    assert_as_pruned(GO, positions_at(GO, 5, range(0, 30, 6), 1), (1, 2, 3), rules, evaluation, (3,), penalty=penalty)
    assert_as_pruned(GO, positions_at(GO, 9, (4, 40, 60), 1), (1, 3), rules, BUILT_IN, (2, 5), penalty=penalty)
    assert_as_pruned(GO, positions_at(GO, 5, (8, 16, 24), 1), (4, 5), rules, BUILT_IN, (3,), penalty=penalty)
    assert_as_pruned(GO, positions_at(GO, 9, (40,), 1), (4,), rules, evaluation, (4,), penalty=penalty)


@pytest.mark.parametrize("penalty", [0.01, 0.5])
def test_fees_for_arbitrary_scores(penalty):
    states = positions_at(CONNECT4, 7, range(0, 30, 7), 2)
    ordering, evaluation = any_ordering(CONNECT4, 5, 1001), any_evaluation(CONNECT4, 5, 99)
    assert_as_pruned(CONNECT4, states, (1, 2, 4), ordering, evaluation, (0,), penalty=penalty)
    assert_as_pruned(CONNECT4, states, (1, 3), ordering, evaluation, (3,), penalty=penalty)


# extensions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("quiescence", [0, 3])
@pytest.mark.parametrize("extensions", [1, 3])
def test_answers_to_ataris_cost_no_depth(extensions, quiescence):
    """Arbitrary values show every line that is too short or too long."""
    longer = 0
    for state in positions_at(GO, 4, range(4, 40, 5), 2) + positions_at(GO, 5, (12, 21, 30), 2):
        for evaluation in (any_evaluation(GO, 11, 1001), BUILT_IN):
            leaf = value_by(evaluation)
            alphabeta = search(GO, evaluation=evaluation, quiescence=quiescence, extensions=extensions)
            for depth in (2, 1):  # the table holds the deeper search
                twin, plain = (minimax(GO, state, depth, leaf, quiescence, extensions=n) for n in (extensions, 0))
                assert value_of(choose(alphabeta, GO, state, depth)) == twin.value, (GO.draw(state), depth)
                longer += twin.nodes > plain.nodes
    assert longer > 20


def test_a_selective_search_changes_nothing_where_the_depth_suffices():
    """A move that is searched a ply less deep at each of 9 plies still comes to the end of the game."""
    alphabeta = search(CONNECT4, CENTRE_FIRST, selective=True)
    for state in positions_at(CONNECT4, 7, (33, 35, 37), 12):
        exact = minimax(CONNECT4, state, 42, lambda _: 0.0).value
        assert value_of(choose(alphabeta, CONNECT4, state, 20)) == exact


# known scores ---------------------------------------------------------------------------------------------------------


def known_scores_found(name, most=None, nodes=None):
    """Search positions of a set to the end; returns the share solved in so many nodes; each solved score is right."""
    alphabeta = search(CONNECT4, CENTRE_FIRST, table_bits=20, scale=CONNECT4.decided)
    positions = scored_positions(name)[:most]
    solved = 0
    for moves, score in positions:
        state, plies = position_of(moves), 42 - len(moves)
        choice = alphabeta.choose(state, worthy(CONNECT4, state), Limits(depth=plies, nodes=nodes))
        if choice.depth == plies or abs(choice.value) > CONNECT4.decided:
            assert score_of(choice.value) == score, moves
            solved += 1
    return solved / len(positions)


@needs_shared
def test_connect4_ends_have_their_known_scores():
    assert known_scores_found("test_l3_r1") == 1


@needs_shared
@pytest.mark.slow
def test_connect4_middle_games_have_their_known_scores():
    assert known_scores_found("test_l2_r1") == 1


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("test_l2_r2", 0.3), ("test_l1_r1", 0.99)])
def test_what_is_solved_of_harder_connect4_games_has_its_known_score(name, least):
    assert known_scores_found(name, most=40, nodes=3_000_000) > least


@pytest.mark.parametrize(("moves", "score"), [("2233", 18), ("22334", -18), ("6655", 18)])
def test_a_search_ends_when_the_result_is_forced(moves, score):
    """Three in a row with both ends free win with the fourth stone: 22 less 4."""
    alphabeta, state = search(CONNECT4, CENTRE_FIRST, scale=CONNECT4.decided), position_of(moves)
    choice = alphabeta.choose(state, worthy(CONNECT4, state), Limits(depth=42 - len(moves), nodes=200_000))
    assert (score_of(choice.value), choice.reason.endswith(", the result is forced")) == (score, True)
    assert choice.depth < 10


# limits and options of a call -----------------------------------------------------------------------------------------


def without_time(choice):
    """Return a choice without the part that says how long it took."""
    return replace(choice, reason="")


@pytest.mark.parametrize(("game", "size"), [(CONNECT4, 7), (GO, 9)])
def test_the_same_number_of_nodes_gives_the_same_answer(game, size):
    evaluation = any_evaluation(game, 2, 50)
    alphabeta = search(game, evaluation=evaluation)
    for state in positions_at(game, size, (0, 11, 20), 1):
        answers = []
        for searcher in (alphabeta, alphabeta, search(game, evaluation=evaluation)):
            searcher.forget()
            answers.append(without_time(searcher.choose(state, worthy(game, state), Limits(nodes=3000))))
        assert answers[0] == answers[1] == answers[2]


def test_node_limits_hold_and_leave_a_move_whose_value_is_exact():
    """A search may end between two depths: then the value is that of the best move so far, at the deeper one."""
    evaluation = any_evaluation(CONNECT4, 4, 20)
    state = positions_at(CONNECT4, 7, (8,), 1)[0]
    moves = worthy(CONNECT4, state)

    def exact(state, depth):
        return minimax(CONNECT4, state, depth, lambda s: evaluation.evaluate(s, evaluation.numbers)).value

    between = 0
    for nodes in [*range(1, 40), *range(40, 900, 29)]:
        choice = search(CONNECT4, evaluation=evaluation).choose(state, moves, Limits(nodes=nodes))
        assert choice.nodes == nodes
        assert choice.move in moves
        assert_line_is_legal(CONNECT4, state, choice)
        if choice.options:
            own = -exact(CONNECT4.play(state, choice.move), choice.depth)
            assert value_of(choice) in (own, exact(state, choice.depth))
            between += value_of(choice) == own
    assert between > 5


def test_threads_share_a_limit_of_nodes():
    state = positions_at(CONNECT4, 7, (8,), 1)[0]
    alphabeta = AlphaBeta(CONNECT4, NO_ORDERING, any_evaluation(CONNECT4, 4, 20), threads=3)
    for nodes in (1, 3000):
        choice = alphabeta.choose(state, worthy(CONNECT4, state), Limits(nodes=nodes))
        assert choice.nodes <= max(nodes, 3) and choice.move in worthy(CONNECT4, state)


def test_a_limit_of_depth_and_the_reports_on_the_way():
    state = positions_at(CONNECT4, 7, (5,), 1)[0]
    reports: list[Choice] = []
    alphabeta = search(CONNECT4, CENTRE_FIRST, any_evaluation(CONNECT4, 1, 99))
    choice = alphabeta.choose(state, worthy(CONNECT4, state), Limits(depth=7), reports.append)
    assert [one.depth for one in reports] == list(range(1, 8))
    assert [one.nodes for one in reports] == sorted({one.nodes for one in reports})
    assert replace(reports[-1], reason=choice.reason) == choice
    for one in reports:
        assert_line_is_legal(CONNECT4, state, one)
        assert one.options[0].move == one.move
        assert {option.move for option in one.options} == set(worthy(CONNECT4, state))


def test_only_the_given_moves_are_searched():
    evaluation = any_evaluation(CONNECT4, 6, 1001)
    state = positions_at(CONNECT4, 7, (6,), 1)[0]
    for moves in ([2], [6, 0], [1, 3, 5]):
        values = [
            -minimax(
                CONNECT4, CONNECT4.play(state, move), 3, lambda s: evaluation.evaluate(s, evaluation.numbers)
            ).value
            for move in moves
        ]
        choice = search(CONNECT4, evaluation=evaluation).choose(state, moves, Limits(depth=4))
        assert (value_of(choice), choice.move) == max(zip(values, moves, strict=True))
        assert {option.move for option in choice.options} == set(moves)


def test_what_was_found_among_few_moves_says_nothing_about_the_position():
    """A position searched with a part of its moves, and then come upon below another."""
    evaluation, rng = any_evaluation(CONNECT4, 8, 1001), random.Random(1)
    for state in positions_at(CONNECT4, 7, (4, 10, 16), 4):
        alphabeta = search(CONNECT4, evaluation=evaluation)
        for _ in range(30):
            below = play_moves(CONNECT4, state, 2, rng)
            if CONNECT4.outcome(below) == ONGOING:
                alphabeta.choose(below, worthy(CONNECT4, below)[:1], Limits(depth=2))
        twin = minimax(CONNECT4, state, 4, lambda s: evaluation.evaluate(s, evaluation.numbers))
        assert value_of(choose(alphabeta, CONNECT4, state, 4)) == twin.value


@pytest.mark.parametrize(
    ("moves", "score"), [("446157447627521267226626417455511175", 3), ("337553761162777121433664755311524622265", 0)]
)
def test_a_position_with_one_move(moves, score):
    state = position_of(moves)
    only = worthy(CONNECT4, state)
    choice = search(CONNECT4).choose(state, only, Limits())
    assert [choice.move] == only
    assert score_of(choice.value) == score == score_of(minimax(CONNECT4, state, 42, lambda _: 0.0).value / UNIT)


class Alarm:
    """Stands for threading.Timer: it rings when the test says so."""

    def __init__(self, seconds, ring):
        self.seconds, self.ring, self.running = seconds, ring, False

    def start(self):
        self.running = True

    def cancel(self):
        self.running = False


def test_a_limit_of_time(monkeypatch):
    state, alarms = GO.position(19), []

    def timer(*given):
        alarms.append(Alarm(*given))
        return alarms[-1]

    monkeypatch.setattr("threading.Timer", timer)
    alphabeta, moves = search(GO, evaluation=BUILT_IN), worthy(GO, state)
    choice = alphabeta.choose(state, moves, Limits(seconds=0.4), lambda found: alarms[0].ring())
    assert choice.depth == 1 and choice.move in moves
    assert alarms[0].seconds == 0.4 and not alarms[0].running


@pytest.mark.parametrize("threads", [1, 3])
def test_another_thread_stops_a_search_without_limits(threads):
    state = GO.position(19)
    alphabeta = AlphaBeta(GO, NO_ORDERING, BUILT_IN, threads=threads)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(alphabeta.choose(state, worthy(GO, state), Limits())))
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    alphabeta.stop()
    thread.join(60)
    assert answers[0].move in worthy(GO, state)
    assert answers[0].nodes > 100
