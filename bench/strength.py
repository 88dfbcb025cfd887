"""Games against GNU Go 3.8: `gotools gtp` at a stated time a move; share of games won, and seconds a move of both.

python bench/strength.py                                       a short set: 20 games of each search
python bench/strength.py --search mcts --level 10 --games 100  one match
    --rules FILE             rules.so or rules.pl; else learned first: from ../shared/data, or from examples/
    --seconds S, --nodes N   for a move of ours
    --jobs N                 games at a time
    --player COMMAND         another GTP engine in our place

9x9, Chinese rules, komi 7.5, positional superko. Every opening, the first two stones of each side in a game of
examples/, is played twice: GNU Go takes black first, then white. The winner is what a third GNU Go says at its default
level; each game is a line on stderr.
"""

from __future__ import annotations

import argparse
import math
import os
import shlex
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from _rules import learned
from _table import ROOT, heading, row, skipped

from gotools.errors import EngineError, MissingTool
from gotools.go.board import Board
from gotools.go.points import BLACK, NONE, PASS, WHITE, colour_letter, parse_vertex, vertex
from gotools.go.sgf import SgfProblem, read_games
from gotools.tournament.gtp.client import GtpEngine

SIZE, KOMI = 9, 7.5
OPENING = 4
"""Stones on the board before the players move."""
LONGEST = 250
"""Plies; a longer game is scored as it stands."""
PATIENCE = 120.0
"""Seconds beyond its time that an engine may take for an answer."""
GNUGO = "gnugo --mode gtp --chinese-rules --positional-superko"
STANDARD = (("mcts", 10), ("alphabeta", 1))
STANDARD_GAMES, FULL_GAMES = 20, 100
SECONDS = 0.4
"""A move of ours, where nothing else is said: less than GNU Go takes at level 10 (0.6 s on a busy machine)."""
TARGETS = {("mcts", 10): 0.85, ("alphabeta", 1): 0.20}
"""Shares of games won, of the issue; over 100 games."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. player -- our command line"""

    search: str
    level: int
    games: int
    player: str


@dataclass(slots=True)
class Result:
    """One game. winner -- BLACK or WHITE; ours -- our colour; spent -- seconds of each move, by colour"""

    ours: int
    plies: int = 0
    winner: int = 0
    how: str = ""
    our_score: str = ""
    spent: dict[int, list[float]] = field(default_factory=lambda: {BLACK: [], WHITE: []})

    @property
    def disputed(self) -> bool:
        """Whether our count names another winner than GNU Go's."""
        return self.our_score[:1].upper() in ("B", "W") and self.our_score[:1].upper() != self.how[:1]


def main(words: list[str]) -> None:
    options = parser().parse_args(words)
    heading("games against GNU Go 3.8, 9x9, komi 7.5, Chinese rules")
    os.environ["PATH"] += os.pathsep + "/usr/games"  # Debian's place for gnugo
    try:
        GtpEngine(GNUGO).close()
    except (MissingTool, EngineError) as error:
        skipped(f"games against GNU Go ({error})", "gnugo")
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.rules is None and options.player is None:
            options.rules = learned(Path(folder))
        chosen = [(options.search, options.level)] if options.search else STANDARD
        for search, level in chosen:
            player = options.player or command(search, options)
            play_match(Match(search, level, options.games, player), options.jobs)
    if not options.search:
        print(f"      the figures of README: the same with --search S --level L --games {FULL_GAMES}")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", choices=("mcts", "alphabeta"))
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--games", type=int, default=STANDARD_GAMES)
    parser.add_argument("--rules")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--player")
    return parser


def command(search: str, options: argparse.Namespace) -> str:
    """Return the command line of our player."""
    words = [sys.executable, "-m", "gotools", "gtp", "--quiet", "--search", search, "--rules", options.rules]
    if options.nodes:
        words += ["--nodes", str(options.nodes)]
    if options.seconds or not options.nodes:
        words += ["--time", str(options.seconds or SECONDS)]
    return shlex.join(words)


def play_match(match: Match, jobs: int) -> None:
    games = openings()[: (match.games + 1) // 2]
    plan = [(opening, colour) for opening in games for colour in (WHITE, BLACK)][: match.games]
    if len(plan) < match.games:
        print(f"      there are openings for {len(plan)} games only", file=sys.stderr)
    waiting, results, lock = iter(enumerate(plan, 1)), [], threading.Lock()

    def work() -> None:
        with (
            GtpEngine(match.player, PATIENCE) as ours,
            GtpEngine(f"{GNUGO} --level {match.level}", PATIENCE) as theirs,
            GtpEngine(GNUGO, PATIENCE) as referee,
        ):
            prepare((ours, theirs, referee))
            while True:
                with lock:
                    number, (opening, colour) = next(waiting, (0, ([], 0)))
                if not number:
                    return
                result = play_game(opening, colour, ours, theirs, referee, number)
                with lock:
                    results.append(result)
                    tell(match, number, opening, result)

    with ThreadPoolExecutor(jobs) as pool:
        for job in [pool.submit(work) for _ in range(jobs)]:
            job.result()
    report(match, results)


def openings() -> list[list[int]]:
    """Return the first stones of the games of examples/, black's and white's in turn; no two alike."""
    found = {}
    for path in sorted((ROOT / "examples").glob("*games/*.sgf")):
        for game in read_games(path.read_bytes(), path.name):
            if isinstance(game, SgfProblem) or game.size != SIZE:
                continue
            stones = [(stone.colour, stone.point) for stone in sorted(game.setup, key=lambda stone: stone.colour)]
            stones = (stones + [tuple(move) for move in game.moves.tolist()])[:OPENING]
            points = [point for _, point in stones]
            in_turn = [colour for colour, _ in stones] == [BLACK, WHITE] * (OPENING // 2)
            if in_turn and PASS not in points:
                found.setdefault(tuple(points))
    return [list(points) for points in found]


def prepare(engines: Sequence[GtpEngine]) -> None:
    """Let every engine compile and load what it has to, before a clock runs."""
    for engine in engines:
        for line in (f"boardsize {SIZE}", "clear_board", f"komi {KOMI}", "genmove b"):
            engine.ask(line, timeout=600)


def play_game(
    opening: list[int], our_colour: int, ours: GtpEngine, theirs: GtpEngine, referee: GtpEngine, seed: int
) -> Result:
    board, result = Board(SIZE), Result(our_colour)
    sides = {our_colour: ours, 3 - our_colour: theirs}
    everyone = (ours, theirs, referee)
    for engine in everyone:
        engine.ask("clear_board")
        engine.ask(f"komi {KOMI}")
    theirs.ask(f"set_random_seed {seed}")
    for ply, point in enumerate(opening):
        play(board, 1 + ply % 2, point, everyone)
    colour, passes = BLACK, 0
    while passes < 2 and made(result) < LONGEST:
        began = time.monotonic()
        answer = sides[colour].ask(f"genmove {colour_letter(colour)}").strip().lower()
        result.spent[colour].append(time.monotonic() - began)
        if answer == "resign":
            return ended(result, 3 - colour, "R")
        try:
            point = parse_vertex(answer, SIZE)
        except ValueError:
            point = NONE
        if point == NONE or not board.is_legal(point, colour, superko=True):
            return ended(result, 3 - colour, f"illegal move {answer}")
        play(board, colour, point, [engine for engine in everyone if engine is not sides[colour]])
        passes = passes + 1 if point == PASS else 0
        colour = 3 - colour
    score = referee.ask("final_score")
    result.our_score = ours.ask("final_score")
    return ended(result, WHITE if score[0] == "W" else BLACK, score[2:])


def made(result: Result) -> int:
    """Count the moves of both."""
    return sum(map(len, result.spent.values()))


def play(board: Board, colour: int, point: int, engines: Sequence[GtpEngine]) -> None:
    """Make a move on the board, and tell it to engines."""
    board.play_point(point, colour)
    for engine in engines:
        engine.ask(f"play {colour_letter(colour)} {vertex(point, SIZE)}")


def ended(result: Result, winner: int, how: str) -> Result:
    """Enter how a game ended."""
    result.winner, result.how = winner, f"{colour_letter(winner).upper()}+{how}"
    result.plies = OPENING + made(result)
    return result


# what is printed --------------------------------------------------------------------------------------------------


def tell(match: Match, number: int, opening: list[int], result: Result) -> None:
    own = colour_letter(result.ours).upper()
    stones = " ".join(vertex(point, SIZE) for point in opening)
    outcome = "won " if result.winner == result.ours else "lost"
    ours = f", ours {result.our_score}" if result.our_score and result.our_score != result.how else ""
    print(
        f"  {match.search} - level {match.level}, game {number} ({stones}): we are {own}, {outcome} {result.how}"
        f"{ours}; {result.plies} plies, {statistics.fmean(result.spent[result.ours] or [0]):.2f} s a move, "
        f"GNU Go {statistics.fmean(result.spent[3 - result.ours] or [0]):.2f} s",
        file=sys.stderr,
        flush=True,
    )


def report(match: Match, results: list[Result]) -> None:
    won = sum(result.winner == result.ours for result in results)
    low, high = wilson(won, len(results))
    target = TARGETS.get((match.search, match.level))
    share = won / len(results)
    row(
        f"{match.search} against level {match.level}: won {won} of {len(results)}",
        f"{share:.1%} ({low:.1%} to {high:.1%})",
        f">= {target:.0%}" if target else "",
        share >= target if target and len(results) >= FULL_GAMES else None,
        match.player,
    )
    by_colour = {c: [r for r in results if r.ours == c] for c in (BLACK, WHITE)}
    shares = [
        f"{colour_letter(c)} {sum(r.winner == c for r in by_colour[c])} of {len(by_colour[c])}" for c in by_colour
    ]
    row("    as black, as white", ", ".join(shares))
    mine = [seconds for result in results for seconds in result.spent[result.ours]]
    theirs = [seconds for result in results for seconds in result.spent[3 - result.ours]]
    for name, spent in (("ours", mine), ("GNU Go's", theirs)):
        row(f"    {name}: seconds a move, mean and largest", f"{statistics.fmean(spent):.2f}, {max(spent):.2f}")
    disputed = [f"{result.how} (ours {result.our_score})" for result in results if result.disputed]
    row("    games whose winner our final_score disputes", f"{len(disputed)}", how="; ".join(disputed))


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    z = 1.96
    share, weight = won / games, z * z / games
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / games + weight / (4 * games))
    return middle - half, middle + half


if __name__ == "__main__":
    main(sys.argv[1:])
