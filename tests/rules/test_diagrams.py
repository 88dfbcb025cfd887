"""Diagrams: pictures for a table of clauses, and every stone where the clause says."""

import re
from textwrap import dedent

import pytest
from hypothesis import given
from support.clauses import rule_of, rules

from gotools.rules.clauses.rules import Rule
from gotools.rules.explain.diagrams import MARKS, REACH, diagram, diagram_text
from gotools.rules.explain.scene import read_scene


@pytest.mark.parametrize(
    ("body", "picture"),
    [
        (
            "pos_gen(E), block_on_pos(A,C,D,F,2,1,E), block_color(A,F,G), opposite(B,G)",
            """
            . . . . .
            . . . O .
            . * . . .
            . . . . .
            """,
        ),
        (
            "pos_gen(E), edge_ver(C,D,-2,E), block_on_pos(A,C,D,F,2,0,E), block_color(A,F,B), liberty_cnt(A,F,3)",
            """
            | . . . . .
            | . * . X .
            | . . . . .
            X 3 liberties
            """,
        ),
        (
            "pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-3,E), stage(A,open)",
            """
            . . . . |
            . * . . |
            . . . . |
            . . . . |
            --------+
            """,
        ),
        (
            "pos_gen(E), edge_ver(C,D,-5,E), edge_hor(C,D,-9,E), atari(A,F,C,D,B), stone_cnt(A,F,N), range(N,5,99)",
            """
            -------
            . * o .
            . . . .
            * on a middle line
            o 5+ stones, 2
              liberties
            """,
        ),
        (
            "connects_direct(A,E,C,D,B), liberty_cnt(A,E,1), connects_direct(A,F,C,D,B), stone_cnt(A,F,1)",
            """
            . . . . .
            . y * x .
            . . . . .
            x in atari
            y own, 1 stone
            """,
        ),
        (
            "pos_gen(E), block_on_pos(A,C,D,F,-2,1,E), block_on_pos(A,C,D,F,-2,2,E), block_color(A,F,B)",
            """
            . . . . .
            . X . . .
            . X . . .
            . . . * .
            . . . . .
            X one chain
            """,
        ),
        (
            "pos_gen(E), block_on_pos(A,C,D,F,-3,0,E), connects_direct(A,F,C,D,B), block_color(A,F,B)",
            """
            . . . . . .
            X . . * x .
            . . . . . .
            X beside *
            """,
        ),
        (
            "pos_gen(E), block_on_pos(A,C,D,F,1,0,E), block_color(A,F,G), connects_indirect(A,H,C,D,B)",
            """
            . . . .
            . . x .
            . * A .
            . . . .
            x two-way link
            """,
        ),
        (
            "block_on_pos(A,C,D,F,0,2,E), block_color(A,F,G), captures(A,H,C,D,G)",
            """
            . . . .
            . B . .
            . . . .
            . * a .
            . . . .
            B either colour
            a colour other than
              B, in atari
            """,
        ),
        (
            "atari(A,F,C,D,B), connects_direct(A,G,C,D,B), liberty(A,F,L), liberty(A,G,L)",
            """
            . . . . .
            . x * o .
            . . . . .
            o 2 liberties
            o, x share a
              liberty
            """,
        ),
    ],
)
def test_pictures(body: str, picture: str) -> None:
    assert [line.rstrip() for line in diagram(rule_of(body))] == dedent(picture).strip().splitlines()


ROW = re.compile(r"(\| )?[.*A-Za-z]( [.*A-Za-z])*( \|)?")
BORDER = re.compile(r"\+?-+\+?")


def stones_and_edges(lines: list[str]) -> tuple[dict[tuple[int, int], str], dict[str, int]]:
    """Parse a drawing: signs by offset from the move, and the line of the move from each edge that is drawn."""
    board = [line for line in lines if ROW.fullmatch(line)]
    row = next(i for i, line in enumerate(board) if "*" in line)
    column = board[row].index("*")
    points = ((x, y) for y, line in enumerate(board) for x, sign in enumerate(line) if sign.isalpha())
    signs = {((x - column) // 2, row - y): board[y][x] for x, y in points}
    edges = {}
    if board[0].startswith("|"):
        edges["left"] = column // 2
    if board[0].endswith("|"):
        edges["right"] = (len(board[0]) - 1 - column) // 2
    if BORDER.fullmatch(lines[0]):
        edges["top"] = row + 1
    if any(BORDER.fullmatch(line) for line in lines[1:]):
        edges["bottom"] = len(board) - row
    return signs, edges


@given(rules())
def test_any_clause_is_drawn_as_it_says(rule: Rule) -> None:
    lines = diagram(rule)
    assert len({len(line) for line in lines}) == 1
    assert all(line.isascii() for line in lines)
    scene = read_scene(rule)
    if scene.contradictory:
        return  # drawn, but not where anything could stand
    signs, edges = stones_and_edges([line.rstrip() for line in lines])
    placed = {offset: chain.colour.side for chain in scene.chains for offset in chain.offsets}
    assert {offset for offset, sign in signs.items() if sign.isupper()} == set(placed)
    assert all(signs[offset] in MARKS[side] for offset, side in placed.items())
    names = {(0, -1): "left", (0, 1): "right", (1, -1): "bottom", (1, 1): "top"}
    wanted = {names[line.axis, line.side]: line.number for line in scene.lines if line.number <= REACH + 1}
    assert {name: edges.get(name) for name in wanted} == wanted
    assert len(edges) == len(wanted)  # on 9x9 no two opposite edges lie within reach


@given(rules())
def test_the_coloured_drawing_has_the_same_signs(rule: Rule) -> None:
    coloured = diagram_text(rule).plain.splitlines()
    assert [line.rstrip() for line in coloured] == [line.rstrip() for line in diagram(rule)]


def test_both_edges_of_a_small_board_are_drawn() -> None:
    assert diagram(rule_of("pos_gen(E), edge_ver(C,D,-2,E), stage(A,open)"), 3)[0] == "| . . . |"
