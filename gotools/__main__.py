"""Start gotools, as the program `gotools` or as `python -m gotools`.

Ctrl-C is handled as soon as this is imported, before anything else: the rest takes a tenth of a second to load.
"""

import sys

from gotools.base.interrupts import leave_on_interrupt

leave_on_interrupt()


def main() -> None:
    """Run the command that `sys.argv` names, and exit; too little memory to load the commands is one line."""
    # A process of its own that gtp_client/bridged.py starts; it needs no command of cli.py.
    if sys.argv[1:2] == ["usi-bridge"]:
        from gotools.engines.usi_client.bridge import main as bridge

        return bridge(sys.argv[2:])
    from gotools.base.memory import OutOfMemory, check_limit_to_load

    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    try:
        check_limit_to_load(command)
        from gotools.cli import main as run
    except (MemoryError, SystemError, OutOfMemory) as error:  # some C code of Python raises the second
        shown = error if isinstance(error, OutOfMemory) else OutOfMemory()
        print(f"gotools {command}".rstrip() + f": {shown}", file=sys.stderr)
        sys.exit(2 if command == "tournament" else 1)  # to tournament 1 is a verdict
    run()


if __name__ == "__main__":
    main()
