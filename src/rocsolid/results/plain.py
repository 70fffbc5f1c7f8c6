"""Keys of queries and segments as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain_key(value: Any) -> Any:
    """A number or text; whatever JSON has no word for, a date or an infinity, becomes its text.

    >>> import datetime
    >>> plain_key(np.int64(3)), plain_key(datetime.date(2024, 5, 1)), plain_key(float("inf"))
    (3, '2024-05-01', 'inf')
    """
    found = value.item() if isinstance(value, np.generic) else value
    if isinstance(found, str | int) or (isinstance(found, float) and math.isfinite(found)):
        return found
    return str(found)


def plain_segment(by: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A segment's columns and values; all rows stay ``None``."""
    return None if by is None else {name: plain_key(value) for name, value in by.items()}
