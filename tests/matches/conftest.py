"""A run that tests compare others with."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.tournament_runs import GAMES, run


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of GAMES games that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done = run(folder, "--games", GAMES)
    assert done.returncode == 0, done.stderr
    return folder
