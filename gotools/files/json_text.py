"""Values as JSON that every program reads: where JSON has no number (nan, inf), there is null."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any, **layout: Any) -> str:
    """Return a value as JSON, with null for a number that JSON does not have; layout -- what `json.dumps` takes."""
    try:
        return json.dumps(value, allow_nan=False, **layout)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, **layout)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
