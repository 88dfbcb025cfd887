"""The command line in our words: help pages in groups, and one line for what is typed wrong.

typer (and click below it) know the options; what they say of values, ranges and types is put in the words that the
rest of gotools uses. Only what both have had for years is used of them: parameters with their names, bounds and panels.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from types import NoneType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from gotools import compiling
from gotools.errors import nearest, wrong_word
from gotools.interrupts import raise_on_interrupt
from gotools.memory import check_limit
from gotools.settings import figure, within

GENERAL: Final = "Options"
LONGEST_QUOTE: Final = 60
"""Characters of what was typed that an error repeats."""
_METAVARS: Final = {int: "N", float: "X", str: "TEXT"}
_FILES: Final = re.compile(r"\b(?:FILE|FOLDER|PATH|RULES|RUN|WHAT)\b")
"""Values that are names of files and folders, as help calls them."""
_TOGETHER: Final = "\N{NO-BREAK SPACE}"
"""Stands for a blank where a line of help is not to be broken, until the page is made."""
_BOUND: Final = r"-?[\d.]+(?:e[+-]?\d+)?"
_RANGE: Final = re.compile(rf"(?:({_BOUND})<=)?x(?:<=({_BOUND}))|x>=({_BOUND})")
_DEFAULT: Final = re.compile(r"\[default: (?:\((.*?)\)|(-?\d+)\.0)(?=[];])")


class Command(TyperCommand):
    """A command whose help and errors are in our words."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        _name_values(self)

    def get_help(self, ctx: Any) -> str:
        """Return the page."""
        return super().get_help(ctx).replace(_TOGETHER, " ")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options by their panels."""
        _write_options(self, ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed."""
        with _explained(self, ctx, list(args)):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        _begin(ctx)
        return super().invoke(ctx)


class Group(TyperGroup):
    """Commands under a name; the group may be a command itself."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        _name_values(self)

    def get_help(self, ctx: Any) -> str:
        """Return the page."""
        return super().get_help(ctx).replace(_TOGETHER, " ")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write options by their panels, then commands."""
        _write_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed up to the name of a command."""
        with _explained(self, ctx, list(args)):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is named."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            names = [name for name in self.list_commands(ctx) if not self.commands[name].hidden]
            ctx.fail(f"there is no command {_quoted(args[0])}{nearest(args[0], names)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a group that is a command itself begins here."""
        if self.invoke_without_command:
            _begin(ctx)
        return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """List the commands in the order of ORDER; what is not there comes last."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def _begin(ctx: Any) -> None:
    """Prepare for a command, where there is memory for it; from here on Ctrl-C is its own affair."""
    check_limit(_path(ctx)[0])
    raise_on_interrupt()
    compiling.quiet = bool(ctx.params.get("quiet"))


ORDER: Final = ("sgf-to-examples", "induce-patterns", "compile-patterns", "rank-moves", "train-eval", "cluster-moves",
                "order-bench", "gtp", "usi", "play", "tournament", "elo", "lessons", "show", "report",
                "warm-up")  # fmt: skip
"""Of `gotools --help`: that of the pipeline."""


# help -----------------------------------------------------------------------------------------------------------------


def _path(ctx: Any) -> list[str]:
    """Return the words of the command after `gotools`."""
    return str(ctx.command_path).split()[1:] or [""]


def _types(command: Any) -> dict[str, Any]:
    """Return the type of each option as its function declares it: of one value, where it may stand several times."""
    hints = {} if command.callback is None else get_type_hints(inspect.unwrap(command.callback))
    return {name: _plain(hint) for name, hint in hints.items()}


def _plain(hint: Any) -> Any:
    """Return `int` for `int | None` and `list[int]`."""
    parts = [part for part in get_args(hint) if part is not NoneType]
    if not parts or get_origin(hint) in (tuple, Literal):
        return hint
    return _plain(parts[0])


def _name_values(command: Any) -> None:
    """Give options that have no word for their value one: N for whole numbers, X for others, a|b for choices."""
    types = _types(command)
    for param in command.params:
        kind = types.get(param.name)
        if param.metavar is None and kind is not bool and param.param_type_name == "option":
            if get_origin(kind) is Literal:
                param.metavar = "|".join(get_args(kind))
            else:
                param.metavar = next((word for plain, word in _METAVARS.items() if kind is plain), None)


def _write_options(command: Any, ctx: Any, formatter: Any) -> None:
    """Write arguments and options: the general ones first, then each panel in the order of its first option."""
    arguments: list[tuple[str, str]] = []
    panels: dict[str, list[tuple[str, str]]] = {GENERAL: []}
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is None:
            continue
        if param.param_type_name == "argument":
            arguments.append((record[0].partition(" <")[0], _in_our_words(record[1])))
        else:
            panel = getattr(param, "rich_help_panel", None) or GENERAL
            panels.setdefault(panel, []).append((record[0], _in_our_words(record[1])))
    for title, rows in {"Arguments": arguments, **panels}.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _in_our_words(text: str) -> str:
    """Write `1<=x<=9000` as `1 to 9,000`, and a default in words without parentheses."""
    head, bracket, tail = text.rpartition("  [")
    if not bracket:
        head, bracket, tail = "", "", text
    return head + bracket + _RANGE.sub(_range_words, _DEFAULT.sub(r"[default: \1\2", "[" + tail)[1:])


def _range_words(found: re.Match[str]) -> str:
    low, high, least = (None if bound is None else figure(float(bound)) for bound in found.groups())
    if least is not None:
        words = f"{least} or more"
    else:
        words = f"{high} or less" if low is None else f"{low} to {high}"
    return words.replace(" ", _TOGETHER)


# errors ---------------------------------------------------------------------------------------------------------------


def usage_line(error: Any, name: str) -> str:
    """Return the line for something typed wrong: `gotools COMMAND: what`; the help where there was nothing typed.

    error -- one of the exceptions of typer (or click) that have an exit code
    name  -- of the program and command, where the error does not know it
    """
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error.format_message())
    ctx = getattr(error, "ctx", None)
    return f"{name if ctx is None else ctx.command_path}: {_what(error, ctx)}"


def _what(error: Any, ctx: Any) -> str:
    kind, text = type(error).__name__, str(error.message)
    if kind == "NoSuchOption":
        known = [] if ctx is None else [name for param in ctx.command.get_params(ctx) for name in param.opts]
        known = [name for name in known if name.startswith("--")]
        return f"there is no option {_quoted(error.option_name)}{nearest(error.option_name, known, '; see --help')}"
    if kind == "MissingParameter":
        return f"{_hint(error)} is missing"
    if kind == "BadOptionUsage":
        needed = re.search(r"requires (an|\d+) argument", text)
        if needed:
            return f"{error.option_name} needs {'a value' if needed[1] == 'an' else f'{needed[1]} values'}"
        return f"{error.option_name} takes no value"
    if extra := re.match(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", text, re.DOTALL):
        return f"too many arguments: {_quoted(extra[1])} has no place"
    if text == "Missing command.":
        return "name a command; gotools --help lists them"
    return f"{_hint(error)}: {text}" if isinstance(error, typer.BadParameter) and _hint(error) else text


def _hint(error: Any) -> str:
    """Return the option (its long name) or argument that an error is about; "" where it is not known."""
    if isinstance(error.param_hint, str):
        return error.param_hint
    if error.param is None:
        return " / ".join(error.param_hint or ())
    param = error.param
    return str(max(param.opts, key=len) if param.param_type_name == "option" else param.metavar or param.name)


@contextmanager
def _explained(command: Any, ctx: Any, typed: Sequence[str]) -> Iterator[None]:
    """Refuse empty names of files in what was typed; explain why a value is refused."""
    try:
        yield
    except typer.BadParameter as error:
        _explain(error, command, ctx, typed)
        raise
    for param in command.params:
        source = ctx.get_parameter_source(param.name)
        typed_here = source is not None and source.name == "COMMANDLINE"
        if typed_here and _FILES.search(param.metavar or "") and "" in _texts(ctx.params[param.name]):
            raise typer.BadParameter("an empty name", ctx=ctx, param=param)


def _explain(error: Any, command: Any, ctx: Any, typed: Sequence[str]) -> None:
    """Put the reason why a value is refused in our words; where the value has no fault of type, the words stay."""
    if error.param is None or type(error).__name__ == "MissingParameter":
        return
    values, _, _ = command.make_parser(ctx).parse_args(list(typed))
    kind = _types(command).get(error.param.name)
    faults = (_fault(text, kind, error.param) for text in _texts(values.get(error.param.name)))
    error.message = next(filter(None, faults), error.message)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, list | tuple):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) else []


def _fault(text: str, kind: Any, param: Any) -> str | None:
    """Return what is wrong with a value; None where it can be read as its type and lies within its bounds."""
    if get_origin(kind) is Literal:
        return wrong_word(text, get_args(kind))
    if kind not in (int, float):
        return None
    limits = getattr(param, "type", None)
    low, high = (getattr(param, bound, getattr(limits, bound, None)) for bound in ("min", "max"))
    what = "a whole number" if kind is int else "a number"
    try:
        number = kind(text)
        right = isfinite(number) and (low is None or number >= low) and (high is None or number <= high)
    except (ValueError, OverflowError):
        right = False
    return None if right else f"{_quoted(text)} is not {what}{within(low, high)}"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "...")
