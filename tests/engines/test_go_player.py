"""The player of Go through both searches: what it may never do, when it passes, what it says of its moves."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
import pytest
from sgfmill import boards
from support.asking import ask
from support.positions import CORNER, DAME, SEKI, TWO_EYES, board_of

from gotools.base.errors import GotoolsError
from gotools.engines.player import Player
from gotools.engines.players import new_player
from gotools.game.choice import Choice, Limits
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.estimate.status import dead_points, final_score
from gotools.games.go.points import PASS, parse_vertex

QUICK = Limits(nodes=60)


@pytest.fixture(params=("mcts", "alphabeta"))
def player(request: pytest.FixtureRequest) -> Player:
    return new_player(search=request.param)


def points(text: str, size: int) -> list[int]:
    return [parse_vertex(name, size) for name in text.split()]


def passed(text: str, colour: int) -> Board:
    """Make a position in which a colour has just passed."""
    board = board_of(text)
    board.play_point(PASS, colour)
    return board


def without_time(choice: Choice) -> Choice:
    """Leave out the seconds."""
    return replace(choice, reason="")


# never ----------------------------------------------------------------------------------------------------------------


BLACK_CAN_RETAKE = """
O.XO.
XXXOO
OXX.O
OX.XO
.OXO."""
WHITE_CAN_RETAKE = """
XX...
XXXXO
XXOO.
O.OXO
OOO.X"""


@pytest.mark.parametrize(
    ("text", "colour", "takes", "retakes"),
    [(BLACK_CAN_RETAKE, WHITE, "C2", "C1"), (WHITE_CAN_RETAKE, BLACK, "E3", "E2")],
)
def test_what_looks_best_is_not_played_where_it_repeats_a_position(
    player: Player, text: str, colour: int, takes: str, retakes: str
) -> None:
    """A ko is taken and both sides pass: to take it back is legal by simple ko, not by positional superko."""
    board = board_of(text)
    board.play_point(parse_vertex(takes, 5), colour)
    back = parse_vertex(retakes, 5)
    fresh = Board.from_cells(board.cells, 5, to_play=3 - colour)
    assert ask(player, fresh, 3 - colour, 0.5, Limits(nodes=500)).move == back
    for passing in (3 - colour, colour):
        board.play_point(PASS, passing)
    assert board.is_legal(back, 3 - colour)
    player.forget()
    choice = ask(player, board, 3 - colour, 0.5, Limits(nodes=500))
    assert choice.move != back and all(option.move != back for option in choice.options)


def test_two_stones_sent_to_take_one_may_not_be_sent_again(player: Player) -> None:
    """On 2x2 the only point left would bring the first position back."""
    board = Board(2)
    for colour, name in ((BLACK, "A1"), (WHITE, "B2"), (BLACK, "B1"), (WHITE, "A2"), (BLACK, "A1"), (WHITE, "B1")):
        assert board.is_legal(parse_vertex(name, 2), colour, ko="positional")
        board.play_point(parse_vertex(name, 2), colour)
    assert board.legal_points(BLACK) == points("A1", 2)
    assert ask(player, board, BLACK, 0.5, QUICK).move == PASS


def test_a_board_full_but_for_one_point(player: Player) -> None:
    full = board_of("XXX/X.X/XXX".replace("/", "\n"))
    assert ask(player, full, BLACK, 0.5, QUICK).move == PASS  # its last eye
    assert ask(player, full, WHITE, 0.5, QUICK).move == parse_vertex("B2", 3)  # takes all of it


# passing --------------------------------------------------------------------------------------------------------------

SETTLED = """
.X.XXXO.O
XX.X.XOOO
XXXXXXO.O
X.XXXOOOO
XXX.XOO.O
XXXXXXOOO
X.XX.XO.O
XXXXXXOOO
.X.X.XO.O"""
"""No point is left to play but eyes, and points between them that are black's or white's for sure."""

UNSETTLED = """
.........
..X...O..
..X...O..
..X...O..
..X..OO..
..XXXXO..
...X.XO..
..X.X.O..
........."""


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("lead", [-20.5, -2.5, 2.5, 20.5])
def test_nobody_plays_on_where_every_point_is_settled(player: Player, colour: int, lead: float) -> None:
    board = board_of(SETTLED)
    komi = board.area_score() + lead
    choice = ask(player, board, colour, komi, QUICK)
    assert choice.move == PASS and choice.nodes == 0
    wins = (lead < 0) == (colour == BLACK)
    assert choice.chance == (1.0 if wins else 0.0)
    assert choice.lead == pytest.approx(abs(lead) if wins else -abs(lead))
    assert "settled" in choice.reason


def test_a_pass_is_answered_by_a_pass_where_the_game_is_won_and_else_not(player: Player) -> None:
    """The same position: komi decides."""
    board = passed(UNSETTLED, WHITE)
    for komi, over in ((-20.5, True), (20.5, False), (-20.0, True), (20.0, False)):
        assert (ask(player, board, BLACK, komi, QUICK).move == PASS) == over
    assert ask(player, board_of(UNSETTLED), BLACK, -20.5, QUICK).move != PASS  # nobody passed


def test_whoever_wants_reports_gets_the_same_pass(player: Player) -> None:
    for board, komi in ((board_of(SETTLED), 0.5), (passed(UNSETTLED, WHITE), -20.5)):
        assert ask(player, board, BLACK, komi, QUICK, lambda choice: None).move == PASS


@pytest.mark.parametrize("nodes", range(1, 130, 6))
def test_a_neutral_point_is_taken_where_it_wins(player: Player, nodes: int) -> None:
    """Both have as much, komi is 0.5, and White passes too early: wherever the search breaks off, Black plays on."""
    board = passed(DAME, WHITE)
    assert ask(player, board, BLACK, 0.5, Limits(nodes=nodes)).move in points("C1 C2 C3 C4 C5", 5)
    assert ask(player, passed(DAME, BLACK), WHITE, 0.5, Limits(nodes=nodes)).move == PASS


@pytest.mark.parametrize("nodes", [20, 150, 400])
def test_dead_stones_do_not_win_a_game_by_a_pass(player: Player, nodes: int) -> None:
    """Black is 7 points ahead on the board as it stands, 6 behind once the stone in the corner is taken off."""
    board = passed(CORNER, WHITE)
    assert board.area_score() == 7 and final_score(board, 0.0) == -6
    assert ask(player, board, BLACK, 0.5, Limits(nodes=nodes)).move != PASS


def test_an_own_pass_is_not_the_opponents(player: Player) -> None:
    board = passed(UNSETTLED, BLACK)
    choice = ask(player, board, BLACK, -20.5, QUICK)
    assert choice.move != PASS and board.is_legal(choice.move, BLACK)


def test_after_two_passes_there_is_still_an_answer(player: Player) -> None:
    for text in (UNSETTLED, SETTLED, DAME):
        board = passed(text, BLACK)
        board.play_point(PASS, WHITE)
        point = ask(player, board, BLACK, 20.5, QUICK).move
        assert point == PASS or board.is_legal(point, BLACK)
        assert (point == PASS) == (text == SETTLED)


@pytest.mark.parametrize("komi", [0.5, 22.5, 30.5, 60.5])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_seki_is_left_alone(player: Player, colour: int, komi: float) -> None:
    """White passes on and on; whoever fills one of the two liberties that both chains have loses everything there."""
    board = board_of(SEKI)
    inside = points("C4 E7", 7)
    for _ in range(30):
        board.play_point(PASS, 3 - colour)
        point = ask(player, board, colour, komi, QUICK).move
        board.play_point(point, colour)
        assert [board.liberties(stone) for stone in inside] == [points("D4 D7", 7)] * 2, board
        if point == PASS:
            return
    raise AssertionError(board)


DEAD_INSIDE = """
.X.X.OO
XXXXXO.
O..XXOO
..OXOO.
XXXXXOO
X.X.XO.
.X.XXOO"""


@pytest.mark.parametrize("komi", [-10.5, 60.5])
def test_cleanup_takes_dead_stones_off_before_it_passes(player: Player, komi: float) -> None:
    board = passed(DEAD_INSIDE, WHITE)
    dead = dead_points(board)
    assert sorted(dead) == sorted(points("A5 C4", 7))
    mine = np.flatnonzero(board.cells == BLACK)
    if komi < 0:
        assert ask(player, board, BLACK, komi, QUICK).move == PASS
    for _ in range(12):
        point = ask(player, board, BLACK, komi, QUICK, cleanup=True).move
        if point == PASS:
            break
        board.play_point(point, BLACK)
        board.play_point(PASS, WHITE)
    assert point == PASS
    assert all(board.colour(stone) != WHITE for stone in dead)
    assert (board.cells[mine] == BLACK).all()


# options of a choice --------------------------------------------------------------------------------------------------


def test_only_allowed_points_are_chosen(player: Player) -> None:
    board = board_of(UNSETTLED)
    for names in ("A1 A2 J9", "E5", "C2"):
        choice = ask(player, board, WHITE, 7.5, QUICK, allowed=points(names, 9))
        legal = [point for point in points(names, 9) if board.is_legal(point, WHITE)]
        assert choice.move in (legal or [PASS])
        assert {option.move for option in choice.options} <= {*legal, PASS}
    assert ask(player, board, WHITE, 7.5, QUICK, allowed=[PASS]).move == PASS


@pytest.mark.parametrize("size", [2, 3, 19])
def test_all_sizes(player: Player, size: int) -> None:
    board = Board(size)
    for colour in (BLACK, WHITE, WHITE, BLACK):  # two moves in a row, too
        choice = ask(player, board, colour, 0.5, Limits(nodes=40))
        assert board.is_legal(choice.move, colour, ko="positional")
        board.play_point(choice.move, colour)


def check_shape(choice: Choice, size: int) -> None:
    """Check what callers count on, whatever was chosen."""
    assert choice.line[0] == choice.move and choice.options
    assert 0.0 <= choice.chance <= 1.0
    for option in choice.options:
        assert option.line[0] == option.move and (option.move == PASS or 0 <= option.move < size * size)
        assert 0.0 <= option.chance <= 1.0 and 0.0 <= option.prior <= 1.0
    assert len({option.move for option in choice.options}) == len(choice.options)
    if choice.nodes:
        assert sum(option.visits for option in choice.options) <= choice.nodes + 1
        assert all(option.visits > 0 for option in choice.options)


@pytest.mark.parametrize("text", [UNSETTLED, SETTLED, CORNER, TWO_EYES])
def test_the_board_is_not_changed(player: Player, text: str) -> None:
    board = board_of(text)
    for passing in (BLACK, WHITE):
        state, hash_before = board.state.copy(), board.hash
        check_shape(ask(player, board, WHITE, 0.5, QUICK), board.side)
        assert (board.state == state).all() and board.hash == hash_before
        assert all(board.is_legal(p, WHITE, ko="positional") for p in board.legal_points(WHITE))  # no history came in
        board.play_point(PASS, passing)


@pytest.mark.parametrize("search", ["mcts", "alphabeta"])
def test_the_same_seed_and_nodes_give_the_same_answer(search: str) -> None:
    board, limits = board_of(UNSETTLED), Limits(nodes=300)
    first, again, other = (new_player(search=search, seed=seed) for seed in (1, 1, 2))
    choice = without_time(ask(first, board, WHITE, 7.5, limits))
    assert without_time(ask(again, board, WHITE, 7.5, limits)) == choice
    ask(first, board, BLACK, -3.5, limits)
    first.forget()
    assert without_time(ask(first, board, WHITE, 7.5, limits)) == choice
    if search == "mcts":
        assert without_time(ask(other, board, WHITE, 7.5, limits)) != choice


def test_another_komi_is_another_game(player: Player) -> None:
    """What the search remembers of positions must not hold their values with the komi of before."""
    board = board_of(UNSETTLED)
    values = [ask(player, board, BLACK, komi, Limits(nodes=300)).chance for komi in (-60.5, 60.5, -60.5)]
    assert values[0] == values[2] > 0.8
    assert values[1] < 0.2


def test_an_unknown_search_is_named() -> None:
    with pytest.raises(GotoolsError, match="guess"):
        new_player(search="guess")


# limits ---------------------------------------------------------------------------------------------------------------


def in_time(seconds: float, choose: threading.Thread) -> None:
    choose.start()
    choose.join(seconds)
    assert not choose.is_alive()


class Asking(Collection[int]):
    """Points that record when they are first looked at, which is before the search begins."""

    def __init__(self, every: list[int], first: threading.Event) -> None:
        self._every, self._first = every, first

    def __iter__(self) -> Iterator[int]:
        self._first.set()
        return iter(self._every)

    def __len__(self) -> int:
        return len(self._every)

    def __contains__(self, point: object) -> bool:
        return point in self._every


@pytest.mark.parametrize("early", [False, True])
def test_an_endless_search_is_stopped_whenever_the_word_comes(player: Player, early: bool) -> None:
    """`early`: before the search proper has begun."""
    answers, reports = [], []
    if early:
        word = threading.Event()
        word.set = player.stop  # type: ignore[method-assign]
        every: Collection[int] = Asking(list(range(81)), word)
    else:
        every = range(81)

    def report(choice: Choice) -> None:
        reports.append(choice)
        if not early:
            player.stop()

    thread = threading.Thread(
        target=lambda: answers.append(ask(player, Board(9), BLACK, 7.5, Limits(), report, allowed=every)), daemon=True
    )
    in_time(20.0, thread)
    assert answers[0].move in range(81)
    assert early or reports[0].options


def test_without_any_time_there_is_a_legal_answer(player: Player) -> None:
    for board in (Board(9), board_of(UNSETTLED), passed(UNSETTLED, BLACK)):
        choice = ask(player, board, WHITE, -7.5, Limits(seconds=0.0))
        assert board.is_legal(choice.move, WHITE)


WON_AFTER_CAPTURES = """
X.X.OXO.O
X.X.O.O.O
X.X.O.O.O
X.X.O.O.O
X.XXOOOOO
X.X.O.O.O
X.X.O.O.O
X.X.O.O.O
XXX.OXO.O"""
"""White's, once the two black stones on the F file are off the board."""


@pytest.mark.parametrize("search", ["mcts", "alphabeta", "network"])
def test_where_all_stones_count_as_alive_dead_ones_are_taken_before_a_pass(search: str) -> None:
    """The board is counted by sgfmill, as it stands."""
    player = new_player() if search == "network" else new_player(search=search, evaluation="none")
    board = passed(WON_AFTER_CAPTURES, BLACK)
    komi = board.area_score() - 0.5
    assert ask(player, board, WHITE, komi, QUICK).move == PASS
    for _ in range(12):
        point = ask(player, board, WHITE, komi, QUICK, alive=True).move
        board.play_point(point, WHITE)
        if point == PASS:
            break
        board.play_point(PASS, BLACK)
    plain = boards.Board(9)
    for colour, (row, column) in board.list_occupied_points():
        plain.board[row][column] = colour
    assert point == PASS and plain.area_score() < komi
