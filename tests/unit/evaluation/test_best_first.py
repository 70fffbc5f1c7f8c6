"""Of many pairs the terminal and the page show first those that decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsolid.answer.tables import best_first
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table

NAMES = [f"m{at:02d}" for at in range(12)]


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """The later the better: in the order of the file the pairs among the best come last."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3 == 0
    base = rng.normal(size=300)
    return {"y": y.astype(int)} | {
        name: base + y * (0.3 + 0.1 * at) + 0.3 * rng.normal(size=300)
        for at, name in enumerate(NAMES)
    }


def test_pairs_with_the_best_are_always_printed(
    data: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    rows = zip(*(column.tolist() for column in data.values()), strict=True)
    path.write_text("\n".join([",".join(data), *(",".join(map(str, row)) for row in rows)]))
    words = [word for name in NAMES for word in ("--score", name)]
    assert run(["compare", str(path), "--label", "y", "--more", *words]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    pairs = [{line[0], line[1]} for line in lines if len(line) > 4 and {*line[:2]} <= set(NAMES)]
    values = [
        line[0] for line in lines if len(line) == 7 and line[0] in NAMES and line[1] not in NAMES
    ]
    assert len(pairs) == 60
    assert len(values) == 12
    for other in values[1:]:
        assert {values[0], other} in pairs
    for at, one in enumerate(values[:7]):
        assert all({one, other} in pairs for other in values[at + 1 : 7])
    assert pairs[0] == set(values[:2])


def test_the_page_begins_with_the_best(data: dict[str, Any]) -> None:
    found = compare_table(data, label="y", scores=NAMES)
    comparison = found.comparisons[None]
    order = sorted(NAMES, key=lambda name: -comparison.estimates[name].value)
    values, pairs, *_ = found.blocks()
    assert [row[0] for row in values.cells.rows] == order
    assert [{*row[:2]} for row in pairs.cells.rows[:11]] == [{order[0], b} for b in order[1:]]
    page = found.to_html()
    assert page.index(f">{order[0]}<") < page.index(f">{order[1]}<")


def test_numbers_move_with_their_names(data: dict[str, Any]) -> None:
    found = compare_table(data, label="y", scores=NAMES[:4], margin=0.05).comparisons[None]
    turned = best_first(found)
    assert {(one.a, one.b): one for one in found.pairs} == {
        (one.a, one.b): one for one in turned.pairs
    }
    for pair, decision in zip(turned.pairs, turned.equivalence, strict=True):
        assert (pair.a, pair.b) == (decision.a, decision.b)
    names = list(found.estimates)
    at = [names.index(name) for name in turned.estimates]
    assert (turned.covariance == found.covariance[np.ix_(at, at)]).all()
    assert [each["a"] for each in found.to_dict()["pairs"]] == [one.a for one in found.pairs]
