"""Start Python programs from a warm process: like subprocess, without the seconds that imports and kernels take.

`run` and `Popen` take what those of subprocess take, for commands that begin with `sys.executable, "-m", MODULE` or
`sys.executable, FILE`. The first use starts the server (fork_server.py), one for each pytest worker, which forks a
process for each command: with its own id, streams, environment, folder, signals, exit code. Use subprocess, or
`Fresh`, where the start itself is the subject: imports, an empty cache, limits, and the variables of FIXED.
"""

from __future__ import annotations

import atexit
import inspect
import os
import pickle
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FIXED = ("NUMBA_", "OPENBLAS_", "OMP_", "PYTHON", "LD_", "LC_", "LANG", "HOME", "XDG_CACHE_HOME")
"""Beginnings of variables that Python and libraries read when they start: a command has those of the server."""
_BINDS = inspect.signature(subprocess.Popen._execute_child)  # type: ignore[attr-defined]
_server: _Server | None = None


class Fresh(subprocess.Popen[Any]):
    """A running command, as subprocess.Popen, which a `with` block that fails kills: else it waits for its end."""

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, *error)


class Popen(Fresh):
    """The same from the warm process; not for shells, `pass_fds`, `preexec_fn`."""

    _news: socket.socket  # the server sends the process's id, and how it ended

    def _execute_child(self, *given: Any) -> None:
        named = _BINDS.bind(self, *given).arguments
        assert not (named["shell"] or named["pass_fds"] or named["preexec_fn"]), "use subprocess"
        words = list(map(os.fspath, named["args"]))
        env = os.environ.copy() if named["env"] is None else dict(named["env"])
        streams = [named[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        request = {
            "program": program(words),
            "cwd": os.path.join(os.getcwd(), named["cwd"] or ""),
            "env": env,
            "new_session": named["start_new_session"],
            "group": named["process_group"],
        }
        warm = server(env)
        self._news, theirs = socket.socketpair()
        try:
            with theirs:
                warm.send(request, [fd if fd >= 0 else i for i, fd in enumerate(streams)] + [theirs.fileno()])
            self.pid = self._receive(wait=True) or 0
        except BaseException:
            self._news.close()
            raise
        self._child_created = True
        pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(named[name] for name in pipes))  # type: ignore[attr-defined]

    def _receive(self, wait: bool) -> int | None:
        """Return the next number that the server has sent; None: not there yet."""
        if not wait and not select.select([self._news], [], [], 0)[0]:
            return None
        data = self._news.recv(8, socket.MSG_WAITALL)
        if len(data) < 8:
            raise RuntimeError("the fork server has ended")
        return int.from_bytes(data, "little")

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        status = self._receive(wait=not wait_flags & os.WNOHANG)
        if status is None:
            return 0, 0
        self._news.close()
        return self.pid, status

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None and getattr(self, "_child_created", False):
            pid, status = self._try_wait(os.WNOHANG)
            if pid:
                self._handle_exitstatus(status)  # type: ignore[attr-defined]
        return self.returncode


def run(
    command: Sequence[str | Path],
    *,
    input: str | bytes | None = None,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end, as subprocess.run."""
    if input is not None:
        options["stdin"] = subprocess.PIPE
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Popen(command, **options) as process:
        stdout, stderr = process.communicate(input, timeout)
    done = subprocess.CompletedProcess(command, process.returncode, stdout, stderr)
    if check:
        done.check_returncode()
    return done


def program(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return ("-m MODULE" or a file, its arguments) of a command line."""
    assert words[0] == sys.executable and len(words) > 1, f"not a Python program: {words}"
    if words[1] == "-m":
        return f"-m {words[2]}", list(words[3:])
    assert words[1].endswith(".py"), words
    return words[1], list(words[2:])


def server(env: Mapping[str, str]) -> _Server:
    """Return the server for an environment; starts it if necessary."""
    global _server
    if _server is None:
        _server = _Server()
        atexit.register(_server.end)
    other = fixed(env).items() ^ _server.fixed.items()
    assert not other, f"read when Python starts, use subprocess: {sorted(name for name, _ in other)}"
    return _server


def fixed(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that cannot be changed after the start."""
    free = {("OPENBLAS_NUM_THREADS", "1"), ("PYTHONUNBUFFERED", env.get("PYTHONUNBUFFERED"))}  # true of every process
    return {name: value for name, value in env.items() if name.startswith(FIXED) and (name, value) not in free}


class _Server:
    """The warm process, and our end of its socket; it ends when that is closed."""

    def __init__(self) -> None:
        self.fixed = fixed(os.environ)
        self._requests, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("fork_server.py")), str(theirs.fileno())],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip

    def send(self, request: object, files: list[int]) -> None:
        data = pickle.dumps(request)
        socket.send_fds(self._requests, [len(data).to_bytes(8, "little")], files)
        self._requests.sendall(data)

    def end(self) -> None:
        self._requests.close()
        self._process.wait()
