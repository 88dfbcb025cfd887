"""The program `gotools` of `forked.on_path`: it lets the warm process run the command, and ends as that does.

Before these lines stand the interpreter, the server's PLACE, the beginnings of variables that it cannot change (FIXED),
and their values there (FIXED_TO).
"""

import os
import pickle
import signal
import socket
import sys

ours = {name: value for name, value in os.environ.items() if name.startswith(FIXED)}  # type: ignore[name-defined]  # noqa: F821
ours.pop("PYTHONUNBUFFERED", None)
if ours.get("OPENBLAS_NUM_THREADS") == "1":
    del ours["OPENBLAS_NUM_THREADS"]
PASSED_ON = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
request = {
    "program": ("-m gotools", sys.argv[1:]),
    "cwd": os.getcwd(),
    "env": dict(os.environ),
    "new_session": False,
    "group": -1,
}
try:
    assert ours == FIXED_TO  # type: ignore[name-defined]  # noqa: F821
    data, news = pickle.dumps(request), socket.socket(socket.AF_UNIX)
    news.connect(PLACE)  # type: ignore[name-defined]  # noqa: F821
    socket.send_fds(news, [len(data).to_bytes(8, "little")], [0, 1, 2])
except (AssertionError, OSError):  # a stream is closed, for example
    os.execv(sys.executable, [sys.executable, "-m", "gotools", *sys.argv[1:]])
signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
news.sendall(data)
process = int.from_bytes(news.recv(8, socket.MSG_WAITALL), "little")
for number in PASSED_ON:
    signal.signal(number, lambda number, _: os.kill(process, number))
signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
for stream in range(3):
    os.close(stream)  # those who read wait for the command alone
status = int.from_bytes(news.recv(8, socket.MSG_WAITALL), "little")
if os.WIFSIGNALED(status):
    signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.waitstatus_to_exitcode(status))
