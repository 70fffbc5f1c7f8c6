"""Rows on which checks appear or do not, for the tests of the checks by topic."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsolid as rs

Y = [0, 1] * 30
S = [(7 * i) % 60 + 9 * (i % 2) for i in range(60)]
T = [(11 * i) % 60 + 9 * (i % 2) for i in range(60)]
PAIRS = [i // 2 for i in range(60)]

BOTH = {"a": S, "b": T}


def codes(result: Any) -> set[str]:
    return {one.code for one in result.checks}


def auc(y: Any = None, s: Any = None, **more: Any) -> Any:
    return rs.auc(Y if y is None else y, S if s is None else s, **more)


def compare(scores: Any = None, **more: Any) -> Any:
    return rs.compare(more.pop("y", Y), BOTH if scores is None else scores, **more)


def evaluate(table: dict[str, Any], **more: Any) -> Any:
    more.setdefault("scores", "s")
    return rs.evaluate(table, label="y", **more)


def draws(seed: int, count: int = 40) -> list[float]:
    found: list[float] = np.random.default_rng(seed).random(count).tolist()
    return found
