"""Options made from the settings of a job (gotools/base/settings.py), so that each is written once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import Field
from functools import wraps
from types import NoneType
from typing import Annotated, Any, Final, Literal, NoReturn, get_args, get_origin

import typer

from gotools.base.settings import About, SettingError, Settings, check_value, default_of, described, unused
from gotools.commands.completion import completion_of
from gotools.commands.options import is_typed

PLACES: Final = ("settings", "given")


def takes_settings(
    kind: type[Settings],
    without: Collection[str] = (),
    shown: Collection[str] | None = None,
    panel: str | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for each field of a class of settings, in the place of its parameter `settings`.

    without -- fields without an option, which keep their defaults
    shown   -- fields whose options stand in --help; None: all
    panel   -- the heading in --help of those that have none of their own

    A command with a parameter `given` in that place gets only what was typed, as typed, by name: to override the
    settings of a file. A SettingError, in the command too, is wrong usage of the option; so is an option
    that another choice does not use.
    """
    known = [one for one in described(kind) if one[0].name not in without]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)

        @wraps(command)
        def call(context: typer.Context, **values: Any) -> None:
            typed = {one.name: values.pop(one.name) for one, _, _ in known}
            if "context" in signature.parameters:
                values["context"] = context
            with _as_usage(context):
                if "given" in signature.parameters:
                    command(given={name: typed[name] for name in typed if is_typed(context, name)}, **values)
                else:
                    command(settings=_settings(context, kind, typed), **values)

        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        parameters = [context]
        for parameter in signature.parameters.values():
            if parameter.name == "context":
                continue
            own = [parameter]
            if parameter.name in PLACES:
                own = [_parameter(*one, panel, shown is not None and one[0].name not in shown) for one in known]
            parameters += [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own]
        call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        del call.__wrapped__  # typer would look through it, at the parameter `settings`
        call.__annotations__ = {one.name: one.annotation for one in parameters}
        return call

    return decorate


def _parameter(one: Field[Any], about: About, kind: Any, panel: str | None, hidden: bool) -> inspect.Parameter:
    """Return the parameter of a command that typer makes an option of."""
    default = None if about.read is not None else default_of(one)
    bounded = (about.typed or kind) in (int, float, int | None, float | None, list[int] | None)
    shown: bool | str = about.shown or False if about.shown is not None else default not in (None, "")
    if kind in (bool, bool | None):
        names = about.options or (f"--{typed_name(one.name)}",)
        if default and not about.options:
            names = (f"{names[0]}/--no-{typed_name(one.name)}",)
    else:
        names = about.options
    option = typer.Option(
        *names,
        metavar=about.metavar or _metavar(about.typed or kind),
        help=about.help,
        min=about.least if bounded else None,
        max=about.most if bounded else None,
        show_default=shown,
        rich_help_panel=about.panel or panel,
        hidden=hidden,
        autocompletion=completion_of(one.name),
    )
    annotation: Any = Annotated[about.typed or kind, option]
    return inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _metavar(kind: Any) -> str | None:
    """Return what stands for a value of a type in help: its words, N or X; None leaves it to typer."""
    if get_origin(kind) is Literal:
        return "|".join(get_args(kind))
    plain = [one for one in get_args(kind) if one is not NoneType]
    return _metavar(plain[0]) if len(plain) == 1 else {int: "N", float: "X", str: "TEXT"}.get(kind)


def print_help_of(context: typer.Context, defaults: Mapping[str, str], kind: type[Settings]) -> NoReturn:
    """Print the help of a command with the options of some settings of a class and their defaults in words, and exit.

    Options that are not of settings are shown as ever.
    """
    others = {one.name for one, _, _ in described(kind)} - defaults.keys()
    command = copy(context.command)
    command.params = [copy(param) for param in command.params if param.name not in others]
    for param in command.params:
        if param.name in defaults:
            param.hidden, param.show_default = False, defaults[param.name] or False  # type: ignore[attr-defined]
    typer.echo(command.get_help(context))
    raise typer.Exit


def typed_name(name: str) -> str:
    """Return the name of a setting as it is typed, without the dashes before it."""
    return name.replace("_", "-")


def _settings(context: typer.Context, kind: type[Settings], typed: dict[str, Any]) -> Settings:
    """Return the settings that were typed. Raises SettingError."""
    values = {one.name: default_of(one) for one, _, _ in described(kind)} | typed
    for one, about, _ in described(kind):
        if about.read is not None and one.name in typed:
            empty = typed[one.name] in (None, [])
            values[one.name] = default_of(one) if empty else check_value(one.name, about.read, typed[one.name])
    for one, about, _ in described(kind):
        if is_typed(context, one.name) and (fault := unused(about, values)):
            raise SettingError(one.name, fault)
    return kind(**values)


@contextmanager
def _as_usage(context: typer.Context) -> Iterator[None]:
    """Turn the error of a setting into typer.BadParameter, with the option's name."""
    try:
        yield
    except SettingError as error:
        what = error.worded(lambda name: option_words(context, name).partition("/")[0])
        raise typer.BadParameter(what, param_hint=option_words(context, error.name)) from error


def option_words(context: typer.Context, name: str) -> str:
    """Return a parameter as it is typed: --noise, --advantage/--no-advantage."""
    (param,) = (param for param in context.command.params if param.name == name)
    return "/".join(max(words, key=len) for words in (param.opts, param.secondary_opts) if words)
