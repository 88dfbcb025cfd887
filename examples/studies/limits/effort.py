"""Count what alpha-beta searches for moves that do not matter, and after its choice has been made.

    python effort.py GAMES --positions 60 --seed 1 -o effort.tsv

Alpha-beta deepens ply by ply, with nothing pruned: Connect-4 8 plies by the heuristic, positions with 20, 26, 32 and 38
stones by random play; Go 3 plies by the built-in evaluation, positions of the records in GAMES. Positions of Connect-4
are told apart by their true values: `one legal move`, `all moves alike`, `one right move`, `some right moves`. A row
for each set: positions searched per position; `settled`, the share of them in percent that was searched after the
choice had become what it stays; `others`, the share below moves of the root that are not chosen, in the last and
deepest search; `first_ply`, how often the choice is that of the search of one ply already; with the ends of intervals
of 95 %.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from small_games import State, Truth, connect4_positions, spread

import gotools
from gotools.engines.knowledge import built_in_evaluation
from gotools.game.choice import Choice, Limits
from gotools.game.game import Game, find_game
from gotools.games.go.points import vertex
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_ORDERING, Evaluation

STONES, PLIES, GO_PLIES = (20, 26, 32, 38), 8, 3
COLUMNS = ("set", "count", "searched", "settled", "settled_low", "settled_high", "others", "others_low", "others_high")
COLUMNS += ("first_ply", "first_low", "first_high")


def of_connect4(count: int, seed: int) -> Iterator[tuple[str, State]]:
    """Yield positions of Connect-4, each with the name of its set."""
    game = find_game("connect4")
    truth, rng = Truth(game), np.random.default_rng(seed)
    for stones in STONES:
        for state in connect4_positions(stones, count, rng):
            values = list(truth.moves(state).values())
            right = values.count(max(values))
            name = "one right move" if right == 1 else "some right moves"
            name = "all moves alike" if right == len(values) else name
            yield f"connect4, {'one legal move' if len(values) == 1 else name}", state


def of_go(folder: str, count: int) -> Iterator[tuple[str, State]]:
    """Yield positions of records of 9x9, spread evenly."""
    game, found = find_game("go"), list[State]()
    for record in gotools.read_games(folder):
        state = game.position(record.size)
        for colour, point in record.moves.tolist():
            if record.size != 9 or point < 0 or colour != state[1]:
                break
            found.append(state)
            state = game.play(state, game.parse_move(vertex(point, record.size), record.size))
    for i in np.linspace(0, len(found) - 1, min(count, len(found))).round().astype(int):
        yield "go 9x9", found[i]


def effort(game: Game, evaluation: Evaluation, plies: int, state: State) -> tuple[int, float, float, float]:
    """Return positions searched, shares of them searched after the choice and below other moves, and 1 for the first.

    A search begins with empty tables.
    """
    search = AlphaBeta(game, NO_ORDERING, evaluation, AlphaBetaSettings(scale=game.decided))
    steps = list[Choice]()
    last = search.choose(state, game.worthy_moves_of(state), Limits(depth=plies), steps.append)
    settled = 0
    for step in reversed(steps):
        if step.move == last.move:
            settled = last.nodes - step.nodes
        else:
            break
    below = {option.move: option.visits for option in last.options}
    others = 1 - below[last.move] / max(sum(below.values()), 1)
    return last.nodes, 100 * settled / last.nodes, 100 * others, 100 * float(steps[0].move == last.move)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count what a search spends.")
    parser.add_argument("games")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    found = defaultdict[str, list[tuple[int, float, float, float]]](list)
    connect4, go = find_game("connect4"), find_game("go")
    heuristic = connect4.find_heuristic()
    assert heuristic is not None
    lines = Evaluation(heuristic.name, heuristic.evaluate, heuristic.numbers)
    for name, state in of_connect4(words.positions, words.seed):
        found[name].append(effort(connect4, lines, PLIES, state))
    for name, state in of_go(words.games, words.positions):
        found[name].append(effort(go, built_in_evaluation(go), GO_PLIES, state))
    rows = ["\t".join(COLUMNS)]
    for name, each in sorted(found.items()):
        cells = [name, str(len(each)), f"{np.mean([one[0] for one in each]):.0f}"]
        for number in range(1, 4):
            cells += [f"{min(max(x, 0), 100):.0f}" for x in spread([one[number] for one in each])]
        rows.append("\t".join(cells))
    words.output.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
