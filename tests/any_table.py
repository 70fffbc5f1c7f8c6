"""Tables of any kind, every measure, and whether two answers are one: for random commands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import rocsolid as rs

MEASURES = (
    *(one.example for one in rs.measures.table() if one.of == "rows"),
    "partial_auc(recall>=0.8)", "precision@5", "recall@5", "pr_auc(davis-goadrich)",
    "pr_auc(prevalence=classes)",
)  # fmt: skip
"""Every measure of rows that there is, and cuts that small tables have."""


def table(rng: np.random.Generator) -> dict[str, Any]:
    """Rows of any kind: few, of one class, tied, constant, perfect, with a score missing."""
    n = int(rng.choice([2, 3, 5, 8, 12, 30, 80, 200]))
    y = (rng.random(n) < rng.choice([0.5, 0.2, 0.05])).astype(int)
    if rng.random() < 0.85:
        y[:2] = 1, 0

    def score() -> np.ndarray[Any, Any]:
        found = rng.normal(size=n) + y * rng.choice([0.0, 1.0, 3.0, 20.0])
        made = (found, found.round(), np.full(n, 3.7), (found > 0.0).astype(float))
        return made[rng.integers(len(made))]

    columns = {"y": y, "a": score(), "b": score(), "c": score()}
    if rng.random() < 0.1:
        columns["a"][rng.integers(n)] = np.nan
    return columns | {
        "w": rng.random(n) + 0.01,
        "g": np.char.add("g", rng.integers(0, max(2, n // 4), n).astype(str)),
        "s": rng.choice(["u", "v"], n),
        "f": rng.integers(0, 4, n),
        "k": np.arange(n) % rng.choice([2, 3, 5]),
    }


def write(columns: dict[str, Any], rng: np.random.Generator) -> None:
    """Here as t.parquet and t.csv, and with its rows in another order as mixed.parquet."""
    rows = pa.table(columns)
    pa.parquet.write_table(rows, "t.parquet")
    pa.csv.write_csv(rows, "t.csv")
    pa.parquet.write_table(rows.take(rng.permutation(len(rows))), "mixed.parquet")


def apart(one: Any, other: Any, at: str = "") -> str:
    """Where two answers differ by more than rounding; the empty text if nowhere."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(str(i), *both) for i, both in enumerate(zip(one, other, strict=True))]
    elif isinstance(one, float) and isinstance(other, float | int):
        return (
            "" if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) else f"{at}: {one} {other}"
        )
    else:
        return "" if one == other else f"{at}: {one!r} {other!r}"
    same = ("source", "engine", "fingerprint")
    return next(
        (found for key, a, b in pairs if key not in same if (found := apart(a, b, f"{at}/{key}"))),
        "",
    )
