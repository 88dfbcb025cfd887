"""Play bandits by softmax, and by the best arm so far with some random ones: rewards and optimal arms, play by play.

    python bandits.py --agents 2000 --plays 500 --seed 1 -o bandits.tsv

Each agent has a bandit of its own: the value of each arm is drawn from the normal distribution with mean 0 and variance
1, and a reward is the value of the arm and a normal deviate of variance 1. An agent estimates each arm by the mean of
its rewards, 0 before the first. A row for each number of arms, policy and play shown: the mean reward and the share of
agents that took the best arm, over all agents, with the ends of intervals of 95 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gotools.jit.kernels import exact

COLUMNS = ("arms", "policy", "play", "reward", "reward_low", "reward_high", "optimal", "optimal_low", "optimal_high")
CASES = (
    *((10, f"softmax {t}") for t in (0.01, 0.1, 0.4, 1.0)),
    (10, "epsilon 0.1"),
    *((arms, "softmax 0.4") for arms in (2, 5, 100)),
)
SHOWN = {1, 5, 10, 20, 50, 100, 200, 300, 400, 500}
"""Plays of which there is a row."""

Floats = NDArray[np.float64]


def softmax(estimates: Floats, temperature: float) -> Floats:
    """Return the probability of each arm, a row for each agent: formula 4.17."""
    weights = exact.exp((estimates - estimates.max(1, keepdims=True)) / temperature)
    return np.asarray(weights / weights.sum(1, keepdims=True))


def greedy(estimates: Floats, epsilon: float) -> Floats:
    """Return the probability of each arm: equal ones share what is best, all arms share epsilon."""
    best = estimates == estimates.max(1, keepdims=True)
    return np.asarray((1 - epsilon) * best / best.sum(1, keepdims=True) + epsilon / estimates.shape[1])


def play(arms: int, policy: str, agents: int, plays: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Yield of each play the rewards of all agents, and 1 for each that took its best arm."""
    name, _, number = policy.partition(" ")
    probabilities = softmax if name == "softmax" else greedy
    values, rows = exact.normal(rng, (agents, arms)), np.arange(agents)
    estimates, counts = np.zeros((agents, arms)), np.zeros((agents, arms))
    best = values.argmax(1)
    for _ in range(plays):
        reached = np.cumsum(probabilities(estimates, float(number)), 1)
        arm = np.minimum((reached < rng.random((agents, 1)) * reached[:, -1:]).sum(1), arms - 1)
        rewards = values[rows, arm] + exact.normal(rng, agents)
        counts[rows, arm] += 1
        estimates[rows, arm] += (rewards - estimates[rows, arm]) / counts[rows, arm]
        yield rewards, (arm == best).astype(float)


def spread(values: Floats) -> list[str]:
    """Return a mean with the ends of its interval of 95 %."""
    mean, error = float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return [f"{x:.3f}" for x in (mean, mean - error, mean + error)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Play bandits by softmax.")
    parser.add_argument("--agents", type=int, default=2000)
    parser.add_argument("--plays", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    lines = ["\t".join(COLUMNS)]
    for number, (arms, policy) in enumerate(CASES):
        rng = np.random.default_rng((words.seed, number))
        for turn, (rewards, optimal) in enumerate(play(arms, policy, words.agents, words.plays, rng), 1):
            if turn in SHOWN:
                lines.append("\t".join([str(arms), policy, str(turn), *spread(rewards), *spread(optimal)]))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
