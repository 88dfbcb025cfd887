"""Commands of typer with what is ours: options in panels, one line for an error, checks before a command runs.

The words of help pages and of errors are typer's own.
"""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from gotools.base.errors import shown
from gotools.base.interrupts import raise_on_interrupt
from gotools.base.memory import check_limit
from gotools.jit import compiling

GENERAL: Final = "Options"
LONGEST_ERROR: Final = 400
"""Characters of an error of the command line, which may quote what was typed."""


class _Panels:
    """Options in panels."""

    def panels(self: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Return arguments and options with their help: the general ones, then each panel by its first option."""
        found: dict[str, list[tuple[str, str]]] = {"Arguments": [], GENERAL: []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            if param.param_type_name == "argument":
                found["Arguments"].append((record[0].partition(" <")[0], record[1]))  # without <list[str]>, its type
            else:
                found.setdefault(getattr(param, "rich_help_panel", None) or GENERAL, []).append(record)
        return {title: rows for title, rows in found.items() if rows}

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Write them. typer does this only with rich, which would double the time of `--help`."""
        for title, rows in self.panels(ctx).items():
            with formatter.section(title):
                formatter.write_dl(rows)


class Command(_Panels, TyperCommand):
    """A command whose help shows its options in panels."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        _begin(ctx)
        return super().invoke(ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete options that --help leaves out too, those of a method; the process ends with the answer."""
        for param in self.params:
            param.hidden = False  # type: ignore[attr-defined]
        return super().shell_complete(ctx, incomplete)


class Group(_Panels, TyperGroup):
    """Commands under a name; the group may be a command itself."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write options by their panels, then commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a group that is a command itself begins here."""
        if self.invoke_without_command:
            _begin(ctx)
        return super().invoke(ctx)


def _begin(ctx: Any) -> None:
    """Check that there is memory for a command; from here on Ctrl-C raises KeyboardInterrupt in it."""
    check_limit("".join(str(ctx.command_path).split()[1:2]))
    raise_on_interrupt()
    compiling.quiet = bool(ctx.params.get("quiet"))


def usage_line(error: Any, name: str) -> str:
    """Return the line for a usage error, `gotools COMMAND: what`; the help page where nothing was typed.

    error -- one of the exceptions of typer (or click) that have an exit code
    name  -- of the program and command, where the error does not know it
    """
    what = str(error.format_message())
    if type(error).__name__ == "NoArgsIsHelpError":
        return what
    if isinstance(error, typer.BadParameter) and isinstance(error.param_hint, str):  # from a check of our own
        what = f"{error.param_hint}: {error.message}"
    ctx = getattr(error, "ctx", None)
    return f"{name if ctx is None else ctx.command_path}: {shown(' '.join(what.split()), LONGEST_ERROR)}"
