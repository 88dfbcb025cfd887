"""A progress bar that shows itself only to people who wait: on a terminal, and after two seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE = 2.0  # seconds


class Progress:
    """Count steps towards `total` (None: unknown; may be set later) under a short description, in a `with` block.

    With `quiet`, or when stderr is no terminal, nothing is ever drawn. `say` prints a line to stderr in any case.
    """

    def __init__(self, what: str, quiet: bool = False, total: int | None = None) -> None:
        self._what = what
        self.total = total
        self._done = 0
        self._news = ""
        self._wanted = not quiet and sys.stderr.isatty()
        self._started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, steps: int = 1) -> None:
        """Add steps; the bar appears when two seconds have gone by."""
        self._done += steps
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() - self._started < PATIENCE:
                return
            self._start()
        self._bar.update(self._task, completed=self._done)

    def tell(self, what: str) -> None:
        """Show a word on how it goes, behind the bar."""
        self._news = what
        if self._bar is not None:
            self._bar.update(self._task, news=what)

    def say(self, line: str) -> None:
        """Print a line to stderr, above the bar where there is one."""
        if self._bar is None:
            print(line, file=sys.stderr)
        else:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
        from rich.table import Column

        columns = TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
        rest = Column(no_wrap=True, overflow="ellipsis", ratio=1)  # news take what the others leave, and are cut there
        news = TextColumn("{task.fields[news]}", markup=False, table_column=rest)
        self._bar = Bar(*columns, news, console=Console(stderr=True), transient=True, expand=True)
        self._task = self._bar.add_task(self._what, total=self.total, news=self._news)
        self._bar.start()
