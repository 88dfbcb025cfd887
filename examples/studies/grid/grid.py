"""Find the values of three grids: by policy evaluation, policy iteration, value iteration, Q-learning and Sarsa.

    python grid.py --runs 100 --episodes 300 --learning learning.tsv --maps maps.tsv -o grid.tsv

Cells are (column, row) from 0; a move off the board stays where it is. The worlds of the Abalearn thesis, 4.4:

    corner  4x4, each move costs 1, the lower right corner ends it; figure 4.2 evaluates the player of random moves
    plain   20x20, each move costs 1, one into a wall 10, (0, 11) ends it; figure 4.3
    lakes   20x20 with 43 lakes drawn at random: a move out of a lake costs 15, one into a wall 10 if not more, any
            other 5. It begins at (1, 1) and ends at (18, 18), or in the tunnel at (1, 18), from where the way there
            is free; figures 4.4 to 4.6

grid.tsv has a row for each figure that can be held to another: ours, the source's or a closed form, and the largest
difference. learning.tsv has the mean steps of the episodes of Q-learning, with intervals of 95 % over runs; maps.tsv a
row for each cell of the two large worlds.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""North, south, east, west."""
PRINTED = (
    (0, (0,) * 16),
    (1, (-1,) * 15 + (0,)),
    (2, (-2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -1.8, -2, -2, -1.8, 0)),
    (998, (-59, -57, -54, -51, -57, -54, -49, -45, -54, -49, -40, -30, -51, -45, -30, 0)),
    (999, (-59, -57, -54, -51, -57, -54, -49, -45, -54, -49, -40, -30, -51, -45, -30, 0)),
)
"""Figure 4.2: after so many sweeps the values of the cells, row by row, the last two without their decimals."""
GAMMA = 0.9
"""Of the lakes; the thesis does not say."""
EPSILON = 0.1
ALPHAS = (0.1, 0.5, 1.0)
GROUP = 20
"""Episodes of which the mean is shown."""
START, GOAL, TUNNEL, LAKES = (1, 1), (18, 18), (1, 18), 43


@dataclass(frozen=True, slots=True)
class World:
    """A grid as arrays: where each action leads from each cell, what it pays, and which cells end an episode."""

    size: int
    next: NDArray[np.int64]
    reward: Floats
    final: NDArray[np.bool_]

    def cell(self, place: tuple[int, int]) -> int:
        """Return the number of a cell, row by row."""
        return place[1] * self.size + place[0]


def new_world(size: int, final: list[tuple[int, int]], cost: dict[tuple[int, int], float], wall: float) -> World:
    """Return a world whose moves cost 1, or what `cost` says of the cell they leave; into a wall `wall` at least."""
    following, reward = np.zeros((size * size, 4), np.int64), np.zeros((size * size, 4))
    for cell in range(size * size):
        row, column = divmod(cell, size)
        for action, (right, down) in enumerate(STEPS):
            x, y = column + right, row + down
            inside = 0 <= x < size and 0 <= y < size
            following[cell, action] = y * size + x if inside else cell
            price = cost.get((column, row), 1)
            reward[cell, action] = -price if inside else -max(price, wall)
    ends = np.isin(np.arange(size * size), [y * size + x for x, y in final])
    following[ends], reward[ends] = np.flatnonzero(ends)[:, None], 0
    return World(size, following, reward, ends)


def lake_world(rng: np.random.Generator) -> tuple[World, set[tuple[int, int]]]:
    """Draw the world of figure 4.4; returns its lakes too."""
    places = [(x, y) for y in range(20) for x in range(20) if (x, y) not in (START, GOAL, TUNNEL)]
    lakes = {places[i] for i in rng.choice(len(places), LAKES, replace=False).tolist()}
    cost = {(x, y): 15.0 if (x, y) in lakes else 5.0 for y in range(20) for x in range(20)}
    return new_world(20, [GOAL, TUNNEL], cost, 10), lakes


def backups(world: World, values: Floats, gamma: float) -> Floats:
    """Return what each action is worth in each cell, where what follows has these values."""
    return np.asarray(world.reward + gamma * values[world.next])


def evaluated(world: World, sweeps: int) -> Floats:
    """Return the values of the player of random moves after so many sweeps: formula 4.6, undiscounted."""
    values = np.zeros(world.size**2)
    for _ in range(sweeps):
        values = backups(world, values, 1.0).mean(1)
    return values


def optimal(world: World, gamma: float, sweeps: int = 1000) -> tuple[Floats, int]:
    """Return the values of the best player by formula 4.8, and after how many sweeps they stayed as they are."""
    values = np.zeros(world.size**2)
    for sweep in range(sweeps):
        found = backups(world, values, gamma).max(1)
        if np.array_equal(found, values):
            return values, sweep
        values = found
    return values, sweeps


def iterated(world: World, gamma: float) -> tuple[Floats, int]:
    """Return the values of the best player by policy iteration from the player of random moves, and the improvements.

    A policy is evaluated exactly, by its linear equations; its improvement (formula 4.7) takes all best actions alike.
    """
    inner = np.flatnonzero(~world.final)
    policy = np.full((world.size**2, 4), 0.25)
    for improvements in range(world.size**2):
        moves = np.zeros((world.size**2, world.size**2))
        np.add.at(moves, (np.arange(world.size**2)[:, None], world.next), policy)
        values = np.zeros(world.size**2)
        paid = (policy * world.reward).sum(1)[inner]
        values[inner] = np.linalg.solve(np.eye(len(inner)) - gamma * moves[np.ix_(inner, inner)], paid)
        worth = backups(world, values, gamma)
        best = worth >= worth.max(1, keepdims=True) - 1e-9
        better = best / best.sum(1, keepdims=True)
        if np.array_equal(better, policy):
            return values, improvements
        policy = better
    return values, world.size**2


def learned(
    world: World, alpha: float, episodes: int, rng: np.random.Generator, sarsa: bool = False
) -> tuple[Floats, Floats]:
    """Return the table after some episodes, by Q-learning (formula 4.10) or Sarsa (4.11), and steps and cost of each.

    Values begin at 0; one action in ten is drawn at random, else the best, equal ones by lot.
    """
    following, reward, final = world.next.tolist(), world.reward.tolist(), world.final.tolist()
    table = [[0.0] * 4 for _ in following]

    def choose(cell: int) -> int:
        row, draw = table[cell], rng.random()
        best = max(row)
        among = range(4) if draw < EPSILON else [a for a in range(4) if row[a] == best]
        return among[int(rng.random() * len(among))]

    found = []
    for _ in range(episodes):
        cell, steps, cost = world.cell(START), 0, 0.0
        action = choose(cell)
        while not final[cell]:
            after = following[cell][action]
            upcoming = choose(after) if sarsa and not final[after] else 0
            worth = table[after][upcoming] if sarsa else max(table[after])
            table[cell][action] += alpha * (reward[cell][action] + GAMMA * worth - table[cell][action])
            if not sarsa and not final[after]:
                upcoming = choose(after)
            steps, cost = steps + 1, cost - reward[cell][action]
            cell, action = after, upcoming
        found.append((steps, cost))
    return np.array(table), np.array(found)


def way(world: World, table: Floats) -> tuple[float, list[int]]:
    """Return the discounted reward of the best actions of a table from the start, and the cells that they lead to."""
    cell, total, weight = world.cell(START), 0.0, 1.0
    cells = []
    for _ in range(world.size**2):
        action = int(table[cell].argmax())
        total, weight = total + weight * world.reward[cell, action], weight * GAMMA
        cell = int(world.next[cell, action])
        cells.append(cell)
        if world.final[cell]:
            break
    return total, cells


def beside(lakes: set[tuple[int, int]], cell: int) -> bool:
    """Tell whether a neighbour of a cell is a lake."""
    return any((cell % 20 + right, cell // 20 + down) in lakes for right, down in STEPS)


def spread(values: list[float]) -> tuple[float, float, float]:
    """Return a mean with the ends of its interval of 95 %."""
    mean, error = float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return mean, mean - error, mean + error


def wilson(right: float, count: int) -> tuple[float, float, float]:
    """Return a share with the ends of Wilson's interval of 95 %."""
    z, share = 1.96, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5
    return share, max(0.0, middle - half), min(1.0, middle + half)


def near(found: Floats, values: Floats) -> str:
    """Return the largest difference of two maps as text."""
    return f"{float(np.abs(found - values).max()):.2f}"


def exact_rows() -> Iterator[list[str]]:
    """Yield the rows of figures 4.2 and 4.3."""
    corner = new_world(4, [(3, 3)], {}, 1)
    for sweeps, printed in PRINTED:
        values = evaluated(corner, sweeps)
        shown = np.trunc(values.round(6)) if sweeps > 2 else np.round(values - 1e-9, 1)
        count = int((shown == printed).sum())
        yield ["4.2", f"V{sweeps + 1}: cells as printed", "16", str(count), "-", "-"]
    apart = abs(evaluated(corner, 9999)[11] + 30)
    yield ["4.2", "beside the corner, difference from the closed form -30", "0", f"{apart:.2f}", "-", "-"]
    plain = new_world(20, [(0, 11)], {}, 10)
    values, sweeps = optimal(plain, 1.0)
    steps = [-float(x + abs(y - 11)) for y in range(20) for x in range(20)]
    apart = float(np.abs(values - steps).max())
    yield ["4.3", "largest difference from minus the steps to the end", "0", f"{apart:.2f}", "-", "-"]
    yield ["4.3", "sweeps until nothing changes", "100 are enough", str(sweeps), "-", "-"]
    yield ["4.3", "lowest value", "above -40", f"{values.min():.0f}", "-", "-"]
    found, improvements = iterated(plain, 1.0)
    yield ["4.4.1", "policy iteration: largest difference from value iteration", "0", near(found, values), "-", "-"]
    yield ["4.4.1", "policy iteration: improvements until nothing changes", "-", str(improvements), "-", "-"]


def maps_of(world: World, lakes: set[tuple[int, int]], best: Floats, early: Floats) -> list[list[str]]:
    """Return the rows of figures 4.3 to 4.5; `early` is the table after 100 episodes."""
    drawn = {"lakes": [-15.0 if (c % 20, c // 20) in lakes else -5.0 for c in range(400)]}
    drawn |= {"value iteration": best.tolist(), "Q-learning": early.max(1).tolist()}
    drawn |= {"plain": optimal(new_world(20, [(0, 11)], {}, 10), 1.0)[0].tolist()}
    return [[n, str(c % 20), str(c // 20), f"{v:.1f}"] for n, each in drawn.items() for c, v in enumerate(each)]


def iteration_rows(worlds: list[tuple[World, set[tuple[int, int]]]], bests: list[Floats]) -> Iterator[list[str]]:
    """Yield the rows of policy iteration on worlds with lakes."""
    found = [iterated(world, GAMMA) for world, _ in worlds]
    apart = max(float(np.abs(values - best).max()) for (values, _), best in zip(found, bests, strict=True))
    yield ["4.4.1", "lakes, policy iteration: largest difference from value iteration", "0", f"{apart:.2f}", "-", "-"]
    taken = [f"{x:.1f}" for x in spread([float(count) for _, count in found])]
    yield ["4.4.1", "lakes, policy iteration: improvements until nothing changes", "-", *taken]


def learned_rows(
    name: str,
    worlds: list[tuple[World, set[tuple[int, int]]]],
    bests: list[Floats],
    found: list[tuple[Floats, Floats]],
) -> Iterator[list[str]]:
    """Yield the rows of one method and learning rate on worlds with lakes."""
    sarsa = name.startswith("Sarsa")
    start, tunnel = worlds[0][0].cell(START), worlds[0][0].cell(TUNNEL)
    ways = [way(world, table) for (world, _), (table, _) in zip(worlds, found, strict=True)]
    best = [reward - values[start] > -1e-9 for (reward, _), values in zip(ways, bests, strict=True)]
    taken = [cells[-1] == tunnel for _, cells in ways]
    for title, each in (("the best way of all is found", best), ("the way found takes the tunnel", taken)):
        cells = [f"{100 * x:.0f} %" for x in wilson(sum(each), len(each))]
        yield ["4.4.3" if sarsa else "4.5", f"{name}: {title}", "-", *cells]
    near_lakes = [
        float(np.mean([beside(lakes, cell) for cell in cells]))
        for (_, lakes), (_, cells), there in zip(worlds, ways, taken, strict=True)
        if there
    ]
    if len(near_lakes) > 1:
        cells = [f"{100 * x:.0f} %" for x in spread(near_lakes)]
        yield ["4.4.3", f"{name}: cells of the ways to the tunnel that are beside a lake", "-", *cells]
    first, last = (slice(1), slice(-GROUP, None))
    for title, part, column, digits in (
        ("steps of the first episode", first, 0, 0),
        ("steps of the last 20", last, 0, 1),
        ("cost of an episode, the last 20", last, 1, 0),
    ):
        source = "up to 1400" if part == first and not sarsa else "-"
        cells = [f"{x:.{digits}f}" for x in spread([float(each[part, column].mean()) for _, each in found])]
        yield ["4.4.3" if sarsa or column else "4.6", f"{name}: {title}", source, *cells]


def main() -> None:
    parser = argparse.ArgumentParser(description="Find the values of grids.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    for name in ("--learning", "--maps", "--output"):
        parser.add_argument(name, *(["-o"] if name == "--output" else []), type=Path, required=True)
    words = parser.parse_args()
    worlds = [lake_world(np.random.default_rng((words.seed, run))) for run in range(words.runs)]
    bests = [optimal(world, GAMMA)[0] for world, _ in worlds]
    early, _ = learned(worlds[0][0], 0.5, 100, np.random.default_rng((words.seed, 0, 5)))
    maps = [["map", "column", "row", "value"], *maps_of(*worlds[0], bests[0], early)]
    rows = [["figure", "measure", "source", "ours", "low", "high"], *exact_rows(), *iteration_rows(worlds, bests)]
    learning = [["alpha", "episode", "steps", "low", "high"]]
    for sarsa, alpha in itertools.product((False, True), ALPHAS):
        found = [
            learned(world, alpha, words.episodes, np.random.default_rng((words.seed, run, round(10 * alpha))), sarsa)
            for run, (world, _) in enumerate(worlds)
        ]
        rows += learned_rows("Sarsa, " * sarsa + f"alpha {alpha}", worlds, bests, found)
        for begin in range(0, 0 if sarsa else words.episodes, GROUP):
            some = spread([float(each[begin : begin + GROUP, 0].mean()) for _, each in found])
            learning.append([str(alpha), str(begin + GROUP), *(f"{x:.1f}" for x in some)])
    for path, table in ((words.output, rows), (words.learning, learning), (words.maps, maps)):
        path.write_text("\n".join("\t".join(row) for row in table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
