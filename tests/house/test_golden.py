"""The whole chain on examples/ gives the files that it gave before, byte for byte but for times."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.needs import needs_swipl

ROOT = Path(__file__).parents[2]


@needs_swipl
@pytest.mark.system
def test_every_output_of_the_chain_is_as_recorded() -> None:
    """A change that is meant is recorded anew: `scripts/golden > tests/golden/chain.txt`."""
    done = subprocess.run([sys.executable, str(ROOT / "scripts/golden")], capture_output=True, text=True, check=True)
    assert done.stdout == (ROOT / "tests/golden/chain.txt").read_text()
