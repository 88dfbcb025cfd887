"""Arguments that many functions of the library take: paths, board sizes, ranks, and where messages go."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, get_args, get_origin

from gotools.errors import GotoolsError, wrong_word

P = ParamSpec("P")
R = TypeVar("R")
Paths = str | Path | Iterable[str | Path]
"""A file, a folder or a glob, or several of them."""
Report = Callable[[str], None]
"""Called with a line for each problem that does not stop the work, such as a broken game that is left out."""


def log(line: str) -> None:
    """Pass a line to the logger `gotools`, as a warning."""
    import logging

    logging.getLogger("gotools").warning(line)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function of the library as programs call it: a wrong word for a parameter is refused, with the nearest.

    The words are those of the parameter's type, `Literal[...]`, which its signature then shows.
    """
    inside = inspect.signature(function)
    types = {name: _type(parameter.annotation, function) for name, parameter in inside.parameters.items()}
    worded = {
        name: found for name, found in types.items() if any(get_origin(part) is Literal for part in _parts(found))
    }

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with suppress(TypeError):  # which the function raises itself, by its name
            check_words(worded, inside.bind(*args, **kwargs).arguments)
        return function(*args, **kwargs)

    shown = [
        parameter.replace(annotation=worded.get(name, parameter.annotation), default=_shown(parameter.default))
        for name, parameter in inside.parameters.items()
    ]
    call.__signature__ = inside.replace(parameters=shown)  # type: ignore[attr-defined]
    return call


def check_words(worded: Mapping[str, Any], given: Mapping[str, object]) -> None:
    """Raise GotoolsError for a value that is none of the words of its type, nor of another type that it may have.

    worded -- types by name, `Literal[...] | None`; names that are not given are passed over
    """
    for name, value in given.items():
        parts = _parts(worded.get(name, Any))
        words = [word for part in parts if get_origin(part) is Literal for word in get_args(part)]
        others = tuple(part for part in parts if isinstance(part, type))
        if words and not isinstance(value, others) and (fault := wrong_word(value, words)):
            raise GotoolsError(f"{name}: {fault}")


GoesWith = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Values of a parameter, and the parameters that only they use."""


def check_goes_with(function: Callable[..., object], given: Mapping[str, object], by: str, goes_with: GoesWith) -> None:
    """Raise GotoolsError for a value that is not the default and that only another choice uses.

    given -- the function's arguments by name; by -- the parameter that chooses
    """
    defaults = inspect.signature(function).parameters
    for choices, names in goes_with:
        for name in given.keys() & names if given[by] not in choices else ():
            if given[name] != defaults[name].default:
                raise GotoolsError(f"{name}: goes with {by} {' or '.join(choices)}")


def _type(annotation: object, function: Callable[..., object]) -> Any:
    """Return what an annotation says; Any where it names what only checkers of types import."""
    try:
        return eval(annotation, function.__globals__) if isinstance(annotation, str) else annotation
    except (NameError, TypeError):
        return Any


def _parts(found: Any) -> tuple[Any, ...]:
    return (found,) if get_origin(found) in (None, Literal) else get_args(found)


def _shown(default: object) -> object:
    """Return a default as a signature shows it: a function by its name, without an address."""
    return _Named(default.__name__) if inspect.isfunction(default) else default


class _Named(str):
    __slots__ = ()
    __repr__ = str.__str__


def listed(paths: Paths) -> list[str]:
    """Return paths as a list of texts."""
    return [str(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
