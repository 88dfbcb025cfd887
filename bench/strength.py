"""Games against GNU Go 3.8, by `gotools tournament`: share of games won, and seconds a move of both.

python bench/strength.py                                       a short set: 20 games of each search
python bench/strength.py --search mcts --level 10 --games 100  one match
    --eval FILE              eval.npz of train-eval, for alpha-beta
    --rules FILE             rules.so or rules.pl; else learned first: from ../shared/data, or from examples/
    --seconds S, --nodes N   for a move of ours
    --jobs N                 games at a time
    --player COMMAND         another GTP engine in our place
    -o RUN                   keep the games there; a match that is there is taken up again

9x9, komi 7.5, area scoring, positional superko. Every opening of two moves is played twice, colours
exchanged. Where the two count a finished game differently a third GNU Go decides.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from _rules import learned
from _table import heading, row, skipped
from scipy.stats import binomtest

from gotools.matches.config import load_config
from gotools.matches.report.report import TournamentReport
from gotools.matches.schedule import Shard
from gotools.matches.tournament import run_tournament

GNUGO = "gnugo --mode gtp --chinese-rules --positional-superko"
STANDARD = (("mcts", 10), ("alphabeta", 1))
STANDARD_GAMES, FULL_GAMES = 20, 100
SECONDS = 0.4
"""A move of ours, where nothing else is said: less than GNU Go takes at level 10 (0.6 s on a busy machine)."""
TARGETS = {("mcts", 10): 0.85, ("alphabeta", 1): 0.20}
"""Shares of games won that were asked for, over 100 games."""
OURS = "ours"


def main(words: list[str]) -> None:
    options = parser().parse_args(words)
    heading("games against GNU Go 3.8, 9x9, komi 7.5, area scoring")
    os.environ["PATH"] += os.pathsep + "/usr/games"  # Debian's place for gnugo
    if shutil.which("gnugo") is None:
        skipped("games against GNU Go", "gnugo")
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.rules is None and options.player is None:
            options.rules = learned(Path(folder))
        for search, level in [(options.search, options.level)] if options.search else STANDARD:
            run = options.output or f"{folder}/{search}-{level}"
            target = 0.5 if options.eval else TARGETS.get((search, level))
            tell(search, level, play(search, level, run, options), target)
    if not options.search:
        print(f"      the figures of bench/strength.md: the same with --search S --level L --games {FULL_GAMES}")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", choices=("mcts", "alphabeta"))
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--games", type=int, default=STANDARD_GAMES)
    parser.add_argument("--eval")
    parser.add_argument("--rules")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--player")
    parser.add_argument("-o", "--output")
    return parser


def play(search: str, level: int, run: str, options: argparse.Namespace) -> TournamentReport:
    """Play a match against GNU Go; a line a game on stderr."""
    settings = {
        "engine": [f"{OURS}={options.player or player(search, options)}", f"gnugo={GNUGO} --level {level}"],
        "komi": 7.5,
        "games": options.games,
        "rules": "chinese-kgs",
        "referee": GNUGO,
        "timeout": 120.0,
        "jobs": options.jobs,
        "comments": False,
    }
    return run_tournament(load_config(None, settings), run, Shard(), lambda line: print(line, file=sys.stderr))


def player(search: str, options: argparse.Namespace) -> str:
    """Return the command line of our player."""
    words = [sys.executable, "-m", "gotools", "gtp", "--quiet", "--search", search, "--rules", options.rules]
    if options.eval:
        words += ["--eval", options.eval]
    if options.nodes:
        words += ["--nodes", str(options.nodes)]
    if options.seconds or not options.nodes:
        words += ["--time", str(options.seconds or SECONDS)]
    return shlex.join(words)


def tell(search: str, level: int, report: TournamentReport, target: float | None) -> None:
    ours, theirs = (report.standings.engine(name) for name in report.names)
    won, games = ours.score.wins, ours.score.games
    interval = binomtest(won, games).proportion_ci(0.95, "wilson")
    row(
        f"{search} against level {level}: won {won} of {games}",
        f"{won / games:.1%} ({interval.low:.1%} to {interval.high:.1%})",
        f">= {target:.0%}" if target else "",
        won / games >= target if target and games >= FULL_GAMES else None,
    )
    row("    as black, as white", f"{ours.black.wins} of {ours.black.games}, {ours.white.wins} of {ours.white.games}")
    for name, engine in (("ours", ours), ("GNU Go's", theirs)):
        means = engine.seconds_per_move or 0.0, engine.seconds_per_contested_move or 0.0
        seconds = ", ".join(f"{one:.2f}" for one in (*means, engine.slowest))
        row(f"    {name}: seconds a move, mean, of the contested part, largest", seconds)
    disputed = [f"game {game.game}: {game.what}" for game in report.results if "counts" in game.what]
    row("    games that the two count differently", str(len(disputed)), how="; ".join(disputed[:3]))
    if report.troubles:
        row("    games ended by a fault", str(len(report.troubles)), how=report.troubles[0].line)


if __name__ == "__main__":
    main(sys.argv[1:])
