"""Exact results of Connect-4 against published scores and plain minimax, and the player that plays by them."""

from __future__ import annotations

import random

import pytest
from support.connect4_scores import position_of, score_of, scored_positions
from support.minimax import result
from support.needs import needs_shared

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.history import History
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.connect4.kernels.rules import STONES
from gotools.search.endings import Endings

WON = "4444455266"
"""The side to play wins in 27 plies at best."""
DRAWN, LOST = "441365675334466335442232661515577771217122", "733651575511722656534266327317322716144444"
"""Games to the full board, the second won by its last stone."""


@needs_shared
@pytest.mark.parametrize(("name", "positions"), [("test_l3_r1", 300), ("test_l2_r1", 60), ("test_l1_r1", 10)])
def test_the_scores_are_those_published(name: str, positions: int) -> None:
    endings = Endings(CONNECT4)
    for columns, score in scored_positions(name)[:positions]:
        state = position_of(columns)
        decision = endings.decide(state, CONNECT4.moves_of(state), Limits())
        choice = decision.choice
        if score == 0:
            assert decision.why == "a draw, solved" or (choice and choice.value == 0.0), columns
        else:
            assert choice and score_of(choice.value) == score, columns
            end = position_of(columns + "".join(str(move + 1) for move in choice.line))
            assert score_of(CONNECT4.outcome(end)) == (score if len(choice.line) % 2 == 0 else -score)


def test_a_player_keeps_the_best_result_and_of_a_draw_searches_the_moves_that_keep_it() -> None:
    player, known, seen, searched = new_player("connect4"), dict[bytes, int](), set[str](), False
    for line in (DRAWN, LOST):
        for plies in range(28, len(line)):
            state = position_of(line[:plies])
            choice = player.choose(History(CONNECT4, 7, (state,)), Limits(nodes=100_000))
            best = result(CONNECT4, state, known)
            assert -result(CONNECT4, CONNECT4.play(state, choice.move), known) == best
            assert choice.reason == "the only move" or (choice.value > 0) - (choice.value < 0) == best
            seen.add(choice.reason[:8])
            searched |= choice.reason.startswith("a draw, solved; searched")
    assert {"a loss i", "a draw, ", "a victor"} <= seen and searched


def test_a_victory_is_announced_and_played_against_every_defence() -> None:
    rng = random.Random(3)
    player = new_player("connect4", evaluation="none")
    state, best = position_of(WON), 27
    while CONNECT4.moves_of(state):
        choice = player.choose(History(CONNECT4, 7, (state,)), Limits(nodes=10_000_000))
        assert choice.value > 0.5 and len(choice.line) <= best
        best = len(choice.line) - 2
        state = CONNECT4.play(state, choice.move)
        if CONNECT4.moves_of(state):
            state = CONNECT4.play(state, rng.choice(CONNECT4.moves_of(state)))
    assert CONNECT4.outcome(state) < 0


@pytest.mark.parametrize("nodes", [1, 50, 5_000])
def test_what_is_not_solved_within_half_of_the_limit_is_searched(nodes: int) -> None:
    player = new_player("connect4", evaluation="none")
    history = History(CONNECT4, 7, (position_of("4"),))
    first = player.choose(history, Limits(nodes=nodes))
    player.forget()
    second = player.choose(history, Limits(nodes=nodes))
    assert (first.move, first.value, first.nodes) == (second.move, second.value, second.nodes)
    assert first.nodes <= nodes and "solved" not in first.reason


def test_a_player_keeps_to_openings_that_lead_to_what_they_promise() -> None:
    rng, endings, player = random.Random(4), Endings(CONNECT4), new_player("connect4", evaluation="none")
    for first in ("", "1", "2", "3"):
        state = position_of(first)
        while True:
            choice = player.choose(History(CONNECT4, 7, (state,)), Limits(nodes=1))
            after = CONNECT4.play(state, choice.move)
            if not CONNECT4.moves_of(after) or state[STONES] >= 8:
                break
            assert choice.reason.endswith("by the openings that were solved before")
            state = CONNECT4.play(after, rng.choice(CONNECT4.moves_of(after)))
        found = endings.result(after, CONNECT4.moves_of(after), Limits())
        assert found and found[0] == (-1 if choice.value > 0 else 0)
