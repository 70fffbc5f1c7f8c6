"""The whole page of many scores stays small enough to be sent by post."""

from __future__ import annotations

import re

import numpy as np

import rocsolid as rs


def test_twenty_scores_stay_below_400_kilobytes() -> None:
    """With every section that twenty scores bring; the size hardly grows with the rows.

    A page of 10⁶ rows was no larger than one of 2·10⁴.
    """
    rng = np.random.default_rng(0)
    rows = 20_000
    y = (rng.random(rows) < 0.1).astype(int)
    base = rng.normal(size=rows) + 1.2 * y
    names = [f"model_{i:02d}" for i in range(20)]
    table = {name: base + (0.3 + 0.02 * i) * rng.normal(size=rows) for i, name in enumerate(names)}
    page = rs.evaluate({"y": y, **table}, label="y", scores=names).to_html()
    assert len(page.encode()) < 400_000
    titles = re.findall("<h2>(.*?)</h2>", page)
    assert {"Scores compared", "How much more data would help"} < set(titles)
