"""Build a shared library from C with an available compiler."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.opening import behind_links
from gotools.files.temporary import temporary_beside

LIBRARIES = (".so", ".dylib", ".dll")
"""Suffixes of shared libraries."""

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=gnu99", "-O2", "-fPIC", "-shared")
MESSAGE_LINES = 12
NO_COMPILER = (
    "no C compiler: install gcc or clang with the system's packages, or `pip install ziglang`, or name one in $CC"
)


def compiler() -> list[str]:
    """Return the command of a C compiler: $CC, else cc, gcc or clang, else the one of the PyPI package ziglang.

    Raises GotoolsError without one.
    """
    if chosen := _words("CC"):
        if shutil.which(chosen[0]) is None:
            raise GotoolsError(f"$CC: no such program: {chosen[0]}")
        return chosen
    for name in COMPILERS:
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise GotoolsError(NO_COMPILER)


def build_library(source: str, target: Path) -> None:
    """Compile C to a shared library; `target` is replaced when the library is complete, or not at all.

    $CFLAGS are passed to the compiler after our own flags.

    Raises GotoolsError where there is no compiler or it fails, FileFormatError if the library cannot be written.
    """
    command, flags = compiler(), [*FLAGS, *_words("CFLAGS")]
    target = behind_links(target)
    try:
        with temporary_beside(target, folder=True) as folder:
            text, library = Path(folder, "rules.c"), Path(folder, "rules.so")
            text.write_text(source)
            done = _run([*command, *flags, str(text), "-o", str(library)])
            if done.returncode or not library.exists():
                lines = (done.stderr or done.stdout).replace(folder + os.sep, "").splitlines()[:MESSAGE_LINES]
                raise GotoolsError("\n".join([f"the compiler failed ({shlex.join(command)}):", *lines]))
            os.replace(library, target)
    except OSError as error:
        raise FileFormatError(target, None, f"cannot write: {error.strerror or error}") from error


def _words(variable: str) -> list[str]:
    """Return the words of a variable of the environment, as a shell would cut it."""
    try:
        return shlex.split(os.environ.get(variable, ""))
    except ValueError as error:
        raise GotoolsError(f"${variable}: {str(error).lower()}") from error


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise GotoolsError(f"the compiler cannot be run ({command[0]}): {error.strerror or error}") from error
