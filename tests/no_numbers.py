"""What is no number, and that a function takes none of it in the place of one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

BAD: tuple[Any, ...] = ("x", True, np.True_, [0.05], float("nan"), 1j, {}, None)


def refuses_what_is_no_number(call: Callable[..., Any], given: dict[str, Any]) -> None:
    call(**given)
    defaults = inspect.signature(call).parameters
    for argument, value in given.items():
        if not isinstance(value, int | float):
            continue
        for bad in BAD:
            if bad is None and defaults[argument].default is None:
                continue
            with pytest.raises(rs.RocsolidError):
                call(**{**given, argument: bad})
