"""Gather the commands in the order of the pipeline, and turn errors into one line and an exit code.

Exit codes: 0 done (also when the reader of a pipe went away), 1 a known error, 2 wrong usage, 3 a bug (with its
traceback), 130 Ctrl-C. `tournament` has its own, for 1 and 3 are verdicts there: see OWN_CODES.
"""

from __future__ import annotations

import codecs
import errno
import gc
import inspect
import io
import os
import re
import sys
import traceback
from functools import cache
from types import ModuleType
from typing import Annotated, Any, NamedTuple, TextIO

import typer

from gotools import __version__
from gotools.base.errors import GotoolsError, OutputError, WrongUsage
from gotools.base.interrupts import EXIT_INTERRUPTED, from_interrupt, leave_on_interrupt
from gotools.base.memory import OutOfMemory, ran_out
from gotools.base.screen_text import harmless
from gotools.commands import (
    cluster_moves,
    compile_patterns,
    doctor,
    elo,
    gtp,
    induce_patterns,
    lessons,
    order_bench,
    play,
    rank_moves,
    report,
    sgf_to_examples,
    show,
    solve,
    tournament,
    train_eval,
    usi,
    warm_up,
)
from gotools.commands.usage import Command, Group, usage_line
from gotools.library.matches import EXIT_ERROR, EXIT_FAILURE

EXIT_DONE, EXIT_USAGE = 0, 2
COMPLETE = "_GOTOOLS_COMPLETE"
"""Set in the environment by the scripts of --install-completion: the shell asks what may follow."""


class ExitCodes(NamedTuple):
    """Exit codes of a command for user errors, for a file that cannot be written, and for a bug."""

    error: int = 1
    disk: int = 1
    bug: int = 3


OWN_CODES = {"tournament": ExitCodes(EXIT_ERROR, EXIT_FAILURE, EXIT_FAILURE)}
_EMPTY = re.compile(r"(--[-\w]+=)?")
"""Argument without a value, as an unset variable of a shell leaves it: it would stand for stdin or this folder."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a full or broken disk: not a fault of the program."""


# rich would double the time of `--help` (0.10 s -> 0.20 s of CPU), so typer's plain formatting is used.
app = typer.Typer(
    name="gotools",
    cls=Group,
    epilog="gotools COMMAND --help explains a command and ends with an example, which runs where `make demo` ran.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"gotools {__version__}")
        raise typer.Exit


@app.callback()
def _gotools(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tools for Go, shogi and other games: from records to rules, from rules to a player, from players to ratings."""


def _add(module: ModuleType) -> str:
    """Add a command, or a group of them, and return its name; its help is its audience, its effect, an example."""
    function = module.__name__.rpartition(".")[2]
    name = function.replace("_", "-")
    text = inspect.cleandoc(getattr(module, function).__doc__ or "")
    about: dict[str, Any] = {"help": f"{module.FOR}\n\n{text}", "short_help": text.partition("\n")[0]}
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, **about)
    else:
        app.command(name, cls=Command, epilog=module.EPILOG, **about)(getattr(module, function))
    return name


NAMES = [
    _add(module)
    for module in (
        *(sgf_to_examples, induce_patterns, compile_patterns, rank_moves, train_eval, cluster_moves, order_bench),
        *(gtp, usi, solve, play, tournament, elo, lessons, show, report, warm_up, doctor),
    )
]
"""Commands in `gotools --help`, in the order of the pipeline; typer would list groups last."""


def main() -> None:
    """Run the command that `sys.argv` names and exit as the table above says."""
    code = run(sys.argv[1:])
    leave_on_interrupt()  # all is done: an interrupt can lose nothing now
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except BrokenPipeError:  # else the interpreter's last flush fails as well, and its exit code is 120
            _forget(stream)
    gc.freeze()  # the last collections, of much that kernels hold, are a tenth of a short command's time
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors are printed to stderr."""
    command = next((word for word in arguments if not word.startswith("-")), "")
    name = f"gotools {command}" if command else "gotools"
    codes = OWN_CODES.get(command, ExitCodes())
    _print_anything()
    try:
        return _invoke(arguments, name)
    except GotoolsError as error:
        print(f"{name}: {harmless(str(error))}", file=sys.stderr)
        if isinstance(error, WrongUsage):
            return EXIT_USAGE
        return codes.disk if isinstance(error, OutputError) else codes.error
    except BrokenPipeError:
        _forget(sys.stdout)
        return EXIT_DONE
    except KeyboardInterrupt as stop:
        print(f"{name}: interrupted{f'; {stop}' if str(stop) else ''}", file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception as error:
        return _failed(error, name, codes)


def _failed(error: Exception, name: str, codes: ExitCodes) -> int:
    """Print an error that no command expects; returns the exit code."""
    if from_interrupt(error):
        print(f"{name}: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    if ran_out(error):
        print(f"{name}: {OutOfMemory()}", file=sys.stderr)
        return codes.error
    if isinstance(error, OSError) and error.errno in _FULL:
        print(f"{name}: cannot write: {error.strerror}", file=sys.stderr)
        _forget(sys.stdout)
        return codes.disk
    traceback.print_exc()
    print(f"{name}: this is a bug of gotools {__version__}; please report the lines above", file=sys.stderr)
    return codes.bug


def _invoke(arguments: list[str], name: str) -> int:
    """Let typer parse and run; usage errors are printed in one line, with exit code 2.

    typer's `main` turns Ctrl-C and a closed pipe into exit code 1 in its standalone mode, so the parser and the
    command are called one by one here.
    """
    if any(_EMPTY.fullmatch(word) for word in arguments):
        raise WrongUsage("an empty argument")
    command = _parser()
    if COMPLETE in os.environ:
        command.main(arguments, prog_name="gotools")  # answers the shell and ends the process
    try:
        with command.make_context("gotools", arguments) as context:
            command.invoke(context)
    except typer.Exit as done:
        return int(done.exit_code)
    except typer.Abort:
        return EXIT_INTERRUPTED
    except Exception as error:
        if not hasattr(error, "exit_code") or not hasattr(error, "show"):
            raise
        print(usage_line(error, name), file=sys.stderr)
        return int(error.exit_code)
    return EXIT_DONE


def _print_anything() -> None:
    """Print names of files byte by byte as they came, and `?` for what the terminal's encoding lacks."""
    codecs.register_error("gotools", _as_it_came)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="gotools")


def _as_it_came(error: UnicodeError) -> tuple[bytes, int]:
    """Encode what an encoding does not have: see `_print_anything`."""
    assert isinstance(error, UnicodeEncodeError)
    signs = map(ord, error.object[error.start : error.end])
    return bytes(sign - 0xDC00 if 0xDC80 <= sign <= 0xDCFF else ord("?") for sign in signs), error.end


@cache
def _parser() -> Any:
    found: Any = typer.main.get_command(app)
    found.commands = {name: found.commands[name] for name in NAMES}
    return found


def _forget(stream: TextIO) -> None:
    """Point a stream elsewhere, so that the interpreter's last flush does not complain about the closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
