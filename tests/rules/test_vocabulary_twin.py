"""The vocabulary has one meaning: games/go/background.pl in SWI-Prolog says what the kernels' facts say, at random.

Prolog gives every solution, and the answers are compared as sets: what a predicate should not hold of is
compared too.
"""

import random
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.needs import needs_swipl

from gotools.game.vocabulary import Measure
from gotools.games.go.board import Board
from gotools.games.go.shapes import LARGEST, Shape, shape_at
from gotools.games.go.vocabulary import BEYOND_ADVANCED, CHAIN_RELATIONS, INTERVALS, MEASURES, STAGES, VOCABULARIES
from gotools.rules.clauses.clauses import MEASURE_ROWS
from gotools.rules.clauses.facts import FactTable, Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.points import Points

BACKGROUND = Path(__file__).parents[2] / "gotools/games/go/background.pl"
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

of_point(B, X, Y, P, [DX, DY, E]) :-
    member(P, [empty_on_pos, outside_on_pos, last_on_pos, last2_on_pos]),
    pos_gen(E), between(-3, 3, DX), between(-3, 3, DY), (DX, DY) \\== (0, 0), call(P, B, X, Y, DX, DY, E).
of_point(B, X, Y, P, [N]) :- member(P, PLAIN), call(P, B, X, Y, N).
of_point(B, X, Y, P, [C]) :- member(P, CONDITIONS), member(C, [b, w]), call(P, B, X, Y, C).
of_point(B, X, Y, P, [C, N]) :- member(P, COLOURED), member(C, [b, w]), call(P, B, X, Y, C, N).

of_point(B, X, Y, shape, [C, S]) :- to_play(B, C), wanted(S), shape(B, X, Y, C, S).

main :-
    forall(( example(Row, B, _, _), of_board(B, P, Values) ), show(P, Row, Values)),
    forall(( example(Row, B, X, Y), of_point(B, X, Y, P, Values) ), show(P, Row, Values)),
    forall(( between(1, 12, N), range(N, L, H) ), show(range, 0, [N, L, H])),
    forall(opposite(A, B), show(opposite, 0, [A, B])).
"""


def names(wanted: Callable[[Measure], bool]) -> str:
    """Return measures as a list of Prolog."""
    return f"[{', '.join(m.name for m in MEASURES if wanted(m))}]"


DRIVER = DRIVER.replace("PLAIN", names(lambda m: not m.coloured))
DRIVER = DRIVER.replace("CONDITIONS", names(lambda m: m.coloured and not m.last))
DRIVER = DRIVER.replace("COLOURED", names(lambda m: m.coloured and bool(m.last)))


def played_points(size: int, games: int, seed: int) -> Points:
    """A random point of a random position of each of some games that two random players played."""
    rng = random.Random(seed)
    boards, sides, chosen, lasts, lasts2 = [], [], [], [], []
    for _ in range(games):
        board, moves = Board(size), [-1, -1]
        for _ in range(rng.randrange(size * size)):
            legal = board.legal_points(board.to_play)
            if not legal:
                break
            moves.append(-2 if rng.random() < 0.05 else rng.choice(legal))
            if moves[-1] >= 0:
                board.play_point(moves[-1], board.to_play)
        empty = [p for p in range(size * size) if board.colour(p) == 0]
        boards.append(board.cells)
        sides.append(board.to_play)
        hot = [p for p in empty if is_hot(board, p)]
        chosen.append(rng.choice(hot if hot and rng.random() < 0.8 else empty))
        lasts.append(moves[-1])
        lasts2.append(moves[-2])
    none, order = np.full(games, -1, np.int16), np.arange(games, dtype=np.int32)
    sizes, last, last2 = np.full(games, size, np.uint8), np.array(lasts, np.int16), np.array(lasts2, np.int16)
    return Points(
        np.array(boards), sizes, np.array(sides, np.uint8), none, last, last2, order, np.array(chosen, np.int16)
    )


def is_hot(board: Board, point: int) -> bool:
    """Return whether a chain with one or two liberties touches an empty point, or stones are on all sides of it."""
    x, y, size = point % board.side, point // board.side, board.side
    around = [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    beside = [v * size + u for u, v in around if 0 <= u < size and 0 <= v < size]
    stones = [q for q in beside if board.colour(q)]
    return len(stones) == len(beside) or any(len(board.liberties(q)) <= 2 for q in stones)


def shapes_of(points: Points) -> list[str]:
    """A shape of each position, of all sizes, turned at random: each holds of its own position at least."""
    rng, found = random.Random(1), dict[Shape, str]()
    for row, (size, me) in enumerate(zip(points.size.tolist(), points.to_play.tolist(), strict=True)):
        wanted = 3 + row % (LARGEST - 2)
        shape = shape_at(points.board[row], size, me, int(points.point[row]), wanted)
        found.setdefault(shape.least(), rng.choice(shape.images()).text)
    return list(found.values())


Answers = dict[str, set[tuple[object, ...]]]


def said_by_prolog(points: Points, folder: Path) -> Answers:
    """predicate -> {(row, value, ...)}"""
    size = int(points.size[0])
    lines = []
    for row, (board, point) in enumerate(zip(points.board, points.point.tolist(), strict=True)):
        lines.append(f"position(g{row}, {size}, cells({','.join('ebw'[c] for c in board)})).")
        lines.append(f"example({row}, g{row}, {point % size + 1}, {point // size + 1}).")
        lines.append(f"to_play(g{row}, {'_bw'[points.to_play[row]]}).")
        for name, moves in (("last_move", points.last), ("last_but_one", points.last2)):
            if moves[row] >= 0:
                lines.append(f"{name}(g{row}, {moves[row] % size + 1}, {moves[row] // size + 1}).")
    lines += [f"wanted('{shape}')." for shape in shapes_of(points)]
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
    shapes = shapes_of(points)
    table = facts_of(points, Intervals.start(), everywhere, predicates=VOCABULARIES["groups"], shapes=shapes)
    said: Answers = defaultdict(set)
    for row in range(len(points)):
        add_chains(said, table, row)
        add_window(said, table, row)
        add_measures(said, table, row)
        own = "_bw"[points.to_play[row]]
        said["shape"] |= {(row, own, shape) for shape in shapes if table.facts.given[table.shapes[shape], row]}
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

        for o, (dx, dy) in enumerate(table.offsets):
            frame, outside = f"p{s + 1}", facts.outside[o, row] >> s & 1
            if outside:
                said["outside_on_pos"].add((row, dx, dy, frame))
            elif not facts.window[o, row, s]:
                said["empty_on_pos"].add((row, dx, dy, frame))
            for which, name in enumerate(("last_on_pos", "last2_on_pos")):
                if facts.last_at[which, row, s] == o:
                    said[name].add((row, dx, dy, frame))


def add_measures(said: Answers, table: FactTable, row: int) -> None:
    measure, own = table.facts.measure[:, row].tolist(), "_bw"[table.points.to_play[row]]
    for m in MEASURES:
        for side, colour in enumerate((own, "w" if own == "b" else "b") if m.coloured else ("",)):
            value = measure[MEASURE_ROWS[m.name] + side]
            if (m.is_number and value >= 0) or (m.words and value) or value == 1:
                last = (value,) if m.is_number else m.words[value - 1 : value]
                said[m.name].add((row, *([colour] if m.coloured else []), *last))


@needs_swipl
@pytest.mark.parametrize(("size", "games"), [(5, 60), (9, 100), (13, 10)])
@pytest.mark.system
def test_prolog_and_the_kernels_mean_the_same(size: int, games: int, tmp_path: Path) -> None:
    points = played_points(size, games, seed=size)
    prolog, kernels = said_by_prolog(points, tmp_path), said_by_kernels(points)
    assert prolog.keys() == kernels.keys()
    for predicate, answers in kernels.items():
        assert prolog[predicate] == answers, predicate
    if size == 9:
        assert all(prolog[name] for name in (*CHAIN_RELATIONS, *BEYOND_ADVANCED)), "the positions show every predicate"
        for m in MEASURES:
            if m.words:
                assert {answer[-1] for answer in prolog[m.name]} == set(m.words), f"and every word of {m.name}"
