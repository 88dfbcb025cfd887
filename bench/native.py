"""Compiled rules: time to compile, time of a position on 9x9 and 19x19, and against SWI-Prolog with the same rules.

python bench/native.py          learns two times 500 rules from moves of go9-pro/train first (some minutes)
python bench/native.py FILE     takes the rules of a file

The time of a position is that of gotools_rules_score called from C (scoring.c), all legal moves at once, one core.
SWI-Prolog is asked for the same: at every legal point, which clauses of move/4 hold, each until its first answer.
Asking only whether any clause holds (which ranks nothing) is shown too. games/go/background.pl is written to be read.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from _table import SHARED, heading, row, skipped

from gotools.game.examples.loading import load_decisions
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.go import GO
from gotools.rules.clauses.rules import RuleSet, load_rules, write_rules
from gotools.rules.compiled.build import compiler
from gotools.rules.compiled.c_source import c_source, header_text
from gotools.rules.weigh.accuracy import Choices, choices_of

TRAIN, VALID = SHARED / "data/go9-pro/train", SHARED / "data/go9-pro/valid"
LARGE = SHARED / "data/sgf-robustness/fox-variations"
BACKGROUND = Path(__file__).resolve().parents[1] / "gotools/games/go/background.pl"
SCORING = Path(__file__).with_name("scoring.c")
ASKED = 4
"""Positions that SWI-Prolog is asked about."""

GOAL = """
main :- consult('{background}'), consult('{rules}'), consult('{positions}'),
    forall(nth_clause(move(_, _, _, _), K, Ref),
        ( clause(move(B, C, X, Y), Body, Ref), assertz((rule(K, B, C, X, Y) :- Body)) )),
    compile_predicates([rule/5]),
    aggregate_all(count, rule(_, _, _, _), Rules),
    seconds(forall(asked(B, C, X, Y), forall(between(1, Rules, K), ignore(rule(K, B, C, X, Y)))), Every),
    seconds(forall(asked(B, C, X, Y), ignore(move(B, C, X, Y))), Any),
    format("~6f ~6f~n", [Every, Any]).
seconds(Goal, T) :- statistics(cputime, T0), call(Goal), statistics(cputime, T1), T is T1 - T0.
"""


def main(arguments: list[str]) -> None:
    heading("compiled rules, seconds of one core")
    if not TRAIN.is_dir():
        skipped("compiled rules", "../shared/data/go9-pro")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules = load_rules(arguments[0]) if arguments else learned(folder)
        compile_times(RuleSet(rules.rules[:1000]), folder)
        some = RuleSet(rules.rules[:500])
        library = folder / "some"
        build(some, folder, library)
        small = choices_of(load_decisions([str(VALID)], GO, Selection(), print, lambda: None))
        own = microseconds(library, small, folder)
        row(f"9x9: {len(some.rules)} rules, all legal moves of a position", f"{own:.1f} us", "<= 25 us", own <= 25)
        if LARGE.is_dir():
            large = choices_of(
                on_19(load_decisions([str(LARGE)], GO, Selection(frozenset((19,))), print, lambda: None))
            )
            figure = microseconds(library, large, folder)
            row(f"19x19: the same rules, {len(large):,} positions", f"{figure:.1f} us", "< 150 us", figure < 150)
        if shutil.which("swipl") is None:
            skipped("SWI-Prolog", "swipl")
            return
        every, first = (microseconds / own for microseconds in prolog_microseconds(some, small, folder))
        row("9x9: SWI-Prolog, all clauses of move/4 that hold", f"{every:,.0f} x as long", ">= 5,000 x", every >= 5000)
        row("9x9: SWI-Prolog, whether any clause of move/4 holds", f"{first:,.0f} x as long")


def learned(folder: Path) -> RuleSet:
    """Learn rules as a user would, from two draws of the moves."""
    target, found = folder / "rules.pl", []
    for seed in ("0", "1"):
        chosen = ["--objective", "rank", "--positives", "6000", "--seed", seed, "-q", "-o", str(target)]
        subprocess.run([sys.executable, "-m", "gotools", "induce-patterns", str(TRAIN), *chosen], check=True)
        found += load_rules(target).rules[:500]
    return RuleSet(tuple(replace(rule, id=f"r{k}") for k, rule in enumerate(found, 1)))


def on_19(rows: GoExamples) -> GoExamples:
    """Return at most 3,000 of the rows, evenly."""
    import numpy as np

    return rows.take(np.unique(np.linspace(0, len(rows) - 1, 3000).astype(np.int64)))


def compile_times(rules: RuleSet, folder: Path) -> None:
    many = f"{len(rules.rules):,} rules"
    c_source(rules, "rules.pl")  # compiles what has to be compiled
    began = time.process_time()
    source = c_source(rules, "rules.pl")
    wrote = time.process_time() - began
    row(f"{many}: to C ({len(source) // 1024:,} KB)", f"{wrote:.2f} s", "< 1 s", wrote < 1)
    (folder / "many.c").write_text(source)
    began = time.monotonic()
    flags = ["-std=gnu99", "-O2", "-fPIC", "-shared", "many.c", "-o", "many.so"]
    subprocess.run([*compiler(), *flags], cwd=folder, check=True)
    built = time.monotonic() - began
    row(f"{many}: C to a library", f"{built:.1f} s", "< 20 s", built < 20, " ".join(["cc", *flags]))


def build(rules: RuleSet, folder: Path, target: Path) -> None:
    """Link rules with the loop that times them."""
    (folder / "rules.c").write_text(c_source(rules, "rules.pl"))
    (folder / "gotools_rules.h").write_text(header_text())
    flags = ["-std=gnu99", "-O2", "-I", str(folder), str(folder / "rules.c"), str(SCORING), "-lm", "-o", str(target)]
    subprocess.run([*compiler(), *flags], check=True)


def microseconds(program: Path, choices: Choices, folder: Path) -> float:
    """Return the time of a position: the best of seven rounds over all of them."""
    points = choices.points
    with open(folder / "positions", "wb") as out:
        for k in range(len(choices)):
            size = int(points.size[k])
            out.write(struct.pack("5i", size, points.to_play[k], points.ko[k], points.last[k], points.last2[k]))
            out.write(points.board[k, : size * size].tobytes())
    done = subprocess.run([program, folder / "positions"], check=True, capture_output=True, text=True)
    return float(done.stdout)


def prolog_microseconds(rules: RuleSet, choices: Choices, folder: Path) -> list[float]:
    """Return SWI-Prolog's times of a position, for all clauses and for any: CPU, without loading."""
    points, facts = choices.points, []
    asked = [len(choices) * (2 * k + 1) // (2 * ASKED) for k in range(ASKED)]
    for k in asked:
        size, colour = int(points.size[k]), "ebw"[points.to_play[k]]
        cells = ",".join("ebw"[cell] for cell in points.board[k, : size * size])
        facts.append(f"position(g{k}, {size}, cells({cells})).")
        for name, last in (("last_move", points.last[k]), ("last_but_one", points.last2[k])):
            if last >= 0:
                facts.append(f"{name}(g{k}, {last % size + 1}, {last // size + 1}).")
        mine = points.point[choices.first[k] : choices.first[k + 1]].tolist()
        facts += [f"asked(g{k}, {colour}, {p % size + 1}, {p // size + 1})." for p in mine]
    facts.sort(key=lambda fact: fact.split("(")[0])
    with open(folder / "swi.pl", "w", encoding="utf-8") as out:
        write_rules(out, rules)
    (folder / "positions.pl").write_text("\n".join(facts) + "\n")
    goal = GOAL.format(background=BACKGROUND, rules=folder / "swi.pl", positions=folder / "positions.pl")
    (folder / "main.pl").write_text(goal)
    command = ["swipl", "-q", "-O", "-f", "none", "-g", "main", "-t", "halt", str(folder / "main.pl")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [1e6 * float(seconds) / len(asked) for seconds in done.stdout.split()]


if __name__ == "__main__":
    main(sys.argv[1:])
