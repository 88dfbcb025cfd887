"""Openings: how many there are by Burnside's lemma and on plain Python's own boards; what is taken from records."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nim_game import NIM
from support.needs import ROOT
from support.small_game_engine import Connect4, TicTacToe

from gotools import cli
from gotools.base.errors import FileFormatError, GotoolsError
from gotools.game.game import Game, find_game
from gotools.game.records.record import Record
from gotools.game.records.sgf import write_game
from gotools.games.go.points import PASS, parse_vertex
from gotools.games.go.rule_sets import rule_set
from gotools.jit.kernels.seams import ONGOING
from gotools.matches.config import load_config
from gotools.matches.game.openings import MOST, generated_openings, openings_of_games
from gotools.matches.schedule import digest_of, find_openings

GO, CONNECT4, TICTACTOE = find_game("go"), find_game("connect4"), find_game("tictactoe")
CHINESE = rule_set("chinese")
SIDES = (1, 2)
Point = tuple[int, int]
SYMMETRIES: tuple[Callable[[int, int, int], Point], ...] = (
    lambda x, y, m: (x, y), lambda x, y, m: (m - x, y), lambda x, y, m: (x, m - y), lambda x, y, m: (m - x, m - y),
    lambda x, y, m: (y, x), lambda x, y, m: (m - y, x), lambda x, y, m: (y, m - x), lambda x, y, m: (m - y, m - x),
)  # fmt: skip
"""The symmetries of a square of side m, by coordinates: nothing of the package is used."""


def text(game: Game, opening: list[int], size: int) -> str:
    return " ".join(game.move_text(game.move_at(place, size), size) for place in opening)


# generated, of Go -----------------------------------------------------------------------------------------------------


def turned(points: list[int], size: int) -> list[tuple[int, ...]]:
    """A list of points in its eight turns."""
    return [
        tuple(v * size + u for u, v in (turn(point % size, point // size, size - 1) for point in points))
        for turn in SYMMETRIES
    ]


def sensible(size: int) -> set[Point]:
    """The points of openings, as the documentation names them."""
    points = {(x, y) for x in range(size) for y in range(size)}
    if size < 5:
        return points
    if size < 8:
        return {(x, y) for x, y in points if 0 < x < size - 1 and 0 < y < size - 1}
    if size < 13:
        return {(x, y) for x, y in points if 2 <= x < size - 2 and 2 <= y < size - 2}
    corner = {*range(2, 5), *range(size - 5, size - 2)}
    return {(x, y) for x, y in points if x in corner and y in corner}


@pytest.mark.parametrize("size", range(2, 20))
def test_as_many_as_burnside_counts(size: int) -> None:
    points = sensible(size)
    fixed = [sum(turn(x, y, size - 1) == (x, y) for x, y in points) for turn in SYMMETRIES]
    orbits, rest = divmod(sum(count * (count - 1) for count in fixed), 8)
    assert rest == 0
    openings = generated_openings(GO, size, 4, 1)
    assert len(openings) == orbits
    used = {(point % size, point // size) for opening in openings for both in turned(opening, size) for point in both}
    assert used == points
    assert len({min(turned(opening, size)) for opening in openings}) == orbits  # no two are turns of each other
    assert all(len(opening) == 2 and opening[0] != opening[1] for opening in openings)


@pytest.mark.parametrize(("size", "count"), [(2, 2), (3, 12), (5, 12), (7, 85), (9, 85), (13, 165), (19, 165)])
def test_the_numbers_that_users_see(size: int, count: int) -> None:
    assert len(generated_openings(GO, size, 4, 0)) == count


def test_the_smallest_board_by_hand() -> None:
    """On 2x2 the second stone is beside the first, or across."""
    across = [set(opening) in ({0, 3}, {1, 2}) for opening in generated_openings(GO, 2, 4, 5)]
    assert sorted(across) == [False, True]


def test_the_seed_gives_the_order_the_same_everywhere() -> None:
    first, again, other = (generated_openings(GO, 9, 4, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert sorted(first) == sorted(other)
    assert text(GO, [point for opening in first[:3] for point in opening], 9) == "C3 E5 E5 E4 D3 G3"


# generated, of other games --------------------------------------------------------------------------------------------


def columns_of(moves: str) -> tuple[tuple[int, ...], ...]:
    """Return a Connect-4 position of legal moves as columns."""
    board = Connect4()
    for ply, move in enumerate(moves.split()):
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
    every = {columns_of(" ".join(moves)) for moves in product("1234567", repeat=plies)}
    openings = generated_openings(CONNECT4, 7, plies, 1)
    found = [columns_of(text(CONNECT4, opening, 7)) for opening in openings]
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
        min(turns_of(cells_of(text(TICTACTOE, opening, 3).split())))
        for opening in generated_openings(TICTACTOE, 3, plies, 1)
    ]
    assert set(found) == every and len(found) == len(every)


def test_the_seed_gives_the_order_and_where_there_are_many_the_choice() -> None:
    first, again, other = (generated_openings(CONNECT4, 7, 4, seed) for seed in (1, 1, 2))
    assert first == again != other and sorted(first) == sorted(other)
    many, again, others = (generated_openings(CONNECT4, 7, 8, seed) for seed in (1, 1, 2))
    assert many == again and 1000 < len(many) <= MOST
    assert len({columns_of(text(CONNECT4, opening, 7)) for opening in many}) == len(many)
    assert {tuple(opening) for opening in many} != {tuple(opening) for opening in others}
    assert text(CONNECT4, first[0], 7) == "1 2 4 6"  # the same on all machines


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


# of records of Go -----------------------------------------------------------------------------------------------------


def sgf(moves: str, size: int = 9, root: str = "", first: str = "B") -> str:
    """A game from a text such as "E5 C3 pass", colours in turn."""
    colours = (first, "BW".replace(first, ""))
    nodes = []
    for ply, word in enumerate(moves.split()):
        point = parse_vertex(word, size)
        place = (
            ""
            if point == PASS
            else "abcdefghijklmnopqrs"[point % size] + "abcdefghijklmnopqrs"[size - 1 - point // size]
        )
        nodes.append(f";{colours[ply % 2]}[{place}]")
    return f"(;GM[1]FF[4]SZ[{size}]{root}{''.join(nodes)})"


def test_first_moves_in_the_order_of_the_games(tmp_path: Path) -> None:
    (tmp_path / "b.sgf").write_text(sgf("E5 C3 G7") + sgf("C4 E5 A1"))
    (tmp_path / "a.sgf").write_text(sgf("D4 F6 C3"))
    said: list[str] = []
    openings = openings_of_games([tmp_path / "b.sgf", str(tmp_path)], GO, 9, 2, said.append, CHINESE)
    assert [text(GO, opening, 9) for opening in openings] == ["E5 C3", "C4 E5", "D4 F6"]
    assert said == []


def test_an_opening_comes_once_in_all_its_turns_and_orders_of_moves(tmp_path: Path) -> None:
    rng = random.Random(4)
    path, games = tmp_path / "games.sgf", []
    kept = [[40, 20, 24, 60], [40, 20, 24, 61], [20, 40, 24, 60]]
    for opening in kept:
        games += [sgf(text(GO, list(points), 9)) for points in turned(opening, 9)]
        games.append(sgf(text(GO, [opening[i] for i in (2, 1, 0, 3)], 9)))
    games.sort(key=lambda _: rng.random())
    path.write_text("\n".join(games))
    said: list[str] = []
    openings = openings_of_games([path], GO, 9, 4, said.append, CHINESE)
    keys = [{min(turned([o[i] for i in order], 9)) for order in ((0, 1, 2, 3), (2, 1, 0, 3))} for o in openings]
    assert len(openings) == len(kept) and len({frozenset(key) for key in keys}) == len(kept)
    assert said == ["3 openings from 27 games; left out: 24 the same opening again"]


def test_what_is_no_opening_is_left_out_and_counted(tmp_path: Path) -> None:
    games = [
        sgf("E5 C3 G7"),
        sgf("E5 C3"),
        sgf("E5 pass G7"),
        sgf("pass pass"),
        sgf("E5 C3 G7", 13),
        sgf("E5 C3 G7", 13),
        sgf("E5 C3 D4", first="W"),
        sgf("E5 C3 D4", root="AB[aa]"),
        sgf("E5 C3 E5"),
        "(;SZ[9];B[ee];B[cc];W[gg])",
        "(;SZ[9];B[ee];W[cc];AB[aa];B[gg])",
        "(;SZ[9];B[ee];W[cd];B[gg];AB[aa])",  # stones put later do not matter
    ]
    (tmp_path / "games.sgf").write_text("".join(games))
    (tmp_path / "broken.sgf").write_text("(;SZ[9];B[ee]")
    said: list[str] = []
    openings = openings_of_games([tmp_path], GO, 9, 3, said.append, CHINESE)
    assert [text(GO, opening, 9) for opening in openings] == ["E5 C3 G7", "E5 C6 G3"]
    assert len(said) == 2 and said[0].startswith(f"{tmp_path / 'broken.sgf'}:") and "cut short" in said[0]
    counts, _, reasons = said[1].partition("; left out: ")
    assert counts == "2 openings from 12 games"
    assert sorted(reasons.split(", ")) == sorted(
        [
            "2 too short",
            "1 with a pass",
            "2 of size 13",
            "2 in which the players do not alternate from black on",
            "2 with set-up stones",
            "1 with an illegal move",
        ]
    )


def test_where_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(sgf("E5 C3", 13) + sgf("E5 C3", 13) + sgf("E5"))
    with pytest.raises(
        GotoolsError, match=r"2 moves of go, size 9, in .*games.sgf: 3 games read; left out: 2 of size 13, 1 too"
    ):
        openings_of_games([path], GO, 9, 2, rules=CHINESE)
    path.write_text("")
    with pytest.raises(GotoolsError, match=r"0 games read$"):
        openings_of_games([path], GO, 9, 2, rules=CHINESE)
    with pytest.raises(FileFormatError, match="no such file"):
        openings_of_games([tmp_path / "none.sgf"], GO, 9, 2, rules=CHINESE)


def test_openings_of_the_example_games() -> None:
    """The records begin with stones put by hand, so nothing can be taken from them; reported, not silently."""
    with pytest.raises(GotoolsError, match="64 with set-up stones"):
        openings_of_games([ROOT / "examples/games"], GO, 9, 4, rules=CHINESE)


# of records of other games --------------------------------------------------------------------------------------------


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
    assert [text(CONNECT4, opening, 7) for opening in openings] == ["4 4 3", "3 4 4", "4 4 2"]
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
    with pytest.raises(
        GotoolsError, match=r"no opening of 7 moves of connect4, size 7, in .*: 1 games read; left out: 1 over"
    ):
        openings_of_games([path], CONNECT4, 7, 7)
    path.write_text(record("E5", "C3", root="GM[1]"))
    with pytest.raises(GotoolsError, match=r"0 games read$"):
        openings_of_games([path], CONNECT4, 7, 1)


# in a tournament ------------------------------------------------------------------------------------------------------


def plan(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return the openings of a tournament's plan."""
    engines = ("--engine", "a=x", "--engine", "b=y")
    assert cli.run(["tournament", *engines, "--games", "4", "--dry-run", "-q", *words]) == 0
    return [line.split("\t")[4] for line in capsys.readouterr().out.splitlines()[1:]]


@pytest.mark.parametrize(
    ("name", "size", "first", "second"),
    [
        ("go", 9, "E5 C3 G7", "E5 C3 G3"),
        ("connect4", 7, "4 4 3", "4 4 2"),
        ("tictactoe", 3, "b2 a1 c3", "b2 a2 c3"),
        ("abalone", 9, "A1B2 I9H8 B2C3", "A1B2 I9H8 A2B3"),
        ("shogi", 9, "7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f"),
    ],
)
@pytest.mark.parametrize("suffix", [".sgf", ".jsonl"])
def test_records_of_any_game_are_openings(
    name: str, size: int, first: str, second: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As SGF and as lines of JSON; the moves of a second game of each start are the same again."""
    game, path = find_game(name), tmp_path / f"games{suffix}"
    written = []
    for words in (first.split(), second.split(), first.split()):
        if suffix == ".jsonl":
            written.append(json.dumps({"game": name, "size": size, "moves": words}).encode() + b"\n")
        else:
            places = [game.place_of(game.parse_move(word, size), size) for word in words]
            moves = np.array([(1 + ply % 2, place) for ply, place in enumerate(places)], np.int32)
            written.append(write_game(Record("x", size, moves), game, {}))
    path.write_bytes(b"".join(written))
    words = [] if name == "go" else ["--game", name]
    assert plan(capsys, *words, "--openings", str(path), "--opening-moves", "3") == [first] * 2 + [second] * 2


@pytest.mark.parametrize(
    ("settings", "digest"),
    [
        ({}, "1470a2167cda"),
        ({"size": 19, "seed": 3}, "29f3647c7755"),
        ({"handicap": 4}, "e3b0c44298fc"),
        ({"game": "connect4", "opening_moves": 3, "seed": 2}, "960f7ae6ff98"),
        ({"game": "abalone:belgian-daisy", "opening_moves": 3}, "96a770ffd6cf"),
    ],
)
def test_generated_openings_are_those_of_version_0_2(settings: dict[str, Any], digest: str) -> None:
    """So a run that it began is resumed: the journal holds the digest."""
    config = load_config(None, {"engine": ["a=x", "b=y"], **settings})
    assert digest_of(find_openings(config, pytest.fail)) == digest


@pytest.mark.parametrize(
    ("moves", "size", "legal_by"),
    [
        ("B1 A1 B2 E5 A3 A2", 5, ("tromp-taylor", "new-zealand")),  # the last one takes two stones of one's own
        ("A2 C3 B1 A1", 3, ("new-zealand",)),  # and one, after which the position is that of before
    ],
)
def test_moves_of_records_are_legal_by_the_rules_of_the_tournament(
    moves: str, size: int, legal_by: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(sgf(moves, size))
    for rules in ("chinese", "tromp-taylor", "new-zealand"):
        given = {"size": size, "rules": rules, "openings": str(path), "opening_moves": len(moves.split())}
        config = load_config(None, {"engine": ["a=x", "b=y"], **given})
        if rules in legal_by:
            assert len(find_openings(config, pytest.fail)) == 1
        else:
            with pytest.raises(GotoolsError, match="1 games read; left out: 1 with an illegal move"):
                find_openings(config, pytest.fail)
