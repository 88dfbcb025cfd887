"""Find the scheduler of a cluster, wait for its workers, and compare their versions with ours."""

from __future__ import annotations

import asyncio
import json
import logging
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeVar

from gotools.base.errors import LONGEST_NAME, FileFormatError, GotoolsError, MissingTool, quoted, shown
from gotools.files.opening import read_bytes

try:
    import dask
    from distributed import Client
except ImportError as missing:
    raise MissingTool("dask.distributed, which --cluster needs,", "`pip install distributed`") from missing

from gotools.work.cluster.crew import Crew
from gotools.work.cluster.on_worker import About, about, differs
from gotools.work.cluster.queues import TOML, read_queue

Asked = TypeVar("Asked")

ANSWER: Final = 10.0
"""Seconds in which a scheduler has to answer, and then to have a worker."""
PATIENCE: Final = 120.0
"""Seconds without any worker after which the work is given up; those of a queue may be waited for longer."""
_CLOSING: Final = 2.0
"""Seconds in which a client that has no answer is closed."""
_LOGGERS: Final = ("distributed", "tornado", "asyncio")
_SETTINGS: Final = {"distributed.admin.large-graph-warning-threshold": "1GB"}


@contextmanager
def connected(where: str, say: Callable[[str], None]) -> Iterator[Crew]:
    """Yield the workers of a cluster; the end of the block ends what they keep, and the jobs of a queue.

    where -- address of a scheduler (tcp://host:8786, host:8786), its file (.json), or a TOML file that names a queue
    say   -- receives a line while the command waits for a queue

    Raises GotoolsError where none answers, has no workers, or workers of another version.
    """
    _silence()
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # dask's, on versions of its own parts and on the size of messages
        stack.enter_context(dask.config.set(_SETTINGS))
        queue = read_queue(where) if where.endswith(TOML) else None
        address = _address(where) if queue is None else stack.enter_context(queue.submitted(say))
        client = _client(address, ANSWER if queue is None else PATIENCE)
        stack.callback(_close, client)
        try:
            client.wait_for_workers(1, timeout=ANSWER)  # those of a queue are there
        except (OSError, TimeoutError) as error:
            what = f"the scheduler {shown(address)} has no workers; start some: dask worker {address}"
            raise GotoolsError(what) from error
        ours = about()
        _compare(client, address, ours)
        crew = Crew(client, f"cluster {shown(where, LONGEST_NAME)}", ours, PATIENCE if queue is None else None)
        stack.callback(crew.end)
        yield crew


def _silence() -> None:
    """Keep what dask logs off the screen: tracebacks of what is one line here."""
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _LOGGERS]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _address(where: str) -> str:
    """Return the address of a scheduler, or that of a scheduler's file. Raises GotoolsError."""
    if where.endswith(".json") or Path(where).exists():
        return _address_of_file(where)
    host, colon, port = where.rpartition(":")
    if not (colon and host and port.isdecimal()):
        what = f"{quoted(where)} is not the address of a scheduler, such as tcp://host:8786, nor a file"
        raise GotoolsError(f"--cluster: {what}")
    return where if "://" in where else f"tcp://{where}"


def _address_of_file(path: str) -> str:
    data = read_bytes(path)
    try:
        address = json.loads(data)["address"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise FileFormatError(path, None, "not the file of a scheduler (dask scheduler --scheduler-file)") from error
    if not isinstance(address, str):
        raise FileFormatError(path, None, "the address of the scheduler is not a text")
    return address


class _Client(Client):
    """A client that is closed where it cannot connect.

    Else garbage collection would close it, at any time in any thread: also in one that starts another client, which
    waits for it and holds the lock that closing needs.
    """

    async def _start(self, timeout: Any = ANSWER, **options: Any) -> Client:
        """Connect, in seconds: dask waits for ever for the greeting of a port that is silent. Raises TimeoutError."""
        connecting = super()._start(timeout=timeout, **options)  # type: ignore[no-untyped-call]
        return await asyncio.wait_for(connecting, timeout)

    def start(self, **options: Any) -> None:
        """Connect in a thread of its own. Raises what the connection does."""
        try:
            super().start(**options)  # type: ignore[no-untyped-call]
        except BaseException:
            with suppress(Exception):
                self.close()
            self._loop_runner.stop()  # which `close` leaves running after an OSError
            raise


def _client(address: str, seconds: float) -> Client:
    try:
        within = seconds + _CLOSING
        return _within(within, lambda: _Client(address, timeout=seconds, set_as_default=False, name="gotools"))
    except (OSError, TimeoutError, MemoryError) as error:  # the last: another protocol's words are taken for a size
        what = f"the scheduler {shown(address)} does not answer within {seconds:.0f} s"
        raise GotoolsError(f"{what}; is it running: dask scheduler?") from error
    except (ValueError, RuntimeError, TypeError) as error:
        raise GotoolsError(f"--cluster: {quoted(address)}: {shown(error, 200)}") from error


def _within(seconds: float, ask: Callable[[], Asked]) -> Asked:
    """Ask in a thread of its own, which is left behind if it takes longer. Raises TimeoutError, and what `ask` does."""
    answer: Future[Asked] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer.result(seconds)


def _close(client: Client) -> None:
    with suppress(Exception):
        _within(ANSWER, lambda: client.close(timeout=ANSWER))


def _compare(client: Client, address: str, ours: About) -> None:
    """Raise GotoolsError for a worker whose version is another one."""
    try:
        found = _within(PATIENCE, lambda: client.run(about, on_error="return"))
    except (OSError, TimeoutError) as error:
        raise GotoolsError(f"the scheduler {shown(address)} does not answer any more: {shown(error, 200)}") from error
    except (ImportError, AttributeError) as error:
        raise GotoolsError(f"the scheduler {shown(address)}, or a worker, has no gotools like ours: {error}") from error
    for worker, theirs in sorted(found.items()):
        if isinstance(theirs, ImportError | AttributeError):
            raise GotoolsError(f"worker {worker} has no gotools {ours[0]} ({theirs})")
        if isinstance(theirs, tuple | list) and (what := differs((theirs[0], theirs[1], theirs[2]), ours)):
            raise GotoolsError(f"worker {worker} has {what}")
