"""Run gotools and send it Ctrl-C at its Nth call: interrupted.py N COMMAND... Where it makes fewer, say how many."""

import os
import signal
import sys
from types import FrameType

from gotools.__main__ import main

at, sys.argv = int(sys.argv[1]), ["gotools", *sys.argv[2:]]
calls = 0


def count(frame: FrameType, event: str, argument: object) -> None:
    """Count the functions of Python that are called."""
    global calls
    calls += event == "call"
    if calls == at:
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)


sys.setprofile(count)
try:
    main()
finally:
    sys.setprofile(None)
    if calls < at:
        print(f"\n{calls}", file=sys.stderr)
