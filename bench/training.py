"""Training: games a second, and what thesis-sized networks reach against a random player in 3,000 games.

    python bench/training.py

Games a second are those of one core: the CPU time of playing and learning, without referees. The light play-out beside
them is the same machine's in the same run.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
from _table import heading, row

from gotools.game.game import find_game
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.playouts import playout
from gotools.jit.kernels.basics import seed_random
from gotools.values.games.selfplay import play_against
from gotools.values.training.recipe import find_recipe, settings_of
from gotools.values.training.training_log import Share

ROUNDS = 5
NETS = {"net A: thesis8, linear": "linear", "net B: thesis8, mlp:4": "mlp:4"}
GAMES, JUDGED = 3000, 1000


def main() -> None:
    heading("learning by self-play on 9x9, one core")
    one = light_playout()
    for name, options, warm, target in (
        ("shapes, temporal coherence", {}, 2000, 1000),
        ("shapes, fixed rate", {"schedule": "fixed", "alpha": [0.03], "lam": 0.0}, 2000, 1000),
        ("thesis8, linear", {"features": "thesis8"}, 1000, 300),
        ("thesis8, mlp:4", {"features": "thesis8", "network": "mlp:4"}, 1000, None),
    ):
        speed = games_a_second(options, warm)
        met = None if target is None else speed >= target
        row(name, f"{speed:,.0f} games/s, {1 / speed / one:.0f} play-outs", f">= {target}" if target else "", met)
    heading(f"against a random player after {GAMES:,} games of self-play, {JUDGED:,} games at 1 ply")
    game = find_game("go")
    for name, network in NETS.items():
        trainer = find_recipe(settings_of({"features": "thesis8", "network": network, "seed": 1})).trainer
        while trainer.games < GAMES:
            trainer.advance(1)
        share = Share.of(*play_against(game, trainer.evaluation(), None, JUDGED, 1, 9, 1, komi=7.5))
        row(name, str(share), ">= 99 %", share.share >= 0.99)


def games_a_second(options: dict[str, object], warm: int) -> float:
    """Return the games for each second of CPU time, the median of some rounds; the first games are left out."""
    trainer = find_recipe(settings_of({"seed": 1, **options})).trainer
    while trainer.games < warm:
        trainer.advance(1)
    speeds = []
    for _ in range(ROUNDS):
        first, began = trainer.games, time.process_time()
        while time.process_time() - began < 2.0:
            trainer.advance(1)
        speeds.append((trainer.games - first) / (time.process_time() - began))
    return statistics.median(speeds)


def light_playout() -> float:
    """Return the seconds of CPU time of a game played to its end by the player's own play-outs."""
    state, random, played = np.empty(k.STATE, np.int32), np.empty(1, np.uint64), np.empty(400, np.int32)
    seed_random(random, 1)
    count = 2000
    for times in (1, count):
        began = time.process_time()
        for _ in range(times):
            k.start(state, 9)
            playout(state, random, played)
    return (time.process_time() - began) / count


if __name__ == "__main__":
    main()
