"""Settings of all tests: the same random examples in every run, and the programs from outside Python that some need."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from gotools import compiling

# derandomize: a test that fails here fails everywhere. No deadline: the first call of a kernel compiles it.
settings.register_profile("gotools", derandomize=True, deadline=None)
settings.load_profile("gotools")

os.environ["PATH"] += os.pathsep + "/usr/games"  # Debian's place for gnugo

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a shell that runs the tests in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

compiling.notified = True  # no notice of compilation in the midst of what tests compare


@pytest.fixture(scope="session")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind, which no test changes; `support/every_kind.py` says which."""
    from support.every_kind import write_files

    write_files(folder := tmp_path_factory.mktemp("kinds"))
    return folder
