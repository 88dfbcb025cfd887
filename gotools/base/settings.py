"""Settings of a job, each written once: a field of a dataclass with its type, default, range, words and help.

A command makes its options from the fields (commands/settings_options.py), a function of the library its parameters
(`with_settings`); both are checked here, by `Settings`.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import wraps
from numbers import Integral, Real
from pathlib import PurePath
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from gotools.base.errors import GotoolsError, shown, wrong_word

R = TypeVar("R")
ABOUT: Final = "gotools"
"""Where a field keeps what is known of its setting."""
_NAMED: Final = re.compile(r"\{([a-z_]+)\}")


class SettingError(GotoolsError):
    """The name of the setting, and what is wrong with its value; "{depth}" in it names the setting `depth`."""

    def __init__(self, name: str, what: str) -> None:
        self.name, self.what = name, what
        super().__init__(f"{name}: {self.worded(str)}")

    def worded(self, written: Callable[[str], str]) -> str:
        """Return what is wrong, the names of settings as a function writes them."""
        return _NAMED.sub(lambda found: written(found[1]), self.what)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known of a setting apart from its name, type and default.

    help    -- a sentence for people; metavar -- stands for the value there; panel -- the heading in --help
    options -- how it is typed, where that is not --its-name
    least, most -- bounds of a number
    only    -- the values of other settings, by name, that it goes with
    needs   -- the name of a setting without which it has no effect
    check   -- raises GotoolsError for a value that is wrong
    typed, read -- the type of the option, where it is another one, and what makes the value of it
    shown   -- the default in words, for help
    """

    help: str
    metavar: str | None
    options: tuple[str, ...]
    panel: str | None = None
    least: float | None = None
    most: float | None = None
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)
    needs: str | None = None
    check: Callable[[Any], object] | None = None
    typed: Any = None
    read: Callable[[Any], Any] | None = None
    shown: str | None = None

    def key(self, name: str) -> str:
        """Return the key of the setting of this name in a file: --time-budget as time_budget."""
        typed = max(self.options, key=len, default=name).split("/")[0]
        return typed.lstrip("-").replace("-", "_")


def setting(default: Any, help: str, metavar: str | None = None, *options: str, **more: Any) -> Any:
    """Return a field of a class of settings; all but its default are fields of `About`."""
    about = About(help=help, metavar=metavar, options=options, **more)
    if isinstance(default, list | dict):
        return field(default_factory=default.copy, metadata={ABOUT: about})
    return field(default=default, metadata={ABOUT: about})


def like(kind: type[Settings], name: str, default: Any = MISSING, shown: str | None = None, **more: Any) -> Any:
    """Return a field like that of another class of settings, with its default or another one; shown: in words.

    more -- other fields of `About`
    """
    one = kind.__dataclass_fields__[name]
    about = one.metadata[ABOUT]
    if default is MISSING:
        return field(default=default_of(one), metadata=one.metadata)
    return field(default=default, metadata={ABOUT: replace(about, shown=shown, **more)})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a job, checked when they are made. Subclasses are frozen dataclasses of `setting`s.

    Raises SettingError for a value of a wrong type or range, a word that is not known, and a value other than the
    default of a setting that another choice does not use.
    """

    def __post_init__(self) -> None:
        for one, about, kind in described(type(self)):
            value = getattr(self, one.name)
            if fault := _fault(value, kind, about):
                raise SettingError(one.name, fault)
            if about.check is not None and value != default_of(one):
                check_value(one.name, about.check, value)
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        for one, about, _ in described(type(self)):
            if values[one.name] != default_of(one) and (fault := unused(about, values)):
                raise SettingError(one.name, fault)

    def part(self, kind: Callable[..., R], **others: Any) -> R:
        """Return another dataclass, made of the settings whose names it shares and of others."""
        names = {one.name for one in fields(kind)} - others.keys()  # type: ignore[arg-type]
        return kind(**{name: getattr(self, name) for name in names if hasattr(self, name)}, **others)


def unused(about: About, values: Mapping[str, Any]) -> str | None:
    """Return why a setting has no effect beside the others: "goes with {method} elo"; None where it has one."""
    for by, choices in about.only.items():
        if values[by] not in choices:
            return f"goes with {{{by}}} {' or '.join(choices)}"
    return f"goes with {{{about.needs}}}" if about.needs is not None and not values[about.needs] else None


_DESCRIBED: Final[dict[Any, list[tuple[Field[Any], About, Any]]]] = {}


def described(kind: type[Settings]) -> list[tuple[Field[Any], About, Any]]:
    """List the fields of a class of settings in their order, what is known of each, and its type."""
    if kind not in _DESCRIBED:
        types = get_type_hints(kind)
        _DESCRIBED[kind] = [(one, one.metadata[ABOUT], types[one.name]) for one in fields(kind)]
    return _DESCRIBED[kind]


def default_of(one: Field[Any]) -> Any:
    """Return the default of a field."""
    return one.default if one.default_factory is MISSING else one.default_factory()


def check_value(name: str, check: Callable[[Any], object], value: Any) -> Any:
    """Return what a check or a reader makes of a value; its GotoolsError becomes a SettingError."""
    try:
        return check(value)
    except SettingError:
        raise
    except GotoolsError as error:
        raise SettingError(name, str(error)) from error


def _fault(value: Any, kind: Any, about: About) -> str | None:
    """Return what is wrong with a value, None for a right one."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if value is None and type(None) in kinds:
        return None
    if fault := word_fault(value, kind):
        return fault
    if bool in kinds:
        return None if isinstance(value, bool) else f"{value!r:.100} is neither True nor False"
    numbers = {int, float} & set(kinds)
    if numbers and (isinstance(value, Real) or {*kinds} <= {int, float, type(None)}):
        return _number_fault(value, float in numbers, about)
    if kinds in ((str,), (str, type(None))) and not isinstance(value, str):
        return f"{value!r:.100} is not a text"
    return None


def word_fault(value: Any, kind: Any) -> str | None:
    """Return why a value is not one of the words of a type with `Literal[...]`; None for a right one."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    words = [word for one in kinds if get_origin(one) is Literal for word in get_args(one)]
    only_words = all(get_origin(one) is Literal or one is type(None) for one in kinds)
    if not words or (value is None and type(None) in kinds) or not (only_words or isinstance(value, str)):
        return None
    return wrong_word(value, words)


def _number_fault(value: Any, real: bool, about: About) -> str | None:
    what = "a number" if real else "a whole number"
    if isinstance(value, bool) or not isinstance(value, Real if real else Integral):
        return f"{shown(repr(value))} is not {what}"
    if not math.isfinite(value):
        return f"{value} is not a finite number"
    low, high = about.least, about.most
    if (low is None or low <= float(value)) and (high is None or float(value) <= high):
        return None
    return f"{value} is not {what}{within(low, high)}"


def within(low: float | None, high: float | None) -> str:
    """Return bounds in words: " from 0 to 1"; "" without any."""
    if low is None:
        return "" if high is None else f" up to {figure(high)}"
    return f" from {figure(low)} on" if high is None else f" from {figure(low)} to {figure(high)}"


def figure(number: float) -> str:
    """Return a number for people."""
    return f"{number:,.15g}"


def with_settings(
    kind: type[Settings], without: Collection[str] = ()
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function with a keyword parameter `settings` be called with the fields of its class as keywords instead.

    without -- fields that are no keywords, and keep their defaults

    Its signature and its documentation then list the fields; without any, all have their defaults. A function with a
    parameter `given` in place of `settings` gets only the keywords that are given, of which only words are checked: to
    override a file's.
    """
    own = {one.name: (one, about, type_) for one, about, type_ in described(kind) if one.name not in without}

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> R:
            keys = kwargs.keys() - signature.parameters.keys() if overrides else own.keys() & kwargs.keys()
            given = {name: kwargs.pop(name) for name in keys}
            given = {name: str(value) if isinstance(value, PurePath) else value for name, value in given.items()}
            if overrides:
                for name, value in given.items():
                    if fault := word_fault(value, types.get(name)):
                        raise SettingError(name, fault)
                kwargs["given"] = {**kwargs.get("given", {}), **given}
            elif "settings" not in kwargs:
                kwargs["settings"] = kind(**given)
            elif given:
                raise TypeError(f"{function.__name__}: {', '.join(sorted(given))} beside settings")
            return function(*args, **kwargs)

        signature = inspect.signature(function)
        overrides = "given" in signature.parameters
        parameters = [one for one in signature.parameters.values() if one.name not in ("settings", "given")]
        options = []
        for name, (one, about, type_) in own.items():
            default, kind_ = default_of(one), type_
            if overrides and about.read is not None:  # given as in a file
                default, kind_ = about.shown or default, about.typed or type_
            options.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind_))
        types = {one.name: one.annotation for one in options}
        split = next((k for k, one in enumerate(parameters) if one.kind is one.KEYWORD_ONLY), len(parameters))
        parameters[split:split] = options
        call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        lines = (f"    {name} -- {about.help}" for name, (_, about, _) in own.items())
        call.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Settings:", *lines])
        return call

    return decorate


# what several jobs share ----------------------------------------------------------------------------------------------


def seed_setting() -> Any:
    """Return the field of the seed."""
    return setting(0, "Seed of every random choice; the same seed, the same bytes.", least=0)


def strict_setting() -> Any:
    """Return the field that ends the work at the first broken game."""
    return setting(False, "Stop at the first broken game, with exit code 1.")


def size_setting() -> Any:
    """Return the field of the board sizes to take: a number, or several; none: any."""
    return setting(
        (), "Only this board size; may be repeated.", "N", typed=list[int] | None, read=tuple, least=2, most=19
    )
