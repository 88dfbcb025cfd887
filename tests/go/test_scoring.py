"""Area and territory with given dead stones: flood fills on sets, sgfmill, GNU Go, and what holds for every game."""

from __future__ import annotations

import random
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import boards
from support.needs import ROOT, needs_gnugo
from support.positions import CORNER, board_of

from gotools.game.records.record import Problem, Record
from gotools.game.records.sgf import read_games
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.games.go.board import Board
from gotools.games.go.estimate.scoring import area_score, territory_score, whole_chains
from gotools.games.go.go import GO
from gotools.games.go.points import PASS, parse_vertex
from gotools.gtp_client.client import GtpEngine

# the twin: sets of points ---------------------------------------------------------------------------------------------


def regions(size: int, points: set[int]) -> list[tuple[set[int], set[int]]]:
    """The connected parts of a set of points, each with its neighbours outside."""
    waiting, found = set(points), []
    while waiting:
        inside, border, front = set[int](), set[int](), [waiting.pop()]
        while front:
            point = front.pop()
            inside.add(point)
            y, x = divmod(point, size)
            near = {(v, u) for v, u in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)) if size > v >= 0 <= u < size}
            for other in {v * size + u for v, u in near} - inside:
                (front.append if other in points else border.add)(other)
        waiting -= inside
        found.append((inside, border))
    return found


def slow_scores(board: Board, dead: Collection[int], captures: tuple[int, int]) -> tuple[int, int]:
    """Area and territory without komi."""
    colours = {point: board.colour(point) for point in range(board.side**2)}
    lost = {colour: sum(colours[point] == colour for point in dead) for colour in (BLACK, WHITE)}
    colours |= dict.fromkeys(dead, 0)
    empty = {point for point, colour in colours.items() if colour == 0}
    owned = {BLACK: 0, WHITE: 0}
    for inside, border in regions(board.side, empty):
        touching = {colours[point] for point in border}
        if len(touching) == 1:
            owned[touching.pop()] += len(inside)
    stones = {colour: sum(value == colour for value in colours.values()) for colour in (BLACK, WHITE)}
    area = owned[BLACK] + stones[BLACK] - owned[WHITE] - stones[WHITE]
    territory = owned[BLACK] + captures[0] + lost[WHITE] - owned[WHITE] - captures[1] - lost[BLACK]
    return area, territory


def random_game(size: int, moves: int, seed: int) -> tuple[Board, tuple[int, int], tuple[int, int]]:
    """A position after random moves and passes, what each side captured, and how many stones each side has put."""
    rng, board = random.Random(seed), Board(size)
    captured, put = [0, 0], [0, 0]
    for ply in range(moves):
        colour = 1 + ply % 2
        before = (board.cells == 3 - colour).sum()
        legal = board.legal_points(colour)
        point = rng.choice(legal) if legal and rng.random() > 0.03 else PASS
        board.play_point(point, colour)
        captured[colour - 1] += int(before - (board.cells == 3 - colour).sum())
        put[colour - 1] += point != PASS
    return board, (captured[0], captured[1]), (put[0], put[1])


games = st.builds(random_game, st.integers(2, 9), st.integers(0, 150), st.integers(0, 10**6))


@settings(max_examples=60)
@given(games, st.integers(0, 10**6), st.sampled_from([0.0, 0.5, -3.0, 7.5]))
def test_both_scores_agree_with_flood_fills_on_sets(
    game: tuple[Board, tuple[int, int], tuple[int, int]], seed: int, komi: float
) -> None:
    board, captures, put = game
    stones = [point for point in range(board.side**2) if board.colour(point)]
    chosen = random.Random(seed).sample(stones, min(len(stones), seed % 4))
    dead = whole_chains(board, chosen)
    area, territory = slow_scores(board, dead, captures)
    assert area_score(board, dead, komi) == area - komi
    assert territory_score(board, dead, captures, komi) == territory - komi
    assert area - territory == put[0] - put[1]  # what decides between the rule sets is who put more stones
    alive = boards.Board(board.side)
    assert alive.apply_setup(*sgfmill_stones(board, dead), [])
    assert area_score(board, set(dead), 0) == alive.area_score()


def sgfmill_stones(board: Board, dead: Collection[int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    points = [point for point in range(board.side**2) if point not in dead]
    black, white = ([divmod(p, board.side) for p in points if board.colour(p) == colour] for colour in (BLACK, WHITE))
    return black, white


@given(games)
def test_chains_are_completed_as_sets_of_connected_stones(game: tuple[Board, object, object]) -> None:
    board = game[0]
    for colour in (BLACK, WHITE):
        points = {point for point in range(board.side**2) if board.colour(point) == colour}
        for inside, _ in regions(board.side, points):
            assert whole_chains(board, [min(inside), max(inside)]) == sorted(inside)
        assert whole_chains(board, points) == sorted(points)


def test_a_position_counted_by_hand() -> None:
    board = board_of(CORNER)
    dead = [parse_vertex("B6", 7)]
    # black: 9 stones below, 5 points; white: 8 stones, 12 points, the dead stone's among them; the rest touches both
    assert area_score(board, dead, 7.5) == (9 + 5) - (8 + 12) - 7.5
    assert area_score(board, [], 0) == (10 + 5) - 8
    assert territory_score(board, dead, (3, 1), 0.5) == (5 + 3) - (12 + 1 + 1) - 0.5


@given(games, st.integers(0, 10**6))
def test_no_territory_touches_a_stone_in_seki(game: tuple[Board, tuple[int, int], tuple[int, int]], seed: int) -> None:
    board, captures, _ = game
    stones = [point for point in range(board.side**2) if board.colour(point)]
    seki = whole_chains(board, random.Random(seed).sample(stones, min(len(stones), seed % 4)))
    empty = {point for point in range(board.side**2) if not board.colour(point)}
    territory = captures[0] - captures[1]
    for inside, border in regions(board.side, empty):
        colours = {board.colour(point) for point in border}
        if len(colours) == 1 and not border & set(seki):
            territory += len(inside) if colours == {BLACK} else -len(inside)
    assert territory_score(board, [], captures, 0.5, seki) == territory - 0.5


def test_what_is_no_whole_chain_is_refused() -> None:
    board = board_of("...\nXX.\nOO.")
    for dead in ([0], [0, 1, 3], [0, 0, 1], [8], [0, 1, 8]):
        with pytest.raises(ValueError, match=r"[ABC][123]"):
            area_score(board, dead, 0)
        with pytest.raises(ValueError, match=r"[ABC][123]"):
            territory_score(board, dead, (0, 0), 0)
    with pytest.raises(ValueError, match="C3 is empty"):
        whole_chains(board, [0, 8])
    with pytest.raises(IndexError):
        whole_chains(board, [9])
    assert whole_chains(board, []) == []
    assert whole_chains(board, [4]) == [3, 4]


@pytest.mark.parametrize("size", [2, 9, 19])
@pytest.mark.parametrize("komi", [0, 6.5])
def test_an_empty_board_is_nobodys(size: int, komi: float) -> None:
    assert area_score(Board(size), [], komi) == territory_score(Board(size), [], (0, 0), komi) == -komi


def test_the_board_stays_as_it_was() -> None:
    board, _, _ = random_game(9, 80, 3)
    state = board.state.copy()
    dead = whole_chains(board, [point for point in range(81) if board.colour(point)][:2])
    area_score(board, dead, 0), territory_score(board, dead, (0, 0), 0)
    assert (board.state == state).all()


# GNU Go ---------------------------------------------------------------------------------------------------------------


def replayed(game: Record) -> tuple[Board, tuple[int, int]]:
    """The last position of a game, and what black and white captured."""
    board, captured = Board(game.size), [0, 0]
    for stone in game.setup:
        board.play_point(stone.point, stone.colour)
    for colour, point in game.moves.tolist():
        before = (board.cells == 3 - colour).sum()
        board.play_point(point, colour)
        captured[colour - 1] += int(before - (board.cells == 3 - colour).sum())
    return board, (captured[0], captured[1])


def signed(score: str) -> float:
    """Black's lead from a text such as "W+3.5"."""
    return float(score[1:]) * (1 if score[0] == "B" else -1)


@needs_gnugo
@pytest.mark.parametrize(("rules", "most"), [("chinese", 0), ("japanese", 1)])
def test_the_scores_of_finished_games_are_gnugos(rules: str, most: int) -> None:
    """With its own dead stones. Games with a seki are left out: it gives no points for eyes there in either rule set.

    By territory it gives none for a point that its owner has yet to fill, so `most` games may differ by that point.
    """
    differences = []
    with GtpEngine(f"gnugo --mode gtp --{rules}-rules") as engine:
        for path in sorted((ROOT / "examples/games").glob("*.sgf"))[::6]:
            game = next(iter(read_games(path.read_bytes(), str(path), GO)))
            assert not isinstance(game, Problem)
            engine.ask(f"loadsgf {path}")
            engine.ask("komi 6.5")
            if (game.moves[-2:, 1] != PASS).any() or engine.ask("final_status_list seki"):
                continue
            board, captures = replayed(game)
            assert captures == tuple(int(engine.ask(f"captures {side_letter(colour)}")) for colour in (BLACK, WHITE))
            dead = [parse_vertex(text, game.size) for text in engine.ask("final_status_list dead").split()]
            points = area_score(board, dead, 6.5)
            if rules == "japanese":
                points = territory_score(board, dead, captures, 6.5)
            differences.append(abs(points - signed(engine.ask("final_score"))))
    assert len(differences) > 7
    assert max(differences) <= 1 and sum(difference > 0 for difference in differences) <= most
