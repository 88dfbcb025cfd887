"""The workers of a cluster do what one process does: the same results in the same order, whatever happens to them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import cluster_tasks as tasks
from support.local_cluster import kill_one, local_cluster, pids, wait_for_workers

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.work.cluster import connecting, on_worker
from gotools.work.cluster.connecting import connected
from gotools.work.cluster.crew import SECONDS, Crew, _Run
from gotools.work.workers import Processes, Task

pytestmark = pytest.mark.system

SQUARES: Task[int, int] = Task(tasks.squared, tasks.nothing)


def silent(line: str) -> None:
    raise AssertionError(line)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


@pytest.fixture
def crew(cluster: Any) -> Iterator[Crew]:
    wait_for_workers(cluster)
    with connected(cluster.scheduler_address, silent) as made:
        yield made


@pytest.mark.smoke
def test_results_are_those_of_one_process_in_their_order(crew: Crew) -> None:
    expected = list(Processes(1).each(SQUARES, range(500)))
    assert list(crew.each(SQUARES, range(500))) == expected == [number * number for number in range(500)]
    assert sorted(crew.each(SQUARES, range(100), ordered=False)) == expected[:100]
    assert list(crew.each(SQUARES, [])) == []


def test_a_worker_killed_in_the_middle_costs_nothing_but_time(cluster: Any, crew: Crew) -> None:
    came, killed = [], 0
    pieces = [(number, 0.05) for number in range(80)]
    for number, _ in crew.each(Task(tasks.slept, tasks.nothing), pieces):
        came.append(number)
        if len(came) == 20:
            killed = kill_one(cluster)
    assert killed and came == list(range(80))


def test_both_workers_work(crew: Crew) -> None:
    pieces = [(number, 0.1) for number in range(40)]
    done = list(crew.each(Task(tasks.slept, tasks.nothing), pieces))
    assert len({process for _, process in done}) == 2


def test_what_a_task_makes_is_made_once_on_a_worker_and_ended(cluster: Any, tmp_path: Path) -> None:
    wait_for_workers(cluster)
    log = tmp_path / "log"
    with connected(cluster.scheduler_address, silent) as crew:
        task: Task[tuple[int, float], Any] = Task(tasks.slept, tasks.Counter, (str(log),))
        list(crew.each(task, [(number, 0.1) for number in range(40)]))
        assert sorted(log.read_text().split()[::2]) == ["made", "made"]
    assert sorted(log.read_text().splitlines()) == sorted(
        f"{what} {p}" for what in ("made", "closed") for p in pids(cluster)
    )


def test_everywhere_is_once_on_each_worker_and_places_have_numbers_of_their_own(cluster: Any, crew: Crew) -> None:
    found = crew.everywhere(Task(tasks.where, tasks.nothing), None)
    assert set(found) == set(cluster.scheduler.workers)
    assert {process for _, process in found.values()} == set(pids(cluster))
    assert len({number for number, _ in found.values()}) == 2


@pytest.mark.parametrize(
    ("what", "line"),
    [("file", "rules.so:3: not a rule"), ("full", "No space left on device: /tmp/full"), ("memory", "out of memory")],
)
def test_errors_of_the_house_come_back_as_themselves_with_the_worker(what: str, line: str, crew: Crew) -> None:
    with pytest.raises(GotoolsError) as caught:
        list(crew.each(Task(tasks.wrong, tasks.nothing), [what]))
    assert str(caught.value).startswith("worker tcp://127.0.0.1:") and str(caught.value).endswith(line)
    if what == "file":
        assert isinstance(caught.value, FileFormatError) and caught.value.line == 3


def test_a_bug_shows_the_lines_of_the_worker(crew: Crew) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)on worker tcp.*ZeroDivisionError: nobody has thought of this"):
        list(crew.each(Task(tasks.wrong, tasks.nothing), ["bug"]))


@pytest.mark.slow  # four workers are started again
def test_work_that_kills_its_workers_ends_with_one_line() -> None:
    kills: Task[str, None] = Task(tasks.wrong, tasks.nothing)
    with local_cluster() as own, connected(own.scheduler_address, silent) as crew:
        with pytest.raises(GotoolsError, match=r"4 workers were lost one after the other.*The last was tcp://[^\n]*$"):
            list(crew.each(kills, ["kill"]))
        assert list(crew.each(SQUARES, range(3))) == [0, 1, 4]


@pytest.mark.parametrize(
    ("name", "other", "line"),
    [
        ("__version__", "9.9", r"gotools [0-9.]+, here is 9\.9"),
        ("_SOURCES", (".pl",), r"gotools [0-9.]+ with other sources \([0-9a-f]{12}\), here are [0-9a-f]{12}"),
        ("sys", SimpleNamespace(version_info=(3, 9, 1)), r"Python [0-9.]+, here is 3\.9"),
    ],
)
def test_workers_of_another_version_are_refused(
    name: str, other: Any, line: str, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_workers(cluster)
    on_worker.about.cache_clear()
    monkeypatch.setattr(on_worker, name, other)
    refused = pytest.raises(GotoolsError, match=rf"^worker tcp://127\.0\.0\.1:\d+ has {line}$")
    with refused, connected(cluster.scheduler_address, silent):
        pass
    on_worker.about.cache_clear()


def test_a_worker_of_another_version_that_comes_later_is_refused(crew: Crew) -> None:
    crew._ours = ("9.9", *crew._ours[1:])
    with pytest.raises(GotoolsError, match=r"^worker tcp://127\.0\.0\.1:\d+ has gotools .*, here is 9\.9$"):
        list(crew.each(SQUARES, range(3)))


def test_what_cannot_be_pickled_does_not_travel(crew: Crew) -> None:
    nameless: Task[int, int] = Task(lambda made, piece: piece, tasks.nothing)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        list(crew.each(nameless, [1]))


def test_a_scheduler_that_does_not_answer_or_has_no_workers_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "ANSWER", 0.5)
    silence = pytest.raises(GotoolsError, match=r"^the scheduler tcp://127\.0\.0\.1:9 does not answer within [^\n]*$")
    with silence, connected("127.0.0.1:9", silent):
        pass
    nobody = pytest.raises(GotoolsError, match=r"has no workers; start some: dask worker tcp://")
    with local_cluster(0) as empty, nobody, connected(empty.scheduler_address, silent):
        pass


def test_a_scheduler_or_all_workers_lost_in_the_middle_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "PATIENCE", 1.0)
    endless: Any = Task(tasks.slept, tasks.nothing)
    with local_cluster(1) as made, connected(made.scheduler_address, silent) as crew:
        results = crew.each(endless, ((number, 0.05) for number in range(100_000)))
        next(results)
        made.scale(0)
        with pytest.raises(GotoolsError, match="there has been no worker for 1 s"):
            list(results)
    with local_cluster(1) as made, connected(made.scheduler_address, silent) as crew:
        results = crew.each(endless, ((number, 0.05) for number in range(100_000)))
        next(results)
        made.close()
        with pytest.raises(GotoolsError, match=r"(the scheduler is gone|there has been no worker)"):
            list(results)


def test_batches_grow_to_more_than_a_second_and_shrink_again() -> None:
    run = _Run(b"", "", "")
    for _ in range(8):
        run.learn(run.pieces, 0.01 * run.pieces, 100)
    assert run.pieces == round(SECONDS / 0.01) and SECONDS > 1
    run.learn(run.pieces, 1.0 * run.pieces, 100)
    assert run.pieces == round(SECONDS)
    run.learn(1, 0.0, 1 << 30)
    assert run.pieces == 1
