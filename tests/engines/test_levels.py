"""Players that are as strong as people of a rank: moves drawn from the policy of a network."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from support.asking import ask

from gotools.base.errors import GotoolsError
from gotools.engines.knowledge import find_evaluator
from gotools.engines.players import new_player
from gotools.game.choice import Choice, Limits, Option
from gotools.game.game import find_game
from gotools.game.levels import Level, Levels
from gotools.game.sides import BLACK
from gotools.games.go.board import Board
from gotools.search.drawn import Drawn

GO = find_game("go")
KNOWN = list(GO.need(Levels).by_name)


def opening(level: str, seed: int) -> int:
    return ask(new_player(seed=seed, level=level), Board(9), BLACK, 7.0, Limits()).move


class Fixed:
    """A search that always finds the same."""

    def __init__(self, visits: list[int], priors: list[float]) -> None:
        options = tuple(Option(i, 0.0, n, p, (i,)) for i, (n, p) in enumerate(zip(visits, priors, strict=True)))
        self.found, self.limits = Choice(0, 0.0, (0,), sum(visits), 1, "", options), Limits()

    def choose(self, state: object, moves: object, limits: Limits, report: object = None) -> Choice:
        self.limits = limits
        return self.found

    def stop(self) -> None: ...

    def forget(self) -> None: ...


def test_the_ranks_of_people_are_levels_in_their_order() -> None:
    ranks = [*(f"{rank}k" for rank in range(20, 0, -1)), "1d", "2d", "3d"]
    assert ranks == KNOWN
    levels = list(GO.need(Levels).by_name.values())
    assert all(a.strength < b.strength for a, b in pairwise(levels))


def test_a_seed_draws_a_move_and_others_draw_others() -> None:
    moves = [opening("20k", seed) for seed in range(12)]
    assert moves == [opening("20k", seed) for seed in range(12)] and len(set(moves)) > 1


def test_without_playouts_moves_are_drawn_as_the_policy_of_that_rank_expects_them() -> None:
    state = GO.position(5, 7.0)
    moves = np.array(GO.worthy_moves_of(state), np.int32)
    policy = np.exp(find_evaluator("default", "go").of_strength(-2.0).policy(state, moves))
    search = Fixed([0] * len(moves), (policy / policy.sum()).tolist())
    _, odds = Drawn(search, GO, Level(-2.0, 1.0, 0), 0).looked(state, moves.tolist(), Limits())
    assert np.allclose(odds, policy / policy.sum())


def test_a_low_temperature_leaves_the_likeliest_move_and_a_level_limits_the_playouts() -> None:
    search, state = Fixed([6, 3, 0], [0.2, 0.5, 0.3]), GO.position(5, 7.0)
    odds = Drawn(search, GO, Level(0.0, 1.0, 9), 0).looked(state, [0, 1, 2], Limits())[1]
    assert np.allclose(odds, np.array([6.2, 3.5, 0.3]) / 10) and search.limits.nodes == 9
    drawn = Drawn(search, GO, Level(0.0, 0.01, 9), 0)
    assert {drawn.choose(GO.play(state, move), [0, 1, 2], Limits(nodes=4)).move for move in (8, 9, 15)} == {0}
    assert search.limits.nodes == 4


@pytest.mark.parametrize(
    ("playouts", "how"), [(0, "by the policy alone"), (1, "after 1 playout"), (9, "after 9 playouts")]
)
def test_a_level_says_that_its_move_was_drawn(playouts: int, how: str) -> None:
    state = GO.position(5, 7.0)
    found = Drawn(Fixed([playouts, 0], [1.0, 0.0]), GO, Level(0.0, 1.0, 9), 0).choose(state, [0, 1], Limits())
    assert found.reason == f"drawn at random {how}, with a probability of 100.0 %"


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("go", {"level": "9p"}, "level 9p is not known; there are 20k, 19k, "),
        ("go", {"level": "5k", "search": "alphabeta"}, "--level needs Monte-Carlo with a network"),
        ("go", {"level": "5k", "evaluation": "none"}, "--level needs Monte-Carlo with a network"),
        ("shogi", {"level": "5k"}, "--level is for go, not for shogi"),
    ],
)
def test_a_level_that_there_is_not_is_refused_in_one_line(game: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(GotoolsError) as error:
        new_player(game, **options)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)
