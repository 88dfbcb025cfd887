"""The player of shogi looks for a mate before it searches."""

from __future__ import annotations

import random

import pytest
from support import plain_shogi
from support.needs import ROOT

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.games.shogi.board import read_sfen

SHOGI = find_game("shogi")
MATES = [line for line in (ROOT / "examples/shogi/mates.sfen").read_text().splitlines() if line[0] != "#"]
LONGEST = 15
"""The proof may find a longer mate than the shortest, which is in 3 to 9 plies."""
QUIET = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"


@pytest.mark.parametrize("sfen", MATES[::5])
def test_a_mate_is_played_to_its_end(sfen: str) -> None:
    player = new_player("shogi", search="alphabeta", evaluation="none")
    history = History.start(SHOGI, 9, first=read_sfen(sfen))
    attacker, position = history.to_play, plain_shogi.read(sfen)
    rng = random.Random(5)
    for ply in range(LONGEST):
        move = rng.choice(history.legal_moves())
        if ply % 2 == 0:
            choice = player.choose(history, Limits(nodes=2_000_000))
            move = choice.move
            assert choice.value == 1.0 and choice.reason.startswith(("mate in", "the only move"))
        position = plain_shogi.after(position, history.text(move))
        assert ply % 2 or plain_shogi.in_check(position, 3 - attacker)
        history = history.after(history.to_play, move)
        if not list(plain_shogi.legal(position)):
            return
    pytest.fail("no mate")


def test_the_proof_is_a_part_of_the_limit_and_changes_nothing_where_it_finds_no_mate() -> None:
    player = new_player("shogi", search="alphabeta", evaluation="none")
    history = History.start(SHOGI, 9, first=read_sfen(QUIET))
    choice = player.choose(history, Limits(nodes=2_000))
    assert choice.nodes <= 2_000 and "mate" not in choice.reason
    shallow = player.choose(history, Limits(depth=2))
    assert shallow.depth == 2


def test_a_player_that_was_stopped_answers_at_once_with_a_legal_move() -> None:
    player = new_player("shogi", search="alphabeta", evaluation="none")
    history = History.start(SHOGI, 9, first=read_sfen(MATES[-1]))
    for seconds in (0.0, 0.001):
        assert player.choose(history, Limits(seconds=seconds)).move in history.legal_moves()


def test_a_stop_that_comes_too_late_does_not_hide_the_next_mate() -> None:
    player = new_player("shogi", search="alphabeta", evaluation="none")
    history = History.start(SHOGI, 9, first=read_sfen(MATES[0]))
    player.stop()
    assert player.choose(history, Limits(nodes=100_000)).value == 1.0
