"""Learn Abalone as algorithm 2 of the Abalearn thesis is printed, and play the networks against two heuristics.

    python algorithm2.py --kappa 0 -1 --inputs attributes oriented --seeds 10 > algorithm2.tsv
    python algorithm2.py --bias hidden output --seeds 4 --after 500 > biases.tsv

The printed algorithm learns the value V of the position at one's own turn, and chooses the move with the largest
r + gamma V(s'), s' the position after it; r is a marble ejected by the move less one lost by the reply. `gotools
train-eval` learns the value of the position after one's own move instead, with the reward inside, and chooses by it
alone: so a search needs no rewards. Network, rates, rewards and exploration are those of EXPLORING in the Makefile. A
row has the columns of matches.py, and the heuristic played against.

Networks have no bias, a bias of each hidden unit (the constant input of the thesis), or one of the output, which begins
at 0 and learns like a weight.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matches import COLUMNS, Counts, of_all_seeds, play, row, searcher
from numba import types
from numpy.typing import NDArray

from gotools.game.game import find_game
from gotools.games.abalone.kernels.inputs import (
    ATTRIBUTES,
    attributes,
    attributes_value,
    lead,
    oriented,
    oriented_value,
)
from gotools.jit import as_value, kernel, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.elementary import exp
from gotools.jit.kernels.network import first_weight, network_gradient, network_value
from gotools.jit.kernels.seams import EVALUATE, FLOATS, INPUTS, RULES, TO_PLAY
from gotools.values.games.match import Searcher
from gotools.values.games.selfplay import Policy, play_games
from gotools.values.td.perceptrons import new_numbers, parse_architecture

ABALONE: Final = find_game("abalone")
GAMMA, LAMBDA, ALPHA, EPSILON, DECAY = 0.9, 0.7, 0.1, 0.9, 0.99
_MOST = 16.0
"""More than r + gamma V can be, marbles ahead before the move included."""


@kernel
def raised(value: float, bias: float) -> float:
    """Return the output of a network whose logistic output unit has a bias, from the output without it."""
    if bias == 0.0:
        return value
    odds = -value * exp(bias)
    return float(-odds / (1.0 + value + odds))


@seam(EVALUATE)
def choose_by_attributes(state: Any, numbers: Any) -> float:
    """Value a position for the side to play: in the order of -(r + gamma V), and less than a finished game.

    The last of the numbers is the bias of the output; a network reads none beyond its own.
    """
    return float((lead(state, numbers) + GAMMA * raised(attributes_value(state, numbers), numbers[-1])) / _MOST)


@seam(EVALUATE)
def choose_by_oriented(state: Any, numbers: Any) -> float:
    """Value a position as choose_by_attributes does, by the oriented inputs."""
    return float((lead(state, numbers) + GAMMA * raised(oriented_value(state, numbers), numbers[-1])) / _MOST)


@seam(types.void(types.int16[::1], types.float64, types.float64, types.boolean, FLOATS, types.int32[::1],
                 types.int32[:, ::1], RULES, types.FunctionType(INPUTS)))  # fmt: skip
def learn(
    moves: Any,
    outcome: float,
    kappa: float,
    biased: bool,
    numbers: Any,
    root: Any,
    states: Any,
    rules: Any,
    inputs: Any,
) -> None:
    """Learn from a game; each side has a chain of the positions at its turns, and traces of its own.

    outcome -- of the game for side 1; biased -- the last of the numbers, the bias of the output, learns too
    states -- int32[2, cells], room
    """
    weights = numbers[first_weight(numbers) :]
    n = len(weights)
    gradient, x = np.empty(n), np.empty(len(ATTRIBUTES))
    traces, seen, before = np.zeros((2, n)), np.zeros((2, len(ATTRIBUTES))), np.zeros(2)
    linked = np.zeros(2, np.bool_)
    state, turned = states[0], states[1]
    copy_to(state, root)
    for t in range(len(moves) + 2):  # the last two: how the game ended, for either side
        side = state[TO_PLAY] - 1
        ahead = lead(state, numbers)
        ended = t >= len(moves)
        if ended:
            target = outcome if side == 0 else -outcome
        else:
            copy_to(turned, state)
            turned[TO_PLAY] = 3 - state[TO_PLAY]  # inputs are those of the side that has just moved
            inputs(turned, x)
            target = 0.0
        if linked[side]:
            plain = network_gradient(seen[side], numbers, gradient)
            value = -raised(plain, numbers[-1])
            gradient[n - 1] = 0.0
            if biased:
                slope = value * (1.0 - value)
                gradient[: n - 1] *= slope / max(-plain * (1.0 + plain), 1e-12)
                gradient[n - 1] = -slope
            if not ended:
                target = -GAMMA * raised(network_value(x, numbers), numbers[-1])
            delta = ahead - before[side] + target - value
            weighed = (1.0 - kappa) * delta if delta > 0.0 else (1.0 + kappa) * delta
            for i in range(n):
                traces[side, i] = GAMMA * LAMBDA * traces[side, i] - gradient[i]
                weights[i] += ALPHA * weighed * traces[side, i]
        if ended:
            state[TO_PLAY] = 3 - state[TO_PLAY]
            continue
        seen[side] = x
        before[side] = ahead
        linked[side] = True
        rules.after(state, moves[t], turned)
        copy_to(state, turned)


CHOICES: Final[dict[str, tuple[Any, Any]]] = {
    "attributes": (attributes, choose_by_attributes),
    "oriented": (oriented, choose_by_oriented),
}


def trained(inputs: str, bias: str, kappa: float, seed: int, points: Sequence[int]) -> dict[int, NDArray[np.float64]]:
    """Return the networks after some numbers of games of self-play."""
    look, choose = CHOICES[inputs]
    scales = ABALONE.find_features(inputs).scales(ABALONE.sizes[0])
    shape = "mlp:10+bias+sigmoid" if bias == "hidden" else "mlp:10+sigmoid"
    numbers = np.append(new_numbers(parse_architecture(shape), scales, seed), 0.0)
    root, states = ABALONE.position(), np.zeros((2, ABALONE.cells), np.int32)
    found = {}
    for game in range(max(points)):
        policy = Policy(EPSILON * DECAY**game)
        played = play_games(ABALONE, (choose, numbers), None, policy, game, 1, seed, ABALONE.sizes[0])
        moves = played.moves[0, : played.lengths[0]]
        outcome = float(played.outcomes[0])
        learn(moves, outcome, kappa, bias == "output", numbers, root, states, ABALONE.rules, as_value(look))
        if game + 1 in points:
            found[game + 1] = numbers.copy()
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kappa", type=float, nargs="+", default=[0.0, -1.0])
    parser.add_argument("--inputs", nargs="+", choices=list(CHOICES), default=list(CHOICES))
    parser.add_argument("--bias", nargs="+", choices=["none", "hidden", "output"], default=["none"])
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 1; 10")
    parser.add_argument("--after", type=int, nargs="+", default=[100, 500, 1000], help="games of self-play")
    parser.add_argument("--games", type=int, default=100, help="of each network against each heuristic; 100")
    options = parser.parse_args(arguments)
    print("#against\t" + "\t".join(COLUMNS), flush=True)
    for inputs, bias, kappa in itertools.product(options.inputs, options.bias, options.kappa):
        run = f"{inputs}-algorithm2-kappa_{kappa:g}" + ("" if bias == "none" else f"-{bias}-bias")
        counts: dict[tuple[str, int], list[Counts]] = {}
        for seed in range(1, options.seeds + 1):
            for games, numbers in trained(inputs, bias, kappa, seed, options.after).items():
                player = Searcher(1, CHOICES[inputs][1], numbers)
                for against in ("heuristic:thesis", "heuristic"):
                    result = play(player, searcher(against, 1), options.games, 1)
                    counts.setdefault((against, games), []).append(result)
                    print(f"{against}\t{row(run, seed, games, result)}", flush=True)
        for (against, games), seeds in sorted(counts.items(), key=lambda one: one[0]):
            print(f"{against}\t{of_all_seeds(run, games, seeds)}", flush=True)


if __name__ == "__main__":
    main()
