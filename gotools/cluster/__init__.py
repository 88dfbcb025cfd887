"""Work on many machines, by dask.distributed: what commands do with `--cluster` (docs/cluster.md).

In reading order:

    on_worker.py     what runs on a worker: a batch of pieces of work, with what was made for it before
    crew.py          sends the batches, and brings their results into order
    connecting.py    finds the scheduler, and compares versions
    queues.py        a TOML file that names a queue: SLURM, LSF, PBS

No other module imports dask, and nothing imports these without `--cluster`.
"""
