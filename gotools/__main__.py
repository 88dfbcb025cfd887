"""Run `python -m gotools` as `gotools`."""

from gotools.cli import main

if __name__ == "__main__":
    main()
