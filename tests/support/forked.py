"""Start Python programs from a warm process: like subprocess, without the seconds that imports and kernels take.

`run` and `Popen` take what those of subprocess take, for commands that begin with `sys.executable, "-m", MODULE` or
`sys.executable, FILE`. The first use starts the server (fork_server.py), one for each pytest worker, which forks a
process for each command: with its own id, streams, environment, folder, signals, exit code. `engines` does the same for
engines that are gotools itself, also of those commands, and `on_path` for `gotools` in a shell. Use subprocess, or
`Fresh`, where the start itself is the subject: imports, an empty cache, limits, and the variables of FIXED.
"""

from __future__ import annotations

import atexit
import contextlib
import inspect
import os
import pickle
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from gotools.gtp_client import process as engine_process

FIXED = ("NUMBA_", "OPENBLAS_", "OMP_", "PYTHON", "LD_", "LC_", "LANG", "HOME", "XDG_CACHE_HOME")
"""Beginnings of variables that Python and libraries read when they start: a command has those of the server."""
_BEGUN: dict[str, str] = {}
"""Those of this process before the first test, which may change some before it needs the server."""
_BINDS = inspect.signature(subprocess.Popen._execute_child)  # type: ignore[attr-defined]
_server: Place | None = None


def remember() -> None:
    """Give the server, which starts when it is needed, the variables that this process has now."""
    _BEGUN.clear()
    _BEGUN.update((name, value) for name, value in os.environ.items() if name.startswith(FIXED))


remember()


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
        self._news = server(env).asked(request, [fd if fd >= 0 else i for i, fd in enumerate(streams)])
        try:
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


@contextlib.contextmanager
def engines() -> Iterator[None]:
    """Fork the engines that are gotools itself, which GtpEngine and tournaments of this process start.

    Such an engine has no keeper: only a test about what becomes of an engine's own processes needs one.
    """
    start, exited = engine_process._start, engine_process.EngineProcess.exited

    def start_warm(
        words: list[str], name: str, folder: str | None, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        if words[:3] != [sys.executable, "-m", "gotools"] or fixed(environment) != fixed(_BEGUN):
            return start(words, name, folder, environment)
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return Popen(words, bufsize=0, cwd=folder, env=environment, start_new_session=True, **pipes)

    def has_exited(engine: engine_process.EngineProcess) -> bool:
        if isinstance(engine._process, Popen):  # no child of ours, so nothing to wait for
            return engine._reaped or engine._process.poll() is not None
        return exited(engine)

    with (
        mock.patch.object(engine_process, "_start", start_warm),
        mock.patch.object(engine_process.EngineProcess, "exited", has_exited),
    ):
        yield


def on_path() -> str:
    """Return a folder for the beginning of PATH, in which `gotools` is forked from the warm process."""
    warm = _started()
    assert isinstance(warm, _Server)
    return warm.on_path()


def program(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return ("-m MODULE" or a file, its arguments) of a command line."""
    assert words[0] == sys.executable and len(words) > 1, f"not a Python program: {words}"
    if words[1] == "-m":
        return f"-m {words[2]}", list(words[3:])
    assert words[1].endswith(".py"), words
    return words[1], list(words[2:])


def server(env: Mapping[str, str]) -> Place:
    """Return the server for an environment; starts it if necessary."""
    warm = _started()
    other = fixed(env).items() ^ warm.fixed.items()
    assert not other, f"read when Python starts, use subprocess: {sorted(name for name, _ in other)}"
    return warm


def _started() -> Place:
    global _server
    if _server is None:
        _server = started = _Server()
        atexit.register(started.end)
    return _server


def fixed(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that cannot be changed after the start."""
    free = {("OPENBLAS_NUM_THREADS", "1"), ("PYTHONUNBUFFERED", env.get("PYTHONUNBUFFERED"))}  # true of every process
    return {name: value for name, value in env.items() if name.startswith(FIXED) and (name, value) not in free}


class Place:
    """The name of the server's socket, in a folder of its own, and the variables that its processes have."""

    def __init__(self, place: str) -> None:
        self.place, self.fixed = place, fixed(_BEGUN)

    def asked(self, request: object, streams: list[int]) -> socket.socket:
        """Ask for a process; returns the connection, on which its id and its end are told."""
        news, data = socket.socket(socket.AF_UNIX), pickle.dumps(request)
        try:
            news.connect(self.place)
            socket.send_fds(news, [len(data).to_bytes(8, "little")], streams)
            news.sendall(data)
        except BaseException:
            news.close()
            raise
        return news


class _Server(Place):
    """The warm process, and our end of a socket; it ends when that is closed."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="forked"))
        super().__init__(str(self._folder / "server"))
        free = {name: value for name, value in os.environ.items() if not name.startswith(FIXED)}
        self._open, theirs = socket.socketpair()
        with theirs, socket.socket(socket.AF_UNIX) as door:
            door.bind(self.place)
            door.listen(100)
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("fork_server.py")),
                 str(theirs.fileno()), str(door.fileno()), self.place],
                pass_fds=[theirs.fileno(), door.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                env=free | _BEGUN | {"OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip

    def on_path(self) -> str:
        """Return a folder with the program `gotools`."""
        program = self._folder / "gotools"
        if not program.exists():
            text = Path(__file__).with_name("forked_gotools.py").read_text(encoding="utf-8")
            head = f"#!{sys.executable} -IS\nPLACE, FIXED, FIXED_TO = {self.place!r}, {FIXED!r}, {self.fixed!r}\n"
            program.write_text(head + text, encoding="utf-8")
            program.chmod(0o755)
        return str(self._folder)

    def end(self) -> None:
        self._open.close()
        self._process.wait()
        shutil.rmtree(self._folder)
