"""Compare weights learned with several kappas: shares against the built-in heuristic, and against kappa 0 directly.

    python kappa.py out/training/shapes-kappa_*.npz --games 400

Each file, whose settings tell its kappa and seed, plays the heuristic and the file with kappa 0 and the same seed, one
ply deep, sides alternating, from openings of four random moves. The table has a row for each file with the 95 %
interval of its games (Wilson), and one for each kappa, seed "all", with the mean of its seeds and the 95 % interval of
that mean: by Student's t over the seeds, for trainings differ by more than the games do, or if that is narrower that of
all games.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from scipy.stats import t

from gotools.base.errors import GotoolsError
from gotools.game.learning import Heuristic
from gotools.values.games.match import Score
from gotools.values.games.selfplay import play_against
from gotools.values.training.training_log import Share
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import load_weights

COLUMNS = ("kappa", "seed", "games", "heuristic", "heuristic_low", "heuristic_high", "zero", "zero_low", "zero_high")
SEED = 1_000_003  # of the games here; those of the trainings have others


def play(player: Evaluator, other: Heuristic, games: int, jobs: int) -> Score:
    """Play a match, one ply deep."""
    weights, evaluation = player.weights, (player.evaluate, player.numbers)
    return Score(*play_against(player.game, evaluation, other, games, SEED, weights.size, jobs, komi=weights.komi))


def mean(scores: Sequence[Score]) -> Share:
    """Return the mean share of seeds and its interval, never narrower than that of all games as if of one seed."""
    pooled = Share.of(*(sum(counts) for counts in zip(*scores, strict=True)))
    if len(scores) == 1:
        return pooled
    shares = np.array([Share.of(*score).share for score in scores])
    half = float(t.ppf(0.975, len(shares) - 1) * shares.std(ddof=1) / np.sqrt(len(shares)))
    middle = float(shares.mean())
    return Share(middle, max(0.0, min(pooled.low, middle - half)), min(1.0, max(pooled.high, middle + half)))


def row(kappa: float, seed: object, games: int, heuristic: Share, zero: Share | None) -> str:
    """Return a line of the table; `zero` is missing for kappa 0."""
    shares = [heuristic, *([zero] if zero else [])]
    cells = [f"{part:.3f}" for share in shares for part in (share.share, share.low, share.high)]
    return "\t".join([f"{kappa:g}", str(seed), str(games), *cells, *["-"] * (6 - len(cells))])


def table(players: dict[tuple[float, int], Evaluator], games: int, jobs: int) -> list[str]:
    """Play all matches; returns the lines of the table.

    players -- by kappa and seed
    """
    lines = ["#" + "\t".join(COLUMNS)]
    for kappa in sorted({kappa for kappa, _ in players}):
        heuristics, zeros = [], []
        for seed in sorted(seed for other, seed in players if other == kappa):
            player, zero = players[kappa, seed], players.get((0.0, seed))
            referee = player.game.find_heuristic()
            if referee is None:
                raise GotoolsError(f"{player.game.name} has no heuristic to play against")
            heuristics.append(play(player, referee, games, jobs))
            if kappa and zero is not None:
                zeros.append(play(player, Heuristic("kappa 0", zero.evaluate, zero.numbers), games, jobs))
            lines.append(row(kappa, seed, games, mean(heuristics[-1:]), mean(zeros[-1:]) if zeros else None))
        lines.append(row(kappa, "all", games * len(heuristics), mean(heuristics), mean(zeros) if zeros else None))
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="eval.npz of train-eval --kappa K --seed N")
    parser.add_argument("--games", type=int, default=400, metavar="N", help="of each match; 400")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="threads")
    options = parser.parse_args(arguments)
    try:
        loaded = [load_weights(path) for path in options.files]
        if any(weights.settings.get("method") not in ("td", "tdleaf") for weights in loaded):
            raise GotoolsError("these weights were not learned with a kappa")
        players = {(float(str(w.settings["kappa"])), int(str(w.settings["seed"]))): Evaluator(w) for w in loaded}
        print("\n".join(table(players, options.games, options.jobs)))
    except GotoolsError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
