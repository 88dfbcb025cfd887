"""Find the answers to GTP commands in an engine's output, among banners, log lines and answers to other commands.

A command is sent with an id; its answer is `=7 D4` or `?7 no`, optional further lines, and an empty line. Engines leave
the id out, write other lines in between, or an empty line inside an answer: `AnswerReader` defines which lines are
accepted, skipped and noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from gotools.base.screen_text import harmless

LONGEST_ANSWER: Final = 1 << 20
"""Bytes of one answer, in however many lines."""
MOST_NOISE: Final = 4 << 20
"""Bytes that may come between two answers."""
CHARACTERS_SHOWN: Final = 80
"""Most characters of a line in a note."""

_CONTROLS: Final = bytes(code for code in [*range(32), 127] if code not in b"\t\n")
_TAB_TO_BLANK: Final = bytes.maketrans(b"\t", b" ")
_SIGNS: Final = (b"=", b"?")
_DIGITS: Final = b"0123456789"
_ID: Final = re.compile(rb"[0-9]+")
_ANSWER: Final = re.compile(rb"[=?](?:[0-9]|\s|$)")
"""The beginning of an answer; a line such as `==> thinking` is not one, if it is of an engine that gives ids."""

OUTSIDE: Final = "lines on stdout outside an answer"
AFTER: Final = "output after the end of an answer"
NO_ID: Final = "answered without the command's id"
STALE: Final = "answered with the id of an earlier command, skipped"
STRANGE_ID: Final = "answered with an id that no command had"
OVERTAKEN: Final = "wrote an answer without the command's id, and then the answer; skipped"
BAD_TEXT: Final = "answers that are not UTF-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """An engine's answer to one command. refused -- whether it began with `?`"""

    refused: bool
    text: str


class Notes:
    """Oddities by kind: how often each was seen, and the first of them."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, example: bytes = b"") -> None:
        """Count an oddity; the first example of its kind is kept."""
        count, first = self._seen.get(kind, (0, ""))
        if not count:  # a line costs little: an engine may write a million
            text = harmless(" ".join(example[: 4 * CHARACTERS_SHOWN].decode("utf-8", "replace").split()))
            first = text if len(text) <= CHARACTERS_SHOWN else text[:CHARACTERS_SHOWN] + " ..."
        self._seen[kind] = (count + 1, first)

    def texts(self) -> list[str]:
        """Return a line for each kind: `lines on stdout outside an answer: 3, the first: hello`."""
        seen = self._seen.items()
        return [f"{kind}: {count}" + (f", the first: {first}" if first else "") for kind, (count, first) in seen]

    def clear(self) -> None:
        """Forget all."""
        self._seen.clear()


class AnswerReader:
    """Cut an engine's output into lines and find the answer to the command sent last.

    An answer with the id of that command is taken. One with the id of an earlier command is skipped. One without an id,
    or with an id that no command had, is accepted from an engine that has not yet given a right id; from one that has,
    it waits as the `candidate`: the answer with the id may still come. If an engine begins with ids that were never
    sent, its ids are ignored. Lines before the answer that begin neither with `=` nor `?` are skipped. All but the
    first case is noted; empty lines between answers are not.

    Public attributes:
      begun    -- whether a part of the answer has come
      candidate -- the last answer without the right id that has come since the command was sent; see `settle`
      stale    -- whether an answer with the id of an earlier command was skipped since then
      flooded  -- "" or the reason to stop reading
      last_noise -- the line skipped last
    """

    def __init__(self, notes: Notes) -> None:
        self.begun = self.stale = False
        self.candidate: Answer | None = None
        self.flooded = ""
        self.last_noise = b""
        self._notes = notes
        self._buffer = bytearray()  # output that is not yet a complete line, or not yet examined
        self._searched = 0  # bytes of it known to hold no end of a line
        self._expected = 0  # id of the command sent last; 0 while none waits for an answer
        self._lines: list[bytes] | None = None  # of the answer that is being read
        self._wanted = False  # whether that is, or may be, the answer to the command
        self._oddity = ""  # why it only may be
        self._odd: tuple[str, bytes] | None = None  # the note for the candidate
        self._size = 0  # bytes of that answer
        self._noise = 0  # bytes of all else since the last answer
        self._reports = False
        self._any_sent = False  # no command was sent so far: lines are a banner
        self._gives_ids = False
        self._ids_mean_nothing = False

    def expect(self, number: int, reports: bool = False) -> None:
        """Note that the command with this id was sent; `reports`: of the lines after the first, keep the last only."""
        self._expected, self._any_sent, self._reports = number, True, reports
        self.begun = self.stale = self._wanted = False
        self.candidate = self._odd = None

    @property
    def last_line(self) -> str:
        """Return the last whole line of the answer that is being read, "" before there is one besides its first."""
        if self._lines is None or not self._wanted or len(self._lines) < 2:
            return ""
        return self._lines[-1].decode("utf-8", "replace")

    def settle(self) -> Answer | None:
        """Accept the candidate as the answer, as no other has come; None without a candidate."""
        answer = self.candidate
        if answer is not None and self._odd is not None:
            self._notes.add(*self._odd)
            self._close()
        return answer

    def _close(self) -> None:
        """Stop waiting for an answer."""
        self._expected = self._noise = 0
        self.begun = self._wanted = False
        self.candidate = self._odd = None

    def feed(self, data: bytes) -> Answer | None:
        """Add output; return the answer as soon as it is complete. Later output is kept."""
        self._buffer += data
        start = 0
        answer = None
        while answer is None and (end := self._buffer.find(b"\n", max(start, self._searched))) >= 0:
            line = bytes(self._buffer[start:end]).translate(_TAB_TO_BLANK, _CONTROLS)
            answer = self._take(line, end + 1 - start)
            start = end + 1
        del self._buffer[:start]
        self._searched = len(self._buffer) if answer is None else 0
        if answer is None:
            self._judge_size()
        return answer

    def _take(self, line: bytes, size: int) -> Answer | None:
        """Handle a whole line of `size` bytes."""
        if self._lines is None:
            self._take_outside(line, size)
            return None
        self._count(size)
        if line:
            if self._reports and self._wanted and len(self._lines) > 1:
                self._size -= len(self._lines.pop()) + 1
            self._lines.append(line)
            return None
        lines, self._lines = self._lines, None
        return self._finished(lines) if self._wanted else None

    def _take_outside(self, line: bytes, size: int) -> None:
        if not line:
            self._noise += size
        elif line.startswith(_SIGNS) and (_ANSWER.match(line) or not self._gives_ids):
            self._lines = [line]
            self._size = 0
            self._wanted = self.begun = self._is_wanted(line)
            self._count(size)
        else:
            self._noise += size
            self.last_noise = line
            self._notes.add(OUTSIDE if self._expected or not self._any_sent else AFTER, line)

    def _count(self, size: int) -> None:
        if self._wanted:
            self._size += size
        else:
            self._noise += size

    def _is_wanted(self, line: bytes) -> bool:
        """Return whether the answer that this line begins is, or may be, the answer to the command sent last."""
        self._oddity = ""
        if not self._expected:
            self._notes.add(AFTER, line)
            return False
        digits = _ID.match(line, 1)
        if not digits:
            return self._may_be(NO_ID, line)
        number = int(digits[0][:10])  # a longer one was never sent
        if number == self._expected:
            self._gives_ids = True
            return True
        if 0 < number < self._expected and not self._ids_mean_nothing:
            self._notes.add(STALE, line)
            self.stale = True
            return False
        self._ids_mean_nothing |= not self._gives_ids
        return self._may_be(STRANGE_ID, line)

    def _may_be(self, oddity: str, line: bytes) -> bool:
        """Accept an answer without the right id, at once or as a candidate."""
        if self._gives_ids and not self._ids_mean_nothing:
            self._oddity = oddity
        else:
            self._notes.add(oddity, line)
        return True

    def _finished(self, lines: list[bytes]) -> Answer | None:
        first, refused = lines[0], lines[0].startswith(b"?")
        lines[0] = first[1:].lstrip(_DIGITS).lstrip(b" ")
        raw = b"\n".join(lines)
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "replace")
            self._notes.add(BAD_TEXT, raw)
        answer = Answer(refused, text.strip("\n").rstrip())
        if self._odd is not None:
            self._notes.add(OVERTAKEN, self._odd[1])
        if self._oddity:
            self.candidate, self._odd = answer, (self._oddity, first)
            self.begun = self._wanted = False
            self._noise += self._size
            return None
        self._close()
        return answer

    def _judge_size(self) -> None:
        """Check that the output is within bounds, including an unfinished line."""
        waiting = len(self._buffer)
        outside = self._lines is None
        in_answer = self._buffer.startswith(_SIGNS) if outside else self._wanted
        if outside and in_answer and not self.begun:
            self.begun = self._expected > 0
        if in_answer and (0 if outside else self._size) + waiting > LONGEST_ANSWER:
            self.flooded = f"an answer longer than {LONGEST_ANSWER >> 20} MiB"
        elif self._noise + (0 if in_answer else waiting) > MOST_NOISE:
            self.flooded = f"more than {MOST_NOISE >> 20} MiB on stdout outside an answer"
