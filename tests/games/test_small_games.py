"""Tic-tac-toe and Connect-4 against independent truth: known counts and scores, the rules in plain words."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.connect4_scores import SETS, position_of, score_of, scored_positions
from support.needs import needs_shared

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.connect4.kernels import rules as _connect4
from gotools.jit.kernels.basics import seed_random
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

TICTACTOE = find_game("tictactoe")


def plies(game):
    """Yield, for each ply, the positions that can be reached: key to (state, number of games that lead there)."""
    layer = {game.key(game.position()): (game.position(), 1)}
    while layer:
        yield layer
        following: dict[int, tuple[Any, int]] = {}
        for state, games in layer.values():
            for move in game.moves_of(state):
                after = game.play(state, move)
                before = following.get(game.key(after), (after, 0))[1]
                following[game.key(after)] = after, before + games
        layer = following


def test_tictactoe_has_as_many_positions_and_games_as_known():
    layers = list(plies(TICTACTOE))
    reached = [state for layer in layers for state, _ in layer.values()]
    assert len(reached) == len({TICTACTOE.draw(state) for state in reached}) == 5478
    ends, games = Counter[int](), Counter[int]()
    for layer in layers:
        for state, lines in layer.values():
            value = TICTACTOE.outcome(state)
            if value != ONGOING:
                winner = {0.0: 0, -1.0: 3 - state[TO_PLAY]}[value]
                ends[winner] += 1
                games[winner] += lines
    assert ends == {1: 626, 2: 316, 0: 16}
    assert games == {1: 131_184, 2: 77_904, 0: 46_080}


def test_connect4_has_as_many_positions_as_known():
    """The counts of distinct positions by ply, published by John Tromp."""
    layers = plies(CONNECT4)
    assert [len(next(layers)) for _ in range(8)] == [1, 7, 49, 238, 1120, 4263, 16422, 54859]


class PlainConnect4:
    """Connect-4 on a dictionary from (column, row) to the side, by the words of its rules."""

    def __init__(self):
        self.stones = {}

    def columns(self):
        return [x for x in range(7) if (x, 5) not in self.stones]

    def drop(self, x):
        y = sum((x, row) in self.stones for row in range(6))
        self.stones[x, y] = 1 + len(self.stones) % 2

    def has_won(self, side):
        return any(
            all(self.stones.get((x + i * dx, y + i * dy)) == side for i in range(4))
            for x, y in self.stones
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def score(self):
        """The score for the side to play; None while the game goes on."""
        for side in (1, 2):
            if self.has_won(side):
                ahead = 22 - list(self.stones.values()).count(side)
                return ahead if side == 1 + len(self.stones) % 2 else -ahead
        return None if self.columns() else 0

    def diagram(self):
        rows = [" ".join(".XO"[self.stones.get((x, y), 0)] for x in range(7)) for y in range(5, -1, -1)]
        return "\n".join([*rows, "1 2 3 4 5 6 7"])


@given(st.lists(st.integers(0, 6), max_size=30) | st.permutations([x for x in range(7) for _ in range(6)]))
def test_connect4_against_plain_rules(columns):
    state, twin = CONNECT4.position(), PlainConnect4()
    for column in columns:
        if column not in twin.columns():
            continue
        state = CONNECT4.play(state, column)
        twin.drop(column)
        score, value = twin.score(), CONNECT4.outcome(state)
        assert CONNECT4.draw(state) == twin.diagram()
        if score is not None:
            assert score_of(value) == score
            assert value == pytest.approx((score + 22 * ((score > 0) - (score < 0))) / 44)
            assert CONNECT4.moves_of(state) == []
            break
        assert value == ONGOING
        assert CONNECT4.moves_of(state) == twin.columns()


@pytest.mark.parametrize(
    ("columns", "score"),
    [
        ("1212121", -18),  # the fourth stone wins
        ("17271757", -18),
        ("45213777564734453357163223257522116116664", -1),  # the 21st of the first side
        ("733651575511722656534266327317322716144444", -1),  # the 21st of the second, with the board full
        ("441365675334466335442232661515577771217122", 0),
    ],
)
def test_connect4_scores_of_finished_games(columns, score):
    assert score_of(CONNECT4.outcome(position_of(columns))) == score


@pytest.mark.parametrize("text", ["0", "8", "a1", "12", ""])
def test_text_that_is_not_a_column(text):
    with pytest.raises(ValueError, match=rf"'{text}' is not a column of Connect-4 \(1 to 7\)"):
        CONNECT4.parse_move(text, 7)


def test_full_columns_and_finished_games_allow_no_move():
    assert CONNECT4.moves_of(position_of("111111")) == [1, 2, 3, 4, 5, 6]
    assert CONNECT4.moves_of(position_of("1212121")) == []


@needs_shared
def test_connect4_positions_of_known_score_are_unfinished():
    """And their scores are possible: nobody wins before he has made one more move, or after his 21st."""
    for name in SETS:
        for columns, score in scored_positions(name):
            position = PlainConnect4()
            for column in columns:
                position.drop(int(column) - 1)
            state = position_of(columns)
            assert CONNECT4.draw(state) == position.diagram()
            assert CONNECT4.outcome(state) == ONGOING
            assert -(21 - (len(columns) + 1) // 2) <= score <= 21 - len(columns) // 2


def test_connect4_orders_columns_from_the_middle():
    state = position_of("444444")  # full
    moves = np.array(CONNECT4.moves_of(state), np.int32)
    scores = np.empty(len(moves))
    _connect4.centre_first(state, moves, len(moves), scores, np.zeros(0, np.int64))
    assert moves[np.argsort(-scores, kind="stable")].tolist() == [2, 4, 1, 5, 0, 6]


def shares(game, state, games):
    """Return the shares of random games that the side to play wins and loses."""
    generator, played = np.zeros(1, np.uint64), np.empty(100, np.int32)
    seed_random(generator, 3)
    values = np.array([game.playout(state.copy(), generator, played) for _ in range(games)])
    return float((values > 0).mean()), float((values < 0).mean())


def test_random_games_of_tictactoe_are_won_as_often_as_known():
    won, lost = shares(TICTACTOE, TICTACTOE.position(), 20_000)
    assert won == pytest.approx(737 / 1260, abs=0.015)  # four standard deviations
    assert lost == pytest.approx(121 / 420, abs=0.014)


def test_random_games_of_connect4_choose_among_open_columns_alike():
    def exact(state):
        """The probabilities that the side to play wins and loses when both move at random."""
        value = CONNECT4.outcome(state)
        if value != ONGOING:
            return Fraction(value > 0), Fraction(value < 0)
        moves = CONNECT4.moves_of(state)
        lost, won = zip(*(exact(CONNECT4.play(state, move)) for move in moves), strict=True)
        return sum(won) / Fraction(len(moves)), sum(lost) / Fraction(len(moves))

    state = position_of("4413656753344663354422326615155777")
    won, lost = shares(CONNECT4, state, 20_000)
    assert (won, lost) == pytest.approx(tuple(float(share) for share in exact(state)), abs=0.015)
    assert 0.1 < won < 0.9


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
@pytest.mark.parametrize("seed", range(4))
def test_a_position_as_text_is_the_position(name: str, seed: int) -> None:
    game, chance = find_game(name), random.Random(seed)
    state = game.position()
    for _ in range(chance.randrange(7)):
        after = game.play(state, chance.choice(game.moves_of(state)))
        state = state if game.outcome(after) != ONGOING else after
    assert (find_game(f"{name}:{game.text_of(state)}").position() == state).all()


@pytest.mark.parametrize(
    ("setting", "what"),
    [
        ("tictactoe:.../...", "is not a position: 3 rows from the top, each 3 of"),
        ("tictactoe:XX./.../...", "has 2 X and 0 O"),
        ("tictactoe:XXX/OO./...", "is a finished game"),
        ("connect4:X....../......./......./......./......./.......", "is not a position that can come"),
    ],
)
def test_a_position_that_cannot_be_is_refused(setting: str, what: str) -> None:
    with pytest.raises(GotoolsError, match=what):
        find_game(setting)
