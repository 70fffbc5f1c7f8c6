"""A refusal names limits that pass, and the least such limits."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pages.ledger"
    file.touch()
    return file


def drawn(seed: int, n: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a table, and the same table with another score."""
    random = np.random.default_rng(seed)
    truth = random.permutation(n) < n // 2
    scores = (random.permutation(n) + 2.0 * truth for _ in range(2))
    return tuple({"id": range(n), "y": truth.astype(int), "s": score} for score in scores)  # type: ignore[return-value]


def published(path: Path, table: dict[str, Any], **limits: Any) -> rs.Answer:
    given = {name: table[name] for name in ("y", "s")}
    return rs.evaluate(given, label="y", scores="s").public(ledger=path, id=table["id"], **limits)


def named(path: Path, table: dict[str, Any], **limits: Any) -> dict[str, float]:
    """Return the limits that a refusal names."""
    with pytest.raises(ExposedError) as refused:
        published(path, table, **limits)
    found = re.findall(r"(max_\w+)=([\d.]*\d)", str(refused.value))
    return {name: (float if "." in value else int)(value) for name, value in found}


def passes(path: Path, table: dict[str, Any], limits: dict[str, Any]) -> bool:
    copy = path.with_name("copy.ledger")
    shutil.copy(path, copy)
    try:
        published(copy, table, **limits)
    except ExposedError:
        return False
    return True


@pytest.mark.parametrize(("n", "limit", "names"), [
    (12, 0.9, {"max_posterior", "max_exposed"}),
    (24, 0.6, {"max_posterior", "max_exposed"}),
])  # fmt: skip
def test_a_refusal_with_a_ledger_names_the_limits_that_pass(
    path: Path, n: int, limit: float, names: set[str]
) -> None:
    """All labelings are tried with 12 rows, whose refusal is recorded, and not with 24."""
    table, other = drawn(0, n)
    published(path, table, max_posterior=1)
    given = {"max_posterior": limit}
    limits = named(path, other, **given)
    assert set(limits) == names
    for name, value in limits.items():
        less = value - (0.001 if name == "max_posterior" else 1)
        assert not passes(path, other, given | {name: less})
        assert passes(path, other, given | {name: value})


def test_a_certain_label_must_be_allowed_as_one(path: Path) -> None:
    table, _ = drawn(1, 24)
    published(path, table, max_posterior=1)
    fewer = {name: column[1:] for name, column in table.items()}
    assert named(path, fewer, max_posterior=1) == {"max_exposed": 1}
    assert passes(path, fewer, {"max_posterior": 1, "max_exposed": 1})


def test_bits_that_are_too_few_are_named(path: Path) -> None:
    table, other = drawn(3, 12)
    published(path, table)
    given = {"max_posterior": 1, "max_exposed": 11}
    (bits,) = named(path, other, **given, max_bits=5).values()
    assert not passes(path, other, given | {"max_bits": bits - 0.02})
    assert passes(path, other, given | {"max_bits": bits})


def test_a_refusal_that_only_protects_other_refusals_names_a_limit_too() -> None:
    table = {"y": [1] + [0] * 4 + [1] * 4, "s": [1] * 4 + [0] * 5}
    evaluation = rs.evaluate(table, label="y", scores="s")
    with pytest.raises(ExposedError, match="a refusal of other labels would") as refused:
        evaluation.public(max_posterior=0.8)
    found = re.search(r"max_posterior=([\d.]*\d)", str(refused.value))
    assert found is not None
    assert evaluation.public(max_posterior=float(found[1])).results
    with pytest.raises(ExposedError):
        evaluation.public(max_posterior=math.floor(1000 * float(found[1]) - 1) / 1000)
