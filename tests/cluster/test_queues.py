"""A TOML file that names a queue becomes the script of its jobs, and nothing in it is run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from gotools.base.errors import ConfigError, FileFormatError
from gotools.work.cluster.queues import read_queue

pytestmark = pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason="pip install dask-jobqueue")

SLURM = """
system = "SLURM"
jobs = 4
cores = 8
memory = "16GB"
walltime = "02:00:00"
queue = "short"
account = "go"
job_extra_directives = ["--exclusive"]
"""


def script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "queue.toml"
    path.write_text(text)
    cluster = read_queue(str(path)).cluster()
    try:
        return str(cluster.job_script())
    finally:
        cluster.close()


@pytest.mark.filterwarnings("ignore")  # dask's own
def test_the_script_of_a_job_asks_for_what_the_file_says(tmp_path: Path) -> None:
    found = script(tmp_path, SLURM)
    for line in ("#SBATCH -p short", "#SBATCH -A go", "#SBATCH --cpus-per-task=8", "#SBATCH -t 02:00:00"):
        assert line in found.splitlines()
    assert "#SBATCH --exclusive" in found.splitlines()
    assert (
        "--nthreads 1 " in found and "--nworkers 8 " in found
    )  # a process for each core: much of the work is Python's


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("system", "line"), [("PBS", "#PBS -q short"), ("LSF", "#BSUB -q short")])
def test_other_queues_have_their_own_scripts(system: str, line: str, tmp_path: Path) -> None:
    text = f'system = "{system}"\ncores = 2\nmemory = "4GB"\nqueue = "short"\n'
    assert line in script(tmp_path, text).splitlines()


def test_the_number_of_jobs_is_ours(tmp_path: Path) -> None:
    (tmp_path / "queue.toml").write_text(SLURM)
    queue = read_queue(str(tmp_path / "queue.toml"))
    assert (queue.name, queue.jobs) == ("SLURM", 4) and "jobs" not in queue.options


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('system = "HTCondor"\ncores = 1\nmemory = "1GB"', "system is one of SLURM, LSF, PBS, not 'HTCondor'"),
        ('cores = 1\nmemory = "1GB"', "system is one of SLURM"),
        ('system = "SLURM"\ncores = 1', "memory is missing"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB"\nwaltime = "1"', "'waltime'; did you mean 'walltime'?"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB"\njob_script_prologue = ["rm x"]', "'job_script_prologue'"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB"\npython = "/tmp/x"', "there is no key 'python'"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB; rm x"', "memory: a text of letters"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB"\nqueue = "$(rm x)"', "queue: a text of letters"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB"\njob_extra_directives = ["a\\nrm x"]', "job_extra_directives: "),
        ('system = "SLURM"\ncores = true\nmemory = "1GB"', "cores: a whole number"),
        ('system = "SLURM"\ncores = 0\nmemory = "1GB"', "cores: a whole number"),
        ('system = "SLURM"\ncores = 1\nmemory = "1GB"\n[queue]\nx = 1', "queue: a text of letters"),
        ("system = ", "not TOML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_key(text: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "queue.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_queue(str(path))
    assert str(caught.value).startswith(f"{path}: ") and what in str(caught.value)


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="No such file"):
        read_queue(str(tmp_path / "none.toml"))
