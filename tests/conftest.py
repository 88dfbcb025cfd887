"""Settings of all tests: the same random examples in every run, the programs that some need, the files they share."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from support import forked, once

from gotools.jit import compiling

# derandomize: a test that fails here fails everywhere. No deadline: the first call of a kernel compiles it.
settings.register_profile("gotools", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("gotools")

os.environ["PATH"] += os.pathsep + "/usr/games"  # Debian's place for gnugo
os.environ.setdefault("CFLAGS", "-O0")  # compiles rules in a third of the time; no test looks at their speed

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a shell that runs the tests in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.disable()  # until the tests are collected: each pass would go through all that are there
gc.set_threshold(50_000, 20, 50)  # or passes take a fifth of the time

compiling.notified = True  # no notice of compilation in the midst of what tests compare

# Each core has a pytest worker, so threads that wait in a loop take time from those they wait for. Hence numpy has
# one thread, as in forked commands, and those of PyTorch sleep while they wait. Both read this when they are loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
forked.remember()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest test, or one worker would end with it while the others wait."""
    items.sort(key=lambda item: item.path.name != "test_golden.py")


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays to the end: modules and tests."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind, which no test changes; `support/every_kind.py` says which."""
    from support.every_kind import write_files

    write_files(folder := tmp_path_factory.mktemp("kinds"))
    return folder


@pytest.fixture(scope="session", autouse=True)
def forked_engines() -> Iterator[None]:
    """Fork engines that are gotools itself from the warm process: each start of its own takes a second."""
    with forked.engines():
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give the workers of a run one folder for what `once` makes."""
    own = tmp_path_factory.getbasetemp()
    once.share(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
