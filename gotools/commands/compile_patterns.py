"""`gotools compile-patterns`: rules in, C or a shared library out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gotools.commands import Quiet
from gotools.commands.progress import Progress

FOR = "For programmers who want rules in their own engine, and for everybody who wants them fast."
EPILOG = """\b
Example:
  gotools compile-patterns rules.pl -o rules.so
"""


def compile_patterns(
    rules: Annotated[
        str | None, typer.Argument(metavar="RULES", show_default=False, help="rules.pl of induce-patterns, or -.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", show_default=False, help="rules.c, or a library: rules.so. Else stdout."
        ),
    ] = None,
    header: Annotated[
        str | None, typer.Option(metavar="FILE", show_default=False, help="Write gotools_rules.h, the interface, here.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Compile rules to C or to a shared library.

    A library scores all moves of a position in microseconds. The C is one file, needs nothing but the standard
    headers, and is the same for the same rules. A library (a name that ends in .so, .dylib or .dll) is built with
    $CC, else cc, gcc or clang, else the compiler of `pip install 'gotools[cc]'`; $CFLAGS are added.
    docs/compiled-rules.md shows programs that use it.

    Reads all its input before it begins.
    """
    from gotools import compiling
    from gotools.commands.recipes import ready
    from gotools.files.opening import STDIN, open_output

    compiling.quiet = quiet
    if rules is None and sys.stdin is not None and sys.stdin.isatty():
        raise typer.BadParameter("name a file of rules, or send one to stdin", param_hint="RULES")
    from gotools.files.outputs import C_HEADER, C_SOURCE, LIBRARY, Output, check_outputs
    from gotools.patterns.clauses.rules import load_rules
    from gotools.patterns.compiled.build import LIBRARIES, build_library
    from gotools.patterns.compiled.c_source import c_source, header_text

    ready("compile-patterns", quiet)
    began = compiling.working_time()
    path = rules or STDIN
    form = LIBRARY if output is not None and output.endswith(LIBRARIES) else C_SOURCE
    check_outputs([Output("-o", output or STDIN, form), Output("--header", header, C_HEADER)], [path])
    with Progress("writing C", quiet) as progress:
        found = load_rules(path)
        source = c_source(found, path)
        if output is not None and form is LIBRARY:
            progress.phase("compiling C")
            build_library(source, Path(output))
        else:
            with open_output(output) as out:
                out.write(source.encode())
    if header is not None:
        with open_output(header) as out:
            out.write(header_text().encode())
    if not quiet:
        many, seconds = len(found.rules), compiling.working_time() - began
        told = f"{many:,} rule{'s' * (many != 1)}, digest {found.digest[:12]}, {seconds:.1f} s"
        print(told, file=sys.stderr)
