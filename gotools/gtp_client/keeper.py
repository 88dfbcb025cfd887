"""Run a program and end all that it started with it; started by process.py on Linux as a program of its own.

    keeper.py PARENT STATUS WORDS...

PARENT is the process to die with, however it dies. Descendants that flee from the program, into sessions of their own
and without a parent, become children of this process, which ends only when none of them lives. STATUS is an open file:
the number of the error is written there if the program cannot be started. SIGTERM goes to the group of the program;
at SIGUSR1 all is killed. The end is that of the program: its exit code, or its signal.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # of <linux/prctl.h>
PRCTL = ctypes.CDLL(None).prctl
LONGEST = 5.0
"""Seconds of killing: programs that start others faster than they are killed are left alone then."""


def main() -> None:
    """Start the program and wait for its end."""
    parent, status, words = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    ended = signal.SIGUSR2  # of the thread that started this process: it may be another one's turn to wait
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1, ended})
    PRCTL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    PRCTL(PR_SET_PDEATHSIG, int(ended), 0, 0, 0)
    program = start(words, status)
    signal.signal(signal.SIGTERM, lambda *_: send(-program, signal.SIGTERM))
    signal.signal(signal.SIGUSR1, lambda *_: kill_all())
    signal.signal(ended, lambda *_: None if os.getppid() == parent else kill_all())
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    if os.getppid() != parent:
        kill_all()
    how = wait_for(program)
    for number in (signal.SIGTERM, signal.SIGUSR1, ended):
        signal.signal(number, signal.SIG_IGN)
    kill_all()
    with suppress(ChildProcessError):  # there is none left
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    if how.si_code == os.CLD_EXITED:
        os._exit(how.si_status)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):  # SIGKILL needs no handler
        signal.signal(how.si_status, signal.SIG_DFL)
    os.kill(os.getpid(), how.si_status)


def start(words: list[str], status: int) -> int:
    """Start the program in a session of its own; returns its number. Its pipes are its own alone."""
    program = os.fork()
    if program == 0:
        try:
            os.setsid()
            PRCTL(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)  # it may kill its keeper
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # that Python ignores
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, set())
            os.set_inheritable(status, False)
            os.execvp(words[0], words)
        except OSError as error:
            os.write(status, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(status)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    return program


def wait_for(program: int) -> os.waitid_result:
    """Return how the program has ended; it is not reaped, so that its number stays its own. Others are."""
    while True:
        how = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        assert how is not None
        if how.si_pid == program:
            return how
        os.waitpid(how.si_pid, 0)


def kill_all() -> None:
    """Kill all descendants."""
    late = time.monotonic() + LONGEST
    while (alive := descendants()) and time.monotonic() < late:
        for number in alive:
            send(number, signal.SIGKILL)
        time.sleep(0.001)


def descendants() -> list[int]:
    """Return the living descendants of this process."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
            except (OSError, ValueError):  # it has ended
                continue
            children.setdefault(int(parent), []).append(int(name) if state not in b"ZX" else -int(name))
    found = [os.getpid()]
    for number in found:  # grows during the loop
        found += children.get(abs(number), [])
    return [number for number in found[1:] if number > 0]


def send(number: int, what: int) -> None:
    """Send a signal to a process, or to a group, if it is still there."""
    with suppress(OSError):
        os.kill(number, what)


if __name__ == "__main__":
    main()
