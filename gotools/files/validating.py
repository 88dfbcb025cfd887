"""Compare files of JSON with the schemas in schemas/, which other programs may use too: `gotools show --validate`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from gotools.base.errors import FileFormatError, MissingTool, shown
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import head_of, read_bytes

FOLDER: Final = Path(__file__).with_name("schemas")
_LINES: Final = (Kind.journal, Kind.moves)
"""Kinds whose lines are values of JSON, each for itself."""


def schema_of(name: str) -> dict[str, Any]:
    """Return a schema (JSON Schema, draft 2020-12) by its name, which ends with its version."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return found


def faults(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yield in what a value of JSON does not fit a schema: the place (engines[0].elo), and what is wrong there.

    Raises MissingTool without the package jsonschema.
    """
    for fault in _validator(name).iter_errors(value):
        yield fault.json_path.removeprefix("$").removeprefix(".") or "the whole", shown(fault.message, 200)


@cache
def _validator(name: str) -> Any:
    try:
        from jsonschema import Draft202012Validator
        from referencing import Registry, Resource
    except ImportError as error:
        raise MissingTool("jsonschema, which --validate needs,", "`pip install jsonschema`") from error
    journal = schema_of("journal-1")  # which summary-1 refers to
    return Draft202012Validator(schema_of(name), registry=Resource.from_contents(journal) @ Registry())


def validate(path: str) -> str:
    """Return the name of the schema that a file of JSON fits.

    Raises FileFormatError with the line of a journal or the place in another file for the first fault, and for a file
    of a kind that has no schema.
    """
    head = head_of(path)
    kind = kind_of(head)
    if not kind.schema or not head.lstrip().startswith(b"{"):
        raise wrong_kind(path, head, "JSON that gotools writes")
    data = read_bytes(path)
    parts = enumerate(data.splitlines(), 1) if kind in _LINES else [(None, data)]
    for line, part in parts:
        try:
            value = json.loads(part, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise FileFormatError(path, line, f"not whole JSON: {shown(error)}") from error
        for place, what in faults(value, kind.schema):
            raise FileFormatError(path, line, f"{place}: {what}")
    return kind.schema


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
