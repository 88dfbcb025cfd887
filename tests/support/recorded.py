"""Recorded dialogues: what was sent to `gotools gtp` and `gotools usi`, and what came back.

python tests/support/recorded.py FILE...    writes the answers anew

`$ gotools gtp --game go` begins a session, `> ` stands before a line that was sent, and all else came back, byte for
byte except versions, times and speeds. A line is sent when the one before has been answered. An analysis is ended at
its first report, whose content depends on the machine and is left out; with an interval of LATE the only report is that
of the whole search, and is kept.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from gotools import __version__, cli

LATE = "1000000"
"""Centiseconds between reports, more than any search here takes: only its end is reported."""
LONG = 60.0
"""Seconds within which everything is answered, on a busy machine too."""


def replayed(text: str) -> str:
    """Return a recording with the answers that are given now. Raises TimeoutError where one does not come."""
    sessions = re.split(r"^(?=\$ gotools )", text, flags=re.MULTILINE)
    return sessions[0] + "".join("".join(session(part)) for part in sessions[1:])


def session(text: str) -> Iterator[str]:
    """Yield the parts of one session: its first line, and each line sent with its answer."""
    first, *lines = text.splitlines()
    yield f"{first}\n"
    words = shlex.split(first)[2:]
    yield from conversation(words, [line[2:] for line in lines if line.startswith("> ") or line == ">"])


def conversation(words: list[str], sent: list[str]) -> list[str]:
    """Run a command in this thread, and talk with it from another one."""
    their_input, our_output = os.pipe()
    our_input, their_output = os.pipe()
    parts, errors = list[str](), list[Exception]()

    def talk() -> None:
        try:
            parts.extend(heard(words[0], sent, our_input, our_output))
        except Exception as error:
            errors.append(error)
        os.close(our_output)

    kept, talking = (sys.stdin, sys.stdout), threading.Thread(target=talk)
    with open(their_input) as sys.stdin, open(their_output, "w") as sys.stdout:
        talking.start()
        try:
            cli.run([words[0], "-q", *words[1:]])
            sys.stdout.close()  # a line that waits for an answer in vain fails now
            talking.join()
            for thread in threading.enumerate():
                if thread.name == "gtp input":  # it still reads the pipe, whose other end is closed
                    thread.join()
        finally:
            sys.stdin, sys.stdout = kept
    os.close(our_input)
    if errors:
        raise errors[0]
    return parts


def heard(protocol: str, sent: list[str], source: int, target: int) -> Iterator[str]:
    """Send lines, and yield each with its answer."""
    for line in sent:
        os.write(target, f"{line}\n".encode())
        answer, reports = "", protocol == "gtp" and re.search(r"(?<!genmove_)analyze ?", line)
        while not (is_answered_gtp if protocol == "gtp" else is_answered_usi)(line, answer):
            if not select.select([source], [], [], LONG)[0] or not (part := os.read(source, 1 << 16)):
                raise TimeoutError(f"no answer to {line!r}, only {answer!r}")
            answer += part.decode()
            if reports and re.search("^info .*\n", answer, re.MULTILINE):
                reports = None
                os.write(target, b"\n")
        if LATE not in line:
            answer = re.sub("(^info move .*\n)+", "info ...\n", answer, flags=re.MULTILINE)
        yield f"> {line}".rstrip(" ") + "\n" + timeless(answer)


def is_answered_gtp(line: str, answer: str) -> bool:
    """Return whether an answer is whole: an empty line ends it; comments have none."""
    return answer.endswith("\n\n") or not line.partition("#")[0].strip()


def is_answered_usi(line: str, answer: str) -> bool:
    """Return whether all has come that a line is answered by at once; what else it causes comes with later answers."""
    name, *words = line.split() or [""]
    if name in ("usi", "isready"):
        return re.search(r"^(usi|ready)ok\n\Z", answer, re.MULTILINE) is not None
    thinks = name in ("stop", "ponderhit") or (name == "go" and not {"infinite", "ponder"} & {*words})
    return not thinks or re.search(r"^(bestmove|checkmate) .*\n\Z", answer, re.MULTILINE) is not None


def timeless(answer: str) -> str:
    """Return an answer without what differs from version to version and from run to run."""
    answer = answer.replace(__version__, "VERSION")
    answer = re.sub(r"\bin \d+\.\d+ s\b", "in TIME s", answer)
    return re.sub(r"\btime \d+ (nodes \d+)( nps \d+)?", r"time TIME \1", answer)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        text = replayed(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
