"""Work on several cores: calls in threads, in other processes, or on a cluster, with their results in order.

Commands take `Workers` from `cluster.workers_for`: processes here, or those of a cluster. Either does a `Task` with
pieces of work, and neither the number of workers nor the loss of one changes a result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from gotools.base.errors import GotoolsError
from gotools.jit import compiling

Work = TypeVar("Work")
Result = TypeVar("Result")
AHEAD: Final = 2
"""Pieces of work for each process that are begun before they are wanted."""


@dataclass(frozen=True, slots=True)
class Task(Generic[Work, Result]):
    """What workers do with each piece of work: `function(made, piece)`, where `made` is `begin(*given)`.

    A worker makes it before its first piece, and keeps it. If it has a method `close`, that is called at the end.
    Functions are importable, and `given`, pieces and results are data that pickle takes.
    """

    function: Callable[[Any, Work], Result]
    begin: Callable[..., Any]
    given: tuple[Any, ...] = ()


class Workers(Protocol):
    """Those that do the work; in the order of the work its results come back."""

    @property
    def elsewhere(self) -> bool:
        """Return whether they may be on other machines."""

    def each(self, task: Task[Work, Result], pieces: Iterable[Work]) -> Iterator[Result]:
        """Yield what the task makes of each piece, in their order; a limited number is begun ahead.

        A GotoolsError of a worker is raised here. The number of workers changes no result.
        """


@dataclass(frozen=True, slots=True)
class Processes:
    """Processes of this machine; of one job this process."""

    jobs: int = 1

    @property
    def elsewhere(self) -> bool:
        """Return False: they share files, standard streams and memory with this process."""
        return False

    def each(self, task: Task[Work, Result], pieces: Iterable[Work]) -> Iterator[Result]:
        """See `Workers`. Raises GotoolsError where a process is killed."""
        if self.jobs == 1:
            made = task.begin(*task.given)
            yield from (task.function(made, piece) for piece in pieces)
            return
        try:
            with processes(self.jobs, _keep, task) as pool:
                yield from in_order(pool, _do, pieces, AHEAD * self.jobs)
        except BrokenProcessPool as error:
            raise GotoolsError("a process that did a part of the work was killed; is there enough memory?") from error


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
    context = multiprocessing.get_context("spawn")
    first = context.Semaphore(0 if compiling.quiet or compiling.notified else 1)
    pool = ProcessPoolExecutor(jobs, context, _begin, (begin, given, first))
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        # Python 3.11.2 would wait for the pool's thread, which writes to the ended processes (its issue 94777).
        pool._call_queue._reader.close()  # type: ignore[attr-defined]
        raise
    finally:
        pool.shutdown(cancel_futures=True)  # waits for its thread too, whose pipe the interpreter's end would write to


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


_task: Task[Any, Any]
_made: Any = None


def _keep(task: Task[Any, Any]) -> None:
    """Note what this process will do."""
    global _task
    _task = task


def _do(piece: Any) -> Any:
    """Do a piece of work; what the task makes before is made here, so that its errors come back as themselves."""
    global _made
    if _made is None:
        _made = _task.begin(*_task.given)
    return _task.function(_made, piece)


def _begin(begin: Callable[..., None], given: tuple[Any, ...], first: Any) -> None:
    compiling.first = first
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*given)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
