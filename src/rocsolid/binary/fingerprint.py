"""A fingerprint of labels and scores under a secret key."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from rocsolid.errors import InputError
from rocsolid.inputs import binary_rows
from rocsolid.summaries.fingerprint import Fingerprint

_SHORTEST_KEY = 16


def fingerprint(
    y_true: Any, y_score: Any, *, key: bytes | str, sample_weight: Any = None, pos_label: Any = None
) -> str:
    """Equal for the same labelled rows in any order under the same key; otherwise noise.

    The fingerprint of every `Estimate` covers the scores of all rows and nothing else. An unkeyed
    fingerprint of labels, or of weights that may follow from them, would be an oracle: anybody
    could try labels until it fits. Here the positives' and the negatives' multiset fingerprints,
    weights included, are hashed with BLAKE2b under the key. A key that can be guessed gives the
    labels away too, so it must have at least 16 bytes; take ``secrets.token_bytes(32)``. Accidental
    collisions of N rows have probability at most N·2^−60.

    >>> a = fingerprint([1, 0], [0.7, 0.2], key="correct horse battery")
    >>> b = fingerprint([0, 1], [0.2, 0.7], key="correct horse battery")
    >>> a == b, a == fingerprint([0, 1], [0.7, 0.2], key="correct horse battery")
    (True, False)
    """
    if not isinstance(key, str | bytes | bytearray):
        raise InputError("the key must be bytes or text", value=type(key).__name__)
    secret = key.encode() if isinstance(key, str) else bytes(key)
    if len(secret) < _SHORTEST_KEY:
        raise InputError(
            f"the key must have at least {_SHORTEST_KEY} bytes, so that it cannot be guessed",
            where=f"key of {len(secret)} bytes",
            fix="use secrets.token_bytes(32) and keep it",
        )
    rows = binary_rows(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    text = hashlib.blake2b(key=hashlib.blake2b(secret).digest(), digest_size=16)
    for of_class in (rows.positive, ~rows.positive):
        part = rows.subset(np.flatnonzero(of_class))
        text.update(f"{len(part)} {Fingerprint.of(part.score, part.weight)};".encode())
    return text.hexdigest()
