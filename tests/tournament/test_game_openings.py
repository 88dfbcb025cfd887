"""Openings of games other than Go, against counts made on plain Python's own boards."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.small_game_engine import Connect4, TicTacToe
from support.toy_game import NIM

from gotools.errors import GotoolsError
from gotools.game.game import Game, find_game
from gotools.kernels.seams import ONGOING
from gotools.tournament.game.game_openings import MOST, generated_openings, openings_of_games

CONNECT4, TICTACTOE = find_game("connect4"), find_game("tictactoe")
SIDES = (1, 2)


def texts(game: Game, opening: list[int]) -> list[str]:
    return [game.move_text(move, game.sizes[0]) for move in opening]


def columns_of(moves: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Return a Connect-4 position of legal moves as columns."""
    board = Connect4()
    for ply, move in enumerate(moves):
        board.play(move, SIDES[ply % 2])
    return tuple(map(tuple, board.columns))


def cells_of(moves: list[str]) -> frozenset[tuple[int, int, int]]:
    return frozenset(("abc".index(move[0]), int(move[1]) - 1, SIDES[ply % 2]) for ply, move in enumerate(moves))


def turns_of(cells: frozenset[tuple[int, int, int]]) -> list[tuple[tuple[int, int, int], ...]]:
    """Return the eight turns of a tic-tac-toe position."""
    found = []
    for _ in range(4):
        cells = frozenset((y, 2 - x, side) for x, y, side in cells)
        found += [tuple(sorted(cells)), tuple(sorted((2 - x, y, side) for x, y, side in cells))]
    return found


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_connect4_has_every_position_once_mirrored_ones_left_out(plies: int) -> None:
    every = {columns_of(moves) for moves in product("1234567", repeat=plies)}
    openings = generated_openings(CONNECT4, 7, plies, 1)
    found = [columns_of(tuple(texts(CONNECT4, opening))) for opening in openings]
    assert {min(one, one[::-1]) for one in found} == {min(one, one[::-1]) for one in every}
    assert len({min(one, one[::-1]) for one in found}) == len(found)
    assert len(found) == {1: 4, 2: 25, 3: 121, 4: 568}[plies]


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_tictactoe_has_every_undecided_position_once_up_to_the_symmetries_of_the_square(plies: int) -> None:
    def wins(cells: dict[str, int], side: int) -> list[str]:
        """Return the cells that complete a line of a side."""
        lines = [line.split() for line in TicTacToe.lines]
        own = [[cell for cell in line if cells.get(cell) != side] for line in lines]
        return [line[0] for line in own if len(line) == 1 and line[0] not in cells]

    every: set[tuple[tuple[int, int, int], ...]] = set()
    for moves in product(TicTacToe.moves, repeat=plies):
        if len(set(moves)) == plies:
            cells = {move: SIDES[ply % 2] for ply, move in enumerate(moves)}
            mine, theirs = SIDES[plies % 2], SIDES[(plies + 1) % 2]
            if not wins(cells, mine) and len(set(wins(cells, theirs))) < 2:
                every.add(min(turns_of(cells_of(list(moves)))))
    found = [
        min(turns_of(cells_of(texts(TICTACTOE, opening)))) for opening in generated_openings(TICTACTOE, 3, plies, 1)
    ]
    assert set(found) == every and len(found) == len(every)


def test_the_seed_gives_the_order_and_where_there_are_many_the_choice() -> None:
    first, again, other = (generated_openings(CONNECT4, 7, 4, seed) for seed in (1, 1, 2))
    assert first == again != other and sorted(first) == sorted(other)
    many, again, others = (generated_openings(CONNECT4, 7, 8, seed) for seed in (1, 1, 2))
    assert many == again and 1000 < len(many) <= MOST
    assert len({columns_of(tuple(texts(CONNECT4, opening))) for opening in many}) == len(many)
    assert {tuple(opening) for opening in many} != {tuple(opening) for opening in others}
    assert texts(CONNECT4, first[0]) == ["1", "2", "4", "6"]  # the same on all machines


@pytest.mark.parametrize("game", [CONNECT4, TICTACTOE, NIM], ids=lambda game: game.name)
def test_openings_are_legal_and_their_games_go_on(game: Game) -> None:
    for opening in generated_openings(game, game.sizes[0], 5, 3)[:300]:
        state = game.position()
        for move in opening:
            assert move in game.moves_of(state)
            state = game.play(state, move)
        assert len(opening) == 5 and game.outcome(state) == ONGOING
        assert all(game.outcome(game.play(state, move)) >= 0 for move in game.moves_of(state))  # nobody wins at once


def test_a_short_game_has_shorter_openings_than_wanted() -> None:
    """Nine moves fill the board of tic-tac-toe."""
    openings = generated_openings(TICTACTOE, 3, 50, 0)
    assert openings and {len(opening) for opening in openings} == {8}


# of records -----------------------------------------------------------------------------------------------------------


def record(*moves: str, root: str = "GM[1001]SZ[7]", first: int = 0) -> str:
    nodes = (f";{'BW'[(first + ply) % 2]}[{move}]" for ply, move in enumerate(moves))
    return f"(;{root}{''.join(nodes)})"


def test_the_first_moves_of_records(tmp_path: Path) -> None:
    games = [
        record("4", "4", "3", "1"),
        record("4", "4", "5", "7"),  # the mirror image of the first three moves
        record("3", "4", "4"),  # the same position in another order, but for whose turn it was: another one
        record("4", "4", "2", root="GM[1001]"),
        record("4", "4"),
        record("4", "8", "1"),
        record("4", "4", "1", first=1),
        record("4", "4", "1", root="GM[1001]SZ[8]"),
        record("4", "4", "1", root="SZ[7]"),
        record("4", "4", "1", root="GM[1001]AB[4]"),
        "(;GM[1001];B[4];W[",
    ]
    (tmp_path / "games.sgf").write_text("\n".join(games))
    said: list[str] = []
    openings = openings_of_games([tmp_path], CONNECT4, 7, 3, said.append)
    assert [" ".join(texts(CONNECT4, opening)) for opening in openings] == ["4 4 3", "3 4 4", "4 4 2"]
    path = tmp_path / "games.sgf"
    assert said[0] == f"{path}:9: GM[1] is not the game of connect4, GM[1001]"
    assert said[1] == f"{path}:10: set-up stones, which only records of Go may have"
    assert said[2].startswith(f"{path}:11: the game is cut short")
    assert said[3] == (
        "3 openings from 8 games; left out: 2 with an illegal move, 1 the same opening again, 1 too short, 1 of size 8"
    )


def test_a_finished_game_and_no_game_are_no_openings(tmp_path: Path) -> None:
    path = tmp_path / "won.sgf"
    path.write_text(record(*"1212121"))
    with pytest.raises(GotoolsError, match=r"no opening of 7 moves of connect4 in .*: 1 games read; left out: 1 over"):
        openings_of_games([path], CONNECT4, 7, 7)
    path.write_text(record("E5", "C3", root="GM[1]"))
    with pytest.raises(GotoolsError, match=r"0 games read$"):
        openings_of_games([path], CONNECT4, 7, 1)
