"""Evaluations and comparisons of sources that are reduced where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import rocsolid as rs
from rocsolid.engines.duckdb import limited
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.compare_table import compare_table

N = 3_000


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rng = np.random.default_rng(11)
    y = (rng.random(N) < 0.3).astype(int)
    return {
        "y": y,
        "a": np.round(rng.normal(size=N) + y, 2),
        "b": rng.normal(size=N) + 0.6 * y,
        "g": rng.choice(["north", "south", "west"], N),
        "w": rng.random(N),
        "c": rng.integers(0, 400, N),
        "q": rng.integers(0, 150, N),
        "grade": rng.integers(0, 4, N),
        "times": rng.integers(0, 3, N),
        "lang": np.array(["de", "fr"])[rng.integers(0, 2, 150)][rng.integers(0, 150, N)],
    }


def _lazy(table: dict[str, Any]) -> Any:
    return pl.LazyFrame(table)


def _relation(table: dict[str, Any]) -> Any:
    return duckdb.from_arrow(pa.table(table))


SOURCES = {"lazy frame": _lazy, "DuckDB relation": _relation}


@pytest.fixture(params=list(SOURCES))
def source(request: pytest.FixtureRequest, table: dict[str, Any]) -> Any:
    return SOURCES[request.param](table)


def _plain(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in ("source", "engine")}


def _alike(ours: Any, theirs: Any) -> bool:
    """Equal but for the last digits of floats, which groups are summed up to in another order."""
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(_alike(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(_alike, ours, theirs))
    if isinstance(ours, float):
        return bool(ours == pytest.approx(theirs, rel=1e-9, abs=1e-12, nan_ok=True))
    return bool(ours == theirs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"by": "g"},
        {"by": ["g", "q"]},
        {"lower_is_better": True, "level": 0.9, "alternative": "greater"},
        {"interval": "newcombe5"},
        {"interval": "kl"},
    ],
)
def test_the_evaluation_is_that_of_memory(
    source: Any, table: dict[str, Any], asked: dict[str, Any]
) -> None:
    ours = rs.evaluate(source, label="y", scores=["a", "b"], **asked).to_dict()
    theirs = rs.evaluate(table, label="y", scores=["a", "b"], **asked).to_dict()
    if "by" in asked:
        assert _alike(_plain(ours), _plain(theirs))
    else:
        assert _plain(ours) == _plain(theirs)
    assert ours["engine"] != "memory"


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"sample_weight": "w"}, {"cluster": "c"},
                                   {"sample_weight": "w", "cluster": "c", "by": "g"}])  # fmt: skip
def test_weights_and_clusters_agree_to_twelve_digits(
    source: Any, table: dict[str, Any], asked: dict[str, Any]
) -> None:
    assert all(
        one.certified is None
        for one in rs.evaluate(source, label="y", scores=["a", "b"], **asked).results
    )
    asked = {**asked, "design": "fixed"}
    ours = rs.evaluate(source, label="y", scores=["a", "b"], **asked)
    theirs = rs.evaluate(table, label="y", scores=["a", "b"], **asked)
    assert len(ours.results) == len(theirs.results)
    for one, other in zip(ours.results, theirs.results, strict=True):
        for name in ("value", "low", "high", "std_error"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-12)
        assert one.certified is not None
        assert other.certified is not None
        assert one.certified.low == pytest.approx(other.certified.low, rel=1e-12)
        assert (one.n_pos, one.n_neg, one.ties, one.fingerprint, one.by) == (
            other.n_pos, other.n_neg, other.ties, other.fingerprint, other.by,
        )  # fmt: skip
        assert one.warnings == other.warnings
        assert one.settings == other.settings


@pytest.mark.parametrize("weight", [None, "w"])
def test_partial_areas_agree_and_their_certificate_holds_without_the_rows(
    source: Any, table: dict[str, Any], weight: str | None
) -> None:
    measures = [
        "partial_auc(fpr<=0.1)", "partial_auc(tpr>=0.9, scale=mcclish)",
        "partial_auc(fpr<=0.2, tpr>=0.5)",
    ]  # fmt: skip
    asked: dict[str, Any] = {"label": "y", "scores": "a", "measures": measures, "design": "fixed"}
    ours = rs.evaluate(source, sample_weight=weight, **asked)
    theirs = rs.evaluate(table, sample_weight=weight, **asked)
    bands = rs.evaluate(table, interval="weighted-band", **asked)
    for one, other, band in zip(ours.results, theirs.results, bands.results, strict=True):
        assert one.measure == other.measure
        for name in ("value", "low", "high", "std_error"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9)
        if weight is None:
            assert one.certified is not None
            assert one.certified.method == band.method
            assert (one.certified.low, one.certified.high) == (band.low, band.high)
        else:
            assert (one.certified is None) == (other.certified is None)
            if one.certified is not None and other.certified is not None:
                assert one.certified.low == pytest.approx(other.certified.low, rel=1e-9)


def test_where_the_certificate_would_read_placements_another_takes_its_place() -> None:
    rng = np.random.default_rng(0)
    table = {"y": np.repeat([1, 0], [2100, 21_000]), "s": rng.normal(size=23_100)}
    (ours,) = rs.evaluate(pl.LazyFrame(table), label="y", scores="s").results
    (theirs,) = rs.evaluate(table, label="y", scores="s").results
    assert (ours.low, ours.high) == (theirs.low, theirs.high)
    assert ours.certified is not None
    assert theirs.certified is not None
    assert (ours.certified.method, theirs.certified.method) == ("hinge", "cuts")


def test_few_rows_of_a_class_have_the_same_certificate_everywhere(
    source: Any, table: dict[str, Any]
) -> None:
    (ours,) = rs.evaluate(source, label="y", scores="a").results
    (theirs,) = rs.evaluate(table, label="y", scores="a").results
    assert ours.certified == theirs.certified
    assert ours.certified is not None
    assert ours.certified.method == "cuts"


def test_scores_are_compared_where_they_are(source: Any, table: dict[str, Any]) -> None:
    ours = compare_table(source, label="y", scores=["a", "b"], adjust="max-t")
    theirs = compare_table(table, label="y", scores=["a", "b"], adjust="max-t")
    one, other = (found.comparisons[None] for found in (ours, theirs))
    assert one.covariance == pytest.approx(other.covariance, rel=1e-9)
    assert one.pairs[0].p_adjusted == pytest.approx(other.pairs[0].p_adjusted, rel=1e-6)
    assert one.pairs[0].certified is not None
    assert one.pairs[0].certified.method == "mcdiarmid (difference)"
    assert one.omnibus.statistic == pytest.approx(other.omnibus.statistic, rel=1e-9)
    by = compare_table(source, label="y", scores="a", by="g").to_dict()
    assert _alike(_plain(by), _plain(compare_table(table, label="y", scores="a", by="g").to_dict()))


@pytest.mark.parametrize(
    "asked", [{"sample_weight": "w"}, {"cluster": "c"}, {"sample_weight": "w", "cluster": "c"}]
)
def test_weighted_and_clustered_scores_are_compared(
    source: Any, table: dict[str, Any], asked: dict[str, Any]
) -> None:
    ours = compare_table(source, label="y", scores=["a", "b"], **asked).to_dict()
    theirs = compare_table(table, label="y", scores=["a", "b"], **asked).to_dict()
    assert _alike(_plain(ours), _plain(theirs))


def test_rows_that_lack_a_score_are_left_out_for_all(table: dict[str, Any]) -> None:
    holes = {**table, "a": np.where(np.arange(N) % 7 == 3, np.nan, table["a"])}
    asked: dict[str, Any] = {"label": "y", "scores": ["a", "b"], "nan": "omit"}
    ours = compare_table(pl.LazyFrame(holes), **asked).comparisons[None]
    theirs = compare_table(holes, **asked).comparisons[None]
    assert ours.warnings == theirs.warnings
    assert ours.settings["omitted"] == theirs.settings["omitted"] > 400
    assert ours.covariance == pytest.approx(theirs.covariance, rel=1e-9)


@pytest.mark.parametrize("measures", [["ndcg@10", "map"], ["err@20"]])
def test_queries_are_measured_block_by_block(
    source: Any, table: dict[str, Any], measures: list[str]
) -> None:
    asked: dict[str, Any] = {
        "label": "grade", "scores": ["a", "b"], "qid": "q", "measures": measures,
    }  # fmt: skip
    ours, theirs = rs.evaluate(source, **asked), rs.evaluate(table, **asked)
    assert _plain(ours.to_dict(per_query=True)) == _plain(theirs.to_dict(per_query=True))


@pytest.mark.parametrize(
    "asked",
    [
        {"interval": "bootstrap", "resamples": 200},
        {"interval": "betting"},
        {"measures": "weighted_auc(power(2))", "interval": "weighted-rooks"},
        {"by": "g", "measures": ["auc", "partial_auc(fpr<=0.1)"], "cluster": "c"},
        {"measures": "auc", "frequency": "times"},
    ],
    ids=str,
)
def test_what_needs_rows_collects_them(
    source: Any, table: dict[str, Any], asked: dict[str, Any]
) -> None:
    ours = rs.evaluate(source, label="y", scores=["a", "b"], **asked)
    theirs = rs.evaluate(table, label="y", scores=["a", "b"], **asked)
    assert _plain(ours.to_dict()) == _plain(theirs.to_dict())
    assert ours.engine == "memory"
    assert ours.source in ("the lazy frame", "the relation")


@pytest.mark.parametrize(
    "asked",
    [
        {"test": "bootstrap", "resamples": 200},
        {"test": "permutation", "resamples": 200},
        {"measure": "sensitivity(fpr=0.1)", "test": "bootstrap", "resamples": 200, "cluster": "c"},
        {"measure": "sensitivity(fpr=0.1)", "test": "bootstrap", "resamples": 200, "by": "g"},
        {"frequency": "times"},
    ],
    ids=str,
)
def test_comparisons_that_need_rows_collect_them(
    source: Any, table: dict[str, Any], asked: dict[str, Any]
) -> None:
    ours = compare_table(source, label="y", scores=["a", "b"], **asked)
    theirs = compare_table(table, label="y", scores=["a", "b"], **asked)
    assert _plain(ours.to_dict()) == _plain(theirs.to_dict())


def test_a_cluster_in_two_segments_is_refused(source: Any) -> None:
    with pytest.raises(UnsoundError, match="a cluster has rows in two segments"):
        compare_table(source, label="y", scores=["a", "b"], cluster="c", by="g")


def test_a_rate_of_segments_is_tested_as_in_memory() -> None:
    rng = np.random.default_rng(2)
    y = np.arange(400) % 2
    rows = {"y": y, "a": rng.normal(size=400) + y, "b": rng.normal(size=400)}
    rows["g"] = np.arange(400) // 2 % 2
    relation = duckdb.from_arrow(pa.table(rows))
    measure = "sensitivity(specificity=0.8)"
    ours, theirs = (
        rs.evaluate(each, label="y", scores="a", by="g", measures=measure)
        for each in (relation, rows)
    )
    assert ours.engine == "duckdb"
    assert _alike(_plain(ours.to_dict()), _plain(theirs.to_dict()))
    pairs = [
        compare_table(each, label="y", scores=["a", "b"], measure=measure).to_dict()
        for each in (relation, rows)
    ]
    assert _alike(*map(_plain, pairs))


ASKED: dict[str, Any] = {"label": "y", "scores": "a", "interval": "bootstrap"}


def test_rows_that_memory_cannot_hold_are_not_collected() -> None:
    """50 bytes a row of a label and a score: 200 MB."""
    rows = np.arange(4_000_000)
    frame = pl.LazyFrame({"y": rows % 2, "a": rows % 7 / 2, "q": rows // 10})
    with pytest.raises(InputError, match=r"about 200 MB, and .* 180 MB.*the lazy frame.*by 20 MB"):
        rs.evaluate(frame, **ASKED, memory=350_000_000)
    with pytest.raises(InputError, match="all rows in memory at once"):
        rs.evaluate(frame, label="y", scores=["a"], qid="q", distinguish=True, memory=350_000_000)


def test_rows_of_counts_that_memory_cannot_hold_are_not_written_out(
    table: dict[str, Any], tmp_path: Path
) -> None:
    many = {**table, "times": np.full(N, 4_000)}  # 600 MB
    with pytest.raises(InputError, match="about 600 MB, and there is room for 330 MB"):
        rs.evaluate(
            pl.LazyFrame(many), label="y", scores="a", frequency="times", memory=500_000_000
        )
    pa.parquet.write_table(pa.table(many), tmp_path / "counts.parquet")
    with pytest.raises(InputError, match="about 600 MB, and there is room for 330 MB"):
        rs.evaluate(
            str(tmp_path / "counts.parquet"),
            label="y", scores="a", frequency="times", memory=500_000_000,
        )  # fmt: skip


def test_files_that_memory_cannot_hold_are_not_collected(tmp_path: Path) -> None:
    rows = pa.table({"y": np.arange(4_000_000) % 2, "a": np.arange(4_000_000) % 7 / 2})
    pa.parquet.write_table(rows, tmp_path / "rows.parquet")
    with pytest.raises(InputError, match="about 200 MB, and there is room for 180 MB"):
        rs.evaluate(str(tmp_path / "rows.parquet"), **ASKED, memory=350_000_000)


def test_a_relation_that_memory_cannot_hold_is_not_certified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limited, "half_of_bound", lambda: 350_000_000)
    rows = duckdb.sql("SELECT n % 2 AS y, n % 7 / 2 AS a FROM range(4_000_000) AS t(n)")
    with pytest.raises(InputError, match="about 200 MB, and there is room for 180 MB"):
        certify_table(rows, label="y", scores="a", bound="betting")


def test_the_page_is_drawn_from_a_coarse_curve(source: Any, table: dict[str, Any]) -> None:
    found = rs.evaluate(source, label="y", scores=["a", "b"], by="g")
    curve, exact = found.curves["b"], rs.roc(table["y"], table["b"])
    assert curve.auc == exact.auc
    assert len(exact.fpr) > len(curve.fpr) > 1_000
    assert 0.0 < curve.area_error < 1e-3
    assert set(zip(curve.fpr, curve.tpr, strict=True)) <= set(
        zip(exact.fpr, exact.tpr, strict=True)
    )
    page = found.to_html()
    assert "no band, as not every score is available" in page
    assert "its rows are not available" in page
    assert len(found.to_html(public=True)) > 10_000


def test_memory_is_for_sources_outside_of_it(table: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="these rows are in memory already"):
        rs.evaluate(table, label="y", scores="a", memory="1GB")
    with pytest.raises(InputError, match="memory must be a number of bytes"):
        rs.evaluate(str(tmp_path / "a.csv"), label="y", scores="a", memory=-5)
    with pytest.raises(InputError, match="not a whole number of at least 1"):
        rs.evaluate(str(tmp_path / "a.csv"), label="y", scores="a", threads=0)


def test_files_that_fit_are_read_into_memory(table: dict[str, Any], tmp_path: Path) -> None:
    pl.DataFrame(table).write_parquet(tmp_path / "t.parquet")
    found = rs.evaluate(tmp_path / "t.parquet", label="y", scores="a", memory="1GB")
    assert found.engine == "memory"
