"""`gotools warm-up`: compile all kernels, so that no command has to."""

from __future__ import annotations

import sys
import time

from gotools.commands.options import Quiet

FOR = "For whoever has just installed gotools and wants every command to start at once."
EPILOG = """\b
Example, after the installation:
  gotools warm-up
"""


def warm_up(quiet: Quiet = False) -> None:
    """Compile all kernels now, once for this machine.

    Takes about a minute and a half on two cores, once for a version of gotools, of Python and of numba, and for a
    processor; a second call does nothing. Prints the folder of compiled kernels: $NUMBA_CACHE_DIR, else
    $XDG_CACHE_HOME/gotools, else ~/.cache/gotools.

    Streams: Ctrl-C keeps what has been compiled.
    """
    from gotools.commands.recipes import warm_all
    from gotools.errors import GotoolsError
    from gotools.kernel_cache import cache_folder

    began = time.monotonic()
    done, problems = warm_all(quiet)
    if not quiet:
        print(
            f"compiled for {done} commands in {time.monotonic() - began:.0f} s" if done else "all is compiled already",
            file=sys.stderr,
        )
    print(cache_folder())
    if problems:
        raise GotoolsError("\n".join(f"not compiled for {name}: {problem}" for name, problem in problems.items()))
