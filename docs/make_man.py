#!/usr/bin/env python3
"""Write man pages from the table of the options: gotools.1, and gotools-COMMAND.1 for each command.

usage: python docs/make_man.py FOLDER
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from gotools import __version__
from gotools.cli import app


def roff(text: str) -> str:
    """Return text for roff: nothing in it is a request or an escape."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the lines of a help text; what stands behind \\b keeps its line breaks."""
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        kept = part.startswith("\b")
        yield ".PP"
        if kept:
            yield ".nf"
        yield from roff(part.removeprefix("\b").strip("\n")).split("\n")
        if kept:
            yield ".fi"


def name_of(ctx: Any) -> str:
    """Return the name of the page of a command."""
    return str(ctx.command_path).replace(" ", "-")


def page(command: Any, ctx: Any) -> str:
    """Return the man page of a command."""
    path, below = name_of(ctx), getattr(command, "commands", {})
    also = [f"{path}-{name}" for name in below] or [name_of(ctx.parent)]
    usage = " ".join(command.collect_usage_pieces(ctx))
    lines = [
        f'.TH {path.upper()} 1 "" "gotools {__version__}" "gotools"',
        ".SH NAME",
        roff(f"{path} - ") + roff((command.short_help or command.help or "").partition("\n")[0].rstrip(".")),
        ".SH SYNOPSIS",
        rf"\fB{roff(ctx.command_path)}\fR {roff(usage)}",
        ".SH DESCRIPTION",
        *paragraphs(command.help or ""),
    ]
    for title, rows in command.panels(ctx).items():
        lines.append(f'.SH "{title.upper()}"')
        for words, what in rows:
            lines += [".TP", rf"\fB{roff(words)}\fR", roff(" ".join(what.split()))]
    if below:
        lines.append('.SH "COMMANDS"')
        for name in command.list_commands(ctx):
            lines += [".TP", rf"\fB{roff(name)}\fR", roff(below[name].get_short_help_str(200))]
    if command.epilog:
        heading, _, rest = inspect.cleandoc(command.epilog).removeprefix("\b\n").partition("\n")
        lines += [f'.SH "{heading.rstrip(":").upper()}"', ".nf", *roff(rest).split("\n"), ".fi"]
    lines += [".SH SEE ALSO", ", ".join(rf"\fB{roff(one)}\fR(1)" for one in also)]
    return "\n".join(lines) + "\n"


def commands(command: Any, name: str = "gotools", parent: Any = None) -> Iterator[tuple[Any, Any]]:
    """Yield a command with its context, and those below it."""
    ctx = command.context_class(command, info_name=name, parent=parent, **command.context_settings)
    yield command, ctx
    for below in getattr(command, "list_commands", lambda _: [])(ctx):
        yield from commands(command.get_command(ctx, below), below, ctx)


def main(folder: str) -> None:
    """Write all pages."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for command, ctx in commands(typer.main.get_command(app)):
        (target / f"{name_of(ctx)}.1").write_text(page(command, ctx), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
