"""The warm process behind forked.py: it has loaded gotools with its kernels, and forks a process for each request.

A process gets the request's streams, environment, folder and arguments, and the handlers of signals that Python
begins with; then the program runs in it as Python runs it. A command's kernels are loaded when it is asked for the
second time, by the jobs of `gotools warm-up`. There is one thread only, so a fork leaves nothing half-done.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import os
import pickle
import pkgutil
import runpy
import select
import signal
import socket
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any


def serve(lifeline: socket.socket, door: socket.socket) -> dict[str, Any] | None:
    """Fork for all who come, until the lifeline's other end is closed.

    Returns the request in each forked process, None in this one.
    """
    running: dict[int, socket.socket] = {}
    uses: Counter[str] = Counter()
    ended, wake = os.pipe()
    for end in (ended, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready = select.select([lifeline.fileno(), door.fileno(), ended], [], [])[0]
        if ended in ready:
            os.read(ended, 4096)
            report(running)
        if lifeline.fileno() in ready:
            return None
        if door.fileno() not in ready:
            continue
        news, _ = door.accept()
        head, files, *_ = socket.recv_fds(news, 8, 3)
        request: dict[str, Any] = pickle.loads(exactly(news, int.from_bytes(head, "little")))
        prepare(request, uses)
        pid = os.fork()
        if pid == 0:
            become(request, files)
            return request
        running[pid] = news
        for file in files:
            os.close(file)
        with contextlib.suppress(OSError):  # who asked has ended meanwhile
            news.sendall(pid.to_bytes(8, "little"))


def exactly(news: socket.socket, length: int) -> bytes:
    return news.recv(length, socket.MSG_WAITALL)


def report(running: dict[int, socket.socket]) -> None:
    """Send how processes ended to those who started them."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with running.pop(pid) as news, contextlib.suppress(OSError):
            news.sendall(status.to_bytes(8, "little"))


# the forked process ---------------------------------------------------------------------------------------------------


def become(request: dict[str, Any], files: list[int]) -> None:
    """Turn a fork into the process that a request asks for."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    if request["new_session"]:
        os.setsid()
    if request["group"] >= 0:
        os.setpgid(0, request["group"])
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    open_streams()


ERRORS = [getattr(sys, name).errors for name in ("__stdin__", "__stdout__", "__stderr__")]
"""What Python gave the streams: commands that ran in this process since may have changed it."""


def open_streams() -> None:
    """Open sys.stdin, stdout and stderr on the files 0, 1 and 2 as Python does when it starts."""
    for file, name in enumerate(("stdin", "stdout", "stderr")):
        old: Any = getattr(sys, f"__{name}__")
        through = bool(os.environ.get("PYTHONUNBUFFERED"))
        buffer: Any = open(file, "wb" if file else "rb", 0 if through and file else -1, closefd=False)  # noqa: SIM115
        getattr(buffer, "raw", buffer).name = f"<{name}>"
        lines = file > 0 and not through and (file == 2 or buffer.isatty())
        stream: Any = io.TextIOWrapper(buffer, old.encoding, ERRORS[file], "\n", lines, through)
        stream.mode = "w" if file else "r"
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run_program(program: str, arguments: list[str]) -> None:
    """Run a module or a file as Python does."""
    sys.argv = [program, *arguments]
    if program.startswith("-m "):
        sys.path[0] = os.getcwd()
        runpy.run_module(program[3:], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(program).parent)
        runpy.run_path(program, run_name="__main__")


def leave(code: object) -> None:
    """End the process as Python does, but free nothing, which would take most of its time; returns if that fails."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        if code is None or isinstance(code, int):
            os._exit((code or 0) & 0xFF)


# warmth ---------------------------------------------------------------------------------------------------------------


def prepare(request: dict[str, Any], uses: Counter[str]) -> None:
    """Load the kernels of a command that is asked for the second time."""
    from gotools.commands.warm_up import LANES

    program, arguments = request["program"]
    if arguments[:1] in (["usi"], ["usi-bridge"]):
        arguments = ["gtp", "--game", "shogi", *arguments[1:]]
    for name in {**LANES[0], **LANES[1]}:
        command, *options = name.split()
        if program == "-m gotools" and command in arguments[:1] and set(options) <= set(arguments):
            uses[name] += 1
            if uses[name] == 2:
                load_kernels(name)
    gc.freeze()  # what is here is not collected in each fork again


def load_kernels(name: str) -> None:
    """Run a job of `gotools warm-up` in this process, and leave the process as it was."""
    from gotools import cli
    from gotools.commands.warm_up import LANES, write_files
    from gotools.jit import compiling

    kept = [os.dup(file) for file in range(3)]
    where, environment = os.getcwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "r+b") as nothing:
        write_files(Path(folder))
        os.chdir(folder)
        for line in {**LANES[0], **LANES[1]}[name]:
            for number, file in enumerate((os.open("stdin", os.O_RDONLY), nothing.fileno(), nothing.fileno())):
                os.dup2(file, number)
            open_streams()
            cli.run(line.split())
            sys.stdout.flush()
        os.chdir(where)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate(kept):
        os.dup2(file, number)
        os.close(file)
    compiling.quiet = compiling.notified = False
    tempfile.tempdir = None
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(10)  # that reads the commands of gtp: it is at their end
    assert threading.active_count() == 1, threading.enumerate()


def load() -> None:
    """Import all modules, numpy with the routines that every command chooses, and read all options once."""
    import gotools
    from gotools import cli
    from gotools.base.blas import use_common_blas

    use_common_blas()
    for module in pkgutil.walk_packages(gotools.__path__, "gotools."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    with contextlib.redirect_stderr(io.StringIO()):
        cli.run(["elo", os.devnull])


if __name__ == "__main__":
    import forked  # type: ignore[import-not-found]  # in the folder of this program; others import this module

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the worker ends us
    load()
    given, place = [socket.socket(fileno=int(number)) for number in sys.argv[1:3]], sys.argv[3]
    forked._server = forked.Place(place)
    mine = serve(*given)
    if mine is not None:
        try:
            with forked.engines():
                run_program(*mine["program"])
        except SystemExit as end:
            leave(end.code)
            raise
