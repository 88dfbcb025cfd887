"""What every game owes to search and learning (kernels/seams.py), checked for each of GAMES along random games."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.playthrough import playthrough

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game, find_trait
from gotools.game.table import GAMES
from gotools.game.traits import Picture, Scoring
from gotools.jit.kernels.basics import seed_random
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = [
    (name, int(path.stem.partition("-")[2])) for name in GAMES for path in sorted(GOLDEN.glob(f"{name}-[0-9]*.txt"))
]
"""Games and board sizes: those of which a random game is written down."""
GUARD = 16
"""Entries on both sides of an array that nobody may write to."""
MARK = 77_777_777

each_game = pytest.mark.parametrize(("name", "size"), CASES)


def walk(game, size, seed, plies=150):
    """Yield the positions of a game of random legal moves from the start to the end, or to a number of plies."""
    rng = random.Random(seed)
    state = game.position(size)
    for _ in range(plies):
        yield state
        legal = game.moves_of(state)
        if not legal:
            break
        state = game.play(state, rng.choice(legal))


def walks(game, size, games, plies=150):
    """Yield the positions of several random games."""
    for seed in range(games):
        yield from walk(game, size, seed, plies)


def identity(game, state):
    """Return what distinguishes a position: the board, the side to play, the moves, and how each would end."""
    moves = game.moves_of(state)
    return game.draw(state), int(state[TO_PLAY]), tuple((m, game.outcome(game.play(state, m))) for m in moves)


def guarded(length, fill):
    """Return an array of one value between marks, and a function that says whether the marks are as they were."""
    whole = np.full(length + 2 * GUARD, MARK, np.int32)
    inner = whole[GUARD : GUARD + length]
    inner[:] = fill
    return inner, lambda: (whole[:GUARD] == MARK).all() and (whole[GUARD + length :] == MARK).all()


def play_text(name, size, text):
    """Play the moves of a text, all of which must be legal."""
    game = find_game(name)
    state = game.position(size)
    for word in text.split():
        move = game.parse_move(word, size)
        assert move in game.moves_of(state), word
        state = game.play(state, move)
    return state


def generator(seed):
    state = np.zeros(1, np.uint64)
    seed_random(state, seed)
    return state


def test_every_game_is_in_these_tests():
    assert {name for name, _ in CASES} == set(GAMES)
    for name, size in CASES:
        assert find_game(name).name == name
        assert size in find_game(name).sizes


def test_a_game_that_is_not_there():
    with pytest.raises(GotoolsError, match=r"no game 'chess'; there are .*tictactoe"):
        find_game("chess")


@each_game
def test_the_start_is_the_same_whatever_the_array_held(name, size):
    game = find_game(name)
    clean = game.position(size)
    used, unhurt = guarded(game.cells, 7)
    game.start(used, size)
    assert unhurt()
    assert identity(game, used) == identity(game, clean)
    assert game.key(used) == game.key(clean)
    assert clean[TO_PLAY] == 1


@each_game
def test_legal_moves_are_distinct_and_within_their_bounds(name, size):
    game = find_game(name)
    for state in walks(game, size, 12):
        moves, unhurt = guarded(game.longest, MARK)
        n = game.legal(state, moves)
        assert unhurt()
        assert 0 <= n <= game.longest
        assert len(set(moves[:n].tolist())) == n
        assert all(0 <= move < game.moves for move in moves[:n])


@each_game
def test_the_outcome_is_open_exactly_while_there_are_moves(name, size):
    game = find_game(name)
    ends = 0
    for state in walks(game, size, 30, max(150, game.plies + 1)):
        value = game.outcome(state)
        assert (value == ONGOING) == (len(game.moves_of(state)) > 0)
        assert value == ONGOING or -1 <= value <= 1
        ends += value != ONGOING
    assert ends > 5


@each_game
def test_worthy_and_noisy_moves_are_legal_ones(name, size):
    game = find_game(name)
    for state in walks(game, size, 12):
        legal = game.moves_of(state)
        if not legal:
            continue  # nobody asks a finished game for noisy moves
        for seam in (game.worthy, game.noisy):
            moves, unhurt = guarded(game.longest, MARK)
            chosen = moves[: seam(state, moves)].tolist()
            assert unhurt()
            assert len(set(chosen)) == len(chosen)
            assert set(chosen) <= set(legal)
            assert seam is game.noisy or chosen


@each_game
def test_every_legal_move_makes_a_position_of_the_other_side(name, size):
    game = find_game(name)
    for i, state in enumerate(walks(game, size, 20)):
        if i % 5:
            continue
        before = state.copy()
        for move in game.moves_of(state):
            target, unhurt = guarded(game.cells, -1)
            game.after(state, move, target)
            assert unhurt()
            assert (state == before).all()
            assert target[TO_PLAY] == 3 - state[TO_PLAY]
            assert game.key(target) != game.key(state)


@each_game
def test_what_the_target_held_does_not_matter(name, size):
    game = find_game(name)
    for state in walks(game, size, 3):
        for move in game.moves_of(state)[:1]:
            zeros, ones = np.zeros(game.cells, np.int32), np.ones(game.cells, np.int32)
            game.after(state, move, zeros)
            game.after(state, move, ones)
            assert identity(game, zeros) == identity(game, ones)
            assert game.key(zeros) == game.key(ones)


@each_game
def test_asking_about_a_position_leaves_it_as_it_is(name, size):
    game = find_game(name)
    moves = np.empty(game.longest, np.int32)
    for state in walks(game, size, 6):
        before = state.copy()
        for question in (game.outcome, game.key, game.draw):
            question(state)
        for seam in (game.legal, game.worthy, game.noisy):
            seam(state, moves)
        assert (state == before).all()


@each_game
def test_texts_of_moves_are_read_back(name, size):
    game = find_game(name)
    for state in walks(game, size, 3):
        for move in game.moves_of(state):
            assert game.parse_move(game.move_text(move, size), size) == move
            assert game.parse_move(game.move_text(move, size).lower(), size) == move


@each_game
@given(st.text("abcABCtTjJpas0123456789- ", max_size=4) | st.text(max_size=4))
def test_any_text_is_a_move_or_refused_with_a_message(name, size, text):
    game = find_game(name)
    try:
        move = game.parse_move(text, size)
    except ValueError as error:
        assert repr(text) in str(error)
    else:
        assert 0 <= move < game.moves
        assert game.parse_move(game.move_text(move, size), size) == move


@each_game
def test_keys_are_equal_for_equal_positions_alone(name, size):
    """Only while the game goes on: the end is valued before anybody asks for a key."""
    game = find_game(name)
    keys: dict[Any, int] = {}
    for state in walks(game, size, 700 if name == "tictactoe" else 120):
        if game.moves_of(state) and len(keys) < 2000:
            assert keys.setdefault(identity(game, state), game.key(state)) == game.key(state)
    assert len(keys) > 1500
    assert len(set(keys.values())) == len(keys)


KO = "B1 C1 A2 D2 B3 C3 E5 B2 C2"
"""C2 takes B2, which may not take back at once."""
NO_KO = "B1 C1 A2 D2 B3 C3 E5 pass C2"


@pytest.mark.parametrize(
    ("name", "size", "one", "other"),
    [
        ("tictactoe", 3, "a1 b2 c3 a3", "c3 a3 a1 b2"),
        ("connect4", 7, "4 3 5 3", "5 3 4 3"),
        ("connect4", 7, "1 1 7 7 1 7", "7 7 1 1 1 7"),
        ("go", 9, "C3 D4 E5 F6", "E5 F6 C3 D4"),
        ("go", 5, "A2 A1 B1", "A2 pass B1"),  # A1 is taken, or never was there
        ("go", 5, f"{KO} E4 E3", f"{NO_KO} E4 E3"),  # the ko is open again
        ("go", 5, "pass pass", "pass pass"),
    ],
)
def test_transpositions_have_one_key(name, size, one, other):
    game = find_game(name)
    assert game.key(play_text(name, size, one)) == game.key(play_text(name, size, other))


@pytest.mark.parametrize(
    ("name", "size", "one", "other"),
    [
        ("tictactoe", 3, "a1 b2", "b2 a1"),
        ("connect4", 7, "4 3", "3 4"),
        ("connect4", 7, "1", "7"),  # mirrored: the moves ahead are others
        ("go", 5, KO, NO_KO),
        ("go", 5, "C3 D3 pass", "pass D3 C3"),  # a pass would end the first
        ("go", 5, "C3", "C3 pass"),
        ("go", 5, "C3", "pass C3"),
    ],
)
def test_what_differs_in_moves_or_values_has_different_keys(name, size, one, other):
    game = find_game(name)
    assert game.key(play_text(name, size, one)) != game.key(play_text(name, size, other))


@each_game
def test_a_playout_is_a_legal_game_to_the_end(name, size):
    game = find_game(name)
    ended = set()
    for i, begin in enumerate(walks(game, size, 6)):
        if i % 4 or not game.moves_of(begin):
            continue
        end, unhurt = guarded(game.cells, 0)
        end[:] = begin
        played, unhurt_too = guarded(2000, MARK)
        value = game.playout(end, generator(i), played)
        assert unhurt()
        assert unhurt_too()
        state = begin
        for move in played[1 : 1 + played[0]].tolist():
            assert move in game.moves_of(state)
            state = game.play(state, move)
        assert identity(game, state) == identity(game, end)
        outcome = game.outcome(end)
        assert outcome != ONGOING
        assert -1 <= value <= 1
        assert np.sign(value) == np.sign(outcome if end[TO_PLAY] == begin[TO_PLAY] else -outcome)
        ended.add(np.sign(value))
    assert {1, -1} <= ended


@each_game
def test_playouts_depend_on_the_seed_alone(name, size):
    game = find_game(name)

    def moves(seed, room=2000):
        played, unhurt = guarded(room, MARK)
        game.playout(game.position(size), generator(seed), played)
        assert unhurt()
        return played[1 : 1 + played[0]].tolist()

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(20)}) > 10
    for room in (1, 2, 5):  # a playout without room for its moves ends
        assert moves(1, room) == moves(1)[: room - 1]


@each_game
def test_a_random_game_is_as_it_was_when_written_down(name, size):
    """tests/support/playthrough.py says how to write the golden text anew."""
    golden = (GOLDEN / f"{name}-{size}.txt").read_text(encoding="ascii")
    assert playthrough(find_game(name), size) == golden


@each_game
def test_images_of_moves_lead_to_games_alike(name, size):
    """A symmetry of the board changes neither the outcome nor the choice, and the first image is the move's place."""
    game, rng = find_game(name), random.Random(3)

    def places(state):
        return [game.place_of(move, size) for move in game.moves_of(state)]

    assert all(game.images(place, size)[0] == place for place in places(game.position(size)))
    for seed in range(6):
        states = [game.position(size)] * len(game.images(places(game.position(size))[0], size))
        rng.seed(seed)
        while legal := places(states[0]):
            images = [game.images(place, size) for place in legal]
            for number, state in enumerate(states):
                assert sorted(image[number] for image in images) == sorted(places(state))
            turned = rng.choice(images)
            moves = (game.move_at(place, size) for place in turned)
            states = [game.play(state, move) for state, move in zip(states, moves, strict=True)]
            assert len({game.outcome(state) for state in states}) == 1


def test_traits_of_the_table_are_those_of_the_game():
    """What is found without a game is what the game has; whether it is counted is known from the table alone."""
    for name, place in GAMES.items():
        game = find_game(name)
        assert {trait: game.traits[trait] for trait in place.traits} == place.traits
        assert {"Scoring", "SetUp"} & game.traits.keys() <= place.traits.keys()
        assert find_trait(name, Scoring) is game.find(Scoring) and place.counted == game.has(Scoring)


# pictures -------------------------------------------------------------------------------------------------------------


@each_game
def test_a_picture_has_a_sign_for_each_place_and_the_stones_of_the_drawing(name, size):
    game = find_game(name)
    board = game.find(Picture)
    if board is None:  # it is shown as text
        return
    places = board.places(size)
    assert len(set(places)) == len(places) and min(map(min, places)) == 0
    lines = len(board.below(game.position(size)))
    for state in walks(game, size, 2):
        signs = board.signs(state)
        assert len(signs) == len(places) and all(signs) and len(board.below(state)) == lines
        rows = [line for line in game.draw(state).splitlines() if "hand" not in line and "lost" not in line]
        drawn, letters = "".join(line[:30] for line in rows), "lnsgbrkp" if name == "shogi" else "XO"
        assert [sum(sign.count(letter) for sign in signs) for letter in letters] == [drawn.count(x) for x in letters]
