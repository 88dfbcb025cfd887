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
    """Yield so many threads to work in; for kernels, which leave the others running.

    begin -- called in each thread first

    The block ends when the work at hand is done; work that was not begun is dropped.
    """
    pool = ThreadPoolExecutor(jobs, initializer=begin)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def processes(jobs: int, begin: Callable[..., None], *given: Any) -> Iterator[Executor | None]:
    """Yield so many processes to work in; None where one is enough: this one.

    begin -- called in each process first, with what is given; it is found by its name, as all functions sent there

    They know nothing of Ctrl-C, which is this process's affair, and end with the block, at once if an exception ends
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
    """Yield the result of each piece of work, in their order; of the works only so many are begun ahead."""
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
    """Hold Ctrl-C back: a process that is started now never hears it."""
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
