"""Speed of the searches on one core, exactness of alpha-beta, and the time until the player is ready.

python bench/search_speed.py            learns rules first, as bench/strength.py does (some minutes)
python bench/search_speed.py RULES      takes rules.so

Positions are those of the games in examples/test-games, every seventh ply. Plain minimax is a few lines below, without
pruning, table or window; it has to give the same value to the last digit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _rules import learned
from _table import ROOT, heading, row
from numpy.typing import NDArray

from gotools.engines.knowledge import built_in_evaluation, rules_ordering
from gotools.game.choice import Limits, Search
from gotools.game.examples.loading import load_decisions
from gotools.game.records.selection import Selection
from gotools.game.vocabulary import USUAL_PRUNING
from gotools.games.go.go import GO
from gotools.jit.kernels.seams import ONGOING
from gotools.rules.matching import find_matcher
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.kernels.tables import SCALE
from gotools.search.knowledge import NO_EVALUATION, NO_ORDERING, Evaluation
from gotools.search.mcts import MonteCarlo

State = NDArray[np.int32]
GAMES = ROOT / "examples/test-games"
BUILT_IN = built_in_evaluation(GO)
EVERY = 7
SECONDS = 0.5
"""Of thinking for each position that is timed."""
TIMED = 8
MINIMAX_DEPTH, MINIMAX_NODES = 2, 30_000


def main(arguments: list[str]) -> None:
    heading("searches on 9x9, one core")
    states = positions()
    with tempfile.TemporaryDirectory() as folder:
        rules = arguments[0] if arguments else learned(Path(folder))
        ordering = rules_ordering(find_matcher(rules), rules)
        plain = AlphaBeta(GO, NO_ORDERING, NO_EVALUATION, AlphaBetaSettings(quiescence=0))
        pace = speed(plain, states)
        row("alpha-beta, evaluation off: positions a second", f"{pace:,.0f}", ">= 300,000", pace >= 300_000)
        row("alpha-beta, built-in evaluation", f"{speed(AlphaBeta(GO, NO_ORDERING, BUILT_IN), states):,.0f}")
        with_rules = AlphaBeta(GO, ordering, BUILT_IN, AlphaBetaSettings(**USUAL_PRUNING._asdict()))
        row("alpha-beta, rules and built-in evaluation", f"{speed(with_rules, states):,.0f}")
        row("Monte-Carlo, no rules: play-outs a second", f"{speed(MonteCarlo(GO, NO_ORDERING), states):,.0f}")
        row("Monte-Carlo, rules", f"{speed(MonteCarlo(GO, ordering), states):,.0f}")
        exactness(states)
        for name, words in (("the network", []), ("with rules", ["--rules", rules])):
            seconds = min(ready(words) for _ in range(3))
            row(f"start of `gotools gtp` to the first move, {name}", f"{seconds:.2f} s", "< 2 s", seconds < 2)


def positions() -> list[State]:
    """Return positions of games on 9x9, komi 7.5."""
    rows = load_decisions([str(GAMES)], GO, Selection(frozenset((9,))), print, lambda: None)
    return [rows.state(at, 7.5) for at in range(0, len(rows), EVERY)]


def speed(search: Search, states: list[State]) -> float:
    """Return nodes a second."""
    search.choose(states[0], GO.moves_of(states[0]), Limits(nodes=10))
    nodes, began = 0, time.monotonic()
    for state in states[:: max(1, len(states) // TIMED)][:TIMED]:
        search.forget()
        nodes += search.choose(state, GO.moves_of(state), Limits(seconds=SECONDS), lambda _: None).nodes
    return nodes / (time.monotonic() - began)


def exactness(states: list[State]) -> None:
    """Compare the values of alpha-beta with plain minimax, over all worthy moves."""
    search, same, tested = AlphaBeta(GO, NO_ORDERING, BUILT_IN, AlphaBetaSettings(quiescence=0)), 0, 0
    for state in states:
        if len(GO.worthy_moves_of(state)) ** MINIMAX_DEPTH > MINIMAX_NODES:
            continue
        search.forget()
        choice = search.choose(state, GO.worthy_moves_of(state), Limits(depth=MINIMAX_DEPTH))
        same += round(choice.value * SCALE) == minimax(state, MINIMAX_DEPTH, BUILT_IN)
        tested += 1
    row(f"same root value as plain minimax, depth {MINIMAX_DEPTH}", f"{same} of {tested}", "all", same == tested)


def minimax(state: State, depth: int, evaluation: Evaluation) -> int:
    value = GO.outcome(state)
    if value != ONGOING:
        return round(value * SCALE)
    if depth == 0:
        return round(evaluation.evaluate(state, evaluation.numbers) * SCALE)
    return max(-minimax(GO.play(state, move), depth - 1, evaluation) for move in GO.worthy_moves_of(state))


def ready(words: list[str]) -> float:
    """Return the seconds from the start of the player's process to its first move, of one play-out."""
    command = [sys.executable, "-m", "gotools", "gtp", "-q", "--nodes", "1", *words]
    began = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"genmove b\n")
        process.stdin.flush()
        process.stdout.readline()
        seconds = time.monotonic() - began
        process.stdin.close()
    return seconds


if __name__ == "__main__":
    main(sys.argv[1:])
