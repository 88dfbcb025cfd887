"""Board: sgfmill's interface, drawing, superko."""

import random

import numpy as np
import pytest
from sgfmill import ascii_boards, boards, sgf, sgf_moves
from support.position_text import parse_position, position_text

from gotools.games.go.board import Board, draw
from gotools.games.go.points import NONE, PASS


def board_of(text, **more):
    """Make a board from rows such as ".X. XX. ...", top row first."""
    cells, size = parse_position(text.replace(" ", "/"))
    return Board.from_cells(cells, size, **more)


@pytest.mark.parametrize(
    ("before", "move", "colour", "after"),
    [
        ("... ... ...", (1, 1), "b", "... .X. ..."),
        (".O. OX. .O.", (1, 2), "w", ".O. O.O .O."),
        (".XO. XXO. OOO. ....", (3, 0), "w", "O.O. ..O. OOO. ...."),  # three stones at their last liberty
        (".XO. XO.. O... ....", (3, 0), "w", "O.O. .O.. O... ...."),  # two chains at once
    ],
)
def test_captures(before, move, colour, after):
    board = board_of(before)
    twin = boards.Board(board.side)
    twin.board = board.board
    assert board.play(*move, colour) == twin.play(*move, colour) is None
    assert board.board == twin.board
    assert position_text(board.cells, board.side) == after.replace(" ", "/")


@pytest.mark.parametrize(
    ("before", "move", "colour", "after"),
    [
        (".O. O.. ...", (2, 0), "b", ".O. O.. ..."),  # one stone
        ("XO. .O. OO.", (1, 0), "b", ".O. .O. OO."),  # two stones
        (".X X.", (0, 1), "b", ".X XX"),  # no suicide: A2 stays free
        (".X XX", (1, 0), "b", ".. .."),  # the whole board
    ],
)
def test_suicide_is_played_where_it_is_allowed(before, move, colour, after):
    board = board_of(before)
    twin = boards.Board(board.side)
    twin.board = board.board
    assert board.play(*move, colour) is None
    twin.play(*move, colour)
    assert position_text(board.cells, board.side) == after.replace(" ", "/")
    assert board.board == twin.board


def test_ko():
    board = board_of(".XO. X.XO .XO. ....")
    assert board.play(2, 1, "w") == (2, 2)
    assert position_text(board.cells, 4) == ".XO./XO.O/.XO./...."
    assert board.ko == 2 * 4 + 2
    assert board.why_illegal(board.ko, 1) == "ko"
    assert board.is_legal(board.ko, 2)
    board.play_point(PASS, 1)
    assert board.ko == NONE
    assert board.is_legal(2 * 4 + 2, 1)


def test_two_stones_taken_are_no_ko():
    board = board_of("XXO. O.O. .O.. ....")
    assert board.play(2, 1, "w") is None
    assert position_text(board.cells, 4) == "..O./OOO./.O../...."


def test_positional_superko_forbids_exactly_the_repetitions():
    """On 2x2 the whole board is taken again and again; simple ko sees none of it."""
    rng = random.Random(5)
    refused = 0
    for _ in range(30):
        board, seen, colour = Board(2), set(), 1
        seen.add(position_text(board.cells, 2))
        for _ in range(40):
            legal = []
            for point in range(4):
                if not board.is_legal(point, colour):
                    continue
                after = board.copy()
                after.play_point(point, colour)
                repeats = position_text(after.cells, 2) in seen
                assert board.is_legal(point, colour, ko="positional") != repeats
                refused += repeats
                if not repeats:
                    legal.append(point)
            if not legal:
                break
            board.play_point(rng.choice(legal), colour)
            seen.add(position_text(board.cells, 2))
            colour = 3 - colour
    assert refused > 10


def test_copies_are_independent():
    board = Board(5)
    board.play(0, 0, "b")
    other = board.copy()
    other.play(4, 4, "w")
    assert board.get(4, 4) is None
    assert other.get(0, 0) == "b"
    assert not board.is_legal(0, 2)
    assert board.hash != other.hash


def test_equal_stones_have_equal_hashes():
    one, two = Board(9), Board(9)
    for row, col, colour in ((2, 3, "b"), (4, 4, "w"), (6, 6, "b")):
        one.play(row, col, colour)
    for row, col, colour in ((6, 6, "b"), (2, 3, "b"), (4, 4, "w")):
        two.play(row, col, colour)
    assert one.hash == two.hash
    assert len({Board(9).hash, one.hash}) == 2


@pytest.mark.parametrize("size", [-1, 0, 1, 20])
def test_sizes_that_cannot_be(size):
    with pytest.raises(ValueError, match="2 to 19"):
        Board(size)


def test_bad_moves_are_refused_as_in_sgfmill():
    board = Board(5)
    board.play(1, 1, "b")
    with pytest.raises(ValueError, match="B2 is occupied"):
        board.play(1, 1, "w")
    for row, col in ((-1, 0), (0, -1), (5, 0), (0, 5)):
        with pytest.raises(IndexError):
            board.play(row, col, "b")
        with pytest.raises(IndexError):
            board.get(row, col)


def test_sgfmill_fills_and_reads_our_board():
    text = b"(;SZ[9]AB[aa][ba]AW[ii]PL[W];W[ee])"
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(text), Board(9))
    twin, _ = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(text))
    assert plays == [("w", (4, 4))]
    assert board.list_occupied_points() == twin.list_occupied_points()
    game = sgf.Sgf_game(size=9)
    sgf_moves.set_initial_position(game, board)
    assert game.get_root().get_setup_stones()[0] == {(8, 0), (8, 1)}
    assert ascii_boards.render_board(board) == ascii_boards.render_board(twin)


def test_setup_removes_what_cannot_live():
    for seed in range(40):
        rng = random.Random(seed)
        size = rng.choice((2, 3, 5))
        points = [divmod(p, size) for p in range(size * size)]
        rng.shuffle(points)
        cuts = sorted(rng.randrange(len(points) + 1) for _ in range(2))
        stones = points[: cuts[0]], points[cuts[0] : cuts[1]], points[cuts[1] :]
        ours, twin = Board(size), boards.Board(size)
        assert ours.apply_setup(*stones) == twin.apply_setup(*stones)
        assert ours.board == twin.board
        assert ours.is_empty() == twin.is_empty()
    with pytest.raises(IndexError):
        Board(3).apply_setup([(3, 0)], [], [])


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("... ... ...", 0),
        ("... .X. ...", 9),
        (".X. XX. OO.", 4 - 2),  # C2, C3 and C1 touch both
        (".X.O .X.O .X.O .X.O", 8 - 4),
        ("X.O X.O X.O", 0),
        (".X.X. XXXXX ..... OOOOO .O.O.", 0),
    ],
)
def test_area_score(text, score):
    board = board_of(text)
    assert board.area_score() == score
    twin = boards.Board(board.side)
    twin.board = board.board
    assert twin.area_score() == score


def test_drawing():
    text = " 3  . . O\n 2  . X .\n 1  . . .\n    A B C"
    board = board_of("..O .X. ...")
    assert str(board) == board.diagram() == draw(board.cells, 3) == text
    for size in (9, 10, 19):
        theirs = ascii_boards.render_board(boards.Board(size)).split()
        assert str(Board(size)).split() == theirs


def test_a_chain_without_liberties_makes_no_board():
    with pytest.raises(ValueError, match="no liberties"):
        Board.from_cells(np.array([1, 1, 2, 2], np.uint8), 2)
