"""A search in a thread of its own, which the thread that obeys commands may stop, or hold back from answering."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from gotools.game.choice import Choice, Report

Found = TypeVar("Found")


class SearchThread(Generic[Found]):
    """Search, and answer once.

    think  -- searches; calls the report now and then
    hurry  -- makes `think` return soon; may be called at any time
    report -- is called with what the search says, until it is stopped
    answer -- is called with what `think` returned
    waits  -- the answer waits for `stop` or `hit`: of `go infinite` and `go ponder`
    """

    def __init__(
        self,
        think: Callable[[Report], Found],
        hurry: Callable[[], None],
        report: Report,
        answer: Callable[[Found], None],
        waits: bool,
    ) -> None:
        self.waits = waits
        self._think, self._hurry, self._report, self._answer = think, hurry, report, answer
        self._stopped, self._free = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._searches = True
        self._timer: threading.Timer | None = None
        if not waits:
            self._free.set()
        self._thread = threading.Thread(target=self._run, daemon=True, name="usi search")

    def begin(self) -> None:
        """Begin to search."""
        self._thread.start()

    def stop(self) -> None:
        """Answer now."""
        self._end_search()
        self.waits = False
        self._free.set()

    def hit(self, seconds: float | None) -> None:
        """Go on for some seconds, then answer; None: until the search ends by itself."""
        with self._lock:
            if seconds is not None and self._searches:
                self._timer = threading.Timer(seconds, self._end_search)
                self._timer.daemon = True
                self._timer.start()
        self.waits = False
        self._free.set()

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the answer, at most so long; return whether it was given."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _end_search(self) -> None:
        with self._lock:
            self._stopped.set()
            if self._searches:
                self._hurry()

    def _run(self) -> None:
        found = self._think(self._checked)
        with self._lock:
            self._searches = False
            if self._timer is not None:
                self._timer.cancel()
        self._free.wait()
        self._answer(found)

    def _checked(self, choice: Choice) -> None:
        if self._stopped.is_set():  # before the search began, so that it does not know
            self._hurry()
        else:
            self._report(choice)
