"""The levels of a player of Go: what each scores against one some ranks below, and which rank each resembles.

python bench/levels.py -o RUNS               matches of 60 games on 9x9, and Elo from them all
    --size 13, --games N, --eval FILE        another board, number of games, network
    --apart 2                                levels two ranks apart: twelve of them
python bench/levels.py --games 0             people: games of ../shared/data that no network learned from

Of all levels, the one most like a rank gives the moves of its players the highest mean log-likelihood; a probability
below one in 10,000 counts as that.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from _table import SHARED, heading, row, skipped
from numpy.typing import NDArray

from gotools.base.phases import UNWATCHED
from gotools.engines.knowledge import find_evaluator
from gotools.engines.players import TRUST
from gotools.game.choice import Limits
from gotools.game.game import Game, find_game
from gotools.game.levels import Levels
from gotools.matches.config import load_config
from gotools.matches.schedule import Shard
from gotools.matches.tournament import run_tournament
from gotools.search.drawn import Drawn
from gotools.search.knowledge import Judgement
from gotools.search.mcts import Puct
from gotools.values.network.samples import Samples, read_samples

HELD_OUT = ("go9-bands", *(f"go9-ranked/{name}.sgf" for name in (
    "dan-005", "k11-15-008", "k16-20-006", "k16-20-007", "k21-30-006", "k21-30-007")))  # fmt: skip
LEAST_CHANCE = 1e-4
POSITIONS = 400
"""Of each rank, at most; of a rank with fewer than LEAST_POSITIONS nothing is said."""
LEAST_POSITIONS = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--apart", type=int, default=3)
    parser.add_argument("--eval", default="default")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    names = list(find_game("go").need(Levels).by_name)
    if options.games:
        with tempfile.TemporaryDirectory() as folder:
            play(names, Path(options.output or folder), options)
        return
    heading("which level makes the moves of people of a rank likeliest")
    paths = [str(SHARED / "data" / name) for name in HELD_OUT]
    if not Path(paths[0]).is_dir():
        skipped("games of people", "../shared/data")
        return
    resemble(names, read_samples(paths, find_game("go"), frozenset({9}), lambda line: None, UNWATCHED), options.eval)


def play(names: list[str], folder: Path, options: argparse.Namespace) -> None:
    """Let each of some levels play the one some ranks below; print what it scores, and the Elo of all."""
    heading(f"levels {options.apart} ranks apart, {options.size}x{options.size}, komi 7, {options.games} games each")
    met = names[:: options.apart]
    for weaker, stronger in pairwise(met):
        settings = {
            "engine": [f"{name}=gotools:level={name},eval={options.eval}" for name in (stronger, weaker)],
            "games": options.games, "size": options.size, "komi": 7.0, "jobs": options.jobs, "comments": False,
        }  # fmt: skip
        report = run_tournament(load_config(None, settings), str(folder / weaker), Shard(), lambda line: None)
        games = report.standings.pairing(stronger, weaker).score
        row(f"{stronger} against {weaker}", f"{(games.wins + games.draws / 2) / games.games:.0%} of {games.games}")
    runs = [str(folder / name) for name in met[:-1]]
    subprocess.run([sys.executable, "-m", "gotools", "elo", *runs], check=True)


def resemble(names: list[str], samples: Samples, evaluation: str) -> None:
    """Print, for each rank, the level under which the moves of its players are likeliest."""
    game, levels = find_game("go"), find_game("go").need(Levels)
    chance, hits, asked = np.random.default_rng(0), 0, 0
    for rank in names:
        rows = np.flatnonzero(np.isclose(samples.strength, levels.find(rank).strength, atol=0.01))
        rows = chance.permutation(rows)[:POSITIONS]
        if len(rows) < LEAST_POSITIONS:
            continue
        found = {name: likelihood(game, samples, rows, name, evaluation) for name in names}
        best = max(found, key=lambda name: found[name])
        hits, asked = hits + (best == rank), asked + 1
        near = abs(names.index(best) - names.index(rank))
        how = f"mean log-likelihood: own level {found[rank]:.3f}, that level {found[best]:.3f}"
        row(f"{rank}: {len(rows)} moves", f"likeliest {best}, {near} ranks off", how=how)
    row("levels that are the likeliest of their rank", f"{hits} of {asked}", ">= half", 2 * hits >= asked)


def likelihood(game: Game, samples: Samples, rows: NDArray[np.int64], level: str, evaluation: str) -> float:
    """Return the mean logarithm of the probability with which a level draws the moves played."""
    how, total = game.need(Levels).find(level), 0.0
    evaluator = find_evaluator(evaluation, game.name).of_strength(how.strength)
    assert evaluator.planes is not None
    drawn = Drawn(Puct(game, Judgement("", evaluator.planes.judge, evaluator.numbers, TRUST)), game, how, 0)
    for at in rows.tolist():
        state = samples.state(at)
        moves = game.worthy_moves_of(state)
        played = game.move_at(int(samples.rows.take(np.array([at])).move[0]), int(samples.rows.size[at]))
        found, odds = drawn.looked(state, moves, Limits())
        own = sum(odd for option, odd in zip(found.options, odds.tolist(), strict=True) if option.move == played)
        total += np.log(max(own, LEAST_CHANCE))
    return total / len(rows)


if __name__ == "__main__":
    main()
