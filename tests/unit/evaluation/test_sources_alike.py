"""Rows that are hard to reduce give the same results, and errors, wherever they are."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsolid as rs
from rocsolid.answer.answer import Answer
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.inputs import TextLabel

N = 200
Y = (np.random.default_rng(4).random(N) < 0.4).astype(np.int64)
Asked = dict[str, Any]


@pytest.fixture(params=["lazy frame", "relation", "file"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Any], Asked]:
    """The keywords that name the rows of an Arrow table, put where an engine reduces them."""

    def placed(table: Any) -> Asked:
        if request.param == "lazy frame":
            return {"data": pl.DataFrame(table).lazy()}
        if request.param == "relation":
            return {"data": duckdb.from_arrow(table)}
        monkeypatch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
        pq.write_table(table, tmp_path / "rows.parquet")
        return {"data": tmp_path / "rows.parquet", "memory": "400MB"}

    return placed


def rows(**columns: Any) -> Any:
    rng = np.random.default_rng(5)
    return pa.table(
        {
            "y": Y,
            "a": np.round(rng.normal(size=N) + Y, 1),
            "b": rng.integers(0, 5, N),
            "g": np.arange(N) % 3,
            "c": np.arange(N) // 7,
            "w": rng.random(N),
            **columns,
        }
    )


def compared(data: Any, memory: str | None = None, **asked: Any) -> Answer:
    return compare_table(data, label="y", memory=memory, **asked)


def alike(ours: Any, theirs: Any, leaving: tuple[str, ...] = ()) -> bool:
    """Equal but for the last digits of floats, the source and the engine."""
    if isinstance(ours, dict):
        keys = [key for key in ours if key not in ("source", "engine", *leaving)]
        wanted = [key for key in theirs if key not in ("source", "engine", *leaving)]
        return keys == wanted and all(alike(ours[k], theirs[k], leaving) for k in keys)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(
            alike(a, b, leaving) for a, b in zip(ours, theirs, strict=True)
        )
    if isinstance(ours, float) and isinstance(theirs, float):
        return bool(ours == pytest.approx(theirs, rel=1e-9, abs=1e-12, nan_ok=True))
    return bool(ours == theirs)


HUGE = np.where(Y == 1, 1e300, 1.0) * (1 + np.arange(N) % 4)
GAPS = pa.array([None if i % 17 == 3 else float(i % 9) for i in range(N)])
MOMENT = datetime.datetime(2024, 5, 1, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("columns", "asked"),
    [
        ({"w": HUGE}, {"sample_weight": "w"}),
        ({"w": HUGE}, {"sample_weight": "w", "cluster": "c"}),
        ({"w": HUGE}, {"sample_weight": "w", "by": "g"}),
        ({"w": HUGE}, {"sample_weight": "w", "measures": ["partial_auc(fpr<=0.3)"]}),
        ({"w": HUGE}, {"sample_weight": "w", "measures": ["partial_auc(tpr>=0.5)"]}),
        ({"w": np.arange(N) % 5 < 3}, {"sample_weight": "w", "by": "g"}),
        ({"g": [MOMENT + datetime.timedelta(i % 3) for i in range(N)]}, {"by": "g"}),
        ({"g": np.where(np.arange(N) % 2, 0.0, -0.0)}, {"by": "g"}),
        ({"a": GAPS}, {"by": "g", "nan": "omit"}),
        ({"rows": np.arange(N) % 2}, {"by": "rows"}),
        ({}, {"pos_label": TextLabel("1")}),
    ],
)  # fmt: skip
def test_evaluations(place: Callable[[Any], Asked], columns: Asked, asked: Asked) -> None:
    table = rows(**columns)
    wanted = rs.evaluate(table, label="y", scores=["a", "b"], **asked)
    found = rs.evaluate(**place(table), label="y", scores=["a", "b"], **asked)
    assert found.engine != "memory"
    assert alike(found.to_dict(), wanted.to_dict())


CERTIFIED = ("certified",)  # without the rows it is McDiarmid's where matchings need them


@pytest.mark.parametrize(
    ("columns", "asked", "leaving"),
    [
        ({"a": GAPS}, {"nan": "omit"}, CERTIFIED),
        ({"a": GAPS}, {"nan": "omit", "by": "g"}, ()),
        ({"w": np.full(N, 2.0)}, {"by": "g", "sample_weight": "w"}, ()),
        ({"c": np.arange(N) % 3 + 3 * (np.arange(N) // 20)}, {"by": "g", "cluster": "c"}, ()),
        ({}, {"pos_label": TextLabel("0"), "lower_is_better": True}, CERTIFIED),
    ],
)
def test_comparisons(
    place: Callable[[Any], Asked], columns: Asked, asked: Asked, leaving: tuple[str, ...]
) -> None:
    table = rows(**columns)
    wanted = compare_table(table, label="y", scores=["a", "b"], **asked)
    found = compared(**place(table), scores=["a", "b"], **asked)
    assert alike(found.to_dict(), wanted.to_dict(), leaving)


@pytest.mark.parametrize(
    "asked",
    [
        {"sample_weight": "w"},
        {"cluster": "c"},
        {"sample_weight": "h", "cluster": "c", "lower_is_better": True},
        {"sample_weight": "z", "cluster": "c", "nan": "omit"},
    ],
)
def test_lazy_frames_are_compared_under_weights_and_clusters(asked: Asked) -> None:
    """The certified differences too: weighted and clustered rows have McDiarmid's in memory."""
    table = rows(h=HUGE, z=np.arange(N) % 3 * 1.0, d=GAPS)
    names = ["a", "b", *(["d"] if "nan" in asked else [])]
    wanted = compare_table(table, label="y", scores=names, **asked)
    found = compare_table(pl.DataFrame(table).lazy(), label="y", scores=names, **asked)
    assert alike(found.to_dict(), wanted.to_dict())


@pytest.mark.parametrize(
    ("columns", "asked", "says"),
    [
        ({"y": np.where(np.arange(N) < 3, np.nan, np.arange(N) % 2)}, {}, r"3 missing .*'y'"),
        ({"g": pa.array([None] * 4 + [1] * (N - 4))}, {"by": "g"}, r"4 missing .*'g'"),
        ({"g": np.where(np.arange(N) < 4, np.nan, 1.0)}, {"cluster": "g"}, r"4 missing .*'g'"),
        ({"a": GAPS}, {"by": "g"}, r"12 missing .*'a'.*nan=\"omit\""),
        ({"a": pa.nulls(N, pa.float64())}, {"nan": "omit"}, "every score is missing.* Fix: name a"),
        ({"w": np.where(np.arange(N) == 9, np.nan, 1.0)}, {"sample_weight": "w"}, "weights must"),
        ({}, {"nan": "drop"}, 'unknown nan.*"raise" or "omit"'),
    ],
)
def test_errors_count_rows(
    place: Callable[[Any], Asked], columns: Asked, asked: Asked, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        rs.evaluate(**place(rows(**columns)), label="y", scores="a", **asked)


def test_no_row_with_every_score(place: Callable[[Any], Asked]) -> None:
    """The rows of each score alone may be of one class, which would be another error."""
    first = Y == 1
    table = rows(a=np.where(first, 1.0, np.nan), b=np.where(first, np.nan, 1.0))
    message = "no row has all of its scores .* Fix: fill in missing scores"
    for asked in (place(table), {"data": table}):
        with pytest.raises(InputError, match=message):
            compared(**asked, scores=["a", "b"], nan="omit")


def test_a_cluster_in_two_segments(place: Callable[[Any], Asked]) -> None:
    with pytest.raises(UnsoundError, match="a cluster has rows in two segments"):
        compared(**place(rows()), scores="a", by="g", cluster="c")


def test_what_a_library_says_of_its_frame() -> None:
    frame = pl.DataFrame(rows()).lazy().with_columns(pl.col("a").cast(pl.Utf8).str.to_datetime())
    with pytest.raises(InputError, match="the lazy frame cannot be computed: could not find"):
        rs.evaluate(frame, label="y", scores="a")


def test_a_segment_with_a_class_without_weight_is_skipped_wherever_the_rows_are() -> None:
    rng = np.random.default_rng(1)
    labels, segment = np.arange(90) % 2, np.repeat(["a", "b", "c"], 30)
    weight = np.where((segment == "c") & (labels == 1), 0.0, 1.0)
    table = {"y": labels, "s": rng.normal(size=90) + labels, "g": segment, "w": weight}
    compared = [
        rs.compare(data, "s", label="y", by="g", sample_weight="w")
        for data in (table, pl.DataFrame(table).lazy())
    ]
    for answer in compared:
        ((where, reason),) = [(entry.where, entry.reason) for entry in answer.skipped]
        assert (where, reason) == ("s, g = c", "a class has a total weight of zero")
        assert list(answer.comparisons["s"].estimates) == ["a", "b"]
    p_values = [answer.comparisons["s"].pairs[0].p_value for answer in compared]
    assert p_values[0] == pytest.approx(p_values[1], abs=1e-12)


@pytest.mark.parametrize("measure", ["partial_auc(fpr<=0.5)", "weighted_auc(power(2))"])
@pytest.mark.parametrize("clusters", [[0] * 6, [0, 0, 0, 0, 0, 1], [0, 1, 0, 0, 1, 1]])
def test_areas_of_few_clusters_have_limits(measure: str, clusters: list[int]) -> None:
    table = {"y": [0, 1, 0, 0, 1, 1], "s": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "c": clusters}
    asked = {"label": "y", "scores": "s", "cluster": "c", "measures": measure}
    (here,), (there,) = (
        rs.evaluate(data, **asked).results for data in (table, pl.LazyFrame(table))
    )
    assert 0.0 <= here.low < here.value < here.high
    assert (there.low, there.high) == pytest.approx((here.low, here.high), abs=1e-9)
