"""A program that speaks USI: started, asked for moves, ended. What it writes is bounded, and taken for text alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Final

from gotools.base.errors import EngineError, nearest, quoted, shown
from gotools.gtp_client.process import EngineProcess, split_command

START_TIMEOUT: Final = 100.0
"""Seconds until `usiok`, and until `readyok`: evaluation files may be large."""
STOP_GRACE: Final = 5.0
"""Seconds between `stop` and `bestmove`."""
QUIT_GRACE: Final = 2.0
"""Seconds between `quit` and the end."""
LONGEST_LINE: Final = 1 << 16
"""Bytes."""
LOOK: Final = 0.05
"""Seconds after which a silent engine is looked at."""


class UsiEngine:
    """Run one engine; use it in a `with` block, whose end also ends the engine.

    words   -- program and arguments; no shell is involved
    options -- set after the start

    Raises MissingTool, EngineError; so do all methods where the engine ends, is late or writes too long a line.

    Public attribute: name -- as the engine gives it
    """

    def __init__(self, words: Sequence[str], options: Mapping[str, str]) -> None:
        self._words, self.name = split_command(list(words))
        self._options = dict(options)
        self._buffer = bytearray()
        self._last = ""
        self._process = EngineProcess(self._words, self.name)

    def __enter__(self) -> UsiEngine:
        try:
            self._greet()
        except BaseException:
            self._process.finish()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send(b"quit\n")
        self._process.wait(QUIT_GRACE)
        self._process.finish()

    def _greet(self) -> None:
        self.send("usi")
        known = []
        for line in self._until("usiok", START_TIMEOUT):
            if line.startswith("id name "):
                self.name = shown(line.removeprefix("id name ").strip(), 60)
            elif line.startswith("option name "):
                known.append(line.removeprefix("option name ").partition(" type ")[0].strip())
        by_name = {name.lower(): name for name in known}
        for name, value in self._options.items():
            if name.lower() not in by_name:
                raise EngineError(self.name, f"has no option {quoted(name)}{nearest(name, known)}")
            self.send(f"setoption name {by_name[name.lower()]} value {value}")
        self.new_game()

    def new_game(self) -> None:
        """Begin a new game."""
        self.send("isready")
        for _ in self._until("readyok", START_TIMEOUT):
            pass
        self.send("usinewgame")

    def best_move(
        self, position: str, go: str, wants_stop: Callable[[], bool], hear: Callable[[str], None] = lambda _: None
    ) -> str:
        """Return what follows `bestmove`: the answer to these two commands.

        wants_stop -- is asked now and then whether the engine is to answer now
        hear       -- is called with each line that says something of the search, and with "" now and then
        """
        self.send(f"position {position}")
        self.send(f"go {go}")
        stopped_at: float | None = None
        while True:
            line = self._line(LOOK) or ""
            if line.split()[:1] == ["bestmove"]:
                return " ".join(line.split()[1:2])
            hear(line if line.startswith("info ") else "")
            if stopped_at is None and wants_stop():
                stopped_at = time.monotonic()
                self.send("stop")
            if stopped_at is not None and time.monotonic() - stopped_at > STOP_GRACE:
                raise self._failure(f"did not answer `stop` within {STOP_GRACE:g} s")

    def send(self, line: str) -> None:
        """Send a line."""
        self._last = line
        self._process.send(f"{line}\n".encode())

    def _until(self, word: str, seconds: float) -> Iterator[str]:
        """Yield the lines before the one that is a word."""
        deadline = time.monotonic() + seconds
        while (line := self._line(LOOK)) != word:
            if line is not None:
                yield line
            if time.monotonic() > deadline:
                raise self._failure(f"did not answer `{self._last}` with `{word}` within {seconds:g} s")

    def _line(self, seconds: float) -> str | None:
        """Return the next line; None if none comes within the seconds."""
        if b"\n" not in self._buffer:
            gone = self._process.exited()
            data, _, _ = self._process.read(seconds)
            self._buffer += data
            if not data and (gone or self._process.ended):
                raise self._failure(f"ended at `{shown(self._last)}`")
        end = self._buffer.find(b"\n")
        if max(end, len(self._buffer) if end < 0 else 0) > LONGEST_LINE:
            raise self._failure(f"wrote a line of more than {LONGEST_LINE} bytes at `{shown(self._last)}`")
        if end < 0:
            return None
        line = bytes(self._buffer[:end]).decode("utf-8", "replace").strip()
        del self._buffer[: end + 1]
        return line

    def _failure(self, what: str) -> EngineError:
        """End the engine, and return its failure."""
        self._process.wait(0.5)
        code = self._process.finish()
        said = [line for line in self._process.tail.splitlines() if line.strip()]
        how = "" if code is None else f" ({f'signal {-code}' if code < 0 else f'exit code {code}'})"
        return EngineError(self.name, what + how + (f"; it last said: {shown(said[-1], 200)}" if said else ""))
