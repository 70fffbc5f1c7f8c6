"""Submitted tables, checked against the list of rows and sorted in its order."""

from __future__ import annotations

import importlib.util
import secrets
from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError, MissingExtraError, OneClassError
from rocsolid.inputs.arrays import scores
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.row_ids import row_ids
from rocsolid.inputs.tables import read_table

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


_SHOWN = 5


def scores_of(
    source: Any, row_of: Mapping[str, int], *, key: str, score: str
) -> NDArray[np.floating[Any]]:
    """Return the scores of a table, which must have exactly the rows that ``row_of`` numbers.

    Error messages do not depend on the labels or on the numbers, which may follow them.

    >>> scores_of({"id": ["b", "a"], "s": [0.2, 0.7]}, {"a": 0, "b": 1}, key="id", score="s")
    array([0.7, 0.2])
    """
    try:
        table = read_table(source, numbers=[score], keys=[key])
        values = scores(table[score], name=f"column {score!r}", rows=table.rows)
    except InputError as error:
        raise _for_submitters(error, key, score) from error
    ids = row_ids(table[key], f"column {key!r}")
    rows = np.fromiter(map(row_of.get, ids, repeat(-1)), dtype=np.intp, count=len(ids))
    if len(ids) != len(row_of) or rows.min() < 0:
        missing = sorted(row_of.keys() - set(ids))
        unknown = [row_id for row_id in ids if row_id not in row_of]
        what = f"no score for {listed(missing, _SHOWN)}" if missing else ""
        more = f"unknown rows: {listed(unknown, _SHOWN)}" if unknown else ""
        raise InputError(
            "; ".join(filter(None, (what, more))),
            where=f"column {key!r}",
            fix=f"give one score for each of the {len(row_of):,} rows",
        )
    ordered = np.empty_like(values)
    ordered[rows] = values
    return ordered


def numbered(ids: Iterable[str]) -> dict[str, int]:
    return {row_id: row for row, row_id in enumerate(ids)}


def _for_submitters(error: InputError, key: str, score: str) -> InputError:
    """Replace the fix of an error with advice for a team, which cannot leave rows out."""
    if error.what.startswith("there is no column"):
        fix = f"name the two columns {key!r} and {score!r}"
    elif error.fix is not None and 'nan="omit"' in error.fix:
        fix = "give each row a score"
    else:
        return error
    return InputError(error.what, where=error.where, fix=fix)


def public_key(secret: bytes) -> str:
    """Return the Ed25519 public key of a 32-byte secret.

    >>> secret = bytes(32)
    >>> is_signed(public_key(secret), "text", sign(secret, "text"))
    True
    """
    return _private(secret).public_key().public_bytes_raw().hex()


def sign(secret: bytes, text: str) -> str:
    return _private(secret).sign(text.encode()).hex()


def is_signed(public: str, text: str, signature: str) -> bool | None:
    """Return whether the signature is valid, or `None` without the package cryptography."""
    if not _has_cryptography():
        return None
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _private(secret: bytes) -> Ed25519PrivateKey:
    if not _has_cryptography():
        raise MissingExtraError(
            "signed receipts need the package cryptography, which is not installed",
            fix="pip install cryptography, or make a board without signatures",
        )
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret)


def _has_cryptography() -> bool:
    return importlib.util.find_spec("cryptography") is not None


def public_rows(positive: NDArray[np.bool_], given: Any) -> NDArray[np.bool_]:
    """Return the rows that a column marks as public, or a random share of each class.

    >>> public_rows(np.array([True, False] * 2), ["Public", "public", "private", "private"])
    array([ True,  True, False, False])
    """
    public = _drawn(positive, given) if np.ndim(given) == 0 else _marked_public(given)
    if any(len(np.unique(positive[part])) < 2 for part in (public, ~public)):
        raise OneClassError("public rows and private rows each need both classes", where="public")
    return public


def _marked_public(column: Any) -> NDArray[np.bool_]:
    parts = np.asarray([str(value).casefold() for value in column])
    for value in parts[~np.isin(parts, ("public", "private"))]:
        raise InputError("a row must be public or private", where="public", value=str(value))
    return np.asarray(parts == "public")


def _drawn(positive: NDArray[np.bool_], share: Any) -> NDArray[np.bool_]:
    if not (is_number(share) and 0 < share < 1):
        raise InputError(
            "the share of public rows must lie between 0 and 1",
            where="public",
            value=share,
            fix="give a number such as 0.3, or the column with public or private",
        )
    random = np.random.default_rng(secrets.randbits(128))
    public = np.zeros(len(positive), dtype=bool)
    for rows in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        public[random.choice(rows, round(share * len(rows)), replace=False)] = True
    return public
