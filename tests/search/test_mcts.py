"""Monte-Carlo tree search: it sees what is there to be seen, and keeps to its limits and options."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from support.searching import (
    CENTRE_FIRST,
    TICTACTOE,
    any_ordering,
    assert_line_is_legal,
    go_moves,
    go_position,
    learned_rules,
    positions_at,
    solved_tictactoe,
    worthy,
)
from support.slow_search import minimax

from gotools.engines.knowledge import rules_ordering
from gotools.game.choice import Choice, Limits
from gotools.game.sides import BLACK, WHITE
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.go import GO
from gotools.jit import seam
from gotools.jit.kernels.seams import KEY, TO_PLAY
from gotools.rules.matching import find_matcher
from gotools.search.knowledge import NO_ORDERING
from gotools.search.mcts import USUAL, MonteCarlo

SMALL = 50_000
"""Nodes of a tree that suffice for most tests."""


@pytest.fixture(scope="module")
def rules():
    """The paths of the same rules as text and as a library."""
    return learned_rules()


def search(game, ordering=NO_ORDERING, seed=0, room=SMALL, **settings):
    return MonteCarlo(game, ordering, seed, USUAL._replace(**settings), room)


def choose(searcher, game, state, nodes):
    """Search all worthy moves, and look at the form of the answer."""
    choice = searcher.choose(state, worthy(game, state), Limits(nodes=nodes))
    assert_line_is_legal(game, state, choice)
    best = choice.options[0]
    assert (best.move, best.value, best.line) == (choice.move, choice.value, choice.line)
    assert {option.move for option in choice.options} == set(worthy(game, state))
    assert [option.visits for option in choice.options] == sorted((o.visits for o in choice.options), reverse=True)
    assert sum(option.visits for option in choice.options) == choice.nodes <= nodes
    assert all(-1 <= option.value <= 1 for option in choice.options)
    return choice


def without_time(choice):
    """Return a choice without the part that says how long it took."""
    return replace(choice, reason="")


# strength -------------------------------------------------------------------------------------------------------------


def test_positions_of_tictactoe_are_played_as_well_as_they_can_be():
    searcher = search(TICTACTOE)
    values = {TICTACTOE.draw(state): value for state, value in solved_tictactoe()}

    def exact(state):
        return values.get(TICTACTOE.draw(state), TICTACTOE.outcome(state))

    for state, value in solved_tictactoe()[::36]:
        choice = choose(searcher, TICTACTOE, state, 20_000)
        assert -exact(TICTACTOE.play(state, choice.move)) == value, TICTACTOE.draw(state)


def wins_at_once(state):
    """Return the moves that win a position of Connect-4."""
    return {move for move in worthy(CONNECT4, state) if CONNECT4.outcome(CONNECT4.play(state, move)) < 0}


def as_if_passed(state):
    """Return a position of Connect-4 with the other side to play."""
    other = state.copy()
    other[TO_PLAY] = 3 - state[TO_PLAY]
    return other


def is_lost(state):
    """Return whether the side that has just made a move in Connect-4 loses within some plies."""
    return minimax(CONNECT4, state, 5, lambda _: 0.0).value > 0


def test_connect4_wins_where_it_can_and_blocks_where_it_must():
    searcher = search(CONNECT4)
    won = blocked = 0
    for state in positions_at(CONNECT4, 7, range(8, 26, 3), 12):
        wins, threats = wins_at_once(state), wins_at_once(as_if_passed(state))
        if wins:
            assert choose(searcher, CONNECT4, state, 1000).move in wins, CONNECT4.draw(state)
            won += 1
        elif len(threats) == 1 and not is_lost(CONNECT4.play(state, *threats)):
            assert choose(searcher, CONNECT4, state, 1000).move in threats, CONNECT4.draw(state)
            blocked += 1
    assert won > 10
    assert blocked > 10


RACE = """
    XXXXOOOOO
    X.XXOOO.O
    XXXXOOOOO
    XXXXOOOOO
    X.XXOOOOO
    XXXXOOO.O
    XXXXOOOOO
    .OOOXXX.O
    .OOOXXX.O
"""
"""Two liberties each: who plays first takes the other."""
THREE_IN_A_ROW = """
    XXXXXOOOO
    X.XXXOO.O
    XXXXXOOOO
    XXXXXOOOO
    X.XXXOOOO
    XXXXXOOOO
    XXXXXOOOO
    OOOOXOO.O
    ...OXOOOO
"""
"""Room for two eyes, or for one when black plays in the middle."""
RUNNING = """
    XXXXXOOOO
    X.XXXOO.O
    XXXXXOOOO
    XXXXXOOOO
    X.XXXOOOO
    XXXXXOOOO
    XXXXXOOOO
    XXXXXOO.O
    ..OO.OOOO
"""
"""Two stones that run along the edge to their friends, or, cut off, into the corner and are taken there."""
SMALL_RACE = """
    XXXOO
    X.XO.
    XXXOO
    .OOX.
    .OOX.
"""
"""Black is first: he has a liberty more than he needs."""


@pytest.mark.parametrize(
    ("rows", "komi", "colour", "expected"),
    [
        (RACE, 0, BLACK, "A1 A2"),
        (RACE, 0, WHITE, "H1 H2"),
        (THREE_IN_A_ROW, 0, BLACK, "B1"),
        (THREE_IN_A_ROW, 0, WHITE, "B1"),
        (RUNNING, 4.5, BLACK, "E1"),
        (RUNNING, 4.5, WHITE, "E1"),
        (SMALL_RACE, 0, BLACK, "A1 A2"),
        (SMALL_RACE, 0, WHITE, "E1 E2"),
    ],
)
def test_fights_of_go_that_decide_the_game(rows, komi, colour, expected):
    state = go_position(rows, colour, komi)
    choice = choose(search(GO), GO, state, 2000)
    assert choice.move in go_moves(expected, state), GO.move_text(choice.move, 9)
    assert choice.value > 0


@seam(KEY)
def no_key(state):
    """Give all positions the same random numbers."""
    return 0


@pytest.mark.parametrize("rows", [RACE, THREE_IN_A_ROW, RUNNING, ".../.X./...", ".OX../..X../OX..O/.X.O./....."])
def test_colours_exchanged_without_komi_give_the_same_answer(rows):
    game = replace(GO, key=no_key)
    rows = rows.replace("/", "\n")
    exchanged = rows.translate(str.maketrans("XO", "OX"))
    black = choose(search(game), game, go_position(rows, BLACK), 500)
    white = choose(search(game), game, go_position(exchanged, WHITE), 500)
    assert without_time(black) == without_time(white)


# knowledge ------------------------------------------------------------------------------------------------------------


def test_priors_are_the_softmax_of_the_scores_and_the_largest_is_looked_at_first():
    for state in positions_at(CONNECT4, 7, (0, 7, 14), 3):
        moves = worthy(CONNECT4, state)
        weights = {move: np.exp(-abs(move - 3) * 1.5) for move in moves}
        choice = choose(search(CONNECT4, CENTRE_FIRST, sharpness=1.5), CONNECT4, state, 1)
        assert choice.move == min(moves, key=lambda move: (abs(move - 3), move))
        for option in choice.options:
            assert option.prior == pytest.approx(weights[option.move] / sum(weights.values()), rel=1e-5)


def test_a_search_without_time_takes_the_largest_prior():
    state = positions_at(GO, 9, (10,), 1)[0]
    choice = search(GO, any_ordering(GO, 3, 1001)).choose(state, worthy(GO, state), Limits(seconds=0.0))
    assert choice.nodes == 0
    assert choice.move == max(choice.options, key=lambda option: option.prior).move


def test_moves_with_large_priors_are_looked_at_more():
    """Of moves of about the same worth, on the empty board."""
    state = GO.position(9)
    ordering = any_ordering(GO, 3, 1001)
    choice = choose(search(GO, ordering, sharpness=3.0), GO, state, 400)
    by_prior = sorted(choice.options, key=lambda option: -option.prior)
    assert sum(option.visits for option in by_prior[:20]) > 2 * sum(option.visits for option in by_prior[20:])


def test_text_and_library_of_the_same_rules_give_the_same_answer(rules):
    for state in positions_at(GO, 9, (6, 30), 1):
        answers = [
            without_time(choose(search(GO, rules_ordering(find_matcher(str(path)), "rules")), GO, state, 60))
            for path in rules
        ]
        assert answers[0] == answers[1]
        assert answers[0].options[0].prior > 0


# limits and options of a call -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "size"), [(CONNECT4, 7), (GO, 9)])
def test_the_same_number_of_nodes_gives_the_same_answer(game, size):
    state = positions_at(game, size, (4,), 1)[0]
    searcher = search(game)
    first = choose(searcher, game, state, 300)
    choose(searcher, game, game.position(size), 100)
    assert without_time(choose(searcher, game, state, 300)) == without_time(first)
    assert without_time(choose(search(game), game, state, 300)) == without_time(first)
    others = [choose(search(game, seed=seed), game, state, 300) for seed in (1, 2, 3)]
    assert any(without_time(other) != without_time(first) for other in others)


@pytest.mark.parametrize("nodes", [1, 2, 99, 100, 101, 777])
def test_a_limit_of_nodes_holds_unless_the_answer_cannot_change(nodes):
    for game, size in ((CONNECT4, 7), (GO, 9)):
        state = positions_at(game, size, (4,), 1)[0]
        choice = choose(search(game), game, state, nodes)
        if choice.nodes < nodes:
            first, second = choice.options[:2]
            assert first.visits - second.visits > nodes - choice.nodes
        reports: list[Choice] = []
        exact = search(game).choose(state, worthy(game, state), Limits(nodes=nodes), reports.append)
        assert exact.nodes == nodes  # who watches sees all
        assert exact.move == choice.move


def test_a_decided_search_ends_early_and_always_alike():
    state = go_position(THREE_IN_A_ROW, BLACK)
    choices = [without_time(choose(search(GO), GO, state, 20_000)) for _ in range(3)]
    assert choices[0] == choices[1] == choices[2]
    assert 100 < choices[0].nodes < 20_000


def test_reports_come_some_times_a_second_and_grow():
    state, reports = GO.position(9), list[Choice]()
    choice = search(GO).choose(state, worthy(GO, state), Limits(seconds=0.65), reports.append)
    assert 2 <= len(reports) <= 7
    nodes = [one.nodes for one in reports]
    assert nodes == sorted(set(nodes))
    assert choice.nodes >= nodes[-1]
    for one in reports:
        assert_line_is_legal(GO, state, one)


@pytest.mark.parametrize("room", [1, GO.longest + 1, 1000, 3000])
def test_a_search_whose_tree_is_full_goes_on(room):
    state = go_position(RACE, BLACK)
    searcher = search(GO, room=room)
    reports: list[Choice] = []
    choice = searcher.choose(state, worthy(GO, state), Limits(nodes=6000), reports.append)
    assert choice.nodes == sum(option.visits for option in choice.options) == 6000
    assert choice.move in go_moves("A1 A2", state)
    wide = GO.position(19)
    choice = searcher.choose(wide, worthy(GO, wide), Limits(nodes=700), reports.append)
    assert choice.nodes == 700
    assert_line_is_legal(GO, wide, choice)


def test_only_the_given_moves_are_searched():
    state = go_position(RACE, BLACK)
    moves = sorted(go_moves("B5 H1 B8 pass", state))
    choice = search(GO).choose(state, moves, Limits(nodes=500))
    assert {option.move for option in choice.options} == set(moves)
    one = search(GO).choose(state, moves[:1], Limits(nodes=50))
    assert (one.move, one.nodes, one.options[0].prior) == (moves[0], 50, 1.0)


class Timed(MonteCarlo):
    """A search on a clock that moves by a time for each simulation."""

    now, cost = 0.0, 0.0

    def monotonic(self):
        return self.now

    def _simulate(self, state, count):
        self.now += count * self.cost
        return super()._simulate(state, count)


@pytest.mark.parametrize("cost", [0.0001, 0.001], ids=["quick", "slow"])
@pytest.mark.parametrize("seconds", [0.0, 0.15, 0.4])
def test_a_limit_of_time(seconds, cost, monkeypatch):
    """Batches shrink where simulations are slow: the limit is missed by one batch at most."""
    state = GO.position(19)
    searcher, moves = Timed(GO, NO_ORDERING, room=SMALL), worthy(GO, state)
    searcher.cost = cost
    monkeypatch.setattr("gotools.search.mcts.time", searcher)
    choice = searcher.choose(state, moves, Limits(seconds=seconds))
    assert abs(searcher.now - seconds) < 0.02
    assert choice.move in moves


def test_another_thread_stops_a_search_without_limits():
    state = GO.position(19)
    searcher, answers = search(GO), []
    thread = threading.Thread(target=lambda: answers.append(searcher.choose(state, worthy(GO, state), Limits())))
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    searcher.stop()
    thread.join(60)
    assert answers[0].move in worthy(GO, state)
    assert answers[0].nodes > 100
