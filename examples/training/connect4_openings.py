"""Solve the openings of Connect-4 that a player meets who keeps to them: gotools/games/connect4/openings.txt.

usage: python examples/training/connect4_openings.py [--plies 10] [--table 24] > openings.txt

A line for each position: the columns so far, the column to play, and the result for the side that plays it, 1 for a
victory and 0 for a draw. Of mirror images one is listed, and lost positions are left out. The player begins, then
answers. --plies: only positions of fewer plies. --table: the table has 2**N bounds, of 8 bytes each.
"""

import argparse
from collections.abc import Iterator

from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.search.endings import Endings

GAME = find_game("connect4")
COLUMNS = GAME.moves
MIDDLE_FIRST = sorted(range(COLUMNS), key=lambda column: abs(column - COLUMNS // 2))


def key_of(line: list[int]) -> int:
    """Return the same key for a position and its mirror image."""
    state, mirrored = GAME.position(), GAME.position()
    for column in line:
        state, mirrored = GAME.play(state, column), GAME.play(mirrored, COLUMNS - 1 - column)
    return min(int(GAME.key(state)), int(GAME.key(mirrored)))


def solved(line: list[int], plies: int, endings: Endings, seen: set[int]) -> Iterator[str]:
    """Yield the positions from a line on, in which the player is to move."""
    key = key_of(line)
    if len(line) >= plies or key in seen:
        return
    seen.add(key)
    state = GAME.position()
    for column in line:
        state = GAME.play(state, column)
    moves = [column for column in MIDDLE_FIRST if column in GAME.moves_of(state)]
    found = endings.result(state, moves, Limits())
    assert found is not None
    result, best = found
    if result < 0:
        return
    yield f"{text(line)},{text(best[:1])},{result}"
    after = GAME.play(state, best[0])
    for reply in GAME.moves_of(after):
        yield from solved([*line, best[0], reply], plies, endings, seen)


def text(line: list[int]) -> str:
    return "".join(str(column + 1) for column in line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=10)
    parser.add_argument("--table", type=int, default=24)
    arguments = parser.parse_args()
    endings, seen = Endings(GAME, arguments.table), set[int]()
    print("# columns so far, the best one, its result (1 a victory, 0 a draw): examples/training/connect4_openings.py")
    for line in [[], *([column] for column in range(COLUMNS))]:
        for found in solved(line, arguments.plies, endings, seen):
            print(found, flush=True)


if __name__ == "__main__":
    main()
