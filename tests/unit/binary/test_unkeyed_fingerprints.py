"""No fingerprint without a key depends on labels, nor on what labels may have chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(4)
N = 60
SCORE, OTHER = RNG.normal(size=N).round(2), RNG.normal(size=N)
COLUMNS = RNG.normal(size=(N, 3))
CLASSES = np.arange(N) % 3
PLACE = np.arange(N) % 2


def class_weights(y: np.ndarray) -> np.ndarray:
    """What scikit-learn calls "balanced"."""
    return (len(y) / (2.0 * np.bincount(y)))[y]


def table(y: np.ndarray) -> dict[str, Any]:
    """Segments and weights that follow from the labels."""
    return {"y": y, "a": SCORE, "b": OTHER, "arm": PLACE ^ y, "weight": class_weights(y)}


def evaluated(y: np.ndarray, **more: Any) -> Any:
    return rs.evaluate(table(y), label="y", scores=["a", "b"], **more)


PRINTED: dict[str, Callable[[np.ndarray], Any]] = {
    "auc": lambda c: rs.auc(c == 0, SCORE),
    "class weights": lambda c: rs.auc(c == 0, SCORE, sample_weight=class_weights(1 * (c == 0))),
    "partial": lambda c: rs.partial_auc(
        c == 0, SCORE, fpr=0.5, sample_weight=class_weights(1 * (c == 0))
    ),
    "several classes, ovr": lambda c: rs.multiclass_auc(c, COLUMNS),
    "several classes, ovo": lambda c: rs.multiclass_auc(c, COLUMNS, scheme="ovo"),
    "concordance": lambda c: rs.concordance(c, SCORE, sample_weight=1.0 + c),
    "compare": lambda c: rs.compare(
        c == 0, {"a": SCORE, "b": OTHER}, sample_weight=class_weights(1 * (c == 0))
    ),
    "segments": lambda c: evaluated(1 * (c == 0), by="arm"),
    "weights in segments": lambda c: evaluated(1 * (c == 0), by="arm", sample_weight="weight"),
}


def fingerprints(data: Any) -> list[str]:
    """All there are in what a result prints as JSON, in order."""
    if isinstance(data, dict):
        own = [data["fingerprint"]] if "fingerprint" in data else []
        return own + [one for value in data.values() for one in fingerprints(value)]
    if isinstance(data, list):
        return [one for value in data for one in fingerprints(value)]
    return []


@pytest.mark.parametrize("name", PRINTED)
def test_a_fingerprint_is_the_same_whatever_the_labels(name: str) -> None:
    shuffled = RNG.permutation(CLASSES)
    one, other = (fingerprints(PRINTED[name](c).to_dict()) for c in (CLASSES, shuffled))
    assert one
    assert one == other


@pytest.mark.parametrize("name", PRINTED)
def test_it_still_covers_the_scores(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprints(PRINTED[name](CLASSES).to_dict())
    for column in ("SCORE", "OTHER", "COLUMNS"):
        monkeypatch.setitem(globals(), column, globals()[column] + 0.5)
    after = fingerprints(PRINTED[name](CLASSES).to_dict())
    assert not set(before) & set(after)
