"""What people see who wait: phases by name, drawn even where nothing advances, with the time left or spent."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.examples import load_decisions
from support.induce_runs import GAMES, TEST_GAME
from support.pages import run

from gotools.base.phases import Watch
from gotools.commands import progress as module
from gotools.commands.progress import Progress
from gotools.game.examples.packed import pack
from gotools.game.records.selection import Selection
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.jit import compiling
from gotools.rules.boost_study import run_boost_study
from gotools.rules.boosting import boost
from gotools.rules.boosting.boost import BoostSettings
from gotools.rules.study import measure_study
from gotools.values.training.recipe import find_recipe, settings_of
from gotools.values.training.training import Training

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def take_for_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Take stderr for a terminal; returns what was drawn so far, without colours."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return lambda: ESCAPES.sub("", terminal.getvalue())


def test_a_phase_without_a_step_shows_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = take_for_terminal(monkeypatch)
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with Progress("reading files") as progress:
        progress.phase("fitting weights")
        until = time.monotonic() + 20
        while "fitting weights" not in screen() and time.monotonic() < until:
            time.sleep(0.05)
    assert "fitting weights" in screen() and "so far" in screen()


def test_nothing_is_drawn_for_those_who_want_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = take_for_terminal(monkeypatch)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with Progress("reading files", quiet=True) as progress:
        progress.phase("fitting weights")
        progress.advance()
        time.sleep(0.1)
    assert screen() == ""


def test_the_time_left_is_that_of_the_steps_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    progress = Progress("learning", quiet=True)
    progress.phase("learning again", 1000, done=400)
    assert progress.time_and_count() == ("400/1,000", "0:00 so far")
    now = 30.0
    progress.advance(100)
    assert progress.time_and_count() == ("500/1,000", "2:30 left")
    progress.phase("testing")
    now = 40.0
    assert progress.time_and_count() == ("", "0:10 so far")
    progress.phase("learning again")  # taken up where it was; the test was part of the way
    assert progress.time_and_count() == ("500/1,000", "3:20 left")
    now = 7200.0
    progress.advance(500)
    assert progress.time_and_count() == ("1,000/1,000", "1:59:20 so far")


class Recorder(Watch):
    """Writes down the phases, and counts the steps of each."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.totals: dict[str, int | None] = {}
        self.steps: dict[str, int] = {}

    def phase(self, name: str, total: int | None = None) -> None:
        self.names.append(name)
        self.totals[name] = total
        self.steps.setdefault(name, 0)

    def advance(self, steps: int = 1) -> None:
        self.steps[self.names[-1]] += steps

    def note(self, what: str) -> None:
        pass


def test_a_study_names_its_phases_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boost, "LEAST_PLAYS", 5)
    paths = GAMES[:4], [TEST_GAME]
    train, test = (load_decisions([str(path) for path in p], Selection(), print, lambda: None) for p in paths)
    watch = Recorder()
    settings = BoostSettings(predicates=VOCABULARIES["full"], rules=5, least=5, seeds=4, beam=4)
    study = run_boost_study(pack([train]), settings, lambda found: None, watch=watch)
    measure_study(study, train, test, watch=watch)
    before, after = ["gathering facts", "rounds", "harvesting shapes"], ["drawing moves", "fitting weights", "testing"]
    assert list(dict.fromkeys(watch.names)) == [*before, "weighing shapes", *after]
    assert watch.totals["rounds"] == 5
    assert watch.totals["drawing moves"] == watch.steps["drawing moves"] == len(train)
    assert watch.totals["weighing shapes"] == watch.steps["weighing shapes"] > len(train) / 2  # no held-out games
    assert watch.totals["testing"] == watch.steps["testing"] > 30  # moves


def test_a_training_says_when_it_tests_and_its_rate_counts_that_time(tmp_path: Path) -> None:
    given = {"game": "tictactoe", "seed": 1, "games": 200, "checkpoint": 100, "referee_games": 400}
    settings = settings_of(given)
    training = Training(find_recipe(settings), settings, str(tmp_path / "eval.npz"))
    watch, rates = Recorder(), list[float]()
    training.begin(False)
    began = compiling.working_time()
    training.train(lambda news: rates.append(news.rate), watch)
    spent = compiling.working_time() - began
    assert {"learning", "testing against random"} <= set(watch.names)
    assert rates[-1] * spent == pytest.approx(training.games, rel=0.2)


@pytest.mark.system
def test_a_bar_is_no_part_of_what_a_pipe_gets(tmp_path: Path) -> None:
    done = run("gotools", "cluster-moves", *map(str, GAMES[:8]), "--k", "4", "--show", "0", folder=tmp_path)
    assert done.returncode == 0 and "random starts" not in done.stderr
