"""Search by a policy and a value: against a slow twin of its formula, decisive moves, and limits."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from nim_game import NIM
from numpy.typing import NDArray
from support.searching import (
    TICTACTOE,
    assert_line_is_legal,
    go_position,
    positions_at,
    solved_tictactoe,
    worthy,
)

from gotools.game.choice import Choice, Limits
from gotools.game.game import Game
from gotools.game.sides import BLACK
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.go import GO
from gotools.games.go.inputs.positions import PLANES
from gotools.jit import kernel, seam
from gotools.jit.kernels.basics import seed_random
from gotools.jit.kernels.seams import JUDGE, ONGOING, PLAYOUT
from gotools.search.knowledge import Judgement
from gotools.search.mcts import USUAL_PUCT, Puct
from gotools.values.network.shape import NetworkShape, numbers_of

SMALL = 50_000
"""Nodes of a tree that suffice for these tests."""
State = NDArray[np.int32]


@kernel
def _hash(state):
    """Mix what all games define: the last part of a state of Go may hold anything."""
    word = np.int64(1)
    for i in range(min(len(state), 200)):
        word = (word * 31 + state[i]) % 1_000_003
    return word


@kernel
def _level(word, number):
    """One of 1001 values evenly spread over [-1, 1]."""
    word = (word + np.int64(number) * 7919) % 1_000_003
    return (word * word % 1001) / 500.0 - 1.0


@seam(JUDGE)
def any_judge(state, moves, n, scores, numbers):
    """Judge arbitrarily, by the position, the move and numbers[0] alone."""
    word = _hash(state)
    for i in range(n):
        scores[i] = 1.5 * _level(word, numbers[0] + 7 * moves[i])
    return 0.9 * _level(word, numbers[0] + 1)


@seam(JUDGE)
def blind_judge(state, moves, n, scores, numbers):
    """See no difference between moves but one, numbers[0], which it likes by numbers[1]."""
    for i in range(n):
        scores[i] = numbers[1] if moves[i] == numbers[0] else 0.0
    return 0.0


@seam(PLAYOUT)
def no_playout(state, random, played):
    """Spoil every value that it is part of."""
    played[0] = 0
    return np.nan


def any_judgement(seed: int = 0, trust: float = 1.0) -> Judgement:
    return Judgement("any", any_judge, np.array([seed], np.float64), trust)


def blind(move: int = -1, liking: float = 0.0, trust: float = 1.0) -> Judgement:
    return Judgement("blind", blind_judge, np.array([move, liking], np.float64), trust)


def search(game: Game, judgement: Judgement, seed: int = 0, room: int = SMALL, **settings: Any) -> Puct:
    return Puct(game, judgement, seed, USUAL_PUCT._replace(**settings), room)


def choose(searcher: Puct, game: Game, state: State, nodes: int) -> Choice:
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


def without_time(choice: Choice) -> Choice:
    """Return a choice without the part that says how long it took."""
    return replace(choice, reason="")


# the twin -------------------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """A move; wins are the sum of values for the side that made it."""

    move: int = -1
    prior: float = 1.0
    visits: int = 0
    wins: float = 0.0
    children: list[Node] = field(default_factory=list)


class SlowPuct:
    """PUCT from its formula, a node an object."""

    def __init__(
        self, game: Game, judgement: Judgement, seed: int, explore: float, reduction: float, sharpness: float
    ) -> None:
        self.game, self.judgement, self.seed = game, judgement, seed
        self.explore, self.reduction, self.sharpness = explore, reduction, sharpness
        self.random = np.zeros(1, np.uint64)

    def search(self, state: State, moves: Sequence[int], nodes: int) -> Node:
        seed_random(self.random, (self.seed ^ int(self.game.key(state))) & (1 << 63) - 1)
        root = Node(visits=1)
        root.wins = -self.expand(root, state, moves)
        for _ in range(nodes):
            self.simulate(root, state)
        return root

    def expand(self, node: Node, state: State, moves: Sequence[int]) -> float:
        scores = np.zeros(len(moves))
        value = self.judgement.judge(state, np.array(moves, np.int32), len(moves), scores, self.judgement.numbers)
        weights = [math.exp(self.sharpness * (score - max(scores))) for score in scores]
        priors = [float(np.float32(weight / sum(weights))) for weight in weights]
        node.children = [Node(move, prior) for move, prior in zip(moves, priors, strict=True)]
        return float(value)

    def simulate(self, node: Node, state: State) -> float:
        """Go down from a node; returns the value for the side to play there."""
        if node.children:
            child = self.best_child(node)
            value = -self.simulate(child, self.game.play(state, child.move))
        else:
            value = self.leaf(node, state)
        node.visits += 1
        node.wins -= value
        return value

    def best_child(self, node: Node) -> Node:
        tried = sum(child.prior for child in node.children if child.visits)
        of_untried = -node.wins / node.visits - self.reduction * math.sqrt(tried)

        def worth(child: Node) -> float:
            value = child.wins / child.visits if child.visits else of_untried
            return value + self.explore * child.prior * math.sqrt(node.visits) / (1 + child.visits)

        return max(node.children, key=worth)

    def leaf(self, node: Node, state: State) -> float:
        end = float(self.game.outcome(state))
        if end != ONGOING:
            return scaled(end)
        trust = self.judgement.trust
        value = self.expand(node, state, worthy(self.game, state))
        if trust == 1.0:
            return value
        played = np.empty(1200, np.int32)
        return trust * value + (1 - trust) * scaled(float(self.game.playout(state.copy(), self.random, played)))


def scaled(value: float) -> float:
    """A game that is won is worth 0.8 and more, by its points."""
    return value and math.copysign(0.8, value) + 0.2 * value


SETTINGS = [{}, {"explore": 3.0, "reduction": 0.0, "sharpness": 2.0}, {"explore": 0.5, "reduction": 0.6}]


@pytest.mark.parametrize("trust", [1.0, 0.3, 0.0])
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("game", "size", "plies"), [(TICTACTOE, 3, (0, 2, 5)), (NIM, 7, (0, 9)), (CONNECT4, 7, (6,))])
def test_visits_are_those_of_the_formula(
    game: Game, size: int, plies: tuple[int, ...], settings: dict[str, Any], trust: float
) -> None:
    values = {"explore": 1.2, "reduction": 0.2, "sharpness": 1.0, **settings}
    for seed, state in enumerate(positions_at(game, size, plies, 2)):
        judgement = any_judgement(seed, trust)
        found = choose(search(game, judgement, seed, **settings), game, state, 250)
        root = SlowPuct(game, judgement, seed, **values).search(state, worthy(game, state), found.nodes)
        wanted = sorted(root.children, key=lambda child: -child.visits)
        assert [option.move for option in found.options] == [child.move for child in wanted]
        assert [option.visits for option in found.options] == [child.visits for child in wanted]
        for option, child in zip(found.options, wanted, strict=True):
            assert option.prior == pytest.approx(child.prior, rel=1e-6)
            assert option.value == pytest.approx(child.wins / child.visits if child.visits else 0.0, abs=1e-9)


# what it finds --------------------------------------------------------------------------------------------------------


def test_positions_of_tictactoe_are_played_as_well_as_they_can_be() -> None:
    searcher = search(TICTACTOE, blind())
    values = {TICTACTOE.draw(state): value for state, value in solved_tictactoe()}

    def exact(state: State) -> float:
        return values.get(TICTACTOE.draw(state), TICTACTOE.outcome(state))

    for state, value in solved_tictactoe()[::36]:
        choice = choose(searcher, TICTACTOE, state, 5000)
        assert -exact(TICTACTOE.play(state, choice.move)) == value, TICTACTOE.draw(state)


def wins_at_once(state: State) -> set[int]:
    return {move for move in worthy(CONNECT4, state) if CONNECT4.outcome(CONNECT4.play(state, move)) < 0}


@pytest.mark.parametrize("trust", [1.0, 0.3])
def test_a_move_that_wins_is_looked_at_most_though_the_policy_likes_another(trust: float) -> None:
    won = 0
    for state in positions_at(CONNECT4, 7, range(8, 26, 3), 12):
        wins = wins_at_once(state)
        others = [move for move in worthy(CONNECT4, state) if move not in wins]
        if wins and others:
            choice = choose(search(CONNECT4, blind(others[0], 2.0, trust)), CONNECT4, state, 600)
            assert choice.move in wins, CONNECT4.draw(state)
            assert choice.value > 0.9
            won += 1
    assert won > 10


def test_a_move_that_is_liked_is_looked_at_more() -> None:
    state = TICTACTOE.position()
    visits = {move: {o.move: o.visits for o in search(TICTACTOE, blind(move, 2.0)).choose(
        state, worthy(TICTACTOE, state), Limits(nodes=100)).options} for move in (0, 5)}  # fmt: skip
    assert visits[0][0] > 2 * visits[5][0]
    assert visits[5][5] > 2 * visits[0][5]


@pytest.mark.parametrize("nodes", [0, 1])
def test_a_search_without_time_takes_the_largest_prior(nodes: int) -> None:
    for seed, (game, size) in enumerate([(TICTACTOE, 3), (NIM, 7), (CONNECT4, 7), (GO, 9)]):
        state = positions_at(game, size, (3,), 1)[0]
        moves = worthy(game, state)
        choice = search(game, any_judgement(seed)).choose(state, moves, Limits(nodes=nodes))
        scores = np.zeros(len(moves))
        any_judge(state, np.array(moves, np.int32), len(moves), scores, np.array([seed], np.float64))
        assert choice.nodes == nodes
        assert choice.move == moves[int(np.argmax(scores))]
        assert choice.move == max(choice.options, key=lambda option: option.prior).move


def test_priors_are_the_softmax_of_the_scores() -> None:
    state = CONNECT4.position(7)
    choice = choose(search(CONNECT4, blind(3, 1.0), sharpness=1.5), CONNECT4, state, 10)
    total = 6 + math.exp(1.5)
    for option in choice.options:
        assert option.prior == pytest.approx((math.exp(1.5) if option.move == 3 else 1.0) / total, rel=1e-6)


def test_only_the_given_moves_are_searched() -> None:
    state = CONNECT4.position(7)
    moves = worthy(CONNECT4, state)[2:5]
    choice = search(CONNECT4, any_judgement()).choose(state, moves, Limits(nodes=300))
    assert {option.move for option in choice.options} == set(moves)
    one = search(CONNECT4, any_judgement()).choose(state, moves[:1], Limits(nodes=50))
    assert (one.move, one.nodes, one.options[0].prior) == (moves[0], 50, 1.0)


def test_a_network_over_planes_searches_go() -> None:
    shape = NetworkShape(1, 16)
    weights = np.random.default_rng(3).normal(0.0, 0.1, shape.weights(len(PLANES.names))).astype(np.float32)
    judgement = Judgement("planes", PLANES.judge, numbers_of(shape, len(PLANES.names), weights), 0.5)
    for rows in (".../.X./...", ".OX../..X../OX..O/.X.O./....."):
        state = go_position(rows.replace("/", "\n"), BLACK, 0.5)
        first = choose(search(GO, judgement), GO, state, 60)
        assert without_time(choose(search(GO, judgement), GO, state, 60)) == without_time(first)


# trust ----------------------------------------------------------------------------------------------------------------


def test_full_trust_plays_no_playouts() -> None:
    """Those of this game spoil what they are part of."""
    game, state = replace(CONNECT4, playout=no_playout), CONNECT4.position(7)
    whole = choose(search(game, any_judgement(1)), game, state, 300)
    assert without_time(whole) == without_time(choose(search(CONNECT4, any_judgement(1)), CONNECT4, state, 300))
    some = search(game, any_judgement(1, 0.9)).choose(state, worthy(game, state), Limits(nodes=20))
    assert math.isnan(some.value)


def test_without_playouts_the_seed_means_nothing() -> None:
    state = CONNECT4.position(7)
    for trust, same in ((1.0, True), (0.5, False)):
        found = [without_time(choose(search(CONNECT4, any_judgement(1, trust), seed), CONNECT4, state, 300))
                 for seed in range(4)]  # fmt: skip
        assert all(choice == found[0] for choice in found) == same


# limits ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "size"), [(CONNECT4, 7), (GO, 9)])
@pytest.mark.parametrize("trust", [1.0, 0.3])
def test_the_same_number_of_nodes_gives_the_same_answer(game: Game, size: int, trust: float) -> None:
    state = positions_at(game, size, (4,), 1)[0]
    searcher = search(game, any_judgement(2, trust))
    first = choose(searcher, game, state, 300)
    choose(searcher, game, game.position(size), 100)
    assert without_time(choose(searcher, game, state, 300)) == without_time(first)
    assert without_time(choose(search(game, any_judgement(2, trust)), game, state, 300)) == without_time(first)


@pytest.mark.parametrize("nodes", [1, 2, 99, 100, 101, 777, 2500])
def test_a_limit_of_nodes_holds_unless_the_answer_cannot_change(nodes: int) -> None:
    for game, size in ((CONNECT4, 7), (GO, 9)):
        state = positions_at(game, size, (4,), 1)[0]
        choice = choose(search(game, any_judgement(2)), game, state, nodes)
        if choice.nodes < nodes:
            first, second = choice.options[:2]
            assert first.visits - second.visits > nodes - choice.nodes
        reports: list[Choice] = []
        exact = search(game, any_judgement(2)).choose(state, worthy(game, state), Limits(nodes=nodes), reports.append)
        assert exact.nodes == nodes  # who watches sees all
        assert exact.move == choice.move


@pytest.mark.parametrize("room", [1, GO.longest + 1, 1000])
def test_a_search_whose_tree_is_full_goes_on(room: int) -> None:
    state, reports = GO.position(9), list[Choice]()
    searcher = search(GO, any_judgement(4, 0.9), room=room)
    choice = searcher.choose(state, worthy(GO, state), Limits(nodes=1000), reports.append)
    assert choice.nodes == sum(option.visits for option in choice.options) == 1000
    assert_line_is_legal(GO, state, choice)


def test_another_thread_stops_a_search_without_limits() -> None:
    state, answers = CONNECT4.position(7), list[Choice]()
    searcher = search(CONNECT4, any_judgement(1))
    choose(searcher, CONNECT4, state, 10)
    thread = threading.Thread(
        target=lambda: answers.append(searcher.choose(state, worthy(CONNECT4, state), Limits())), daemon=True
    )
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    searcher.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert sum(option.visits for option in answers[0].options) >= answers[0].nodes > 100  # it went on with a tree
    assert choose(searcher, CONNECT4, state, 50).nodes > 1  # the next search is not stopped
