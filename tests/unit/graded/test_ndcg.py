"""rs.ndcg and rs.dcg: conventions, what is counted and said, what is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RELEVANCE = np.array([[3, 2, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 2, 0]])
SCORES = np.array([[4.0, 3, 2, 1], [4, 3, 2, 1], [1, 2, 3, 4], [4, 3, 2, 1]])


def test_the_name_holds_the_conventions() -> None:
    assert rs.ndcg(RELEVANCE, SCORES).measure == "nDCG[linear,log2]"
    named = rs.ndcg(RELEVANCE, SCORES, k=10, gain="exp2", discount="zipf", ideal="retrieved")
    assert named.measure == "nDCG[exp2,zipf,ideal=retrieved]@10"
    shared = rs.dcg(RELEVANCE, SCORES, k=rs.discounts.frac(0.5), discount=rs.discounts.power(0.5))
    assert shared.measure == "DCG[linear,power(0.5)]@frac(0.5)"


def test_several_cutoffs_give_a_dictionary() -> None:
    share = rs.discounts.frac(0.5)
    found = rs.ndcg(RELEVANCE, SCORES, k=[1, 3, share, None])
    assert list(found) == [1, 3, share, None]
    for k, result in found.items():
        alone = rs.ndcg(RELEVANCE, SCORES, k=k)
        assert result.to_dict() == alone.to_dict()
    assert list(rs.dcg(RELEVANCE, SCORES, k=(2,))) == [2]
    with pytest.raises(rs.InputError, match="no cut-off is listed"):
        rs.ndcg(RELEVANCE, SCORES, k=[])


def test_queries_without_a_relevant_document() -> None:
    result = rs.ndcg(RELEVANCE, SCORES)
    assert np.isnan(result.per_query).tolist() == [False, True, False, False]
    assert (result.n_queries, result.n_excluded, result.empty) == (3, 1, (1,))
    assert result.value == pytest.approx(np.nanmean(result.per_query))
    assert result.as_zeros == pytest.approx(rs.ndcg(RELEVANCE, SCORES, empty=0).value)
    assert result.as_ones == pytest.approx(rs.ndcg(RELEVANCE, SCORES, empty=1).value)
    assert f"3 of 4 queries (as zeros {result.as_zeros:.4f}, as ones" in str(result)
    assert "1 query has no relevant document (1), so the mean is over 3 of 4" in result.explain()
    counted = rs.ndcg(RELEVANCE, SCORES, empty=1)
    assert (counted.n_queries, counted.empty, counted.per_query[1]) == (4, (1,), 1.0)
    assert "1 query has no relevant document (1) and counts 1." in counted.explain()
    with pytest.raises(rs.InputError, match=r"no relevant document.*qid 1.*exclude"):
        rs.ndcg(RELEVANCE, SCORES, empty="error")
    with pytest.raises(rs.InputError, match="nothing to average"):
        rs.ndcg([0, 0], [1, 2])
    assert rs.ndcg([0, 0], [1, 2], empty=0).value == 0.0
    # DCG is 0 there, whatever the list
    assert rs.dcg(RELEVANCE, SCORES).per_query[1] == 0.0
    assert rs.dcg(RELEVANCE, SCORES, empty="exclude").n_queries == 3


def test_a_query_that_is_missing_counts_zero_and_is_listed() -> None:
    result = rs.ndcg([1, 0, 1, 0], [1, 0, -np.inf, -np.inf], qid=["a", "a", "b", "b"])
    assert (result.per_query.tolist(), result.missing) == ([1.0, 0.0], ("b",))
    assert "1 query has no document in the list and count as such: b." in result.explain()
    emptied = rs.ndcg([1, None], [1, 2], qid=[1, 2], unjudged="condense")
    assert (emptied.missing, emptied.empty) == ((2,), (2,))
    for k in (rs.discounts.frac(0.1), math.sqrt, 3, None):
        assert rs.ndcg([1, 1], [-np.inf, -np.inf], k=k).value == 0.0


def test_the_ideal_list() -> None:
    """Judged documents that are not in the list count for the ideal, unless asked otherwise."""
    y, s = [1, 0, 2], [2.0, 1.0, -np.inf]
    assert rs.ndcg(y, s).value == pytest.approx(1 / (2 + 1 / np.log2(3)))
    assert rs.ndcg(y, s, k=1).value == pytest.approx(1 / 2)
    assert rs.ndcg(y, s, ideal="retrieved").value == 1.0
    # the cut-off may lie beyond the list: the ideal list is longer
    assert rs.ndcg([1, 1, 1], [1, -np.inf, -np.inf], k=2).value == pytest.approx(
        1 / (1 + 1 / np.log2(3))
    )


def test_unjudged_documents_gain_nothing_and_are_told() -> None:
    y, s = [None, 1, 0, 1], [4, 3, 2, 1]
    result = rs.ndcg(y, s, k=2)
    assert result.judged == 0.5
    assert "50 % judged" in str(result)
    assert result.value == pytest.approx((1 / np.log2(3)) / (1 + 1 / np.log2(3)))
    assert rs.ndcg(y, s, k=2, unjudged="condense").value == rs.ndcg([1, 0, 1], [3, 2, 1], k=2).value
    # the cut-off goes through a tied block: half of what it may read is judged
    assert rs.ndcg([None, 1, 0], [2, 2, 1], k=1).judged == 0.5
    assert rs.ndcg([None, 1, 0], [2, 2, 1], k=1, ties="input").judged == 0.0
    # a gain of grade 0 is not one of no grade
    table = rs.dcg([None, 0, 1], [3, 2, 1], gain={0: 1, 1: 4}, discount="zipf")
    assert table.value == pytest.approx(1 / 2 + 4 / 3)


def test_the_other_gain_is_told_where_it_matters() -> None:
    result = rs.ndcg(RELEVANCE, SCORES, k=3)
    other = rs.ndcg(RELEVANCE, SCORES, k=3, gain="exp2")
    assert result.others == {"nDCG[exp2,log2]@3": other.value}
    assert other.others == {"nDCG[linear,log2]@3": result.value}
    (note,) = [w for w in result.warnings if "gain matters" in w]
    assert f"nDCG[exp2,log2]@3 is {other.value:.4f}" in note
    assert rs.ndcg(RELEVANCE > 0, SCORES).others == {}
    assert rs.ndcg(RELEVANCE, SCORES, gain={1: 1, 2: 2, 3: 3}).others == {}
    assert rs.ndcg([2000, 0], [1, 2]).others == {}


def test_a_perfect_list_is_exactly_one_and_no_list_is_above() -> None:
    rng = np.random.default_rng(3)
    grades = rng.choice([0.1, 0.3, 0.7], (200, 30))
    assert set(rs.ndcg(grades, grades).per_query) == {1.0}
    untied = rs.ndcg(np.sort(grades)[:, ::-1], np.tile(np.arange(30.0)[::-1], (200, 1)))
    assert set(untied.per_query) == {1.0}


def test_all_documents_tied() -> None:
    result = rs.ndcg([1, 0, 0], [0.0, -0.0, 0.0], k=1)
    assert (result.value, result.worst, result.best) == (pytest.approx(1 / 3), 0.0, 1.0)
    assert result.tied == 1.0


def test_bounds_hold_whatever_breaks_the_ties() -> None:
    averaged = rs.ndcg([0, 1, 2], [1, 1, 1])
    broken = rs.ndcg([0, 1, 2], [1, 1, 1], ties="input")
    assert broken.value == broken.worst == averaged.worst < averaged.value < averaged.best
    assert broken.best == averaged.best == 1.0


def test_lower_is_better() -> None:
    turned = rs.ndcg(RELEVANCE, -SCORES, lower_is_better=True)
    assert turned.per_query == pytest.approx(rs.ndcg(RELEVANCE, SCORES).per_query, nan_ok=True)


def test_a_rank_column_that_contradicts_the_scores_is_told() -> None:
    result = rs.ndcg([1, 0, 1, 0], [2, 1, 2, 1], qid=[1, 1, 2, 2], rank=[1, 2, 2, 1], ties="rank")
    assert any("contradicts the scores in 1 of 2 queries" in w for w in result.warnings)
    alike = rs.ndcg([1, 0, 1], [1, 1, 1], rank=[1, 3, 2], ties="rank")
    assert not any("contradicts" in w for w in alike.warnings)


def test_rows_without_a_score_are_told() -> None:
    result = rs.ndcg([1, 0, 1], [2, 1, np.nan], nan="omit")
    assert result.value == 1.0
    assert "1 row without a score was left out." in result.warnings
    assert result.settings["omitted"] == 1


def test_the_interval_over_queries() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, (80, 12))
    y[:, 0] = 1
    s = rng.normal(size=y.shape)
    plain, result = rs.ndcg(y, s, interval="t"), rs.ndcg(y, s)
    values = result.per_query
    half = 1.9904502102301287 * values.std(ddof=1) / math.sqrt(80)  # the t quantile, 79 degrees
    assert (plain.low, plain.high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert (plain.method, plain.level) == ("t", 0.95)
    assert result.method == "auto (skewed t)"
    assert plain.high - plain.low < result.high - result.low + 0.001
    assert result.std_error == pytest.approx(values.std(ddof=1) / math.sqrt(80))
    assert result.certified is not None
    assert result.certified.certified
    assert result.certified.low < result.low < result.high < result.certified.high
    assert rs.ndcg(y, rng.normal(size=y.shape), interval="hinge").interval.certified
    wider = rs.ndcg(y, rng.normal(size=y.shape), level=0.99, interval="logit-t")
    assert (wider.method, wider.level) == ("logit-t", 0.99)
    unbounded = rs.dcg(y, rng.normal(size=y.shape))
    assert rs.dcg([1, 0, 9], [1, 1, 1], qid=[1, 2, 3]).low == 0.0
    assert unbounded.certified is None
    assert unbounded.method == "auto (skewed t)"
    alone = rs.dcg([1, 2], [1, 2])
    assert "no interval" in str(alone)
    assert "No interval is known." in alone.explain()


def test_one_query_has_no_interval_over_queries() -> None:
    result = rs.ndcg([1, 0, 1], [3, 2, 1])
    assert result.certified is None
    assert result.interval.method == "none"
    assert "[" not in str(result).partition("]")[2]
    assert "no interval, 1 query" in str(result)
    assert any("One query shows nothing about other queries" in w for w in result.warnings)
    assert any("set qid=" in w for w in result.warnings)
    assert not any("qid=" in w for w in rs.ndcg([1, 0, 1], [3, 2, 1], qid=["q"] * 3).warnings)
    assert not any("items" in w for w in result.warnings)
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 200), rng.normal(size=200)
    assert any('interval "items"' in w for w in rs.ndcg(y, s).warnings)


def test_json_round_trip() -> None:
    result = rs.ndcg(RELEVANCE, SCORES, qid=None)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["per_query"][1] is None
    assert plain["qids"] == [0, 1, 2, 3]
    assert plain["value"] == result.value == float(result)
    assert plain["measure"] == result.measure
    assert plain["empty"] == [1]
    assert plain["settings"]["ties"] == "average"
    assert "seed" not in plain["settings"]
    json.dumps(rs.dcg([1], [1]).to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"ideal": "all"}, "unknown ideal: 'all'"),
        ({"ties": "mean"}, "unknown ties: 'mean'"),
        ({"empty": "skip"}, "unknown empty: 'skip'"),
        ({"empty": True}, "unknown empty: True"),
        ({"empty": 2}, "unknown empty: 2"),
        ({"level": 95}, "level must lie strictly between 0 and 1: 95"),
        ({"interval": "delong"}, "unknown interval"),
        ({"alternative": "two"}, "unknown alternative"),
        ({"k": 0}, "whole number of at least 1: 0"),
        ({"gain": "exp"}, "unknown gain: 'exp'"),
        ({"discount": "log10"}, "unknown discount: 'log10'"),
        ({"tie": "average"}, "unknown keyword: 'tie'.*use 'ties'"),
        ({"interval": "items"}, "nothing about other queries"),
    ],
)
def test_refused(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.RocsolidError, match=message):
        rs.ndcg(RELEVANCE, SCORES, **given_)


def test_frames_of_polars_and_of_pandas_are_matrices() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    wanted = rs.ndcg(RELEVANCE, SCORES).per_query
    names = list("abcd")
    for grades, scores in (
        (polars.DataFrame(RELEVANCE, schema=names), polars.DataFrame(SCORES, schema=names)),
        (pandas.DataFrame(RELEVANCE), pandas.DataFrame(SCORES)),
    ):
        assert rs.ndcg(grades, scores).per_query.tolist() == pytest.approx(wanted, nan_ok=True)


def test_grades_that_the_other_gain_loses_are_no_second_opinion() -> None:
    assert rs.ndcg([1e-320, 0.0], [1, 2]).others == {}


def test_large_grades_have_an_expected_reciprocal_rank() -> None:
    assert rs.err([2000, 0], [2, 1]).value == pytest.approx(1.0)
    assert rs.err([2000, 1999], [1, 2]).value == pytest.approx(0.5 + 0.5 * 0.5)


@pytest.mark.parametrize(
    ("measure", "wrong", "where"),
    [
        (rs.average_precision, {"relevant": "high"}, "at_least"),
        (rs.bpref, {"relevant": None}, "at_least"),
        (rs.err, {"max_grade": "high"}, "max_grade"),
        (rs.rbp, {"p": "patient"}, "persistence"),
        (rs.precision, {"k": 10**30}, "no list is as long"),
        (rs.precision, {"k": "{} of them".format}, "a positive number"),
        (rs.recall, {"k": {}.get}, "a positive number"),
        (rs.ndcg, {"level": 95}, "level must lie"),
    ],
)
def test_odd_options_are_refused_by_name(measure: Any, wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(rs.InputError, match=where):
        measure(RELEVANCE, SCORES, **wrong)


def test_an_infinite_grade_is_shown_with_a_way_out() -> None:
    with pytest.raises(rs.InputError, match=r"not finite: inf .*NaN"):
        rs.ndcg([math.inf, 0], [1, 2])


def test_every_key_of_a_query_goes_into_json() -> None:
    days = np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")
    for qid in (days, [math.inf, 1.5], [b"a", b"b"], ["a", "b"], [1, 2]):
        found = json.loads(json.dumps(rs.ndcg([1, 1], [1, 2], qid=qid).to_dict(), allow_nan=False))
        assert len(set(found["qids"])) == 2
