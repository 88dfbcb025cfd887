"""Dead stones, sekis and scores: positions with a known truth, GNU Go, and what players agreed on."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.needs import SHARED, needs_gnugo, needs_shared
from support.positions import CORNER, DAME, SEKI, TWO_EYES, board_of

from gotools.game.records.record import Problem, Record
from gotools.game.records.sgf import read_games
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.games.go.board import Board
from gotools.games.go.estimate.status import (
    dead_and_seki_points,
    dead_points,
    final_score,
    final_territory_score,
    ownership,
)
from gotools.games.go.go import GO
from gotools.games.go.points import PASS, parse_vertex, vertex
from gotools.gtp_client.client import GtpEngine

FALSE_EYE = """
.OX.X..
OXXX...
.OXX...
OOX....
XXX.X..
.......
......."""

SACRIFICE_OF_FIVE = """
XOX.OX.
XOXXOX.
XOX.OX.
XOOOOX.
XXXXXX.
.......
......."""

BULKY_FIVE = """
.XXXOX.
O.XOOX.
OOOOXX.
XXXXX..
.......
.......
......."""

BENT_FOUR = """
XXX.OX.
.OOOOX.
OOXXXX.
XXX....
XX.....
XX.....
XX....."""

SETTLED = """
.XO....
XXO.O..
.XO....
XXOOOOO
..XXXXX
.......
......."""


def stones(board: Board, points: list[int]) -> str:
    """The colours and points of stones as text, in the order of the columns."""
    return " ".join(sorted(f"{vertex(p, board.side)}{'.XO'[board.colour(p)]}" for p in points))


@pytest.mark.parametrize(
    ("text", "dead", "seki", "area"),
    [
        (CORNER, "B6X", "", 21 - 27),
        (TWO_EYES, "", "", 49 - 2 * 8),
        (FALSE_EYE, "A4O A6O B4O B5O B7O", "", 49),
        (SEKI, "", "B3O B4O B5O B6O B7O C3O C4X C5X C6X C7X D3O D5X D6X E3O E4O E5O E6O E7O", 49 - 2 - 2 * 12),
        (SACRIFICE_OF_FIVE, "B4O B5O B6O B7O C4O D4O E4O E5O E6O E7O", "", 49),
        (BULKY_FIVE, "A5O A6O B5O C5O D5O D6O E6O E7O", "", 49),
        (BENT_FOUR, "A5O B5O B6O C6O D6O E6O E7O", "", 49),
        (SETTLED, "", "", 29 - 20),
        (DAME, "", "", 0),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_known_positions(text: str, dead: str, seki: str, area: int, seed: int) -> None:
    board = board_of(text)
    assert stones(board, dead_points(board, seed)) == dead
    assert stones(board, dead_and_seki_points(board, seed)[1]) == seki
    assert final_score(board, 7.5, seed) == area - 7.5


@pytest.mark.parametrize(
    ("text", "territory"),
    [
        (CORNER, 5 - (12 + 1)),  # the point of the dead stone among the twelve, and itself as a prisoner
        (TWO_EYES, (49 - 9 - 6 - 2) - 2),
        (SEKI, 6 + 7),  # below and on the right; what lies between touches both
        (DAME, 0),
    ],
)
def test_territory_of_known_positions(text: str, territory: int) -> None:
    assert final_territory_score(board_of(text), 7.5) == territory - 7.5


@pytest.mark.parametrize("text", [CORNER, FALSE_EYE, SEKI, BULKY_FIVE, SETTLED])
def test_colours_exchanged_change_the_sign_only(text: str) -> None:
    board, other = board_of(text), board_of(text.translate(str.maketrans("XO", "OX")))
    assert dead_points(board) == dead_points(other)
    assert dead_and_seki_points(board)[1] == dead_and_seki_points(other)[1]
    assert final_score(board, 0) == -final_score(other, 0)


def test_owners_of_a_settled_position() -> None:
    board = board_of(SETTLED)
    owner = ownership(board, BLACK)
    assert owner.shape == (49,) and owner.dtype == np.float64
    cells = board.cells
    assert (owner[cells == BLACK] > 0.7).all() and (owner[cells == WHITE] < -0.7).all()
    for name, sign in (("A7", 1), ("A5", 1), ("G7", -1), ("D5", -1), ("G1", 1)):
        assert owner[parse_vertex(name, 7)] * sign > 0.6
    assert np.abs(ownership(board, BLACK, games=1)).max() == 1.0


def test_who_plays_first_owns_more() -> None:
    board = Board(5)
    black, white = ownership(board, BLACK, 3), ownership(board, WHITE, 3)
    assert black.mean() > 0.05 and white.mean() < -0.05


def test_equal_seeds_give_equal_answers_and_the_board_stays() -> None:
    board = board_of(CORNER)
    board.play_point(parse_vertex("G7", 7), BLACK)
    state, number = board.state.copy(), board.hash
    first, again, other = (ownership(board, WHITE, seed, 200) for seed in (5, 5, 6))
    assert (first == again).all() and (first != other).any()
    assert final_score(board, 0.5, 5) == final_score(board, 0.5, 5)
    assert (board.state == state).all() and board.hash == number


@pytest.mark.parametrize("size", [2, 3, 9, 19])
def test_boards_without_stones(size: int) -> None:
    board = Board(size)
    assert dead_points(board) == dead_and_seki_points(board)[1] == []
    assert final_score(board, 6.5) == -6.5


# real games -----------------------------------------------------------------------------------------------------------


def finished(folder: str) -> list[tuple[Record, Board]]:
    """The games of a folder that ended by two passes and a count, with their last positions."""
    games = []
    for path in sorted((SHARED / folder).glob("*.sgf")):
        for game in read_games(path.read_bytes(), str(path), GO):
            assert not isinstance(game, Problem)
            passes = len(game.moves) > 1 and (game.moves[-2:, 1] == PASS).all()
            if passes and re.fullmatch(r"[BW]\+[\d.]+", game.result) and not game.setup:
                board = Board(game.size)
                for colour, point in game.moves.tolist():
                    board.play_point(point, colour)
                games.append((game, board))
    return games


@needs_shared
def test_scores_are_those_that_players_agreed_on() -> None:
    """Chinese rules alone: a count by territory may differ by a point, and knows prisoners."""
    games = [game for game in finished("go9-dan/valid") if game[0].rules == "Chinese" and game[0].komi]
    wanted = [(1 if game.result[0] == "B" else -1) * float(game.result[2:]) for game, _ in games]
    scores = [final_score(board, game.komi or 0.0) for game, board in games]
    assert len(games) > 20
    assert sum(a != b for a, b in zip(scores, wanted, strict=True)) <= 1
    for seed in (1, 2):  # a dispute is settled where counts with other playouts name the same winner
        others = [final_score(board, game.komi or 0.0, seed) for game, board in games]
        assert all(a * b > 0 for a, b in zip(scores, others, strict=True))


def check_against_gnugo(games: list[tuple[Record, Board]], most: int) -> None:
    """Compare dead stones; `most` games may differ, for GNU Go errs too."""
    different = []
    with GtpEngine("gnugo --mode gtp --chinese-rules") as engine:
        for game, board in games:
            for command in (f"boardsize {game.size}", "clear_board"):
                engine.ask(command)
            for colour, point in game.moves.tolist():
                engine.ask(f"play {side_letter(colour)} {vertex(point, game.size)}")
            listed = engine.ask("final_status_list dead").split()
            if sorted(parse_vertex(text, game.size) for text in listed) != dead_points(board):
                different.append(game.id)
    assert len(different) <= most, different


@needs_gnugo
@needs_shared
def test_dead_stones_of_some_games_are_gnugos() -> None:
    games = finished("go9-dan/valid")[::8]
    assert len(games) > 8
    check_against_gnugo(games, 1)


@pytest.mark.slow
@needs_gnugo
@needs_shared
@pytest.mark.parametrize(
    ("folder", "share"), [("go9-dan/train", 0.01), ("go9-dan/valid", 0.05), ("go9-bands/10k", 0.05)]
)
def test_dead_stones_are_gnugos(folder: str, share: float) -> None:
    games = finished(folder)
    assert len(games) > 80
    check_against_gnugo(games, int(len(games) * share))
