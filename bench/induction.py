"""Induction: against the prototype in ../shared on two rows of its reference, and (`large`) on all games there are.

python bench/induction.py          ratios of CPU seconds, measured in turn in one run (a minute)
python bench/induction.py aleph    Aleph itself, whose folder (with aleph.pl) is in ALEPH, beside ours on this machine
python bench/induction.py large    60,000 positives: time, memory, growth of the time per seed (many minutes)
"""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _table import SHARED, heading, row, skipped

from gotools.game.examples.loading import load_decisions
from gotools.game.examples.table import read_examples
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.examples.export import write_aleph
from gotools.games.go.go import GO
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.cover.induce import CoverSettings, SeedResult, induce
from gotools.rules.study import points_of
from gotools.rules.task.sampling import allowed_noise, training_rows

PROTOTYPE = SHARED / "research/prototype_ilp"
REFERENCE = SHARED / "data/aleph-reference"
GAMES = [SHARED / "data/go9-pro/train", SHARED / "data/go9-dan/train"]
ROWS = ("B_1500_280_40", "B_3000_280_40")
TIMES = 3
RATIO = 8
SIZES = (7_500, 15_000, 30_000, 60_000)
MINUTES, GIB = 15, 2.0


# ---- against the prototype ----


def main() -> None:
    heading("induction, CPU seconds of the loop over seeds (saturation, search, cover removal; not the reading)")
    if not REFERENCE.is_dir() or not PROTOTYPE.is_dir():
        skipped("the reference rows and the prototype", "../shared/data/aleph-reference, ../shared/research")
        return
    lines = (REFERENCE / "rows.tsv").read_text(encoding="utf-8").splitlines()
    chosen = {r["#row"]: r for r in csv.DictReader(lines, delimiter="\t")}
    examples = read_examples([REFERENCE / "examples.tsv"])
    run_row(chosen[ROWS[0]], examples)  # compiles what has to be compiled
    for name in ROWS:
        mine, theirs = [], []
        for _ in range(TIMES):
            theirs.append(prototype_seconds(name))
            seconds, same = run_row(chosen[name], examples)
            mine.append(seconds)
        own, other = statistics.median(mine), statistics.median(theirs)
        how = f"`python run.py {name}` in research/prototype_ilp, and the same row here; medians of {TIMES} in turn"
        ratio = other / own
        against = f"{ratio:.1f} x  ({own:.3f} s against {other:.2f} s)"
        row(f"prototype / ours, {name}", against, f">= {RATIO} x", ratio >= RATIO, how)
        aleph = float(chosen[name]["cpu_s"])
        row(f"Aleph / ours, {name}", f"{aleph / own:.0f} x", how=f"Aleph's {aleph} s are from rows.tsv, not this run")
        how = "same clauses, same order, same ground facts, same count of clauses searched"
        row(f"theory of {name}", "Aleph's" if same else "ANOTHER", "Aleph's", same, how)


def prototype_seconds(name: str) -> float:
    """Return the CPU seconds that the prototype says it took for a row."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "run.py", name]
    said = subprocess.run(command, cwd=PROTOTYPE, env=environment, check=True, capture_output=True, text=True).stdout
    found = re.search(r"CPU s ([0-9.]+)", said)
    if not found:
        raise SystemExit(f"the prototype said no CPU seconds: {said!r}")
    return float(found[1])


def run_row(reference: dict[str, str], examples: GoExamples) -> tuple[float, bool]:
    """Induce a row of the reference; returns CPU seconds of the loop, and whether all came out as in Aleph."""
    chosen = rows_of(reference, examples)
    seconds, found = timed(chosen, int(reference["noise"]))
    names = ground_facts(chosen)
    theory = [f"move(A,B,C,D):-{','.join(map(str, f.body))}." if f.body else names[f.seed] for f in found]
    same = theory == (REFERENCE / f"{reference['#row']}.pl").read_text(encoding="utf-8").split()
    return seconds, same and sum(f.searched for f in found) == int(reference["clauses_searched"])


def rows_of(reference: dict[str, str], examples: GoExamples) -> GoExamples:
    """Return the examples of a row of the reference."""
    asked = ((1, reference["positives"]), (0, reference["negatives"]))
    return examples.take(np.concatenate([np.flatnonzero(examples.label == kind)[: int(n)] for kind, n in asked]))


def timed(examples: GoExamples, noise: int) -> tuple[float, list[SeedResult]]:
    """Induce with the thesis' settings; returns CPU seconds of the loop, and what was found."""
    table = facts_of(points_of(examples), Intervals.start())
    positives, negatives = (np.flatnonzero(examples.label == label).astype(np.int32) for label in (1, 0))
    began = time.process_time()
    found = list(induce(table, positives, negatives, CoverSettings(noise=noise)))
    return time.process_time() - began, found


def ground_facts(examples: GoExamples) -> list[str]:
    """Write every example as a fact; positions are numbered by their first appearance."""
    numbers: dict[bytes, int] = {}
    facts = []
    for board, colour, move in zip(examples.board, examples.to_play, examples.move.tolist(), strict=True):
        number = numbers.setdefault(board.tobytes(), len(numbers) + 1)
        facts.append(f"move(g{number},{'.bw'[colour]},{move % 9 + 1},{move // 9 + 1}).")
    return facts


# ---- Aleph itself ----


def against_aleph() -> None:
    heading("Aleph's induce/1 under SWI-Prolog and ours, CPU seconds on this machine without the loading of examples")
    folder = os.environ.get("ALEPH")
    if not folder or not REFERENCE.is_dir():
        skipped("the same rows by Aleph", "the folder of aleph.pl in ALEPH, and ../shared/data/aleph-reference")
        return
    lines = (REFERENCE / "rows.tsv").read_text(encoding="utf-8").splitlines()
    examples = read_examples([REFERENCE / "examples.tsv"])
    asked = [reference for reference in csv.DictReader(lines, delimiter="\t") if reference["vocabulary"] == "advanced"]
    run_row(asked[0], examples)  # compiles what has to be compiled
    for reference in asked:
        seconds, theory = run_aleph(folder, rows_of(reference, examples), int(reference["noise"]))
        recorded = (REFERENCE / f"{reference['#row']}.pl").read_text(encoding="utf-8").split()
        ours, same = run_row(reference, examples)
        both = f"{seconds:.1f} s against {ours:.2f} s, {seconds / ours:.0f} x"
        row(f"Aleph / ours, {reference['#row']}", both, "one theory", same and theory == recorded, "CPU seconds")


def run_aleph(aleph: str, examples: GoExamples, noise: int) -> tuple[float, list[str]]:
    """Let Aleph learn from our export; returns CPU seconds of its induction, and its clauses in order."""
    with tempfile.TemporaryDirectory() as folder:
        write_aleph(Path(folder), examples)
        program = Path(folder, "go.pl")
        text = program.read_text(encoding="utf-8").replace("aleph_set(noise, 10)", f"aleph_set(noise, {noise})")
        program.write_text(text, encoding="utf-8")
        goal = (
            f"asserta(user:file_search_path(library, '{aleph}')), load_files('{program}', []),"
            "statistics(cputime, A), induce(P), statistics(cputime, B), T is B - A, reverse(P, Theory),"
            "forall(member(C, Theory), (numbervars(C, 0, _), format(user_error, '~q.~n', [C]))),"
            "format(user_error, 'seconds ~w~n', [T])"
        )
        command = ["swipl", "-q", "-g", goal, "-t", "halt"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL, check=True)
    said = done.stderr.splitlines()
    (seconds,) = (float(line.split()[1]) for line in said if line.startswith("seconds "))
    return seconds, [line for line in said if line.startswith("move(")]


# ---- all games ----


def large() -> None:
    heading("induction on go9-pro/train + go9-dan/train, as many unplayed negatives as positives, noise 10 %")
    if not all(folder.is_dir() for folder in GAMES):
        skipped("the large induction", "../shared/data/go9-pro, ../shared/data/go9-dan")
        return
    runs = []
    for size in SIZES:
        command = [sys.executable, __file__, "size", str(size)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        runs.append(json.loads(said))
        run = runs[-1]
        figure = f"{1000 * run['cpu'] / run['seeds']:.1f} ms a seed, {run['seeds']:,} seeds"
        how = f"{run['clauses_searched']:,} clauses, {run['rules']} rules, {run['cpu']:.1f} CPU s, {run['mib']:.0f} MiB"
        row(f"{run['positives']:,} positives, {run['negatives']:,} negatives", figure, how=how)
    first, last = runs[0], runs[-1]
    minutes, gib = last["wall"] / 60, last["mib"] / 1024
    how = "a process that reads the games, draws negatives and induces; start included"
    row(f"{last['positives']:,} positives: minutes", f"{minutes:.1f}", f"<= {MINUTES}", minutes <= MINUTES, how)
    row(f"{last['positives']:,} positives: most memory", f"{gib:.2f} GiB", f"<= {GIB:.0f} GiB", gib <= GIB, how)
    more = last["positives"] / first["positives"]
    growth = last["cpu"] / last["seeds"] / (first["cpu"] / first["seeds"])
    how = f"seconds a seed at {last['positives']:,} / at {first['positives']:,} positives"
    row("growth of the time per seed", f"{growth:.1f} x", f"<= {more:.1f} x (linear)", growth <= more, how)


def one_size(positives: int) -> dict[str, Any]:
    """Induce from so many positives in this process; returns what it cost."""
    began = time.monotonic()
    decisions = load_decisions([str(folder) for folder in GAMES], GO, Selection(), _to_stderr, lambda: None)
    rows = training_rows(decisions, positives, {"unplayed": None}, 0, lambda count, size: decisions, _to_stderr)
    negatives = int((rows.label == 0).sum())
    seconds, found = timed(rows, allowed_noise("10%", negatives))
    return {
        "positives": int((rows.label == 1).sum()),
        "negatives": negatives,
        "seeds": len(found),
        "rules": sum(1 for f in found if f.body),
        "clauses_searched": sum(f.searched for f in found),
        "cpu": seconds,
        "wall": time.monotonic() - began,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)


def _asked(arguments: Sequence[str]) -> None:
    match arguments:
        case []:
            main()
        case ["aleph"]:
            against_aleph()
        case ["large"]:
            large()
        case ["size", number]:
            print(json.dumps(one_size(int(number))))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    _asked(sys.argv[1:])
