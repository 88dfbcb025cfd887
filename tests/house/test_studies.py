"""Studies: what each folder holds, and that the measure of the thesis' tables is that of the package."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.examples import random_moves

from gotools.cli import run
from gotools.rules.study import scorer_of
from gotools.rules.weigh.accuracy import choices_of, measure

ROOT = Path(__file__).parents[2]
STUDIES = ROOT / "examples/studies"
FOLDERS = sorted(path.parent for path in STUDIES.glob("*/Makefile"))
MOST_BYTES = 60_000


def draws() -> Any:
    spec = importlib.util.spec_from_file_location("draws", STUDIES / "draws.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["draws"] = module  # where dataclasses look for annotations
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_study_says_what_it_asks_and_stands_in_the_index(folder: Path) -> None:
    assert (folder / "Makefile").read_text().startswith("# ")
    assert f"make -C examples/studies {folder.name}" in (folder / "README.md").read_text()
    assert f"]({folder.name}/README.md)" in (STUDIES / "README.md").read_text()
    assert all(path.stat().st_size < MOST_BYTES for path in folder.iterdir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_study_can_be_checked_by_a_smaller_run(folder: Path) -> None:
    lines = dict(re.findall(r"^(COMMITTED|ROWS|CHECK) :?= (.+)$", (folder / "Makefile").read_text(), re.MULTILINE))
    assert lines.keys() == {"COMMITTED", "ROWS", "CHECK"}
    for table in lines["COMMITTED"].split():
        heads = [line for line in (folder / table).read_text().splitlines()[:20] if "low\t" in line]
        assert heads and set(heads[0].lstrip("# ").split("\t")) & set(lines["ROWS"].split())


def test_each_row_of_the_index_has_a_state_that_its_head_defines() -> None:
    rows = [line.strip("|").split(" | ") for line in (STUDIES / "README.md").read_text().splitlines()]
    begin = next(n for n, row in enumerate(rows) if row[0].strip() == "state")
    words = [row[0].strip() for row in rows[begin + 2 :][: rows[begin:].index([""]) - 2]]
    states = [row[-2] for row in rows[begin + len(words) + 2 :] if len(row) in (4, 5) and "---" not in row[0]]
    assert len(states) > 90
    assert {state for state in states if state != "state" and not state.startswith(tuple(words))} == set()


@pytest.mark.system
def test_a_study_run_again_stands_beside_what_is_committed(tmp_path: Path) -> None:
    for name, rows in (
        ("old", "a\t1\t5.0\t4.0\t6.0\nb\t1\t3.0\t2.5\t3.5\n"),
        ("new", "a\t9\t5.5\t5.5\t8\nb\t9\t9\t8\t10\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "table.tsv").write_text(f"# what it means\n# kind\tgames\tshare\tlow\thigh\n{rows}")
    script, folders = str(STUDIES / "check.py"), [str(tmp_path / "old"), str(tmp_path / "new")]
    result = tmp_path / "result.tsv"
    subprocess.run([sys.executable, script, "compare", *folders, "--rows", "kind", "-o", str(result)], check=True)
    told = subprocess.run(
        [sys.executable, script, "sum", str(result), "-o", str(result)], check=True, capture_output=True, text=True
    )
    assert [line.split("\t")[-2] for line in result.read_text().splitlines()[1:]] == ["1", "0"]
    assert told.stdout.splitlines()[2] == "| old | 2 | 1 | a: share | 5 (4 to 6) | 5.5 (5.5 to 8) |"


@pytest.mark.parametrize("name", ["table-3-1", "table-3-2"])
def test_a_table_has_a_row_for_each_condition(name: str) -> None:
    table = [line for line in (STUDIES / name / "table.tsv").read_text().splitlines() if not line.startswith("#")]
    named = list(dict.fromkeys(line.split("\t")[0] for line in table))
    assert named == list(draws().read_conditions(STUDIES / name / "conditions.tsv"))


def test_table_3_1_has_both_vocabularies_under_every_condition() -> None:
    table = [line for line in (STUDIES / "table-3-1/table.tsv").read_text().splitlines() if not line.startswith("#")]
    assert {tuple(line.split("\t")[1] for line in pair) for pair in zip(table[::2], table[1::2], strict=True)} == {
        ("basic", "advanced")
    }


def test_suicides_in_corners_teach_the_rules_that_the_thesis_prints(tmp_path: Path) -> None:
    rows, rules = tmp_path / "rows.tsv", tmp_path / "rules.pl"
    run(["sgf-to-examples", str(ROOT / "examples/games"), "-q", "-o", str(rows)])
    suicides = (STUDIES / "table-3-2/corner-suicides.tsv").read_text().splitlines()[3:]
    rows.write_text(rows.read_text() + "\n".join(suicides) + "\n")
    asked = ["--positives", "2257", "--noise", "0", "--after-opening", "free", "-q", "-o", str(rules)]
    run(["induce-patterns", str(rows), *asked])
    words = {line for line in rules.read_text().splitlines() if line.startswith("% ")}
    stones = ("Plays a knight's move", "Plays a diagonal move", "Extends", "Plays a one-point jump")
    assert words >= {f"% {move} {'' if move == 'Extends' else 'from '}an own stone." for move in stones}
    assert words >= {"% Plays at a 3-3 point.", "% In the opening, plays on a middle line."}


def test_the_measure_of_a_draw_is_that_of_the_package() -> None:
    module = draws()
    games = module.Games.read(ROOT / "examples/games")
    test = module.Games.read(ROOT / "examples/test-games").moves(np.arange(2), 80)
    pool = random_moves(40, 9, 1)
    data = module.Data(games, {"valid": test}, {"10": pool})
    condition = module.Condition(moves=60, negatives=20, noise=3, nodes=200)
    rng = np.random.default_rng(5)
    rules = module.run_study(
        module.GoExamples.concat([games.moves(np.arange(3), 60), pool]),
        module.CoverSettings(noise=6, nodes=300),
        lambda found: None,
    ).rules
    found = module.measures(rules, test, rng, False)
    choices = choices_of(test)
    scores, _ = scorer_of(rules)(choices)
    usual = measure(scores, choices)
    assert rules.rules and (found["top20"], found["top1"]) == pytest.approx((usual["top20"], usual["top1"]))
    by_centre = module.measures(rules, test, rng, True)
    assert found["ties_against"] <= min(found["top20"], by_centre["top20"])
    assert max(found["top20"], by_centre["top20"]) <= found["ties_for"]
    first, again = (module.one_draw(condition, data, 3) for _ in range(2))
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
