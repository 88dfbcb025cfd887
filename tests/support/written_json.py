"""JSON that gotools wrote: read, and compared with its schema, wherever a test reads some."""

from __future__ import annotations

import json
from typing import Any

from gotools.files.kinds import kind_of
from gotools.files.validating import faults


def read_json(text: str | bytes) -> Any:
    """Return the value of JSON of a kind that has a schema, or of a game's line of a journal."""
    value = json.loads(text, parse_constant=_refuse)
    schema = kind_of(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")).schema
    wrong = list(faults(value, schema or "journal-1"))
    assert not wrong, wrong
    return value


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")
