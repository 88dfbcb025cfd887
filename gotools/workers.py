"""Work on several cores: calls in threads or in other processes, with their results in the order of the work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

Work = TypeVar("Work")
Result = TypeVar("Result")


@contextmanager
def threads(jobs: int, begin: Callable[[], object] | None = None) -> Iterator[Executor]:
    """Yield a pool of threads; for kernels, which release the GIL.

    begin -- called in each thread first

    The block ends when running work is done; pending work is dropped.
    """
    pool = ThreadPoolExecutor(jobs, initializer=begin)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def processes(jobs: int, begin: Callable[..., None], *given: Any) -> Iterator[Executor | None]:
    """Yield a pool of processes; None for a single job: this process.

    begin -- called in each process first, with `given`; like all functions sent there it must be importable

    They ignore Ctrl-C, which this process handles, and end with the block, at once if an exception ends
    it, and with this process, however that ends.
    """
    if jobs == 1:
        begin(*given)
        yield None
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (begin, given))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown()


def in_order(
    pool: Executor | None, function: Callable[[Work], Result], works: Iterable[Work], ahead: int
) -> Iterator[Result]:
    """Yield the result of each piece of work, in their order; a limited number is begun ahead."""
    if pool is None:
        yield from map(function, works)
        return
    waiting: deque[Any] = deque()
    for work in works:
        with _deaf():
            waiting.append(pool.submit(function, work))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def _deaf() -> Iterator[None]:
    """Block Ctrl-C, so that a process started now ignores it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*given)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
