"""Play games by commands that obey GTP or USI, and say which kernels each compiled, and which it loaded in the game.

python -m support.whole_game FILE COMMAND [FILE COMMAND]...: a process for each command gets the lines of FILE, all
but the first when it has answered that one. A line of JSON for each: the answers, what was compiled, what was loaded
after the first answer.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

from support.fork_server import open_streams

import gotools.engines.gtp.commands
import gotools.engines.players  # noqa: F401  imported once for all processes

END = b"\nthat was all\n"


def kernels() -> set[str]:
    """Name the kernels that this process has loaded or compiled, with their types."""
    from numba.core.registry import CPUDispatcher

    loaded = [one for one in gc.get_objects() if isinstance(one, CPUDispatcher)]
    return {f"{one.py_func.__module__}.{one.py_func.__name__}{types}" for one in loaded for types in one.overloads}


def compilations() -> list[str]:
    """Return the names of what numba compiles from now on."""
    from numba.core import event

    names: list[str] = []

    class Names(event.Listener):
        def on_start(self, event: Any) -> None:
            names.append(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Names())  # type: ignore[no-untyped-call]
    return names


def talk(lines: str, into: int, answers: int, found: dict[str, Any]) -> None:
    """Send the lines, and note what is answered and loaded."""
    first, rest = lines.split("\n", 1)
    os.write(into, f"{first}\n".encode())
    said = os.read(answers, 1 << 16)
    before = kernels()
    threading.Thread(target=os.write, args=(into, rest.encode()), daemon=True).start()
    while not said.endswith(END):
        said += os.read(answers, 1 << 16)
    found["answers"] = said.removesuffix(END).decode()
    found["late"] = sorted(kernels() - before)


def play(lines: str, command: str) -> None:
    """Run a command in this process, and print what it did."""
    from gotools import cli

    found: dict[str, Any] = {"command": command, "compiled": compilations()}
    shown = os.dup(1)
    (theirs, into), (answers, ours) = os.pipe(), os.pipe()
    os.dup2(theirs, 0)
    os.dup2(ours, 1)
    open_streams()
    talker = threading.Thread(target=talk, args=(lines, into, answers, found))
    talker.start()
    found["code"] = cli.run(command.split())
    sys.stdout.flush()
    os.write(1, END)
    talker.join()
    os.write(shown, json.dumps(found).encode() + b"\n")


def main() -> None:
    assert not kernels(), "loaded by an import"
    for file, command in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        if not (child := os.fork()):
            play(Path(file).read_text(), command)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
