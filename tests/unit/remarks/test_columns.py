"""Each check of columns: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from check_cases import S, Y, codes

HALVES = [0] * 60 + [1] * 60
FOURS = [i // 4 for i in range(240)]
OF_CLUSTER = [i % 2 for i in FOURS]
CASES = {
    "ROC017": (
        lambda: rs.auc([0, 0, 0, 0, 0, 1] * 10 + [0, 1, 1, 1, 1, 1] * 10, HALVES, within=HALVES),
        lambda: rs.auc([0, 1] * 60, [0, 1] * 60, within=HALVES),
    ),
    "ROC018": (
        lambda: rs.auc([0] * 60 + [0, 1] * 30, range(120), within=HALVES),
        lambda: rs.auc([0, 1] * 60, range(120), within=HALVES),
    ),
    "ROC019": (lambda: examined({"s": Y}), lambda: examined({"s": S})),
    "ROC020": (
        lambda: examined({"s": S}),
        lambda: rs.evaluate({"y": Y, "s": S}, label="y", scores="s"),
    ),
    "ROC021": (
        lambda: clustered(OF_CLUSTER, FOURS),
        lambda: clustered([i % 2 for i in range(240)], FOURS),
    ),
}


def examined(columns: dict[str, list[float]]) -> rs.Evaluation:
    return rs.evaluate({"y": Y, **columns}, label="y", scores="s", check_columns=True)


def clustered(y: Any, cluster: Any) -> rs.Evaluation:
    table = {"y": y, "s": np.arange(len(y)) * 7 % 11, "patient": cluster}
    return rs.evaluate(table, label="y", scores="s", cluster="patient")


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())


def notes(result: Any, code: str) -> set[str]:
    return {str(each) for each in result.checks if each.code == code}


def test_examined_columns_are_named() -> None:
    columns = {"s": S, "site": ["a", "b", "c"] * 20, "row": list(range(60)), "one": [1] * 60}
    assert notes(examined(columns), "ROC020") == {"Columns examined: site."}
    assert notes(examined({"s": S}), "ROC020") == {
        "No column was examined: none has two values, and five rows of each."
    }
    table = {"y": Y, "s": S, "t": S, "site": ["a", "b"] * 30, "day": [1, 2, 3] * 20}
    options = {"by": "site", "cluster": "day", "check_columns": True}
    answer = rs.evaluate(table, label="y", scores=["s", "t"], **options)
    assert notes(answer, "ROC020") == {"Columns examined: site, day."}
    assert notes(answer.without("ROC020"), "ROC020") == set()


def test_figures_of_clusters() -> None:
    y = [*OF_CLUSTER[:-1], 1 - OF_CLUSTER[-1]]
    assert notes(clustered([*y, 0, 1], [*FOURS, 60, 61]), "ROC021") == {
        "59 of 60 clusters of two rows or more have one class (8 if labels were shuffled): the AUC "
        "compares 31 clusters with positives and 32 with negatives."
    }


@pytest.mark.parametrize(
    ("y", "cluster"),
    [
        (OF_CLUSTER[:60], FOURS[:60]),  # 13 mixed clusters under shuffled labels: too few to say
        ([0] * 236 + [1] * 4, FOURS),  # positives are rare
        ([*[0, 1] * 8, *OF_CLUSTER[16:]], FOURS),  # 4 of 60 clusters are mixed
        ([1, 0, 0, 0] * 20 + [0] * 1520, [i // 4 for i in range(1600)]),  # 20 of 400, as by chance
        ([0, 1] * 120, list(range(240))),  # no cluster has two rows
    ],
)
def test_clusters_without_a_note(y: Any, cluster: Any) -> None:
    assert notes(clustered(y, cluster), "ROC021") == set()


def test_labels_of_rows_have_no_note() -> None:
    """A false alarm has a probability below 5e-6, so none is expected in 100 tables."""
    rng = np.random.default_rng(6)
    for _ in range(100):
        size = int(rng.integers(60, 400))
        y = rng.random(size) < rng.uniform(0.05, 0.9)
        y[:2] = 0, 1
        cluster = rng.integers(0, rng.integers(2, size), size)
        table = {"y": y, "s": rng.random(size), "patient": cluster}
        answer = rs.evaluate(table, label="y", scores="s", cluster="patient", certified=False)
        assert notes(answer, "ROC021") == set()
