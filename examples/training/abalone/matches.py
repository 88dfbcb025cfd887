"""Play weights of Abalone against a heuristic or other weights, plain alpha-beta on both sides: games and marbles.

    python matches.py attributes-kappa_*.npz --against heuristic:thesis
    python matches.py climb_seed_*.npz-*.part --against climb_seed_{seed}.npz-000002000.part --games 30

Sides alternate; the first two moves of each side are random, so that games differ. A game ends with six marbles lost or
after 400 plies. A row for each file: games won, drawn and lost; `share` of all games that are won (a draw counts
nothing), `decided` of those with a winner; `ahead`, games ahead in marbles at the end; mean marbles won and lost. Files
whose names differ in `seed_N` alone are one run: its row, seed "all", has the means over its seeds, and the 95 %
intervals of the mean share by Student's t. `games` is what the weights have learned from, with --after so many more.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from scipy.stats import t

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.games.abalone.kernels.rules import EACH, marbles_of
from gotools.values.games.match import Searcher, game_seeds, play_match
from gotools.values.training.referees import parse_heuristic
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import load_weights
from gotools.work.workers import threads

ABALONE: Final = find_game("abalone")
OPENING: Final = 4
SEED: Final = 1_000_003
COLUMNS: Final = ("run", "seed", "games", "won", "drawn", "lost", "share", "low", "high", "decided", "ahead",
                  "marbles_won", "marbles_lost")  # fmt: skip
_NAME: Final = re.compile(r"(?P<run>.+?)[-_]seed_(?P<seed>[0-9]+)(?P<rest>[^/]*)")

Counts = tuple[float, ...]
"""Games won, drawn, lost, ahead; mean marbles won, lost."""


def searcher(text: str, depth: int) -> Searcher:
    """Return the player with the weights of a file, or heuristic:NAME:DEPTH. Raises GotoolsError."""
    if (heuristic := parse_heuristic(text)) is not None:
        name, own_depth = heuristic
        fixed = ABALONE.find_heuristic(name)
        assert fixed is not None
        return Searcher(own_depth or depth, fixed.evaluate, fixed.numbers)
    weights = Evaluator(load_weights(text))
    if weights.game.name != ABALONE.name:
        raise GotoolsError(f"{text}: weights of {weights.game.name}")
    return Searcher(depth, weights.evaluate, weights.numbers)


def play(player: Searcher, other: Searcher, games: int, jobs: int) -> Counts:
    """Play a match."""
    seeds = game_seeds(games, SEED)

    def one(i: int) -> tuple[float, int, int]:
        first, second = (player, other) if i % 2 == 0 else (other, player)
        played = play_match(ABALONE, first, second, int(seeds[i]), opening=OPENING)
        lost = [EACH - int(marbles_of(played.position, side)).bit_count() for side in (1, 2)]
        own = i % 2
        return (-played.result if own else played.result), lost[1 - own], lost[own]

    with threads(jobs) as pool:
        results, won, lost = np.array(list(pool.map(one, range(games)))).T
    counts = [float((results == result).sum()) for result in (1.0, 0.0, -1.0)]
    return *counts, float((won > lost).sum()), float(won.mean()), float(lost.mean())


def row(run: str, seed: object, games: int, counts: Counts, interval: tuple[float, float] | None = None) -> str:
    """Return a line of the table."""
    won, drawn, lost, ahead, marbles_won, marbles_lost = counts
    played = won + drawn + lost
    limits = [f"{limit:.3f}" for limit in interval] if interval else ["-", "-"]
    decided = f"{won / (won + lost):.3f}" if won + lost else "-"
    cells = [run, str(seed), str(games), f"{won:g}", f"{drawn:g}", f"{lost:g}", f"{won / played:.3f}", *limits]
    return "\t".join([*cells, decided, f"{ahead / played:.3f}", f"{marbles_won:.2f}", f"{marbles_lost:.2f}"])


def of_all_seeds(run: str, games: int, seeds: Sequence[Counts]) -> str:
    """Return the line of a run: sums of its games, means of its marbles."""
    table = np.array(seeds)
    shares = table[:, 0] / table[:, :3].sum(axis=1)
    interval = None
    if len(shares) > 1:
        half = float(t.ppf(0.975, len(shares) - 1) * shares.std(ddof=1) / np.sqrt(len(shares)))
        interval = max(float(shares.mean()) - half, 0.0), min(float(shares.mean()) + half, 1.0)
    return row(run, "all", games, (*table[:, :4].sum(axis=0), *table[:, 4:].mean(axis=0)), interval)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="RUN_seed_N.npz of train-eval, and copies of --keep")
    parser.add_argument("--against", default="heuristic:thesis", metavar="WHO",
                        help="heuristic:NAME:DEPTH or weights, {seed} for the seed; heuristic:thesis")  # fmt: skip
    parser.add_argument("--depth", type=int, default=1, metavar="N", help="plies of search; 1")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each file; 100")
    parser.add_argument("--after", type=int, default=0, metavar="N", help="games learned from before --start; 0")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="threads")
    options = parser.parse_args(arguments)
    runs: dict[tuple[str, int], list[Counts]] = defaultdict(list)
    print("#" + "\t".join(COLUMNS), flush=True)
    try:
        for path in options.files:
            name = _NAME.match(Path(path).name)
            run, seed = (name["run"], name["seed"]) if name else (Path(path).stem, "-")
            games = load_weights(path).games + options.after
            other = searcher(options.against.replace("{seed}", seed), options.depth)
            counts = play(searcher(path, options.depth), other, options.games, options.jobs)
            runs[run, games].append(counts)
            print(row(run, seed, games, counts), flush=True)
    except GotoolsError as error:
        parser.error(str(error))
    order = list(dict.fromkeys(run for run, _ in runs))
    for (run, games), seeds in sorted(runs.items(), key=lambda one: (order.index(one[0][0]), one[0][1])):
        print(of_all_seeds(run, games, seeds))


if __name__ == "__main__":
    main()
