"""A progress bar with named phases, shown only on a terminal and only after two seconds."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from gotools.base.phases import Watch

PATIENCE = 2.0  # seconds


@dataclass(slots=True)
class _Phase:
    """Work of one kind: `done` of `total` steps (None: unknown), `before` of them when it began."""

    name: str
    total: int | None
    before: int = 0
    done: int = 0
    began: float = field(default_factory=lambda: time.monotonic())
    again: float = field(default_factory=lambda: time.monotonic())  # when it was last resumed

    def count(self) -> str:
        if self.total is not None:
            return f"{self.done:,}/{self.total:,}"
        return f"{self.done:,}" if self.done else ""

    def clock(self) -> str:
        """Return the time left in words, if it can be estimated, else the time spent.

        The estimate includes other phases in between, which will recur as this one does.
        """
        now, new = time.monotonic(), self.done - self.before
        if self.total is None or not new or self.done >= self.total:
            return f"{_minutes(now - self.again)} so far"
        return f"{_minutes((now - self.began) / new * (self.total - self.done))} left"


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress(Watch):
    """Show the phase at hand, its steps and its time, in a `with` block that begins with the phase `what`.

    With `quiet`, or when stderr is no terminal, nothing is ever drawn. `say` prints a line to stderr in any case.

    heading -- a line printed before the first line of `say`
    """

    def __init__(self, what: str, quiet: bool = False, heading: str = "") -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._now = _Phase(what, None)
        self._phases = {what: self._now}
        self._news = ""
        self._heading = heading
        self._lock = threading.Lock()
        self._ended = False
        self._timer = threading.Timer(PATIENCE, self._start)  # for phases without steps
        self._timer.daemon = True
        self._due = time.monotonic() + PATIENCE
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        if self._wanted:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._ended = True
        if self._bar is not None:
            self._bar.stop()

    def phase(self, name: str, total: int | None = None, done: int = 0) -> None:
        """Begin a phase of `total` steps (None: unknown), `done` of them done, or resume the phase of that name."""
        if name not in self._phases:
            self._phases[name] = _Phase(name, total, done, done)
        self._now, self._news = self._phases[name], ""
        self._now.again = time.monotonic()
        self._draw()

    def advance(self, steps: int = 1) -> None:
        """Add steps to the phase at hand."""
        self._now.done += steps
        self._draw()

    def note(self, what: str) -> None:
        """Show the state of the work, behind the bar."""
        self._news = what
        self._draw()

    def say(self, line: str) -> None:
        """Print a line to stderr, above the bar where there is one."""
        if self._heading:
            line, self._heading = f"{self._heading}\n{line}", ""
        if self._bar is None:
            print(line, file=sys.stderr)
        else:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _draw(self) -> None:
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() >= self._due:
                self._start()
            return
        now = self._now
        self._bar.update(self._task, description=now.name, total=now.total, completed=now.done, news=self._news)

    def _start(self) -> None:
        """Begin to draw; called by the timer, or by a step, whichever comes first."""
        with self._lock:
            if self._bar is not None or self._ended:
                return
            bar = _bar(self)
            self._task = bar.add_task(self._now.name, total=self._now.total, completed=self._now.done, news=self._news)
            self._bar = bar  # before it starts: Ctrl-C may end the start, and what was drawn is still cleared
            bar.start()

    def time_and_count(self) -> tuple[str, str]:
        """Return the words between the bar and the news."""
        return self._now.count(), self._now.clock()


def _bar(progress: Progress) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Bar
    from rich.table import Column
    from rich.text import Text

    class Words(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("  ".join(filter(None, progress.time_and_count())))

    rest = Column(no_wrap=True, overflow="ellipsis", ratio=1)  # news take what the others leave, and are cut there
    news = TextColumn("{task.fields[news]}", markup=False, table_column=rest)
    columns = TextColumn("{task.description}"), BarColumn(20), Words(), news
    return Bar(*columns, console=Console(stderr=True), transient=True, expand=True)
