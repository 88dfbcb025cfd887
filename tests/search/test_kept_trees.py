"""Trees of simulations that are kept from move to move, and that several threads grow at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.searching import worthy

from gotools.game.choice import Choice, Limits
from gotools.game.game import Game
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.go import GO
from gotools.games.go.inputs.positions import PLANES
from gotools.jit import seam
from gotools.jit.kernels.seams import JUDGE
from gotools.search.knowledge import NO_ORDERING, Judgement
from gotools.search.mcts import MonteCarlo, Puct, TreeSearch
from gotools.values.network.shape import NetworkShape, numbers_of

State = NDArray[np.int32]
LONG = Limits(nodes=1500)


@seam(JUDGE)
def level(state, moves, n, scores, numbers):
    """Know nothing."""
    for i in range(n):
        scores[i] = 0.0
    return 0.0


def puct(game: Game, keep: bool | None = None, threads: int = 1) -> Puct:
    return Puct(game, Judgement("level", level, np.zeros(1), 0.0), seed=1, threads=threads, keep=keep)


def mcts(game: Game, keep: bool | None = None) -> MonteCarlo:
    return MonteCarlo(game, NO_ORDERING, seed=1, keep=keep)


def dump(tree: Any, node: int = 0) -> tuple[Any, ...]:
    """Return a node and all below it."""
    first, count = int(tree.first[node]), int(tree.children[node])
    numbers = tuple(getattr(tree, name)[node].item() for name in ("move", "visits", "wins", "amaf_visits", "prior"))
    return numbers, tuple(dump(tree, child) for child in range(first, first + count))


def kept(search: TreeSearch, game: Game, state: State, found: Choice) -> tuple[State, tuple[Any, ...]]:
    """Return the position after the two moves that are expected, and what the tree knows below it."""
    tree, node, after = search._tree, 0, state
    for move in found.line[:2]:
        children = range(int(tree.first[node]), int(tree.first[node] + tree.children[node]))
        (node,) = (child for child in children if tree.move[child] == move)
        after = game.play(after, move)
    return after, dump(tree, node)


@pytest.mark.parametrize("make", [puct, mcts])
@pytest.mark.parametrize(("game", "size"), [(CONNECT4, 7), (GO, 5)])
def test_a_search_goes_on_with_what_it_found(make: Any, game: Game, size: int) -> None:
    search = make(game, keep=True)
    state = game.position(size)
    after, wanted = kept(search, game, state, search.choose(state, worthy(game, state), LONG))
    known = wanted[0][1]
    assert known > 20
    before: list[Choice] = []
    assert search._go_on(after, worthy(game, after))
    assert dump(search._tree) == wanted  # whole, and in the same order
    search = make(game, keep=True)
    search.choose(state, worthy(game, state), LONG)
    found = search.choose(after, worthy(game, after), Limits(nodes=500), before.append)
    assert found.nodes == 500
    below = sum(child[0][1] for child in wanted[1])
    assert sum(option.visits for option in found.options) == below + 500


@pytest.mark.parametrize("make", [puct, mcts])
def test_searches_of_so_many_playouts_do_not_know_each_other(make: Any) -> None:
    state = CONNECT4.position(7)
    search = make(CONNECT4)
    after, _ = kept(search, CONNECT4, state, search.choose(state, worthy(CONNECT4, state), LONG))
    assert without_time(search.choose(after, worthy(CONNECT4, after), LONG)) == fresh(make, CONNECT4, after)


def without_time(choice: Choice) -> Choice:
    return replace(choice, reason="")


def fresh(make: Any, game: Game, state: State, moves: Sequence[int] | None = None) -> Choice:
    return without_time(make(game).choose(state, moves or worthy(game, state), LONG))


@pytest.mark.parametrize("make", [puct, mcts])
def test_nothing_is_kept_for_other_positions_komi_and_moves(make: Any) -> None:
    state = GO.position(5, 2.0)
    for change in ("far", "komi", "moves", "forget"):
        search = make(GO, keep=True)
        after, _ = kept(search, GO, state, search.choose(state, worthy(GO, state), LONG))
        moves = worthy(GO, after)
        if change == "far":
            for move in moves[:2]:
                after = GO.play(after, move)
            moves = worthy(GO, after)
        elif change == "komi":
            after[GO.komi] += 2
        elif change == "moves":
            moves = moves[1:]
        else:
            search.forget()
        assert without_time(search.choose(after, moves, LONG)) == fresh(make, GO, after, moves), change


def test_a_limit_of_time_alone_keeps_the_tree() -> None:
    search, state = puct(CONNECT4), CONNECT4.position(7)
    after, wanted = kept(search, CONNECT4, state, search.choose(state, worthy(CONNECT4, state), LONG))
    found = search.choose(after, worthy(CONNECT4, after), Limits(seconds=0.05))
    assert sum(option.visits for option in found.options) > found.nodes + wanted[0][1] // 2
    never = puct(CONNECT4, keep=False)
    never.choose(state, worthy(CONNECT4, state), LONG)
    found = never.choose(after, worthy(CONNECT4, after), Limits(seconds=0.05))
    assert sum(option.visits for option in found.options) == found.nodes


# threads --------------------------------------------------------------------------------------------------------------


def nodes_of(tree: Any, node: int = 0) -> Iterator[int]:
    yield node
    for child in range(int(tree.first[node]), int(tree.first[node] + tree.children[node])):
        yield from nodes_of(tree, child)


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize(("game", "size"), [(CONNECT4, 7), (GO, 5)])
def test_threads_lose_nothing(game: Game, size: int, threads: int) -> None:
    """Each simulation is counted once at each node of its way, and no node has two parents."""
    search, state = puct(game, threads=threads), game.position(size)
    found = search.choose(state, worthy(game, state), Limits(nodes=5_000), lambda _: None)
    tree: Any = search._tree
    assert found.nodes == 5_000 == sum(option.visits for option in found.options)
    seen = list(nodes_of(tree))
    assert len(seen) == len(set(seen)) == tree.used[0]
    assert not tree.passing[: len(seen)].any() and (tree.children[: len(seen)] >= 0).all()
    for node in seen:
        below = range(int(tree.first[node]), int(tree.first[node] + tree.children[node]))
        assert sum(int(tree.visits[child]) for child in below) <= tree.visits[node]
        assert abs(tree.wins[node]) <= tree.visits[node] + 1e-6


def test_threads_find_a_victory() -> None:
    state = CONNECT4.position(7)
    for move in (3, 0, 3, 0, 3, 1):
        state = CONNECT4.play(state, move)
    assert puct(CONNECT4, threads=3).choose(state, worthy(CONNECT4, state), Limits(nodes=2000)).move == 3


def test_one_thread_gives_the_same_answer_each_time() -> None:
    shape = NetworkShape(1, 16)
    weights = np.random.default_rng(3).normal(0.0, 0.1, shape.weights(len(PLANES.names))).astype(np.float32)
    judgement = Judgement("net", PLANES.judge, numbers_of(shape, len(PLANES.names), weights), 0.6)
    state = GO.position(9, 7.5)
    found = [without_time(Puct(GO, judgement, 1).choose(state, worthy(GO, state), Limits(nodes=300))) for _ in range(2)]
    assert found[0] == found[1]
