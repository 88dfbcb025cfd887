"""Fill the folder of compiled kernels before they are needed: a small job for each command, in a process of its own.

A stamp in the folder says that a job has been done for this processor and these versions. So a command that finds no
stamp can say what it waits for, its bars and seconds are those of its work, and `gotools warm-up` does all jobs.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from gotools import compiling

INSIDE: Final = "GOTOOLS_WARMING"
"""Set in the environment of the processes that do these jobs: they run no others."""
LIBRARIES: Final = (".so", ".dylib", ".dll")
"""Endings of compiled rules."""
LOOK: Final = 0.1
"""Seconds between looks at a job that runs."""


class Recipe(NamedTuple):
    """A job that has all compiled that a command needs in its usual form.

    lines   -- command lines, run one after the other in a folder with the files of `_files`, with an empty stdin;
        `gtp` rehearses a game before its first command
    seconds -- that it takes with an empty folder on one core of a machine of 2022
    """

    lines: tuple[str, ...]
    seconds: int


def _by_both(game: str, seconds: int) -> Recipe:
    """Return the recipe of a game other than Go: its player by each search."""
    return Recipe(tuple(f"gtp --game {game} --search {search}" for search in ("alphabeta", "mcts")), seconds)


RECIPES: Final = {
    "sgf-to-examples": Recipe(("sgf-to-examples games -o rows.tsv --negatives random=4,unplayed=4",), 6),
    "induce-patterns": Recipe(("induce-patterns games --positives 40 --test games -o cover.pl",), 20),
    "induce-patterns --objective rank": Recipe(
        ("induce-patterns games --objective rank --max-rules 3 --test games -o rank.pl",), 35
    ),
    "compile-patterns": Recipe(("compile-patterns rules.pl -o rules.c",), 3),
    "rank-moves": Recipe(
        (
            "rank-moves rows.tsv --rules rules.pl -o ranking.tsv",
            "rank-moves rows.tsv games --rules rules.pl --explain -o ranking.txt",
        ),
        25,
    ),
    "train-eval": Recipe(("train-eval --games 64 --referee-games 2 -o eval.npz",), 22),
    "cluster-moves": Recipe(("cluster-moves games --k 2 --starts 1 -o clusters.tsv",), 9),
    "order-bench": Recipe(
        (
            "cluster-moves games --k 2 --starts 1 -o order.tsv",
            "order-bench games --positions 1 --depth 2 --order order.tsv -o orders.tsv",
        ),
        18,
    ),
    "gtp": Recipe(("gtp --rules none --eval none",), 12),
    "gtp --eval planes.npz": Recipe(("gtp --eval planes.npz", "gtp --search alphabeta --eval planes.npz"), 25),
    "gtp --game connect4": _by_both("connect4", 12),
    "gtp --game tictactoe": _by_both("tictactoe", 10),
    "gtp --game abalone": _by_both("abalone", 15),
    "gtp --game shogi": _by_both("shogi", 18),
    "gtp --search alphabeta": Recipe(("gtp --search alphabeta --rules none --eval none",), 12),
    "gtp --rules rules.pl": Recipe(("gtp --rules rules.pl", "gtp --search alphabeta --rules rules.pl"), 35),
}
"""By command, with the option that changes what is compiled."""
LANES: Final = (
    ("sgf-to-examples", "induce-patterns", "induce-patterns --objective rank", "compile-patterns", "rank-moves"),
    (
        "train-eval",
        "gtp",
        "cluster-moves",
        "order-bench",
        "gtp --search alphabeta",
        "gtp --rules rules.pl",
        "gtp --eval planes.npz",
        "gtp --game connect4",
        "gtp --game tictactoe",
        "gtp --game abalone",
        "gtp --game shogi",
    ),
)
"""What `gotools warm-up` runs at the same time, one recipe after the other in each lane."""
BESIDE: Final = {"induce-patterns --objective rank": ("rank-moves", "compile-patterns")}
"""Recipes that a second core does meanwhile: they compile much of what that one needs, and what comes after it."""


def is_done(name: str) -> bool:
    """Say whether a recipe has been done here, or is not wanted: by a process inside another recipe, without numba."""
    if INSIDE in os.environ or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return True
    return _stamp(name).exists()


def recipe_of_player(
    game: str,
    search: str | None,
    rules: str | None,
    weights: str | None,
    order: str | None,
    policy: bool | None = None,
) -> str:
    """Return the recipe that compiles what a player with these options of `gotools gtp` needs.

    policy -- whether it uses a network over planes; None: where nothing is named, and the package has one
    """
    if game != "go":
        name = f"gtp --game {game.partition(':')[0]}"
        return name if name in RECIPES else "gtp --game tictactoe"
    from gotools.player.weights import DEFAULT_WEIGHTS, NONE

    rules = None if rules == NONE else rules
    if policy is None:
        policy = search != "alphabeta" and rules is weights is order is None and DEFAULT_WEIGHTS.exists()
    weights = None if weights == NONE else weights
    if rules is not None and not rules.endswith(LIBRARIES):
        return "gtp --rules rules.pl"
    if policy:
        return "gtp --eval planes.npz"
    with_alphabeta = search == "alphabeta" or (search is None and not policy and not weights is order is None)
    return "gtp --search alphabeta" if with_alphabeta else "gtp"


def ready(name: str, quiet: bool) -> None:
    """Have compiled what a recipe compiles, where that has not been done yet; say so on stderr unless `quiet`.

    What fails is left to be compiled by the command itself. Ctrl-C ends it.
    """
    if is_done(name):
        return
    _do([[name], [beside for beside in BESIDE.get(name, ()) if not is_done(beside)]], quiet)
    compiling.notified = True  # what little is left is not worth a second notice


def warm_all(quiet: bool) -> tuple[int, dict[str, str]]:
    """Do all recipes that have not been done, two at a time.

    Returns how many were done, and by name what went wrong with the others.
    """
    lanes = [[name for name in lane if not is_done(name)] for lane in LANES]
    names = [name for lane in lanes for name in lane]
    problems = _do(lanes, quiet) if names else {}
    return len(names) - len(problems), problems


def _do(lanes: list[list[str]], quiet: bool) -> dict[str, str]:
    """Do recipes, those of each lane one after the other; returns by name what went wrong. Ctrl-C ends them."""
    names = [name for lane in lanes for name in lane]
    longest = max(sum(RECIPES[name].seconds for name in lane) for lane in lanes)
    problems: dict[str, str] = {}
    running: list[CompileJob | None] = [None] * len(lanes)
    with _Sign(longest, quiet, sum(RECIPES[name].seconds for name in names)) as sign, ExitStack() as jobs:
        while any(running) or any(lanes):
            for at, lane in enumerate(lanes):
                job = running[at]
                if job is None and lane:
                    running[at] = jobs.enter_context(CompileJob(lane.pop(0)))
                elif job is not None and not job.runs():
                    running[at] = None
                    if job.problem:
                        problems[job.name] = job.problem
            waiting = sum(RECIPES[name].seconds for lane in lanes for name in lane)
            sign.show([job for job in running if job is not None], waiting)
            time.sleep(LOOK)
    return problems


class CompileJob:
    """A recipe that runs in processes of its own; ended with the `with` block.

    arguments -- instead of the recipe's: a command that needs no files of ours
    """

    def __init__(self, name: str, arguments: Sequence[str] | None = None) -> None:
        self.name = name
        self.problem = ""
        self._began = time.monotonic()
        self._folder = tempfile.TemporaryDirectory(prefix="gotools-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._where: str | None = None
        if arguments is None:
            self._where = self._folder.name
            _write_files(Path(self._folder.name))
            self._waiting = [line.split() for line in RECIPES[name].lines]
        else:
            self._waiting = [list(arguments)]

    def __enter__(self) -> CompileJob:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._folder.cleanup()

    def age(self) -> float:
        """Return the seconds since it began."""
        return time.monotonic() - self._began

    def runs(self) -> bool:
        """Start what is next when its time has come; say whether there is more to wait for."""
        if self._process is not None:
            if self._process.poll() is None:
                return True
            self._note()
        if self.problem or not self._waiting:
            return False
        self._start(self._waiting.pop(0))
        return True

    def wait(self) -> None:
        """Wait until all is done."""
        while self.runs():
            time.sleep(LOOK)

    def _start(self, arguments: list[str]) -> None:
        with Path(self._folder.name, "stderr").open("wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "gotools", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                cwd=self._where,
                env={**os.environ, INSIDE: "1", "PYTHONPATH": _path()},
                start_new_session=True,  # Ctrl-C is for us
            )

    def _note(self) -> None:
        """See how a process ended; after the last one, leave the stamp."""
        assert self._process is not None
        code, self._process = self._process.returncode, None
        if code:
            said = Path(self._folder.name, "stderr").read_text("utf-8", "replace").strip()
            self.problem = said.splitlines()[-1] if said else f"ended with code {code}"
        elif not self._waiting:
            with suppress(OSError):
                _stamp(self.name).touch(mode=0o600)


class _Sign:
    """What a terminal shows meanwhile: a moving sign, a bar, the time; elsewhere a line; nothing when quiet.

    seconds -- that it takes all in all; total -- seconds of all recipes, one after the other
    """

    def __init__(self, seconds: int, quiet: bool, total: int) -> None:
        self._what = f"compiling kernels once for this machine, about {seconds} s"
        self._quiet, self._total = quiet, total
        self._bar: Any = None

    def __enter__(self) -> _Sign:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), TimeElapsedColumn()
            news = TextColumn("{task.fields[news]}", markup=False)
            self._bar = Progress(*columns, news, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self._what, total=self._total, news="")
            self._bar.start()
        elif not self._quiet:
            print(f"gotools: {self._what}", file=sys.stderr, flush=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, jobs: Sequence[CompileJob], waiting: int) -> None:
        """Show what runs; waiting -- seconds of recipes that have not begun."""
        if self._bar is not None:
            left = waiting + sum(max(RECIPES[job.name].seconds - job.age(), 0.0) for job in jobs)
            news = ", ".join(job.name for job in jobs) if len(jobs) > 1 else ""
            self._bar.update(self._task, completed=self._total - left, news=news)


def _stamp(name: str) -> Path:
    """Return the file that says that a recipe is done for this processor, Python and numba."""
    from importlib.metadata import version

    from llvmlite import binding

    from gotools.kernel_cache import cache_folder, hash_of_kernels

    processor = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES") or binding.get_host_cpu_features().flatten()
    kind = f"{name} {hash_of_kernels()} {sys.version} {version('numba')} {version('numpy')} {processor} {features}"
    return cache_folder() / f"warm-{hashlib.sha256(kind.encode()).hexdigest()[:24]}"


def _path() -> str:
    """Return where this process finds its modules, for a process in another folder."""
    return os.pathsep.join(os.path.abspath(entry) for entry in sys.path)


def _write_files(folder: Path) -> None:
    """Write what recipes read: games/, some short games, rows.tsv, rules.pl, and planes.npz, which knows nothing."""
    import numpy as np

    from gotools.game import find_game
    from gotools.learn.network.shape import PLANES, parse_shape
    from gotools.learn.weights.weights_file import Weights, save_weights

    games = folder / "games"
    games.mkdir()
    for number in range(6):
        (games / f"{number}.sgf").write_text(_game(random.Random(number)), encoding="ascii")
    (folder / "rows.tsv").write_text(_ROWS, encoding="ascii")
    (folder / "rules.pl").write_text(_RULES, encoding="ascii")
    planes = find_game("go").find_planes()
    assert planes is not None
    nothing = np.zeros(parse_shape(_NETWORK).weights(len(planes.names)), np.float32)
    save_weights(folder / "planes.npz", Weights("go", 9, 7.5, PLANES, _NETWORK, 0, nothing))


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
