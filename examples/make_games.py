"""Make the 9x9 games of this folder: GNU Go 3.8 against itself, at several levels, with known seeds.

    python examples/make_games.py            # writes games/ and test-games/ beside this file, about four CPU minutes

Everything that decides a game stands in `plan()`: the same GNU Go gives the same files again. One GNU Go process plays
both colours of a game; the GTP command `level` changes its strength before every move. Left to itself GNU Go repeats
whole games, turned or mirrored too, so each game starts from its own pair of stones near the middle, no two pairs alike
under the symmetries of the board. They are setup stones in the record: every move in it is GNU Go's own. Needs `gnugo`
(Debian: apt-get install gnugo) and nothing of gotools.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

Offset = tuple[int, int]

HERE = Path(__file__).resolve().parent
SIZE = 9
KOMI = 6.5
LEVELS = (1, 3, 5, 8)
MAX_MOVES = 160  # longer games go in circles; none of the games here comes near
COLUMNS = "ABCDEFGHJ"
CENTRE = SIZE // 2
OPENING_STEP = 19  # has no factor in common with the 85 openings, so that the first 85 games all differ


class Plan(NamedTuple):
    """One game before it is played: a black and a white stone to start from, both levels, GNU Go's seed."""

    file: Path
    opening: tuple[str, str]
    black: int
    white: int
    seed: int


def plan() -> Iterator[Plan]:
    """Yield 64 games to learn from and 16 to test on, with every pair of levels and no seed or opening twice."""
    pairs = list(product(LEVELS, LEVELS))
    beginnings = openings()
    number = 0
    for folder, count, first_seed in (("games", 64, 1), ("test-games", 16, 1001)):
        for i in range(count):
            black, white = pairs[i % len(pairs)]
            opening = beginnings[number * OPENING_STEP % len(beginnings)]
            yield Plan(Path(folder) / f"gnugo-{first_seed + i:04}.sgf", opening, black, white, first_seed + i)
            number += 1


def openings() -> list[tuple[str, str]]:
    """Return a black and a white point of the middle 5x5, once for all eight ways to turn and mirror the board."""
    points = list(product(range(-2, 3), range(-2, 3)))
    alone = [pair for pair in permutations(points, 2) if pair == min(views(pair))]
    return [(vertex(black), vertex(white)) for black, white in alone]


def views(pair: tuple[Offset, ...]) -> list[tuple[Offset, ...]]:
    """Return points around the centre as seen from the eight sides."""
    flipped = [tuple((a * x, b * y) for x, y in pair) for a, b in product((1, -1), repeat=2)]
    return flipped + [tuple((y, x) for x, y in one) for one in flipped]


def vertex(offset: Offset) -> str:
    """Return the GTP name of a point around the centre: 0, 0 is `E5`."""
    return f"{COLUMNS[CENTRE + offset[0]]}{CENTRE + offset[1] + 1}"


class Gnugo:
    """One GNU Go process that answers GTP commands."""

    def __init__(self, program: str, seed: int) -> None:
        command = [program, "--mode", "gtp", "--quiet", "--chinese-rules", "--boardsize", str(SIZE),
                   "--komi", str(KOMI), "--seed", str(seed)]  # fmt: skip
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command: str) -> str:
        """Return the answer to one command without its `=`; raises RuntimeError when GNU Go refuses or is gone."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = ""
        while (line := self.process.stdout.readline()).strip() or not answer:
            if not line:
                raise RuntimeError(f"GNU Go ended at: {command}")
            answer += line
        if not answer.startswith("="):
            raise RuntimeError(f"GNU Go: {command}: {answer.strip()}")
        return answer[1:].strip()


def play(program: str, game: Plan) -> str:
    """Play one game to two passes, a resignation or `MAX_MOVES`; return it as SGF."""
    engine = Gnugo(program, game.seed)
    for colour, vertex in zip("bw", game.opening, strict=True):
        engine.ask(f"play {colour} {vertex}")
    moves: list[str] = []
    result = ""
    while len(moves) < MAX_MOVES and moves[-2:] != ["", ""]:
        colour, level = ("B", game.black) if len(moves) % 2 == 0 else ("W", game.white)
        engine.ask(f"level {level}")
        vertex = engine.ask(f"genmove {colour.lower()}")
        if vertex == "resign":
            result = ("W" if colour == "B" else "B") + "+R"
            break
        moves.append("" if vertex == "PASS" else sgf_point(vertex))
    result = result or engine.ask("final_score")
    engine.ask("quit")
    engine.process.communicate()
    return sgf(game, moves, result)


def sgf_point(vertex: str) -> str:
    """Return the SGF letters of a GTP vertex: `A9` is `aa`, `J1` is `ii`."""
    return chr(ord("a") + COLUMNS.index(vertex[0])) + chr(ord("a") + SIZE - int(vertex[1:]))


def sgf(game: Plan, moves: list[str], result: str) -> str:
    """Return the game as one SGF record with ten moves a line; a pass is an empty value."""
    nodes = [f";{'BW'[i % 2]}[{point}]" for i, point in enumerate(moves)]
    lines = ["".join(nodes[i : i + 10]) for i in range(0, len(nodes), 10)]
    comment = f"GNU Go 3.8, levels {game.black} (Black) and {game.white} (White), seed {game.seed}"
    root = (
        f"(;FF[4]GM[1]CA[UTF-8]SZ[{SIZE}]KM[{KOMI}]RU[Chinese]PB[GNU Go level {game.black}]"
        f"PW[GNU Go level {game.white}]RE[{result}]C[{comment}]\n"
        f"AB[{sgf_point(game.opening[0])}]AW[{sgf_point(game.opening[1])}]PL[B]"
    )
    return "\n".join([root, *lines]) + ")\n"


def find_gnugo() -> str | None:
    """Return the path of GNU Go, also where Debian puts it; None where there is none."""
    return shutil.which("gnugo", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the example games with GNU Go 3.8.")
    parser.add_argument("--gnugo", default=find_gnugo(), help="the program (found on the path when not given)")
    parser.add_argument("--out", type=Path, default=HERE, help="folder that gets games/ and test-games/")
    parser.add_argument("--jobs", type=int, default=2, help="games at once; does not change the games")
    options = parser.parse_args()
    if not options.gnugo:
        sys.exit("make_games.py: gnugo not found; install it (Debian, Ubuntu: apt-get install gnugo) or use --gnugo")
    games = list(plan())
    with ThreadPoolExecutor(options.jobs) as pool:
        for game, text in zip(games, pool.map(lambda game: play(options.gnugo, game), games), strict=True):
            path = options.out / game.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print(path.name, text.count(";") - 1, "moves")


if __name__ == "__main__":
    main()
