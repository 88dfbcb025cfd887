"""Whole games of the player of Go against itself: by the rules, to a good end, and scored as GNU Go scores them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from go.test_go_game import is_slow_eye
from support.asking import ask
from support.needs import needs_gnugo
from support.slow import SlowGo

from gotools.engines.player import Player
from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.sides import BLACK
from gotools.games.go.board import Board
from gotools.games.go.estimate.status import final_score
from gotools.games.go.points import PASS, vertex
from gotools.gtp_client.client import GtpEngine


@pytest.fixture(params=("mcts", "alphabeta"))
def player(request: pytest.FixtureRequest) -> Player:
    return new_player(search=request.param)


def play_game(player: Player, size: int, komi: float, limits: Limits) -> Board:
    """Let a player play both sides, every move checked against sets of stones; returns the end."""
    board, twin, colour, passes = Board(size), SlowGo(size), BLACK, 0
    seen = {tuple(twin.cells())}
    for _ in range(4 * size * size):
        point = ask(player, board, colour, komi, limits).move
        board.play_point(point, colour)
        passes = passes + 1 if point == PASS else 0
        if passes == 2:
            return board
        if point == PASS:
            twin.pass_turn()
        else:
            at = (point % size, point // size)
            assert not is_slow_eye(twin, at, colour)
            assert twin.play(at, colour) == ""
            assert tuple(twin.cells()) not in seen, f"{vertex(point, size)} repeats a position"
            seen.add(tuple(twin.cells()))
        colour = 3 - colour
    raise AssertionError(f"no end of the game:\n{board}")


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("komi", [0.5, 3.0, 9.5])
def test_whole_games_without_an_illegal_move_or_a_filled_eye(player: Player, size: int, komi: float) -> None:
    play_game(player, size, komi, Limits(nodes=60))


def test_a_whole_game_on_9x9(player: Player) -> None:
    play_game(player, 9, 7.5, Limits(nodes=30))


def check_scores(player: Player, size: int, komis: Sequence[float], nodes: int) -> None:
    """Let a player play itself; GNU Go scores the ends as we do, a neutral point apart, which it gives to a side.

    One of many may differ. Komi is for the player alone: GNU Go's score keeps the komi that a position had at first.
    """
    ends = [play_game(player, size, komi, Limits(nodes=nodes)) for komi in komis]
    different = []
    with GtpEngine("gnugo --mode gtp --chinese-rules") as engine:
        for komi, end in zip(komis, ends, strict=True):
            for command in (f"boardsize {size}", "clear_board", "komi 0"):
                engine.ask(command)
            for colour, (y, x) in end.list_occupied_points():
                engine.ask(f"play {colour} {vertex(y * size + x, size)}")
            found = engine.ask("final_score")
            score = float(found[2:] or 0) * (1 if found[0] == "B" else -1)
            if abs(score - final_score(end, 0.0)) > 1:
                different.append(f"komi {komi}: GNU Go {found}\n{end}")
    assert len(different) <= (len(komis) > 3), "\n".join(different)


@needs_gnugo
@pytest.mark.system
def test_some_ends_have_gnugos_score(player: Player) -> None:
    check_scores(player, 7, (8.5, 9.5), nodes=100)


@pytest.mark.slow
@needs_gnugo
@pytest.mark.parametrize("size", [9, 13])
def test_ends_have_gnugos_score(player: Player, size: int) -> None:
    check_scores(player, size, [0.5, 3.5, 6.5, 9.5, 15.5] if size == 9 else [7.5], nodes=200)
