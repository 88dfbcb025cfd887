"""Tournaments: what the controller costs a move, many games at once by the clock, the price of GTP, bytes a game.

The engines do no work: they answer a fixed list of moves, at once or after a sleep. Baselines of other programs are
theirs on another day of a like machine; the bare loop is measured in turn with ours.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from _table import heading, row

from gotools.gtp_client.client import GtpEngine
from gotools.matches.config import TournamentConfig, load_config
from gotools.matches.schedule import Shard
from gotools.matches.tournament import run_tournament

ENGINE = """
import sys, time
plies, delay = int(sys.argv[1]), float(sys.argv[2])
moves = {"b": ["%s%d" % (x, y) for x in "ABCD" for y in range(1, 10)],
         "w": ["%s%d" % (x, y) for x in "JHGF" for y in range(1, 10)]}
for colour in moves:
    moves[colour] = moves[colour][:plies // 2] + ["pass"] * 200
known = "protocol_version list_commands boardsize clear_board komi play genmove quit"
known += " kgs-rules kata-time_settings time_left"
said = 0
for line in sys.stdin:
    number, command, *words = line.split()
    answer = ""
    if command == "genmove":
        if delay:
            time.sleep(delay)
        answer = moves[words[0]][said]
        said += 1
    elif command == "clear_board":
        said = 0
    elif command == "protocol_version":
        answer = "2"
    elif command == "list_commands":
        answer = known.replace(" ", "\\n")
    sys.stdout.write("=%s %s\\n\\n" % (number, answer))
    sys.stdout.flush()
    if command == "quit":
        break
"""
"""Black fills the four columns on the left, white those on the right: nothing is ever taken."""
GAMES, PLIES, ROUNDS = 100, 72, 5
CLOCKS = ("wall", "self", "children")
TARGET_MS = 0.3
AT_ONCE, THINKING, CLOCK, SHORT = 64, 0.08, 0.1, 28
ASKED = 1_000


def main() -> None:
    heading(
        f"tournament: two instant engines, {GAMES} games of {PLIES} moves and two passes on 9x9, one after the other"
    )
    overhead()
    heading(f"tournament: {AT_ONCE} games at once, {2 * AT_ONCE} engines that sleep {THINKING} s a move, 0.1 s/move")
    many_at_once()
    heading(f"tournament: our own player behind GTP, `name` {ASKED:,} times")
    round_trip()


def words(plies: int, delay: float = 0.0) -> list[str]:
    """Return the command of an engine; without site-packages, so that 128 of them take little memory."""
    return [sys.executable, "-S", "-E", "-c", ENGINE, str(plies), str(delay)]


def settings(plies: int, delay: float, **more: Any) -> TournamentConfig:
    engines = [{"name": name, "command": words(plies, delay)} for name in "ab"]
    return load_config(None, {"engine": engines, "openings": "none", "dead": "none", **more})


def overhead() -> None:
    """Measure ours and the bare loop in turn; the best of some rounds, for what else the machine does only adds."""
    play(settings(PLIES, 0.0, games=2))  # loads what is loaded once
    rounds = [(ours(), bare()) for _ in range(ROUNDS)]
    asked = GAMES * (PLIES + 2)
    us, loop = ({key: min(found[key] for found in side) for key in side[0]} for side in zip(*rounds, strict=True))
    ms = {key: 1000 * us[key] / asked for key in CLOCKS}
    loop_ms = {key: 1000 * loop[key] / asked for key in CLOCKS}
    extra = ms["wall"] - loop_ms["wall"]
    row(
        "all of it",
        f"{us['wall']:.2f} s",
        "",
        None,
        "gogui-twogtp 3.0 s, gomill 38.7 s, measured for the research note",
    )
    row("a move: by the clock, CPU here, CPU of the engines", figures(ms))
    row("a move of a bare loop with the same engines", figures(loop_ms))
    row("overhead a move, by the clock", f"{extra:.3f} ms", f"< {TARGET_MS} ms", extra < TARGET_MS)
    row("overhead a move, CPU", f"{ms['self'] - loop_ms['self']:.3f} ms")
    row("bytes a game: journal, SGF", f"{us['journal']:,.0f}, {us['records']:,.0f}")


def figures(ms: dict[str, float]) -> str:
    return ", ".join(f"{ms[key]:.3f}" for key in CLOCKS) + " ms"


def ours() -> dict[str, float]:
    """Play a tournament; returns seconds by the clock, of CPU here and in the engines, and bytes a game."""
    with tempfile.TemporaryDirectory() as folder:
        before = spent()
        play(settings(PLIES, 0.0, games=GAMES), folder)
        found = {key: value - before[key] for key, value in spent().items()}
        files = list(Path(folder, "games").iterdir())
        assert len(files) == GAMES
        return found | {
            "journal": Path(folder, "results.jsonl").stat().st_size / GAMES,
            "records": sum(file.stat().st_size for file in files) / GAMES,
        }


def play(config: TournamentConfig, folder: str | None = None) -> Any:
    if folder is None:
        with tempfile.TemporaryDirectory() as made:
            return play(config, made)
    report = run_tournament(config, folder, Shard(), lambda _: None, quiet=True)
    assert report.complete and not report.troubles, report.troubles[:1]
    return report


def bare() -> dict[str, float]:
    """Let the same engines play by a loop that writes lines and reads answers, and does nothing else."""
    before = spent()
    engines = [subprocess.Popen(words(PLIES), stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    for game in range(GAMES):
        for engine in engines:
            for line in (b"1 boardsize 9\n", b"1 clear_board\n", b"1 komi 7.5\n"):
                ask(engine, line)
        for ply in range(PLIES + 2):
            side, colour = (ply + game) % 2, (b"b", b"w")[ply % 2]
            move = ask(engines[side], b"1 genmove %s\n" % colour)
            ask(engines[1 - side], b"1 play %s %s" % (colour, move[3:]))
    for engine in engines:
        engine.communicate(b"1 quit\n")
    return {key: value - before[key] for key, value in spent().items()}


def ask(engine: subprocess.Popen[bytes], line: bytes) -> bytes:
    assert engine.stdin is not None and engine.stdout is not None
    engine.stdin.write(line)
    engine.stdin.flush()
    answer = engine.stdout.readline()
    engine.stdout.readline()
    return answer


def spent() -> dict[str, float]:
    found = {"wall": time.perf_counter()}
    for key, who in (("self", resource.RUSAGE_SELF), ("children", resource.RUSAGE_CHILDREN)):
        usage = resource.getrusage(who)
        found[key] = usage.ru_utime + usage.ru_stime
    return found


def many_at_once() -> None:
    """Play two games in each of the places, with the default margin and with none."""
    for name, target, more in (("the default margin, 0.25 s", "0", {}), ("no margin", "", {"margin": 0})):
        config = settings(SHORT, THINKING, games=2 * AT_ONCE, jobs=AT_ONCE, time=f"{CLOCK}s/move", **more)
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            report = run_tournament(config, folder, Shard(), lambda _: None, quiet=True)
            took = time.perf_counter() - began
        engines = report.standings.engines
        losses = sum(engine.time_losses for engine in engines)
        over = max(engine.slowest for engine in engines) - CLOCK
        what = f"games lost on time, of {report.standings.played}; {name}"
        row(what, f"{losses}", target, not losses if target else None)
        row("  slowest move, beyond the 0.1 s", f"{1000 * over:+.0f} ms")
        asleep = 2 * (SHORT + 2) * THINKING
        row("  all of it, starts included", f"{took:.1f} s", "", None, f"{asleep:.1f} s is what two whole games sleep")


def round_trip() -> None:
    with GtpEngine([sys.executable, "-m", "gotools", "gtp", "-q", "--nodes", "1"], 120) as engine:
        engine.ask("genmove b")
        took = sorted(seconds(engine, "name") for _ in range(ASKED))
    micro = 1e6 * statistics.median(took)
    share = 3 * micro / (CLOCK * 1e6)  # time_left, genmove, play
    row("round trip: median, 99 of 100", f"{micro:.0f}, {1e6 * took[ASKED * 99 // 100]:.0f} microseconds")
    row("three commands a move against 0.1 s of thinking", f"{100 * share:.2f} %")


def seconds(engine: GtpEngine, command: str) -> float:
    began = time.perf_counter()
    engine.ask(command)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
