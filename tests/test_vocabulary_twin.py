"""The vocabulary has one meaning: go/background.pl in SWI-Prolog says what the kernels' facts say, on random positions.

Prolog is asked for every solution, and the answers are compared as sets: what a predicate should not hold of is
compared too.
"""

import random
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from gotools.go.board import Board
from gotools.go.vocabulary import CHAIN_RELATIONS, INTERVALS, STAGES
from gotools.patterns.facts import FactTable, Intervals, facts_of
from gotools.patterns.points import Points

BACKGROUND = Path(__file__).parents[1] / "gotools/go/background.pl"
LIBERTIES, STONES, COLOUR, SMALLEST = range(4)

DRIVER = """
show(Predicate, Row, Values) :- atomic_list_concat([Predicate, Row|Values], ' ', Line), write(Line), nl.

of_board(B, block_color, [F, C]) :- block_color(B, F, C).
of_board(B, liberty_cnt, [F, N]) :- liberty_cnt(B, F, N).
of_board(B, stone_cnt, [F, N]) :- stone_cnt(B, F, N).
of_board(B, liberty, [F, L]) :- liberty(B, F, L).
of_board(B, stage, [S]) :- stage(B, S).

of_point(B, X, Y, block_on_pos, [F, DX, DY, E]) :- pos_gen(E), block_on_pos(B, X, Y, F, DX, DY, E).
of_point(_, X, Y, edge_ver, [D, E]) :- pos_gen(E), edge_ver(X, Y, D, E).
of_point(_, X, Y, edge_hor, [D, E]) :- pos_gen(E), edge_hor(X, Y, D, E).
of_point(B, X, Y, atari, [F, C]) :- member(C, [b, w]), atari(B, F, X, Y, C).
of_point(B, X, Y, captures, [F, C]) :- member(C, [b, w]), captures(B, F, X, Y, C).
of_point(B, X, Y, connects_direct, [F, C]) :- member(C, [b, w]), connects_direct(B, F, X, Y, C).
of_point(B, X, Y, connects_indirect, [F, C]) :- member(C, [b, w]), connects_indirect(B, F, X, Y, C).

main :-
    forall(( example(Row, B, _, _), of_board(B, P, Values) ), show(P, Row, Values)),
    forall(( example(Row, B, X, Y), of_point(B, X, Y, P, Values) ), show(P, Row, Values)),
    forall(( between(1, 12, N), range(N, L, H) ), show(range, 0, [N, L, H])),
    forall(opposite(A, B), show(opposite, 0, [A, B])).
"""


def played_points(size: int, games: int, seed: int) -> Points:
    """A random point of a random position of each of some games that two random players played."""
    rng = random.Random(seed)
    boards, sides, asked = [], [], []
    for _ in range(games):
        board = Board(size)
        for _ in range(rng.randrange(size * size)):
            legal = board.legal_points(board.to_play)
            if not legal:
                break
            board.play_point(rng.choice(legal), board.to_play)
        empty = [p for p in range(size * size) if board.colour(p) == 0]
        boards.append(board.cells)
        sides.append(board.to_play)
        asked.append(rng.choice(empty))
    none, order = np.full(games, -1, np.int16), np.arange(games, dtype=np.int32)
    sizes = np.full(games, size, np.uint8)
    return Points(
        np.array(boards), sizes, np.array(sides, np.uint8), none, none, none, order, np.array(asked, np.int16)
    )


Answers = dict[str, set[tuple[object, ...]]]


def said_by_prolog(points: Points, folder: Path) -> Answers:
    """predicate -> {(row, value, ...)}"""
    size = int(points.size[0])
    lines = []
    for row, (board, point) in enumerate(zip(points.board, points.point.tolist(), strict=True)):
        lines.append(f"position(g{row}, {size}, cells({','.join('ebw'[c] for c in board)})).")
        lines.append(f"example({row}, g{row}, {point % size + 1}, {point // size + 1}).")
    lines.sort()  # a predicate's clauses together
    program = folder / "program.pl"
    program.write_text(f":- consult('{BACKGROUND}').\n:- dynamic example/4.\n" + "\n".join(lines) + DRIVER)
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    said: Answers = defaultdict(set)
    for line in done.stdout.splitlines():
        predicate, *fields = line.split()
        said[predicate].add(tuple(int(f) if f.lstrip("-").isdigit() else f for f in fields))
    return said


def said_by_kernels(points: Points) -> Answers:
    everywhere = type("AllChains", (), {"names_blocks": True, "evaluate": lambda self, points, facts: facts})()
    table = facts_of(points, Intervals.start(), everywhere)
    said: Answers = defaultdict(set)
    for row in range(len(points)):
        add_chains(said, table, row)
        add_window(said, table, row)
    said["range"] = {(0, n, low, high) for n in range(1, 13) for low, high in INTERVALS if low <= n <= high}
    said["opposite"] = {(0, "b", "w"), (0, "w", "b")}
    return said


def add_chains(said: Answers, table: FactTable, row: int) -> None:
    facts, own = table.facts, "_bw"[table.points.to_play[row]]
    other = "w" if own == "b" else "b"
    said["stage"].add((row, STAGES[facts.stage[row]]))
    for at in range(facts.start[row], facts.start[row + 1]):
        name = int(facts.number[SMALLEST, at]) + 1
        said["block_color"].add((row, name, own if facts.number[COLOUR, at] == 1 else other))
        said["liberty_cnt"].add((row, name, int(facts.number[LIBERTIES, at])))
        said["stone_cnt"].add((row, name, int(facts.number[STONES, at])))
        said["liberty"] |= {(row, name, p + 1) for p in table.liberties(at)}
        for bit, relation in enumerate(CHAIN_RELATIONS):
            for acting, shift in ((own, 0), (other, 4)):
                if facts.relation[at] >> (bit + shift) & 1:
                    said[relation].add((row, name, acting))


def add_window(said: Answers, table: FactTable, row: int) -> None:
    facts = table.facts
    names = facts.number[SMALLEST, facts.start[row] : facts.start[row + 1]] + 1
    for s in range(8):
        for which, name in enumerate(("edge_ver", "edge_hor")):
            said[name].add((row, int(facts.edge[which, row, s]), f"p{s + 1}"))
        for (dx, dy), block in zip(table.offsets, facts.window[:, row, s].tolist(), strict=True):
            if block:
                said["block_on_pos"].add((row, int(names[block - 1]), dx, dy, f"p{s + 1}"))


@pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog (swipl) is not installed")
@pytest.mark.parametrize(("size", "games"), [(5, 30), (9, 20), (13, 8)])
def test_prolog_and_the_kernels_mean_the_same(size: int, games: int, tmp_path: Path) -> None:
    points = played_points(size, games, seed=size)
    prolog, kernels = said_by_prolog(points, tmp_path), said_by_kernels(points)
    assert prolog.keys() == kernels.keys()
    for predicate, answers in kernels.items():
        assert prolog[predicate] == answers, predicate
    assert all(prolog[name] for name in CHAIN_RELATIONS), "the positions show every relation"
