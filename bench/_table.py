"""Rows of a bench: what was measured, how, the figure, its target from the issue, and whether it is met."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
"""Games and the prototype that are no part of the project; what needs them says so where they are missing."""

_WIDTHS = (58, 34)


def heading(text: str) -> None:
    print(f"\n{text}", flush=True)


def row(what: str, figure: str, target: str = "", met: bool | None = None, how: str = "") -> None:
    """Print a row; met -- None where no target was set; how -- the command, or what was timed."""
    verdict = "" if met is None else "met" if met else "MISSED"
    print(f"  {what:{_WIDTHS[0]}} {figure:{_WIDTHS[1]}} {target:16} {verdict}".rstrip())
    if how:
        print(f"      {how}")
    sys.stdout.flush()


def skipped(what: str, missing: str) -> None:
    print(f"  {what}: skipped, there is no {missing} beside the project", flush=True)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that a call takes in this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def command_seconds(command: Sequence[str]) -> float:
    """Return the CPU seconds (user and system) of a command, start included."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def medians(works: Sequence[Callable[[], float]], times: int) -> list[float]:
    """Call each of some measurements in turn, `times` rounds, so that a busy machine is unfair to none of them."""
    rounds = [[work() for work in works] for _ in range(times)]
    return [statistics.median(figures) for figures in zip(*rounds, strict=True)]
