"""Which rows are answered, where the rest decide the final standings."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError, OneClassError


def public_rows(positive: NDArray[np.bool_], given: Any) -> NDArray[np.bool_]:
    """The rows that a column calls public, or a share of each class, drawn at random.

    >>> public_rows(np.array([True, False] * 2), ["Public", "public", "private", "private"])
    array([ True,  True, False, False])
    """
    public = _drawn(positive, given) if np.ndim(given) == 0 else _named(given)
    if any(len(np.unique(positive[part])) < 2 for part in (public, ~public)):
        raise OneClassError("public and private rows need both classes each", where="public")
    return public


def _named(column: Any) -> NDArray[np.bool_]:
    found = np.asarray([str(one).casefold() for one in column])
    for one in found[~np.isin(found, ("public", "private"))]:
        raise InputError("a row is public or private", where="public", value=str(one))
    return np.asarray(found == "public")


def _drawn(positive: NDArray[np.bool_], share: Any) -> NDArray[np.bool_]:
    if not (is_number(share) and 0 < share < 1):
        raise InputError(
            "the share of public rows is between 0 and 1",
            where="public",
            value=share,
            fix="give a number such as 0.3, or the column that says public or private",
        )
    random = np.random.default_rng(secrets.randbits(128))
    public = np.zeros(len(positive), dtype=bool)
    for rows in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        public[random.choice(rows, round(share * len(rows)), replace=False)] = True
    return public
