"""Report that an engine keeps us waiting, with a hint about its command."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from pathlib import PurePath
from typing import Final

SAID_AFTER: Final = (3, 10, 30)
"""Seconds until the first report; the next ones come each minute."""
_MINUTE: Final = 60
_OPTIONS: Final = {"gnugo": "--mode gtp", "katago": "gtp", "leelaz": "--gtp"}
"""Options that make programs speak GTP, by program."""


@contextmanager
def waiting_reported(name: str, words: Sequence[str], say: Callable[[str], None]) -> Iterator[None]:
    """Report, from another thread, how long the block has waited for an engine, with a hint about its command.

    name -- the user's name for the engine; words -- its command
    """
    over = threading.Event()
    reporter = threading.Thread(target=_report, args=(name, words, say, over), daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def _report(name: str, words: Sequence[str], say: Callable[[str], None], over: threading.Event) -> None:
    began, hint = time.monotonic(), hint_of(words)
    for seconds in chain(SAID_AFTER, count(_MINUTE, _MINUTE)):
        if over.wait(max(0.0, began + seconds - time.monotonic())):
            return
        say(f"waiting for engine {name} ({seconds} s){f'; {hint}' if hint else ''}")


def hint_of(words: Sequence[str]) -> str:
    """Return a hint at what a command without answers may lack; "" if it names GTP already."""
    if any("gtp" in word.lower() for word in words):
        return ""
    program = PurePath(words[0]).stem.lower()
    option = next((option for known, option in _OPTIONS.items() if program.startswith(known)), "")
    return f"does its command need `{option}`?" if option else "does its command need an option such as `--mode gtp`?"
