"""Abalone against independent truth: a twin on sets, lists of successors, positions drawn by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.needs import SHARED, needs_shared
from support.plain_abalone import DIRECTIONS, Plain, cell_of, name, perft, plain, step, successors

from gotools.base.errors import GotoolsError
from gotools.game.game import Game, find_game
from gotools.game.history import History
from gotools.games.abalone.board import CELL_OF, NAMES, STARTS, SYMMETRIES, bits_of, marbles, read_fen, write_fen
from gotools.games.abalone.inputs import CENTRE, TERMINATOR
from gotools.games.abalone.kernels import rules as k
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

State = NDArray[np.int32]
ABALONE = find_game("abalone")
SUCCESSORS = Path(__file__).parents[1] / "golden/abalone-successors.txt"
SIZE = 9


def repetition_value(game, positions):
    return History(game, 9, tuple(positions)).repetition_value()


def at(fen: str, **settings: int) -> State:
    """Return a position."""
    return find_game("abalone:" + ",".join([fen, *(f"{key}={value}" for key, value in settings.items())])).position()


def placed(black: str, white: str, to_play: int = 1) -> State:
    """Return a position of these marbles, however many they are."""
    state = ABALONE.position()
    for side, cells in ((1, black), (2, white)):
        k.set_marbles(state, side, bits_of([CELL_OF[cell] for cell in cells.split()]))
    state[TO_PLAY] = to_play
    return state


def move(text: str) -> int:
    return ABALONE.parse_move(text, SIZE)


def texts(state: State) -> list[str]:
    return [ABALONE.move_text(one, SIZE) for one in ABALONE.moves_of(state)]


def noisy(state: State) -> set[str]:
    found = np.empty(ABALONE.longest, np.int32)
    return {ABALONE.move_text(int(one), SIZE) for one in found[: ABALONE.noisy(state, found)]}


def games(game: Game, count: int, plies: int, seed: int = 0) -> Iterator[State]:
    """Yield the positions of games of random moves, ejections preferred."""
    for number in range(count):
        rng, state = random.Random(f"{seed} {number}"), game.position()
        for _ in range(plies):
            yield state
            if not (legal := game.moves_of(state)):
                break
            choice = [move(text) for text in sorted(noisy(state))] or legal
            state = game.play(state, rng.choice(choice))


# the rules ------------------------------------------------------------------------------------------------------------


def check_against_twin(state: State) -> None:
    """Compare moves, what they lead to, and ejections with the twin."""
    twin = successors(plain(state))
    found = texts(state)
    assert len(found) == len(set(found)) and set(found) == set(twin)
    for text in found:
        assert plain(ABALONE.play(state, move(text))) == twin[text], text
    assert noisy(state) == {text for text, after in twin.items() if len(after.mine) < len(plain(state).other)}


@pytest.mark.parametrize("start", ["classical", "belgian-daisy", "snakes", "star"])
def test_all_moves_of_random_games_are_those_of_plain_rules(start: str) -> None:
    ends = 0
    for i, state in enumerate(games(find_game(f"abalone:{start}"), 3, 400)):
        if ABALONE.outcome(state) != ONGOING:
            ends += 1
        elif i % 5 == 0:
            check_against_twin(state)
    assert ends


@settings(max_examples=60)
@given(st.sets(st.sampled_from(NAMES), min_size=10, max_size=26), st.integers(0, 2**26 - 1), st.sampled_from((1, 2)))
def test_all_moves_of_any_position_are_those_of_plain_rules(cells: set[str], sides: int, to_play: int) -> None:
    """Also where marbles stand that never meet in a game."""
    ordered = sorted(cells)
    black = [cell for i, cell in enumerate(ordered) if sides >> i & 1][:14]
    white = [cell for i, cell in enumerate(ordered) if not sides >> i & 1][:14]
    state = placed(" ".join(black), " ".join(white), to_play)
    if len((black, white)[to_play - 1]) > 8:
        check_against_twin(state)


def perft_by_keys(game: Game, depth: int) -> int:
    """Count the sequences of legal moves; equal positions are looked at once."""
    state = game.position()
    layer: dict[int, tuple[State, int]] = {game.key(state): (state, 1)}
    for _ in range(depth - 1):
        after: dict[int, tuple[State, int]] = {}
        for one, count in layer.values():
            for choice in game.moves_of(one):
                state = game.play(one, choice)
                key = game.key(state)
                after[key] = state, after.get(key, (state, 0))[1] + count
        layer = after
    return sum(count * len(game.moves_of(one)) for one, count in layer.values())


@pytest.mark.parametrize("start", STARTS)
def test_perft_to_depth_two_is_that_of_plain_rules(start: str) -> None:
    game = find_game(f"abalone:{start}")
    assert perft_by_keys(game, 2) == perft(plain(game.position()), 2)


def test_perft_of_the_classical_position_is_as_it_was_counted_by_plain_rules() -> None:
    """The test below counts depth 4 again; the compiled perft of bench/abalone_speed.py counts the same."""
    assert [perft_by_keys(ABALONE, depth) for depth in (1, 2, 3)] == [44, 1936, 98_912]


def test_perft_of_the_belgian_daisy_is_as_it_was_counted_by_plain_rules() -> None:
    assert [perft_by_keys(find_game("abalone:belgian-daisy"), depth) for depth in (1, 2, 3)] == [52, 2692, 149_322]


@pytest.mark.slow
@pytest.mark.parametrize(("start", "depth", "expected"), [("classical", 4, 5_045_110), ("belgian-daisy", 3, 149_322)])
def test_perft_deeper_is_that_of_plain_rules(start: str, depth: int, expected: int) -> None:
    game = find_game(f"abalone:{start}")
    assert perft_by_keys(game, depth) == perft(plain(game.position()), depth) == expected


def listed_positions() -> list[tuple[str, str, list[str]]]:
    """Return the positions of the file: the side to play, the marbles, those of the successors."""
    found: list[tuple[str, str, list[str]]] = []
    for line in SUCCESSORS.read_text(encoding="ascii").splitlines():
        if line.startswith("> "):
            _, side, board = line.split()
            found.append((side, board, []))
        elif not line.startswith("#"):
            found[-1][2].append(line)
    return found


def of_list(board: str, side: str) -> State:
    cells = board.split(",")
    black, white = (" ".join(cell[:2] for cell in cells if cell[2] == colour) for colour in "bw")
    return placed(black, white, "bw".index(side) + 1)


@pytest.mark.parametrize(("side", "board", "expected"), listed_positions())
def test_successors_are_those_of_the_published_lists(side: str, board: str, expected: list[str]) -> None:
    state = of_list(board, side)
    moves = ABALONE.moves_of(state)
    found = {plain(ABALONE.play(state, choice)) for choice in moves}
    other = "w" if side == "b" else "b"
    assert found == {plain(of_list(line, other)) for line in expected}
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("black", "white", "text", "after_black", "after_white"),
    [
        ("E4 E5", "E6", "E4E5", "E5 E6", "E7"),  # two against one
        ("E3 E4 E5", "E6", "E3E4", "E4 E5 E6", "E7"),
        ("E3 E4 E5", "E6 E7", "E3E4", "E4 E5 E6", "E7 E8"),
        ("E6 E7 E8", "E9", "E6E7", "E7 E8 E9", ""),  # off the board
        ("E5 E6 E7", "E8 E9", "E5E6", "E6 E7 E8", "E9"),
        ("C5 D5", "B5", "D5C5", "C5 B5", "A5"),
        ("E2 E3 E4 E5", "E6 E7", "E3E4", "E2 E4 E5 E6", "E7 E8"),  # the marble behind stays
    ],
)
def test_pushes(black: str, white: str, text: str, after_black: str, after_white: str) -> None:
    fill = "A1 A2 A3 A4 B1 B2 B3 B4 B6 C1"  # the side to play has not lost
    state = placed(f"{black} {fill}", white)
    assert text in texts(state)
    after = ABALONE.play(state, move(text))
    assert {NAMES[cell] for cell in marbles(after, 1)} == {*after_black.split(), *fill.split()}
    assert {NAMES[cell] for cell in marbles(after, 2)} == set(after_white.split())
    assert (text in noisy(state)) == (len(after_white) < len(white))


@pytest.mark.parametrize(
    ("black", "white", "text"),
    [
        ("E3 E4 E5", "E6 E7 E8", "E3E4"),  # three against three
        ("E4 E5", "E6 E7", "E4E5"),
        ("E5", "E6", "E5E6"),
        ("E2 E3 E4 E5", "E6 E7 E8", "E2E3"),  # no more than three push
        ("E2 E3 E4 E5", "", "E2E3"),  # nor move
        ("E4 E5 E8", "E6 E7", "E4E5"),
        ("E4 E5 E7", "E6", "E4E5"),  # an own marble behind
        ("E8 E9", "", "E8E9"),  # off the board
        ("E5 E6", "F5", "E5E6F5"),  # broadside never pushes
        ("E5 E7", "", "E5E7F5"),  # a gap
        ("E5 E6", "F7", "E5E6F6"),
        ("E5", "E6 E7", "E6E5"),  # marbles of the other side
    ],
)
def test_moves_that_the_rules_forbid(black: str, white: str, text: str) -> None:
    fill = "A1 A2 A3 A4 B1 B2 B3 B4 B6 C1"
    assert text not in texts(placed(f"{black} {fill}", white))


# the end --------------------------------------------------------------------------------------------------------------


def test_the_sixth_marble_pushed_off_the_board_wins() -> None:
    row = "A1 A2 A3 A4 A5 B1 B2"
    state = placed(f"E7 E8 {row}", "E9 I5 I6 I7 I8 I9 H4 H5 H6")
    assert ABALONE.outcome(state) == ONGOING
    after = ABALONE.play(state, move("E7E8"))
    assert ABALONE.outcome(after) == -1.0 and ABALONE.moves_of(after) == []


def test_a_side_that_cannot_move_has_lost() -> None:
    edge = "A1 A2 A3 A4 A5 B1 C1 D1 E1"
    held = "B2 B3 B4 B5 B6 C2 D2 E2 F2 C3 D3 C4 C5 C6 C7 E3 F3"
    state = placed(edge, held)
    assert texts(state) == [] == list(successors(plain(state)))
    assert ABALONE.outcome(state) == -1.0
    assert ABALONE.outcome(placed(edge, held, 2)) == ONGOING


def test_a_side_that_can_only_push_goes_on() -> None:
    """No single marble can move, so that the quick test for a move fails."""
    black = "A1 A2 A3 A4 A5 B1 C1 D1 E1 B2"
    state = placed(black, "B3 B4 B5 B6 C2 D2 E2 F2 C3 D3 C4 C5 C6 C7 E3 F3")
    assert texts(state) == ["A1B2"] == list(successors(plain(state)))
    assert ABALONE.outcome(state) == ONGOING


def test_a_game_is_a_draw_at_its_limit() -> None:
    game = find_game("abalone:classical,moves=3")
    assert (game.plies, find_game("abalone").plies) == (3, k.LONGEST_GAME)
    state = game.position()
    for _ in range(3):
        assert game.outcome(state) == ONGOING
        state = game.play(state, game.moves_of(state)[0])
    assert game.outcome(state) == 0.0 and game.moves_of(state) == []


def test_keys_differ_near_the_limit_by_the_plies_left() -> None:
    early, late = at("classical"), at("classical")
    early[k.PLIES], late[k.PLIES] = 100, 102
    assert ABALONE.key(early) == ABALONE.key(late)
    early[k.PLIES], late[k.PLIES] = k.LONGEST_GAME - 12, k.LONGEST_GAME - 10
    assert ABALONE.key(early) != ABALONE.key(late)


def played(game: Game, text: str) -> list[State]:
    states = [game.position()]
    for word in text.split():
        states.append(game.play(states[-1], game.parse_move(word, SIZE)))
    return states


AROUND = "C3D3 G5F5 D3C3 F5G5"


def test_a_position_for_the_third_time_is_a_draw() -> None:
    states = played(ABALONE, f"{AROUND} {AROUND}")
    assert [repetition_value(ABALONE, states[: i + 1]) for i in range(len(states))] == [None] * 8 + [0.0]
    never, once = find_game("abalone:repetition=0"), find_game("abalone:repetition=2")
    assert repetition_value(never, states) is None
    assert [repetition_value(once, states[: i + 1]) for i in range(5)] == [None] * 4 + [0.0]


# texts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("A1A6", "has no cell A6"),
        ("i1i2", "has no cell I1"),
        ("A1C3", "not a step"),
        ("A1B2C3", "not a step"),  # in line is written with two cells
        ("A1A4B1", "not a step"),
        ("A1", "not a move of Abalone"),
        ("pass", "not a move of Abalone"),
        ("A1B2C3D4", "not a move of Abalone"),
        ("", "not a move of Abalone"),
    ],
)
def test_what_is_not_a_move_is_said_to_be_none(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what) as error:
        ABALONE.parse_move(text, SIZE)
    assert repr(text) in str(error.value)


def test_a_broadside_move_may_be_written_from_either_end() -> None:
    assert move("C3C5D3") == move("C5C3D5") == move("c3c5d3")
    assert ABALONE.move_text(move("C5C3D5"), SIZE) == "C3C5D3"
    assert move("C3C4D3") != move("C3C4D4")


def test_every_text_of_a_move_is_its_own() -> None:
    found = Counter(ABALONE.move_text(one, SIZE) for one in range(k.MOVES) if one % k.KINDS >= 6 and k.FLIPS[one])
    in_line = Counter(
        ABALONE.move_text(30 * cell + d, SIZE) for cell in range(61) for d in range(6) if k.NEXT[cell, d] >= 0
    )
    assert max((found + in_line).values()) == 1
    assert len(in_line) == 2 * 156  # each pair of neighbours, in both directions
    assert len(found) == sum(
        (step(cell_of(one), axis, length - 1) in CELLS)
        and all(step(step(cell_of(one), axis, i), side) in CELLS for i in range(length))
        for one in NAMES
        for axis in DIRECTIONS[:3]
        for side in DIRECTIONS
        if side not in (axis, (-axis[0], -axis[1]))
        for length in (2, 3)
    )


CELLS = {cell_of(one) for one in NAMES}


# start positions ------------------------------------------------------------------------------------------------------


def test_the_classical_position_is_drawn() -> None:
    drawing = """
    I O O O O O
   H O O O O O O
  G . . O O O . .
 F . . . . . . . .
E . . . . . . . . .
 D . . . . . . . . 9
  C . . X X X . . 8
   B X X X X X X 7
    A X X X X X 6
       1 2 3 4 5
marbles lost: X 0, O 0"""
    assert ABALONE.draw(ABALONE.position()) == drawing[1:]
    assert (find_game("abalone:classical").position() == ABALONE.position()).all()


def test_fen_is_read_back() -> None:
    for state in games(find_game("abalone:atomouche"), 2, 150):
        if ABALONE.outcome(state) == ONGOING and len(marbles(state, 3 - state[TO_PLAY])) > 8:
            sides, to_play = read_fen(write_fen(state))
            assert sides == tuple(bits_of(marbles(state, side)) for side in (1, 2)) and to_play == state[TO_PLAY]


@pytest.mark.parametrize("start", STARTS)
def test_a_start_position_by_its_name(start: str) -> None:
    game = find_game(f"abalone:{start}")
    state = game.position()
    assert game.full_name == f"abalone:{start}" and game.name == "abalone"
    counts = [len(marbles(state, side)) for side in (1, 2)]
    assert counts == ([12, 12] if start == "atomouche" else [14, 14])
    assert state[TO_PLAY] == 1 and game.moves_of(state)
    images = {tuple(game.images(one, SIZE)) for one in game.moves_of(state)}
    assert {one for image in images for one in image} == set(game.moves_of(state))


@needs_shared
def test_start_positions_are_those_of_the_table() -> None:
    lines = (SHARED / "abalone/openings.tsv").read_text(encoding="utf-8").splitlines()
    table = dict(line.split("\t") for line in lines if not line.startswith("#"))
    assert {start: read_fen(fen) for start, fen in table.items()} == {
        start: read_fen(fen) for start, fen in STARTS.items()
    }


CLASSICAL = STARTS["classical"].split()[0]


@pytest.mark.parametrize(
    "text", [f"{CLASSICAL} b", f"{CLASSICAL} 0 0 B 0 0", f"{CLASSICAL} 0 0 b 0 1", f"{CLASSICAL} w"]
)
def test_forms_of_fen(text: str) -> None:
    assert find_game(f"abalone:{text}").position()[TO_PLAY] == (2 if text.endswith("w") else 1)


@pytest.mark.parametrize(
    ("setting", "what"),
    [
        ("", "no start position ''"),
        ("belgian", "no start position 'belgian'; did you mean 'belgian-daisy'"),
        (CLASSICAL, "not a FEN"),
        (f"{CLASSICAL} x", "the side to play is b or w, not 'x'"),
        (f"{CLASSICAL} 0 0 b 0 x", "'x' is not a number"),
        (f"{CLASSICAL} 0 0 b 1 1", ""),
        (f"{CLASSICAL.replace('8/9', '8/8')} b", "row E has 8 cells, not 9: '8'"),
        (f"{CLASSICAL.replace('8/9', '9')} b", "8 rows, not 9"),
        (f"{CLASSICAL.replace('8/9', '8/0')} b", "'0' in row E; expected S, s or 1 to 9"),
        (f"{CLASSICAL.replace('sssss/', 'sssssss/')} b", "row I has 7 cells, not 5"),
        (f"{CLASSICAL.replace('/9/', '/s8/')} b", "white has 15 marbles; a side has 9 to 14"),
        (f"{CLASSICAL.replace('SSSSSS/SSSSS', '6/5')} b", "black has 3 marbles; a side has 9 to 14"),
        (f"{CLASSICAL.replace('SSSSSS/', 'SSSSS1/')} 0 0 b 0 0", "13 black and 14 white .* no pair .* 0 and 1 lost"),
        ("moves=0", "'moves=0' is not a number of 1 to 10000"),
        ("repetition=x", "'repetition=x' is not a number of 0 to 10000"),
        ("depth=3", "no setting 'depth'"),
    ],
)
def test_a_setting_that_cannot_be(setting: str, what: str) -> None:
    if not what:  # the other pair fits
        assert find_game(f"abalone:{setting}").position().any()
        return
    with pytest.raises(GotoolsError, match=what):
        find_game(f"abalone:{setting}")


def test_a_game_without_settings_says_so() -> None:
    with pytest.raises(GotoolsError, match="go has no settings"):
        find_game("go:big")


def test_the_symmetries_are_twelve_and_keep_neighbours() -> None:
    assert len({tuple(image) for image in SYMMETRIES}) == 12
    pairs = {frozenset((a, int(b))) for a in range(61) for b in k.NEXT[a] if b >= 0}
    assert len(pairs) == 156
    for image in SYMMETRIES:
        assert {frozenset(image[cell] for cell in pair) for pair in pairs} == pairs


# evaluations ----------------------------------------------------------------------------------------------------------


def steps_to_centre(cell: tuple[int, int]) -> int:
    row, number = cell[0] - 5, cell[1] - 5
    return max(abs(row), abs(number), abs(row - number))


def plain_values(position: Plain) -> tuple[float, float]:
    """Return both evaluations, not scaled, by the words of docs/abalone.md."""
    steps, contacts = [], []
    for cells in position:
        steps.append(sum(map(steps_to_centre, cells)) + 5 * (14 - len(cells)))
        contacts.append(sum(step(cell, direction) in cells for cell in cells for direction in DIRECTIONS) / 2)
    mine, other = position
    centre = steps[1] - steps[0]
    return centre, centre + 0.5 * (contacts[0] - contacts[1]) + 5 * (len(mine) - len(other))


@pytest.mark.parametrize("start", ["classical", "alien-attack"])
def test_evaluations_are_those_of_plain_rules(start: str) -> None:
    scales = [float(heuristic.numbers[0]) for heuristic in (CENTRE, TERMINATOR)]
    for state in games(find_game(f"abalone:{start}"), 3, 300):
        found = [heuristic.evaluate(state, heuristic.numbers) for heuristic in (CENTRE, TERMINATOR)]
        expected = [scale * value for scale, value in zip(scales, plain_values(plain(state)), strict=True)]
        assert found == pytest.approx(expected)
        assert max(map(abs, found)) < 1
    assert scales[0] == pytest.approx(1 / 71)


def test_heuristics_by_their_names() -> None:
    assert ABALONE.find_heuristic() is CENTRE
    assert ABALONE.find_heuristic("terminator") is TERMINATOR
    with pytest.raises(GotoolsError, match="abalone has no heuristic 'terminater'; did you mean 'terminator'"):
        ABALONE.find_heuristic("terminater")


def test_names_of_cells_are_those_of_the_twin() -> None:
    assert sorted(NAMES) == sorted(name(cell) for cell in CELLS)
    found: Any = {(NAMES[a], NAMES[int(b)]) for a in range(61) for b in k.NEXT[a] if b >= 0}
    assert found == {
        (name(cell), name(step(cell, direction)))
        for cell in CELLS
        for direction in DIRECTIONS
        if step(cell, direction) in CELLS
    }
