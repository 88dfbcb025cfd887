"""Arguments that many functions of the library take: paths, words, and where messages go."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from gotools.errors import GotoolsError
from gotools.settings import word_fault

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
    worded = {name: kind for name, kind in types.items() if "Literal[" in str(kind)}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with suppress(TypeError):  # which the function raises itself, by its name
            for name, value in inside.bind(*args, **kwargs).arguments.items():
                if name in worded and (fault := word_fault(value, worded[name])):
                    raise GotoolsError(f"{name}: {fault}")
        return function(*args, **kwargs)

    shown = [
        parameter.replace(annotation=worded.get(name, parameter.annotation), default=_shown(parameter.default))
        for name, parameter in inside.parameters.items()
    ]
    call.__signature__ = inside.replace(parameters=shown)  # type: ignore[attr-defined]
    return call


def _type(annotation: object, function: Callable[..., object]) -> Any:
    """Return the type of an annotation; Any if it names what is imported for type checkers only."""
    try:
        return eval(annotation, function.__globals__) if isinstance(annotation, str) else annotation
    except (NameError, TypeError):
        return Any


def _shown(default: object) -> object:
    """Return a default as a signature shows it: a function by its name, without an address."""
    return _Named(default.__name__) if inspect.isfunction(default) else default


class _Named(str):
    __slots__ = ()
    __repr__ = str.__str__


def listed(paths: Paths) -> list[str]:
    """Return paths as a list of texts."""
    return [str(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
