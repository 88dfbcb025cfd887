"""Play-outs: what they know of liberties against sets of stones, every move by the rules, no point favoured unasked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from go.test_go_game import is_slow_eye
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.positions import board_of
from support.slow import SlowGo

from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.go import move_of, point_of
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.game import KOMI2, PASS_MOVE
from gotools.games.go.kernels.liberties import is_own_eye, is_self_atari, only_liberty
from gotools.games.go.kernels.local_weights import ELSEWHERE, NEIGHBOURS, WEIGHTS
from gotools.games.go.kernels.playouts import MARGIN, around, play_out, playout
from gotools.games.go.points import PASS, parse_vertex
from gotools.jit.kernels.basics import below, seed_random

SIZES = (2, 3, 5, 9, 13, 19)
LONG = 3 * k.PLANE


def generator(seed: int) -> NDArray[np.uint64]:
    words = np.zeros(1, np.uint64)
    seed_random(words, seed)
    return words


def after(text: str, colour: int, vertex: str) -> Board:
    """Make a position, and a move there: its answer is asked for."""
    board = board_of(text)
    board.play_point(parse_vertex(vertex, board.side), colour)
    return board


def twin_of(board: Board) -> SlowGo:
    cells, size = board.cells, board.side
    return SlowGo(size, {(p % size, p // size): int(cells[p]) for p in range(size * size) if cells[p]})


def middle_game(size: int, moves: int, seed: int) -> Board:
    """Play at random, own eyes too, so that chains of all kinds come up."""
    rng = random.Random(seed)
    board = Board(size)
    for _ in range(moves):
        legal = board.legal_points(board.to_play)
        board.play_point(rng.choice(legal) if legal else PASS, board.to_play)
    return board


# random numbers -------------------------------------------------------------------------------------------------------


def check_even(counts: Iterable[int], shares: Iterable[float] | None = None) -> None:
    """Compare counts with the expected shares by chi-square, 5 standard deviations allowed; each has to be at all."""
    seen = np.array(list(counts), float)
    share = np.full(len(seen), 1 / len(seen)) if shares is None else np.array(list(shares))
    expected = share / share.sum() * seen.sum()
    assert expected.min() > 20
    freedom = len(seen) - 1
    assert ((seen - expected) ** 2 / expected).sum() < freedom + 5 * (2 * freedom) ** 0.5 + 5, seen / expected


@pytest.mark.parametrize("count", [2, 3, 10, 81, 361])
def test_random_numbers_are_even(count: int) -> None:
    words = generator(7)
    numbers = Counter(below(words, count) for _ in range(100 * count))
    check_even(numbers[i] for i in range(count))
    assert set(numbers) == set(range(count))


def test_neighbouring_seeds_begin_differently() -> None:
    firsts = Counter(below(generator(seed), 16) for seed in range(4000))
    check_even(firsts[i] for i in range(16))
    pairs = Counter(tuple(below(words, 4) for _ in range(2)) for words in map(generator, range(4000)))
    check_even(pairs[i, j] for i in range(4) for j in range(4))


@pytest.mark.parametrize("seed", [0, 1, -1, 2**31, 2**63 - 1, -(2**63)])
def test_every_seed_begins_a_generator(seed: int) -> None:
    words, again = generator(seed), generator(seed)
    numbers = [below(words, 1000) for _ in range(50)]
    assert numbers == [below(again, 1000) for _ in range(50)]
    assert len(set(numbers)) > 40


# liberties ------------------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.sampled_from(SIZES), st.integers(0, 250), st.integers(0, 10**6))
def test_liberties_eyes_and_self_ataris_against_sets_of_stones(size: int, moves: int, seed: int) -> None:
    board = middle_game(size, moves, seed)
    twin, state = twin_of(board), board.state.copy()
    for point in range(size * size):
        at, p = (point % size, point // size), move_of(point, size)
        if at in twin.stones:
            liberties = twin.liberties(at)
            only = next(iter(liberties)) if len(liberties) == 1 else None
            found = only_liberty(state, p)
            assert (only is None and found == 0) or only == divmod(point_of(found, size), size)[::-1]
            continue
        for colour in (BLACK, WHITE):
            assert is_own_eye(state, p, colour) == is_slow_eye(twin, at, colour)
            then = twin_of(board)
            if not then.play(at, colour):
                takes = len(then.stones) <= len(twin.stones)
                assert is_self_atari(state, p, colour) == (not takes and len(then.liberties(at)) == 1)
    assert (state == board.state).all()


# whole games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("knowing", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_every_move_is_legal_and_fills_no_eye_and_nothing_is_left_to_play(size: int, knowing: bool) -> None:
    for seed in range(12 if 2 < size < 13 else 3):
        board = middle_game(size, 7 * seed, seed)
        twin, end = twin_of(board), board.state.copy()
        twin.ko = (board.to_play, (board.ko % size, board.ko // size)) if board.ko >= 0 else None
        played = np.full(LONG, -7, np.int32)
        play_out(end, generator(seed), played, knowing)
        count = int(played[0])
        assert count < LONG and (played[count + 1 :] == -7).all()
        colour, passes, ko = board.to_play, 0, set()
        for move in played[1 : count + 1].tolist():
            assert passes < 2
            passes = passes + 1 if move == PASS_MOVE else 0
            if move == PASS_MOVE:
                ko.add(twin.ko)  # what a ko forbids at the first pass may be left
                twin.pass_turn()
            else:
                point = point_of(move, size)
                at = (point % size, point // size)
                assert not is_slow_eye(twin, at, colour)
                assert twin.play(at, colour) == ""
                ko = set()
            colour = 3 - colour
        assert twin.cells() == board_of_state(end, size).tolist()
        if count == LONG - 1:
            assert size == 2  # the whole board can be taken again and again
            continue
        assert passes == 2
        for at in ((x, y) for x in range(size) for y in range(size)):
            for side in (BLACK, WHITE):
                assert not twin.is_legal(at, side) or is_slow_eye(twin, at, side) or (side, at) in ko


def board_of_state(state: NDArray[np.int32], size: int) -> NDArray[np.uint8]:
    cells = np.empty(size * size, np.uint8)
    k.cells_of(state, cells)
    return cells


@pytest.mark.parametrize("room", [1, 2, 11])
def test_a_play_out_ends_where_its_record_is_full(room: int) -> None:
    played = np.zeros(room, np.int32)
    play_out(Board(9).state, generator(1), played, True)
    assert played[0] == room - 1 and (played[1:] > 0).all()


def test_equal_seeds_give_equal_games() -> None:
    games = []
    for seed in (3, 3, 4):
        played = np.zeros(LONG, np.int32)
        play_out(Board(9).state, generator(seed), played, True)
        games.append(played[: played[0] + 1].tolist())
    assert games[0] == games[1] != games[2]


# first moves ----------------------------------------------------------------------------------------------------------


def first_moves(board: Board, games: int, knowing: bool) -> Counter[int]:
    """Play the first move many times; returns how often which point."""
    words, played, state = generator(1), np.zeros(2, np.int32), np.empty_like(board.state)
    found: Counter[int] = Counter()
    for _ in range(games):
        state[:] = board.state
        play_out(state, words, played, knowing)
        found[point_of(int(played[1]), board.side)] += 1
    return found


EYES_AND_SUICIDE = """
.XO..
XXO..
OO.OO
..O.O
..OO."""


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_light_play_out_favours_no_point(colour: int) -> None:
    board = board_of(EYES_AND_SUICIDE)
    board.state[k.TO_PLAY] = colour
    twin = twin_of(board)
    points = [(x, y) for y in range(5) for x in range(5)]
    wanted = {y * 5 + x for x, y in points if twin.is_legal((x, y), colour) and not is_slow_eye(twin, (x, y), colour)}
    found = first_moves(board, 6000, knowing=False)
    assert set(found) == wanted
    assert 0 < len(wanted) < twin.cells().count(0)
    check_even(found.values())


@pytest.mark.parametrize(
    ("text", "colour", "last", "answer"),
    [
        pytest.param("...../..X../.X.X./...../.....", WHITE, "C3", "C2", id="take what moved into atari"),
        pytest.param("...../..O../.OX../...../.....", WHITE, "D3", "C2", id="extend"),
        pytest.param("...../.XO../XOX../...../.....", WHITE, "D3", "B2", id="take the attacker"),
        pytest.param("..O../.OXO./.OX../...../.....", WHITE, "D3", "C2", id="extend a longer chain"),
        pytest.param("OOX../.OX../XX.../...../.....", WHITE, "E1", None, id="no danger beside the last move"),
    ],
)
@pytest.mark.parametrize("exchanged", [False, True])
def test_captures_and_ataris_are_answered(
    text: str, colour: int, last: str, answer: str | None, exchanged: bool
) -> None:
    if exchanged:
        text, colour = text.translate(str.maketrans("XO", "OX")), 3 - colour
    found = set(first_moves(after(text, colour, last), 300, knowing=True))
    if answer is None:
        assert len(found) > 5
    else:
        assert found == {parse_vertex(answer, 5)}


@pytest.mark.parametrize(
    ("text", "last", "never"),
    [
        pytest.param("...../...../...../.O.O./.OX..", "D1", "C2", id="what stays in atari is not extended"),
        pytest.param("...../..O../.O.O./.OXO./.OX..", "D1", "C3", id="nor what would be suicide"),
        pytest.param("...../..OX./.O.OX/..OX./.....", "C3", "D3", id="a ko is not taken back at once"),
    ],
)
def test_hopeless_answers_are_left_out(text: str, last: str, never: str) -> None:
    found = first_moves(after(text, WHITE, last), 300, knowing=True)
    assert parse_vertex(never, 5) not in found and len(found) > 3


def test_moves_beside_the_last_one_come_by_their_weights() -> None:
    board = after("......./......./..X..../...X.../..O..../......./.......", WHITE, "E4")
    twin, words = twin_of(board), board.state
    last = (4, 3)
    points = [(x, y) for y in range(7) for x in range(7) if (x, y) not in twin.stones]
    weight = {at: int(WEIGHTS[BLACK - 1, around(words, move_of(at[1] * 7 + at[0], 7))]) for at in points}
    near = {at: weight[at] for at in points if max(abs(at[0] - last[0]), abs(at[1] - last[1])) == 1}
    total = ELSEWHERE + sum(near.values())
    shares = {at: (near.get(at, 0) + ELSEWHERE / len(points)) / total for at in points}
    found = first_moves(board, 12_000, knowing=True)
    check_even([found[y * 7 + x] for x, y in points], [shares[at] for at in points])


# the learned patterns -------------------------------------------------------------------------------------------------


def windows() -> NDArray[np.int64]:
    """Return int64[65536, 3, 3]: what each code shows, 0 in the middle."""
    shown = np.arange(1 << 16)[:, None] >> 2 * np.arange(8) & 3
    return np.insert(shown, 4, 0, axis=1).reshape(-1, 3, 3)


def codes(shown: NDArray[np.int64]) -> NDArray[np.int64]:
    cells = np.delete(shown.reshape(-1, 9), 4, axis=1)
    found: NDArray[np.int64] = (cells << 2 * np.arange(8)).sum(axis=1)
    return found


def test_turned_and_mirrored_patterns_weigh_the_same() -> None:
    shown = windows()
    assert (codes(shown) == np.arange(1 << 16)).all()
    for quarters in range(4):
        turned = np.rot90(shown, quarters, axes=(1, 2))
        for image in (turned, turned[:, :, ::-1]):
            assert (WEIGHTS[:, codes(image)] == WEIGHTS).all()


def test_exchanged_colours_weigh_the_same_for_the_other_side() -> None:
    exchanged = np.array([0, 2, 1, 3])[windows()]
    assert (WEIGHTS[0, codes(exchanged)] == WEIGHTS[1]).all()
    assert (WEIGHTS[0] != WEIGHTS[1]).any()
    assert WEIGHTS.shape == (2, 1 << 16) and len(set(WEIGHTS[0].tolist())) > 30


@pytest.mark.parametrize("size", SIZES)
def test_the_code_of_a_point_shows_what_lies_around_it(size: int) -> None:
    board = middle_game(size, size * size, seed=2)
    picture = np.full((size + 2, size + 2), 3)
    picture[1:-1, 1:-1] = board.cells.reshape(size, size)
    assert [NEIGHBOURS[place] for place in (1, 3, 4, 6)] == [-k.STRIDE, -1, 1, k.STRIDE]
    for y in range(size):
        for x in range(size):
            window = picture[y : y + 3, x : x + 3].copy()
            window[1, 1] = 0
            assert around(board.state, move_of(y * size + x, size)) == codes(window[None])[0], (x, y)


# the value ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_the_value_is_that_of_the_end_for_the_side_that_began(colour: int) -> None:
    values: dict[float, float] = {}
    words, played = generator(5), np.zeros(LONG, np.int32)
    komis = [-800, 800, 0, 0, 0, 15, 15, -15, 48, -48] * 30
    for komi2 in komis:
        state = Board(5).state
        state[k.TO_PLAY], state[KOMI2] = colour, komi2
        value = playout(state, words, played)
        end = Board.from_cells(board_of_state(state, 5), 5)
        ahead = (twin_of(end).area_score() - komi2 / 2) * (1 if colour == BLACK else -1)
        assert -1.0 <= value <= 1.0
        assert (value > 0, value < 0) == (ahead > 0, ahead < 0)
        assert value == 0 or abs(value) >= 1 - MARGIN
        if komi2 == 0:
            assert values.setdefault(ahead, value) == value
    by_points = [values[ahead] for ahead in sorted(values)]
    assert by_points == sorted(set(by_points)) and len(by_points) > 5  # every point counts
