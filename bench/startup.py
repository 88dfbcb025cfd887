"""What a shell user feels before anything happens: CPU seconds of `gotools --help`."""

import statistics
import sys
from pathlib import Path

from _table import command_seconds, heading, row

TARGET = 0.2
TIMES = 5


def main() -> None:
    heading("start")
    program = Path(sys.executable).with_name("gotools")
    command = [str(program), "--help"] if program.exists() else [sys.executable, "-m", "gotools", "--help"]
    command_seconds(command)  # writes the bytecode
    seconds = statistics.median(command_seconds(command) for _ in range(TIMES))
    how = f"gotools --help, user and system, median of {TIMES}"
    row("gotools --help, CPU seconds", f"{seconds:.3f} s", f"<= {TARGET} s", seconds <= TARGET, how)


if __name__ == "__main__":
    main()
