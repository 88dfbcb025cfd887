"""Fit the weights of the built-in evaluation (games/go/estimate/kernels/evaluation.py) to who owns what after playouts.

python bench/fits/evaluation.py rules.so POSITIONS > weights.txt        with 16000 positions some three minutes

Positions are drawn from ../shared/data/go9-dan/train and go9-bands, and up to four moves that the rules propose are
made in each, for a search meets such positions. Each is played out 100 times. First the tables of chains are fitted to
how often a chain's stones live (logistic regression, Newton's method), then what stands around them, then the empty
points, then one factor for the sum. An eighth of the positions is held out for the shares of variance, on stderr.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.engines.knowledge import rules_ordering
from gotools.game.examples.loading import load_decisions
from gotools.game.records.selection import Selection
from gotools.games.go.estimate.kernels import evaluation as e
from gotools.games.go.estimate.kernels.status import sum_owners
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.go import GO
from gotools.games.go.kernels import rules as k
from gotools.jit.kernels.basics import seed_random
from gotools.rules.matching import find_matcher

DATA = Path(__file__).resolve().parents[3] / "shared/data"
SIZE, PLAYOUTS, MOST_MOVES, FIRST_RULES = 9, 100, 4, 8
INSIDE = k.pad(0, SIZE) + (np.arange(SIZE)[:, None] * k.STRIDE + np.arange(SIZE)).ravel()
"""Padded points of the board; the rest of a state may hold anything."""
TABLES = e.FROM_AROUND
"""How many numbers the tables of chains have."""
SPREAD = (1, 2, 4, 8)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Chains:
    """The chains of all positions. row -- which position; head -- padded point; lives -- 2 * share - 1."""

    row: NDArray[np.int64]
    head: NDArray[np.int64]
    stones: Floats
    lives: Floats
    tables: NDArray[np.float32]
    """[chains, TABLES], what each number counts for: `numbers[:TABLES] @ tables.T` is the sum of its tables."""


def main(rules: str, count: int) -> None:
    rng = np.random.default_rng(5)
    states = positions(rules, count, rng)
    owners = np.stack([owned(state, number) for number, state in enumerate(states)])
    apart = np.zeros(len(states), np.bool_)
    apart[rng.choice(len(states), len(states) // 8, replace=False)] = True
    chains = described(states, owners)
    weights = fit(states, owners, chains, apart)
    print(", ".join(f"{number:.2f}" for number in weights))


def positions(rules: str, count: int, rng: np.random.Generator) -> list[NDArray[np.int32]]:
    """Draw positions from games, with some moves of the rules' first ones added."""
    examples = load_decisions(
        [str(DATA / "go9-dan/train"), str(DATA / "go9-bands")], GO, Selection(frozenset((SIZE,))), print, lambda: None
    )
    ordering = rules_ordering(find_matcher(rules), rules)
    moves, scores, states = np.empty(GO.longest, np.int32), np.empty(GO.longest), []
    for row in rng.choice(len(examples), count, replace=False):
        state = _state(examples, int(row))
        for _ in range(rng.integers(0, MOST_MOVES + 1)):
            n = GO.worthy(state, moves)
            if not n:
                break
            ordering.order(state, moves, n, scores, ordering.numbers)
            state = GO.play(state, int(moves[rng.choice(np.argsort(-scores[:n])[:FIRST_RULES])]))
        states.append(state)
    return states


def _state(examples: GoExamples, row: int) -> NDArray[np.int32]:
    state = np.zeros(GO.cells, np.int32)
    k.load(state, examples.board[row, : SIZE * SIZE].copy(), SIZE)
    state[k.TO_PLAY] = examples.to_play[row]
    state[k.LAST] = k.pad(int(examples.last[row]), SIZE)
    return state


def owned(state: NDArray[np.int32], seed: int) -> Floats:
    """Return float64[PLANE]: who owns each point at the end of play-outs."""
    random, sums = np.zeros(1, np.uint64), np.zeros(k.PLANE, np.int32)
    seed_random(random, seed)
    sum_owners(state, int(state[k.TO_PLAY]), PLAYOUTS, random, sums)
    return sums / PLAYOUTS


def described(states: list[NDArray[np.int32]], owners: Floats) -> Chains:
    """Ask the evaluation itself what each number counts for: its sums are linear in the numbers."""
    parts: list[tuple[Any, ...]] = []
    stones, z = np.zeros(k.PLANE, np.int32), np.zeros(k.PLANE)
    probes = np.eye(TABLES)
    for row, state in enumerate(states):
        columns = np.zeros((TABLES, k.PLANE), np.float32)
        for number in range(TABLES):
            z[:] = 0.0
            e.first_chances(state, probes[number], stones, z)
            columns[number] = z
        heads = np.flatnonzero(stones)
        on = INSIDE[state[k.COLOUR + INSIDE] > 0]
        sums = np.bincount(state[k.HEAD + on], weights=owners[row][on], minlength=k.PLANE)[heads]
        sign = np.where(state[k.COLOUR + heads] == 1, 1.0, -1.0)
        parts.append((np.full(len(heads), row), heads, stones[heads], sign * sums / stones[heads], columns[:, heads].T))
    row_, heads_, stones_, lives_, tables_ = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Chains(row_, heads_, stones_.astype(np.float64), lives_, tables_)


def newton(inputs: NDArray[Any], lives: Floats, weights: Floats, ridge: float) -> Floats:
    """Fit a logistic regression to shares."""
    share, numbers = np.clip((lives + 1) / 2, 0.01, 0.99), np.zeros(inputs.shape[1])
    for _ in range(10):
        p = 1 / (1 + np.exp(-np.clip(inputs @ numbers, -8, 8)))
        slope = (inputs * (weights * p * (1 - p) + 1e-6)[:, None]).T @ inputs + ridge * np.eye(inputs.shape[1])
        numbers += np.linalg.solve(slope, inputs.T @ ((share - p) * weights) - ridge * numbers)
    return numbers


def fit(states: list[NDArray[np.int32]], owners: Floats, chains: Chains, apart: NDArray[np.bool_]) -> Floats:
    """Fit all numbers, layer by layer; prints on stderr which share of the variance each explains apart."""
    test = apart[chains.row]
    train = ~test
    numbers = newton(chains.tables[train], chains.lives[train], chains.stones[train], 0.3)
    z = chains.tables @ numbers
    tell("chains, tables alone", chains.lives[test], np.tanh(z / 2)[test], chains.stones[test])
    size = len(states)
    sign, heads = np.zeros((size, k.PLANE)), np.zeros((size, k.PLANE), np.int64)
    for row, state in enumerate(states):
        on = INSIDE[state[k.COLOUR + INSIDE] > 0]
        sign[row, on] = 3.0 - 2.0 * state[k.COLOUR + on]
        heads[row, on] = state[k.HEAD + on]
    spread = spreads(on_board(z, chains, heads, sign))
    own = sign[chains.row, chains.head]
    reached = [own * chain_means(plane, chains, heads, sign) for plane in spread]
    inputs = np.stack([z, *reached, np.ones(len(z))], 1)
    around = newton(inputs[train], chains.lives[train], chains.stones[train], 0.1)
    tell("chains, with what stands around", chains.lives[test], np.tanh(inputs @ around / 2)[test], chains.stones[test])
    empty = np.zeros_like(sign, np.bool_)
    empty[:, INSIDE] = sign[:, INSIDE] == 0
    near = np.stack([plane[empty] for plane in spread], 1)
    points = tangents(near, np.clip(owners[empty], -0.98, 0.98))
    guess = on_board(inputs @ around, chains, heads, sign)
    guess[empty] = np.tanh(near @ points)
    sums, real = guess.sum(1), owners[:, INSIDE].sum(1)
    factor = float((sums * real)[~apart].sum() / (sums * sums)[~apart].sum())
    tell("the score", real[apart], factor * sums[apart], np.ones(int(apart.sum())))
    return np.concatenate([numbers, around, points, [factor]])


def on_board(z: Floats, chains: Chains, heads: NDArray[np.int64], sign: Floats) -> Floats:
    """Return float64[positions, PLANE]: the chances of stones to live, black's positive, 0 elsewhere."""
    plane = np.zeros_like(sign)
    plane[chains.row, chains.head] = np.tanh(z / 2)
    chances: Floats = plane[np.arange(len(sign))[:, None], heads] * sign
    return chances


def spreads(plane: Floats) -> list[Floats]:
    """Spread a plane to the neighbours, and return it after SPREAD times."""
    found, mask = [], np.zeros(k.PLANE)
    mask[INSIDE] = 1.0
    for times in range(1, SPREAD[-1] + 1):
        plane = 0.2 * mask * sum(np.roll(plane, step, 1) for step in (0, 1, -1, k.STRIDE, -k.STRIDE))
        if times in SPREAD:
            found.append(plane)
    return found


def chain_means(plane: Floats, chains: Chains, heads: NDArray[np.int64], sign: Floats) -> Floats:
    """Return each chain's mean of a plane over its stones."""
    at = np.arange(len(sign))[:, None] * k.PLANE + heads
    on = sign != 0
    sums = np.bincount(at[on], weights=plane[on], minlength=sign.size)
    return sums[chains.row * k.PLANE + chains.head] / chains.stones


def tangents(inputs: Floats, wanted: Floats) -> Floats:
    """Fit tanh(inputs @ numbers) by least squares (Gauss-Newton)."""
    numbers = np.zeros(inputs.shape[1])
    for _ in range(15):
        now = np.tanh(inputs @ numbers)
        slope = inputs * (1 - now**2)[:, None]
        numbers += np.linalg.solve(slope.T @ slope + 0.01 * np.eye(len(numbers)), slope.T @ (wanted - now))
    return numbers


def tell(what: str, real: Floats, guess: Floats, weights: Floats) -> None:
    rest = (weights * (real - guess) ** 2).sum() / (weights * (real - np.average(real, weights=weights)) ** 2).sum()
    print(f"{what}: {100 * (1 - rest):.1f} % of the variance", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
