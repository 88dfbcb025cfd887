"""The vocabulary of Abalone has one meaning: the kernels say of random positions what vocabulary.pl says in Prolog."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.needs import needs_swipl

from gotools.game.game import find_game
from gotools.game.vocabulary import UNDEFINED
from gotools.games.abalone.board import CELL_OF, bits_of
from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.vocabulary import VOCABULARY
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

ABALONE = find_game("abalone")
MEANING = Path(__file__).parents[2] / "gotools/games/abalone" / VOCABULARY.background
State = NDArray[np.int32]
Said = set[tuple[str, ...]]

EXAMPLES: dict[str, dict[str, int | tuple[int, int]]] = {
    "A1 B2 C3 | I9 | A1B2": {"marbles": 3, "nearer": (3, 0), "edge_fewer": (1, 0), "centre_distance": 1},
    "E7 E8 A1 | E9 D8 | E7E8": {"pushes": 1, "ejects": 1, "edge_more": (1, 0), "farther": (2, 1), "touches": (1, 1)},
    "E4 E5 | E6 | E4E5": {"marbles": 2, "pushes": 1, "farther": (0, 1), "pushes_next": (1, 0), "pushes_more": (0, 0)},
    "E4 | D4 F6 | E4E5": {"wedge": 1, "centre_distance": 0, "touches": (0, 2), "alone": (1, 2)},
    "A1 A2 | I9 | A1A2B1": {"marbles": 2, "broadside": 1, "edge_fewer": (1, 0), "contacts_fewer": (0, 0)},
    "A1 | B2 C3 | A1A2": {"threatened": (0, 0), "threatened_fewer": (1, 0), "pushes_fewer": (0, 1)},
    "A2 | B2 C3 | A2A1": {"threatened": (1, 0), "threatened_more": (1, 0), "pushes_more": (0, 1)},
    "E4 E5 E7 | I9 | E4E5": {"groups": (1, 1), "groups_fewer": (1, 0), "lines_more": (1, 0), "contacts_more": (1, 0)},
    "E3 E4 | D5 E5 F5 | E3E4": {"groups_more": (0, 1), "lines_fewer": (0, 1), "alone": (0, 1)},
    "D4 D5 E4 E5 E6 F5 G7 | I9 | G7F6": {"protected": (1, 0), "largest_group": (7, 1), "lines_more": (1, 0)},
    "E1 E2 | I9 I8 I7 | E1E2": {"lost": (12, 11), "lead": 3, "groups": (1, 1), "largest_group": (2, 3)},
}
"""Own marbles, those of the other side, a move: some of its measures, those of a side as own and opponent's."""

DRIVER = """
opposite(b, w).
opposite(w, b).
pos_gen(p1).
pos_gen(p2).

show(Values) :- atomic_list_concat(Values, ' ', Line), write(Line), nl.

of_move(B, M, [N]) :- plain(N, 0), call(N, B, M).
of_move(B, M, [N, V]) :- plain(N, 1), call(N, B, M, V).
of_move(B, M, [N, C]) :- coloured(N, 0), opposite(C, _), call(N, B, M, C).
of_move(B, M, [N, C, V]) :- coloured(N, 1), opposite(C, _), call(N, B, M, C, V).
of_move(B, M, [window, Frame|Cells]) :-
    pos_gen(Frame),
    findall(Cell, ( cell(B, M, DX, DY, Class, Frame), atomic_list_concat([DX, DY, Class], ',', Cell) ), Cells).

main :-
    forall(( to_play(B, _), stage(B, S) ), show([B, stage, S])),
    forall(( move(B, M, _, _, _), of_move(B, M, Values) ), show([B, M|Values])).
"""


def positions() -> list[State]:
    """Some of the positions of random games, in which every second move is a push where there is one."""
    rng, found = np.random.default_rng(4), list[State]()
    for start in ("abalone", "abalone:belgian-daisy", "abalone:the-wall", "abalone:atomouche"):
        game = find_game(start)
        state, pushes = game.position(), np.empty(game.longest, np.int32)
        for ply in range(220):
            if game.outcome(state) != ONGOING:
                break
            n = game.noisy(state, pushes) if ply % 2 else 0
            state = game.play(state, int(rng.choice(pushes[:n] if n else game.moves_of(state))))
            if ply % 5 == 2 and game.outcome(state) == ONGOING:
                found.append(state)
    return found


def some_moves(state: State) -> NDArray[np.int32]:
    """Every sixth legal move."""
    return np.array(ABALONE.moves_of(state)[::6], np.int32)


def said_by_prolog(states: Sequence[State], folder: Path) -> Said:
    """Everything that holds of some moves of positions, as (board, move, predicate, arguments)."""
    assert VOCABULARY.facts is not None
    lines = []
    for row, state in enumerate(states):
        kept = {f"move(b{row},{move}" for move in some_moves(state)}
        facts = VOCABULARY.facts(state, f"b{row}")
        lines += [line for line in facts if not line.startswith("move(") or line[: line.index(",[")] in kept]
    kinds = [(m, "coloured" if m.coloured else "plain", int(bool(m.last))) for m in VOCABULARY.measures]
    lines += [f"{kind}({m.name}, {last})." for m, kind, last in kinds]
    lines.sort()  # a predicate's clauses together
    program = folder / "program.pl"
    program.write_text(f":- consult('{MEANING}').\n" + "\n".join(lines) + DRIVER)
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return {tuple(line.split()) for line in done.stdout.splitlines()}


def said_by_kernels(state: State, board: str) -> Said:
    """The same of one position."""
    moves = some_moves(state)
    window = VOCABULARY.window
    assert window is not None
    columns = np.full((len(moves), VOCABULARY.columns), -7, np.int32)
    seen = np.full((len(moves), window.frames, len(window.offsets)), -1, np.int32)
    stage = VOCABULARY.measure(state, moves, len(moves), columns)
    VOCABULARY.look(state, moves, len(moves), seen)
    said: Said = {(board, "stage", list(VOCABULARY.stages)[stage])}
    names = {1 << bit: name for bit, name in enumerate(window.classes)}
    own, other = "bw" if state[TO_PLAY] == 1 else "wb"
    for move, row, around in zip(map(str, moves), columns.tolist(), seen, strict=True):
        for m in VOCABULARY.measures:
            at = VOCABULARY.column_of[m.name]
            for value, side in zip(row[at : at + m.columns], (own, other), strict=False):
                what = [str(value)] if m.is_number else list(m.words[value - 1 : value])
                if value != (UNDEFINED if m.is_number else 0):
                    said.add((board, move, m.name, *([side] if m.coloured else []), *what))
        for frame, held in enumerate(around.tolist(), 1):
            cells = [(*at, classes) for at, classes in zip(window.offsets, held, strict=True)]
            texts = [f"{dx},{dy},{names[classes]}" for dx, dy, classes in sorted(cells)]
            said.add((board, move, "window", f"p{frame}", *texts))
    return said


def prepared(example: str) -> tuple[State, NDArray[np.int32]]:
    """The position and the move of an example."""
    own, other, move = example.split(" | ")
    state = ABALONE.position()
    for side, cells in ((1, own), (2, other)):
        k.set_marbles(state, side, bits_of([CELL_OF[name] for name in cells.split()]))
    return state, np.array([ABALONE.parse_move(move, 9)], np.int32)


@pytest.mark.parametrize("example", EXAMPLES)
def test_measures_of_examples(example: str) -> None:
    state, moves = prepared(example)
    columns = np.empty((1, VOCABULARY.columns), np.int32)
    VOCABULARY.measure(state, moves, 1, columns)
    for name, value in EXAMPLES[example].items():
        at = VOCABULARY.column_of[name]
        wanted = value if isinstance(value, tuple) else (value,)
        assert tuple(columns[0, at : at + len(wanted)].tolist()) == wanted, name


def test_the_window_is_turned_with_the_move_and_mirrored() -> None:
    window = VOCABULARY.window
    assert window is not None
    own, other, empty, outside = (
        1 << list(window.classes).index(name) for name in ("own", "other", "empty", "outside")
    )
    seen = np.empty((1, 2, len(window.offsets)), np.int32)
    VOCABULARY.look(*prepared("E6 E7 D8 | E9 | E6E7"), 1, seen)
    held = dict(zip(window.offsets, seen[0].T.tolist(), strict=True))
    assert held[0, 2] == [other, other], "ahead"
    assert held[0, -2] == [own, own], "behind"
    assert held[1, 1] == [own, empty], "ahead on the right, E to D being to the right of a move along the row"
    assert held[-1, 1] == [empty, own]
    assert held[0, 4] == [outside, outside], "beyond E9"


@needs_swipl
def test_prolog_and_the_kernels_mean_the_same(tmp_path: Path) -> None:
    states = positions()
    kernels = {fact for row, state in enumerate(states) for fact in said_by_kernels(state, f"b{row}")}
    prolog = said_by_prolog(states, tmp_path)
    assert not sorted(kernels ^ prolog)[:20]
    assert {fact[2] for fact in kernels if fact[1] == "stage"} == set(VOCABULARY.stages)
    shown = {fact[2:] for fact in kernels}
    for m in VOCABULARY.measures:
        for side in [("b",), ("w",)] if m.coloured else [()]:
            values = [fact for fact in shown if fact[: m.columns] == (m.name, *side)]
            assert len(values) >= (2 if m.is_number else max(1, len(m.words))), f"positions show {m.name}"
