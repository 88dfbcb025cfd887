"""`gotools compile-patterns`: rules in, C or a shared library out."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gotools.commands.options import STDIN, Quiet, option
from gotools.commands.progress import Progress

FOR = "For programmers who want rules in their own engine, and for everybody who wants them fast."
EPILOG = """\b
Example:
  gotools compile-patterns out/rules.pl -o out/rules.so
"""


def compile_patterns(
    rules: Annotated[
        str | None, typer.Argument(metavar="RULES", show_default=False, help="rules.pl of induce-patterns, or -.")
    ] = None,
    output: Annotated[
        str | None, option("rules.c, or a library: rules.so. Else stdout.", "FILE", "-o", "--output")
    ] = None,
    header: Annotated[str | None, option("Write the interface here, gotools_rules.h.", "FILE")] = None,
    quiet: Quiet = False,
) -> None:
    """Compile rules to C or to a shared library.

    A library scores all moves of a position in microseconds. The C is one file, needs nothing but the standard
    headers, and is the same for the same rules. A library (a name that ends in .so, .dylib or .dll) is built with
    $CC, else cc, gcc or clang, else the compiler of `pip install ziglang`; $CFLAGS are added.
    docs/compiled-rules.md shows programs that use it.

    Reads all its input before it begins.
    """
    from gotools.files.outputs import C_HEADER, C_SOURCE, LIBRARY, Output, check_outputs
    from gotools.jit import compiling
    from gotools.library.rules import compile_rules
    from gotools.rules.compiled.build import LIBRARIES

    if rules is None and sys.stdin is not None and sys.stdin.isatty():
        raise typer.BadParameter("name a file of rules, or send one to stdin", param_hint="RULES")
    began = compiling.working_time()
    path, target = rules or STDIN, output or STDIN
    form = LIBRARY if target.endswith(LIBRARIES) else C_SOURCE
    check_outputs([Output("-o", target, form), Output("--header", header, C_HEADER)], [path])
    with Progress("writing C", quiet) as progress:
        found = compile_rules(path, target, header=header, watch=progress)
    if not quiet:
        many, seconds = len(found.rules), compiling.working_time() - began
        summary = f"{many:,} rule{'s' * (many != 1)}, digest {found.digest[:12]}, {seconds:.1f} s"
        print(summary, file=sys.stderr)
