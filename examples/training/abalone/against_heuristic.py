"""Play weights of Abalone against the heuristic of the Abalearn thesis, both one ply deep: games and marbles.

    python against_heuristic.py out/training/abalone/attributes-kappa_*.npz --games 100

Sides alternate; the first two moves of each side are random, so that games differ. A game ends with six marbles lost,
after 400 plies, or when a position comes for the third time. A row for each file: games won, drawn and lost, the share
won (a draw counts nothing), the games ahead in marbles at the end, and the mean marbles won and lost. Then a row for
each kappa, seed "all", with the means over its seeds, and the 95 % interval of the mean share by Student's t.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.stats import t

from gotools.errors import GotoolsError
from gotools.game import find_game
from gotools.games.kernels.abalone import EACH, marbles_of
from gotools.kernels.seams import ONGOING, TO_PLAY
from gotools.learn.games.match import Searcher, best_moves
from gotools.learn.weights.evaluator import Evaluator
from gotools.learn.weights.weights_file import load_weights

ABALONE = find_game("abalone")
OPENING = 4
COLUMNS = ("kappa", "seed", "won", "drawn", "lost", "share", "low", "high", "ahead", "marbles_won", "marbles_lost")


def play(learned: Searcher, heuristic: Searcher, side: int, rng: np.random.Generator) -> tuple[int, int, int]:
    """Play a game; returns 1, 0 or -1 for the learned player on its side, and the marbles that it won and lost."""
    positions = [ABALONE.position()]
    while ABALONE.outcome(positions[-1]) == ONGOING and not ABALONE.is_repeated(positions):
        state = positions[-1]
        if len(positions) <= OPENING:
            moves = ABALONE.moves_of(state)
        else:
            moves = best_moves(ABALONE, learned if state[TO_PLAY] == side else heuristic, state)
        positions.append(ABALONE.play(state, int(rng.choice(moves))))
    end = positions[-1]
    won, lost = (EACH - int(marbles_of(end, one)).bit_count() for one in (3 - side, side))
    value = ABALONE.outcome(end)
    if value == ONGOING or value == 0:
        return 0, won, lost
    return (1 if (value > 0) == (end[TO_PLAY] == side) else -1), won, lost


def measure(path: str, games: int) -> tuple[float, int, list[float]]:
    """Return the kappa and the seed of a file, and won, drawn, lost, share, ahead, marbles won, marbles lost."""
    weights = load_weights(path)
    evaluator = Evaluator(weights)
    fixed = ABALONE.find_heuristic("thesis")
    assert fixed is not None
    learned = Searcher(1, evaluator.evaluate, evaluator.numbers)
    heuristic = Searcher(1, fixed.evaluate, fixed.numbers)
    found = np.array([play(learned, heuristic, 1 + i % 2, np.random.default_rng([7, i])) for i in range(games)])
    results, won, lost = found.T
    counts = [float((results == result).sum()) for result in (1, 0, -1)]
    row = [*counts, counts[0] / games, float((won > lost).mean()), float(won.mean()), float(lost.mean())]
    return float(str(weights.settings["kappa"])), int(str(weights.settings["seed"])), row


def line(kappa: float, seed: object, row: Sequence[float], half: float | None = None) -> str:
    """Return a line of the table."""
    won, drawn, lost, share, ahead, marbles_won, marbles_lost = row
    limits = ["-", "-"] if half is None else [f"{max(share - half, 0):.3f}", f"{min(share + half, 1):.3f}"]
    cells = [f"{kappa:g}", str(seed), f"{won:g}", f"{drawn:g}", f"{lost:g}", f"{share:.3f}", *limits]
    return "\t".join([*cells, f"{ahead:.3f}", f"{marbles_won:.2f}", f"{marbles_lost:.2f}"])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="eval.npz of train-eval --game abalone --kappa K")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each file; 100")
    options = parser.parse_args(arguments)
    rows = defaultdict(list)
    print("#" + "\t".join(COLUMNS), flush=True)
    try:
        for path in options.files:
            kappa, seed, row = measure(path, options.games)
            rows[kappa].append(row)
            print(line(kappa, seed, row), flush=True)
    except GotoolsError as error:
        parser.error(str(error))
    for kappa, of_seeds in sorted(rows.items()):
        table = np.array(of_seeds)
        half = None
        if len(table) > 1:
            half = float(t.ppf(0.975, len(table) - 1) * table[:, 3].std(ddof=1) / np.sqrt(len(table)))
        print(line(kappa, "all", table.mean(axis=0), half))


if __name__ == "__main__":
    main()
