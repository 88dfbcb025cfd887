"""The real Aleph learns our theory from our export, clause by clause; the real Popper learns a known rule from it.

Neither is a dependency; without them these tests are skipped. Aleph: `swipl pack install aleph`, or the folder of its
aleph.pl in ALEPH. Popper: the command that runs it in POPPER, as `python popper/popper.py`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.examples import random_moves, read_examples
from support.needs import REFERENCE, needs_shared, needs_swipl

from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.examples.export import write_aleph, write_popper
from gotools.games.go.vocabulary import CHAIN_RELATIONS, VOCABULARIES
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.points import Points
from gotools.rules.cover.induce import CoverSettings, induce
from gotools.rules.cover.modes import load_modes

pytestmark = needs_swipl


@cache
def aleph_loads() -> str:
    """The goal that makes Aleph known to SWI-Prolog; "" where it is not installed."""
    folder = os.environ.get("ALEPH")
    goal = f"asserta(user:file_search_path(library, '{folder}'))" if folder else "true"
    command = ["swipl", "-q", "-g", f"{goal}, use_module(library(aleph))", "-t", "halt"]
    found = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    return goal if found.returncode == 0 and "aleph" not in found.stderr else ""


def theory_of_aleph(folder: Path, settings: dict[str, object], without: tuple[str, ...] = ()) -> list[str]:
    """The clauses that Aleph learns from go.pl, first first; the total number of clauses searched comes last."""
    goal = aleph_loads()
    if not goal:
        pytest.skip("Aleph is not installed: swipl pack install aleph, or its folder in ALEPH")
    lines = (folder / "go.pl").read_text().splitlines()
    dropped = tuple(f"{kind}{name}{end}" for name in without for kind, end in ((", ", "("), (", ", "/")))
    kept = [s for s in lines if not (s.startswith((":- modeb", ":- determination")) and any(d in s for d in dropped))]
    kept[3:3] = [":- aleph_set(verbosity, 0)."]
    text = "\n".join(kept) + "\n"
    for name, value in settings.items():
        (old,) = (s for s in kept if s.startswith(f":- aleph_set({name},"))
        text = text.replace(old, f":- aleph_set({name}, {value}).")
    (folder / "go.pl").write_text(text)
    run = f"{goal}, load_files('{folder}/go.pl', []), induce(P), reverse(P, Theory)"
    show = "forall(member(C, Theory), (numbervars(C, 0, _), format(user_error, '~q.~n', [C])))"
    command = ["swipl", "-q", "-g", f"{run}, {show}", "-t", "halt"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL, timeout=900)
    assert done.returncode == 0, done.stderr
    (searched,) = (s for s in done.stdout.splitlines() if s.startswith("[total clauses constructed]"))
    return [*(s for s in done.stderr.splitlines() if s.startswith("move(")), searched.split("[")[-1].rstrip("]")]


def our_theory(rows: GoExamples, folder: Path, settings: CoverSettings) -> list[str]:
    """The same of ours; a seed without a rule is the fact that the export wrote for it."""
    rows = rows.take(np.argsort(1 - rows.label, kind="stable"))
    order = np.arange(len(rows), dtype=np.int32)
    points = Points(rows.board, rows.size, rows.to_play, rows.ko, rows.last, rows.last2, order, rows.move)
    split = int(rows.label.sum())
    facts = [line.replace(" ", "") for line in (folder / "go.f").read_text().splitlines()]
    found = list(induce(facts_of(points, Intervals.start()), order[:split], order[split:], settings))
    theory = [f"move(A,B,C,D):-{','.join(map(str, f.body))}." if f.body else facts[f.seed] for f in found]
    return [*theory, str(sum(f.searched for f in found))]


@pytest.mark.system
@pytest.mark.parametrize(("aleph", "ours"), [("bf", "breadth"), ("df", "depth")])
def test_aleph_learns_our_theory_from_the_export(aleph: str, ours: str, tmp_path: Path) -> None:
    rows = random_moves(60, 7, 3)
    rows.label[:] = np.arange(len(rows)) % 3 > 0
    rows.source[:] = 1 - rows.label
    write_aleph(tmp_path, rows)
    settings = CoverSettings(nodes=150, noise=3, search=ours)
    expected = our_theory(rows, tmp_path, settings)
    assert any(":-" in clause for clause in expected), "a comparison without rules says little"
    assert theory_of_aleph(tmp_path, {"search": aleph, "nodes": 150, "noise": 3}) == expected


RECALL = {"block_on_pos": 4, "range": 1, "liberty": 2, "connects_direct": 1, "connects_indirect": 1, "atari": 1}


@pytest.mark.system
@pytest.mark.parametrize("off", [(), ("block_on_pos", "block_color", "edge_hor")])
def test_aleph_takes_a_file_of_modes_as_we_do(off: tuple[str, ...], tmp_path: Path) -> None:
    rows = random_moves(60, 7, 5)
    rows.label[:] = np.arange(len(rows)) % 3 > 0
    rows.source[:] = 1 - rows.label
    write_aleph(tmp_path, rows)
    text = (tmp_path / "go.pl").read_text()
    for name, recall in RECALL.items():
        text = re.sub(rf"modeb\(\*, {name}\(", f"modeb({recall}, {name}(", text)
    (tmp_path / "go.pl").write_text(text)
    declared = [
        line for line in text.splitlines() if line.startswith(":- modeb") and not any(f" {n}(" in line for n in off)
    ]
    (tmp_path / "modes.pl").write_text("\n".join(declared))
    modes = load_modes(tmp_path / "modes.pl")
    settings = CoverSettings(modes.predicates, nodes=150, noise=3, modes=modes)
    expected = our_theory(rows, tmp_path, settings)
    assert any(":-" in clause for clause in expected), "a comparison without rules says little"
    assert expected != our_theory(rows, tmp_path, replace(settings, modes=None)), "recall changed nothing"
    assert theory_of_aleph(tmp_path, {"nodes": 150, "noise": 3}, off) == expected


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(
    ("vocabulary", "aleph", "ours"),
    [("basic", "bf", "breadth"), ("advanced", "bf", "breadth"), ("advanced", "df", "depth")],
)
def test_aleph_learns_our_theory_of_a_reference_row(vocabulary: str, aleph: str, ours: str, tmp_path: Path) -> None:
    rows = read_examples([REFERENCE / "examples.tsv"])
    chosen = [np.flatnonzero(rows.label == label)[:n] for label, n in ((1, 150), (0, 70))]
    rows = rows.take(np.concatenate(chosen))
    write_aleph(tmp_path, rows)
    theory = theory_of_aleph(tmp_path, {"search": aleph}, CHAIN_RELATIONS if vocabulary == "basic" else ())
    assert theory == our_theory(rows, tmp_path, CoverSettings(VOCABULARIES[vocabulary], search=ours))
    if aleph == "bf":  # and that of the recorded run, whose file ends before the count
        recorded = REFERENCE / f"{'AB'[vocabulary == 'advanced']}_150_70_10.pl"
        assert theory[:-1] == recorded.read_text().split()


@pytest.mark.skipif("POPPER" not in os.environ, reason="the command that runs Popper is not in POPPER")
def test_popper_learns_which_moves_touch_an_own_chain(tmp_path: Path) -> None:
    rows = random_moves(40, 5, 3)
    padded = np.zeros((len(rows), 7, 7), np.uint8)
    padded[:, 1:6, 1:6] = rows.board[:, :25].reshape(-1, 5, 5)
    y, x = (number + 1 for number in divmod(rows.move.astype(int), 5))
    each = np.arange(len(rows))
    beside = [padded[each, y + dy, x + dx] == rows.to_play for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    rows.label[:] = np.any(beside, axis=0)
    rows.source[:] = 1 - rows.label
    write_popper(tmp_path, rows)
    command = [*shlex.split(os.environ["POPPER"]), str(tmp_path), "--timeout", "120"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    solution = (done.stdout + done.stderr).split("SOLUTION")[-1]
    touching = int(rows.label.sum())
    assert f"TP:{touching} FN:0 TN:{len(rows) - touching} FP:0" in solution
    assert re.search(r"move\(A\):- connects_direct\(A,B\),own\(A,B\)\.", solution)
