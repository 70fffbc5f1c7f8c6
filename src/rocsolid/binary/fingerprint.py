"""Keyed fingerprints of labelled rows, and AUCs against true labels from noisy ones."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.binary import binary_rows
from rocsolid.remarks.labels import CutToRange, NoiseUndone
from rocsolid.remarks.remark import Remark
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import Fingerprint

_SHORTEST_KEY = 16


def fingerprint(
    y_true: Any, y_score: Any, *, key: bytes | str, sample_weight: Any = None, pos_label: Any = None
) -> str:
    """Return a text that is equal for the same labelled rows, in any order, under the same key.

    Without a key, a fingerprint of labels, or of weights that depend on labels, would let anyone
    test guesses of the labels. A key that can be guessed would reveal the labels too, so the key
    must have at least 16 bytes, such as ``secrets.token_bytes(32)``. Accidental collisions of N
    rows have probability at most N·2^−60.

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


ASSUMPTION = "label errors independent of the score given the class, at exactly the stated rates"


def undo_label_noise(
    estimate: Estimate, *, wrong_positives: float, wrong_negatives: float
) -> Estimate:
    """Return the AUC against true labels, from an AUC against partly wrong labels.

    ``wrong_positives`` is a, the share of rows *labelled positive* that are truly negative, and
    ``wrong_negatives`` is b, the share of rows *labelled negative* that are truly positive. An
    audit of labelled rows estimates both rates; they are not the rates at which true labels flip.
    If errors do not depend on the score given the true class, A_noisy − ½ = (1−a−b)(A − ½). The
    function applies the inverse to the value and the limits, so the interval keeps its level and
    its width grows by 1/(1−a−b). Limits and values outside [0, 1] are cut, values with a warning;
    if the whole interval lies outside, the rates are rejected. If errors are more likely for scores
    near the other class, which is common, the correction is too small.

    >>> from rocsolid import auc
    >>> noisy = auc([0] * 50 + [1] * 50, list(range(30, 80)) + list(range(50, 100)))
    >>> true = undo_label_noise(noisy, wrong_positives=0.1, wrong_negatives=0.05)
    >>> round(noisy.value, 4), round(true.value, 4)
    (0.82, 0.8765)
    """
    a = _rate(wrong_positives, "wrong_positives")
    b = _rate(wrong_negatives, "wrong_negatives")
    kept = 1.0 - a - b
    if kept <= 0.0:
        raise UnsoundError(
            "with these error rates the labels are uninformative, or opposite to the truth",
            where="wrong_positives + wrong_negatives",
            value=a + b,
            fix="the two shares must add up to less than 1",
        )
    if not isinstance(estimate, Estimate) or estimate.measure != "auc":
        raise InputError(
            "label noise can be undone for the AUC only",
            where="estimate",
            value=getattr(estimate, "measure", estimate),
            fix="pass the result of rocsolid.auc",
        )
    value = _true(estimate.value, kept)
    least, most = 0.5 - kept / 2, 0.5 + kept / 2
    if estimate.interval.low > most or estimate.interval.high < least:
        raise UnsoundError(
            f"the data contradict these rates, which allow an AUC against noisy labels from "
            f"{least:.4f} to {most:.4f}: it is {estimate.value:.4f}, {estimate.interval}",
            where="wrong_positives, wrong_negatives",
            value=(a, b),
            fix="the rates are too high, or the errors depend on the score; audit more labels",
        )
    cut: list[Remark] = []
    if not 0.0 <= value <= 1.0:
        value = _cut(value)
        cut.append(CutToRange(estimate.value, least, most, value))
    return replace(
        estimate,
        value=value,
        interval=_undone(estimate.interval, kept),
        certified=None if estimate.certified is None else _undone(estimate.certified, kept),
        std_error=None if estimate.std_error is None else estimate.std_error / kept,
        ratio=None,
        warnings=(*estimate.warnings, *cut, NoiseUndone(a, b)),
        settings={**estimate.settings, "wrong_positives": a, "wrong_negatives": b},
    )


def _rate(rate: float, name: str) -> float:
    if not (isinstance(rate, Real) and 0.0 <= rate < 1.0):
        raise InputError("a share of wrong labels lies in [0, 1)", where=name, value=rate)
    return float(rate)


def _true(noisy: float, kept: float) -> float:
    return 0.5 + (noisy - 0.5) / kept


def _undone(interval: Interval, kept: float) -> Interval:
    return replace(
        interval,
        low=_cut(_true(interval.low, kept)),
        high=_cut(_true(interval.high, kept)),
        assumptions=(*interval.assumptions, ASSUMPTION),
    )


def _cut(auc: float) -> float:
    return min(max(auc, 0.0), 1.0)
