"""Results written as JSON by one rule."""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocsolid
from rocsolid.results.plain import Plain, entries, plain


@dataclass(frozen=True, slots=True)
class Inner(Plain):
    low: float
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outer(Plain):
    hidden: str
    inner: Inner
    by_name: dict[str, Inner]
    _json = "twice inner low=inner.low by_name"

    @property
    def twice(self) -> float:
        return 2 * self.inner.low


def test_fields_stand_in_their_order_unless_others_are_listed() -> None:
    inner = Inner(math.inf, (0.5, math.nan))
    assert list(inner.to_dict().items()) == [("low", None), ("shares", [0.5, None])]
    outer = Outer("secret", inner, {"a": Inner(1.0, ())})
    assert list(outer.to_dict()) == ["twice", "inner", "low", "by_name"]
    assert outer.to_dict()["inner"] == {"low": None, "shares": [0.5, None]}
    assert outer.to_dict()["by_name"] == {"a": {"low": 1.0, "shares": []}}


def test_numbers_of_every_kind() -> None:
    assert plain(np.array([[0.25, np.nan], [np.inf, -np.inf]])) == [[0.25, None], [None, None]]
    assert plain([True, 2**70, Fraction(2, 6), None, "x"]) == [True, 2**70, "1/3", None, "x"]
    assert plain({1: np.array([1, 2]), "b": (1.5,)}) == {1: [1, 2], "b": [1.5]}


def test_numbers_that_were_taken_from_arrays() -> None:
    assert plain([np.int64(3), np.bool_(True), np.float32(np.inf), np.float16(0.5)]) == [
        3, True, None, 0.5,
    ]  # fmt: skip
    y, s = np.arange(60) % 3, np.arange(60.0)
    found = rocsolid.auc(y, s, pos_label=y.max(), level=np.float32(0.5))
    assert json.loads(json.dumps(found.to_dict()))["settings"]["pos_label"] == 2
    both = rocsolid.compare(y == 1, {"a": s, "b": -s}, margin=np.float32(0.5))
    assert json.loads(json.dumps(both.to_dict()))["settings"]["margin"] == 0.5


def written_classes(base: type[Plain] = Plain) -> Iterator[type[Plain]]:
    for cls in base.__subclasses__():
        yield cls
        yield from written_classes(cls)


def test_every_listed_name_is_an_attribute() -> None:
    optional = ("rocsolid.engines", "rocsolid.cli", "rocsolid.__main__")
    for module in pkgutil.walk_packages(rocsolid.__path__, "rocsolid."):
        if not module.name.startswith(optional):
            importlib.import_module(module.name)
    checked = [cls for cls in written_classes() if cls.__module__.startswith("rocsolid.")]
    for cls in checked:
        known = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        for _, path, _ in entries(cls._json):
            first = path.partition(".")[0]
            assert first in known or hasattr(cls, first), (cls, path)
    assert len(checked) > 50


def test_one_helper_writes_the_sizes_of_classes() -> None:
    """Else a class of one row has "1 positives"."""
    root = Path(rocsolid.__file__).parent
    plural = re.compile(r"\{[^{}(]*n_(?:pos|neg)(?::[,g]*)?\} (?:positives|negatives)\b")
    written = {
        str(file.relative_to(root))
        for file in root.rglob("*.py")
        if plural.search(file.read_text("utf-8"))
    }
    assert not written


def test_a_class_of_one_row_is_singular() -> None:
    with pytest.raises(rocsolid.UnsoundError, match=r"\(AUC 1 from 1 positive, 2 negatives\)"):
        rocsolid.auc([1, 0, 0], [3, 2, 1], interval="delong")
