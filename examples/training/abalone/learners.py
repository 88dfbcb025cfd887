"""Learn Abalone by lessons and practice, and in tournaments of learners; play the networks against the heuristic.

    python learners.py --kappa -1 0 --seeds 5 > learners.tsv

Lessons are games against a teacher, practice is games against itself; phases of 50 games of each alternate, as Epstein
proposes (Abalearn thesis, 3.6). In a tournament four learners meet in turn, and both sides of a game learn from it
(thesis, 7). Every network has learned from the same number of games. Inputs are `oriented`, all else is that of
EXPLORING in the Makefile: `practice` gives the network of `train-eval`. A row has the columns of matches.py; that of a
tournament has the means of its four learners.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from algorithm2 import ALPHA, DECAY, EPSILON, GAMMA, LAMBDA
from matches import ABALONE, COLUMNS, Counts, of_all_seeds, play, row, searcher

from gotools.game.learning import Heuristic
from gotools.values.games.match import Searcher
from gotools.values.games.selfplay import Policy, play_games
from gotools.values.settings import NetworkRates
from gotools.values.td.perceptrons import new_numbers, parse_architecture
from gotools.values.td.td import Learner

PHASE: Final = 50
LEARNERS: Final = 4
FEATURES: Final = ABALONE.find_features("oriented")
SIZE: Final = ABALONE.sizes[0]
PRACTICE, RANDOM, TEACHER = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
"""Shares of games against itself, a random player, and the heuristic, one ply deep."""
COURSES: Final = {
    "practice": (PRACTICE,),
    "lessons": (TEACHER,),
    "lessons-and-practice": (TEACHER, PRACTICE),
    "random-and-practice": (RANDOM, PRACTICE),
}


def new_learner(kappa: float, seed: int) -> Learner:
    """Return a learner with the first weights of a seed."""
    numbers = new_numbers(parse_architecture("mlp:10+sigmoid"), FEATURES.scales(SIZE), seed)
    return Learner(ABALONE, FEATURES, numbers, NetworkRates((ALPHA,), GAMMA, LAMBDA, kappa, reward=1.0), SIZE)


def taught(course: str, kappa: float, seed: int, games: int) -> list[Learner]:
    """Return the learner of a course after some games."""
    learner, teacher, phases = new_learner(kappa, seed), ABALONE.find_heuristic(), COURSES[course]
    for game in range(games):
        policy = Policy(EPSILON * DECAY**game, shares=phases[game // PHASE % len(phases)])
        learner.learn(play_games(ABALONE, learner.evaluation, teacher, policy, game, 1, seed, SIZE))
    return [learner]


def met(kappa: float, seed: int, games: int) -> list[Learner]:
    """Return the learners of a tournament, after some games of each."""
    learners = [new_learner(kappa, LEARNERS * seed + i) for i in range(LEARNERS)]
    pairs = list(itertools.combinations(range(LEARNERS), 2))
    for number in range(games * LEARNERS // 2):
        tour, pair = divmod(number, len(pairs))
        one, other = (learners[i] for i in (pairs[pair] if tour % 2 == 0 else pairs[pair][::-1]))
        epsilon = EPSILON * DECAY**one.games
        policy = Policy(epsilon, shares=TEACHER, dilution=epsilon)
        against = Heuristic("the other learner", *other.evaluation)
        played = play_games(ABALONE, one.evaluation, against, policy, number, 1, seed, SIZE)
        one.learn(played)
        other.learn(played._replace(learner=3 - played.learner))
    return learners


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kappa", type=float, nargs="+", default=[-1.0, 0.0])
    parser.add_argument("--courses", nargs="+", choices=[*COURSES, "tournament"], default=[*COURSES, "tournament"])
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 1; 10")
    parser.add_argument("--after", type=int, default=500, help="games of each learner; 500")
    parser.add_argument("--games", type=int, default=100, help="of each network against the heuristic; 100")
    options = parser.parse_args(arguments)
    print("#" + "\t".join(COLUMNS), flush=True)
    heuristic = searcher("heuristic", 1)
    for kappa, course in itertools.product(options.kappa, options.courses):
        run, seeds = f"{course}-kappa_{kappa:g}", []
        for seed in range(1, options.seeds + 1):
            learn = met if course == "tournament" else lambda *words, course=course: taught(course, *words)
            networks = learn(kappa, seed, options.after)
            found = [play(Searcher(1, *one.evaluation), heuristic, options.games, 1) for one in networks]
            counts: Counts = tuple(np.mean(found, axis=0).tolist())
            seeds.append(counts)
            print(row(run, seed, options.after, counts), flush=True)
        print(of_all_seeds(run, options.after, seeds), flush=True)


if __name__ == "__main__":
    main()
