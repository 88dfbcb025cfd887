"""Work on many machines, by dask.distributed: what commands do with `--cluster` (docs/cluster.md).

In reading order:

    on_worker.py     what runs on a worker: a batch of pieces of work, with what was made for it before
    crew.py          sends the batches, and brings their results into order
    connecting.py    finds the scheduler, and compares versions
    queues.py        a TOML file that names a queue: SLURM, LSF, PBS

No other module imports dask, and nothing imports these files without `--cluster`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gotools.work.workers import Processes, Workers


@contextmanager
def workers_for(jobs: int, cluster: str | None, say: Callable[[str], None]) -> Iterator[Workers | None]:
    """Yield those that do the work of a command; None for a single job: this process.

    cluster -- address of a scheduler, its file, or a TOML file that names a queue (docs/cluster.md)
    say     -- receives a line on what the command waits for
    Raises GotoolsError where the cluster does not answer, or cannot do the work.
    """
    if cluster is None:
        yield None if jobs == 1 else Processes(jobs)
        return
    from gotools.work.cluster.connecting import connected  # and with it dask

    with connected(cluster, say) as there:
        yield there
