"""Bootstrap intervals of score columns in a table, over all rows and by segment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.questions import screening

DATA = screening(1_200)
ASK: dict[str, Any] = {"interval": "bootstrap", "resamples": 200, "seed": 5, "scheme": "plain"}


def test_it_is_rs_auc_and_rs_partial_auc_on_each_part() -> None:
    result = rs.evaluate(
        DATA, label="ill", scores="risk", by="hospital",
        measures=["auc", "partial_auc(fpr<=0.3)"], **ASK,
    )  # fmt: skip
    assert not result.skipped
    for found in result.results:
        rows = slice(None) if found.by is None else DATA["hospital"] == found.by["hospital"]
        y, s = DATA["ill"][rows], DATA["risk"][rows]
        alone = (
            rs.auc(y, s, **ASK) if found.measure == "auc" else rs.partial_auc(y, s, fpr=0.3, **ASK)
        )
        assert (found.value, found.interval) == (alone.value, alone.interval)
        assert found.settings["scheme"] == "plain"
        assert found.method.startswith("bootstrap (")
    page = result.to_html()
    assert "200 resamples, seed 5, plain" in page


def test_a_partial_area_alone() -> None:
    """The AUC's own options must not trip over a scheme that is for the partial area."""
    found = rs.evaluate(DATA, label="ill", scores="risk", measures="partial_auc(fpr<=0.3)", **ASK)
    assert found.results[0].method == "bootstrap (bca)"


def test_a_segment_without_spread_is_listed() -> None:
    table = {
        "y": [0, 1] * 40,
        "s": np.concatenate([np.arange(40) % 2 + 0.5, np.arange(40) % 7 + np.arange(40) % 2]),
        "g": ["a"] * 40 + ["b"] * 40,
    }
    result = rs.evaluate(table, label="y", scores="s", by="g", interval="bootstrap-bca")
    assert [s.by for s in result.skipped] == [{"g": "a"}]
    assert "no spread" in result.skipped[0].reason


def test_clusters_and_weights() -> None:
    table = {**DATA, "patient": np.arange(1_200) // 2, "w": 1.0 + np.arange(1_200) % 3}
    ask: dict[str, Any] = {"interval": "bootstrap", "resamples": 200}
    result = rs.evaluate(
        table,
        label="ill",
        scores="risk",
        cluster="patient",
        sample_weight="w",
        by="hospital",
        **ask,
    )
    alone = rs.auc(
        DATA["ill"], DATA["risk"], cluster=table["patient"], sample_weight=table["w"], **ask
    )
    assert result.results[0].interval == alone.interval
    assert result.results[0].settings["scheme"] == "cluster"


def test_progress_counts_blocks_of_resamples() -> None:
    seen: list[tuple[int, int]] = []
    asked = {"label": "ill", "scores": ["risk", "lab"], "measures": ["auc", "partial_auc(fpr<=.3)"]}
    told = {"progress": lambda done, total: seen.append((done, total))}
    rs.evaluate(DATA, **asked, **told, interval="bootstrap", resamples=3000)
    blocks = seen[0][1]
    assert blocks > 1
    assert sorted(seen) == sorted([(done, blocks) for done in range(1, blocks + 1)] * 4)
    seen.clear()
    rs.evaluate(DATA, **asked, interval="bootstrap", resamples=3000)  # nobody looks any more
    assert seen == []


@pytest.mark.parametrize("measures", ["auc", "partial_auc(fpr<=0.3)"])
def test_a_scheme_for_nothing(measures: str) -> None:
    with pytest.raises(rs.RocsolidError, match="resamples nothing"):
        rs.evaluate(DATA, label="ill", scores="risk", measures=measures, scheme="plain")
