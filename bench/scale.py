"""How rules for ranking get better with the games: time, memory, prediction of other games, from 100 games on.

    python bench/scale.py                                                  100 games, some minutes
    python bench/scale.py 100 400 1600 6400 10000 --table scale.tsv --plot docs/scale.svg          some hours

Each row is the one command of a user, on the first games of go19-tom/train, measured on all moves of go19-tom/valid.
Rows that the table has already are not measured again.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _table import SHARED, heading, row, skipped

from gotools.game.records.sgf import read_games, write_game
from gotools.games.go.go import GO
from gotools.rules.clauses.rules import load_rules

DATA = SHARED / "data/go19-tom"
COLUMNS = ("games", "moves", "rules", "seconds", "cpu_seconds", "rss_mib", "top1", "top5", "top20", "log_likelihood")
MEMORY = "4GiB"


def main() -> None:
    """Measure what the table lacks, print all of it, and draw it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", type=int, default=[100])
    parser.add_argument("--table", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the rules")
    arguments = parser.parse_args()
    heading("rules for ranking on 19x19, by the number of games")
    if not DATA.is_dir():
        skipped("scale", "../shared/data/go19-tom")
        return
    found = read_table(arguments.table)
    with tempfile.TemporaryDirectory() as folder:
        for games in arguments.games:
            if games not in found:
                found[games] = measured(games, arguments.keep or Path(folder))
                write_table(arguments.table, found)
            show(found[games])
    if arguments.plot:
        draw(found, arguments.plot)


def measured(games: int, folder: Path) -> dict[str, float]:
    """Learn from the first games, and measure the command: wall and CPU seconds, the largest resident set."""
    records, rules, metrics = folder / f"{games}.sgf", folder / f"{games}.pl", folder / f"{games}.json"
    write_first(games, records)
    command = [sys.executable, "-m", "gotools", "induce-patterns", str(records), "--objective", "rank", "-q"]
    command += ["--memory", MEMORY, "--test", str(DATA / "valid"), "-o", str(rules), "--metrics", str(metrics)]
    began = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    numbers = json.loads(metrics.read_text())
    test = numbers["test"]
    return {
        "games": games,
        "moves": int(load_rules(rules).header["positives"]),
        "rules": numbers["rules"],
        "seconds": round(time.monotonic() - began),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime),
        "rss_mib": round(usage.ru_maxrss / 1024),
        **{name: round(test[name], 4) for name in ("top1", "top5", "top20", "log_likelihood")},
    }


def write_first(games: int, path: Path) -> None:
    """Write the first games of the collections, in the order of their names, to one file."""
    left = games
    with path.open("wb") as out:
        for source in sorted((DATA / "train").glob("*.sgf")):
            for record in read_games(source.read_bytes(), source.name, GO):
                if left and hasattr(record, "moves"):
                    out.write(write_game(record, GO))
                    left -= 1
    if left:
        sys.exit(f"there are only {games - left:,} games")


def read_table(path: Path | None) -> dict[int, dict[str, float]]:
    """Return the rows measured before, by the number of games."""
    if path is None or not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        return {
            int(line["games"]): {k: float(v) for k, v in line.items()} for line in csv.DictReader(lines, delimiter="\t")
        }


def write_table(path: Path | None, found: dict[int, dict[str, float]]) -> None:
    """Write all rows."""
    if path is not None:
        with path.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, COLUMNS, delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(found[games] for games in sorted(found))


def show(figures: dict[str, float]) -> None:
    """Print a row."""
    shares = " / ".join(f"{figures[name]:.1%}" for name in ("top1", "top5", "top20"))
    row(
        f"{figures['games']:,.0f} games, {figures['moves']:,.0f} moves",
        f"{shares} / {figures['log_likelihood']:.3f}",
        how=f"{figures['rules']:,.0f} rules, {figures['seconds']:,.0f} s ({figures['cpu_seconds']:,.0f} s of CPU), "
        f"{figures['rss_mib']:,.0f} MiB",
    )


def draw(found: dict[int, dict[str, float]], path: Path) -> None:
    """Draw prediction, time and memory by the number of games."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "gotools", "font.size": 11})
    from matplotlib import pyplot as plot

    rows = [found[games] for games in sorted(found)]
    games = [figures["games"] for figures in rows]
    figure, panels = plot.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    columns = (
        ("top1", 100.0, "played move ranked first (%)"),
        ("log_likelihood", 1.0, "log-likelihood of the played move"),
        ("cpu_seconds", 1 / 60, "minutes of CPU"),
    )
    for panel, (name, scale, title) in zip(panels, columns, strict=True):
        panel.plot(games, [scale * figures[name] for figures in rows], "o-", color="#2f6f4f")
        panel.set_xscale("log")
        panel.set_xticks(games, [f"{count:,.0f}" for count in games], minor=False)
        panel.minorticks_off()
        panel.tick_params(axis="x", rotation=45)
        panel.set_xlabel("games")
        panel.set_title(title, fontsize=11)
        panel.grid(alpha=0.3)
    panels[2].set_ylim(bottom=0)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
