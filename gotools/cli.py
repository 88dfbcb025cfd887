"""Gather the commands in the order of the pipeline, and turn errors into one line and an exit code.

Exit codes: 0 done (also when the reader of a pipe went away), 1 a known error, 2 wrong usage, 3 a bug (with its
traceback), 130 Ctrl-C. `tournament` has its own, for 1 and 3 are verdicts there: see OWN_CODES.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Annotated, NamedTuple, TextIO

import typer

from gotools import __version__
from gotools.commands import (
    cluster_moves,
    compile_patterns,
    elo,
    gtp,
    induce_patterns,
    order_bench,
    rank_moves,
    sgf_to_examples,
    tournament,
    train_eval,
    warm_up,
)
from gotools.errors import GotoolsError, OutputError

EXIT_DONE, EXIT_INTERRUPTED = 0, 130


class ExitCodes(NamedTuple):
    """Exit codes of a command for what the user can mend, for a file that cannot be written, and for a bug."""

    error: int = 1
    disk: int = 1
    bug: int = 3


OWN_CODES = {"tournament": ExitCodes(2, 4, 4)}
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system says when a disk is full or broken: no fault of the program."""

# rich would double the time of `--help` (0.10 s -> 0.20 s of CPU), so typer's plain formatting is used.
app = typer.Typer(
    name="gotools",
    help="Tools for the game of Go: from game records to rules, from rules to a player, from players to ratings.",
    epilog="gotools COMMAND --help explains a command and ends with an example.",
    add_completion=False,
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
    """Tools for the game of Go: from game records to rules, from rules to a player, from players to ratings."""


app.command("sgf-to-examples", epilog=sgf_to_examples.EPILOG)(sgf_to_examples.sgf_to_examples)
app.command("induce-patterns", epilog=induce_patterns.EPILOG)(induce_patterns.induce_patterns)
app.command("compile-patterns", epilog=compile_patterns.EPILOG)(compile_patterns.compile_patterns)
app.command("rank-moves", epilog=rank_moves.EPILOG)(rank_moves.rank_moves)
app.command("train-eval", epilog=train_eval.EPILOG)(train_eval.train_eval)
app.command("cluster-moves", epilog=cluster_moves.EPILOG)(cluster_moves.cluster_moves)
app.command("order-bench", epilog=order_bench.EPILOG)(order_bench.order_bench)
app.command("gtp", epilog=gtp.EPILOG)(gtp.gtp)
app.add_typer(tournament.app, name="tournament")
app.command("elo", epilog=elo.EPILOG)(elo.elo)
app.command("warm-up", epilog=warm_up.EPILOG)(warm_up.warm_up)


def main() -> None:
    """Run the command that `sys.argv` names and exit as the table above says."""
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except BrokenPipeError:  # else the interpreter's last flush fails as well, and its exit code is 120
            _forget(stream)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors are printed to stderr."""
    command = next((word for word in arguments if not word.startswith("-")), "")
    name = f"gotools {command}" if command else "gotools"
    codes = OWN_CODES.get(command, ExitCodes())
    try:
        return _invoke(arguments)
    except GotoolsError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return codes.disk if isinstance(error, OutputError) else codes.error
    except BrokenPipeError:
        return _forget_stdout()
    except OSError as error:
        if error.errno not in _FULL:
            return _bug(name, codes.bug)
        print(f"{name}: cannot write: {error.strerror}", file=sys.stderr)
        _forget_stdout()
        return codes.disk
    except KeyboardInterrupt as stop:
        print(f"{name}: interrupted{f'; {stop}' if str(stop) else ''}", file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # Ctrl-C while a library's C part was being imported
            print(f"{name}: interrupted", file=sys.stderr)
            return EXIT_INTERRUPTED
        return _bug(name, codes.bug)


def _bug(name: str, code: int) -> int:
    traceback.print_exc()
    print(f"{name}: this is a bug of gotools {__version__}; please report the lines above", file=sys.stderr)
    return code


def _invoke(arguments: list[str]) -> int:
    """Let typer parse and run; it ends with SystemExit (usage errors are its own, with exit code 2).

    typer's `main` turns Ctrl-C and a closed pipe into exit code 1 in its standalone mode, so the parser and the
    command are called one by one here, and only their usage errors are left to it.
    """
    command = typer.main.get_command(app)
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
        error.show()
        return int(error.exit_code)
    return EXIT_DONE


def _forget_stdout() -> int:
    _forget(sys.stdout)
    return EXIT_DONE


def _forget(stream: TextIO) -> None:
    """Point a stream elsewhere, so that the interpreter's last flush does not complain about the closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
