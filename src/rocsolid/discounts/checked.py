"""What values of a discount may be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError


def checked(values: Any, where: str) -> NDArray[np.float64]:
    """Finite values, none negative, none above the one before it, and the first above zero."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("a discount is not a number", where=where, value=values) from None
    bad = np.flatnonzero(~(np.isfinite(found) & (found >= 0.0)))
    if bad.size:
        raise InputError(
            f"a discount is finite and not negative; at rank {bad[0] + 1} it is not",
            where=where,
            value=float(found[bad[0]]),
        )
    rising = np.flatnonzero(np.diff(found) > 0.0)
    if rising.size:
        at = int(rising[0])
        raise InputError(
            f"a discount must not increase: it is {found[at]:g} at rank {at + 1} and "
            f"{found[at + 1]:g} at rank {at + 2}",
            where=where,
            fix="a later rank cannot count more than an earlier one",
        )
    if found.size and found[0] == 0.0:
        raise InputError("a discount that is zero everywhere measures nothing", where=where)
    return found
