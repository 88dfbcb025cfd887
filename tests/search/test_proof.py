"""Proof-number search: mates of shogi by the package cshogi, and circles of positions by attractors of graphs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.graph_game import GRAPH, GRAPH_GAME, NODE, NODES, tries
from support.minimax import result
from support.needs import ROOT

from gotools.base.errors import GotoolsError
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.goals import Goal
from gotools.game.records.reading import read_records
from gotools.game.records.replay import replayed
from gotools.games.shogi.board import read_sfen, write_sfen
from gotools.games.shogi.kernels.attacks import in_check
from gotools.games.shogi.kernels.mate import gives_check
from gotools.games.shogi.kernels.pieces import DECLARE, LIMIT, PLIES
from gotools.games.shogi.mate import MATE
from gotools.games.shogi.shogi import SHOGI
from gotools.jit.kernels.seams import REACHED, SIZE, TO_PLAY
from gotools.library.solving import solve as solve_file
from gotools.search.proof import Proof, ProofSearch

State = NDArray[np.int32]
FILE = ROOT / "examples/shogi/mates.sfen"
MATES = [line for line in FILE.read_text().splitlines() if line[0] != "#"]
ENOUGH = 200_000
"""Nodes: half a second of a core."""


def solved(sfen: str, nodes: int | None = ENOUGH, table_bits: int = 20) -> Proof:
    return solve(read_sfen(sfen), nodes, table_bits)


def solve(state: State, nodes: int | None = ENOUGH, table_bits: int = 20) -> Proof:
    return ProofSearch(SHOGI, table_bits).solve(state, Limits(nodes=nodes), MATE.ask(state, ())[0].goal)


def late_positions(games: int, each: int) -> list[State]:
    """Return positions of the last moves of games of examples/shogi."""
    rng, found = random.Random(3), list[State]()
    records = [record for _, record in read_records([ROOT / "examples/shogi/test-games.sgf"], SHOGI, print)]
    for record in rng.sample(records, games):
        found += rng.sample([decision.state for decision in replayed(record, SHOGI)][-30:], each)
    return found


def mates_by_cshogi(cshogi: Any, board: Any, plies: int) -> bool:
    search = cshogi.DfPn()
    search.set_max_depth(plies)
    search.set_max_search_node(1_000_000)
    return bool(search.search(board))


# shogi ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sfen", MATES)
def test_a_mate_is_found_and_its_line_is_legal_and_mates(sfen: str) -> None:
    cshogi = pytest.importorskip("cshogi")
    board, proof = cshogi.Board(sfen), solved(sfen)
    assert proof.reached and proof.nodes < ENOUGH
    assert mates_by_cshogi(cshogi, board, 11)
    for ply, move in enumerate(proof.line):
        text = SHOGI.move_text(move, 9)
        assert text in {cshogi.move_to_usi(one) for one in board.legal_moves}
        board.push_usi(text)
        assert board.is_check() == (ply % 2 == 0)
    assert board.is_game_over() and len(proof.line) % 2 == 1


def test_the_shortest_mates_take_as_many_plies_as_the_file_says() -> None:
    """As a search of all checks says that knows neither numbers nor a table, of 3 and 5 plies."""
    found = solve_file(FILE, game="shogi", shortest=True).solved
    assert [len(one.line) for one in found] == [plies for plies in (3, 5, 7, 9) for _ in range(25)]
    assert {one.answer for one in found} == {"mate"}
    for number in range(0, 50, 10):
        state, plies = read_sfen(MATES[number]), 3 + 2 * (number // 25)
        assert mates_within(state, plies) and not mates_within(state, plies - 2)


def mates_within(state: State, plies: int) -> bool:
    """Return whether the side to play mates by so many plies of checks, or fewer."""
    if plies < 1:
        return False
    for move in SHOGI.moves_of(state):
        child = SHOGI.play(state, move)
        if move != DECLARE and in_check(child):
            answers = SHOGI.moves_of(child)
            if not answers or (plies > 2 and all(mates_within(SHOGI.play(child, a), plies - 2) for a in answers)):
                return True
    return False


def test_what_mates_and_what_does_not_is_as_cshogi_says() -> None:
    """Neither search is asked about positions that it does not decide, nor cshogi about a side in check."""
    cshogi, count = pytest.importorskip("cshogi"), {True: 0, False: 0}
    for state in late_positions(games=10, each=6):
        proof = solve(state)
        board = cshogi.Board(write_sfen(state))
        if proof.reached is not None:
            assert proof.reached == (mates_by_cshogi(cshogi, board, 31) or is_mate_in_1(board)), write_sfen(state)
            count[proof.reached] += 1
    assert count[True] > 10 and count[False] > 30


def is_mate_in_1(board: Any) -> bool:
    return not board.is_check() and bool(board.mate_move_in_1ply())


def test_checks_are_those_that_leave_the_king_attacked() -> None:
    checks = 0
    for state in late_positions(games=20, each=10):
        for move in SHOGI.moves_of(state):
            if move != DECLARE:
                assert gives_check(state, move) == in_check(SHOGI.play(state, move))
                checks += bool(gives_check(state, move))
    assert checks > 200


@pytest.mark.parametrize(
    ("sfen", "reached"),
    [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", True),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b P 1", False),  # a pawn's drop, by which the king is not mated
        ("7lk/7np/9/9/9/9/9/9/K8 b N 1", True),
        ("7nk/7l1/7GP/9/9/9/9/9/K8 b - 1", True),
        ("7nk/7l1/7G1/9/9/9/9/9/K8 b P 1", False),  # a pawn may not be dropped to mate
        ("9/9/9/9/9/9/9/9/K8 b R 1", False),  # no king to mate
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", False),  # who is mated mates nobody
    ],
)
def test_small_positions(sfen: str, reached: bool) -> None:
    assert solved(sfen, None).reached is reached


def test_a_game_near_its_limit_of_plies_is_drawn_unless_the_last_move_mates() -> None:
    state = read_sfen(MATES[30])  # a mate in 5
    for left, reached in ((5, True), (4, False), (0, False)):
        state[LIMIT] = state[PLIES] + left
        assert solve(state).reached is reached, left


@pytest.mark.parametrize("bits", [4, 8, 12])
def test_a_small_table_finds_the_same_mates(bits: int) -> None:
    """Positions that it has no room for are searched again."""
    for sfen in MATES[:25]:
        proof, state = solved(sfen, 2_000_000, bits), read_sfen(sfen)
        assert proof.reached in ((True,) if bits == 12 else (True, None))
        for move in proof.line:
            assert move in SHOGI.moves_of(state)
            state = SHOGI.play(state, move)
        assert not proof.line or not SHOGI.moves_of(state)


def test_the_same_nodes_give_the_same_answer() -> None:
    assert solved(MATES[-1]) == solved(MATES[-1])
    assert solved(MATES[-1], 10).reached is None


def test_a_game_without_a_goal_is_refused() -> None:
    with pytest.raises(GotoolsError, match="abalone has no goal that a side may force"):
        ProofSearch(find_game("abalone"))


# endings --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "plies", "positions"), [("tictactoe", 0, 1), ("tictactoe", 2, 20), ("connect4", 30, 40)]
)
def test_endings_are_those_of_minimax(name: str, plies: int, positions: int) -> None:
    game, rng, known, seen = find_game(name), random.Random(2), dict[bytes, int](), set[str]()
    for _ in range(positions):
        state = game.position()
        for _ in range(plies):
            if moves := game.moves_of(state):
                state = game.play(state, rng.choice(moves))
        answer = game.need(Goal).otherwise
        for question in game.need(Goal).ask(state, ()):
            if ProofSearch(game, 12).solve(state, Limits(), question.goal).reached:
                answer = question.answer
                break
        assert answer == {1: "win", 0: "draw", -1: "loss"}[result(game, state, known)]
        seen.add(answer)
    assert seen == {"draw"} if positions == 1 else len(seen) > 1


# circles --------------------------------------------------------------------------------------------------------------


def position(graph: int, node: int, side: int) -> State:
    state = np.zeros(GRAPH_GAME.cells, np.int32)
    state[SIZE], state[TO_PLAY], state[NODE], state[GRAPH] = 3, side, node, graph
    return state


def attractor(graph: int) -> set[tuple[int, int]]:
    """Return the nodes with a side to play from which side 1 reaches its goal: added until no more are."""
    moves = np.empty(GRAPH_GAME.longest, np.int32)
    goal, won, grows = np.array([1], np.int32), set[tuple[int, int]](), True
    while grows:
        grows = False
        for node in range(NODES):
            for side in (1, 2):
                state = position(graph, node, side)
                n = tries(state, goal, moves)
                after = [GRAPH_GAME.play(state, move) for move in range(max(n, 0))]
                inside = [(int(to[NODE]), int(to[TO_PLAY])) in won for to in after]
                reached = n == REACHED or (any(inside) if side == 1 else n > 0 and all(inside))
                if reached and (node, side) not in won:
                    won.add((node, side))
                    grows = True
    return won


@pytest.mark.parametrize("bits", [3, 12])
def test_circles_of_positions_are_no_way_to_a_goal(bits: int) -> None:
    """Every node of many graphs, decided as retrograde analysis does."""
    undecided, reached = 0, 0
    for graph in range(300):
        won = attractor(graph)
        for node in range(0, NODES, 3):
            for side in (1, 2):
                state = position(graph, node, side)
                proof = ProofSearch(GRAPH_GAME, bits).solve(state, Limits(nodes=20_000), np.array([1], np.int32))
                assert proof.reached in (None, (node, side) in won), (graph, node, side)
                undecided += proof.reached is None
                reached += proof.reached is True
    assert reached > 400 and undecided == (0 if bits == 12 else undecided)
