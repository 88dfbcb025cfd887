"""examples/library.py runs as a whole, says what it found, and leaves no files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.needs import ROOT


@pytest.mark.system
def test_the_example_runs_and_leaves_no_files(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples/library.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "2,554 moves to learn from, 594 to test on\n" in done.stdout
    assert "rules           top 1" in done.stdout and "of 2 won" in done.stdout
    left = [path.name for path in tmp_path.iterdir() if not path.name.startswith("gotools-")]  # that of jit.py
    assert "Traceback" not in done.stderr and not left
