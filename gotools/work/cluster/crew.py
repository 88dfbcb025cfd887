"""Send the work of a task to a cluster in batches of a second or more, and bring the results into its order."""

from __future__ import annotations

import hashlib
import pickle
import queue
import secrets
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeVar

from distributed import Client, Future, KilledWorker
from distributed.comm.core import CommClosedError

from gotools.base.errors import GotoolsError
from gotools.work.cluster.on_worker import About, release, work
from gotools.work.workers import AHEAD, Task

Work = TypeVar("Work")
Result = TypeVar("Result")

SECONDS: Final = 1.5
"""Length of a batch that is aimed at: what a batch costs beside its work is some hundredths."""
MOST_BYTES: Final = 32 << 20
"""Bytes of a batch's pieces, or of its results, at most; a single piece may be larger."""
TICK: Final = 0.2
"""Seconds between looks at the time and at signals."""
LOOK: Final = 2.0
"""Seconds between looks at who is there."""
_QUICK: Final = 5.0
"""Seconds in which a scheduler tells who is there."""


@dataclass(slots=True)
class _Run:
    """Batches under way.

    name   -- of the task's function, for the pages of the scheduler
    pieces -- of the next batch
    sent   -- by number, each with its pieces; ended -- numbers of batches that are over; number -- of the next
    """

    task: bytes
    key: str
    name: str
    pieces: int = 1
    sent: dict[int, tuple[Future[tuple[float, bytes]], int]] = field(default_factory=dict)
    ended: queue.SimpleQueue[int] = field(default_factory=queue.SimpleQueue)
    number: int = 0

    def learn(self, pieces: int, seconds: float, size: int) -> None:
        """Choose the pieces of the next batch by those of the last one, its time, and the bytes of its results."""
        wanted = min(pieces * SECONDS / max(seconds, 1e-4), pieces * MOST_BYTES / max(size, 1))
        self.pieces = max(1, min(round(wanted), 4 * self.pieces))


class Crew:
    """The workers of a cluster; see `Workers` of workers.py.

    name     -- of the cluster, for errors
    ours     -- what workers must be like
    patience -- seconds to wait for a worker where there is none any more; None: for ever
    """

    def __init__(self, client: Client, name: str, ours: About, patience: float | None) -> None:
        self._client, self._name, self._ours, self._patience = client, name, ours, patience
        self._first: dict[str, int] = {}
        self._threads: dict[str, int] = {}
        self._seen = self._looked = time.monotonic()
        self._keys: set[str] = set()
        self._runs, self._token = 0, secrets.token_hex(6)
        self._look(0)

    @property
    def elsewhere(self) -> bool:
        """Return True: of this machine's files they have those in folders that are shared."""
        return True

    @property
    def places(self) -> int:
        """Return how many pieces of work are done at once, now."""
        self._look()
        return sum(self._threads.values())

    def each(
        self,
        task: Task[Work, Result],
        pieces: Iterable[Work],
        ordered: bool = True,
        ahead: int = AHEAD,
        tick: Callable[[], object] = lambda: None,
    ) -> Generator[Result, None, None]:
        """Yield what the task makes of each piece, in their order; a limited number is begun ahead.

        ordered -- if not, results come as they are made
        ahead   -- batches for each place that are sent before they are wanted; of 1, a batch begins when it is sent
        tick    -- called several times a second

        What a lost worker did is done again by another one. Raises GotoolsError: one of a worker, with its address;
        for a worker that differs, for work that kills workers, and where there are no workers any more.
        """
        run, rest = self._begin(task), iter(pieces)
        done: dict[int, list[Result]] = {}
        turn = 0
        try:
            while True:
                room = ahead * max(self.places, 1) - len(done)
                while len(run.sent) < room and (some := list(islice(rest, run.pieces))):
                    self._send(run, some)
                if not run.sent:
                    return
                try:
                    number = run.ended.get(timeout=TICK)
                except queue.Empty:
                    self._look_around()
                else:
                    done[number] = self._results(run, number)
                tick()
                if not ordered:
                    turn = min(done, default=turn)
                while turn in done:
                    yield from done.pop(turn)
                    turn += 1
        finally:
            self._cancel(run)

    def everywhere(self, task: Task[Work, Result], piece: Work) -> dict[str, Result]:
        """Do a piece of work on each worker that is there; returns results by their addresses.

        Raises GotoolsError as `each` does. A worker that is lost meanwhile is left out.
        """
        run = self._begin(task)
        self._look(0)
        found: dict[str, Result] = {}
        try:
            at = sorted(self._threads)  # the batch of each has its place here as number
            for address in at:
                self._send(run, [piece], address)
            while run.sent:
                with suppress(queue.Empty):
                    number = run.ended.get(timeout=TICK)
                    if number in run.sent:
                        (found[at[number]],) = self._results(run, number)
                self._look()
                for number in [number for number in run.sent if at[number] not in self._threads]:
                    run.sent.pop(number)[0].cancel()
        finally:
            self._cancel(run)
        return found

    def end(self) -> None:
        """End what tasks have made on the workers."""
        if self._keys and self._client.status == "running":
            with suppress(Exception):
                self._client.run(release, list(self._keys), on_error="ignore")

    # batches ---------------------------------------------------------------------------------------------------------

    def _begin(self, task: Task[Any, Any]) -> _Run:
        data = pickle.dumps((task.function, task.begin, task.given), pickle.HIGHEST_PROTOCOL)
        key = f"{hashlib.sha256(data).hexdigest()[:16]}-{self._token}"
        self._keys.add(key)
        self._runs += 1
        return _Run(data, key, f"{task.function.__name__}-{self._runs}")

    def _send(self, run: _Run, some: list[Any], address: str | None = None) -> None:
        number, run.number = run.number, run.number + 1
        data = pickle.dumps(some, pickle.HIGHEST_PROTOCOL)
        if len(data) > MOST_BYTES:
            run.pieces = max(1, run.pieces // 2)
        where = {} if address is None else {"workers": [address]}
        key = f"gotools{run.name}-{run.key}-{number}"
        future = self._client.submit(work, self._ours, run.key, run.task, data, self._first, key=key, **where)
        run.sent[number] = future, len(some)
        future.add_done_callback(lambda _: run.ended.put(number))

    def _results(self, run: _Run, number: int) -> list[Any]:
        """Return the results of a batch that is over. Raises GotoolsError."""
        future, pieces = run.sent.pop(number)
        try:
            seconds, data = future.result()
        except KilledWorker as error:
            lost = error.allowed_failures + 1
            what = f"{lost} workers were lost one after the other by the same part of the work; is there enough memory?"
            raise GotoolsError(f"{self._name}: {what} The last was {error.last_worker.address}") from error
        except (CancelledError, CommClosedError, OSError) as error:
            raise self._gone() from error
        except (ImportError, AttributeError, pickle.UnpicklingError) as error:
            raise GotoolsError(f"{self._name}: a worker without this version of gotools ({error})") from error
        run.learn(pieces, seconds, len(data))
        results: list[Any] = pickle.loads(data)
        return results

    def _cancel(self, run: _Run) -> None:
        if run.sent:
            with suppress(Exception):
                self._client.cancel([future for future, _ in run.sent.values()], force=True)
            run.sent.clear()

    # who is there ----------------------------------------------------------------------------------------------------

    def _look(self, age: float = LOOK) -> None:
        """Refresh the list of workers if it is older than some seconds, and number the places of new ones."""
        if time.monotonic() - self._looked < age:
            return
        found = self._asked()
        self._looked = time.monotonic()
        if found is None:
            return
        self._threads = found
        if found:
            self._seen = self._looked
        for address in sorted(found.keys() - self._first.keys()):
            free = max((self._first[one] + found.get(one, 1) for one in self._first), default=0)
            self._first[address] = free

    def _asked(self) -> dict[str, int] | None:
        """Return the threads of each worker; None where the scheduler does not say."""
        try:
            scheduler: Any = self._client.scheduler
            return dict(self._client.sync(scheduler.ncores, callback_timeout=_QUICK))
        except (OSError, TimeoutError, CommClosedError, RuntimeError):
            return None

    def _look_around(self) -> None:
        """Raise GotoolsError where the work cannot go on."""
        if self._client.status not in ("running", "connecting"):
            raise self._gone()
        self._look()
        if self._patience is not None and self._looked - self._seen > self._patience:
            raise GotoolsError(f"{self._name}: there has been no worker for {self._patience:.0f} s")

    def _gone(self) -> GotoolsError:
        return GotoolsError(f"{self._name}: the scheduler is gone, and the work in progress with it")
