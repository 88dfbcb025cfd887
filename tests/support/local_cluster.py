"""A real cluster of dask on this machine: a scheduler in a process of its own would do the same."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("distributed", reason="pip install distributed")
from distributed import LocalCluster


@contextmanager
def local_cluster(workers: int = 2) -> Iterator[Any]:
    """Yield a cluster of processes with one thread each."""
    before = dict(os.environ)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dask's own
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        )
        for nanny in cluster.workers.values():
            nanny.pre_spawn_env.clear()  # it would change the environment of this process when it starts another worker
        os.environ.clear()
        os.environ.update(before)
        try:
            yield cluster
        finally:
            cluster.close()


def pids(cluster: Any) -> list[int]:
    """Return the numbers of the workers' processes."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def kill_one(cluster: Any) -> int:
    """Kill a worker as a lack of memory would; returns the number of its process."""
    victim = pids(cluster)[0]
    os.kill(victim, signal.SIGKILL)
    return victim


@contextmanager
def one_killed_when_busy(cluster: Any, function: str) -> Iterator[list[int]]:
    """Kill a worker within the block, soon after both have to do with a function; the list is then not empty."""
    killed: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            states = list(cluster.scheduler.workers.values())
            if len(states) > 1 and all(_busy(state, function) for state in states):
                time.sleep(0.1)
                killed.append(kill_one(cluster))
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield killed
    finally:
        over.set()
        watcher.join()


def _busy(state: Any, function: str) -> bool:
    return any(function in str(task.key) for task in list(state.processing))


def wait_for_workers(cluster: Any, count: int = 2, seconds: float = 30.0) -> None:
    """Wait until so many workers are there: those that were killed are started again."""
    until = time.monotonic() + seconds
    while len(cluster.scheduler.workers) < count and time.monotonic() < until:
        time.sleep(0.05)
    assert len(cluster.scheduler.workers) == count
