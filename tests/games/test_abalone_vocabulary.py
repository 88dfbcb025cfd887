"""The vocabulary of Abalone has one meaning: the kernels say of random positions what vocabulary.pl says in Prolog."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.meanings import check_meaning
from support.needs import needs_swipl

from gotools.game.game import find_game
from gotools.games.abalone.board import CELL_OF, bits_of
from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.vocabulary import VOCABULARY
from gotools.jit.kernels.seams import ONGOING

ABALONE = find_game("abalone")
State = NDArray[np.int32]

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
@pytest.mark.system
def test_prolog_and_the_kernels_mean_the_same(tmp_path: Path) -> None:
    asked = {f"b{n}": (state, ABALONE.moves_of(state)[n % 7 :: 16]) for n, state in enumerate(positions())}
    looked = {(board, move) for board, (_, moves) in asked.items() for move in moves}
    check_meaning(ABALONE, asked, looked, tmp_path)
