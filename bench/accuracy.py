"""How well rules foretell moves: 1,500 played and 1,500 unplayed moves of go9-pro/train, tested on go9-pro/valid.

Several draws of the training moves (--seed 0, 1, ...), since one draw alone says little: the same settings give top-20
shares that differ by several points. The games lie beside the project in ../shared/data; without them this says so.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "go9-pro"
TARGET = 0.86
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("(the default)", {}),
    ("--without liberty", {"without": "liberty"}),
    ("--search best", {"search": "best"}),
    ("--search beam", {"search": "beam"}),
    ("--search beam --without liberty", {"search": "beam", "beam": 200, "without": "liberty"}),
    ("--search depth", {"search": "depth"}),
    ("--search random", {"search": "random"}),
)


def main(draws: int = 8) -> None:
    """Print a row for each of the settings."""
    if not DATA.is_dir():
        print(f"accuracy: no games in {DATA.name}; skipped")
        return
    from gotools.game.examples.loading import load_decisions
    from gotools.game.records.selection import Selection
    from gotools.games.go.go import GO

    train = load_decisions([str(DATA / "train")], GO, Selection(), print, lambda: None)
    valid = load_decisions([str(DATA / "valid")], GO, Selection(), print, lambda: None)
    print("gotools induce-patterns go9-pro/train --test go9-pro/valid SETTINGS --seed 0 ... " + str(draws - 1))
    columns = "".join(f"{name:>9}" for name in ("rules", "clauses", "covered", "top-1", "top-5", "top-10", "top-20"))
    print(f"{'settings':33}{columns} log-lik.   top-20 by draw")
    best = 0.0
    for name, settings in SETTINGS:
        runs = [one_run(train, valid, seed, **settings) for seed in range(draws)]
        mean = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
        best = max(best, mean["top20"])
        shares = "".join(f"{mean[key]:9.1%}" for key in ("covered", "top1", "top5", "top10", "top20"))
        each = " ".join(f"{100 * run['top20']:.1f}" for run in runs)
        print(
            f"{name:34}{mean['rules']:8.0f}{mean['clauses']:9.0f}{shares}{mean['log_likelihood']:9.3f}   {each}",
            flush=True,
        )
    print(f"top-20 of the best settings {best:.1%}, target {TARGET:.0%}: {'met' if best >= TARGET else 'MISSED'}")


def one_run(
    train: Any, valid: Any, seed: int, search: str = "breadth", beam: int = 200, without: str = ""
) -> dict[str, float]:
    """Return what the command's --metrics would say for one draw, the rules, clauses searched and moves covered."""
    from gotools.rules.cover.induce import CoverSettings, SeedResult, language
    from gotools.rules.study import measure_study, run_study
    from gotools.rules.task.sampling import training_rows

    rows = training_rows(train, 1500, {"unplayed": 1500}, seed, lambda count, size: train, print)
    settings = CoverSettings(language("advanced", without), noise=225, search=search, beam_width=beam, seed=seed)
    found: list[SeedResult] = []
    study = run_study(rows, settings, found.append)
    measure_study(study, rows, valid)
    clauses, covered = sum(one.searched for one in found), sum(one.positives for one in found if one.body)
    return {**study.metrics["test"], "rules": len(study.rules.rules), "clauses": clauses, "covered": covered / 1500}


if __name__ == "__main__":
    arguments: Sequence[str] = sys.argv[1:]
    main(int(arguments[0]) if arguments else 8)
