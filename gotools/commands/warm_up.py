"""`gotools warm-up`: compile all kernels, so that no command has to.

Runs small jobs that use each command in its usual form: a command that is missing here compiles when it is first used.
The jobs of players are their starts, for a player rehearses a game before its first move (`engines/gtp/session.py`).
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import typer

from gotools.commands.options import Quiet
from gotools.game.table import GAMES, USUAL

FOR = "For people who have just installed gotools and want every command to start at once."
EPILOG = """\b
Example, after the installation:
  gotools warm-up
"""
LANE: Final = "GOTOOLS_WARM_UP_LANE"
"""Set in the environment of the processes that do the jobs: the index of their lane."""
LANES: Final = (
    {
        "sgf-to-examples": ("sgf-to-examples games -o examples.tsv --negatives random=4,unplayed=4",),
        "induce-patterns": ("induce-patterns games --positives 40 --test games -o cover.pl",),
        "induce-patterns --objective rank": (
            "induce-patterns games --objective rank --max-rules 3 --test games -o rank.pl",
        ),
        "compile-patterns": ("compile-patterns rules.pl -o rules.c",),
        "rank-moves": (
            "rank-moves rows.tsv --rules rules.pl -o ranking.tsv",
            "rank-moves rows.tsv games --rules rules.pl --explain -o ranking.txt",
        ),
    },
    {
        "train-eval": ("train-eval --games 64 --referee-games 2 -o eval.npz",),
        "gtp": ("gtp --rules none --eval none",),
        "cluster-moves": ("cluster-moves games --k 2 --starts 1 -o clusters.tsv",),
        "order-bench": (
            "cluster-moves games --k 2 --starts 1 -o clusters.tsv",
            "order-bench games --positions 1 --depth 2 --order clusters.tsv -o orders.tsv",
        ),
        "solve": ("solve problem.sgf -o solved.tsv", "solve --game shogi mate.sfen -o mates.tsv"),
        "gtp --search alphabeta": ("gtp --search alphabeta --rules none --eval none",),
        "gtp --rules rules.pl": ("gtp --rules rules.pl", "gtp --search alphabeta --rules rules.pl"),
        "gtp --eval planes.npz": ("gtp --eval planes.npz", "gtp --search alphabeta --eval planes.npz"),
        **{
            f"gtp --game {game}": tuple(f"gtp --game {game} --search {search}" for search in ("alphabeta", "mcts"))
            for game in GAMES
            if game != USUAL
        },
    },
)
"""Jobs by command, with the option that changes what is compiled: command lines in a folder with the files of
`write_files`. Two processes share the work: jobs of one lane need much of the same."""


def warm_up(context: typer.Context, quiet: Quiet = False) -> None:
    """Compile all kernels now, once for this machine.

    Takes about a minute and a half on two cores, once for a version of gotools, of Python and of numba, and for a
    processor; a second call does nothing. Prints the folder of compiled kernels: $NUMBA_CACHE_DIR, else
    $XDG_CACHE_HOME/gotools, else ~/.cache/gotools.

    Streams: Ctrl-C keeps what has been compiled.
    """
    from gotools.base.errors import GotoolsError
    from gotools.jit.kernel_cache import cache_folder

    if LANE in os.environ:
        _run_lane(context, LANES[int(os.environ[LANE])])
        return
    stamp = _stamp()
    problems = []
    if not stamp.exists():
        began = time.monotonic()
        problems = _run_lanes(quiet)
        if not quiet:
            print(f"compiled in {time.monotonic() - began:.0f} s", file=sys.stderr)
    elif not quiet:
        print("all is compiled already", file=sys.stderr)
    print(cache_folder())
    if problems:
        raise GotoolsError("\n".join(problems))
    stamp.mkdir(exist_ok=True)


def _stamp() -> Path:
    """Return the folder that says that all is compiled: of these kernels, versions, and for this processor."""
    from gotools.jit.kernel_cache import cache_folder, hash_of_kernels
    from gotools.jit.target import processor

    kind = f"{hash_of_kernels()} {processor()}"
    return cache_folder() / f"warm-{hashlib.sha256(kind.encode()).hexdigest()[:24]}"


def _run_lanes(quiet: bool) -> list[str]:
    """Do the jobs of all lanes at the same time, each lane in a process; returns what went wrong. Ctrl-C ends them."""
    from gotools.commands.progress import Progress
    from gotools.jit import compiling

    compiling.notify()
    problems = []
    with ExitStack() as stack:
        stack.enter_context(Progress("compiling kernels", quiet))
        lanes = []
        for number in range(len(LANES)):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gotools-", ignore_cleanup_errors=True))
            stderr = stack.enter_context(tempfile.TemporaryFile())
            lane = subprocess.Popen(
                [sys.executable, "-m", "gotools", "warm-up", "-q"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                cwd=folder,
                env={**os.environ, LANE: str(number), "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
                start_new_session=True,  # Ctrl-C is for us
            )
            stack.callback(lane.wait)
            stack.callback(lane.kill)
            lanes.append((lane, stderr))
        for lane, stderr in lanes:
            if code := lane.wait():
                stderr.seek(0)
                said = stderr.read().decode("utf-8", "replace").strip() or f"ended with code {code}"
                problems += [line for line in said.splitlines() if " not compiled for " in line] or [said]
    return problems


def _run_lane(context: typer.Context, jobs: dict[str, tuple[str, ...]]) -> None:
    """Do jobs in this process, one after the other; raises GotoolsError where some failed."""
    from gotools.base.errors import GotoolsError

    write_files(Path())
    gotools, problems = context.find_root().command, []
    for name, lines in jobs.items():
        try:
            for line in lines:
                with open("stdin", "rb") as stdin:
                    os.dup2(stdin.fileno(), 0)
                with gotools.make_context("gotools", line.split()) as inside:
                    gotools.invoke(inside)
        except Exception as error:
            problems.append(f"not compiled for {name}: {error}")
    if problems:
        raise GotoolsError("\n".join(problems))


def write_files(folder: Path) -> None:
    """Write what the jobs read: stdin, games/, rows.tsv, rules.pl, problems, and planes.npz, a network of zeros."""
    import numpy as np

    from gotools.game.game import find_game
    from gotools.game.learning import Planes
    from gotools.values.network.shape import PLANES, parse_shape
    from gotools.values.weights.weights_file import Weights, save_weights

    games = folder / "games"
    games.mkdir()
    for number in range(6):
        (games / f"{number}.sgf").write_text(_game(random.Random(number)), encoding="ascii")
    (folder / "stdin").write_text("showboard\n", encoding="ascii")  # of gtp, whose player gets ready for it
    (folder / "rows.tsv").write_text(_ROWS, encoding="ascii")
    (folder / "rules.pl").write_text(_RULES, encoding="ascii")
    (folder / "problem.sgf").write_text("(;GM[1]SZ[5]AB[ba]AW[aa]TR[aa])", encoding="ascii")
    (folder / "mate.sfen").write_text("4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n", encoding="ascii")
    planes = len(find_game(USUAL).need(Planes).names)
    nothing = np.zeros(parse_shape(_NETWORK).weights(planes), np.float32)
    save_weights(folder / "planes.npz", Weights(USUAL, 9, 7.5, PLANES, _NETWORK, 0, nothing))


def _game(chance: random.Random) -> str:
    """Return a game of 30 moves, most of them beside the one before, as SGF."""
    empty = {(x, y) for x in range(9) for y in range(9)}
    at = 4, 4
    moves = []
    for ply in range(30):
        beside = [(at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        near = sorted(empty.intersection(beside))
        at = chance.choice(near if near and chance.random() < 0.8 else sorted(empty))
        empty.discard(at)
        moves.append(f";{'BW'[ply % 2]}[{'abcdefghi'[at[0]]}{'abcdefghi'[at[1]]}]")
    return f"(;GM[1]FF[4]SZ[9]KM[7.5]RE[B+R]{''.join(moves)})"


_NETWORK: Final = "conv:1x32"
_ROWS: Final = """\
##gotools examples 2
to_play\tposition\tmove
b\t........./........./..X....../........./....O..../........./......X../........./.........\tE4
w\t........./..O....../..X....../........./....OX.../........./......X../........./.........\tB7
"""
_RULES: Final = """%% gotools rules 1
%% game=go
%% sizes=9-9
:- discontiguous rule/4, move/4.

rule(r1, 826, 6177, 0.696).
move(A,B,C,D) :- pos_gen(E), opposite(B,F), block_on_pos(A,C,D,G,-1,0,E), block_color(A,G,F).

rule(r2, 620, 77879, -0.459).
move(A,B,C,D) :- pos_gen(E), empty_on_pos(A,C,D,-2,0,E), liberties_after(A,C,D,B,F), range(F,1,3).
"""
