"""A TOML file that names a queue, SLURM, LSF or PBS, and what dask-jobqueue asks it for.

Values are numbers, true or false, and texts of harmless characters: they stand in a script that a shell runs on the
machines of the queue. Options that would be run there, or here, are refused.
"""

from __future__ import annotations

import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from gotools.base.errors import ConfigError, GotoolsError, MissingTool, nearest, quoted, shown
from gotools.files.settings_file import read_settings_file

TOML: Final = ".toml"
QUEUES: Final = {"SLURM": "SLURMCluster", "LSF": "LSFCluster", "PBS": "PBSCluster"}
"""Names of queues, and their classes in dask_jobqueue."""
MOST_JOBS: Final = 10_000
_LOOK: Final = 0.2
"""Seconds between looks for the first worker."""
_HARMLESS: Final = re.compile(r"[A-Za-z0-9_./:=,@%+\[\]*\- ]{1,500}")
"""Nothing that a shell takes for more than a word; a star stands where no file begins with what is before it."""


def _text(value: Any) -> str:
    if not isinstance(value, str) or not _HARMLESS.fullmatch(value):
        raise ValueError("a text of letters, digits and _./:=,@%+-[]* without quotes or other signs of a shell")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1 << 50:
        raise ValueError("a whole number from 1 on")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise ValueError("a list of texts")
    return [_text(one) for one in value]


_COMMON: Final[dict[str, Callable[[Any], Any]]] = {
    "cores": _whole,
    "memory": _text,
    "processes": _whole,
    "queue": _text,
    "account": _text,
    "walltime": _text,
    "interface": _text,
    "local_directory": _text,
    "log_directory": _text,
    "job_name": _text,
    "death_timeout": _whole,
    "job_extra_directives": _texts,
}
_OWN: Final[dict[str, dict[str, Callable[[Any], Any]]]] = {
    "SLURM": {"job_cpu": _whole, "job_mem": _text},
    "LSF": {"project": _text, "ncpus": _whole, "mem": _whole},
    "PBS": {"project": _text, "resource_spec": _text},
}
_NEEDED: Final = ("cores", "memory")


@dataclass(frozen=True, slots=True)
class Queue:
    """Jobs of a queue: its name, how many jobs, and the options of dask_jobqueue's class."""

    name: str
    jobs: int
    options: Mapping[str, Any]

    def cluster(self, failed: Callable[[BaseException], object] = lambda _: None) -> Any:
        """Return dask_jobqueue's cluster, which begins a scheduler here and no job yet. Raises GotoolsError.

        failed -- called from another thread with the error of a job that the queue does not take
        """
        interrupt = signal.getsignal(signal.SIGINT)
        try:
            import dask_jobqueue
        except ImportError as error:
            raise MissingTool("dask-jobqueue, which a queue needs,", "`pip install dask-jobqueue`") from error
        finally:
            signal.signal(signal.SIGINT, interrupt)  # that import takes Ctrl-C for itself
        made = getattr(dask_jobqueue, QUEUES[self.name])
        try:
            return made(job_cls=_reporting(made.job_cls, failed), **self.options)
        except (ValueError, TypeError, OSError, RuntimeError) as error:
            raise ConfigError(f"the cluster of {self.name} cannot be made: {shown(error, 200)}") from error

    @contextmanager
    def submitted(self, say: Callable[[str], None]) -> Iterator[str]:
        """Yield the address of a scheduler that has its first worker from the queue; its jobs end with the block.

        Jobs that end early, at the queue's limit of time, are replaced. The scheduler runs in this process, and is
        watched there: no connection to it, late on a busy machine, hides what the queue says of a job.

        say -- receives a line before the wait

        Raises GotoolsError if the queue refuses a job.
        """
        errors: list[BaseException] = []
        cluster = self.cluster(errors.append)
        program = cluster.job_cls.submit_command.split()[0]
        try:
            if shutil.which(program) is None:
                raise MissingTool(f"`{program}`, which {self.name} needs,", "run this where jobs can be submitted")
            say(f"waiting for the first worker of {self.name}")
            cluster.adapt(minimum_jobs=self.jobs, maximum_jobs=self.jobs)
            while not cluster.scheduler.workers:
                if errors:
                    first, _, said = str(errors[0]).partition("stderr:")
                    why = said.split() or first.partition("Command:")[0].split()
                    raise GotoolsError(f"{self.name} takes no job: {shown(' '.join(why), 200)}")
                time.sleep(_LOOK)
            yield str(cluster.scheduler_address)
        finally:
            cluster.close()


def _reporting(job: Any, failed: Callable[[BaseException], object]) -> Any:
    """Return a class of jobs like another one, which reports that a job could not be submitted: dask tries for ever."""

    class Job(job):  # type: ignore[misc]
        async def start(self) -> None:
            try:
                await super().start()
            except Exception as error:
                self.status = type(self._status).failed  # else closing the cluster fails: dask demands it
                failed(error)
                raise

    return Job


def read_queue(path: str) -> Queue:
    """Read a file that names a queue. Raises ConfigError, which names the key; FileFormatError."""
    table = dict(read_settings_file(path).table)
    system = table.pop("system", None)
    if not isinstance(system, str) or system not in QUEUES:
        raise ConfigError(f"{path}: system is one of {', '.join(QUEUES)}, not {quoted(system)}")
    readers: dict[str, Callable[[Any], Any]] = {"jobs": _whole, **_COMMON, **_OWN[system]}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in readers:
            raise ConfigError(f"{path}: there is no key {quoted(key)}{nearest(key, list(readers))}")
        try:
            values[key] = readers[key](value)
        except ValueError as error:
            raise ConfigError(f"{path}: {key}: {error}") from error
    for key in _NEEDED:
        if key not in values:
            raise ConfigError(f"{path}: {key} is missing: what a job asks for")
    jobs = values.pop("jobs", 1)
    values.setdefault("processes", values["cores"])  # of one thread each: much of the work is Python's
    if jobs > MOST_JOBS:
        raise GotoolsError(f"{path}: jobs: at most {MOST_JOBS:,}")
    return Queue(system, jobs, values)
