"""Run SWI-Prolog behind limits: a program of its own, which prolog.py starts and kills. It imports nothing of gotools.

    python -I -S prolog_worker.py PARENT PACKAGES LOADER VOCABULARY
    stdin    requests: length (4 bytes, big-endian), a goal in UTF-8 that binds Answer to a text
    stdout   length, "ready" or why not; then for each request length, the text
    stderr   a file: the numbers of the lines or predicates that Prolog is at, and its messages when it breaks

Limits on memory, CPU time and files are set before Prolog starts. Once Prolog and the loader are in memory, and before
the user's file is read, the process gives up its environment and the right to open files and to start
processes. On Linux the kernel then refuses every system call but those in CALLS, for root too.
"""

from __future__ import annotations

import json
import os
import platform
import struct
import sys
from collections.abc import Callable
from typing import BinaryIO

MEMORY_LIMIT = 1 << 30
"""Bytes of address space. 25 MB are taken by Python and SWI-Prolog."""

CPU = 3600
"""Seconds of CPU time of all questions together."""

FILE = 1 << 24
"""Bytes of the log on stderr, the one file that the process may write."""

# System calls for computing, and for reading and writing open files: their numbers for each kind of processor.
CALLS = {
    "x86_64": (
        0xC000003E,  # AUDIT_ARCH_X86_64
        {
            "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10,
            "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "writev": 20,
            "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60,
            "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "times": 100, "sigaltstack": 131, "gettid": 186,
            "futex": 202, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
            "exit_group": 231, "tgkill": 234, "getrandom": 318, "membarrier": 324, "rseq": 334,
        },
    ),
    "aarch64": (
        0xC00000B7,  # AUDIT_ARCH_AARCH64
        {
            "close": 57, "lseek": 62, "read": 63, "write": 64, "writev": 66, "ppoll": 73, "fstat": 80, "exit": 93,
            "exit_group": 94, "futex": 98, "nanosleep": 101, "clock_gettime": 113, "clock_getres": 114,
            "clock_nanosleep": 115, "sched_yield": 124, "restart_syscall": 128, "tgkill": 131, "sigaltstack": 132,
            "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153, "getrlimit": 163,
            "getrusage": 165, "gettimeofday": 169, "getpid": 172, "gettid": 178, "brk": 214, "munmap": 215,
            "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233, "getrandom": 278, "membarrier": 283,
            "rseq": 293,
        },
    ),
}  # fmt: skip

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
SECCOMP_MODE_FILTER = 2


def main() -> None:
    """Answer requests until stdin ends."""
    import resource

    parent, packages, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    _die_with(parent)
    limits = (resource.RLIMIT_AS, MEMORY_LIMIT), (resource.RLIMIT_CPU, CPU), (resource.RLIMIT_FSIZE, FILE)
    for kind, most in (*limits, (resource.RLIMIT_CORE, 0)):
        _limit(kind, most)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # the input and output of Prolog itself are not part of the protocol
    os.dup2(nothing, 1)
    try:
        ask = _start(packages, *files)
    except Exception as error:  # pyswip raises errors of many types if the library is missing or unsuitable
        _send(answers, f"{type(error).__name__}: {error}".encode(errors="replace")[:1000])
        os._exit(1)
    os.environ.clear()
    for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):
        _limit(kind, 0)
    _allow_calls_only()
    _send(answers, b"ready")
    while len(head := requests.read(4)) == 4:
        _send(answers, ask(requests.read(int.from_bytes(head, "big")).decode()))
    os._exit(0)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process as soon as its parent is gone. Elsewhere than on Linux stdin ends then."""
    if sys.platform == "linux":
        _prctl(PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:
        os._exit(1)


def _limit(kind: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (value, value))


def _prctl(*arguments: object) -> bool:
    import ctypes

    return bool(ctypes.CDLL(None).prctl(*arguments, 0, 0) == 0)


def _allow_calls_only() -> bool:
    """Let the kernel refuse all system calls but CALLS; returns whether it does (Linux, processors of CALLS)."""
    import ctypes

    if sys.platform != "linux" or platform.machine() not in CALLS or sys.maxsize < 1 << 32:
        return False
    architecture, calls = CALLS[platform.machine()]
    numbers = sorted(calls.values())
    load, equal, give = 0x20, 0x15, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_RET|K
    refused, allowed = 0x00050001, 0x7FFF0000  # SECCOMP_RET_ERRNO with EPERM, SECCOMP_RET_ALLOW
    program = [(load, 0, 0, 4), (equal, 1, 0, architecture), (give, 0, 0, refused), (load, 0, 0, 0)]
    program += [(equal, len(numbers) - k, 0, number) for k, number in enumerate(numbers)]
    program += [(give, 0, 0, refused), (give, 0, 0, allowed)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    return _prctl(PR_SET_NO_NEW_PRIVS, 1, 0) and _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filters)


def _start(packages: str, *files: str) -> Callable[[str], bytes]:
    """Start SWI-Prolog with the loader and a vocabulary; returns what runs a goal once and gives the text in Answer."""
    sys.path.append(packages)
    from pyswip import Prolog

    def ask(goal: str) -> bytes:
        try:
            for bindings in Prolog.query(goal, maxresult=1):
                answer = bindings["Answer"]
                return answer if isinstance(answer, bytes) else str(answer).encode()
            what = "Prolog failed"
        except Exception as error:
            what = str(error)[-300:]
        return json.dumps({"broken": what}).encode()

    loader, vocabulary = ("".join(c if c.isalnum() and c.isascii() else f"\\x{ord(c):x}\\" for c in f) for f in files)
    load = f'load_files("{loader}",[silent(true)]),gotools_background:start_vocabulary("{vocabulary}")'
    if ask(f'(catch(({load}),_,fail)->Answer="yes";Answer="no")') != b"yes":
        raise OSError("SWI-Prolog lacks a part of its library")
    return ask


def _send(answers: BinaryIO, text: bytes) -> None:
    answers.write(len(text).to_bytes(4, "big") + text)
    answers.flush()


if __name__ == "__main__":
    main()
