"""Local patterns of Abalone against windows counted on sets of cells, and what symmetry demands of them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support import forked
from support.plain_abalone import BOARD, DIRECTIONS, Cell, Plain, plain, step

from gotools.cli import run
from gotools.game.game import find_game
from gotools.games.abalone.board import SYMMETRIES, bits_of, marbles
from gotools.games.abalone.kernels import rules as k
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import TO_PLAY
from gotools.values.td.perceptrons import new_numbers, parse_architecture, weights_of
from gotools.values.weights.weights_file import load_weights

ABALONE = find_game("abalone")
PATTERNS = ABALONE.find_features("patterns")
LABELS = PATTERNS.labels(9)
EXCHANGED = {"own": "other", "other": "own", "empty": "empty", "off": "off"}
State = NDArray[np.int32]
Held = tuple[str, ...]


@st.composite
def positions(draw: Callable[[Any], Any]) -> State:
    """Place up to 14 marbles of each side anywhere."""
    cells = draw(st.lists(st.sampled_from(range(k.CELLS)), unique=True, max_size=28))
    of_first = draw(st.integers(max(len(cells) - 14, 0), min(len(cells), 14)))
    return placed(cells[:of_first], cells[of_first:], draw(st.sampled_from((1, 2))))


def placed(first: list[int], second: list[int], to_play: int) -> State:
    state = ABALONE.position()
    k.set_marbles(state, 1, bits_of(first))
    k.set_marbles(state, 2, bits_of(second))
    state[TO_PLAY] = to_play
    return state


def played(seed: int, plies: int) -> State:
    """Return a position of a random game."""
    rng, game = np.random.default_rng(seed), find_game("abalone:belgian-daisy")
    state = game.position()
    for _ in range(plies):
        state = game.play(state, int(rng.choice(game.moves_of(state))))
    return state


STATES = [played(seed, plies) for seed, plies in enumerate((0, 3, 20, 60, 61, 150))]


def inputs(state: State) -> list[float]:
    x = np.full(len(LABELS), np.nan)
    PATTERNS.inputs(state, x)
    return [float(value) for value in x]


# the twin -------------------------------------------------------------------------------------------------------------


def ring(cell: Cell) -> list[Cell]:
    """Return the six neighbours in a circle."""
    return [step(cell, direction) for direction in DIRECTIONS]


def windows() -> Iterator[tuple[str, list[Cell]]]:
    """Yield all windows of the board, of a line also those with one end off it."""
    around = [(row, number) for row in range(11) for number in range(11)]
    for cell, axis, length in product(around, DIRECTIONS[:3], (3, 4, 5)):
        line = [step(cell, axis, i) for i in range(length)]
        off = [i for i, one in enumerate(line) if one not in BOARD]
        if off in ([], [0], [length - 1]):
            yield f"line of {length}", line
    pairs = [(ring(cell)[i], ring(cell)[i - 1], cell) for cell in BOARD for i in range(6)]
    for trio in set(map(frozenset, pairs)):
        if trio <= BOARD:
            yield "triangle", sorted(trio)
    for cell in BOARD:
        if BOARD.issuperset(ring(cell)):
            yield "hexagon", [cell, *ring(cell)]


WINDOWS = list(windows())


@cache
def pattern(window: str, held: Held) -> frozenset[Held]:
    """Return all that a window may hold instead when it is turned or mirrored."""
    if window == "triangle":
        return frozenset(permutations(held))
    if window != "hexagon":
        return frozenset((held, held[::-1]))
    circle = held[1:]
    turned = [circle[i:] + circle[:i] for i in range(6)]
    return frozenset((held[0], *one) for way in turned for one in (way, way[::-1]))


def counts(position: Plain) -> Counter[tuple[str, frozenset[Held]]]:
    """Count the patterns of all windows."""
    held = {cell: "own" if cell in position.mine else "other" if cell in position.other else "empty" for cell in BOARD}
    return Counter(
        (window, pattern(window, tuple(held.get(cell, "off") for cell in cells))) for window, cells in WINDOWS
    )


def exchanged(held: Held) -> Held:
    return tuple(EXCHANGED[one] for one in held)


def read(label: str) -> tuple[str, Held]:
    """Return the window of a label, and what it holds."""
    window, _, held = label.partition(": ")
    return window, tuple(held.split())


def expected(position: Plain) -> list[float]:
    """Return the inputs by their labels."""
    found = counts(position)
    mine, other = ([max(abs(a - 5), abs(b - 5), abs(a - b)) for a, b in side] for side in position)
    values = [len(mine) - len(other)]
    values += [sum(steps <= n for steps in mine) - sum(steps <= n for steps in other) for n in range(4)]
    for window, held in map(read, LABELS[5:]):
        values.append(found[window, pattern(window, held)] - found[window, pattern(window, exchanged(held))])
    return [float(value) for value in values]


def test_there_are_as_many_windows_as_the_board_has_room_for() -> None:
    """Lines of n in a row of m cells: m + 1 - n, and two with an end off the board."""
    rows = (5, 6, 7, 8, 9, 8, 7, 6, 5)
    expected = {f"line of {n}": 3 * sum(m + 3 - n for m in rows) for n in (3, 4, 5)}
    assert Counter(window for window, _ in WINDOWS) == expected | {"triangle": 6 * 4**2, "hexagon": 37}


@settings(max_examples=40)
@given(positions())
def test_inputs_are_the_patterns_of_windows_of_sets(state: State) -> None:
    assert inputs(state) == expected(plain(state))


def test_inputs_of_played_positions_are_the_patterns_of_windows_of_sets() -> None:
    met = np.zeros(len(LABELS))
    for state in STATES:
        assert inputs(state) == expected(plain(state))
        met += np.abs(expected(plain(state)))
    assert np.count_nonzero(met) > 100


# their number ---------------------------------------------------------------------------------------------------------


def test_there_are_as_many_patterns_as_burnside_counts() -> None:
    """Half of the patterns that differ from their exchange, which are those less the pairs with the own exchange.

    Each symmetry is given by the lengths of its cycles of cells. With an exchange of colours it keeps what leaves odd
    cycles empty and puts one of three things on even ones.
    """
    circle = [[1] * 6, [6], [6], [3, 3], [3, 3], [2, 2, 2], *[[2, 2, 2]] * 3, *[[1, 1, 2, 2]] * 3]
    symmetries = {f"line of {n}": [[1] * n, [2] * (n // 2) + [1] * (n % 2)] for n in (3, 4, 5)}
    symmetries["triangle"] = [[1, 1, 1], [3], [3], [1, 2], [1, 2], [1, 2]]
    symmetries["hexagon"] = [[1, *cycles] for cycles in circle]
    for window, all_cycles in symmetries.items():
        kept = sum(3 ** len(cycles) for cycles in all_cycles)
        exchanging = sum(3 ** sum(length % 2 == 0 for length in cycles) for cycles in all_cycles)
        inside = kept // len(all_cycles) - (kept + exchanging) // (2 * len(all_cycles))
        found = [held for name, held in map(read, LABELS[5:]) if name == window]
        assert sum("off" not in held for held in found) == inside
        cells = len(found[0])
        assert sum("off" in held for held in found) == ((3 ** (cells - 1) - 1) // 2 if "line" in window else 0)


def test_labels_name_different_patterns_and_none_is_its_own_exchange() -> None:
    names = [read(label) for label in LABELS[5:]]
    found = [(window, pattern(window, one)) for window, held in names for one in (held, exchanged(held))]
    assert len(set(found)) == len(found)


# symmetry -------------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(positions(), st.sampled_from(range(12)))
def test_inputs_are_the_same_on_a_turned_board(state: State, number: int) -> None:
    image = SYMMETRIES[number]
    first, second = ([image[cell] for cell in marbles(state, side)] for side in (1, 2))
    turned = placed(first, second, int(state[TO_PLAY]))
    assert inputs(turned) == inputs(state)


@settings(max_examples=30)
@given(positions(), st.sampled_from(("linear", "mlp:5", "linear+sigmoid")))
def test_colours_exchanged_change_the_sign_and_the_value_is_that_of_a_network(state: State, network: str) -> None:
    numbers = new_numbers(parse_architecture(network), PATTERNS.scales(9), 1, 0.2)
    other = state.copy()
    other[TO_PLAY] = 3 - state[TO_PLAY]
    assert inputs(other) == [-value for value in inputs(state)]
    value = PATTERNS.evaluate(state, numbers)
    assert value == pytest.approx(network_value(np.array(inputs(state)), numbers), abs=1e-12)
    if "sigmoid" in network:
        assert PATTERNS.evaluate(other, numbers) == pytest.approx(-1.0 - value, abs=1e-12)
    else:
        assert PATTERNS.evaluate(other, numbers) == -value


# learning -------------------------------------------------------------------------------------------------------------


@pytest.mark.system
def test_weights_are_learned_and_played_with(tmp_path: Path) -> None:
    weights = tmp_path / "eval.npz"
    train = "train-eval --game abalone --features patterns --games 4 --referee-games 0 -q --seed 1 -o"
    assert run([*train.split(), str(weights)]) == 0
    before = weights_of(new_numbers(parse_architecture("linear"), PATTERNS.scales(9), 1))
    learned = load_weights(str(weights)).weights
    assert len(learned) == len(LABELS) and np.count_nonzero(learned != before.astype(learned.dtype)) > 100
    gtp = [sys.executable, "-m", "gotools", "gtp", "--game", "abalone", "--eval", str(weights), "--depth", "1", "-q"]
    done = forked.run(gtp, input="genmove b\nquit\n", capture_output=True, text=True, timeout=120)
    answer = done.stdout.split()[1].upper()
    assert answer in {ABALONE.move_text(move, 9) for move in ABALONE.moves_of(ABALONE.position())}
