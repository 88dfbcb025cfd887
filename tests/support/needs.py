"""What some tests need that a checkout does not hold; without it they are skipped.

`make test` installs the programs, or ends before any test. The games of ../shared are no part of the project: whoever
has only the project runs the tests on examples/ alone. A C compiler is not among these: README asks for one.
"""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared/data"
REFERENCE = SHARED / "aleph-reference"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/data beside the project")
needs_swipl = pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog (swipl) is not installed")
needs_gnugo = pytest.mark.skipif(shutil.which("gnugo") is None, reason="GNU Go (gnugo) is not installed")
