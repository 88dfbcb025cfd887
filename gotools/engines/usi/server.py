"""USI, the Universal Shogi Interface: lines in, lines out; what is unknown is passed over, and `quit` alone ends it.

A thread reads stdin, the main thread obeys, and a search has a thread of its own: so `stop` is obeyed at once.
Source: T. Romstad, The USI protocol (2007); Shogidokoro's page on it for byoyomi, `win` and `gameover`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Final

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.server import LONGEST_LINE, StreamLines, complain, stdin_descriptor, write_all
from gotools.engines.usi.session import COMMANDS, UsiSession

_BLANKS: Final = dict.fromkeys((*range(32), 127), 32)


def obey(session: UsiSession, raw: bytes) -> None:
    """Do what a line says. Errors become `info string`; BrokenPipeError passes through."""
    name, *words = raw[:LONGEST_LINE].decode("utf-8", "replace").translate(_BLANKS).split() or [""]
    command = COMMANDS.get(name)
    if command is None:
        return
    try:
        if len(raw) > LONGEST_LINE:
            words = [] if name != "position" else ["too", "long"]
            session.inform("line too long")
        command(session, words)
    except (GotoolsError, ValueError) as error:
        session.inform(str(error))
    except BrokenPipeError:  # the board has gone
        raise
    except MemoryError:
        session.inform("out of memory")
    except Exception as error:
        complain()
        session.inform(f"internal error: {type(error).__name__}: {error}")


def serve(begin: Callable[[Callable[[str], None]], UsiSession]) -> None:
    """Serve the board at stdin and stdout until `quit` or the end of stdin.

    begin -- makes the session, given what sends a line

    Raises BrokenPipeError where stdout is closed. Ctrl-C passes through.
    """
    if sys.stdout is None:  # closed by the shell: no answer can be read
        return
    sys.stdout.flush()
    out, writing = sys.stdout.fileno(), threading.Lock()

    def send(line: str) -> None:
        with writing:
            write_all(out, f"{line}\n".encode("utf-8", "replace"))

    session = begin(send)
    lines = StreamLines(stdin_descriptor(), lambda: None, lambda: None)
    try:
        while not session.over and (line := lines.next()) is not None:
            obey(session, line)
    finally:
        session.finish()
