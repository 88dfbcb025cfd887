"""Find the values of three grids: by policy evaluation, by value iteration, by Q-learning.

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


def q_learning(world: World, alpha: float, episodes: int, rng: np.random.Generator) -> tuple[Floats, list[int]]:
    """Return the table of formula 4.10 after some episodes, and the steps of each.

    Values begin at 0; one action in ten is drawn at random, else the best, equal ones by lot.
    """
    following, reward, final = world.next.tolist(), world.reward.tolist(), world.final.tolist()
    table = [[0.0] * 4 for _ in following]
    lengths = []
    for _ in range(episodes):
        cell, steps = world.cell(START), 0
        while not final[cell]:
            row, draw = table[cell], rng.random()
            best = max(row)
            among = range(4) if draw < EPSILON else [a for a in range(4) if row[a] == best]
            action = among[int(rng.random() * len(among))]
            after = following[cell][action]
            row[action] += alpha * (reward[cell][action] + GAMMA * max(table[after]) - row[action])
            cell, steps = after, steps + 1
        lengths.append(steps)
    return np.array(table), lengths


def way(world: World, table: Floats) -> tuple[float, bool]:
    """Return the discounted reward of the best actions of a table from the start, and whether they take the tunnel."""
    cell, total, weight = world.cell(START), 0.0, 1.0
    for _ in range(world.size**2):
        action = int(table[cell].argmax())
        total, weight = total + weight * world.reward[cell, action], weight * GAMMA
        cell = int(world.next[cell, action])
        if world.final[cell]:
            break
    return total, cell == world.cell(TUNNEL)


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


def main() -> None:
    parser = argparse.ArgumentParser(description="Find the values of grids.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    for name in ("--learning", "--maps", "--output"):
        parser.add_argument(name, *(["-o"] if name == "--output" else []), type=Path, required=True)
    words = parser.parse_args()
    rows = [["figure", "measure", "source", "ours", "low", "high"], *exact_rows()]
    learning = [["alpha", "episode", "steps", "low", "high"]]
    maps = [["map", "column", "row", "value"]]
    for alpha in ALPHAS:
        lengths, found = [], []
        for run in range(words.runs):
            world, lakes = lake_world(np.random.default_rng((words.seed, run)))
            best, _ = optimal(world, GAMMA)
            rng = np.random.default_rng((words.seed, run, round(10 * alpha)))
            table, steps = q_learning(world, alpha, words.episodes, rng)
            reward, tunnel = way(world, table)
            lengths.append(steps)
            found.append((float(reward - best[world.cell(START)] > -1e-9), float(tunnel)))
            if run == 0 and alpha == 0.5:
                early, _ = q_learning(world, alpha, 100, np.random.default_rng((words.seed, run, 5)))
                drawn = {"lakes": [-15.0 if (c % 20, c // 20) in lakes else -5.0 for c in range(400)]}
                drawn |= {"value iteration": best.tolist(), "Q-learning": early.max(1).tolist()}
                drawn |= {"plain": optimal(new_world(20, [(0, 11)], {}, 10), 1.0)[0].tolist()}
                maps += [
                    [n, str(c % 20), str(c // 20), f"{v:.1f}"] for n, each in drawn.items() for c, v in enumerate(each)
                ]
        for number, name in enumerate(("the best way of all is found", "the way found takes the tunnel")):
            cells = [f"{100 * x:.0f} %" for x in wilson(sum(each[number] for each in found), len(found))]
            rows.append(["4.5", f"alpha {alpha}: {name}", "-", *cells])
        for begin in range(0, words.episodes, GROUP):
            some = spread([float(np.mean(steps[begin : begin + GROUP])) for steps in lengths])
            learning.append([str(alpha), str(begin + GROUP), *(f"{x:.1f}" for x in some)])
        first, last = (
            spread([float(np.mean(each[part])) for each in lengths]) for part in (slice(1), slice(-GROUP, None))
        )
        rows.append(["4.6", f"alpha {alpha}: steps of the first episode", "up to 1400", *(f"{x:.0f}" for x in first)])
        rows.append(["4.6", f"alpha {alpha}: steps of the last 20", "-", *(f"{x:.1f}" for x in last)])
    for path, table in ((words.output, rows), (words.learning, learning), (words.maps, maps)):
        path.write_text("\n".join("\t".join(row) for row in table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
