"""How well compiled rules foretell moves: go9-pro/train, and go9-dan/train too, against go9-pro/valid.

The three commands of a user, from games to the metrics of a rules.so. About twenty minutes. The last block is on games
that nothing was chosen by, not even a prototype's settings.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _table import SHARED, heading, row, skipped

from gotools.rules.clauses.rules import load_rules

DATA = SHARED / "data"
TARGETS = {"top1": 0.33, "top5": 0.70, "top20": 0.97, "log_likelihood": -2.35}
"""Of the issue; a hand-made model of Coulom's kind reached 35.6 %, 72.6 %, 97.9 %, -2.255 on like data."""
MOST_RULES = 1000


def main() -> None:
    """Print a block for each choice of games."""
    heading("rules only, on every position of some games")
    if not DATA.is_dir():
        skipped("prediction", "../shared/data")
        return
    with tempfile.TemporaryDirectory() as folder:
        for games in (["go9-pro/train"], ["go9-pro/train", "go9-dan/train"]):
            learn(games, Path(folder))
            measure("go9-pro/valid", Path(folder))
        measure("go9-dan/valid", Path(folder))


def learn(games: list[str], folder: Path) -> None:
    """Induce and compile."""
    began = time.monotonic()
    run("induce-patterns", *(str(DATA / name) for name in games), "--objective", "rank", "-o", str(folder / "r.pl"))
    took, many = time.monotonic() - began, len(load_rules(folder / "r.pl").rules)
    row(" + ".join(games), f"{many:,} rules in {took:.0f} s", "<= 1,000 rules", many <= MOST_RULES)
    run("compile-patterns", str(folder / "r.pl"), "-o", str(folder / "r.so"))


def measure(games: str, folder: Path) -> None:
    """Rank the moves of other games by the compiled rules."""
    metrics, ranking = folder / "metrics.json", folder / "ranking.tsv"
    options = ["--rules", str(folder / "r.so"), "--metrics", str(metrics), "-o", str(ranking)]
    run("rank-moves", str(DATA / games), *options)
    found = json.loads(metrics.read_text())
    row(f"  on {games}", f"{found['test']['positions']:,} positions")
    for name, target in TARGETS.items():
        figure, as_share = found["test"][name], name != "log_likelihood"
        shown, wanted = (f"{x:.1%}" if as_share else f"{x:.3f}" for x in (figure, target))
        row(f"    {name}", shown, f">= {wanted}", figure >= target)


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "gotools", *arguments, "-q"], check=True)


if __name__ == "__main__":
    main()
