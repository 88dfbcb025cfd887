"""Rules that rank keep to the memory promised, and say what they leave out for it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from support.examples import load_decisions
from support.induce_runs import GAMES

from gotools.base.errors import GotoolsError
from gotools.base.memory import parse_memory
from gotools.game.examples.examples import write_examples
from gotools.game.examples.packed import PackedExamples, pack
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.rules.boost_study import run_boost_study
from gotools.rules.boosting.boost import BoostSettings
from gotools.rules.boosting.memory import DEFAULT_MEMORY, PROGRAM, MemoryPlan, memory_text
from gotools.rules.study import Study

MIB = 1 << 20
SEARCH = BoostSettings(rules=12, seeds=6, beam=6, longest=4, least=5, fresh=6)

PEAK = """
import resource, sys
from gotools import cli
try:
    cli.run(sys.argv[1:])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@cache
def decisions() -> PackedExamples[GoExamples]:
    return pack([load_decisions([str(path) for path in GAMES[:12]], Selection(), print, lambda: None)])


def study(memory: int, jobs: int = 1) -> Study:
    return run_boost_study(decisions(), SEARCH, lambda found: None, seed=1, memory=memory, jobs=jobs)


# ---- what is promised ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2GiB", 2 << 30),
        ("800M", 800 << 20),
        ("1.5G", 3 << 29),
        ("4 gib", 4 << 30),
        ("1048576", 1 << 20),
        ("3kB", 3072),
    ],
)
def test_amounts_of_memory(text: str, expected: int) -> None:
    assert parse_memory(text) == expected


@pytest.mark.parametrize("text", ["", "much", "-1G", "2 GiBs", "1e9", "G", "2GG"])
def test_what_is_no_amount_of_memory(text: str) -> None:
    with pytest.raises(GotoolsError, match="is not an amount of memory such as 2GiB"):
        parse_memory(text)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [600, 1000])
def test_the_peak_is_below_the_memory_allowed(memory: int, tmp_path: Path) -> None:
    """Two hundred thousand moves of 9x9, all learned from; measured by the system in a process of its own."""
    rows = decisions().take(np.arange(len(decisions())))
    with open(tmp_path / "many.tsv", "wb") as out:
        for copy in range(200_000 // len(rows)):
            write_examples(out, replace(rows, names=[f"{name}-{copy}" for name in rows.names]))
    options = ["--objective", "rank", "--max-rules", "60", "--memory", f"{memory}M", "-q", "-o", str(tmp_path / "r.pl")]
    command = [sys.executable, "-c", PEAK, "induce-patterns", str(tmp_path / "many.tsv"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) < memory * 1024
    assert "%% positives=199980" in (tmp_path / "r.pl").read_text()


def test_too_little_memory_is_refused_with_what_is_needed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from support.induce_runs import induce

    out = tmp_path / "r.pl"
    assert induce(GAMES[0], "--objective", "rank", "--memory", "64M", "-o", out) == 1
    error = capfd.readouterr().err
    found = re.fullmatch(
        r"gotools induce-patterns: --memory 64 MiB is too little; this needs (\d+) MiB or more\n", error
    )
    assert found and not out.exists()
    MemoryPlan(int(found[1]) * MIB).of_decisions()
    with pytest.raises(GotoolsError, match="is too little"):
        MemoryPlan(PROGRAM + 4 * MIB).settings(BoostSettings(), 0, 1400, 1)


def test_what_a_plan_says_it_needs_is_enough() -> None:
    for decisions_, conditions in ((0, 1400), (30 * MIB, 1400), (0, 300)):
        with pytest.raises(GotoolsError) as refused:
            MemoryPlan(PROGRAM + decisions_ + MIB).settings(BoostSettings(), decisions_, conditions, 1)
        needed = re.search(r"needs (.*) or more", str(refused.value))
        assert needed
        settings, jobs = MemoryPlan(parse_memory(needed[1]) + MIB).settings(BoostSettings(), decisions_, conditions, 8)
        assert settings.positions >= 499 and 1 <= jobs <= 8


def test_more_memory_allows_more() -> None:
    plans = [MemoryPlan(size) for size in (1 << 30, 2 << 30, 8 << 30)]
    settings = [plan.settings(BoostSettings(positions=10**6), 0, 1400, 64) for plan in plans]
    assert sorted(one.positions for one, _ in settings) == [one.positions for one, _ in settings]
    assert all(a.entries(0) < b.entries(0) for a, b in pairwise(plans))
    assert MemoryPlan(DEFAULT_MEMORY).settings(BoostSettings(), 0, 1400, 2)[0].positions == BoostSettings().positions
    assert memory_text(3 << 29) == "1.5 GiB" and memory_text(800 * MIB) == "800 MiB"


# ---- what it changes ----


def test_weights_are_fitted_on_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """On some of the positions, and the header says on how many."""
    whole = study(DEFAULT_MEMORY)
    assert "memory" not in whole.rules.header["weights"]
    monkeypatch.setattr(MemoryPlan, "entries", lambda self, decisions: 20_000)
    limited = study(DEFAULT_MEMORY)
    found = re.search(r"on ([\d,]+) positions, which fill the memory allowed", limited.rules.header["weights"])
    assert found and 50 < int(found[1].replace(",", "")) < whole.positives
    assert limited.positives == whole.positives and limited.searched == whole.searched
    assert len(limited.rules.rules) > 6


def test_threads_change_nothing() -> None:
    found = [study(DEFAULT_MEMORY, jobs).rules for jobs in (1, 3)]
    assert found[0] == found[1]
