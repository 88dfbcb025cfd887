"""Commands with --cluster write what they write without, also where a worker is killed in the middle."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.induce_runs import GAMES, convert, induce
from support.local_cluster import local_cluster, one_killed_when_busy, wait_for_workers

from gotools.cli import run
from gotools.work.cluster import connecting

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


@pytest.fixture
def where(cluster: Any) -> str:
    wait_for_workers(cluster)
    return str(cluster.scheduler_address)


def gotools(*arguments: str | Path) -> None:
    assert run([*map(str, arguments), "-q"]) == 0


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rules, the same compiled, and learned values."""
    folder = tmp_path_factory.mktemp("made")
    assert induce(*GAMES[:4], "--objective", "rank", "--max-rules", "8", "-q", "-o", folder / "rules.pl") == 0
    gotools("compile-patterns", folder / "rules.pl", "-o", folder / "rules.so")
    gotools("train-eval", "--games", "64", "--referee-games", "0", "-o", folder / "eval.npz")
    gotools("train-eval", "--game", "connect4", "--games", "64", "--referee-games", "0", "-o", folder / "four.npz")
    convert(*GAMES[:14], "-o", folder / "games.tsv")
    return folder


def test_rules_for_ranking_are_the_same(where: str, cluster: Any, tmp_path: Path) -> None:
    """Also where a worker is killed while it draws moves."""
    learn = [*map(str, GAMES[:8]), "--objective", "rank", "--max-rules", "110"]
    assert induce(*learn, "-q", "-o", tmp_path / "one.pl", "--metrics", tmp_path / "one.json") == 0
    with one_killed_when_busy(cluster, "draw_piece") as killed:
        for name in ("two", "three"):
            assert induce(*learn, "-q", "-o", tmp_path / f"{name}.pl", "--cluster", where) == 0
    assert killed
    assert len({(tmp_path / f"{name}.pl").read_bytes() for name in ("one", "two", "three")}) == 1


def test_a_network_that_learns_from_games_on_a_cluster_is_the_same(where: str, cluster: Any, tmp_path: Path) -> None:
    """Also where a worker is killed while it plays."""
    pytest.importorskip("torch")
    learn = ["--features", "planes", "--network", "conv:1x16", "--size", "5", "--games", "96", "--playouts", "64"]
    gotools("train-eval", *learn, "-o", tmp_path / "one.npz")
    with one_killed_when_busy(cluster, "play") as killed:
        gotools("train-eval", *learn, "-o", tmp_path / "two.npz", "--cluster", where)
    assert killed
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_only_games_against_itself_are_played_on_a_cluster(
    where: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["train-eval", "-o", str(tmp_path / "eval.npz"), "--cluster", where]) == 1
    shown = capfd.readouterr().err
    assert shown == "gotools train-eval: --cluster plays the games of --features planes against itself\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "how",
    [
        ("--rules", "rules.pl"),
        ("--rules", "rules.so", "--top", "3"),
        ("--rules", "rules.so", "--eval", "eval.npz", "--explain"),
    ],
    ids=["text", "library", "explained"],
)
def test_rankings_are_the_same(how: tuple[str, ...], made: Path, where: str, tmp_path: Path) -> None:
    settings = [made / word if "." in word else word for word in how]
    for name, more in (("one", ("--jobs", "1")), ("cluster", ("--cluster", where))):
        files = "-o", tmp_path / f"{name}.txt", "--metrics", tmp_path / f"{name}.json"
        gotools("rank-moves", made / "games.tsv", *settings, *more, *files)
    for ending in ("txt", "json"):
        assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"cluster.{ending}").read_bytes()


def test_a_ranking_with_a_worker_killed_is_the_same(made: Path, where: str, cluster: Any, tmp_path: Path) -> None:
    many = [tmp_path / f"games{k}.tsv" for k in range(40)]
    for path in many:
        shutil.copy(made / "games.tsv", path)
    gotools("rank-moves", *many, "--rules", made / "rules.pl", "-o", tmp_path / "one.txt")
    with one_killed_when_busy(cluster, "_rank") as killed:
        gotools("rank-moves", *many, "--rules", made / "rules.pl", "-o", tmp_path / "two.txt", "--cluster", where)
    assert killed
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()


def test_a_file_that_is_another_one_for_the_worker_is_one_line(
    made: Path, where: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on another machine: the workers find other bytes under the name than this process."""
    monkeypatch.setattr("gotools.files.opening._digest", lambda path: "0" * 12)
    arguments = [made / "games.tsv", "--rules", made / "rules.so", "-o", tmp_path / "x.tsv", "--cluster", where, "-q"]
    assert run(["rank-moves", *map(str, arguments)]) == 1
    shown = capfd.readouterr().err
    assert shown.startswith("gotools rank-moves: worker tcp://127.0.0.1:") and shown.count("\n") == 1
    assert "rules.so: differs from the file on the client" in shown
    assert not list(tmp_path.iterdir())


def refusal(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    code = run([*map(str, arguments)])
    shown = capfd.readouterr()
    assert shown.err.count("\n") == 1 and not shown.out
    return code, shown.err


@pytest.mark.parametrize(
    ("cluster", "line"),
    [
        ("127.0.0.1:9", "the scheduler tcp://127.0.0.1:9 does not answer within"),
        ("nowhere", "--cluster: 'nowhere' is not the address of a scheduler, such as tcp://host:8786, nor a file"),
        ("none.json", "none.json: No such file or directory"),
        ("list.json", "list.json: not the file of a scheduler (dask scheduler --scheduler-file)"),
        ("none.toml", "none.toml: No such file or directory"),
    ],
)
def test_a_cluster_that_is_none_is_one_line(
    cluster: str,
    line: str,
    made: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connecting, "ANSWER", 0.5)
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text("[1]")
    rules = "--rules", made / "rules.pl"
    code, shown = refusal(capfd, "rank-moves", made / "games.tsv", *rules, "-o", "x.tsv", "--cluster", cluster)
    assert code == 1 and line in shown
    assert not Path("x.tsv").exists()


@pytest.mark.parametrize("greeting", [b"", b"HTTP/1.1 200 OK\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"220 mail\r\n"])
def test_a_port_that_is_no_scheduler_is_one_line(
    greeting: bytes, made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "ANSWER", 0.5)
    kept = []
    loops = event_loops()

    def serve() -> None:
        with suppress(OSError):
            while True:
                kept.append(port.accept()[0])
                kept[-1].sendall(greeting)

    with socket.create_server(("127.0.0.1", 0)) as port:
        threading.Thread(target=serve, daemon=True).start()
        words = "rank-moves", made / "games.tsv", "--rules", made / "rules.pl", "-o", tmp_path / "x.tsv"
        code, shown = refusal(capfd, *words, "--cluster", f"127.0.0.1:{port.getsockname()[1]}")
        port.shutdown(socket.SHUT_RDWR)
        for one in kept:
            one.close()
    assert code == 1 and "does not answer within" in shown
    assert event_loops() == loops, "what is left of a client is collected when another one starts, which then hangs"


def event_loops() -> int:
    """Return how many threads of dask's clients and clusters run."""
    return sum(thread.name == "IO loop" for thread in threading.enumerate())


@pytest.mark.parametrize("system, program", [("SLURM", "sbatch"), ("PBS", "qsub"), ("LSF", "bsub")])
def test_a_queue_that_takes_no_job_is_one_line(
    system: str, program: str, made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if find_spec("dask_jobqueue") is None:  # an import here would take Ctrl-C from the tests that follow
        pytest.skip("pip install dask-jobqueue")
    monkeypatch.setattr(connecting, "ANSWER", 0.0)  # a busy machine: what the queue says does not hang on it
    (tmp_path / "queue.toml").write_text(f'system = "{system}"\njobs = 1\ncores = 1\nmemory = "1GB"\n')
    words = "rank-moves", made / "games.tsv", "--rules", made / "rules.pl", "-o", tmp_path / "x.tsv", "-q"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert f"`{program}`, which {system} needs" in refusal(capfd, *words, "--cluster", tmp_path / "queue.toml")[1]
    (tmp_path / program).write_text("#!/bin/sh\necho no such account >&2\nexit 1\n")
    (tmp_path / program).chmod(0o755)
    assert run([*map(str, words), "--cluster", str(tmp_path / "queue.toml")]) == 1
    assert re.search(f"{system} takes no job: .*(no such account|Exit code: 1)\\n$", capfd.readouterr().err)


def test_without_dask_there_is_one_line_that_says_how_to_get_it(
    made: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "gotools.work.cluster.connecting")
    arguments = made / "games.tsv", "--rules", made / "rules.pl", "--cluster", "127.0.0.1:9"
    code, shown = refusal(capfd, "rank-moves", *arguments)
    assert code == 1 and shown.endswith("is not installed; `pip install distributed`\n")


def test_what_needs_this_machine_is_refused(made: Path, where: str, capfd: pytest.CaptureFixture[str]) -> None:
    rules = "--rules", made / "rules.pl"
    code, shown = refusal(capfd, "rank-moves", made / "games.tsv", *rules, "--jobs", "2", "--cluster", where)
    assert code == 2 and "--jobs" in shown


def clusters(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run in a process that loads linear algebra as the command does: here pytest has loaded it before."""
    words = ["cluster-moves", *map(str, GAMES[:16]), "--k", "6", "--stages", "--last", "1", "-q", *more]
    own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    command = [sys.executable, "-m", "gotools", *words, "-o", str(out)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=own)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the family is chosen on these processors")
def test_clusters_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem")
    with local_cluster() as own:
        assert clusters(tmp_path / "one.tsv").returncode == 0
        done = clusters(tmp_path / "two.tsv", "--cluster", own.scheduler_address)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the family is chosen on these processors")
def test_workers_whose_last_bits_would_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Core2")
    with local_cluster(1) as own:
        done = clusters(tmp_path / "two.tsv", "--cluster", own.scheduler_address)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "last bits; start workers with OPENBLAS_CORETYPE=Nehalem" in done.stderr
    assert not list(tmp_path.iterdir())
