"""What a ledger is bound to: one set of labels, and one defence with its settings."""

from __future__ import annotations

import hmac

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.leaks.release.defence import Defence


def labels_fingerprint(positive: NDArray[np.bool_], key: bytes) -> str:
    """HMAC-SHA256 of the labels in order. Whoever has the key can check a guess of all labels.

    >>> same = labels_fingerprint(np.array([True, False]), b"key")
    >>> same == labels_fingerprint(np.array([True, False]), b"key")
    True
    >>> same == labels_fingerprint(np.array([True, False, False]), b"key")
    False
    """
    text = f"{len(positive)}\0".encode() + np.packbits(positive).tobytes()
    return hmac.new(key, text, "sha256").hexdigest()


def defence_settings(defence: Defence) -> str:
    """The defence and its parameters as text.

    >>> from rocsolid.leaks.release import Rounded
    >>> defence_settings(Rounded(2))
    'Rounded(decimals=2)'
    """
    if type(defence).__repr__ is object.__repr__:
        raise InputError(
            "the text of this defence does not say its settings",
            where="defence",
            value=type(defence).__name__,
            fix="make it a dataclass, or give it a __repr__ with every setting",
        )
    return repr(defence)
