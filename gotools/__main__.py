"""Start gotools, as the program `gotools` or as `python -m gotools`.

Ctrl-C is handled as soon as this is imported, before anything else: the rest takes a tenth of a second to load.
"""

from gotools.interrupts import leave_on_interrupt

leave_on_interrupt()


def main() -> None:
    """Run the command that `sys.argv` names, and exit."""
    try:
        from gotools.cli import main as run
    except (MemoryError, SystemError):  # some C code of Python raises the second
        raise SystemExit("gotools: out of memory") from None
    run()


if __name__ == "__main__":
    main()
