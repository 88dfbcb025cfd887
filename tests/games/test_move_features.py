"""Features of the moves of Abalone, Connect-4 and tic-tac-toe: against slow twins, and as clusters that order moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.records import record_of

from gotools.cli import run
from gotools.files.tables import read_table
from gotools.game.game import Game, find_game
from gotools.game.learning import MoveFeatures
from gotools.game.records.sgf import write_game
from gotools.game.traits import Starts
from gotools.games.abalone.vocabulary import VOCABULARY
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

State = NDArray[np.int32]
Cell = tuple[int, int]
GAMES = {"abalone": 120, "connect4": 60, "tictactoe": 20}
"""Most plies of a game at random."""
IN_A_ROW = {"connect4": 4, "tictactoe": 3}


def random_games(game: Game, count: int) -> Iterator[tuple[list[int], list[State]]]:
    """The moves of games at random, and the positions before them."""
    for seed in range(count):
        chance, state, moves, states = random.Random(seed), game.position(), list[int](), list[State]()
        while len(moves) < GAMES[game.name] and game.outcome(state) == ONGOING:
            states.append(state)
            moves.append(chance.choice(game.moves_of(state)))
            state = game.play(state, moves[-1])
        yield moves, states


def measured(game: Game, state: State) -> tuple[list[int], list[dict[str, int]], str]:
    """The legal moves, their features by name, and the stage."""
    features, moves = game.need(MoveFeatures), np.array(game.moves_of(state), np.int32)
    found = np.full((len(moves), len(features.names)), -1, np.int32)
    stage = features.measure(state, moves, len(moves), found)
    return (
        moves.tolist(),
        [dict(zip(features.names, row, strict=True)) for row in found.tolist()],
        features.stages[stage],
    )


@cache
def lines_through(wide: int, high: int, row: int, cell: Cell) -> list[list[Cell]]:
    """The rows of cells by which a game is won that hold a cell."""
    cells = [(x, y) for x in range(wide) for y in range(high)]
    steps = (1, 0), (0, 1), (1, 1), (1, -1)
    lines = [[(x + n * dx, y + n * dy) for n in range(row)] for x, y in cells for dx, dy in steps]
    return [line for line in lines if cell in line and set(line) <= set(cells)]


class Grid:
    """The stones of a game won by a row of stones, by column and row from the lower left: the slow twin."""

    def __init__(self, game: Game, state: State) -> None:
        rows = game.need(Starts).write(state).split("/")[::-1]
        self.wide, self.high, self.row = len(rows[0]), len(rows), IN_A_ROW[game.name]
        self.mine = "XO"[state[TO_PLAY] - 1]
        self.held = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}

    def lines(self, cell: Cell) -> list[str]:
        """What the lines through a cell hold."""
        lines = lines_through(self.wide, self.high, self.row, cell)
        return ["".join(self.held[one] for one in line) for line in lines]

    def open_lines(self, cell: Cell, sign: str, stones: int) -> int:
        """The number of lines through a cell that hold `stones` of a side and none of the other."""
        return sum(line.count(sign) == stones and line.count(".") == self.row - stones for line in self.lines(cell))

    def landing(self, column: int) -> Cell:
        return column, sum(self.held[column, y] != "." for y in range(self.high))

    def threats(self, sign: str) -> int:
        cells = [self.landing(column) for column in range(self.wide)]
        return sum(self.open_lines(cell, sign, self.row - 1) > 0 for cell in cells if cell in self.held)


def slow_connect4(grid: Grid, move: int) -> dict[str, int]:
    mine, other = grid.mine, "XO".replace(grid.mine, "")
    x, y = cell = grid.landing(move)
    found = {
        "centre_distance": abs(x - 3), "row": y, "even_row": y % 2, "open_lines": grid.open_lines(cell, mine, 0),
        "twos": grid.open_lines(cell, mine, 1), "threes": grid.open_lines(cell, mine, 2),
        "wins": int(grid.open_lines(cell, mine, 3) > 0), "other_twos": grid.open_lines(cell, other, 1),
        "other_threes": grid.open_lines(cell, other, 2), "blocks": int(grid.open_lines(cell, other, 3) > 0),
    }  # fmt: skip
    grid.held[cell] = mine
    found["wins_above"] = int(grid.open_lines((x, y + 1), mine, 3) > 0)
    found["other_wins_above"] = int(grid.open_lines((x, y + 1), other, 3) > 0)
    found |= {"threats": grid.threats(mine), "other_threats": grid.threats(other)}
    grid.held[cell] = "."
    return found


def slow_tictactoe(grid: Grid, move: int) -> dict[str, int]:
    mine, other = grid.mine, "XO".replace(grid.mine, "")
    cell = move % 3, move // 3
    return {
        "lines": len(grid.lines(cell)), "open_lines": grid.open_lines(cell, mine, 0),
        "twos": grid.open_lines(cell, mine, 1), "wins": int(grid.open_lines(cell, mine, 2) > 0),
        "other_twos": grid.open_lines(cell, other, 1), "blocks": int(grid.open_lines(cell, other, 2) > 0),
    }  # fmt: skip


@pytest.mark.parametrize(("name", "twin"), [("connect4", slow_connect4), ("tictactoe", slow_tictactoe)])
def test_lines_are_those_of_a_slow_twin(name: str, twin: Callable[[Grid, int], dict[str, int]]) -> None:
    game, limits = find_game(name), {"connect4": (12, 24), "tictactoe": (2, 5)}[name]
    for _, states in random_games(game, 8):
        for stones, state in enumerate(states):
            moves, rows, stage = measured(game, state)
            grid = Grid(game, state)
            assert rows == [twin(grid, move) for move in moves]
            assert stage == ("opening", "middle", "end")[sum(stones > limit for limit in limits)]


def test_abalone_has_columns_of_its_vocabulary() -> None:
    game = find_game("abalone")
    features, named = game.need(MoveFeatures), VOCABULARY.column_of
    most = dict(zip(features.names, features.most, strict=True))
    for _, states in random_games(game, 3):
        for state in states[::5]:
            moves, rows, stage = measured(game, state)
            columns = np.zeros((len(moves), VOCABULARY.columns), np.int32)
            assert VOCABULARY.measure(state, np.array(moves, np.int32), len(moves), columns) == list(
                VOCABULARY.stages
            ).index(stage)
            for name in features.names:
                column = named[name.removeprefix("other_")] + name.startswith("other_")
                assert [row[name] for row in rows] == np.minimum(columns[:, column], most[name]).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_clusters_of_a_game_order_its_moves(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    game, folder = find_game(name), tmp_path / "games"
    folder.mkdir()
    for number, (moves, _) in enumerate(random_games(game, 6)):
        texts = [game.move_text(move, game.sizes[0]) for move in moves]
        record = record_of(texts, game, result=("B+R", "W+R")[number % 2])
        (folder / f"{number}.sgf").write_bytes(write_game(record, game))
    clusters, table = tmp_path / "clusters.tsv", tmp_path / "orders.tsv"
    of_game = ["--game", name, "-q", str(folder)]
    assert run(["cluster-moves", *of_game, "--last", "1", "--k", "3", "-o", str(clusters)]) == 0
    order = ["--order", str(clusters), "--depth", "3", "--positions", "6", "-o", str(table)]
    assert run(["order-bench", *of_game, *order]) == 0, capfd.readouterr().err
    rows = [cells for _, cells in read_table(table, "order-bench", 2)[3]]
    values = {order: [row[5] for row in rows if row[1] == order] for order in ("history", str(clusters))}
    assert values["history"] == values[str(clusters)] and len(values["history"]) == 6 + 1
